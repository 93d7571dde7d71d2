//! Tuples of columns: projections and composite keys.

use wreath_codecs::{EncodeError, ParamBuf};

use crate::error::Result;
use crate::model::{Column, ColumnType, Source};
use crate::query::{Bound, Projection};

/// A column, or a tuple of up to twelve: what a projection selects, and what a key is made of.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is neither a column of `{M}` nor a tuple of them",
    label = "expected columns of `{M}`"
)]
pub trait Columns<M>: Projection<M> + Copy {
    /// Reads a value of each.
    ///
    /// # Errors
    /// Those of the source.
    fn read<S: Source<M>>(self, s: &mut S) -> Result<Self::Row>;

    /// Appends a parameter for each.
    ///
    /// # Errors
    /// Those of the values' encoding.
    fn bind(self, row: &Self::Row, out: &mut ParamBuf) -> std::result::Result<(), EncodeError>;

    /// Hands a parameter for each to `take`.
    #[doc(hidden)]
    fn bind_each(self, row: &Self::Row, take: &mut dyn FnMut(Bound));

    /// Shows each to `visitor`, in order.
    fn each<V: ColumnVisitor<M>>(self, visitor: &mut V);
}

/// Something that looks at columns one by one.
pub trait ColumnVisitor<M> {
    /// Looks at one.
    fn column<T: ColumnType>(&mut self, column: Column<M, T>);
}

impl<M: 'static, T: ColumnType> Columns<M> for Column<M, T> {
    #[inline]
    fn read<S: Source<M>>(self, s: &mut S) -> Result<T> {
        s.get(self)
    }

    fn bind(self, row: &T, out: &mut ParamBuf) -> std::result::Result<(), EncodeError> {
        out.push(row)
    }

    fn bind_each(self, row: &T, take: &mut dyn FnMut(Bound)) {
        let mut bound = ParamBuf::new();
        take(bound.push(row).map(|()| bound));
    }

    #[inline]
    fn each<V: ColumnVisitor<M>>(self, visitor: &mut V) {
        visitor.column(self);
    }
}

macro_rules! tuples {
    ($($($name:ident $place:tt)+;)+) => {$(
        impl<M, $($name: Columns<M>),+> Columns<M> for ($($name,)+) {
            #[inline]
            fn read<S: Source<M>>(self, s: &mut S) -> Result<Self::Row> {
                Ok(($(self.$place.read(s)?,)+))
            }

            fn bind(self, row: &Self::Row, out: &mut ParamBuf) -> std::result::Result<(), EncodeError> {
                $(self.$place.bind(&row.$place, out)?;)+
                Ok(())
            }

            fn bind_each(self, row: &Self::Row, take: &mut dyn FnMut(Bound)) {
                $(self.$place.bind_each(&row.$place, take);)+
            }

            #[inline]
            fn each<V: ColumnVisitor<M>>(self, visitor: &mut V) {
                $(self.$place.each(visitor);)+
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
