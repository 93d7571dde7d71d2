//! Finding plans again.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use wreath_simd::Kv;

use crate::error::Result;
use crate::plan::{Key, Plan};

/// The bounds of a plan cache.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    pub(crate) entries: usize,
    pub(crate) bytes: usize,
    /// Whether a plan that is found is compiled again and compared.
    pub(crate) verify: bool,
}

impl Default for Limits {
    fn default() -> Self {
        Self { entries: 512, bytes: 8 << 20, verify: cfg!(debug_assertions) }
    }
}

/// The plans of one database, bounded by count and by bytes; the plan that has not been used for longest
/// goes first.
pub(crate) struct PlanCache {
    kv: Mutex<Kv<Key, Arc<Plan>>>,
    verify: bool,
}

/// What a plan cache has done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct CacheStats {
    /// Statements whose plan was known.
    pub hits: u64,
    /// Statements that had to be compiled.
    pub misses: u64,
    /// Plans that had to go for others.
    pub evictions: u64,
    /// Plans held now.
    pub entries: u64,
    /// About how many bytes they take.
    pub bytes: u64,
}

impl fmt::Display for CacheStats {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { hits, misses, evictions, entries, bytes } = self;
        write!(f, "{hits} hits, {misses} misses, {evictions} evictions; {entries} plans in {bytes} bytes")
    }
}

impl PlanCache {
    /// An empty cache. A bound of 0 is taken as 1: nothing larger than a byte is then kept.
    pub(crate) fn new(limits: Limits) -> Self {
        let kv = Kv::with_bounds(limits.entries.max(1), limits.bytes.max(1));
        Self { kv: Mutex::new(kv), verify: limits.verify }
    }

    /// The plan for a key, compiled if it is not known.
    ///
    /// It is compiled outside the lock. Where two callers compile the same, the first to be done wins.
    pub(crate) fn plan(&self, key: &Key, compile: impl Fn() -> Result<Plan>) -> Result<Arc<Plan>> {
        let hash = key.hash();
        if let Some(plan) = self.lock().get_by(hash, |known| known == key).map(|plan| Arc::clone(plan)) {
            if self.verify {
                let again = compile()?;
                assert!(plan.same(&again), "one key for two plans: {plan:?} and {again:?}");
            }
            return Ok(plan);
        }
        let plan = Arc::new(compile()?);
        let mut kv = self.lock();
        if let Some(first) = kv.peek_by(hash, |known| known == key) {
            return Ok(Arc::clone(first));
        }
        let cost = key.cost() + plan.cost();
        // A plan that alone exceeds the bound serves its statement and is not kept.
        let _ = kv.insert_by(hash, key.clone(), Arc::clone(&plan), cost, |_, _| ());
        Ok(plan)
    }

    pub(crate) fn stats(&self) -> CacheStats {
        let stats = self.lock().stats();
        CacheStats {
            hits: stats.hits,
            misses: stats.misses,
            evictions: stats.evictions,
            entries: stats.residents,
            bytes: stats.bytes,
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Kv<Key, Arc<Plan>>> {
        self.kv.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for PlanCache {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.stats().fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use std::any::TypeId;

    use super::*;
    use crate::plan::{Kind, LevelPlan};

    fn key(n: u64) -> Key {
        let mut key = Key::new(Kind::Select, TypeId::of::<()>());
        key.push(n);
        key
    }

    fn plan(n: u64) -> Result<Plan> {
        Ok(Plan::new(format!("SELECT {n}"), LevelPlan::default()))
    }

    #[test]
    fn a_plan_is_compiled_once() {
        let cache = PlanCache::new(Limits::default());
        let first = cache.plan(&key(1), || plan(1)).expect("compiles");
        let again = cache.plan(&key(1), || plan(1)).expect("is known");
        assert!(Arc::ptr_eq(&first, &again));
        let stats = cache.stats();
        assert_eq!((stats.hits, stats.misses, stats.evictions, stats.entries), (1, 1, 0, 1));
    }

    /// A million shapes, a few of which come again and again.
    #[test]
    fn both_bounds_hold_under_many_shapes() {
        let limits = Limits { entries: 100, bytes: 30_000, verify: false };
        let cache = PlanCache::new(limits);
        let mut shape = 7_u64;
        for n in 0..1_000_000_u64 {
            shape = shape.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let shape = if n % 4 == 0 { n % 32 } else { shape };
            cache.plan(&key(shape), || plan(shape)).expect("compiles");
            if n % 1_000 == 0 {
                let stats = cache.stats();
                assert!(stats.entries <= 100 && stats.bytes <= 30_000, "{stats}");
            }
        }
        let stats = cache.stats();
        assert!(stats.evictions > 700_000, "{stats}");
    }

    #[test]
    #[should_panic(expected = "one key for two plans")]
    fn a_key_that_does_not_decide_the_plan_is_found_out() {
        let cache = PlanCache::new(Limits { verify: true, ..Limits::default() });
        cache.plan(&key(1), || plan(1)).expect("compiles");
        let _ = cache.plan(&key(1), || plan(2));
    }
}
