use wreath_driver::{Error, ErrorKind, Isolation, PoolConfig};

use crate::{connect, connected};

const MIB: i64 = 7;

#[tokio::test]
async fn a_builder_says_what_the_transaction_may_do() {
    let (_database, connection) = connected().await;
    let setting = "SELECT current_setting('transaction_isolation'), current_setting('transaction_read_only'),
                   current_setting('transaction_deferrable')";
    for (isolation, name) in [
        (Isolation::ReadCommitted, "read committed"),
        (Isolation::RepeatableRead, "repeatable read"),
        (Isolation::Serializable, "serializable"),
    ] {
        let tx =
            connection.transaction().isolation(isolation).read_only().deferrable().begin().await.unwrap();
        let set: Vec<(String, String, String)> = tx.fetch_as(setting, ()).await.unwrap();
        assert_eq!(set, [(name.to_owned(), "on".to_owned(), "on".to_owned())]);
        tx.commit().await.unwrap();
    }
    let tx = connection.transaction().read_write().begin().await.unwrap();
    let refused = tx.transaction().read_only().begin().await.unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::Unsupported);
    tx.begin().await.unwrap().commit().await.unwrap();
    tx.rollback().await.unwrap();
}

#[tokio::test]
async fn a_transaction_that_cannot_be_committed_yet_is_rolled_back() {
    let (_database, connection) = connected().await;
    connection.batch("CREATE TABLE t (x int8)").await.unwrap();
    let tx = connection.begin().await.unwrap();
    tx.execute("INSERT INTO t VALUES ($1)", (MIB,)).await.unwrap();
    let savepoint = tx.begin().await.unwrap();
    assert_eq!(tx.commit().await.unwrap_err().kind(), ErrorKind::InTransaction);
    assert_eq!(savepoint.execute("SELECT 1", ()).await.unwrap_err().kind(), ErrorKind::TransactionClosed);
    assert_eq!(connection.fetch_scalar::<i64>("SELECT count(*) FROM t", ()).await.unwrap(), 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn those_that_collide_run_again_until_none_is_lost() {
    const TASKS: i64 = 6;
    const ROUNDS: i64 = 5;
    let (database, connection) = connected().await;
    connection.batch("CREATE TABLE counter (n int8); INSERT INTO counter VALUES (0)").await.unwrap();
    let mut tasks = Vec::new();
    for _ in 0..TASKS {
        let connection = connect(&database).await;
        tasks.push(tokio::spawn(async move {
            let mut runs = 0;
            for _ in 0..ROUNDS {
                let builder = connection.transaction().isolation(Isolation::RepeatableRead).attempts(200);
                let counted = builder.transact(|tx| {
                    runs += 1;
                    async move {
                        let n: i64 = tx.fetch_scalar("SELECT n FROM counter", ()).await?;
                        tokio::task::yield_now().await;
                        tx.execute("UPDATE counter SET n = $1", (n + 1,)).await?;
                        wreath_driver::Result::Ok(())
                    }
                });
                counted.await.unwrap();
            }
            runs
        }));
    }
    let mut runs = 0;
    for task in tasks {
        runs += task.await.unwrap();
    }
    assert!(runs >= TASKS * ROUNDS);
    assert_eq!(connection.fetch_scalar::<i64>("SELECT n FROM counter", ()).await.unwrap(), TASKS * ROUNDS);
}

/// An error of the user's own, around one of ours.
#[derive(Debug)]
struct Wrapped(Error);

impl std::fmt::Display for Wrapped {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("wrapped")
    }
}

impl std::error::Error for Wrapped {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.0)
    }
}

impl From<Error> for Wrapped {
    fn from(e: Error) -> Self {
        Self(e)
    }
}

#[tokio::test]
async fn only_what_running_again_may_mend_is_run_again() {
    let (_database, connection) = connected().await;
    for (code, expected) in [("40001", 3), ("40P01", 3), ("P0001", 1)] {
        let mut runs = 0;
        let raise = format!("DO $$ BEGIN RAISE EXCEPTION 'no' USING ERRCODE = '{code}'; END $$");
        let answer: Result<(), Wrapped> = connection
            .transaction()
            .attempts(3)
            .transact(|tx| {
                runs += 1;
                let raise = raise.clone();
                async move {
                    tx.execute(&raise, ()).await?;
                    Ok(())
                }
            })
            .await;
        assert_eq!(answer.unwrap_err().0.sqlstate(), Some(code));
        assert_eq!(runs, expected, "{code}");
    }
}

#[tokio::test]
async fn the_handle_of_a_body_is_void_once_the_body_has_ended() {
    let (_database, connection) = connected().await;
    let kept = connection.transact(|tx| async move { wreath_driver::Result::Ok(tx) }).await.unwrap();
    assert_eq!(kept.execute("SELECT 1", ()).await.unwrap_err().kind(), ErrorKind::TransactionClosed);
    connection.execute("SELECT 1", ()).await.unwrap();
}

#[tokio::test]
async fn a_body_with_borrowed_captures_can_be_spawned() {
    async fn add<const N: usize>(pool: wreath_driver::Pool, numbers: [i64; N]) -> i64 {
        let lease = pool.acquire().await.unwrap();
        let numbers = &numbers;
        lease
            .transact(|tx| async move {
                let mut sum = 0;
                for number in numbers {
                    sum += tx.fetch_scalar::<i64>("SELECT $1", (number,)).await?;
                }
                wreath_driver::Result::Ok(sum)
            })
            .await
            .unwrap()
    }
    let (database, _connection) = connected().await;
    let config = database.dsn().parse::<wreath_driver::Config>().unwrap();
    let pool = wreath_driver::Pool::new(config, PoolConfig::default()).unwrap();
    assert_eq!(tokio::spawn(add(pool, [1, 2, 3])).await.unwrap(), 6);
}
