//! Dates.

use std::fmt;
use std::str::FromStr;

use crate::error::{DecodeError, EncodeError, ParseError, RangeError};
use crate::types::Encoder;
use crate::types::builtin::{Builtin, builtin};
use crate::types::calendar::Civil;
use crate::types::scan::Scan;
use crate::wire::Reader;

/// A `date`: a day from 4714-11-24 BC to 5874897-12-31, or one of the infinities (PostgreSQL manual,
/// "Date/Time Types"). The calendar is the proleptic Gregorian one.
///
/// ```
/// use wreath_codecs::types::Date;
///
/// let ides = Date::new(-43, 3, 15)?; // Year 0 is 1 BC.
/// assert_eq!(ides.to_string(), "0044-03-15 BC");
/// assert_eq!("2024-02-29".parse::<Date>()?.ymd(), Some((2024, 2, 29)));
/// assert!(Date::NEG_INFINITY < ides && ides < Date::INFINITY);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Date(i32);

builtin! { Date, 1082, 1182; }

impl Date {
    /// Before every day.
    pub const NEG_INFINITY: Self = Self(i32::MIN);
    /// After every day.
    pub const INFINITY: Self = Self(i32::MAX);
    /// The first day, 4714-11-24 BC.
    pub const MIN: Self = Self(-2_451_545);
    /// The last day, 5874897-12-31.
    pub const MAX: Self = Self(2_145_031_948);
    /// 1970-01-01.
    pub const UNIX_EPOCH: Self = Self(-10_957);

    /// The day `day` of month `month` (both from 1) of `year`; year 0 is 1 BC.
    ///
    /// # Errors
    /// When there is no such day, or it is outside the server's range.
    pub fn new(year: i32, month: u8, day: u8) -> Result<Self, RangeError> {
        let civil = Civil { year: i64::from(year), month, day };
        civil
            .days()
            .and_then(Self::from_count)
            .ok_or_else(|| RangeError::new(format_args!("{year:04}-{month:02}-{day:02}"), "date"))
    }

    /// The day that is `days` after 2000-01-01; the least and the greatest `i32` are the infinities.
    ///
    /// # Errors
    /// When it is outside the server's range.
    pub fn from_days(days: i32) -> Result<Self, RangeError> {
        let date = Self(days);
        if (Self::MIN..=Self::MAX).contains(&date) || !date.is_finite() {
            Ok(date)
        } else {
            Err(RangeError::new(format_args!("day {days} from 2000-01-01"), "date"))
        }
    }

    /// A finite day of this count.
    pub(crate) fn from_count(days: i64) -> Option<Self> {
        let date = Self(i32::try_from(days).ok()?);
        (Self::MIN..=Self::MAX).contains(&date).then_some(date)
    }

    /// Days after 2000-01-01; the least and the greatest `i32` for the infinities.
    #[inline]
    pub const fn days(self) -> i32 {
        self.0
    }

    /// Whether it is a day, and not an infinity.
    #[inline]
    pub fn is_finite(self) -> bool {
        self != Self::INFINITY && self != Self::NEG_INFINITY
    }

    /// Year (0 is 1 BC), month and day; `None` for the infinities.
    pub fn ymd(self) -> Option<(i32, u8, u8)> {
        let Civil { year, month, day } = Civil::from_days(i64::from(self.0));
        self.is_finite().then(|| (i32::try_from(year).expect("at most 5874897"), month, day))
    }
}

impl Builtin<'_> for Date {
    #[inline]
    fn put(&self, out: &mut Encoder) -> Result<(), EncodeError> {
        out.put_i32(self.0);
        Ok(())
    }

    #[inline]
    fn get(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        Ok(Self::from_days(r.i32()?)?)
    }
}

/// The server's ISO form: `2024-02-29`, `0044-03-15 BC`, `infinity`.
impl fmt::Display for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::INFINITY => f.write_str("infinity"),
            Self::NEG_INFINITY => f.write_str("-infinity"),
            Self(days) => {
                let civil = Civil::from_days(i64::from(days));
                civil.write(f)?;
                if civil.is_bc() { f.write_str(" BC") } else { Ok(()) }
            }
        }
    }
}

impl fmt::Debug for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Date({self})")
    }
}

impl FromStr for Date {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        match text {
            "infinity" => return Ok(Self::INFINITY),
            "-infinity" => return Ok(Self::NEG_INFINITY),
            _ => {}
        }
        let mut s = Scan::new(text);
        let civil = Civil::scan(&mut s).and_then(|civil| civil.scan_era(&mut s)).filter(|_| s.is_done());
        let civil = civil.ok_or_else(|| ParseError::new("date", text, "not YYYY-MM-DD"))?;
        civil
            .days()
            .and_then(Self::from_count)
            .ok_or_else(|| ParseError::new("date", text, "no such day in the server's range"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::{Decode, Encode, Type};

    /// What `date_send` of PostgreSQL 15 answered for these.
    const SENT: [(&str, i32); 8] = [
        ("2000-01-01", 0),
        ("infinity", 0x7fff_ffff),
        ("-infinity", i32::MIN),
        ("4714-11-24 BC", -0x0025_6859),
        ("5874897-12-31", 0x7fda_970c),
        ("0001-12-31 BC", -0x000b_2408),
        ("0044-03-15 BC", -0x000b_6285),
        ("2024-02-29", 0x2279),
    ];

    #[test]
    fn text_and_bytes_are_the_servers() {
        let ty = Type::unknown_number(1082);
        for (text, days) in SENT {
            let date: Date = text.parse().expect("parses");
            assert_eq!(date.days(), days, "{text}");
            assert_eq!(date.to_string(), text);
            let mut out = Encoder::new();
            date.encode(&mut out).expect("encodes");
            assert_eq!(out.as_bytes(), days.to_be_bytes());
            assert_eq!(Date::decode(&ty, &days.to_be_bytes()), Ok(date));
        }
    }

    #[test]
    fn what_is_no_date_is_refused() {
        for text in
            ["", "2024-2-29", "2023-02-29", "0000-01-01", "4714-11-23 BC", "5874898-01-01", "2024-02-29x"]
        {
            assert!(text.parse::<Date>().is_err(), "{text}");
        }
        let ty = Type::unknown_number(1082);
        assert!(Date::decode(&ty, &(Date::MAX.days() + 1).to_be_bytes()).is_err());
        assert!(Date::decode(&ty, &(Date::MIN.days() - 1).to_be_bytes()).is_err());
        assert!(Date::new(2023, 2, 29).is_err());
    }
}
