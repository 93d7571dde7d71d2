//! The text form of floating point numbers.

use std::fmt;

use crate::error::ParseError;
use crate::types::TextForm;

/// What the algorithm below has to know about a floating point type.
trait Float: Copy + PartialEq + fmt::LowerExp + fmt::Display + std::str::FromStr {
    /// Decimal exponents from here on are written with an `e`.
    const LARGE: i32;
    /// Digits that tell all numbers apart.
    const DIGITS: usize;

    /// The mantissa and the power of two that make up its absolute value.
    fn parts(self) -> (u64, i32);
}

impl Float for f64 {
    const LARGE: i32 = 15;
    const DIGITS: usize = 17;

    fn parts(self) -> (u64, i32) {
        let exponent = i32::try_from(self.to_bits() >> 52 & 0x7ff).expect("11 bits");
        let fraction = self.to_bits() & ((1 << 52) - 1);
        if exponent == 0 { (fraction, -1074) } else { (fraction | 1 << 52, exponent - 1075) }
    }
}

impl Float for f32 {
    const LARGE: i32 = 6;
    const DIGITS: usize = 9;

    fn parts(self) -> (u64, i32) {
        let exponent = i32::try_from(self.to_bits() >> 23 & 0xff).expect("8 bits");
        let fraction = u64::from(self.to_bits() & ((1 << 23) - 1));
        if exponent == 0 { (fraction, -149) } else { (fraction | 1 << 23, exponent - 150) }
    }
}

/// Decimal digits and the power of ten of the last one.
#[derive(Clone, Copy)]
struct Decimal {
    digits: u64,
    power: i32,
}

/// The fewest digits that lie strictly within what rounds to `x`, and the nearest to `x` of those; an even last
/// digit where two are equally near.
///
/// Rust's own shortest form differs twice: it takes a number on the very edge of that interval, which rounds to
/// `x` only because the mantissa is even (1e23 is one), and it rounds up where two are equally near.
fn shortest<F: Float>(x: F) -> Decimal {
    let text = format!("{x:e}");
    let first = decimal(&text);
    let rounded = |count: usize| {
        let text = format!("{x:.*e}", count - 1);
        let strictly_inside = text.parse::<F>().is_ok_and(|back| back == x) && !is_halfway(x, decimal(&text));
        strictly_inside.then(|| decimal(&text))
    };
    let count = text.bytes().take_while(|&b| b != b'e').filter(u8::is_ascii_digit).count();
    rounded(count)
        .or_else(|| (!is_halfway(x, first)).then_some(first))
        .or_else(|| (count + 1..=F::DIGITS).find_map(rounded))
        .unwrap_or(first)
}

/// Reads what `{:e}` wrote, without trailing zeros.
fn decimal(text: &str) -> Decimal {
    let (mantissa, exponent) = text.trim_start_matches('-').split_once('e').expect("an exponent is written");
    let (whole, decimals) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let mut digits: u64 = format!("{whole}{decimals}").parse().expect("at most 17 digits");
    let length = i32::try_from(decimals.len()).expect("at most 16 digits");
    let mut power = exponent.parse::<i32>().expect("a small number") - length;
    while digits != 0 && digits.is_multiple_of(10) {
        digits /= 10;
        power += 1;
    }
    Decimal { digits, power }
}

/// Whether `d` lies exactly in the middle between `x` and one of its neighbours. Both are written as an odd
/// number times a power of two, which are compared.
fn is_halfway<F: Float>(x: F, d: Decimal) -> bool {
    let (mantissa, exponent) = x.parts();
    // Beyond these powers of five no mantissa has as many factors, and the numbers below would overflow.
    let (Ok(up), Ok(down)) = (u32::try_from(d.power.max(0)), u32::try_from(-d.power.min(0))) else {
        return false;
    };
    if d.digits == 0 || up > 27 || down > 27 {
        return false;
    }
    let left = u128::from(d.digits) * 5_u128.pow(up);
    let middles = [mantissa * 2 + 1, mantissa * 2 - 1];
    // The gap below a power of two is half as wide.
    let narrow = if mantissa.is_power_of_two() { Some((mantissa * 4 - 1, exponent - 2)) } else { None };
    middles.map(|m| (m, exponent - 1)).into_iter().chain(narrow).any(|(middle, power)| {
        let Some(right) = 5_u128.checked_pow(down).and_then(|n| n.checked_mul(u128::from(middle))) else {
            return false;
        };
        let twos = |n: u128| i32::try_from(n.trailing_zeros()).expect("at most 128");
        left >> left.trailing_zeros() == right >> right.trailing_zeros()
            && twos(left) + d.power == twos(right) + power
    })
}

