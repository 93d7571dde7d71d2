//! Writing what is pending.
//!
//! A flush goes through three states. First the statements are put together, which changes nothing. Then
//! they run in one transaction, and what the server returns is read and laid aside. Only when the
//! transaction has been committed is it applied to the objects: until then everything is as it was before,
//! so that a flush that fails or is dropped leaves no trace.

use std::any::TypeId;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::Arc;

use smallvec::SmallVec;
use wreath_codecs::wire::Reader;
use wreath_codecs::{Encoder, ParamBuf};
use wreath_driver::Rows;

use crate::announce::TableId;
use crate::compile;
use crate::error::{Error, Result};
use crate::model::{Hook, Model, Node};
use crate::plan::{Key, Kind, Plan, PlanCache};
use crate::session::arena::{Arena, Incoming, stale};
use crate::session::link::{Links, Placed, values_in};
use crate::session::slot::State;
use crate::session::snapshot::{self, Snapshot};
use crate::write::{Sent, bind, carrier, push_array};

/// One statement of a flush, and the objects that it writes.
pub(crate) struct Batch {
    pub(crate) kind: Kind,
    pub(crate) plan: Arc<Plan>,
    pub(crate) params: ParamBuf,
    pub(crate) slots: Vec<u32>,
    /// For an update that changes keys: the old and the new key of each object.
    keys: Vec<Rekey>,
}

/// The old and the new key of an object.
struct Rekey(Box<[u8]>, Box<[u8]>);

/// An object to update: its slot, itself, and what the database has.
type Edited<'a, M> = (u32, &'a M, &'a [u8]);

/// How to make an object pending again.
pub(crate) struct Undo {
    pub(crate) slot: u32,
    was: Was,
    /// The links that were filled.
    links: Links,
    /// Its values before the server or links gave it others.
    before: Option<Snapshot>,
}

impl Undo {
    fn new(slot: u32, was: Was) -> Self {
        Self { slot, was, links: Links::new(), before: None }
    }
}

enum Was {
    /// It had been added.
    New,
    /// It had been edited.
    Dirty(Snapshot),
    /// It had been removed.
    Removed,
    /// It had been as the database had it, before all objects of its model were let go.
    LetGo,
}

/// What a flush asks of the objects of a model.
pub(crate) trait Flush {
    /// The model's table, and those that it refers to.
    fn node(&self) -> Node;

    /// Whether something is to be written.
    fn is_pending(&self) -> bool;

    /// How many objects there are.
    fn len(&self) -> usize;

    /// The name of the model and of a column, for people.
    fn column_name(&self, place: usize) -> String;

    /// Whether an object is still to be inserted.
    fn is_new(&self, slot: u32, generation: u32) -> bool;

    /// The links of objects that are still to be inserted.
    fn new_links(&self) -> Vec<(u32, Links)>;

    /// The links of objects that have been edited.
    fn late_links(&self) -> Vec<(u32, Links)>;

    /// The value that an object has in a column, or will have when what has been laid aside is applied.
    fn value(&self, slot: u32, generation: u32, place: usize) -> Result<Option<Box<[u8]>>>;

    /// Lays aside what an object is with other values in some columns.
    fn fill(&mut self, slot: u32, values: &[Placed]) -> Result<()>;

    /// The statements that insert, update or delete what is pending and `due`.
    fn batches(&self, kind: Kind, due: &dyn Fn(u32) -> bool, plans: &PlanCache) -> Result<Vec<Batch>>;

    /// Looks at a statement's result, and lays aside what it returns.
    fn receive(&mut self, batch: &Batch, rows: &Rows) -> Result<()>;

    /// Forgets what has been laid aside.
    fn discard(&mut self);

    /// Applies what a statement has done. With `journal`, it may still be undone.
    fn apply(&mut self, batch: Batch, journal: Option<&mut Vec<Undo>>);

    /// The table.
    fn table(&self) -> TableId;

    /// The objects of a statement that hooks are to run for once it has been done.
    fn hooked(&self, batch: &Batch) -> Option<(Kind, Vec<u32>)>;

    /// Runs those hooks.
    fn after(&self, kind: Kind, slots: &[u32]);

    /// Makes an object pending again.
    fn undo(&mut self, undo: Undo);

    /// Notes that what a journal's entry stands for cannot be undone any more.
    fn settle(&mut self, undo: &Undo);
}

