//! What a lease leaves behind, who shares a connection, and what a pool tells of its borrowers.

use std::future::Future;
use std::pin::pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::task::{Context, Waker};
use std::time::Duration;

use wreath_driver::{ErrorKind, Pool, PoolConfig, PoolCounters};
use wreath_tests::Database;

use crate::fixture::{assert_in_step, config, database, within};

pub(crate) fn bounds(max_size: usize) -> PoolConfig {
    PoolConfig { max_size, acquire_timeout: Duration::from_secs(60), ..PoolConfig::default() }
}

pub(crate) fn pool(db: &Database, bounds: PoolConfig) -> Pool {
    Pool::new(config(db), bounds).unwrap()
}

/// Whoever asked got something or not; what was opened was closed or is open.
pub(crate) fn assert_adds_up(pool: &Pool, asked: u64) -> PoolCounters {
    let (counters, now) = (pool.counters(), pool.snapshot());
    let answered =
        counters.acquired + counters.timed_out + counters.refused + counters.failed + counters.cancelled;
    assert_eq!(asked, answered + now.waiters as u64, "{counters:?}");
    let closed = counters.closed_by_age
        + counters.closed_idle
        + counters.broken
        + counters.evicted
        + counters.unwanted
        + counters.stopped;
    let open = (now.borrowed + now.available + now.renewing) as u64;
    assert_eq!(counters.opened, closed + open, "{counters:?} {now:?}");
    counters
}

#[tokio::test]
async fn what_a_borrower_changed_is_reset_in_the_next_ones_flight() {
    let db = database();
    let pool = pool(&db, bounds(1));
    let lease = pool.acquire().await.unwrap();
    lease.fetch_scalar::<i32>("SELECT 1", ()).await.unwrap();
    let role = format!("role_{}", db.name());
    db.admin().query(&format!("CREATE ROLE {role}")).unwrap();
    lease.batch(&format!("SET search_path TO pg_catalog; SET ROLE {role}; RESET ROLE")).await.unwrap();
    lease.batch(&format!("SET ROLE {role}; LISTEN shearings")).await.unwrap();
    lease.execute("SELECT pg_advisory_lock(42)", ()).await.unwrap();
    lease.batch("RESET ROLE; CREATE TEMP TABLE passing (a int)").await.unwrap();
    lease.batch("BEGIN; DECLARE kept CURSOR WITH HOLD FOR SELECT 1; COMMIT").await.unwrap();
    let prepared = lease.stats().prepared;
    drop(lease);
    // Others may wait for a lock, so it goes at once: this waits for it.
    let mut admin = db.admin();
    let waiting = tokio::task::spawn_blocking(move || admin.query("SELECT pg_advisory_lock(42)").map(drop));
    within(waiting).await.unwrap().unwrap();

    let lease = pool.acquire().await.unwrap();
    let state: (String, String) = lease
        .fetch_as("SELECT current_setting('search_path'), current_setting('role')", ())
        .await
        .unwrap()
        .remove(0);
    assert_eq!(state, ("\"$user\", public".to_owned(), "none".to_owned()));
    let left = "SELECT (SELECT count(*) FROM pg_listening_channels()) + (SELECT count(*) FROM pg_cursors WHERE name = 'kept')
                + (SELECT count(*) FROM pg_class WHERE relname = 'passing')";
    assert_eq!(lease.fetch_scalar::<i64>(left, ()).await.unwrap(), 0);
    assert!(lease.stats().prepared >= prepared, "statements stay prepared");
    assert_in_step(&lease, "after a reset").await;

    // A setting alone can wait for the next flight.
    lease.execute("SET statement_timeout = '7s'", ()).await.unwrap();
    let before = lease.stats();
    drop(lease);
    let lease = pool.acquire().await.unwrap();
    assert_eq!(lease.stats().writes, before.writes, "nothing is sent before there is something to send");
    let timeout: String =
        lease.fetch_scalar("SELECT current_setting('statement_timeout')", ()).await.unwrap();
    assert_eq!((timeout.as_str(), lease.stats().round_trips), ("0", before.round_trips + 1));
    db.admin().query(&format!("DROP ROLE {role}")).unwrap();
}

