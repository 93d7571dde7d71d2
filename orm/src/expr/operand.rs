//! The operators of columns.

use crate::expr::{Aliased, Op, Order, Pred, Tape, order};
use crate::model::{Column, ColumnType, Element, Value};
use crate::plan::hash;
use wreath_codecs::PgType;

/// Something with a value of type `V` (or NULL) in a condition about `M`: a column, or a column of an alias.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not something of type `{V}` in a condition about `{M}`",
    label = "expected a column of `{M}`, or of an alias, whose values are `{V}`"
)]
pub trait Operand<M, V>: Copy + sealed::Sealed {
    #[doc(hidden)]
    fn write(self, out: &mut sealed::Out<'_>);
}

mod sealed {
    pub trait Sealed {}

    /// The tape that an operand writes itself on.
    #[derive(Debug)]
    pub struct Out<'a>(pub(super) &'a mut super::Tape);
}

impl<M, T: ColumnType> sealed::Sealed for Column<M, T> {}

impl<M, T: ColumnType> Operand<M, T::Base> for Column<M, T> {
    #[inline]
    fn write(self, out: &mut sealed::Out<'_>) {
        out.0.op(Op::Column);
        out.0.word(self.word());
        out.0.name(self.name());
    }
}

impl<N, T: ColumnType> sealed::Sealed for Aliased<N, T> {}

impl<M, N, T: ColumnType> Operand<M, T::Base> for Aliased<N, T> {
    fn write(self, out: &mut sealed::Out<'_>) {
        out.0.op(Op::Aliased);
        out.0.word(hash::name(self.alias.name()));
        out.0.word(self.column.word());
        out.0.name(self.alias.name());
        out.0.name(self.column.name());
    }
}

/// An expression that is an operand alone.
pub(crate) fn tape_of<M, V, O: Operand<M, V>>(operand: O) -> Tape {
    let mut tape = Tape::default();
    operand.write(&mut sealed::Out(&mut tape));
    tape
}

fn unary<M, V, O: Operand<M, V>>(operand: O, op: Op) -> Pred<M> {
    let mut tape = tape_of(operand);
    tape.op(op);
    Pred::new(tape)
}

fn with_value<M, V: Value, O: Operand<M, V>>(operand: O, value: &V::Arg<'_>, op: Op) -> Pred<M> {
    let mut tape = tape_of(operand);
    tape.param(value);
    tape.op(op);
    Pred::new(tape)
}

fn with_operand<M, V, O: Operand<M, V>>(operand: O, other: impl Operand<M, V>, op: Op) -> Pred<M> {
    let mut tape = tape_of(operand);
    other.write(&mut sealed::Out(&mut tape));
    tape.op(op);
    Pred::new(tape)
}

