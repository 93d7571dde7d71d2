//! Values there and back: what is sent is what was meant, in both forms.

use std::fmt::Debug;

use wreath_codecs::types::{
    Array, AsText, Bit, Cidr, Circle, Cube, Date, Datum, Geography, Geometry, HalfVec, Hstore, Inet,
    Interval, JsonPath, Line, LineSegment, Lquery, Ltree, Ltxtquery, MacAddr, MacAddr8, Money, Multirange,
    Numeric, Path, PgLsn, Point, Polygon, Range, Rect, Snapshot, SparseVec, TextForm, Tid, Time, TimeTz,
    Timestamp, TimestampTz, TsQuery, TsVector, Uuid, Value, Vector, Xid8,
};
use wreath_codecs::{Decode, Encode, Encoder, Kind, Oid, ParseError, PgType, Type, oid};

use super::types::numbered;

/// Reads `data` as a value, laid out as for [`decode_values`](super::decode_values), and sends it back.
///
/// # Panics
/// When what is sent, or what is written, does not read as an equal value.
pub fn value_roundtrip(data: &[u8]) {
    let [form, high, low, value @ ..] = data else { return };
    let ty = numbered(u16::from_be_bytes([*high, *low]));
    let sent = if form & 1 == 0 { Ok(value) } else { Err(value) };
    match sent {
        Ok(bytes) => Value::decode(ty, Some(bytes)).iter().for_each(dynamic),
        Err(text) => {
            let Ok(text) = std::str::from_utf8(text) else { return };
            Value::parse(ty, text).iter().for_each(dynamic);
        }
    }
    as_every_type(ty, sent);
}

/// Sends a value of any type and reads it again, in both forms.
fn dynamic(value: &Value) {
    let (ty, text) = (value.ty(), value.to_string());
    // Not everything that can be read can be sent, such as a text with a NUL in it.
    let Some(bytes) = encoded(value) else { return };
    let read = Value::decode(ty, Some(&bytes)).expect("what was sent can be read");
    assert!(is_same(&read, value), "{ty} {text}: it is read as {read}");
    let parsed = match Value::parse(ty, &text) {
        Ok(parsed) => parsed,
        Err(e) => return assert!(!has_text_form(value), "{e}"),
    };
    // From text, a range of days or whole numbers is read in its canonical form, a chain of one operator from left to
    // right, and equal lexemes as one. There it stays.
    let mut settled = value.clone();
    if !is_same(&parsed, value) {
        assert!(has_canonical_form(ty), "{ty} {text}: it is parsed as {parsed}");
        settled = parsed;
    }
    let again = Value::parse(ty, &settled.to_string()).expect("what was written can be read");
    assert!(is_same(&again, &settled), "{ty} {settled}: it is parsed as {again}");
}

/// Whether the values are equal, and look alike. NaN is itself here.
fn is_same(a: &Value, b: &Value) -> bool {
    let look = |value: &Value| format!("{:?}", value.datum());
    a.ty() == b.ty() && a.to_string() == b.to_string() && (a == b || look(a) == look(b))
}

/// Whether the value has a text that can be read: the bytes of an unknown type do not, nor does a record whose
/// fields nobody described, nor a label that its enum does not have.
fn has_text_form(value: &Value) -> bool {
    let ty = value.ty().base();
    value.datum().is_none_or(|datum| is_readable(ty, datum))
}

fn is_readable(ty: &Type, datum: &Datum) -> bool {
    let ty = ty.base();
    match (datum, ty.kind()) {
        (Datum::Opaque(_), _) => false,
        (Datum::Record(_), _) if ty.oid() == oid::RECORD => false,
        (Datum::Record(fields), _) => fields.iter().all(has_text_form),
        (Datum::Text(label), Kind::Enum(labels)) => labels.is_empty() || labels.contains(label),
        (Datum::Array(array), Kind::Array(element)) => {
            array.items().iter().flatten().all(|item| is_readable(element, item))
        }
        (Datum::Range(range), Kind::Range(element)) => {
            bounds(range).all(|value| is_readable(element, value) && !is_last(value))
        }
        (Datum::Multirange(ranges), Kind::Multirange(element)) => {
            ranges.0.iter().flat_map(bounds).all(|value| is_readable(element, value) && !is_last(value))
        }
        _ => true,
    }
}

/// Whether nothing comes after the value, so that the server has no canonical form of a range with that bound.
fn is_last(value: &Datum) -> bool {
    matches!(value, Datum::Int4(i32::MAX) | Datum::Int8(i64::MAX)) || *value == Datum::Date(Date::MAX)
}

