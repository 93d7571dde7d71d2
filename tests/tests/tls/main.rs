//! Encrypted connections: to a real server, and to peers that spoil them.

#![forbid(unsafe_code)]
#![allow(clippy::unwrap_used, reason = "a failed unwrap is how a test fails, in its fixtures too")]

mod certificates;
mod front;
mod logins;
mod makers;
mod matrix;
mod modes;
mod peers;
mod traffic;

use std::path::Path;

use wreath_driver::{Config, Connection};
use wreath_tests::{Cluster, Database, Role, TlsFiles, skip};

/// A database of a server that has TLS, and the files that belong to it.
fn encrypted() -> Option<(Database, TlsFiles)> {
    let cluster = Cluster::shared_ours()?;
    let Some(files) = cluster.tls() else {
        skip("tls", "the server was built without TLS");
        return None;
    };
    Some((cluster.database(), files))
}

/// A server of the test's own, which has TLS.
fn own_server() -> Option<(Cluster, TlsFiles)> {
    encrypted()?;
    let cluster = Cluster::start().unwrap();
    let files = cluster.tls().unwrap();
    Some((cluster, files))
}

/// A connection string to the server by the name of `host`, which stands for 127.0.0.1, with more to be said.
fn by_name(cluster: &Cluster, host: &str, role: Role, more: &str) -> Config {
    let (port, user, password) = (cluster.port(), role.name(), role.password());
    // A file that is not there keeps the developer's own out.
    format!(
        "host={host} hostaddr=127.0.0.1 port={port} dbname=postgres user={user} password={password} \
         sslrootcert=/no/such/root.crt sslcrl='' {more}"
    )
    .parse()
    .unwrap()
}

/// As [`by_name`], for a host that the server's certificate is for.
fn to(cluster: &Cluster, role: Role, more: &str) -> Config {
    by_name(cluster, "localhost", role, more)
}

fn root(file: &Path) -> String {
    format!("sslrootcert={}", file.display())
}

/// Whether the server says that the connection is encrypted.
async fn is_encrypted(connection: &Connection) -> bool {
    let asked = "SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()";
    connection.fetch_scalar(asked, ()).await.unwrap()
}
