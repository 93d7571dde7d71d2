//! The queue that most hand-offs want.

use std::fmt;

use super::get::{Get, Source, Waiting, sealed};
use super::put::PutError;
use super::ring::{CLOSED, MAX_CAPACITY, Refusal, Ring, WAITING};
use crate::sync::atomic::{AtomicUsize, Ordering};

/// A bounded queue, first in, first out, for any number of threads and tasks on either side.
///
/// [The module](super) says how it counts and how it waits.
///
/// ```
/// use wreath_simd::Queue;
///
/// let records = Queue::new(2);
/// assert!(records.offer("a") && records.offer("b"));
/// assert!(!records.offer("c"));                            // full: lost, and counted
/// assert_eq!(records.dropped(), 1);
/// assert_eq!(records.drain(256), ["a", "b"]);
/// ```
///
/// A task waits with [`get`](Self::get):
///
/// ```
/// # async fn example(records: &wreath_simd::Queue<String>) {
/// while let Some(record) = records.get().await {
///     println!("{record}");
/// }
/// # }
/// ```
pub struct Queue<T> {
    ring: Ring<T>,
    waiting: Waiting,
    drop_oldest: bool,
    /// Items that were turned away, and items that were pushed out.
    lost: AtomicUsize,
    /// Of those, the ones that were never taken in.
    refused: AtomicUsize,
}

impl<T> Queue<T> {
    /// A queue of at most `capacity` items, which turns new ones away when it is full.
    ///
    /// # Panics
    ///
    /// If `capacity` is zero, or more than 2³² (65,536 where addresses have 32 bits).
    #[must_use]
    pub fn new(capacity: usize) -> Self {
        assert!(capacity > 0, "a queue must be allowed at least one item");
        assert!(capacity <= MAX_CAPACITY, "a queue of {capacity} items is no queue");
        Self {
            ring: Ring::new(capacity),
            waiting: Waiting::new(),
            drop_oldest: false,
            lost: AtomicUsize::new(0),
            refused: AtomicUsize::new(0),
        }
    }

    /// A queue of at most `capacity` items, which gives up its oldest ones for new ones when it is full.
    ///
    /// # Panics
    ///
    /// As [`new`](Self::new).
    #[must_use]
    pub fn dropping_oldest(capacity: usize) -> Self {
        Self { drop_oldest: true, ..Self::new(capacity) }
    }

    /// Puts an item in, or loses it and counts that. Returns whether it was taken in.
    ///
    /// A queue that drops its oldest item takes every item in until it is closed, and counts the one that it
    /// gave up.
    #[inline]
    pub fn offer(&self, item: T) -> bool {
        match self.put(item) {
            Ok(()) => true,
            Err(lost) => {
                self.refused.fetch_add(1, Ordering::Relaxed);
                self.lost.fetch_add(1, Ordering::Relaxed);
                drop(lost);
                false
            }
        }
    }

    /// Puts an item in, or gives it back.
    ///
    /// # Errors
    ///
    /// [`PutError::Full`] when the queue is full and does not drop its oldest item; [`PutError::Closed`] when
    /// it is closed.
    #[inline]
    pub fn put(&self, item: T) -> Result<(), PutError<T>> {
        let mut item = item;
        loop {
            match self.ring.push(item) {
                Ok(awaited) => {
                    if awaited {
                        self.waiting.wake_one(self);
                    }
                    return Ok(());
                }
                Err((refused, Refusal::Closed)) => return Err(PutError::Closed(refused)),
                Err((refused, Refusal::Full)) if !self.drop_oldest => return Err(PutError::Full(refused)),
                Err((refused, Refusal::Full)) => {
                    item = refused;
                    if let Some(oldest) = self.ring.pop() {
                        self.lost.fetch_add(1, Ordering::Relaxed);
                        drop(oldest);
                    }
                }
            }
        }
    }

    /// Takes the next item if there is one.
    #[inline]
    pub fn try_get(&self) -> Option<T> {
        self.ring.pop()
    }

