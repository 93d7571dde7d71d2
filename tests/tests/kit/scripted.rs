//! The scripted peer, against a plain socket.

use std::time::Duration;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpStream, UnixStream};
use tokio::time::timeout;
use wreath_tests::{Endpoint, Received, Script, ScriptedPeer, frame};

const STARTUP: &[u8] = b"\0\0\0\x0a\0\x03\0\0x\0";

async fn connect(peer: &ScriptedPeer) -> TcpStream {
    let socket = TcpStream::connect(peer.address()).await.unwrap();
    socket.set_nodelay(true).unwrap();
    socket
}

#[tokio::test]
async fn scripts_are_played_in_order_to_one_client_each() {
    let first = Script::new().startup().send("hello").close();
    let second = Script::new().expect_bytes(3).send("bye").close();
    let peer = ScriptedPeer::start([first, second]).await.unwrap();
    let mut heard = Vec::new();
    let mut client = connect(&peer).await;
    client.write_all(STARTUP).await.unwrap();
    client.read_to_end(&mut heard).await.unwrap();
    let mut client = connect(&peer).await;
    client.write_all(b"abc").await.unwrap();
    client.read_to_end(&mut heard).await.unwrap();
    assert_eq!(heard, b"hellobye");
    let got = peer.finish().await.unwrap();
    assert_eq!(got[0], [Received { tag: None, body: b"\0\x03\0\0x\0".to_vec() }]);
    assert_eq!(got[1], [Received { tag: None, body: b"abc".to_vec() }]);
}

#[tokio::test]
async fn a_greeting_ends_in_ready() {
    let peer = ScriptedPeer::start([Script::greeting().close()]).await.unwrap();
    let mut client = connect(&peer).await;
    client.write_all(STARTUP).await.unwrap();
    let mut heard = Vec::new();
    client.read_to_end(&mut heard).await.unwrap();
    assert!(heard.starts_with(&frame(b'R', &[0; 4])));
    assert!(heard.ends_with(&frame(b'Z', b"I")));
}

#[tokio::test]
async fn every_split_brings_the_same_bytes() {
    let bytes: Vec<u8> = (0..50).collect();
    for piece in [0, 1, 7, 100] {
        let peer =
            ScriptedPeer::start([Script::new().send_split(bytes.clone(), piece).close()]).await.unwrap();
        let mut heard = Vec::new();
        connect(&peer).await.read_to_end(&mut heard).await.unwrap();
        assert_eq!(heard, bytes);
    }
}

#[tokio::test]
async fn a_client_that_departs_from_the_script_is_reported() {
    let peer = ScriptedPeer::start([Script::new().expect_all(b"PBS")]).await.unwrap();
    let mut client = connect(&peer).await;
    client.write_all(&[frame(b'P', b"x"), frame(b'Q', b"")].concat()).await.unwrap();
    let error = peer.finish().await.unwrap_err();
    assert_eq!(error.to_string(), "step 2: got Q instead of B");

    let peer = ScriptedPeer::start([Script::new().expect(b'P')]).await.unwrap();
    connect(&peer).await.write_all(b"P\0\0\0\x01").await.unwrap();
    let error = peer.finish().await.unwrap_err();
    assert_eq!(error.to_string(), "step 1: a length below 4, waiting for P");
}

#[tokio::test]
async fn a_hanging_peer_says_nothing_until_it_is_dropped() {
    let peer = ScriptedPeer::start([Script::new().startup().hang()]).await.unwrap();
    let mut client = connect(&peer).await;
    client.write_all(STARTUP).await.unwrap();
    assert!(timeout(Duration::from_millis(100), client.read_u8()).await.is_err());
    drop(peer);
    assert!(client.read_u8().await.is_err());
}

#[tokio::test]
async fn it_can_listen_on_a_socket() {
    let peer = ScriptedPeer::start_unix([Script::new().startup().send("hello").close()]).await.unwrap();
    let Endpoint::Unix(folder, port) = peer.endpoint().clone() else { panic!("{}", peer.endpoint()) };
    let mut client = UnixStream::connect(folder.join(format!(".s.PGSQL.{port}"))).await.unwrap();
    client.write_all(STARTUP).await.unwrap();
    let mut heard = Vec::new();
    client.read_to_end(&mut heard).await.unwrap();
    assert_eq!(heard, b"hello");
}
