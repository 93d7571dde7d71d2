use wreath_driver::ErrorKind;

use crate::connected;

#[tokio::test]
async fn results_come_in_order_each_by_itself() {
    let (_database, connection) = connected().await;
    for window in [0, 1, 7, 32, 1000] {
        let before = connection.stats();
        let sets = (0..200_i32).map(|n| (n % 10, n));
        let results = connection.map("SELECT $2 / $1", sets, window).await;
        assert_eq!(results.len(), 200);
        for (n, result) in (0..).zip(results) {
            match result {
                Ok(rows) => assert_eq!(rows.first().unwrap().get::<i32>(0).unwrap(), n / (n % 10)),
                Err(e) => assert_eq!((n % 10, e.sqlstate()), (0, Some("22012"))),
            }
        }
        let flights = connection.stats().round_trips - before.round_trips;
        assert!(if window < 2 { flights >= 200 } else { flights < 200 }, "{flights} flights by {window}");
    }
}

#[tokio::test]
async fn a_set_that_cannot_be_sent_fails_alone_and_equal_sets_run_each() {
    let (_database, connection) = connected().await;
    connection.batch("CREATE TABLE t (name text)").await.unwrap();
    let results = connection.map("INSERT INTO t VALUES ($1)", [("a",), ("b\0",), ("a",)], 32).await;
    assert_eq!(results[1].as_ref().unwrap_err().kind(), ErrorKind::Encode);
    assert_eq!(
        connection.fetch_scalar::<i64>("SELECT count(*) FROM t WHERE name = 'a'", ()).await.unwrap(),
        2
    );
}

#[tokio::test]
async fn a_transaction_runs_them_one_by_one_and_stops_meaning_them_after_a_failure() {
    let (_database, connection) = connected().await;
    let tx = connection.begin().await.unwrap();
    let before = tx.stats();
    let results = tx.map("SELECT 1 / $1", [(1_i32,), (0,), (1,)], 32).await;
    let codes: Vec<_> = results.iter().map(|r| r.as_ref().err().and_then(|e| e.sqlstate())).collect();
    assert_eq!(codes, [None, Some("22012"), Some("25P02")]);
    assert!(tx.stats().round_trips - before.round_trips >= 3);
    tx.rollback().await.unwrap();
}
