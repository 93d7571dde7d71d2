//! Dates, times and spans of time of `jiff`.

use jiff::civil;

use super::through::through;
use crate::error::RangeError;
use crate::types::builtin::builtin;
use crate::types::range::elements;
use crate::types::{Date, Interval, Time, Timestamp, TimestampTz};

builtin! {
    civil::Date, 1082, 1182;
    civil::Time, 1083, 1183;
    civil::DateTime, 1114, 1115;
    jiff::Timestamp, 1184, 1185;
    jiff::SignedDuration, 1186, 1187;
    jiff::Span, 1186, 1187;
}

through! {
    civil::Date => Date;
    civil::Time => Time;
    civil::DateTime => Timestamp;
    jiff::Timestamp => TimestampTz;
    jiff::SignedDuration => Interval;
    jiff::Span => Interval;
}

elements! {
    civil::Date: DATERANGE, DATERANGE_ARRAY, DATEMULTIRANGE, DATEMULTIRANGE_ARRAY, next_date;
    civil::DateTime: TSRANGE, TSRANGE_ARRAY, TSMULTIRANGE, TSMULTIRANGE_ARRAY;
    jiff::Timestamp: TSTZRANGE, TSTZRANGE_ARRAY, TSTZMULTIRANGE, TSTZMULTIRANGE_ARRAY;
}

fn next_date(date: civil::Date) -> Result<Option<civil::Date>, RangeError> {
    let next = date.tomorrow().ok();
    next.map(Some).ok_or_else(|| RangeError::new("what comes after the last day", "daterange"))
}

/// A part of a date or time, which is not negative.
fn part(n: i8) -> u8 {
    n.unsigned_abs()
}

impl TryFrom<&civil::Date> for Date {
    type Error = RangeError;

    fn try_from(date: &civil::Date) -> Result<Self, RangeError> {
        Self::new(date.year().into(), part(date.month()), part(date.day()))
    }
}

impl TryFrom<Date> for civil::Date {
    type Error = RangeError;

    fn try_from(date: Date) -> Result<Self, RangeError> {
        let parts = date.ymd().and_then(|(year, month, day)| {
            Self::new(i16::try_from(year).ok()?, i8::try_from(month).ok()?, i8::try_from(day).ok()?).ok()
        });
        parts.ok_or_else(|| RangeError::new(date, "jiff::civil::Date"))
    }
}

impl TryFrom<&civil::Time> for Time {
    type Error = RangeError;

    fn try_from(time: &civil::Time) -> Result<Self, RangeError> {
        let micros = time.subsec_nanosecond().unsigned_abs() / 1000;
        Self::new(part(time.hour()), part(time.minute()), part(time.second()), micros)
    }
}

/// Fails for 24:00:00.
impl TryFrom<Time> for civil::Time {
    type Error = RangeError;

    fn try_from(time: Time) -> Result<Self, RangeError> {
        let (hour, minute, second, micros) = time.hms();
        let parts = || {
            let nanos = i32::try_from(micros).ok()? * 1000;
            Self::new(i8::try_from(hour).ok()?, i8::try_from(minute).ok()?, i8::try_from(second).ok()?, nanos)
                .ok()
        };
        parts().ok_or_else(|| RangeError::new(time, "jiff::civil::Time"))
    }
}

impl TryFrom<&civil::DateTime> for Timestamp {
    type Error = RangeError;

    fn try_from(at: &civil::DateTime) -> Result<Self, RangeError> {
        Self::new(Date::try_from(&at.date())?, Time::try_from(&at.time())?)
    }
}

impl TryFrom<Timestamp> for civil::DateTime {
    type Error = RangeError;

    fn try_from(at: Timestamp) -> Result<Self, RangeError> {
        let fail = || RangeError::new(at, "jiff::civil::DateTime");
        let time = at.time().ok_or_else(fail)?;
        let date = civil::Date::try_from(at.date()).map_err(|_| fail())?;
        Ok(Self::from_parts(date, civil::Time::try_from(time)?))
    }
}

