//! Prepared statements, and the bounded cache of them that a connection keeps.

use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

use smallvec::SmallVec;
use wreath_codecs::{Oid, ParamBuf};
use wreath_simd::Kv;

use crate::error::{Error, ServerError};
use crate::proto::traces::Traces;
use crate::row::Column;
use crate::sql::SqlRef;

/// What a statement costs in the cache beside its text: itself, its key and its columns, about.
const OVERHEAD_BYTES: usize = 512;

/// The least number that a database gives to a type of its own (PostgreSQL's `FirstNormalObjectId`).
const FIRST_OWN_TYPE: u32 = 16_384;

/// A statement as the server knows it, or is about to.
#[derive(Debug)]
pub(crate) struct Statement {
    /// The name on the server; empty for the unnamed statement.
    pub(crate) name: String,
    pub(crate) sql: Arc<str>,
    /// The declared types of its parameters; 0 where the server infers one.
    pub(crate) params: SmallVec<[u32; 8]>,
    /// What it does to the session.
    pub(crate) traces: Traces,
    hash: u64,
    phase: AtomicU8,
    described: OnceLock<Vec<RawColumn>>,
    /// The types of its parameters as the server has inferred them, where it was asked for a description alone.
    inferred: OnceLock<Vec<u32>>,
    columns: OnceLock<Arc<[Column]>>,
    /// Why the server did not prepare it.
    refusal: OnceLock<Error>,
}

/// A column as RowDescription gives it, before its type is known by more than its number.
#[derive(Clone, Debug)]
pub(crate) struct RawColumn {
    pub(crate) name: Arc<str>,
    pub(crate) table: u32,
    pub(crate) attribute: i16,
    pub(crate) oid: u32,
    pub(crate) modifier: i32,
}

/// Where a statement's Parse message is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Phase {
    /// Not sent.
    New = 0,
    /// Sent, and not answered.
    Sent = 1,
    /// The server has the statement.
    Ready = 2,
    /// The server refused it or has lost it.
    Gone = 3,
}

impl Statement {
    fn new(name: String, sql: Arc<str>, params: SmallVec<[u32; 8]>, hash: u64) -> Self {
        let phase = AtomicU8::new(Phase::New as u8);
        let traces = Traces::of(&sql);
        Self {
            name,
            sql,
            params,
            traces,
            hash,
            phase,
            described: OnceLock::new(),
            inferred: OnceLock::new(),
            columns: OnceLock::new(),
            refusal: OnceLock::new(),
        }
    }

    pub(crate) fn phase(&self) -> Phase {
        match self.phase.load(Ordering::Relaxed) {
            0 => Phase::New,
            1 => Phase::Sent,
            2 => Phase::Ready,
            _ => Phase::Gone,
        }
    }

    pub(crate) fn set_phase(&self, phase: Phase) {
        self.phase.store(phase as u8, Ordering::Relaxed);
    }

    pub(crate) fn set_described(&self, columns: Vec<RawColumn>) {
        // The unnamed statement is described anew each time, by another Statement; a named one once.
        let _ = self.described.set(columns);
    }

    /// The columns as the server described them; `None` until it has.
    pub(crate) fn described(&self) -> Option<&[RawColumn]> {
        self.described.get().map(Vec::as_slice)
    }

    pub(crate) fn set_inferred(&self, params: impl Iterator<Item = u32>) {
        self.inferred.get_or_init(|| params.collect());
    }

    /// The types of its parameters, as the server infers them; none until it has described the statement alone.
    pub(crate) fn inferred(&self) -> &[u32] {
        self.inferred.get().map_or(&[], Vec::as_slice)
    }

    /// The columns with their types; `None` until those have been found.
    pub(crate) fn columns(&self) -> Option<&Arc<[Column]>> {
        self.columns.get()
    }

    pub(crate) fn set_columns(&self, columns: Arc<[Column]>) -> &Arc<[Column]> {
        self.columns.get_or_init(|| columns)
    }

