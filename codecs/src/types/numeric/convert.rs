//! Exact conversions from and to Rust's own numbers.

use super::value::{BASE, Class, Digits, GROUP, Numeric};
use crate::error::RangeError;

impl Numeric {
    /// The number `unscaled` / 10^`scale`, with that scale.
    ///
    /// ```
    /// use wreath_codecs::types::Numeric;
    ///
    /// assert_eq!(Numeric::new(-1250, 2).to_string(), "-12.50");
    /// ```
    ///
    /// # Panics
    /// When `scale` is above 16,383, the most that the server has.
    pub fn new(unscaled: i128, scale: u16) -> Self {
        let n = Self::from_magnitude(unscaled < 0, unscaled.unsigned_abs(), scale);
        n.expect("a scale is at most 16,383")
    }

    /// The number as an integer and the scale that [`new`](Self::new) takes; `None` where no `i128` holds
    /// the integer, and for NaN and the infinities.
    pub fn unscaled(&self) -> Option<(i128, u16)> {
        if !self.is_finite() {
            return None;
        }
        let Some((&last, before)) = self.digits.split_last() else { return Some((0, self.scale)) };
        let mut n: i128 = 0;
        for &digit in before {
            n = n.checked_mul(i128::from(BASE))?.checked_add(i128::from(digit))?;
        }
        let last_power =
            (i32::from(self.weight) + 1) * GROUP - i32::try_from(self.digits.len()).ok()? * GROUP;
        let shift = last_power + i32::from(self.scale);
        // The last digit may reach up to three decimals behind the scale, with zeros only.
        let beyond = u32::try_from(-shift.min(0)).ok()?;
        n = n.checked_mul(10_i128.pow(GROUP.unsigned_abs() - beyond))?;
        n = n.checked_add(i128::from(last / 10_u16.pow(beyond)))?;
        n = n.checked_mul(10_i128.checked_pow(u32::try_from(shift.max(0)).ok()?)?)?;
        Some((if self.class == Class::Negative { -n } else { n }, self.scale))
    }

    /// The same number with as few decimals as it takes.
    #[must_use]
    pub fn stripped(&self) -> Self {
        let Some(&last) = self.digits.last() else { return Self { scale: 0, ..self.clone() } };
        let last_power =
            (i32::from(self.weight) + 1) * GROUP - i32::try_from(self.digits.len()).unwrap_or(0) * GROUP;
        let zeros = (1..4).take_while(|&n| last % 10_u16.pow(n) == 0).count();
        let decimals = (-last_power).max(0) - i32::try_from(zeros).unwrap_or(0);
        Self { scale: u16::try_from(decimals).unwrap_or(0), ..self.clone() }
    }

    /// The nearest `f64`; an infinity where the number is too great for one.
    pub fn to_f64(&self) -> f64 {
        match self.class {
            Class::NaN => f64::NAN,
            Class::Infinity => f64::INFINITY,
            Class::NegInfinity => f64::NEG_INFINITY,
            // The text is the exact value, and parsing rounds once.
            Class::Negative | Class::Positive => self.to_string().parse().expect("a decimal number"),
        }
    }

    fn from_magnitude(negative: bool, mut n: u128, scale: u16) -> Option<Self> {
        // The last base-10,000 digit starts at a multiple of four decimals: `first` has what fills it.
        let behind =
            u32::from(scale).div_ceil(GROUP.unsigned_abs()) * GROUP.unsigned_abs() - u32::from(scale);
        let mut reversed = Digits::new();
        let mut take = |n: &mut u128, by: u32, shift: u32| {
            let unit = 10_u128.pow(by);
            let digit = u16::try_from(*n % unit).expect("less than 10,000");
            reversed.push(digit * 10_u16.pow(shift));
            *n /= unit;
        };
        take(&mut n, GROUP.unsigned_abs() - behind, behind);
        while n > 0 {
            take(&mut n, GROUP.unsigned_abs(), 0);
        }
        let last_weight = -i32::from(scale.div_ceil(4));
        let weight = last_weight + i32::try_from(reversed.len()).ok()? - 1;
        reversed.reverse();
        Self::from_parts(negative, weight, scale, reversed)
    }

    /// The integer that it is; `None` where it is none, or too great.
    fn to_integer(&self) -> Option<i128> {
        if !self.is_finite() || self.digits.len() > usize::try_from(i32::from(self.weight) + 1).ok()? {
            return self.is_zero().then_some(0);
        }
        let mut n: i128 = 0;
        for place in 0..=i32::from(self.weight) {
            let digit = usize::try_from(place).ok().and_then(|i| self.digits.get(i)).copied().unwrap_or(0);
            // Counted below zero, where one more number is held.
            n = n.checked_mul(i128::from(BASE))?.checked_sub(i128::from(digit))?;
        }
        if self.class == Class::Negative { Some(n) } else { n.checked_neg() }
    }
}

