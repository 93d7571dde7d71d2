//! Bits of whole numbers.

use crate::expr::kind::SqlInteger;
use crate::expr::operand::Both;
use crate::expr::ops::operators;
use crate::expr::{Expr, Op, Operand};
use crate::model::{Column, ColumnType};

operators! {
    /// `&`: the bits that both have.
    pub fn bit_and<O: Operand<M, T::Base>>(self, other: O) -> Expr<M, T::Of<O::Type>>
    where
        T::Base: SqlInteger,
    {
        self.expr().operand(other).op(Op::BitAnd)
    }

    /// `|`: the bits that one has, or both.
    pub fn bit_or<O: Operand<M, T::Base>>(self, other: O) -> Expr<M, T::Of<O::Type>>
    where
        T::Base: SqlInteger,
    {
        self.expr().operand(other).op(Op::BitOr)
    }

    /// `#`: the bits that one has, and not both.
    pub fn bit_xor<O: Operand<M, T::Base>>(self, other: O) -> Expr<M, T::Of<O::Type>>
    where
        T::Base: SqlInteger,
    {
        self.expr().operand(other).op(Op::BitXor)
    }

    /// `~`: the bits that it does not have.
    pub fn bit_not(self) -> Expr<M, T>
    where
        T::Base: SqlInteger,
    {
        self.expr().op(Op::BitNot)
    }

    /// `<<`: shifted by so many bits; the server takes the count modulo the width.
    pub fn shift_left<O: Operand<M, i32>>(self, bits: O) -> Expr<M, Both<T, O::Type, T>>
    where
        T::Base: SqlInteger,
    {
        self.expr().operand(bits).op(Op::Left)
    }

    /// `>>`: shifted by so many bits, with its sign.
    pub fn shift_right<O: Operand<M, i32>>(self, bits: O) -> Expr<M, Both<T, O::Type, T>>
    where
        T::Base: SqlInteger,
    {
        self.expr().operand(bits).op(Op::Right)
    }
}
