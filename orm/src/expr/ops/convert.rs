//! Conversions.

use std::time::SystemTime;

use wreath_codecs::types::{Date, Interval, Numeric, Time, Timestamp, TimestampTz, Uuid};

use crate::expr::Expr;
use crate::expr::ops::operators;
use crate::model::{Column, ColumnType, Value};

/// A type that can be converted to `U`: between numbers, between points in time, and from text to whatever text
/// can be read as, for which the server refuses what is malformed.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not converted to `{U}`",
    note = "`text()` makes text of anything"
)]
pub trait SqlCast<U: Value>: Value {}

/// One row a type: what it is converted to.
macro_rules! casts {
    ($($from:ty => $($to:ty)+;)*) => {$($(impl SqlCast<$to> for $from {})+)*};
}

casts! {
    bool => i32;
    i16 => i32 i64 f32 f64 Numeric;
    i32 => bool i16 i64 f32 f64 Numeric;
    i64 => i16 i32 f32 f64 Numeric;
    f32 => i16 i32 i64 f64 Numeric;
    f64 => i16 i32 i64 f32 Numeric;
    Numeric => i16 i32 i64 f32 f64;
    String => bool i16 i32 i64 f32 f64 Numeric Date Time Timestamp TimestampTz SystemTime Interval Uuid;
    Date => Timestamp TimestampTz SystemTime;
    Timestamp => Date Time TimestampTz SystemTime;
    TimestampTz => Date Time Timestamp SystemTime;
    SystemTime => Date Time Timestamp TimestampTz;
    Time => Interval;
    Interval => Time;
}

#[cfg(feature = "uuid")]
casts! { String => uuid::Uuid; }
#[cfg(feature = "serde_json")]
casts! { String => serde_json::Value; }

operators! {
    /// Converted, as PostgreSQL does it: `::`. A number that does not fit into the other type fails the
    /// statement.
    ///
    /// ```
    /// use wreath_orm::{Column, Table};
    ///
    /// struct Llama { id: i64, age: i32 }
    /// impl Llama {
    ///     const TABLE: Table<Self> = Table::new("llamas");
    ///     const ID: Column<Self, i64> = Self::TABLE.col("id", |l| &l.id);
    ///     const AGE: Column<Self, i32> = Self::TABLE.col("age", |l| &l.age);
    /// }
    /// let pred = Llama::ID.eq_to(Llama::AGE.cast::<i64>());
    /// assert_eq!(format!("{pred:?}"), r#"Pred(t0."id" = t0."age"::int8)"#);
    /// ```
    pub fn cast<U: Value>(self) -> Expr<M, T::Of<U>>
    where
        T::Base: SqlCast<U>,
    {
        let mut expr = self.expr();
        expr.tape.cast::<U>();
        expr.typed()
    }

    /// As text, as the server prints it.
    pub fn text(self) -> Expr<M, T::Of<String>> {
        let mut expr = self.expr();
        expr.tape.cast::<String>();
        expr.typed()
    }
}
