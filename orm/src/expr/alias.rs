//! The same table twice.

use std::fmt;
use std::marker::PhantomData;

use crate::expr::{Expr, Op, Pred, Tape};
use crate::model::{Column, ColumnType, Model};
use crate::plan::hash;

/// Another occurrence of the table of `N` in a query, under a name.
///
/// [`exists`](Self::exists) opens it: within, [`Column::of`] takes the columns of this occurrence, while
/// plain columns stay those of the row that the condition is about.
///
/// ```
/// use wreath_orm::{Alias, Column, Columns, Load, Model, Result, Source, Table};
/// # pub struct Llama { id: i64, age: i64, paddock: i64 }
/// # impl Llama {
/// #     const ID: Column<Self, i64> = Self::TABLE.col("id", |l| &l.id);
/// #     const AGE: Column<Self, i64> = Self::TABLE.col("age", |l| &l.age);
/// #     const PADDOCK: Column<Self, i64> = Self::TABLE.col("paddock_id", |l| &l.paddock);
/// # }
/// # impl Load<Self> for Llama {
/// #     fn load<S: Source<Self>>(s: &mut S) -> Result<Self> {
/// #         Ok(Self { id: s.get(Self::ID)?, age: s.get(Self::AGE)?, paddock: s.get(Self::PADDOCK)? })
/// #     }
/// # }
/// # impl Model for Llama {
/// #     const TABLE: Table<Self> = Table::new("llamas");
/// #     type Key = i64;
/// #     fn key() -> impl Columns<Self, Row = i64> { Self::ID }
/// # }
///
/// const OTHER: Alias<Llama> = Alias::new("other");
/// let not_the_oldest_of_its_paddock = OTHER.exists(
///     Llama::PADDOCK.of(OTHER).eq_to(Llama::PADDOCK).and(Llama::AGE.of(OTHER).gt_to(Llama::AGE)),
/// );
/// let query = Llama::select().filter(not_the_oldest_of_its_paddock);
/// assert!(query.to_sql()?.ends_with(concat!(
///     r#"WHERE EXISTS (SELECT 1 FROM "llamas" AS t1 "#,
///     r#"WHERE t1."paddock_id" = t0."paddock_id" AND t1."age" > t0."age")"#,
/// )));
/// # Ok::<(), wreath_orm::Error>(())
/// ```
pub struct Alias<N> {
    name: &'static str,
    of: PhantomData<fn(N)>,
}

impl<N> Alias<N> {
    /// An occurrence with this name. The name tells aliases apart and appears in no SQL.
    pub const fn new(name: &'static str) -> Self {
        Self { name, of: PhantomData }
    }

    /// The name.
    pub const fn name(&self) -> &'static str {
        self.name
    }
}

impl<N: Model> Alias<N> {
    /// There is such a row in this occurrence of the table.
    pub fn exists<M>(self, pred: Pred<M>) -> Pred<M> {
        let mut tape = Tape::default();
        tape.op(Op::OpenAlias);
        tape.word(hash::name(self.name));
        tape.word(N::TABLE.word());
        tape.name(self.name);
        tape.name(N::TABLE.schema_name().unwrap_or(""));
        tape.name(N::TABLE.name());
        tape.append(&pred.tape);
        tape.op(Op::Close);
        Pred::new(tape)
    }
}

impl<N> Clone for Alias<N> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<N> Copy for Alias<N> {}

impl<N> fmt::Debug for Alias<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Alias({:?})", self.name)
    }
}

/// The name by which the server knows the row that an insert has brought (PostgreSQL manual, "INSERT").
pub(crate) const PROPOSED: &str = "excluded";

impl<N, T: ColumnType> Column<N, T> {
    /// The column of the row that was to be inserted, where an [`Upsert`](crate::Upsert) updates the one that is
    /// there.
    pub fn proposed<M>(self) -> Expr<M, T> {
        self.of(Alias::new(PROPOSED))
    }

    /// The column of another occurrence of the table. It fits into an expression about any model, within what
    /// opens the alias, such as [`Alias::exists`].
    pub fn of<M>(self, alias: Alias<N>) -> Expr<M, T> {
        let mut tape = Tape::default();
        tape.op(Op::Aliased);
        tape.word(hash::name(alias.name));
        tape.word(self.word());
        tape.name(alias.name);
        tape.name(self.name());
        Expr::new(tape)
    }
}
