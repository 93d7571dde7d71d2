//! The table itself: reading, removing, and what it knows of itself.

use std::borrow::Borrow;
use std::fmt;
use std::hash::{BuildHasher, Hash};

use super::bounds::{Bounds, BoundsError, Builder, Policy};
use super::stats::Stats;
use super::table::{NEVER, Print, Slot, Table, groups_for};
use crate::clock::Clock;
use crate::hash::SeededState;

/// A key/value table bounded by entries and by bytes, which gives up its least recent entry when it is full.
///
/// It has one owner; [the module](super) says what counts as what. Keys are looked up by any borrowed form,
/// or by a hash and a comparison, so that a lookup need not build a key:
///
/// ```
/// use wreath_simd::Kv;
///
/// let mut plans: Kv<String, u32> = Kv::new(2);
/// plans.insert("a".to_owned(), 1);
/// plans.insert("b".to_owned(), 2);
/// assert_eq!(plans.get("a"), Some(&1));
/// plans.insert("c".to_owned(), 3);                          // "b" is the least recent: it goes
/// assert!(!plans.contains("b"));
///
/// let hash = plans.hash_of("c");
/// assert_eq!(plans.get_by(hash, |key| key == "c"), Some(&mut 3));
/// assert_eq!(plans.iter().map(|(key, _)| key.as_str()).collect::<Vec<_>>(), ["c", "a"]);
/// ```
pub struct Kv<K, V, S = SeededState> {
    pub(super) table: Table<K, V>,
    pub(super) bounds: Bounds,
    pub(super) policy: Policy,
    /// Where [`Policy::Mark`] looks for its next victim; the oldest entry if nowhere.
    pub(super) hand: Option<Slot>,
    pub(super) ttl: Option<u64>,
    /// No deadline is earlier.
    pub(super) earliest: u64,
    pub(super) bytes: usize,
    hits: u64,
    misses: u64,
    pub(super) admissions: u64,
    pub(super) evictions: u64,
    pub(super) expirations: u64,
    removals: u64,
    pub(super) refusals: u64,
    pub(super) clock: Clock,
    hasher: S,
}

impl<K, V> Kv<K, V> {
    /// A table of at most `max_entries`, without a bound on bytes.
    ///
    /// # Panics
    ///
    /// If `max_entries` is zero. [`Builder::build`] reports that as an error instead.
    #[must_use]
    pub fn new(max_entries: usize) -> Self {
        Self::with_bounds(max_entries, usize::MAX)
    }

    /// A table of at most `max_entries` whose costs add up to at most `max_bytes`.
    ///
    /// # Panics
    ///
    /// If a bound is zero. [`Builder::build`] reports that as an error instead.
    #[must_use]
    pub fn with_bounds(max_entries: usize, max_bytes: usize) -> Self {
        match Builder::new(max_entries).max_bytes(max_bytes).build() {
            Ok(table) => table,
            Err(error) => panic!("{error}"),
        }
    }

    /// A table to be, of at most `max_entries`.
    pub fn builder(max_entries: usize) -> Builder<K, V> {
        Builder::new(max_entries)
    }
}

impl<K, V, S> Kv<K, V, S> {
    /// A table of at most `max_entries` that hashes keys with `hasher`.
    ///
    /// # Panics
    ///
    /// If `max_entries` is zero. [`Builder::build`] reports that as an error instead.
    #[must_use]
    pub fn with_hasher(max_entries: usize, hasher: S) -> Self {
        match Builder::new(max_entries).hasher(hasher).build() {
            Ok(table) => table,
            Err(error) => panic!("{error}"),
        }
    }

    pub(super) fn from_parts(
        bounds: Bounds,
        ttl: Option<u64>,
        clock: Clock,
        policy: Policy,
        hasher: S,
    ) -> Self {
        Self {
            table: Table::new(1),
            bounds,
            policy,
            hand: None,
            ttl,
            earliest: NEVER,
            bytes: 0,
            hits: 0,
            misses: 0,
            admissions: 0,
            evictions: 0,
            expirations: 0,
            removals: 0,
            refusals: 0,
            clock,
            hasher,
        }
    }

    /// The value of the live entry whose key has `hash` and satisfies `eq`: a read, as [`get`](Self::get).
    ///
    /// `hash` is that of [`hash_of`](Self::hash_of), or the caller's own 64 bits if it writes by them too.
    /// It need not be a good hash, as the table mixes it, but equal keys must have equal ones.
    #[inline]
    pub fn get_by(&mut self, hash: u64, eq: impl FnMut(&K) -> bool) -> Option<&mut V> {
        let slot = self.read(Print::of(hash), eq)?;
        Some(self.table.value_mut(slot))
    }

