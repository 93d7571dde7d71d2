//! What rows are read as, value by value.

use std::any::type_name;

use wreath_codecs::Decode;

use crate::compile::{Occurrence, SelectWriter};
use crate::error::Result;
use crate::expr::{Expr, Pred, Tape};
use crate::model::{Column, ColumnType, Source};
use crate::plan::{Expect, Key};
use crate::query::{Binds, RowReader};

mod sealed {
    /// Keeps [`Projection`](super::Projection) to this crate, so that it can grow.
    pub trait Sealed {}
}

/// A value of a row, or a tuple of up to twelve: columns of `M`, expressions, conditions.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is neither a column of `{M}`, nor an expression about it, nor a tuple of them",
    label = "expected columns or expressions about `{M}`"
)]
pub trait Projection<M>: sealed::Sealed + Send + Sync + 'static {
    /// What it yields: the value's type, or a tuple.
    type Row: Send + 'static;

    /// Appends what tells it from others.
    #[doc(hidden)]
    fn shape(&self, key: &mut Key);

    /// Appends its values' parameters.
    #[doc(hidden)]
    fn values(&self, to: &mut Binds) -> Result<()>;

    /// Selects it.
    #[doc(hidden)]
    fn select(&self, to: &mut SelectWriter, of: Occurrence) -> Result<()>;

    /// Reads it.
    #[doc(hidden)]
    fn take(&self, row: &mut RowReader<'_, '_>) -> Result<Self::Row>;

    /// Appends its expressions to a tape, one behind the other.
    #[doc(hidden)]
    fn list(&self, tape: &mut Tape);
}

impl<M, T: ColumnType> sealed::Sealed for Column<M, T> {}

impl<M: 'static, T: ColumnType> Projection<M> for Column<M, T> {
    type Row = T;

    #[inline]
    fn shape(&self, key: &mut Key) {
        key.push(self.word());
    }

    fn values(&self, _: &mut Binds) -> Result<()> {
        Ok(())
    }

    fn select(&self, to: &mut SelectWriter, of: Occurrence) -> Result<()> {
        to.columns(type_name::<M>(), &[self.declared()], of);
        Ok(())
    }

    #[inline]
    fn take(&self, row: &mut RowReader<'_, '_>) -> Result<T> {
        row.get(*self)
    }

    fn list(&self, tape: &mut Tape) {
        tape.column(*self);
    }
}

impl<M, T, K> sealed::Sealed for Expr<M, T, K> {}

impl<M: 'static, T: ColumnType, K: 'static> Projection<M> for Expr<M, T, K> {
    type Row = T;

    fn shape(&self, key: &mut Key) {
        key.clause(&self.tape.words);
    }

    fn values(&self, to: &mut Binds) -> Result<()> {
        to.repeatable(&self.tape)
    }

    fn select(&self, to: &mut SelectWriter, of: Occurrence) -> Result<()> {
        to.value(&self.tape, of, Expect::value::<M, T>())
    }

    fn take(&self, row: &mut RowReader<'_, '_>) -> Result<T> {
        row.value::<M, T>()
    }

    fn list(&self, tape: &mut Tape) {
        tape.append(&self.tape);
    }
}

impl<M> sealed::Sealed for Pred<M> {}

/// A condition is NULL where it is neither true nor false.
impl<M: 'static> Projection<M> for Pred<M> {
    type Row = Option<bool>;

    fn shape(&self, key: &mut Key) {
        key.clause(&self.tape.words);
    }

    fn values(&self, to: &mut Binds) -> Result<()> {
        to.repeatable(&self.tape)
    }

    fn select(&self, to: &mut SelectWriter, of: Occurrence) -> Result<()> {
        to.value(&self.tape, of, Expect::value::<M, Option<bool>>())
    }

    fn take(&self, row: &mut RowReader<'_, '_>) -> Result<Option<bool>> {
        row.value::<M, Option<bool>>()
    }

    fn list(&self, tape: &mut Tape) {
        tape.append(&self.tape);
    }
}

impl Expect {
    /// An expression's value.
    fn value<M, T: ColumnType>() -> Self {
        Self {
            model: type_name::<M>(),
            column: "an expression",
            rust_type: type_name::<T>(),
            accepts: <T as Decode<'static>>::accepts,
        }
    }
}

macro_rules! tuples {
    ($($($name:ident $place:tt)+;)+) => {$(
        impl<$($name),+> sealed::Sealed for ($($name,)+) {}

        impl<M, $($name: Projection<M>),+> Projection<M> for ($($name,)+) {
            type Row = ($($name::Row,)+);

            #[inline]
            fn shape(&self, key: &mut Key) {
                $(self.$place.shape(key);)+
            }

            fn values(&self, to: &mut Binds) -> Result<()> {
                $(self.$place.values(to)?;)+
                Ok(())
            }

            fn select(&self, to: &mut SelectWriter, of: Occurrence) -> Result<()> {
                $(self.$place.select(to, of)?;)+
                Ok(())
            }

            #[inline]
            fn take(&self, row: &mut RowReader<'_, '_>) -> Result<Self::Row> {
                Ok(($(self.$place.take(row)?,)+))
            }

            fn list(&self, tape: &mut Tape) {
                $(self.$place.list(tape);)+
            }
        }
    )+};
}

tuples! {
    A 0;
    A 0 B 1;
    A 0 B 1 C 2;
    A 0 B 1 C 2 D 3;
    A 0 B 1 C 2 D 3 E 4;
    A 0 B 1 C 2 D 3 E 4 F 5;
    A 0 B 1 C 2 D 3 E 4 F 5 G 6;
    A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7;
    A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7 I 8;
    A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7 I 8 J 9;
    A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7 I 8 J 9 K 10;
    A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7 I 8 J 9 K 10 L 11;
}
