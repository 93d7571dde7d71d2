//! Small histories of a few threads, through every order in which their operations can interleave:
//!
//! ```text
//! RUSTFLAGS="--cfg loom" cargo test -p wreath-simd --release --lib models
//! ```

use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Poll, Wake, Waker};

use loom::future::block_on;
use loom::thread;

use super::Queue;
use crate::sync::Latch;

/// Every history with at most so many switches away from a thread that could have gone on.
fn model(history: impl Fn() + Sync + Send + 'static) {
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound = Some(3);
    builder.max_branches = 20_000;
    builder.check(history);
}

struct Nobody;

impl Wake for Nobody {
    fn wake(self: Arc<Self>) {}
}

#[test]
fn a_latch_lets_one_in_at_a_time() {
    model(|| {
        let latch = Arc::new(Latch::new(0));
        let other = {
            let latch = latch.clone();
            thread::spawn(move || *latch.lock() += 1)
        };
        *latch.lock() += 1;
        other.join().unwrap();
        assert_eq!(*latch.lock(), 2);
    });
}

#[test]
fn two_producers_and_a_consumer_lose_and_double_nothing() {
    model(|| {
        let queue = Arc::new(Queue::new(2));
        let producers: Vec<_> = [1, 2]
            .map(|item| {
                let queue = queue.clone();
                thread::spawn(move || assert!(queue.offer(Box::new(item))))
            })
            .into();
        let mut taken: Vec<i32> = queue.try_get().into_iter().map(|item| *item).collect();
        for producer in producers {
            producer.join().unwrap();
        }
        taken.extend(queue.drain(9).into_iter().map(|item| *item));
        taken.sort_unstable();
        assert_eq!(taken, [1, 2]);
        assert_eq!(queue.offered(), 2);
    });
}

#[test]
fn a_full_queue_says_so_or_takes_the_item_while_a_consumer_makes_room() {
    model(|| {
        let queue = Arc::new(Queue::new(1));
        queue.offer(1);
        let consumer = {
            let queue = queue.clone();
            thread::spawn(move || queue.try_get())
        };
        let kept = queue.offer(2);
        assert_eq!(consumer.join().unwrap(), Some(1));
        assert_eq!(queue.try_get(), kept.then_some(2));
        assert_eq!(queue.dropped(), u64::from(!kept));
    });
}

#[test]
fn dropping_the_oldest_counts_what_no_consumer_got() {
    model(|| {
        let queue = Arc::new(Queue::dropping_oldest(1));
        queue.offer(1);
        let consumer = {
            let queue = queue.clone();
            thread::spawn(move || queue.try_get())
        };
        assert!(queue.offer(2));
        let taken = u64::from(consumer.join().unwrap().is_some());
        let left = queue.len() as u64;
        assert_eq!(queue.offered(), taken + left + queue.dropped());
    });
}

#[test]
fn nobody_sleeps_through_an_item() {
    model(|| {
        let queue = Arc::new(Queue::new(2));
        let producer = {
            let queue = queue.clone();
            thread::spawn(move || assert!(queue.offer(1)))
        };
        assert_eq!(block_on(queue.get()), Some(1));
        producer.join().unwrap();
    });
}

#[test]
fn two_waiters_get_an_item_each() {
    model(|| {
        let queue = Arc::new(Queue::new(2));
        let waker = Waker::from(Arc::new(Nobody));
        let mut first = Box::pin(queue.get());
        assert!(first.as_mut().poll(&mut Context::from_waker(&waker)).is_pending());
        let second = {
            let queue = queue.clone();
            thread::spawn(move || block_on(queue.get()).unwrap())
        };
        queue.offer(1);
        queue.offer(2);
        let own = block_on(first).unwrap();
        assert_eq!(own + second.join().unwrap(), 3);
    });
}

#[test]
fn a_waiter_that_gives_up_leaves_the_item_to_the_other() {
    model(|| {
        let queue = Arc::new(Queue::new(2));
        let producer = {
            let queue = queue.clone();
            thread::spawn(move || assert!(queue.offer(1)))
        };
        let quitter = {
            let queue = queue.clone();
            thread::spawn(move || {
                let waker = Waker::from(Arc::new(Nobody));
                let mut get = pin!(queue.get());
                match get.as_mut().poll(&mut Context::from_waker(&waker)) {
                    Poll::Ready(item) => item,
                    Poll::Pending => None,
                }
            })
        };
        // Whoever of the two did not get the first item gets the second.
        if quitter.join().unwrap().is_some() {
            queue.offer(2);
        }
        assert!(block_on(queue.get()).is_some());
        producer.join().unwrap();
    });
}

#[test]
fn a_notified_waiter_that_gives_up_wakes_the_next() {
    model(|| {
        let queue = Arc::new(Queue::new(2));
        let waker = Waker::from(Arc::new(Nobody));
        let mut first = Box::pin(queue.get());
        assert!(first.as_mut().poll(&mut Context::from_waker(&waker)).is_pending());
        let producer = {
            let queue = queue.clone();
            thread::spawn(move || assert!(queue.offer(1)))
        };
        let second = {
            let queue = queue.clone();
            thread::spawn(move || block_on(queue.get()))
        };
        drop(first);
        assert_eq!(second.join().unwrap(), Some(1));
        producer.join().unwrap();
    });
}

#[test]
fn closing_releases_whoever_waits_and_keeps_what_came_before() {
    model(|| {
        let queue = Arc::new(Queue::new(2));
        let producer = {
            let queue = queue.clone();
            thread::spawn(move || {
                let kept = queue.offer(1);
                queue.close();
                kept
            })
        };
        let first = block_on(queue.get());
        assert_eq!(first, producer.join().unwrap().then_some(1));
        assert_eq!(block_on(queue.get()), None);
    });
}
