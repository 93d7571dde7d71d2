//! The proleptic Gregorian calendar, and the ISO text form of dates and times of day.

use std::fmt;

use crate::types::scan::Scan;

/// Microseconds of a day.
pub(crate) const DAY: i64 = 86_400_000_000;
/// Days from 1970-01-01 to 2000-01-01, where the server's count starts.
pub(crate) const UNIX_TO_2000: i64 = 10_957;

/// A day of the calendar. Year 0 is 1 BC, year -1 is 2 BC.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Civil {
    pub(crate) year: i64,
    pub(crate) month: u8,
    pub(crate) day: u8,
}

impl Civil {
    /// The day that is `days` after 2000-01-01.
    ///
    /// Years are counted from March, so that the leap day is a year's last and months have a regular length:
    /// 153 days in each five. 400 such years are always 146,097 days.
    pub(crate) fn from_days(days: i64) -> Self {
        let since_march_0 = days + UNIX_TO_2000 + 719_468;
        let (cycle, of_cycle) = (since_march_0.div_euclid(146_097), since_march_0.rem_euclid(146_097));
        let of_400 = (of_cycle - of_cycle / 1_460 + of_cycle / 36_524 - of_cycle / 146_096) / 365;
        let of_year = of_cycle - (365 * of_400 + of_400 / 4 - of_400 / 100);
        let from_march = (5 * of_year + 2) / 153;
        let day = of_year - (153 * from_march + 2) / 5 + 1;
        let month = if from_march < 10 { from_march + 3 } else { from_march - 9 };
        let year = cycle * 400 + of_400 + i64::from(month <= 2);
        let small = |n: i64| u8::try_from(n).expect("a month is at most 12, a day at most 31");
        Self { year, month: small(month), day: small(day) }
    }

    /// How many days it is after 2000-01-01; `None` where there is no such day.
    pub(crate) fn days(self) -> Option<i64> {
        let Self { year, month, day } = self;
        if !(1..=12).contains(&month) || day < 1 || day > month_length(year, month) {
            return None;
        }
        let (month, day) = (i64::from(month), i64::from(day));
        let march_year = year.checked_sub(i64::from(month <= 2))?;
        let (cycle, of_400) = (march_year.div_euclid(400), march_year.rem_euclid(400));
        let from_march = (month + 9) % 12;
        let of_year = (153 * from_march + 2) / 5 + day - 1;
        let of_cycle = of_400 * 365 + of_400 / 4 - of_400 / 100 + of_year;
        Some(cycle.checked_mul(146_097)? + of_cycle - 719_468 - UNIX_TO_2000)
    }

    /// Writes `YYYY-MM-DD` with at least four digits of the year, which is counted backwards before Christ;
    /// the era is the caller's, as it stands behind the time of day.
    pub(crate) fn write(self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { year, month, day } = self;
        let shown = if self.is_bc() { 1 - year } else { year };
        write!(f, "{shown:04}-{month:02}-{day:02}")
    }

    /// Whether the text form ends with ` BC`.
    pub(crate) fn is_bc(self) -> bool {
        self.year <= 0
    }

    /// Reads what [`write`](Self::write) writes. The era comes last, so the year is not settled yet.
    pub(crate) fn scan(s: &mut Scan<'_>) -> Option<Self> {
        let year = s.number(4, 7)?;
        let month = s.eat('-').then(|| s.number(2, 2))??;
        let day = s.eat('-').then(|| s.number(2, 2))??;
        Some(Self { year, month, day })
    }

    /// Takes ` BC`, and checks that the year is none before or after Christ that does not exist.
    pub(crate) fn scan_era(mut self, s: &mut Scan<'_>) -> Option<Self> {
        if self.year == 0 {
            return None;
        }
        if s.eat_str(" BC") {
            self.year = 1 - self.year;
        }
        Some(self)
    }
}

fn month_length(year: i64, month: u8) -> u8 {
    match month {
        4 | 6 | 9 | 11 => 30,
        2 if year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) => 29,
        2 => 28,
        _ => 31,
    }
}

