//! The list of those who wait, made of the waiters' own memory.
//!
//! Whoever holds the list's lock may touch the links and wakers of the waiters in it. A waiter's state says
//! who owns it: [`LINKED`], the list; otherwise, the future that it is part of. The list gives a waiter up by
//! storing [`NOTIFIED`], and does not touch it after that.

use std::fmt;
use std::marker::PhantomPinned;
use std::ptr::{self, NonNull};
use std::task::Waker;

use crate::sync::UnsafeCell;
use crate::sync::atomic::{AtomicUsize, Ordering};

/// Not in the list and owed nothing.
pub(super) const IDLE: usize = 0;
/// In the list.
pub(super) const LINKED: usize = 1;
/// Taken out of the list, to be told of an item.
pub(super) const NOTIFIED: usize = 2;

/// One who waits.
pub(super) struct Waiter {
    state: AtomicUsize,
    links: UnsafeCell<Links>,
    /// The list points at it.
    _pinned: PhantomPinned,
}

struct Links {
    prev: *const Waiter,
    next: *const Waiter,
    waker: Option<Waker>,
}

// SAFETY: the links are only touched by the owner that the state names, under the list's lock where that is
// the list; wakers may be sent and shared.
unsafe impl Send for Waiter {}
// SAFETY: as above.
unsafe impl Sync for Waiter {}

impl Waiter {
    pub(super) fn new() -> Self {
        let links = Links { prev: ptr::null(), next: ptr::null(), waker: None };
        Self { state: AtomicUsize::new(IDLE), links: UnsafeCell::new(links), _pinned: PhantomPinned }
    }

    #[inline]
    pub(super) fn state(&self) -> usize {
        self.state.load(Ordering::Acquire)
    }

    /// Takes note that a notification has been used or passed on.
    #[inline]
    pub(super) fn settle(&self) {
        self.state.store(IDLE, Ordering::Relaxed);
    }

    /// # Safety
    ///
    /// The caller is the owner of the links, or holds the lock of the list that is.
    #[inline(always)]
    unsafe fn links<R>(&self, act: impl FnOnce(&mut Links) -> R) -> R {
        // SAFETY: the owner has exclusive access by the module's protocol.
        self.links.with_mut(|links| act(unsafe { &mut *links }))
    }
}

impl fmt::Debug for Waiter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Waiter").field("state", &self.state()).finish_non_exhaustive()
    }
}

/// Those who wait, the longest waiting first. To be kept under a lock.
#[derive(Debug)]
pub(super) struct List {
    first: *const Waiter,
    last: *const Waiter,
}

// SAFETY: the list reaches waiters, which may be shared between threads, under its lock.
unsafe impl Send for List {}

impl List {
    pub(super) const fn new() -> Self {
        Self { first: ptr::null(), last: ptr::null() }
    }

    /// Adds a waiter that is in no list: last, or first if it has waited before.
    ///
    /// # Safety
    ///
    /// The waiter is pinned, stays in the list no longer than it lives, and its state is not `LINKED`. The
    /// caller holds the list's lock.
    pub(super) unsafe fn link(&mut self, waiter: &Waiter, waker: Waker, first: bool) {
        let old = if first { self.first } else { self.last };
        // SAFETY: a waiter that is not linked belongs to its future, which is the caller.
        unsafe {
            waiter.links(|links| {
                links.prev = if first { ptr::null() } else { old };
                links.next = if first { old } else { ptr::null() };
                links.waker = Some(waker);
            });
        }
        // SAFETY: whatever the list points at is linked, and so alive and the list's own.
        if let Some(old) = unsafe { old.as_ref() } {
            // SAFETY: as above.
            unsafe { old.links(|links| if first { links.prev = waiter } else { links.next = waiter }) };
        }
        if first || self.first.is_null() {
            self.first = waiter;
        }
        if !first || self.last.is_null() {
            self.last = waiter;
        }
        waiter.state.store(LINKED, Ordering::Relaxed);
    }

    /// Gives a linked waiter another waker, and returns the one to be dropped once the lock is released.
    ///
    /// # Safety
    ///
    /// The waiter is in this list. The caller holds the list's lock.
    pub(super) unsafe fn rewake(&mut self, waiter: &Waiter, waker: Waker) -> Option<Waker> {
        // SAFETY: it is linked, so its links are the list's.
        unsafe { waiter.links(|links| links.waker.replace(waker)) }
    }

    /// Takes a waiter out, and returns its waker to be dropped once the lock is released.
    ///
    /// # Safety
    ///
    /// The waiter is in this list. The caller holds the list's lock.
    pub(super) unsafe fn unlink(&mut self, waiter: &Waiter) -> Option<Waker> {
        // SAFETY: it is linked, so its links are the list's, and so are its neighbours'.
        let waker = unsafe { self.detach(waiter) };
        waiter.state.store(IDLE, Ordering::Relaxed);
        waker
    }

    /// Takes the longest waiting one out, notified, and returns its waker to be woken once the lock is
    /// released.
    pub(super) fn notify_first(&mut self) -> Option<Waker> {
        let first = NonNull::new(self.first.cast_mut())?;
        // SAFETY: whatever the list points at is linked, and so alive and the list's own.
        let waiter = unsafe { first.as_ref() };
        // SAFETY: as above.
        let waker = unsafe { self.detach(waiter) };
        // This gives the waiter back to its future, which may be gone the moment after.
        waiter.state.store(NOTIFIED, Ordering::Release);
        waker
    }

    /// # Safety
    ///
    /// As for `unlink`.
    unsafe fn detach(&mut self, waiter: &Waiter) -> Option<Waker> {
        // SAFETY: the waiter is linked, and so are those it points at.
        unsafe {
            let (prev, next, waker) = waiter.links(|links| (links.prev, links.next, links.waker.take()));
            match prev.as_ref() {
                Some(prev) => prev.links(|links| links.next = next),
                None => self.first = next,
            }
            match next.as_ref() {
                Some(next) => next.links(|links| links.prev = prev),
                None => self.last = prev,
            }
            waker
        }
    }
}
