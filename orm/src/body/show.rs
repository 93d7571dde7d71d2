//! Objects as JSON.

use serde::ser::{Error as _, SerializeMap, SerializeSeq};
use serde::{Serialize, Serializer};
use serde_json::value::RawValue;
use wreath_codecs::types::{Datum, Value};
use wreath_codecs::wire::Reader;
use wreath_codecs::{DecodeError, Encoder, Kind, Type};

use crate::body::Patch;
use crate::body::json::type_of;
use crate::error::{Error, Result};
use crate::model::{Declared, Model, describe};

/// An object as JSON: a field for each column, named as in the database. Made by [`Model::as_json`](crate::Model::as_json).
///
/// Each value is what [`Model::from_json`](crate::Model::from_json) reads: integers, finite floats and booleans as
/// they are, `json` and `jsonb` as their own text, arrays as arrays, dates and times in the ISO form (`Z` for UTC),
/// and everything else as a string; `numeric` too, since a number of JSON is a float to most who read it.
#[derive(Clone, Copy, Debug)]
pub struct AsJson<'a, M>(pub(crate) &'a M);

impl<M: Model> AsJson<'_, M> {
    fn shown(&self) -> Result<Vec<(&'static str, Shown)>> {
        let of = describe::<M>()?;
        let mut bytes = Encoder::new();
        of.encode(self.0, &mut bytes)?;
        let mut values = Reader::new(bytes.as_bytes());
        let show = |column: &Declared| {
            let value = values.value().map_err(Error::mapping)?;
            Ok((column.name, Shown::of(column, value)))
        };
        of.columns.iter().map(show).collect()
    }
}

impl<M: Model> Serialize for AsJson<'_, M> {
    fn serialize<S: Serializer>(&self, to: S) -> std::result::Result<S::Ok, S::Error> {
        show_all(self.shown().map_err(S::Error::custom)?, to)
    }
}

/// As JSON, with a field for each of its columns.
impl<M: Model> Serialize for Patch<M> {
    fn serialize<S: Serializer>(&self, to: S) -> std::result::Result<S::Ok, S::Error> {
        let show = || {
            let columns = &describe::<M>()?.columns;
            let places = self.places()?.into_iter();
            let shown = places
                .map(|(place, entry)| (entry.column, Shown::of(&columns[place], entry.value.as_deref())));
            Ok::<_, Error>(shown.collect())
        };
        show_all(show().map_err(S::Error::custom)?, to)
    }
}

fn show_all<S: Serializer>(all: Vec<(&'static str, Shown)>, to: S) -> std::result::Result<S::Ok, S::Error> {
    let mut map = to.serialize_map(Some(all.len()))?;
    for (name, shown) in &all {
        map.serialize_entry(name, shown)?;
    }
    map.end()
}

/// A value of a column as it travels, as JSON.
struct Shown {
    ty: Type,
    value: Option<Box<[u8]>>,
}

impl Shown {
    fn of(column: &Declared, value: Option<&[u8]>) -> Self {
        Self { ty: type_of(column), value: value.map(Into::into) }
    }
}

impl Serialize for Shown {
    fn serialize<S: Serializer>(&self, to: S) -> std::result::Result<S::Ok, S::Error> {
        Travelling { ty: &self.ty, value: self.value.as_deref() }.serialize(to)
    }
}

/// A value as it travels, as JSON.
struct Travelling<'a> {
    ty: &'a Type,
    value: Option<&'a [u8]>,
}

impl Serialize for Travelling<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> std::result::Result<S::Ok, S::Error> {
        let (Some(bytes), ty) = (self.value, self.ty.base()) else { return to.serialize_none() };
        if let Kind::Array(element) = ty.kind() {
            return Items::open(element, bytes).map_err(S::Error::custom)?.serialize(to);
        }
        let value = Value::decode(ty, Some(bytes)).map_err(S::Error::custom)?;
        match value.datum() {
            Some(Datum::Bool(b)) => to.serialize_bool(*b),
            Some(Datum::Int2(n)) => to.serialize_i16(*n),
            Some(Datum::Int4(n)) => to.serialize_i32(*n),
            Some(Datum::Int8(n)) => to.serialize_i64(*n),
            Some(Datum::Oid(n)) => to.serialize_u32(*n),
            Some(Datum::Float4(n)) if n.is_finite() => to.serialize_f32(*n),
            Some(Datum::Float8(n)) if n.is_finite() => to.serialize_f64(*n),
            Some(Datum::Json(json)) => {
                let raw: &RawValue = serde_json::from_str(json.as_str()).map_err(S::Error::custom)?;
                raw.serialize(to)
            }
            Some(Datum::Timestamp(_) | Datum::TimestampTz(_)) => to.serialize_str(&iso(&value.to_string())),
            _ => to.collect_str(&value),
        }
    }
}

/// The items of an array (PostgreSQL's `array_send`): how many each dimension has, and the items, as they travel.
struct Items<'a> {
    element: &'a Type,
    lengths: Vec<usize>,
    items: Vec<Option<&'a [u8]>>,
}

impl<'a> Items<'a> {
    fn open(element: &'a Type, bytes: &'a [u8]) -> std::result::Result<Self, DecodeError> {
        let mut r = Reader::new(bytes);
        let dimensions = r.i32()?;
        r.bytes(8)?; // whether there are NULLs, and the element's type
        let mut lengths = Vec::new();
        for _ in 0..dimensions {
            lengths.push(usize::try_from(r.i32()?).unwrap_or_default());
            r.bytes(4)?; // the number of the first
        }
        let mut items = Vec::new();
        while !r.is_empty() {
            items.push(r.value()?);
        }
        Ok(Self { element, lengths, items })
    }
}

impl Serialize for Items<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> std::result::Result<S::Ok, S::Error> {
        Within { of: self, depth: 0, from: 0 }.serialize(to)
    }
}

/// The items of an array from one on, as far as one subscript of a depth reaches.
struct Within<'a> {
    of: &'a Items<'a>,
    depth: usize,
    from: usize,
}

impl Serialize for Within<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> std::result::Result<S::Ok, S::Error> {
        let lengths = self.of.lengths.get(self.depth..).unwrap_or_default();
        let length = lengths.first().copied().unwrap_or_default();
        let inner: usize = lengths.iter().skip(1).product();
        let mut seq = to.serialize_seq(Some(length))?;
        for place in 0..length {
            let from = self.from + place * inner;
            if lengths.len() > 1 {
                seq.serialize_element(&Within { of: self.of, depth: self.depth + 1, from })?;
            } else {
                let value = self.of.items.get(from).copied().flatten();
                seq.serialize_element(&Travelling { ty: self.of.element, value })?;
            }
        }
        seq.end()
    }
}

/// The server's form of a moment in the form of RFC 3339, where that has one for it.
fn iso(text: &str) -> String {
    if text.ends_with("infinity") || text.ends_with("BC") {
        return text.to_owned();
    }
    let text = text.replacen(' ', "T", 1);
    match text.strip_suffix("+00") {
        Some(utc) => format!("{utc}Z"),
        None => text,
    }
}
