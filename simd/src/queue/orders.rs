//! The stack, the priorities and the lanes, against what a reader of their docs would do by hand.

use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll, Wake, Waker};
use std::thread;

use proptest::prelude::*;

use super::{PriorityQueue, PutError, RoundRobin, Stack};

#[derive(Default)]
struct Calls(AtomicUsize);

impl Wake for Calls {
    fn wake(self: Arc<Self>) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }
}

#[test]
fn priorities_are_stable_and_numbers_only() {
    let queue = PriorityQueue::new(10);
    for (number, item) in
        [(2.0, 'a'), (1.0, 'b'), (2.0, 'c'), (-0.0, 'd'), (0.0, 'e'), (f64::NEG_INFINITY, 'f')]
    {
        assert!(queue.offer(number, item));
    }
    assert_eq!(queue.put(f64::NAN, 'x'), Err(PutError::NotANumber('x')));
    assert!(!queue.offer(f64::NAN, 'x'));
    assert_eq!((queue.offered(), queue.dropped(), queue.high_water()), (7, 1, 6));
    assert_eq!(queue.peek(), Some('f'));
    assert_eq!(queue.snapshot(), queue.drain(99));
    assert_eq!(queue.try_get(), None);
}

#[test]
fn a_newcomer_that_ties_with_the_worst_loses() {
    let queue = PriorityQueue::dropping_lowest(2);
    assert!(queue.offer(1.0, "first") && queue.offer(3.0, "second"));
    assert!(!queue.offer(3.0, "tie") && !queue.offer(4.0, "worse"));
    assert!(queue.offer(2.0, "better"));
    assert_eq!(queue.snapshot(), ["first", "better"]);
    assert_eq!((queue.offered(), queue.dropped()), (5, 3));
    queue.close();
    assert_eq!(queue.put(0.0, "late"), Err(PutError::Closed("late")));
    assert_eq!(queue.drain(1), ["first"]);
}

#[test]
fn the_cursor_moves_past_the_lane_that_answered() {
    let work: RoundRobin<String, u32> = RoundRobin::new(2, 3);
    assert!(work.open("c"));
    for (lane, item) in [("a", 1), ("a", 2), ("b", 10)] {
        assert!(work.offer(lane, item));
    }
    assert!(!work.offer("a", 3), "the lane is full");
    assert_eq!(work.put("d", 9), Err(PutError::TooManyLanes(9)));
    assert!(!work.offer("d", 9) && !work.open("d"));
    assert_eq!((work.offered(), work.dropped(), work.len()), (5, 2, 3));
    assert_eq!(work.lanes(), ["c", "a", "b"]);
    assert_eq!((work.peek(), work.peek()), (Some(1), Some(1)));
    assert_eq!(work.try_get(), Some(1));
    assert!(work.offer("c", 100));
    assert_eq!(work.snapshot(), [10, 100, 2]);
    work.close();
    assert!(!work.offer("a", 4));
    assert_eq!(work.drain(2), [10, 100]);
    assert_eq!(work.drain(2), [2]);
}

