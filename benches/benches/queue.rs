//! The queue: between threads, between tasks, and many items at once against one by one.

use std::hint::{black_box, spin_loop};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use wreath_simd::Queue;

const CAPACITY: usize = 1024;
/// Items of one iteration.
const ITEMS: u64 = 1 << 14;
/// Items of one batch.
const BATCH: usize = 256;
const ROUND_TRIPS: u64 = 1_000;

/// Tries until there is a result: some spins, then the processor goes to another thread.
fn retry<T>(mut attempt: impl FnMut() -> Option<T>) -> T {
    loop {
        for _ in 0..64 {
            if let Some(result) = attempt() {
                return result;
            }
            spin_loop();
        }
        thread::yield_now();
    }
}

fn between_threads(rounds: u64, producers: u64) -> Duration {
    let queue = Queue::new(CAPACITY);
    let each = rounds * ITEMS / producers;
    let start = Instant::now();
    thread::scope(|scope| {
        for _ in 0..producers {
            scope.spawn(|| (0..each).for_each(|item| retry(|| queue.put(item).ok())));
        }
        let sum = (0..each * producers).fold(0u64, |sum, _| sum.wrapping_add(retry(|| queue.try_get())));
        black_box(sum);
    });
    start.elapsed()
}

fn threads(c: &mut Criterion) {
    let mut group = c.benchmark_group("queue/uncontended");
    group.throughput(Throughput::Elements(ITEMS));
    group.bench_function("wreath", |b| {
        let queue = Queue::new(CAPACITY);
        b.iter(|| {
            for _ in 0..ITEMS / 512 {
                (0..512u64).for_each(|item| assert!(queue.offer(item)));
                (0..512).for_each(|_| assert!(queue.try_get().is_some()));
            }
        });
    });
    group.finish();
    for (name, producers) in [("spsc", 1), ("mpsc4", 4)] {
        let mut group = c.benchmark_group(format!("queue/{name}"));
        group.throughput(Throughput::Elements(ITEMS)).sample_size(20);
        group.bench_function("wreath", |b| b.iter_custom(|rounds| between_threads(rounds, producers)));
    }
}

/// One task asks and waits for the answer; another answers. One thread.
fn tasks(c: &mut Criterion) {
    let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
    let mut group = c.benchmark_group("queue/await");
    group.throughput(Throughput::Elements(ROUND_TRIPS));
    group.bench_function("wreath", |b| {
        b.iter(|| {
            runtime.block_on(async {
                let (asked, answered) = (Arc::new(Queue::new(1)), Arc::new(Queue::new(1)));
                let echo = tokio::spawn({
                    let (asked, answered) = (asked.clone(), answered.clone());
                    async move {
                        while let Some(item) = asked.get().await {
                            answered.offer(item);
                        }
                    }
                });
                let caller = tokio::spawn(async move {
                    for item in 0..ROUND_TRIPS {
                        asked.offer(item);
                        assert_eq!(answered.get().await, Some(item));
                    }
                    asked.close();
                });
                caller.await.expect("the caller ends");
                echo.await.expect("the echo ends");
            });
        });
    });
}

/// Empties a queue.
type Take = fn(&Queue<u64>, &mut Vec<u64>);

fn batches(c: &mut Criterion) {
    let mut group = c.benchmark_group("queue/drain256");
    group.throughput(Throughput::Elements(BATCH as u64));
    let queue = Queue::new(CAPACITY);
    let mut items = Vec::with_capacity(BATCH);
    let arms: [(&str, Take); 2] = [
        ("wreath", |queue, items| {
            queue.drain_into(items, BATCH);
        }),
        ("pop_one", |queue, items| items.extend(std::iter::from_fn(|| queue.try_get()))),
    ];
    for (arm, take) in arms {
        group.bench_function(arm, |b| {
            b.iter_custom(|rounds| {
                let mut spent = Duration::ZERO;
                for _ in 0..rounds {
                    // Filling is not measured: it is the same for both.
                    (0..BATCH as u64).for_each(|item| assert!(queue.offer(item)));
                    items.clear();
                    let start = Instant::now();
                    take(&queue, &mut items);
                    spent += start.elapsed();
                    assert_eq!(black_box(&items).len(), BATCH);
                }
                spent
            });
        });
    }
}

criterion_group!(benches, threads, tasks, batches);
criterion_main!(benches);
