//! Sparse vectors of the extension `vector` (pgvector).

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use super::vector::get_finite;
use crate::error::{DecodeError, EncodeError, ParseError, RangeError};
use crate::types::builtin::{Builtin, named};
use crate::types::text_form::text_form;
use crate::types::{AsText, Encoder, TextForm};
use crate::wire::Reader;

/// A `sparsevec` (extension `vector`): up to 1,000,000,000 dimensions, of which at most 16,000 are not zero. They are
/// counted from 1, as in the text form; in binary form it is from 0.
///
/// ```
/// use wreath_codecs::types::SparseVec;
///
/// let fleece = SparseVec::from_dense(&[1.5, 0.0, 0.0, 2.0])?;
/// assert_eq!(fleece.to_string(), "{1:1.5,4:2}/4");
/// assert_eq!(fleece.to_map()[&4], 2.0);
/// # Ok::<(), wreath_codecs::RangeError>(())
/// ```
#[derive(Clone, Debug, PartialEq, PartialOrd)]
pub struct SparseVec {
    dimensions: u32,
    /// Index (from 0) and number, ascending, without zeros.
    elements: Vec<(u32, f32)>,
}

named! { SparseVec, "sparsevec"; }
text_form! { SparseVec }

const MAX_DIMENSIONS: u32 = 1_000_000_000;
const MAX_NON_ZERO: usize = 16_000;

impl SparseVec {
    /// A vector of these dimensions with these numbers, each with its dimension from 1. Zeros are dropped.
    ///
    /// # Errors
    /// When a dimension is 0 or beyond the last or is there twice, a number is not finite, there are more than
    /// 1,000,000,000 dimensions or none, or more than 16,000 numbers that are not zero.
    pub fn new(dimensions: u32, elements: impl IntoIterator<Item = (u32, f32)>) -> Result<Self, RangeError> {
        let fail = |what: String| RangeError::new(what, "sparsevec");
        if !(1..=MAX_DIMENSIONS).contains(&dimensions) {
            return Err(fail(format!("{dimensions} dimensions")));
        }
        let mut sorted = BTreeMap::new();
        for (place, x) in elements {
            if !(1..=dimensions).contains(&place) || !x.is_finite() || sorted.insert(place - 1, x).is_some() {
                return Err(fail(format!("{x} in dimension {place} of {dimensions}")));
            }
        }
        sorted.retain(|_, x| *x != 0.0);
        if sorted.len() > MAX_NON_ZERO {
            return Err(fail(format!("{} numbers that are not zero", sorted.len())));
        }
        Ok(Self { dimensions, elements: sorted.into_iter().collect() })
    }

    /// The vector of all these numbers.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn from_dense(numbers: &[f32]) -> Result<Self, RangeError> {
        let dimensions = u32::try_from(numbers.len())
            .map_err(|_| RangeError::new(format_args!("{} dimensions", numbers.len()), "sparsevec"))?;
        Self::new(dimensions, (1..).zip(numbers.iter().copied()))
    }

    /// How many dimensions there are.
    pub fn dimensions(&self) -> u32 {
        self.dimensions
    }

    /// The numbers that are not zero, each with its dimension from 1, ascending.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (u32, f32)> + '_ {
        self.elements.iter().map(|&(index, x)| (index + 1, x))
    }

    /// The numbers that are not zero, by their dimension from 1.
    pub fn to_map(&self) -> BTreeMap<u32, f32> {
        self.iter().collect()
    }

    /// All numbers.
    pub fn to_dense(&self) -> Vec<f32> {
        let mut all = vec![0.0; usize::try_from(self.dimensions).unwrap_or(usize::MAX)];
        for &(index, x) in &self.elements {
            if let Some(slot) = usize::try_from(index).ok().and_then(|i| all.get_mut(i)) {
                *slot = x;
            }
        }
        all
    }
}

