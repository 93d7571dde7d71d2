//! Moments, without and with a time zone.

use std::fmt;
use std::str::FromStr;
use std::time::{Duration, SystemTime};

use crate::error::{DecodeError, EncodeError, ParseError, RangeError};
use crate::types::builtin::{Builtin, builtin};
use crate::types::calendar::{Civil, DAY, UNIX_TO_2000, scan_offset, scan_time, write_time};
use crate::types::scan::Scan;
use crate::types::{Date, Encoder, Time};
use crate::wire::Reader;

/// A `timestamp` (without time zone): a day and a time of day, of no place in particular, to the microsecond,
/// from 4714-11-24 BC to the end of 294276, or one of the infinities.
///
/// ```
/// use wreath_codecs::types::{Date, Time, Timestamp};
///
/// let shorn = Timestamp::new(Date::new(2024, 5, 1)?, Time::new(6, 30, 0, 0)?)?;
/// assert_eq!(shorn.to_string(), "2024-05-01 06:30:00");
/// assert_eq!("2024-05-01 06:30:00".parse(), Ok(shorn));
/// # Ok::<(), wreath_codecs::RangeError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp(i64);

/// A `timestamptz`: a moment, to the microsecond, from 4714-11-24 BC to the end of 294276, or one of the
/// infinities. The server stores no zone; its text is shown here in UTC.
///
/// ```
/// use std::time::SystemTime;
/// use wreath_codecs::types::TimestampTz;
///
/// let born: TimestampTz = "1996-07-05 17:00:00+01".parse()?;
/// assert_eq!(born.to_string(), "1996-07-05 16:00:00+00");
/// let back = TimestampTz::try_from(SystemTime::try_from(born)?)?;
/// assert_eq!(back, born);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TimestampTz(i64);

builtin! {
    Timestamp, 1114, 1115;
    TimestampTz, 1184, 1185;
    SystemTime, 1184, 1185;
}

/// The first moment, 4714-11-24 00:00:00 BC.
const MIN: i64 = -211_813_488_000_000_000;
/// The last moment, 294276-12-31 23:59:59.999999.
const MAX: i64 = 9_223_371_331_199_999_999;
/// Microseconds from 1970-01-01 to 2000-01-01.
const UNIX_EPOCH: i64 = UNIX_TO_2000 * DAY;

macro_rules! moments {
    ($($t:ident, $name:literal;)*) => {$(
        impl $t {
            /// Before every moment.
            pub const NEG_INFINITY: Self = Self(i64::MIN);
            /// After every moment.
            pub const INFINITY: Self = Self(i64::MAX);
            /// The first moment, 4714-11-24 00:00:00 BC.
            pub const MIN: Self = Self(MIN);
            /// The last moment, 294276-12-31 23:59:59.999999.
            pub const MAX: Self = Self(MAX);
            /// 1970-01-01 00:00:00.
            pub const UNIX_EPOCH: Self = Self(-UNIX_EPOCH);

            /// The moment `micros` microseconds after 2000-01-01 00:00:00; the least and the greatest `i64`
            /// are the infinities.
            ///
            /// # Errors
            /// When it is outside the server's range.
            pub fn from_micros(micros: i64) -> Result<Self, RangeError> {
                match micros {
                    MIN..=MAX | i64::MIN | i64::MAX => Ok(Self(micros)),
                    _ => Err(RangeError::new(format_args!("{micros} microseconds from 2000-01-01"), $name)),
                }
            }

            /// The moment `micros` microseconds after 1970-01-01 00:00:00.
            ///
            /// # Errors
            /// When it is outside the server's range.
            pub fn from_unix_micros(micros: i64) -> Result<Self, RangeError> {
                micros
                    .checked_sub(UNIX_EPOCH)
                    .filter(|n| (MIN..=MAX).contains(n))
                    .map(Self)
                    .ok_or_else(|| RangeError::new(format_args!("{micros} microseconds from 1970-01-01"), $name))
            }

            /// Microseconds after 2000-01-01 00:00:00; the least and the greatest `i64` for the infinities.
            #[inline]
            pub const fn micros(self) -> i64 {
                self.0
            }

            /// Microseconds after 1970-01-01 00:00:00; `None` for the infinities, and for the last thirty
            /// years of the range, whose count no `i64` holds.
            pub fn unix_micros(self) -> Option<i64> {
                if self.is_finite() { self.0.checked_add(UNIX_EPOCH) } else { None }
            }

            /// Whether it is a moment, and not an infinity.
            #[inline]
            pub const fn is_finite(self) -> bool {
                self.0 != i64::MAX && self.0 != i64::MIN
            }

            fn of_civil(civil: Civil, micros: i64, east: i32) -> Option<Self> {
                let total = civil.days()?.checked_mul(DAY)?.checked_add(micros)?;
                let total = total.checked_sub(i64::from(east) * 1_000_000)?;
                (MIN..=MAX).contains(&total).then_some(Self(total))
            }
        }

        impl Builtin<'_> for $t {
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

        impl fmt::Debug for $t {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!(stringify!($t), "({})"), self)
            }
        }
    )*};
}

