//! Spans of time.

use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use crate::error::{DecodeError, EncodeError, ParseError, RangeError};
use crate::types::Encoder;
use crate::types::builtin::{Builtin, builtin};
use crate::types::calendar::{DAY, scan_fraction, write_time};
use crate::types::scan::Scan;
use crate::types::text_form::text_form;
use crate::wire::Reader;

/// An `interval`: months, days and microseconds, which are kept apart, as months and days differ in length
/// (PostgreSQL manual, "Date/Time Types"). Since version 17 of the server there are infinite ones.
///
/// Two are equal when all parts are. They are ordered as the server orders them, for which a month is 30 days and
/// a day 24 hours; of those that the server holds for equal, `1 mon` comes behind `30 days`.
///
/// ```
/// use wreath_codecs::types::Interval;
///
/// let term = Interval { months: 14, days: -3, micros: 1_500_000 };
/// assert_eq!(term.to_string(), "1 year 2 mons -3 days +00:00:01.5");
/// assert_eq!("1 year 2 mons -3 days +00:00:01.5".parse(), Ok(term));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Interval {
    /// Months; twelve are a year.
    pub months: i32,
    /// Days.
    pub days: i32,
    /// Microseconds.
    pub micros: i64,
}

builtin! {
    Interval, 1186, 1187;
    Duration, 1186, 1187;
}
text_form! { Interval }

impl Interval {
    /// Nothing.
    pub const ZERO: Self = Self { months: 0, days: 0, micros: 0 };
    /// Longer than every other; version 17 of the server is the first to know it.
    pub const INFINITY: Self = Self { months: i32::MAX, days: i32::MAX, micros: i64::MAX };
    /// Shorter than every other; version 17 of the server is the first to know it.
    pub const NEG_INFINITY: Self = Self { months: i32::MIN, days: i32::MIN, micros: i64::MIN };

    /// How long it is for the server's comparisons.
    fn span(self) -> i128 {
        (i128::from(self.months) * 30 + i128::from(self.days)) * i128::from(DAY) + i128::from(self.micros)
    }
}

impl Ord for Interval {
    fn cmp(&self, other: &Self) -> Ordering {
        let parts = |i: &Self| (i.span(), i.months, i.days);
        parts(self).cmp(&parts(other))
    }
}

impl PartialOrd for Interval {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Builtin<'_> for Interval {
    #[inline]
    fn put(&self, out: &mut Encoder) -> Result<(), EncodeError> {
        out.put_i64(self.micros);
        out.put_i32(self.days);
        out.put_i32(self.months);
        Ok(())
    }

    #[inline]
    fn get(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let (micros, days, months) = (r.i64()?, r.i32()?, r.i32()?);
        Ok(Self { months, days, micros })
    }
}

/// Only what is lossless: microseconds, and no days or months.
impl Builtin<'_> for Duration {
    fn put(&self, out: &mut Encoder) -> Result<(), EncodeError> {
        Interval::try_from(*self)?.put(out)
    }

    fn get(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        Ok(Self::try_from(Interval::get(r)?)?)
    }
}

/// The server's style `postgres`, which is its default.
impl fmt::Display for Interval {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::INFINITY => return f.write_str("infinity"),
            Self::NEG_INFINITY => return f.write_str("-infinity"),
            _ => {}
        }
        // A positive part behind a negative one shows its sign.
        let (mut first, mut was_negative) = (true, false);
        for (n, unit) in [(self.months / 12, "year"), (self.months % 12, "mon"), (self.days, "day")] {
            if n != 0 {
                let (space, plus) =
                    (if first { "" } else { " " }, if was_negative && n > 0 { "+" } else { "" });
                write!(f, "{space}{plus}{n} {unit}{}", if n == 1 { "" } else { "s" })?;
                (first, was_negative) = (false, n < 0);
            }
        }
        if !first && self.micros == 0 {
            return Ok(());
        }
        f.write_str(if first { "" } else { " " })?;
        f.write_str(if self.micros < 0 {
            "-"
        } else if was_negative {
            "+"
        } else {
            ""
        })?;
        write_time(f, self.micros.unsigned_abs())
    }
}

/// Reads what the server writes in its style `postgres`, and weeks, hours, minutes and seconds as units.
impl FromStr for Interval {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        match text {
            "infinity" => return Ok(Self::INFINITY),
            "-infinity" => return Ok(Self::NEG_INFINITY),
            _ => {}
        }
        scan(text).ok_or_else(|| ParseError::new("interval", text, "not numbers with units, and a time"))
    }
}

