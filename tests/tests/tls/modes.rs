//! What each `sslmode` makes of each server.

use wreath_driver::{Config, ErrorKind, SslMode};
use wreath_tests::{Cluster, Role};

use crate::{by_name, encrypted, is_encrypted, own_server, root, to};

/// What comes of an attempt to connect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outcome {
    Plain,
    Encrypted,
    Fails(ErrorKind),
}

use Outcome::{Encrypted, Fails, Plain};

async fn outcome(config: &Config) -> (Outcome, String) {
    match config.connect().await {
        Ok(connection) if is_encrypted(&connection).await => (Encrypted, String::new()),
        Ok(_) => (Plain, String::new()),
        Err(e) => (Fails(e.kind()), e.to_string()),
    }
}

const MODES: [SslMode; 6] = [
    SslMode::Disable,
    SslMode::Allow,
    SslMode::Prefer,
    SslMode::Require,
    SslMode::VerifyCa,
    SslMode::VerifyFull,
];

/// The outcomes in the order of [`MODES`], and a part of every message.
async fn check(config: impl Fn() -> Config, outcomes: [Outcome; 6], message: &str) {
    for (mode, expected) in MODES.into_iter().zip(outcomes) {
        let (found, said) = outcome(&config().ssl_mode(mode)).await;
        assert_eq!(found, expected, "{} {said}", mode.name());
        assert!(matches!(found, Plain | Encrypted) || said.contains(message), "{}: {said}", mode.name());
    }
}

const TLS: Outcome = Fails(ErrorKind::Tls);

#[tokio::test]
async fn a_server_in_order() {
    let Some((db, files)) = encrypted() else { return };
    let expected = [Plain, Plain, Encrypted, Encrypted, Encrypted, Encrypted];
    check(|| to(db.cluster(), Role::Scram, &root(&files.ca)), expected, "").await;
}

#[tokio::test]
async fn an_authority_that_signed_nothing() {
    let Some((db, files)) = encrypted() else { return };
    // A file of authorities is used in every mode, as libpq does it; `prefer` then does without.
    let expected = [Plain, Plain, Plain, TLS, TLS, TLS];
    check(|| to(db.cluster(), Role::Scram, &root(&files.other_ca)), expected, "no authority that is trusted")
        .await;
}

#[tokio::test]
async fn a_host_that_the_certificate_is_not_for() {
    let Some((db, files)) = encrypted() else { return };
    let expected = [Plain, Plain, Encrypted, Encrypted, Encrypted, TLS];
    let config = || by_name(db.cluster(), "farm.example", Role::Scram, &root(&files.ca));
    check(config, expected, "farm.example").await;
    // Neither is right: that the name does not matter makes nobody trusted.
    let both = by_name(db.cluster(), "farm.example", Role::Scram, &root(&files.other_ca));
    assert_eq!(outcome(&both.ssl_mode(SslMode::VerifyCa)).await.0, TLS);
}

#[tokio::test]
async fn nobody_to_trust() {
    let Some((db, _)) = encrypted() else { return };
    let config = Fails(ErrorKind::Config);
    let expected = [Plain, Plain, Encrypted, Encrypted, config, config];
    check(|| to(db.cluster(), Role::Scram, ""), expected, "root.crt does not exist").await;
}

#[tokio::test]
async fn a_server_without_tls() {
    let Some((_, files)) = encrypted() else { return };
    let server = Cluster::options().setting("ssl = off").start().unwrap();
    let expected = [Plain, Plain, Plain, TLS, TLS, TLS];
    check(|| to(&server, Role::Scram, &root(&files.ca)), expected, "has no TLS").await;
}

