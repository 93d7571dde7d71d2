use std::time::Duration;

use wreath_driver::{Config, ErrorKind};
use wreath_tests::Cluster;

use crate::{connect, connected};

/// Longer than any test waits.
const ENDLESS: &str = "SELECT pg_sleep(3600)";

#[tokio::test]
async fn a_connection_s_own_limit_holds_for_every_verb_and_gives_way_to_a_call_s() {
    let database = Cluster::shared().database();
    let config: Config = database.dsn().parse().unwrap();
    let connection = config.operation_timeout(Duration::from_millis(500)).connect().await.unwrap();
    let timed_out = [
        connection.execute(ENDLESS, ()).await.unwrap_err(),
        connection.batch(ENDLESS).await.unwrap_err(),
        connection.map(ENDLESS, [()], 8).await.remove(0).unwrap_err(),
        {
            let mut pipeline = connection.pipeline();
            let _sleep = pipeline.execute(ENDLESS, ()).unwrap();
            pipeline.run().await.unwrap_err()
        },
        connection.within(Duration::from_millis(10)).execute(ENDLESS, ()).await.unwrap_err(),
    ];
    for error in timed_out {
        assert_eq!(error.kind(), ErrorKind::Timeout, "{error}");
    }
    let longer = connection.within(Duration::from_secs(60));
    longer.execute("SELECT pg_sleep(0.7)", ()).await.unwrap();
    assert_eq!(connection.fetch_scalar::<i32>("SELECT 7", ()).await.unwrap(), 7);
}

/// COMMIT waits for a deferred trigger: when the time is up nobody can tell what becomes of it.
#[tokio::test]
async fn a_commit_whose_time_is_up_is_in_doubt() {
    let database = Cluster::shared().database_from(
        "slow_commit",
        "CREATE TABLE t (x int);
         CREATE FUNCTION dawdle() RETURNS trigger LANGUAGE plpgsql AS
             'BEGIN PERFORM pg_advisory_xact_lock(1); RETURN NULL; END';
         CREATE CONSTRAINT TRIGGER late AFTER INSERT ON t DEFERRABLE INITIALLY DEFERRED
             FOR EACH ROW EXECUTE FUNCTION dawdle();",
    );
    let holder = connect(&database).await;
    holder.execute("SELECT pg_advisory_lock(1)", ()).await.unwrap();
    let config: Config = database.dsn().parse().unwrap();
    let connection = config.operation_timeout(Duration::from_millis(300)).connect().await.unwrap();
    let tx = connection.begin().await.unwrap();
    tx.execute("INSERT INTO t VALUES (1)", ()).await.unwrap();
    let error = tx.commit().await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::OutcomeUnknown, "{error}");
    holder.execute("SELECT pg_advisory_unlock(1)", ()).await.unwrap();
    let patient = connection.within(Duration::from_secs(60));
    let count: i64 = patient.fetch_scalar("SELECT count(*) FROM t", ()).await.unwrap();
    assert_eq!(count, 1, "here it came through");
}

#[tokio::test]
async fn a_transaction_s_limits_are_its_own_and_cost_nothing() {
    let (_database, connection) = connected().await;
    let before = connection.stats().round_trips;
    let builder = || {
        connection
            .transaction()
            .read_write()
            .statement_timeout(Duration::from_micros(19_001))
            .lock_timeout(Duration::from_secs(9))
    };
    let tx = builder().begin().await.unwrap();
    assert_eq!(connection.stats().round_trips - before, 1);
    assert_eq!(tx.fetch_scalar::<String>("SHOW statement_timeout", ()).await.unwrap(), "20ms");
    assert_eq!(tx.fetch_scalar::<String>("SHOW lock_timeout", ()).await.unwrap(), "9s");
    assert_eq!(tx.execute(ENDLESS, ()).await.unwrap_err().sqlstate(), Some("57014"));
    tx.rollback().await.unwrap();
    let tx = connection.begin().await.unwrap();
    tx.set_statement_timeout(Duration::MAX).await.unwrap();
    let nested = tx.begin().await.unwrap();
    nested.set_statement_timeout(Duration::from_millis(10)).await.unwrap();
    assert_eq!(nested.execute(ENDLESS, ()).await.unwrap_err().sqlstate(), Some("57014"));
    nested.rollback().await.unwrap();
    assert_eq!(tx.fetch_scalar::<String>("SHOW statement_timeout", ()).await.unwrap(), "2147483647ms");
    tx.commit().await.unwrap();
    assert_eq!(connection.fetch_scalar::<String>("SHOW statement_timeout", ()).await.unwrap(), "0");
    let tx = connection.begin().await.unwrap();
    let refused = tx.transaction().statement_timeout(Duration::from_secs(1)).begin().await.unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::Unsupported);
}
