//! Ranges and multiranges.

use std::cmp::Ordering;
use std::fmt;
use std::ops::Bound;
use std::str::FromStr;
use std::time::SystemTime;

use crate::error::{DecodeError, EncodeError, ParseError, RangeError};
use crate::types::quote::{Style, is_space, scan_part};
use crate::types::{
    AsText, Date, Decode, Encode, Encoder, Kind, Numeric, Oid, PgType, TextForm, Timestamp, TimestampTz, Type,
};
use crate::wire::Reader;

/// A range of any type that has ranges (PostgreSQL manual, "Range Types").
///
/// The server writes the ranges of integers and dates in one form only, `[1,6)` for `[1,5]`;
/// [`canonical`](Self::canonical) gives that form.
///
/// ```
/// use std::ops::Bound;
/// use wreath_codecs::types::Range;
///
/// let ages: Range<i32> = "[3,)".parse()?;
/// assert_eq!(ages, Range::Span(Bound::Included(3), Bound::Unbounded));
/// assert_eq!(Range::from(3..=7).canonical()?.to_string(), "[3,8)");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Range<T> {
    /// No value at all.
    Empty,
    /// Everything between a lower and an upper bound.
    Span(Bound<T>, Bound<T>),
}

/// A multirange: ranges that do not touch, in ascending order. The server brings others into that form.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Multirange<T>(pub Vec<Range<T>>);

/// A type that has ranges. User types implement it with the names that `CREATE TYPE ... AS RANGE` gave.
pub trait RangeElement: PgType + Ord + Sized {
    /// The type of a range.
    const RANGE: Oid;
    /// The type of an array of ranges.
    const RANGE_ARRAY: Oid;
    /// The type of a multirange.
    const MULTIRANGE: Oid;
    /// The type of an array of multiranges.
    const MULTIRANGE_ARRAY: Oid;

    /// The next value, where the type is one of steps: integers and dates. `None` leaves a bound as it is.
    ///
    /// # Errors
    /// When the type ends here.
    fn successor(&self) -> Result<Option<Self>, RangeError> {
        Ok(None)
    }
}

const EMPTY: u8 = 0x01;
const LOWER_INCLUDED: u8 = 0x02;
const UPPER_INCLUDED: u8 = 0x04;
const LOWER_UNBOUNDED: u8 = 0x08;
const UPPER_UNBOUNDED: u8 = 0x10;
const KNOWN_FLAGS: u8 = 0x1f;

impl<T> Range<T> {
    /// The lower bound; `None` when the range is empty.
    pub fn lower(&self) -> Option<&Bound<T>> {
        match self {
            Self::Empty => None,
            Self::Span(lower, _) => Some(lower),
        }
    }

    /// The upper bound; `None` when the range is empty.
    pub fn upper(&self) -> Option<&Bound<T>> {
        match self {
            Self::Empty => None,
            Self::Span(_, upper) => Some(upper),
        }
    }

    /// The form that the server would bring the range into: empty when nothing is in it, and from an included
    /// to an excluded bound where `successor` says what comes next.
    pub(crate) fn canonical_by(
        self,
        cmp: impl Fn(&T, &T) -> Ordering,
        successor: impl Fn(&T) -> Result<Option<T>, RangeError>,
    ) -> Result<Self, RangeError> {
        let Self::Span(mut lower, mut upper) = self else { return Ok(Self::Empty) };
        if let Bound::Excluded(value) = &lower
            && let Some(next) = successor(value)?
        {
            lower = Bound::Included(next);
        }
        if let Bound::Included(value) = &upper
            && let Some(next) = successor(value)?
        {
            upper = Bound::Excluded(next);
        }
        let nothing = match (&lower, &upper) {
            (Bound::Included(a), Bound::Included(b)) => cmp(a, b).is_gt(),
            (Bound::Included(a) | Bound::Excluded(a), Bound::Included(b) | Bound::Excluded(b)) => {
                cmp(a, b).is_ge()
            }
            _ => false,
        };
        Ok(if nothing { Self::Empty } else { Self::Span(lower, upper) })
    }

