//! All objects of one model.

use std::any::Any;
use std::collections::HashMap;
use std::collections::hash_map::Entry;

use smallvec::SmallVec;
use wreath_codecs::{Encoder, Type};
use wreath_simd::SeededState;

use crate::error::{Error, ErrorKind, Result};
use crate::model::{Description, Fill, Model, describe};
use crate::session::link::Links;
use crate::session::slot::{Slot, State};
use crate::session::snapshot;

/// The values of a key's columns, as they travel: two integers, or a uuid, without an allocation.
pub(crate) type KeyBytes = SmallVec<[u8; 24]>;

/// The objects of a model that a session holds.
pub(crate) struct Arena<M: Model> {
    pub(crate) of: &'static Description<M>,
    /// The types that snapshots are read as.
    pub(crate) types: Vec<Type>,
    pub(crate) slots: Vec<Slot<M>>,
    free: Vec<u32>,
    /// The objects that the database has, by the bytes of their key.
    pub(crate) by_key: HashMap<KeyBytes, u32, SeededState>,
    /// What inserts have made, by the slot, until the transaction has been committed.
    pub(crate) incoming: HashMap<u32, Incoming<M>, SeededState>,
    /// What objects are with their links filled, by the slot, until then.
    pub(crate) filled: HashMap<u32, M, SeededState>,
    /// The columns that take their values from objects that are still to be inserted, by the slot.
    pub(crate) links: HashMap<u32, Links, SeededState>,
    /// Room for the snapshots of one edit.
    scratch: Scratch,
}

/// Snapshots of an object before and after an edit.
#[derive(Default)]
struct Scratch {
    before: Encoder,
    after: Encoder,
}

/// An object that has been inserted.
pub(crate) struct Incoming<M> {
    /// The object with the values that the server has made, if it makes any.
    pub(crate) object: Option<M>,
    pub(crate) key: KeyBytes,
}

impl<M: Model> Arena<M> {
    pub(crate) fn new() -> Result<Self> {
        let of = describe::<M>()?;
        let types = snapshot::types(&of.columns);
        Ok(Self {
            of,
            types,
            slots: Vec::new(),
            free: Vec::new(),
            by_key: HashMap::default(),
            incoming: HashMap::default(),
            filled: HashMap::default(),
            links: HashMap::default(),
            scratch: Scratch::default(),
        })
    }

    /// The slot that holds the object with this key.
    pub(crate) fn find(&self, key: &[u8]) -> Option<u32> {
        self.by_key.get(key).copied()
    }

    /// Takes in an object that the database has. One that is here already keeps its place; it takes the new
    /// values unless an edit or a removal is pending.
    pub(crate) fn attach(&mut self, object: M) -> Result<u32> {
        let mut key = Encoder::new();
        self.of.encode_key(&object, &mut key)?;
        match self.by_key.entry(KeyBytes::from_slice(key.as_bytes())) {
            Entry::Occupied(known) => {
                let slot = *known.get();
                let held = &mut self.slots[slot as usize];
                if matches!(held.state, State::Clean) {
                    held.object = Some(object);
                }
                Ok(slot)
            }
            Entry::Vacant(new) => {
                Ok(*new.insert(place(&mut self.slots, &mut self.free, object, State::Clean)))
            }
        }
    }

    /// Makes room for so many objects more.
    pub(crate) fn reserve(&mut self, more: usize) {
        self.by_key.reserve(more);
        self.slots.reserve(more.saturating_sub(self.free.len()));
    }

    /// Takes in a new object, unless it cannot be sent.
    pub(crate) fn add(&mut self, object: M) -> Result<u32> {
        self.scratch.before.clear();
        self.of.encode(&object, &mut self.scratch.before)?;
        Ok(place(&mut self.slots, &mut self.free, object, State::New))
    }

    /// Gives a place up. Whatever key it was found by has been taken away.
    pub(crate) fn vacate(&mut self, slot: u32) {
        self.slots[slot as usize].vacate();
        self.links.remove(&slot);
        self.free.push(slot);
    }

    /// The slot of a handle, unless it is stale.
    pub(crate) fn slot(&self, slot: u32, generation: u32) -> Result<&Slot<M>> {
        let found = self.slots.get(slot as usize).filter(|s| s.generation == generation);
        found.ok_or_else(|| stale::<M>("the object is no longer in the session"))
    }

    /// The slot of a handle, unless it is stale.
    pub(crate) fn slot_mut(&mut self, slot: u32, generation: u32) -> Result<&mut Slot<M>> {
        let found = self.slots.get_mut(slot as usize).filter(|s| s.generation == generation);
        found.ok_or_else(|| stale::<M>("the object is no longer in the session"))
    }

