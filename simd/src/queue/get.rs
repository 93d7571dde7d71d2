//! Waiting for an item: one future for every kind of queue.

use std::fmt;
use std::pin::Pin;
use std::task::{Context, Poll, Waker};

use super::waiters::{IDLE, LINKED, List, NOTIFIED, Waiter};
use crate::sync::ListLock;

/// A queue that can be waited on. Only the queues of this crate are.
pub trait Source: sealed::Source {
    /// What comes out.
    type Item;

    /// Takes the next item if there is one.
    fn take(&self) -> Option<Self::Item>;
}

pub(super) mod sealed {
    /// What waiting needs of a queue.
    pub trait Source {
        /// Those who wait.
        fn waiting(&self) -> &super::Waiting;

        /// Makes every item that comes in from now on wake a waiter. Returns whether an item is there, or
        /// the queue has been closed, now that this holds. Called under the list's lock.
        fn expect_items(&self) -> bool;

        /// Takes that back. Called under the list's lock, while the list is empty.
        fn expect_nothing(&self);

        /// Whether an item is there.
        fn has_items(&self) -> bool;

        /// Whether the queue is closed and empty.
        fn finished(&self) -> bool;
    }
}

/// The waiters of a queue.
#[derive(Debug)]
pub struct Waiting(ListLock<List>);

impl Waiting {
    pub(super) fn new() -> Self {
        Self(ListLock::new(List::new()))
    }

    /// Wakes the one that has waited longest. Returns whether there was one.
    ///
    /// The queue goes on expecting a waiter when the last one has been woken, until an item finds none: so a waiter
    /// that comes back for each item does not announce itself each time.
    #[inline]
    pub(super) fn wake_one(&self, source: &impl sealed::Source) -> bool {
        let waker = {
            let mut list = self.0.lock();
            let waker = list.notify_first();
            if waker.is_none() {
                source.expect_nothing();
            }
            waker
        };
        waker.map(Waker::wake).is_some()
    }

    /// Wakes everyone.
    pub(super) fn wake_all(&self, source: &impl sealed::Source) {
        while self.wake_one(source) {}
    }
}

/// The future of a queue's next item, or of `None` once the queue is closed and empty.
///
/// Dropping it at any time loses nothing: it takes an item only at the moment that it gives it out.
#[must_use = "a future does nothing unless it is awaited"]
pub struct Get<'a, Q: Source> {
    queue: &'a Q,
    waiter: Waiter,
}

impl<'a, Q: Source> Get<'a, Q> {
    pub(super) fn new(queue: &'a Q) -> Self {
        Self { queue, waiter: Waiter::new() }
    }
}

impl<Q: Source> Get<'_, Q> {
    /// Takes an item, or learns that none will come. To be called while the waiter is not linked.
    #[inline]
    fn resolve(&self) -> Poll<Option<Q::Item>> {
        match self.queue.take() {
            Some(item) => Poll::Ready(Some(item)),
            None if self.queue.finished() => Poll::Ready(None),
            None => Poll::Pending,
        }
    }

    /// Gets into the list, and looks once more.
    fn wait(self: Pin<&Self>, waker: Waker, first: bool) -> Poll<Option<Q::Item>> {
        let this = self.get_ref();
        let look = {
            let mut list = this.queue.waiting().0.lock();
            // SAFETY: the waiter is pinned, as its future is, and not linked; `leave` unlinks it before the
            // future is gone.
            unsafe { list.link(&this.waiter, waker, first) };
            this.queue.expect_items()
        };
        if look {
            let resolved = this.resolve();
            if resolved.is_ready() {
                this.abandon();
            }
            return resolved;
        }
        Poll::Pending
    }

    /// Gets out of the list. Returns whether a notification had already come.
    fn leave(&self) -> bool {
        if self.waiter.state() == LINKED {
            let mut list = self.queue.waiting().0.lock();
            if self.waiter.state() == LINKED {
                // SAFETY: it is linked, to this list, whose lock is held.
                let waker = unsafe { list.unlink(&self.waiter) };
                drop(list);
                drop(waker);
                return false;
            }
        }
        let notified = self.waiter.state() == NOTIFIED;
        self.waiter.settle();
        notified
    }

    /// Gets out of the list without an item.
    fn abandon(&self) {
        if self.leave() {
            self.pass_on();
        }
    }

    /// Hands a notification that is of no use here to the next waiter, if it still means anything.
    fn pass_on(&self) {
        if self.queue.has_items() {
            self.queue.waiting().wake_one(self.queue);
        }
    }
}

impl<Q: Source> Future for Get<'_, Q> {
    type Output = Option<Q::Item>;

    #[inline]
    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let this = self.into_ref();
        match this.waiter.state() {
            LINKED => {
                let waker = context.waker().clone();
                let mut list = this.queue.waiting().0.lock();
                if this.waiter.state() == LINKED {
                    // SAFETY: it is linked, to this list, whose lock is held.
                    let old = unsafe { list.rewake(&this.waiter, waker) };
                    drop(list);
                    drop(old);
                    return Poll::Pending;
                }
            }
            state => debug_assert!(state == IDLE || state == NOTIFIED),
        }
        let again = this.waiter.state() == NOTIFIED;
        if again {
            this.waiter.settle();
        }
        match this.resolve() {
            // Whoever was told of an item that another one took keeps its turn.
            Poll::Pending => this.wait(context.waker().clone(), again),
            ready => ready,
        }
    }
}

impl<Q: Source> Drop for Get<'_, Q> {
    fn drop(&mut self) {
        // An idle waiter was never linked or is done: the usual case, without a lock.
        if self.waiter.state() != IDLE {
            self.abandon();
        }
    }
}

impl<Q: Source> fmt::Debug for Get<'_, Q> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Get").field("waiter", &self.waiter).finish_non_exhaustive()
    }
}
