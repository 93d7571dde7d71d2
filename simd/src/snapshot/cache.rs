//! The cache of generations.

use std::borrow::Borrow;
use std::fmt;
use std::hash::Hash;
use std::sync::Arc;
use std::time::Duration;

use super::generation::{Generation, TooLarge};
use super::publish::Published;
use crate::clock::Clock;
use crate::queue::Queue;
use crate::sync::atomic::{AtomicUsize, Ordering};

/// A read-mostly cache whose readers always see one complete generation.
///
/// Reading never waits and does no IO. A new generation is built and measured before it is published, in one
/// step; one that fails, by its loader or by the bounds, leaves the current one as it is, and is counted.
///
/// ```
/// use wreath_simd::SnapshotCache;
///
/// let countries: SnapshotCache<&str, u32> = SnapshotCache::new();
/// countries.replace([("pe", 51), ("bo", 591)])?;
/// assert_eq!(countries.get("pe"), Some(51));
/// assert_eq!(countries.get_many(["bo", "xx", "bo"]), [Some(591), None, Some(591)]);
/// assert_eq!(countries.require("xx").unwrap_err().to_string(), "no such key in generation 1");
/// # Ok::<(), wreath_simd::snapshot::TooLarge>(())
/// ```
pub struct SnapshotCache<K, V> {
    current: Published<Arc<Generation<K, V>>>,
    max_entries: usize,
    max_bytes: usize,
    cost: fn(&K, &V) -> usize,
    clock: Clock,
    /// The right to refresh: whoever has taken the one token out.
    token: Queue<()>,
    /// Twice the refreshes that ended, and one if the last one failed.
    ended: AtomicUsize,
    failures: AtomicUsize,
}

/// A key that the current generation does not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MissingKey {
    /// The generation's number.
    pub generation: u64,
}

impl fmt::Display for MissingKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no such key in generation {}", self.generation)
    }
}

impl std::error::Error for MissingKey {}

/// Why a refresh published nothing.
#[derive(Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RefreshError<E> {
    /// The loader failed.
    Load(E),
    /// What it loaded is beyond the bounds.
    TooLarge(TooLarge),
    /// The refresh that was under way failed; its own caller knows why.
    Other,
}

impl<E: fmt::Display> fmt::Display for RefreshError<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Load(error) => write!(f, "the loader failed: {error}"),
            Self::TooLarge(error) => error.fmt(f),
            Self::Other => f.write_str("the refresh that was under way failed"),
        }
    }
}

impl<E: fmt::Debug + fmt::Display> std::error::Error for RefreshError<E> {}

impl<K, V> SnapshotCache<K, V> {
    /// An empty cache for up to 65,536 entries of 64 MiB, where an entry costs its own size without what it points
    /// to.
    #[must_use]
    pub fn new() -> Self {
        Self::with_bounds(1 << 16, 64 << 20, |_, _| size_of::<(K, V)>())
    }

    /// An empty cache for generations of so many entries whose costs, as `cost` tells them, add up to so many
    /// bytes.
    #[must_use]
    pub fn with_bounds(max_entries: usize, max_bytes: usize, cost: fn(&K, &V) -> usize) -> Self {
        Self::with_clock(max_entries, max_bytes, cost, Clock::system())
    }

    /// The same on a given clock.
    #[must_use]
    pub fn with_clock(max_entries: usize, max_bytes: usize, cost: fn(&K, &V) -> usize, clock: Clock) -> Self {
        let token = Queue::new(1);
        token.offer(());
        Self {
            current: Published::new(Arc::new(Generation::zero(clock.now()))),
            max_entries,
            max_bytes,
            cost,
            clock,
            token,
            ended: AtomicUsize::new(0),
            failures: AtomicUsize::new(0),
        }
    }

    /// The current generation, to look many things up in the same one.
    #[must_use]
    pub fn load(&self) -> Arc<Generation<K, V>> {
        self.current.read(Arc::clone)
    }

    /// The current generation's number: 0 before the first publication.
    #[must_use]
    pub fn generation(&self) -> u64 {
        self.current.read(|generation| generation.number())
    }

    /// When the current generation was published, on the cache's clock; `None` before the first one.
    #[must_use]
    pub fn refreshed_at(&self) -> Option<Duration> {
        self.current.read(|generation| (generation.number() > 0).then(|| generation.published()))
    }

    /// Refreshes that failed since the cache was made. A cache whose loader is broken goes on answering from its
    /// last good generation: only this, and the age of `refreshed_at`, tell.
    #[must_use]
    pub fn failures(&self) -> u64 {
        self.failures.load(Ordering::Relaxed) as u64
    }

