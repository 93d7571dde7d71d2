use std::time::Duration;

use wreath_driver::{Client, ErrorKind, RowStream};

use crate::connected;

const MANY: &str = "SELECT g, 'row ' || g FROM generate_series(1, $1) g";

/// The rows that are left, which are numbered from `next` on.
async fn rest(stream: &mut RowStream, mut next: i32) -> i32 {
    while let Some(row) = stream.next().await.unwrap() {
        assert_eq!(row.get::<i32>(0).unwrap(), next);
        assert_eq!(row.get::<&str>(1).unwrap(), format!("row {next}"));
        next += 1;
    }
    next - 1
}

async fn portals(client: &Client) -> i64 {
    client.fetch_scalar("SELECT count(*) FROM pg_cursors WHERE name LIKE 'wreath%'", ()).await.unwrap()
}

#[tokio::test]
async fn other_operations_go_on_while_streams_are_read_by_turns() {
    let (_database, connection) = connected().await;
    let tx = connection.begin().await.unwrap();
    for rows in [0, 1, 63, 64, 65, 50_000] {
        let mut one = tx.stream(MANY, (rows,)).await.unwrap();
        let mut two = tx.stream(MANY, (rows,)).await.unwrap();
        assert_eq!(one.columns().len(), 2);
        for n in 1..=rows.min(1000) {
            for stream in [&mut one, &mut two] {
                assert_eq!(stream.next().await.unwrap().unwrap().get::<i32>(0).unwrap(), n);
            }
            if n % 100 == 0 {
                assert_eq!(tx.fetch_scalar::<i32>("SELECT $1::int4", (n,)).await.unwrap(), n);
            }
        }
        for mut stream in [one, two] {
            assert_eq!(rest(&mut stream, rows.min(1000) + 1).await, rows);
            assert_eq!(stream.tag().unwrap().rows(), u64::try_from(rows).unwrap());
            assert!(stream.next().await.unwrap().is_none());
        }
        assert_eq!(portals(&tx).await, 0, "{rows} rows");
    }
    tx.commit().await.unwrap();
}

#[tokio::test]
async fn what_nobody_takes_stays_with_the_server_and_stalls_nobody() {
    let (_database, connection) = connected().await;
    let tx = connection.begin().await.unwrap();
    let sql = "SELECT repeat('x', 10000) FROM (SELECT generate_series(1, 1000000)) g";
    let mut stream = tx.stream(sql, ()).await.unwrap();
    stream.next().await.unwrap().unwrap();
    for n in 0..50 {
        assert_eq!(tx.fetch_scalar::<i32>("SELECT $1::int4", (n,)).await.unwrap(), n);
    }
    let read = tx.stats().bytes_in;
    assert!(read < 2 << 20, "{read} bytes were read");
    for _ in 0..200 {
        stream.next().await.unwrap().unwrap();
    }
    drop(stream);
    assert_eq!(portals(&tx).await, 0);
    tx.commit().await.unwrap();
}

#[tokio::test]
async fn a_stream_waits_for_a_savepoint_inside_and_ends_with_its_transaction() {
    let (_database, connection) = connected().await;
    let tx = connection.begin().await.unwrap();
    let mut stream = tx.stream(MANY, (5_000,)).await.unwrap();
    stream.next().await.unwrap().unwrap();
    let savepoint = tx.begin().await.unwrap();
    let mut seen = 1;
    let refused = loop {
        match stream.next().await {
            Ok(row) => assert!(row.is_some()),
            Err(e) => break e,
        }
        seen += 1;
    };
    assert_eq!(refused.kind(), ErrorKind::InTransaction);
    savepoint.execute("SELECT 1 / 0", ()).await.unwrap_err();
    savepoint.rollback().await.unwrap();
    assert_eq!(rest(&mut stream, seen + 1).await, 5_000);

    let mut stream = tx.stream(MANY, (5_000,)).await.unwrap();
    stream.next().await.unwrap().unwrap();
    tx.commit().await.unwrap();
    let ended = loop {
        match stream.next().await {
            Ok(row) => assert!(row.is_some()),
            Err(e) => break e,
        }
    };
    assert_eq!(ended.kind(), ErrorKind::TransactionClosed);
    drop(stream);
    assert_eq!(connection.fetch_scalar::<i32>("SELECT 7", ()).await.unwrap(), 7);
}

#[tokio::test]
async fn an_error_half_way_fails_the_transaction_behind_the_rows_before_it() {
    let (_database, connection) = connected().await;
    let tx = connection.begin().await.unwrap();
    let mut stream = tx.stream("SELECT 100 / (3000 - g) FROM generate_series(1, 4000) g", ()).await.unwrap();
    let mut rows = 0;
    let error = loop {
        match stream.next().await {
            Ok(row) => assert!(row.is_some()),
            Err(e) => break e,
        }
        rows += 1;
    };
    assert_eq!(error.sqlstate(), Some("22012"));
    assert!((1..3000).contains(&rows), "{rows} rows");
    assert!(stream.next().await.unwrap().is_none());
    assert_eq!(tx.commit().await.unwrap_err().kind(), ErrorKind::RolledBack);
    assert_eq!(connection.fetch_scalar::<i32>("SELECT 7", ()).await.unwrap(), 7);
}

#[tokio::test]
async fn a_statement_that_writes_and_types_without_a_name_here_stream_too() {
    let (_database, connection) = connected().await;
    connection.batch("CREATE TABLE t (n int); CREATE TYPE mood AS ENUM ('ok')").await.unwrap();
    let tx = connection.begin().await.unwrap();
    let sql = "INSERT INTO t SELECT generate_series(1, 1000) RETURNING n, 'ok'::mood";
    let mut stream = tx.stream(sql, ()).await.unwrap();
    let mut rows = 0;
    while let Some(row) = stream.next().await.unwrap() {
        rows += 1;
        assert_eq!((row.get::<i32>(0).unwrap(), row.get::<&str>(1).unwrap()), (rows, "ok"));
    }
    assert_eq!((rows, stream.tag().unwrap().as_str()), (1000, "INSERT 0 1000"));
    tx.commit().await.unwrap();
    assert_eq!(connection.fetch_scalar::<i64>("SELECT count(*) FROM t", ()).await.unwrap(), 1000);
}

#[tokio::test]
async fn a_stream_that_is_slow_to_begin_has_a_limit() {
    let (_database, connection) = connected().await;
    let slow = "SELECT relacl, pg_sleep(3600) FROM pg_class";
    let limited = connection.within(Duration::from_millis(30));
    let mut stream = limited.stream(slow, ()).await.unwrap();
    assert!(tokio::time::timeout(Duration::from_millis(30), stream.next()).await.is_err());
    drop(stream);
    assert_eq!(connection.fetch_scalar::<i32>("SELECT 7", ()).await.unwrap(), 7);
}
