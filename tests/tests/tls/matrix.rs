//! Every way to log in, by every mode and kind of socket, with what is right and what is wrong, beside libpq.

use std::process::Command;

use wreath_driver::{Config, ErrorKind};
use wreath_tests::{Database, Role, TlsFiles, skip};

use crate::{encrypted, is_encrypted};

const MODES: [&str; 6] = ["disable", "allow", "prefer", "require", "verify-ca", "verify-full"];

/// How the server is reached, and whom the client trusts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    Tcp,
    /// With an authority that signed nothing.
    WrongAuthority,
    /// By a name that the certificate is not for.
    WrongHost,
    Unix,
}

fn dsn(db: &Database, files: &TlsFiles, role: Role, way: Way, mode: &str, password: &str) -> String {
    let (port, name, user) = (db.cluster().port(), db.name(), role.name());
    let host = match way {
        Way::Tcp | Way::WrongAuthority => "host=localhost hostaddr=127.0.0.1".to_owned(),
        Way::WrongHost => "host=farm.example hostaddr=127.0.0.1".to_owned(),
        Way::Unix => format!("host={}", db.cluster().socket_folder().unwrap().display()),
    };
    let authority = if way == Way::WrongAuthority { &files.other_ca } else { &files.ca };
    let cert = if role == Role::Cert {
        format!("sslcert={} sslkey={}", files.client_cert.display(), files.client_key.display())
    } else {
        // Keeps the developer's own out.
        "sslcertmode=disable".to_owned()
    };
    format!(
        "{host} port={port} dbname={name} user={user} password={password} sslmode={mode} sslrootcert={} {cert} \
         application_name=matrix",
        authority.display()
    )
}

/// Whether the connection is encrypted, or what it failed with.
type Outcome = Result<bool, String>;

async fn ours(dsn: &str) -> Outcome {
    match dsn.parse::<Config>().unwrap().connect().await {
        Ok(connection) => Ok(is_encrypted(&connection).await),
        Err(e) => {
            assert!(matches!(e.kind(), ErrorKind::Auth | ErrorKind::Tls), "{dsn}: {e}");
            assert!(!e.to_string().contains("sesame"), "{e}");
            // What the server said is the same for both.
            Err(e.server().map_or_else(String::new, |server| server.message().to_owned()))
        }
    }
}

fn theirs(dsn: &str) -> Option<Outcome> {
    let asked = "SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()";
    // The option is newer than the oldest libpq.
    let dsn = dsn.replace("sslcertmode=disable", "sslcert=/no/such/file");
    let run = match Command::new("psql").args(["-XwAtc", asked, "-d", &dsn]).output() {
        Ok(run) => run,
        Err(e) => {
            skip("psql", &e.to_string());
            return None;
        }
    };
    let said =
        String::from_utf8_lossy(if run.status.success() { &run.stdout } else { &run.stderr }).into_owned();
    Some(if run.status.success() { Ok(said.trim() == "t") } else { Err(said) })
}

#[tokio::test]
async fn every_login_ends_as_libpq_s_does() {
    let Some((db, files)) = encrypted() else { return };
    let mut entered = 0;
    for role in [Role::Trust, Role::Clear, Role::Md5, Role::Scram, Role::Tls, Role::Cert, Role::Reject] {
        for way in [Way::Tcp, Way::WrongAuthority, Way::WrongHost, Way::Unix] {
            for mode in MODES {
                for password in [&*role.password(), "sesame"] {
                    let asks = matches!(role, Role::Clear | Role::Md5 | Role::Scram | Role::Tls);
                    let wrong = matches!(way, Way::WrongAuthority | Way::WrongHost);
                    // Of what is wrong, one thing at a time, and with logins that differ by it.
                    if password == "sesame" && (wrong || !asks)
                        || wrong && !matches!(role, Role::Scram | Role::Tls | Role::Cert)
                    {
                        continue;
                    }
                    let dsn = dsn(&db, &files, role, way, mode, password);
                    let found = ours(&dsn).await;
                    entered += usize::from(found.is_ok());
                    let Some(expected) = theirs(&dsn) else { return };
                    match (&found, &expected) {
                        (Err(server), Err(text)) => {
                            assert!(text.contains(server), "{dsn}: {server} / {text}");
                        }
                        _ => assert_eq!(found, expected, "{dsn}"),
                    }
                }
            }
        }
    }
    assert!(entered > 40, "only {entered} came in");
}
