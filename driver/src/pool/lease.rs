//! A connection on loan.

use std::ops::Deref;
use std::sync::Arc;
use std::time::Instant;

use crate::connection::{Client, Connection};
use crate::pool::inner::Inner;
use crate::pool::policy::{Fate, Loan, Mode, Reason, Renewal};

/// A connection of a [`Pool`](crate::Pool), for as long as this lives; its verbs are those of [`Client`].
///
/// Dropping it gives the connection back. A transaction that is still open then is rolled back, whoever holds its
/// handle. What the borrower has changed of the session, as far as statements tell (settings and the role, channels
/// listened to, advisory locks of the session, cursors, temporary tables), is reset in the flight of the next borrower's
/// first statement; locks, at once. Prepared statements stay.
#[derive(Debug)]
pub struct Lease(pub(super) Held);

/// A share in a connection of a [`Pool`](crate::Pool), made by [`acquire_shared`](crate::Pool::acquire_shared): statements
/// of all who share it go out together, each with its own result. Its verbs are those of [`Client`], but it can carry no
/// transaction ([`Unsupported`](crate::ErrorKind::Unsupported)), and it is not for changing the session: what one sets,
/// the others find.
#[derive(Debug)]
pub struct SharedLease(pub(super) Held);

impl Deref for Lease {
    type Target = Client;

    fn deref(&self) -> &Client {
        &self.0.client
    }
}

impl Deref for SharedLease {
    type Target = Client;

    fn deref(&self) -> &Client {
        &self.0.client
    }
}

/// What both are: dropping it gives back what was lent.
#[derive(Debug)]
pub(super) struct Held {
    client: Client,
    loan: Loan,
    condemned: Option<Reason>,
    inner: Arc<Inner>,
}

impl Held {
    pub(super) fn new(inner: &Arc<Inner>, loan: Loan, mode: Mode, connection: &Connection) -> Self {
        let client = connection.lend(mode == Mode::Shared, inner.recipe.rules.command_timeout);
        Self { client, loan, condemned: None, inner: Arc::clone(inner) }
    }

    pub(super) fn client(&self) -> &Client {
        &self.client
    }

    pub(super) fn is_stale(&self) -> bool {
        self.loan.stale
    }

    /// Gives it back as one that nobody should get any more.
    pub(super) fn condemn(&mut self, reason: Reason) {
        self.condemned = Some(reason);
    }

    fn fate(&self) -> Fate {
        let recipe = &self.inner.recipe;
        let remains = self.client.end_loan(recipe.rules.read_only);
        if let Some(reason) = self.condemned {
            return Fate::Close(reason);
        }
        if remains.closed {
            return Fate::Close(Reason::Broken);
        }
        if remains.refused_to_write && !recipe.rules.read_only {
            return Fate::Close(Reason::ReadOnly);
        }
        let renewal = Renewal { settings: remains.settings };
        if recipe.renews(renewal) { Fate::Renew(renewal) } else { Fate::Keep }
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        let fate = self.fate();
        self.inner.with(|p, out| p.give_back(self.loan, Instant::now(), fate, out));
    }
}