/// The comparisons, once for each form of operand: `to` compares with a value, `to_operand` with another
/// operand.
macro_rules! operators {
    ($([$($generics:tt)*] $operand:ty, about $m:ident, in_method [$($free:tt)*];)*) => {$(
        impl<$($generics)*> $operand {
            /// `=`. A column that may be NULL is compared with a value too: `eq(None)` does not compile,
            /// for it could mean nothing; see [`is_null`](Self::is_null).
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
            pub fn eq<$($free)*>(self, value: <T::Base as Value>::Arg<'_>) -> Pred<$m> {
                with_value::<$m, T::Base, _>(self, &value, Op::Eq)
            }

            /// `<>`
            pub fn ne<$($free)*>(self, value: <T::Base as Value>::Arg<'_>) -> Pred<$m> {
                with_value::<$m, T::Base, _>(self, &value, Op::Ne)
            }

            /// `<`
            pub fn lt<$($free)*>(self, value: <T::Base as Value>::Arg<'_>) -> Pred<$m> {
                with_value::<$m, T::Base, _>(self, &value, Op::Lt)
            }

            /// `<=`
            pub fn le<$($free)*>(self, value: <T::Base as Value>::Arg<'_>) -> Pred<$m> {
                with_value::<$m, T::Base, _>(self, &value, Op::Le)
            }

            /// `>`
            pub fn gt<$($free)*>(self, value: <T::Base as Value>::Arg<'_>) -> Pred<$m> {
                with_value::<$m, T::Base, _>(self, &value, Op::Gt)
            }

            /// `>=`
            pub fn ge<$($free)*>(self, value: <T::Base as Value>::Arg<'_>) -> Pred<$m> {
                with_value::<$m, T::Base, _>(self, &value, Op::Ge)
            }

            /// `=` with another column
            pub fn eq_to<$($free)*>(self, other: impl Operand<$m, T::Base>) -> Pred<$m> {
                with_operand::<$m, T::Base, _>(self, other, Op::Eq)
            }

            /// `<>` with another column
            pub fn ne_to<$($free)*>(self, other: impl Operand<$m, T::Base>) -> Pred<$m> {
                with_operand::<$m, T::Base, _>(self, other, Op::Ne)
            }

            /// `<` another column
            pub fn lt_to<$($free)*>(self, other: impl Operand<$m, T::Base>) -> Pred<$m> {
                with_operand::<$m, T::Base, _>(self, other, Op::Lt)
            }

            /// `<=` another column
            pub fn le_to<$($free)*>(self, other: impl Operand<$m, T::Base>) -> Pred<$m> {
                with_operand::<$m, T::Base, _>(self, other, Op::Le)
            }

            /// `>` another column
            pub fn gt_to<$($free)*>(self, other: impl Operand<$m, T::Base>) -> Pred<$m> {
                with_operand::<$m, T::Base, _>(self, other, Op::Gt)
            }

            /// `>=` another column
            pub fn ge_to<$($free)*>(self, other: impl Operand<$m, T::Base>) -> Pred<$m> {
                with_operand::<$m, T::Base, _>(self, other, Op::Ge)
            }

            /// One of these values: anything that iterates over values or references to them, such as `[1,
            /// 2]`, `&ids`, `&names`. However many there are, they are one parameter, an array; of none,
            /// nothing is one.
            pub fn any<$($free)*>(self, values: impl IntoIterator<Item: Element<T::Base>>) -> Pred<$m> {
                let mut tape = tape_of::<$m, T::Base, _>(self);
                tape.array(<T::Base as PgType>::ARRAY, <T::Base as PgType>::OID, values);
                tape.op(Op::Any);
                Pred::new(tape)
            }

            /// Rows in ascending order.
            pub fn asc<$($free)*>(self) -> Order<$m> {
                Order::new(tape_of::<$m, T::Base, _>(self), 0)
            }

            /// Rows in descending order.
            pub fn desc<$($free)*>(self) -> Order<$m> {
                Order::new(tape_of::<$m, T::Base, _>(self), order::DESC)
            }
        }
    )*};
}

operators! {
    [M, T: ColumnType] Column<M, T>, about M, in_method [];
    [N, T: ColumnType] Aliased<N, T>, about M, in_method [M];
}

impl<M, V: Value> Column<M, Option<V>> {
    /// `IS NULL`. Only a column that may be NULL can be asked:
    ///
    /// ```compile_fail,E0599
    /// # use wreath_orm::{Column, Table};
    /// # struct Llama { name: String }
    /// # const TABLE: Table<Llama> = Table::new("llamas");
    /// const NAME: Column<Llama, String> = TABLE.col("name", |l| &l.name);
    /// let _ = NAME.is_null();
    /// ```
    pub fn is_null(self) -> Pred<M> {
        unary::<M, V, _>(self, Op::IsNull)
    }

    /// `IS NOT NULL`
    pub fn is_not_null(self) -> Pred<M> {
        unary::<M, V, _>(self, Op::IsNotNull)
    }
}

impl<N, V: Value> Aliased<N, Option<V>> {
    /// `IS NULL`
    pub fn is_null<M>(self) -> Pred<M> {
        unary::<M, V, _>(self, Op::IsNull)
    }

    /// `IS NOT NULL`
    pub fn is_not_null<M>(self) -> Pred<M> {
        unary::<M, V, _>(self, Op::IsNotNull)
    }
}
