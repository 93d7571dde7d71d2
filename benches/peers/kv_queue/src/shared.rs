//! Caches of many threads: two that only hit.

use std::hint::black_box;
use std::thread;
use std::time::Duration;

use measure::{Meter, Result, Row, compare_and_print, wait_for_quiet};
use wreath_simd::SharedKv;

use crate::kv::scramble;

const ENTRIES: u64 = 10_000;
/// Reads of each thread in one run.
const READS: usize = 200_000;
const THREADS: usize = 2;

type Read<'c> = Box<dyn Fn(&u64) -> Option<u64> + Sync + 'c>;

pub fn measure(runs: usize) -> Result<Vec<Row>> {
    // Twice the room: a cache that is cut into shards keeps all of them.
    let room = 2 * ENTRIES as usize;
    let ours = SharedKv::builder(room).build_shared()?;
    let quick = quick_cache::sync::Cache::new(room);
    let moka = moka::sync::Cache::builder().max_capacity(room as u64);
    let moka = moka.build_with_hasher(foldhash::fast::RandomState::default());
    for id in 0..ENTRIES {
        let key = scramble(id);
        ours.insert(key, id, 0).expect("what costs nothing is taken");
        quick.insert(key, id);
        moka.insert(key, id);
    }
    moka.run_pending_tasks();
    let arms: [(&str, Read<'_>); 3] = [
        ("wreath", Box::new(|key| ours.get(key))),
        ("quick_cache", Box::new(|key| quick.get(key))),
        ("moka", Box::new(|key| moka.get(key))),
    ];
    let keys: Vec<u64> = (0..READS as u64).map(|turn| scramble(scramble(turn) % ENTRIES)).collect();
    let busy = wait_for_quiet(Duration::from_secs(5))?;
    let mut costs = vec![Vec::new(); arms.len()];
    for run in 0..=runs {
        for ((_, read), costs) in arms.iter().zip(&mut costs) {
            let meter = Meter::start();
            thread::scope(|scope| {
                for _ in 0..THREADS {
                    scope.spawn(|| assert_eq!(black_box(keys.iter().filter_map(read).count()), READS));
                }
            });
            let cost = meter.stop();
            if run > 0 {
                costs.push(cost);
            }
        }
    }
    let mut rows: Vec<Row> = arms
        .iter()
        .zip(&costs)
        .map(|((arm, _), costs)| {
            let method = "two threads, nothing but hits";
            Row::new("shared_kv/get_hit/2threads", *arm, method, "read", THREADS * READS, busy, costs)
        })
        .collect();
    compare_and_print(&mut rows);
    Ok(rows)
}
