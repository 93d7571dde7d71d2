//! Dense vectors of the extension `vector` (pgvector).

use std::fmt;
use std::str::FromStr;

use crate::error::{DecodeError, EncodeError, ParseError, RangeError};
use crate::types::builtin::{Builtin, named};
use crate::types::text_form::text_form;
use crate::types::{AsText, Encoder, TextForm};
use crate::wire::Reader;

/// A `vector` (extension `vector`) of 1 to 16,000 finite numbers.
///
/// ```
/// use wreath_codecs::types::Vector;
///
/// let fleece: Vector = "[1,2.5,-3]".parse()?;
/// assert_eq!(fleece, Vector(vec![1.0, 2.5, -3.0]));
/// # Ok::<(), wreath_codecs::ParseError>(())
/// ```
#[derive(Clone, Debug, PartialEq, PartialOrd)]
pub struct Vector(pub Vec<f32>);

/// A `halfvec` (extension `vector`): as a [`Vector`], but the server keeps each number in 16 bits. What is sent is
/// rounded to the nearest such number; beyond 65,504 there are none.
#[derive(Clone, Debug, PartialEq, PartialOrd)]
pub struct HalfVec(pub Vec<f32>);

named! {
    Vector, "vector";
    HalfVec, "halfvec";
}
text_form! { Vector, HalfVec }

macro_rules! of_dimensions {
    ($($t:ident, $name:literal, $example:literal;)*) => {$(
        impl $t {
            /// These numbers, which have to be as many as the column that they are for has dimensions: the bytes that
            /// are sent say nothing of the column, so that only its server would notice.
            ///
            /// # Errors
            /// When there are more or fewer.
            ///
            /// ```
            #[doc = $example]
            /// ```
            pub fn of_dimensions(dimensions: usize, numbers: Vec<f32>) -> Result<Self, RangeError> {
                refuse_dimensions($name, numbers.len(), dimensions)?;
                Ok(Self(numbers))
            }
        }
    )*};
}

of_dimensions! {
    Vector, "vector", "assert!(wreath_codecs::types::Vector::of_dimensions(3, vec![1.0, 2.0]).is_err());";
    HalfVec, "halfvec", "assert!(wreath_codecs::types::HalfVec::of_dimensions(3, vec![1.0, 2.0]).is_err());";
}

/// The most dimensions of a dense vector.
const MAX_DIMENSIONS: usize = 16_000;

fn put_dimensions(out: &mut Encoder, name: &str, count: usize) -> Result<(), EncodeError> {
    let known = u16::try_from(count).ok().filter(|_| (1..=MAX_DIMENSIONS).contains(&count));
    let dimensions = known.ok_or_else(|| EncodeError::new(format!("a {name} of {count} dimensions")))?;
    out.put(&dimensions.to_be_bytes());
    // Two bytes that are not used.
    out.put(&[0, 0]);
    Ok(())
}

fn get_dimensions(r: &mut Reader<'_>, width: usize) -> Result<usize, DecodeError> {
    let (dimensions, unused) = (usize::from(r.u16()?), r.u16()?);
    match dimensions {
        1..=MAX_DIMENSIONS if unused == 0 && dimensions * width <= r.len() => Ok(dimensions),
        n => Err(DecodeError::invalid(format!("a vector of {n} dimensions in {} bytes", r.len()))),
    }
}

/// NaN and the infinities are no numbers of a vector. Dimensions count from 1.
#[inline]
pub(super) fn refuse_infinite(name: &str, dimension: usize, x: f32) -> Result<f32, EncodeError> {
    if x.is_finite() { Ok(x) } else { Err(not_held(name, dimension, x)) }
}

#[cold]
fn not_held(name: &str, dimension: usize, x: f32) -> EncodeError {
    EncodeError::new(format!("{x} in dimension {dimension} of a {name}"))
}

fn refuse_dimensions(name: &'static str, found: usize, wanted: usize) -> Result<(), RangeError> {
    if found == wanted { Ok(()) } else { Err(RangeError::new(format_args!("{found} dimensions"), name)) }
}

pub(super) fn get_finite(x: f32) -> Result<f32, DecodeError> {
    if x.is_finite() { Ok(x) } else { Err(DecodeError::invalid(format!("{x} in a vector"))) }
}

impl Builtin<'_> for Vector {
    fn put(&self, out: &mut Encoder) -> Result<(), EncodeError> {
        put_dimensions(out, "vector", self.0.len())?;
        for (dimension, &x) in (1..).zip(&self.0) {
            out.put(&refuse_infinite("vector", dimension, x)?.to_be_bytes());
        }
        Ok(())
    }

    fn get(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let count = get_dimensions(r, 4)?;
        (0..count).map(|_| r.f32().and_then(get_finite)).collect::<Result<_, _>>().map(Self)
    }
}

impl Builtin<'_> for HalfVec {
    fn put(&self, out: &mut Encoder) -> Result<(), EncodeError> {
        put_dimensions(out, "halfvec", self.0.len())?;
        for (dimension, &x) in (1..).zip(&self.0) {
            let bits = half_bits(refuse_infinite("halfvec", dimension, x)?);
            out.put(&bits.ok_or_else(|| not_held("halfvec", dimension, x))?.to_be_bytes());
        }
        Ok(())
    }

    fn get(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let count = get_dimensions(r, 2)?;
        (0..count)
            .map(|_| r.u16().and_then(|bits| get_finite(half(bits))))
            .collect::<Result<_, _>>()
            .map(Self)
    }
}

