//! Coming in to a real server, in every way that there is, and being kept out.

#![forbid(unsafe_code)]
#![allow(clippy::unwrap_used, reason = "a failed unwrap is how a test fails, in its fixtures too")]

use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use wreath_driver::{Config, Connection, ErrorKind, Result, SslMode};
use wreath_tests::{Cluster, Database, Role, skip};

async fn whoami(connection: &Connection) -> Result<(String, String)> {
    let mut rows = connection.fetch_as("SELECT current_user::text, current_database()::text", ()).await?;
    Ok(rows.remove(0))
}

/// A configuration for TCP, with user and password still to be said.
fn over_tcp(db: &Database) -> Config {
    Config::new().host("127.0.0.1").port(db.cluster().port()).dbname(db.name()).ssl_mode(SslMode::Disable)
}

#[tokio::test]
async fn every_method_lets_the_right_password_in() {
    let Some(cluster) = Cluster::shared_ours() else { return };
    let db = cluster.database();
    for role in Role::ALL.into_iter().filter(|role| !role.needs_tls() && *role != Role::Reject) {
        let connection = wreath_driver::connect(&db.dsn_for(role)).await.unwrap();
        assert_eq!(whoami(&connection).await.unwrap(), (role.name().to_owned(), db.name().to_owned()));
    }
    let connection = wreath_driver::connect(&db.socket_dsn_for(Role::Trust)).await.unwrap();
    assert_eq!(whoami(&connection).await.unwrap().0, Role::Trust.name());
}

#[tokio::test]
async fn every_method_keeps_the_wrong_password_out() {
    let Some(cluster) = Cluster::shared_ours() else { return };
    let db = cluster.database();
    for role in [Role::Scram, Role::Md5, Role::Clear] {
        let config = over_tcp(&db).user(role.name());
        let wrong = config.clone().password("sesame").connect().await.unwrap_err();
        assert_eq!((wrong.kind(), wrong.sqlstate()), (ErrorKind::Auth, Some("28P01")), "{wrong}");
        assert!(wrong.to_string().contains(role.name()), "{wrong}");
        let none = config.connect().await.unwrap_err();
        assert_eq!((none.kind(), none.sqlstate()), (ErrorKind::Auth, None), "{none}");
        assert!(!format!("{wrong} {wrong:?} {none} {none:?}").contains("sesame"));
    }
    let rejected = wreath_driver::connect(&db.dsn_for(Role::Reject)).await.unwrap_err();
    assert_eq!((rejected.kind(), rejected.sqlstate()), (ErrorKind::Auth, Some("28000")), "{rejected}");
}

/// The server normalises a password when it stores its digest, and so must the client when it hashes it.
#[tokio::test]
async fn strange_passwords_are_hashed_as_the_server_hashes_them() {
    let Some(cluster) = Cluster::shared_ours() else { return };
    let db = cluster.database();
    let mut admin = db.admin();
    let passwords = [
        "plain",
        " ",
        "a=b,c=d",
        "päßwörd",
        "I\u{ad}X",
        "\u{2168}\u{aa}",
        "\u{ad}",
        "no\u{a0}break\u{3000}space",
        "e\u{301}\u{212b}",
        "\u{7}\u{1f}",
        "\u{627}1",
        "\u{627}\u{628}",
        "\u{e000}private",
        "\u{1f9d9}\u{200d}\u{2642}\u{fe0f}",
        "\u{378}unassigned",
        "\u{fb01}\u{1d400}\u{ff21}",
        "\u{340}\u{200e}tagged",
    ];
    for (n, password) in passwords.into_iter().enumerate() {
        let role = format!("{}_{n}", db.name());
        admin.query(&format!("CREATE ROLE {role} LOGIN PASSWORD '{password}'")).unwrap();
        let entered = over_tcp(&db).user(&role).password(password).connect().await;
        let name = match &entered {
            Ok(connection) => whoami(connection).await.map(|(name, _)| name),
            Err(e) => Err(e.clone()),
        };
        drop(entered);
        admin.query(&format!("DROP ROLE {role}")).unwrap();
        assert_eq!(name.unwrap(), role, "{password:?}");
    }
}

#[tokio::test]
async fn what_the_configuration_says_reaches_the_session() {
    let Some(cluster) = Cluster::shared_ours() else { return };
    let db = cluster.database();
    let dsn =
        format!("{}&application_name=the%20shears&options=-c%20work_mem%3D1234kB", db.dsn_for(Role::Scram));
    let connection = wreath_driver::connect(&dsn).await.unwrap();
    let setting = |name| connection.fetch_scalar::<String>("SELECT current_setting($1)", (name,));
    assert_eq!(setting("application_name").await.unwrap(), "the shears");
    assert_eq!(setting("work_mem").await.unwrap(), "1234kB");
    assert_eq!(setting("client_encoding").await.unwrap(), "UTF8");
}

