//! The ring under [`Queue`](super::Queue): many producers without a lock, consumers one at a time.
//!
//! A position is a lap and an index, in one word: `lap * stride + index`, where the stride is the capacity's
//! next power of two, so that any capacity will do. Words are positions times four, which leaves two bits:
//!
//! * in `tail`, the position that the next item goes to: whether the queue is [`CLOSED`] and whether somebody
//!   is [`WAITING`] for an item;
//! * in `head`, the position that the next item comes from: whether a consumer has [`LOCKED`] that side;
//! * in each slot's stamp: whether the slot is free for, or is [`FILLED`] with, the item of that position.
//!
//! A producer claims a position by exchanging `tail`, writes the item, and stamps the slot as filled. A
//! consumer locks `head`, reads the item, stamps the slot as free for the next lap, and unlocks `head` by
//! moving it on. So each item costs two atomic exchanges in all; consumers that look at items where they lie
//! (`peek`, `snapshot`) are possible; and taking many items costs one exchange.
//!
//! # Why nobody sleeps through an item
//!
//! Who is about to wait sets [`WAITING`], by an atomic operation on `tail`. A claim is an atomic operation on
//! the same word, so one of them is first. If the claim is, then the waiter sees from the `tail` it got that an
//! item is there or on its way, and takes it. If the waiter is, then the producer sees the bit in the `tail` it
//! exchanged, and wakes a waiter after stamping. No fence is needed, which would double the price of a push.
//!
//! The bit stays until a producer finds nobody in the list, and it is unset under the list's lock. So a waiter that
//! holds the lock and finds the bit set need not set it again: every claim since it was set has seen it, and its
//! producer comes to the list after this waiter, or has been there before and found nobody and then unset the bit.

use std::fmt;
use std::mem::MaybeUninit;

use crate::sync::atomic::{AtomicUsize, Ordering};
use crate::sync::{Apart, Patience, UnsafeCell};

/// In `tail`: somebody waits for an item.
pub(super) const WAITING: usize = 1;
/// In `tail`: no item is taken in any more.
pub(super) const CLOSED: usize = 2;
/// In `head`: a consumer is at work.
const LOCKED: usize = 1;
/// In a stamp: the item is there.
const FILLED: usize = 1;

/// One position in a word.
const STEP: usize = 4;
const FLAGS: usize = STEP - 1;

/// Items at most in any queue.
pub(super) const MAX_CAPACITY: usize = 1 << (usize::BITS / 2);

struct Cell<T> {
    stamp: AtomicUsize,
    item: UnsafeCell<MaybeUninit<T>>,
}

/// What producers write.
struct Front {
    tail: AtomicUsize,
    /// Where some producer saw `head` last: `head` is there or further.
    seen_head: AtomicUsize,
    /// The most items seen in the ring at once.
    high_water: AtomicUsize,
}

pub(super) struct Ring<T> {
    front: Apart<Front>,
    head: Apart<AtomicUsize>,
    cells: Box<[Cell<T>]>,
    /// Words in a lap, a power of two.
    lap: usize,
}

// SAFETY: an item is written by the one producer that claimed its position and read by the one consumer that
// holds the lock, with the stamp's release and acquire between them; `peek` reads under the lock too.
unsafe impl<T: Send> Sync for Ring<T> {}
// SAFETY: the ring owns its items.
unsafe impl<T: Send> Send for Ring<T> {}

/// Why an item was not taken in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Refusal {
    Full,
    Closed,
}

impl<T> Ring<T> {
    pub(super) fn new(capacity: usize) -> Self {
        assert!((1..=MAX_CAPACITY).contains(&capacity), "a queue holds at least one item");
        let cell = |index| Cell {
            stamp: AtomicUsize::new(index * STEP),
            item: UnsafeCell::new(MaybeUninit::uninit()),
        };
        Self {
            front: Apart(Front {
                tail: AtomicUsize::new(0),
                seen_head: AtomicUsize::new(0),
                high_water: AtomicUsize::new(0),
            }),
            head: Apart(AtomicUsize::new(0)),
            cells: (0..capacity).map(cell).collect(),
            lap: capacity.next_power_of_two() * STEP,
        }
    }

    pub(super) fn capacity(&self) -> usize {
        self.cells.len()
    }

    #[inline(always)]
    fn index(&self, at: usize) -> usize {
        (at & (self.lap - 1)) / STEP
    }

