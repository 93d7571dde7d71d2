//! What a table has done, in numbers that add up.

/// The counters of a [`Kv`](super::Kv) since it was made.
///
/// They conserve entries, at any time:
///
/// ```text
/// admissions = evictions + expirations + removals + residents
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Stats {
    /// Reads that found a live entry.
    pub hits: u64,
    /// Reads that did not, those of an expired entry included.
    pub misses: u64,
    /// Entries that came in. Writing over a live entry admits nothing.
    pub admissions: u64,
    /// Live entries that a bound pushed out.
    pub evictions: u64,
    /// Expired entries that left, whatever they were found by: a read, a write, or a bound.
    pub expirations: u64,
    /// Live entries that the owner took out: by `remove`, `pop_lru`, `retain` or `clear`.
    pub removals: u64,
    /// Writes that were turned away because the entry alone costs more than the bound.
    pub refusals: u64,
    /// Entries held now, with those that have expired and that nobody has come across yet.
    pub residents: u64,
    /// The cost of the entries held now.
    pub bytes: u64,
}

impl Stats {
    /// The counters of two tables, added up.
    pub(super) fn plus(self, other: Self) -> Self {
        Self {
            hits: self.hits + other.hits,
            misses: self.misses + other.misses,
            admissions: self.admissions + other.admissions,
            evictions: self.evictions + other.evictions,
            expirations: self.expirations + other.expirations,
            removals: self.removals + other.removals,
            refusals: self.refusals + other.refusals,
            residents: self.residents + other.residents,
            bytes: self.bytes + other.bytes,
        }
    }

    /// Hits as a share of reads, or 0 before the first read.
    ///
    /// ```
    /// let mut table = wreath_simd::Kv::new(10);
    /// table.insert("llama", 1);
    /// assert_eq!(table.get("llama"), Some(&1));
    /// assert_eq!(table.get("alpaca"), None);
    /// assert_eq!(table.stats().hit_rate(), 0.5);
    /// ```
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "a rate needs no more than 53 bits")]
    pub fn hit_rate(&self) -> f64 {
        let reads = self.hits + self.misses;
        if reads == 0 { 0.0 } else { self.hits as f64 / reads as f64 }
    }
}
