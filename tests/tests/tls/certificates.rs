//! Certificates of servers and of clients, good ones and bad ones.

use wreath_driver::{Config, ErrorKind, SslMode};
use wreath_tests::{Cluster, Role};

use crate::makers::{Maker, P256, P384, RSA, set_mode};
use crate::{encrypted, is_encrypted, own_server, root, to};

const SERVER: &str = "basicConstraints=critical,CA:FALSE\nsubjectAltName=DNS:localhost\n";

/// Fails under `mode`, by an error that says `message`.
async fn fails(config: Config, mode: SslMode, message: &str) {
    let refused = config.ssl_mode(mode).connect().await.unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::Tls, "{refused}");
    assert!(refused.to_string().contains(message), "{refused}");
}

async fn enters(config: Config, mode: SslMode) {
    let connection = config.ssl_mode(mode).connect().await.unwrap();
    assert!(is_encrypted(&connection).await);
}

#[tokio::test]
async fn certificates_of_servers_that_are_refused() {
    let Some((server, files)) = own_server() else { return };
    let maker = Maker::new(&server);
    let trusting = || to(&server, Role::Tls, &root(&files.ca));
    let unverified = || to(&server, Role::Tls, "");

    maker.sign("expired", "localhost", P256, SERVER, "-days -1");
    maker.install(&server, "expired");
    fails(trusting(), SslMode::VerifyFull, "has expired").await;
    fails(trusting(), SslMode::VerifyCa, "has expired").await;
    enters(unverified(), SslMode::Require).await;

    // libpq reads the name of the subject where there is no other.
    maker.sign("named", "localhost", P256, "basicConstraints=critical,CA:FALSE\n", "");
    maker.install(&server, "named");
    fails(trusting(), SslMode::VerifyFull, "subject alternative names").await;
    enters(trusting(), SslMode::VerifyCa).await;

    maker.sign(
        "authority",
        "localhost",
        P256,
        "basicConstraints=CA:TRUE\nsubjectAltName=DNS:localhost\n",
        "",
    );
    maker.install(&server, "authority");
    fails(trusting(), SslMode::VerifyFull, "an authority's own").await;
    enters(unverified(), SslMode::Require).await;

    maker.openssl("x509 -req -in authority.csr -CA ca.crt -CAkey ca.key -out first.crt");
    std::fs::copy(maker.file("authority.key"), maker.file("first.key")).unwrap();
    maker.install(&server, "first");
    fails(trusting(), SslMode::VerifyFull, "version 1").await;

    maker.sign("client", "localhost", P256, &format!("{SERVER}extendedKeyUsage=clientAuth\n"), "");
    maker.install(&server, "client");
    fails(trusting(), SslMode::VerifyFull, "cannot be taken").await;
}

#[tokio::test]
async fn keys_and_signatures_of_every_kind() {
    let Some((server, files)) = own_server() else { return };
    let maker = Maker::new(&server);
    // The authority signs by ECDSA, where rustls with `ring` does not take SHA-512.
    for (key, digest, taken) in
        [(P256, "sha256", true), (P384, "sha384", true), (RSA, "sha256", true), (P256, "sha512", false)]
    {
        maker.sign("server", "localhost", key, SERVER, &format!("-{digest}"));
        maker.install(&server, "server");
        let config = to(&server, Role::Tls, &format!("{} channel_binding=require", root(&files.ca)));
        if taken {
            enters(config, SslMode::VerifyFull).await;
        } else {
            fails(config, SslMode::VerifyFull, "is signed in a way").await;
            // Unverified it will do, and the login can be bound to it.
            enters(to(&server, Role::Tls, "channel_binding=require"), SslMode::Require).await;
        }
    }
    // The hash of RSASSA-PSS is a parameter of the signature.
    maker.openssl(
        "req -x509 -newkey rsa:2048 -nodes -subj /CN=localhost -keyout pss.key -out pss.crt \
         -sha384 -sigopt rsa_padding_mode:pss -sigopt rsa_pss_saltlen:48",
    );
    maker.install(&server, "pss");
    enters(to(&server, Role::Tls, "channel_binding=require"), SslMode::Require).await;
    // Ed25519 has no hash to bind to, which only matters where the login has to be bound.
    maker.openssl("req -x509 -newkey ed25519 -nodes -subj /CN=localhost -keyout ed.key -out ed.crt");
    maker.install(&server, "ed");
    enters(to(&server, Role::Tls, ""), SslMode::Require).await;
    let config = to(&server, Role::Tls, "channel_binding=require").ssl_mode(SslMode::Require);
    assert_eq!(config.connect().await.unwrap_err().kind(), ErrorKind::Auth);
}

