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
    /// Connections that are kept open: [`start`](crate::Pool::start) opens them, and those that are lost are replaced
    /// without anybody asking.
    pub min_size: usize,
    /// The most connections that are open at once.
    pub max_size: usize,
    /// The most callers that wait for a connection at once; one more is refused.
    pub max_queue: usize,
    /// How long an acquire may take in all: waiting, opening a connection and checking it.
    pub acquire_timeout: Duration,
    /// How long a verb of a lease may take before it fails with [`Timeout`](ErrorKind::Timeout) and its statement is
    /// cancelled, see [`within`](crate::Client::within). `None`: any time.
    pub command_timeout: Option<Duration>,
    /// The most borrowers that share a connection at once, see [`acquire_shared`](crate::Pool::acquire_shared).
    pub pipeline_depth: usize,
    /// How old a connection may get; one that is older is closed instead of being handed out. Each gets up to a tenth
    /// less, at random, so that those that were opened together are not closed together. `None`: any age.
    pub max_lifetime: Option<Duration>,
    /// How long a connection may lie idle before it is closed, where more than `min_size` are open. `None`: any time.
    pub idle_timeout: Option<Duration>,
    /// How long a connection may lie idle before the server is asked, ahead of handing it out, whether it is still
    /// there. `None`: it is never asked; a connection whose end has been seen is not handed out in any case.
    pub check_after: Option<Duration>,
    /// How long the server may take to answer that.
    pub check_timeout: Duration,
    /// Whether its connections only read: they are opened with `default_transaction_read_only`, and an error that
    /// says so (25006) is no reason to give one up.
    pub read_only: bool,
}

impl Default for PoolConfig {
    /// 1 to 10 connections, shared by at most 4 borrowers each; 256 waiting callers, 5 seconds to acquire, 30 for a
    /// statement; connections live for at most 30 minutes and lie idle for at most 10, and are checked after 30 seconds, for
    /// at most 1.
    fn default() -> Self {
        Self {
            min_size: 1,
            max_size: 10,
            max_queue: 256,
            acquire_timeout: Duration::from_secs(5),
            command_timeout: Some(Duration::from_secs(30)),
            pipeline_depth: 4,
            max_lifetime: Some(Duration::from_secs(30 * 60)),
            idle_timeout: Some(Duration::from_secs(10 * 60)),
            check_after: Some(Duration::from_secs(30)),
            check_timeout: Duration::from_secs(1),
            read_only: false,
        }
    }
}

/// The most connections that a pool may be told to open.
const LARGEST: usize = 100_000;

impl PoolConfig {
    pub(crate) fn check(&self) -> Result<()> {
        let complaint = if self.max_size == 0 {
            "max_size is 0: the pool could never hand out a connection"
        } else if self.max_size > LARGEST {
            "max_size is above 100000"
        } else if self.min_size > self.max_size {
            "min_size is above max_size"
        } else if self.acquire_timeout.is_zero() {
            "acquire_timeout is zero: no acquire could succeed"
        } else if self.command_timeout.is_some_and(|limit| limit.is_zero()) {
            "command_timeout is zero: no statement could succeed"
        } else if self.pipeline_depth == 0 {
            "pipeline_depth is 0: nobody could share a connection"
        } else if self.max_lifetime.is_some_and(|limit| limit.is_zero()) {
            "max_lifetime is zero: no connection could be handed out"
        } else if self.check_after.is_some() && self.check_timeout.is_zero() {
            "check_timeout is zero: no check could succeed"
        } else {
            return Ok(());
        };
        Err(Error::new(ErrorKind::Config, format!("the pool's configuration is wrong: {complaint}")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_makes_no_sense_is_refused_by_name() {
        let zero = Some(Duration::ZERO);
        let sound = PoolConfig::default();
        assert!(sound.check().is_ok());
        for (config, name) in [
            (PoolConfig { max_size: 0, ..sound.clone() }, "max_size"),
            (PoolConfig { max_size: usize::MAX, ..sound.clone() }, "max_size"),
            (PoolConfig { min_size: 11, ..sound.clone() }, "min_size"),
            (PoolConfig { acquire_timeout: Duration::ZERO, ..sound.clone() }, "acquire_timeout"),
            (PoolConfig { command_timeout: zero, ..sound.clone() }, "command_timeout"),
            (PoolConfig { pipeline_depth: 0, ..sound.clone() }, "pipeline_depth"),
            (PoolConfig { max_lifetime: zero, ..sound.clone() }, "max_lifetime"),
            (PoolConfig { check_timeout: Duration::ZERO, ..sound.clone() }, "check_timeout"),
        ] {
            let refused = config.check().expect_err(name);
            assert_eq!(refused.kind(), ErrorKind::Config);
            assert!(refused.to_string().contains(name), "{refused}");
        }
        assert!(PoolConfig { min_size: 0, max_queue: 0, idle_timeout: zero, ..sound }.check().is_ok());
    }
}
