//! What operators a type has, as traits: an operator on a column whose type lacks it does not compile.
//!
//! A type of one's own gets operators by implementing the traits that fit it, most of which are empty.

use std::time::SystemTime;

use wreath_codecs::types::{
    Array, Bit, Cidr, Date, Geography, Geometry, HalfVec, Hstore, Inet, Interval, Ltree, MacAddr, MacAddr8,
    Money, Multirange, Numeric, PgLsn, Range, RangeElement, SparseVec, Time, TimeTz, Timestamp, TimestampTz,
    TsQuery, TsVector, Uuid, Vector, Xid8,
};

use crate::model::Value;

/// A type with `=`. Not `point` and `jsonpath`, which have none.
///
/// For a type of one's own: `impl SqlEq for Mood {}`.
#[diagnostic::on_unimplemented(
    message = "values of `{Self}` cannot be compared",
    label = "PostgreSQL has no `=` for it",
    note = "for a type of your own, `impl SqlEq for {Self} {{}}`"
)]
pub trait SqlEq: Value {}

/// A type with an order that means something: `<`, `max`, `ORDER BY`. Not `jsonb` and vectors, whose order is
/// the server's own affair.
#[diagnostic::on_unimplemented(
    message = "values of `{Self}` have no order",
    label = "`<` and its kin, `min`, `max` and sorting mean nothing for it",
    note = "for a type of your own, `impl SqlOrd for {Self} {{}}`"
)]
pub trait SqlOrd: SqlEq {}

/// Text: `LIKE`, `lower`, `||`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not text",
    label = "patterns and functions of text mean nothing for it"
)]
pub trait SqlText: SqlOrd {}

/// A number: `+`, `-`, `*`, `/`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a number",
    label = "arithmetic means nothing for it"
)]
pub trait SqlNumber: SqlSum + SqlMean {}

/// A whole number of a fixed width: `&`, `|`, shifts.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a whole number of a fixed width",
    label = "operators on bits mean nothing for it"
)]
pub trait SqlInteger: SqlNumber {}

/// A type that can be summed up.
#[diagnostic::on_unimplemented(message = "values of `{Self}` cannot be summed up")]
pub trait SqlSum: SqlOrd {
    /// The type of a sum, which PostgreSQL makes wide enough.
    type Sum: Value;
}

/// A type that has averages.
#[diagnostic::on_unimplemented(message = "values of `{Self}` have no average")]
pub trait SqlMean: SqlOrd {
    /// The type of an average.
    type Mean: Value;
}

/// A point in time: a date, a timestamp.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a point in time",
    label = "it has no year and no time of day, and no interval can be added"
)]
pub trait SqlMoment: SqlOrd {
    /// What it becomes when an interval is added: a date becomes a timestamp.
    type Moved: Value;
    /// What lies between two: an interval, and days between dates.
    type Between: Value;
}

/// An array.
#[diagnostic::on_unimplemented(message = "`{Self}` is not an array", label = "it has no elements")]
pub trait SqlArray: Value {
    /// The type of its elements.
    type Element: Value;
}

/// A range, or a set of ranges.
#[diagnostic::on_unimplemented(message = "`{Self}` is not a range", label = "it has no bounds")]
pub trait SqlRange: SqlOrd {
    /// The type of its bounds.
    type Bound: Value;
    /// One range of this type: itself, unless it is a set of them.
    type Single: Value;
}

/// jsonb.
#[diagnostic::on_unimplemented(message = "`{Self}` is not jsonb", label = "it has no keys and no paths")]
pub trait SqlJson: Value {}

/// A vector of pgvector.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a vector",
    label = "distances are between vectors: `Vector`, `HalfVec`, `SparseVec`"
)]
pub trait SqlVector: Value {}

/// A set whose members can be asked for: `<@`.
#[diagnostic::on_unimplemented(
    message = "a value of `{Self}` is contained in nothing",
    label = "expected an array, a range or jsonb"
)]
pub trait SqlSet: Value {}