/// Writes `HH:MM:SS`, and the fraction without its trailing zeros, of `micros` since midnight.
pub(crate) fn write_time(f: &mut fmt::Formatter<'_>, micros: u64) -> fmt::Result {
    let (seconds, mut fraction) = (micros / 1_000_000, micros % 1_000_000);
    write!(f, "{:02}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60)?;
    if fraction == 0 {
        return Ok(());
    }
    let mut width = 6;
    while fraction % 10 == 0 {
        fraction /= 10;
        width -= 1;
    }
    write!(f, ".{fraction:0width$}")
}

/// Reads `HH:MM[:SS[.ffffff]]` into microseconds since midnight; 24:00:00 is the end of the day.
pub(crate) fn scan_time(s: &mut Scan<'_>) -> Option<i64> {
    let hours: i64 = s.number(2, 2)?;
    let minutes: i64 = s.eat(':').then(|| s.number(2, 2))??;
    let seconds: i64 = if s.eat(':') { s.number(2, 2)? } else { 0 };
    let fraction = if s.eat('.') { scan_fraction(s)? } else { 0 };
    let micros = ((hours * 60 + minutes) * 60 + seconds) * 1_000_000 + fraction;
    (minutes < 60 && seconds < 60 && micros <= DAY).then_some(micros)
}

/// Reads up to six digits after a point, as microseconds.
pub(crate) fn scan_fraction(s: &mut Scan<'_>) -> Option<i64> {
    let digits = s.digits(1, 6)?;
    let scale = 10_i64.pow(6 - u32::try_from(digits.len()).ok()?);
    Some(digits.parse::<i64>().ok()? * scale)
}

/// Writes an offset east of Greenwich, in seconds: `+HH[:MM[:SS]]`.
pub(crate) fn write_offset(f: &mut fmt::Formatter<'_>, east: i32) -> fmt::Result {
    let (sign, n) = (if east < 0 { '-' } else { '+' }, east.unsigned_abs());
    write!(f, "{sign}{:02}", n / 3600)?;
    if n % 3600 != 0 {
        write!(f, ":{:02}", n / 60 % 60)?;
    }
    if n % 60 != 0 {
        write!(f, ":{:02}", n % 60)?;
    }
    Ok(())
}

/// Reads `Z` or `+HH[[:]MM[:SS]]`, as seconds east of Greenwich, less than 16 hours.
pub(crate) fn scan_offset(s: &mut Scan<'_>) -> Option<i32> {
    if s.eat('Z') {
        return Some(0);
    }
    let west = if s.eat('-') {
        true
    } else if s.eat('+') {
        false
    } else {
        return None;
    };
    let (hours, minutes): (i32, i32) = match s.digits(2, 4)? {
        hhmm if hhmm.len() == 4 => (hhmm[..2].parse().ok()?, hhmm[2..].parse().ok()?),
        hh if hh.len() == 2 => (hh.parse().ok()?, if s.eat(':') { s.number(2, 2)? } else { 0 }),
        _ => return None,
    };
    let seconds: i32 = if s.eat(':') { s.number(2, 2)? } else { 0 };
    let east = (hours * 60 + minutes) * 60 + seconds;
    (hours < 16 && minutes < 60 && seconds < 60).then_some(if west { -east } else { east })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_and_dates_are_each_others_inverse() {
        let mut expect = Civil { year: -4800, month: 1, day: 1 };
        let first = expect.days().expect("a day");
        for days in first..first + 800 * 366 {
            assert_eq!(Civil::from_days(days), expect);
            assert_eq!(expect.days(), Some(days));
            if expect.day < month_length(expect.year, expect.month) {
                expect.day += 1;
            } else if expect.month < 12 {
                expect = Civil { month: expect.month + 1, day: 1, ..expect };
            } else {
                expect = Civil { year: expect.year + 1, month: 1, day: 1 };
            }
        }
    }

    #[test]
    fn days_that_do_not_exist_are_refused() {
        for (year, month, day) in [(2023, 2, 29), (1900, 2, 29), (2024, 13, 1), (2024, 0, 1), (2024, 4, 31)] {
            assert_eq!(Civil { year, month, day }.days(), None);
        }
        assert!(Civil { year: 2000, month: 2, day: 29 }.days().is_some());
    }
}
