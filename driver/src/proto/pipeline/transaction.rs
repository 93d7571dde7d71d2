//! Transactions and savepoints: what opens and ends them, and those that open or end without that.

use crate::error::{Error, ErrorKind, Result};
use crate::proto::op::{Leaves, OpKey};
use crate::proto::pipeline::Pipeline;
use crate::proto::scope::{SHARED, Scope};

/// What opens a transaction with the session's own defaults.
pub(crate) const BEGIN: &str = "BEGIN";

/// The option of a transaction that only reads.
pub(crate) const READ_ONLY: &str = "READ ONLY";

/// What [`Pipeline::commit`] has sent.
pub(crate) struct Committing {
    pub(crate) key: OpKey,
    pub(crate) end: End,
}

/// How a transaction or savepoint ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// With COMMIT.
    Transaction,
    /// As a part of the transaction around it.
    Savepoint,
    /// Rolled back to, because a statement has failed.
    Undone,
}

impl End {
    /// The command that ends it so.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Transaction => "COMMIT",
            Self::Savepoint => "RELEASE SAVEPOINT",
            Self::Undone => "ROLLBACK TO SAVEPOINT",
        }
    }
}

impl Pipeline {
    /// Opens a transaction, or a savepoint inside of one.
    pub(crate) fn begin(&mut self, scope: Scope, begin: &str) -> Result<(OpKey, Scope)> {
        self.admit(scope, 1)?;
        let depth = self.scopes.depth();
        if depth > 0 && begin != BEGIN {
            let message = "a savepoint cannot have an isolation level or an access mode of its own";
            return Err(Error::new(ErrorKind::Unsupported, message));
        }
        if depth == 0 {
            self.may_begin(scope)?;
            self.reads_only = begin.contains(READ_ONLY);
        }
        let script = if depth == 0 { begin.to_owned() } else { format!("SAVEPOINT wreath_{depth}") };
        let key = self.script(&script, Leaves::Transaction, false)?;
        Ok((key, self.scopes.push()))
    }

    /// Refuses a transaction where none may be opened; the one that is to be may write.
    pub(super) fn may_begin(&mut self, scope: Scope) -> Result<()> {
        if scope == SHARED {
            let message = "a connection that is shared with others can carry no transaction: acquire one";
            return Err(Error::new(ErrorKind::Unsupported, message));
        }
        if self.scopes.depth() > 0 {
            let message = "a pipeline of a transaction is in it already, and begins none";
            return Err(Error::new(ErrorKind::Unsupported, message));
        }
        self.reads_only = false;
        Ok(())
    }

    /// Commits a transaction, or releases a savepoint: one whose transaction has failed meanwhile is rolled back
    /// to instead, so that the transaction around it can go on.
    pub(crate) fn commit(&mut self, scope: Scope) -> Result<Committing> {
        self.alive()?;
        self.scopes.check(scope)?;
        let depth = self.scopes.end(scope).unwrap_or_default();
        let (key, end) = match depth {
            0 | 1 => (self.script("COMMIT", Leaves::Any, false)?, End::Transaction),
            // Whatever is on its way may change that: a savepoint inside may be about to be rolled back to.
            _ if self.failed && self.queue.is_empty() => (self.undo(depth)?, End::Undone),
            _ => {
                let release = format!("RELEASE SAVEPOINT wreath_{}", depth - 1);
                (self.script(&release, Leaves::Transaction, false)?, End::Savepoint)
            }
        };
        Ok(Committing { key, end })
    }

    /// Rolls a transaction back, or back to a savepoint, together with all that is open inside it. `None`
    /// when it has ended before.
    pub(crate) fn rollback(&mut self, scope: Scope) -> Result<Option<OpKey>> {
        self.alive()?;
        let Some(depth) = self.scopes.end(scope) else { return Ok(None) };
        if depth == 1 {
            return self.script("ROLLBACK", Leaves::Any, true).map(Some);
        }
        self.undo(depth).map(Some)
    }

    fn undo(&mut self, depth: usize) -> Result<OpKey> {
        let name = depth - 1;
        let script = format!("ROLLBACK TO SAVEPOINT wreath_{name}; RELEASE SAVEPOINT wreath_{name}");
        // If the savepoint is not there, because making it failed, the transaction around it has failed too,
        // and knows it.
        self.script(&script, Leaves::Transaction, false)
    }

    /// A transaction or savepoint that the server refused to open.
    pub(crate) fn not_begun(&mut self, scope: Scope) {
        self.scopes.end(scope);
    }

    /// Rolls back whatever transaction is open. `None` when none is.
    pub(crate) fn rollback_all(&mut self) -> Option<OpKey> {
        if self.scopes.depth() == 0 || self.broken.is_some() {
            return None;
        }
        self.scopes.clear();
        self.script("ROLLBACK", Leaves::Any, true).ok()
    }

    /// A transaction is open that nobody opened through the driver: it ends here, and all that ran inside it
    /// says so.
    pub(super) fn unmanaged(&mut self, key: OpKey) -> Result<()> {
        // Whatever stands behind it comes before the ROLLBACK, and may be a COMMIT.
        let message = if self.queue.back() == Some(&key) || self.rolling_back {
            "a statement had opened a transaction behind the driver's back, and it is rolled back: use begin()"
        } else {
            "a statement had opened a transaction behind the driver's back, and it is rolled back unless one that is on its way ends it first: use begin()"
        };
        if let Some(op) = self.slots.waiting(key) {
            op.failed(Error::new(ErrorKind::UnmanagedTransaction, message));
        }
        self.scopes.clear();
        if !self.rolling_back {
            self.rolling_back = true;
            let rollback = self.script("ROLLBACK", Leaves::Any, true)?;
            self.slots.detach(rollback);
        }
        Ok(())
    }

    /// A transaction was ended by a statement instead of its handle.
    pub(super) fn transaction_lost(&mut self, key: OpKey) {
        self.scopes.clear();
        if let Some(op) = self.slots.waiting(key)
            && op.error.is_none()
        {
            op.failed(Error::new(
                ErrorKind::TransactionClosed,
                "a statement has ended the transaction behind its handle's back: use commit() or rollback()",
            ));
        }
    }
}
