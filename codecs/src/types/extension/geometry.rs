//! Shapes of PostGIS, in its extended well-known binary form (EWKB).

use std::fmt;
use std::str::FromStr;

use crate::error::{DecodeError, EncodeError, ParseError};
use crate::types::builtin::{Builtin, named};
use crate::types::text_form::{parse_hex, text_form};
use crate::types::{Decode, Encoder, Type};
use crate::wire::Reader;

/// A `geometry` (extension `postgis`) that is a point, a line string or a polygon.
///
/// Shapes of other kinds are read as [`Ewkb`], which holds any.
///
/// ```
/// use wreath_codecs::types::{Geometry, Shape};
///
/// let shed = Geometry::point(13.4, 52.5).with_srid(4326);
/// assert_eq!(shed.to_string(), "0101000020E6100000CDCCCCCCCCCC2A400000000000404A40");
/// assert!(matches!(shed.shape, Shape::Point(Some(c)) if c.x == 13.4));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Geometry {
    /// The number of the reference system, where there is one.
    pub srid: Option<u32>,
    /// Which coordinates there are beside x and y.
    pub dimensions: Dimensions,
    /// The shape.
    pub shape: Shape,
}

/// A `geography` (extension `postgis`): a shape on the earth, x being the longitude and y the latitude.
#[derive(Clone, Debug, PartialEq)]
pub struct Geography(pub Geometry);

/// A shape.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Shape {
    /// A point; `None` is `POINT EMPTY`.
    Point(Option<Coordinate>),
    /// Lines from point to point.
    LineString(Vec<Coordinate>),
    /// The outer ring, then the rings of holes; each ends where it begins.
    Polygon(Vec<Vec<Coordinate>>),
}

/// Which coordinates there are beside x and y.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Dimensions {
    /// Whether there is a height.
    pub z: bool,
    /// Whether there is a measure.
    pub m: bool,
}

/// A place. The coordinates that its shape does not have are 0, and are not sent.
#[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd)]
pub struct Coordinate {
    /// To the right, or the longitude.
    pub x: f64,
    /// Up, or the latitude.
    pub y: f64,
    /// The height.
    pub z: f64,
    /// The measure.
    pub m: f64,
}

/// The bytes of a `geometry` or `geography` of any kind, as EWKB. They print as the server prints them, in
/// hexadecimal. As a parameter it is a `geometry`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Ewkb(pub Vec<u8>);

named! {
    Geometry, "geometry";
    Geography, "geography";
    Ewkb, "geometry", also "geography";
}
text_form! { Ewkb, Geometry, Geography }

const HAS_Z: u32 = 0x8000_0000;
const HAS_M: u32 = 0x4000_0000;
const HAS_SRID: u32 = 0x2000_0000;
const POINT: u32 = 1;
const LINE_STRING: u32 = 2;
const POLYGON: u32 = 3;

impl Geometry {
    /// A point in the plane.
    pub fn point(x: f64, y: f64) -> Self {
        Self::from(Shape::Point(Some(Coordinate { x, y, ..Coordinate::default() })))
    }

    /// The same shape in a reference system.
    #[must_use]
    pub fn with_srid(self, srid: u32) -> Self {
        Self { srid: Some(srid), ..self }
    }
}

/// A shape in the plane, without a reference system.
impl From<Shape> for Geometry {
    fn from(shape: Shape) -> Self {
        Self { srid: None, dimensions: Dimensions::default(), shape }
    }
}

/// Little-endian writing into a byte string.
struct Writer<'a> {
    out: &'a mut Encoder,
    dimensions: Dimensions,
}

impl Writer<'_> {
    fn count(&mut self, n: usize) -> Result<(), EncodeError> {
        let n = u32::try_from(n).map_err(|_| EncodeError::new(format!("a shape of {n} points")))?;
        self.out.put(&n.to_le_bytes());
        Ok(())
    }

    fn place(&mut self, c: Coordinate) {
        let all = [(c.x, true), (c.y, true), (c.z, self.dimensions.z), (c.m, self.dimensions.m)];
        all.iter().filter(|(_, is_used)| *is_used).for_each(|(x, _)| self.out.put(&x.to_le_bytes()));
    }

    fn places(&mut self, places: &[Coordinate]) -> Result<(), EncodeError> {
        self.count(places.len())?;
        places.iter().for_each(|&c| self.place(c));
        Ok(())
    }
}

