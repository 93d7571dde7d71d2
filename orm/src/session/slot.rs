//! The place of one object.

use crate::session::snapshot::Snapshot;

/// What has been done to an object since it was as the database has it.
#[derive(Debug)]
pub(crate) enum State {
    /// Nothing lives here.
    Vacant,
    /// It was added, and is not in the database.
    New,
    /// It is as the database has it, as far as this session knows.
    Clean,
    /// It was edited; this is what the database has.
    Dirty(Snapshot),
    /// It is to be deleted; this is what the database has.
    Removed(Snapshot),
    /// It has been deleted in a transaction that has not ended; this is what the database had.
    Deleted(Snapshot),
    /// A write of many rows has passed over it, in a transaction that has not ended and whose end may make it pending
    /// again.
    LetGo,
}

/// The place of one object. The generation goes up when the place is given up, so that a
/// [`Ref`](crate::Ref) of what was here is found to be stale.
#[derive(Debug)]
pub(crate) struct Slot<M> {
    pub(crate) generation: u32,
    pub(crate) state: State,
    /// There is one unless the place is vacant.
    pub(crate) object: Option<M>,
}

impl<M> Slot<M> {
    /// The object, for as long as it may be looked at: until a flush has deleted it.
    pub(crate) fn readable(&self) -> Option<&M> {
        match self.state {
            State::Vacant | State::Deleted(_) | State::LetGo => None,
            _ => self.object.as_ref(),
        }
    }

    /// Gives the place up.
    pub(crate) fn vacate(&mut self) {
        self.generation = self.generation.wrapping_add(1);
        self.state = State::Vacant;
        self.object = None;
    }
}