    pub(crate) fn decode_with<'r>(
        bytes: &'r [u8],
        mut read: impl FnMut(&'r [u8]) -> Result<T, DecodeError>,
    ) -> Result<Self, DecodeError> {
        let mut r = Reader::new(bytes);
        let flags = r.u8()?;
        if flags & !KNOWN_FLAGS != 0 {
            return Err(DecodeError::invalid(format!("a range with flags {flags:#04x}")));
        }
        if flags & EMPTY != 0 {
            r.finish()?;
            return Ok(Self::Empty);
        }
        let mut bound = |unbounded: u8, included: u8| -> Result<Bound<T>, DecodeError> {
            if flags & unbounded != 0 {
                return Ok(Bound::Unbounded);
            }
            let bytes =
                r.value()?.ok_or_else(|| DecodeError::invalid("a range with a bound that is NULL"))?;
            let value = read(bytes)?;
            Ok(if flags & included != 0 { Bound::Included(value) } else { Bound::Excluded(value) })
        };
        let span =
            Self::Span(bound(LOWER_UNBOUNDED, LOWER_INCLUDED)?, bound(UPPER_UNBOUNDED, UPPER_INCLUDED)?);
        r.finish()?;
        Ok(span)
    }

    pub(crate) fn encode_with(
        &self,
        out: &mut Encoder,
        mut write: impl FnMut(&T, &mut Encoder) -> Result<(), EncodeError>,
    ) -> Result<(), EncodeError> {
        let Self::Span(lower, upper) = self else {
            out.put_u8(EMPTY);
            return Ok(());
        };
        let flag = |bound: &Bound<T>, unbounded, included| match bound {
            Bound::Unbounded => unbounded,
            Bound::Included(_) => included,
            Bound::Excluded(_) => 0,
        };
        out.put_u8(
            flag(lower, LOWER_UNBOUNDED, LOWER_INCLUDED) | flag(upper, UPPER_UNBOUNDED, UPPER_INCLUDED),
        );
        for bound in [lower, upper] {
            if let Bound::Included(value) | Bound::Excluded(value) = bound {
                out.put_sized(|out| write(value, out))?;
            }
        }
        Ok(())
    }

    pub(crate) fn write_with<'a, D: fmt::Display>(
        &'a self,
        f: &mut fmt::Formatter<'_>,
        show: impl Fn(&'a T) -> D,
    ) -> fmt::Result {
        let Self::Span(lower, upper) = self else { return f.write_str("empty") };
        let mut scratch = String::new();
        f.write_str(if matches!(lower, Bound::Included(_)) { "[" } else { "(" })?;
        if let Bound::Included(value) | Bound::Excluded(value) = lower {
            Style::Range.write_value(f, &mut scratch, &show(value))?;
        }
        f.write_str(",")?;
        if let Bound::Included(value) | Bound::Excluded(value) = upper {
            Style::Range.write_value(f, &mut scratch, &show(value))?;
        }
        f.write_str(if matches!(upper, Bound::Included(_)) { "]" } else { ")" })
    }

    /// Takes a range off the front of `text`, its bounds with `parse`.
    pub(crate) fn scan_with(
        text: &mut &str,
        mut parse: impl FnMut(&str) -> Result<T, ParseError>,
    ) -> Result<Self, ParseError> {
        let all = *text;
        let fail = || ParseError::new("range", all, "neither bounds in brackets nor empty");
        *text = text.trim_start_matches(is_space);
        if let Some(rest) = text.get(.."empty".len()).filter(|word| word.eq_ignore_ascii_case("empty")) {
            *text = &text[rest.len()..];
            return Ok(Self::Empty);
        }
        let mut bound = |text: &mut &str, included: Option<bool>, stops: &[char]| {
            let part = scan_part(text, stops).ok_or_else(fail)?;
            // Which bracket closes the range is seen only now.
            let included = included.unwrap_or_else(|| text.starts_with(']'));
            let stop = text.chars().next().ok_or_else(fail)?;
            *text = &text[stop.len_utf8()..];
            let Some(part) = part else { return Ok(Bound::Unbounded) };
            let value = parse(&part)?;
            Ok(if included { Bound::Included(value) } else { Bound::Excluded(value) })
        };
        let included = match text.chars().next() {
            Some('[') => true,
            Some('(') => false,
            _ => return Err(fail()),
        };
        *text = &text[1..];
        let lower = bound(text, Some(included), &[','])?;
        let upper = bound(text, None, &[']', ')'])?;
        Ok(Self::Span(lower, upper))
    }
}

