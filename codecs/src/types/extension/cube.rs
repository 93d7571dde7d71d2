//! Points and boxes of many dimensions.

use std::fmt;
use std::str::FromStr;

use crate::error::{DecodeError, EncodeError, ParseError, RangeError};
use crate::types::builtin::{Builtin, named};
use crate::types::text_form::text_form;
use crate::types::{AsText, Encoder, TextForm};
use crate::wire::Reader;

/// A `cube` (extension `cube`): a point, or the box between two corners, of up to 100 dimensions.
///
/// ```
/// use wreath_codecs::types::Cube;
///
/// let cube: Cube = "(1, 2),(3, 4)".parse()?;
/// assert_eq!((cube.lower(), cube.upper()), (&[1.0, 2.0][..], &[3.0, 4.0][..]));
/// # Ok::<(), wreath_codecs::ParseError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, PartialOrd)]
pub struct Cube {
    dimensions: usize,
    /// One corner after the other; a point has only one.
    coordinates: Vec<f64>,
}

named! { Cube, "cube"; }
text_form! { Cube }

const MAX_DIMENSIONS: usize = 100;
/// Set in the number of dimensions when only one corner follows.
const POINT: u32 = 0x8000_0000;

impl Cube {
    /// A point.
    ///
    /// # Errors
    /// When it has more than 100 dimensions.
    pub fn point(coordinates: Vec<f64>) -> Result<Self, RangeError> {
        let dimensions = coordinates.len();
        if dimensions > MAX_DIMENSIONS {
            return Err(RangeError::new(format_args!("{dimensions} dimensions"), "cube"));
        }
        Ok(Self { dimensions, coordinates })
    }

    /// The box between two corners; a point, when both are the same.
    ///
    /// # Errors
    /// When they differ in how many dimensions they have, or have more than 100.
    pub fn between(lower: &[f64], upper: &[f64]) -> Result<Self, RangeError> {
        let dimensions = lower.len();
        if dimensions > MAX_DIMENSIONS || upper.len() != dimensions {
            return Err(RangeError::new(format_args!("{dimensions} and {} dimensions", upper.len()), "cube"));
        }
        Ok(Self::of(dimensions, [lower, upper].concat()))
    }

    /// The box of these corners: a point, when both are the same.
    fn of(dimensions: usize, mut coordinates: Vec<f64>) -> Self {
        if coordinates[..dimensions] == coordinates[dimensions..] {
            coordinates.truncate(dimensions);
        }
        Self { dimensions, coordinates }
    }

    /// The first corner.
    pub fn lower(&self) -> &[f64] {
        &self.coordinates[..self.dimensions]
    }

    /// The second corner, which for a point is the first.
    pub fn upper(&self) -> &[f64] {
        &self.coordinates[self.coordinates.len() - self.dimensions..]
    }

    fn is_point(&self) -> bool {
        self.coordinates.len() == self.dimensions
    }
}

impl Builtin<'_> for Cube {
    fn put(&self, out: &mut Encoder) -> Result<(), EncodeError> {
        let dimensions = u32::try_from(self.dimensions).expect("at most 100");
        out.put(&(dimensions | if self.is_point() { POINT } else { 0 }).to_be_bytes());
        self.coordinates.iter().for_each(|x| out.put(&x.to_be_bytes()));
        Ok(())
    }

    fn get(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let header = r.u32()?;
        let dimensions = usize::try_from(header & !POINT).ok().filter(|&n| n <= MAX_DIMENSIONS);
        let dimensions =
            dimensions.ok_or_else(|| DecodeError::invalid("a cube of more than 100 dimensions"))?;
        let mut corner = |count| (0..count).map(|_| r.f64()).collect::<Result<_, _>>();
        Ok(match header & POINT {
            0 => Self::of(dimensions, corner(dimensions * 2)?),
            _ => Self { dimensions, coordinates: corner(dimensions)? },
        })
    }
}

impl fmt::Display for Cube {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_corner(f, self.lower())?;
        if !self.is_point() {
            f.write_str(",")?;
            write_corner(f, self.upper())?;
        }
        Ok(())
    }
}

fn write_corner(f: &mut fmt::Formatter<'_>, corner: &[f64]) -> fmt::Result {
    f.write_str("(")?;
    for (i, x) in corner.iter().enumerate() {
        write!(f, "{}{}", if i > 0 { ", " } else { "" }, AsText(x))?;
    }
    f.write_str(")")
}

/// Reads `(x, ...)` and `(x, ...),(x, ...)`.
impl FromStr for Cube {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let scan = || {
            let inner = text.trim().strip_prefix('(')?.strip_suffix(')')?;
            match inner.split_once(')') {
                Some((lower, rest)) => {
                    let upper = rest.trim().strip_prefix(',')?.trim().strip_prefix('(')?;
                    Self::between(&scan_corner(lower)?, &scan_corner(upper)?).ok()
                }
                None => Self::point(scan_corner(inner)?).ok(),
            }
        };
        scan().ok_or_else(|| ParseError::new("cube", text, "not one or two corners"))
    }
}

fn scan_corner(text: &str) -> Option<Vec<f64>> {
    if text.trim().is_empty() {
        return Some(Vec::new());
    }
    text.split(',').map(|x| f64::parse_text(x).ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_box_of_one_corner_is_a_point() {
        let point = Cube::point(vec![1.5, 2.0]).expect("two dimensions");
        assert_eq!(Cube::between(&[1.5, 2.0], &[1.5, 2.0]), Ok(point.clone()));
        let sent =
            [&2_u32.to_be_bytes()[..], &[1.5_f64, 2.0, 1.5, 2.0].map(f64::to_be_bytes).concat()].concat();
        assert_eq!(Cube::get(&mut Reader::new(&sent)), Ok(point));
        let nowhere = Cube::point(vec![f64::NAN]).expect("one dimension");
        assert_eq!(nowhere.to_string(), "(NaN)");
    }

    #[test]
    fn what_is_no_cube_is_refused() {
        for text in ["", "(", "(1", "(1,x)", "(1),(2,3)", "(1)(2)", "1,2"] {
            assert!(text.parse::<Cube>().is_err(), "{text}");
        }
        assert!(Cube::point(vec![0.0; 101]).is_err());
        assert!(Cube::get(&mut Reader::new(&[0, 0, 0, 101])).is_err());
        assert!(Cube::get(&mut Reader::new(&[0x80, 0, 0, 1, 0, 0])).is_err());
    }
}
