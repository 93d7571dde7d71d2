//! The session itself.

use std::collections::HashSet;
use std::fmt;
use std::ops::Index;
use std::sync::atomic::{AtomicU32, Ordering};

use wreath_codecs::ParamBuf;
use wreath_driver::{Client, Rows, Sql, Transaction, Workload};

use crate::announce::TableId;
use crate::db::{Db, Handle, Runner};
use crate::error::{Error, ErrorKind, Result};
use crate::model::{Columns, Fill, Model};
use crate::query::{Output, Select};
use crate::session::arena::{AnyArena, Arena, stale};
use crate::session::commit::Doubt;
use crate::session::flush::Undo;
use crate::session::slot::State;
use crate::session::snapshot;
use crate::session::{Begun, Ref, Track};
use crate::tenant::Binding;

/// A unit of work: objects, and what has been done to them. Made by [`Db::session`](crate::Db::session).
///
/// ```no_run
/// # use wreath_orm::{Column, Columns, Db, Load, Model, Result, Source, Table};
/// # pub struct Llama { id: i64, name: String }
/// # impl Llama {
/// #     const ID: Column<Self, i64> = Self::TABLE.col("id", |l| &l.id).identity();
/// #     const NAME: Column<Self, String> = Self::TABLE.col("name", |l| &l.name);
/// # }
/// # impl Load<Self> for Llama {
/// #     fn load<S: Source<Self>>(s: &mut S) -> Result<Self> {
/// #         Ok(Self { id: s.get(Self::ID)?, name: s.get(Self::NAME)? })
/// #     }
/// # }
/// # impl Model for Llama {
/// #     const TABLE: Table<Self> = Table::new("llamas");
/// #     type Key = i64;
/// #     fn key() -> impl Columns<Self, Row = i64> { Self::ID }
/// # }
/// # async fn f(db: Db) -> Result<()> {
/// let mut session = db.session();
/// let tina = session.add(Llama { id: 0, name: "Tina".into() })?; // the server will number her
/// let dolly = session.require::<Llama>(7).await?;
/// session.edit(dolly, |l| l.name = "Dolly".into())?;
/// session.flush().await?;
/// println!("{} is number {}", session[tina].name, session[tina].id);
/// # Ok(())
/// # }
/// ```
pub struct Session {
    id: u32,
    pub(crate) db: Db,
    handle: Option<Handle>,
    pub(crate) open: Vec<Open>,
    pub(crate) arenas: Vec<Box<dyn AnyArena>>,
    /// What its transactions begin with.
    pub(crate) binding: Binding,
    /// How many objects it may hold before that is worth a warning, and whether there has been one.
    warn_at: Option<usize>,
    /// The tables that have been written in the open transaction.
    pub(super) written: Vec<TableId>,
    /// What the last COMMIT was to make permanent, where its answer has not come.
    pub(crate) doubt: Option<Doubt>,
}

/// A transaction that has been begun, or a savepoint in it.
pub(crate) struct Open {
    pub(crate) transaction: Transaction,
    /// What has been written since, by the place of its arena.
    pub(crate) journal: Vec<(usize, Undo)>,
    /// Whether a flush in it has not come to its end. Some of its statements may have taken effect, and the
    /// objects say that none has, so there is no going on from there.
    pub(crate) failed: bool,
}

impl Session {
    pub(crate) fn new(db: Db) -> Self {
        static LAST: AtomicU32 = AtomicU32::new(0);
        let id = LAST.fetch_add(1, Ordering::Relaxed);
        Self {
            id,
            db,
            handle: None,
            open: Vec::new(),
            arenas: Vec::new(),
            written: Vec::new(),
            binding: Binding::default(),
            warn_at: None,
            doubt: None,
        }
    }

    /// Takes in a new object, which the next flush inserts. Columns that the server numbers or computes are
    /// not sent, whatever the object has in them: the flush puts in what the server has made.
    ///
    /// # Errors
    /// [`Invalid`](ErrorKind::Invalid), with all checks and rules that it breaks;
    /// [`Encode`](ErrorKind::Encode), when PostgreSQL cannot be given one of its values.
    pub fn add<M: Model>(&mut self, object: M) -> Result<Ref<M>> {
        let id = self.id;
        let arena = self.arena_mut::<M>()?;
        let object = arena.of.prepared(&object, Fill::Insert)?.unwrap_or(object);
        arena.of.check(&object)?;
        let slot = arena.add(object)?;
        Ok(Ref::new(id, slot, arena.slots[slot as usize].generation))
    }

