//! Dates, times and spans of time of `time`.

use time::{OffsetDateTime, PrimitiveDateTime, UtcDateTime};

use super::through::through;
use crate::error::RangeError;
use crate::types::builtin::builtin;
use crate::types::range::elements;
use crate::types::{Date, Interval, Time, Timestamp, TimestampTz};

builtin! {
    time::Date, 1082, 1182;
    time::Time, 1083, 1183;
    PrimitiveDateTime, 1114, 1115;
    OffsetDateTime, 1184, 1185;
    UtcDateTime, 1184, 1185;
    time::Duration, 1186, 1187;
}

through! {
    time::Date => Date;
    time::Time => Time;
    PrimitiveDateTime => Timestamp;
    OffsetDateTime => TimestampTz;
    UtcDateTime => TimestampTz;
    time::Duration => Interval;
}

elements! {
    time::Date: DATERANGE, DATERANGE_ARRAY, DATEMULTIRANGE, DATEMULTIRANGE_ARRAY, next_date;
    PrimitiveDateTime: TSRANGE, TSRANGE_ARRAY, TSMULTIRANGE, TSMULTIRANGE_ARRAY;
    OffsetDateTime: TSTZRANGE, TSTZRANGE_ARRAY, TSTZMULTIRANGE, TSTZMULTIRANGE_ARRAY;
    UtcDateTime: TSTZRANGE, TSTZRANGE_ARRAY, TSTZMULTIRANGE, TSTZMULTIRANGE_ARRAY;
}

fn next_date(date: time::Date) -> Result<Option<time::Date>, RangeError> {
    let next = date.next_day();
    next.map(Some).ok_or_else(|| RangeError::new("what comes after the last day", "daterange"))
}

/// The Julian day of 2000-01-01.
const JULIAN_2000: i32 = 2_451_545;

impl TryFrom<&time::Date> for Date {
    type Error = RangeError;

    fn try_from(date: &time::Date) -> Result<Self, RangeError> {
        let days = i64::from(date.to_julian_day()) - i64::from(JULIAN_2000);
        Self::from_count(days).ok_or_else(|| RangeError::new(date, "date"))
    }
}

impl TryFrom<Date> for time::Date {
    type Error = RangeError;

    fn try_from(date: Date) -> Result<Self, RangeError> {
        let day = date.days().checked_add(JULIAN_2000).filter(|_| date.is_finite());
        day.and_then(|day| Self::from_julian_day(day).ok()).ok_or_else(|| RangeError::new(date, "time::Date"))
    }
}

impl TryFrom<&time::Time> for Time {
    type Error = RangeError;

    fn try_from(time: &time::Time) -> Result<Self, RangeError> {
        let (hour, minute, second, micros) = time.as_hms_micro();
        Self::new(hour, minute, second, micros)
    }
}

/// Fails for 24:00:00.
impl TryFrom<Time> for time::Time {
    type Error = RangeError;

    fn try_from(time: Time) -> Result<Self, RangeError> {
        let (hour, minute, second, micros) = time.hms();
        Self::from_hms_micro(hour, minute, second, micros).map_err(|_| RangeError::new(time, "time::Time"))
    }
}

/// Microseconds from 1970, rounded down.
fn micros(at: OffsetDateTime) -> Option<i64> {
    i64::try_from(at.unix_timestamp_nanos().div_euclid(1000)).ok()
}

/// The moment of so many microseconds from 1970.
fn moment(micros: Option<i64>) -> Option<OffsetDateTime> {
    OffsetDateTime::from_unix_timestamp_nanos(i128::from(micros?) * 1000).ok()
}

impl TryFrom<&PrimitiveDateTime> for Timestamp {
    type Error = RangeError;

    fn try_from(at: &PrimitiveDateTime) -> Result<Self, RangeError> {
        let own = micros(at.assume_utc()).and_then(|micros| Self::from_unix_micros(micros).ok());
        own.ok_or_else(|| RangeError::new(at, "timestamp"))
    }
}

impl TryFrom<Timestamp> for PrimitiveDateTime {
    type Error = RangeError;

    fn try_from(at: Timestamp) -> Result<Self, RangeError> {
        let moment =
            moment(at.unix_micros()).ok_or_else(|| RangeError::new(at, "time::PrimitiveDateTime"))?;
        Ok(Self::new(moment.date(), moment.time()))
    }
}

impl TryFrom<&OffsetDateTime> for TimestampTz {
    type Error = RangeError;

    fn try_from(at: &OffsetDateTime) -> Result<Self, RangeError> {
        let own = micros(*at).and_then(|micros| Self::from_unix_micros(micros).ok());
        own.ok_or_else(|| RangeError::new(at, "timestamptz"))
    }
}

