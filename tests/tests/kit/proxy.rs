//! The fault proxy, between a plain socket and an echo server.

use std::time::Duration;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream, UnixStream};
use tokio::time::timeout;
use wreath_tests::{Cluster, Counts, Direction, Endpoint, Fault, FaultProxy};

/// Every server answers it by one byte.
const SSL_REQUEST: &[u8] = &[0, 0, 0, 8, 4, 210, 22, 47];
/// Long enough that nothing comes any more, short enough to wait for.
const QUIET: Duration = Duration::from_millis(100);

/// A proxy in front of a server that sends everything back, and a client of it.
async fn echo() -> (FaultProxy, TcpStream) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    tokio::spawn(async move {
        while let Ok((socket, _)) = listener.accept().await {
            tokio::spawn(async move {
                let (mut from, mut to) = socket.into_split();
                tokio::io::copy(&mut from, &mut to).await
            });
        }
    });
    let proxy = FaultProxy::start_tcp("127.0.0.1", port).await.unwrap();
    let client = TcpStream::connect(proxy.address()).await.unwrap();
    client.set_nodelay(true).unwrap();
    (proxy, client)
}

async fn round_trip(client: &mut TcpStream, bytes: &[u8]) {
    client.write_all(bytes).await.unwrap();
    let mut back = vec![0; bytes.len()];
    client.read_exact(&mut back).await.unwrap();
    assert_eq!(back, bytes);
}

#[tokio::test]
async fn bytes_pass_and_are_counted() {
    let (proxy, mut client) = echo().await;
    round_trip(&mut client, b"one").await;
    round_trip(&mut client, b"three").await;
    let traffic = proxy.reset();
    assert_eq!(traffic.connections, 1);
    assert_eq!(traffic.flights, 2);
    assert_eq!(traffic.to_server, Counts { chunks: 2, bytes: 8 });
    assert_eq!(traffic.to_client, Counts { chunks: 2, bytes: 8 });
    assert_eq!(proxy.traffic().flights, 0);
    // More than one chunk, in both directions at once.
    let (mut from, mut to) = client.split();
    let sent = vec![7; 1 << 20];
    let mut back = vec![0; sent.len()];
    let (wrote, read) = tokio::join!(to.write_all(&sent), from.read_exact(&mut back));
    wrote.unwrap();
    read.unwrap();
    assert_eq!(back, sent);
    assert_eq!(proxy.traffic().to_client.bytes, 1 << 20);
}

#[tokio::test]
async fn a_cut_falls_after_the_given_byte() {
    let (proxy, mut client) = echo().await;
    round_trip(&mut client, b"before").await;
    proxy.set(Direction::ToClient, Fault::CutAfter(4));
    client.write_all(b"0123456789").await.unwrap();
    let mut rest = Vec::new();
    client.read_to_end(&mut rest).await.unwrap();
    assert_eq!(rest, b"0123");
}

#[tokio::test]
async fn a_cut_on_command_spares_new_connections() {
    let (proxy, mut client) = echo().await;
    round_trip(&mut client, b"before").await;
    proxy.cut();
    assert!(!matches!(client.read(&mut [0]).await, Ok(1..)));
    let mut again = TcpStream::connect(proxy.address()).await.unwrap();
    round_trip(&mut again, b"after").await;
    assert_eq!(proxy.traffic().connections, 2);
}

#[tokio::test]
async fn stalled_bytes_arrive_later_and_swallowed_ones_never() {
    let (proxy, mut client) = echo().await;
    round_trip(&mut client, b"before").await;
    proxy.set(Direction::ToServer, Fault::Stall);
    client.write_all(b"held").await.unwrap();
    assert!(timeout(QUIET, client.read_u8()).await.is_err());
    proxy.set(Direction::ToServer, Fault::Pass);
    let mut back = [0; 4];
    client.read_exact(&mut back).await.unwrap();
    assert_eq!(&back, b"held");

    proxy.set(Direction::ToServer, Fault::BlackHole);
    client.write_all(b"lost").await.unwrap();
    assert!(timeout(QUIET, client.read_u8()).await.is_err());
    assert_eq!(proxy.traffic().to_server.bytes, 14);
    proxy.set(Direction::ToServer, Fault::Pass);
    round_trip(&mut client, b"after").await;
}

#[tokio::test]
async fn delayed_bytes_keep_their_order() {
    let (proxy, mut client) = echo().await;
    let delay = Duration::from_millis(50);
    proxy.set(Direction::ToClient, Fault::Delay(delay));
    let start = std::time::Instant::now();
    round_trip(&mut client, b"0123456789").await;
    round_trip(&mut client, b"abc").await;
    assert!(start.elapsed() >= 2 * delay);
}

#[tokio::test]
async fn split_bytes_arrive_whole() {
    let (proxy, mut client) = echo().await;
    proxy.set(Direction::ToClient, Fault::Split(3));
    round_trip(&mut client, b"0123456789").await;
}

#[tokio::test]
async fn a_dropped_proxy_ends_its_connections() {
    let (proxy, mut client) = echo().await;
    round_trip(&mut client, b"before").await;
    let address = proxy.address();
    drop(proxy);
    assert!(!matches!(client.read(&mut [0]).await, Ok(1..)));
    // The acceptor's socket closes once its task has been dropped.
    while TcpStream::connect(address).await.is_ok() {
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn a_stopped_proxy_has_closed_its_connections() {
    let (proxy, mut client) = echo().await;
    round_trip(&mut client, b"before").await;
    let address = proxy.address();
    proxy.stop().await;
    assert!(!matches!(client.try_read(&mut [0]), Ok(1..)));
    assert!(TcpStream::connect(address).await.is_err());
}

#[tokio::test]
async fn it_can_listen_on_a_socket() {
    let cluster = Cluster::shared();
    let proxy = FaultProxy::start_unix(cluster).await.unwrap();
    let Endpoint::Unix(folder, port) = proxy.endpoint().clone() else { panic!("{}", proxy.endpoint()) };
    assert!(proxy.dsn("x").ends_with(&format!("@/x?host={}&port={port}", folder.display())));
    let mut client = UnixStream::connect(folder.join(format!(".s.PGSQL.{port}"))).await.unwrap();
    client.write_all(SSL_REQUEST).await.unwrap();
    assert!(matches!(client.read_u8().await.unwrap(), b'S' | b'N'));
    drop(proxy);
    while folder.exists() {
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn it_leads_to_a_test_server() {
    let cluster = Cluster::shared();
    let proxy = FaultProxy::start(cluster).await.unwrap();
    assert!(proxy.dsn("x").contains(&proxy.address().to_string()));
    let mut client = TcpStream::connect(proxy.address()).await.unwrap();
    client.write_all(SSL_REQUEST).await.unwrap();
    assert!(matches!(client.read_u8().await.unwrap(), b'S' | b'N'));
}