    pub(crate) fn refused(&self, error: Error) {
        let _ = self.refusal.set(error);
    }

    /// Why the server did not prepare it, if it did not.
    pub(crate) fn refusal(&self) -> Option<&Error> {
        self.refusal.get()
    }

    /// Whether a description that came after `columns` were set agrees with them.
    pub(crate) fn is_as_described(&self, columns: &[Column]) -> bool {
        let Some(described) = self.described().filter(|_| self.name.is_empty()) else { return true };
        described.len() == columns.len()
            && described.iter().zip(columns).all(|(raw, column)| raw.oid == column.ty.oid())
    }

    /// Whether a parameter has a type that the database has numbered itself.
    pub(crate) fn has_own_types(&self) -> bool {
        self.params.iter().any(|&oid| oid >= FIRST_OWN_TYPE)
    }

    fn is(&self, sql: &str, params: &[u32]) -> bool {
        *self.sql == *sql && *self.params == *params
    }
}

/// Two are equal when one can serve for the other: in text and in the declared types of their parameters.
impl PartialEq for Statement {
    fn eq(&self, other: &Self) -> bool {
        self.is(&other.sql, &other.params)
    }
}

impl Eq for Statement {}

/// Why a statement that was prepared cannot be run as it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stale {
    /// The server does not know it any more.
    Lost,
    /// Its result has other types than when it was described.
    Changed,
}

impl Stale {
    /// What a server's error says about `statement` itself, and not about one that it runs in turn: nothing
    /// has happened when the server finds out about it.
    pub(crate) fn tell(error: &ServerError, statement: &Statement) -> Option<Self> {
        match (error.code(), error.routine()) {
            ("26000", _) if !statement.name.is_empty() && error.message().contains(&statement.name) => {
                Some(Self::Lost)
            }
            ("0A000", Some("RevalidateCachedQuery")) if error.context().is_none() => Some(Self::Changed),
            _ => None,
        }
    }
}

/// A connection's prepared statements, the least recently used of which give way.
#[derive(Debug)]
pub(crate) struct StatementCache {
    /// A statement is its own key. `None` where only the unnamed statement may be used.
    named: Option<Kv<Arc<Statement>, Arc<Statement>>>,
    max_bytes: usize,
    /// Names of statements to be closed on the server with the next flight.
    closing: Vec<String>,
    pub(crate) hits: u64,
    pub(crate) misses: u64,
}

impl StatementCache {
    /// A cache of at most `entries` statements of about `bytes` bytes; 0 entries use the unnamed statement
    /// only, as behind a pooler that hands the server connection to others between transactions.
    pub(crate) fn new(entries: usize, bytes: usize) -> Self {
        let named = (entries > 0).then(|| Kv::with_bounds(entries, bytes));
        Self { named, max_bytes: bytes, closing: Vec::new(), hits: 0, misses: 0 }
    }

    /// The statement for a text and its parameters' types: a known one, or a new one that is known from now
    /// on.
    pub(crate) fn find(&mut self, sql: SqlRef<'_>, params: &ParamBuf) -> Arc<Statement> {
        let types = numbers(params);
        let hash = mix(sql.hash, &types);
        let Some(named) = &mut self.named else {
            self.misses += 1;
            return Self::unnamed(sql, params);
        };
        if let Some(statement) = named.get_by(hash, |s| s.is(sql.text, &types)) {
            self.hits += 1;
            return Arc::clone(statement);
        }
        self.misses += 1;
        let cost = sql.text.len() + OVERHEAD_BYTES;
        if cost > self.max_bytes {
            return Self::unnamed(sql, params);
        }
        let statement = Arc::new(Statement::new(next_name(), sql.to_shared(), types, hash));
        let closing = &mut self.closing;
        let (key, value) = (Arc::clone(&statement), Arc::clone(&statement));
        let refused = named.insert_by(hash, key, value, cost, |old, _| close(closing, &old));
        debug_assert!(refused.is_ok(), "its cost was looked at before");
        statement
    }

