//! The monotonic time that deadlines are measured on, which a test can take into its own hands.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// A monotonic clock: the time since a zero of its own choosing.
///
/// Cloning it is cheap, and clones tell the same time.
#[derive(Clone)]
pub struct Clock(Source);

#[derive(Clone)]
enum Source {
    System(Instant),
    Given(Arc<dyn Fn() -> Duration + Send + Sync>),
}

impl Clock {
    /// The system's monotonic clock, with zero at the time of the call.
    #[must_use]
    pub fn system() -> Self {
        Self(Source::System(Instant::now()))
    }

    /// A clock that asks `now`, whose answers must never go back.
    pub fn from_fn(now: impl Fn() -> Duration + Send + Sync + 'static) -> Self {
        Self(Source::Given(Arc::new(now)))
    }

    /// The time since the clock's zero.
    #[must_use]
    pub fn now(&self) -> Duration {
        match &self.0 {
            Source::System(zero) => zero.elapsed(),
            Source::Given(now) => now(),
        }
    }

    /// The time since the clock's zero in nanoseconds, which 584 years fit in.
    #[inline]
    pub(crate) fn now_nanos(&self) -> u64 {
        nanos(self.now())
    }
}

impl fmt::Debug for Clock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Clock").field(&self.now()).finish()
    }
}

/// A duration in nanoseconds; one that does not fit is the longest that does.
#[inline]
pub(crate) fn nanos(duration: Duration) -> u64 {
    u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX)
}

/// A clock that stands still until it is moved, for tests.
///
/// ```
/// use std::time::Duration;
/// use wreath_simd::ManualClock;
///
/// let hand = ManualClock::new();
/// let clock = hand.clock();
/// hand.advance(Duration::from_secs(3));
/// assert_eq!(clock.now(), Duration::from_secs(3));
/// ```
#[derive(Clone, Debug, Default)]
pub struct ManualClock(Arc<AtomicU64>);

impl ManualClock {
    /// A clock at zero.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The clock to hand to what is tested.
    #[must_use]
    pub fn clock(&self) -> Clock {
        let nanos = Arc::clone(&self.0);
        Clock::from_fn(move || Duration::from_nanos(nanos.load(Ordering::Acquire)))
    }

    /// Moves the clock, and all that came from it, forward.
    pub fn advance(&self, by: Duration) {
        self.0.fetch_add(nanos(by), Ordering::AcqRel);
    }
}
