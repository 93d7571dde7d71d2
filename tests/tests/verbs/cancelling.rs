use std::time::Duration;

use wreath_driver::{Config, Connection, ErrorKind, ParamBuf, Sql};
use wreath_tests::{Database, Direction, Fault, FaultProxy};

use crate::{connect, connected};

/// Runs until it is cancelled.
const ENDLESS: &str = "SELECT pg_sleep(3600)";

async fn until_it_runs(database: &Database, pid: i32) {
    let watcher = connect(database).await;
    let running = "SELECT count(*) FROM pg_stat_activity WHERE pid = $1 AND state = 'active' AND wait_event = 'PgSleep'";
    while watcher.fetch_scalar::<i64>(running, (pid,)).await.unwrap() == 0 {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

async fn pid(connection: &Connection) -> i32 {
    connection.fetch_scalar("SELECT pg_backend_pid()", ()).await.unwrap()
}

#[tokio::test]
async fn a_token_cancels_what_is_running() {
    let (database, connection) = connected().await;
    let (token, pid) = (connection.cancel_token().unwrap(), pid(&connection).await);
    let sleeper = connection.clone();
    let sleeping = tokio::spawn(async move { sleeper.execute(ENDLESS, ()).await });
    until_it_runs(&database, pid).await;
    token.cancel().await.unwrap();
    assert_eq!(sleeping.await.unwrap().unwrap_err().sqlstate(), Some("57014"));
    // Nothing is running: nothing happens.
    token.cancel().await.unwrap();
    assert_eq!(connection.fetch_scalar::<i32>("SELECT 7", ()).await.unwrap(), 7);
}

#[tokio::test]
async fn a_dropped_statement_is_stopped_and_the_next_is_not() {
    let (database, connection) = connected().await;
    let pid = pid(&connection).await;
    for n in 0..20 {
        let sleeping = connection.execute(ENDLESS, ());
        tokio::select! {
            _ = sleeping => panic!("it ends only when it is cancelled"),
            () = until_it_runs(&database, pid) => {}
        }
        assert_eq!(connection.fetch_scalar::<i32>("SELECT $1 + 0", (n,)).await.unwrap(), n);
    }
}

#[tokio::test]
async fn what_is_dropped_behind_another_is_stopped_in_its_turn() {
    let (database, connection) = connected().await;
    let pid = pid(&connection).await;
    let lock = connect(&database).await;
    lock.execute("SELECT pg_advisory_lock(7)", ()).await.unwrap();
    let send = |sql: &'static str| connection.send(&Sql::new(sql), ParamBuf::new());
    for endless in [ENDLESS, "SELECT pg_advisory_lock(8), pg_sleep(3600)"] {
        let ahead = send("SELECT pg_advisory_xact_lock(7)");
        let behind = send(endless);
        let waits = "SELECT count(*) FROM pg_stat_activity WHERE pid = $1 AND wait_event_type = 'Lock'";
        while lock.fetch_scalar::<i64>(waits, (pid,)).await.unwrap() == 0 {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        // It has been written by now, and a cancel request would hit the one ahead.
        drop(behind);
        lock.execute("SELECT pg_advisory_unlock(7)", ()).await.unwrap();
        ahead.await.unwrap();
        let next = connection.fetch_scalar::<i32>("SELECT 7", ());
        let next = tokio::time::timeout(Duration::from_secs(60), next).await;
        assert_eq!(next.expect("nothing endless is ahead").unwrap(), 7);
        lock.execute("SELECT pg_advisory_lock(7)", ()).await.unwrap();
    }
}

#[tokio::test]
async fn a_timeout_stops_the_server_s_work_too() {
    let (_database, connection) = connected().await;
    let soon = Duration::from_millis(20);
    assert_eq!(connection.within(soon).execute(ENDLESS, ()).await.unwrap_err().kind(), ErrorKind::Timeout);
    assert_eq!(connection.within(soon).batch(ENDLESS).await.unwrap_err().kind(), ErrorKind::Timeout);
    let tx = connection.begin().await.unwrap();
    assert_eq!(tx.within(soon).fetch(ENDLESS, ()).await.unwrap_err().kind(), ErrorKind::Timeout);
    // The transaction has failed with its statement, as after any error.
    assert_eq!(tx.execute("SELECT 1", ()).await.unwrap_err().sqlstate(), Some("25P02"));
    tx.rollback().await.unwrap();
    assert_eq!(connection.fetch_scalar::<i32>("SELECT 7", ()).await.unwrap(), 7);
}

#[tokio::test]
async fn a_statement_that_is_not_alone_is_left_to_end_by_itself() {
    let (_database, connection) = connected().await;
    let (one, two) = (connection.clone(), connection.clone());
    let short = tokio::spawn(async move {
        one.within(Duration::from_millis(30)).execute("SELECT pg_sleep(0.2)", ()).await
    });
    let other = tokio::spawn(async move { two.fetch_scalar::<i32>("SELECT 8 FROM pg_sleep(0.2)", ()).await });
    assert_eq!(short.await.unwrap().unwrap_err().kind(), ErrorKind::Timeout);
    assert_eq!(other.await.unwrap().unwrap(), 8);
}

#[tokio::test]
async fn whoever_does_not_want_it_has_nothing_cancelled() {
    let (database, connection) = connected().await;
    connection.batch("CREATE TABLE t (x int)").await.unwrap();
    let config = database.dsn().parse::<Config>().unwrap().cancel_on_drop(false);
    let patient = config.connect().await.unwrap();
    let slow = "INSERT INTO t SELECT 1 FROM pg_sleep(0.2)";
    assert_eq!(
        patient.within(Duration::from_millis(20)).execute(slow, ()).await.unwrap_err().kind(),
        ErrorKind::Timeout
    );
    assert_eq!(patient.fetch_scalar::<i64>("SELECT count(*) FROM t", ()).await.unwrap(), 1);
}

#[tokio::test]
async fn a_dropped_transaction_is_rolled_back_though_its_statement_was_running() {
    let (database, connection) = connected().await;
    connection.batch("CREATE TABLE t (x int)").await.unwrap();
    let pid = pid(&connection).await;
    let working = async {
        let tx = connection.begin().await?;
        tx.execute("INSERT INTO t VALUES (1)", ()).await?;
        tx.execute(ENDLESS, ()).await
    };
    tokio::select! {
        _ = working => panic!("it ends only when it is cancelled"),
        () = until_it_runs(&database, pid) => {}
    }
    assert_eq!(connection.fetch_scalar::<i64>("SELECT count(*) FROM t", ()).await.unwrap(), 0);
}

#[tokio::test]
async fn the_ends_of_transactions_and_the_beginnings_of_streams_have_limits_too() {
    let (database, _) = connected().await;
    let proxy = FaultProxy::start(database.cluster()).await.unwrap();
    let config: Config = proxy.dsn(database.name()).parse().unwrap();
    let brief = Duration::from_millis(50);
    for verb in 0..6 {
        let connection = config.clone().connect().await.unwrap();
        let within = connection.within(brief);
        let opens = matches!(verb, 0..3);
        let tx = if opens { Some(within.begin().await.unwrap()) } else { None };
        proxy.set(Direction::ToClient, Fault::Stall);
        let error = tokio::time::timeout(Duration::from_secs(60), async {
            match (verb, tx) {
                (0, Some(tx)) => tx.commit().await,
                (1, Some(tx)) => tx.rollback().await,
                (_, Some(tx)) => tx.begin().await.map(drop),
                (3, None) => within.begin().await.map(drop),
                (4, None) => within.stream("SELECT 1", ()).await.map(drop),
                (_, None) => within.copy_in("COPY pg_class FROM STDIN").await.map(drop),
            }
        })
        .await
        .expect("nothing waits for ever")
        .unwrap_err();
        proxy.set(Direction::ToClient, Fault::Pass);
        let expected = if verb == 0 { ErrorKind::OutcomeUnknown } else { ErrorKind::Timeout };
        assert_eq!(error.kind(), expected, "{verb}: {error}");
        let after = connection.fetch_scalar::<i64>("SELECT 7::int8", ());
        let after = tokio::time::timeout(Duration::from_secs(60), after).await.expect("it goes on");
        assert_eq!(after.unwrap(), 7, "{verb}");
    }
}