    /// Changes an object by a closure; the next flush updates the columns that differ. A change that breaks
    /// a check or a rule is refused and leaves no trace; so does one in which the closure panics.
    ///
    /// # Errors
    /// [`Invalid`](ErrorKind::Invalid), with all checks and rules that it breaks;
    /// [`Encode`](ErrorKind::Encode), when PostgreSQL cannot be given one of its values;
    /// [`StaleRef`](ErrorKind::StaleRef).
    pub fn edit<M: Model, R>(&mut self, r: Ref<M>, change: impl FnOnce(&mut M) -> R) -> Result<R> {
        self.own(r)?;
        self.certain()?;
        self.arena_mut::<M>()?.edit(r.slot, r.generation, change)
    }

    /// Removes an object; the next flush deletes its row. One that has not been flushed yet is just
    /// forgotten.
    ///
    /// # Errors
    /// [`StaleRef`](ErrorKind::StaleRef); [`InDoubt`](ErrorKind::InDoubt).
    pub fn remove<M: Model>(&mut self, r: Ref<M>) -> Result<()> {
        self.own(r)?;
        self.certain()?;
        let arena = self.arena_mut::<M>()?;
        let of = arena.of;
        let slot = arena.slot_mut(r.slot, r.generation)?;
        let object =
            slot.object.as_ref().ok_or_else(|| stale::<M>("the object is no longer in the session"))?;
        of.removable(object)?;
        match std::mem::replace(&mut slot.state, State::Clean) {
            State::New => arena.vacate(r.slot),
            State::Clean => match snapshot::take(of, object) {
                Ok(was) => slot.state = State::Removed(was.as_bytes().into()),
                Err(error) => return Err(error),
            },
            State::Dirty(was) => slot.state = State::Removed(was),
            State::LetGo => {
                slot.state = State::LetGo;
                return Err(stale::<M>("the object is no longer in the session"));
            }
            other => slot.state = other,
        }
        Ok(())
    }

    /// The object, if it is still there. `session[r]` is the same and panics otherwise.
    ///
    /// # Errors
    /// [`StaleRef`](ErrorKind::StaleRef), when the reference is another session's, or the object has been
    /// deleted.
    pub fn try_get<M: Model>(&self, r: Ref<M>) -> Result<&M> {
        self.own(r)?;
        let arena = self.arena::<M>().ok_or_else(|| stale::<M>("the object is no longer in the session"))?;
        let slot = arena.slot(r.slot, r.generation)?;
        slot.readable().ok_or_else(|| stale::<M>("the object has been deleted"))
    }

    /// The object with a key: the one that is here, or else from the database.
    ///
    /// # Errors
    /// As [`Db::fetch`].
    pub async fn get<M: Model>(&mut self, key: M::Key) -> Result<Option<Ref<M>>> {
        let mut bytes = ParamBuf::new();
        M::key().bind(&key, &mut bytes)?;
        let id = self.id;
        let arena = self.arena_mut::<M>()?;
        if let Some(slot) = arena.find(bytes.values().as_bytes()) {
            let held = &arena.slots[slot as usize];
            let there = !matches!(held.state, State::Removed(_) | State::Deleted(_));
            return Ok(there.then(|| Ref::new(id, slot, held.generation)));
        }
        self.connect().await?;
        let found = self.run()?.fetch_optional(&Select::by_key(&key)?).await?;
        found.map(|object| self.attach(object)).transpose()
    }

    /// The object with a key, which has to exist.
    ///
    /// # Errors
    /// [`NoResult`](ErrorKind::NoResult), when it does not; and as [`Db::fetch`].
    pub async fn require<M: Model>(&mut self, key: M::Key) -> Result<Ref<M>> {
        self.get(key).await?.ok_or_else(|| {
            Error::new(ErrorKind::NoResult, "no row has this key").of(std::any::type_name::<M>())
        })
    }

    /// All objects of a query. One that is here already is the same object as before: it takes the new
    /// values, unless it has an edit that has not been flushed.
    ///
    /// # Errors
    /// As [`Db::fetch`].
    pub async fn fetch<M: Model, O: Track<M>>(&mut self, query: &Select<M, O>) -> Result<Vec<O::Refs>> {
        self.connect().await?;
        let rows = self.run()?.fetch(query, None).await?;
        self.arena_mut::<M>()?.reserve(rows.len());
        rows.into_iter().map(|row| O::track(self, row)).collect()
    }

