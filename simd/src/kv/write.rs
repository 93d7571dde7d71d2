//! Writing: what comes in, what it pushes out, and what is turned away.

use std::fmt;
use std::hash::{BuildHasher, Hash};
use std::mem;

use super::Kv;
use super::expiry::Expiry;
use super::table::{Print, Slot, groups_for};

/// How an entry is written.
///
/// ```
/// use std::time::Duration;
/// use wreath_simd::kv::{Expiry, Kv, Write};
///
/// let mut replies: Kv<&str, Vec<u8>> = Kv::with_bounds(100, 1 << 20);
/// let body = vec![0; 512];
/// let how = Write::costing(body.len()).expiring(Expiry::After(Duration::from_secs(60)));
/// replies.write("/llamas", body, how, |_, _| ()).unwrap();
/// assert_eq!(replies.stats().bytes, 512);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Write {
    /// What the entry adds to the sum that the bound on bytes limits. 0 by default.
    pub cost: usize,
    /// When it expires.
    pub expiry: Expiry,
}

impl Write {
    /// An entry that costs so many bytes.
    #[must_use]
    pub const fn costing(cost: usize) -> Self {
        Self { cost, expiry: Expiry::Table }
    }

    /// The same, expiring as told.
    #[must_use]
    pub const fn expiring(self, expiry: Expiry) -> Self {
        Self { expiry, ..self }
    }
}

/// An entry that was not written because it alone costs more than the table's bound, or 4 GiB or more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Refused<K, V> {
    /// The key that was to be written.
    pub key: K,
    /// Its value.
    pub value: V,
}

impl<K, V> fmt::Display for Refused<K, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the entry alone costs more than the table may hold")
    }
}

impl<K: fmt::Debug, V: fmt::Debug> std::error::Error for Refused<K, V> {}

impl<K: Eq, V, S> Kv<K, V, S> {
    /// Writes an entry whose key has `hash`; see [`write`](Self::write) and [`get_by`](Self::get_by).
    ///
    /// # Errors
    ///
    /// [`Refused`] as for `write`.
    #[inline]
    pub fn insert_by(
        &mut self,
        hash: u64,
        key: K,
        value: V,
        cost: usize,
        on_evict: impl FnMut(K, V),
    ) -> Result<Option<V>, Refused<K, V>> {
        self.write_by(hash, key, value, Write::costing(cost), on_evict)
    }

    /// Writes an entry whose key has `hash`; see [`write`](Self::write) and [`get_by`](Self::get_by).
    ///
    /// # Errors
    ///
    /// [`Refused`] as for `write`.
    #[inline]
    pub fn write_by(
        &mut self,
        hash: u64,
        key: K,
        value: V,
        how: Write,
        mut on_evict: impl FnMut(K, V),
    ) -> Result<Option<V>, Refused<K, V>> {
        let cost = match u32::try_from(how.cost) {
            Ok(cost) if how.cost <= self.bounds.bytes => cost,
            _ => {
                self.refusals += 1;
                return Err(Refused { key, value });
            }
        };
        let print = Print::of(hash);
        let now = self.now_if_timed();
        match self.table.find(print, |held| *held == key) {
            Some(slot) if !self.expired(slot, now) => {
                let old = self.overwrite(slot, value, cost, how.expiry, now, &mut on_evict);
                return Ok(Some(old));
            }
            Some(slot) => self.evict_expired(slot, &mut on_evict),
            None => {}
        }
        let slot = self.admit(print, key, value, cost, now, &mut on_evict);
        if self.ttl.is_some() || how.expiry != Expiry::Table {
            let deadline = self.deadline_of(how.expiry, None);
            self.set_deadline(slot, deadline);
        }
        Ok(None)
    }

    #[inline(never)]
    fn overwrite(
        &mut self,
        slot: Slot,
        value: V,
        cost: u32,
        expiry: Expiry,
        now: u64,
        on_evict: &mut impl FnMut(K, V),
    ) -> V {
        if self.ttl.is_some() || expiry != Expiry::Table || !self.table.deadlines.is_empty() {
            let deadline = self.deadline_of(expiry, Some(self.table.deadline(slot)));
            self.set_deadline(slot, deadline);
        }
        self.note_use(slot);
        let old = mem::replace(self.table.value_mut(slot), value);
        let old_cost = mem::replace(&mut self.table.node_mut(slot).cost, cost);
        self.bytes = self.bytes - old_cost as usize + cost as usize;
        while self.bytes > self.bounds.bytes {
            self.evict(Some(slot), now, on_evict);
        }
        old
    }

