//! One server: started, attached to, or named by the environment.

use std::fs;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread::sleep;
use std::time::{Duration, Instant};

use super::programs::{Account, find_programs, free_space};
use super::setup::{self, SOCKETS};
use super::supervisor::Supervisor;
use super::{ClusterError, Database, TlsFiles};
use crate::admin::{Host, Target, Url};
use crate::{Admin, Endpoint, skip};

/// The longest path of a cluster's folder that leaves room for the name of a socket in it.
const LONGEST_FOLDER: usize = 80;
/// How long a server may take to accept its first connection.
const PATIENCE: Duration = Duration::from_secs(60);
/// Candidates for a port lie below the range that systems hand to outgoing connections, so that a stopped
/// server finds its port free again.
const PORTS: std::ops::Range<u16> = 20_000..32_000;
/// The free memory, in KiB, that a server may have its files in: there must be some left for everybody else.
const ROOM: u64 = 2 << 20;
/// The file in a cluster's folder that holds the port.
const PORT_FILE: &str = "port";

/// A PostgreSQL server to test with.
///
/// [`shared`](Self::shared) is the one for nearly every test; [`start`](Self::start) is for tests that stop,
/// kill or configure the server. A server that the kit started ends, and its files go, when the value is
/// dropped, with its clones and databases, or when the process ends in whatever way. Cloning is cheap.
#[derive(Clone, Debug)]
pub struct Cluster(Arc<Server>);

#[derive(Debug)]
struct Server {
    origin: Origin,
    /// The superuser's way in.
    target: Target,
    version: OnceLock<u32>,
}

#[derive(Debug)]
enum Origin {
    /// Started by this value, or by another process that keeps it up.
    Ours { folder: PathBuf, with_tls: bool, supervisor: Option<Mutex<Supervisor>> },
    /// Named by `DATABASE_URL`; nothing is known of it but that.
    Named(Url),
}

/// How to start a server: see [`Cluster::options`].
#[derive(Clone, Debug, Default)]
pub struct ClusterOptions {
    bin: Option<PathBuf>,
    settings: Vec<String>,
}

impl ClusterOptions {
    /// The folder with the server's programs, instead of the newest that is found.
    #[must_use]
    pub fn bin(mut self, folder: impl Into<PathBuf>) -> Self {
        self.bin = Some(folder.into());
        self
    }

    /// One more line for `postgresql.conf`, such as `max_connections = 10`.
    #[must_use]
    pub fn setting(mut self, line: impl Into<String>) -> Self {
        self.settings.push(line.into());
        self
    }

    /// Starts a server of one's own.
    ///
    /// # Errors
    ///
    /// If there is no PostgreSQL on the machine, or it does not start; the error says what can be done.
    pub fn start(&self) -> Result<Cluster, ClusterError> {
        let bin = find_programs(self.bin.as_deref())?;
        let account = Account::pick()?;
        let postgres = bin.join("postgres");
        if !account.can_run(&postgres) {
            let text =
                format!("the server's account cannot run {}: name one in PG_ACCOUNT", postgres.display());
            return Err(ClusterError::new(text));
        }
        let folder = make_folder(account)?;
        let mut supervisor = Supervisor::spawn(account, &bin, &folder)?;
        let with_tls = setup::make(account, &bin, &folder, &self.settings)?;
        let target = launch(&mut supervisor, &folder)?;
        let supervisor = Some(Mutex::new(supervisor));
        Ok(Cluster::new(Origin::Ours { folder, with_tls, supervisor }, target))
    }
}