impl Builtin<'_> for Geometry {
    fn put(&self, out: &mut Encoder) -> Result<(), EncodeError> {
        let kind = match &self.shape {
            Shape::Point(_) => POINT,
            Shape::LineString(_) => LINE_STRING,
            Shape::Polygon(_) => POLYGON,
        };
        let flag = |is_set: bool, flag: u32| if is_set { flag } else { 0 };
        let Dimensions { z, m } = self.dimensions;
        let head = kind | flag(z, HAS_Z) | flag(m, HAS_M) | flag(self.srid.is_some(), HAS_SRID);
        out.put_u8(1);
        out.put(&head.to_le_bytes());
        if let Some(srid) = self.srid {
            out.put(&srid.to_le_bytes());
        }
        let mut writer = Writer { out, dimensions: self.dimensions };
        match &self.shape {
            Shape::Point(place) => {
                let nowhere = Coordinate { x: f64::NAN, y: f64::NAN, z: f64::NAN, m: f64::NAN };
                writer.place(place.unwrap_or(nowhere));
                Ok(())
            }
            Shape::LineString(places) => writer.places(places),
            Shape::Polygon(rings) => {
                writer.count(rings.len())?;
                rings.iter().try_for_each(|ring| writer.places(ring))
            }
        }
    }

    fn get(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let mut source = Source { little: read_order(r)?, dimensions: Dimensions::default(), r };
        let head = source.u32()?;
        source.dimensions = Dimensions { z: head & HAS_Z != 0, m: head & HAS_M != 0 };
        let srid = if head & HAS_SRID != 0 { Some(source.u32()?) } else { None };
        let shape = match head & !(HAS_Z | HAS_M | HAS_SRID) {
            POINT => {
                let place = source.place()?;
                Shape::Point((!(place.x.is_nan() && place.y.is_nan())).then_some(place))
            }
            LINE_STRING => Shape::LineString(source.places()?),
            POLYGON => {
                let rings = source.count(4)?;
                Shape::Polygon((0..rings).map(|_| source.places()).collect::<Result<_, _>>()?)
            }
            kind => {
                return Err(DecodeError::out_of_range(format!(
                    "a shape of kind {kind} is neither a point nor a line string nor a polygon"
                )));
            }
        };
        Ok(Self { srid, dimensions: source.dimensions, shape })
    }
}

/// Whether numbers are little-endian.
fn read_order(r: &mut Reader<'_>) -> Result<bool, DecodeError> {
    match r.u8()? {
        0 => Ok(false),
        1 => Ok(true),
        other => Err(DecodeError::invalid(format!("a shape of byte order {other}"))),
    }
}

/// Reading in the shape's own byte order.
struct Source<'a, 'r> {
    r: &'a mut Reader<'r>,
    little: bool,
    dimensions: Dimensions,
}

impl Source<'_, '_> {
    fn u32(&mut self) -> Result<u32, DecodeError> {
        let bytes = self.r.array()?;
        Ok(if self.little { u32::from_le_bytes(bytes) } else { u32::from_be_bytes(bytes) })
    }

    fn f64(&mut self) -> Result<f64, DecodeError> {
        let bytes = self.r.array()?;
        Ok(if self.little { f64::from_le_bytes(bytes) } else { f64::from_be_bytes(bytes) })
    }

    /// A count of things that take `width` bytes each at least.
    fn count(&mut self, width: usize) -> Result<usize, DecodeError> {
        let count = self.u32()?;
        let count = usize::try_from(count).ok().filter(|&n| n <= self.r.len() / width);
        count.ok_or_else(|| DecodeError::invalid("a shape that claims more points than it has"))
    }

