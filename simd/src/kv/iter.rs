//! Looking at every entry.

use std::fmt;

use super::Kv;
use super::table::{Slot, Table};

/// The live entries of a [`Kv`], most recent first. Made by [`Kv::iter`].
pub struct Iter<'a, K, V> {
    table: &'a Table<K, V>,
    next: Option<Slot>,
    now: u64,
}

impl<K, V> Clone for Iter<'_, K, V> {
    fn clone(&self) -> Self {
        Self { ..*self }
    }
}

impl<K: fmt::Debug, V: fmt::Debug> fmt::Debug for Iter<'_, K, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.clone()).finish()
    }
}

impl<'a, K, V> Iterator for Iter<'a, K, V> {
    type Item = (&'a K, &'a V);

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let slot = self.next?;
            self.next = self.table.older(slot);
            if self.table.deadline(slot) > self.now {
                let (key, value) = self.table.entry(slot);
                return Some((key, value));
            }
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (0, Some(self.table.held))
    }
}

impl<K, V, S> Kv<K, V, S> {
    /// The live entries, most recent first; by [`Policy::Mark`](super::Policy::Mark) newest first.
    #[must_use]
    pub fn iter(&self) -> Iter<'_, K, V> {
        Iter { table: &self.table, next: self.table.front(), now: self.now_if_timed() }
    }

    /// A copy of the live entries, most recent first.
    #[must_use]
    pub fn snapshot(&self) -> Vec<(K, V)>
    where
        K: Clone,
        V: Clone,
    {
        self.iter().map(|(key, value)| (key.clone(), value.clone())).collect()
    }
}

impl<'a, K, V, S> IntoIterator for &'a Kv<K, V, S> {
    type Item = (&'a K, &'a V);
    type IntoIter = Iter<'a, K, V>;

    fn into_iter(self) -> Iter<'a, K, V> {
        self.iter()
    }
}
