//! What goes over an encrypted connection once it is there.

use std::future::Future;
use std::pin::pin;
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use wreath_driver::{Config, Connection, ErrorKind, SslMode, SslNegotiation};
use wreath_tests::{Cluster, Direction, Fault, FaultProxy, Role, Script, ScriptedPeer, frame};

use crate::front::Front;
use crate::{encrypted, is_encrypted, own_server, root, to};

async fn connected(cluster: &Cluster) -> Connection {
    let ca = root(&cluster.tls().unwrap().ca);
    let connection = to(cluster, Role::Tls, &ca).ssl_mode(SslMode::VerifyFull).connect().await.unwrap();
    assert!(is_encrypted(&connection).await);
    connection
}

async fn digest(connection: &Connection, bytes: &[u8]) -> String {
    connection.fetch_scalar("SELECT md5($1::bytea)", (bytes,)).await.unwrap()
}

#[tokio::test]
async fn much_in_both_directions() {
    let Some((db, _)) = encrypted() else { return };
    let connection = connected(db.cluster()).await;
    for size in [0, 1, 4_000, 8_192, 16_384, 16_385, 70_000, 1 << 20, 24 << 20] {
        let sent: Vec<u8> = (0..size).map(|n: u32| (n % 251).to_le_bytes()[0]).collect();
        let back: Vec<u8> = connection.fetch_scalar("SELECT $1::bytea", (&sent[..],)).await.unwrap();
        assert!(back == sent, "{size}");
        let expected = digest(&connection, &back).await;
        assert_eq!(digest(&connection, &sent).await, expected);
    }
    let rows = connection.fetch("SELECT g, repeat('x', g % 300) FROM generate_series(1, 200000) g", ()).await;
    let rows = rows.unwrap();
    assert_eq!(rows.len(), 200_000);
    for (n, row) in (1..).zip(&rows) {
        assert_eq!(row.get::<i32>(0).unwrap(), n);
        assert_eq!(row.get::<&str>(1).unwrap().len(), usize::try_from(n % 300).unwrap());
    }
}

/// The proxy's pieces fall anywhere into records, and its buffers fill while both sides send.
#[tokio::test]
async fn much_in_both_directions_by_small_pieces() {
    let Some((db, _)) = encrypted() else { return };
    let proxy = FaultProxy::start_tcp("127.0.0.1", db.cluster().port()).await.unwrap();
    let config = to(db.cluster(), Role::Tls, "sslmode=require").port(proxy.address().port());
    let connection = config.connect().await.unwrap();
    for piece in [1, 7, 1_000, 5_000] {
        proxy.set(Direction::ToClient, Fault::Split(piece));
        proxy.set(Direction::ToServer, Fault::Split(piece));
        let sent: Vec<u8> = (0..50_000_u32).map(|n| (n % 241).to_le_bytes()[0]).collect();
        let callers: Vec<_> = (0..4)
            .map(|_| {
                let (connection, sent) = (connection.clone(), sent.clone());
                tokio::spawn(async move {
                    let back: Vec<u8> =
                        connection.fetch_scalar("SELECT $1::bytea", (&sent[..],)).await.unwrap();
                    assert!(back == sent);
                })
            })
            .collect();
        for caller in callers {
            caller.await.unwrap();
        }
    }
}

/// What rustls has encrypted and the socket does not take yet goes out later, by itself.
#[tokio::test]
async fn a_full_socket_keeps_nothing_back_for_ever() {
    let Some((db, _)) = encrypted() else { return };
    let proxy = FaultProxy::start_tcp("127.0.0.1", db.cluster().port()).await.unwrap();
    let config = to(db.cluster(), Role::Tls, "sslmode=require").port(proxy.address().port());
    // Sends so many bytes while nobody reads, and answers how many were taken before somebody did. Connections are new,
    // because the kernel's buffers grow with use.
    let send = async |size: usize| {
        let connection = config.connect().await.unwrap();
        let before = connection.stats().bytes_out;
        proxy.set(Direction::ToServer, Fault::Stall);
        let (sender, sent) = (connection.clone(), vec![7_u8; size]);
        let sending = tokio::spawn(async move {
            sender.fetch_scalar::<i32>("SELECT length($1::bytea)", (&sent[..],)).await
        });
        tokio::time::sleep(Duration::from_millis(50)).await;
        let taken = usize::try_from(connection.stats().bytes_out - before).unwrap();
        proxy.set(Direction::ToServer, Fault::Pass);
        let answer = tokio::time::timeout(Duration::from_secs(20), sending).await;
        let answer = answer.unwrap_or_else(|_| panic!("the end of {size} bytes was kept back"));
        assert_eq!(usize::try_from(answer.unwrap().unwrap()).unwrap(), size);
        taken
    };
    // The socket and rustls take so much together: a little less is taken whole, and its end is with rustls alone.
    let taken = send(16 << 20).await;
    for less in [1_000, 10_000, 20_000, 30_000, 40_000, 50_000, 60_000] {
        assert!(send(taken - less).await >= taken - less);
    }
}

