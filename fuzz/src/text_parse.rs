//! Texts as the values that stand in them.

use std::fmt::Display;
use std::str::FromStr;

use wreath_codecs::types::{
    Array, AsText, Bit, CopyText, Cube, Date, Geometry, Hstore, Inet, Interval, Money, Multirange, Path,
    Polygon, Range, Snapshot, SparseVec, TextForm, TimeTz, Timestamp, TimestampTz, TsQuery, TsVector, Uuid,
    Value, Vector,
};

/// Reads `data` as every kind of value that has a text form of its own.
///
/// # Panics
/// When a value that can be read is not written as one that reads the same, and when a row of COPY would not stay on
/// its line.
pub fn text_parse(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    for_each_type(text);
    round::<Array<String>>(text);
    round::<Array<Date>>(text);
    round::<Range<String>>(text);
    round::<Range<i32>>(text);
    round::<Multirange<i64>>(text);
    if let Ok(range) = text.parse::<Range<i32>>().map(Range::canonical)
        && let Ok(range) = range
    {
        assert_eq!(range.clone().canonical(), Ok(range), "{text:?}: its canonical form is no such form");
    }
    floats(text);
    let shown = CopyText(&Value::from(text.to_owned())).to_string();
    assert!(!shown.contains(['\n', '\r', '\t']), "{shown:?}");
}

fn for_each_type(text: &str) {
    round::<Bit>(text);
    round::<Cube>(text);
    round::<Date>(text);
    round::<Geometry>(text);
    round::<Hstore>(text);
    round::<Inet>(text);
    round::<Interval>(text);
    round::<Money>(text);
    round::<Path>(text);
    round::<Polygon>(text);
    round::<Snapshot>(text);
    round::<SparseVec>(text);
    round::<TimeTz>(text);
    round::<Timestamp>(text);
    round::<TimestampTz>(text);
    round::<TsQuery>(text);
    round::<TsVector>(text);
    round::<Uuid>(text);
    round::<Vector>(text);
}

fn round<T: FromStr + Display>(text: &str) {
    let Ok(value) = text.parse::<T>() else { return };
    let written = value.to_string();
    let Ok(again) = written.parse::<T>() else {
        panic!("{text:?} is written as {written:?}, which cannot be read")
    };
    assert_eq!(again.to_string(), written, "{text:?}");
}

/// What is written reads as the same float, to the bit.
fn floats(text: &str) {
    if let Ok(x) = f64::parse_text(text) {
        let again = f64::parse_text(&AsText(&x).to_string()).expect("what was written can be read");
        assert!(again.to_bits() == x.to_bits() || x.is_nan() && again.is_nan(), "{text:?}");
    }
    if let Ok(x) = f32::parse_text(text) {
        let again = f32::parse_text(&AsText(&x).to_string()).expect("what was written can be read");
        assert!(again.to_bits() == x.to_bits() || x.is_nan() && again.is_nan(), "{text:?}");
    }
}
