//! The number itself: its parts, its order and its binary form.

use std::cmp::Ordering;
use std::hash::{Hash, Hasher};

use smallvec::SmallVec;

use crate::error::{DecodeError, EncodeError};
use crate::types::Encoder;
use crate::types::builtin::{Builtin, builtin};
use crate::wire::Reader;

/// A `numeric`: a decimal number of any precision, with its scale, or NaN or an infinity (PostgreSQL manual,
/// "Arbitrary Precision Numbers").
///
/// It compares and hashes as the server compares: the scale does not count, so `1.0` equals `1.00`, and NaN
/// equals itself and is greater than everything else.
///
/// ```
/// use wreath_codecs::types::Numeric;
///
/// let price: Numeric = "12.50".parse()?;
/// assert_eq!(price.to_string(), "12.50");
/// assert_eq!(price, Numeric::new(125, 1));
/// assert_eq!(price.scale(), 2);
/// assert!(price < Numeric::from(13));
/// # Ok::<(), wreath_codecs::ParseError>(())
/// ```
#[derive(Clone)]
pub struct Numeric {
    pub(super) class: Class,
    /// The power of 10,000 of the first digit.
    pub(super) weight: i16,
    /// How many decimals are shown. No digit lies behind them.
    pub(super) scale: u16,
    /// Base 10,000, without zeros at either end; none for zero and for what is not finite.
    pub(super) digits: Digits,
}

/// Eight digits of base 10,000 need no allocation.
pub(super) type Digits = SmallVec<[u16; 8]>;

/// What kind of number it is, in the server's order. Zero is positive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Class {
    NegInfinity,
    Negative,
    Positive,
    Infinity,
    NaN,
}

/// Decimal digits in one digit of the binary form.
pub(super) const GROUP: i32 = 4;
/// The base of the binary form's digits.
pub(super) const BASE: u16 = 10_000;
/// The most decimals that the server shows.
pub(super) const MAX_SCALE: u16 = 16_383;

builtin! { Numeric, 1700, 1231; }

impl Numeric {
    /// Not a number.
    pub const NAN: Self = Self::special(Class::NaN);
    /// Greater than every number.
    pub const INFINITY: Self = Self::special(Class::Infinity);
    /// Less than every number.
    pub const NEG_INFINITY: Self = Self::special(Class::NegInfinity);
    /// Zero, without decimals.
    pub const ZERO: Self = Self::special(Class::Positive);

    const fn special(class: Class) -> Self {
        Self { class, weight: 0, scale: 0, digits: SmallVec::new_const() }
    }

    /// The number whose first base-10,000 digit has the power `weight`; `None` where the server has no such
    /// number: too great, or with digits behind the scale.
    pub(super) fn from_parts(negative: bool, weight: i32, scale: u16, mut digits: Digits) -> Option<Self> {
        let leading = digits.iter().take_while(|&&d| d == 0).count();
        digits.drain(..leading);
        while digits.last() == Some(&0) {
            digits.pop();
        }
        let Some(&last) = digits.last() else {
            return (scale <= MAX_SCALE).then_some(Self { scale, ..Self::ZERO });
        };
        let weight = weight - i32::try_from(leading).ok()?;
        let last_weight = weight - i32::try_from(digits.len()).ok()? + 1;
        let zeros = (1..GROUP).take_while(|&n| last % 10_u16.pow(n.unsigned_abs()) == 0).count();
        let decimals = -(last_weight * GROUP) - i32::try_from(zeros).ok()?;
        if scale > MAX_SCALE || decimals > i32::from(scale) {
            return None;
        }
        let class = if negative { Class::Negative } else { Class::Positive };
        Some(Self { class, weight: i16::try_from(weight).ok()?, scale, digits })
    }

    /// How many decimals are shown; 0 for NaN and the infinities.
    pub fn scale(&self) -> u16 {
        self.scale
    }

    /// Whether it is neither NaN nor an infinity.
    pub fn is_finite(&self) -> bool {
        matches!(self.class, Class::Negative | Class::Positive)
    }

    /// Whether it is NaN.
    pub fn is_nan(&self) -> bool {
        self.class == Class::NaN
    }

    /// Whether it is zero.
    pub fn is_zero(&self) -> bool {
        self.is_finite() && self.digits.is_empty()
    }

    /// Whether it is less than zero.
    pub fn is_negative(&self) -> bool {
        self.class < Class::Positive
    }

    fn cmp_magnitude(&self, other: &Self) -> Ordering {
        match (self.digits.is_empty(), other.digits.is_empty()) {
            (false, false) => self.weight.cmp(&other.weight).then_with(|| self.digits.cmp(&other.digits)),
            (mine, theirs) => theirs.cmp(&mine),
        }
    }
}

impl Default for Numeric {
    fn default() -> Self {
        Self::ZERO
    }
}

