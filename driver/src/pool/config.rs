//! The bounds of a pool.

use std::time::Duration;

use crate::error::{Error, ErrorKind, Result};

/// The bounds of a [`Pool`](crate::Pool).
///
/// ```
/// use wreath_driver::PoolConfig;
///
/// let config = PoolConfig { max_size: 4, ..PoolConfig::default() };
/// assert_eq!(config.acquire_timeout.as_secs(), 5);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PoolConfig {
    /// Connections that [`start`](crate::Pool::start) opens.
    pub min_size: usize,
    /// The most connections that are open at once.
    pub max_size: usize,
    /// The most callers that wait for a connection at once; one more is refused.
    pub max_queue: usize,
    /// How long an acquire may take, opening a connection included.
    pub acquire_timeout: Duration,
    /// How old a connection may get; it is closed when it comes back older. `None`: any age.
    pub max_lifetime: Option<Duration>,
    /// How long a connection may lie idle before it is closed instead of being handed out. `None`: any time.
    pub idle_timeout: Option<Duration>,
}

impl Default for PoolConfig {
    /// 1 to 10 connections, 256 waiting callers, 5 seconds; connections live for at most 30 minutes and lie
    /// idle for at most 10.
    fn default() -> Self {
        Self {
            min_size: 1,
            max_size: 10,
            max_queue: 256,
            acquire_timeout: Duration::from_secs(5),
            max_lifetime: Some(Duration::from_secs(30 * 60)),
            idle_timeout: Some(Duration::from_secs(10 * 60)),
        }
    }
}

impl PoolConfig {
    pub(crate) fn check(&self) -> Result<()> {
        let complaint = if self.max_size == 0 {
            "max_size is 0: the pool could never hand out a connection"
        } else if self.max_size > tokio::sync::Semaphore::MAX_PERMITS {
            "max_size is absurd"
        } else if self.min_size > self.max_size {
            "min_size is above max_size"
        } else if self.acquire_timeout.is_zero() {
            "acquire_timeout is zero: no acquire could succeed"
        } else {
            return Ok(());
        };
        Err(Error::new(ErrorKind::Config, format!("the pool's configuration is wrong: {complaint}")))
    }
}