    /// The object of a query that has one or none.
    ///
    /// # Errors
    /// As [`Db::fetch_optional`].
    pub async fn fetch_optional<M: Model, O: Track<M>>(
        &mut self,
        query: &Select<M, O>,
    ) -> Result<Option<O::Refs>> {
        self.connect().await?;
        let row = self.run()?.fetch_optional(query).await?;
        row.map(|row| O::track(self, row)).transpose()
    }

    /// The object of a query that has exactly one.
    ///
    /// # Errors
    /// As [`Db::fetch_one`].
    pub async fn fetch_one<M: Model, O: Track<M>>(&mut self, query: &Select<M, O>) -> Result<O::Refs> {
        self.connect().await?;
        let row = self.run()?.fetch_one(query).await?;
        O::track(self, row)
    }

    /// The rows of a query as plain values, on the session's connection and so in its transaction.
    ///
    /// # Errors
    /// As [`Db::fetch`].
    pub async fn fetch_values<M: Model, O: Output<M>>(
        &mut self,
        query: &Select<M, O>,
    ) -> Result<Vec<O::Row>> {
        self.connect().await?;
        self.run()?.fetch(query, None).await
    }

    /// How many rows match, on the session's connection. What has not been flushed is not counted.
    ///
    /// # Errors
    /// As [`Db::count`].
    pub async fn count<M: Model, O: Output<M>>(&mut self, query: &Select<M, O>) -> Result<u64> {
        self.connect().await?;
        self.run()?.count(query).await
    }

    /// Reads an object anew; an edit that has not been flushed, or a removal, is dropped.
    ///
    /// # Errors
    /// [`StaleData`](ErrorKind::StaleData), when its row is gone; [`StaleRef`](ErrorKind::StaleRef), also
    /// for an object that has not been inserted yet; and as [`Db::fetch`].
    pub async fn refresh<M: Model>(&mut self, r: Ref<M>) -> Result<()> {
        self.own(r)?;
        let arena = self.arena_mut::<M>()?;
        let (of, slot) = (arena.of, arena.slot(r.slot, r.generation)?);
        let query = match (&slot.state, &slot.object) {
            (State::Dirty(was) | State::Removed(was), _) => {
                // The key may have been edited: the row is found by the one that it has.
                let old: M = snapshot::restore(was, &arena.types)?;
                Select::<M>::of_object(of, &old)?
            }
            (State::Clean, Some(object)) => Select::of_object(of, object)?,
            _ => return Err(stale::<M>("the object has no row to be read from")),
        };
        self.connect().await?;
        let found = self.run()?.fetch_optional(&query).await?;
        let found = found.ok_or_else(|| Error::new(ErrorKind::StaleData, "the row is gone").of(of.model))?;
        let arena = self.arena_mut::<M>()?;
        arena.links.remove(&r.slot);
        let slot = arena.slot_mut(r.slot, r.generation)?;
        (slot.object, slot.state) = (Some(found), State::Clean);
        Ok(())
    }

    /// Takes in a new object and flushes, with all else that is pending: the object is in the database then.
    ///
    /// # Errors
    /// As [`add`](Self::add) and [`flush`](Self::flush); after an error of the latter the object is pending.
    pub async fn create<M: Model>(&mut self, object: M) -> Result<Ref<M>> {
        let r = self.add(object)?;
        self.flush().await?;
        Ok(r)
    }

    /// Forgets an object, and with it what has been done to it and not been flushed. Its row stays as it is.
    ///
    /// # Errors
    /// [`StaleRef`](ErrorKind::StaleRef), also when it has been flushed in the open transaction, whose rollback would
    /// need it; [`InDoubt`](ErrorKind::InDoubt).
    pub fn expunge<M: Model>(&mut self, r: Ref<M>) -> Result<()> {
        self.own(r)?;
        self.certain()?;
        let place = self.place_of::<M>()?;
        let mut noted = self.open.iter().flat_map(|open| &open.journal);
        if noted.any(|(arena, undo)| *arena == place && undo.slot == r.slot) {
            return Err(stale::<M>("the object has been flushed in the open transaction"));
        }
        let arena = self.arena_mut::<M>()?;
        if arena.slot(r.slot, r.generation)?.readable().is_none() {
            return Err(stale::<M>("the object is no longer in the session"));
        }
        arena.forget_key(r.slot);
        arena.vacate(r.slot);
        Ok(())
    }

    /// How many objects the session holds. It lets go of none by itself, because each may be what a [`Ref`] names: read
    /// in pages, or with a session for each page, what is too much to hold at once.
    pub fn len(&self) -> usize {
        self.arenas.iter().map(|arena| arena.len()).sum()
    }

