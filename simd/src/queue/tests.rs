//! The queues against a plain list, across threads, and at every point where a waiter may give up.

use std::collections::VecDeque;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll, Wake, Waker};
use std::thread;

use proptest::prelude::*;

use super::{Get, PutError, Queue};

/// A waker that counts.
#[derive(Default)]
struct Calls(AtomicUsize);

impl Wake for Calls {
    fn wake(self: Arc<Self>) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }
}

impl Calls {
    fn count(&self) -> usize {
        self.0.load(Ordering::SeqCst)
    }
}

/// A waker that unparks its thread.
struct Unpark(thread::Thread);

impl Wake for Unpark {
    fn wake(self: Arc<Self>) {
        self.0.unpark();
    }
}

/// Runs a future on this thread, which sleeps while it waits.
fn block_on<F: Future>(future: F) -> F::Output {
    let waker = Waker::from(Arc::new(Unpark(thread::current())));
    let mut future = pin!(future);
    loop {
        if let Poll::Ready(output) = future.as_mut().poll(&mut Context::from_waker(&waker)) {
            return output;
        }
        thread::park();
    }
}

fn poll<'a, T>(get: &mut Pin<Box<Get<'a, Queue<T>>>>, calls: &Arc<Calls>) -> Poll<Option<T>> {
    get.as_mut().poll(&mut Context::from_waker(&Waker::from(calls.clone())))
}

#[test]
fn an_item_that_is_there_resolves_at_once() {
    let queue = Queue::new(4);
    queue.offer(1);
    let calls = Arc::new(Calls::default());
    assert_eq!(poll(&mut Box::pin(queue.get()), &calls), Poll::Ready(Some(1)));
    assert_eq!(calls.count(), 0);
}

#[test]
fn each_item_wakes_one_waiter_in_the_order_of_waiting() {
    let queue = Queue::new(4);
    let calls: Vec<_> = (0..3).map(|_| Arc::new(Calls::default())).collect();
    let mut gets: Vec<_> = (0..3).map(|_| Box::pin(queue.get())).collect();
    for (get, calls) in gets.iter_mut().zip(&calls) {
        assert_eq!(poll(get, calls), Poll::Pending);
    }
    for turn in 0..3 {
        queue.offer(turn);
        let counts: Vec<usize> = calls.iter().map(|calls| calls.count()).collect();
        assert_eq!(counts, (0..3).map(|place| usize::from(place <= turn)).collect::<Vec<_>>());
    }
    for (get, calls) in gets.iter_mut().zip(&calls) {
        assert!(poll(get, calls).is_ready());
    }
    assert!(queue.is_empty());
}

#[test]
fn a_dropped_waiter_hands_its_wake_up_on_and_eats_nothing() {
    let queue = Queue::new(4);
    let (first, second) = (Arc::new(Calls::default()), Arc::new(Calls::default()));
    let mut one = Box::pin(queue.get());
    let mut two = Box::pin(queue.get());
    assert!(poll(&mut one, &first).is_pending() && poll(&mut two, &second).is_pending());
    queue.offer(7);
    assert_eq!((first.count(), second.count()), (1, 0));
    drop(one);
    assert_eq!(second.count(), 1);
    assert_eq!(poll(&mut two, &second), Poll::Ready(Some(7)));
    // One in the middle of the list, not notified.
    let (mut a, mut b, mut c) = (Box::pin(queue.get()), Box::pin(queue.get()), Box::pin(queue.get()));
    for get in [&mut a, &mut b, &mut c] {
        assert!(poll(get, &first).is_pending());
    }
    drop(b);
    drop(a);
    queue.offer(8);
    assert_eq!(poll(&mut c, &second), Poll::Ready(Some(8)));
}

#[test]
fn a_waiter_whose_item_was_taken_keeps_its_turn() {
    let queue = Queue::new(4);
    let calls: Vec<_> = (0..2).map(|_| Arc::new(Calls::default())).collect();
    let mut one = Box::pin(queue.get());
    let mut two = Box::pin(queue.get());
    assert!(poll(&mut one, &calls[0]).is_pending() && poll(&mut two, &calls[1]).is_pending());
    queue.offer(1);
    assert_eq!(queue.try_get(), Some(1));
    assert!(poll(&mut one, &calls[0]).is_pending());
    queue.offer(2);
    assert_eq!((calls[0].count(), calls[1].count()), (2, 0));
    assert_eq!(poll(&mut one, &calls[0]), Poll::Ready(Some(2)));
}

