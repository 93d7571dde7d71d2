//! The text form.

use std::fmt::{self, Write as _};
use std::str::FromStr;

use super::value::{Class, Digits, GROUP, MAX_SCALE, Numeric};
use crate::error::ParseError;
use crate::types::scan::Scan;

/// The most digits before the decimal point.
const MAX_WHOLE: i32 = 131_072;

/// The server's form: never an exponent, and as many decimals as the scale says.
impl fmt::Display for Numeric {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.class {
            Class::NaN => return f.write_str("NaN"),
            Class::Infinity => return f.write_str("Infinity"),
            Class::NegInfinity => return f.write_str("-Infinity"),
            Class::Negative => f.write_str("-")?,
            Class::Positive => {}
        }
        let weight = i32::from(self.weight);
        if weight < 0 || self.digits.is_empty() {
            f.write_str("0")?;
        } else {
            write!(f, "{}", self.group(weight))?;
            for power in (0..weight).rev() {
                f.write_str(ascii(&group_text(self.group(power))))?;
            }
        }
        if self.scale > 0 {
            f.write_char('.')?;
        }
        let mut left = usize::from(self.scale);
        for power in 1.. {
            if left == 0 {
                break;
            }
            let width = left.min(4);
            f.write_str(ascii(&group_text(self.group(-power))[..width]))?;
            left -= width;
        }
        Ok(())
    }
}

impl fmt::Debug for Numeric {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Numeric({self})")
    }
}

impl Numeric {
    /// The base-10,000 digit of that power.
    fn group(&self, power: i32) -> u16 {
        let place = usize::try_from(i32::from(self.weight) - power);
        place.ok().and_then(|i| self.digits.get(i)).copied().unwrap_or(0)
    }
}

fn group_text(group: u16) -> [u8; 4] {
    [1000, 100, 10, 1].map(|unit| b'0' + u8::try_from(group / unit % 10).expect("one decimal digit"))
}

fn ascii(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect("decimal digits are ASCII")
}

/// Reads the server's form, and also an exponent: `1.5e3` has no decimals, `1.5e-3` has four.
impl FromStr for Numeric {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let fail = |detail| ParseError::new("numeric", text, detail);
        let mut s = Scan::new(text);
        let negative = s.eat('-');
        if !negative {
            s.eat('+');
        }
        let word = |word: &str| s.rest().eq_ignore_ascii_case(word);
        if word("infinity") || word("inf") {
            return Ok(if negative { Self::NEG_INFINITY } else { Self::INFINITY });
        }
        if text.eq_ignore_ascii_case("nan") {
            return Ok(Self::NAN);
        }
        let (whole, decimals, exponent) =
            scan_decimal(&mut s).filter(|_| s.is_done()).ok_or_else(|| fail("not a decimal number"))?;
        Self::from_decimal(negative, whole, decimals, exponent)
            .ok_or_else(|| fail("more digits than the server holds"))
    }
}

/// Reads the digits before and after the point, one of which may be missing, and the exponent.
fn scan_decimal<'a>(s: &mut Scan<'a>) -> Option<(&'a str, &'a str, i32)> {
    let whole = s.digits(0, usize::MAX)?;
    let decimals = if s.eat('.') { s.digits(0, usize::MAX)? } else { "" };
    if whole.is_empty() && decimals.is_empty() {
        return None;
    }
    if !s.eat('e') && !s.eat('E') {
        return Some((whole, decimals, 0));
    }
    let negative = s.eat('-');
    if !negative {
        s.eat('+');
    }
    let exponent: i32 = s.number(1, 9)?;
    Some((whole, decimals, if negative { -exponent } else { exponent }))
}