    #[inline(always)]
    fn cell(&self, at: usize) -> &Cell<T> {
        let index = self.index(at);
        debug_assert!(index < self.cells.len());
        // SAFETY: positions are only made by `after`, whose index is less than the number of cells.
        unsafe { self.cells.get_unchecked(index) }
    }

    /// The position after `at`.
    #[inline(always)]
    fn after(&self, at: usize) -> usize {
        if self.index(at) + 1 < self.cells.len() {
            at.wrapping_add(STEP)
        } else {
            (at & !(self.lap - 1)).wrapping_add(self.lap)
        }
    }

    /// Positions from the first one to `at`, as long as a word can count them.
    fn ordinal(&self, at: usize) -> usize {
        (at / self.lap).wrapping_mul(self.cells.len()).wrapping_add(self.index(at))
    }

    /// Items from `head` to `tail`, flags aside.
    #[inline]
    fn between(&self, head: usize, tail: usize) -> usize {
        let (head, tail) = (head & !FLAGS, tail & !FLAGS);
        let laps = (tail & !(self.lap - 1)).wrapping_sub(head & !(self.lap - 1)) / self.lap;
        // Tail and head are at most a lap apart.
        if laps == 0 {
            self.index(tail).wrapping_sub(self.index(head))
        } else {
            self.cells.len() + self.index(tail) - self.index(head)
        }
    }

    /// Puts an item in, and tells whether somebody is waiting for one.
    #[inline]
    pub(super) fn push(&self, item: T) -> Result<bool, (T, Refusal)> {
        let mut patience = Patience::default();
        let mut tail = self.front.tail.load(Ordering::Relaxed);
        loop {
            if tail & CLOSED != 0 {
                return Err((item, Refusal::Closed));
            }
            let at = tail & !FLAGS;
            let cell = self.cell(at);
            let stamp = cell.stamp.load(Ordering::Acquire);
            if stamp == at {
                let next = self.after(at) | (tail & FLAGS);
                match self.front.tail.compare_exchange_weak(tail, next, Ordering::AcqRel, Ordering::Relaxed) {
                    Ok(_) => {
                        // SAFETY: the stamp said that the cell is free, and this thread alone has claimed it.
                        cell.item.with_mut(|place| unsafe { (*place).write(item) });
                        cell.stamp.store(at | FILLED, Ordering::Release);
                        self.note_level(next);
                        return Ok(tail & WAITING != 0);
                    }
                    Err(now) => tail = now,
                }
                continue;
            }
            if stamp == at.wrapping_sub(self.lap) | FILLED {
                let head = self.head.load(Ordering::Acquire) & !FLAGS;
                if head.wrapping_add(self.lap) == at {
                    return Err((item, Refusal::Full));
                }
            }
            // Another producer has gone ahead, or a consumer is about to free the cell.
            patience.wait();
            tail = self.front.tail.load(Ordering::Relaxed);
        }
    }

    /// Raises the high-water mark to the number of items before `tail`. The real `head` is only looked at when
    /// the last known one does not rule out a new mark, so that producers rarely touch the consumers' line.
    #[inline(always)]
    fn note_level(&self, tail: usize) {
        let high = self.front.high_water.load(Ordering::Relaxed);
        if high < self.cells.len() && self.level_bound(tail) > high {
            let head = self.head.load(Ordering::Relaxed) & !FLAGS;
            self.front.seen_head.store(head, Ordering::Relaxed);
            // Consumers may have taken this item already, and others behind it.
            if (tail & !FLAGS).wrapping_sub(head) <= self.lap {
                self.front.high_water.fetch_max(self.between(head, tail), Ordering::Relaxed);
            }
        }
    }

    #[inline(always)]
    fn level_bound(&self, tail: usize) -> usize {
        let seen = self.front.seen_head.load(Ordering::Relaxed);
        // Counts the unused indices of a lap as well, where the capacity is no power of two.
        (tail & !FLAGS).wrapping_sub(seen) / STEP
    }

    /// Takes the next item out.
    #[inline]
    pub(super) fn pop(&self) -> Option<T> {
        let mut consumer = self.consume()?;
        consumer.next()
    }