#[tokio::test]
async fn nothing_is_sent_when_nothing_was_changed() {
    let db = database();
    let pool = pool(&db, bounds(1));
    drop(pool.acquire().await.unwrap());
    let lease = pool.acquire().await.unwrap();
    let ask = || lease.fetch_scalar::<i32>("SELECT 1", ());
    assert_eq!((ask().await.unwrap(), ask().await.unwrap()), (1, 1));
    let tx = lease.begin().await.unwrap();
    tx.execute("SET LOCAL statement_timeout = '7s'", ()).await.unwrap();
    tx.fetch_scalar::<String>("SELECT set_config('a.b', 'c', true)", ()).await.unwrap();
    tx.commit().await.unwrap();
    let before = lease.stats();
    ask().await.unwrap();
    let plain = lease.stats().bytes_out - before.bytes_out;
    drop(lease);
    let lease = pool.acquire().await.unwrap();
    let before = lease.stats();
    lease.fetch_scalar::<i32>("SELECT 1", ()).await.unwrap();
    assert_eq!(lease.stats().bytes_out - before.bytes_out, plain);
}

#[tokio::test]
async fn a_pool_that_only_reads_stays_so() {
    let db = database();
    let pool = pool(&db, PoolConfig { read_only: true, ..bounds(1) });
    for _ in 0..2 {
        let lease = pool.acquire().await.unwrap();
        let refused = lease.execute("INSERT INTO log (word) VALUES ('never')", ()).await.unwrap_err();
        assert_eq!(refused.sqlstate(), Some("25006"));
        lease.execute("SET default_transaction_read_only = off", ()).await.unwrap();
        lease.execute("INSERT INTO log (word) VALUES ('meant')", ()).await.unwrap();
    }
    assert_eq!(assert_adds_up(&pool, 2).evicted, 0);
}

#[tokio::test]
async fn a_connection_to_a_server_that_has_become_read_only_is_given_up() {
    let db = database();
    // What a standby says to a session that means to write.
    let config = config(&db).options("-c default_transaction_read_only=on");
    let pool = Pool::new(config, bounds(1)).unwrap();
    let write = "INSERT INTO log (word) VALUES ('never')";
    let lease = pool.acquire().await.unwrap();
    let tx = lease.transaction().read_only().begin().await.unwrap();
    assert_eq!(tx.execute(write, ()).await.unwrap_err().sqlstate(), Some("25006"));
    drop(tx);
    drop(lease);
    let lease = pool.acquire().await.unwrap();
    assert_eq!(pool.counters().evicted, 0, "it asked for that");
    assert_eq!(lease.execute(write, ()).await.unwrap_err().sqlstate(), Some("25006"));
    drop(lease);
    assert_eq!(pool.counters().evicted, 1);
    pool.acquire().await.unwrap().execute("SELECT 1", ()).await.unwrap();
    assert_eq!(assert_adds_up(&pool, 3).opened, 2);
}

#[tokio::test]
async fn borrowers_share_a_connection_up_to_its_depth_and_in_turn_with_others() {
    let db = database();
    let pool = pool(&db, PoolConfig { pipeline_depth: 3, ..bounds(1) });
    let process = "SELECT pg_backend_pid()";
    let mut shared = Vec::new();
    for _ in 0..3 {
        shared.push(within(pool.acquire_shared()).await.unwrap());
    }
    let first: i32 = shared[0].fetch_scalar(process, ()).await.unwrap();
    assert_eq!(shared[2].fetch_scalar::<i32>(process, ()).await.unwrap(), first);
    assert_eq!(pool.snapshot().borrowed, 1);
    assert_eq!(pool.leases().iter().filter(|lease| lease.shared).count(), 3);
    let refused = shared[0].begin().await.unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::Unsupported, "{refused}");

    // One who wants it alone is not kept waiting by those who come later and would share it.
    let mut fourth = pin!(pool.acquire_shared());
    let mut cx = Context::from_waker(Waker::noop());
    assert!(fourth.as_mut().poll(&mut cx).is_pending());
    let mut alone = pin!(pool.acquire());
    assert!(alone.as_mut().poll(&mut cx).is_pending());
    let mut late = pin!(pool.acquire_shared());
    assert!(late.as_mut().poll(&mut cx).is_pending());
    shared.pop();
    let fourth = within(fourth).await.unwrap();
    shared.pop();
    assert!(late.as_mut().poll(&mut cx).is_pending(), "there is room, and somebody before it");
    drop((shared, fourth));
    let alone = within(alone).await.unwrap();
    let tx = alone.begin().await.unwrap();
    assert!(late.as_mut().poll(&mut cx).is_pending());
    tx.commit().await.unwrap();
    drop(alone);
    assert_in_step(&within(late).await.unwrap(), "shared").await;
    assert_adds_up(&pool, 6);
}