impl Cluster {
    /// The server that all tests of this process share: the one that the environment names (see the crate's
    /// documentation), else one that is started at the first call.
    ///
    /// # Panics
    ///
    /// If there is none to be had; the message says what can be done.
    pub fn shared() -> &'static Self {
        static SHARED: OnceLock<Shared> = OnceLock::new();
        let shared = SHARED.get_or_init(Shared::open);
        match &shared.0 {
            Ok(cluster) => cluster,
            Err(error) => panic!("{error}"),
        }
    }

    /// The shared server, if the kit started it and so knows its roles and files; else the calling test is
    /// skipped, for want of `pg`, and shall return.
    pub fn shared_ours() -> Option<&'static Self> {
        let shared = Self::shared();
        if shared.is_ours() {
            return Some(shared);
        }
        skip("pg", "the server that DATABASE_URL names does not have the kit's roles");
        None
    }

    /// A server of one's own, with the kit's settings.
    ///
    /// # Errors
    ///
    /// As [`ClusterOptions::start`].
    pub fn start() -> Result<Self, ClusterError> {
        Self::options().start()
    }

    /// The server that a URL such as `postgres://user:password@host:5432/name` leads to, as `DATABASE_URL` does.
    ///
    /// # Errors
    ///
    /// If the URL cannot be read, or the server does not let its user in.
    pub fn named(url: &str) -> Result<Self, ClusterError> {
        let refused = |why| ClusterError::new(format!("{url} cannot be used: {why}"));
        let url = Url::parse(url).map_err(refused)?;
        let target = url.target.clone();
        Admin::connect(&target, "postgres").map_err(|error| refused(error.to_string()))?;
        Ok(Self::new(Origin::Named(url), target))
    }

    /// What can be chosen about a server of one's own.
    pub fn options() -> ClusterOptions {
        ClusterOptions::default()
    }

    /// Whether the kit started this server, here or in another process, and so knows its roles and files.
    pub fn is_ours(&self) -> bool {
        matches!(self.0.origin, Origin::Ours { .. })
    }

    /// The port that the server listens on.
    pub fn port(&self) -> u16 {
        self.0.target.port
    }

    /// The folder that holds the server's sockets, if it has one that is known.
    pub fn socket_folder(&self) -> Option<&Path> {
        match &self.0.target.host {
            Host::Unix(folder) => Some(folder),
            Host::Tcp(_) => None,
        }
    }

    /// The socket itself, if it is known.
    pub fn socket(&self) -> Option<PathBuf> {
        self.socket_folder().map(|folder| crate::admin::socket_file(folder, self.port()))
    }

    /// The folder that holds everything of a server of the kit's.
    pub fn folder(&self) -> Option<&Path> {
        match &self.0.origin {
            Origin::Ours { folder, .. } => Some(folder),
            Origin::Named(_) => None,
        }
    }

    /// The certificates, if the kit started the server and it was built with TLS.
    pub fn tls(&self) -> Option<TlsFiles> {
        match &self.0.origin {
            Origin::Ours { folder, with_tls: true, .. } => Some(TlsFiles::below(folder)),
            _ => None,
        }
    }

    /// A connection of the kit's own to the database `postgres`, as the superuser.
    ///
    /// # Panics
    ///
    /// If the server cannot be reached.
    pub fn admin(&self) -> Admin {
        match self.try_admin("postgres") {
            Ok(admin) => admin,
            Err(error) => panic!("the test server cannot be reached: {error}"),
        }
    }

    pub(super) fn try_admin(&self, database: &str) -> Result<Admin, ClusterError> {
        Ok(Admin::connect(&self.0.target, database)?)
    }

    /// The server's version as a number: 150018 is 15.18. It is asked for once.
    ///
    /// # Panics
    ///
    /// If the server cannot be reached.
    pub fn version(&self) -> u32 {
        *self.0.version.get_or_init(|| {
            let rows = self.admin().query("SHOW server_version_num");
            let version = rows.ok().and_then(|mut rows| rows.pop()?.pop()?);
            version.and_then(|text| text.parse().ok()).expect("every server tells its version")
        })
    }

    /// Whether databases of this server can have `extension`; if not, the calling test is skipped for want of
    /// it, and shall return.
    ///
    /// # Panics
    ///
    /// If the server cannot be reached.
    pub fn has_extension(&self, extension: &str) -> bool {
        let sql = format!("SELECT 1 FROM pg_available_extensions WHERE name = '{extension}'");
        let found = self.admin().query(&sql).is_ok_and(|rows| !rows.is_empty());
        if !found {
            skip(extension, "the server does not have this extension");
        }
        found
    }

    /// An empty database, dropped with the value.
    ///
    /// # Panics
    ///
    /// If it cannot be made.
    pub fn database(&self) -> Database {
        Database::create(self, "template1")
    }

    /// A database that `script` has been run in, dropped with the value.
    ///
    /// The script runs once for each server, in a template database that is then copied: copying is faster than
    /// running it again. `name` is part of the template's name, to recognise it by; the script is the identity.
    ///
    /// # Panics
    ///
    /// If the script fails, or the database cannot be made.
    pub fn database_from(&self, name: &str, script: &str) -> Database {
        Database::create_from(self, name, script)
    }

    /// The URL of `database` for the superuser: over the socket for a server of the kit's.
    pub fn dsn(&self, database: &str) -> String {
        match &self.0.origin {
            Origin::Ours { folder, .. } => {
                let folder = folder.join(SOCKETS);
                format!("postgres://postgres@/{database}?host={}&port={}", folder.display(), self.port())
            }
            Origin::Named(url) => url.for_database(database),
        }
    }

    /// How a proxy reaches the server, and `user` or `user:password` as a URL has it for what goes through it.
    pub(crate) fn way_in(&self) -> std::io::Result<(String, Endpoint)> {
        let login = match &self.0.origin {
            Origin::Ours { .. } => "postgres".to_owned(),
            Origin::Named(url) => url.login().to_owned(),
        };
        let endpoint = match &self.0.target.host {
            Host::Unix(folder) => Endpoint::Unix(folder.clone(), self.port()),
            Host::Tcp(host) => Endpoint::tcp(host, self.port())?,
        };
        Ok((login, endpoint))
    }

    /// Stops the server as an administrator would: open connections are told and closed.
    ///
    /// # Panics
    ///
    /// If this value did not start the server, or the server does not stop.
    pub fn stop(&self) {
        self.supervisor().stop().expect("a server of the kit's stops");
    }

    /// Kills the server's first process; its other processes, the clients' too, then end by themselves, in their own
    /// time.
    ///
    /// # Panics
    ///
    /// If this value did not start the server.
    pub fn kill(&self) {
        self.supervisor().kill().expect("a server of the kit's can be killed");
    }

    /// Starts the server again after [`stop`](Self::stop) or [`kill`](Self::kill), on the same port.
    ///
    /// # Panics
    ///
    /// If this value did not start the server, or it does not come up.
    pub fn restart(&self) {
        let folder = self.folder().expect("the server is the kit's");
        let deadline = Instant::now() + PATIENCE;
        // The processes of a killed server need a moment to end and to let go of its memory.
        while let Err(error) = attempt(&mut self.supervisor(), folder, &self.0.target) {
            assert!(Instant::now() < deadline, "the server did not start again: {error}");
            sleep(Duration::from_millis(50));
        }
    }

    fn new(origin: Origin, target: Target) -> Self {
        Self(Arc::new(Server { origin, target, version: OnceLock::new() }))
    }

    fn supervisor(&self) -> MutexGuard<'_, Supervisor> {
        let Origin::Ours { supervisor: Some(supervisor), .. } = &self.0.origin else {
            panic!("this server was not started by this value: use Cluster::start for a test that stops it");
        };
        supervisor.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The server of the kit's that runs in `folder`, kept up by another process.
    fn attach(folder: &Path) -> Result<Self, ClusterError> {
        let text = fs::read_to_string(folder.join(PORT_FILE)).map_err(ClusterError::io(folder.display()))?;
        let port = text.trim().parse().map_err(|_| ClusterError::new(format!("no port: {text}")))?;
        let with_tls = folder.join("tls").is_dir();
        let origin = Origin::Ours { folder: folder.to_path_buf(), with_tls, supervisor: None };
        Ok(Self::new(origin, superuser(folder, port)))
    }
}