#[tokio::test]
async fn databases_and_roles_that_do_not_exist_are_named() {
    let Some(cluster) = Cluster::shared_ours() else { return };
    let db = cluster.database();
    let config = over_tcp(&db).user(Role::Trust.name());
    let refused = config.dbname("no_such_farm").connect().await.unwrap_err();
    assert_eq!((refused.kind(), refused.sqlstate()), (ErrorKind::Connect, Some("3D000")), "{refused}");
    assert!(refused.to_string().contains("no_such_farm"), "{refused}");
    let refused = over_tcp(&db).user("nobody_here").password("x").connect().await.unwrap_err();
    assert_eq!((refused.kind(), refused.sqlstate()), (ErrorKind::Auth, Some("28P01")), "{refused}");
}

/// A port that nobody listens on.
fn dead_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

#[tokio::test]
async fn servers_are_tried_in_order() {
    let Some(cluster) = Cluster::shared_ours() else { return };
    let db = cluster.database();
    let (dead, alive) = (dead_port(), cluster.port());
    // Listens, and never says a word.
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let mute = silent.local_addr().unwrap().port();

    let config = over_tcp(&db).user(Role::Scram.name()).password(Role::Scram.password());
    let several = |ports: &[u16]| config.clone().hosts(ports.iter().map(|&port| ("127.0.0.1", port)));
    let connection = several(&[dead, alive]).connect().await.unwrap();
    assert_eq!(whoami(&connection).await.unwrap().0, Role::Scram.name());

    let refused = several(&[dead]).connect().await.unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::Connect);
    assert!(refused.to_string().contains(&format!("127.0.0.1:{dead}")), "{refused}");

    let limited = several(&[mute, dead]).connect_timeout(Duration::from_millis(300));
    let refused = limited.connect().await.unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::Connect);
    for port in [mute, dead] {
        assert!(refused.to_string().contains(&format!("127.0.0.1:{port}")), "{refused}");
    }

    // One that refuses the password ends the search.
    let wrong = several(&[alive, dead]).password("sesame").connect().await.unwrap_err();
    assert_eq!(wrong.kind(), ErrorKind::Auth, "{wrong}");
}

#[tokio::test]
async fn a_host_that_has_no_address_is_named() {
    let refused = Config::new().host("farm.invalid").user("dolly").connect().await.unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::Connect);
    assert!(refused.to_string().contains("farm.invalid:5432"), "{refused}");
    let refused = Config::new().host("/no/such/folder").port(1).user("dolly").connect().await.unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::Connect);
    assert!(refused.to_string().contains("/no/such/folder/.s.PGSQL.1"), "{refused}");
}

/// A file that nobody else may read, gone with the value.
struct PrivateFile(PathBuf);