#[test]
fn the_last_waker_given_is_the_one_that_is_woken() {
    let queue = Queue::new(4);
    let (old, new) = (Arc::new(Calls::default()), Arc::new(Calls::default()));
    let mut get = Box::pin(queue.get());
    assert!(poll(&mut get, &old).is_pending());
    assert!(poll(&mut get, &new).is_pending());
    queue.offer(1);
    assert_eq!((old.count(), new.count()), (0, 1));
}

#[test]
fn closing_refuses_items_and_releases_waiters_after_the_backlog() {
    let queue = Queue::new(4);
    queue.offer(1);
    let calls = Arc::new(Calls::default());
    queue.close();
    assert!(queue.is_closed());
    assert_eq!(queue.put(2), Err(PutError::Closed(2)));
    assert!(!queue.offer(3));
    assert_eq!((queue.offered(), queue.dropped()), (2, 1));
    assert_eq!(poll(&mut Box::pin(queue.get()), &calls), Poll::Ready(Some(1)));
    assert_eq!(poll(&mut Box::pin(queue.get()), &calls), Poll::Ready(None));

    let queue = Queue::<u8>::new(1);
    let mut gets: Vec<_> = (0..3).map(|_| Box::pin(queue.get())).collect();
    for get in &mut gets {
        assert!(poll(get, &calls).is_pending());
    }
    queue.close();
    assert_eq!(calls.count(), 3);
    for get in &mut gets {
        assert_eq!(poll(get, &calls), Poll::Ready(None));
    }
}

#[derive(Clone, Debug)]
enum Step {
    Offer,
    Put,
    TryGet,
    Peek,
    Drain(usize),
    Snapshot,
    Clear,
    Close,
}

fn steps() -> impl Strategy<Value = Step> {
    prop_oneof![
        20 => Just(Step::Offer),
        5 => Just(Step::Put),
        15 => Just(Step::TryGet),
        2 => Just(Step::Peek),
        2 => (0usize..6).prop_map(Step::Drain),
        2 => Just(Step::Snapshot),
        1 => Just(Step::Clear),
        1 => Just(Step::Close),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: if cfg!(miri) { 8 } else { 300 }, ..ProptestConfig::default() })]

    #[test]
    fn a_queue_does_what_a_list_does(
        capacity in 1usize..10, drop_oldest: bool, history in prop::collection::vec(steps(), 0..if cfg!(miri) { 50 } else { 200 }),
    ) {
        let queue = if drop_oldest { Queue::dropping_oldest(capacity) } else { Queue::new(capacity) };
        let mut list = VecDeque::new();
        let (mut offered, mut dropped, mut high, mut closed) = (0u64, 0u64, 0usize, false);
        for (item, step) in history.into_iter().enumerate() {
            // Strings, so that a leak or a double drop does not go unnoticed by miri.
            let item = item.to_string();
            match step {
                Step::Offer | Step::Put => {
                    let room = list.len() < capacity || drop_oldest;
                    if matches!(step, Step::Offer) {
                        prop_assert_eq!(queue.offer(item.clone()), room && !closed);
                        offered += 1;
                        dropped += u64::from(!room || closed);
                    } else {
                        let wanted = match (closed, room) {
                            (true, _) => Err(PutError::Closed(item.clone())),
                            (false, false) => Err(PutError::Full(item.clone())),
                            _ => Ok(()),
                        };
                        offered += u64::from(wanted.is_ok());
                        prop_assert_eq!(queue.put(item.clone()), wanted);
                    }
                    if room && !closed {
                        if list.len() == capacity {
                            list.pop_front();
                            dropped += 1;
                        }
                        list.push_back(item);
                    }
                }
                Step::TryGet => prop_assert_eq!(queue.try_get(), list.pop_front()),
                Step::Peek => prop_assert_eq!(queue.peek(), list.front().cloned()),
                Step::Drain(limit) => {
                    let wanted: Vec<String> = list.drain(..limit.min(list.len())).collect();
                    prop_assert_eq!(queue.drain(limit), wanted);
                }
                Step::Snapshot => prop_assert_eq!(queue.snapshot(), list.iter().cloned().collect::<Vec<_>>()),
                Step::Clear => {
                    prop_assert_eq!(queue.clear(), list.len());
                    list.clear();
                }
                Step::Close => {
                    queue.close();
                    closed = true;
                }
            }
            high = high.max(list.len());
            prop_assert_eq!(queue.len(), list.len());
            prop_assert_eq!(queue.is_empty(), list.is_empty());
            prop_assert_eq!(
                (queue.offered(), queue.dropped(), queue.high_water(), queue.is_closed()),
                (offered, dropped, high, closed)
            );
        }
    }
}

