//! The JSON form of values: which JSON each PostgreSQL type is read from.
//!
//! | type | JSON |
//! |---|---|
//! | bool | `true`, `false` |
//! | integers, oid | a number without point and exponent |
//! | floats | a number |
//! | numeric | a number, or the same as a string; read as it is written, never as a float |
//! | json, jsonb | any JSON |
//! | arrays of one dimension | an array |
//! | everything else | a string in the server's text form; of dates and times the ISO form |

use serde_json::value::RawValue;
use wreath_codecs::types::{RawJson, Value};
use wreath_codecs::{Encode, Encoder, Kind, Oid, Type, oid};

use crate::model::{Declared, stand_in};

/// Why JSON is no value of a type, and where within an array.
#[derive(Debug)]
pub(super) struct Unfit {
    pub(super) items: Vec<usize>,
    pub(super) message: String,
}

/// The type that a column's JSON is of: its own, where one that has a name is an enum if the Rust type reads enums.
pub(super) fn type_of(column: &Declared) -> Type {
    let ty = stand_in(column.oid);
    let as_enum = |ty: &Type| {
        let mut data = ty.data().clone();
        data.kind = Kind::Enum(Vec::new());
        Type::looked_up(data)
    };
    let other = match (column.oid, ty.kind()) {
        (Oid::Named(_), _) => as_enum(&ty),
        (Oid::ArrayOf(_), Kind::Array(element)) => {
            let mut data = ty.data().clone();
            data.kind = Kind::Array(as_enum(element));
            Type::looked_up(data)
        }
        _ => return ty,
    };
    if (column.accepts)(&other) { other } else { ty }
}

/// Reads a value: what it is as it travels, `None` for NULL.
pub(super) fn read(ty: &Type, nullable: bool, raw: &RawValue) -> Result<Option<Box<[u8]>>, Unfit> {
    let is_json = matches!(ty.base().oid(), oid::JSON | oid::JSONB);
    if raw.get() == "null" && (nullable || !is_json) {
        return Ok(None);
    }
    let mut out = Encoder::new();
    put(ty, raw.get(), &mut out)?;
    Ok(Some(out.as_bytes().into()))
}

fn put(ty: &Type, raw: &str, out: &mut Encoder) -> Result<(), Unfit> {
    let ty = ty.base();
    let unfit = |message: String| Unfit { items: Vec::new(), message };
    if let Kind::Array(element) = ty.kind() {
        return put_array(element, raw, out);
    }
    let form = Form::of(ty);
    let first = raw.bytes().next().unwrap_or_default();
    let text = match (form, first) {
        (Form::Json, _) if ty.oid() == oid::JSON => return raw.encode(out).map_err(|e| unfit(e.to_string())),
        (Form::Json, _) => return RawJson::new(raw).encode(out).map_err(|e| unfit(e.to_string())),
        (Form::Bool, b't' | b'f') => raw.to_owned(),
        (Form::Integer, b'-' | b'0'..=b'9') if !raw.contains(['.', 'e', 'E']) => raw.to_owned(),
        (Form::Float, b'-' | b'0'..=b'9') => match raw.parse::<f64>() {
            Ok(n) if n.is_finite() => raw.to_owned(),
            _ => return Err(unfit("is out of range".to_owned())),
        },
        (Form::Decimal, b'-' | b'0'..=b'9') => raw.to_owned(),
        (Form::Decimal | Form::Text, b'"') => {
            serde_json::from_str(raw).map_err(|e| unfit(format!("is no text: {e}")))?
        }
        _ => return Err(unfit(format!("must be {}", form.expected()))),
    };
    let value = Value::parse(ty, &text).map_err(|e| unfit(e.to_string()))?;
    value.encode(out).map_err(|e| unfit(e.to_string()))
}

/// Appends an array of one dimension, in the form of PostgreSQL's `array_recv`.
fn put_array(element: &Type, raw: &str, out: &mut Encoder) -> Result<(), Unfit> {
    let items: Vec<&RawValue> = match raw.starts_with('[').then(|| serde_json::from_str(raw)) {
        Some(Ok(items)) => items,
        _ => return Err(Unfit { items: Vec::new(), message: "must be an array".to_owned() }),
    };
    let count = i32::try_from(items.len());
    let count = count.map_err(|_| Unfit { items: Vec::new(), message: "has too many items".to_owned() })?;
    out.put_i32(i32::from(count > 0)); // dimensions
    out.put_i32(1); // there may be NULLs
    out.put_oid(Oid::Fixed(element.oid()));
    if count > 0 {
        out.put_i32(count);
        out.put_i32(1); // the number of the first
    }
    for (place, item) in items.into_iter().enumerate() {
        let at = |mut unfit: Unfit| {
            unfit.items.insert(0, place);
            unfit
        };
        match read(element, true, item).map_err(at)? {
            None => out.put_i32(-1),
            Some(bytes) => {
                let sized = out.put_sized(|out| {
                    out.put(&bytes);
                    Ok(())
                });
                sized.map_err(|e| Unfit { items: vec![place], message: e.to_string() })?;
            }
        }
    }
    Ok(())
}

/// Which JSON a type is read from.
#[derive(Clone, Copy, Debug)]
enum Form {
    Bool,
    Integer,
    Float,
    Decimal,
    Json,
    Text,
}

impl Form {
    fn of(ty: &Type) -> Self {
        match ty.oid() {
            oid::BOOL => Self::Bool,
            oid::INT2 | oid::INT4 | oid::INT8 | oid::OID => Self::Integer,
            oid::FLOAT4 | oid::FLOAT8 => Self::Float,
            oid::NUMERIC => Self::Decimal,
            oid::JSON | oid::JSONB => Self::Json,
            _ => Self::Text,
        }
    }

    fn expected(self) -> &'static str {
        match self {
            Self::Bool => "true or false",
            Self::Integer => "a whole number",
            Self::Float => "a number",
            Self::Decimal => "a number, or one as a string",
            Self::Json => "JSON",
            Self::Text => "a string",
        }
    }
}
