//! Servers come up, hand out databases, and go away whatever happens to the test.

use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use wreath_tests::{Cluster, Role};

#[test]
fn databases_are_isolated_and_dropped() {
    let cluster = Cluster::shared();
    let (one, two) = (cluster.database(), cluster.database());
    one.admin().query("CREATE TABLE t AS SELECT 1 AS a").unwrap();
    let missing = two.admin().query("SELECT a FROM t").unwrap_err();
    assert_eq!(missing.sqlstate(), Some("42P01"), "{missing}");
    let name = one.name().to_owned();
    // A session that is still open does not keep the database.
    let _session = one.admin();
    drop(one);
    let sql = format!("SELECT datname FROM pg_database WHERE datname = '{name}'");
    assert_eq!(cluster.admin().query(&sql).unwrap(), Vec::<Vec<Option<String>>>::new());
}

#[test]
fn a_template_is_filled_once_and_copied() {
    let cluster = Cluster::shared();
    let script = "CREATE TABLE t (a int); INSERT INTO t VALUES (1), (NULL);";
    let threads: Vec<_> =
        (0..4).map(|_| std::thread::spawn(|| cluster.database_from("copied", script))).collect();
    for thread in threads {
        let db = thread.join().unwrap();
        let rows = db.admin().query("SELECT a FROM t ORDER BY a").unwrap();
        assert_eq!(rows, [[Some("1".to_owned())], [None]]);
        db.admin().query("DROP TABLE t").unwrap();
    }
    let other = cluster.database_from("copied", "CREATE TABLE u ()");
    assert!(other.admin().query("SELECT FROM t").is_err());
}

#[test]
fn a_template_whose_script_fails_does_not_stay() {
    let cluster = Cluster::shared();
    for _ in 0..2 {
        let made =
            std::panic::catch_unwind(|| cluster.database_from("broken", "SELECT 1; SELECT nothing_like_it"));
        let panic = made.unwrap_err();
        let message = panic.downcast_ref::<String>().unwrap();
        assert!(message.contains("nothing_like_it"), "{message}");
    }
}

#[test]
fn every_role_comes_in_its_own_way() {
    let Some(cluster) = Cluster::shared_ours() else { return };
    let db = cluster.database();
    let rows =
        db.admin().query("SELECT rolname, left(rolpassword, 5) FROM pg_authid WHERE rolcanlogin").unwrap();
    for role in Role::ALL {
        let digest = if role == Role::Md5 { "md5" } else { "SCRAM" };
        let found = rows.iter().find(|row| row[0].as_deref() == Some(role.name()));
        let stored = found.and_then(|row| row[1].as_deref()).unwrap_or_default();
        assert!(stored.starts_with(digest), "{role:?}: {stored}");
        assert!(db.dsn_for(role).contains(db.name()));
    }
    let rules = "SELECT count(*)::text FROM pg_hba_file_rules WHERE error IS NOT NULL";
    assert_eq!(db.admin().query(rules).unwrap(), [[Some("0".to_owned())]]);
    let tls = cluster.tls().unwrap();
    for file in [tls.ca, tls.other_ca, tls.client_cert, tls.client_key] {
        let text = std::fs::read_to_string(&file).unwrap();
        assert!(text.starts_with("-----BEGIN"), "{}", file.display());
    }
}

#[test]
fn a_named_server_is_used_with_its_password() {
    let Some(ours) = Cluster::shared_ours() else { return };
    ours.admin().query("ALTER ROLE t_md5 CREATEDB; ALTER ROLE t_clear CREATEDB").unwrap();
    let db = ours.database();
    for role in [Role::Postgres, Role::Md5, Role::Clear] {
        let cluster = Cluster::named(&db.dsn_for(role)).unwrap();
        assert!(!cluster.is_ours());
        let db = cluster.database();
        let rows = db.admin().query("SELECT current_database(), current_user").unwrap();
        assert_eq!(rows, [[Some(db.name().to_owned()), Some(role.name().to_owned())]]);
    }
}

