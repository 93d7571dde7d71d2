//! Pools whose borrowers leave at any moment, and whose connections and servers do.

use std::future::Future;
use std::pin::pin;
use std::sync::{Arc, Mutex};
use std::task::{Context, Waker};
use std::time::Duration;

use wreath_driver::{Config, Error, ErrorKind, Lease, ParamBuf, Pool, PoolConfig, Sql};
use wreath_tests::{Database, Direction, Fault, FaultProxy};

use crate::fixture::{Random, assert_in_step, config, database, open_transactions, polled, within};

fn pool(db: &Database, max_size: usize) -> Pool {
    pool_of(config(db).cancel_on_drop(false), max_size)
}

fn pool_of(config: Config, max_size: usize) -> Pool {
    let patient = Duration::from_secs(60);
    let bounds =
        PoolConfig { max_size, acquire_timeout: patient, max_queue: 10_000, ..PoolConfig::default() };
    Pool::new(config, bounds).unwrap()
}

async fn acquire(pool: &Pool) -> Lease {
    within(pool.acquire()).await.unwrap()
}

/// Sessions that the pool has open on the server.
fn sessions(db: &Database) -> usize {
    let sql = "SELECT pid::text FROM pg_stat_activity
               WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'";
    db.admin().query(sql).unwrap().len()
}

