use std::future::Future;
use std::pin::pin;
use std::task::{Context, Waker};
use std::time::Duration;

use wreath_driver::{Config, Connection, ErrorKind, ParamBuf, Sql};
use wreath_tests::{Cluster, Database};

use crate::connected;

async fn bounded(database: &Database, bytes: usize) -> Connection {
    let config: Config = database.dsn().parse().unwrap();
    config.max_result_bytes(bytes).connect().await.unwrap()
}

#[tokio::test]
async fn a_result_that_is_too_large_fails_and_leaves_the_connection_usable() {
    let database = Cluster::shared().database();
    let connection = bounded(&database, 100_000).await;
    // A series in the select list is made row by row; in FROM it would be kept as a whole first.
    let rows = |n| format!("SELECT repeat('x', 1000) FROM (SELECT generate_series(1, {n})) g");
    assert_eq!(connection.fetch(&rows(90), ()).await.unwrap().len(), 90);
    for n in [110, 20_000, 1_000_000_000] {
        let refused = connection.fetch(&rows(n), ()).await.unwrap_err();
        assert_eq!(refused.kind(), ErrorKind::ResultTooLarge, "{refused}");
        assert_eq!(connection.fetch_scalar::<i32>("SELECT 7", ()).await.unwrap(), 7);
    }
    // A neighbour does not suffer for it, and what is taken piece by piece may have any size.
    let large = connection.send(&Sql::new(rows(5_000)), ParamBuf::new());
    let small = connection.send(&Sql::new("SELECT 8"), ParamBuf::new());
    let (large, small) = tokio::join!(large, small);
    assert_eq!(large.unwrap_err().kind(), ErrorKind::ResultTooLarge);
    assert_eq!(small.unwrap().first().unwrap().get::<i32>(0).unwrap(), 8);
    let mut stream = connection.stream(&rows(5_000), ()).await.unwrap();
    let mut count = 0;
    while stream.next().await.unwrap().is_some() {
        count += 1;
    }
    assert_eq!(count, 5_000);
}

#[tokio::test]
async fn what_waits_behind_a_copy_is_taken_back_when_nobody_waits_for_it() {
    let (_database, connection) = connected().await;
    connection.batch("CREATE TABLE t (x int); CREATE SEQUENCE s").await.unwrap();
    let mut copy = connection.copy_in("COPY t FROM STDIN").await.unwrap();
    copy.send(b"1\n").await.unwrap();
    {
        // They wait for the copy; one gives up.
        let mut gone = pin!(connection.execute("SELECT nextval('s'), 'gone'", ()));
        assert!(gone.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending());
        let mut script = pin!(connection.batch("SELECT nextval('s'); SELECT pg_sleep(3600)"));
        assert!(script.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending());
        let mut copying = pin!(connection.batch("COPY t TO STDOUT; SELECT pg_sleep(3600)"));
        assert!(copying.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending());
    }
    let stays = connection.send(&Sql::new("SELECT nextval('s')"), ParamBuf::new());
    {
        let mut pipeline = connection.pipeline();
        for _ in 0..3 {
            let _next = pipeline.execute("SELECT nextval('s')", ()).unwrap();
        }
        let mut gone = pin!(pipeline.run());
        assert!(gone.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending());
    }
    let finished = tokio::time::timeout(Duration::from_secs(60), copy.finish()).await.unwrap();
    assert_eq!(finished.unwrap(), 1);
    assert_eq!(stays.await.unwrap().first().unwrap().get::<i64>(0).unwrap(), 1);
    assert_eq!(connection.fetch_scalar::<i64>("SELECT nextval('s')", ()).await.unwrap(), 2);
}

#[tokio::test]
async fn a_statement_that_is_dropped_before_it_was_sent_never_runs() {
    let (_database, connection) = connected().await;
    connection.batch("CREATE SEQUENCE s").await.unwrap();
    let next = Sql::new("SELECT nextval('s')");
    connection.fetch("SELECT nextval('s')", ()).await.unwrap();
    drop(connection.send(&next, ParamBuf::new()));
    let replies: Vec<_> = (0..5).map(|_| connection.send(&next, ParamBuf::new())).collect();
    let mut replies = replies.into_iter();
    drop(replies.nth(1));
    let mut seen = Vec::new();
    for reply in replies {
        seen.push(reply.await.unwrap().first().unwrap().get::<i64>(0).unwrap());
    }
    assert_eq!(seen, [2, 3, 4], "two of five and one alone were taken back");
}