moments! {
    Timestamp, "timestamp";
    TimestampTz, "timestamptz";
}

impl Timestamp {
    /// `time` on `date`. 24:00:00 is the midnight that ends the day.
    ///
    /// # Errors
    /// When it is outside the range: dates go further than timestamps do.
    pub fn new(date: Date, time: Time) -> Result<Self, RangeError> {
        let fail = || RangeError::new(format_args!("{date} {time}"), "timestamp");
        if !date.is_finite() {
            return Err(fail());
        }
        let total = i64::from(date.days()).checked_mul(DAY).and_then(|n| n.checked_add(time.micros()));
        total.filter(|n| (MIN..=MAX).contains(n)).map(Self).ok_or_else(fail)
    }

    /// The day; an infinity is the date's infinity.
    pub fn date(self) -> Date {
        match self {
            Self::INFINITY => Date::INFINITY,
            Self::NEG_INFINITY => Date::NEG_INFINITY,
            Self(micros) => {
                Date::from_count(micros.div_euclid(DAY)).expect("dates go further than timestamps")
            }
        }
    }

    /// The time of day; `None` for the infinities.
    pub fn time(self) -> Option<Time> {
        self.is_finite().then(|| Time::from_micros(self.0.rem_euclid(DAY)).expect("less than a day"))
    }

    /// The moment at which clocks in UTC show this.
    pub const fn as_utc(self) -> TimestampTz {
        TimestampTz(self.0)
    }
}

impl TimestampTz {
    /// What clocks in UTC show at this moment.
    pub const fn to_utc(self) -> Timestamp {
        Timestamp(self.0)
    }
}

fn write_moment(f: &mut fmt::Formatter<'_>, micros: i64, offset: &str) -> fmt::Result {
    match micros {
        i64::MAX => f.write_str("infinity"),
        i64::MIN => f.write_str("-infinity"),
        _ => {
            let civil = Civil::from_days(micros.div_euclid(DAY));
            civil.write(f)?;
            f.write_str(" ")?;
            write_time(f, micros.rem_euclid(DAY).unsigned_abs())?;
            f.write_str(offset)?;
            if civil.is_bc() { f.write_str(" BC") } else { Ok(()) }
        }
    }
}

/// The server's ISO form: `2024-02-29 12:00:00.5`, `0044-03-15 00:00:00 BC`, `infinity`.
impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_moment(f, self.0, "")
    }
}

/// The server's ISO form in UTC: `2024-02-29 12:00:00.5+00`, `0044-03-15 00:00:00+00 BC`, `infinity`.
impl fmt::Display for TimestampTz {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_moment(f, self.0, "+00")
    }
}

/// Reads the ISO form; a `T` may stand between day and time.
impl FromStr for Timestamp {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        match text {
            "infinity" => return Ok(Self::INFINITY),
            "-infinity" => return Ok(Self::NEG_INFINITY),
            _ => {}
        }
        let mut s = Scan::new(text);
        let parts = scan_moment(&mut s, |_| Some(0)).filter(|_| s.is_done());
        parts.ok_or_else(|| ParseError::new("timestamp", text, "not YYYY-MM-DD HH:MM:SS[.ffffff]")).and_then(
            |(civil, micros, east)| {
                Self::of_civil(civil, micros, east)
                    .ok_or_else(|| ParseError::new("timestamp", text, "no such moment in the server's range"))
            },
        )
    }
}

/// Reads the ISO form with any offset; a `T` may stand between day and time, and `Z` for the offset.
impl FromStr for TimestampTz {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        match text {
            "infinity" => return Ok(Self::INFINITY),
            "-infinity" => return Ok(Self::NEG_INFINITY),
            _ => {}
        }
        let mut s = Scan::new(text);
        let parts = scan_moment(&mut s, scan_offset).filter(|_| s.is_done());
        parts
            .ok_or_else(|| {
                ParseError::new("timestamptz", text, "not YYYY-MM-DD HH:MM:SS[.ffffff] and an offset")
            })
            .and_then(|(civil, micros, east)| {
                Self::of_civil(civil, micros, east).ok_or_else(|| {
                    ParseError::new("timestamptz", text, "no such moment in the server's range")
                })
            })
    }
}

