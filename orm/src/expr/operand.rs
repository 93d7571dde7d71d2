//! What can stand beside an operator.

use crate::expr::{Expr, Pred, Tape};
use crate::model::{Column, ColumnType, Value};

/// Something with a value of type `V` (or NULL) in an expression about `M`: a column of `M`, an [`Expr`], a
/// condition where `V` is `bool`, or a value itself.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not something of type `{V}` in an expression about `{M}`",
    label = "expected a column of `{M}`, an expression about it, or a value, of type `{V}`",
    note = "`cast` makes one type of another"
)]
pub trait Operand<M, V: Value>: sealed::Sealed {
    /// The type of its value: `V`, or an `Option` of it where it may be NULL.
    type Type: ColumnType<Base = V>;

    #[doc(hidden)]
    fn write(self, out: &mut sealed::Out<'_>);
}

/// What an operator makes of a `T` and a `U` where it makes a `V` of their values: NULL where one of them is.
pub(crate) type Both<T, U, V> = <T as ColumnType>::Of<<U as ColumnType>::Of<V>>;

mod sealed {
    pub trait Sealed {}

    /// The tape that an operand writes itself on.
    #[derive(Debug)]
    pub struct Out<'a>(pub(super) &'a mut super::Tape);
}

impl Tape {
    /// Appends an operand.
    #[inline]
    pub(crate) fn operand<M, V: Value>(&mut self, operand: impl Operand<M, V>) {
        operand.write(&mut sealed::Out(self));
    }
}

/// An expression that is an operand alone.
pub(crate) fn tape_of<M, V: Value>(operand: impl Operand<M, V>) -> Tape {
    let mut tape = Tape::default();
    tape.operand::<M, V>(operand);
    tape
}

impl<M, T: ColumnType> sealed::Sealed for Column<M, T> {}

impl<M, T: ColumnType> Operand<M, T::Base> for Column<M, T> {
    type Type = T;

    #[inline]
    fn write(self, out: &mut sealed::Out<'_>) {
        out.0.column(self);
    }
}

impl<M, T, K> sealed::Sealed for Expr<M, T, K> {}

impl<M, T: ColumnType, K> Operand<M, T::Base> for Expr<M, T, K> {
    type Type = T;

    #[inline]
    fn write(self, out: &mut sealed::Out<'_>) {
        out.0.append(&self.tape);
    }
}

impl<M> sealed::Sealed for Pred<M> {}

/// A condition is a `bool` that is NULL where it is neither true nor false.
impl<M> Operand<M, bool> for Pred<M> {
    type Type = Option<bool>;

    fn write(self, out: &mut sealed::Out<'_>) {
        out.0.append(&self.tape);
    }
}

impl<V: Value> sealed::Sealed for V {}

impl<M, V: Value> Operand<M, V> for V {
    type Type = V;

    fn write(self, out: &mut sealed::Out<'_>) {
        out.0.param(&self);
    }
}

impl sealed::Sealed for &str {}

impl<M> Operand<M, String> for &str {
    type Type = String;

    fn write(self, out: &mut sealed::Out<'_>) {
        out.0.param(&self);
    }
}
