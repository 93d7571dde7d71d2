//! Containment: of text in text, of elements in arrays and ranges, of documents in jsonb.

use wreath_codecs::Encode;
use wreath_codecs::types::{Array, Multirange, Range, RangeElement};

use crate::expr::kind::{SqlEq, SqlOverlap, SqlSet};
use crate::expr::ops::operators;
use crate::expr::ops::text::Around;
use crate::expr::{Expr, Op, Pred, Tape};
use crate::model::{Column, ColumnType, Value};

/// A type whose values contain others: text, arrays, ranges, jsonb.
#[diagnostic::on_unimplemented(
    message = "values of `{Self}` contain nothing",
    label = "expected text, an array, a range or jsonb"
)]
pub trait SqlContains: Value {
    /// What is contained.
    type Part<'a>;

    #[doc(hidden)]
    fn write(part: Self::Part<'_>, out: &mut Containment<'_>);
}

/// The tape that a containment is written on, behind what contains.
#[derive(Debug)]
pub struct Containment<'a>(&'a mut Tape);

impl Containment<'_> {
    fn of(&mut self, part: &impl Encode, op: Op) {
        self.0.param(part);
        self.0.op(op);
    }
}

/// A text contains another; in the other, no character has a meaning.
impl SqlContains for String {
    type Part<'a> = &'a str;

    fn write(part: &str, out: &mut Containment<'_>) {
        out.of(&Around { before: true, text: part, after: true }, Op::Like);
    }
}

/// An array contains all elements of another.
impl<T: SqlEq> SqlContains for Vec<T> {
    type Part<'a> = &'a [T];

    fn write(part: &[T], out: &mut Containment<'_>) {
        out.0.array(T::ARRAY, T::OID, part);
        out.0.op(Op::Contains);
    }
}

/// An array contains all elements of another.
impl<T: SqlEq> SqlContains for Vec<Option<T>> {
    type Part<'a> = &'a [T];

    fn write(part: &[T], out: &mut Containment<'_>) {
        out.0.array(T::ARRAY, T::OID, part);
        out.0.op(Op::Contains);
    }
}

/// An array contains all elements of another.
impl<T: SqlEq> SqlContains for Array<T> {
    type Part<'a> = &'a [T];

    fn write(part: &[T], out: &mut Containment<'_>) {
        out.0.array(T::ARRAY, T::OID, part);
        out.0.op(Op::Contains);
    }
}

/// A range contains a value.
impl<T: Value + RangeElement> SqlContains for Range<T>
where
    Self: Value,
{
    type Part<'a> = T::Arg<'a>;

    fn write(part: T::Arg<'_>, out: &mut Containment<'_>) {
        out.of(&part, Op::Contains);
    }
}

/// A set of ranges contains a value.
impl<T: Value + RangeElement> SqlContains for Multirange<T>
where
    Self: Value,
{
    type Part<'a> = T::Arg<'a>;

    fn write(part: T::Arg<'_>, out: &mut Containment<'_>) {
        out.of(&part, Op::Contains);
    }
}

#[cfg(feature = "serde_json")]
mod json {
    use wreath_codecs::types::Json;

    use super::{Containment, Op, SqlContains, Value};

    /// A document contains another: all of its keys with what they hold, and all elements of its arrays.
    impl SqlContains for serde_json::Value {
        type Part<'a> = &'a Self;

        fn write(part: &Self, out: &mut Containment<'_>) {
            out.of(part, Op::Contains);
        }
    }

    /// A document contains another: all of its keys with what they hold, and all elements of its arrays.
    impl<T> SqlContains for Json<T>
    where
        Self: Value,
    {
        type Part<'a> = &'a serde_json::Value;

        fn write(part: &serde_json::Value, out: &mut Containment<'_>) {
            out.of(part, Op::Contains);
        }
    }
}

operators! {
    /// It contains this: a text another text (`LIKE '%...%'`, in which no character has a meaning), an array all
    /// elements of a list (`@>`), a range a value, a jsonb document another one.
    ///
    /// ```
    /// use wreath_orm::{Column, Table, codecs::types::{Date, Range}};
    ///
    /// struct Stay { notes: String, tags: Vec<String>, days: Range<Date> }
    /// impl Stay {
    ///     const TABLE: Table<Self> = Table::new("stays");
    ///     const NOTES: Column<Self, String> = Self::TABLE.col("notes", |s| &s.notes);
    ///     const TAGS: Column<Self, Vec<String>> = Self::TABLE.col("tags", |s| &s.tags);
    ///     const DAYS: Column<Self, Range<Date>> = Self::TABLE.col("days", |s| &s.days);
    /// }
    /// let day = "2026-05-04".parse().expect("a day");
    /// let pred = Stay::NOTES.contains("100%").and(Stay::TAGS.contains(&["vip".into()])).and(Stay::DAYS.contains(day));
    /// assert_eq!(format!("{pred:?}"), r#"Pred(t0."notes" LIKE $1 AND t0."tags" @> $2 AND t0."days" @> $3)"#);
    /// ```
    pub fn contains(self, part: <T::Base as SqlContains>::Part<'_>) -> Pred<M>
    where
        T::Base: SqlContains,
    {
        let mut tape = self.expr().tape;
        T::Base::write(part, &mut Containment(&mut tape));
        Pred::new(tape)
    }

    /// `<@`: all of it is in this: an array's elements in a list, a range in another, a document in another.
    pub fn contained_by(self, whole: <T::Base as Value>::Arg<'_>) -> Pred<M>
    where
        T::Base: SqlSet,
    {
        self.expr().param(&whole).pred(Op::ContainedBy)
    }

    /// `&&`: both have something in common.
    ///
    /// ```compile_fail,E0277
    /// # use wreath_orm::{Column, Table};
    /// # struct Llama { age: i32 }
    /// # const TABLE: Table<Llama> = Table::new("llamas");
    /// const AGE: Column<Llama, i32> = TABLE.col("age", |l| &l.age);
    /// let _ = AGE.overlaps(7); // values of `i32` have nothing in common
    /// ```
    pub fn overlaps(self, other: <T::Base as Value>::Arg<'_>) -> Pred<M>
    where
        T::Base: SqlOverlap,
    {
        self.expr().param(&other).pred(Op::Overlaps)
    }
}
