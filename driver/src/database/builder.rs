//! Databases that are about to be made.

use std::collections::BTreeMap;
use std::time::Duration;

use crate::config::Config;
use crate::database::{Database, Workload};
use crate::error::{Error, ErrorKind, Result};
use crate::pool::{Pool, PoolConfig};

/// How long a stop may take unless told otherwise.
const SHUTDOWN: Duration = Duration::from_secs(10);

/// A [`Database`] that is about to be made; begun by [`Database::builder`].
#[derive(Clone, Debug)]
#[must_use = "no database is made before it is built"]
pub struct DatabaseBuilder {
    name: String,
    config: Config,
    pools: BTreeMap<Workload, PoolConfig>,
    configs: BTreeMap<Workload, Config>,
    shutdown: Duration,
}

impl DatabaseBuilder {
    pub(super) fn new(name: String, config: Config) -> Self {
        Self { name, config, pools: BTreeMap::new(), configs: BTreeMap::new(), shutdown: SHUTDOWN }
    }

    /// A pool for a kind of work. Without any there is one for [`Read`](Workload::Read) and one for
    /// [`Write`](Workload::Write), with the default bounds. Whether it only reads follows from the workload.
    pub fn pool(mut self, workload: Workload, bounds: PoolConfig) -> Self {
        self.pools.insert(workload, bounds);
        self
    }

    /// Where the connections for a kind of work lead, if not to where the others do: to a standby, say.
    pub fn config(mut self, workload: Workload, config: Config) -> Self {
        self.configs.insert(workload, config);
        self
    }

    /// How long [`stop`](Database::stop) may take in all: 10 seconds unless told otherwise.
    pub fn shutdown_timeout(mut self, timeout: Duration) -> Self {
        self.shutdown = timeout;
        self
    }

    /// Makes the database, and opens no connection.
    ///
    /// # Errors
    /// `Config`, when it has no name, a pool's bounds make no sense, or a configuration is for a workload that has no pool.
    pub fn build(mut self) -> Result<Database> {
        if self.name.is_empty() {
            return Err(Error::new(ErrorKind::Config, "a database needs a name"));
        }
        if self.pools.is_empty() {
            self.pools = [Workload::Read, Workload::Write].map(|w| (w, PoolConfig::default())).into();
        }
        if let Some(workload) = self.configs.keys().find(|workload| !self.pools.contains_key(workload)) {
            let message = format!("the workload {workload} has a configuration and no pool");
            return Err(Error::new(ErrorKind::Config, message));
        }
        for (workload, bounds) in &mut self.pools {
            bounds.read_only = workload.is_read_only();
            bounds.check().map_err(|e| e.recast(ErrorKind::Config, &format!("the workload {workload}")))?;
        }
        Ok(Database::new(self))
    }

    pub(super) fn name(&self) -> &str {
        &self.name
    }

    pub(super) fn shutdown(&self) -> Duration {
        self.shutdown
    }

    pub(super) fn has(&self, workload: Workload) -> bool {
        self.pools.contains_key(&workload)
    }

    /// New pools, which have opened nothing.
    pub(super) fn new_pools(&self) -> Result<Vec<(Workload, Pool)>> {
        let new = |(&workload, bounds): (&Workload, &PoolConfig)| {
            let config = self.configs.get(&workload).unwrap_or(&self.config);
            Ok((workload, Pool::new(config.clone(), bounds.clone())?))
        };
        self.pools.iter().map(new).collect()
    }
}