/// The server keeps no offset: it is that of UTC.
impl TryFrom<TimestampTz> for OffsetDateTime {
    type Error = RangeError;

    fn try_from(at: TimestampTz) -> Result<Self, RangeError> {
        moment(at.unix_micros()).ok_or_else(|| RangeError::new(at, "time::OffsetDateTime"))
    }
}

impl TryFrom<&UtcDateTime> for TimestampTz {
    type Error = RangeError;

    fn try_from(at: &UtcDateTime) -> Result<Self, RangeError> {
        Self::try_from(&OffsetDateTime::from(*at))
    }
}

impl TryFrom<TimestampTz> for UtcDateTime {
    type Error = RangeError;

    fn try_from(at: TimestampTz) -> Result<Self, RangeError> {
        OffsetDateTime::try_from(at).map(Self::from)
    }
}

/// Microseconds only. A fraction of one is refused: nothing is rounded.
impl TryFrom<&time::Duration> for Interval {
    type Error = RangeError;

    fn try_from(span: &time::Duration) -> Result<Self, RangeError> {
        let micros =
            i64::try_from(span.whole_microseconds()).ok().filter(|_| span.subsec_nanoseconds() % 1000 == 0);
        let micros = micros.ok_or_else(|| RangeError::new(format_args!("{span:?}"), "interval"))?;
        Ok(Self { micros, ..Self::ZERO })
    }
}

/// Fails for months and days, whose length is not known.
impl TryFrom<Interval> for time::Duration {
    type Error = RangeError;

    fn try_from(interval: Interval) -> Result<Self, RangeError> {
        match interval {
            Interval { months: 0, days: 0, micros } => Ok(Self::microseconds(micros)),
            _ => Err(RangeError::new(interval, "time::Duration")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::oid;
    use crate::types::interop::through::refused;

    #[test]
    fn what_is_held_comes_back_and_the_rest_is_refused() {
        assert_eq!(refused::<time::Date>(oid::DATE), ["5874897-12-31", "infinity", "-infinity"]);
        assert_eq!(refused::<time::Time>(oid::TIME), ["24:00:00"]);
        let refused_moments = ["294276-12-31 23:59:59.999999", "infinity", "-infinity"];
        assert_eq!(refused::<PrimitiveDateTime>(oid::TIMESTAMP), refused_moments);
        let refused_moments = ["294276-12-31 23:59:59.999999+00", "infinity", "-infinity"];
        assert_eq!(refused::<OffsetDateTime>(oid::TIMESTAMPTZ), refused_moments);
        assert_eq!(refused::<UtcDateTime>(oid::TIMESTAMPTZ), refused_moments);
    }

    #[test]
    fn what_the_server_does_not_hold_is_refused() {
        assert!(Date::try_from(&time::Date::MIN).is_err());
        assert!(Timestamp::try_from(&PrimitiveDateTime::MIN).is_err());
        let before = OffsetDateTime::from_unix_timestamp_nanos(-1).expect("in range");
        assert_eq!(TimestampTz::try_from(&before).expect("in range").unix_micros(), Some(-1));
    }

    #[test]
    fn spans_of_time_are_exact() {
        let refused = refused::<time::Duration>(oid::INTERVAL);
        assert!(refused.contains(&"1 mon -1 days") && refused.contains(&"1 day"), "{refused:?}");
        assert!(!refused.contains(&"00:00:00"), "{refused:?}");
        let minus = Interval { micros: -1_500_000, ..Interval::ZERO };
        assert_eq!(Interval::try_from(&time::Duration::milliseconds(-1500)), Ok(minus));
        assert_eq!(time::Duration::try_from(minus), Ok(time::Duration::milliseconds(-1500)));
        assert!(Interval::try_from(&time::Duration::nanoseconds(1)).is_err());
        assert!(Interval::try_from(&time::Duration::MAX).is_err());
    }

    #[test]
    fn days_have_ranges() {
        let first = time::Date::from_calendar_date(2024, time::Month::February, 29).expect("a day");
        let range = crate::types::Range::from(first..=first).canonical().expect("in range");
        let mut out = crate::Encoder::new();
        crate::Encode::encode(&range, &mut out).expect("encodes");
        let ty = crate::Type::from_oid(oid::DATERANGE).expect("is built in");
        let value = crate::types::Value::decode(&ty, Some(out.as_bytes())).expect("decodes");
        assert_eq!(value.to_string(), "[2024-02-29,2024-03-01)");
        assert_eq!(value.to(), Ok(range));
        assert!(crate::types::Range::from(time::Date::MAX..=time::Date::MAX).canonical().is_err());
    }
}
