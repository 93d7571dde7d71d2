//! The table for many threads: shards, each a [`Kv`] behind a lock of its own.

use std::borrow::Borrow;
use std::fmt;
use std::hash::{BuildHasher, Hash};
use std::thread;

use super::Kv;
use super::bounds::{BoundsError, Builder};
use super::stats::Stats;
use super::write::Refused;
use crate::clock::Clock;
use crate::hash::{SeededState, mix};
use crate::sync::{Apart, Latch, Latched};

/// Entries that a shard is worth having for.
const SHARD: usize = 32;

/// A [`Kv`] for many threads. Values come out as clones, so they are best an [`Arc`](std::sync::Arc) of
/// something.
///
/// The table is split by hash into shards, and a call locks the shard of its key alone, for as long as the
/// lookup and the clone take: a thread that finds it locked spins, then yields. `Eq` and `Clone` of keys and values run
/// inside, so they should be short, and must not use the table. Each shard has an even share of both bounds, and which entry is the least recent
/// is decided within it. So an entry may leave while the table as a whole has room, but never more than the
/// bounds are held; and an entry that costs more than one shard's share of the bytes is refused.
///
/// ```
/// use std::sync::Arc;
/// use wreath_simd::SharedKv;
///
/// let plans: SharedKv<String, Arc<str>> = SharedKv::with_bounds(512, 8 << 20)?;
/// // Whoever compiles first wins; the others use what it made.
/// let plan = plans.insert_if_absent("a".to_owned(), Arc::from("SELECT 1"), 64).unwrap();
/// let other = plans.insert_if_absent("a".to_owned(), Arc::from("SELECT 2"), 64).unwrap();
/// assert_eq!((&*plan, &*other), ("SELECT 1", "SELECT 1"));
/// assert_eq!(plans.get("a").as_deref(), Some("SELECT 1"));
/// # Ok::<(), wreath_simd::kv::BoundsError>(())
/// ```
pub struct SharedKv<K, V, S = SeededState> {
    /// A power of two of them.
    shards: Box<[Shard<K, V>]>,
    hasher: S,
}

/// The table hashes; its shards are only ever given hashes.
type Shard<K, V> = Apart<Latch<Kv<K, V, ()>>>;

impl<K, V> SharedKv<K, V> {
    /// A table of at most `max_entries` whose costs add up to at most `max_bytes`, with the default hasher and
    /// exact recency within each shard.
    ///
    /// # Errors
    ///
    /// [`BoundsError`] if a bound is zero.
    pub fn with_bounds(max_entries: usize, max_bytes: usize) -> Result<Self, BoundsError> {
        Builder::new(max_entries).max_bytes(max_bytes).build_shared()
    }

    /// A table to be, of at most `max_entries`: ends in [`Builder::build_shared`].
    pub fn builder(max_entries: usize) -> Builder<K, V> {
        Builder::new(max_entries)
    }
}

impl<K, V, S> Builder<K, V, S> {
    /// The table for many threads, in as many shards as pay on this machine.
    ///
    /// # Errors
    ///
    /// As [`build`](Self::build).
    pub fn build_shared(self) -> Result<SharedKv<K, V, S>, BoundsError> {
        let threads = thread::available_parallelism().map_or(4, usize::from);
        let most = (self.entries / SHARD).min(self.bytes / SHARD).max(1);
        let shards = (threads * 8).next_power_of_two().min(1 << most.ilog2());
        self.build_sharded(shards)
    }

    /// The table for many threads, in so many shards, rounded down to a power of two.
    ///
    /// # Errors
    ///
    /// As [`build`](Self::build); also if a shard would be left without entries or bytes.
    pub fn build_sharded(self, shards: usize) -> Result<SharedKv<K, V, S>, BoundsError> {
        let count = 1 << shards.max(1).ilog2();
        // One clock, so that a deadline means the same in every shard.
        let clock = self.clock.clone().unwrap_or_else(Clock::system);
        let (settings, hasher) = self.clock(clock).hasher_apart();
        let shard = |place| {
            // The first shards take what an even division leaves over.
            let share = |whole: usize| whole / count + usize::from(place < whole % count);
            let (entries, bytes) = (share(settings.entries), share(settings.bytes));
            settings.clone().bounds(entries, bytes).build().map(|table| Apart(Latch::new(table)))
        };
        Ok(SharedKv { shards: (0..count).map(shard).collect::<Result<_, _>>()?, hasher })
    }
}