/// Everything has come back, and all places can be had again.
async fn assert_whole(pool: &Pool, max_size: usize) {
    within(async {
        while pool.snapshot().borrowed > 0 {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
    })
    .await;
    assert_eq!(pool.snapshot().waiters, 0);
    let mut leases = Vec::new();
    for _ in 0..max_size {
        let lease = acquire(pool).await;
        assert_in_step(&lease, "a lease").await;
        leases.push(lease);
    }
    assert_eq!(pool.snapshot().borrowed, max_size);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn ten_thousand_acquires_dropped_at_random_lose_no_place() {
    let random = Random::seeded("acquires");
    let db = database();
    let pool = pool(&db, 3);
    let tasks: Vec<_> = (0..10_u64)
        .map(|task| {
            let (pool, mut random) = (pool.clone(), random.fork(task));
            tokio::spawn(async move {
                for n in 0..1000 {
                    let polls = if random.below(3) == 0 { usize::MAX } else { random.below(4) };
                    let Some(lease) = within(polled(polls, pool.acquire())).await else { continue };
                    let lease = lease.unwrap();
                    match random.below(12) {
                        0 => {
                            let got: i64 = lease.fetch_scalar("SELECT $1::int8", (n,)).await.unwrap();
                            assert_eq!(got, n);
                        }
                        1 => {
                            // Left open, and left in flight.
                            let tx = lease.begin().await.unwrap();
                            let lock = Sql::new("INSERT INTO log (word) VALUES ('never')");
                            drop(tx.send(&lock, ParamBuf::new()));
                            std::mem::forget(tx);
                        }
                        2 => drop(polled(random.below(3), lease.begin()).await),
                        _ => tokio::task::yield_now().await,
                    }
                }
            })
        })
        .collect();
    for task in tasks {
        task.await.unwrap();
    }
    assert_whole(&pool, 3).await;
    assert!(sessions(&db) <= 3);
    assert_eq!(open_transactions(&db), "0");
    assert_eq!(db.admin().query("SELECT FROM log").unwrap().len(), 0);
}

#[tokio::test]
async fn callers_are_served_in_the_order_in_which_they_came() {
    let db = database();
    let pool = pool(&db, 1);
    let lease = acquire(&pool).await;
    let served = Arc::new(Mutex::new(Vec::new()));
    let mut callers = Vec::new();
    for n in 0..20 {
        let (of_the_task, served) = (pool.clone(), Arc::clone(&served));
        let caller = tokio::spawn(async move {
            let lease = of_the_task.acquire().await.unwrap();
            served.lock().unwrap().push(n);
            lease.execute("SELECT 1", ()).await.unwrap();
        });
        while pool.snapshot().waiters <= n {
            tokio::task::yield_now().await;
        }
        callers.push(caller);
    }
    // Some lose patience while they wait.
    for n in [0, 3, 4, 19] {
        callers[n].abort();
    }
    // One that comes late does not jump the queue, though the place is free at that very moment.
    drop(lease);
    let late = acquire(&pool).await;
    drop(late);
    let expected: Vec<_> = (0..20).filter(|n| ![0, 3, 4, 19].contains(n)).collect();
    assert_eq!(*served.lock().unwrap(), expected);
    for caller in callers {
        let _ = caller.await;
    }
    assert_whole(&pool, 1).await;
}

#[tokio::test]
async fn closing_refuses_who_waits_at_once_and_waits_for_the_leases() {
    let db = database();
    let pool = pool(&db, 2);
    let (one, two) = (acquire(&pool).await, acquire(&pool).await);
    let waiting = tokio::spawn({
        let pool = pool.clone();
        async move { pool.acquire().await.map(drop) }
    });
    while pool.snapshot().waiters == 0 {
        tokio::task::yield_now().await;
    }
    let closing = tokio::spawn({
        let pool = pool.clone();
        async move { pool.close().await }
    });
    // No lease has come back yet.
    let refused = within(waiting).await.unwrap().unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::Pool, "{refused}");
    assert_eq!(pool.acquire().await.unwrap_err().kind(), ErrorKind::Pool);
    assert!(!closing.is_finished());
    one.execute("SELECT 1", ()).await.unwrap();
    drop(one);
    assert!(!closing.is_finished());
    // What is open is rolled back, and what is in flight ends.
    let tx = two.begin().await.unwrap();
    tx.execute("INSERT INTO log (word) VALUES ('never')", ()).await.unwrap();
    std::mem::forget(tx);
    drop(two);
    within(closing).await.unwrap();
    within(pool.close()).await;
    within(async {
        while sessions(&db) > 0 {
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
    })
    .await;
    assert_eq!(db.admin().query("SELECT FROM log").unwrap().len(), 0);
}

#[tokio::test]
async fn a_close_that_is_given_up_still_closes_what_comes_back() {
    let db = database();
    let pool = pool(&db, 2);
    let lease = acquire(&pool).await;
    drop(acquire(&pool).await);
    assert!(polled(1, pool.close()).await.is_none());
    lease.execute("SELECT 1", ()).await.unwrap();
    drop(lease);
    within(async {
        while sessions(&db) > 0 {
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
    })
    .await;
    assert_eq!(pool.acquire().await.unwrap_err().kind(), ErrorKind::Pool);
}

#[tokio::test]
async fn connections_that_were_killed_while_idle_are_not_handed_out() {
    let db = database();
    let pool = pool(&db, 3);
    for _ in 0..3 {
        let leases = [acquire(&pool).await, acquire(&pool).await, acquire(&pool).await];
        drop(leases);
        db.admin()
            .query(
                "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity
                 WHERE datname = current_database() AND pid <> pg_backend_pid()",
            )
            .unwrap();
        // The end of the streams is there: the runtime only has to look.
        tokio::time::sleep(Duration::from_millis(20)).await;
        for _ in 0..3 {
            acquire(&pool).await.execute("SELECT 1", ()).await.unwrap();
        }
    }
    assert_whole(&pool, 3).await;
}

#[tokio::test]
async fn a_transaction_does_not_outlive_its_lease() {
    let db = database();
    let pool = pool(&db, 1);
    for end in 0..3 {
        let lease = acquire(&pool).await;
        let old = lease.begin().await.unwrap();
        let inner = old.begin().await.unwrap();
        inner.execute("INSERT INTO log (word) VALUES ('never')", ()).await.unwrap();
        drop(lease);
        let lease = acquire(&pool).await;
        let tx = lease.begin().await.unwrap();
        tx.execute("INSERT INTO log (word) VALUES ('kept')", ()).await.unwrap();
        for void in [&inner, &old] {
            let refused = void.execute("INSERT INTO log (word) VALUES ('never')", ()).await.unwrap_err();
            assert_eq!(refused.kind(), ErrorKind::TransactionClosed, "{refused}");
        }
        // None of these may touch the transaction of the next borrower.
        match end {
            0 => drop((inner, old)),
            1 => {
                assert_eq!(inner.rollback().await.unwrap_err().kind(), ErrorKind::TransactionClosed);
                assert_eq!(old.rollback().await.unwrap_err().kind(), ErrorKind::TransactionClosed);
            }
            _ => {
                assert_eq!(inner.commit().await.unwrap_err().kind(), ErrorKind::TransactionClosed);
                assert_eq!(old.commit().await.unwrap_err().kind(), ErrorKind::TransactionClosed);
            }
        }
        tx.commit().await.unwrap();
    }
    let words = db.admin().query("SELECT DISTINCT word, count(*)::text FROM log GROUP BY 1").unwrap();
    assert_eq!(words, [[Some("kept".to_owned()), Some("3".to_owned())]]);
}

#[tokio::test]
async fn a_transaction_that_was_opened_behind_the_drivers_back_ends_with_the_lease() {
    let db = database();
    let pool = pool(&db, 1);
    let lease = acquire(&pool).await;
    drop(lease.send(&Sql::new("/* hidden */ ; BEGIN"), ParamBuf::new()));
    drop(lease);
    let lease = acquire(&pool).await;
    let caught = lease.execute("INSERT INTO log (word) VALUES ('lost')", ()).await.map_err(|e| e.kind());
    assert!(matches!(caught, Ok(_) | Err(ErrorKind::UnmanagedTransaction)), "{caught:?}");
    assert_in_step(&lease, "hidden").await;
    let left: i64 = lease.fetch_scalar("SELECT count(*) FROM log", ()).await.unwrap();
    assert_eq!(left, i64::from(caught.is_ok()), "what it says is what has happened");
}

/// What a borrower has left running is not the next one's to wait for, where another connection can be had.
#[tokio::test]
async fn a_connection_that_is_still_at_work_is_not_handed_out() {
    let db = database();
    let pool = pool(&db, 2);
    drop(acquire(&pool).await);
    let lease = acquire(&pool).await;
    let mut sleep = Box::pin(lease.execute("SELECT pg_sleep(600)", ()));
    assert!(sleep.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending());
    drop(sleep);
    drop(lease);
    for _ in 0..3 {
        acquire(&pool).await.execute("SELECT 1", ()).await.unwrap();
    }
    assert!(sessions(&db) <= 2);
    db.admin().query("SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE query LIKE '%sleep(600)%' AND pid <> pg_backend_pid()").unwrap();
    assert_whole(&pool, 2).await;
}

#[tokio::test]
async fn a_server_that_swallows_everything_does_not_keep_the_pool() {
    let db = database();
    let proxy = FaultProxy::start(db.cluster()).await.unwrap();
    let config: Config = proxy.dsn(db.name()).parse().unwrap();
    let bounds =
        PoolConfig { max_size: 2, acquire_timeout: Duration::from_millis(300), ..PoolConfig::default() };
    let pool = Pool::new(config.connect_timeout(Duration::from_millis(100)), bounds).unwrap();
    proxy.set(Direction::ToClient, Fault::BlackHole);
    // Whether the acquire's own time or the connection's is up first, the error tells.
    let error = within(pool.acquire()).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Timeout, "{error}");
    let stuck: Vec<_> = (0..5)
        .map(|_| {
            tokio::spawn({
                let pool = pool.clone();
                async move { pool.acquire().await.map(drop) }
            })
        })
        .collect();
    for caller in stuck {
        let error: Error = within(caller).await.unwrap().unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Timeout, "{error}");
    }
    // All places are in use: how the pool stands is part of the error.
    proxy.set(Direction::ToClient, Fault::Pass);
    let (one, two) = within(async {
        loop {
            if let (Ok(one), Ok(two)) = (pool.acquire().await, pool.acquire().await) {
                return (one, two);
            }
        }
    })
    .await;
    let error = within(pool.acquire()).await.unwrap_err();
    let text = error.to_string();
    assert_eq!(error.kind(), ErrorKind::Timeout, "{error}");
    assert!(text.contains("2 of at most 2 are in use") && text.contains("session"), "{text}");
    drop((one, two));
    acquire(&pool).await.execute("SELECT 1", ()).await.unwrap();
}

#[test]
fn a_pool_goes_on_in_another_runtime() {
    let db = database();
    let pool = pool(&db, 2);
    let new = || tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let mut kept = None;
    for round in 0..3 {
        let runtime = new();
        runtime.block_on(async {
            // What the last runtime has left behind is of no use, and does no harm.
            drop(kept.take());
            let lease = acquire(&pool).await;
            assert_in_step(&lease, &format!("runtime {round}")).await;
            drop(acquire(&pool).await);
            kept = Some(lease);
        });
    }
    let lease = kept.take().unwrap();
    let runtime = new();
    let error = runtime.block_on(within(lease.execute("SELECT 1", ()))).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Closed, "{error}");
    // Outside of any runtime.
    drop(lease);
    runtime.block_on(assert_whole(&pool, 2));
    let mut closing = pin!(pool.close());
    runtime.block_on(within(&mut closing));
}
