//! Connections that die: everybody who waits is told, and nobody is handed what is broken.

use std::time::Duration;

use tokio::time::timeout;
use wreath_driver::{Config, ErrorKind, Pool, PoolConfig};
use wreath_tests::{Cluster, Direction, Fault};

use crate::{answers, backend, connect, farm, proxied};

/// Nobody may wait longer than this, however slow the machine.
const PATIENCE: Duration = Duration::from_secs(30);

#[tokio::test]
async fn a_killed_backend_fails_everybody_who_waits() {
    let db = farm();
    let connection = connect(&db).await;
    let pid = backend(&connection).await;
    let waiting: Vec<_> = (0..8)
        .map(|_| {
            let connection = connection.clone();
            tokio::spawn(async move { connection.fetch("SELECT pg_sleep(600)", ()).await })
        })
        .collect();
    let mut admin = db.admin();
    let kill = format!(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid = {pid} AND query ~ 'pg_sleep' AND state = 'active'"
    );
    while admin.query(&kill).unwrap().is_empty() {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    for caller in waiting {
        let error = timeout(PATIENCE, caller).await.expect("nobody waits for ever").unwrap().unwrap_err();
        assert!(error.is_connection_lost(), "{error:?}");
        assert!(error.to_string().contains("terminating connection"), "{error}");
    }
    let after = connection.fetch("SELECT 1", ()).await.unwrap_err();
    assert!(after.is_connection_lost(), "{after:?}");
    assert!(connection.is_closed());
}

#[tokio::test]
async fn an_idle_connection_notices_that_its_backend_was_killed() {
    let db = farm();
    let connection = connect(&db).await;
    let pid = backend(&connection).await;
    db.admin().query(&format!("SELECT pg_terminate_backend({pid}, 10000)")).unwrap();
    let closed = async {
        while !connection.is_closed() {
            tokio::task::yield_now().await;
        }
    };
    timeout(PATIENCE, closed).await.expect("the end of the connection is noticed without a statement");
    let error = connection.fetch("SELECT 1", ()).await.unwrap_err();
    assert!(error.to_string().contains("terminating connection"), "{error}");
}

#[tokio::test]
async fn a_killed_server_fails_everybody_and_a_pool_recovers() {
    let cluster = match Cluster::start() {
        Ok(cluster) => cluster,
        Err(error) => return wreath_tests::skip("pg", &error.to_string()),
    };
    let db = cluster.database();
    let config: Config = db.dsn().parse().unwrap();
    let pool = Pool::new(config, PoolConfig { max_size: 2, ..PoolConfig::default() }).unwrap();
    let lease = pool.acquire().await.unwrap();
    assert!(answers(&lease).await);
    cluster.kill();
    // The process that serves the connection ends in its own time.
    let lost = async {
        loop {
            if let Err(error) = lease.fetch("SELECT 1", ()).await {
                return error;
            }
        }
    };
    let error = timeout(PATIENCE, lost).await.expect("the loss is noticed");
    assert!(error.is_connection_lost(), "{error:?}");
    drop(lease);
    let down = pool.acquire().await.map(drop).unwrap_err();
    assert!(matches!(down.kind(), ErrorKind::Connect | ErrorKind::Timeout), "{down:?}");
    cluster.restart();
    let lease = timeout(PATIENCE, pool.acquire()).await.unwrap().unwrap();
    assert!(answers(&lease).await);
}

#[tokio::test]
async fn a_cut_at_any_byte_of_a_reply_is_an_error_and_not_a_short_result() {
    let db = farm();
    let sql = "SELECT id, name FROM llamas WHERE id <= 3 ORDER BY id";
    let (proxy, connection) = proxied(&db).await;
    proxy.reset();
    connection.fetch(sql, ()).await.unwrap();
    let length = usize::try_from(proxy.traffic().to_client.bytes).unwrap();
    assert!(length > 50);
    for cut in (0..length).step_by(7).chain([length - 1]) {
        let (proxy, connection) = proxied(&db).await;
        proxy.set(Direction::ToClient, Fault::CutAfter(cut));
        let outcome = timeout(PATIENCE, connection.fetch(sql, ())).await.expect("a cut is noticed");
        let error = outcome.unwrap_err();
        assert!(error.is_connection_lost(), "{cut} of {length}: {error:?}");
        assert!(connection.fetch(sql, ()).await.is_err());
    }
}

#[tokio::test]
async fn a_commit_whose_answer_is_lost_has_an_unknown_outcome() {
    let db = farm();
    let (proxy, connection) = proxied(&db).await;
    let transaction = connection.begin().await.unwrap();
    transaction.execute("DELETE FROM llamas WHERE id = $1", (5_i64,)).await.unwrap();
    proxy.set(Direction::ToClient, Fault::CutAfter(1));
    let error = timeout(PATIENCE, transaction.commit()).await.unwrap().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::OutcomeUnknown, "{error}");
    // As it happens, it has taken effect.
    let left = "SELECT count(*)::text FROM llamas WHERE id = 5";
    let mut admin = db.admin();
    for _ in 0..1000 {
        if admin.query(left).unwrap() == [[Some("0".to_owned())]] {
            return;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("the server did not get the COMMIT");
}

#[tokio::test]
async fn a_server_that_accepts_and_says_nothing_does_not_hold_connect_for_ever() {
    let db = farm();
    let (proxy, _) = proxied(&db).await;
    proxy.set(Direction::ToClient, Fault::BlackHole);
    let config: Config = proxy.dsn(db.name()).parse().unwrap();
    let error = config.connect_timeout(Duration::from_millis(200)).connect().await.unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Connect | ErrorKind::Timeout), "{error:?}");
    proxy.stop().await;
}
