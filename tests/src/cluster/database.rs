//! A database for one test.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::sync::atomic::{AtomicU32, Ordering};

use super::{Cluster, ClusterError, Role};
use crate::Admin;

/// The advisory lock under which templates are made, so that processes do not make the same one twice.
const TEMPLATE_LOCK: &str = "7204316955";

/// A database that no other test sees. Dropping the value drops the database, whoever is still connected.
///
/// [`Cluster::database`] and [`Cluster::database_from`] make one.
#[derive(Debug)]
pub struct Database {
    cluster: Cluster,
    name: String,
}

impl Database {
    pub(super) fn create(cluster: &Cluster, template: &str) -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let now = std::time::SystemTime::UNIX_EPOCH.elapsed().unwrap_or_default();
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let name = format!("wreath_{}_{number}_{}", std::process::id(), now.subsec_nanos());
        // Nothing waits for a disk here, and so copying files beats logging every page of them.
        let copies_files = cluster.is_ours() && cluster.version() >= 150_000;
        let strategy = if copies_files { " STRATEGY file_copy" } else { "" };
        let sql = format!("CREATE DATABASE {name} TEMPLATE {template}{strategy}");
        if let Err(error) = cluster.admin().query(&sql) {
            panic!("no database could be made: {error}");
        }
        Self { cluster: cluster.clone(), name }
    }

    pub(super) fn create_from(cluster: &Cluster, name: &str, script: &str) -> Self {
        match ensure_template(cluster, name, script) {
            Ok(template) => Self::create(cluster, &template),
            Err(error) => panic!("the template {name} could not be made: {error}"),
        }
    }

    /// The server that it is on.
    pub fn cluster(&self) -> &Cluster {
        &self.cluster
    }

    /// Its name, which needs no quotes in SQL.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its URL for the superuser: over the socket for a server of the kit's, else as `DATABASE_URL` says.
    pub fn dsn(&self) -> String {
        self.cluster.dsn(&self.name)
    }

    /// Its URL for `role`, with the password: over TCP without TLS, or with verified TLS for the roles that
    /// need it.
    ///
    /// # Panics
    ///
    /// If the kit did not start the server, or the role needs TLS that the server does not have; see
    /// [`Cluster::shared_ours`] and [`Cluster::tls`].
    pub fn dsn_for(&self, role: Role) -> String {
        assert!(self.cluster.is_ours(), "only a server of the kit's has its roles");
        let (name, port, password) = (role.name(), self.cluster.port(), role.password());
        let database = &self.name;
        if !role.needs_tls() {
            return format!("postgres://{name}:{password}@127.0.0.1:{port}/{database}?sslmode=disable");
        }
        let tls = self.cluster.tls().expect("the server was built with TLS");
        let ca = tls.ca.display();
        let tail = format!("localhost:{port}/{database}?sslmode=verify-full&sslrootcert={ca}");
        if role == Role::Tls {
            return format!("postgres://{name}:{password}@{tail}");
        }
        let (cert, key) = (tls.client_cert.display(), tls.client_key.display());
        format!("postgres://{name}@{tail}&sslcert={cert}&sslkey={key}")
    }

    /// Its URL for `role` over the socket, with the password.
    ///
    /// # Panics
    ///
    /// If the kit did not start the server.
    pub fn socket_dsn_for(&self, role: Role) -> String {
        let folder = self.cluster.socket_folder().filter(|_| self.cluster.is_ours());
        let folder = folder.expect("only a server of the kit's has its roles").display();
        let (name, port, password) = (role.name(), self.cluster.port(), role.password());
        format!("postgres://{name}:{password}@/{}?host={folder}&port={port}", self.name)
    }

    /// A connection of the kit's own to it, as the superuser.
    ///
    /// # Panics
    ///
    /// If the server cannot be reached.
    pub fn admin(&self) -> Admin {
        match self.cluster.try_admin(&self.name) {
            Ok(admin) => admin,
            Err(error) => panic!("the test database cannot be reached: {error}"),
        }
    }
}

impl Drop for Database {
    fn drop(&mut self) {
        // The test may have stopped the server, and then its folder goes with everything in it.
        if let Ok(mut admin) = self.cluster.try_admin("postgres") {
            let _ = admin.query(&format!("DROP DATABASE IF EXISTS {} WITH (FORCE)", self.name));
        }
    }
}

/// The name of the database in which `script` has run; it is made at the first call.
fn ensure_template(cluster: &Cluster, name: &str, script: &str) -> Result<String, ClusterError> {
    let mut hasher = DefaultHasher::new();
    (name, script).hash(&mut hasher);
    let plain: String = name.chars().filter(char::is_ascii_alphanumeric).take(20).collect();
    let template = format!("wreath_template_{}_{:016x}", plain.to_ascii_lowercase(), hasher.finish());
    let mut admin = cluster.admin();
    // The lock ends with the session.
    admin.query(&format!("SELECT pg_advisory_lock({TEMPLATE_LOCK})"))?;
    if admin.query(&format!("SELECT 1 FROM pg_database WHERE datname = '{template}'"))?.is_empty() {
        // Only a template that is whole gets its name.
        let draft = format!("{template}_new");
        admin.query(&format!("DROP DATABASE IF EXISTS {draft} WITH (FORCE)"))?;
        admin.query(&format!("CREATE DATABASE {draft} TEMPLATE template1"))?;
        cluster.try_admin(&draft)?.query(script)?;
        rename_when_idle(&mut admin, &draft, &template)?;
    }
    Ok(template)
}

/// Renames `draft`, waiting for the session that filled it to be gone: the server ends it in its own time.
fn rename_when_idle(admin: &mut Admin, draft: &str, template: &str) -> Result<(), ClusterError> {
    admin.query(&format!(
        "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE datname = '{draft}'"
    ))?;
    admin.query(&format!("ALTER DATABASE {draft} RENAME TO {template}"))?;
    Ok(())
}