    /// The statement for a text and its parameters' types, if it is kept.
    pub(crate) fn known(&mut self, sql: SqlRef<'_>, params: &ParamBuf) -> Option<Arc<Statement>> {
        let types = numbers(params);
        let hash = mix(sql.hash, &types);
        self.named.as_mut()?.get_by(hash, |s| s.is(sql.text, &types)).map(|statement| Arc::clone(statement))
    }

    /// A statement without a name, which lasts until the next one.
    pub(crate) fn unnamed(sql: SqlRef<'_>, params: &ParamBuf) -> Arc<Statement> {
        let types = numbers(params);
        let hash = mix(sql.hash, &types);
        Arc::new(Statement::new(String::new(), sql.to_shared(), types, hash))
    }

    /// Forgets a statement that the server refused or has lost; `close` where the server may still have it.
    pub(crate) fn forget(&mut self, statement: &Arc<Statement>, close: bool) {
        statement.set_phase(Phase::Gone);
        if let Some(named) = &mut self.named
            && named.remove_by(statement.hash, |s| Arc::ptr_eq(s, statement)).is_some()
            && close
        {
            self.closing.push(statement.name.clone());
        }
    }

    /// Forgets all that the server had prepared, because it has dropped all. What is on its way to it is
    /// prepared after that.
    pub(crate) fn forget_all(&mut self) {
        let Some(named) = &mut self.named else { return };
        named.retain(|statement, _| {
            let stays = statement.phase() == Phase::Sent;
            if !stays {
                statement.set_phase(Phase::Gone);
            }
            stays
        });
    }

    /// The server is about to prepare a statement: one that has been displaced before it was sent is closed again.
    pub(crate) fn sent(&mut self, statement: &Arc<Statement>) {
        statement.set_phase(Phase::Sent);
        if let Some(named) = self.named.as_ref().filter(|_| !statement.name.is_empty())
            && named.peek_by(statement.hash, |s| Arc::ptr_eq(s, statement)).is_none()
        {
            self.closing.push(statement.name.clone());
        }
    }

    /// Takes back what [`take_closing`](Self::take_closing) has answered and could not be sent.
    pub(crate) fn close_later(&mut self, names: Vec<String>) {
        self.closing.extend(names);
    }

    /// The names to be closed now.
    pub(crate) fn take_closing(&mut self) -> Vec<String> {
        std::mem::take(&mut self.closing)
    }

    /// Whether statements have names; without, the session is not taken for one's own beyond a transaction.
    pub(crate) fn has_names(&self) -> bool {
        self.named.is_some()
    }

    /// How many statements are kept.
    pub(crate) fn len(&self) -> usize {
        self.named.as_ref().map_or(0, Kv::len)
    }
}

fn close(closing: &mut Vec<String>, old: &Arc<Statement>) {
    if matches!(old.phase(), Phase::Sent | Phase::Ready) {
        closing.push(old.name.clone());
    }
}

/// The numbers of the parameters' types, which have been resolved before.
fn numbers(params: &ParamBuf) -> SmallVec<[u32; 8]> {
    params.types().iter().map(|oid: &Oid| oid.fixed().unwrap_or(0)).collect()
}

fn mix(sql: u64, types: &[u32]) -> u64 {
    types.iter().fold(sql, |h, &t| (h.rotate_left(5) ^ u64::from(t)).wrapping_mul(0x9e37_79b9_7f4a_7c15))
}

/// A name that no other statement of this process has, and hardly one of another process: behind a pooler,
/// both may meet on one server connection.
fn next_name() -> String {
    static PROCESS: OnceLock<u32> = OnceLock::new();
    static NEXT: AtomicU64 = AtomicU64::new(1);
    // The upper half of a hash is as random as all of it.
    let random = || RandomState::new().hash_one(std::process::id()) >> 32;
    let process = PROCESS.get_or_init(|| u32::try_from(random()).unwrap_or_default());
    format!("w{process:08x}_{:x}", NEXT.fetch_add(1, Ordering::Relaxed))
}
