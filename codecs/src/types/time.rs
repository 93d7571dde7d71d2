//! Times of day, without and with an offset.

use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

use crate::error::{DecodeError, EncodeError, ParseError, RangeError};
use crate::types::Encoder;
use crate::types::builtin::{Builtin, builtin};
use crate::types::calendar::{DAY, scan_offset, scan_time, write_offset, write_time};
use crate::types::scan::Scan;
use crate::wire::Reader;

/// A `time`: microseconds since midnight, from 00:00:00 to 24:00:00 with both ends.
///
/// ```
/// use wreath_codecs::types::Time;
///
/// let noon = Time::new(12, 0, 0, 500_000)?;
/// assert_eq!(noon.to_string(), "12:00:00.5");
/// assert_eq!(noon.micros(), 43_200_500_000);
/// # Ok::<(), wreath_codecs::RangeError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Time(i64);

/// A `timetz`: a time of day with an offset from Greenwich of less than 16 hours.
///
/// As in the server, two are ordered by the moment, then by the offset, and equal when both are equal.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct TimeTz {
    time: Time,
    /// Seconds west, as the wire has it.
    west: i32,
}

builtin! {
    Time, 1083, 1183;
    TimeTz, 1266, 1270;
}

impl Time {
    /// 00:00:00.
    pub const MIDNIGHT: Self = Self(0);
    /// 24:00:00.
    pub const MAX: Self = Self(DAY);

    /// The time of day of these parts.
    ///
    /// # Errors
    /// When a part is too great; the only time of hour 24 is 24:00:00.
    pub fn new(hour: u8, minute: u8, second: u8, micros: u32) -> Result<Self, RangeError> {
        let seconds = (i64::from(hour) * 60 + i64::from(minute)) * 60 + i64::from(second);
        let total = seconds * 1_000_000 + i64::from(micros);
        if minute < 60 && second < 60 && micros < 1_000_000 && total <= DAY {
            return Ok(Self(total));
        }
        Err(RangeError::new(format_args!("{hour:02}:{minute:02}:{second:02}.{micros:06}"), "time"))
    }

    /// The time of day that is `micros` microseconds after midnight.
    ///
    /// # Errors
    /// When that is before midnight or after 24:00:00.
    pub fn from_micros(micros: i64) -> Result<Self, RangeError> {
        if (0..=DAY).contains(&micros) {
            Ok(Self(micros))
        } else {
            Err(RangeError::new(format_args!("{micros} microseconds from midnight"), "time"))
        }
    }

    /// Microseconds since midnight.
    #[inline]
    pub const fn micros(self) -> i64 {
        self.0
    }

    /// Hour, minute, second and microsecond.
    pub fn hms(self) -> (u8, u8, u8, u32) {
        let seconds = self.0 / 1_000_000;
        let part = |n: i64| u8::try_from(n).expect("at most 59");
        let micros = u32::try_from(self.0 % 1_000_000).expect("less than a million");
        (part(seconds / 3600), part(seconds / 60 % 60), part(seconds % 60), micros)
    }
}

impl TimeTz {
    /// `time`, at a place `east` seconds east of Greenwich.
    ///
    /// # Errors
    /// When the offset is 16 hours or more.
    pub fn new(time: Time, east: i32) -> Result<Self, RangeError> {
        if east.unsigned_abs() < 16 * 3600 {
            Ok(Self { time, west: -east })
        } else {
            Err(RangeError::new(format_args!("an offset of {east} seconds"), "timetz"))
        }
    }

    /// The time of day, where the offset is used.
    pub const fn time(self) -> Time {
        self.time
    }

    /// The offset, in seconds east of Greenwich.
    pub const fn offset(self) -> i32 {
        -self.west
    }

    fn order(self) -> (i64, i32) {
        (self.time.0 + i64::from(self.west) * 1_000_000, self.west)
    }
}

impl Ord for TimeTz {
    fn cmp(&self, other: &Self) -> Ordering {
        self.order().cmp(&other.order())
    }
}

impl PartialOrd for TimeTz {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Builtin<'_> for Time {
    #[inline]
    fn put(&self, out: &mut Encoder) -> Result<(), EncodeError> {
        out.put_i64(self.0);
        Ok(())
    }

    #[inline]
    fn get(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        Ok(Self::from_micros(r.i64()?)?)
    }
}

impl Builtin<'_> for TimeTz {
    #[inline]
    fn put(&self, out: &mut Encoder) -> Result<(), EncodeError> {
        out.put_i64(self.time.0);
        out.put_i32(self.west);
        Ok(())
    }

    #[inline]
    fn get(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let time = Time::get(r)?;
        Ok(Self::new(time, r.i32()?.saturating_neg())?)
    }
}

impl fmt::Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_time(f, self.0.unsigned_abs())
    }
}

impl fmt::Debug for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Time({self})")
    }
}

impl fmt::Display for TimeTz {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_time(f, self.time.0.unsigned_abs())?;
        write_offset(f, self.offset())
    }
}

impl fmt::Debug for TimeTz {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "TimeTz({self})")
    }
}

impl FromStr for Time {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let mut s = Scan::new(text);
        let micros = scan_time(&mut s).filter(|_| s.is_done());
        micros.map(Self).ok_or_else(|| ParseError::new("time", text, "not HH:MM:SS[.ffffff]"))
    }
}

impl FromStr for TimeTz {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let mut s = Scan::new(text);
        let parts = scan_time(&mut s).zip(scan_offset(&mut s)).filter(|_| s.is_done());
        parts
            .map(|(micros, east)| Self { time: Time(micros), west: -east })
            .ok_or_else(|| ParseError::new("timetz", text, "not HH:MM:SS[.ffffff] and an offset"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_and_bytes_are_the_servers() {
        for (text, micros, west) in [
            ("00:00:00+00", 0, 0),
            ("24:00:00+15:59:59", 0x14_1dd7_6000, -57_599),
            ("12:34:56.789-03:30", 0x0a_8be6_2608, 0x3138),
        ] {
            let time: TimeTz = text.parse().expect("parses");
            assert_eq!((time.time().micros(), -time.offset()), (micros, west));
            assert_eq!(time.to_string(), text);
            let mut out = Encoder::new();
            time.put(&mut out).expect("encodes");
            assert_eq!(TimeTz::get(&mut Reader::new(out.as_bytes())), Ok(time));
        }
        for text in ["24:00:01", "12:60:00", "1:00:00", "12:00:00.1234567", "12:00:00+01"] {
            assert!(text.parse::<Time>().is_err(), "{text}");
        }
    }

    #[test]
    fn times_with_offsets_are_ordered_by_the_moment() {
        let at = |text: &str| text.parse::<TimeTz>().expect("parses");
        assert!(at("12:00:00+02") < at("11:00:00+00"));
        assert!(at("12:00:00+01") < at("11:00:00+00"));
        assert_ne!(at("12:00:00+01"), at("11:00:00+00"));
    }

    #[test]
    fn hostile_offsets_are_refused() {
        for west in [i32::MIN, i32::MAX, 16 * 3600, -16 * 3600] {
            let mut bytes = vec![0; 8];
            bytes.extend(west.to_be_bytes());
            assert!(TimeTz::get(&mut Reader::new(&bytes)).is_err());
        }
    }
}