impl<K, V, S> SharedKv<K, V, S> {
    /// The shard of a hash, by bits that the shard itself does not look at.
    #[inline(always)]
    fn shard(&self, hash: u64) -> Latched<'_, Kv<K, V, ()>> {
        let place = (mix(hash) >> 16) as usize & (self.shards.len() - 1);
        self.shards[place].lock()
    }

    fn each(&self) -> impl Iterator<Item = Latched<'_, Kv<K, V, ()>>> {
        self.shards.iter().map(|shard| shard.lock())
    }

    /// A clone of the value of the live entry whose key has `hash` and satisfies `eq`; see [`Kv::get_by`].
    #[inline]
    pub fn get_by(&self, hash: u64, eq: impl FnMut(&K) -> bool) -> Option<V>
    where
        V: Clone,
    {
        self.shard(hash).get_by(hash, eq).cloned()
    }

    /// Takes out the live entry whose key has `hash` and satisfies `eq`.
    pub fn remove_by(&self, hash: u64, eq: impl FnMut(&K) -> bool) -> Option<(K, V)> {
        self.shard(hash).remove_by(hash, eq)
    }

    /// Takes out every entry, one shard after the other.
    pub fn clear(&self) {
        self.each().for_each(|mut shard| shard.clear());
    }

    /// Entries that a read would find, one shard after the other.
    #[must_use]
    pub fn len(&self) -> usize {
        self.each().map(|shard| shard.len()).sum()
    }

    /// Whether a read would find nothing.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The shards' counters, summed. Each shard's conserve entries, and so does the sum.
    #[must_use]
    pub fn stats(&self) -> Stats {
        self.each().fold(Stats::default(), |sum, shard| sum.plus(shard.stats()))
    }

    /// Shards.
    #[must_use]
    pub fn shards(&self) -> usize {
        self.shards.len()
    }
}

impl<K: Eq, V, S> SharedKv<K, V, S> {
    /// Writes an entry whose key has `hash`, and returns the value of the live entry it replaced. What leaves
    /// to make place is dropped after the shard is unlocked.
    ///
    /// # Errors
    ///
    /// [`Refused`] gives the entry back if it alone costs more than its shard may hold.
    pub fn insert_by(&self, hash: u64, key: K, value: V, cost: usize) -> Result<Option<V>, Refused<K, V>> {
        let mut gone = Vec::new();
        let written =
            self.shard(hash).insert_by(hash, key, value, cost, |key, value| gone.push((key, value)));
        drop(gone);
        written
    }

    /// Writes an entry whose key has `hash` unless there is a live one, and returns a clone of the value that is
    /// there then.
    ///
    /// # Errors
    ///
    /// As [`insert_by`](Self::insert_by).
    pub fn insert_if_absent_by(&self, hash: u64, key: K, value: V, cost: usize) -> Result<V, Refused<K, V>>
    where
        V: Clone,
    {
        let mut gone = Vec::new();
        let mut shard = self.shard(hash);
        if let Some(held) = shard.peek_by(hash, |held| *held == key) {
            return Ok(held.clone());
        }
        let new = value.clone();
        let written = shard.insert_by(hash, key, value, cost, |key, value| gone.push((key, value)));
        drop(shard);
        drop(gone);
        written.map(|_| new)
    }
}

impl<K: Eq + Hash, V, S: BuildHasher> SharedKv<K, V, S> {
    /// The hash of a key or of its borrowed form, for the calls that take one.
    #[inline]
    pub fn hash_of<Q: Hash + ?Sized>(&self, key: &Q) -> u64 {
        self.hasher.hash_one(key)
    }

