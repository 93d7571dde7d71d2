//! What it costs to be watched: nothing where nobody does, and one allocation an operation where somebody does.

mod counting;

use std::sync::atomic::{AtomicU64, Ordering};

use counting::allocations;
use wreath_driver::{Config, Connection, Finished, Operation, ParamBuf, Recorder, Sql};
use wreath_tests::Cluster;

#[derive(Default)]
struct Count(AtomicU64);

impl Recorder for &'static Count {
    fn finished(&self, _: &Operation<'_>, end: &Finished<'_>) {
        assert!(end.error.is_none());
        self.0.fetch_add(1, Ordering::Relaxed);
    }
}

/// The allocations of one warm statement.
async fn warm(connection: &Connection) -> u64 {
    let sql = Sql::new("SELECT 1");
    let mut found = Vec::with_capacity(20);
    for _ in 0..20 {
        let before = allocations();
        let rows = connection.send(&sql, ParamBuf::new()).await.expect("fetches");
        assert_eq!(rows.len(), 1);
        drop(rows);
        found.push(allocations() - before);
    }
    found.into_iter().min().unwrap_or_default()
}

#[test]
fn nobody_pays_for_a_recorder_that_is_not_there() {
    static COUNT: Count = Count(AtomicU64::new(0));
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    runtime.block_on(async {
        let database = Cluster::shared().database();
        let config: Config = database.dsn().parse().expect("the kit's DSN is good");
        let alone = warm(&config.connect().await.expect("the server is up")).await;
        let watched = warm(&config.recorder(&COUNT).connect().await.expect("the server is up")).await;
        println!("a warm SELECT 1: {alone} allocations, {watched} with a recorder");
        assert_eq!((alone, watched), (0, 1));
        assert_eq!(COUNT.0.load(Ordering::Relaxed), 20);
    });
}
