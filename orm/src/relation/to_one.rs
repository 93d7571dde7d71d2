//! The relation to one row.

use std::fmt;
use std::marker::PhantomData;

use wreath_codecs::Oid;

use crate::expr::{Op, Pred, Tape};
use crate::model::Model;
use crate::query::All;
use crate::relation::Joined;

/// The two columns of a relation, and the types of the near one.
#[derive(Clone, Copy)]
pub(crate) struct Link {
    pub(crate) near: &'static str,
    pub(crate) near_id: u64,
    pub(crate) far: &'static str,
    pub(crate) far_id: u64,
    pub(crate) element: Oid,
    pub(crate) array: Oid,
}

impl Link {
    /// Opens the far end on a tape and closes it behind `pred`.
    pub(crate) fn lift<M, N: Model>(&self, pred: &Pred<N>) -> Pred<M> {
        let mut tape = Tape::default();
        tape.op(Op::OpenRelation);
        tape.word(self.near_id);
        tape.word(self.far_id);
        tape.name(N::TABLE.schema_name().unwrap_or(""));
        tape.name(N::TABLE.name());
        tape.name(self.far);
        tape.name(self.near);
        tape.append(&pred.tape);
        tape.op(Op::Close);
        Pred::new(tape)
    }
}

impl fmt::Debug for Link {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} -> {:?}", self.near, self.far)
    }
}

/// The relation from a row of `M` to the row of `N` that it refers to; made by
/// [`Column::to_one`](crate::Column::to_one).
pub struct ToOne<M, N> {
    link: Link,
    ends: PhantomData<fn(M, N)>,
}

impl<M, N> ToOne<M, N> {
    pub(crate) const fn new(link: Link) -> Self {
        Self { link, ends: PhantomData }
    }
}

impl<M, N> ToOne<M, N> {
    /// The columns at the near end, each with the one at the far end whose value it has.
    pub(crate) fn names(&self) -> impl Iterator<Item = (&'static str, &'static str)> {
        std::iter::once((self.link.near, self.link.far))
    }
}

impl<M, N: Model> ToOne<M, N> {
    /// There is a row of `N` at the other end, and this holds for it.
    pub fn has(self, pred: Pred<N>) -> Pred<M> {
        self.link.lift(&pred)
    }

    /// Fetches the other end in the same statement, by a `LEFT JOIN`: it is an `Option<N>`, or an `N` with
    /// [`required`](Joined::required).
    pub fn joined(self) -> Joined<M, N, All<N>> {
        Joined::new(self.link, All::default())
    }
}

impl<M, N> Clone for ToOne<M, N> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<M, N> Copy for ToOne<M, N> {}

impl<M, N> fmt::Debug for ToOne<M, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ToOne({:?})", self.link)
    }
}