impl TryFrom<&jiff::Timestamp> for TimestampTz {
    type Error = RangeError;

    fn try_from(at: &jiff::Timestamp) -> Result<Self, RangeError> {
        let micros = i64::try_from(at.as_nanosecond().div_euclid(1000)).ok();
        let own = micros.and_then(|micros| Self::from_unix_micros(micros).ok());
        own.ok_or_else(|| RangeError::new(at, "timestamptz"))
    }
}

impl TryFrom<TimestampTz> for jiff::Timestamp {
    type Error = RangeError;

    fn try_from(at: TimestampTz) -> Result<Self, RangeError> {
        let moment = at.unix_micros().and_then(|micros| Self::from_microsecond(micros).ok());
        moment.ok_or_else(|| RangeError::new(at, "jiff::Timestamp"))
    }
}

/// Microseconds only. A fraction of one is refused: nothing is rounded.
impl TryFrom<&jiff::SignedDuration> for Interval {
    type Error = RangeError;

    fn try_from(span: &jiff::SignedDuration) -> Result<Self, RangeError> {
        let micros = i64::try_from(span.as_micros()).ok().filter(|_| span.subsec_nanos() % 1000 == 0);
        let micros = micros.ok_or_else(|| RangeError::new(format_args!("{span:?}"), "interval"))?;
        Ok(Self { micros, ..Self::ZERO })
    }
}

/// Fails for months and days, whose length is not known.
impl TryFrom<Interval> for jiff::SignedDuration {
    type Error = RangeError;

    fn try_from(interval: Interval) -> Result<Self, RangeError> {
        match interval {
            Interval { months: 0, days: 0, micros } => Ok(Self::from_micros(micros)),
            _ => Err(RangeError::new(interval, "jiff::SignedDuration")),
        }
    }
}

/// Years become months, weeks days, and clock units microseconds, as the server keeps them. A fraction of a microsecond
/// is refused: nothing is rounded.
impl TryFrom<&jiff::Span> for Interval {
    type Error = RangeError;

    fn try_from(span: &jiff::Span) -> Result<Self, RangeError> {
        const NANOS: i128 = 1_000;
        let refused = || RangeError::new(format_args!("{span:?}"), "interval");
        let seconds = i128::from(span.get_hours()) * 3600
            + i128::from(span.get_minutes()) * 60
            + i128::from(span.get_seconds());
        let micros = seconds * 1_000_000
            + i128::from(span.get_milliseconds()) * 1_000
            + i128::from(span.get_microseconds());
        let nanos = i128::from(span.get_nanoseconds());
        if nanos % NANOS != 0 {
            return Err(refused());
        }
        let months = i64::from(span.get_years()) * 12 + i64::from(span.get_months());
        let days = i64::from(span.get_weeks()) * 7 + i64::from(span.get_days());
        Ok(Self {
            months: i32::try_from(months).map_err(|_| refused())?,
            days: i32::try_from(days).map_err(|_| refused())?,
            micros: i64::try_from(micros + nanos / NANOS).map_err(|_| refused())?,
        })
    }
}

/// Months, days and microseconds. Fails where they do not have one sign, or are more than a span holds: a
/// span is positive or negative as a whole.
impl TryFrom<Interval> for jiff::Span {
    type Error = RangeError;