    /// Finds the object by this key from now on, and by `old` no longer.
    pub(crate) fn rekey(&mut self, slot: u32, old: Option<&[u8]>, new: Option<&[u8]>) {
        if let Some(old) = old.filter(|old| self.by_key.get(*old) == Some(&slot)) {
            self.by_key.remove(old);
        }
        if let Some(new) = new {
            self.by_key.insert(KeyBytes::from_slice(new), slot);
        }
    }

    /// The bytes of the key in a snapshot.
    pub(crate) fn key_in(&self, values: &[u8]) -> Result<Encoder> {
        let mut key = Encoder::new();
        for &place in &self.of.key {
            snapshot::put(&mut key, snapshot::value_at(values, place)?)?;
        }
        Ok(key)
    }

    /// Runs `f` on an object. When `f` panics, or what it leaves breaks a check or cannot be sent, the
    /// object is as it was.
    pub(crate) fn edit<R>(&mut self, slot: u32, generation: u32, f: impl FnOnce(&mut M) -> R) -> Result<R> {
        let mut scratch = std::mem::take(&mut self.scratch);
        let answer = self.edit_by(slot, generation, f, &mut scratch);
        self.scratch = scratch;
        answer
    }

    fn edit_by<R>(
        &mut self,
        slot: u32,
        generation: u32,
        f: impl FnOnce(&mut M) -> R,
        Scratch { before, after }: &mut Scratch,
    ) -> Result<R> {
        let (of, types) = (self.of, &self.types);
        let found = self.slots.get_mut(slot as usize).filter(|s| s.generation == generation);
        let found = found.ok_or_else(|| stale::<M>("the object is no longer in the session"))?;
        if matches!(found.state, State::Vacant | State::Removed(_) | State::Deleted(_) | State::LetGo) {
            return Err(stale::<M>("the object has been removed"));
        }
        let object =
            found.object.as_mut().ok_or_else(|| stale::<M>("the object is no longer in the session"))?;
        before.clear();
        of.encode(object, before)?;
        let undo = Undo { object, before: before.as_bytes(), types };
        let answer = f(undo.object);
        of.check(undo.object)?;
        after.clear();
        of.encode(undo.object, after)?;
        if after.as_bytes() != before.as_bytes()
            && let Some(stamped) = of.prepared(undo.object, Fill::Update)?
        {
            *undo.object = stamped;
            after.clear();
            of.encode(undo.object, after)?;
        }
        std::mem::forget(undo);
        self.unlink_changed(slot, before.as_bytes(), after.as_bytes());
        let found = &mut self.slots[slot as usize];
        match &found.state {
            State::Clean if after.as_bytes() != before.as_bytes() => {
                found.state = State::Dirty(before.as_bytes().into());
            }
            State::Dirty(was) if after.as_bytes() == &**was && !self.links.contains_key(&slot) => {
                found.state = State::Clean;
            }
            _ => {}
        }
        Ok(answer)
    }
}

/// Gives an object a place.
fn place<M>(slots: &mut Vec<Slot<M>>, free: &mut Vec<u32>, object: M, state: State) -> u32 {
    let object = Some(object);
    if let Some(free) = free.pop() {
        let slot = &mut slots[free as usize];
        (slot.state, slot.object) = (state, object);
        return free;
    }
    slots.push(Slot { generation: 0, state, object });
    u32::try_from(slots.len() - 1).expect("memory ends before 2^32 objects")
}

/// An object that is being edited; goes back to what it was unless this is forgotten.
struct Undo<'a, M: Model> {
    object: &'a mut M,
    before: &'a [u8],
    types: &'a [Type],
}

impl<M: Model> Drop for Undo<'_, M> {
    fn drop(&mut self) {
        // A type reads what it has written itself a moment ago. One that does not leaves the edit in place.
        if let Ok(object) = snapshot::restore(self.before, self.types) {
            *self.object = object;
        }
    }
}

#[cold]
pub(crate) fn stale<M>(detail: &'static str) -> Error {
    Error::new(ErrorKind::StaleRef, detail).of(std::any::type_name::<M>())
}

/// An arena of a model that is not known at the place. What a flush asks of it is in
/// [`Flush`](crate::session::flush::Flush).
pub(crate) trait AnyArena: crate::session::flush::Flush + Send + Sync {
    fn as_any(&self) -> &dyn Any;
    fn as_any_mut(&mut self) -> &mut dyn Any;
}

impl<M: Model> AnyArena for Arena<M> {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn as_any_mut(&mut self) -> &mut dyn Any {
        self
    }
}
