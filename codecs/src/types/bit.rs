//! Strings of bits.

use std::fmt;
use std::str::FromStr;

use crate::error::{DecodeError, EncodeError, ParseError, RangeError};
use crate::types::Encoder;
use crate::types::builtin::{Builtin, builtin};
use crate::types::text_form::text_form;
use crate::wire::Reader;

/// A string of bits, for `bit` and `varbit`. As a parameter it is a `varbit`, which the server also takes for
/// a `bit`.
///
/// ```
/// use wreath_codecs::types::Bit;
///
/// let bits: Bit = "10110".parse()?;
/// assert_eq!((bits.len(), bits.bit(0), bits.bit(1)), (5, Some(true), Some(false)));
/// assert_eq!(bits.as_bytes(), [0b1011_0000]);
/// # Ok::<(), wreath_codecs::ParseError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Bit {
    // The order of the fields is that of the server's comparison.
    bytes: Vec<u8>,
    length: usize,
}

builtin! { Bit, 1562, 1563, also 1560; }
text_form! { Bit }

impl Bit {
    /// The first `length` bits of `bytes`, from the highest bit of the first byte on.
    ///
    /// # Errors
    /// When `bytes` is not as many bytes as that takes, or a bit behind the last is set.
    pub fn from_bytes(bytes: Vec<u8>, length: usize) -> Result<Self, RangeError> {
        let padding = bytes.len() * 8 - length.min(bytes.len() * 8);
        let clean = padding < 8 && bytes.last().is_none_or(|last| last.trailing_zeros() as usize >= padding);
        if bytes.len() != length.div_ceil(8) || !clean || i32::try_from(length).is_err() {
            return Err(RangeError::new(format_args!("{length} bits of {bytes:02x?}"), "bit"));
        }
        Ok(Self { bytes, length })
    }

    /// How many bits there are.
    pub fn len(&self) -> usize {
        self.length
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// The bit at `place`, from 0.
    pub fn bit(&self, place: usize) -> Option<bool> {
        let byte = self.bytes.get(place / 8).filter(|_| place < self.length)?;
        Some(byte >> (7 - place % 8) & 1 == 1)
    }

    /// The bits, from the highest of the first byte on; those behind the last are zero.
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// All bits in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = bool> + '_ {
        (0..self.length).map(|place| self.bytes[place / 8] >> (7 - place % 8) & 1 == 1)
    }
}

impl FromIterator<bool> for Bit {
    fn from_iter<I: IntoIterator<Item = bool>>(bits: I) -> Self {
        let mut all = Self::default();
        for bit in bits {
            if all.length.is_multiple_of(8) {
                all.bytes.push(0);
            }
            if let Some(last) = all.bytes.last_mut() {
                *last |= u8::from(bit) << (7 - all.length % 8);
            }
            all.length += 1;
        }
        all
    }
}

impl Builtin<'_> for Bit {
    fn put(&self, out: &mut Encoder) -> Result<(), EncodeError> {
        let length = i32::try_from(self.length);
        out.put_i32(length.map_err(|_| EncodeError::new(format!("a string of {} bits", self.length)))?);
        out.put(&self.bytes);
        Ok(())
    }

    fn get(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let length = r.i32()?;
        let length = usize::try_from(length)
            .map_err(|_| DecodeError::invalid(format!("a string of {length} bits")))?;
        let bytes = r.bytes(length.div_ceil(8))?;
        Self::from_bytes(bytes.to_vec(), length)
            .map_err(|_| DecodeError::invalid("a string of bits with a bit behind its end"))
    }
}

impl fmt::Display for Bit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.iter().try_for_each(|bit| f.write_str(if bit { "1" } else { "0" }))
    }
}

/// Reads `0` and `1`; a `b` or `B` may stand in front.
impl FromStr for Bit {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let digits = text.strip_prefix(['b', 'B']).unwrap_or(text).bytes();
        let bits = digits.map(|b| match b {
            b'0' => Ok(false),
            b'1' => Ok(true),
            _ => Err(ParseError::new("bit", text, "not zeros and ones")),
        });
        bits.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn padding_has_to_be_zero() {
        assert!(Bit::from_bytes(vec![0b1010_0000], 3).is_ok());
        assert!(Bit::from_bytes(vec![0b1011_0000], 3).is_err());
        assert!(Bit::from_bytes(vec![0, 0], 3).is_err());
        assert!(Bit::from_bytes(vec![], 1).is_err());
        assert!(Bit::get(&mut Reader::new(&[0, 0, 0, 1, 0xc0])).is_err());
        assert!(Bit::get(&mut Reader::new(&[0xff, 0xff, 0xff, 0xff])).is_err());
        assert!(Bit::get(&mut Reader::new(&[0x7f, 0xff, 0xff, 0xff, 0])).is_err());
    }

    #[test]
    fn order_is_the_servers() {
        let ascending = ["", "0", "00", "000000000", "0001", "01", "1", "10", "11111111", "111111110"];
        let bits = ascending.map(|text| text.parse::<Bit>().expect("parses"));
        assert!(bits.is_sorted(), "{bits:?}");
        assert!("012".parse::<Bit>().is_err());
    }
}