#[test]
fn every_order_can_be_waited_for() {
    let calls = Arc::new(Calls::default());
    let waker = Waker::from(calls.clone());
    let mut context = Context::from_waker(&waker);
    let (stack, ranks, lanes) =
        (Stack::new(1), PriorityQueue::new(1), RoundRobin::<&'static str, u8>::new(1, 1));
    let (mut one, mut two, mut three) = (pin!(stack.get()), pin!(ranks.get()), pin!(lanes.get()));
    assert!(one.as_mut().poll(&mut context).is_pending());
    assert!(two.as_mut().poll(&mut context).is_pending());
    assert!(three.as_mut().poll(&mut context).is_pending());
    stack.offer(1u8);
    ranks.offer(1.0, 2u8);
    lanes.close();
    assert_eq!(calls.0.load(Ordering::SeqCst), 3);
    assert_eq!(one.poll(&mut context), Poll::Ready(Some(1)));
    assert_eq!(two.poll(&mut context), Poll::Ready(Some(2)));
    assert_eq!(three.poll(&mut context), Poll::Ready(None));
}

#[test]
fn threads_share_lanes_without_loss() {
    const ITEMS: u64 = if cfg!(miri) { 40 } else { 4_000 };
    let work: Arc<RoundRobin<String, u64>> = Arc::new(RoundRobin::new(8, 4));
    let producers: Vec<_> = ["a", "b", "c"]
        .map(|lane| {
            let work = work.clone();
            thread::spawn(move || (0..ITEMS).filter(|item| work.offer(lane, *item)).count() as u64)
        })
        .into();
    let consumer = {
        let work = work.clone();
        thread::spawn(move || {
            let mut taken = 0;
            let waker = Waker::noop();
            loop {
                match pin!(work.get()).poll(&mut Context::from_waker(waker)) {
                    Poll::Ready(Some(_)) => taken += 1,
                    Poll::Ready(None) => return taken,
                    Poll::Pending => thread::yield_now(),
                }
            }
        })
    };
    let kept: u64 = producers.into_iter().map(|producer| producer.join().unwrap()).sum();
    work.close();
    assert_eq!(consumer.join().unwrap(), kept);
    assert_eq!((work.offered(), work.dropped()), (3 * ITEMS, 3 * ITEMS - kept));
}

#[derive(Clone, Debug)]
enum Step {
    Put(u8),
    Take,
    Drain(usize),
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        6 => (0u8..70).prop_map(Step::Put),
        4 => Just(Step::Take),
        1 => (0usize..5).prop_map(Step::Drain),
    ];
    prop::collection::vec(step, 0..if cfg!(miri) { 40 } else { 250 })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: if cfg!(miri) { 4 } else { 200 }, ..ProptestConfig::default() })]

    #[test]
    fn a_stack_does_what_a_list_does(capacity in 1usize..6, drop_oldest: bool, history in steps()) {
        let stack = if drop_oldest { Stack::dropping_oldest(capacity) } else { Stack::new(capacity) };
        let (mut list, mut dropped) = (Vec::new(), 0);
        for (item, step) in history.into_iter().enumerate() {
            match step {
                Step::Put(_) => {
                    let full = list.len() == capacity;
                    dropped += u64::from(full);
                    prop_assert_eq!(stack.offer(item), !full || drop_oldest);
                    if full && drop_oldest {
                        list.remove(0);
                    }
                    if !full || drop_oldest {
                        list.push(item);
                    }
                }
                Step::Take => prop_assert_eq!(stack.try_get(), list.pop()),
                Step::Drain(limit) => {
                    let wanted: Vec<_> = (0..limit).map_while(|_| list.pop()).collect();
                    prop_assert_eq!(stack.drain(limit), wanted);
                }
            }
            prop_assert_eq!((stack.len(), stack.dropped()), (list.len(), dropped));
            prop_assert_eq!(stack.peek(), list.last().copied());
        }
    }

    #[test]
    fn priorities_do_what_a_sorted_list_does(capacity in 1usize..9, drop_lowest: bool, history in steps()) {
        let queue =
            if drop_lowest { PriorityQueue::dropping_lowest(capacity) } else { PriorityQueue::new(capacity) };
        let mut list: Vec<(u8, usize)> = Vec::new();
        for (item, step) in history.into_iter().enumerate() {
            match step {
                Step::Put(number) => {
                    let number = number % 7;
                    let full = list.len() == capacity;
                    let worst = list.last().map_or(0, |(worst, _)| *worst);
                    let kept = !full || (drop_lowest && number < worst);
                    prop_assert_eq!(queue.offer(f64::from(number), item), kept);
                    if kept {
                        if full {
                            list.pop();
                        }
                        list.push((number, item));
                        list.sort_unstable();
                    }
                }
                Step::Take if list.is_empty() => prop_assert_eq!(queue.try_get(), None),
                Step::Take => prop_assert_eq!(queue.try_get(), Some(list.remove(0).1)),
                Step::Drain(limit) => {
                    let wanted: Vec<_> = list.drain(..limit.min(list.len())).map(|(_, item)| item).collect();
                    prop_assert_eq!(queue.drain(limit), wanted);
                }
            }
            prop_assert_eq!(queue.snapshot(), list.iter().map(|(_, item)| *item).collect::<Vec<_>>());
        }
    }

    #[test]
    fn lanes_do_what_a_walk_round_the_lists_does(capacity in 1usize..4, history in steps()) {
        let queue = RoundRobin::<u8, usize>::new(capacity, 66);
        let mut lanes: Vec<(u8, Vec<usize>)> = Vec::new();
        let (mut cursor, mut refused) = (0, 0);
        for (item, step) in history.into_iter().enumerate() {
            match step {
                Step::Put(lane) => {
                    let place = lanes.iter().position(|(name, _)| *name == lane).or_else(|| {
                        (lanes.len() < 66).then(|| {
                            lanes.push((lane, Vec::new()));
                            lanes.len() - 1
                        })
                    });
                    let place = place.filter(|&place| lanes[place].1.len() < capacity);
                    prop_assert_eq!(queue.offer(&lane, item), place.is_some());
                    refused += u64::from(place.is_none());
                    if let Some(place) = place {
                        lanes[place].1.push(item);
                    }
                }
                Step::Take | Step::Drain(_) => {
                    let limit = if let Step::Drain(limit) = step { limit } else { 1 };
                    let mut wanted = Vec::new();
                    for _ in 0..limit {
                        let count = lanes.len();
                        let next = (0..count).map(|step| (cursor + step) % count).find(|&at| !lanes[at].1.is_empty());
                        if let Some(place) = next {
                            wanted.push(lanes[place].1.remove(0));
                            cursor = (place + 1) % count;
                        }
                    }
                    prop_assert_eq!(queue.peek(), if wanted.is_empty() && limit > 0 { None } else { queue.peek() });
                    prop_assert_eq!(queue.drain(limit), wanted);
                }
            }
            prop_assert_eq!(queue.dropped(), refused);
            prop_assert_eq!(queue.len(), lanes.iter().map(|(_, lane)| lane.len()).sum::<usize>());
            let mut rest = queue.snapshot();
            rest.sort_unstable();
            let mut wanted: Vec<_> = lanes.iter().flat_map(|(_, lane)| lane.clone()).collect();
            wanted.sort_unstable();
            prop_assert_eq!(rest, wanted);
        }
        let order = queue.snapshot();
        prop_assert_eq!(queue.drain(usize::MAX), order);
    }
}
