//! Statements in: one by one, and in groups under one Sync.

use std::sync::Arc;

use bytes::BytesMut;
use smallvec::SmallVec;
use wreath_codecs::ParamBuf;
use wreath_codecs::frame::frontend::Target;
use wreath_codecs::frame::{FrameError, frontend};

use super::{Pipeline, not_sent};
use crate::error::{Error, ErrorKind, Result};
use crate::proto::lexer;
use crate::proto::limits::MAX_JOINED;
use crate::proto::op::{Delivery, Op, OpKey, Unsent, Work};
use crate::proto::scope::Scope;
use crate::proto::statement::{Phase, Statement, StatementCache};
use crate::row::Column;
use crate::sql::SqlRef;

/// The length of a Sync.
pub(super) const SYNC_BYTES: usize = 5;

/// What has been sent of a statement.
#[derive(Debug)]
pub(crate) struct Submitted {
    pub(crate) key: OpKey,
    pub(crate) statement: Arc<Statement>,
    /// Whether the statement runs; else it was only described, and has to be submitted again.
    pub(crate) runs: bool,
}

/// How a statement is sent.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Manner<'a> {
    /// Whether one whose result may have a type without a binary form is only described where its failure
    /// would cost a transaction.
    pub(crate) careful: bool,
    /// How its rows are taken.
    pub(crate) delivery: Delivery,
    /// Whether it brings a Parse of its own, whatever has become of the others'.
    pub(crate) alone: bool,
    /// Whether it has a Sync of its own, whatever the connection does with those that read.
    pub(crate) apart: bool,
    /// What is known of its result, in case that its statement is not kept.
    pub(crate) columns: Option<&'a Arc<[Column]>>,
    /// The portal that its rows are taken from, and how many of them are asked for at first.
    pub(crate) portal: Option<(&'a str, i32)>,
}

impl Manner<'_> {
    /// How statements go whose types are not known to be right.
    pub(crate) const CAREFUL: Manner<'static> = Manner {
        careful: true,
        delivery: Delivery::Whole,
        alone: false,
        apart: false,
        columns: None,
        portal: None,
    };
}

/// A statement of a group.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Call<'a> {
    pub(crate) sql: SqlRef<'a>,
    pub(crate) params: &'a ParamBuf,
    pub(crate) manner: Manner<'a>,
}

/// Where an operation stands in its group.
#[derive(Clone, Copy)]
struct Place {
    first: bool,
    last: bool,
    /// See [`Op::joined`].
    joined: Option<u16>,
}

impl Place {
    /// That of an operation with a Sync of its own.
    const LONE: Self = Self { first: true, last: true, joined: None };
}

impl Pipeline {
    /// Submits a statement whose parameters' types are all numbers.
    pub(crate) fn submit(
        &mut self,
        sql: SqlRef<'_>,
        params: &ParamBuf,
        scope: Scope,
        manner: Manner<'_>,
    ) -> Result<Submitted> {
        self.admit(scope, 1)?;
        let call = Call { sql, params, manner };
        let statement = self.statement_of(&call)?;
        let runs = !self.is_described_first(&call, &statement);
        if !(runs && self.may_share(&call)) {
            return self.emit_call(&call, statement, runs, Place::LONE);
        }
        let before = self.take_last_sync();
        let joined = Some(before.map_or(0, |joined| joined + 1));
        let place = Place { first: before.is_none(), last: true, joined };
        let submitted = self.emit_call(&call, statement, runs, place);
        if submitted.is_err() && before.is_some() {
            self.give_last_sync();
        }
        submitted
    }

