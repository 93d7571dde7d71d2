//! A value that is read without waiting and replaced as a whole.
//!
//! A few seats hold values; one word says which seat is current and how many reads of it have begun. To read is
//! to count oneself in, which names the seat in the same step, then to look, then to count oneself out at the
//! seat. To publish is to fill a free seat, and to exchange the word for one that names it: what comes back says
//! how many reads of the old seat have begun, ever, and once as many have ended, the seat is free. Readers take
//! two atomic additions and never wait; a publisher waits only if reads from [`SEATS`] − 1 publications ago are
//! still under way.

use std::sync::{Mutex, PoisonError};

use crate::sync::atomic::{AtomicUsize, Ordering};
use crate::sync::{Apart, Patience, UnsafeCell};

const SEATS: usize = 4;
/// The word is a seat and, below it, a count. 32-bit targets have room for 16 million reads between two
/// publications at most, and so are not supported.
const COUNT_BITS: u32 = usize::BITS - 4;
const COUNT: usize = (1 << COUNT_BITS) - 1;

pub(super) struct Published<T> {
    /// The current seat and the reads of it that have begun.
    current: Apart<AtomicUsize>,
    seats: [Seat<T>; SEATS],
    /// For each seat, how many reads of it had begun when it was left: none for one that is free.
    left: Mutex<[Option<usize>; SEATS]>,
}

struct Seat<T> {
    /// Reads that have ended.
    ended: Apart<AtomicUsize>,
    value: UnsafeCell<Option<T>>,
}

// SAFETY: a seat's value is written by the one publisher that holds the mutex, while no read of the seat is under
// way, and only read otherwise; values are shared by readers and dropped by whatever thread publishes.
unsafe impl<T: Send + Sync> Sync for Published<T> {}
// SAFETY: it owns its values.
unsafe impl<T: Send> Send for Published<T> {}

impl<T> Published<T> {
    pub(super) fn new(value: T) -> Self {
        let mut first = Some(value);
        Self {
            current: Apart(AtomicUsize::new(0)),
            seats: std::array::from_fn(|_| Seat {
                ended: Apart(AtomicUsize::new(0)),
                value: UnsafeCell::new(first.take()),
            }),
            left: Mutex::new([None; SEATS]),
        }
    }

    /// Looks at the current value. Never waits.
    #[inline]
    pub(super) fn read<R>(&self, look: impl FnOnce(&T) -> R) -> R {
        /// Counts the read out, also if `look` panics.
        struct Reading<'a>(&'a AtomicUsize);
        impl Drop for Reading<'_> {
            fn drop(&mut self) {
                self.0.fetch_add(1, Ordering::Release);
            }
        }
        let seat = self.current.fetch_add(1, Ordering::Acquire) >> COUNT_BITS;
        let seat = &self.seats[seat];
        let _reading = Reading(&seat.ended);
        seat.value.with(|value| {
            // SAFETY: the read was counted while the seat was current, so the seat is not written before it is
            // counted out, which is after `look`.
            let value = unsafe { &*value };
            look(value.as_ref().expect("a current seat has a value"))
        })
    }

    /// Makes the value that `make` makes of the current one the current one.
    pub(super) fn publish(&self, make: impl FnOnce(&T) -> T) {
        let mut left = self.left.lock().unwrap_or_else(PoisonError::into_inner);
        let value = self.read(make);
        let seat = self.free_seat(&mut left);
        let old = self.seats[seat].value.with_mut(|place| {
            // SAFETY: the seat is free, and the mutex makes this the only publisher.
            unsafe { (*place).replace(value) }
        });
        self.seats[seat].ended.store(0, Ordering::Relaxed);
        let before = self.current.swap(seat << COUNT_BITS, Ordering::AcqRel);
        left[before >> COUNT_BITS] = Some(before & COUNT);
        self.empty_left(&mut left);
        drop(left);
        drop(old);
    }

    /// A seat that nobody reads and that is not the current one.
    fn free_seat(&self, left: &mut [Option<usize>; SEATS]) -> usize {
        let current = self.current.load(Ordering::Relaxed) >> COUNT_BITS;
        let mut patience = Patience::default();
        loop {
            self.empty_left(left);
            if let Some(seat) = (0..SEATS).find(|&seat| seat != current && left[seat].is_none()) {
                return seat;
            }
            patience.wait();
        }
    }

    /// Frees the seats whose reads have all ended.
    fn empty_left(&self, left: &mut [Option<usize>; SEATS]) {
        for (seat, begun) in self.seats.iter().zip(left) {
            if begun.is_some_and(|begun| seat.ended.load(Ordering::Acquire) == begun) {
                *begun = None;
                // SAFETY: every read of the seat has ended, and none can begin as it is not the current one; the
                // caller holds the mutex.
                drop(seat.value.with_mut(|place| unsafe { (*place).take() }));
            }
        }
    }
}
