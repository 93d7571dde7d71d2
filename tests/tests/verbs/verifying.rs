//! Statements that the server is asked about, and that are not run.

use wreath_driver::{ErrorKind, SqlState};

use crate::connected;

#[tokio::test]
async fn statements_are_described_and_none_is_run_or_left_behind() {
    let (_database, c) = connected().await;
    c.batch(
        "CREATE TYPE mood AS ENUM ('calm', 'cross'); CREATE DOMAIN age AS int4 CHECK (value >= 0);
         CREATE TABLE llamas (id bigint PRIMARY KEY, name text NOT NULL, mood mood, age age, tags text[])",
    )
    .await
    .unwrap();
    let statements = [
        "SELECT id, mood, tags FROM llamas WHERE mood = $1 AND age > $2",
        "INSERT INTO llamas (id, name) VALUES ($1, $2)",
        "SELECT wool FROM llamas",
        "DELETE FROM llamas RETURNING age, name",
        "SELEKT 1",
        "DROP TABLE llamas",
        "COPY llamas FROM STDIN",
        "BEGIN",
    ];
    let found = c.verify(statements).await;
    assert_eq!(found.len(), statements.len());
    let types = |i: usize| {
        let description = found[i].as_ref().unwrap();
        assert_eq!(description.sql(), statements[i]);
        let params: Vec<_> = description.params().iter().map(|ty| ty.name().to_owned()).collect();
        let column = |c: &wreath_driver::Column| format!("{} {}", c.name(), c.ty().name());
        (params.join(", "), description.columns().iter().map(column).collect::<Vec<_>>().join(", "))
    };
    let pair = |params: &str, columns: &str| (params.to_owned(), columns.to_owned());
    assert_eq!(types(0), pair("mood, int4", "id int8, mood mood, tags _text"));
    assert_eq!(types(1), pair("int8, text", ""));
    assert_eq!(types(3), pair("", "age int4, name text"));
    for i in [5, 6, 7] {
        assert_eq!(types(i), pair("", ""), "{}", statements[i]);
    }
    for (i, state) in [(2, SqlState::UNDEFINED_COLUMN), (4, SqlState::SYNTAX_ERROR)] {
        let refused = found[i].as_ref().unwrap_err();
        assert!(refused.is_state(state), "{refused}");
        assert_eq!(refused.statement(), Some(statements[i]));
    }

    let first = found[0].as_ref().unwrap();
    first.reads::<i64>("id").unwrap();
    first.reads::<Vec<String>>(2).unwrap();
    for wrong in [first.reads::<i32>("id"), first.reads::<i64>("wool"), first.reads::<i64>(3)] {
        let wrong = wrong.unwrap_err();
        assert_eq!((wrong.kind(), wrong.statement()), (ErrorKind::Decode, Some(statements[0])));
    }

    // Nothing has been kept, dropped or begun. What is prepared is the query for types.
    assert_eq!(c.prepared_plan_count(), 1);
    let kept: i64 = c
        .fetch_scalar("SELECT count(*) FROM pg_prepared_statements WHERE statement LIKE $1", ("%llamas%",))
        .await
        .unwrap();
    assert_eq!(kept, 0);
    c.begin().await.unwrap().commit().await.unwrap();
}

#[tokio::test]
async fn many_statements_share_flights_and_one_query_finds_all_types() {
    let (_database, c) = connected().await;
    let mut script = String::new();
    for i in 0..40 {
        script += &format!("CREATE TYPE mood{i} AS ENUM ('calm'); CREATE TABLE t{i} (a mood{i});");
    }
    c.batch(&script).await.unwrap();
    let statements: Vec<String> = (0..40).map(|i| format!("SELECT a FROM t{i} WHERE a = $1")).collect();
    let before = c.stats();
    let found = c.verify(statements.clone()).await;
    for (i, description) in found.iter().enumerate() {
        let description = description.as_ref().unwrap();
        let name = format!("mood{i}");
        assert_eq!(description.params()[0].name(), name);
        assert_eq!(description.columns()[0].ty().name(), name);
    }
    let after = c.stats();
    assert_eq!(after.operations - before.operations, 41);
    // A full window, the few that follow it one by one, and the query.
    assert!(after.round_trips - before.round_trips <= 10, "{before:?} {after:?}");
    let again = c.verify(statements).await;
    assert!(again.iter().all(Result::is_ok));
    assert_eq!(c.stats().operations - after.operations, 40);
}

#[tokio::test]
async fn a_refusal_fails_a_transaction_and_what_cannot_be_asked_says_so() {
    let (_database, c) = connected().await;
    let tx = c.begin().await.unwrap();
    let outside = c.verify(["SELECT 1"]).await;
    assert_eq!(outside[0].as_ref().unwrap_err().kind(), ErrorKind::InTransaction);
    let inside = tx.verify(["SELECT 1", "SELEKT", "SELECT 2"]).await;
    let states: Vec<_> = inside.iter().map(|r| r.as_ref().err().and_then(|e| e.sqlstate())).collect();
    assert_eq!(states, [None, Some("42601"), Some("25P02")]);
    tx.rollback().await.unwrap();

    // Dropped half way, it leaves the connection in step.
    for polls in 0..3 {
        let mut asking = Box::pin(c.verify(["SELECT 1", "SELECT $1::int4"]));
        for _ in 0..polls {
            let polled = std::future::poll_fn(|cx| std::task::Poll::Ready(asking.as_mut().poll(cx)));
            if polled.await.is_ready() {
                break;
            }
            tokio::task::yield_now().await;
        }
        drop(asking);
        assert_eq!(c.fetch_scalar::<i32>("SELECT 7", ()).await.unwrap(), 7);
    }
    c.clone().close().await.unwrap();
    let closed = c.verify(["SELECT 1"]).await;
    let error = closed[0].as_ref().unwrap_err();
    assert_eq!((error.kind(), error.statement()), (ErrorKind::Closed, Some("SELECT 1")));
}