#[tokio::test]
async fn sharing_opens_more_connections_while_there_may_be_more() {
    let db = database();
    let pool = pool(&db, PoolConfig { pipeline_depth: 4, ..bounds(2) });
    let one = pool.acquire_shared().await.unwrap();
    let two = pool.acquire_shared().await.unwrap();
    within(async {
        while pool.snapshot().available == 0 {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
    })
    .await;
    let three = pool.acquire_shared().await.unwrap();
    assert_eq!(pool.snapshot().borrowed, 2);
    drop((one, two, three));
}

#[tokio::test]
async fn hooks_see_each_connection_at_its_turns() {
    let db = database();
    let (opened, given, taken) =
        (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)), Arc::default());
    let counts = (Arc::clone(&opened), Arc::clone(&given), Arc::<AtomicUsize>::clone(&taken));
    let pool = Pool::builder(config(&db))
        .bounds(bounds(1))
        .after_connect(move |client| {
            counts.0.fetch_add(1, Ordering::SeqCst);
            Box::pin(async move { client.execute("SET search_path TO pg_temp", ()).await.map(drop) })
        })
        .before_acquire(move |client| {
            let good = counts.1.fetch_add(1, Ordering::SeqCst) != 1;
            Box::pin(async move { client.execute("SELECT 1", ()).await.map(|_| good) })
        })
        .after_release(move |client| {
            counts.2.fetch_add(1, Ordering::SeqCst);
            Box::pin(async move { client.execute("SELECT 2", ()).await.map(|_| true) })
        })
        .build()
        .unwrap();
    let path = "SELECT current_setting('search_path')";
    let lease = within(pool.acquire()).await.unwrap();
    assert_eq!(lease.fetch_scalar::<String>(path, ()).await.unwrap(), "pg_temp");
    lease.execute("SET search_path TO public", ()).await.unwrap();
    drop(lease);
    // The second time it is not wanted, so another one is opened.
    let lease = within(pool.acquire()).await.unwrap();
    assert_eq!(lease.fetch_scalar::<String>(path, ()).await.unwrap(), "pg_temp");
    assert_eq!((pool.counters().opened, pool.counters().unwanted), (2, 1));
    drop(lease);
    let lease = within(pool.acquire()).await.unwrap();
    assert_eq!(lease.fetch_scalar::<String>(path, ()).await.unwrap(), "pg_temp");
    assert_eq!(given.load(Ordering::SeqCst), 4);
    assert_eq!(taken.load(Ordering::SeqCst), 2);
    assert_eq!(opened.load(Ordering::SeqCst), 3, "twice because one was opened, once because of a reset");
    assert_adds_up(&pool, 3);
}

#[tokio::test]
async fn an_acquire_in_vain_says_who_holds_what() {
    let db = database();
    let bounds = PoolConfig { acquire_timeout: Duration::from_millis(50), max_queue: 1, ..bounds(1) };
    let told = Arc::new(Mutex::new(Vec::new()));
    let telling = Arc::clone(&told);
    let pool = Pool::builder(config(&db))
        .bounds(bounds)
        .report_long_leases(Duration::from_millis(20), move |lease| {
            telling.lock().unwrap().push(lease.acquired_at);
        })
        .build()
        .unwrap();
    pool.start().await.unwrap();
    let lease = pool.acquire().await.unwrap();
    let own = pool.acquire().await.unwrap_err();
    let others = pool.clone();
    let other = tokio::spawn(async move { others.acquire().await.unwrap_err() }).await.unwrap();
    for (error, is_own) in [(&own, true), (&other, false)] {
        let text = error.to_string();
        assert_eq!(error.kind(), ErrorKind::Timeout);
        assert!(text.contains("1 of at most 1 are in use") && text.contains("leases.rs"), "{text}");
        assert_eq!(text.contains("this task has one already"), is_own, "{text}");
    }
    within(async {
        while told.lock().unwrap().is_empty() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    })
    .await;
    assert_eq!(pool.leases().len(), 1);
    assert!(pool.leases()[0].held >= Duration::from_millis(50));
    assert_eq!(told.lock().unwrap()[0].to_string(), pool.leases()[0].acquired_at.to_string());
    drop(lease);
    assert_eq!(told.lock().unwrap().len(), 1, "each is told of once");

    // A wrong password does not get better by waiting.
    let wrong = Pool::new(config(&db).dbname("no_such_farm"), PoolConfig::default()).unwrap();
    assert_eq!(within(wrong.acquire()).await.unwrap_err().sqlstate(), Some("3D000"));
    assert_eq!(within(wrong.start()).await.unwrap_err().sqlstate(), Some("3D000"));
    assert_eq!(assert_adds_up(&wrong, 1).failed, 1);
    assert_eq!(assert_adds_up(&pool, 3).timed_out, 2);
}

