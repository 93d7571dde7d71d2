//! Arrays. What they contain and share is asked by `contains`, `contained_by` and `overlaps`.

use crate::expr::kind::{SqlArray, SqlEq};
use crate::expr::ops::operators;
use crate::expr::{Expr, Op, Operand, Pred};
use crate::model::{Column, ColumnType, Value};

operators! {
    /// `value = ANY (array)`: one of its elements is this.
    ///
    /// ```compile_fail,E0277
    /// # use wreath_orm::{Column, Table};
    /// # struct Llama { age: i32 }
    /// # const TABLE: Table<Llama> = Table::new("llamas");
    /// const AGE: Column<Llama, i32> = TABLE.col("age", |l| &l.age);
    /// let _ = AGE.has_element(7); // `i32` is not an array
    /// ```
    pub fn has_element(self, value: <<T::Base as SqlArray>::Element as Value>::Arg<'_>) -> Pred<M>
    where
        T::Base: SqlArray<Element: SqlEq>,
    {
        self.expr().param(&value).pred(Op::HasElement)
    }

    /// `value = ALL (array)`: each of its elements is this. So it is of an empty array.
    pub fn all_are(self, value: <<T::Base as SqlArray>::Element as Value>::Arg<'_>) -> Pred<M>
    where
        T::Base: SqlArray<Element: SqlEq>,
    {
        self.expr().param(&value).pred(Op::AllAre)
    }

    /// How many elements it has, in all dimensions.
    pub fn cardinality(self) -> Expr<M, T::Of<i32>>
    where
        T::Base: SqlArray,
    {
        self.expr().call("cardinality", 1)
    }

    /// The element at a place, from 1 unless the array has other bounds; NULL where there is none.
    pub fn element(self, at: impl Operand<M, i32>) -> Expr<M, Option<<T::Base as SqlArray>::Element>>
    where
        T::Base: SqlArray,
    {
        self.expr().operand(at).op(Op::Index)
    }

    /// The place of the first element that is this, NULL where none is.
    pub fn position_of(self, value: <<T::Base as SqlArray>::Element as Value>::Arg<'_>) -> Expr<M, Option<i32>>
    where
        T::Base: SqlArray<Element: SqlEq>,
    {
        self.expr().param(&value).call("array_position", 2)
    }

    /// With one more element at its end.
    pub fn append_element(self, value: <<T::Base as SqlArray>::Element as Value>::Arg<'_>) -> Expr<M, T::Base>
    where
        T::Base: SqlArray,
    {
        self.expr().param(&value).call("array_append", 2)
    }

    /// Without the elements that are this.
    pub fn remove_element(self, value: <<T::Base as SqlArray>::Element as Value>::Arg<'_>) -> Expr<M, T>
    where
        T::Base: SqlArray<Element: SqlEq>,
    {
        self.expr().param(&value).call("array_remove", 2)
    }

    /// Its elements, a row each: it belongs into a projection, whose rows it multiplies.
    pub fn unnest(self) -> Expr<M, Option<<T::Base as SqlArray>::Element>>
    where
        T::Base: SqlArray,
    {
        self.expr().call("unnest", 1)
    }
}