#[tokio::test]
async fn a_role_that_comes_in_encrypted_only() {
    let Some((db, files)) = encrypted() else { return };
    let config = || to(db.cluster(), Role::Tls, &root(&files.ca));
    let out = Fails(ErrorKind::Auth);
    check(config, [out, Encrypted, Encrypted, Encrypted, Encrypted, Encrypted], "rejects connection").await;
    // Neither way is open, and both are told of.
    let nowhere = || to(db.cluster(), Role::Reject, "");
    for mode in [SslMode::Allow, SslMode::Prefer] {
        let refused = nowhere().ssl_mode(mode).connect().await.unwrap_err();
        assert_eq!((refused.kind(), refused.sqlstate()), (ErrorKind::Auth, Some("28000")));
        let said = refused.to_string();
        assert!(said.contains("no encryption") && said.contains("SSL encryption"), "{said}");
    }
}

#[tokio::test]
async fn a_role_that_comes_in_plainly_only() {
    let Some((server, files)) = own_server() else { return };
    let access = server.folder().unwrap().join("data/pg_hba.conf");
    let lines = std::fs::read_to_string(&access).unwrap();
    std::fs::write(&access, format!("hostssl all t_scram all reject\n{lines}")).unwrap();
    server.stop();
    server.restart();
    let out = Fails(ErrorKind::Auth);
    check(
        || to(&server, Role::Scram, &root(&files.ca)),
        [Plain, Plain, Plain, out, out, out],
        "SSL encryption",
    )
    .await;
    // A wrong password is wrong in both ways, and is tried in one.
    let wrong = to(&server, Role::Md5, "").password("sesame");
    let refused = wrong.connect().await.unwrap_err();
    assert_eq!(refused.sqlstate(), Some("28P01"));
    assert!(!refused.to_string().contains("two ways"), "{refused}");
}

#[tokio::test]
async fn a_unix_socket_is_never_encrypted() {
    let Some((db, _)) = encrypted() else { return };
    for mode in MODES {
        let config: Config = db.socket_dsn_for(Role::Trust).parse().unwrap();
        assert_eq!(outcome(&config.ssl_mode(mode)).await.0, Plain, "{}", mode.name());
    }
}

#[tokio::test]
async fn a_number_is_a_name_too() {
    let Some((db, files)) = encrypted() else { return };
    let verified = |host| {
        let more = format!("{} sslmode=verify-full", root(&files.ca));
        by_name(db.cluster(), host, Role::Tls, &more)
    };
    for host in ["127.0.0.1", "::1", "localhost", "LOCALHOST"] {
        assert_eq!(outcome(&verified(host)).await.0, Encrypted, "{host}");
    }
    for host in ["127.0.0.2", "::2", "localhost.example", "farm..example"] {
        assert!(matches!(outcome(&verified(host)).await.0, Fails(_)), "{host}");
    }
    // Without a name there is nothing to verify.
    let unnamed = format!("{} hostaddr=127.0.0.1", db.dsn_for(Role::Tls).replace("localhost", ""));
    let unnamed = unnamed.split_once(' ').map(|(uri, _)| format!("{uri}&hostaddr=127.0.0.1")).unwrap();
    let (found, said) = outcome(&unnamed.parse().unwrap()).await;
    assert_eq!(found, Fails(ErrorKind::Config), "{said}");
}

#[tokio::test]
async fn versions_are_bounded() {
    let Some((db, _)) = encrypted() else { return };
    let version = async |bounds: &str| {
        let connection = to(db.cluster(), Role::Tls, &format!("sslmode=require {bounds}")).connect().await?;
        let asked = "SELECT version FROM pg_stat_ssl WHERE pid = pg_backend_pid()";
        connection.fetch_scalar::<String>(asked, ()).await
    };
    assert_eq!(version("").await.unwrap(), "TLSv1.3");
    assert_eq!(version("ssl_max_protocol_version=TLSv1.2").await.unwrap(), "TLSv1.2");
    assert_eq!(version("ssl_min_protocol_version=TLSv1.3").await.unwrap(), "TLSv1.3");

    let old = Cluster::options().setting("ssl_max_protocol_version = 'TLSv1.2'").start().unwrap();
    let config = to(&old, Role::Tls, "sslmode=require ssl_min_protocol_version=TLSv1.3");
    let (found, said) = outcome(&config).await;
    assert_eq!(found, TLS, "{said}");
    assert!(said.contains("versions of TLS"), "{said}");
}
