//! What the criterion benches share: the rows and messages that they work on.

#![forbid(unsafe_code)]

use wreath_codecs::types::{Numeric, TimestampTz, Uuid};

/// A row of ten columns of the types that applications use, as `benches/peers` has them.
#[derive(Clone, Debug)]
pub struct Wide {
    /// int8.
    pub id: i64,
    /// int4.
    pub qty: i32,
    /// text.
    pub title: String,
    /// varchar.
    pub code: String,
    /// bool.
    pub active: bool,
    /// float8.
    pub score: f64,
    /// timestamptz.
    pub created_at: TimestampTz,
    /// uuid.
    pub token: Uuid,
    /// numeric.
    pub price: Numeric,
    /// jsonb, as its text.
    pub attrs: String,
}

impl Wide {
    /// The `i`th row.
    ///
    /// # Panics
    /// Never: its values are fixed.
    pub fn new(i: i32) -> Self {
        Self {
            id: i64::from(i),
            qty: i.wrapping_mul(7919) % 100_000,
            title: format!("Title of row {i}{}", ".".repeat(usize::try_from(i % 24).unwrap_or_default())),
            code: format!("C-{i:08}"),
            active: i % 3 == 0,
            score: f64::from(i) / 7.0,
            created_at: "2024-01-01 00:00:00+00".parse().expect("a timestamp"),
            token: Uuid::from_bytes([u8::try_from(i % 256).unwrap_or_default(); 16]),
            price: format!("{i}.34").parse().expect("a number"),
            attrs: format!(r#"{{"kind": "k{}", "n": {i}, "on": {}}}"#, i % 10, i % 2 == 0),
        }
    }
}