impl<T: RangeElement> Range<T> {
    /// The form that the server would bring the range into: empty when nothing is in it, and from an included
    /// to an excluded bound for integers and dates.
    ///
    /// # Errors
    /// When the bound behind the last value is beyond the type.
    pub fn canonical(self) -> Result<Self, RangeError> {
        self.canonical_by(T::cmp, T::successor)
    }
}

impl<T> Multirange<T> {
    pub(crate) fn decode_with<'r>(
        bytes: &'r [u8],
        mut read: impl FnMut(&'r [u8]) -> Result<T, DecodeError>,
    ) -> Result<Self, DecodeError> {
        let mut r = Reader::new(bytes);
        let count = r.u32()?;
        // A range is a length and a byte at least.
        let count = usize::try_from(count).ok().filter(|&n| n <= r.len() / 5);
        let count =
            count.ok_or_else(|| DecodeError::invalid("a multirange that claims more ranges than it has"))?;
        let mut ranges = Vec::with_capacity(count);
        for _ in 0..count {
            let bytes = r.value()?.ok_or_else(|| DecodeError::invalid("a multirange with a NULL"))?;
            ranges.push(Range::decode_with(bytes, &mut read)?);
        }
        r.finish()?;
        Ok(Self(ranges))
    }

    pub(crate) fn encode_with(
        &self,
        out: &mut Encoder,
        mut write: impl FnMut(&T, &mut Encoder) -> Result<(), EncodeError>,
    ) -> Result<(), EncodeError> {
        let count = i32::try_from(self.0.len());
        out.put_i32(count.map_err(|_| EncodeError::new(format!("a multirange of {} ranges", self.0.len())))?);
        self.0.iter().try_for_each(|range| out.put_sized(|out| range.encode_with(out, &mut write)))
    }

    pub(crate) fn write_with<'a, D: fmt::Display>(
        &'a self,
        f: &mut fmt::Formatter<'_>,
        show: impl Fn(&'a T) -> D,
    ) -> fmt::Result {
        f.write_str("{")?;
        for (i, range) in self.0.iter().enumerate() {
            f.write_str(if i > 0 { "," } else { "" })?;
            range.write_with(f, &show)?;
        }
        f.write_str("}")
    }

    /// Reads a whole multirange, each of its ranges with `scan`.
    pub(crate) fn parse_with(
        text: &str,
        mut scan: impl FnMut(&mut &str) -> Result<Range<T>, ParseError>,
    ) -> Result<Self, ParseError> {
        let fail = || ParseError::new("multirange", text, "not ranges in braces");
        let mut rest = text.trim_matches(is_space).strip_prefix('{').ok_or_else(fail)?;
        let mut ranges = Vec::new();
        loop {
            rest = rest.trim_start_matches(is_space);
            if rest == "}" && ranges.is_empty() {
                break;
            }
            ranges.push(scan(&mut rest)?);
            rest = rest.trim_start_matches(is_space);
            match rest.strip_prefix(',') {
                Some(after) => rest = after,
                None if rest == "}" => break,
                None => return Err(fail()),
            }
        }
        Ok(Self(ranges))
    }
}

/// Where a bound lies: before everything, at a value or just behind it, behind everything.
fn place<T>(bound: &Bound<T>, is_upper: bool) -> (i8, Option<&T>, bool) {
    match bound {
        Bound::Unbounded => (if is_upper { 1 } else { -1 }, None, false),
        Bound::Included(value) => (0, Some(value), is_upper),
        Bound::Excluded(value) => (0, Some(value), !is_upper),
    }
}

/// As the server orders them: empty first, then by the lower and then by the upper bound.
impl<T: PartialOrd> PartialOrd for Range<T> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        match (self, other) {
            (Self::Empty, Self::Empty) => Some(Ordering::Equal),
            (Self::Empty, _) => Some(Ordering::Less),
            (_, Self::Empty) => Some(Ordering::Greater),
            (Self::Span(a, b), Self::Span(c, d)) => {
                let lower = place(a, false).partial_cmp(&place(c, false))?;
                Some(lower.then(place(b, true).partial_cmp(&place(d, true))?))
            }
        }
    }
}

