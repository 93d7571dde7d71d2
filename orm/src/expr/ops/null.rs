//! NULL.

use crate::expr::kind::SqlEq;
use crate::expr::ops::operators;
use crate::expr::{Expr, Op, Operand, Pred};
use crate::model::{Column, ColumnType, Value};

/// Gives columns and expressions that may be NULL the same methods.
macro_rules! nullable {
    ($($methods:tt)*) => {
        impl<M, V: Value> Column<M, Option<V>> {
            $($methods)*
        }

        impl<M, V: Value, K> Expr<M, Option<V>, K> {
            $($methods)*
        }
    };
}

nullable! {
    /// `IS NULL`. Only what may be NULL can be asked:
    ///
    /// ```compile_fail,E0599
    /// # use wreath_orm::{Column, Table};
    /// # struct Llama { name: String }
    /// # const TABLE: Table<Llama> = Table::new("llamas");
    /// const NAME: Column<Llama, String> = TABLE.col("name", |l| &l.name);
    /// let _ = NAME.is_null();
    /// ```
    pub fn is_null(self) -> Pred<M> {
        self.expr().pred(Op::IsNull)
    }

    /// `IS NOT NULL`
    pub fn is_not_null(self) -> Pred<M> {
        self.expr().pred(Op::IsNotNull)
    }

    /// It, or where it is NULL, the value.
    pub fn coalesce(self, value: V::Arg<'_>) -> Expr<M, V> {
        self.expr().param(&value).call("coalesce", 2)
    }

    /// It, or where it is NULL, another column or expression, which may be NULL in turn.
    pub fn coalesce_to<O: Operand<M, V>>(self, other: O) -> Expr<M, O::Type> {
        self.expr().operand(other).call("coalesce", 2)
    }
}

operators! {
    /// NULL where it equals the value, else itself.
    pub fn nullif(self, value: <T::Base as Value>::Arg<'_>) -> Expr<M, Option<T::Base>>
    where
        T::Base: SqlEq,
    {
        self.expr().param(&value).call("nullif", 2)
    }

    /// It as something that may be NULL, where another type asks for it.
    pub fn nullable(self) -> Expr<M, Option<T::Base>> {
        self.expr().typed()
    }
}