/// The number that 16 bits are: a sign, five bits of exponent, ten of fraction.
fn half(bits: u16) -> f32 {
    let magnitude = match (bits >> 10 & 0x1f, bits & 0x3ff) {
        (0, fraction) => f32::from(fraction) / 16_777_216.0,
        (0x1f, 0) => f32::INFINITY,
        (0x1f, _) => f32::NAN,
        (exponent, fraction) => f32::from(1024 + fraction) / 1024.0 * (f32::from(exponent) - 15.0).exp2(),
    };
    if bits & 0x8000 == 0 { magnitude } else { -magnitude }
}

/// The nearest number of 16 bits, the even one where two are equally near; `None` beyond the greatest.
fn half_bits(x: f32) -> Option<u16> {
    let sign = if x.is_sign_negative() { 0x8000 } else { 0 };
    let magnitude = f64::from(x.abs());
    // The width of a step: that of the number's power of two, or of the smallest normal numbers.
    let power = magnitude.log2().floor().max(-14.0);
    let steps = (magnitude / (power - 10.0).exp2()).round_ties_even();
    let exponent = (power + 14.0) * 1024.0;
    // The steps of a normal number start at 1,024, which is the exponent's lowest bit.
    let bits = exponent + steps;
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "it is an integer, and used up to 0x7bff"
    )]
    (bits <= f64::from(0x7bff_u16)).then_some(sign | bits as u16)
}

macro_rules! text {
    ($($t:ident, $name:literal, $held:expr;)*) => {$(
        impl fmt::Display for $t {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("[")?;
                for (i, x) in self.0.iter().enumerate() {
                    write!(f, "{}{}", if i > 0 { "," } else { "" }, AsText(x))?;
                }
                f.write_str("]")
            }
        }

        /// Reads numbers between brackets, each as the nearest that the server holds.
        impl FromStr for $t {
            type Err = ParseError;

            fn from_str(text: &str) -> Result<Self, ParseError> {
                let inner = text.trim().strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
                let held: fn(f32) -> Option<f32> = $held;
                let number = |x: &str| f32::parse_text(x).ok().filter(|x| x.is_finite()).and_then(held);
                inner
                    .and_then(|inner| inner.split(',').map(number).collect::<Option<Vec<_>>>())
                    .filter(|numbers| numbers.len() <= MAX_DIMENSIONS)
                    .map(Self)
                    .ok_or_else(|| ParseError::new($name, text, "not finite numbers in brackets"))
            }
        }
    )*};
}

text! {
    Vector, "vector", Some;
    HalfVec, "halfvec", |x| half_bits(x).map(half);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vectors_are_bounded_and_finite() {
        let mut out = Encoder::new();
        Vector(vec![1.0, -2.5]).put(&mut out).expect("encodes");
        assert_eq!(out.as_bytes(), [0, 2, 0, 0, 0x3f, 0x80, 0, 0, 0xc0, 0x20, 0, 0]);
        assert_eq!(Vector::get(&mut Reader::new(out.as_bytes())), Ok(Vector(vec![1.0, -2.5])));
        for wrong in [vec![], vec![f32::NAN], vec![f32::INFINITY], vec![0.0; 16_001]] {
            assert!(Vector(wrong.clone()).put(&mut Encoder::new()).is_err());
            assert!(HalfVec(wrong).put(&mut Encoder::new()).is_err());
        }
        for bytes in [
            &[0, 0, 0, 0][..],
            &[0x3e, 0x81, 0, 0],
            &[0, 1, 0, 0, 0x7f, 0xc0, 0, 0],
            &[0, 1, 0, 1, 0, 0, 0, 0],
        ] {
            assert!(Vector::get(&mut Reader::new(bytes)).is_err());
        }
        for text in ["", "[]", "[1", "[NaN]", "[1,,2]", "1,2"] {
            assert!(text.parse::<Vector>().is_err(), "{text}");
        }
    }

    #[test]
    fn every_half_survives_the_round_trip() {
        for bits in 0..=u16::MAX {
            let x = half(bits);
            if x.is_finite() {
                assert_eq!(half_bits(x), Some(bits), "{bits:#06x} {x}");
            }
        }
    }

    #[test]
    fn halves_are_rounded_to_the_nearest_even() {
        for (x, want) in [
            (1.0, 0x3c00),
            (65_504.0, 0x7bff),
            (65_519.0, 0x7bff),
            (1.0 + 1.0 / 2048.0, 0x3c00),
            (1.0 + 3.0 / 2048.0, 0x3c02),
            (1.0 / 16_777_216.0, 1),
            (1.0 / 67_108_864.0, 0),
            (2047.9, 0x6800),
        ] {
            assert_eq!(half_bits(x), Some(want), "{x}");
        }
        assert_eq!(half_bits(65_520.0), None);
        assert_eq!("[33000,0.1]".parse::<HalfVec>().expect("parses").to_string(), "[32992,0.099975586]");
        assert!("[65520]".parse::<HalfVec>().is_err());
        assert_eq!(HalfVec(vec![half(half_bits(0.1).expect("small"))]).to_string(), "[0.099975586]");
    }
}