fn write_float<F: Float>(x: F, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let text = format!("{x}");
    match text.as_str() {
        "NaN" => return f.write_str("NaN"),
        "inf" => return f.write_str("Infinity"),
        "-inf" => return f.write_str("-Infinity"),
        _ if text.starts_with('-') => f.write_str("-")?,
        _ => {}
    }
    let Decimal { digits, power } = shortest(x);
    let digits = digits.to_string();
    let length = i32::try_from(digits.len()).expect("at most 17 digits");
    let exponent = power + length - 1;
    if digits == "0" {
        f.write_str("0")
    } else if exponent < -4 || exponent >= F::LARGE {
        let (first, rest) = digits.split_at(1);
        let (point, sign) = (if rest.is_empty() { "" } else { "." }, if exponent < 0 { '-' } else { '+' });
        write!(f, "{first}{point}{rest}e{sign}{:02}", exponent.unsigned_abs())
    } else if let Ok(zeros) = usize::try_from(power) {
        write!(f, "{digits}{:0<zeros$}", "")
    } else if let Ok(whole) = usize::try_from(exponent + 1)
        && whole > 0
    {
        write!(f, "{}.{}", &digits[..whole], &digits[whole..])
    } else {
        let zeros = usize::try_from(-exponent - 1).expect("at most three");
        write!(f, "0.{:0<zeros$}{digits}", "")
    }
}

/// The number that `text` is; it must not overflow, and only zero may become zero.
fn parse_float<F: Float>(name: &'static str, text: &str) -> Result<F, ParseError> {
    let trimmed = text.trim_ascii();
    let number: F = trimmed.parse().map_err(|_| ParseError::new(name, text, "not a number"))?;
    let (mantissa, _) = number.parts();
    let written = trimmed.split(['e', 'E']).next().unwrap_or_default();
    let has = |set: std::ops::RangeInclusive<char>| written.contains(|c| set.contains(&c));
    let overflowed = has('0'..='9') && format!("{number}").ends_with("inf");
    let vanished = has('1'..='9') && mantissa == 0;
    if overflowed || vanished { Err(ParseError::new(name, text, "out of range")) } else { Ok(number) }
}

macro_rules! floats {
    ($($t:ty, $name:literal;)*) => {$(
        /// The fewest digits that read back as the same number, as the server prints since version 12.
        impl TextForm for $t {
            fn write_text(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write_float(*self, f)
            }

            fn parse_text(text: &str) -> Result<Self, ParseError> {
                parse_float($name, text)
            }
        }
    )*};
}

floats! {
    f32, "float4";
    f64, "float8";
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::AsText;

    #[test]
    fn floats_print_as_the_server_prints_them() {
        for (x, want) in [
            (1e23, "9.999999999999999e+22"),
            (9_007_199_254_740_993.0, "9.007199254740992e+15"),
            (1e15, "1e+15"),
            (123_456_789_012_345.0, "123456789012345"),
            (1e-5, "1e-05"),
            (0.0001, "0.0001"),
            (-0.0, "-0"),
            (100.0, "100"),
            (0.1, "0.1"),
            (-12.5, "-12.5"),
            (1e100, "1e+100"),
            (5e-324, "5e-324"),
            (f64::MAX, "1.7976931348623157e+308"),
            (f64::NAN, "NaN"),
            (f64::NEG_INFINITY, "-Infinity"),
            (1_152_921_504_606_846_976.0, "1.152921504606847e+18"),
            (4_503_599_627_370_497.5, "4.503599627370498e+15"),
        ] {
            assert_eq!(AsText(&x).to_string(), want);
        }
        for (x, want) in [
            (1e6_f32, "1e+06"),
            (123_456.0, "123456"),
            (8_388_609.0, "8.388609e+06"),
            (33_554_434.0, "3.3554432e+07"),
            (385.0 / 256.0, "1.5039062"),
        ] {
            assert_eq!(AsText(&x).to_string(), want);
        }
    }

    #[test]
    fn what_overflows_or_vanishes_is_refused() {
        for text in ["1e309", "-1e309", "1e-400", "", "x", "1e", "0x10"] {
            assert!(f64::parse_text(text).is_err(), "{text}");
        }
        assert!(f32::parse_text("1e39").is_err());
        assert_eq!(f64::parse_text("0e-999"), Ok(0.0));
        assert_eq!(f64::parse_text("-Infinity"), Ok(f64::NEG_INFINITY));
        assert!(f64::parse_text("nan").expect("parses").is_nan());
    }
}