    fn try_from(interval: Interval) -> Result<Self, RangeError> {
        let Interval { months, days, micros } = interval;
        let signs = [months.signum().into(), days.signum().into(), micros.signum()];
        let one_sign = !(signs.contains(&1) && signs.contains(&-1));
        let span = Self::new().try_months(months).and_then(|span| span.try_days(days));
        let span = span.and_then(|span| span.try_microseconds(micros)).ok().filter(|_| one_sign);
        span.ok_or_else(|| RangeError::new(interval, "jiff::Span"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::oid;
    use crate::types::interop::through::refused;

    #[test]
    fn what_is_held_comes_back_and_the_rest_is_refused() {
        assert_eq!(refused::<civil::Date>(oid::DATE), ["5874897-12-31", "infinity", "-infinity"]);
        assert_eq!(refused::<civil::Time>(oid::TIME), ["24:00:00"]);
        let refused_moments = ["294276-12-31 23:59:59.999999", "infinity", "-infinity"];
        assert_eq!(refused::<civil::DateTime>(oid::TIMESTAMP), refused_moments);
        let refused_moments = ["294276-12-31 23:59:59.999999+00", "infinity", "-infinity"];
        assert_eq!(refused::<jiff::Timestamp>(oid::TIMESTAMPTZ), refused_moments);
    }

    #[test]
    fn what_the_server_does_not_hold_is_refused() {
        assert!(Date::try_from(&civil::Date::MIN).is_err());
        assert!(Timestamp::try_from(&civil::DateTime::MIN).is_err());
        let before = jiff::Timestamp::from_nanosecond(-1).expect("in range");
        assert_eq!(TimestampTz::try_from(&before).expect("in range").unix_micros(), Some(-1));
    }

    #[test]
    fn spans_of_time_are_exact() {
        let refused = refused::<jiff::SignedDuration>(oid::INTERVAL);
        assert!(refused.contains(&"1 mon -1 days") && refused.contains(&"1 day"), "{refused:?}");
        assert!(!refused.contains(&"00:00:00"), "{refused:?}");
        let minus = Interval { micros: -1_500_000, ..Interval::ZERO };
        assert_eq!(Interval::try_from(&jiff::SignedDuration::from_millis(-1500)), Ok(minus));
        assert_eq!(jiff::SignedDuration::try_from(minus), Ok(jiff::SignedDuration::from_millis(-1500)));
        assert!(Interval::try_from(&jiff::SignedDuration::from_nanos(1)).is_err());
        assert!(Interval::try_from(&jiff::SignedDuration::MAX).is_err());
    }

    #[test]
    fn spans_of_the_calendar_keep_months_and_days_apart() {
        use jiff::{Span, ToSpan};

        let refused = refused::<Span>(oid::INTERVAL);
        assert!(refused.contains(&"1 mon -1 days") && !refused.contains(&"1 day"), "{refused:?}");
        let span = 1.year().months(2).weeks(1).days(3).hours(4).minutes(5).milliseconds(6).nanoseconds(7_000);
        let interval = Interval { months: 14, days: 10, micros: 14_700_006_007 };
        assert_eq!(Interval::try_from(&span), Ok(interval));
        let back = Span::try_from(interval).expect("one sign");
        assert_eq!(back.fieldwise(), 14.months().days(10).microseconds(14_700_006_007_i64).fieldwise());
        let minus = Interval { months: -1, days: -2, micros: -3 };
        assert_eq!(Interval::try_from(&Span::try_from(minus).expect("one sign")), Ok(minus));
        assert!(Interval::try_from(&1.nanosecond()).is_err());
        assert!(Span::try_from(Interval { months: i32::MAX, ..Interval::ZERO }).is_err());
    }

    #[test]
    fn days_have_ranges() {
        let first = civil::date(2024, 2, 29);
        let range = crate::types::Range::from(first..=first).canonical().expect("in range");
        let mut out = crate::Encoder::new();
        crate::Encode::encode(&range, &mut out).expect("encodes");
        let ty = crate::Type::from_oid(oid::DATERANGE).expect("is built in");
        let value = crate::types::Value::decode(&ty, Some(out.as_bytes())).expect("decodes");
        assert_eq!(value.to_string(), "[2024-02-29,2024-03-01)");
        assert_eq!(value.to(), Ok(range));
        assert!(crate::types::Range::from(civil::Date::MAX..=civil::Date::MAX).canonical().is_err());
    }
}
