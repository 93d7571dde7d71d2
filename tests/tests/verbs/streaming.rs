use std::time::Duration;

use wreath_driver::{ErrorKind, Stats};

use crate::connected;

#[tokio::test]
async fn rows_come_in_order_and_the_end_has_a_tag() {
    let (_database, connection) = connected().await;
    for _ in 0..2 {
        let sql = "SELECT g, 'row ' || g FROM generate_series(1, $1) g";
        let mut stream = connection.stream(sql, (20_000_i32,)).await.unwrap();
        assert_eq!(stream.columns().len(), 2);
        let mut expected = 0;
        while let Some(row) = stream.next().await.unwrap() {
            expected += 1;
            assert_eq!(row.get::<i32>(0).unwrap(), expected);
            assert_eq!(row.get::<&str>(1).unwrap(), format!("row {expected}"));
        }
        assert_eq!(expected, 20_000);
        assert_eq!(stream.tag().unwrap().rows(), 20_000);
        assert!(stream.next().await.unwrap().is_none());
    }
}

#[tokio::test]
async fn types_that_have_to_be_looked_up_are_known_before_the_first_row() {
    let (_database, connection) = connected().await;
    connection.batch("CREATE TYPE mood AS ENUM ('sad', 'ok')").await.unwrap();
    let mut stream = connection.stream("SELECT 'ok'::mood, relacl FROM pg_class LIMIT 1", ()).await.unwrap();
    let row = stream.next().await.unwrap().unwrap();
    assert_eq!(row.get::<&str>(0).unwrap(), "ok");
    row.get::<Option<&str>>(1).unwrap();
}

#[tokio::test]
async fn an_error_comes_behind_the_rows_before_it() {
    let (_database, connection) = connected().await;
    let sql = "SELECT 100 / (30000 - g) FROM generate_series(1, 40000) g";
    let mut stream = connection.stream(sql, ()).await.unwrap();
    let mut rows = 0;
    let error = loop {
        match stream.next().await {
            Ok(Some(_)) => rows += 1,
            Ok(None) => panic!("it fails"),
            Err(e) => break e,
        }
    };
    assert_eq!(error.sqlstate(), Some("22012"));
    assert!(rows > 0);
    assert!(stream.next().await.unwrap().is_none());
    assert_eq!(connection.fetch_scalar::<i32>("SELECT 7", ()).await.unwrap(), 7);
}

#[tokio::test]
async fn what_nobody_takes_is_not_read_and_a_dropped_stream_stops_the_server() {
    let (_database, connection) = connected().await;
    let endless = "SELECT repeat('x', 1000) FROM (SELECT generate_series(1, 2000000000)) g";
    for n in 0..3 {
        let mut stream = connection.stream(endless, ()).await.unwrap();
        stream.next().await.unwrap().unwrap();
        let Stats { bytes_in: before, .. } = connection.stats();
        // Whatever it does, it cannot have read much more than its bound.
        tokio::time::sleep(Duration::from_millis(50)).await;
        let Stats { bytes_in: after, .. } = connection.stats();
        assert!(after - before < 4 << 20, "{} bytes were read", after - before);
        drop(stream);
        assert_eq!(connection.fetch_scalar::<i32>("SELECT $1", (n,)).await.unwrap(), n);
    }
}

#[tokio::test]
async fn a_stream_inside_a_transaction_leaves_it_usable() {
    let (_database, connection) = connected().await;
    let tx = connection.begin().await.unwrap();
    let mut stream = tx.stream("SELECT generate_series(1, 100000)", ()).await.unwrap();
    for _ in 0..10 {
        stream.next().await.unwrap().unwrap();
    }
    drop(stream);
    // It was cancelled, and with it the transaction, or it had come to its end before.
    let after = tx.execute("SELECT 1", ()).await;
    assert!(after.is_ok() || after.unwrap_err().sqlstate() == Some("25P02"));
    tx.rollback().await.unwrap();
    assert_eq!(connection.fetch_scalar::<i32>("SELECT 7", ()).await.unwrap(), 7);
}

#[tokio::test]
async fn a_stream_that_nobody_reads_does_not_keep_others_waiting_for_ever() {
    let (_database, connection) = connected().await;
    let sql = "SELECT repeat('x', 1000) FROM generate_series(1, 20000)";
    let mut stream = connection.stream(sql, ()).await.unwrap();
    stream.next().await.unwrap().unwrap();
    assert_eq!(connection.fetch_scalar::<i32>("SELECT 7", ()).await.unwrap(), 7);
    let error = loop {
        match stream.next().await {
            Ok(Some(_)) => {}
            Ok(None) => panic!("the rest was given up"),
            Err(e) => break e,
        }
    };
    assert_eq!(error.kind(), ErrorKind::Stalled);
}

#[tokio::test]
async fn a_connection_that_is_closed_does_not_wait_for_a_stream_that_nobody_reads() {
    let (_database, connection) = connected().await;
    let mut stream =
        connection.stream("SELECT repeat('x', 10000) FROM generate_series(1, 2000)", ()).await.unwrap();
    assert!(stream.next().await.unwrap().is_some());
    let closing = tokio::time::timeout(Duration::from_secs(60), connection.close());
    closing.await.expect("it is given up").unwrap();
    let error = loop {
        match stream.next().await {
            Ok(row) => assert!(row.is_some(), "the rows end with an error"),
            Err(e) => break e,
        }
    };
    assert_eq!(error.kind(), ErrorKind::Stalled);
}
