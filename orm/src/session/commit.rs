//! Flushing, and what is known of it afterwards.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use wreath_codecs::ParamBuf;
use wreath_driver::{ErrorKind as DriverErrorKind, Rows, Sql, Transaction};

use crate::compile;
use crate::db::{FLIGHT, all};
use crate::error::{Error, ErrorKind, Result};
use crate::plan::Kind;
use crate::session::Session;
use crate::session::flush::{Batch, Flush, Undo};
use crate::session::schedule::Schedule;

/// What a COMMIT has made permanent, or has not: its answer did not come.
pub(crate) enum Doubt {
    /// The statements of a flush, in a transaction of its own.
    Flush(Vec<(usize, Batch)>),
    /// What had been flushed in a transaction.
    Transaction(Vec<(usize, Undo)>),
}

/// How a transaction has ended, as somebody has found out; see [`Session::resolve`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// What was flushed is in the database.
    Committed,
    /// Nothing of it is.
    RolledBack,
}

impl Session {
    /// Writes all that is pending: inserts, those that others refer to first; then updates, of the columns
    /// that have changed; then deletes, in the opposite order. Each model takes one statement for its
    /// inserts and its deletes, and one for each set of changed columns. Where new objects are
    /// [linked](Self::link) to new objects, the inserts take one flight for each step; else all goes in one.
    ///
    /// It is one transaction: all of it is written or nothing. Within [`begin`](Self::begin) it is part of
    /// that transaction. When it fails, everything is as pending as it was. Where tables refer to each other in a
    /// circle, constraints that can be deferred are, up to the end of the transaction.
    ///
    /// When its future is dropped before COMMIT is on its way, nothing has been written; after that, and when the
    /// connection is lost then, the session [is in doubt](Self::is_in_doubt).
    ///
    /// # Errors
    /// [`StaleData`](ErrorKind::StaleData), when a row to update or delete is gone;
    /// [`Database`](ErrorKind::Database), for what the server refuses, such as a violated constraint;
    /// [`Encode`](ErrorKind::Encode); [`StaleRef`](ErrorKind::StaleRef), when an object is linked to one that has been
    /// forgotten; [`Declaration`](ErrorKind::Declaration), when new objects are linked in a circle;
    /// [`InDoubt`](ErrorKind::InDoubt).
    pub async fn flush(&mut self) -> Result<()> {
        self.certain()?;
        if !self.is_pending() {
            return Ok(());
        }
        self.connect().await?;
        // A transaction that has failed takes nothing more.
        if !self.open.is_empty() {
            self.connected()?;
        }
        self.arenas.iter_mut().for_each(|arena| arena.discard());
        let schedule = Schedule::new(&self.arenas)?;
        let mut batches = self.inserts(&schedule, 0)?;
        let late = self.arenas.iter().any(|arena| !arena.late_links().is_empty());
        if schedule.last == 0 && !late {
            batches.extend(self.changes(&schedule)?);
            if batches.is_empty() {
                return Ok(());
            }
        }
        // The transaction of a flush outside of one begins with its first flight.
        let mut own = None;
        self.mark(true);
        let mut done = self.fly(&mut own, schedule.is_circle, batches).await?;
        for wave in 1..=schedule.last {
            let mut batches = self.inserts(&schedule, wave)?;
            if wave == schedule.last && !late {
                batches.extend(self.changes(&schedule)?);
            }
            done.extend(self.fly(&mut own, false, batches).await?);
        }
        if late {
            let batches = self.changes(&schedule)?;
            done.extend(self.fly(&mut own, false, batches).await?);
        }
        match own {
            Some(own) => self.commit(own, Doubt::Flush(done)).await,
            None => {
                self.mark(false);
                self.apply(done);
                Ok(())
            }
        }
    }

    /// Whether the answer to the last COMMIT has not come, because the connection was lost or the future dropped: what
    /// it was to make permanent may be in the database or not. Such a session reads, and neither flushes nor begins
    /// before [`resolve`](Self::resolve) tells it.
    pub fn is_in_doubt(&self) -> bool {
        self.doubt.is_some()
    }

    /// Tells a session that [is in doubt](Self::is_in_doubt) how the transaction has ended; a look at one of its rows
    /// may have shown that. What was flushed then counts as written, or is pending again. Nothing happens where there
    /// is no doubt.
    pub fn resolve(&mut self, outcome: Outcome) {
        match (self.doubt.take(), outcome) {
            (Some(Doubt::Flush(done)), Outcome::Committed) => self.apply(done),
            (Some(Doubt::Transaction(journal)), Outcome::Committed) => {
                self.settle(&journal);
                self.announce();
            }
            (Some(Doubt::Transaction(journal)), Outcome::RolledBack) => {
                self.undo(journal);
                self.unwrite();
            }
            (Some(Doubt::Flush(_)), Outcome::RolledBack) | (None, _) => {}
        }
    }

    /// Refuses in doubt.
    pub(crate) fn certain(&self) -> Result<()> {
        if self.doubt.is_none() {
            return Ok(());
        }
        let detail = "nobody knows whether the last COMMIT has taken effect: find out, and tell the session";
        Err(Error::new(ErrorKind::InDoubt, detail))
    }

    /// Commits. Until the answer has come, `what` is in doubt.
    pub(crate) async fn commit(&mut self, transaction: Transaction, what: Doubt) -> Result<()> {
        self.doubt = Some(what);
        let outcome = transaction.commit().await;
        match &outcome {
            Ok(()) => self.resolve(Outcome::Committed),
            Err(error) if error.kind() == DriverErrorKind::OutcomeUnknown => {}
            Err(_) => self.resolve(Outcome::RolledBack),
        }
        Ok(outcome?)
    }