#[test]
fn a_named_server_that_does_not_let_us_in_is_reported() {
    let Some(ours) = Cluster::shared_ours() else { return };
    let db = ours.database();
    let wrong = db.dsn_for(Role::Scram).replace("t_scram-pw", "wrong");
    let none = db.dsn_for(Role::Clear).replace(":t_clear-pw", "");
    for (url, why) in [
        (wrong, "28P01"),
        (none, "asks for a password"),
        (db.dsn_for(Role::Reject), "28000"),
        ("postgres://127.0.0.1:1/x".to_owned(), "refused"),
        ("mysql://127.0.0.1/x".to_owned(), "does not start with postgres://"),
    ] {
        let error = Cluster::named(&url).unwrap_err().to_string();
        assert!(error.contains(&url) && error.contains(why), "{error}");
    }
}

#[test]
fn a_server_can_be_stopped_killed_and_started_again() {
    let cluster = Cluster::options().setting("max_connections = 17").start().unwrap();
    let db = cluster.database();
    db.admin().query("CREATE TABLE t (a int)").unwrap();
    assert_eq!(db.admin().query("SHOW max_connections").unwrap(), [[Some("17".to_owned())]]);
    for down in [Cluster::stop, Cluster::kill] {
        let mut session = db.admin();
        down(&cluster);
        // A killed server's other processes end in their own time.
        while session.query("SELECT 1").is_ok() {}
        cluster.restart();
        assert!(db.admin().query("SELECT a FROM t").is_ok());
    }
    let folder = cluster.folder().unwrap().to_path_buf();
    drop(db);
    drop(cluster);
    assert!(!folder.exists());
}

#[test]
fn a_setting_that_the_server_refuses_is_reported() {
    let error = Cluster::options().setting("max_connections = many").start().unwrap_err().to_string();
    assert!(error.contains("max_connections"), "{error}");
}

#[test]
fn a_command_finds_the_server_and_its_status_is_passed_on() {
    let script = "echo $DATABASE_URL; test -d $WREATH_CLUSTER || exit 8; exit 7";
    let output = cluster_run(&["sh", "-c", script]).output().unwrap();
    let url = String::from_utf8(output.stdout).unwrap();
    assert!(url.starts_with("postgres://postgres@/test?host=/"), "{url}");
    assert_eq!(output.status.code(), Some(7));
    let usage = cluster_run(&[]).output().unwrap();
    assert!(!usage.status.success());
    assert!(String::from_utf8(usage.stderr).unwrap().contains("usage"));
}

#[test]
fn a_killed_process_leaves_neither_server_nor_files() {
    // The command outlives its killed parent until its input ends, and so does not outlive this test.
    let mut command = cluster_run(&["sh", "-c", "echo $WREATH_CLUSTER; exec cat"]);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut folder = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut folder).unwrap();
    let folder = Path::new(folder.trim_end());
    let pid = std::fs::read_to_string(folder.join("data/postmaster.pid")).unwrap();
    let pid = pid.lines().next().unwrap();
    assert!(is_alive(pid));
    let _input = child.stdin.take();
    child.kill().unwrap();
    child.wait().unwrap();
    let deadline = Instant::now() + Duration::from_secs(30);
    while folder.exists() || is_alive(pid) {
        assert!(Instant::now() < deadline, "{} and process {pid} are still there", folder.display());
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// The program that keeps a server up while a command runs.
fn cluster_run(command: &[&str]) -> Command {
    let mut cluster = Command::new(env!("CARGO_BIN_EXE_cluster"));
    cluster.args(["run", "--"]).args(command);
    cluster
}

fn is_alive(pid: &str) -> bool {
    // The shell's own, since a small system has no other.
    let mut shell = Command::new("/bin/sh");
    shell.args(["-c", "kill -0 \"$0\"", pid]).stderr(Stdio::null());
    shell.status().unwrap().success()
}
