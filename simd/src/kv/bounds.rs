//! How a table is limited and set up.

use std::fmt;
use std::marker::PhantomData;
use std::time::Duration;

use super::Kv;
use super::table::MAX_ENTRIES;
use crate::clock::{Clock, nanos};
use crate::hash::SeededState;

/// Which entry a full table gives up.
///
/// Marking reads faster and, where some keys are popular for long, keeps more of them; recency follows faster where
/// what is popular changes. Hits of 400,000 reads of 10,000 keys, with room for 1,000 and each miss written:
///
/// | trace | `Lru` | `Mark` |
/// |---|---|---|
/// | Zipf's law, exponent 1 | 65.5 % | 72.4 % |
/// | the same, every fourth read from a scan that never returns | 44.0 % | 53.5 % |
/// | the same, after every 4,000 reads a scan of 1,000 | 47.7 % | 57.7 % |
/// | the same, all popular keys replaced eight times | 65.1 % | 61.8 % |
/// | round and round 1,100 keys | 0 % | 0 % |
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Policy {
    /// The least recently used one, exactly: a read moves its entry to the front of the order.
    #[default]
    Lru,
    /// The oldest one that was not read since it was last considered. A read only sets a bit, so that reads
    /// cost hardly more than those of a plain map; the order is that of insertion.
    ///
    /// A hand walks from the oldest entry to the newest and round again; it clears the marks that it finds
    /// and gives up the first entry without one. Entries that survive keep their place.
    Mark,
}

/// A bound that no table can have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum BoundsError {
    /// No entries: such a table could hold nothing.
    NoEntries,
    /// No bytes: such a table could hold nothing that costs anything.
    NoBytes,
    /// A time to live of zero: every entry would have expired before it could be read.
    NoLifetime,
}

impl fmt::Display for BoundsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NoEntries => "a table must be allowed at least one entry",
            Self::NoBytes => "a table must be allowed at least one byte",
            Self::NoLifetime => "entries must be allowed to live for some time",
        })
    }
}

impl std::error::Error for BoundsError {}

/// The limits of a table. Both hold after every write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Bounds {
    pub(super) entries: usize,
    pub(super) bytes: usize,
}

impl Bounds {
    pub(super) fn new(entries: usize, bytes: usize) -> Result<Self, BoundsError> {
        match (entries, bytes) {
            (0, _) => Err(BoundsError::NoEntries),
            (_, 0) => Err(BoundsError::NoBytes),
            _ => Ok(Self { entries: entries.min(MAX_ENTRIES), bytes }),
        }
    }
}

/// A [`Kv`] to be: its bounds and everything that has a default.
///
/// ```
/// use std::time::Duration;
/// use wreath_simd::{Kv, ManualClock};
///
/// let time = ManualClock::new();
/// let mut sessions: Kv<String, u32> = Kv::builder(10_000)
///     .max_bytes(64 << 20)
///     .ttl(Duration::from_secs(1800))
///     .clock(time.clock())
///     .build()?;
/// sessions.insert("7f3a".to_owned(), 42);
/// time.advance(Duration::from_secs(1800));
/// assert_eq!(sessions.get("7f3a"), None);
/// # Ok::<(), wreath_simd::kv::BoundsError>(())
/// ```
#[derive(Debug)]
#[must_use = "a builder builds nothing until `build` is called"]
pub struct Builder<K, V, S = SeededState> {
    pub(super) entries: usize,
    pub(super) bytes: usize,
    ttl: Option<Duration>,
    pub(super) clock: Option<Clock>,
    policy: Policy,
    hasher: S,
    of: PhantomData<fn() -> (K, V)>,
}

impl<K, V, S: Clone> Clone for Builder<K, V, S> {
    fn clone(&self) -> Self {
        Self { clock: self.clock.clone(), hasher: self.hasher.clone(), ..*self }
    }
}

impl<K, V> Builder<K, V> {
    pub(super) fn new(max_entries: usize) -> Self {
        Self {
            entries: max_entries,
            bytes: usize::MAX,
            ttl: None,
            clock: None,
            policy: Policy::default(),
            hasher: SeededState::new(),
            of: PhantomData,
        }
    }
}

impl<K, V, S> Builder<K, V, S> {
    /// The sum of the entries' costs at most. Unlimited unless set.
    pub fn max_bytes(mut self, max_bytes: usize) -> Self {
        self.bytes = max_bytes;
        self
    }

    /// How long an entry lives after it was written, where the write does not say. For ever unless set.
    pub fn ttl(mut self, ttl: Duration) -> Self {
        self.ttl = Some(ttl);
        self
    }

    /// The clock that deadlines are read on. The system's monotonic clock unless set.
    pub fn clock(mut self, clock: Clock) -> Self {
        self.clock = Some(clock);
        self
    }

    /// Which entry a full table gives up. [`Policy::Lru`] unless set.
    pub fn policy(mut self, policy: Policy) -> Self {
        self.policy = policy;
        self
    }

    /// How keys are hashed. [`SeededState`] unless set.
    pub fn hasher<T>(self, hasher: T) -> Builder<K, V, T> {
        let (Builder { entries, bytes, ttl, clock, policy, of, .. }, _) = self.hasher_apart();
        Builder { entries, bytes, ttl, clock, policy, hasher, of }
    }

    /// Everything else, and the hasher.
    pub(super) fn hasher_apart(self) -> (Builder<K, V, ()>, S) {
        let Self { entries, bytes, ttl, clock, policy, hasher, of } = self;
        (Builder { entries, bytes, ttl, clock, policy, hasher: (), of }, hasher)
    }

    pub(super) fn bounds(self, entries: usize, bytes: usize) -> Self {
        Self { entries, bytes, ..self }
    }

    /// The table, empty, with room for the first few entries.
    ///
    /// # Errors
    ///
    /// [`BoundsError`] names a bound or a time to live that is zero.
    pub fn build(self) -> Result<Kv<K, V, S>, BoundsError> {
        let bounds = Bounds::new(self.entries, self.bytes)?;
        let ttl = match self.ttl {
            Some(Duration::ZERO) => return Err(BoundsError::NoLifetime),
            ttl => ttl.map(nanos),
        };
        let clock = self.clock.unwrap_or_else(Clock::system);
        Ok(Kv::from_parts(bounds, ttl, clock, self.policy, self.hasher))
    }
}