#[tokio::test]
async fn dropped_futures_leave_the_connection_usable() {
    let Some((db, _)) = encrypted() else { return };
    let connection = connected(db.cluster()).await;
    for n in 0..200_i32 {
        {
            let mut dropped = pin!(connection.fetch("SELECT repeat('x', 50000), $1::int4", (n,)));
            for _ in 0..n % 4 {
                if dropped.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_ready() {
                    break;
                }
                tokio::task::yield_now().await;
            }
        }
        assert_eq!(connection.fetch_scalar::<i32>("SELECT $1 + 0", (n,)).await.unwrap(), n);
    }
    let tx = connection.begin().await.unwrap();
    drop(tx);
    assert_eq!(connection.fetch_scalar::<i32>("SELECT 7", ()).await.unwrap(), 7);
}

#[tokio::test]
async fn many_callers_of_one_connection() {
    let Some((db, _)) = encrypted() else { return };
    let connection = connected(db.cluster()).await;
    let callers: Vec<_> = (0..32_i32)
        .map(|caller| {
            let connection = connection.clone();
            tokio::spawn(async move {
                for n in 0..100 {
                    let sent = caller * 1000 + n;
                    assert_eq!(connection.fetch_scalar::<i32>("SELECT $1 + 0", (sent,)).await.unwrap(), sent);
                }
            })
        })
        .collect();
    for caller in callers {
        caller.await.unwrap();
    }
}

