//! Futures that are dropped, at every point where they can be.

use std::future::Future;
use std::pin::pin;
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use wreath_driver::ErrorKind;

use crate::{answers, connect, farm};

/// Polls `future` up to `polls` times, yielding to the other tasks in between, and then drops it. Gives its
/// output if it got that far.
async fn abandon<F: Future>(future: F, polls: usize) -> Option<F::Output> {
    let mut future = pin!(future);
    for _ in 0..polls {
        if let Poll::Ready(output) = future.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            return Some(output);
        }
        // The socket, the server and the resident task get their turns.
        tokio::task::yield_now().await;
        tokio::time::sleep(Duration::from_micros(200)).await;
    }
    None
}

#[tokio::test]
async fn a_dropped_statement_leaves_the_connection_in_step() {
    let db = farm();
    let connection = connect(&db).await;
    for polls in 0..30_i32 {
        let sql = format!("SELECT id, name, {polls} FROM llamas");
        abandon(connection.fetch(&sql, ()), usize::try_from(polls).unwrap()).await;
        assert!(answers(&connection).await, "after {polls} polls");
        let rows: Vec<(i64, i32)> = connection
            .fetch_as(&format!("SELECT id, {polls} FROM llamas ORDER BY id LIMIT 2"), ())
            .await
            .unwrap();
        assert_eq!(rows, [(1, polls), (2, polls)]);
    }
}

#[tokio::test]
async fn a_dropped_statement_among_many_disturbs_none_of_them() {
    let db = farm();
    let connection = connect(&db).await;
    let callers: Vec<_> = (0..64_i64)
        .map(|n| {
            let connection = connection.clone();
            tokio::spawn(async move {
                let ask = connection.fetch_scalar::<i64>("SELECT $1::int8 * 2", (n,));
                // Every third loses patience, at another moment each.
                let polls = if n % 3 == 0 { usize::try_from(n / 3).unwrap() % 5 } else { usize::MAX };
                (n, abandon(ask, polls).await)
            })
        })
        .collect();
    for caller in callers {
        let (n, outcome) = caller.await.unwrap();
        match outcome {
            Some(doubled) => assert_eq!(doubled.unwrap(), 2 * n),
            None => assert_eq!(n % 3, 0),
        }
    }
    assert!(answers(&connection).await);
}

#[tokio::test]
async fn a_begin_dropped_midway_leaves_no_transaction_open() {
    let db = farm();
    let connection = connect(&db).await;
    for polls in 0..12 {
        // A transaction that was opened after all is dropped with the output, unfinished.
        drop(abandon(connection.begin(), polls).await);
        assert!(answers(&connection).await, "after {polls} polls");
        connection
            .execute("UPDATE llamas SET name = $1 WHERE id = 1", (format!("Dolly {polls}"),))
            .await
            .unwrap();
        let seen = db.admin().query("SELECT name FROM llamas WHERE id = 1").unwrap();
        assert_eq!(seen, [[Some(format!("Dolly {polls}"))]], "what is not committed is not seen elsewhere");
    }
}

#[tokio::test]
async fn a_dropped_transaction_is_rolled_back_at_once() {
    let db = farm();
    let connection = connect(&db).await;
    let transaction = connection.begin().await.unwrap();
    transaction.execute("DELETE FROM llamas", ()).await.unwrap();
    let refused = connection.fetch("SELECT 1", ()).await.unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::InTransaction, "{refused}");
    drop(transaction);
    // Nothing is asked of the connection, and yet its locks go.
    let mut admin = db.admin();
    let script = "SET lock_timeout = '20s'; UPDATE llamas SET name = 'free' WHERE id = 1";
    tokio::task::spawn_blocking(move || admin.query(script)).await.unwrap().unwrap();
    assert!(answers(&connection).await);
    let count: i64 = connection.fetch_scalar("SELECT count(*) FROM llamas", ()).await.unwrap();
    assert_eq!(count, 100);
}

#[tokio::test]
async fn a_commit_dropped_midway_is_whole_or_nothing() {
    let db = farm();
    let connection = connect(&db).await;
    for polls in 0..12_i64 {
        let transaction = connection.begin().await.unwrap();
        let sql = "INSERT INTO paddocks SELECT $1 * 10 + n FROM generate_series(1, 2) n";
        transaction.execute(sql, (polls + 1,)).await.unwrap();
        abandon(transaction.commit(), usize::try_from(polls).unwrap()).await;
        assert!(answers(&connection).await);
        let sql = "SELECT count(*) FROM paddocks WHERE id / 10 = $1";
        let count: i64 = connection.fetch_scalar(sql, (polls + 1,)).await.unwrap();
        assert!(count == 0 || count == 2, "{count} after {polls} polls");
    }
}

#[tokio::test]
async fn dropped_statements_leave_nothing_prepared_behind() {
    let db = farm();
    let connection = connect(&db).await;
    for polls in 0..40 {
        abandon(connection.fetch(&format!("SELECT {polls}, * FROM llamas"), ()), polls % 7).await;
        let refused = connection.fetch(&format!("SELECT {polls} FROM nowhere"), ()).await.unwrap_err();
        assert_eq!(refused.sqlstate(), Some("42P01"));
    }
    let held: i64 = connection.fetch_scalar("SELECT count(*) FROM pg_prepared_statements", ()).await.unwrap();
    let known = i64::try_from(connection.stats().prepared).unwrap();
    assert_eq!(held, known, "the server holds what the driver knows of");
}