fn scan_moment(
    s: &mut Scan<'_>,
    offset: impl FnOnce(&mut Scan<'_>) -> Option<i32>,
) -> Option<(Civil, i64, i32)> {
    let civil = Civil::scan(s)?;
    if !s.eat(' ') && !s.eat('T') {
        return None;
    }
    let micros = scan_time(s)?;
    let east = offset(s)?;
    Some((civil.scan_era(s)?, micros, east))
}

/// Rounds down to the microsecond, as the server keeps no more.
impl TryFrom<SystemTime> for TimestampTz {
    type Error = RangeError;

    fn try_from(time: SystemTime) -> Result<Self, RangeError> {
        let nanos = match time.duration_since(SystemTime::UNIX_EPOCH) {
            Ok(after) => i128::try_from(after.as_nanos()),
            Err(before) => i128::try_from(before.duration().as_nanos()).map(|n| -n),
        };
        nanos
            .ok()
            .and_then(|n| i64::try_from(n.div_euclid(1000) - i128::from(UNIX_EPOCH)).ok())
            .filter(|n| (MIN..=MAX).contains(n))
            .map(Self)
            .ok_or_else(|| RangeError::new(format_args!("{time:?}"), "timestamptz"))
    }
}

/// Fails for the infinities.
impl TryFrom<TimestampTz> for SystemTime {
    type Error = RangeError;

    fn try_from(at: TimestampTz) -> Result<Self, RangeError> {
        let micros = i128::from(at.0) + i128::from(UNIX_EPOCH);
        let distance = u64::try_from(micros.unsigned_abs()).ok().map(Duration::from_micros);
        let time = distance.filter(|_| at.is_finite()).and_then(|d| {
            if micros < 0 { Self::UNIX_EPOCH.checked_sub(d) } else { Self::UNIX_EPOCH.checked_add(d) }
        });
        time.ok_or_else(|| RangeError::new(at, "SystemTime"))
    }
}

impl Builtin<'_> for SystemTime {
    fn put(&self, out: &mut Encoder) -> Result<(), EncodeError> {
        TimestampTz::try_from(*self)?.put(out)
    }

    fn get(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        Ok(Self::try_from(TimestampTz::get(r)?)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What `timestamptz_send` of PostgreSQL 15 answered for these.
    const SENT: [(&str, u64); 6] = [
        ("2000-01-01 00:00:00+00", 0),
        ("infinity", 0x7fff_ffff_ffff_ffff),
        ("-infinity", 0x8000_0000_0000_0000),
        ("4714-11-24 00:00:00+00 BC", 0xfd0f_7cc1_411f_a000),
        ("294276-12-31 23:59:59.999999+00", 0x7fff_ff5b_b3b2_9fff),
        ("0001-12-31 12:00:00.5+00 BC", 0xff1f_e2f5_b6b8_5120),
    ];

    #[test]
    fn text_and_bytes_are_the_servers() {
        for (text, sent) in SENT {
            let at: TimestampTz = text.parse().expect("parses");
            assert_eq!(at.to_string(), text);
            let mut out = Encoder::new();
            at.put(&mut out).expect("encodes");
            assert_eq!(out.as_bytes(), sent.to_be_bytes(), "{text}");
            assert_eq!(TimestampTz::get(&mut Reader::new(&sent.to_be_bytes())), Ok(at));
            let local = text.replace("+00", "");
            assert_eq!(local.parse::<Timestamp>().expect("parses").to_string(), local);
        }
    }

    #[test]
    fn what_is_outside_the_range_is_refused() {
        for micros in [MIN - 1, MAX + 1, i64::MAX - 1, i64::MIN + 1] {
            assert!(Timestamp::from_micros(micros).is_err());
        }
        for text in
            ["294277-01-01 00:00:00+00", "4714-11-23 23:59:59+00 BC", "2024-01-01 00:00:00", "2024-01-01+00"]
        {
            assert!(text.parse::<TimestampTz>().is_err(), "{text}");
        }
        assert!(Timestamp::new(Date::MAX, Time::MIDNIGHT).is_err());
        assert!(Timestamp::new(Date::INFINITY, Time::MIDNIGHT).is_err());
        assert!(SystemTime::try_from(TimestampTz::INFINITY).is_err());
    }

    #[test]
    fn system_times_round_down() {
        let before = SystemTime::UNIX_EPOCH - Duration::from_nanos(1);
        let at = TimestampTz::try_from(before).expect("in range");
        assert_eq!(at.to_string(), "1969-12-31 23:59:59.999999+00");
        assert_eq!(at.unix_micros(), Some(-1));
        for edge in [TimestampTz::MIN, TimestampTz::MAX, TimestampTz::UNIX_EPOCH] {
            let time = SystemTime::try_from(edge).expect("in range");
            assert_eq!(TimestampTz::try_from(time), Ok(edge));
        }
    }

    #[test]
    fn day_and_time_come_apart() {
        let at: Timestamp = "0001-12-31 23:59:59.5 BC".parse().expect("parses");
        assert_eq!(
            (at.date().to_string(), at.time().expect("finite").to_string()),
            ("0001-12-31 BC".into(), "23:59:59.5".into())
        );
        assert_eq!(Timestamp::new(at.date(), at.time().expect("finite")), Ok(at));
    }
}