impl<T: Ord> Ord for Range<T> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.partial_cmp(other).expect("every value of an ordered type compares")
    }
}

impl<T> From<std::ops::Range<T>> for Range<T> {
    fn from(range: std::ops::Range<T>) -> Self {
        Self::Span(Bound::Included(range.start), Bound::Excluded(range.end))
    }
}

impl<T> From<std::ops::RangeInclusive<T>> for Range<T> {
    fn from(range: std::ops::RangeInclusive<T>) -> Self {
        let (start, end) = range.into_inner();
        Self::Span(Bound::Included(start), Bound::Included(end))
    }
}

impl<T> From<std::ops::RangeFrom<T>> for Range<T> {
    fn from(range: std::ops::RangeFrom<T>) -> Self {
        Self::Span(Bound::Included(range.start), Bound::Unbounded)
    }
}

/// Implements `RangeElement` for a type whose ranges are built in, given the function that finds the next value, if
/// there is one.
macro_rules! elements {
    ($($t:ty: $range:ident, $range_array:ident, $multi:ident, $multi_array:ident $(, $successor:expr)?;)*) => {$(
        impl $crate::types::RangeElement for $t {
            const RANGE: $crate::types::Oid = $crate::types::Oid::Fixed($crate::oid::$range);
            const RANGE_ARRAY: $crate::types::Oid = $crate::types::Oid::Fixed($crate::oid::$range_array);
            const MULTIRANGE: $crate::types::Oid = $crate::types::Oid::Fixed($crate::oid::$multi);
            const MULTIRANGE_ARRAY: $crate::types::Oid = $crate::types::Oid::Fixed($crate::oid::$multi_array);
            $(
                fn successor(&self) -> Result<Option<Self>, $crate::error::RangeError> {
                    $successor(*self)
                }
            )?
        }
    )*};
}

#[allow(unused_imports, reason = "used by features")]
pub(crate) use elements;

elements! {
    i32: INT4RANGE, INT4RANGE_ARRAY, INT4MULTIRANGE, INT4MULTIRANGE_ARRAY, next_i32;
    i64: INT8RANGE, INT8RANGE_ARRAY, INT8MULTIRANGE, INT8MULTIRANGE_ARRAY, next_i64;
    Date: DATERANGE, DATERANGE_ARRAY, DATEMULTIRANGE, DATEMULTIRANGE_ARRAY, next_date;
    Numeric: NUMRANGE, NUMRANGE_ARRAY, NUMMULTIRANGE, NUMMULTIRANGE_ARRAY;
    Timestamp: TSRANGE, TSRANGE_ARRAY, TSMULTIRANGE, TSMULTIRANGE_ARRAY;
    TimestampTz: TSTZRANGE, TSTZRANGE_ARRAY, TSTZMULTIRANGE, TSTZMULTIRANGE_ARRAY;
    SystemTime: TSTZRANGE, TSTZRANGE_ARRAY, TSTZMULTIRANGE, TSTZMULTIRANGE_ARRAY;
}

fn next_i32(n: i32) -> Result<Option<i32>, RangeError> {
    n.checked_add(1).map(Some).ok_or_else(|| RangeError::new("what comes after the greatest", "int4range"))
}

fn next_i64(n: i64) -> Result<Option<i64>, RangeError> {
    n.checked_add(1).map(Some).ok_or_else(|| RangeError::new("what comes after the greatest", "int8range"))
}

fn next_date(date: Date) -> Result<Option<Date>, RangeError> {
    let next = || Date::from_count(i64::from(date.days()) + 1);
    match date.is_finite() {
        true => next().map(Some).ok_or_else(|| RangeError::new("what comes after the last day", "daterange")),
        false => Ok(None),
    }
}