impl Numeric {
    /// The number of these digits, its point moved to the right by `exponent`.
    fn from_decimal(negative: bool, whole: &str, decimals: &str, exponent: i32) -> Option<Self> {
        let scale = i32::try_from(decimals.len()).ok()?.checked_sub(exponent)?.max(0);
        let scale = u16::try_from(scale).ok()?;
        let point = i32::try_from(whole.len()).ok()?.checked_add(exponent)?;
        let all = || whole.bytes().chain(decimals.bytes());
        let zeros = all().take_while(|&b| b == b'0').count();
        // The power of ten of the first digit that is not zero.
        let first = point.checked_sub(i32::try_from(zeros).ok()?)?.checked_sub(1)?;
        if zeros == whole.len() + decimals.len() {
            return Self::from_parts(false, 0, scale, Digits::new());
        }
        if first >= MAX_WHOLE || scale > MAX_SCALE {
            return None;
        }
        let weight = first.div_euclid(GROUP);
        let mut groups = Digits::new();
        for (power, digit) in (i32::MIN..=first).rev().zip(all().skip(zeros)) {
            let place = usize::try_from(weight - power.div_euclid(GROUP)).ok()?;
            groups.resize(place + 1, 0);
            groups[place] += u16::from(digit - b'0') * 10_u16.pow(power.rem_euclid(GROUP).unsigned_abs());
        }
        Self::from_parts(negative, weight, scale, groups)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::Encoder;
    use crate::types::builtin::Builtin;
    use crate::wire::Reader;

    /// What `numeric_send` of PostgreSQL 15 answered for these, as 16-bit words.
    const SENT: [(&str, &[u16]); 11] = [
        ("NaN", &[0, 0, 0xc000, 0]),
        ("Infinity", &[0, 0, 0xd000, 0x20]),
        ("-Infinity", &[0, 0, 0xf000, 0x20]),
        ("0", &[0, 0, 0, 0]),
        ("0.00", &[0, 0, 0, 2]),
        ("-1.50", &[2, 0, 0x4000, 2, 1, 5000]),
        ("12345678.000900", &[3, 1, 0, 6, 1234, 5678, 9]),
        ("100000000000000000000", &[1, 5, 0, 0, 1]),
        ("0.00001", &[1, 0xfffe, 0, 5, 1000]),
        ("10000", &[1, 1, 0, 0, 1]),
        ("-99999999.9999", &[3, 1, 0x4000, 4, 9999, 9999, 9999]),
    ];

    #[test]
    fn text_and_bytes_are_the_servers() {
        for (text, words) in SENT {
            let bytes: Vec<u8> = words.iter().flat_map(|w| w.to_be_bytes()).collect();
            let decoded = Numeric::get(&mut Reader::new(&bytes)).expect("decodes");
            assert_eq!(decoded.to_string(), text);
            let parsed: Numeric = text.parse().expect("parses");
            assert_eq!(parsed.to_string(), text);
            if parsed.is_finite() {
                let mut out = Encoder::new();
                parsed.put(&mut out).expect("encodes");
                assert_eq!(out.as_bytes(), bytes, "{text}");
            }
        }
    }

    #[test]
    fn exponents_move_the_point() {
        for (text, want) in [
            ("1.5e3", "1500"),
            ("1.5e-3", "0.0015"),
            ("-.5", "-0.5"),
            ("5.", "5"),
            ("+007.10", "7.10"),
            ("1500e-1", "150.0"),
            ("0e5", "0"),
            ("0.0e-3", "0.0000"),
            ("-0.0", "0.0"),
            ("inf", "Infinity"),
        ] {
            assert_eq!(text.parse::<Numeric>().expect("parses").to_string(), want, "{text}");
        }
    }

    #[test]
    fn what_the_server_does_not_hold_is_refused() {
        let too_whole = format!("1{}", "0".repeat(131_072));
        let most_whole = format!("1{}", "0".repeat(131_071));
        assert!(too_whole.parse::<Numeric>().is_err());
        assert_eq!(most_whole.parse::<Numeric>().expect("parses").to_string(), most_whole);
        for text in
            ["", "-", ".", "1e", "1e999999999", "1e-16384", "0x1", "1 ", "--1", "-NaN", "1e99999999999"]
        {
            assert!(text.parse::<Numeric>().is_err(), "{text}");
        }
        assert_eq!("1e-16383".parse::<Numeric>().expect("parses").scale(), MAX_SCALE);
    }
}
