//! Amounts of money.

use std::fmt;
use std::str::FromStr;

use crate::error::{DecodeError, EncodeError, ParseError};
use crate::types::Encoder;
use crate::types::builtin::{Builtin, builtin};
use crate::types::text_form::text_form;
use crate::wire::Reader;

/// A `money`: a number of the currency's smallest unit.
///
/// What that unit is, and how an amount is written, depends on the server's `lc_monetary`. The text form here is
/// that of the locales `C` and `en_US`, with two decimals.
///
/// ```
/// use wreath_codecs::types::Money;
///
/// assert_eq!(Money(-123_456).to_string(), "-$1,234.56");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Money(pub i64);

builtin! { Money, 790, 791; }
text_form! { Money }

impl Builtin<'_> for Money {
    #[inline]
    fn put(&self, out: &mut Encoder) -> Result<(), EncodeError> {
        out.put_i64(self.0);
        Ok(())
    }

    #[inline]
    fn get(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        r.i64().map(Self)
    }
}

impl fmt::Display for Money {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (units, cents) = (self.0.unsigned_abs() / 100, self.0.unsigned_abs() % 100);
        f.write_str(if self.0 < 0 { "-$" } else { "$" })?;
        let digits = units.to_string();
        for (i, digit) in digits.chars().enumerate() {
            let left = digits.len() - i;
            write!(f, "{}{digit}", if i > 0 && left.is_multiple_of(3) { "," } else { "" })?;
        }
        write!(f, ".{cents:02}")
    }
}

/// Reads the form above; the dollar and the commas may be missing.
impl FromStr for Money {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let scan = || {
            let (negative, rest) = text.strip_prefix('-').map_or((false, text), |rest| (true, rest));
            let rest = rest.strip_prefix('$').unwrap_or(rest);
            let (whole, cents) = rest.split_once('.').unwrap_or((rest, "00"));
            let whole = whole.replace(',', "");
            let digits = |s: &str| !s.is_empty() && s.bytes().all(|b| b.is_ascii_digit());
            if !digits(&whole) || !digits(cents) || cents.len() != 2 {
                return None;
            }
            let amount: i128 = format!("{whole}{cents}").parse().ok()?;
            i64::try_from(if negative { -amount } else { amount }).ok()
        };
        scan().map(Self).ok_or_else(|| ParseError::new("money", text, "not an amount with two decimals"))
    }
}