macro_rules! codec {
    ($($container:ident, $kind:ident, $oid:ident, $array:ident;)*) => {$(
        impl<T: RangeElement> PgType for $container<T> {
            const OID: Oid = T::$oid;
            const ARRAY: Oid = T::$array;
        }

        impl<T: RangeElement + Encode> Encode for $container<T> {
            fn oid(&self) -> Oid {
                Self::OID
            }

            fn encode(&self, out: &mut Encoder) -> Result<(), EncodeError> {
                self.encode_with(out, |value, out| value.encode(out))
            }
        }

        impl<'r, T: Decode<'r>> Decode<'r> for $container<T> {
            fn accepts(ty: &Type) -> bool {
                matches!(ty.base().kind(), Kind::$kind(element) if T::accepts(element))
            }

            fn decode(ty: &Type, bytes: &'r [u8]) -> Result<Self, DecodeError> {
                let Kind::$kind(element) = ty.base().kind() else {
                    return Err(DecodeError::mismatch(stringify!($container), ty));
                };
                Self::decode_with(bytes, |bytes| T::decode(element, bytes).map_err(|e| e.of(element)))
            }
        }

        impl<T: TextForm> fmt::Display for $container<T> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.write_with(f, AsText)
            }
        }

        impl<T: TextForm> TextForm for $container<T> {
            fn write_text(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(self, f)
            }

            fn parse_text(text: &str) -> Result<Self, ParseError> {
                text.parse()
            }
        }
    )*};
}

codec! {
    Range, Range, RANGE, RANGE_ARRAY;
    Multirange, Multirange, MULTIRANGE, MULTIRANGE_ARRAY;
}

impl<T: TextForm> FromStr for Range<T> {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        Self::parse_with(text, T::parse_text)
    }
}

impl<T> Range<T> {
    /// Reads a whole range, its bounds with `parse`.
    pub(crate) fn parse_with(
        text: &str,
        parse: impl FnMut(&str) -> Result<T, ParseError>,
    ) -> Result<Self, ParseError> {
        let mut rest = text;
        let range = Self::scan_with(&mut rest, parse)?;
        match rest.trim_matches(is_space) {
            "" => Ok(range),
            _ => Err(ParseError::new("range", text, "more than a range")),
        }
    }
}

impl<T: TextForm> FromStr for Multirange<T> {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        Self::parse_with(text, |rest| Range::scan_with(rest, T::parse_text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_the_servers() {
        for text in ["empty", "[1,5)", "(,5)", "[1,)", "(,)", "(1,5]"] {
            assert_eq!(text.parse::<Range<i32>>().expect("parses").to_string(), text);
        }
        for text in ["", "[", "[1", "[1,", "[1,2", "1,2", "[1,2]x", "[a,b)", "{}", "[1,2,3]"] {
            assert!(text.parse::<Range<i32>>().is_err(), "{text}");
        }
        let text = r#"("a ""quoted"" one",",")"#;
        let range: Range<String> = text.parse().expect("parses");
        assert_eq!(range.to_string(), text);
        for text in ["{}", "{[1,2)}", "{(,1),[5,8),[10,)}"] {
            assert_eq!(text.parse::<Multirange<i64>>().expect("parses").to_string(), text);
        }
        for text in ["", "{", "{[1,2)", "{[1,2),}", "{[1,2)[3,4)}"] {
            assert!(text.parse::<Multirange<i64>>().is_err(), "{text}");
        }
    }

    #[test]
    fn the_canonical_form_is_the_servers() {
        let canonical = |text: &str| text.parse::<Range<i32>>().expect("parses").canonical();
        for (text, want) in [("[1,5]", "[1,6)"), ("(1,5)", "[2,5)"), ("(1,2)", "empty"), ("(,5]", "(,6)")] {
            assert_eq!(canonical(text).expect("in range").to_string(), want);
        }
        assert!(canonical("[1,2147483647]").is_err());
        let days: Range<Date> = "[2024-01-01,infinity]".parse().expect("parses");
        assert_eq!(days.canonical().expect("in range").to_string(), "[2024-01-01,infinity]");
        let numbers: Range<Numeric> = "[1.5,1.5]".parse().expect("parses");
        assert_eq!(numbers.canonical().expect("in range").to_string(), "[1.5,1.5]");
    }

    #[test]
    fn order_is_the_servers() {
        let ascending = ["empty", "(,1)", "(,1]", "(,)", "[1,2)", "[1,2]", "[1,)", "(1,2)", "[2,3)"];
        let ranges = ascending.map(|text| text.parse::<Range<i64>>().expect("parses"));
        assert!(ranges.is_sorted());
    }
}