    fn publish(&self, mut new: Generation<K, V>) -> u64 {
        let mut number = 0;
        self.current.publish(|current| {
            number = current.number() + 1;
            new.stamp(number, self.clock.now());
            Arc::new(new)
        });
        number
    }
}

impl<K: Eq + Hash, V> SnapshotCache<K, V> {
    /// A clone of a key's value in the current generation.
    #[inline]
    pub fn get<Q>(&self, key: &Q) -> Option<V>
    where
        K: Borrow<Q>,
        Q: Hash + Eq + ?Sized,
        V: Clone,
    {
        self.current.read(|generation| generation.get(key).cloned())
    }

    /// A clone of a key's value in the current generation, which is to have it.
    ///
    /// # Errors
    ///
    /// [`MissingKey`] if it does not.
    pub fn require<Q>(&self, key: &Q) -> Result<V, MissingKey>
    where
        K: Borrow<Q>,
        Q: Hash + Eq + ?Sized,
        V: Clone,
    {
        self.current.read(|generation| {
            generation.get(key).cloned().ok_or(MissingKey { generation: generation.number() })
        })
    }

    /// Clones of the keys' values, all of one generation, in the order of the keys and as often as they come.
    pub fn get_many<'q, Q>(&self, keys: impl IntoIterator<Item = &'q Q>) -> Vec<Option<V>>
    where
        K: Borrow<Q>,
        Q: Hash + Eq + ?Sized + 'q,
        V: Clone,
    {
        let generation = self.load();
        keys.into_iter().map(|key| generation.get(key).cloned()).collect()
    }

    /// Publishes a new generation and returns its number. Of entries with the same key, the last one counts.
    ///
    /// # Errors
    ///
    /// [`TooLarge`] if it is beyond the bounds; the current generation stays.
    pub fn replace(&self, entries: impl IntoIterator<Item = (K, V)>) -> Result<u64, TooLarge> {
        Generation::gather(entries, self.max_entries, self.max_bytes, self.cost).map(|new| self.publish(new))
    }

    /// Loads and publishes a new generation, and returns its number. While one call does, the others wait and share
    /// its outcome. If that call is dropped midway, one that waits takes its place with its own loader.
    ///
    /// # Errors
    ///
    /// [`RefreshError`] tells whether this call's loader failed, or what it loaded is beyond the bounds, or the
    /// call that this one waited for failed. The current generation stays in every case.
    pub async fn refresh<F, I, E>(&self, load: impl FnOnce() -> F) -> Result<u64, RefreshError<E>>
    where
        F: Future<Output = Result<I, E>>,
        I: IntoIterator<Item = (K, V)>,
    {
        /// Puts the token back, however the refresh ends.
        struct Turn<'a>(&'a Queue<()>);
        impl Drop for Turn<'_> {
            fn drop(&mut self) {
                self.0.offer(());
            }
        }
        let before = self.ended.load(Ordering::Acquire);
        self.token.get().await.expect("the queue of the token is never closed");
        let _turn = Turn(&self.token);
        let ended = self.ended.load(Ordering::Acquire);
        if ended != before {
            return if ended.is_multiple_of(2) { Ok(self.generation()) } else { Err(RefreshError::Other) };
        }
        let outcome = match load().await {
            Ok(entries) => self.replace(entries).map_err(RefreshError::TooLarge),
            Err(error) => Err(RefreshError::Load(error)),
        };
        let failed = usize::from(outcome.is_err());
        self.failures.fetch_add(failed, Ordering::Relaxed);
        self.ended.store(((ended | 1) + 1) | failed, Ordering::Release);
        outcome
    }
}

impl<K, V> Default for SnapshotCache<K, V> {
    fn default() -> Self {
        Self::new()
    }
}

impl<K, V> fmt::Debug for SnapshotCache<K, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let generation = self.load();
        f.debug_struct("SnapshotCache")
            .field("generation", &generation.number())
            .field("len", &generation.len())
            .field("failures", &self.failures())
            .finish_non_exhaustive()
    }
}