    /// Submits statements under one Sync, all of them or none: the server runs none behind one that fails.
    pub(crate) fn submit_group(&mut self, calls: &[Call<'_>], scope: Scope) -> Result<Vec<Submitted>> {
        self.admit(scope, calls.len())?;
        self.emit_group(calls)
    }

    /// Opens a transaction by the first call, whose text is [`BEGIN`](super::transaction::BEGIN), and runs the others in it,
    /// all under one Sync: when it cannot be opened, none of them is run.
    pub(crate) fn begin_group(
        &mut self,
        calls: &[Call<'_>],
        scope: Scope,
    ) -> Result<(Vec<Submitted>, Scope)> {
        self.admit(scope, calls.len())?;
        self.may_begin(scope)?;
        let opened = self.scopes.push();
        let group = self.emit_group(calls);
        if group.is_err() {
            self.not_begun(opened);
        }
        Ok((group?, opened))
    }

    fn emit_group(&mut self, calls: &[Call<'_>]) -> Result<Vec<Submitted>> {
        let mut group = Vec::with_capacity(calls.len());
        for (i, call) in calls.iter().enumerate() {
            let place = Place { first: i == 0, last: i + 1 == calls.len(), joined: None };
            let sent = self.statement_of(call).and_then(|s| self.emit_call(call, s, true, place));
            match sent {
                Ok(submitted) => group.push(submitted),
                Err(e) => {
                    self.take_back(&group);
                    return Err(e);
                }
            }
        }
        Ok(group)
    }

    /// Submits the descriptions, under one Sync, of those statements that have to be described before they are run, each
    /// once; answers their places. None may have to be.
    pub(crate) fn describe_group(
        &mut self,
        calls: &[Call<'_>],
        scope: Scope,
    ) -> Result<Vec<(usize, Submitted)>> {
        self.admit(scope, calls.len())?;
        let mut unknown: Vec<(usize, Arc<Statement>)> = Vec::new();
        for (i, call) in calls.iter().enumerate() {
            let statement = self.statement_of(call)?;
            let is_new =
                || statement.name.is_empty() || !unknown.iter().any(|(_, s)| Arc::ptr_eq(s, &statement));
            if self.is_described_first(call, &statement) && is_new() {
                unknown.push((i, statement));
            }
        }
        let count = unknown.len();
        let mut group = Vec::with_capacity(count);
        for (n, (i, statement)) in unknown.into_iter().enumerate() {
            let place = Place { first: n == 0, last: n + 1 == count, joined: None };
            match self.emit_call(&calls[i], statement, false, place) {
                Ok(submitted) => group.push((i, submitted)),
                Err(e) => {
                    let group: Vec<Submitted> = group.into_iter().map(|(_, submitted)| submitted).collect();
                    self.take_back(&group);
                    return Err(e);
                }
            }
        }
        Ok(group)
    }

    /// Submits the description of a statement, which is neither run nor kept.
    pub(crate) fn describe(&mut self, sql: SqlRef<'_>, scope: Scope) -> Result<Submitted> {
        self.admit(scope, 1)?;
        let params = ParamBuf::new();
        let statement = StatementCache::unnamed(sql, &params);
        let call = Call { sql, params: &params, manner: Manner::default() };
        self.emit_call(&call, statement, false, Place::LONE)
    }

    /// Takes the beginning of a group back whose end could not be sent.
    fn take_back(&mut self, group: &[Submitted]) {
        for submitted in group.iter().rev() {
            let taken = self.withdraw(submitted.key);
            debug_assert!(taken, "it is what was emitted last");
        }
    }

    /// The statement of a call, which is one that can be run so.
    fn statement_of(&mut self, call: &Call<'_>) -> Result<Arc<Statement>> {
        if lexer::first_word(call.sql.text).eq_ignore_ascii_case("copy") {
            return Err(Error::new(ErrorKind::Unsupported, "COPY is run by copy_in, copy_rows and copy_out"));
        }
        let Some(columns) = call.manner.columns else {
            return Ok(match call.manner.alone {
                true => StatementCache::unnamed(call.sql, call.params),
                false => self.statements.find(call.sql, call.params),
            });
        };
        let kept = if call.manner.alone { None } else { self.statements.known(call.sql, call.params) };
        // One that has been displaced since it was described goes without a name.
        Ok(kept.filter(|statement| statement.columns().is_some()).unwrap_or_else(|| {
            let statement = StatementCache::unnamed(call.sql, call.params);
            statement.set_columns(Arc::clone(columns));
            statement
        }))
    }

    /// Whether the result has to be described before it is asked for. A type without a binary form fails the statement, and
    /// with it the transaction; and types cannot be looked up once rows that are taken piece by piece are on their way.
    fn is_described_first(&self, call: &Call<'_>, statement: &Statement) -> bool {
        let risky =
            || call.manner.careful && self.scopes.depth() > 0 && lexer::may_return_rows(call.sql.text);
        statement.columns().is_none() && (call.manner.delivery != Delivery::Whole || risky())
    }

    /// Emits one statement, of which at least its description is asked for.
    fn emit_call(
        &mut self,
        call: &Call<'_>,
        statement: Arc<Statement>,
        runs: bool,
        place: Place,
    ) -> Result<Submitted> {
        let parses = matches!(statement.phase(), Phase::New | Phase::Gone);
        // Those that the group itself displaces may be run in it once more.
        let closes = if place.first { self.statements.take_closing() } else { Vec::new() };
        let work = if runs {
            Work::Run { statement: Arc::clone(&statement), parses, delivery: call.manner.delivery }
        } else {
            Work::Describe { statement: Arc::clone(&statement), parses }
        };
        let mut op = Op::new(work, self.leaves());
        op.cancellable = true;
        op.last = place.last;
        op.joined = place.joined;
        let emitted = self.emit(op, |out| {
            closes.iter().try_for_each(|name| frontend::close(out, Target::statement(name)))?;
            if parses {
                frontend::parse(out, &statement.name, &*statement.sql, &statement.params)?;
            }
            if parses || !runs {
                frontend::describe(out, Target::statement(&statement.name))?;
            }
            if runs {
                let (portal, rows) = call.manner.portal.unwrap_or_default();
                bind(out, portal, &statement, call.params)?;
                frontend::execute(out, portal, rows)?;
            }
            if place.last {
                frontend::sync(out);
            }
            Ok(())
        });
        match emitted {
            Ok(key) => {
                self.traces |= statement.traces;
                if parses {
                    self.statements.sent(&statement);
                }
                if !closes.is_empty()
                    && let Some(op) = self.slots.waiting(key)
                {
                    op.closes = closes;
                }
                Ok(Submitted { key, statement, runs })
            }
            Err((_, e)) => {
                self.statements.close_later(closes);
                if parses {
                    self.statements.forget(&statement, false);
                }
                Err(not_sent(e).in_statement(&statement.sql))
            }
        }
    }

    // --- reads that share a Sync

    /// Whether a statement has nothing to lose when it is undone or skipped because of a neighbour: it reads.
    fn may_share(&self, call: &Call<'_>) -> bool {
        let manner = &call.manner;
        self.options.coalesces
            && !manner.apart
            && manner.delivery == Delivery::Whole
            && self.scopes.depth() == 0
            && self.session.is_read_only()
            && lexer::reads(call.sql.text)
    }

    /// Takes the Sync of the operation that was emitted last back, if that waits to be written and may share it. Answers how
    /// many were joined to it.
    fn take_last_sync(&mut self) -> Option<u16> {
        let key = *self.queue.back()?;
        let op = self.slots.waiting(key)?;
        let joined = op.joined.filter(|&joined| joined < MAX_JOINED)?;
        let Some(Unsent::Out { round, at }) = &mut op.unsent else { return None };
        if *round != self.round {
            return None;
        }
        at.end -= SYNC_BYTES;
        op.last = false;
        debug_assert_eq!(at.end + SYNC_BYTES, self.out.len(), "nothing follows what was emitted last");
        self.out.truncate(at.end);
        Some(joined)
    }

    /// The operation that was emitted last ends its group after all.
    pub(super) fn give_last_sync(&mut self) {
        let Some(op) = self.queue.back().and_then(|&key| self.slots.waiting(key)) else { return };
        let Some(Unsent::Out { at, .. }) = &mut op.unsent else { return };
        frontend::sync(&mut self.out);
        at.end = self.out.len();
        op.last = true;
    }
}

/// Bind, with results in binary form wherever the server has one.
fn bind(
    out: &mut BytesMut,
    portal: &str,
    statement: &Statement,
    params: &ParamBuf,
) -> std::result::Result<(), FrameError> {
    let texts = statement.params.iter().filter(|&&oid| oid == 0).count();
    let formats: SmallVec<[i16; 16]> = match texts {
        0 => SmallVec::from_slice(&[1]),
        n if n == statement.params.len() => SmallVec::from_slice(&[0]),
        _ => statement.params.iter().map(|&oid| i16::from(oid != 0)).collect(),
    };
    let results: SmallVec<[i16; 16]> = match statement.columns() {
        Some(columns) if columns.iter().any(Column::is_text) => {
            columns.iter().map(|c| i16::from(!c.is_text())).collect()
        }
        _ => SmallVec::from_slice(&[1]),
    };
    let formats = if params.is_empty() { &[][..] } else { &formats };
    frontend::bind(out, portal, &statement.name, formats, params.len(), params.values().as_bytes(), &results)
}
