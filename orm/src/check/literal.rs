//! Values as literals of SQL, for conditions that a table holds.

use wreath_codecs::types::{Datum, Value};
use wreath_codecs::{Encode, Encoder, PgType};

use crate::model::stand_in;

/// The value as a quoted literal, whose type the server infers; `None` where it has no text form here.
pub(super) fn literal<T: PgType + Encode>(value: &T) -> Option<String> {
    let mut bytes = Encoder::new();
    value.encode(&mut bytes).ok()?;
    let value = Value::decode(&stand_in(T::OID), Some(bytes.as_bytes())).ok()?;
    let text = match value.datum() {
        // An enum, whose labels are its binary form.
        Some(Datum::Opaque(label)) => String::from_utf8(label.clone()).ok()?,
        _ => value.to_string(),
    };
    Some(format!("'{}'", text.replace('\'', "''")))
}

/// A list of literals.
pub(super) fn literals<T: PgType + Encode>(values: &[T]) -> Option<String> {
    let all: Option<Vec<_>> = values.iter().map(literal).collect();
    all.map(|all| all.join(", "))
}