    fn place(&mut self) -> Result<Coordinate, DecodeError> {
        let Dimensions { z, m } = self.dimensions;
        Ok(Coordinate {
            x: self.f64()?,
            y: self.f64()?,
            z: if z { self.f64()? } else { 0.0 },
            m: if m { self.f64()? } else { 0.0 },
        })
    }

    fn places(&mut self) -> Result<Vec<Coordinate>, DecodeError> {
        let count = self.count(16)?;
        (0..count).map(|_| self.place()).collect()
    }
}

impl Builtin<'_> for Geography {
    fn put(&self, out: &mut Encoder) -> Result<(), EncodeError> {
        self.0.put(out)
    }

    fn get(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        Geometry::get(r).map(Self)
    }
}

impl Builtin<'_> for Ewkb {
    fn put(&self, out: &mut Encoder) -> Result<(), EncodeError> {
        out.put(&self.0);
        Ok(())
    }

    fn get(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        r.bytes(r.len()).map(|bytes| Self(bytes.to_vec()))
    }
}

impl Ewkb {
    /// The shape, where it is a point, a line string or a polygon.
    ///
    /// # Errors
    /// When it is another, or the bytes are no shape.
    pub fn geometry(&self) -> Result<Geometry, DecodeError> {
        Geometry::decode(&Type::unknown_number(0), &self.0)
    }
}

impl fmt::Display for Ewkb {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02X}"))
    }
}

/// The server's form: EWKB in hexadecimal.
impl fmt::Display for Geometry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut out = Encoder::new();
        self.put(&mut out).map_err(|_| fmt::Error)?;
        out.as_bytes().iter().try_for_each(|byte| write!(f, "{byte:02X}"))
    }
}

/// The server's form: EWKB in hexadecimal.
impl fmt::Display for Geography {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Reads hexadecimal digits.
impl FromStr for Ewkb {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        parse_hex(text)
            .map(Self)
            .ok_or_else(|| ParseError::new("geometry", text, "not pairs of hexadecimal digits"))
    }
}

/// Reads EWKB in hexadecimal.
impl FromStr for Geometry {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        text.parse::<Ewkb>()?.geometry().map_err(|e| ParseError::new("geometry", text, e.to_string()))
    }
}

/// Reads EWKB in hexadecimal.
impl FromStr for Geography {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        text.parse().map(Self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What PostGIS 3.3 sent for these, in its text form.
    const SENT: [&str; 5] = [
        "0101000000000000000000F03F0000000000000040",
        "01010000A0E6100000000000000000F03F00000000000000400000000000000840",
        "0101000000000000000000F87F000000000000F87F",
        "0103000000010000000400000000000000000000000000000000000000000000000000F03F0000000000000000000000000000F03F\
         000000000000F03F00000000000000000000000000000000",
        "01020000000200000000000000000000000000000000000000000000000000F03F000000000000F03F",
    ];

    #[test]
    fn texts_are_the_servers() {
        for text in SENT {
            assert_eq!(text.parse::<Geometry>().expect("parses").to_string(), text);
        }
        let place: Geometry = SENT[1].parse().expect("parses");
        assert_eq!((place.srid, place.dimensions), (Some(4326), Dimensions { z: true, m: false }));
        assert_eq!(SENT[2].parse::<Geometry>().expect("parses").shape, Shape::Point(None));
        assert_eq!(SENT[0].parse::<Geometry>().expect("parses"), Geometry::point(1.0, 2.0));
    }

    #[test]
    fn big_endian_is_read() {
        let big = "00000000013FF00000000000004000000000000000";
        assert_eq!(big.parse::<Geometry>().expect("parses"), Geometry::point(1.0, 2.0));
    }

    #[test]
    fn what_is_no_shape_is_refused() {
        for text in
            ["", "01", "02", "0101000000", "0102000000FFFFFFFF", "0103000000FFFFFFFF", "0104000000", "0"]
        {
            assert!(text.parse::<Geometry>().is_err(), "{text}");
        }
        let longer = format!("{}00", SENT[0]);
        assert!(longer.parse::<Geometry>().is_err());
    }
}
