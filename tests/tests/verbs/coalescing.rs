use std::time::Duration;

use wreath_driver::{Config, Connection, ErrorKind, ParamBuf, Reply, Sql};
use wreath_tests::{Cluster, Database};

/// A connection whose reads share a Sync.
async fn reader(database: &Database) -> Connection {
    let config: Config = database.dsn().parse().unwrap();
    config.coalesce_reads(true).options("-c default_transaction_read_only=on").connect().await.unwrap()
}

fn send(connection: &Connection, sql: &str, n: i64) -> Reply {
    let mut params = ParamBuf::new();
    params.push(&n).unwrap();
    connection.send(&Sql::new(sql), params)
}

/// When the transaction began that a statement ran in.
async fn times(connection: &Connection, sqls: &[&str]) -> Vec<String> {
    let replies: Vec<_> = sqls.iter().map(|sql| connection.send(&Sql::new(*sql), ParamBuf::new())).collect();
    let mut times = Vec::new();
    for reply in replies {
        times.push(reply.await.unwrap().first().unwrap().get::<&str>(0).unwrap().to_owned());
    }
    times
}

#[tokio::test]
async fn reads_that_are_sent_together_are_one_transaction_and_others_are_not() {
    let database = Cluster::shared().database();
    let now = "SELECT now()::text";
    let reading = reader(&database).await;
    let same = times(&reading, &[now, now, now]).await;
    assert!(same[0] == same[1] && same[1] == same[2], "{same:?}");
    let later = times(&reading, &[now]).await;
    assert_ne!(same[0], later[0]);
    // What governs the session goes by itself, and so does everything once the session may write.
    let apart = times(&reading, &[now, "SHOW server_version", now]).await;
    assert_ne!(apart[0], apart[2]);
    reading.execute("SET default_transaction_read_only = off", ()).await.unwrap();
    let apart = times(&reading, &[now, now]).await;
    assert_ne!(apart[0], apart[1]);
    let writing = wreath_driver::connect(&database.dsn()).await.unwrap();
    let apart = times(&writing, &[now, now]).await;
    assert_ne!(apart[0], apart[1]);
}

#[tokio::test]
async fn a_neighbours_failure_is_noticed_by_nobody_else() {
    let database = Cluster::shared().database();
    let connection = reader(&database).await;
    for failing in 0..5 {
        let replies: Vec<_> = (0..5_i64)
            .map(|n| match (n == failing, n % 2) {
                (true, 0) => send(&connection, "SELECT 1 / ($1::int8 - $1)", n),
                (true, _) => send(&connection, "SELEKT $1", n),
                _ => send(&connection, &format!("SELECT $1::int8 * 2 /* {failing} {n} */"), n),
            })
            .collect();
        for (n, reply) in (0..).zip(replies) {
            match reply.await {
                Ok(rows) => assert_eq!(rows.first().unwrap().get::<i64>(0).unwrap(), 2 * n),
                Err(e) => {
                    assert_eq!(n, failing);
                    assert!(matches!(e.sqlstate(), Some("22012" | "42601")), "{e}");
                }
            }
        }
    }
    let held: i64 = connection.fetch_scalar("SELECT count(*) FROM pg_prepared_statements", ()).await.unwrap();
    assert_eq!(u64::try_from(held).unwrap(), connection.stats().prepared);
}

/// Many callers at once, of whom some fail, some lose patience, and some ask for what has no binary form.
#[tokio::test]
async fn many_callers_each_get_their_own_result() {
    let database = Cluster::shared().database();
    let connection = reader(&database).await;
    let callers: Vec<_> = (0..96_i64)
        .map(|caller| {
            let connection = connection.clone();
            tokio::spawn(async move {
                for n in 0..40_i64 {
                    let n = n * 100 + caller;
                    match n % 17 {
                        3 => {
                            let failed =
                                connection.fetch("SELECT 1 / ($1::int8 - $1)", (n,)).await.unwrap_err();
                            assert_eq!(failed.sqlstate(), Some("22012"), "{failed}");
                        }
                        5 => {
                            let ask = connection.fetch("SELECT $1::int8", (n,));
                            let _ = tokio::time::timeout(Duration::ZERO, ask).await;
                        }
                        7 => {
                            let sql = format!("SELECT makeaclitem(10, 10, 'SELECT', false), {}", n % 5);
                            assert_eq!(connection.fetch(&sql, ()).await.unwrap().len(), 1);
                        }
                        11 => {
                            let refused = connection.execute("CREATE TABLE t (x int)", ()).await.unwrap_err();
                            assert_eq!(refused.sqlstate(), Some("25006"), "{refused}");
                        }
                        _ => {
                            let doubled: i64 =
                                connection.fetch_scalar("SELECT $1::int8 * 2", (n,)).await.unwrap();
                            assert_eq!(doubled, 2 * n);
                        }
                    }
                }
            })
        })
        .collect();
    for caller in callers {
        tokio::time::timeout(Duration::from_secs(60), caller).await.expect("nobody waits for ever").unwrap();
    }
}

#[tokio::test]
async fn a_slow_neighbour_is_cancelled_when_nobody_waits_for_any() {
    let database = Cluster::shared().database();
    let connection = reader(&database).await;
    let slow = send(&connection, "SELECT pg_sleep(600), $1::int8", 1);
    let quick = send(&connection, "SELECT $1::int8", 2);
    let mut both = Box::pin(async { tokio::join!(slow, quick) });
    // Until the server has them.
    let running = "SELECT count(*)::text FROM pg_stat_activity WHERE query LIKE '%pg_sleep(600)%' AND state = 'active' AND pid <> pg_backend_pid()";
    loop {
        let _ = tokio::time::timeout(Duration::from_millis(5), &mut both).await.unwrap_err();
        if database.admin().query(running).unwrap()[0][0].as_deref() == Some("1") {
            break;
        }
    }
    drop(both);
    let after =
        tokio::time::timeout(Duration::from_secs(60), connection.fetch_scalar::<i32>("SELECT 3", ())).await;
    assert_eq!(after.expect("it was cancelled").unwrap(), 3);
}

#[tokio::test]
async fn transactions_and_pipelines_have_their_own() {
    let database = Cluster::shared().database();
    let connection = reader(&database).await;
    let before = send(&connection, "SELECT $1::int8", 1);
    let mut pipeline = connection.pipeline();
    let fails = pipeline.fetch("SELECT 1 / 0", ()).unwrap();
    let skipped = pipeline.fetch("SELECT 2", ()).unwrap();
    let settling = pipeline.settle();
    let (before, results) = tokio::join!(before, settling);
    assert_eq!(before.unwrap().len(), 1);
    let mut results = results.unwrap();
    assert_eq!(results.take(fails).unwrap_err().sqlstate(), Some("22012"));
    assert_eq!(results.take(skipped).unwrap_err().kind(), ErrorKind::NotRun);
    let tx = connection.transaction().read_write().begin().await.unwrap();
    tx.execute("CREATE TABLE t AS SELECT 1 AS x", ()).await.unwrap();
    assert_eq!(tx.fetch_scalar::<i32>("SELECT x FROM t", ()).await.unwrap(), 1);
    tx.commit().await.unwrap();
    assert_eq!(connection.fetch_scalar::<i32>("SELECT x FROM t", ()).await.unwrap(), 1);
}
