//! A primary and its standby, and sessions that can do what was asked for.

use wreath_driver::{Config, ErrorKind, TargetSessionAttrs};
use wreath_tests::{Cluster, Role, Script, ScriptedPeer, frame, skip};

use crate::{dead_port, psql};

use TargetSessionAttrs as T;

const ALL: [T; 6] = [T::Any, T::ReadWrite, T::ReadOnly, T::Primary, T::Standby, T::PreferStandby];

/// A server and its standby.
fn pair() -> Option<(Cluster, Cluster)> {
    if !Cluster::shared().is_ours() {
        skip("pg", "only the kit can start a standby");
        return None;
    }
    let primary = Cluster::start().unwrap();
    let standby = primary.standby().unwrap();
    Some((primary, standby))
}

fn dsn(ports: &[u16], target: T) -> String {
    let hosts = vec!["127.0.0.1"; ports.len()].join(",");
    let ports: Vec<String> = ports.iter().map(u16::to_string).collect();
    let (user, target) = (Role::Trust.name(), target.name());
    let ports = ports.join(",");
    format!(
        "host={hosts} port={ports} dbname=postgres user={user} sslmode=disable target_session_attrs={target}"
    )
}

/// The port of the server that is taken, or nothing when none will do.
async fn taken(dsn: &str) -> Option<u16> {
    match wreath_driver::connect(dsn).await {
        Ok(connection) => {
            let port = connection.fetch_scalar::<i32>("SELECT inet_server_port()", ()).await.unwrap();
            Some(port.try_into().unwrap())
        }
        Err(e) => {
            assert_eq!(e.kind(), ErrorKind::Connect, "{e}");
            assert!(e.to_string().contains("target_session_attrs"), "{e}");
            None
        }
    }
}

#[tokio::test]
async fn the_server_that_was_asked_for_is_taken() {
    let Some((primary, standby)) = pair() else { return };
    let (p, s) = (primary.port(), standby.port());
    let dead = dead_port();
    for (ports, expected) in [
        // In the order of `ALL`.
        (vec![p, s], [Some(p), Some(p), Some(s), Some(p), Some(s), Some(s)]),
        (vec![s, p], [Some(s), Some(p), Some(s), Some(p), Some(s), Some(s)]),
        (vec![p], [Some(p), Some(p), None, Some(p), None, Some(p)]),
        (vec![s], [Some(s), None, Some(s), None, Some(s), Some(s)]),
        (vec![dead, p], [Some(p), Some(p), None, Some(p), None, Some(p)]),
        (vec![dead, s, p], [Some(s), Some(p), Some(s), Some(p), Some(s), Some(s)]),
    ] {
        for (target, expected) in ALL.into_iter().zip(expected) {
            let dsn = dsn(&ports, target);
            let refused_alone = ports.contains(&dead) && expected.is_none();
            let found = if refused_alone { None } else { taken(&dsn).await };
            assert_eq!(found, expected, "{dsn}");
            // libpq comes in where we do.
            let Some(theirs) = psql(&dsn) else { continue };
            assert_eq!(theirs.is_some(), expected.is_some(), "{dsn}");
        }
    }

    // A session that is read-only by its settings.
    let read_only = format!("{} options='-c default_transaction_read_only=on'", dsn(&[p], T::ReadWrite));
    assert_eq!(taken(&read_only).await, None);
    assert_eq!(taken(&read_only.replace("read-write", "read-only")).await, Some(p));
    assert_eq!(taken(&read_only.replace("read-write", "primary")).await, Some(p));

    // After a failover the other one is the primary.
    primary.stop();
    standby.promote();
    assert_eq!(taken(&dsn(&[p, s], T::ReadWrite)).await, Some(s));
    assert_eq!(taken(&dsn(&[p, s], T::PreferStandby)).await, Some(s));
}

/// As an old server, or a pooler that keeps to itself what it knows.
#[tokio::test]
async fn a_server_that_does_not_say_it_is_asked() {
    let answer = |word: &[u8]| {
        let length = i32::try_from(word.len()).unwrap().to_be_bytes();
        let column = [&b"\0\x01x\0\0\0\0\0\0\0\0\0\0\x19\xff\xff\xff\xff\xff\xff\0\0"[..]].concat();
        let row = [&b"\0\x01"[..], &length, word].concat();
        [frame(b'T', &column), frame(b'D', &row), frame(b'C', b"SHOW\0"), frame(b'Z', b"I")].concat()
    };
    for (target, question, word, wanted) in [
        (T::ReadWrite, "SHOW transaction_read_only", "off", true),
        (T::ReadWrite, "SHOW transaction_read_only", "on", false),
        (T::ReadOnly, "SHOW transaction_read_only", "on", true),
        (T::Primary, "SELECT pg_catalog.pg_is_in_recovery()", "f", true),
        (T::Primary, "SELECT pg_catalog.pg_is_in_recovery()", "t", false),
        (T::Standby, "SELECT pg_catalog.pg_is_in_recovery()", "t", true),
    ] {
        let script = Script::greeting().expect(b'Q').send(answer(word.as_bytes()));
        let peer = ScriptedPeer::start([script]).await.unwrap();
        let config: Config = peer.dsn().parse().unwrap();
        let found = config.target_session_attrs(target).connect().await;
        assert_eq!(found.is_ok(), wanted, "{} {word}", target.name());
        drop(found);
        let heard = peer.finish().await.unwrap();
        assert_eq!(heard[0][1].body, [question.as_bytes(), b"\0"].concat());
    }
    // Any takes what comes.
    let peer = ScriptedPeer::start([Script::greeting()]).await.unwrap();
    peer.dsn().parse::<Config>().unwrap().connect().await.unwrap();
    assert_eq!(peer.finish().await.unwrap()[0].len(), 1);
}