    /// The value of the live entry whose key has `hash` and satisfies `eq`, as [`peek`](Self::peek).
    #[inline]
    pub fn peek_by(&self, hash: u64, eq: impl FnMut(&K) -> bool) -> Option<&V> {
        let slot = self.table.find(Print::of(hash), eq)?;
        (!self.expired(slot, self.now_if_timed())).then(|| self.table.value(slot))
    }

    /// Takes out the live entry whose key has `hash` and satisfies `eq`, as [`remove`](Self::remove).
    #[inline]
    pub fn remove_by(&mut self, hash: u64, eq: impl FnMut(&K) -> bool) -> Option<(K, V)> {
        let slot = self.table.find(Print::of(hash), eq)?;
        self.remove_slot(slot, self.now_if_timed())
    }

    /// Takes out the live entry that a bound would push out next, with the expired ones before it.
    pub fn pop_lru(&mut self) -> Option<(K, V)> {
        let now = self.now_if_timed();
        while self.table.held > 0 {
            let slot = self.victim(None);
            if let Some(entry) = self.remove_slot(slot, now) {
                return Some(entry);
            }
        }
        None
    }

    /// Takes out every entry.
    pub fn clear(&mut self) {
        self.retain(|_, _| false);
        self.earliest = NEVER;
    }

    /// Takes out the entries that `keep` refuses, and the expired ones unasked; least recent first.
    pub fn retain(&mut self, mut keep: impl FnMut(&K, &mut V) -> bool) {
        let now = self.now_if_timed();
        let mut at = self.table.back();
        while let Some(slot) = at {
            at = self.table.newer(slot);
            if self.expired(slot, now) || {
                let (key, value) = self.table.entry_mut(slot);
                !keep(key, value)
            } {
                drop(self.remove_slot(slot, now));
            }
        }
    }

    /// Entries at most.
    #[must_use]
    pub fn max_entries(&self) -> usize {
        self.bounds.entries
    }

    /// The sum of the entries' costs at most.
    #[must_use]
    pub fn max_bytes(&self) -> usize {
        self.bounds.bytes
    }

    /// Sets new bounds, giving up entries until both hold. Those that leave go to `on_evict`.
    ///
    /// # Errors
    ///
    /// [`BoundsError`] if a bound is zero; then nothing has changed.
    pub fn set_bounds(
        &mut self,
        max_entries: usize,
        max_bytes: usize,
        mut on_evict: impl FnMut(K, V),
    ) -> Result<(), BoundsError> {
        self.bounds = Bounds::new(max_entries, max_bytes)?;
        let now = self.now_if_timed();
        while self.table.held > self.bounds.entries || self.bytes > self.bounds.bytes {
            self.evict(None, now, &mut on_evict);
        }
        let groups = groups_for(self.bounds.entries);
        if groups < self.table.tags.len() {
            self.hand = self.table.rebuild(groups, self.hand);
        }
        Ok(())
    }

    /// What the table has done so far and holds now.
    #[must_use]
    pub fn stats(&self) -> Stats {
        Stats {
            hits: self.hits,
            misses: self.misses,
            admissions: self.admissions,
            evictions: self.evictions,
            expirations: self.expirations,
            removals: self.removals,
            refusals: self.refusals,
            residents: self.table.held as u64,
            bytes: self.bytes as u64,
        }
    }

    /// Slots, of which up to 22 in 32 are used before the table grows.
    #[must_use]
    pub fn slots(&self) -> usize {
        self.table.marks.len()
    }

    /// Bytes that the table itself takes up on the heap, apart from what keys and values own.
    #[must_use]
    pub fn heap_bytes(&self) -> usize {
        let table = &self.table;
        size_of_val(&*table.tags)
            + size_of_val(&*table.passed)
            + size_of_val(&*table.marks)
            + size_of_val(&*table.cells)
            + size_of_val(&*table.deadlines)
    }

    /// Finds a live entry for a read, which it counts.
    #[inline(always)]
    pub(super) fn read(&mut self, print: Print, eq: impl FnMut(&K) -> bool) -> Option<Slot> {
        let found = self.table.find(print, eq);
        self.note_read(found)
    }

    /// Counts a read and makes the entry it found the most recent.
    #[inline(always)]
    pub(super) fn note_read(&mut self, found: Option<Slot>) -> Option<Slot> {
        if let Some(slot) = found
            && !self.expired_on_read(slot)
        {
            self.hits += 1;
            self.note_use(slot);
            return Some(slot);
        }
        self.misses += 1;
        None
    }

    /// Takes out the entry if it has expired.
    #[inline(always)]
    fn expired_on_read(&mut self, slot: Slot) -> bool {
        !self.table.deadlines.is_empty() && self.expire(slot)
    }

    /// The same for a table with deadlines, apart so that tables without them read in few registers.
    #[inline(never)]
    fn expire(&mut self, slot: Slot) -> bool {
        if !self.expired(slot, self.clock.now_nanos()) {
            return false;
        }
        self.expirations += 1;
        drop(self.take(slot));
        true
    }