macro_rules! integers {
    ($($t:ty),*) => {$(
        impl From<$t> for Numeric {
            fn from(n: $t) -> Self {
                #[allow(unused_comparisons, reason = "the same code serves the unsigned types")]
                let negative = n < 0;
                let magnitude = u128::try_from(n).unwrap_or_else(|_| i128::try_from(n).unwrap_or(0).unsigned_abs());
                Self::from_magnitude(negative, magnitude, 0).expect("every integer is a numeric")
            }
        }

        /// Exact: fails for a number with a fraction, one that is too great, NaN and the infinities.
        impl TryFrom<&Numeric> for $t {
            type Error = RangeError;

            fn try_from(n: &Numeric) -> Result<Self, RangeError> {
                n.to_integer()
                    .and_then(|n| Self::try_from(n).ok())
                    .ok_or_else(|| RangeError::new(n, stringify!($t)))
            }
        }

        impl TryFrom<Numeric> for $t {
            type Error = RangeError;

            fn try_from(n: Numeric) -> Result<Self, RangeError> {
                Self::try_from(&n)
            }
        }
    )*};
}

integers!(i8, i16, i32, i64, i128, u8, u16, u32, u64);

/// The shortest decimal number that reads back as the same float; NaN and the infinities are themselves.
impl From<f64> for Numeric {
    fn from(n: f64) -> Self {
        match n {
            f64::INFINITY => Self::INFINITY,
            f64::NEG_INFINITY => Self::NEG_INFINITY,
            _ if n.is_nan() => Self::NAN,
            _ => n.to_string().parse().expect("a float has at most 309 digits before its point"),
        }
    }
}

/// The shortest decimal number that reads back as the same float; NaN and the infinities are themselves.
impl From<f32> for Numeric {
    fn from(n: f32) -> Self {
        if n.is_finite() {
            n.to_string().parse().expect("a float has at most 39 digits before its point")
        } else {
            Self::from(f64::from(n))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_go_through() {
        for n in [0, 1, -1, 9_999, 10_000, -10_001, i128::MAX, i128::MIN, i128::from(i64::MIN), 99_999_999] {
            let numeric = Numeric::from(n);
            assert_eq!(numeric.to_string(), n.to_string());
            assert_eq!(i128::try_from(&numeric), Ok(n));
            assert_eq!(i64::try_from(&numeric).ok(), i64::try_from(n).ok());
        }
        assert_eq!(Numeric::from(u64::MAX).to_string(), u64::MAX.to_string());
        for text in ["0.5", "1e39", "NaN", "Infinity", "-170141183460469231731687303715884105729"] {
            let numeric: Numeric = text.parse().expect("parses");
            assert!(i128::try_from(&numeric).is_err(), "{text}");
        }
        assert_eq!(i32::try_from("7.000".parse::<Numeric>().expect("parses")), Ok(7));
        assert_eq!(i32::try_from("0.000".parse::<Numeric>().expect("parses")), Ok(0));
    }

    #[test]
    fn scaled_integers_go_through() {
        for scale in 0..12 {
            for n in [0, 1, -5, 10_000, 123_456_789, i128::MAX, i128::MIN + 1] {
                let numeric = Numeric::new(n, scale);
                assert_eq!(numeric.unscaled(), Some((n, scale)), "{n} {scale} {numeric}");
                assert_eq!(numeric.to_string().parse::<Numeric>().expect("parses"), numeric);
                assert_eq!(numeric.scale(), scale);
            }
        }
    }

    #[test]
    fn decimals_that_are_zero_can_be_dropped() {
        for (text, want) in [
            ("1.500", "1.5"),
            ("100", "100"),
            ("100.00", "100"),
            ("0.00", "0"),
            ("-0.00010", "-0.0001"),
            ("NaN", "NaN"),
        ] {
            assert_eq!(text.parse::<Numeric>().expect("parses").stripped().to_string(), want);
        }
    }

    #[test]
    fn floats_go_through() {
        for n in [0.0, 0.1, -1.5, 1e300, 5e-324, f64::MAX, f64::MIN_POSITIVE, 1e23, f64::INFINITY] {
            assert_eq!(Numeric::from(n).to_f64().to_bits(), n.to_bits());
        }
        assert!(Numeric::from(f64::NAN).is_nan() && Numeric::NAN.to_f64().is_nan());
        assert_eq!(Numeric::from(0.1_f32).to_string(), "0.1");
        assert_eq!("1e400".parse::<Numeric>().expect("parses").to_f64(), f64::INFINITY);
    }
}
