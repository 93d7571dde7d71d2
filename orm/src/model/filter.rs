//! Filters that hold for a model wherever it is read.

use std::fmt;

use crate::expr::{Pred, Tape};
use crate::model::Model;

/// A condition, under a name, on the rows of a model that are seen: by its queries, by [`get`](crate::Session::get), by
/// includes of relations to it, by conditions across them, and by writes of many rows. Listed in
/// [`Model::FILTERS`](crate::Model::FILTERS); [`Model::unfiltered`](crate::Model::unfiltered) lifts some for a query, and
/// `unfiltered` of a relation for an include or a condition. A join beyond relations, and the table that a relation goes
/// through, are read as they are.
///
/// With [`SoftDelete`] a row that is removed stays, and a filter keeps it out of sight:
///
/// ```
/// use wreath_orm::{Column, Columns, Filter, Load, Model, Result, SoftDelete, Source, Table};
/// use wreath_orm::codecs::types::TimestampTz;
///
/// pub struct Llama { pub id: i64, pub deleted_at: Option<TimestampTz> }
/// impl Llama {
///     pub const ID: Column<Self, i64> = Self::TABLE.col("id", |l| &l.id).identity();
///     pub const DELETED_AT: Column<Self, Option<TimestampTz>> = Self::TABLE.col("deleted_at", |l| &l.deleted_at);
/// }
/// # impl Load<Self> for Llama {
/// #     fn load<S: Source<Self>>(s: &mut S) -> Result<Self> {
/// #         Ok(Self { id: s.get(Self::ID)?, deleted_at: s.get(Self::DELETED_AT)? })
/// #     }
/// # }
/// impl Model for Llama {
///     const TABLE: Table<Self> = Table::new("llamas");
///     const FILTERS: &'static [Filter<Self>] = &[Filter::new("deleted", || Self::DELETED_AT.is_null())];
///     const SOFT_DELETE: Option<SoftDelete> = Some(SoftDelete::new("deleted_at", "now()"));
/// #   type Key = i64;
/// #   fn key() -> impl Columns<Self, Row = i64> { Self::ID }
/// }
/// assert!(Llama::select().to_sql()?.ends_with(r#"WHERE t0."deleted_at" IS NULL"#));
/// assert!(!Llama::unfiltered(&["deleted"]).to_sql()?.contains("WHERE"));
/// assert!(Llama::unfiltered(&["delayed"]).to_sql().is_err(), "there is no such filter");
/// # Ok::<(), wreath_orm::Error>(())
/// ```
pub struct Filter<M> {
    name: &'static str,
    pred: fn() -> Pred<M>,
}

impl<M> Filter<M> {
    /// A filter with a name, by which it is lifted.
    pub const fn new(name: &'static str, pred: fn() -> Pred<M>) -> Self {
        Self { name, pred }
    }

    /// Its name.
    pub fn name(&self) -> &'static str {
        self.name
    }
}

impl<M> fmt::Debug for Filter<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Filter({:?})", self.name)
    }
}

/// A deletion that only marks the row: a [removal](crate::Session::remove) and a [delete](crate::Db::delete) of many rows
/// set a column instead.
#[derive(Clone, Copy, Debug)]
pub struct SoftDelete {
    pub(crate) column: &'static str,
    pub(crate) value: &'static str,
}

impl SoftDelete {
    /// The column, and the SQL expression that it is set to.
    pub const fn new(column: &'static str, value: &'static str) -> Self {
        Self { column, value }
    }
}

/// Adds the filters of `M`, but for those that are lifted.
pub(crate) fn restrict<M: Model>(filter: &mut Tape, lifted: &[&str]) {
    for global in M::FILTERS.iter().filter(|global| !lifted.contains(&global.name)) {
        filter.and(&(global.pred)().tape);
    }
}

/// The condition, on rows that the filters of `M` let be seen.
pub(crate) fn restricted<M: Model>(mut pred: Pred<M>, lifted: &[&str]) -> Pred<M> {
    restrict::<M>(&mut pred.tape, lifted);
    pred
}