/// Over TLS, since the key would be readable otherwise: the front would not understand it.
#[tokio::test]
async fn cancelling() {
    let Some((db, files)) = encrypted() else { return };
    let connection = connected(db.cluster()).await;
    let limited = connection.within(Duration::from_millis(50)).execute("SELECT pg_sleep(3600)", ()).await;
    assert_eq!(limited.unwrap_err().kind(), ErrorKind::Timeout);
    assert_eq!(connection.fetch_scalar::<i32>("SELECT 7", ()).await.unwrap(), 7);

    let folder = db.cluster().folder().unwrap();
    let server = ([127, 0, 0, 1], db.cluster().port()).into();
    let front = Front::start(folder, &[b"postgresql"], server).await;
    let config = to(db.cluster(), Role::Scram, &root(&files.ca)).ssl_mode(SslMode::VerifyFull);
    let connection = config.port(front.port).ssl_negotiation(SslNegotiation::Direct).connect().await.unwrap();
    let token = connection.cancel_token().unwrap();
    let sleeping = connection.clone();
    let sleeping = tokio::spawn(async move { sleeping.execute("SELECT pg_sleep(3600)", ()).await });
    let mut admin = db.admin();
    let running = "SELECT 1 FROM pg_stat_activity WHERE usename = 't_scram' AND wait_event = 'PgSleep'";
    while admin.query(running).unwrap().is_empty() {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    token.cancel().await.unwrap();
    assert_eq!(sleeping.await.unwrap().unwrap_err().sqlstate(), Some("57014"));
}

#[tokio::test]
async fn an_idle_connection_notices_its_end() {
    let Some((server, _)) = own_server() else { return };
    let connection = connected(&server).await;
    server.stop();
    while !connection.is_closed() {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    let lost = connection.execute("SELECT 1", ()).await.unwrap_err();
    // The server has said why before it closed.
    assert_eq!(lost.sqlstate(), Some("57P01"), "{lost}");

    // A server that is killed says nothing, not even in TLS.
    server.restart();
    let proxy = FaultProxy::start_tcp("127.0.0.1", server.port()).await.unwrap();
    let config = to(&server, Role::Tls, "sslmode=require").port(proxy.address().port());
    let connection = config.connect().await.unwrap();
    proxy.cut();
    while !connection.is_closed() {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    let lost = connection.execute("SELECT 1", ()).await.unwrap_err();
    assert!(matches!(lost.kind(), ErrorKind::Closed | ErrorKind::Io), "{lost}");
}

#[tokio::test]
async fn an_owner_s_close_is_said_to_the_server() {
    let Some((db, _)) = encrypted() else { return };
    let connection = connected(db.cluster()).await;
    let pid: i32 = connection.fetch_scalar("SELECT pg_backend_pid()", ()).await.unwrap();
    connection.close().await.unwrap();
    let mut admin = db.admin();
    while !admin.query(&format!("SELECT 1 FROM pg_stat_activity WHERE pid = {pid}")).unwrap().is_empty() {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

#[tokio::test]
async fn a_notification_wakes_an_idle_connection() {
    let Some((db, _)) = encrypted() else { return };
    let (listening, notifying) = (connected(db.cluster()).await, connected(db.cluster()).await);
    let notifications = listening.notifications();
    listening.listen("shearings").await.unwrap();
    for n in 0..20 {
        let payload = n.to_string();
        notifying.execute("SELECT pg_notify('shearings', $1)", (&*payload,)).await.unwrap();
        assert_eq!(notifications.recv().await.unwrap().payload, payload);
    }
}

/// What comes in one piece with an answer, and is more than was read for that answer, lies in no socket any more: decrypted
/// or not, it is read without anything else arriving.
#[tokio::test]
async fn what_is_left_behind_an_answer_is_read() {
    let Some((db, files)) = encrypted() else { return };
    let folder = db.cluster().folder().unwrap();
    let completed = |padding: usize| frame(b'C', &[&vec![b'x'; padding][..], b"\0"].concat());
    // A record holds 16 KiB: with 10 notifications everything is in one.
    for (padding, count) in
        [(0, 10_u8), (2_000, 10), (4_000, 10), (7_000, 10), (0, 30), (8_000, 30), (15_000, 30), (16_300, 30)]
    {
        let mut answer = [completed(padding), frame(b'Z', b"I")].concat();
        for n in 0..count {
            let body = [&[0, 0, 0, 1][..], b"wool\0", &vec![b'a' + n % 26; 900], b"\0"].concat();
            answer.extend(frame(b'A', &body));
        }
        let script = Script::greeting().expect(b'Q').send(answer).hang();
        let peer = ScriptedPeer::start([script]).await.unwrap();
        let front = Front::start(folder, &[b"postgresql"], peer.address()).await;
        let config: Config =
            format!("host=localhost hostaddr=127.0.0.1 port={} user=dolly", front.port).parse().unwrap();
        let config = config.ssl_mode(SslMode::VerifyFull).ssl_root_cert(&files.ca);
        let connection = config.ssl_negotiation(SslNegotiation::Direct).connect().await.unwrap();
        let notifications = connection.notifications();
        // The task that watches the connection goes to sleep before.
        tokio::time::sleep(Duration::from_millis(10)).await;
        connection.batch("script").await.unwrap();
        for n in 0..count {
            let next = tokio::time::timeout(Duration::from_secs(20), notifications.recv()).await;
            let payload = next.unwrap_or_else(|_| panic!("{padding}: {n} came")).unwrap().payload;
            assert!(payload.len() == 900 && payload.bytes().all(|b| b == b'a' + n % 26), "{padding} {n}");
        }
    }
}

/// A lone statement waits for one flight, over TLS too.
#[tokio::test]
async fn a_statement_is_one_flight() {
    let Some((db, _)) = encrypted() else { return };
    let connection = connected(db.cluster()).await;
    let before = connection.stats().round_trips;
    for n in 0..10_i32 {
        let mut answer = pin!(connection.fetch_scalar::<i32>("SELECT $1 * 2", (n,)));
        let first = answer.as_mut().poll(&mut Context::from_waker(Waker::noop()));
        assert!(matches!(first, Poll::Pending | Poll::Ready(Ok(_))));
        assert_eq!(answer.await.unwrap(), n * 2);
    }
    assert_eq!(connection.stats().round_trips - before, 10);
}
