//! What a server of the kit's stands on: its folder, its programs, and the shell that runs it.

use std::fs;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread::sleep;
use std::time::{Duration, Instant};

use super::ClusterError;
use super::programs::{Account, free_space};
use super::setup::{DATA, SOCKETS};
use super::supervisor::{Program, Supervisor};
use crate::Admin;
use crate::admin::{Host, Target};

/// The longest path of a cluster's folder that leaves room for the name of a socket in it.
const LONGEST_FOLDER: usize = 80;
/// How long a server may take to accept its first connection.
pub(super) const PATIENCE: Duration = Duration::from_secs(60);
/// Candidates for a port lie below the range that systems hand to outgoing connections, so that a stopped
/// server finds its port free again.
const PORTS: std::ops::Range<u16> = 20_000..32_000;
/// The free memory, in KiB, that a server may have its files in: there must be some left for everybody else.
const ROOM: u64 = 2 << 20;
/// The file in a cluster's folder that holds the port.
const PORT_FILE: &str = "port";
/// The file that holds the path of the server's programs.
const BIN_FILE: &str = "bin";

/// A new folder, which goes with the shell.
pub(super) struct Ground {
    pub(super) account: Account,
    pub(super) bin: PathBuf,
    pub(super) folder: PathBuf,
    pub(super) supervisor: Supervisor,
}

impl Ground {
    pub(super) fn new(bin: PathBuf) -> Result<Self, ClusterError> {
        let account = Account::pick()?;
        let postgres = bin.join("postgres");
        if !account.can_run(&postgres) {
            let text =
                format!("the server's account cannot run {}: name one in PG_ACCOUNT", postgres.display());
            return Err(ClusterError::new(text));
        }
        let folder = make_folder(account)?;
        let command = vec![postgres, "-D".into(), folder.join(DATA), "-p".into()];
        let program = Program { command, pid_file: "data/postmaster.pid", stop: "INT", end: "QUIT" };
        let supervisor = Supervisor::spawn(account, &folder, &program)?;
        let named = bin.as_os_str().as_encoded_bytes();
        fs::write(folder.join(BIN_FILE), named).map_err(ClusterError::io(BIN_FILE))?;
        Ok(Self { account, bin, folder, supervisor })
    }

    /// Starts the server on the first candidate of a port that is free.
    pub(super) fn launch(&mut self) -> Result<Target, ClusterError> {
        let free = candidates().filter(|&port| TcpListener::bind(("127.0.0.1", port)).is_ok());
        let mut last = ClusterError::new("every port is taken");
        // A port that was free a moment ago can be taken by now, so a failure tries the next few.
        for port in free.take(5) {
            let target = superuser(&self.folder, port);
            match attempt(&mut self.supervisor, &port.to_string(), &self.folder, &target) {
                Ok(()) => {
                    let file = self.folder.join(PORT_FILE);
                    fs::write(file, port.to_string()).map_err(ClusterError::io(PORT_FILE))?;
                    return Ok(target);
                }
                Err(error) => last = error,
            }
        }
        Err(last)
    }
}

/// The port of the server that runs in a folder.
pub(super) fn port(folder: &Path) -> Result<u16, ClusterError> {
    let text = fs::read_to_string(folder.join(PORT_FILE)).map_err(ClusterError::io(folder.display()))?;
    text.trim().parse().map_err(|_| ClusterError::new(format!("no port: {text}")))
}

/// The folder of the programs of the server that runs in a folder.
pub(super) fn programs(folder: &Path) -> Result<PathBuf, ClusterError> {
    let text = fs::read_to_string(folder.join(BIN_FILE)).map_err(ClusterError::io(folder.display()))?;
    Ok(text.into())
}

pub(super) fn superuser(folder: &Path, port: u16) -> Target {
    Target { host: Host::Unix(folder.join(SOCKETS)), port, user: "postgres".to_owned(), password: None }
}

/// A new folder that the account can reach and that is short enough for a socket.
///
/// In memory, where there is room for it, a database is copied twenty times faster than on a disk.
pub(super) fn make_folder(account: Account) -> Result<PathBuf, ClusterError> {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let now = std::time::SystemTime::UNIX_EPOCH.elapsed().unwrap_or_default();
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    let name = format!("wreath-pg-{}-{number}-{}", std::process::id(), now.subsec_nanos());
    let memory = Path::new("/dev/shm");
    let wanted = std::env::var_os("TMPDIR").map(PathBuf::from);
    let wanted = wanted.or_else(|| (free_space(memory) >= Some(ROOM)).then(|| memory.to_path_buf()));
    for parent in wanted.into_iter().chain([std::env::temp_dir(), "/tmp".into()]) {
        let folder = parent.join(&name);
        if folder.as_os_str().len() > LONGEST_FOLDER || !account.can_fill(&parent) {
            continue;
        }
        fs::create_dir(&folder).map_err(ClusterError::io(folder.display()))?;
        account.own(&folder)?;
        return Ok(folder);
    }
    Err(ClusterError::new("no folder for temporary files that the server's account can reach: set TMPDIR"))
}

/// Launches the server once, with its last argument, and waits until it accepts connections.
pub(super) fn attempt(
    supervisor: &mut Supervisor,
    argument: &str,
    folder: &Path,
    target: &Target,
) -> Result<(), ClusterError> {
    supervisor.start(argument)?;
    let deadline = Instant::now() + PATIENCE;
    loop {
        if Admin::connect(target, "postgres").is_ok() {
            return Ok(());
        }
        if folder.join("exited").exists() || Instant::now() > deadline {
            let log = fs::read_to_string(folder.join("server.log")).unwrap_or_default();
            let tail: Vec<&str> = log.lines().rev().take(20).collect();
            let tail: Vec<&str> = tail.into_iter().rev().collect();
            return Err(ClusterError::new(format!("the server did not start:\n{}", tail.join("\n"))));
        }
        sleep(Duration::from_millis(10));
    }
}

/// Every port once, beginning at a place that differs from process to process.
fn candidates() -> impl Iterator<Item = u16> {
    let first = PORTS.start + u16::try_from(std::process::id() % 10_000).unwrap_or(0);
    (first..PORTS.end).chain(PORTS.start..first)
}
