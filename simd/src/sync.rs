//! What threads share: the standard library's primitives, or loom's under `--cfg loom`.
//!
//! Everything that is shared without a mutex goes through here, so that the models of `queue/models.rs` run
//! the same code as a release build does.

#[cfg(loom)]
pub(crate) use loom::sync::atomic;
#[cfg(not(loom))]
pub(crate) use std::sync::atomic;

use atomic::{AtomicBool, Ordering};
use std::ops::{Deref, DerefMut};

/// A cell whose contents are reached through a pointer, which loom can watch.
#[cfg(loom)]
pub(crate) use loom::cell::UnsafeCell;

/// A cell whose contents are reached through a pointer, as loom's is.
#[cfg(not(loom))]
#[derive(Debug)]
pub(crate) struct UnsafeCell<T>(std::cell::UnsafeCell<T>);

#[cfg(not(loom))]
impl<T> UnsafeCell<T> {
    pub(crate) const fn new(value: T) -> Self {
        Self(std::cell::UnsafeCell::new(value))
    }

    #[inline(always)]
    pub(crate) fn with<R>(&self, read: impl FnOnce(*const T) -> R) -> R {
        read(self.0.get())
    }

    #[inline(always)]
    pub(crate) fn with_mut<R>(&self, write: impl FnOnce(*mut T) -> R) -> R {
        write(self.0.get())
    }
}

/// Waits for another thread, which is about to finish: by spinning first, then by giving it the processor.
#[derive(Debug, Default)]
#[cfg_attr(loom, allow(dead_code))]
pub(crate) struct Patience(u32);

#[cfg_attr(loom, allow(dead_code))]
impl Patience {
    const SPINS: u32 = 6;

    #[inline]
    pub(crate) fn wait(&mut self) {
        #[cfg(loom)]
        loom::thread::yield_now();
        #[cfg(not(loom))]
        if self.0 <= Self::SPINS {
            for _ in 0..1 << self.0 {
                std::hint::spin_loop();
            }
            self.0 += 1;
        } else {
            std::thread::yield_now();
        }
    }
}

/// Keeps what one side writes out of the other side's cache line, and of the pair that is fetched together.
#[derive(Debug, Default)]
#[repr(align(128))]
pub(crate) struct Apart<T>(pub(crate) T);

impl<T> Deref for Apart<T> {
    type Target = T;

    #[inline(always)]
    fn deref(&self) -> &T {
        &self.0
    }
}

/// The lock of a waiters' list: a [`Latch`]; in models that are about other things, a mutex, since loom knows
/// that whoever waits for one cannot go on.
#[cfg(not(loom))]
pub(crate) type ListLock<T> = Latch<T>;

#[cfg(loom)]
#[derive(Debug)]
pub(crate) struct ListLock<T>(loom::sync::Mutex<T>);

#[cfg(loom)]
impl<T> ListLock<T> {
    pub(crate) fn new(value: T) -> Self {
        Self(loom::sync::Mutex::new(value))
    }

    pub(crate) fn lock(&self) -> loom::sync::MutexGuard<'_, T> {
        self.0.lock().expect("no section panics")
    }
}

/// A lock for short sections: one atomic exchange to take it and a plain store to give it back, half the price of
/// a mutex that nobody waits for. Who finds it taken spins, then yields; nobody is ever put to sleep.
#[derive(Debug)]
pub(crate) struct Latch<T> {
    taken: AtomicBool,
    value: UnsafeCell<T>,
}

// SAFETY: the latch lets one thread at a time reach the value, so sharing it only sends the value about.
unsafe impl<T: Send> Sync for Latch<T> {}
// SAFETY: a latch owns its value.
unsafe impl<T: Send> Send for Latch<T> {}

impl<T> Latch<T> {
    pub(crate) fn new(value: T) -> Self {
        Self { taken: AtomicBool::new(false), value: UnsafeCell::new(value) }
    }

    #[inline]
    pub(crate) fn lock(&self) -> Latched<'_, T> {
        let mut patience = Patience::default();
        while self.taken.compare_exchange_weak(false, true, Ordering::Acquire, Ordering::Relaxed).is_err() {
            patience.wait();
        }
        Latched(self)
    }
}

/// The right to a [`Latch`]'s value.
pub(crate) struct Latched<'a, T>(&'a Latch<T>);

impl<T> Deref for Latched<'_, T> {
    type Target = T;

    #[inline(always)]
    fn deref(&self) -> &T {
        // SAFETY: the latch is taken by this guard.
        self.0.value.with(|value| unsafe { &*value })
    }
}

impl<T> DerefMut for Latched<'_, T> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut T {
        // SAFETY: the latch is taken by this guard, which is borrowed mutably.
        self.0.value.with_mut(|value| unsafe { &mut *value })
    }
}

impl<T> Drop for Latched<'_, T> {
    #[inline(always)]
    fn drop(&mut self) {
        self.0.taken.store(false, Ordering::Release);
    }
}
