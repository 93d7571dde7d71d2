//! Last in, first out.

use std::collections::VecDeque;

use super::get::Get;
use super::locked::{Locked, Put, Store, shared_verbs};
use super::put::PutError;

/// A bounded queue that gives its newest item out first.
///
/// Under a backlog it serves the freshest items, and may never serve the oldest ones: for what is worthless once
/// it is stale. [The module](super) says how it counts and how it waits.
///
/// ```
/// let levels = wreath_simd::queue::Stack::dropping_oldest(2);
/// for level in [1, 2, 3] {
///     levels.offer(level);
/// }
/// assert_eq!(levels.drain(9), [3, 2]);
/// assert_eq!(levels.dropped(), 1);
/// ```
#[derive(Debug)]
pub struct Stack<T> {
    locked: Locked<Pile<T>>,
    capacity: usize,
}

/// The newest item last.
#[derive(Debug)]
pub(super) struct Pile<T> {
    items: VecDeque<T>,
    capacity: usize,
    drop_oldest: bool,
}

impl<T> Pile<T> {
    fn put(&mut self, item: T) -> Put<T> {
        let oldest = if self.items.len() < self.capacity {
            None
        } else if self.drop_oldest {
            self.items.pop_front()
        } else {
            return Put::Refused(PutError::Full(item));
        };
        self.items.push_back(item);
        oldest.map_or(Put::Kept, Put::Displaced)
    }
}

impl<T> Store for Pile<T> {
    type Item = T;

    fn take(&mut self) -> Option<T> {
        self.items.pop_back()
    }

    fn len(&self) -> usize {
        self.items.len()
    }
}

impl<T> Stack<T> {
    /// A stack of at most `capacity` items, which turns new ones away when it is full.
    ///
    /// # Panics
    ///
    /// If `capacity` is zero.
    #[must_use]
    pub fn new(capacity: usize) -> Self {
        Self::with(capacity, false)
    }

    /// A stack of at most `capacity` items, which gives up its oldest ones for new ones when it is full.
    ///
    /// # Panics
    ///
    /// If `capacity` is zero.
    #[must_use]
    pub fn dropping_oldest(capacity: usize) -> Self {
        Self::with(capacity, true)
    }

    fn with(capacity: usize, drop_oldest: bool) -> Self {
        assert!(capacity > 0, "a queue must be allowed at least one item");
        Self { locked: Locked::new(Pile { items: VecDeque::new(), capacity, drop_oldest }), capacity }
    }

    /// Puts an item in, or loses it and counts that. Returns whether it was taken in.
    pub fn offer(&self, item: T) -> bool {
        self.locked.put(item, true, Pile::put).is_ok()
    }

    /// Puts an item in, or gives it back.
    ///
    /// # Errors
    ///
    /// [`PutError::Full`] when the stack is full and does not drop its oldest item; [`PutError::Closed`] when it
    /// is closed.
    pub fn put(&self, item: T) -> Result<(), PutError<T>> {
        self.locked.put(item, false, Pile::put)
    }

    /// The newest item, waiting for one if need be; `None` once the stack is closed and empty.
    pub fn get(&self) -> Get<'_, impl super::Source<Item = T>> {
        Get::new(&self.locked)
    }

    /// A copy of the newest item, which stays. `clone` must not use this stack.
    #[must_use]
    pub fn peek(&self) -> Option<T>
    where
        T: Clone,
    {
        self.locked.state().store.items.back().cloned()
    }

    /// A copy of every item, the newest first. `clone` must not use this stack.
    #[must_use]
    pub fn snapshot(&self) -> Vec<T>
    where
        T: Clone,
    {
        self.locked.state().store.items.iter().rev().cloned().collect()
    }

    /// Items at most.
    #[must_use]
    pub fn capacity(&self) -> usize {
        self.capacity
    }

    shared_verbs!();
}
