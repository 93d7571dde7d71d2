//! Ranges. A value in one is asked for by `contains`, common values by `overlaps`.

use crate::expr::kind::SqlRange;
use crate::expr::ops::operators;
use crate::expr::{Expr, Op, Operand, Pred};
use crate::model::{Column, ColumnType, Value};

operators! {
    /// `@>`: all of the other range is in it.
    pub fn contains_range(self, other: <T::Base as Value>::Arg<'_>) -> Pred<M>
    where
        T::Base: SqlRange,
    {
        self.expr().param(&other).pred(Op::Contains)
    }

    /// `@>`: it contains the value of another column or expression.
    pub fn contains_to(self, value: impl Operand<M, <T::Base as SqlRange>::Bound>) -> Pred<M>
    where
        T::Base: SqlRange,
    {
        self.expr().operand(value).pred(Op::Contains)
    }

    /// `&&` with another column or expression
    pub fn overlaps_to(self, other: impl Operand<M, T::Base>) -> Pred<M>
    where
        T::Base: SqlRange,
    {
        self.expr().operand(other).pred(Op::Overlaps)
    }

    /// `<<`: it ends before the other begins.
    ///
    /// ```compile_fail,E0277
    /// # use wreath_orm::{Column, Table};
    /// # struct Llama { age: i32 }
    /// # const TABLE: Table<Llama> = Table::new("llamas");
    /// const AGE: Column<Llama, i32> = TABLE.col("age", |l| &l.age);
    /// let _ = AGE.is_before(7); // `i32` is not a range
    /// ```
    pub fn is_before(self, other: <T::Base as Value>::Arg<'_>) -> Pred<M>
    where
        T::Base: SqlRange,
    {
        self.expr().param(&other).pred(Op::Left)
    }

    /// `>>`: it begins behind the other's end.
    pub fn is_after(self, other: <T::Base as Value>::Arg<'_>) -> Pred<M>
    where
        T::Base: SqlRange,
    {
        self.expr().param(&other).pred(Op::Right)
    }

    /// `-|-`: one begins where the other ends.
    pub fn is_adjacent_to(self, other: <T::Base as Value>::Arg<'_>) -> Pred<M>
    where
        T::Base: SqlRange,
    {
        self.expr().param(&other).pred(Op::Adjacent)
    }

    /// `&<`: it does not reach beyond the other's end.
    pub fn ends_within(self, other: <T::Base as Value>::Arg<'_>) -> Pred<M>
    where
        T::Base: SqlRange,
    {
        self.expr().param(&other).pred(Op::NotRightOf)
    }

    /// `&>`: it does not begin before the other.
    pub fn begins_within(self, other: <T::Base as Value>::Arg<'_>) -> Pred<M>
    where
        T::Base: SqlRange,
    {
        self.expr().param(&other).pred(Op::NotLeftOf)
    }

    /// Its lower bound: NULL where it is empty or has none.
    pub fn lower_bound(self) -> Expr<M, Option<<T::Base as SqlRange>::Bound>>
    where
        T::Base: SqlRange,
    {
        self.expr().call("lower", 1)
    }

    /// Its upper bound: NULL where it is empty or has none.
    pub fn upper_bound(self) -> Expr<M, Option<<T::Base as SqlRange>::Bound>>
    where
        T::Base: SqlRange,
    {
        self.expr().call("upper", 1)
    }

    /// It has no values.
    pub fn is_empty(self) -> Pred<M>
    where
        T::Base: SqlRange,
    {
        self.expr().call::<bool>("isempty", 1).holds()
    }
}