/// Sets that can have members in common: `&&`.
#[diagnostic::on_unimplemented(
    message = "values of `{Self}` have nothing in common",
    label = "expected an array or a range"
)]
pub trait SqlOverlap: SqlSet {}

/// One row a type: the type, and its traits without items.
macro_rules! kinds {
    ($($t:ty: $($kind:ident)+;)*) => {$($(impl $kind for $t {})+)*};
}

/// One row a type: what its sums and averages are.
macro_rules! numbers {
    ($($t:ty, $sum:ty, $mean:ty;)*) => {$(
        impl SqlSum for $t {
            type Sum = $sum;
        }
        impl SqlMean for $t {
            type Mean = $mean;
        }
        impl SqlNumber for $t {}
    )*};
}

/// One row a type: what it becomes when an interval is added, and what lies between two.
macro_rules! moments {
    ($($t:ty, $moved:ty, $between:ty;)*) => {$(
        impl SqlMoment for $t {
            type Moved = $moved;
            type Between = $between;
        }
    )*};
}

kinds! {
    bool: SqlEq SqlOrd;
    i16: SqlEq SqlOrd SqlInteger;
    i32: SqlEq SqlOrd SqlInteger;
    i64: SqlEq SqlOrd SqlInteger;
    u32: SqlEq SqlOrd;
    f32: SqlEq SqlOrd;
    f64: SqlEq SqlOrd;
    Numeric: SqlEq SqlOrd;
    String: SqlEq SqlOrd SqlText;
    Uuid: SqlEq SqlOrd;
    Date: SqlEq SqlOrd;
    Time: SqlEq SqlOrd;
    TimeTz: SqlEq SqlOrd;
    Timestamp: SqlEq SqlOrd;
    TimestampTz: SqlEq SqlOrd;
    SystemTime: SqlEq SqlOrd;
    Interval: SqlEq SqlOrd;
    Money: SqlEq SqlOrd;
    Inet: SqlEq SqlOrd;
    Cidr: SqlEq SqlOrd;
    MacAddr: SqlEq SqlOrd;
    MacAddr8: SqlEq SqlOrd;
    Bit: SqlEq SqlOrd;
    PgLsn: SqlEq SqlOrd;
    Xid8: SqlEq SqlOrd;
    Ltree: SqlEq SqlOrd;
    TsVector: SqlEq;
    TsQuery: SqlEq;
    Hstore: SqlEq;
    Vector: SqlEq SqlVector;
    HalfVec: SqlEq SqlVector;
    SparseVec: SqlEq SqlVector;
    Geometry: SqlEq;
    Geography: SqlEq;
}

numbers! {
    i16, i64, Numeric;
    i32, i64, Numeric;
    i64, Numeric, Numeric;
    f32, f32, f64;
    f64, f64, f64;
    Numeric, Numeric, Numeric;
}

moments! {
    Date, Timestamp, i32;
    Timestamp, Timestamp, Interval;
    TimestampTz, TimestampTz, Interval;
    SystemTime, SystemTime, Interval;
}

impl SqlSum for Interval {
    type Sum = Self;
}
impl SqlMean for Interval {
    type Mean = Self;
}
impl SqlSum for Money {
    type Sum = Self;
}

/// The traits of arrays, for each form of them.
macro_rules! arrays {
    ($($array:ty, of $t:ident;)*) => {$(
        impl<$t: SqlEq> SqlEq for $array {}
        impl<$t: SqlOrd> SqlOrd for $array {}
        impl<$t: SqlEq> SqlSet for $array {}
        impl<$t: SqlEq> SqlOverlap for $array {}
        impl<$t: Value> SqlArray for $array {
            type Element = $t;
        }
    )*};
}

arrays! {
    Vec<T>, of T;
    Vec<Option<T>>, of T;
    Array<T>, of T;
}

/// Bytes are no array, though they are a `Vec`.
impl SqlEq for Vec<u8> {}
impl SqlOrd for Vec<u8> {}

