//! Dates, times and spans of time of `chrono`.

use chrono::{
    DateTime, Datelike, FixedOffset, NaiveDate, NaiveDateTime, NaiveTime, TimeDelta, Timelike, Utc,
};

use super::through::through;
use crate::error::RangeError;
use crate::types::builtin::builtin;
use crate::types::range::elements;
use crate::types::{Date, Interval, Time, Timestamp, TimestampTz};

builtin! {
    NaiveDate, 1082, 1182;
    NaiveTime, 1083, 1183;
    NaiveDateTime, 1114, 1115;
    DateTime<Utc>, 1184, 1185;
    DateTime<FixedOffset>, 1184, 1185;
    TimeDelta, 1186, 1187;
}

through! {
    NaiveDate => Date;
    NaiveTime => Time;
    NaiveDateTime => Timestamp;
    DateTime<Utc> => TimestampTz;
    DateTime<FixedOffset> => TimestampTz;
    TimeDelta => Interval;
}

elements! {
    NaiveDate: DATERANGE, DATERANGE_ARRAY, DATEMULTIRANGE, DATEMULTIRANGE_ARRAY, next_date;
    NaiveDateTime: TSRANGE, TSRANGE_ARRAY, TSMULTIRANGE, TSMULTIRANGE_ARRAY;
    DateTime<Utc>: TSTZRANGE, TSTZRANGE_ARRAY, TSTZMULTIRANGE, TSTZMULTIRANGE_ARRAY;
    DateTime<FixedOffset>: TSTZRANGE, TSTZRANGE_ARRAY, TSTZMULTIRANGE, TSTZMULTIRANGE_ARRAY;
}

fn next_date(date: NaiveDate) -> Result<Option<NaiveDate>, RangeError> {
    let next = date.succ_opt();
    next.map(Some).ok_or_else(|| RangeError::new("what comes after the last day", "daterange"))
}

/// 2000-01-01, counted from the first day of year 1.
const DAYS_TO_2000: i32 = 730_120;

impl TryFrom<&NaiveDate> for Date {
    type Error = RangeError;

    fn try_from(date: &NaiveDate) -> Result<Self, RangeError> {
        let days = date.num_days_from_ce().checked_sub(DAYS_TO_2000);
        days.and_then(|days| Self::from_count(days.into())).ok_or_else(|| RangeError::new(date, "date"))
    }
}

impl TryFrom<Date> for NaiveDate {
    type Error = RangeError;

    fn try_from(date: Date) -> Result<Self, RangeError> {
        let days = date.days().checked_add(DAYS_TO_2000).filter(|_| date.is_finite());
        days.and_then(Self::from_num_days_from_ce_opt)
            .ok_or_else(|| RangeError::new(date, "chrono::NaiveDate"))
    }
}

/// Fails for a leap second, which the server does not have.
impl TryFrom<&NaiveTime> for Time {
    type Error = RangeError;

    fn try_from(time: &NaiveTime) -> Result<Self, RangeError> {
        if time.nanosecond() >= 1_000_000_000 {
            return Err(RangeError::new(time, "time"));
        }
        let seconds = i64::from(time.num_seconds_from_midnight());
        Self::from_micros(seconds * 1_000_000 + i64::from(time.nanosecond() / 1000))
    }
}

/// Fails for 24:00:00.
impl TryFrom<Time> for NaiveTime {
    type Error = RangeError;

    fn try_from(time: Time) -> Result<Self, RangeError> {
        let (hour, minute, second, micros) = time.hms();
        Self::from_hms_micro_opt(hour.into(), minute.into(), second.into(), micros)
            .ok_or_else(|| RangeError::new(time, "chrono::NaiveTime"))
    }
}

impl TryFrom<&NaiveDateTime> for Timestamp {
    type Error = RangeError;

    fn try_from(at: &NaiveDateTime) -> Result<Self, RangeError> {
        Self::from_unix_micros(at.and_utc().timestamp_micros())
    }
}

impl TryFrom<Timestamp> for NaiveDateTime {
    type Error = RangeError;

    fn try_from(at: Timestamp) -> Result<Self, RangeError> {
        let moment = at.unix_micros().and_then(DateTime::from_timestamp_micros);
        moment.map(|moment| moment.naive_utc()).ok_or_else(|| RangeError::new(at, "chrono::NaiveDateTime"))
    }
}

impl<Z: chrono::TimeZone> TryFrom<&DateTime<Z>> for TimestampTz {
    type Error = RangeError;

    fn try_from(at: &DateTime<Z>) -> Result<Self, RangeError> {
        Self::from_unix_micros(at.timestamp_micros())
    }
}