/// What a hook does after a statement.
fn hook_after<M>(hook: &Hook<M>, kind: Kind) -> Option<fn(&M)> {
    match (hook, kind) {
        (Hook::AfterInsert(run), Kind::Insert)
        | (Hook::AfterUpdate(run), Kind::Update)
        | (Hook::AfterDelete(run), Kind::Delete) => Some(*run),
        _ => None,
    }
}

/// The places of the columns that differ.
pub(crate) type Mask = SmallVec<[usize; 8]>;

impl<M: Model> Flush for Arena<M> {
    fn node(&self) -> Node {
        Node::new((self.of.table.schema_name(), self.of.table.name()), &self.of.columns, M::ITEMS)
    }

    fn is_pending(&self) -> bool {
        self.slots.iter().any(|slot| matches!(slot.state, State::New | State::Dirty(_) | State::Removed(_)))
    }

    fn len(&self) -> usize {
        self.slots.iter().filter(|slot| slot.readable().is_some()).count()
    }

    fn column_name(&self, place: usize) -> String {
        let model = self.of.model.rsplit("::").next().unwrap_or(self.of.model);
        format!("{model}.{}", self.of.columns[place].name)
    }

    fn is_new(&self, slot: u32, generation: u32) -> bool {
        self.slot(slot, generation).is_ok_and(|held| matches!(held.state, State::New))
    }

    fn new_links(&self) -> Vec<(u32, Links)> {
        self.links_where(|state| matches!(state, State::New))
    }

    fn late_links(&self) -> Vec<(u32, Links)> {
        self.links_where(|state| matches!(state, State::Dirty(_)))
    }

    fn value(&self, slot: u32, generation: u32, place: usize) -> Result<Option<Box<[u8]>>> {
        let made = self.incoming.get(&slot).and_then(|incoming| incoming.object.as_ref());
        self.slot(slot, generation)?;
        let object = made.map_or_else(|| self.present(slot), Ok)?;
        let mut value = Encoder::new();
        self.of.fields[place].encode(object, &mut value)?;
        Ok(Reader::new(value.as_bytes()).value().map_err(Error::mapping)?.map(Into::into))
    }

    fn fill(&mut self, slot: u32, values: &[Placed]) -> Result<()> {
        let filled = self.with_values(slot, values)?;
        self.filled.insert(slot, filled);
        Ok(())
    }

    fn batches(&self, kind: Kind, due: &dyn Fn(u32) -> bool, plans: &PlanCache) -> Result<Vec<Batch>> {
        match kind {
            Kind::Insert => self.inserts(due, plans),
            Kind::Update => self.updates(plans),
            _ => self.deletes(plans),
        }
    }

    fn receive(&mut self, batch: &Batch, rows: &Rows) -> Result<()> {
        self.lay_aside(batch, rows)
    }

    fn discard(&mut self) {
        self.incoming.clear();
        self.filled.clear();
    }

    fn apply(&mut self, batch: Batch, journal: Option<&mut Vec<Undo>>) {
        match batch.kind {
            Kind::Insert => self.apply_inserts(&batch, journal),
            Kind::Update => self.apply_updates(&batch, journal),
            _ => self.apply_deletes(&batch, journal),
        }
    }

    fn table(&self) -> TableId {
        (self.of.table.schema_name(), self.of.table.name())
    }

    fn hooked(&self, batch: &Batch) -> Option<(Kind, Vec<u32>)> {
        let any = M::HOOKS.iter().any(|hook| hook_after(hook, batch.kind).is_some());
        any.then(|| (batch.kind, batch.slots.clone()))
    }

    fn after(&self, kind: Kind, slots: &[u32]) {
        for run in M::HOOKS.iter().filter_map(|hook| hook_after(hook, kind)) {
            slots.iter().filter_map(|&slot| self.slots[slot as usize].object.as_ref()).for_each(run);
        }
    }