    /// A clone of a live entry's value: a read, as [`Kv::get`].
    #[inline]
    pub fn get<Q>(&self, key: &Q) -> Option<V>
    where
        K: Borrow<Q>,
        Q: Hash + Eq + ?Sized,
        V: Clone,
    {
        self.get_by(self.hash_of(key), |held| held.borrow() == key)
    }

    /// Whether there is a live entry, without counting or changing anything.
    pub fn contains<Q>(&self, key: &Q) -> bool
    where
        K: Borrow<Q>,
        Q: Hash + Eq + ?Sized,
    {
        let hash = self.hash_of(key);
        self.shard(hash).peek_by(hash, |held| held.borrow() == key).is_some()
    }

    /// Writes an entry of that cost; see [`insert_by`](Self::insert_by).
    ///
    /// # Errors
    ///
    /// As `insert_by`.
    pub fn insert(&self, key: K, value: V, cost: usize) -> Result<Option<V>, Refused<K, V>> {
        self.insert_by(self.hash_of(&key), key, value, cost)
    }

    /// Writes an entry unless there is a live one; see [`insert_if_absent_by`](Self::insert_if_absent_by).
    ///
    /// # Errors
    ///
    /// As `insert_by`.
    pub fn insert_if_absent(&self, key: K, value: V, cost: usize) -> Result<V, Refused<K, V>>
    where
        V: Clone,
    {
        self.insert_if_absent_by(self.hash_of(&key), key, value, cost)
    }

    /// Takes out a live entry and returns its value.
    pub fn remove<Q>(&self, key: &Q) -> Option<V>
    where
        K: Borrow<Q>,
        Q: Hash + Eq + ?Sized,
    {
        self.remove_by(self.hash_of(key), |held| held.borrow() == key).map(|(_, value)| value)
    }
}

impl<K, V, S> fmt::Debug for SharedKv<K, V, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SharedKv").field("shards", &self.shards.len()).field("stats", &self.stats()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kv::Policy;
    use std::sync::Arc;

    #[test]
    fn bounds_are_split_without_a_rest() {
        let table = Builder::<u64, u64, _>::new(1003).max_bytes(5000).build_sharded(8).unwrap();
        assert_eq!(table.shards(), 8);
        for key in 0..20_000 {
            table.insert(key, key, 3).unwrap();
        }
        assert_eq!(table.each().map(|shard| shard.max_entries()).sum::<usize>(), 1003);
        assert_eq!(table.each().map(|shard| shard.max_bytes()).sum::<usize>(), 5000);
        assert_eq!(table.len(), 1003);
        assert!(table.insert(1, 1, 700).is_err());
        let stats = table.stats();
        assert_eq!(stats.admissions, stats.evictions + stats.residents);
        assert_eq!((stats.admissions, stats.refusals), (20_000, 1));
        assert!(Builder::<u8, u8, _>::new(3).build_sharded(4).is_err());
        assert_eq!(SharedKv::<u8, u8>::with_bounds(1, 1).unwrap().shards(), 1);
    }

    #[test]
    fn threads_see_one_winner_and_whole_values() {
        let table: Arc<SharedKv<u64, Arc<u64>>> =
            Arc::new(Builder::new(64).policy(Policy::Mark).build_sharded(4).unwrap());
        let rounds = if cfg!(miri) { 50 } else { 5_000 };
        let threads: Vec<_> = (0..4u64)
            .map(|thread| {
                let table = table.clone();
                thread::spawn(move || {
                    for round in 0..rounds {
                        let key = round * 7 % 97;
                        let held = table.insert_if_absent(key, Arc::new(key << 8 | thread), 1).unwrap();
                        assert_eq!(*held >> 8, key);
                        if let Some(read) = table.get(&key) {
                            assert_eq!(*read >> 8, key);
                        }
                        if round % 11 == 0 {
                            table.remove(&key);
                        }
                    }
                })
            })
            .collect();
        for thread in threads {
            thread.join().unwrap();
        }
        let stats = table.stats();
        assert_eq!(stats.admissions, stats.evictions + stats.removals + stats.residents);
        assert_eq!(stats.hits + stats.misses, 4 * rounds);
        table.clear();
        assert!(table.is_empty());
    }
}