/// The traits of ranges, for one and for sets of them.
macro_rules! ranges {
    ($($range:ident;)*) => {$(
        impl<T: RangeElement> SqlEq for $range<T> where Self: Value {}
        impl<T: RangeElement> SqlOrd for $range<T> where Self: Value {}
        impl<T: RangeElement> SqlSet for $range<T> where Self: Value {}
        impl<T: RangeElement> SqlOverlap for $range<T> where Self: Value {}
        impl<T: RangeElement + Value> SqlRange for $range<T>
        where
            Self: Value,
            Range<T>: Value,
        {
            type Bound = T;
            type Single = Range<T>;
        }
    )*};
}

ranges! {
    Range;
    Multirange;
}

#[cfg(feature = "uuid")]
kinds! { uuid::Uuid: SqlEq SqlOrd; }

#[cfg(feature = "serde_json")]
mod json {
    use wreath_codecs::types::Json;

    use super::{SqlEq, SqlJson, SqlSet, Value};

    kinds! { serde_json::Value: SqlEq SqlJson SqlSet; }

    impl<T> SqlEq for Json<T> where Self: Value {}
    impl<T> SqlJson for Json<T> where Self: Value {}
    impl<T> SqlSet for Json<T> where Self: Value {}
}

#[cfg(feature = "bigdecimal")]
mod bigdecimal {
    use bigdecimal::BigDecimal;

    use super::{SqlEq, SqlMean, SqlNumber, SqlOrd, SqlSum};

    kinds! { BigDecimal: SqlEq SqlOrd; }
    numbers! { BigDecimal, Self, Self; }
}

#[cfg(feature = "chrono")]
mod chrono {
    use chrono::{DateTime, FixedOffset, NaiveDate, NaiveDateTime, NaiveTime, Utc};
    use wreath_codecs::types::Interval;

    use super::{SqlEq, SqlMoment, SqlOrd};

    kinds! {
        NaiveDate: SqlEq SqlOrd;
        NaiveTime: SqlEq SqlOrd;
        NaiveDateTime: SqlEq SqlOrd;
        DateTime<Utc>: SqlEq SqlOrd;
        DateTime<FixedOffset>: SqlEq SqlOrd;
    }
    moments! {
        NaiveDate, NaiveDateTime, i32;
        NaiveDateTime, Self, Interval;
        DateTime<Utc>, Self, Interval;
        DateTime<FixedOffset>, Self, Interval;
    }
}

#[cfg(feature = "ipnet")]
kinds! { ipnet::IpNet: SqlEq SqlOrd; }

#[cfg(feature = "jiff")]
mod jiff {
    use jiff::civil;
    use wreath_codecs::types::Interval;

    use super::{SqlEq, SqlMoment, SqlOrd};

    kinds! {
        civil::Date: SqlEq SqlOrd;
        civil::Time: SqlEq SqlOrd;
        civil::DateTime: SqlEq SqlOrd;
        jiff::Timestamp: SqlEq SqlOrd;
    }
    moments! {
        civil::Date, civil::DateTime, i32;
        civil::DateTime, Self, Interval;
        jiff::Timestamp, Self, Interval;
    }
}

#[cfg(feature = "rust_decimal")]
mod rust_decimal {
    use rust_decimal::Decimal;

    use super::{SqlEq, SqlMean, SqlNumber, SqlOrd, SqlSum};

    kinds! { Decimal: SqlEq SqlOrd; }
    numbers! { Decimal, Self, Self; }
}

#[cfg(feature = "time")]
mod time {
    use time::{OffsetDateTime, PrimitiveDateTime, UtcDateTime};
    use wreath_codecs::types::Interval;

    use super::{SqlEq, SqlMoment, SqlOrd};

    kinds! {
        time::Date: SqlEq SqlOrd;
        time::Time: SqlEq SqlOrd;
        PrimitiveDateTime: SqlEq SqlOrd;
        OffsetDateTime: SqlEq SqlOrd;
        UtcDateTime: SqlEq SqlOrd;
    }
    moments! {
        time::Date, PrimitiveDateTime, i32;
        PrimitiveDateTime, Self, Interval;
        OffsetDateTime, Self, Interval;
        UtcDateTime, Self, Interval;
    }
}