    /// Locks the consumers' side, unless the ring is empty.
    #[inline]
    pub(super) fn consume(&self) -> Option<Consumer<'_, T>> {
        let mut patience = Patience::default();
        let mut head = self.head.load(Ordering::Acquire);
        loop {
            if head & LOCKED == 0 {
                if self.cell(head).stamp.load(Ordering::Acquire) == head | FILLED {
                    match self.head.compare_exchange_weak(
                        head,
                        head | LOCKED,
                        Ordering::Acquire,
                        Ordering::Acquire,
                    ) {
                        Ok(_) => return Some(Consumer { ring: self, head }),
                        Err(now) => head = now,
                    }
                    continue;
                }
                if self.front.tail.load(Ordering::Acquire) & !FLAGS == head {
                    return None;
                }
                // A producer has claimed the cell and is about to fill it, or other consumers have gone ahead.
            }
            patience.wait();
            head = self.head.load(Ordering::Acquire);
        }
    }

    /// Items held, those on their way in included.
    pub(super) fn len(&self) -> usize {
        let mut head = self.head.load(Ordering::Acquire);
        loop {
            let tail = self.front.tail.load(Ordering::Acquire);
            let now = self.head.load(Ordering::Acquire);
            if now & !FLAGS == head & !FLAGS {
                return self.between(head, tail);
            }
            head = now;
        }
    }

    /// Sets flags of `tail`, and tells what it was.
    pub(super) fn set(&self, flags: usize) -> Tail {
        let tail = self.front.tail.fetch_or(flags, Ordering::AcqRel);
        self.tail_state(tail)
    }

    /// [`set`](Self::set) for flags that are only unset under a lock that the caller holds. If they are set, then
    /// whatever was pushed before they were is seen here, and whatever is pushed after that sees them.
    #[inline]
    pub(super) fn set_under_lock(&self, flags: usize) -> Tail {
        let tail = self.front.tail.load(Ordering::Acquire);
        if tail & flags == flags { self.tail_state(tail) } else { self.set(flags) }
    }

    pub(super) fn unset(&self, flags: usize) {
        self.front.tail.fetch_and(!flags, Ordering::AcqRel);
    }

    pub(super) fn tail(&self) -> Tail {
        self.tail_state(self.front.tail.load(Ordering::Acquire))
    }

    fn tail_state(&self, tail: usize) -> Tail {
        let head = self.head.load(Ordering::Acquire);
        Tail { closed: tail & CLOSED != 0, empty: head & !FLAGS == tail & !FLAGS }
    }

    /// Items ever taken in.
    pub(super) fn pushed(&self) -> usize {
        self.ordinal(self.front.tail.load(Ordering::Acquire))
    }

    pub(super) fn high_water(&self) -> usize {
        self.front.high_water.load(Ordering::Relaxed)
    }
}

/// What `tail` says.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tail {
    pub(super) closed: bool,
    /// Every position that was claimed has been taken out.
    pub(super) empty: bool,
}

impl<T> Drop for Ring<T> {
    fn drop(&mut self) {
        if std::mem::needs_drop::<T>() {
            while let Some(item) = self.pop() {
                drop(item);
            }
        }
    }
}

impl<T> fmt::Debug for Ring<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Ring").field("capacity", &self.capacity()).field("len", &self.len()).finish()
    }
}

/// The consumers' side, locked. Dropping it unlocks.
pub(super) struct Consumer<'a, T> {
    ring: &'a Ring<T>,
    /// The position that the next item comes from.
    head: usize,
}

impl<T> Consumer<'_, T> {
    /// Looks at the items that are there, from the next one on.
    pub(super) fn items(&self) -> impl Iterator<Item = &T> {
        let ring = self.ring;
        let mut at = self.head;
        std::iter::from_fn(move || {
            let cell = ring.cell(at);
            if cell.stamp.load(Ordering::Acquire) != at | FILLED {
                return None;
            }
            at = ring.after(at);
            // SAFETY: the cell is filled, and stays so while the lock is held, which outlives the reference.
            Some(cell.item.with(|place| unsafe { (*place).assume_init_ref() }))
        })
    }
}

impl<T> Iterator for Consumer<'_, T> {
    type Item = T;

    #[inline(always)]
    fn next(&mut self) -> Option<T> {
        let cell = self.ring.cell(self.head);
        if cell.stamp.load(Ordering::Acquire) != self.head | FILLED {
            return None;
        }
        // SAFETY: the cell is filled, and the lock makes this thread the only one to empty it.
        let item = cell.item.with(|place| unsafe { (*place).assume_init_read() });
        cell.stamp.store(self.head.wrapping_add(self.ring.lap), Ordering::Release);
        self.head = self.ring.after(self.head);
        Some(item)
    }
}

impl<T> Drop for Consumer<'_, T> {
    #[inline(always)]
    fn drop(&mut self) {
        self.ring.head.store(self.head, Ordering::Release);
    }
}