    /// Makes pending again what has been written, the last first.
    pub(crate) fn undo(&mut self, journal: Vec<(usize, Undo)>) {
        for (arena, undo) in journal.into_iter().rev() {
            self.arenas[arena].undo(undo);
        }
    }

    /// Takes what has been written for permanent.
    fn settle(&mut self, journal: &[(usize, Undo)]) {
        for (arena, undo) in journal {
            self.arenas[*arena].settle(undo);
        }
    }

    /// Applies what statements have done, and runs the hooks for it. In an open transaction it may still be undone.
    ///
    /// # Panics
    /// When a hook does, once all has been applied.
    fn apply(&mut self, done: Vec<(usize, Batch)>) {
        let mut panicked = None;
        let mut hook = |arena: &dyn Flush, kind, slots: &[u32]| {
            let ran = catch_unwind(AssertUnwindSafe(|| arena.after(kind, slots)));
            panicked = panicked.take().or(ran.err());
        };
        for (arena, batch) in done {
            let hooked = self.arenas[arena].hooked(&batch);
            let table = self.arenas[arena].table();
            if !self.written.contains(&table) {
                self.written.push(table);
            }
            if let Some((Kind::Delete, slots)) = &hooked {
                hook(&*self.arenas[arena], Kind::Delete, slots);
            }
            let mut journal = self.open.last().map(|_| Vec::new());
            self.arenas[arena].apply(batch, journal.as_mut());
            if let (Some(open), Some(journal)) = (self.open.last_mut(), journal) {
                open.journal.extend(journal.into_iter().map(|undo| (arena, undo)));
            }
            if let Some((kind @ (Kind::Insert | Kind::Update), slots)) = &hooked {
                hook(&*self.arenas[arena], *kind, slots);
            }
        }
        self.announce();
        if let Some(panic) = panicked {
            resume_unwind(panic);
        }
    }

    /// Notes whether a flush is under way in the open transaction.
    fn mark(&mut self, failed: bool) {
        if let Some(open) = self.open.last_mut() {
            open.failed = failed;
        }
    }

    /// Sends statements in as few flights as there may be, and lays their results aside. The first of them begins the
    /// flush's `own` transaction, where none is open.
    async fn fly(
        &mut self,
        own: &mut Option<Transaction>,
        defer: bool,
        mut batches: Vec<(usize, Batch)>,
    ) -> Result<Vec<(usize, Batch)>> {
        let mut ahead: Vec<(Sql, ParamBuf)> = Vec::new();
        if defer {
            ahead.push((compile::DEFER.into(), ParamBuf::new()));
        }
        for flight in batches.chunks_mut(FLIGHT) {
            let others = ahead.len();
            let mut statements = std::mem::take(&mut ahead);
            statements
                .extend(flight.iter_mut().map(|(_, b)| (b.plan.sql.clone(), std::mem::take(&mut b.params))));
            let answers = match own.as_ref().or(self.open.last().map(|open| &open.transaction)) {
                Some(transaction) => self.send_in(transaction, statements).await?,
                None => {
                    let (begun, answers) = self.begin_with(statements).await?;
                    *own = Some(begun);
                    answers
                }
            };
            for ((arena, batch), rows) in flight.iter().zip(&answers[others..]) {
                self.arenas[*arena].receive(batch, rows)?;
            }
        }
        Ok(batches)
    }

    /// Sends statements in one flight.
    async fn send_in(
        &self,
        transaction: &Transaction,
        mut statements: Vec<(Sql, ParamBuf)>,
    ) -> Result<Vec<Rows>> {
        for (_, params) in &mut statements {
            // One that waits for the numbers of its types would be overtaken by those behind it.
            transaction.resolve(params).await?;
        }
        all(self.db.run(transaction).send_all(statements)).await
    }

    /// The statements that insert what goes in a flight.
    fn inserts(&mut self, schedule: &Schedule, wave: usize) -> Result<Vec<(usize, Batch)>> {
        let mut batches = Vec::new();
        for &place in &schedule.order {
            let due = |slot| schedule.wave(place, slot) == wave;
            self.fill(place, true, &due)?;
            let found = self.arenas[place].batches(Kind::Insert, &due, self.db.plans())?;
            batches.extend(found.into_iter().map(|batch| (place, batch)));
        }
        Ok(batches)
    }

    /// The statements that update and delete.
    fn changes(&mut self, schedule: &Schedule) -> Result<Vec<(usize, Batch)>> {
        for &place in &schedule.order {
            self.fill(place, false, &|_| true)?;
        }
        let mut batches = Vec::new();
        let deletes = schedule.order.iter().rev().map(|&place| (Kind::Delete, place));
        for (kind, place) in schedule.order.iter().map(|&place| (Kind::Update, place)).chain(deletes) {
            let found = self.arenas[place].batches(kind, &|_| true, self.db.plans())?;
            batches.extend(found.into_iter().map(|batch| (place, batch)));
        }
        Ok(batches)
    }

    /// Fills the links of new or of edited objects with what is known by now.
    fn fill(&mut self, place: usize, new: bool, due: &dyn Fn(u32) -> bool) -> Result<()> {
        let linked = if new { self.arenas[place].new_links() } else { self.arenas[place].late_links() };
        for (slot, links) in linked.into_iter().filter(|(slot, _)| due(*slot)) {
            let mut values = Vec::with_capacity(links.len());
            for link in &links {
                values
                    .push((link.near, self.arenas[link.arena].value(link.slot, link.generation, link.far)?));
            }
            self.arenas[place].fill(slot, &values)?;
        }
        Ok(())
    }
}