    fn undo(&mut self, undo: Undo) {
        let Undo { slot, was, links, before } = undo;
        match was {
            Was::New => {
                self.forget_key(slot);
                if let State::Removed(_) | State::Deleted(_) = self.slots[slot as usize].state {
                    // It has come and gone within the transaction.
                    return self.vacate(slot);
                }
                self.unmake(slot, &links, before);
                self.slots[slot as usize].state = State::New;
                self.relink(slot, links);
            }
            Was::Dirty(was) => {
                self.forget_key(slot);
                let old = self.key_in(&was).ok();
                self.rekey(slot, None, old.as_ref().map(Encoder::as_bytes));
                self.unmake(slot, &links, before);
                let linked = !links.is_empty();
                self.relink(slot, links);
                // A removal since then stays one. An edit may have made the object what the database has again.
                let held = &mut self.slots[slot as usize];
                let now = held.object.as_ref().and_then(|object| snapshot::take(self.of, object).ok());
                held.state = match std::mem::replace(&mut held.state, State::Clean) {
                    State::Removed(_) | State::Deleted(_) => State::Removed(was),
                    _ if !linked && now.is_some_and(|now| now.as_bytes() == &*was) => State::Clean,
                    _ => State::Dirty(was),
                };
            }
            Was::LetGo => {
                let held = &mut self.slots[slot as usize];
                if matches!(held.state, State::LetGo) {
                    held.state = State::Clean;
                }
            }
            Was::Removed => {
                let held = &mut self.slots[slot as usize];
                if let State::Deleted(was) = std::mem::replace(&mut held.state, State::Clean) {
                    held.state = State::Removed(was);
                }
                if let State::Removed(was) = &self.slots[slot as usize].state {
                    let old = self.key_in(was).ok();
                    self.rekey(slot, None, old.as_ref().map(Encoder::as_bytes));
                }
            }
        }
    }

    fn settle(&mut self, undo: &Undo) {
        if matches!(self.slots[undo.slot as usize].state, State::Deleted(_) | State::LetGo) {
            self.vacate(undo.slot);
        }
    }
}

