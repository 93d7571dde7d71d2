//! An acquire, from end to end.

use std::future::poll_fn;
use std::panic::Location;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::{Context, Poll};
use std::time::Instant;

use crate::error::{Error, ErrorKind, Result};
use crate::pool::borrower::{Borrower, Task};
use crate::pool::inner::{Inner, stopped};
use crate::pool::lease::Held;
use crate::pool::line::Ticket;
use crate::pool::policy::{Entry, Loan, Mode, Refusal};

impl Inner {
    /// Lends a connection to the current task.
    pub(super) async fn lend(self: &Arc<Self>, mode: Mode, at: &'static Location<'static>) -> Result<Held> {
        let borrower = Borrower { task: Task::current(), at, since: Instant::now() };
        let mut attempt = Attempt { end: &self.counts.cancelled };
        let entry = self.enter(mode, borrower, false).inspect_err(|_| attempt.end = &self.counts.refused)?;
        let held = match entry {
            Entered::Held(held) if self.needs_no_vetting(&held) => held,
            entered => {
                let lending = self.lend_slowly(mode, borrower, entered);
                match tokio::time::timeout(self.recipe.rules.acquire_timeout, lending).await {
                    Ok(answer) => answer.inspect_err(|_| attempt.end = &self.counts.failed)?,
                    Err(_) => {
                        attempt.end = &self.counts.timed_out;
                        return Err(self.timed_out(borrower.task));
                    }
                }
            }
        };
        attempt.end = &self.counts.acquired;
        Ok(held)
    }

    fn needs_no_vetting(&self, held: &Held) -> bool {
        !held.is_stale() && self.recipe.before_acquire.is_none()
    }

    async fn lend_slowly(
        self: &Arc<Self>,
        mode: Mode,
        borrower: Borrower,
        mut entered: Entered,
    ) -> Result<Held> {
        loop {
            let held = match entered {
                Entered::Held(held) => Some(held),
                Entered::Waiting(waiting) => self.hold(waiting.await_turn().await?, mode),
            };
            if let Some(mut held) = held {
                match self.recipe.vet(held.client(), held.is_stale()).await {
                    Ok(()) => return Ok(held),
                    Err(reason) => held.condemn(reason),
                }
            }
            entered = self.enter(mode, borrower, true)?;
        }
    }

    fn enter(self: &Arc<Self>, mode: Mode, borrower: Borrower, again: bool) -> Result<Entered> {
        let now = Instant::now();
        let entry = self.with(|p, out| {
            let entry = if again {
                p.acquire_again(now, mode, borrower, out)
            } else {
                p.acquire(now, mode, borrower, out)
            };
            entry.map(|entry| match entry {
                Entry::Lent(loan) => (Entry::Lent(loan), p.connection(loan.key).cloned()),
                queued @ Entry::Queued(_) => (queued, None),
            })
        });
        match entry {
            Ok((Entry::Lent(loan), Some(connection))) => {
                Ok(Entered::Held(Held::new(self, loan, mode, &connection)))
            }
            // It is promised under the same lock, so it is there.
            Ok((Entry::Lent(_), None)) => Err(stopped()),
            Ok((Entry::Queued(ticket), _)) => {
                Ok(Entered::Waiting(Waiting { inner: Arc::clone(self), ticket: Some(ticket) }))
            }
            Err(Refusal::Stopped) => Err(stopped()),
            Err(Refusal::Full) => Err(self.full()),
        }
    }

    /// What a caller in line was promised, unless that has been lost since.
    fn hold(self: &Arc<Self>, loan: Loan, mode: Mode) -> Option<Held> {
        let connection = self.policy().connection(loan.key).cloned()?;
        Some(Held::new(self, loan, mode, &connection))
    }

    #[cold]
    fn full(&self) -> Error {
        let message = format!("{} callers already wait for a connection", self.recipe.rules.max_queue);
        Error::new(ErrorKind::Pool, message)
    }
}

enum Entered {
    Held(Held),
    Waiting(Waiting),
}

/// A caller in line. Dropping it leaves the line, and whatever it was promised to the next.
struct Waiting {
    inner: Arc<Inner>,
    ticket: Option<Ticket>,
}

impl Waiting {
    async fn await_turn(mut self) -> Result<Loan> {
        poll_fn(|cx| self.poll_turn(cx)).await
    }

    fn poll_turn(&mut self, cx: &mut Context<'_>) -> Poll<Result<Loan>> {
        let Some(ticket) = self.ticket else { return Poll::Pending };
        self.inner.be_kept();
        // Dropped outside of the lock.
        let mut displaced = None;
        let answer = self.inner.with(|p, _| p.poll(ticket, cx.waker(), &mut displaced));
        if answer.is_ready() {
            self.ticket = None;
        }
        answer
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        if let Some(ticket) = self.ticket.take() {
            self.inner.with(|p, out| p.leave(ticket, Instant::now(), out));
        }
    }
}

/// Counts what has become of a caller; one that is dropped went away by itself.
struct Attempt<'a> {
    end: &'a AtomicU64,
}

impl Drop for Attempt<'_> {
    fn drop(&mut self) {
        self.end.fetch_add(1, Ordering::Relaxed);
    }
}