impl PrivateFile {
    fn new(text: &str) -> Self {
        use std::os::unix::fs::OpenOptionsExt as _;
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let name = format!("wreath-login-{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        let path = std::env::temp_dir().join(name);
        let file = std::fs::OpenOptions::new().write(true).create_new(true).mode(0o600).open(&path);
        std::io::Write::write_all(&mut file.unwrap(), text.as_bytes()).unwrap();
        Self(path)
    }
}

impl Drop for PrivateFile {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

/// The user that libpq comes in as; `None` when it does not, and a skip where there is no psql.
fn psql(dsn: &str) -> Option<Option<String>> {
    let mut command = std::process::Command::new("psql");
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

async fn ours(dsn: &str) -> Option<String> {
    Some(whoami(&wreath_driver::connect(dsn).await.ok()?).await.unwrap().0)
}

#[tokio::test]
async fn a_password_file_lets_in_whom_it_lets_in_by_libpq() {
    let Some(cluster) = Cluster::shared_ours() else { return };
    let db = cluster.database();
    let (port, name) = (cluster.port(), db.name());
    let (scram, right) = (Role::Scram.name(), Role::Scram.password());
    let server = format!("host=127.0.0.1 port={port} dbname={name} sslmode=disable");
    for (lines, user, enters) in [
        (format!("127.0.0.1:{port}:{name}:{scram}:{right}"), scram, true),
        (format!("#127.0.0.1:*:*:*:no\n\n*:*:*:{scram}:{right}:rest"), scram, true),
        (format!("127.0.0.1:{}:*:*:{right}", port + 1), scram, false),
        (format!("*:*:*:*:sesame\n*:*:*:*:{right}"), scram, false),
        (format!("*:*:*:{scram}:{right}"), Role::Md5.name(), false),
        (String::new(), Role::Trust.name(), true),
    ] {
        let file = PrivateFile::new(&lines);
        let dsn = format!("{server} user={user} passfile={}", file.0.display());
        let found = ours(&dsn).await;
        assert_eq!(found.as_deref(), enters.then_some(user), "{lines}");
        let Some(theirs) = psql(&dsn) else { return };
        assert_eq!(found, theirs, "{lines}");
    }
}

#[tokio::test]
async fn errors_name_the_password_file() {
    let Some(cluster) = Cluster::shared_ours() else { return };
    let db = cluster.database();
    let with = async |path: &Path| over_tcp(&db).user(Role::Scram.name()).passfile(path).connect().await;
    let file = PrivateFile::new("*:*:*:*:sesame");
    let shown = file.0.display().to_string();
    let wrong = with(&file.0).await.unwrap_err();
    assert_eq!((wrong.kind(), wrong.sqlstate()), (ErrorKind::Auth, Some("28P01")), "{wrong}");
    assert!(wrong.to_string().contains(&shown) && !wrong.to_string().contains("sesame"), "{wrong}");

    let open = std::os::unix::fs::PermissionsExt::from_mode(0o644);
    std::fs::set_permissions(&file.0, open).unwrap();
    let passed_over = with(&file.0).await.unwrap_err();
    assert_eq!((passed_over.kind(), passed_over.sqlstate()), (ErrorKind::Auth, None), "{passed_over}");
    assert!(passed_over.to_string().contains("chmod"), "{passed_over}");
    let missing = with(Path::new("/no/such/file")).await.unwrap_err();
    assert!(missing.to_string().contains("/no/such/file does not exist"), "{missing}");
}

#[tokio::test]
async fn a_service_says_where_to() {
    let Some(cluster) = Cluster::shared_ours() else { return };
    let db = cluster.database();
    let (port, name, scram) = (cluster.port(), db.name(), Role::Scram.name());
    let password = Role::Scram.password();
    let file = PrivateFile::new(&format!(
        "[other]\nhost=farm.invalid\n\n[farm]\nhost=127.0.0.1\nport={port}\ndbname={name}\n\
         user={scram}\npassword={password}\napplication_name=shears\n"
    ));
    let dsn = format!("service=farm servicefile={}", file.0.display());
    let connection = wreath_driver::connect(&dsn).await.unwrap();
    assert_eq!(whoami(&connection).await.unwrap(), (scram.to_owned(), name.to_owned()));
    let app: String =
        connection.fetch_scalar("SELECT current_setting('application_name')", ()).await.unwrap();
    assert_eq!(app, "shears");
    // What is said beside it counts more.
    assert_eq!(
        ours(&format!("{dsn} user={}", Role::Trust.name())).await.as_deref(),
        Some(Role::Trust.name())
    );
    let unknown = wreath_driver::connect(&dsn.replace("farm ", "barn ")).await.unwrap_err();
    assert_eq!(unknown.kind(), ErrorKind::Config);
    assert!(unknown.to_string().contains("[barn]"), "{unknown}");
}

#[tokio::test]
async fn the_program_is_asked_for_passwords() {
    let Some(cluster) = Cluster::shared_ours() else { return };
    let db = cluster.database();
    let asked = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&asked);
    // The first answer is out of date.
    let source = move |login: wreath_driver::PasswordRequest| {
        let n = count.fetch_add(1, Ordering::Relaxed);
        async move {
            tokio::task::yield_now().await;
            assert_eq!(login.host(), "127.0.0.1");
            let role = Role::ALL.into_iter().find(|role| role.name() == login.user());
            role.filter(|_| n > 0).map(Role::password).ok_or("no token yet")
        }
    };
    let config = over_tcp(&db).user(Role::Scram.name()).password("sesame").password_from(source);
    let refused = config.connect().await.unwrap_err();
    assert_eq!((refused.kind(), refused.sqlstate()), (ErrorKind::Auth, None), "{refused}");
    assert!(refused.to_string().contains("no token yet"), "{refused}");
    for role in [Role::Scram, Role::Md5, Role::Clear] {
        let before = asked.load(Ordering::Relaxed);
        let connection = config.clone().user(role.name()).connect().await.unwrap();
        assert_eq!(whoami(&connection).await.unwrap().0, role.name());
        assert_eq!(asked.load(Ordering::Relaxed), before + 1);
    }
    // Who needs none is not asked for one.
    let before = asked.load(Ordering::Relaxed);
    config.clone().user(Role::Trust.name()).connect().await.unwrap();
    assert_eq!(asked.load(Ordering::Relaxed), before);
}

#[tokio::test]
async fn a_program_that_gives_no_password_in_time_holds_nothing_up() {
    let Some(cluster) = Cluster::shared_ours() else { return };
    let db = cluster.database();
    let config = over_tcp(&db).user(Role::Scram.name()).connect_timeout(Duration::from_millis(200));
    let silent = config.password_from(|_| std::future::pending::<Result<String>>());
    let refused = silent.connect().await.unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::Timeout, "{refused}");
}
