//! The key/value table: hits, misses and writes that evict, beside the standard library's hash map, which evicts
//! nothing and so is the floor of the first two.

use std::borrow::Borrow;
use std::collections::HashMap;
use std::hash::Hash;
use std::hint::black_box;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, Criterion, Throughput, criterion_group, criterion_main};
use wreath_simd::kv::Policy;
use wreath_simd::{Kv, SeededState, SharedKv};

const SIZES: [(&str, u64); 2] = [("10k", 10_000), ("1m", 1_000_000)];
/// Operations of one iteration.
const OPERATIONS: usize = 10_000;
/// Writes draw their keys from this many times the table's size, so that it overflows.
const UNIVERSE: u64 = 10;

/// A key, made from a number.
trait Key: Borrow<Self::Probe> + Eq + Hash + Clone {
    type Probe: Eq + Hash + ToOwned<Owned = Self> + ?Sized;
    const NAME: &'static str;

    fn make(id: u64) -> Self;
}

impl Key for u64 {
    type Probe = u64;
    const NAME: &'static str = "u64";

    fn make(id: u64) -> Self {
        scramble(id)
    }
}

impl Key for String {
    type Probe = str;
    const NAME: &'static str = "str24";

    fn make(id: u64) -> Self {
        format!("key:{:020}", scramble(id))
    }
}

/// `SplitMix64`'s finish: numbers become keys without a pattern, no two alike.
fn scramble(id: u64) -> u64 {
    let id = id.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let id = (id ^ (id >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let id = (id ^ (id >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    id ^ (id >> 31)
}

/// How keys are drawn from `0..count`.
type Draw = fn(u64, u64) -> u64;

const SPREADS: [(&str, Draw); 2] = [("uniform", |turn, count| scramble(turn) % count), ("zipf", zipf)];

/// Zipf's law with exponent 1, by the inverse of its integral; ranks are scattered over the numbers, which were
/// written in order.
#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a draw from 1 to `count`"
)]
fn zipf(turn: u64, count: u64) -> u64 {
    let even = (scramble(turn) >> 11) as f64 / (1u64 << 53) as f64;
    let rank = (count as f64).powf(even) as u64;
    (rank - 1) * 7919 % count
}

fn draws<K: Key>(draw: Draw, first: u64, count: u64) -> Vec<K> {
    (0..OPERATIONS as u64).map(|turn| K::make(first + draw(turn, count))).collect()
}

fn filled<K: Key>(size: u64, policy: Policy) -> Kv<K, u64> {
    let entries = usize::try_from(size).expect("a small number");
    let mut table = Kv::builder(entries).policy(policy).build().expect("bounds above zero");
    (0..size).for_each(|id| {
        table.insert(K::make(id), id);
    });
    table
}

fn group<'c>(
    c: &'c mut Criterion,
    verb: &str,
    key: &str,
    size: &str,
    spread: &str,
) -> BenchmarkGroup<'c, WallTime> {
    let mut group = c.benchmark_group(format!("kv/{verb}/{key}/{size}/{spread}"));
    group.throughput(Throughput::Elements(OPERATIONS as u64));
    group
        .sample_size(20)
        .warm_up_time(Duration::from_millis(200))
        .measurement_time(Duration::from_millis(800));
    group
}

fn read_all<K: Key>(table: &mut Kv<K, u64>, keys: &[K]) -> u64 {
    keys.iter().filter_map(|key| table.get(key.borrow()).copied()).fold(0, u64::wrapping_add)
}

fn tables<K: Key>(c: &mut Criterion) {
    for (size, entries) in SIZES {
        let mut map: HashMap<K, u64, SeededState> = HashMap::default();
        map.extend((0..entries).map(|id| (K::make(id), id)));
        let mut lru = filled::<K>(entries, Policy::Lru);
        let mut mark = filled::<K>(entries, Policy::Mark);
        for (spread, draw) in SPREADS {
            for (verb, first) in [("get_hit", 0), ("get_miss", UNIVERSE * entries)] {
                let keys = draws::<K>(draw, first, entries);
                let mut group = group(c, verb, K::NAME, size, spread);
                group.bench_function("wreath", |b| b.iter(|| black_box(read_all(&mut lru, &keys))));
                group.bench_function("hashbrown", |b| {
                    b.iter(|| {
                        let values = keys.iter().filter_map(|key| map.get(key.borrow()).copied());
                        black_box(values.fold(0, u64::wrapping_add))
                    });
                });
            }
            let keys = draws::<K>(draw, 0, entries);
            group(c, "mark_hit", K::NAME, size, spread)
                .bench_function("wreath", |b| b.iter(|| black_box(read_all(&mut mark, &keys))));
            group(c, "get_many", K::NAME, size, spread).bench_function("wreath", |b| {
                b.iter(|| {
                    let mut sum = 0u64;
                    lru.get_many(keys.iter().map(Borrow::borrow), |_, value| {
                        sum = sum.wrapping_add(value.copied().unwrap_or_default());
                    });
                    black_box(sum)
                });
            });
        }
        for (spread, draw) in SPREADS {
            let keys = draws::<K>(draw, 0, UNIVERSE * entries);
            group(c, "set", K::NAME, size, spread).bench_function("wreath", |b| {
                b.iter(|| {
                    for key in &keys {
                        lru.insert(key.clone(), 1);
                    }
                });
            });
        }
    }
}

/// Two threads that only hit, each as many times as criterion asks for.
fn shared(c: &mut Criterion) {
    let table: Arc<SharedKv<u64, u64>> =
        Arc::new(SharedKv::builder(10_000).build_shared().expect("bounds above zero"));
    (0..5_000).for_each(|id| {
        table.insert(u64::make(id), id, 0).expect("costs nothing");
    });
    let keys: Arc<Vec<u64>> = Arc::new(draws(SPREADS[0].1, 0, 5_000));
    let mut group = c.benchmark_group("shared_kv/get_hit/2threads");
    group.throughput(Throughput::Elements(2 * OPERATIONS as u64)).sample_size(20);
    group.bench_function("wreath", |b| {
        b.iter_custom(|rounds| {
            let start = Instant::now();
            thread::scope(|scope| {
                for _ in 0..2 {
                    scope.spawn(|| {
                        for _ in 0..rounds {
                            black_box(
                                keys.iter().filter_map(|key| table.get(key)).fold(0, u64::wrapping_add),
                            );
                        }
                    });
                }
            });
            start.elapsed()
        });
    });
}

criterion_group!(benches, tables::<u64>, tables::<String>, shared);
criterion_main!(benches);
