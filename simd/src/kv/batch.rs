//! Reading many keys at once, so that their memory is fetched at the same time and not in turn.

use std::borrow::Borrow;
use std::hash::{BuildHasher, Hash};

use super::Kv;
use super::table::Print;
use crate::group::{Group, native};

/// Keys whose memory is asked for before the first of them is compared.
const BLOCK: usize = 16;

impl<K, V, S: BuildHasher> Kv<K, V, S> {
    /// Reads each of `keys`, in order, as [`get`](Self::get) does, and hands its place among them and its
    /// value to `found`.
    ///
    /// Each key counts as a read, duplicates too. The keys are worked on in blocks: their control bytes,
    /// then their slots are prefetched, which pays once the table is larger than the processor's caches.
    ///
    /// This is the one call that looks for the processor's abilities at run time: on x86-64 with AVX2 it
    /// compares groups with that, whatever the crate was compiled for.
    ///
    /// ```
    /// let mut table = wreath_simd::Kv::new(100);
    /// table.insert(1u64, "one");
    /// table.insert(3, "three");
    /// let mut names = Vec::new();
    /// table.get_many(&[3, 2, 1], |place, value| names.push((place, value.copied())));
    /// assert_eq!(names, [(0, Some("three")), (1, None), (2, Some("one"))]);
    /// ```
    pub fn get_many<'q, Q>(
        &mut self,
        keys: impl IntoIterator<Item = &'q Q>,
        found: impl FnMut(usize, Option<&V>),
    ) where
        K: Borrow<Q>,
        Q: Hash + Eq + ?Sized + 'q,
    {
        let keys = keys.into_iter();
        #[cfg(all(target_arch = "x86_64", not(target_feature = "avx2")))]
        if let Some(arm) = crate::group::avx2::Avx2::detect() {
            // SAFETY: the arm is proof of AVX2.
            return unsafe { self.get_many_avx2(arm, keys, found) };
        }
        self.get_many_on(native(), keys, found);
    }

    /// [`get_many_on`](Self::get_many_on), compiled with AVX2.
    ///
    /// # Safety
    ///
    /// The processor has AVX2.
    #[cfg(all(target_arch = "x86_64", not(target_feature = "avx2")))]
    #[target_feature(enable = "avx2")]
    unsafe fn get_many_avx2<'q, Q>(
        &mut self,
        arm: crate::group::avx2::Avx2,
        keys: impl Iterator<Item = &'q Q>,
        found: impl FnMut(usize, Option<&V>),
    ) where
        K: Borrow<Q>,
        Q: Hash + Eq + ?Sized + 'q,
    {
        self.get_many_on(arm, keys, found);
    }

    #[inline(always)]
    fn get_many_on<'q, Q>(
        &mut self,
        arm: impl Group,
        mut keys: impl Iterator<Item = &'q Q>,
        mut found: impl FnMut(usize, Option<&V>),
    ) where
        K: Borrow<Q>,
        Q: Hash + Eq + ?Sized + 'q,
    {
        let mut place = 0;
        let mut block: [Option<(&Q, Print)>; BLOCK] = [None; BLOCK];
        loop {
            let mut filled = 0;
            for (wanted, key) in block.iter_mut().zip(&mut keys) {
                let print = Print::of(self.hash_of(key));
                self.table.prefetch_tags(print);
                *wanted = Some((key, print));
                filled += 1;
            }
            for (_, print) in block[..filled].iter().flatten() {
                self.table.prefetch_slot(arm, *print);
            }
            for (key, print) in block[..filled].iter().flatten() {
                let slot = self.table.find_on(arm, *print, |held| held.borrow() == *key);
                let slot = self.note_read(slot);
                found(place, slot.map(|slot| self.table.value(slot)));
                place += 1;
            }
            // A block that is not full has met the end of the keys.
            if filled < BLOCK {
                return;
            }
        }
    }
}
