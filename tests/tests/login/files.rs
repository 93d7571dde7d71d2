//! Files that say where to and as whom.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use wreath_driver::ErrorKind;
use wreath_tests::{Cluster, Role};

use crate::{ours, over_tcp, psql, whoami};

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
