//! Advisory locks, and work that one of many does.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use wreath_driver::{Database, LockKey, Pool, Result, Singleton, lock_hash};

use crate::fixture::{assert_in_step, config, database, polled, within};
use crate::leases::{bounds, pool};

/// How many sessions hold an advisory lock, or wait for one.
fn locks(db: &wreath_tests::Database, granted: bool) -> usize {
    let sql = format!(
        "SELECT 1 FROM pg_locks l JOIN pg_database d ON d.oid = l.database
         WHERE locktype = 'advisory' AND d.datname = current_database() AND granted = {granted}"
    );
    db.admin().query(&sql).unwrap().len()
}

async fn until(what: impl Fn() -> bool) {
    within(async {
        while !what() {
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
    })
    .await;
}

#[tokio::test]
async fn a_lock_is_held_by_one_or_shared() {
    let db = database();
    let pool = pool(&db, bounds(4));
    let key = LockKey::new("shearing").namespace("farm");
    let lock = pool.lock(&key).await.unwrap();
    assert_eq!(lock.key(), &key);
    let seen: i64 = lock
        .client()
        .fetch_scalar(
            "SELECT (classid::int8 << 32) | objid::int8 FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid()",
            (),
        )
        .await
        .unwrap();
    assert_eq!(seen, lock_hash("farm", "shearing"));
    assert!(pool.try_lock(&key, None).await.unwrap().is_none());
    assert!(pool.try_lock(&key.clone().shared(), Some(Duration::ZERO)).await.unwrap().is_none());
    drop(pool.try_lock(&LockKey::new("shearing"), None).await.unwrap().expect("no namespace is another"));
    lock.release().await.unwrap();
    let one = pool.try_lock(&key.clone().shared(), None).await.unwrap().expect("nobody has it");
    let two = pool.lock(&key.clone().shared()).await.unwrap();
    assert!(pool.try_lock(&key, None).await.unwrap().is_none());
    // Dropping lets go at once, though nobody uses the connection.
    drop((one, two));
    until(|| locks(&db, true) == 0).await;
    assert!(pool.try_lock(&key, None).await.unwrap().is_some());
}

#[tokio::test]
async fn the_servers_limit_is_as_before_whether_the_lock_was_had_or_not() {
    let db = database();
    let config = config(&db).options("-c lock_timeout=1234567");
    let pool = Pool::new(config, bounds(2)).unwrap();
    let key = LockKey::new("shearing");
    let limit = "SELECT current_setting('lock_timeout')";
    let lock = pool.try_lock(&key, Some(Duration::from_millis(20))).await.unwrap().expect("nobody has it");
    assert_eq!(lock.client().fetch_scalar::<String>(limit, ()).await.unwrap(), "1234567ms");
    assert!(pool.try_lock(&key, Some(Duration::from_millis(20))).await.unwrap().is_none());
    let lease = pool.acquire().await.unwrap();
    assert_eq!(lease.fetch_scalar::<String>(limit, ()).await.unwrap(), "1234567ms");
    assert_in_step(&lease, "after a lock that could not be had").await;
    drop((lease, lock));
}

#[tokio::test]
async fn who_gives_up_waiting_gets_no_lock() {
    let db = database();
    let pool = pool(&db, bounds(2));
    let key = LockKey::new("shearing");
    let lock = pool.lock(&key).await.unwrap();
    assert!(polled(1, pool.lock(&key)).await.is_none());
    for _ in 0..3 {
        let waiting = tokio::spawn({
            let (pool, key) = (pool.clone(), key.clone());
            async move { pool.lock(&key).await.map(drop) }
        });
        until(|| locks(&db, false) == 1).await;
        waiting.abort();
        assert!(waiting.await.unwrap_err().is_cancelled());
        until(|| locks(&db, false) == 0).await;
    }
    lock.release().await.unwrap();
    until(|| locks(&db, true) == 0).await;
    assert_in_step(&pool.acquire().await.unwrap(), "after locks").await;
}

#[tokio::test]
async fn a_lock_is_lost_with_its_connection() {
    let db = database();
    let pool = pool(&db, bounds(2));
    let lock = pool.lock(&LockKey::new("shearing")).await.unwrap();
    let process: i32 = lock.client().fetch_scalar("SELECT pg_backend_pid()", ()).await.unwrap();
    db.admin().query(&format!("SELECT pg_terminate_backend({process})")).unwrap();
    within(lock.lost()).await;
    assert!(lock.release().await.unwrap_err().is_connection_lost());
}

/// Counts who is at work, and who has ever been.
#[derive(Default)]
struct Work {
    now: AtomicUsize,
    ever: AtomicUsize,
}

struct Working(Arc<Work>);

impl Drop for Working {
    fn drop(&mut self) {
        self.0.now.fetch_sub(1, Ordering::SeqCst);
    }
}

async fn work_on(work: Arc<Work>) -> Result<()> {
    // The server may hear of a connection's end before its client does.
    work.now.fetch_add(1, Ordering::SeqCst);
    work.ever.fetch_add(1, Ordering::SeqCst);
    let _working = Working(work);
    std::future::pending().await
}

#[tokio::test]
async fn a_follower_takes_over_when_the_leaders_connection_dies() {
    let db = database();
    let farms = [0, 1].map(|n| Database::builder(format!("farm {n}"), config(&db)).build().unwrap());
    let work = Arc::new(Work::default());
    let mut runners = Vec::new();
    for farm in &farms {
        farm.start().await.unwrap();
        let (pool, work) = (farm.pool(wreath_driver::Workload::Write).unwrap(), Arc::clone(&work));
        let singleton = Singleton::new(LockKey::new("shearing")).poll_interval(Duration::from_millis(50));
        runners.push(singleton.run(&pool, move || work_on(Arc::clone(&work))));
    }
    for round in 1..=4 {
        until(|| work.ever.load(Ordering::SeqCst) >= round && work.now.load(Ordering::SeqCst) == 1).await;
        assert_eq!(locks(&db, true), 1);
        db.admin()
            .query(
                "SELECT pg_terminate_backend(l.pid, 10000) FROM pg_locks l JOIN pg_database d ON d.oid = l.database
                 WHERE locktype = 'advisory' AND d.datname = current_database()",
            )
            .unwrap();
        until(|| {
            runners.iter().map(wreath_driver::SingletonRunner::lead_errors).sum::<u64>() >= round as u64
        })
        .await;
    }
    until(|| work.now.load(Ordering::SeqCst) == 1).await;
    for runner in runners {
        assert_eq!(runner.release_errors(), 0);
        within(runner.stop()).await;
    }
    assert_eq!(work.now.load(Ordering::SeqCst), 0);
    until(|| locks(&db, true) == 0).await;
}

#[tokio::test]
async fn work_that_fails_is_counted_and_tried_again() {
    let db = database();
    let pool = pool(&db, bounds(1));
    let rounds = Arc::new(AtomicUsize::new(0));
    let counting = Arc::clone(&rounds);
    let runner = Singleton::new(LockKey::new("shearing"))
        .poll_interval(Duration::from_millis(1))
        .jitter(|i| i)
        .run(&pool, move || {
            let round = counting.fetch_add(1, Ordering::SeqCst);
            assert_ne!(round, 2, "not even begun: this panic is meant");
            async move {
                match round {
                    0 => Err("no shears"),
                    1 => panic!("a llama has bitten: this panic is meant"),
                    _ => Ok(()),
                }
            }
        });
    until(|| rounds.load(Ordering::SeqCst) >= 5).await;
    assert!(runner.led() >= 5);
    assert_eq!((runner.lead_errors(), runner.release_errors()), (3, 0));
    within(runner.stop()).await;
    assert_eq!(locks(&db, true), 0);
}