#[tokio::test]
async fn connections_grow_old_and_idle() {
    let db = database();
    let bounds = PoolConfig {
        max_lifetime: Some(Duration::from_millis(300)),
        idle_timeout: Some(Duration::from_millis(100)),
        check_after: Some(Duration::ZERO),
        min_size: 1,
        ..bounds(3)
    };
    let pool = pool(&db, bounds);
    let leases =
        [pool.acquire().await.unwrap(), pool.acquire().await.unwrap(), pool.acquire().await.unwrap()];
    drop(leases);
    within(async {
        while pool.counters().closed_idle < 2
            || pool.counters().closed_by_age == 0
            || pool.snapshot().available != 1
        {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    })
    .await;
    pool.acquire().await.unwrap().execute("SELECT 1", ()).await.unwrap();
    assert_adds_up(&pool, 4);
}

#[tokio::test]
async fn a_stop_takes_what_does_not_come_back() {
    let db = database();
    let pool = pool(&db, bounds(2));
    let lease = pool.acquire().await.unwrap();
    let mut sleep = Box::pin(lease.execute("SELECT pg_sleep(600)", ()));
    assert!(sleep.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending());
    within(pool.stop(Duration::from_millis(20))).await;
    let error = within(sleep).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Closed, "{error}");
    assert!(error.to_string().contains("stopped"), "{error}");
    drop(lease);
    assert_eq!(pool.start().await.unwrap_err().kind(), ErrorKind::Pool);
    assert_adds_up(&pool, 1);
}

#[tokio::test]
async fn reports_may_panic_and_limits_may_have_no_end() {
    let db = database();
    let reports = Arc::new(AtomicUsize::new(0));
    let counting = Arc::clone(&reports);
    let touchy = Pool::builder(config(&db))
        .bounds(PoolConfig { min_size: 0, ..bounds(2) })
        .after_release(|_| Box::pin(async { Ok(true) }))
        .report_long_leases(Duration::from_millis(5), move |_| {
            counting.fetch_add(1, Ordering::SeqCst);
            panic!("too long");
        })
        .build()
        .unwrap();
    for n in 1..3 {
        let lease = touchy.acquire().await.unwrap();
        within(async {
            while reports.load(Ordering::SeqCst) < n {
                tokio::time::sleep(Duration::from_millis(1)).await;
            }
        })
        .await;
        drop(lease);
        within(async {
            while touchy.snapshot().available == 0 {
                tokio::time::sleep(Duration::from_millis(1)).await;
            }
        })
        .await;
    }
    let ever = Duration::MAX;
    let endless = PoolConfig {
        acquire_timeout: ever,
        check_timeout: ever,
        command_timeout: Some(ever),
        max_lifetime: Some(ever),
        idle_timeout: Some(ever),
        check_after: Some(ever),
        ..bounds(1)
    };
    let patient =
        Pool::builder(config(&db)).bounds(endless).report_long_leases(ever, |_| {}).build().unwrap();
    within(patient.start()).await.unwrap();
    for _ in 0..2 {
        let lease = within(patient.acquire()).await.unwrap();
        assert_eq!(lease.fetch_scalar::<i32>("SELECT 7", ()).await.unwrap(), 7);
    }
}

#[tokio::test]
async fn a_close_does_not_wait_for_a_start_that_was_given_up() {
    let db = database();
    let pool = pool(&db, PoolConfig { min_size: 2, ..bounds(2) });
    let mut start = Box::pin(pool.start());
    let mut close = Box::pin(pool.close());
    let mut cx = Context::from_waker(Waker::noop());
    assert!(start.as_mut().poll(&mut cx).is_pending() && close.as_mut().poll(&mut cx).is_pending());
    drop(start);
    within(close).await;
    assert_adds_up(&pool, 0);
}
