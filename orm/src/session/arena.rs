//! All objects of one model.

use std::any::Any;
use std::collections::HashMap;

use wreath_codecs::{Encoder, Type};

use crate::error::{Error, ErrorKind, Result};
use crate::model::{Description, Model, describe};
use crate::session::slot::{Slot, State};
use crate::session::snapshot;

/// The objects of a model that a session holds.
pub(crate) struct Arena<M: Model> {
    pub(crate) of: &'static Description<M>,
    /// The types that snapshots are read as.
    pub(crate) types: Vec<Type>,
    pub(crate) slots: Vec<Slot<M>>,
    free: Vec<u32>,
    /// The objects that the database has, by the bytes of their key.
    by_key: HashMap<Box<[u8]>, u32>,
    /// What inserts have made, until the transaction has been committed.
    pub(crate) incoming: Vec<Incoming<M>>,
}

/// An object that has been inserted.
pub(crate) struct Incoming<M> {
    pub(crate) slot: u32,
    /// The object with the values that the server has made, if it makes any.
    pub(crate) object: Option<M>,
    pub(crate) key: Box<[u8]>,
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
            by_key: HashMap::new(),
            incoming: Vec::new(),
        })
    }

    /// The slot that holds the object with this key.
    pub(crate) fn find(&self, key: &[u8]) -> Option<u32> {
        self.by_key.get(key).copied()
    }

    /// Takes in an object that the database has. One that is here already keeps its place; it takes the new values unless an edit
    /// or a removal is pending.
    pub(crate) fn attach(&mut self, object: M) -> Result<u32> {
        let mut key = Encoder::new();
        self.of.encode_key(&object, &mut key)?;
        if let Some(slot) = self.find(key.as_bytes()) {
            let held = &mut self.slots[slot as usize];
            if matches!(held.state, State::Clean) {
                held.object = Some(object);
            }
            return Ok(slot);
        }
        let slot = self.place(object, State::Clean);
        self.by_key.insert(key.as_bytes().into(), slot);
        Ok(slot)
    }

    /// Gives an object a place.
    pub(crate) fn place(&mut self, object: M, state: State) -> u32 {
        let object = Some(object);
        if let Some(free) = self.free.pop() {
            let slot = &mut self.slots[free as usize];
            (slot.state, slot.object) = (state, object);
            return free;
        }
        self.slots.push(Slot { generation: 0, state, object });
        u32::try_from(self.slots.len() - 1).expect("memory ends before 2^32 objects")
    }

    /// Gives a place up. Whatever key it was found by has been taken away.
    pub(crate) fn vacate(&mut self, slot: u32) {
        self.slots[slot as usize].vacate();
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
            self.by_key.insert(new.into(), slot);
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

    /// Runs `f` on an object. When `f` panics, or what it leaves breaks a check or cannot be sent, the object is as it
    /// was.
    pub(crate) fn edit<R>(&mut self, slot: u32, generation: u32, f: impl FnOnce(&mut M) -> R) -> Result<R> {
        let (of, types) = (self.of, &self.types);
        let found = self.slots.get_mut(slot as usize).filter(|s| s.generation == generation);
        let found = found.ok_or_else(|| stale::<M>("the object is no longer in the session"))?;
        if matches!(found.state, State::Vacant | State::Removed(_) | State::Deleted(_)) {
            return Err(stale::<M>("the object has been removed"));
        }
        let object =
            found.object.as_mut().ok_or_else(|| stale::<M>("the object is no longer in the session"))?;
        let before = snapshot::take(of, object)?;
        let undo = Undo { object, before: before.as_bytes(), types };
        let answer = f(undo.object);
        of.check(undo.object)?;
        let after = snapshot::take(of, undo.object)?;
        std::mem::forget(undo);
        if matches!(found.state, State::Clean) && after.as_bytes() != before.as_bytes() {
            found.state = State::Dirty(before.as_bytes().into());
        }
        Ok(answer)
    }
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

/// An arena of a model that is not known at the place. What a flush asks of it is in [`Flush`](crate::session::flush::Flush).
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
