//! Bytes of a peer as values.

use std::net::IpAddr;
use std::time::{Duration, SystemTime};

use wreath_codecs::types::{Array, ArrayIter, Date, Geometry, Multirange, Numeric, Range, RawJson, Value};
use wreath_codecs::{Decode, Encode, Encoder, Oid, PgType, Type};

use super::types::numbered;

/// Reads `data` as a value. Its first byte says whether the rest is the binary form (even) or the text form (odd);
/// the next two are the number of its type, or of any other type when there is none of that number.
///
/// # Panics
/// When a value that can be read is not written as one that reads the same.
pub fn decode_values(data: &[u8]) {
    let [form, high, low, value @ ..] = data else { return };
    let ty = numbered(u16::from_be_bytes([*high, *low]));
    if form & 1 == 0 {
        binary(ty, value);
        typed(ty, value);
    } else if let Ok(text) = std::str::from_utf8(value) {
        parsed(ty, text);
    }
}

fn binary(ty: &Type, bytes: &[u8]) {
    let Ok(value) = Value::decode(ty, Some(bytes)) else { return };
    let text = value.to_string();
    let Some(canonical) = encoded(&value) else { return };
    let again = Value::decode(ty, Some(&canonical)).expect("what was written can be read");
    assert_eq!(again.to_string(), text, "{ty}: it reads differently when it is read again");
    assert_eq!(encoded(&again).as_deref(), Some(&canonical[..]), "{ty} {text}: it is written differently");
    // Not the same value: a range of days or whole numbers is read from text in its canonical form.
    parsed(ty, &text);
}

/// Reads a value as the Rust types that read it.
fn typed(ty: &Type, bytes: &[u8]) {
    as_type::<Vec<Option<i32>>>(ty, bytes);
    as_type::<Vec<Option<String>>>(ty, bytes);
    as_type::<Vec<Numeric>>(ty, bytes);
    as_type::<[Option<i64>; 2]>(ty, bytes);
    as_type::<Array<Date>>(ty, bytes);
    as_type::<Range<Numeric>>(ty, bytes);
    as_type::<Multirange<i32>>(ty, bytes);
    as_type::<SystemTime>(ty, bytes);
    as_type::<Duration>(ty, bytes);
    as_type::<IpAddr>(ty, bytes);
    if ArrayIter::<Option<&str>>::accepts(ty)
        && let Ok(items) = ArrayIter::<Option<&str>>::decode(ty, bytes)
    {
        assert!(items.count() * 4 <= bytes.len(), "{ty}: more elements than there is room for");
    }
    let _ = RawJson::decode(ty, bytes);
    if <(i32, &str)>::accepts(ty) {
        let _ = <(i32, &str)>::decode(ty, bytes);
    }
    let _ = Geometry::decode(ty, bytes);
}

fn as_type<T: for<'r> Decode<'r> + Encode + PgType>(ty: &Type, bytes: &[u8]) {
    if T::OID != Oid::Fixed(ty.oid()) || !T::accepts(ty) {
        return;
    }
    let Ok(value) = T::decode(ty, bytes) else { return };
    let write = |value: &T| {
        let mut out = Encoder::new();
        value.encode(&mut out).ok()?;
        Some(out.as_bytes().to_vec())
    };
    let Some(canonical) = write(&value) else { return };
    let again = T::decode(ty, &canonical).expect("what was written can be read");
    assert_eq!(write(&again), Some(canonical), "{ty}: it is written differently");
}

fn parsed(ty: &Type, text: &str) {
    let Ok(value) = Value::parse(ty, text) else { return };
    let text = value.to_string();
    let again = Value::parse(ty, &text).expect("what was written can be read");
    assert_eq!(again.to_string(), text, "{ty}: it reads differently when it is read again");
    let Some(bytes) = encoded(&value) else { return };
    let read = Value::decode(ty, Some(&bytes)).expect("what was written can be read");
    assert_eq!(read.to_string(), text, "{ty}: its binary form reads as something else");
}

fn encoded(value: &Value) -> Option<Vec<u8>> {
    let mut out = Encoder::new();
    value.encode(&mut out).ok()?;
    Some(out.as_bytes().to_vec())
}
