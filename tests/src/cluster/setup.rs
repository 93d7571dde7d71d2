//! What makes an empty folder a server's: initdb, settings, who may log in, roles.

use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::Stdio;

use super::programs::{Account, run};
use super::{ClusterError, Role, tls};

/// Where in a cluster's folder what is.
pub(super) const DATA: &str = "data";
pub(super) const SOCKETS: &str = "run";

/// Makes everything below `folder`, which is empty and the account's own. Gives whether the server has TLS.
pub(super) fn make(
    account: Account,
    bin: &Path,
    folder: &Path,
    more: &[String],
) -> Result<bool, ClusterError> {
    let (data, sockets) = (folder.join(DATA), folder.join(SOCKETS));
    fs::create_dir(&sockets).map_err(ClusterError::io(sockets.display()))?;
    account.own(&sockets)?;
    let mut initdb = account.command(bin.join("initdb"), folder);
    initdb.arg("-D").arg(&data).args([
        "-U",
        "postgres",
        "-A",
        "trust",
        "--encoding=UTF8",
        "--locale=C",
        "--no-sync",
    ]);
    run(&mut initdb)?;
    // Some packaged servers are built without TLS; that is found by asking for it.
    let mut probe = account.command(bin.join("postgres"), folder);
    let with_tls = run(probe.arg("-D").arg(&data).args(["-c", "ssl=on", "-C", "ssl"])).is_ok();
    if with_tls {
        tls::make(account, folder)?;
        for file in ["server.crt", "server.key", "ca.crt"] {
            let copy = data.join(file);
            fs::copy(folder.join("tls").join(file), &copy).map_err(ClusterError::io(file))?;
            account.own(&copy)?;
        }
    }
    append(&data.join("postgresql.conf"), &settings(&sockets, with_tls, more))?;
    fs::write(data.join("pg_hba.conf"), access(with_tls)).map_err(ClusterError::io("pg_hba.conf"))?;
    make_roles(account, bin, &data)?;
    Ok(with_tls)
}

/// Gives a copy of another server's files a place for sockets of its own.
pub(super) fn move_sockets(account: Account, folder: &Path) -> Result<(), ClusterError> {
    let sockets = folder.join(SOCKETS);
    fs::create_dir(&sockets).map_err(ClusterError::io(sockets.display()))?;
    account.own(&sockets)?;
    // The last of several lines counts.
    let line = format!("unix_socket_directories = '{}'\n", sockets.display());
    append(&folder.join(DATA).join("postgresql.conf"), &line)
}

fn settings(sockets: &Path, with_tls: bool, more: &[String]) -> String {
    let mut text = format!(
        "listen_addresses = '127.0.0.1'
unix_socket_directories = '{}'
max_connections = 200
password_encryption = 'scram-sha-256'
wal_level = logical
max_wal_senders = 20
max_replication_slots = 20
max_prepared_transactions = 50
timezone = 'UTC'
# Throwaway data: never wait for the disk.
fsync = off
synchronous_commit = off
full_page_writes = off
max_wal_size = '64MB'
# The files lie in memory where there is room: no runaway query or forgotten slot may fill it.
temp_file_limit = '512MB'
max_slot_wal_keep_size = '512MB'
# Shared memory that lies among the files goes with them, even if the server is killed.
dynamic_shared_memory_type = mmap
",
        sockets.display()
    );
    if with_tls {
        text +=
            "ssl = on\nssl_cert_file = 'server.crt'\nssl_key_file = 'server.key'\nssl_ca_file = 'ca.crt'\n";
    }
    for line in more {
        text += line;
        text += "\n";
    }
    text
}

/// The lines of `pg_hba.conf`: the first that fits a connection decides.
fn access(with_tls: bool) -> String {
    let mut text = "local all postgres,t_trust trust\nlocal replication postgres trust\n".to_owned();
    if with_tls {
        text += "hostssl all t_tls 127.0.0.1/32 scram-sha-256\nhostssl all t_cert 127.0.0.1/32 cert\n";
    }
    for at in ["local", "host"] {
        let address = if at == "host" { "127.0.0.1/32" } else { "" };
        for (database, roles, method) in [
            ("all", "t_tls,t_cert,t_reject", "reject"),
            ("all", "t_trust", "trust"),
            ("all", "t_md5", "md5"),
            ("all", "t_clear", "password"),
            ("replication", "postgres,t_repl", "scram-sha-256"),
            ("all", "all", "scram-sha-256"),
        ] {
            text += &format!("{at} {database} {roles} {address} {method}\n");
        }
    }
    text
}

/// Makes the roles in single-user mode, which reads one statement a line and needs no running server.
fn make_roles(account: Account, bin: &Path, data: &Path) -> Result<(), ClusterError> {
    let mut script = "GRANT ALL ON SCHEMA public TO PUBLIC\n".to_owned();
    for role in Role::ALL {
        let (name, password) = (role.name(), role.password());
        match role {
            Role::Postgres => script += &format!("ALTER ROLE {name} PASSWORD '{password}'\n"),
            Role::Repl => script += &format!("CREATE ROLE {name} LOGIN REPLICATION PASSWORD '{password}'\n"),
            Role::Md5 => {
                script += &format!(
                    "SET password_encryption = 'md5'\nCREATE ROLE {name} LOGIN PASSWORD '{password}'\n\
                     RESET password_encryption\n"
                );
            }
            _ => script += &format!("CREATE ROLE {name} LOGIN PASSWORD '{password}'\n"),
        }
    }
    let mut command = account.command(bin.join("postgres"), data);
    command.arg("--single").arg("-D").arg(data).arg("template1");
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut server = command.spawn().map_err(ClusterError::io("postgres --single"))?;
    let mut input = server.stdin.take().expect("its input is piped");
    input.write_all(script.as_bytes()).map_err(ClusterError::io("postgres --single"))?;
    drop(input);
    let output = server.wait_with_output().map_err(ClusterError::io("postgres --single"))?;
    let text = String::from_utf8_lossy(&output.stderr);
    let failed =
        !output.status.success() || ["ERROR", "FATAL", "PANIC"].iter().any(|word| text.contains(word));
    if failed { Err(ClusterError::new(format!("could not make the roles: {text}"))) } else { Ok(()) }
}

fn append(path: &Path, text: &str) -> Result<(), ClusterError> {
    let file = fs::OpenOptions::new().append(true).open(path);
    file.and_then(|mut file| file.write_all(text.as_bytes())).map_err(ClusterError::io(path.display()))
}