    /// Whether it holds none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Sets from how many objects on [`check_identity_map`](Self::check_identity_map) warns.
    #[must_use]
    pub fn with_identity_map_warning(mut self, objects: usize) -> Self {
        self.warn_at = Some(objects);
        self
    }

    /// How many objects the session holds, once, when they are as many as it
    /// [should warn of](Self::with_identity_map_warning): a help for finding out where memory goes.
    pub fn check_identity_map(&mut self) -> Option<usize> {
        let held = self.len();
        self.warn_at.take_if(|warn_at| held >= *warn_at).map(|_| held)
    }

    /// Ends the session: what is pending is dropped, an open transaction rolled back, and its connection given back. So
    /// does dropping it; this one reads better.
    pub fn close(self) {}

    /// Whether something is to be written.
    pub fn is_pending(&self) -> bool {
        self.arenas.iter().any(|arena| arena.is_pending())
    }

    /// Opens a transaction, or a savepoint when one is open already. What is returned stands for the
    /// session until it is committed or rolled back; dropped, it is rolled back.
    ///
    /// A flush that fails in it, or is dropped before its end, fails all of it: what follows is answered by
    /// [`TransactionFailed`](ErrorKind::TransactionFailed) until it is rolled back. To go on after a flush
    /// that may fail, open a savepoint for it.
    ///
    /// # Errors
    /// [`Database`](ErrorKind::Database).
    pub async fn begin(&mut self) -> Result<Begun<'_>> {
        self.certain()?;
        self.connect().await?;
        let transaction = self.transaction().await?;
        self.open.push(Open { transaction, journal: Vec::new(), failed: false });
        Ok(Begun::new(self))
    }

    /// Opens a transaction, and binds it; in one, a savepoint.
    async fn transaction(&self) -> Result<Transaction> {
        if self.open.is_empty() {
            return Ok(self.begin_with(Vec::new()).await?.0);
        }
        Ok(self.connected()?.begin().await?)
    }

    /// Begins a transaction and binds it, and runs statements as the first in it, all in one flight.
    pub(super) async fn begin_with(
        &self,
        statements: Vec<(Sql, ParamBuf)>,
    ) -> Result<(Transaction, Vec<Rows>)> {
        let handle = self.handle.as_ref().ok_or_else(unconnected)?;
        self.binding.complete(self.db.schema_mode())?;
        let bound = self.binding.statement()?;
        let others = usize::from(bound.is_some());
        let (run, mut pipeline) = (self.db.run(handle), handle.pipeline());
        for (sql, params) in bound.into_iter().chain(statements) {
            run.note(&sql, &params);
            // The results are taken in order, without their tickets.
            let _ = pipeline.fetch(sql, params)?;
        }
        let (transaction, results) = pipeline.begin().await?;
        let answers = results.into_rows().into_iter().skip(others);
        Ok((transaction, answers.collect::<std::result::Result<_, _>>()?))
    }

    /// Whether it has been given something to do.
    pub(crate) fn is_used(&self) -> bool {
        self.handle.is_some() || !self.arenas.is_empty()
    }

    pub(crate) fn attach<M: Model>(&mut self, object: M) -> Result<Ref<M>> {
        let id = self.id;
        let arena = self.arena_mut::<M>()?;
        let slot = arena.attach(object)?;
        Ok(Ref::new(id, slot, arena.slots[slot as usize].generation))
    }

    /// Refuses when objects of a model have edits or removals that have not been flushed.
    pub(crate) fn settled<M: Model>(&self) -> Result<()> {
        self.certain()?;
        let pending = |arena: &Arena<M>| {
            arena.slots.iter().any(|slot| matches!(slot.state, State::Dirty(_) | State::Removed(_)))
        };
        if self.arena::<M>().is_some_and(pending) {
            let detail = "the session has edits that a write of many rows would pass over: flush first";
            return Err(Error::declaration(detail).of(std::any::type_name::<M>()));
        }
        Ok(())
    }

    /// Lets go of all objects of a model that are as they were read or written.
    pub(crate) fn let_go<M: Model>(&mut self) {
        let Some(place) = self.arenas.iter().position(|arena| arena.as_any().is::<Arena<M>>()) else {
            return;
        };
        let noted = self.open.iter().flat_map(|open| &open.journal).filter(|(arena, _)| *arena == place);
        let may_return: HashSet<u32> = noted.map(|(_, undo)| undo.slot).collect();
        let mut journal = Vec::new();
        if let Ok(arena) = self.arena_mut::<M>() {
            arena.let_go(|slot| may_return.contains(&slot), &mut journal);
        }
        if let Some(open) = self.open.last_mut() {
            open.journal.extend(journal.into_iter().map(|undo| (place, undo)));
        }
    }

    /// Notes that a table has been written, and announces it once that is permanent.
    pub(crate) fn wrote(&mut self, table: TableId) {
        if !self.written.contains(&table) {
            self.written.push(table);
        }
        self.announce();
    }

    /// Who announces a write of `M` when it has been done: the database, or in an open transaction its commit.
    pub(crate) fn announces<M: Model>(&mut self) -> Option<Db> {
        if self.open.is_empty() {
            return Some(self.db.clone());
        }
        self.wrote((M::TABLE.schema_name(), M::TABLE.name()));
        None
    }

    /// Announces what has been written, unless a transaction is open, which may still be rolled back.
    pub(crate) fn announce(&mut self) {
        if self.open.is_empty() && !self.written.is_empty() {
            self.db.hub().announce(&std::mem::take(&mut self.written));
        }
    }

    /// Forgets what has been written, once it has been rolled back. After a savepoint, some of it may not have been.
    pub(crate) fn unwrite(&mut self) {
        if self.open.is_empty() {
            self.written.clear();
        }
    }

    pub(crate) fn own<M>(&self, r: Ref<M>) -> Result<()> {
        if r.session == self.id {
            Ok(())
        } else {
            Err(stale::<M>("the reference belongs to another session"))
        }
    }

    fn arena<M: Model>(&self) -> Option<&Arena<M>> {
        self.arenas.iter().find_map(|arena| arena.as_any().downcast_ref())
    }

    /// The place of a model's arena.
    pub(crate) fn place_of<M: Model>(&mut self) -> Result<usize> {
        let known = self.arenas.iter().position(|arena| arena.as_any().is::<Arena<M>>());
        known.map_or_else(
            || {
                self.arenas.push(Box::new(Arena::<M>::new()?));
                Ok(self.arenas.len() - 1)
            },
            Ok,
        )
    }

    pub(crate) fn arena_mut<M: Model>(&mut self) -> Result<&mut Arena<M>> {
        let place = self.place_of::<M>()?;
        Ok(self.arenas[place].as_any_mut().downcast_mut().expect("it was found by its type"))
    }

    pub(crate) async fn connect(&mut self) -> Result<()> {
        // A lost connection takes its transaction along. Without one there is nothing that only it could do, and
        // what is pending should not be lost as well.
        let lost = self.handle.as_ref().is_some_and(|handle| handle.is_closed());
        if lost && self.open.is_empty() {
            self.handle = None;
        }
        if self.handle.is_none() {
            self.handle = Some(self.db.lease(Workload::Write).await?);
        }
        Ok(())
    }

    pub(crate) fn connected(&self) -> Result<&Client> {
        match (self.open.last(), &self.handle) {
            (Some(Open { failed: true, .. }), _) => {
                let detail = "a flush has failed in this transaction, which can only be rolled back";
                Err(Error::new(ErrorKind::TransactionFailed, detail))
            }
            (Some(open), _) => Ok(&open.transaction),
            (None, Some(handle)) => {
                self.binding.outside(self.db.schema_mode())?;
                Ok(handle)
            }
            (None, None) => Err(unconnected()),
        }
    }

    pub(crate) fn run(&self) -> Result<Runner<'_>> {
        let in_transaction = !self.open.is_empty();
        Ok(Runner { in_transaction, ..self.db.run(self.connected()?) })
    }
}

/// Whatever asks has connected before, so this says that this crate has a fault.
#[cold]
pub(super) fn unconnected() -> Error {
    Error::declaration("the session has no connection")
}

/// The object.
///
/// # Panics
/// When the reference is stale: see [`try_get`](Session::try_get), which answers an error.
impl<M: Model> Index<Ref<M>> for Session {
    type Output = M;

    #[track_caller]
    fn index(&self, r: Ref<M>) -> &M {
        match self.try_get(r) {
            Ok(object) => object,
            Err(error) => panic!("{error}"),
        }
    }
}

impl fmt::Debug for Session {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Session")
            .field("id", &self.id)
            .field("models", &self.arenas.len())
            .field("transactions", &self.open.len())
            .field("pending", &self.is_pending())
            .finish()
    }
}
