//! Servers that no one should talk to: a typed error, soon, and no panic.

use std::time::Duration;

use tokio::time::timeout;
use wreath_driver::{Error, ErrorKind};
use wreath_tests::{Script, ScriptedPeer, frame};

/// What a client meets that connects to a server of this script and asks it something.
async fn ask(script: Script) -> Error {
    let peer = ScriptedPeer::start([script]).await.unwrap();
    let asked = async {
        let connection = wreath_driver::connect(&peer.dsn()).await?;
        connection.fetch("SELECT 1", ()).await.map(|_| ())
    };
    let outcome = timeout(Duration::from_secs(30), asked).await.expect("the client gives up by itself");
    outcome.expect_err("this is no answer")
}

#[tokio::test]
async fn a_server_that_is_none_is_told_from_one_that_is() {
    let web = Script::new().startup().send("HTTP/1.1 400 Bad Request\r\n\r\n").close();
    let error = ask(web).await;
    assert!(matches!(error.kind(), ErrorKind::Protocol | ErrorKind::Connect), "{error:?}");
    let mute = Script::new().startup().close();
    let error = ask(mute).await;
    assert!(matches!(error.kind(), ErrorKind::Connect | ErrorKind::Closed | ErrorKind::Io), "{error:?}");
}

#[tokio::test]
async fn replies_that_break_the_protocol_end_the_connection() {
    let greeted = || Script::greeting().expect_all(b"PDBES");
    let row =
        [&frame(b'1', b"")[..], &frame(b'2', b""), &frame(b'D', &[0, 1, 0, 0, 0, 4, 0, 0, 0, 1])].concat();
    let described = |count: [u8; 2]| [frame(b'1', b""), frame(b'2', b""), frame(b'T', &count)].concat();
    let cases: [(&str, Vec<u8>); 9] = [
        ("an unknown frame", frame(b'!', b"?")),
        ("a length below its own", vec![b'Z', 0, 0, 0, 3]),
        ("a negative length", vec![b'Z', 0xff, 0xff, 0xff, 0xff]),
        ("a frame that would fill the memory", vec![b'D', 0x7f, 0xff, 0xff, 0xff]),
        ("a row that was never described", row),
        ("columns that are not there", described([0x7f, 0xff])),
        ("ready before anything was done", frame(b'Z', b"I")),
        ("a status that there is none of", frame(b'Z', b"Q")),
        (
            "a copy that nobody asked for",
            [frame(b'1', b""), frame(b'2', b""), frame(b'H', &[9, 0, 1])].concat(),
        ),
    ];
    for (what, reply) in cases {
        let error = ask(greeted().send(reply).close()).await;
        let is_typed = matches!(error.kind(), ErrorKind::Protocol | ErrorKind::Closed | ErrorKind::Io);
        assert!(is_typed, "{what}: {error:?}");
    }
}

#[tokio::test]
async fn an_authentication_that_asks_too_much_is_refused() {
    let scram = |text: &str| [&10_u32.to_be_bytes()[..], text.as_bytes()].concat();
    let final_rounds = "r=kit,s=c2FsdA==,i=2000000000";
    let continued = [&11_u32.to_be_bytes()[..], final_rounds.as_bytes()].concat();
    let cases = [
        (
            "an unknown method",
            ErrorKind::Protocol,
            Script::new().startup().send(frame(b'R', &99_u32.to_be_bytes())).close(),
        ),
        (
            "mechanisms unheard of",
            ErrorKind::Auth,
            Script::new().startup().send(frame(b'R', &scram("ROT13\0\0"))).close(),
        ),
        (
            "a nonce that is not ours and rounds for hours",
            ErrorKind::Auth,
            Script::new()
                .startup()
                .send(frame(b'R', &scram("SCRAM-SHA-256\0\0")))
                .expect(b'p')
                .send(frame(b'R', &continued))
                .close(),
        ),
    ];
    for (what, kind, script) in cases {
        let peer = ScriptedPeer::start([script]).await.unwrap();
        let dsn = peer.dsn().replace("scripted@", "scripted:secret@");
        let connecting = timeout(Duration::from_secs(30), wreath_driver::connect(&dsn));
        let error = connecting.await.expect("the client gives up by itself").expect_err("no such server");
        assert_eq!(error.kind(), kind, "{what}: {error:?}");
    }
}
