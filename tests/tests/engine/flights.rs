//! What statements cost in round trips and writes, counted on the wire and not timed.

use std::time::Duration;

use wreath_driver::{ErrorKind, ParamBuf, Sql};
use wreath_tests::{Direction, Fault};

use crate::{answers, farm, proxied};

#[tokio::test]
async fn a_statement_costs_one_round_trip_cold_and_one_warm() {
    let db = farm();
    let (proxy, connection) = proxied(&db).await;
    for sql in ["SELECT name FROM llamas WHERE id = $1", "SELECT id, age FROM llamas WHERE id = $1"] {
        let mut sent = Vec::new();
        for _ in 0..2 {
            proxy.reset();
            let before = connection.stats();
            assert_eq!(connection.fetch(sql, (7_i64,)).await.unwrap().len(), 1);
            let (after, traffic) = (connection.stats(), proxy.traffic());
            assert_eq!((traffic.flights, traffic.to_server.chunks), (1, 1), "{sql}");
            assert_eq!(after.round_trips - before.round_trips, 1);
            assert_eq!(after.writes - before.writes, 1);
            sent.push(traffic.to_server.bytes);
        }
        // Warm, the text is not sent again.
        assert!(sent[1] + u64::try_from(sql.len()).unwrap() <= sent[0], "{sent:?}");
    }
    let stats = connection.stats();
    assert_eq!((stats.cache_misses, stats.cache_hits), (2, 2));
}

#[tokio::test]
async fn a_parameter_of_a_type_that_the_server_infers_costs_no_more() {
    let db = farm();
    let (proxy, connection) = proxied(&db).await;
    proxy.reset();
    let id: i64 =
        connection.fetch_scalar("SELECT id FROM llamas WHERE name = $1", ("llama 7",)).await.unwrap();
    assert_eq!((id, proxy.traffic().flights), (7, 1));
}

#[tokio::test]
async fn sixty_four_callers_share_few_writes() {
    let db = farm();
    let (proxy, connection) = proxied(&db).await;
    let sql = "SELECT name FROM llamas WHERE id = $1";
    connection.fetch(sql, (1_i64,)).await.unwrap();
    proxy.reset();
    let before = connection.stats();
    let callers: Vec<_> = (1..=64_i64)
        .map(|id| {
            let connection = connection.clone();
            tokio::spawn(async move { connection.fetch_scalar::<String>(sql, (id,)).await })
        })
        .collect();
    for (caller, id) in callers.into_iter().zip(1..) {
        assert_eq!(caller.await.unwrap().unwrap(), format!("llama {id}"));
    }
    let after = connection.stats();
    // The proxy can see two writes as one, and the driver's own count cannot: both are far below 64.
    let (writes, chunks) = (after.writes - before.writes, proxy.traffic().to_server.chunks);
    assert!(writes <= 8 && chunks <= writes, "{writes} writes, {chunks} chunks");
    assert!(proxy.traffic().flights <= chunks);
    assert_eq!(after.cache_hits - before.cache_hits, 64);
}

#[tokio::test]
async fn an_error_among_many_is_one_callers_alone() {
    let db = farm();
    let (_proxy, connection) = proxied(&db).await;
    let callers: Vec<_> = (-8..=8_i32)
        .map(|divisor| {
            let connection = connection.clone();
            let ask = async move { connection.fetch_scalar::<i32>("SELECT 64 / $1", (divisor,)).await };
            (divisor, tokio::spawn(ask))
        })
        .collect();
    for (divisor, caller) in callers {
        match caller.await.unwrap() {
            Ok(quotient) => assert_eq!(Some(quotient), 64_i32.checked_div(divisor)),
            Err(error) => assert_eq!((divisor, error.sqlstate()), (0, Some("22012")), "{error}"),
        }
    }
    assert!(answers(&connection).await);
}

#[tokio::test]
async fn statements_sent_together_share_a_flight() {
    let db = farm();
    let (proxy, connection) = proxied(&db).await;
    proxy.reset();
    let statements: Vec<Sql> = (1..=5).map(|n| Sql::from(format!("SELECT {n}"))).collect();
    let replies: Vec<_> = statements.iter().map(|sql| connection.send(sql, ParamBuf::new())).collect();
    for (reply, n) in replies.into_iter().zip(1..) {
        assert_eq!(reply.await.unwrap().first().unwrap().get::<i32>(0).unwrap(), n);
    }
    let traffic = proxy.traffic();
    assert!(traffic.flights <= 2, "{traffic:?}");
}

/// Replies that arrive byte by byte, and a request that does, change nothing but the time they take.
#[tokio::test]
async fn bytes_may_come_in_any_pieces() {
    let db = farm();
    let (proxy, connection) = proxied(&db).await;
    for piece in [1, 2, 3, 5, 7, 61] {
        proxy.set(Direction::ToClient, Fault::Split(piece));
        proxy.set(Direction::ToServer, Fault::Split(piece));
        let rows: Vec<(i64, String)> =
            connection.fetch_as("SELECT id, name FROM llamas ORDER BY id", ()).await.unwrap();
        assert_eq!(rows.len(), 100);
        assert_eq!(rows[41], (42, "llama 42".to_owned()));
        let error = connection.fetch("SELECT 1 / 0", ()).await.unwrap_err();
        assert_eq!(error.sqlstate(), Some("22012"));
    }
}

/// Both directions are full at once: whoever stops reading while it writes stands still for ever.
#[tokio::test]
async fn large_requests_and_large_replies_pass_each_other() {
    let db = farm();
    let (_proxy, connection) = proxied(&db).await;
    let large = "wool".repeat(1 << 20);
    let callers: Vec<_> = (0..6)
        .map(|_| {
            let (connection, large) = (connection.clone(), large.clone());
            let sql = "SELECT $1::text || $1::text";
            tokio::spawn(async move { connection.fetch_scalar::<String>(sql, (large.as_str(),)).await })
        })
        .collect();
    for caller in callers {
        match tokio::time::timeout(Duration::from_secs(60), caller)
            .await
            .expect("nobody waits for ever")
            .unwrap()
        {
            Ok(text) => assert_eq!(text.len(), 2 * large.len()),
            // The pipeline is bounded by bytes, and says so.
            Err(error) => assert_eq!(error.kind(), ErrorKind::PipelineFull, "{error}"),
        }
    }
    assert!(answers(&connection).await);
}