#[tokio::test]
async fn revoked_certificates() {
    let Some((server, files)) = own_server() else { return };
    let maker = Maker::new(&server);
    maker.sign("server", "localhost", P256, SERVER, "");
    maker.write("index", "");
    maker.write(
        "ca.cnf",
        "[ca]\ndefault_ca=here\n[here]\ndatabase=index\ndefault_md=sha256\ndefault_crl_days=30\n\
         crl_extensions=crl\n[crl]\nauthorityKeyIdentifier=keyid\n",
    );
    let list = |name: &str| {
        maker.openssl(&format!("ca -config ca.cnf -gencrl -cert ca.crt -keyfile ca.key -out {name}"));
    };
    list("nobody.crl");
    maker.openssl("ca -config ca.cnf -revoke server.crt -cert ca.crt -keyfile ca.key");
    list("server.crl");
    maker.install(&server, "server");
    let config = |crl: &str| to(&server, Role::Tls, &root(&files.ca)).ssl_crl(maker.file(crl));
    enters(config("nobody.crl"), SslMode::VerifyFull).await;
    fails(config("server.crl"), SslMode::VerifyFull, "has been revoked").await;
    fails(config("server.crl"), SslMode::Require, "has been revoked").await;
    let missing = config("no.crl").ssl_mode(SslMode::VerifyFull).connect().await.unwrap_err();
    assert_eq!(missing.kind(), ErrorKind::Config);
    assert!(missing.to_string().contains("sslcrl"), "{missing}");
}

#[tokio::test]
async fn what_the_system_trusts() {
    let Some((db, files)) = encrypted() else { return };
    // The child's environment says what the system trusts; this process has other tests in it.
    let example = std::env::current_exe().unwrap();
    let trusted = |file: &std::path::Path| {
        let mut child = std::process::Command::new(&example);
        child.args(["--exact", "certificates::as_the_system_says", "--nocapture"]);
        child.env("WREATH_TLS_SYSTEM", db.cluster().port().to_string()).env("SSL_CERT_FILE", file);
        child.env_remove("SSL_CERT_DIR").output().unwrap()
    };
    let right = trusted(&files.ca);
    assert!(right.status.success(), "{}", String::from_utf8_lossy(&right.stdout));
    let wrong = trusted(&files.other_ca);
    let said = String::from_utf8_lossy(&wrong.stdout).into_owned() + &String::from_utf8_lossy(&wrong.stderr);
    assert!(!wrong.status.success() && said.contains("no authority that is trusted"), "{said}");
}

/// The other half of [`what_the_system_trusts`], which runs in a process of its own.
#[tokio::test]
async fn as_the_system_says() {
    let Ok(port) = std::env::var("WREATH_TLS_SYSTEM") else { return };
    let (role, password) = (Role::Tls.name(), Role::Tls.password());
    let dsn = format!("postgres://{role}:{password}@localhost:{port}/postgres?sslrootcert=system");
    let connection = wreath_driver::connect(&dsn).await.unwrap();
    assert!(is_encrypted(&connection).await);
}

#[tokio::test]
async fn a_client_s_certificate() {
    let Some((db, files)) = encrypted() else { return };
    let dsn = db.dsn_for(Role::Cert);
    let connection = wreath_driver::connect(&dsn).await.unwrap();
    assert!(is_encrypted(&connection).await);
    assert_eq!(connection.fetch_scalar::<String>("SELECT current_user::text", ()).await.unwrap(), "t_cert");

    let without = to(db.cluster(), Role::Cert, &root(&files.ca)).ssl_mode(SslMode::VerifyFull);
    let refused = without.connect().await.unwrap_err();
    assert_eq!((refused.kind(), refused.sqlstate()), (ErrorKind::Auth, Some("28000")), "{refused}");
    assert!(refused.to_string().contains("client certificate"), "{refused}");

    let somebody_else = dsn.replace("t_cert@", "t_tls:t_tls-pw@");
    wreath_driver::connect(&somebody_else).await.unwrap();
    let of_another = dsn.replace(&files.client_cert.display().to_string(), &files.ca.display().to_string());
    let refused = wreath_driver::connect(&of_another).await.unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::Config, "{refused}");
}