#[cfg(not(loom))]
#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;
    use std::convert::Infallible;
    use std::pin::pin;
    use std::task::{Context, Poll, Waker};
    use std::thread;

    fn now<F: Future>(future: F) -> F::Output {
        match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(output) => output,
            Poll::Pending => panic!("it waits"),
        }
    }

    /// Is pending once.
    async fn pause() {
        let mut first = true;
        std::future::poll_fn(|_| if std::mem::take(&mut first) { Poll::Pending } else { Poll::Ready(()) })
            .await;
    }

    #[test]
    fn a_generation_beyond_the_bounds_is_not_published() {
        let cache = SnapshotCache::with_bounds(2, 10, |_: &u8, text: &String| text.len());
        assert_eq!((cache.generation(), cache.refreshed_at()), (0, None));
        assert_eq!(cache.replace([(1, "one".into()), (2, "two".into())]), Ok(1));
        let many = (0..9).map(|key| (key, String::new()));
        assert_eq!(cache.replace(many), Err(TooLarge { entries: 3, bytes: 0 }));
        let large = [(1, "x".repeat(11))];
        assert_eq!(cache.replace(large.clone()), Err(TooLarge { entries: 1, bytes: 11 }));
        let failed = now(cache.refresh(async || Ok::<_, Infallible>(large)));
        assert_eq!(failed, Err(RefreshError::TooLarge(TooLarge { entries: 1, bytes: 11 })));
        assert_eq!((cache.generation(), cache.failures()), (1, 1));
        assert_eq!(cache.get(&1).as_deref(), Some("one"));
        // The last entry of a key counts, once.
        assert_eq!(cache.replace([(1, "123456".into()), (1, "12345678".into())]), Ok(2));
        assert_eq!((cache.load().bytes(), cache.require(&1).as_deref()), (8, Ok("12345678")));
    }

    #[test]
    fn a_failed_refresh_is_counted_and_changes_nothing() {
        let cache = SnapshotCache::new();
        cache.replace([("a", 1)]).unwrap();
        let failed = now(cache.refresh(async || Err::<[(&str, i32); 0], _>("down")));
        assert_eq!(failed, Err(RefreshError::Load("down")));
        assert_eq!((cache.get("a"), cache.generation(), cache.failures()), (Some(1), 1, 1));
        assert_eq!(now(cache.refresh(async || Ok::<_, &str>([("a", 2)]))), Ok(2));
        assert_eq!((cache.get("a"), cache.failures()), (Some(2), 1));
    }

    #[test]
    fn refreshes_at_once_load_once_and_a_dropped_one_hands_over() {
        let cache = SnapshotCache::new();
        let loads = Cell::new(0);
        let load = |value: i32| {
            let loads = &loads;
            async move || {
                loads.set(loads.get() + 1);
                pause().await;
                if value < 0 { Err("bad") } else { Ok([("a", value)]) }
            }
        };
        let mut context = Context::from_waker(Waker::noop());
        let mut leader = Box::pin(cache.refresh(load(1)));
        let mut second = pin!(cache.refresh(load(2)));
        let mut third = pin!(cache.refresh(load(3)));
        assert!(leader.as_mut().poll(&mut context).is_pending());
        assert!(second.as_mut().poll(&mut context).is_pending());
        assert!(third.as_mut().poll(&mut context).is_pending());
        assert_eq!(loads.get(), 1);
        drop(leader);
        assert!(second.as_mut().poll(&mut context).is_pending());
        assert_eq!(loads.get(), 2, "the next one leads, with its own loader");
        assert_eq!(second.as_mut().poll(&mut context), Poll::Ready(Ok(1)));
        assert_eq!(third.as_mut().poll(&mut context), Poll::Ready(Ok(1)));
        assert_eq!((loads.get(), cache.get("a")), (2, Some(2)));
        let mut leader = pin!(cache.refresh(load(-1)));
        let mut other = pin!(cache.refresh(load(5)));
        assert!(leader.as_mut().poll(&mut context).is_pending());
        assert!(other.as_mut().poll(&mut context).is_pending());
        assert_eq!(leader.poll(&mut context), Poll::Ready(Err(RefreshError::Load("bad"))));
        assert_eq!(other.poll(&mut context), Poll::Ready(Err(RefreshError::Other)));
        assert_eq!((loads.get(), cache.failures(), cache.get("a")), (3, 1, Some(2)));
    }

    #[test]
    fn readers_see_whole_generations_while_they_change() {
        const GENERATIONS: u64 = if cfg!(miri) { 20 } else { 2_000 };
        let cache: SnapshotCache<u64, Box<u64>> = SnapshotCache::new();
        thread::scope(|scope| {
            for _ in 0..2 {
                scope.spawn(|| {
                    let mut last = 0;
                    while last < GENERATIONS {
                        let generation = cache.load();
                        assert!(generation.number() >= last);
                        last = generation.number();
                        for key in 0..if last == 0 { 0 } else { 5u64 } {
                            assert_eq!(generation.get(&key).map(|value| **value), Some(last));
                        }
                        let two: Vec<_> = cache.get_many([&0, &1]).into_iter().flatten().collect();
                        assert!(two.windows(2).all(|pair| pair[0] == pair[1]));
                    }
                });
            }
            for number in 1..=GENERATIONS {
                assert_eq!(cache.replace((0..5).map(|key| (key, Box::new(number)))), Ok(number));
            }
        });
    }
}
