//! Peers that spoil the beginning of TLS, and servers that begin with it at once.

use std::time::Duration;

use wreath_driver::{Config, ErrorKind, SslMode, SslNegotiation};
use wreath_tests::{Role, Script, ScriptedPeer, frame};

use crate::front::Front;
use crate::{encrypted, root, to};

/// The request for TLS.
const ASKED: usize = 8;

async fn play(script: Script, mode: SslMode) -> wreath_driver::Error {
    let peer = ScriptedPeer::start([script]).await.unwrap();
    let config: Config = peer.dsn().parse().unwrap();
    config.ssl_mode(mode).connect().await.unwrap_err()
}

fn preferring(peer: &ScriptedPeer) -> Config {
    peer.dsn().parse::<Config>().unwrap().ssl_mode(SslMode::Prefer)
}

#[tokio::test]
async fn bytes_injected_before_the_handshake_are_refused() {
    for injected in [&b"S\0"[..], b"SE\0\0\0\x20injected", b"S\x16\x03\x01\0\x05", b"NR\0\0\0\x08\0\0\0\0"] {
        for mode in [SslMode::Prefer, SslMode::Require] {
            let refused = play(Script::new().expect_bytes(ASKED).send(injected), mode).await;
            // No other way is tried: somebody is at work.
            assert_eq!(refused.kind(), ErrorKind::Protocol, "{refused}");
            assert!(refused.to_string().contains("unencrypted bytes"), "{refused}");
        }
    }
}

#[tokio::test]
async fn an_error_instead_of_an_answer_is_not_believed() {
    let error = frame(b'E', b"SFATAL\0C28000\0Mlies of the middle\0\0");
    for mode in [SslMode::Prefer, SslMode::Require] {
        let refused = play(Script::new().expect_bytes(ASKED).send(error.clone()).close(), mode).await;
        assert_eq!((refused.kind(), refused.sqlstate()), (ErrorKind::Connect, None), "{refused}");
        assert!(!refused.to_string().contains("lies"), "{refused}");
    }
}

#[tokio::test]
async fn answers_that_are_none() {
    let refused = play(Script::new().expect_bytes(ASKED).send(*b"X"), SslMode::Require).await;
    assert_eq!(refused.kind(), ErrorKind::Protocol, "{refused}");
    let refused = play(Script::new().expect_bytes(ASKED).close(), SslMode::Require).await;
    assert_eq!(refused.kind(), ErrorKind::Connect, "{refused}");
    let no_tls = Script::new().expect_bytes(ASKED).send(*b"S").expect_bytes(5).send(*b"HTTP/1.1 400 Bad\r\n");
    let refused = play(no_tls, SslMode::Require).await;
    assert_eq!(refused.kind(), ErrorKind::Tls, "{refused}");
    assert!(refused.to_string().contains("not TLS"), "{refused}");
}

#[tokio::test]
async fn a_handshake_that_never_ends_is_bounded() {
    let silent = Script::new().expect_bytes(ASKED).send(*b"S").hang();
    let peer = ScriptedPeer::start([silent]).await.unwrap();
    let refused = preferring(&peer).connect_timeout(Duration::from_millis(50)).connect().await.unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::Timeout, "{refused}");
}

/// As libpq, `prefer` does without where a handshake fails, on a new connection; and `allow` never asks where it gets in.
#[tokio::test]
async fn a_handshake_that_fails_is_made_up_for_by_prefer() {
    let fails = Script::new().expect_bytes(ASKED).send(*b"S").expect_bytes(5).send(*b"no TLS at all").close();
    let peer = ScriptedPeer::start([fails, Script::greeting()]).await.unwrap();
    drop(preferring(&peer).connect().await.unwrap());
    assert_eq!(peer.finish().await.unwrap().len(), 2);

    let none = Script::new().expect_bytes(ASKED).send(*b"N").startup();
    let welcome = [&frame(b'R', &[0; 4])[..], &frame(b'Z', b"I")].concat();
    let peer = ScriptedPeer::start([none.send(welcome)]).await.unwrap();
    drop(preferring(&peer).connect().await.unwrap());
    // The same connection went on.
    assert_eq!(peer.finish().await.unwrap().len(), 1);
}

#[tokio::test]
async fn direct_negotiation() {
    let Some((db, files)) = encrypted() else { return };
    let folder = db.cluster().folder().unwrap();
    let server = ([127, 0, 0, 1], db.cluster().port()).into();
    let direct = |port: u16| {
        let config = to(db.cluster(), Role::Scram, &root(&files.ca)).ssl_mode(SslMode::VerifyFull);
        config.port(port).ssl_negotiation(SslNegotiation::Direct)
    };
    let front = Front::start(folder, &[b"postgresql"], server).await;
    let connection = direct(front.port).connect().await.unwrap();
    assert_eq!(connection.fetch_scalar::<i32>("SELECT 6 * 7", ()).await.unwrap(), 42);
    assert_eq!(
        connection.fetch_scalar::<String>("SELECT current_user::text", ()).await.unwrap(),
        Role::Scram.name()
    );

    // Something else may answer on that port: it has to say that it speaks the protocol.
    for other in [&[][..], &[&b"http/1.1"[..]]] {
        let front = Front::start(folder, other, server).await;
        let refused = direct(front.port).connect().await.unwrap_err();
        assert_eq!(refused.kind(), ErrorKind::Tls, "{refused}");
        assert!(refused.to_string().contains("PostgreSQL's protocol"), "{refused}");
    }

    if db.cluster().version() < 170_000 {
        let refused = direct(db.cluster().port()).connect().await.unwrap_err();
        assert_eq!(refused.kind(), ErrorKind::Tls, "{refused}");
    } else {
        direct(db.cluster().port()).connect().await.unwrap();
    }
}