impl Builtin<'_> for SparseVec {
    fn put(&self, out: &mut Encoder) -> Result<(), EncodeError> {
        out.put(&self.dimensions.to_be_bytes());
        out.put_i32(i32::try_from(self.elements.len()).expect("at most 16,000"));
        out.put_i32(0);
        self.elements.iter().for_each(|(index, _)| out.put(&index.to_be_bytes()));
        // They are finite, or they would not be here.
        self.elements.iter().for_each(|(_, x)| out.put(&x.to_be_bytes()));
        Ok(())
    }

    fn get(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let (dimensions, count, unused) = (r.u32()?, r.u32()?, r.u32()?);
        let count =
            usize::try_from(count).ok().filter(|&n| n <= MAX_NON_ZERO && n <= r.len() / 8 && unused == 0);
        let count =
            count.ok_or_else(|| DecodeError::invalid("a sparsevec that claims more numbers than it has"))?;
        if !(1..=MAX_DIMENSIONS).contains(&dimensions) {
            return Err(DecodeError::invalid(format!("a sparsevec of {dimensions} dimensions")));
        }
        let mut elements = Vec::with_capacity(count);
        for _ in 0..count {
            elements.push((r.u32()?, 0.0));
        }
        for (_, x) in &mut elements {
            *x = r.f32().and_then(get_finite)?;
        }
        let ascending = elements.is_sorted_by(|(a, _), (b, _)| a < b);
        let within = elements.last().is_none_or(|&(last, _)| last < dimensions);
        if !ascending || !within || elements.iter().any(|&(_, x)| x == 0.0) {
            return Err(DecodeError::invalid("a sparsevec whose numbers are out of place or zero"));
        }
        Ok(Self { dimensions, elements })
    }
}

impl fmt::Display for SparseVec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("{")?;
        for (i, (place, x)) in self.iter().enumerate() {
            write!(f, "{}{place}:{}", if i > 0 { "," } else { "" }, AsText(&x))?;
        }
        write!(f, "}}/{}", self.dimensions)
    }
}

/// Reads `{dimension:number,...}/dimensions`.
impl FromStr for SparseVec {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let scan = || {
            let (inner, dimensions) = text.trim().strip_prefix('{')?.split_once("}/")?;
            let element = |part: &str| {
                let (place, x) = part.split_once(':')?;
                Some((place.trim().parse().ok()?, f32::parse_text(x).ok()?))
            };
            let parts = if inner.is_empty() { None } else { Some(inner.split(',')) };
            let elements: Vec<_> = parts.into_iter().flatten().map(element).collect::<Option<_>>()?;
            Self::new(dimensions.parse().ok()?, elements).ok()
        };
        scan().ok_or_else(|| ParseError::new("sparsevec", text, "not {dimension:number,...}/dimensions"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_count_from_one_here_and_from_zero_on_the_wire() {
        let vector: SparseVec = "{1:1.5,3:-2}/5".parse().expect("parses");
        let mut out = Encoder::new();
        vector.put(&mut out).expect("encodes");
        let sent =
            [0, 0, 0, 5, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0x3f, 0xc0, 0, 0, 0xc0, 0, 0, 0];
        assert_eq!(out.as_bytes(), sent);
        assert_eq!(SparseVec::get(&mut Reader::new(&sent)), Ok(vector.clone()));
        assert_eq!(vector.to_dense(), [1.5, 0.0, -2.0, 0.0, 0.0]);
        assert_eq!("{}/3".parse::<SparseVec>().expect("parses").to_dense(), [0.0; 3]);
    }

    #[test]
    fn what_the_server_refuses_is_refused() {
        for text in
            ["{0:1}/3", "{4:1}/3", "{1:1,1:2}/3", "{1:NaN}/3", "{}/0", "{}/1000000001", "{1:1}", "{1}/3"]
        {
            assert!(text.parse::<SparseVec>().is_err(), "{text}");
        }
        assert!(SparseVec::from_dense(&[1.0; 16_001]).is_err());
        assert!(SparseVec::from_dense(&[0.0; 16_001]).is_ok());
        let header = |dimensions: u32, count: u32| [dimensions, count, 0].map(u32::to_be_bytes).concat();
        assert!(SparseVec::get(&mut Reader::new(&header(5, u32::MAX))).is_err());
        assert!(SparseVec::get(&mut Reader::new(&header(0, 0))).is_err());
    }
}