    /// Makes an entry the most recent.
    #[inline(always)]
    pub(super) fn note_use(&mut self, slot: Slot) {
        match self.policy {
            Policy::Lru => self.table.move_front(slot),
            Policy::Mark => self.table.mark(slot),
        }
    }

    /// The entry to give up next, other than `spared`. The table holds one.
    #[inline(always)]
    pub(super) fn victim(&mut self, spared: Option<Slot>) -> Slot {
        match self.policy {
            // Whatever is spared has just been used and is the first in the order, or the only one.
            Policy::Lru => self.table.back().expect("the table holds an entry to give up"),
            Policy::Mark => self.unmarked_victim(spared),
        }
    }

    /// The first entry without a mark from the hand on.
    #[inline(never)]
    fn unmarked_victim(&mut self, spared: Option<Slot>) -> Slot {
        loop {
            let slot = self.hand.or_else(|| self.table.back()).expect("the table holds an entry to give up");
            self.hand = self.table.newer(slot);
            if Some(slot) != spared {
                if !self.table.marked(slot) {
                    return slot;
                }
                self.table.unmark(slot);
            }
        }
    }

    /// Takes an entry out for its owner, who gets it unless it has expired.
    fn remove_slot(&mut self, slot: Slot, now: u64) -> Option<(K, V)> {
        let expired = self.expired(slot, now);
        let entry = self.take(slot);
        if expired {
            self.expirations += 1;
            None
        } else {
            self.removals += 1;
            Some(entry)
        }
    }

    /// Takes an entry out. The caller counts why.
    #[inline(always)]
    pub(super) fn take(&mut self, slot: Slot) -> (K, V) {
        if self.hand == Some(slot) {
            self.hand = self.table.newer(slot);
        }
        self.bytes -= self.table.node(slot).cost as usize;
        self.table.take(slot)
    }
}

impl<K, V, S: BuildHasher> Kv<K, V, S> {
    /// The hash of a key or of its borrowed form, for the calls that take one.
    #[inline]
    pub fn hash_of<Q: Hash + ?Sized>(&self, key: &Q) -> u64 {
        self.hasher.hash_one(key)
    }

    /// The value of a live entry: a read, which is counted and makes the entry the most recent.
    #[inline]
    pub fn get<Q>(&mut self, key: &Q) -> Option<&V>
    where
        K: Borrow<Q>,
        Q: Hash + Eq + ?Sized,
    {
        self.get_mut(key).map(|value| &*value)
    }

    /// The value of a live entry, to be changed in place: a read, as [`get`](Self::get).
    #[inline]
    pub fn get_mut<Q>(&mut self, key: &Q) -> Option<&mut V>
    where
        K: Borrow<Q>,
        Q: Hash + Eq + ?Sized,
    {
        self.get_by(self.hash_of(key), |held| held.borrow() == key)
    }

    /// The value of a live entry, without counting or changing anything.
    #[inline]
    pub fn peek<Q>(&self, key: &Q) -> Option<&V>
    where
        K: Borrow<Q>,
        Q: Hash + Eq + ?Sized,
    {
        self.peek_by(self.hash_of(key), |held| held.borrow() == key)
    }

    /// Whether there is a live entry, without counting or changing anything.
    #[inline]
    pub fn contains<Q>(&self, key: &Q) -> bool
    where
        K: Borrow<Q>,
        Q: Hash + Eq + ?Sized,
    {
        self.peek(key).is_some()
    }

    /// Takes out a live entry and returns its value.
    #[inline]
    pub fn remove<Q>(&mut self, key: &Q) -> Option<V>
    where
        K: Borrow<Q>,
        Q: Hash + Eq + ?Sized,
    {
        self.remove_by(self.hash_of(key), |held| held.borrow() == key).map(|(_, value)| value)
    }

    /// Makes a live entry the most recent and starts the table's time to live anew, without reading it.
    /// Returns whether there was one.
    ///
    /// Where the table has no time to live, the entry keeps the deadline that it has.
    pub fn touch<Q>(&mut self, key: &Q) -> bool
    where
        K: Borrow<Q>,
        Q: Hash + Eq + ?Sized,
    {
        let print = Print::of(self.hash_of(key));
        let Some(slot) = self.table.find(print, |held| held.borrow() == key) else { return false };
        if self.expired_on_read(slot) {
            return false;
        }
        self.note_use(slot);
        if self.ttl.is_some() {
            let deadline = self.deadline_of(super::Expiry::Table, None);
            self.set_deadline(slot, deadline);
        }
        true
    }
}

impl<K: fmt::Debug, V: fmt::Debug, S> fmt::Debug for Kv<K, V, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self).finish()
    }
}
