//! Pools whose network and server fail: nobody waits for longer than was agreed, nothing dead is handed out, and all is
//! as before when the fault is over.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use wreath_driver::{Config, Error, ErrorKind, Pool, PoolConfig};
use wreath_tests::{Cluster, Direction, Fault, FaultProxy};

use crate::fixture::{Random, config, database, within};
use crate::leases::assert_adds_up;

const SIZE: usize = 3;

fn bounds() -> PoolConfig {
    PoolConfig {
        min_size: SIZE,
        max_size: SIZE,
        acquire_timeout: Duration::from_millis(400),
        command_timeout: Some(Duration::from_millis(300)),
        check_after: Some(Duration::from_millis(20)),
        check_timeout: Duration::from_millis(200),
        ..PoolConfig::default()
    }
}

/// Callers that come all the time, and what happened to them.
struct Load {
    pool: Pool,
    asked: Arc<AtomicU64>,
    served: Arc<AtomicU64>,
    tasks: Vec<tokio::task::JoinHandle<()>>,
}

impl Load {
    fn on(pool: &Pool) -> Self {
        let (asked, served) = (Arc::new(AtomicU64::new(0)), Arc::new(AtomicU64::new(0)));
        let tasks = (0..6)
            .map(|n| {
                let (pool, asked, served) = (pool.clone(), Arc::clone(&asked), Arc::clone(&served));
                tokio::spawn(async move {
                    loop {
                        asked.fetch_add(1, Ordering::SeqCst);
                        // Longer than the acquire may take, so that a timer that is late does no harm.
                        let answer = within(use_one(&pool, n)).await;
                        match answer {
                            Ok(()) => drop(served.fetch_add(1, Ordering::SeqCst)),
                            Err(e) => assert!(is_the_faults(&e), "{e:?}"),
                        }
                        tokio::task::yield_now().await;
                    }
                })
            })
            .collect();
        Self { pool: pool.clone(), asked, served, tasks }
    }

    /// Waits until that many more have been served.
    async fn served(&self, more: u64) {
        let until = self.served.load(Ordering::SeqCst) + more;
        within(async {
            while self.served.load(Ordering::SeqCst) < until {
                assert!(self.tasks.iter().all(|task| !task.is_finished()), "a caller has panicked");
                tokio::time::sleep(Duration::from_millis(2)).await;
            }
        })
        .await;
    }

    async fn end(self) {
        for task in &self.tasks {
            task.abort();
        }
        for task in self.tasks {
            assert!(task.await.unwrap_err().is_cancelled());
        }
        within(async {
            while self.pool.snapshot().available < SIZE {
                tokio::time::sleep(Duration::from_millis(2)).await;
            }
        })
        .await;
        assert_adds_up(&self.pool, self.asked.load(Ordering::SeqCst));
        assert_eq!(self.pool.snapshot().waiters, 0);
    }
}

async fn use_one(pool: &Pool, n: i64) -> Result<(), Error> {
    let answer: i64 = if n & 1 == 0 {
        pool.acquire().await?.fetch_scalar("SELECT $1::int8", (n,)).await?
    } else {
        pool.acquire_shared().await?.fetch_scalar("SELECT $1::int8", (n,)).await?
    };
    assert_eq!(answer, n);
    Ok(())
}

fn is_the_faults(e: &Error) -> bool {
    e.is_connection_lost()
        || matches!(e.kind(), ErrorKind::Timeout | ErrorKind::Connect)
        || e.sqlstate() == Some("57P03")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_network_that_fails_in_every_way() {
    let db = database();
    let proxy = FaultProxy::start(db.cluster()).await.unwrap();
    let config: Config = proxy.dsn(db.name()).parse().unwrap();
    let config = config.connect_timeout(Duration::from_millis(300));
    let pool = Pool::new(config, bounds()).unwrap();
    within(pool.start()).await.unwrap();
    let load = Load::on(&pool);
    load.served(20).await;
    for fault in [
        Fault::Stall,
        Fault::BlackHole,
        Fault::CutAfter(200),
        Fault::Delay(Duration::from_millis(5)),
        Fault::Split(3),
    ] {
        for direction in [Direction::ToClient, Direction::ToServer] {
            let failed = pool.counters();
            proxy.set(direction, fault);
            if matches!(fault, Fault::Delay(_) | Fault::Split(_)) {
                load.served(5).await;
            } else {
                // Somebody has noticed.
                within(async {
                    while (pool.counters().broken, pool.counters().timed_out)
                        == (failed.broken, failed.timed_out)
                    {
                        tokio::time::sleep(Duration::from_millis(2)).await;
                    }
                })
                .await;
            }
            proxy.set(direction, Fault::Pass);
            load.served(20).await;
        }
        proxy.cut();
        load.served(20).await;
    }
    load.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sessions_that_are_terminated_at_random_under_load() {
    let mut random = Random::seeded("terminated");
    let db = database();
    let pool = Pool::new(config(&db), bounds()).unwrap();
    within(pool.start()).await.unwrap();
    let load = Load::on(&pool);
    let mut admin = db.admin();
    for _ in 0..30 {
        load.served(random.below(30) as u64).await;
        admin
            .query(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                 WHERE datname = current_database() AND pid <> pg_backend_pid() AND random() < 0.5",
            )
            .unwrap();
    }
    load.served(20).await;
    load.end().await;
    assert!(pool.counters().broken > 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_that_is_killed_and_comes_back() {
    if Cluster::shared_ours().is_none() {
        return;
    }
    let cluster = Cluster::start().unwrap();
    let db = cluster.database();
    let pool = Pool::new(config(&db), bounds()).unwrap();
    within(pool.start()).await.unwrap();
    let load = Load::on(&pool);
    load.served(20).await;
    cluster.kill();
    within(async {
        while pool.counters().failed_to_open == 0 {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    })
    .await;
    let restarted = tokio::task::spawn_blocking({
        let cluster = cluster.clone();
        move || cluster.restart()
    });
    restarted.await.unwrap();
    load.served(50).await;
    load.end().await;
}

#[tokio::test]
async fn a_pool_fills_itself_again_with_nobody_asking() {
    let db = database();
    let pool = Pool::new(config(&db), bounds()).unwrap();
    within(pool.start()).await.unwrap();
    assert_eq!(pool.snapshot().available, SIZE);
    for round in 1..=3 {
        db.admin()
            .query(
                "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity
                 WHERE datname = current_database() AND pid <> pg_backend_pid()",
            )
            .unwrap();
        let opened = u64::try_from(SIZE).unwrap() * (round + 1);
        within(async {
            while pool.snapshot().available < SIZE || pool.counters().opened < opened {
                tokio::time::sleep(Duration::from_millis(2)).await;
            }
        })
        .await;
    }
    assert_adds_up(&pool, 0);
}
