//! Versions of the protocol.

use std::time::Duration;

use wreath_driver::{Config, ErrorKind, ProtocolVersion};
use wreath_tests::{Cluster, Role, Script, ScriptedPeer, frame};

use crate::{over_tcp, whoami};

fn welcome(key: &[u8]) -> Vec<u8> {
    let key = [&[0, 0, 0, 7], key].concat();
    [frame(b'R', &[0; 4]), frame(b'K', &key), frame(b'Z', b"I")].concat()
}

fn answers(version: [u8; 4], options: &[u8], count: u8) -> Vec<u8> {
    frame(b'v', &[&version[..], &[0, 0, 0, count], options].concat())
}

#[tokio::test]
async fn the_newest_is_asked_for_and_the_server_s_is_taken() {
    let asked = async |config: fn(Config) -> Config, script: Script| {
        let peer = ScriptedPeer::start([script]).await.unwrap();
        let found = config(peer.dsn().parse().unwrap()).connect().await.map(drop);
        (found, peer.finish().await.unwrap()[0][0].body[..4].to_vec())
    };
    let newest = |config: Config| config.max_protocol_version(ProtocolVersion::LATEST);
    let demanding = |config: Config| config.min_protocol_version(ProtocolVersion::V3_2);
    let (old, new) = ([0, 3, 0, 0], [0, 3, 0, 2]);

    let (found, sent) = asked(|config| config, Script::greeting()).await;
    assert!(found.is_ok() && sent == old);
    let (found, sent) = asked(newest, Script::new().startup().send(welcome(&[7; 256]))).await;
    assert!(found.is_ok() && sent == new);
    let down = || Script::new().startup().send([answers(old, b"", 0), welcome(&[7; 4])].concat());
    assert!(asked(newest, down()).await.0.is_ok());
    let refused = asked(demanding, down()).await.0.unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::Connect);
    assert!(refused.to_string().contains("min_protocol_version=3.2"), "{refused}");

    // Versions that nobody asked for, or that are none; options that nobody asked for; and all of it twice.
    for (version, options, count) in [
        (new, &b""[..], 0),
        ([0, 3, 0, 1], b"", 0),
        ([0, 3, 0, 3], b"", 0),
        ([0, 2, 0, 0], b"", 0),
        ([0, 4, 0, 0], b"", 0),
        (old, b"_pq_.x\0", 1),
    ] {
        let script =
            Script::new().startup().send([answers(version, options, count), welcome(&[7; 4])].concat());
        let refused = asked(newest, script).await.0.unwrap_err();
        assert_eq!(refused.kind(), ErrorKind::Protocol, "{version:?}: {refused}");
    }
    let twice = [answers(old, b"", 0), answers(old, b"", 0), welcome(&[7; 4])].concat();
    assert_eq!(
        asked(newest, Script::new().startup().send(twice)).await.0.unwrap_err().kind(),
        ErrorKind::Protocol
    );
    let unasked = [answers(old, b"", 0), welcome(&[7; 4])].concat();
    let (refused, _) = asked(|config| config, Script::new().startup().send(unasked)).await;
    assert_eq!(refused.unwrap_err().kind(), ErrorKind::Protocol);
}

/// The key that a cancel request carries is the whole of what the server gave.
#[tokio::test]
async fn long_keys() {
    for length in [4, 32, 256] {
        let key: Vec<u8> = (0..length).map(|n: u16| n.to_le_bytes()[0]).collect();
        let request = [&[0, 0, 0, 7], &key[..]].concat();
        let scripts = [Script::new().startup().send(welcome(&key)), Script::new().startup().close()];
        let peer = ScriptedPeer::start(scripts).await.unwrap();
        let config: Config = peer.dsn().parse().unwrap();
        let connection = config.max_protocol_version(ProtocolVersion::V3_2).connect().await.unwrap();
        let token = connection.cancel_token().unwrap();
        drop(connection);
        token.cancel().await.unwrap();
        let heard = peer.finish().await.unwrap();
        assert!(heard[1][0].body.ends_with(&request), "{length}");
    }
}

#[tokio::test]
async fn servers_old_and_new() {
    let Some(cluster) = Cluster::shared_ours() else { return };
    let db = cluster.database();
    let config = over_tcp(&db).user(Role::Trust.name());
    let cancels = async |config: &Config| {
        let connection = config.connect().await.unwrap();
        assert_eq!(whoami(&connection).await.unwrap().0, Role::Trust.name());
        let limited = connection.within(Duration::from_millis(50));
        let stopped = limited.execute("SELECT pg_sleep(3600)", ()).await.unwrap_err();
        assert_eq!(stopped.kind(), ErrorKind::Timeout);
        assert_eq!(connection.fetch_scalar::<i32>("SELECT 7", ()).await.unwrap(), 7);
    };
    cancels(&config.clone().max_protocol_version(ProtocolVersion::LATEST)).await;
    let demanding = config.min_protocol_version(ProtocolVersion::V3_2);
    if cluster.version() < 180_000 {
        let refused = demanding.connect().await.unwrap_err();
        assert_eq!(refused.kind(), ErrorKind::Connect, "{refused}");
    }
    let Some(newer) = Cluster::at_least(180_000) else { return };
    cancels(&demanding.dbname("postgres").port(newer.port())).await;
}
