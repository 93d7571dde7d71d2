//! Dates and times.

use wreath_codecs::types::Interval;

use crate::expr::kind::SqlMoment;
use crate::expr::operand::Both;
use crate::expr::ops::operators;
use crate::expr::{Expr, Op, Operand, Tape};
use crate::model::{Column, ColumnType};

/// A part of a point in time, for [`part`](crate::Expr::part) and [`truncate`](crate::Expr::truncate).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum TimePart {
    /// Years.
    Year,
    /// Quarters, from 1.
    Quarter,
    /// Months, from 1.
    Month,
    /// Weeks of the ISO calendar, which begin on Monday.
    Week,
    /// Days of the month.
    Day,
    /// Hours.
    Hour,
    /// Minutes.
    Minute,
    /// Seconds, with their fraction.
    Second,
}

impl TimePart {
    fn name(self) -> &'static str {
        match self {
            Self::Year => "year",
            Self::Quarter => "quarter",
            Self::Month => "month",
            Self::Week => "week",
            Self::Day => "day",
            Self::Hour => "hour",
            Self::Minute => "minute",
            Self::Second => "second",
        }
    }
}

/// What a `T` becomes when an interval is added that is of type `U`.
type Moved<T, U> = Both<T, U, <<T as ColumnType>::Base as SqlMoment>::Moved>;

/// What lies between a `T` and a `U`.
type Between<T, U> = Both<T, U, <<T as ColumnType>::Base as SqlMoment>::Between>;

operators! {
    /// A part of it, as a number.
    ///
    /// ```compile_fail,E0277
    /// # use wreath_orm::{Column, Table, expr::TimePart};
    /// # struct Llama { name: String }
    /// # const TABLE: Table<Llama> = Table::new("llamas");
    /// const NAME: Column<Llama, String> = TABLE.col("name", |l| &l.name);
    /// let _ = NAME.part(TimePart::Year); // `String` is not a point in time
    /// ```
    pub fn part(self, part: TimePart) -> Expr<M, T::Of<f64>>
    where
        T::Base: SqlMoment,
    {
        let mut tape = Tape::default();
        tape.text(part.name());
        tape.append(&self.expr().tape);
        tape.call("date_part", 2);
        Expr::new(tape)
    }

    /// The seconds since 1970, without regard to leap seconds.
    pub fn unix_seconds(self) -> Expr<M, T::Of<f64>>
    where
        T::Base: SqlMoment,
    {
        let mut tape = Tape::default();
        tape.text("epoch");
        tape.append(&self.expr().tape);
        tape.call("date_part", 2);
        Expr::new(tape)
    }

    /// Its year, month, day... begin: with all smaller parts at their least. A time with a zone is truncated in
    /// the zone of the connection.
    pub fn truncate(self, to: TimePart) -> Expr<M, T>
    where
        T::Base: SqlMoment,
    {
        let mut tape = Tape::default();
        tape.text(to.name());
        tape.append(&self.expr().tape);
        tape.call("date_trunc", 2);
        tape.cast::<T>();
        Expr::new(tape)
    }

    /// An interval later; a date becomes a timestamp.
    pub fn plus<O: Operand<M, Interval>>(
        self,
        interval: O,
    ) -> Expr<M, Moved<T, O::Type>>
    where
        T::Base: SqlMoment,
    {
        self.expr().operand(interval).op(Op::Add)
    }

    /// An interval earlier; a date becomes a timestamp.
    pub fn minus<O: Operand<M, Interval>>(
        self,
        interval: O,
    ) -> Expr<M, Moved<T, O::Type>>
    where
        T::Base: SqlMoment,
    {
        self.expr().operand(interval).op(Op::Sub)
    }

    /// What lies between another and it: an interval, and days between two dates.
    pub fn since<O: Operand<M, T::Base>>(
        self,
        other: O,
    ) -> Expr<M, Between<T, O::Type>>
    where
        T::Base: SqlMoment,
    {
        self.expr().operand(other).op(Op::Sub)
    }
}
