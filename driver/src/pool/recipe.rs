//! How connections are opened and made ready to be lent.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use crate::catalog::Catalog;
use crate::config::Config;
use crate::connection::{Client, Connection};
use crate::error::{Error, ErrorKind, Result};
use crate::pool::PoolConfig;
use crate::pool::builder::Hook;
use crate::pool::policy::{Reason, Renewal, Verdict};
use crate::proto::traces::READ_ONLY;

/// How long a connection may take to be opened where the configuration sets no bound: a seat must not be taken for ever by
/// a server that does not answer.
const OPENING: Duration = Duration::from_secs(30);

/// Everything that the pool's connections have in common.
pub(crate) struct Recipe {
    pub(crate) config: Config,
    pub(crate) rules: Arc<PoolConfig>,
    pub(crate) catalog: Arc<Catalog>,
    pub(crate) after_connect: Option<Hook<()>>,
    pub(crate) before_acquire: Option<Hook<bool>>,
    pub(crate) after_release: Option<Hook<bool>>,
}

impl Recipe {
    /// A connection that is ready to be lent.
    pub(super) async fn open(&self) -> Result<Connection> {
        let limit = OPENING.max(self.rules.acquire_timeout);
        let opening = async {
            let connection = self.config.connect_with(Arc::clone(&self.catalog)).await?;
            if self.rules.read_only {
                read_only(&connection).await?;
            }
            self.set_up(&connection).await?;
            Ok(connection)
        };
        tokio::time::timeout(limit, opening).await.unwrap_or_else(|_| {
            Err(Error::new(ErrorKind::Timeout, format!("no session began within {limit:?}")))
        })
    }

    async fn set_up(&self, connection: &Connection) -> Result<()> {
        if let Some(hook) = &self.after_connect {
            hook(connection).await?;
            connection.accept();
        }
        Ok(())
    }

    /// Whether what follows a release takes more than the reset.
    pub(super) fn renews(&self, renewal: Renewal) -> bool {
        self.after_release.is_some() || renewal.settings && self.after_connect.is_some()
    }

    /// Makes a connection that has come back ready to be lent again.
    pub(super) async fn renew(&self, connection: &Connection, renewal: Renewal) -> Verdict {
        let limit = OPENING.max(self.rules.acquire_timeout);
        let renewing = async {
            if renewal.settings {
                // The reset has undone what it had set.
                self.set_up(connection).await.map_err(|_| Reason::Broken)?;
            }
            approved(self.after_release.as_ref(), connection).await?;
            connection.accept();
            if connection.is_closed() { Err(Reason::Broken) } else { Ok(()) }
        };
        tokio::time::timeout(limit, renewing).await.unwrap_or(Err(Reason::Broken))
    }

    /// Whether a connection that is about to be handed out is good for it.
    pub(super) async fn vet(&self, connection: &Client, stale: bool) -> Verdict {
        if stale {
            let check = connection.batch("");
            let answer = tokio::time::timeout(self.rules.check_timeout, check).await;
            if !matches!(answer, Ok(Ok(_))) {
                return Err(Reason::Broken);
            }
        }
        approved(self.before_acquire.as_ref(), connection).await
    }
}

/// Makes the session one that only reads; where others may get it from a pooler, it has to be one already.
async fn read_only(connection: &Connection) -> Result<()> {
    if !connection.is_passed_around() {
        connection.begin_with(READ_ONLY);
        return Ok(());
    }
    let found: String = connection.fetch_scalar("SHOW default_transaction_read_only", ()).await?;
    if found == "on" {
        return Ok(());
    }
    let message = "a pool that only reads cannot make it so for sessions that a pooler passes around: set it for the role \
                   (ALTER ROLE ... SET default_transaction_read_only = on) or in the pooler (connect_query); or, where \
                   statements and settings last, say statement_cache_size";
    Err(Error::new(ErrorKind::Config, message))
}

/// A hook that fails does not want the connection either.
async fn approved(hook: Option<&Hook<bool>>, connection: &Client) -> Verdict {
    match hook {
        Some(hook) => hook(connection).await.ok().filter(|good| *good).map(drop).ok_or(Reason::Hook),
        None => Ok(()),
    }
}

impl fmt::Debug for Recipe {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Recipe")
            .field("config", &self.config)
            .field("rules", &self.rules)
            .finish_non_exhaustive()
    }
}