fn bounds(range: &Range<Datum>) -> impl Iterator<Item = &Datum> {
    use std::ops::Bound::{Excluded, Included, Unbounded};

    [range.lower(), range.upper()].into_iter().flatten().filter_map(|bound| match bound {
        Included(value) | Excluded(value) => Some(value),
        Unbounded => None,
    })
}

const TEXT_SEARCH: [u32; 2] = [oid::TSQUERY, oid::TSVECTOR];

/// Whether a range, a query or a document can be somewhere in a value of the type.
fn has_canonical_form(ty: &Type) -> bool {
    match ty.base().kind() {
        Kind::Range(_) | Kind::Multirange(_) => true,
        Kind::Array(element) => has_canonical_form(element),
        Kind::Composite(fields) => fields.iter().any(|field| has_canonical_form(&field.ty)),
        _ => TEXT_SEARCH.contains(&ty.base().oid()),
    }
}

/// The value as it came: its bytes, or else its text.
type Sent<'a> = Result<&'a [u8], &'a [u8]>;

/// Reads the value as each of these Rust types that is what its type stands for: those whose text is that of
/// `Display`, and Rust's own.
macro_rules! as_every_type {
    (displayed: $($displayed:ty),*; other: $($other:ty),* $(,)?) => {
        fn as_every_type(ty: &Type, sent: Sent<'_>) {
            $(typed::<$displayed>(ty, sent, <$displayed>::to_string, |text| text.parse());)*
            $(typed::<$other>(ty, sent, |value| AsText(value).to_string(), <$other>::parse_text);)*
        }
    };
}

as_every_type! {
    displayed:
    Array<Bit>, Array<bool>, Array<Date>, Array<f64>, Array<i32>, Array<Interval>, Array<Numeric>, Array<Rect>,
    Array<String>, Array<TimestampTz>, Array<Vec<u8>>,
    Multirange<Date>, Multirange<i32>, Multirange<i64>, Multirange<Numeric>, Multirange<Timestamp>,
    Range<Date>, Range<i32>, Range<i64>, Range<Numeric>, Range<Timestamp>, Range<TimestampTz>,
    Bit, Cidr, Circle, Cube, Date, Geography, Geometry, HalfVec, Hstore, Inet, Interval, JsonPath, Line,
    LineSegment, Lquery, Ltree, Ltxtquery, MacAddr, MacAddr8, Money, Numeric, Path, PgLsn, Point, Polygon, Rect,
    Snapshot, SparseVec, Tid, Time, TimeTz, Timestamp, TimestampTz, TsQuery, TsVector, Uuid, Vector, Xid8;
    other: bool, i8, i16, i32, i64, u32, f32, f64, String, Vec<u8>,
}

fn typed<T>(ty: &Type, sent: Sent<'_>, show: fn(&T) -> String, parse: fn(&str) -> Result<T, ParseError>)
where
    T: PgType + PartialEq + Debug + Encode + for<'r> Decode<'r>,
{
    let stands_for_it = match T::OID {
        Oid::Fixed(number) => number == ty.oid(),
        Oid::Named(name) => name.name == ty.name() && ty.schema() == "public",
        Oid::ArrayOf(_) => false,
    };
    if !stands_for_it {
        return;
    }
    assert!(T::accepts(ty), "{ty}");
    let value = match sent {
        Ok(bytes) => T::decode(ty, bytes).ok(),
        Err(text) => std::str::from_utf8(text).ok().and_then(|text| parse(text).ok()),
    };
    let Some(value) = value else { return };
    let mut out = Encoder::new();
    if value.encode(&mut out).is_err() {
        return;
    }
    let is_same = |other: &T| *other == value || format!("{other:?}") == format!("{value:?}");
    let read = T::decode(ty, out.as_bytes()).expect("what was sent can be read");
    assert!(is_same(&read), "{ty} {value:?}: it is read as {read:?}");
    let text = show(&value);
    let parsed = parse(&text).unwrap_or_else(|e| panic!("{value:?}: {e}"));
    assert!(
        is_same(&parsed) || TEXT_SEARCH.contains(&ty.oid()),
        "{ty} {value:?}: it is parsed as {parsed:?}"
    );
    let dynamic = Value::decode(ty, Some(out.as_bytes())).expect("any type that has a Rust type is known");
    assert_eq!(dynamic.to_string(), text, "{ty} {value:?}: a value of any type has another text");
}

fn encoded(value: &Value) -> Option<Vec<u8>> {
    let mut out = Encoder::new();
    value.encode(&mut out).ok()?;
    Some(out.as_bytes().to_vec())
}