/// What [`Cluster::shared`] found, once for the process.
struct Shared(Result<Cluster, ClusterError>);

impl Shared {
    fn open() -> Self {
        let variable = |name| std::env::var(name).ok().filter(|value| !value.is_empty());
        Self(match (variable("WREATH_CLUSTER"), variable("DATABASE_URL")) {
            (Some(folder), _) => Cluster::attach(Path::new(&folder)),
            (None, Some(url)) => Cluster::named(&url),
            (None, None) => Cluster::start(),
        })
    }
}

fn superuser(folder: &Path, port: u16) -> Target {
    Target { host: Host::Unix(folder.join(SOCKETS)), port, user: "postgres".to_owned(), password: None }
}

/// A new folder that the account can reach and that is short enough for a socket.
///
/// In memory, where there is room for it, a database is copied twenty times faster than on a disk.
fn make_folder(account: Account) -> Result<PathBuf, ClusterError> {
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

/// Starts the server on the first candidate of a port that is free.
fn launch(supervisor: &mut Supervisor, folder: &Path) -> Result<Target, ClusterError> {
    let free = candidates().filter(|&port| TcpListener::bind(("127.0.0.1", port)).is_ok());
    let mut last = ClusterError::new("every port is taken");
    // A port that was free a moment ago can be taken by now, so a failure tries the next few.
    for port in free.take(5) {
        let target = superuser(folder, port);
        match attempt(supervisor, folder, &target) {
            Ok(()) => {
                fs::write(folder.join(PORT_FILE), port.to_string()).map_err(ClusterError::io(PORT_FILE))?;
                return Ok(target);
            }
            Err(error) => last = error,
        }
    }
    Err(last)
}

/// Launches the server once and waits until it accepts connections.
fn attempt(supervisor: &mut Supervisor, folder: &Path, target: &Target) -> Result<(), ClusterError> {
    supervisor.start(target.port)?;
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