/// Items in the threaded tests.
const ITEMS: usize = if cfg!(miri) { 60 } else { 15_000 };

#[test]
fn many_threads_lose_nothing_and_keep_each_producers_order() {
    for capacity in [1, 3, 64] {
        let queue = Arc::new(Queue::new(capacity));
        let producers: Vec<_> = (0..3)
            .map(|producer| {
                let queue = queue.clone();
                thread::spawn(move || {
                    for item in 0..ITEMS / 3 {
                        let mut item = Box::new((producer, item));
                        while let Err(refused) = queue.put(item) {
                            item = refused.into_inner();
                            thread::yield_now();
                        }
                    }
                })
            })
            .collect();
        let consumers: Vec<_> = (0..2)
            .map(|_| {
                let queue = queue.clone();
                thread::spawn(move || {
                    let mut taken = Vec::new();
                    while let Some(item) = block_on(queue.get()) {
                        taken.push(*item);
                        taken.extend(queue.drain(2).into_iter().map(|item| *item));
                    }
                    taken
                })
            })
            .collect();
        for producer in producers {
            producer.join().unwrap();
        }
        queue.close();
        let mut all = Vec::new();
        for consumer in consumers {
            let taken = consumer.join().unwrap();
            for producer in 0..3 {
                let own: Vec<usize> =
                    taken.iter().filter(|item| item.0 == producer).map(|item| item.1).collect();
                assert!(own.is_sorted(), "capacity {capacity}");
            }
            all.extend(taken);
        }
        all.sort_unstable();
        let wanted: Vec<_> =
            (0..3).flat_map(|producer| (0..ITEMS / 3).map(move |item| (producer, item))).collect();
        assert_eq!(all, wanted, "capacity {capacity}");
        assert!((1..=capacity).contains(&queue.high_water()));
    }
}

#[test]
fn what_drop_oldest_loses_between_threads_is_counted() {
    let queue = Arc::new(Queue::dropping_oldest(8));
    let producers: Vec<_> = (0..2)
        .map(|_| {
            let queue = queue.clone();
            thread::spawn(move || (0..ITEMS / 2).for_each(|item| assert!(queue.offer(item))))
        })
        .collect();
    let mut taken = 0;
    while producers.iter().any(|producer| !producer.is_finished()) {
        taken += queue.drain(4).len();
        assert!(queue.snapshot().len() <= 8);
    }
    for producer in producers {
        producer.join().unwrap();
    }
    taken += queue.clear();
    assert_eq!(queue.offered(), ITEMS as u64);
    assert_eq!(taken as u64 + queue.dropped(), ITEMS as u64);
}

#[test]
fn waiters_that_come_and_go_lose_no_item() {
    let queue = Arc::new(Queue::new(4));
    let consumers: Vec<_> = (0..2)
        .map(|_| {
            let queue = queue.clone();
            thread::spawn(move || {
                let waker = Waker::from(Arc::new(Unpark(thread::current())));
                let mut taken = 0;
                for turn in 0.. {
                    let mut get = Box::pin(queue.get());
                    // Give up at once every other time, whether notified or not.
                    match get.as_mut().poll(&mut Context::from_waker(&waker)) {
                        Poll::Ready(Some(_)) => taken += 1,
                        Poll::Ready(None) => break,
                        Poll::Pending if turn % 2 == 0 => {
                            thread::yield_now();
                            drop(get);
                        }
                        Poll::Pending => match block_on(get) {
                            Some(_) => taken += 1,
                            None => break,
                        },
                    }
                }
                taken
            })
        })
        .collect();
    for item in 0..ITEMS {
        let mut item = Box::new(item);
        while let Err(refused) = queue.put(item) {
            item = refused.into_inner();
            thread::yield_now();
        }
    }
    queue.close();
    let taken: usize = consumers.into_iter().map(|consumer| consumer.join().unwrap()).sum();
    assert_eq!(taken, ITEMS);
}

#[test]
#[should_panic(expected = "at least one item")]
fn a_queue_of_nothing_is_refused() {
    let _ = Queue::<u8>::new(0);
}