    /// The next item, waiting for it if need be; `None` once the queue is closed and empty.
    ///
    /// Nothing is taken out before the future gives it out, so it may be dropped at any time.
    #[inline]
    pub fn get(&self) -> Get<'_, Self> {
        Get::new(self)
    }

    /// A copy of the next item, which stays.
    ///
    /// The copy is made while other consumers wait, so `clone` must not use this queue.
    #[must_use]
    pub fn peek(&self) -> Option<T>
    where
        T: Clone,
    {
        self.ring.consume()?.items().next().cloned()
    }

    /// A copy of every item, the next one first, as [`peek`](Self::peek) makes one.
    #[must_use]
    pub fn snapshot(&self) -> Vec<T>
    where
        T: Clone,
    {
        self.ring.consume().map_or_else(Vec::new, |consumer| consumer.items().cloned().collect())
    }

    /// Takes up to `limit` items at once.
    #[must_use]
    pub fn drain(&self, limit: usize) -> Vec<T> {
        let mut items = Vec::new();
        self.drain_into(&mut items, limit);
        items
    }

    /// Takes up to `limit` items at once and puts them behind those in `items`. Returns how many.
    pub fn drain_into(&self, items: &mut Vec<T>, limit: usize) -> usize {
        let before = items.len();
        // Room is made before the other consumers are kept waiting; more items may come until then.
        let limit = limit.min(self.len());
        items.reserve(limit);
        if limit > 0
            && let Some(consumer) = self.ring.consume()
        {
            items.extend(consumer.take(limit));
        }
        items.len() - before
    }

    /// Takes out and drops every item, and returns how many there were.
    pub fn clear(&self) -> usize {
        self.drain(usize::MAX).len()
    }

    /// Refuses further items. Those inside can still be taken; then every waiting `get` resolves to `None`.
    pub fn close(&self) {
        if !self.ring.set(CLOSED).closed {
            self.waiting.wake_all(self);
        }
    }

    /// Whether further items are refused.
    #[must_use]
    pub fn is_closed(&self) -> bool {
        self.ring.tail().closed
    }

    /// Items inside.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ring.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ring.tail().empty
    }

    /// Items at most.
    #[must_use]
    pub fn capacity(&self) -> usize {
        self.ring.capacity()
    }

    /// Items that came in or were lost.
    #[must_use]
    pub fn offered(&self) -> u64 {
        (self.ring.pushed() + self.refused.load(Ordering::Relaxed)) as u64
    }

    /// Items that were lost: turned away by [`offer`](Self::offer) or given up for newer ones.
    #[must_use]
    pub fn dropped(&self) -> u64 {
        self.lost.load(Ordering::Relaxed) as u64
    }

    /// The most items inside at once. With several threads at work, a peak that lasted for an instant may be
    /// missed.
    #[must_use]
    pub fn high_water(&self) -> usize {
        self.ring.high_water()
    }
}

impl<T> Source for Queue<T> {
    type Item = T;

    #[inline]
    fn take(&self) -> Option<T> {
        self.ring.pop()
    }
}

impl<T> sealed::Source for Queue<T> {
    #[inline]
    fn waiting(&self) -> &Waiting {
        &self.waiting
    }

    fn expect_items(&self) -> bool {
        let tail = self.ring.set_under_lock(WAITING);
        !tail.empty || tail.closed
    }

    fn expect_nothing(&self) {
        self.ring.unset(WAITING);
    }

    fn has_items(&self) -> bool {
        !self.ring.tail().empty
    }

    fn finished(&self) -> bool {
        let tail = self.ring.tail();
        tail.closed && tail.empty
    }
}

impl<T> fmt::Debug for Queue<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Queue")
            .field("len", &self.len())
            .field("capacity", &self.capacity())
            .field("offered", &self.offered())
            .field("dropped", &self.dropped())
            .field("closed", &self.is_closed())
            .finish()
    }
}
