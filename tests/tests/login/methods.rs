//! Each method by which a server lets in.

use wreath_driver::{AuthMethod, Config, ErrorKind};
use wreath_tests::{Cluster, Role};

use crate::{over_tcp, psql_newest, whoami};

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

/// What a server asks for, and whether each value of `require_auth` lets it.
#[tokio::test]
async fn only_methods_that_are_allowed_will_do() {
    let Some(cluster) = Cluster::shared_ours() else { return };
    let db = cluster.database();
    for (role, method) in [
        (Role::Trust, AuthMethod::None),
        (Role::Clear, AuthMethod::Password),
        (Role::Md5, AuthMethod::Md5),
        (Role::Scram, AuthMethod::ScramSha256),
    ] {
        for (list, enters) in [
            (method.name().to_owned(), true),
            (format!("!{}", method.name()), false),
            ("gss,sspi,oauth".to_owned(), false),
            ("!gss,!sspi,!oauth".to_owned(), true),
        ] {
            let dsn = format!("{}&require_auth={list}", db.dsn_for(role));
            let found = dsn.parse::<Config>().unwrap().connect().await;
            assert_eq!(found.is_ok(), enters, "{} {list}", role.name());
            if let Err(e) = found {
                assert_eq!(e.kind(), ErrorKind::Auth);
                assert!(e.to_string().contains(method.name()), "{e}");
            }
            // Older ones do not know the option.
            if let Some(theirs) = psql_newest(&dsn, 160_000) {
                assert_eq!(theirs.is_some(), enters, "{dsn}");
            }
        }
    }
}
