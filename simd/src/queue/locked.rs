//! The queues whose order is no ring's: a store behind a mutex, with the counters and the waiting around it.

use std::sync::{Mutex, MutexGuard, PoisonError};

use super::get::{Source, Waiting, sealed};
use super::put::PutError;
use crate::sync::atomic::{AtomicBool, Ordering};

/// What becomes of an item that is put into a store.
pub(super) enum Put<T> {
    Kept,
    /// It was kept, and this one given up for it.
    Displaced(T),
    Refused(PutError<T>),
}

/// An order of items, with bounds of its own.
pub(super) trait Store {
    type Item;

    fn take(&mut self) -> Option<Self::Item>;

    fn len(&self) -> usize;
}

#[derive(Debug)]
pub(super) struct State<S> {
    pub(super) store: S,
    closed: bool,
    offered: u64,
    dropped: u64,
    high_water: usize,
}

/// A store that threads and tasks share.
#[derive(Debug)]
pub(super) struct Locked<S> {
    state: Mutex<State<S>>,
    waiting: Waiting,
    /// Whether anyone waits. Set before a waiter looks into the store under the mutex, and read by whoever has
    /// put an item into it under the mutex: so that one of the two sees the other.
    awaited: AtomicBool,
}

impl<S: Store> Locked<S> {
    pub(super) fn new(store: S) -> Self {
        Self {
            state: Mutex::new(State { store, closed: false, offered: 0, dropped: 0, high_water: 0 }),
            waiting: Waiting::new(),
            awaited: AtomicBool::new(false),
        }
    }

    /// No section that holds the mutex leaves the state half changed, whatever panics in it.
    pub(super) fn state(&self) -> MutexGuard<'_, State<S>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Puts `item` in by `put`. An item that is turned away is lost, and counted, if `lossy`, and given back
    /// uncounted otherwise.
    pub(super) fn put<T>(
        &self,
        item: T,
        lossy: bool,
        put: impl FnOnce(&mut S, T) -> Put<T>,
    ) -> Result<(), PutError<T>> {
        let mut state = self.state();
        let put =
            if state.closed { Put::Refused(PutError::Closed(item)) } else { put(&mut state.store, item) };
        let (displaced, refused) = match put {
            Put::Kept => (None, None),
            Put::Displaced(lost) => (Some(lost), None),
            Put::Refused(error) => (None, Some(error)),
        };
        state.offered += u64::from(refused.is_none() || lossy);
        state.dropped += u64::from(displaced.is_some() || (refused.is_some() && lossy));
        state.high_water = state.high_water.max(state.store.len());
        let wake = refused.is_none() && self.awaited.load(Ordering::Relaxed);
        drop(state);
        if wake {
            self.waiting.wake_one(self);
        }
        refused.map_or(Ok(()), Err)
    }

    pub(super) fn try_get(&self) -> Option<S::Item> {
        self.state().store.take()
    }

    pub(super) fn drain(&self, limit: usize) -> Vec<S::Item> {
        let mut state = self.state();
        let count = limit.min(state.store.len());
        let mut items = Vec::with_capacity(count);
        items.extend(std::iter::from_fn(|| state.store.take()).take(count));
        items
    }

    pub(super) fn close(&self) {
        self.state().closed = true;
        self.waiting.wake_all(self);
    }

    pub(super) fn is_closed(&self) -> bool {
        self.state().closed
    }

    pub(super) fn len(&self) -> usize {
        self.state().store.len()
    }

    pub(super) fn offered(&self) -> u64 {
        self.state().offered
    }

    pub(super) fn dropped(&self) -> u64 {
        self.state().dropped
    }

    pub(super) fn high_water(&self) -> usize {
        self.state().high_water
    }
}

impl<S: Store> Source for Locked<S> {
    type Item = S::Item;

    fn take(&self) -> Option<S::Item> {
        self.try_get()
    }
}

impl<S: Store> sealed::Source for Locked<S> {
    fn waiting(&self) -> &Waiting {
        &self.waiting
    }

    fn expect_items(&self) -> bool {
        self.awaited.store(true, Ordering::Relaxed);
        let state = self.state();
        state.closed || state.store.len() > 0
    }

    fn expect_nothing(&self) {
        self.awaited.store(false, Ordering::Relaxed);
    }

    fn has_items(&self) -> bool {
        self.len() > 0
    }

    fn finished(&self) -> bool {
        let state = self.state();
        state.closed && state.store.len() == 0
    }
}

/// The verbs that every queue over a [`Locked`] store has alike.
macro_rules! shared_verbs {
    () => {
        /// Takes the next item if there is one.
        pub fn try_get(&self) -> Option<T> {
            self.locked.try_get()
        }

        /// Takes up to `limit` items at once, in the order in which they would have come out.
        #[must_use]
        pub fn drain(&self, limit: usize) -> Vec<T> {
            self.locked.drain(limit)
        }

        /// Takes out and drops every item, and returns how many there were.
        pub fn clear(&self) -> usize {
            self.locked.drain(usize::MAX).len()
        }

        /// Refuses further items. Those inside can still be taken; then every waiting `get` resolves to `None`.
        pub fn close(&self) {
            self.locked.close();
        }

        /// Whether further items are refused.
        #[must_use]
        pub fn is_closed(&self) -> bool {
            self.locked.is_closed()
        }

        /// Items inside.
        #[must_use]
        pub fn len(&self) -> usize {
            self.locked.len()
        }

        /// Whether there are none.
        #[must_use]
        pub fn is_empty(&self) -> bool {
            self.len() == 0
        }

        /// Items that came in or were lost.
        #[must_use]
        pub fn offered(&self) -> u64 {
            self.locked.offered()
        }

        /// Items that were lost: turned away by `offer`, or given up for others.
        #[must_use]
        pub fn dropped(&self) -> u64 {
            self.locked.dropped()
        }

        /// The most items inside at once.
        #[must_use]
        pub fn high_water(&self) -> usize {
            self.locked.high_water()
        }
    };
}
pub(super) use shared_verbs;
