//! One state of a cache.

use std::borrow::Borrow;
use std::collections::HashMap;
use std::fmt;
use std::hash::Hash;
use std::time::Duration;

use crate::hash::SeededState;

/// An immutable state of a [`SnapshotCache`](super::SnapshotCache): entries that belong together.
#[derive(Debug)]
pub struct Generation<K, V> {
    entries: HashMap<K, V, SeededState>,
    number: u64,
    published: Duration,
    bytes: usize,
}

/// A generation that is beyond the cache's bounds. It was not published.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TooLarge {
    /// Entries that were counted before the bound was passed.
    pub entries: usize,
    /// Their cost in bytes.
    pub bytes: usize,
}

impl fmt::Display for TooLarge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { entries, bytes } = self;
        write!(f, "a generation of {entries} entries or more, of {bytes} bytes or more, is beyond the bounds")
    }
}

impl std::error::Error for TooLarge {}

impl<K, V> Generation<K, V> {
    /// The state before the first one.
    pub(super) fn zero(published: Duration) -> Self {
        Self { entries: HashMap::default(), number: 0, published, bytes: 0 }
    }

    /// When it was published, on the cache's clock.
    #[must_use]
    pub fn published(&self) -> Duration {
        self.published
    }

    /// Its number: 0 before the first publication, then 1, 2 and so on.
    #[must_use]
    pub fn number(&self) -> u64 {
        self.number
    }

    /// The cost of its entries.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// Entries.
    #[must_use]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The entries, in no particular order.
    pub fn iter(&self) -> impl Iterator<Item = (&K, &V)> {
        self.entries.iter()
    }

    pub(super) fn stamp(&mut self, number: u64, published: Duration) {
        self.number = number;
        self.published = published;
    }
}

impl<K: Eq + Hash, V> Generation<K, V> {
    /// Gathers entries, of which the last one of a key counts, and gives up once they are beyond the bounds.
    pub(super) fn gather(
        entries: impl IntoIterator<Item = (K, V)>,
        max_entries: usize,
        max_bytes: usize,
        cost: impl Fn(&K, &V) -> usize,
    ) -> Result<Self, TooLarge> {
        let mut all: HashMap<K, V, SeededState> = HashMap::default();
        let mut bytes = 0usize;
        for (key, value) in entries {
            bytes = bytes.saturating_add(cost(&key, &value));
            // The key that stays is the one that came first.
            if let Some((key, old)) = all.remove_entry(&key) {
                bytes = bytes.saturating_sub(cost(&key, &old));
            }
            all.insert(key, value);
            if all.len() > max_entries || bytes > max_bytes {
                return Err(TooLarge { entries: all.len(), bytes });
            }
        }
        Ok(Self { entries: all, number: 0, published: Duration::ZERO, bytes })
    }

    /// The value of a key.
    pub fn get<Q>(&self, key: &Q) -> Option<&V>
    where
        K: Borrow<Q>,
        Q: Hash + Eq + ?Sized,
    {
        self.entries.get(key)
    }
}
