//! Coming in to a real server, in every way that there is, and being kept out.

#![forbid(unsafe_code)]
#![allow(clippy::unwrap_used, reason = "a failed unwrap is how a test fails, in its fixtures too")]

mod files;
mod methods;
mod servers;
mod sockets;
mod sources;
mod targets;
mod tokens;
mod versions;

use std::net::TcpListener;
use std::path::Path;
use std::process::Command;

use wreath_driver::{Config, Connection, Result, SslMode};
use wreath_tests::{Database, skip};

pub(crate) async fn whoami(connection: &Connection) -> Result<(String, String)> {
    let mut rows = connection.fetch_as("SELECT current_user::text, current_database()::text", ()).await?;
    Ok(rows.remove(0))
}

/// A configuration for TCP, with user and password still to be said.
pub(crate) fn over_tcp(db: &Database) -> Config {
    Config::new().host("127.0.0.1").port(db.cluster().port()).dbname(db.name()).ssl_mode(SslMode::Disable)
}

/// A port that nobody listens on.
pub(crate) fn dead_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

/// The user that libpq comes in as; `None` when it does not, and a skip where there is no psql.
pub(crate) fn psql(dsn: &str) -> Option<Option<String>> {
    run_psql(Path::new("psql"), dsn)
}

/// The same by the first psql of at least this version that `WREATH_PG_BINS` has; nothing where there is none.
pub(crate) fn psql_newest(dsn: &str, version: u32) -> Option<Option<String>> {
    let listed = std::env::var_os("WREATH_PG_BINS").unwrap_or_default();
    let bin = std::env::split_paths(&listed).find(|bin| wreath_tests::version_of(bin) >= Some(version))?;
    run_psql(&bin.join("psql"), dsn)
}

fn run_psql(program: &Path, dsn: &str) -> Option<Option<String>> {
    let mut command = Command::new(program);
    command
        .args(["-XwAtc", "SELECT current_user", "-d", dsn])
        .env_remove("PGPASSWORD")
        .env_remove("PGSERVICE");
    match command.output() {
        Ok(run) => Some(run.status.success().then(|| String::from_utf8_lossy(&run.stdout).trim().to_owned())),
        Err(e) => {
            skip("psql", &e.to_string());
            None
        }
    }
}

pub(crate) async fn ours(dsn: &str) -> Option<String> {
    Some(whoami(&wreath_driver::connect(dsn).await.ok()?).await.unwrap().0)
}
