//! The relation to many rows.

use std::fmt;
use std::marker::PhantomData;

use crate::expr::Pred;
use crate::model::Model;
use crate::query::All;
use crate::relation::{Link, SelectIn};

/// The relation from a row of `M` to all rows of `N` that refer to it; made by
/// [`Column::many`](crate::Column::many).
pub struct ToMany<M, N> {
    link: Link,
    ends: PhantomData<fn(M, N)>,
}

impl<M, N> ToMany<M, N> {
    pub(crate) const fn new(link: Link) -> Self {
        Self { link, ends: PhantomData }
    }
}

impl<M, N: Model> ToMany<M, N> {
    /// There is a row of `N` for which this holds.
    pub fn exists(self, pred: Pred<N>) -> Pred<M> {
        self.link.lift(&pred)
    }

    /// Fetches the rows for all rows of the query by one more statement, as a `Vec<N>` each.
    pub fn selectin(self) -> SelectIn<M, N, All<N>> {
        SelectIn::new(self.link, All::default())
    }
}

impl<M, N> Clone for ToMany<M, N> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<M, N> Copy for ToMany<M, N> {}

impl<M, N> fmt::Debug for ToMany<M, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ToMany({:?})", self.link)
    }
}
