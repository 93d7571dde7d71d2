//! Handles of objects.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::marker::PhantomData;

/// An object of a [`Session`](crate::Session): a small value that is copied, compared and hashed, and is
/// good for this session only. It never names another object than the one it was made for.
pub struct Ref<M> {
    pub(crate) session: u32,
    pub(crate) slot: u32,
    pub(crate) generation: u32,
    model: PhantomData<fn() -> M>,
}

impl<M> Ref<M> {
    pub(crate) fn new(session: u32, slot: u32, generation: u32) -> Self {
        Self { session, slot, generation, model: PhantomData }
    }

    fn parts(self) -> (u32, u32, u32) {
        (self.session, self.slot, self.generation)
    }
}

impl<M> Clone for Ref<M> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<M> Copy for Ref<M> {}

impl<M> PartialEq for Ref<M> {
    fn eq(&self, other: &Self) -> bool {
        self.parts() == other.parts()
    }
}

impl<M> Eq for Ref<M> {}

impl<M> Hash for Ref<M> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.parts().hash(state);
    }
}

impl<M> fmt::Debug for Ref<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Ref<{}>({}:{})", std::any::type_name::<M>(), self.session, self.slot)
    }
}
