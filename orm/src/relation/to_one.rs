//! The relation to one row.

use std::fmt;
use std::marker::PhantomData;

use crate::error::Result;
use crate::expr::Pred;
use crate::model::{Column, ColumnType, Model, restricted};
use crate::query::All;
use crate::relation::link::{End, Link, Pair};
use crate::relation::sealed::{Sealed, Target};
use crate::relation::{Joined, Relation};

/// The relation from a row of `M` to the row of `N` that it refers to; made by
/// [`Column::to_one`](crate::Column::to_one).
///
/// The columns at the other end have to tell its rows apart: they hold the whole key, or one of them is
/// [`unique`](crate::Column::unique).
pub struct ToOne<M, N> {
    pub(crate) link: Link,
    /// The filters of `N` that it lifts.
    lifted: &'static [&'static str],
    ends: PhantomData<fn(M, N)>,
}

impl<M, N> ToOne<M, N> {
    pub(crate) const fn new(link: Link) -> Self {
        Self { link, lifted: &[], ends: PhantomData }
    }

    /// The same relation, by one pair of columns more: for a key of several columns, up to four.
    ///
    /// ```
    /// # use wreath_orm::{Column, Columns, Load, Model, Result, Source, Table};
    /// use wreath_orm::ToOne;
    /// # pub struct Stall { barn: i64, number: i32 }
    /// # impl Stall {
    /// #     const BARN: Column<Self, i64> = Self::TABLE.col("barn", |s| &s.barn);
    /// #     const NUMBER: Column<Self, i32> = Self::TABLE.col("number", |s| &s.number);
    /// # }
    /// # impl Load<Self> for Stall {
    /// #     fn load<S: Source<Self>>(s: &mut S) -> Result<Self> {
    /// #         Ok(Self { barn: s.get(Self::BARN)?, number: s.get(Self::NUMBER)? })
    /// #     }
    /// # }
    /// # impl Model for Stall {
    /// #     const TABLE: Table<Self> = Table::new("stalls");
    /// #     type Key = (i64, i32);
    /// #     fn key() -> impl Columns<Self, Row = Self::Key> { (Self::BARN, Self::NUMBER) }
    /// # }
    /// # pub struct Llama { barn: i64, stall: Option<i32> }
    /// # impl Llama {
    /// #     const TABLE: Table<Self> = Table::new("llamas");
    /// #     const BARN: Column<Self, i64> = Self::TABLE.col("barn", |l| &l.barn);
    /// #     const STALL_NUMBER: Column<Self, Option<i32>> = Self::TABLE.col("stall", |l| &l.stall);
    ///
    /// const STALL: ToOne<Llama, Stall> = Llama::BARN.to_one(Stall::BARN).and(Llama::STALL_NUMBER, Stall::NUMBER);
    /// # }
    /// ```
    ///
    /// # Panics
    /// At compile time, when there are more than four.
    #[must_use]
    pub const fn and<T: ColumnType, U: ColumnType<Base = T::Base>>(
        self,
        near: Column<M, T>,
        far: Column<N, U>,
    ) -> Self {
        Self { link: self.link.and(Pair::new(&near, &far)), ..self }
    }
}

impl<M, N> ToOne<M, N> {
    /// The columns at the near end, each with the one at the far end whose value it has.
    pub(crate) fn names(&self) -> impl Iterator<Item = (&'static str, &'static str)> {
        self.link.pairs().map(|pair| (pair.near, pair.far))
    }
}

impl<M, N: Model> ToOne<M, N> {
    /// There is a row of `N` at the other end, and this holds for it.
    pub fn has(self, pred: Pred<N>) -> Pred<M> {
        self.link.lift(&restricted(pred, self.lifted))
    }

    /// The same relation without the [filters](Model::FILTERS) of `N` of these names.
    #[must_use]
    pub const fn unfiltered(self, lifted: &'static [&'static str]) -> Self {
        Self { lifted, ..self }
    }

    /// Fetches the other end in the same statement, by a `LEFT JOIN`: it is an `Option<N>`, or an `N` with
    /// [`required`](Joined::required).
    pub fn joined(self) -> Joined<M, N, All<N>> {
        Joined::new(self.link, All::default()).restricted(self.lifted)
    }
}

impl<M, N: Model> Sealed for ToOne<M, N> {
    fn targets(&self) -> Vec<Target> {
        vec![self.link.target(N::TABLE)]
    }
}

impl<M: Model, N: Model> Relation<M> for ToOne<M, N> {
    fn check(&self) -> Result<()> {
        self.link.check::<M, N>(End::Far)
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