#[tokio::test]
async fn keys_in_every_form() {
    let Some((db, files)) = encrypted() else { return };
    let maker = Maker::new(db.cluster());
    let connect = async |cert: &str, key: &str| {
        let config = to(db.cluster(), Role::Cert, &root(&files.ca)).ssl_mode(SslMode::VerifyFull);
        config.ssl_cert(maker.file(cert)).ssl_key(maker.file(key)).connect().await
    };
    maker.openssl("pkcs8 -topk8 -nocrypt -in client.key -out pkcs8.key");
    maker.openssl("ec -in client.key -out sec1.key");
    maker.sign("rsa", "t_cert", RSA, "extendedKeyUsage=clientAuth\n", "");
    maker.openssl("rsa -traditional -in rsa.key -out pkcs1.key");
    for (cert, key, mark) in [
        ("client.crt", "pkcs8.key", "BEGIN PRIVATE KEY"),
        ("client.crt", "sec1.key", "BEGIN EC PRIVATE KEY"),
        ("rsa.crt", "pkcs1.key", "BEGIN RSA PRIVATE KEY"),
        ("rsa.crt", "rsa.key", "BEGIN PRIVATE KEY"),
    ] {
        set_mode(&maker.file(key), 0o600);
        assert!(std::fs::read_to_string(maker.file(key)).unwrap().contains(mark), "{key}");
        assert!(is_encrypted(&connect(cert, key).await.unwrap()).await, "{key}");
    }

    maker.openssl("pkcs8 -topk8 -passout pass:sesame -in client.key -out locked.key");
    maker.openssl("rsa -traditional -aes128 -passout pass:sesame -in rsa.key -out locked-rsa.key");
    maker.write("empty.key", "");
    std::fs::copy(maker.file("client.key"), maker.file("open.key")).unwrap();
    for (key, mode, problem) in [
        ("locked.key", 0o600, "encrypted"),
        ("locked-rsa.key", 0o600, "encrypted"),
        ("empty.key", 0o600, "no private key"),
        ("open.key", 0o644, "others may read it"),
        ("rsa.key", 0o600, "cannot be used"),
        ("no.key", 0, "no.key"),
    ] {
        if mode != 0 {
            set_mode(&maker.file(key), mode);
        }
        let refused = connect("client.crt", key).await.unwrap_err();
        assert_eq!(refused.kind(), ErrorKind::Config, "{refused}");
        let said = refused.to_string();
        assert!(said.contains("sslkey") && said.contains(problem), "{said}");
        assert!(!said.contains("sesame"));
    }
    let refused = connect("no.crt", "pkcs8.key").await.unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::Config);
    assert!(refused.to_string().contains("sslcert"), "{refused}");
}

#[tokio::test]
async fn a_client_s_certificate_that_the_server_does_not_know() {
    let Some((db, _)) = encrypted() else { return };
    // Another cluster's authority signed it.
    let other = Cluster::start().unwrap();
    let theirs = other.tls().unwrap();
    let config = to(db.cluster(), Role::Cert, "").ssl_mode(SslMode::Require);
    let refused = config.ssl_cert(theirs.client_cert).ssl_key(theirs.client_key).connect().await.unwrap_err();
    // The server tells why and closes, and its closing may overtake what it told.
    assert!(matches!(refused.kind(), ErrorKind::Tls | ErrorKind::Connect), "{refused}");
}

#[tokio::test]
async fn a_client_s_certificate_is_shown_as_was_said() {
    let Some((db, _)) = encrypted() else { return };
    let dsn = db.dsn_for(Role::Cert);
    let with = |mode: &str| format!("{dsn}&sslcertmode={mode}").parse::<Config>().unwrap();
    for mode in ["allow", "require"] {
        assert!(is_encrypted(&with(mode).connect().await.unwrap()).await, "{mode}");
    }
    let kept_out = with("disable").connect().await.unwrap_err();
    assert_eq!((kept_out.kind(), kept_out.sqlstate()), (ErrorKind::Auth, Some("28000")), "{kept_out}");

    // Nobody has asked for it: there is none, or no encryption.
    let none =
        to(db.cluster(), Role::Tls, "sslmode=require sslcertmode=require").connect().await.unwrap_err();
    assert_eq!((none.kind(), none.sqlstate()), (ErrorKind::Auth, None), "{none}");
    let plain = to(db.cluster(), Role::Scram, "sslmode=disable sslcertmode=require").connect().await;
    assert!(plain.unwrap_err().to_string().contains("sslcertmode=require"));
}