impl<M: Model> Arena<M> {
    /// The objects in a state, with the snapshot that it holds.
    fn pending(&self, kind: Kind) -> impl Iterator<Item = Edited<'_, M>> {
        let places = 0_u32..;
        places.zip(&self.slots).filter_map(move |(place, slot)| {
            let was: &[u8] = match (kind, &slot.state) {
                (Kind::Insert, State::New) => &[],
                (Kind::Update, State::Dirty(was)) | (Kind::Delete, State::Removed(was)) => was,
                _ => return None,
            };
            self.current(place).map(|object| (place, object, was))
        })
    }

    /// An object as it will be when what has been laid aside of its links is applied.
    pub(crate) fn current(&self, slot: u32) -> Option<&M> {
        self.filled.get(&slot).or_else(|| self.slots.get(slot as usize)?.object.as_ref())
    }

    /// The same, where it has to be there.
    pub(crate) fn present(&self, slot: u32) -> Result<&M> {
        self.current(slot).ok_or_else(|| stale::<M>("the object is gone"))
    }

    fn links_where(&self, wanted: impl Fn(&State) -> bool) -> Vec<(u32, Links)> {
        let wanted = |slot: u32| self.slots.get(slot as usize).is_some_and(|held| wanted(&held.state));
        let mut found: Vec<_> = self.links.iter().filter(|(slot, _)| wanted(**slot)).collect();
        found.sort_unstable_by_key(|(slot, _)| **slot);
        found.into_iter().map(|(slot, links)| (*slot, links.clone())).collect()
    }

    fn inserts(&self, due: &dyn Fn(u32) -> bool, plans: &PlanCache) -> Result<Vec<Batch>> {
        let all = self.pending(Kind::Insert).filter(|&(slot, ..)| due(slot));
        let all: Vec<(u32, &M)> = all.map(|(slot, object, _)| (slot, object)).collect();
        if all.is_empty() {
            return Ok(Vec::new());
        }
        let sent = Sent::new(self.of, |_| false);
        let plan = plans.plan(&Key::new(Kind::Insert, TypeId::of::<M>()), || {
            let made = self.of.columns.iter().filter(|c| c.is_server_made());
            compile::insert(self.of, &sent, None, compile::Returned::columns(self.of.model, made)?)
        })?;
        self.grouped(sent.many, &all, |group| {
            let params = sent.params(self.of, group.iter().map(|&(_, object)| object))?;
            let slots = group.iter().map(|&(slot, _)| slot).collect();
            Ok(Batch { kind: Kind::Insert, plan: Arc::clone(&plan), params, slots, keys: Vec::new() })
        })
    }

    fn updates(&self, plans: &PlanCache) -> Result<Vec<Batch>> {
        let mut groups: Vec<(Mask, Vec<Edited<'_, M>>)> = Vec::new();
        let mut places: HashMap<Mask, usize> = HashMap::new();
        let (mut scratch, mut last) = (Encoder::new(), 0);
        for (slot, object, was) in self.pending(Kind::Update) {
            let mask = self.changed(object, was, &mut scratch)?;
            // Objects that are edited alike mostly stand together.
            if groups.get(last).is_none_or(|(known, _)| *known != mask) {
                last = match places.entry(mask) {
                    Entry::Occupied(known) => *known.get(),
                    Entry::Vacant(new) => {
                        groups.push((new.key().clone(), Vec::new()));
                        *new.insert(groups.len() - 1)
                    }
                };
            }
            groups[last].1.push((slot, object, was));
        }
        let mut batches = Vec::new();
        for (mask, all) in groups.iter().filter(|(mask, _)| !mask.is_empty()) {
            let many = self.go_together(mask.iter().copied().chain(self.of.found_by()));
            let mut key = Key::new(Kind::Update, TypeId::of::<M>());
            key.push(u64::from(many));
            mask.iter().for_each(|&place| key.push(place as u64));
            let plan = plans.plan(&key, || compile::update(self.of, mask, many))?;
            let moves = self.of.key.iter().any(|place| mask.contains(place));
            batches.append(&mut self.grouped(many, all, |group| {
                let mut params = self.keys(many, group.iter().map(|&(_, _, was)| was))?;
                for &place in mask {
                    bind(&mut params, self.of, place, many, group.iter().map(|&(_, object, _)| object))?;
                }
                let mut keys = Vec::new();
                for &(_, object, was) in group.iter().filter(|_| moves) {
                    let mut new = Encoder::new();
                    self.of.encode_key(object, &mut new)?;
                    keys.push(Rekey(self.key_in(was)?.as_bytes().into(), new.as_bytes().into()));
                }
                let slots = group.iter().map(|&(slot, ..)| slot).collect();
                Ok(Batch { kind: Kind::Update, plan: Arc::clone(&plan), params, slots, keys })
            })?);
        }
        Ok(batches)
    }

    fn deletes(&self, plans: &PlanCache) -> Result<Vec<Batch>> {
        let all: Vec<(u32, &[u8])> = self.pending(Kind::Delete).map(|(slot, _, was)| (slot, was)).collect();
        if all.is_empty() {
            return Ok(Vec::new());
        }
        let many = self.go_together(self.of.found_by());
        let mut key = Key::new(Kind::Delete, TypeId::of::<M>());
        key.push(u64::from(many));
        let plan = plans.plan(&key, || compile::delete(self.of, many))?;
        self.grouped(many, &all, |group| {
            let params = self.keys(many, group.iter().map(|&(_, was)| was))?;
            let slots = group.iter().map(|&(slot, _)| slot).collect();
            Ok(Batch { kind: Kind::Delete, plan: Arc::clone(&plan), params, slots, keys: Vec::new() })
        })
    }

    /// One batch for all, or one for each where the statement takes one row.
    fn grouped<T>(&self, many: bool, all: &[T], batch: impl Fn(&[T]) -> Result<Batch>) -> Result<Vec<Batch>> {
        all.chunks(if many { all.len().max(1) } else { 1 }).map(batch).collect()
    }

    /// Whether values of each of these columns can travel together, so that one parameter holds any number of them.
    fn go_together(&self, mut places: impl Iterator<Item = usize>) -> bool {
        places.all(|place| carrier(&self.of.columns[place]).is_some())
    }

    /// The places of the columns in which an object differs from its snapshot. Those that the server
    /// computes are never sent.
    fn changed(&self, object: &M, was: &[u8], scratch: &mut Encoder) -> Result<Mask> {
        scratch.clear();
        self.of.encode(object, scratch)?;
        let (mut now, mut was) = (Reader::new(scratch.as_bytes()), Reader::new(was));
        let mut mask = Mask::new();
        for (place, column) in self.of.columns.iter().enumerate() {
            let differs = now.value().map_err(Error::mapping)? != was.value().map_err(Error::mapping)?;
            if differs && column.generated.is_none() && !column.version {
                mask.push(place);
            }
        }
        Ok(mask)
    }

    /// The parameters that rows are found by: the key, and the version, that each has in the database.
    fn keys<'s>(
        &self,
        many: bool,
        snapshots: impl ExactSizeIterator<Item = &'s [u8]> + Clone,
    ) -> Result<ParamBuf> {
        let mut params = ParamBuf::new();
        for place in self.of.found_by() {
            let column = &self.of.columns[place];
            let mut values = Encoder::new();
            for was in snapshots.clone() {
                snapshot::put(&mut values, snapshot::value_at(was, place)?)?;
            }
            if many {
                push_array(&mut params, column, snapshots.len(), |out| {
                    out.append(&values);
                    Ok(())
                })?;
            } else {
                params.push_with(column.oid, |out| {
                    out.append(&values);
                    Ok(())
                })?;
            }
        }
        Ok(params)
    }

    /// The places of the columns that the server makes values for.
    pub(crate) fn server_made(&self) -> Mask {
        (0..self.of.columns.len()).filter(|&place| self.of.columns[place].is_server_made()).collect()
    }

    /// Takes back what the server and links have made of an object.
    fn unmake(&mut self, slot: u32, links: &Links, before: Option<Snapshot>) {
        let Some(before) = before else { return };
        let mut places = self.server_made();
        places.extend(self.of.version);
        places.extend(links.iter().map(|link| link.near));
        let values = values_in(&before, places.into_iter());
        // What was taken of the object's own values a moment ago can be read again.
        if let Ok(object) = values.and_then(|values| self.with_values(slot, &values)) {
            self.slots[slot as usize].object = Some(object);
        }
    }

    fn apply_inserts(&mut self, batch: &Batch, mut journal: Option<&mut Vec<Undo>>) {
        self.by_key.reserve(batch.slots.len());
        for &slot in &batch.slots {
            let Some(Incoming { object, key }) = self.incoming.remove(&slot) else { continue };
            self.take_in(slot, object, Was::New, journal.as_deref_mut());
            self.slots[slot as usize].state = State::Clean;
            self.rekey(slot, None, Some(&key));
        }
    }

    fn apply_updates(&mut self, batch: &Batch, mut journal: Option<&mut Vec<Undo>>) {
        for (i, &slot) in batch.slots.iter().enumerate() {
            let state = std::mem::replace(&mut self.slots[slot as usize].state, State::Clean);
            if let State::Dirty(was) = state {
                let made = self.incoming.remove(&slot).and_then(|incoming| incoming.object);
                self.take_in(slot, made, Was::Dirty(was), journal.as_deref_mut());
            }
            if let Some(Rekey(old, new)) = batch.keys.get(i) {
                self.rekey(slot, Some(old), Some(new));
            }
        }
    }

    /// Gives an object the values that the server has made, and those of its links; notes how to take them back.
    fn take_in(&mut self, slot: u32, made: Option<M>, was: Was, journal: Option<&mut Vec<Undo>>) {
        let filled = self.filled.remove(&slot);
        let links = self.links.remove(&slot).unwrap_or_default();
        let held = &mut self.slots[slot as usize];
        let old = made.or(filled).and_then(|object| held.object.replace(object));
        if let Some(journal) = journal {
            let before = old.and_then(|old| snapshot::take(self.of, &old).ok());
            let before = before.map(|before| before.as_bytes().into());
            journal.push(Undo { slot, was, links, before });
        }
    }

    fn apply_deletes(&mut self, batch: &Batch, mut journal: Option<&mut Vec<Undo>>) {
        for &slot in &batch.slots {
            self.forget_key(slot);
            match &mut journal {
                None => self.vacate(slot),
                Some(journal) => {
                    let held = &mut self.slots[slot as usize];
                    if let State::Removed(was) = std::mem::replace(&mut held.state, State::Clean) {
                        held.state = State::Deleted(was);
                    }
                    journal.push(Undo::new(slot, Was::Removed));
                }
            }
        }
    }

    /// Lets go of all objects that are as they were read or written. Those that a rollback would make pending again
    /// are kept for that, and noted in `journal`; `may_return` says which.
    pub(crate) fn let_go(&mut self, may_return: impl Fn(u32) -> bool, journal: &mut Vec<Undo>) {
        for slot in 0_u32.. {
            let Some(held) = self.slots.get_mut(slot as usize) else { return };
            if !matches!(held.state, State::Clean) {
                continue;
            }
            self.forget_key(slot);
            if may_return(slot) {
                self.slots[slot as usize].state = State::LetGo;
                journal.push(Undo::new(slot, Was::LetGo));
            } else {
                self.vacate(slot);
            }
        }
    }

    /// Finds an object by its key no longer.
    pub(crate) fn forget_key(&mut self, slot: u32) {
        let held = &self.slots[slot as usize];
        let key = match (&held.state, &held.object) {
            (State::Dirty(was) | State::Removed(was) | State::Deleted(was), _) => self.key_in(was),
            (_, Some(object)) => {
                let mut key = Encoder::new();
                self.of.encode_key(object, &mut key).map(|()| key)
            }
            (_, None) => return,
        };
        if let Ok(key) = key {
            self.rekey(slot, Some(key.as_bytes()), None);
        }
    }
}
