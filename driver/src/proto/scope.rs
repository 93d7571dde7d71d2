//! Which handle may speak: the connection's, or the innermost open transaction's.

use smallvec::SmallVec;

use crate::error::{Error, ErrorKind, Result};

/// Names a transaction or a savepoint of one connection. [`OUTSIDE`] is none.
pub(crate) type Scope = u64;

/// The scope of a connection's own handle.
pub(crate) const OUTSIDE: Scope = 0;

/// The scope of a handle that shares a connection with others: outside of transactions, and unable to open one.
pub(crate) const SHARED: Scope = Scope::MAX;

/// Whether statements of `scope` are transactions of their own.
pub(crate) fn is_outside(scope: Scope) -> bool {
    matches!(scope, OUTSIDE | SHARED)
}

/// The open transaction and its savepoints, outermost first.
#[derive(Debug, Default)]
pub(crate) struct Scopes {
    open: SmallVec<[Scope; 4]>,
    last: Scope,
}

impl Scopes {
    /// How deep the innermost scope lies; 0 outside of a transaction.
    pub(crate) fn depth(&self) -> usize {
        self.open.len()
    }

    /// Whether `scope` has not ended.
    pub(crate) fn is_open(&self, scope: Scope) -> bool {
        self.open.contains(&scope)
    }

    /// Fails unless `scope` is the innermost one.
    pub(crate) fn check(&self, scope: Scope) -> Result<()> {
        let fits = match self.open.last() {
            Some(&innermost) => scope == innermost,
            None => is_outside(scope),
        };
        if fits {
            return Ok(());
        }
        Err(if is_outside(scope) {
            Error::new(
                ErrorKind::InTransaction,
                "a transaction is open on this connection: run the statement through its handle",
            )
        } else if self.open.contains(&scope) {
            Error::new(
                ErrorKind::InTransaction,
                "a savepoint of this transaction is open: run the statement through its handle",
            )
        } else {
            Error::new(ErrorKind::TransactionClosed, "the transaction of this handle has ended")
        })
    }

    /// Opens a scope inside the innermost one.
    pub(crate) fn push(&mut self) -> Scope {
        self.last += 1;
        self.open.push(self.last);
        self.last
    }

    /// Ends `scope` and those inside it, and answers how deep it lay (1 is the transaction itself); `None` if
    /// it has ended before.
    pub(crate) fn end(&mut self, scope: Scope) -> Option<usize> {
        let at = self.open.iter().position(|&s| s == scope)?;
        self.open.truncate(at);
        Some(at + 1)
    }

    /// Ends them all.
    pub(crate) fn clear(&mut self) {
        self.open.clear();
    }
}