impl PartialEq for Numeric {
    fn eq(&self, other: &Self) -> bool {
        self.class == other.class && self.weight == other.weight && self.digits == other.digits
    }
}

impl Eq for Numeric {}

impl Hash for Numeric {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.class, self.weight).hash(state);
        self.digits.hash(state);
    }
}

impl Ord for Numeric {
    fn cmp(&self, other: &Self) -> Ordering {
        self.class.cmp(&other.class).then_with(|| match self.class {
            Class::Positive => self.cmp_magnitude(other),
            Class::Negative => other.cmp_magnitude(self),
            _ => Ordering::Equal,
        })
    }
}

impl PartialOrd for Numeric {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// The signs of the binary form.
const SIGNS: [(u16, Class); 5] = [
    (0x0000, Class::Positive),
    (0x4000, Class::Negative),
    (0xc000, Class::NaN),
    (0xd000, Class::Infinity),
    (0xf000, Class::NegInfinity),
];

/// Four 16-bit numbers (how many digits, the first one's power, the sign, the scale), then the digits.
impl Builtin<'_> for Numeric {
    fn put(&self, out: &mut Encoder) -> Result<(), EncodeError> {
        let count = u16::try_from(self.digits.len()).expect("a number has at most 36,864 digits");
        let (sign, _) = SIGNS.iter().find(|(_, class)| *class == self.class).expect("every class has a sign");
        out.put(&count.to_be_bytes());
        out.put(&self.weight.to_be_bytes());
        out.put(&sign.to_be_bytes());
        out.put(&self.scale.to_be_bytes());
        for digit in &self.digits {
            out.put(&digit.to_be_bytes());
        }
        Ok(())
    }

    fn get(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let (count, weight, sign, scale) = (r.u16()?, r.i16()?, r.u16()?, r.u16()?);
        let bytes = r.bytes(usize::from(count) * 2)?;
        let class = SIGNS.iter().find(|(known, _)| *known == sign).map(|&(_, class)| class);
        let class = class.ok_or_else(|| DecodeError::invalid(format!("a numeric of sign {sign:#06x}")))?;
        if !matches!(class, Class::Positive | Class::Negative) {
            return Ok(Self::special(class));
        }
        let (pairs, _) = bytes.as_chunks::<2>();
        let digits: Digits = pairs.iter().map(|&pair| u16::from_be_bytes(pair)).collect();
        if digits.iter().any(|&d| d >= BASE) {
            return Err(DecodeError::invalid("a numeric with a digit above 9999"));
        }
        Self::from_parts(class == Class::Negative, i32::from(weight), scale, digits)
            .ok_or_else(|| DecodeError::invalid("a numeric with digits behind its scale"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(text: &str) -> Numeric {
        text.parse().expect("parses")
    }

    #[test]
    fn order_is_the_servers() {
        let ascending = [
            "-Infinity",
            "-10000",
            "-9999.9999",
            "-1.5",
            "-1",
            "-0.0001",
            "0",
            "0.00001",
            "0.1",
            "1",
            "1.0001",
            "9999",
            "10000",
            "123456789",
            "1e100",
            "Infinity",
            "NaN",
        ];
        for (i, a) in ascending.iter().enumerate() {
            for (j, b) in ascending.iter().enumerate() {
                assert_eq!(number(a).cmp(&number(b)), i.cmp(&j), "{a} {b}");
            }
        }
    }

    #[test]
    fn the_scale_does_not_count() {
        let hash = |n: &Numeric| {
            let mut state = std::hash::DefaultHasher::new();
            n.hash(&mut state);
            state.finish()
        };
        for (a, b) in [("1.0", "1.00"), ("0", "0.000"), ("-20", "-20.0"), ("10000.10", "10000.1")] {
            let (a, b) = (number(a), number(b));
            assert_eq!((&a, hash(&a)), (&b, hash(&b)));
            assert_ne!(a.to_string(), b.to_string());
        }
    }

    #[test]
    fn bytes_that_are_no_number_are_refused() {
        let decode = |words: &[u16]| {
            let bytes: Vec<u8> = words.iter().flat_map(|w| w.to_be_bytes()).collect();
            Numeric::get(&mut Reader::new(&bytes))
        };
        assert!(decode(&[1, 0, 0, 0, 10_000]).is_err());
        assert!(decode(&[1, 0xffff, 0, 3, 1]).is_err());
        assert!(decode(&[1, 0, 0x1234, 0, 1]).is_err());
        assert!(decode(&[0xffff, 0, 0, 0, 1]).is_err());
        assert!(decode(&[0, 0, 0, 0x4000]).is_err());
        assert_eq!(decode(&[4, 2, 0, 0, 0, 0, 7, 0]).expect("padded with zeros"), Numeric::from(7));
    }
}
