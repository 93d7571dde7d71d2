//! Comparisons.

use crate::expr::kind::{SqlEq, SqlOrd};
use crate::expr::ops::operators;
use crate::expr::{Expr, Op, Operand, Pred};
use crate::model::{Column, ColumnType, Element, Value};

operators! {
    /// `=`. What may be NULL is compared with a value too: `eq(None)` does not compile, for it could mean
    /// nothing; see [`is_null`](Self::is_null), and for another column [`is_same_as`](Self::is_same_as).
    ///
    /// ```compile_fail,E0308
    /// # use wreath_orm::{Column, Table};
    /// # struct Llama { paddock: Option<i64> }
    /// # const TABLE: Table<Llama> = Table::new("llamas");
    /// const PADDOCK: Column<Llama, Option<i64>> = TABLE.col("paddock_id", |l| &l.paddock);
    /// let _ = PADDOCK.eq(None);
    /// ```
    ///
    /// Neither does a value of another type:
    ///
    /// ```compile_fail,E0308
    /// # use wreath_orm::{Column, Table};
    /// # struct Llama { name: String }
    /// # const TABLE: Table<Llama> = Table::new("llamas");
    /// const NAME: Column<Llama, String> = TABLE.col("name", |l| &l.name);
    /// let _ = NAME.eq(7);
    /// ```
    #[inline]
    pub fn eq(self, value: <T::Base as Value>::Arg<'_>) -> Pred<M>
    where
        T::Base: SqlEq,
    {
        self.expr().param(&value).pred(Op::Eq)
    }

    /// `<>`
    pub fn ne(self, value: <T::Base as Value>::Arg<'_>) -> Pred<M>
    where
        T::Base: SqlEq,
    {
        self.expr().param(&value).pred(Op::Ne)
    }

    /// `<`. Only values with an order can be less than others:
    ///
    /// ```compile_fail,E0277
    /// # use wreath_orm::{Column, Table, codecs::types::Point};
    /// # struct Llama { at: Point }
    /// # const TABLE: Table<Llama> = Table::new("llamas");
    /// const AT: Column<Llama, Point> = TABLE.col("at", |l| &l.at);
    /// let _ = AT.lt(Point { x: 0.0, y: 0.0 }); // values of `Point` have no order
    /// ```
    pub fn lt(self, value: <T::Base as Value>::Arg<'_>) -> Pred<M>
    where
        T::Base: SqlOrd,
    {
        self.expr().param(&value).pred(Op::Lt)
    }

    /// `<=`
    pub fn le(self, value: <T::Base as Value>::Arg<'_>) -> Pred<M>
    where
        T::Base: SqlOrd,
    {
        self.expr().param(&value).pred(Op::Le)
    }

    /// `>`
    pub fn gt(self, value: <T::Base as Value>::Arg<'_>) -> Pred<M>
    where
        T::Base: SqlOrd,
    {
        self.expr().param(&value).pred(Op::Gt)
    }

    /// `>=`
    pub fn ge(self, value: <T::Base as Value>::Arg<'_>) -> Pred<M>
    where
        T::Base: SqlOrd,
    {
        self.expr().param(&value).pred(Op::Ge)
    }

    /// `BETWEEN low AND high`: both bounds belong to it. Where `low` is more than `high`, nothing is between.
    pub fn between(self, low: <T::Base as Value>::Arg<'_>, high: <T::Base as Value>::Arg<'_>) -> Pred<M>
    where
        T::Base: SqlOrd,
    {
        self.expr().param(&low).param(&high).pred(Op::Between)
    }

    /// `=` with another column or expression.
    ///
    /// ```compile_fail,E0277
    /// # use wreath_orm::{Column, Table};
    /// # struct Llama { id: i64, age: i32 }
    /// # const TABLE: Table<Llama> = Table::new("llamas");
    /// const ID: Column<Llama, i64> = TABLE.col("id", |l| &l.id);
    /// const AGE: Column<Llama, i32> = TABLE.col("age", |l| &l.age);
    /// let _ = ID.eq_to(AGE); // is not something of type `i64` in an expression about `Llama`
    /// ```
    pub fn eq_to(self, other: impl Operand<M, T::Base>) -> Pred<M>
    where
        T::Base: SqlEq,
    {
        self.expr().operand(other).pred(Op::Eq)
    }

    /// `<>` with another column or expression
    pub fn ne_to(self, other: impl Operand<M, T::Base>) -> Pred<M>
    where
        T::Base: SqlEq,
    {
        self.expr().operand(other).pred(Op::Ne)
    }

    /// `<` another column or expression
    pub fn lt_to(self, other: impl Operand<M, T::Base>) -> Pred<M>
    where
        T::Base: SqlOrd,
    {
        self.expr().operand(other).pred(Op::Lt)
    }

    /// `<=` another column or expression
    pub fn le_to(self, other: impl Operand<M, T::Base>) -> Pred<M>
    where
        T::Base: SqlOrd,
    {
        self.expr().operand(other).pred(Op::Le)
    }

    /// `>` another column or expression
    pub fn gt_to(self, other: impl Operand<M, T::Base>) -> Pred<M>
    where
        T::Base: SqlOrd,
    {
        self.expr().operand(other).pred(Op::Gt)
    }

    /// `>=` another column or expression
    pub fn ge_to(self, other: impl Operand<M, T::Base>) -> Pred<M>
    where
        T::Base: SqlOrd,
    {
        self.expr().operand(other).pred(Op::Ge)
    }

    /// `BETWEEN` two columns or expressions
    pub fn between_to(self, low: impl Operand<M, T::Base>, high: impl Operand<M, T::Base>) -> Pred<M>
    where
        T::Base: SqlOrd,
    {
        self.expr().operand(low).operand(high).pred(Op::Between)
    }

    /// `IS NOT DISTINCT FROM`: equal, or both NULL. Never unknown.
    pub fn is_same_as(self, other: impl Operand<M, T::Base>) -> Pred<M>
    where
        T::Base: SqlEq,
    {
        self.expr().operand(other).pred(Op::NotDistinct)
    }

    /// `IS DISTINCT FROM`: unequal, or one of them NULL. Never unknown.
    pub fn is_distinct_from(self, other: impl Operand<M, T::Base>) -> Pred<M>
    where
        T::Base: SqlEq,
    {
        self.expr().operand(other).pred(Op::Distinct)
    }

    /// One of these values: anything that iterates over values or references to them, such as `[1, 2]`,
    /// `&ids`, `&names`. However many there are, they are one parameter, an array; of none, nothing is one.
    pub fn any(self, values: impl IntoIterator<Item: Element<T::Base>>) -> Pred<M>
    where
        T::Base: SqlEq,
    {
        self.expr().list::<T::Base, _>(values).pred(Op::Any)
    }

    /// None of these values. A list with a NULL in it, of which nothing could be said, does not compile:
    ///
    /// ```compile_fail,E0277
    /// # use wreath_orm::{Column, Table};
    /// # struct Llama { age: i32 }
    /// # const TABLE: Table<Llama> = Table::new("llamas");
    /// const AGE: Column<Llama, i32> = TABLE.col("age", |l| &l.age);
    /// let _ = AGE.not_any([Some(1), None]);
    /// ```
    pub fn not_any(self, values: impl IntoIterator<Item: Element<T::Base>>) -> Pred<M>
    where
        T::Base: SqlEq,
    {
        self.expr().list::<T::Base, _>(values).pred(Op::NotAny)
    }
}

operators! {
    /// As a condition: it holds where the value is true, and is unknown where that is NULL.
    pub fn holds(self) -> Pred<M>
    where
        T: ColumnType<Base = bool>,
    {
        Pred::new(self.expr().tape)
    }

    /// It is true; NULL is not.
    pub fn is_true(self) -> Pred<M>
    where
        T: ColumnType<Base = bool>,
    {
        self.expr().pred(Op::IsTrue)
    }

    /// It is false; NULL is not.
    pub fn is_false(self) -> Pred<M>
    where
        T: ColumnType<Base = bool>,
    {
        self.expr().pred(Op::IsFalse)
    }
}

operators! {
    /// The greater of it and the value; where it is NULL, the value.
    pub fn greatest(self, value: <T::Base as Value>::Arg<'_>) -> Expr<M, T::Base>
    where
        T::Base: SqlOrd,
    {
        self.expr().param(&value).call("greatest", 2)
    }

    /// The lesser of it and the value; where it is NULL, the value.
    pub fn least(self, value: <T::Base as Value>::Arg<'_>) -> Expr<M, T::Base>
    where
        T::Base: SqlOrd,
    {
        self.expr().param(&value).call("least", 2)
    }

    /// The greater of it and another column or expression; NULL where both are.
    pub fn greatest_to<O: Operand<M, T::Base>>(self, other: O) -> Expr<M, T::Or<O::Type>>
    where
        T::Base: SqlOrd,
    {
        self.expr().operand(other).call("greatest", 2)
    }

    /// The lesser of it and another column or expression; NULL where both are.
    pub fn least_to<O: Operand<M, T::Base>>(self, other: O) -> Expr<M, T::Or<O::Type>>
    where
        T::Base: SqlOrd,
    {
        self.expr().operand(other).call("least", 2)
    }
}
