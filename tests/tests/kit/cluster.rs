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

/// The kit's own client logs in by password where a server is only named; here through a second process's
/// eyes: the kit is pointed at the server's TCP port.
#[test]
fn a_named_server_is_used_with_its_password() {
    let Some(cluster) = Cluster::shared_ours() else { return };
    cluster.admin().query("ALTER ROLE t_md5 CREATEDB; ALTER ROLE t_clear CREATEDB").unwrap();
    let db = cluster.database();
    let wrong = db.dsn_for(Role::Scram).replace("t_scram-pw", "wrong");
    let reject = db.dsn_for(Role::Reject);
    let cases = [
        (db.dsn_for(Role::Postgres), ""),
        (db.dsn_for(Role::Md5), ""),
        (db.dsn_for(Role::Clear), ""),
        (wrong, "28P01"),
        (reject, "28000"),
        ("postgres://nobody@127.0.0.1:1/x".to_owned(), "DATABASE_URL cannot be used"),
    ];
    for (url, refusal) in cases {
        let output = probe("in_a_named_server").env("DATABASE_URL", &url).output().unwrap();
        let text = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
        assert_eq!(output.status.success(), refusal.is_empty(), "{url}: {text}");
        assert!(text.contains(refusal), "{url}: {text}");
    }
}

#[test]
#[ignore = "runs in a process of its own, started by a_named_server_is_used_with_its_password"]
fn in_a_named_server() {
    let cluster = Cluster::shared();
    assert!(!cluster.is_ours());
    assert!(Cluster::shared_ours().is_none());
    assert_eq!(wreath_tests::skips(), 1);
    let db = cluster.database();
    let rows = db.admin().query("SELECT current_database()").unwrap();
    assert_eq!(rows, [[Some(db.name().to_owned())]]);
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
        assert!(session.query("SELECT 1").is_err());
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
fn a_killed_test_leaves_neither_server_nor_files() {
    let mut child = probe("that_never_ends").stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let folder = lines.find_map(|line| line.unwrap().strip_prefix("folder ").map(str::to_owned)).unwrap();
    let pid = std::fs::read_to_string(Path::new(&folder).join("data/postmaster.pid")).unwrap();
    let pid = pid.lines().next().unwrap().to_owned();
    assert!(is_alive(&pid));
    child.kill().unwrap();
    child.wait().unwrap();
    let deadline = Instant::now() + Duration::from_secs(30);
    while Path::new(&folder).exists() || is_alive(&pid) {
        assert!(Instant::now() < deadline, "{folder} and process {pid} are still there");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
#[ignore = "runs in a process of its own, started by a_killed_test_leaves_neither_server_nor_files"]
fn that_never_ends() {
    let cluster = Cluster::start().unwrap();
    println!("\nfolder {}", cluster.folder().unwrap().display());
    std::thread::sleep(Duration::from_secs(600));
}

/// This binary again, to run one of its ignored tests with no server in its environment.
fn probe(test: &str) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args([&format!("cluster::{test}"), "--exact", "--ignored", "--nocapture"]);
    command.env_remove("WREATH_CLUSTER").env_remove("DATABASE_URL");
    command.env_remove("WREATH_REQUIRE").env_remove("WREATH_SKIPS");
    command
}

fn is_alive(pid: &str) -> bool {
    Command::new("kill").args(["-0", pid]).stderr(Stdio::null()).status().unwrap().success()
}
