//! A boxed slice that begins with a cache line.

use std::alloc::{Layout, alloc, dealloc, handle_alloc_error};
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};
use std::ptr::{self, NonNull};

/// What processors fetch at a time, at least.
const LINE: usize = 64;

/// As `Box<[T]>`, but aligned to [`LINE`], so that elements of half a line do not straddle two. An allocator's own
/// header would shift a large block by a quarter of one.
pub(crate) struct Lines<T> {
    first: NonNull<T>,
    len: usize,
    owns: PhantomData<T>,
}

// SAFETY: it owns its elements, as a box does.
unsafe impl<T: Send> Send for Lines<T> {}
// SAFETY: as above.
unsafe impl<T: Sync> Sync for Lines<T> {}

impl<T> Lines<T> {
    /// So many elements, each made by `make`, which must not panic after the first.
    ///
    /// # Panics
    ///
    /// If there are none, if they take no memory, or if they take more than there can be.
    pub(crate) fn new(len: usize, mut make: impl FnMut() -> T) -> Self {
        let layout = Self::layout(len);
        assert!(layout.size() > 0, "elements that take memory");
        // SAFETY: the size is not zero.
        let Some(first) = NonNull::new(unsafe { alloc(layout) }.cast::<T>()) else {
            handle_alloc_error(layout)
        };
        for place in 0..len {
            // SAFETY: the block has room for `len` elements, and its alignment is at least theirs.
            unsafe { first.add(place).write(make()) };
        }
        Self { first, len, owns: PhantomData }
    }

    fn layout(len: usize) -> Layout {
        let layout = Layout::array::<T>(len).and_then(|layout| layout.align_to(LINE));
        layout.expect("no more than there is address space")
    }
}

impl<T> Deref for Lines<T> {
    type Target = [T];

    #[inline(always)]
    fn deref(&self) -> &[T] {
        // SAFETY: `new` made so many elements there, which are borrowed as `self` is.
        unsafe { std::slice::from_raw_parts(self.first.as_ptr(), self.len) }
    }
}

impl<T> DerefMut for Lines<T> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [T] {
        // SAFETY: as in `deref`.
        unsafe { std::slice::from_raw_parts_mut(self.first.as_ptr(), self.len) }
    }
}

impl<T> Drop for Lines<T> {
    fn drop(&mut self) {
        // SAFETY: the elements are there and nobody borrows them; the block came from `alloc` with this layout.
        unsafe {
            ptr::drop_in_place(&raw mut **self);
            dealloc(self.first.as_ptr().cast(), Self::layout(self.len));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::rc::Rc;

    #[test]
    fn elements_begin_with_a_line_and_are_dropped_once() {
        for len in [1, 2, 33, 5_000] {
            let witness = Rc::new(());
            let lines = Lines::new(len, || witness.clone());
            assert_eq!(lines.as_ptr().addr() % LINE, 0);
            assert_eq!((lines.len(), Rc::strong_count(&witness)), (len, len + 1));
            drop(lines);
            assert_eq!(Rc::strong_count(&witness), 1);
        }
    }
}
