//! One server: started, attached to, or named by the environment.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread::sleep;
use std::time::{Duration, Instant};

use super::ground::{self, Ground};
use super::programs::{find_programs, version_of};
use super::setup::{self, SOCKETS};
use super::supervisor::Supervisor;
use super::{ClusterError, Database, TlsFiles};
use crate::admin::{Host, Target, Url};
use crate::{Admin, Endpoint, skip};

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
        let ground = Ground::new(find_programs(self.bin.as_deref())?)?;
        let with_tls = setup::make(ground.account, &ground.bin, &ground.folder, &self.settings)?;
        Cluster::launch(ground, with_tls)
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

    /// A server of at least this version, such as 180000: the shared one, else one of those whose programs are in the
    /// folders that `WREATH_PG_BINS` lists, which is started at the first call; else the calling test is skipped for want
    /// of `pg18` or the like, and shall return.
    ///
    /// # Panics
    ///
    /// If there are programs, and they do not start.
    pub fn at_least(version: u32) -> Option<Self> {
        static OTHERS: Mutex<Vec<Cluster>> = Mutex::new(Vec::new());
        let shared = Self::shared();
        if shared.is_ours() && shared.version() >= version {
            return Some(shared.clone());
        }
        let mut others = OTHERS.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(started) = others.iter().find(|cluster| cluster.version() >= version) {
            return Some(started.clone());
        }
        let listed = std::env::var_os("WREATH_PG_BINS").unwrap_or_default();
        let found = std::env::split_paths(&listed).find(|bin| version_of(bin) >= Some(version));
        let Some(bin) = found else {
            let major = version / 10_000;
            skip(&format!("pg{major}"), "no folder of WREATH_PG_BINS has a server that is new enough");
            return None;
        };
        let started = Self::options().bin(bin).start().expect("a server that is there starts");
        others.push(started.clone());
        Some(started)
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

    /// The folder of the programs that run the server.
    pub(super) fn programs(&self) -> Result<PathBuf, ClusterError> {
        let folder = self.folder().ok_or_else(|| ClusterError::new("the server is not the kit's"))?;
        ground::programs(folder)
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
        let port = self.port().to_string();
        let deadline = Instant::now() + ground::PATIENCE;
        // The processes of a killed server need a moment to end and to let go of its memory.
        while let Err(error) = ground::attempt(&mut self.supervisor(), &port, folder, &self.0.target) {
            assert!(Instant::now() < deadline, "the server did not start again: {error}");
            sleep(Duration::from_millis(50));
        }
    }

    /// Starts the server whose files lie ready on the ground.
    pub(super) fn launch(mut ground: Ground, with_tls: bool) -> Result<Self, ClusterError> {
        let target = ground.launch()?;
        let Ground { folder, supervisor, .. } = ground;
        Ok(Self::new(Origin::Ours { folder, with_tls, supervisor: Some(Mutex::new(supervisor)) }, target))
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
        let with_tls = folder.join("tls").is_dir();
        let origin = Origin::Ours { folder: folder.to_path_buf(), with_tls, supervisor: None };
        Ok(Self::new(origin, ground::superuser(folder, ground::port(folder)?)))
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