fn scan(text: &str) -> Option<Interval> {
    let (mut months, mut days, mut micros) = (0_i64, 0_i64, 0_i64);
    let mut words = text.split_ascii_whitespace().peekable();
    words.peek()?;
    while let Some(word) = words.next() {
        if word.contains(':') {
            micros = micros.checked_add(scan_clock(word)?)?;
            continue;
        }
        let n: i64 = word.parse().ok()?;
        let unit = words.next()?;
        let (sum, factor) = match unit.strip_suffix('s').unwrap_or(unit) {
            "year" => (&mut months, 12),
            "mon" | "month" => (&mut months, 1),
            "week" => (&mut days, 7),
            "day" => (&mut days, 1),
            "hour" => (&mut micros, 3_600_000_000),
            "min" | "minute" => (&mut micros, 60_000_000),
            "sec" | "second" => (&mut micros, 1_000_000),
            _ => return None,
        };
        *sum = sum.checked_add(n.checked_mul(factor)?)?;
    }
    Some(Interval { months: i32::try_from(months).ok()?, days: i32::try_from(days).ok()?, micros })
}

/// Reads `[+-]HH:MM[:SS[.ffffff]]` with any number of hours.
fn scan_clock(word: &str) -> Option<i64> {
    let mut s = Scan::new(word);
    let negative = s.eat('-');
    if !negative {
        s.eat('+');
    }
    let hours: i128 = s.number(1, 10)?;
    let minutes: i128 = s.eat(':').then(|| s.number(2, 2))??;
    let seconds: i128 = if s.eat(':') { s.number(2, 2)? } else { 0 };
    let fraction = if s.eat('.') { scan_fraction(&mut s)? } else { 0 };
    if !s.is_done() || minutes > 59 || seconds > 59 {
        return None;
    }
    let micros = ((hours * 60 + minutes) * 60 + seconds) * 1_000_000 + i128::from(fraction);
    i64::try_from(if negative { -micros } else { micros }).ok()
}

/// Microseconds only. A fraction of one is refused: nothing is rounded.
impl TryFrom<Duration> for Interval {
    type Error = RangeError;

    fn try_from(duration: Duration) -> Result<Self, RangeError> {
        let micros =
            i64::try_from(duration.as_micros()).ok().filter(|_| duration.subsec_nanos().is_multiple_of(1000));
        let micros = micros.ok_or_else(|| RangeError::new(format_args!("{duration:?}"), "interval"))?;
        Ok(Self { micros, ..Self::ZERO })
    }
}

/// Fails for what is negative, and for months and days, whose length is not known.
impl TryFrom<Interval> for Duration {
    type Error = RangeError;

    fn try_from(interval: Interval) -> Result<Self, RangeError> {
        let micros =
            u64::try_from(interval.micros).ok().filter(|_| interval.months == 0 && interval.days == 0);
        micros.map(Self::from_micros).ok_or_else(|| RangeError::new(interval, "Duration"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn infinities_are_texts_and_numbers() {
        for (text, interval) in [("infinity", Interval::INFINITY), ("-infinity", Interval::NEG_INFINITY)] {
            assert_eq!(interval.to_string(), text);
            assert_eq!(text.parse(), Ok(interval));
        }
        assert!(Interval::NEG_INFINITY < Interval::ZERO && Interval::ZERO < Interval::INFINITY);
    }

    #[test]
    fn order_follows_the_server() {
        let at = |text: &str| text.parse::<Interval>().expect("parses");
        assert!(at("29 days") < at("1 mon") && at("1 mon") < at("31 days"));
        assert!(at("30 days") < at("1 mon"));
        assert!(at("24:00:01") > at("1 day"));
        assert!(at("-1 days") < at("-23:00:00"));
    }

    #[test]
    fn units_add_up() {
        let at = |text: &str| text.parse::<Interval>();
        assert_eq!(at("1 week 2 hours 3 min 4 seconds"), at("7 days 02:03:04"));
        for text in
            ["", "1", "day", "1 lustrum", "1:2", "00:60:00", "3000000000 days", "1 day 9999999999:00:00"]
        {
            assert!(at(text).is_err(), "{text}");
        }
    }

    #[test]
    fn durations_are_exact() {
        let millis = Interval { micros: 1_500_000, ..Interval::ZERO };
        assert_eq!(Interval::try_from(Duration::from_millis(1500)), Ok(millis));
        assert_eq!(Duration::try_from(millis), Ok(Duration::from_millis(1500)));
        assert!(Interval::try_from(Duration::from_nanos(1)).is_err());
        assert!(Interval::try_from(Duration::MAX).is_err());
        assert!(Duration::try_from(Interval { days: 1, ..Interval::ZERO }).is_err());
    }
}
