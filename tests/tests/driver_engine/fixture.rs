//! Connections, random numbers, and futures that are polled by hand.

use std::future::{Future, poll_fn};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Poll, Wake, Waker};
use std::time::Duration;

use wreath_driver::{Client, Config, Connection};
use wreath_tests::{Cluster, Database};

/// A fresh database.
pub(crate) fn database() -> Database {
    Cluster::shared().database_from(
        "engine",
        "CREATE TYPE mood AS ENUM ('sad', 'happy');
         CREATE TABLE log (id bigint GENERATED ALWAYS AS IDENTITY, word text NOT NULL, n bigint);
         CREATE TABLE moods (id int PRIMARY KEY, mood mood NOT NULL);
         INSERT INTO moods VALUES (1, 'happy');",
    )
}

pub(crate) fn config(db: &Database) -> Config {
    db.dsn().parse().unwrap()
}

pub(crate) async fn connect(db: &Database) -> Connection {
    config(db).connect().await.unwrap()
}

/// Fails a test that hangs. It measures nothing: it is far longer than anything takes.
pub(crate) async fn within<T>(future: impl Future<Output = T>) -> T {
    tokio::time::timeout(Duration::from_secs(60), future).await.expect("this hangs")
}

/// Polls a future `n` times, each time after it has been woken, and then drops it: `None`. If it ends before,
/// what it answers.
pub(crate) async fn polled<F: Future>(n: usize, future: F) -> Option<F::Output> {
    if n == 0 {
        return None;
    }
    let mut future = Box::pin(future);
    let mut polls = 0;
    poll_fn(|cx| {
        polls += 1;
        match future.as_mut().poll(cx) {
            Poll::Ready(output) => Poll::Ready(Some(output)),
            Poll::Pending if polls == n => Poll::Ready(None),
            Poll::Pending => Poll::Pending,
        }
    })
    .await
}

/// The connection gives each statement its own answer, no transaction is open on it, and the server has
/// prepared exactly what the connection keeps.
pub(crate) async fn assert_in_step(client: &Client, what: &str) {
    for n in [17_i64, 4] {
        let got: i64 = within(client.fetch_scalar("SELECT $1::int8 + 1", (n,))).await.expect(what);
        assert_eq!(got, n + 1, "{what}");
    }
    let first: i64 = client.fetch_scalar("SELECT txid_current()", ()).await.expect(what);
    let second: i64 = client.fetch_scalar("SELECT txid_current()", ()).await.expect(what);
    assert_ne!(first, second, "{what}: a transaction was left open");
    assert_nothing_leaked(client, what).await;
}

/// The server has prepared exactly what the connection keeps.
pub(crate) async fn assert_nothing_leaked(client: &Client, what: &str) {
    const COUNT: &str = "SELECT count(*) FROM pg_prepared_statements WHERE name <> ''";
    // The first may carry away what is to be closed, and brings itself in.
    let _: i64 = client.fetch_scalar(COUNT, ()).await.expect(what);
    let prepared: i64 = client.fetch_scalar(COUNT, ()).await.expect(what);
    assert_eq!(u64::try_from(prepared).unwrap(), client.stats().prepared, "{what}: statements were leaked");
}

/// How many transactions sessions of this database have left open, seen from another session.
pub(crate) fn open_transactions(db: &Database) -> String {
    let sql = "SELECT count(*)::text FROM pg_stat_activity
               WHERE datname = current_database() AND state LIKE 'idle in transaction%'";
    db.admin().query(sql).unwrap()[0][0].clone().unwrap()
}

/// Random numbers (`SplitMix64`) of a seed that a failing test prints.
#[derive(Clone)]
pub(crate) struct Random(u64);

impl Random {
    /// `WREATH_SEED`, or a new seed, which is printed.
    pub(crate) fn seeded(test: &str) -> Self {
        let seed = match std::env::var("WREATH_SEED") {
            Ok(seed) => seed.parse().unwrap(),
            Err(_) => u64::from(std::time::UNIX_EPOCH.elapsed().unwrap().subsec_nanos()),
        };
        println!("{test}: WREATH_SEED={seed}");
        Self(seed)
    }

    /// Another sequence of the same seed.
    pub(crate) fn fork(&self, n: u64) -> Self {
        Self(self.0 ^ n.wrapping_mul(0xa076_1d64_78bd_642f))
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `n`.
    pub(crate) fn below(&mut self, n: usize) -> usize {
        usize::try_from(self.next() % u64::try_from(n).unwrap()).unwrap()
    }
}

/// A waker that counts.
#[derive(Default)]
pub(crate) struct Wakes(AtomicUsize);

impl Wakes {
    pub(crate) fn new() -> Arc<Self> {
        Arc::default()
    }

    pub(crate) fn waker(self: &Arc<Self>) -> Waker {
        Waker::from(Arc::clone(self))
    }

    pub(crate) fn count(&self) -> usize {
        self.0.load(Ordering::SeqCst)
    }
}

impl Wake for Wakes {
    fn wake(self: Arc<Self>) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }
}
