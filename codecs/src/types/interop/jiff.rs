//! Dates and times of `jiff`.

use jiff::civil;

use super::through::through;
use crate::error::RangeError;
use crate::types::builtin::builtin;
use crate::types::{Date, Time, Timestamp, TimestampTz};

builtin! {
    civil::Date, 1082, 1182;
    civil::Time, 1083, 1183;
    civil::DateTime, 1114, 1115;
    jiff::Timestamp, 1184, 1185;
}

through! {
    civil::Date => Date;
    civil::Time => Time;
    civil::DateTime => Timestamp;
    jiff::Timestamp => TimestampTz;
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
}
