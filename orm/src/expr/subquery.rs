//! Subqueries.

use crate::expr::kind::SqlEq;
use crate::expr::ops::operators;
use crate::expr::{Expr, Op, Operand, Pred, Tape};
use crate::model::{Column, ColumnType, Model, Value};
use crate::query::{Cols, Output, Projection, Select};

/// A query of one column whose values are of type `V`: `select().cols(COLUMN)`, without includes.
///
/// It may refer to the query around it by [`Column::outer`].
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a query of one column of type `{V}`",
    label = "expected a query that ends with `.cols(COLUMN)`",
    note = "a subquery has one column, of the type of what it is compared with, and no includes"
)]
pub trait Subquery<V: Value>: sealed::Sealed {
    /// The type of its column.
    type Type: ColumnType<Base = V>;

    #[doc(hidden)]
    fn write(self, out: &mut sealed::Out<'_>);
}

mod sealed {
    pub trait Sealed {}

    /// The tape that a subquery writes itself on.
    #[derive(Debug)]
    pub struct Out<'a>(pub(super) &'a mut super::Tape);
}

impl<N, O> sealed::Sealed for Select<N, O> {}

impl<N: Model, V: Value, C: Projection<N> + Operand<N, V>> Subquery<V> for Select<N, Cols<C>> {
    type Type = C::Type;

    fn write(self, out: &mut sealed::Out<'_>) {
        let mut column = Tape::default();
        self.output().0.list(&mut column);
        self.nest(&column, out.0);
    }
}

/// There is a row of this query.
///
/// ```
/// # use wreath_orm::{Column, Columns, Load, Model, Result, Source, Table};
/// # pub struct Llama { id: i64, mother: Option<i64> }
/// # impl Llama {
/// #     const ID: Column<Self, i64> = Self::TABLE.col("id", |l| &l.id);
/// #     const MOTHER: Column<Self, Option<i64>> = Self::TABLE.col("mother_id", |l| &l.mother);
/// # }
/// # impl Load<Self> for Llama {
/// #     fn load<S: Source<Self>>(s: &mut S) -> Result<Self> {
/// #         Ok(Self { id: s.get(Self::ID)?, mother: s.get(Self::MOTHER)? })
/// #     }
/// # }
/// # impl Model for Llama {
/// #     const TABLE: Table<Self> = Table::new("llamas");
/// #     type Key = i64;
/// #     fn key() -> impl Columns<Self, Row = i64> { Self::ID }
/// # }
/// use wreath_orm::expr::exists;
///
/// let childless = exists(Llama::select().filter(Llama::MOTHER.eq_to(Llama::ID.outer()))).not();
/// let _ = Llama::select().filter(childless);
/// ```
pub fn exists<M, N: Model, O: Output<N>>(query: Select<N, O>) -> Pred<M> {
    let (mut one, mut tape) = (Tape::default(), Tape::default());
    one.raw("1");
    query.nest(&one, &mut tape);
    tape.op(Op::Exists);
    Pred::new(tape)
}

/// The value of a query of one column; NULL where it has no row. More than one row fails the statement.
pub fn scalar<M, V: Value>(query: impl Subquery<V>) -> Expr<M, Option<V>> {
    let mut tape = Tape::default();
    query.write(&mut sealed::Out(&mut tape));
    Expr::new(tape)
}

operators! {
    /// `IN (SELECT ...)`: it is among the values of a query of one column.
    pub fn in_query(self, query: impl Subquery<T::Base>) -> Pred<M>
    where
        T::Base: SqlEq,
    {
        let mut expr = self.expr();
        query.write(&mut sealed::Out(&mut expr.tape));
        expr.pred(Op::In)
    }

    /// `NOT IN (SELECT ...)`: it is not among the values of a query. A query of a column that may be NULL does not
    /// compile: one NULL in it, and nothing could be said not to be among them; see [`exists`](crate::expr::exists).
    ///
    /// ```compile_fail,E0271
    /// # use wreath_orm::{Column, Columns, Load, Model, Result, Source, Table};
    /// # pub struct Llama { id: i64, mother: Option<i64> }
    /// # impl Llama {
    /// #     const ID: Column<Self, i64> = Self::TABLE.col("id", |l| &l.id);
    /// #     const MOTHER: Column<Self, Option<i64>> = Self::TABLE.col("mother_id", |l| &l.mother);
    /// # }
    /// # impl Load<Self> for Llama {
    /// #     fn load<S: Source<Self>>(s: &mut S) -> Result<Self> {
    /// #         Ok(Self { id: s.get(Self::ID)?, mother: s.get(Self::MOTHER)? })
    /// #     }
    /// # }
    /// # impl Model for Llama {
    /// #     const TABLE: Table<Self> = Table::new("llamas");
    /// #     type Key = i64;
    /// #     fn key() -> impl Columns<Self, Row = i64> { Self::ID }
    /// # }
    /// let _ = Llama::ID.not_in_query(Llama::select().cols(Llama::MOTHER));
    /// ```
    pub fn not_in_query(self, query: impl Subquery<T::Base, Type = T::Base>) -> Pred<M>
    where
        T::Base: SqlEq,
    {
        let mut expr = self.expr();
        query.write(&mut sealed::Out(&mut expr.tape));
        expr.pred(Op::NotIn)
    }
}
