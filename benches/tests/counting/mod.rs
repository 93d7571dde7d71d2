//! A global allocator that counts what each thread takes.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

struct Counting;

thread_local! {
    static COUNT: Cell<u64> = const { Cell::new(0) };
    static HELD: Cell<usize> = const { Cell::new(0) };
    static PEAK: Cell<usize> = const { Cell::new(0) };
}

fn take(size: usize) {
    COUNT.with(|count| count.set(count.get() + 1));
    // What another thread took may be given back here, so this wraps.
    let held = HELD.get().wrapping_add(size);
    HELD.set(held);
    PEAK.set(PEAK.get().max(held));
}

fn give_back(size: usize) {
    HELD.set(HELD.get().wrapping_sub(size));
}

// SAFETY: every call goes on to the system's allocator unchanged; the counters are plain cells that allocate
// nothing.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        take(layout.size());
        // SAFETY: the caller's promises are the system's demands.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        give_back(layout.size());
        // SAFETY: as above.
        unsafe { System.dealloc(at, layout) }
    }

    unsafe fn realloc(&self, at: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // While it is moved, both are there.
        take(size);
        give_back(layout.size());
        // SAFETY: as above.
        unsafe { System.realloc(at, layout, size) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

/// How often this thread has allocated so far.
#[allow(dead_code, reason = "not every suite asks")]
pub(crate) fn allocations() -> u64 {
    COUNT.get()
}

/// How often this thread allocates in `work`.
#[allow(dead_code, reason = "not every suite asks")]
pub(crate) fn count<T>(work: impl FnOnce() -> T) -> (T, u64) {
    let before = COUNT.get();
    let answer = work();
    (answer, COUNT.get() - before)
}

/// How many bytes more than before this thread holds at once in `work`.
#[allow(dead_code, reason = "not every suite asks")]
pub(crate) fn peak<T>(work: impl FnOnce() -> T) -> (T, usize) {
    let before = HELD.get();
    PEAK.set(before);
    let answer = work();
    (answer, PEAK.get() - before)
}