    /// Takes in an entry that is not there, after making place for it.
    #[inline(always)]
    fn admit(
        &mut self,
        print: Print,
        key: K,
        value: V,
        cost: u32,
        now: u64,
        on_evict: &mut impl FnMut(K, V),
    ) -> Slot {
        let most = self.bounds.bytes - cost as usize;
        while self.table.held >= self.bounds.entries || self.bytes > most {
            self.evict(None, now, on_evict);
        }
        if self.table.held == self.table.room() {
            self.grow();
        }
        self.bytes += cost as usize;
        self.admissions += 1;
        self.table.place(print, cost, key, value)
    }

    /// Twice the groups, or as many as the bound can ever need.
    #[cold]
    fn grow(&mut self) {
        let groups = (self.table.tags.len() * 2).min(groups_for(self.bounds.entries));
        self.hand = self.table.rebuild(groups, self.hand);
    }
}

impl<K, V, S> Kv<K, V, S> {
    #[cold]
    fn evict_expired(&mut self, slot: Slot, on_evict: &mut impl FnMut(K, V)) {
        self.expirations += 1;
        let (key, value) = self.take(slot);
        on_evict(key, value);
    }

    /// Gives up the next entry, other than `spared`.
    #[inline(always)]
    pub(super) fn evict(&mut self, spared: Option<Slot>, now: u64, on_evict: &mut impl FnMut(K, V)) {
        let slot = self.victim(spared);
        if self.expired(slot, now) {
            self.expirations += 1;
        } else {
            self.evictions += 1;
        }
        let (key, value) = self.take(slot);
        on_evict(key, value);
    }
}

impl<K: Eq + Hash, V, S: BuildHasher> Kv<K, V, S> {
    /// Writes an entry that costs nothing, and returns the value of the live entry it replaced.
    ///
    /// The entry is the most recent one then. The least recent ones leave if a bound asks for it.
    #[inline]
    pub fn insert(&mut self, key: K, value: V) -> Option<V> {
        match self.write(key, value, Write::default(), |_, _| ()) {
            Ok(replaced) => replaced,
            Err(_) => unreachable!("what costs nothing is never refused"),
        }
    }

    /// Writes an entry as `how` tells, and returns the value of the live entry it replaced; the key stays
    /// the one that was there.
    ///
    /// Every entry that leaves to make place goes to `on_evict`, expired ones included. If that panics, the
    /// new entry is lost as well.
    ///
    /// # Errors
    ///
    /// [`Refused`] gives the entry back if it alone costs more than the bound on bytes. What was there under
    /// its key stays.
    #[inline]
    pub fn write(
        &mut self,
        key: K,
        value: V,
        how: Write,
        on_evict: impl FnMut(K, V),
    ) -> Result<Option<V>, Refused<K, V>> {
        self.write_by(self.hash_of(&key), key, value, how, on_evict)
    }

    /// Writes an entry that costs nothing and expires when the table's clock shows `deadline`.
    pub fn insert_with_deadline(&mut self, key: K, value: V, deadline: std::time::Duration) -> Option<V> {
        let how = Write::default().expiring(Expiry::At(deadline));
        match self.write(key, value, how, |_, _| ()) {
            Ok(replaced) => replaced,
            Err(_) => unreachable!("what costs nothing is never refused"),
        }
    }

    /// Writes an entry only if there is no live one under its key.
    ///
    /// A claim is a write: it counts no hit and no miss, and losing it changes nothing.
    ///
    /// # Errors
    ///
    /// The value of whoever holds the key.
    ///
    /// ```
    /// let mut jobs = wreath_simd::Kv::new(100);
    /// assert_eq!(jobs.claim("nightly", 1), Ok(()));
    /// assert_eq!(jobs.claim("nightly", 2), Err(&1));
    /// ```
    pub fn claim(&mut self, key: K, value: V) -> Result<(), &V> {
        let hash = self.hash_of(&key);
        let now = self.now_if_timed();
        match self.table.find(Print::of(hash), |held| *held == key) {
            Some(slot) if !self.expired(slot, now) => Err(self.table.value(slot)),
            _ => {
                let written = self.write_by(hash, key, value, Write::default(), |_, _| ());
                debug_assert!(written.is_ok(), "what costs nothing is never refused");
                Ok(())
            }
        }
    }
}
