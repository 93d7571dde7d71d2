//! PgBouncer in front of a server.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::ground::{attempt, make_folder};
use super::programs::Account;
use super::supervisor::{Program, Supervisor};
use super::{Cluster, ClusterError, Database};
use crate::admin::{Host, Target};
use crate::{Admin, skip};

/// The port that names its socket; the folder is its own.
const PORT: u16 = 6432;
const CONFIG: &str = "pgbouncer.ini";
const PID_FILE: &str = "pgbouncer.pid";

/// How long a client keeps a server connection (PgBouncer's `pool_mode`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pooling {
    /// Until it disconnects.
    Session,
    /// For a transaction: the next one may run on another.
    Transaction,
}

/// A PgBouncer of one's own, on a unix socket, in front of a server of the kit's. It ends, and its files go, when the value is
/// dropped, or when the process ends in whatever way.
#[derive(Debug)]
pub struct PgBouncer {
    folder: PathBuf,
    target: Target,
    supervisor: Mutex<Supervisor>,
}

impl PgBouncer {
    /// Starts one that opens at most `connections` to each database of `cluster`; without a PgBouncer on the machine the
    /// calling test is skipped for want of `pgbouncer`, and shall return.
    ///
    /// # Panics
    ///
    /// If the kit did not start the server, or PgBouncer is there and does not start.
    pub fn start(cluster: &Cluster, pooling: Pooling, connections: usize) -> Option<Self> {
        let Some(program) = find_program() else {
            skip("pgbouncer", "PgBouncer is not installed (Debian: apt-get install pgbouncer)");
            return None;
        };
        match Self::launch(cluster, program, pooling, connections) {
            Ok(bouncer) => Some(bouncer),
            Err(error) => panic!("PgBouncer does not start: {error}"),
        }
    }

    fn launch(
        cluster: &Cluster,
        program: PathBuf,
        pooling: Pooling,
        connections: usize,
    ) -> Result<Self, ClusterError> {
        let sockets = cluster.socket_folder().filter(|_| cluster.is_ours());
        let sockets = sockets.ok_or_else(|| ClusterError::new("the server is not the kit's"))?;
        let account = Account::pick()?;
        let folder = make_folder(account)?;
        let command = vec![program, "-q".into()];
        // INT would wait for the clients' statements.
        let program = Program { command, pid_file: PID_FILE, stop: "TERM", end: "TERM" };
        let mut supervisor = Supervisor::spawn(account, &folder, &program)?;
        let text = configuration(sockets, cluster.port(), &folder, pooling, connections);
        for (name, text) in [(CONFIG, &*text), ("users", "\"postgres\" \"\"\n")] {
            fs::write(folder.join(name), text).map_err(ClusterError::io(name))?;
        }
        let host = Host::Unix(folder.clone());
        let target = Target { host, port: PORT, user: "postgres".to_owned(), password: None };
        attempt(&mut supervisor, CONFIG, &folder, &target)?;
        Ok(Self { folder, target, supervisor: Mutex::new(supervisor) })
    }

    /// The URL that leads to `database` through it, for the superuser.
    pub fn dsn(&self, database: &Database) -> String {
        format!("postgres://postgres@/{}?host={}&port={PORT}", database.name(), self.folder.display())
    }

    /// A connection of the kit's own to its console, which takes `SHOW POOLS` and the like.
    ///
    /// # Panics
    ///
    /// If it cannot be reached.
    pub fn console(&self) -> Admin {
        match Admin::connect(&self.target, "pgbouncer") {
            Ok(admin) => admin,
            Err(error) => panic!("PgBouncer cannot be reached: {error}"),
        }
    }

    /// Stops it at once, as an administrator would who does not wait for clients.
    ///
    /// # Panics
    ///
    /// If it does not stop.
    pub fn stop(&self) {
        self.supervisor().stop().expect("PgBouncer stops");
    }

    /// Kills it, without any chance to say goodbye to its clients.
    ///
    /// # Panics
    ///
    /// If it cannot be killed.
    pub fn kill(&self) {
        self.supervisor().kill().expect("PgBouncer can be killed");
    }

    /// Starts it again after [`stop`](Self::stop) or [`kill`](Self::kill), on the same socket.
    ///
    /// # Panics
    ///
    /// If it does not come up.
    pub fn restart(&self) {
        let started = attempt(&mut self.supervisor(), CONFIG, &self.folder, &self.target);
        started.expect("PgBouncer starts again");
    }

    fn supervisor(&self) -> MutexGuard<'_, Supervisor> {
        self.supervisor.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn find_program() -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    // Debian's is where only root looks.
    let folders = std::env::split_paths(&path).chain(["/usr/sbin".into()]);
    folders.map(|folder| folder.join("pgbouncer")).find(|program| program.is_file())
}

/// The file that it reads. Startup parameters that it does not know are refused, which is its default.
fn configuration(sockets: &Path, port: u16, folder: &Path, pooling: Pooling, connections: usize) -> String {
    let mode = match pooling {
        Pooling::Session => "session",
        Pooling::Transaction => "transaction",
    };
    format!(
        "[databases]
* = host={} port={port}
[pgbouncer]
unix_socket_dir = {}
listen_port = {PORT}
pidfile = {PID_FILE}
auth_type = trust
auth_file = users
admin_users = postgres
pool_mode = {mode}
default_pool_size = {connections}
max_client_conn = 100
",
        sockets.display(),
        folder.display(),
    )
}
