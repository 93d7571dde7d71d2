//! Distances of vectors and of bits, as pgvector has them. An index serves `ORDER BY distance LIMIT n`.

use wreath_codecs::types::Bit;

use crate::expr::kind::SqlVector;
use crate::expr::ops::operators;
use crate::expr::{Expr, Op};
use crate::model::{Column, ColumnType, Value};

operators! {
    /// `<->`: the Euclidean distance.
    ///
    /// ```compile_fail,E0277
    /// # use wreath_orm::{Column, Table};
    /// # struct Llama { age: i32 }
    /// # const TABLE: Table<Llama> = Table::new("llamas");
    /// const AGE: Column<Llama, i32> = TABLE.col("age", |l| &l.age);
    /// let _ = AGE.l2_distance(7); // `i32` is not a vector
    /// ```
    pub fn l2_distance(self, to: <T::Base as Value>::Arg<'_>) -> Expr<M, T::Of<f64>>
    where
        T::Base: SqlVector,
    {
        self.expr().param(&to).op(Op::L2)
    }

    /// `<=>`: one minus the cosine of the angle.
    pub fn cosine_distance(self, to: <T::Base as Value>::Arg<'_>) -> Expr<M, T::Of<f64>>
    where
        T::Base: SqlVector,
    {
        self.expr().param(&to).op(Op::Cosine)
    }

    /// `<#>`: the inner product, negative, so that the most similar comes first in ascending order, as with the
    /// distances.
    pub fn inner_product(self, with: <T::Base as Value>::Arg<'_>) -> Expr<M, T::Of<f64>>
    where
        T::Base: SqlVector,
    {
        self.expr().param(&with).op(Op::InnerProduct)
    }

    /// `<+>`: the sum of the differences.
    pub fn l1_distance(self, to: <T::Base as Value>::Arg<'_>) -> Expr<M, T::Of<f64>>
    where
        T::Base: SqlVector,
    {
        self.expr().param(&to).op(Op::L1)
    }

    /// `<~>`: how many bits differ.
    pub fn hamming_distance(self, to: &Bit) -> Expr<M, T::Of<f64>>
    where
        T: ColumnType<Base = Bit>,
    {
        self.expr().param(to).op(Op::Hamming)
    }

    /// `<%>`: one minus the share of the bits set in both among those set in either.
    pub fn jaccard_distance(self, to: &Bit) -> Expr<M, T::Of<f64>>
    where
        T: ColumnType<Base = Bit>,
    {
        self.expr().param(to).op(Op::Jaccard)
    }
}
