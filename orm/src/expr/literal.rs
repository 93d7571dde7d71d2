//! Constants that are part of a shape.

use crate::expr::{Expr, Op, Tape};
use crate::model::Value;

/// A constant that [`lit`] takes: a whole number, a truth value, a text that is part of the program.
pub trait Literal: sealed::Sealed {
    /// Its type as a value.
    type Type: Value;

    #[doc(hidden)]
    fn write(self, out: &mut sealed::Out<'_>);
}

mod sealed {
    pub trait Sealed {}

    /// The tape that a constant is written on.
    #[derive(Debug)]
    pub struct Out<'a>(pub(super) &'a mut super::Tape);
}

/// A constant in the SQL itself, not as a parameter: where a partial index has to be recognised, or the planner
/// should estimate for this very value. Each constant makes a shape of its own, so it is for those that the
/// program has, not for what it is given; a text has to be `'static` for that reason.
///
/// ```
/// use wreath_orm::expr::lit;
/// use wreath_orm::{Column, Table};
///
/// struct Job { state: String, tries: i32 }
/// impl Job {
///     const TABLE: Table<Self> = Table::new("jobs");
///     const STATE: Column<Self, String> = Self::TABLE.col("state", |j| &j.state);
///     const TRIES: Column<Self, i32> = Self::TABLE.col("tries", |j| &j.tries);
/// }
/// let pred = Job::STATE.eq_to(lit("open")).and(Job::TRIES.lt_to(lit(3)));
/// assert_eq!(format!("{pred:?}"), r#"Pred(t0."state" = 'open' AND t0."tries" < '3'::int4)"#);
/// ```
pub fn lit<M, L: Literal>(constant: L) -> Expr<M, L::Type> {
    let mut tape = Tape::default();
    constant.write(&mut sealed::Out(&mut tape));
    Expr::new(tape)
}

/// Whole numbers.
macro_rules! numbers {
    ($($t:ty)+) => {$(
        impl sealed::Sealed for $t {}

        impl Literal for $t {
            type Type = Self;

            fn write(self, out: &mut sealed::Out<'_>) {
                out.0.op(Op::Number);
                out.0.word(i64::from(self).cast_unsigned());
                out.0.cast::<Self>();
            }
        }
    )+};
}

numbers! { i16 i32 i64 }

impl sealed::Sealed for bool {}

impl Literal for bool {
    type Type = Self;

    fn write(self, out: &mut sealed::Out<'_>) {
        out.0.raw(if self { "TRUE" } else { "FALSE" });
    }
}

impl sealed::Sealed for &'static str {}

impl Literal for &'static str {
    type Type = String;

    fn write(self, out: &mut sealed::Out<'_>) {
        out.0.text(self);
    }
}
