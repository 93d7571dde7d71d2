//! What each kind of error says about itself.

use std::time::Duration;

use wreath_driver::{Config, Error, ErrorKind, Pool, PoolConfig, SqlState};

use crate::{connect, connected};

/// What an error says: its kind, its SQLSTATE, and whether the connection has gone.
fn said(error: &Error) -> (ErrorKind, Option<&str>, bool) {
    assert!(!error.to_string().is_empty());
    if let Some(state) = error.sqlstate() {
        assert!(SqlState::new(state).is_some_and(|state| error.is_state(state)), "{error}");
    }
    (error.kind(), error.sqlstate(), error.is_connection_lost())
}

#[tokio::test]
async fn only_collisions_are_worth_another_attempt() {
    let (_database, c) = connected().await;
    for (state, retryable) in [
        ("40001", true),
        ("40P01", true),
        ("40002", false),
        ("40003", false),
        ("23505", false),
        ("55P03", false),
        ("57014", false),
        ("53300", false),
        ("XX000", false),
    ] {
        let script = format!("DO $$ BEGIN RAISE EXCEPTION 'as told' USING ERRCODE = '{state}'; END $$");
        for error in [c.execute(&script, ()).await.unwrap_err(), c.batch(&script).await.unwrap_err()] {
            assert_eq!(said(&error), (ErrorKind::Server, Some(state), false));
            assert_eq!((error.is_retryable(), error.statement()), (retryable, Some(&*script)));
        }
    }
}

#[tokio::test]
async fn errors_of_statements_leave_the_connection_alone() {
    let (database, c) = connected().await;
    let config: Config = database.dsn().parse().unwrap();
    let mut errors = vec![
        (ErrorKind::Encode, c.execute("SELECT $1", ("a\0b",)).await.unwrap_err()),
        (ErrorKind::Decode, c.fetch_scalar::<i64>("SELECT 'x'::text", ()).await.unwrap_err()),
        (ErrorKind::NoResult, c.fetch_one("SELECT 1 WHERE false", ()).await.map(drop).unwrap_err()),
        (ErrorKind::MultipleResults, c.fetch_optional("VALUES (1), (2)", ()).await.map(drop).unwrap_err()),
        (ErrorKind::Unsupported, c.execute("COPY (SELECT 1) TO STDOUT", ()).await.unwrap_err()),
        (ErrorKind::UnmanagedTransaction, c.execute("/* hidden */ BEGIN", ()).await.unwrap_err()),
        (
            ErrorKind::Timeout,
            c.within(Duration::from_millis(20)).execute("SELECT pg_sleep(60)", ()).await.unwrap_err(),
        ),
    ];

    let mut pipeline = c.pipeline();
    let _refused = pipeline.execute("SELEKT", ()).unwrap();
    let behind = pipeline.execute("SELECT 1", ()).unwrap();
    errors.push((ErrorKind::NotRun, pipeline.settle().await.unwrap().take(behind).unwrap_err()));

    let tx = c.begin().await.unwrap();
    errors.push((ErrorKind::InTransaction, c.execute("SELECT 1", ()).await.unwrap_err()));
    tx.execute("SELEKT", ()).await.unwrap_err();
    errors.push((ErrorKind::RolledBack, tx.commit().await.unwrap_err()));
    let outer = c.begin().await.unwrap();
    let inner = outer.begin().await.unwrap();
    outer.execute("SELECT 1", ()).await.map_or_else(
        |e| errors.push((ErrorKind::InTransaction, e)),
        |_| panic!("a savepoint's parent may not speak"),
    );
    drop((inner, outer));

    let small = config.clone().max_result_bytes(64).connect().await.unwrap();
    let long = "SELECT repeat('x', 1000)";
    errors.push((ErrorKind::ResultTooLarge, small.fetch(long, ()).await.map(drop).unwrap_err()));
    assert_eq!(small.fetch_scalar::<i32>("SELECT 7", ()).await.unwrap(), 7);

    let bounds = PoolConfig { min_size: 0, max_size: 1, ..PoolConfig::default() };
    let pool = Pool::new(config, bounds).unwrap();
    pool.close().await;
    errors.push((ErrorKind::Pool, pool.acquire().await.map(drop).unwrap_err()));

    for (kind, error) in &errors {
        assert_eq!(said(error), (*kind, None, false), "{error:?}");
        assert!(!error.is_retryable(), "{error:?}");
    }
    assert_eq!(c.fetch_scalar::<i32>("SELECT 7", ()).await.unwrap(), 7);
}

#[tokio::test]
async fn errors_before_and_after_a_session_say_whose_they_are() {
    let (database, c) = connected().await;
    let config: Config = database.dsn().parse().unwrap();
    let unknown = config.clone().dbname("no_such_farm").connect().await.unwrap_err();
    assert!(unknown.is_state(SqlState::INVALID_CATALOG_NAME) && !unknown.is_retryable(), "{unknown:?}");
    let unread = wreath_driver::connect("postgres://localhost/?shearing=often").await.map(drop).unwrap_err();
    assert_eq!(said(&unread), (ErrorKind::Config, None, false));
    assert!(unread.to_string().contains("shearing"), "{unread}");
    let nobody = wreath_driver::connect("postgres:///farm?host=/nowhere").await.map(drop).unwrap_err();
    assert_eq!(said(&nobody), (ErrorKind::Connect, None, false));

    let pid: i32 = c.fetch_scalar("SELECT pg_backend_pid()", ()).await.unwrap();
    let other = connect(&database).await;
    other.execute("SELECT pg_terminate_backend($1)", (pid,)).await.unwrap();
    let ended = c.closed().await;
    assert_eq!(said(&ended), (ErrorKind::Closed, Some("57P01"), true));
    let after = c.execute("SELECT 1", ()).await.unwrap_err();
    assert!(after.is_connection_lost() && !after.is_retryable(), "{after:?}");
}
