//! `cluster run [--setting LINE]... -- COMMAND [ARGUMENT...]`: a throwaway server for as long as a command runs.
//!
//! The command finds the server in `DATABASE_URL` (the superuser on the database `test`), and test binaries
//! that stand on the kit share it through `WREATH_CLUSTER` instead of starting one each.

#![forbid(unsafe_code)]

use std::process::{Command, ExitCode};

use wreath_tests::Cluster;

const USAGE: &str = "usage: cluster run [--setting LINE]... -- COMMAND [ARGUMENT...]";

fn main() -> ExitCode {
    match run(std::env::args().skip(1)) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("cluster: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(mut arguments: impl Iterator<Item = String>) -> Result<ExitCode, Box<dyn std::error::Error>> {
    if arguments.next().as_deref() != Some("run") {
        return Err(USAGE.into());
    }
    let mut options = Cluster::options();
    loop {
        match arguments.next().as_deref() {
            Some("--") => break,
            Some("--setting") => options = options.setting(arguments.next().ok_or(USAGE)?),
            _ => return Err(USAGE.into()),
        }
    }
    let program = arguments.next().ok_or(USAGE)?;
    let cluster = options.start()?;
    cluster.admin().query("CREATE DATABASE test")?;
    let mut command = Command::new(program);
    command.args(arguments).env("DATABASE_URL", cluster.dsn("test"));
    if let Some(folder) = cluster.folder() {
        command.env("WREATH_CLUSTER", folder);
    }
    let status = command.status()?;
    // A command that a signal ended has no code.
    Ok(ExitCode::from(status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(1)))
}