impl TryFrom<TimestampTz> for DateTime<Utc> {
    type Error = RangeError;

    fn try_from(at: TimestampTz) -> Result<Self, RangeError> {
        let moment = at.unix_micros().and_then(Self::from_timestamp_micros);
        moment.ok_or_else(|| RangeError::new(at, "chrono::DateTime"))
    }
}

/// The server keeps no offset: it is that of UTC.
impl TryFrom<TimestampTz> for DateTime<FixedOffset> {
    type Error = RangeError;

    fn try_from(at: TimestampTz) -> Result<Self, RangeError> {
        DateTime::<Utc>::try_from(at).map(|moment| moment.fixed_offset())
    }
}

/// Microseconds only. A fraction of one is refused: nothing is rounded.
impl TryFrom<&TimeDelta> for Interval {
    type Error = RangeError;

    fn try_from(span: &TimeDelta) -> Result<Self, RangeError> {
        let micros = span.num_microseconds().filter(|_| span.subsec_nanos() % 1000 == 0);
        let micros = micros.ok_or_else(|| RangeError::new(format_args!("{span:?}"), "interval"))?;
        Ok(Self { micros, ..Self::ZERO })
    }
}

/// Fails for months and days, whose length is not known.
impl TryFrom<Interval> for TimeDelta {
    type Error = RangeError;

    fn try_from(interval: Interval) -> Result<Self, RangeError> {
        match interval {
            Interval { months: 0, days: 0, micros } => Ok(Self::microseconds(micros)),
            _ => Err(RangeError::new(interval, "chrono::TimeDelta")),
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
        assert_eq!(refused::<NaiveDate>(oid::DATE), ["5874897-12-31", "infinity", "-infinity"]);
        assert_eq!(refused::<NaiveTime>(oid::TIME), ["24:00:00"]);
        let refused_moments = ["294276-12-31 23:59:59.999999", "infinity", "-infinity"];
        assert_eq!(refused::<NaiveDateTime>(oid::TIMESTAMP), refused_moments);
        let refused_moments = ["294276-12-31 23:59:59.999999+00", "infinity", "-infinity"];
        assert_eq!(refused::<DateTime<Utc>>(oid::TIMESTAMPTZ), refused_moments);
        assert_eq!(refused::<DateTime<FixedOffset>>(oid::TIMESTAMPTZ), refused_moments);
    }

    #[test]
    fn what_the_server_does_not_hold_is_refused() {
        assert!(Date::try_from(&NaiveDate::MIN).is_err());
        assert!(Timestamp::try_from(&NaiveDateTime::MIN).is_err());
        let leap = NaiveTime::from_hms_nano_opt(23, 59, 59, 1_500_000_000).expect("a leap second");
        assert!(Time::try_from(&leap).is_err());
        let before = DateTime::from_timestamp(-1, 999_999_999).expect("in range");
        assert_eq!(TimestampTz::try_from(&before).expect("in range").unix_micros(), Some(-1));
    }

    #[test]
    fn spans_of_time_are_exact() {
        let refused = refused::<TimeDelta>(oid::INTERVAL);
        assert!(refused.contains(&"1 mon -1 days") && refused.contains(&"1 day"), "{refused:?}");
        assert!(!refused.contains(&"00:00:00"), "{refused:?}");
        let minus = Interval { micros: -1_500_000, ..Interval::ZERO };
        assert_eq!(Interval::try_from(&TimeDelta::milliseconds(-1500)), Ok(minus));
        assert_eq!(TimeDelta::try_from(minus), Ok(TimeDelta::milliseconds(-1500)));
        assert!(Interval::try_from(&TimeDelta::nanoseconds(1)).is_err());
        assert!(Interval::try_from(&TimeDelta::MAX).is_err());
    }

    #[test]
    fn days_have_ranges() {
        let first = NaiveDate::from_ymd_opt(2024, 2, 29).expect("a day");
        let range = crate::types::Range::from(first..=first).canonical().expect("in range");
        let mut out = crate::Encoder::new();
        crate::Encode::encode(&range, &mut out).expect("encodes");
        let ty = crate::Type::from_oid(oid::DATERANGE).expect("is built in");
        let value = crate::types::Value::decode(&ty, Some(out.as_bytes())).expect("decodes");
        assert_eq!(value.to_string(), "[2024-02-29,2024-03-01)");
        assert_eq!(value.to(), Ok(range));
        assert!(crate::types::Range::from(NaiveDate::MAX..=NaiveDate::MAX).canonical().is_err());
    }
}
