//! A place.

use std::fmt;

use wreath_codecs::types::{Geography, Geometry, Point};
use wreath_codecs::{Decode, DecodeError, Encode, EncodeError, Encoder, Oid, PgType, Type};

use crate::check::{Plain, Violation};
use crate::error::{Error, Result};
use crate::model::Value;

/// A place on the Earth, in degrees. As a column it is a `point` whose `x` is the longitude.
///
/// ```
/// use wreath_orm::geo::Coordinate;
///
/// let shed = Coordinate::new(52.5, 13.4)?;
/// assert_eq!((shed.latitude(), shed.longitude()), (52.5, 13.4));
/// assert!(Coordinate::new(91.0, 0.0).is_err());
/// # Ok::<(), wreath_orm::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Coordinate {
    latitude: f64,
    longitude: f64,
}

impl Coordinate {
    /// The place at a latitude from -90 (south) to 90 and a longitude from -180 (west) to 180.
    ///
    /// # Errors
    /// [`Invalid`](crate::ErrorKind::Invalid), when one of them is out of range or not a number.
    pub fn new(latitude: f64, longitude: f64) -> Result<Self> {
        let ranges = [("latitude", latitude, 90.0), ("longitude", longitude, 180.0)];
        let violations: Vec<_> = ranges
            .into_iter()
            .filter(|(_, degrees, most)| !(-most..=*most).contains(degrees))
            .map(|(name, _, most)| {
                Violation::new("range", None, format!("a {name} is from -{most} to {most}"))
            })
            .collect();
        if violations.is_empty() { Ok(Self { latitude, longitude }) } else { Err(Error::invalid(violations)) }
    }

    /// Degrees from the equator, to the north.
    pub fn latitude(self) -> f64 {
        self.latitude
    }

    /// Degrees from Greenwich, to the east.
    pub fn longitude(self) -> f64 {
        self.longitude
    }
}

impl fmt::Display for Coordinate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, {}", self.latitude, self.longitude)
    }
}

impl From<Coordinate> for Point {
    fn from(place: Coordinate) -> Self {
        Self { x: place.longitude, y: place.latitude }
    }
}

impl From<Coordinate> for Geography {
    fn from(place: Coordinate) -> Self {
        Self(Geometry::point(place.longitude, place.latitude).with_srid(super::polygon::WGS_84))
    }
}

impl TryFrom<Point> for Coordinate {
    type Error = Error;

    fn try_from(point: Point) -> Result<Self> {
        Self::new(point.y, point.x)
    }
}

impl PgType for Coordinate {
    const OID: Oid = Point::OID;
    const ARRAY: Oid = Point::ARRAY;
}

impl Encode for Coordinate {
    fn oid(&self) -> Oid {
        Self::OID
    }

    fn encode(&self, out: &mut Encoder) -> std::result::Result<(), EncodeError> {
        Point::from(*self).encode(out)
    }
}

/// A point that is no place on the Earth is refused.
impl<'r> Decode<'r> for Coordinate {
    fn accepts(ty: &Type) -> bool {
        Point::accepts(ty)
    }

    fn decode(ty: &Type, bytes: &'r [u8]) -> std::result::Result<Self, DecodeError> {
        let point = Point::decode(ty, bytes)?;
        Self::try_from(point).map_err(|_| DecodeError::invalid(format!("{point} is no place on the Earth")))
    }
}

impl Value for Coordinate {
    type Arg<'a> = Self;
    type Check = Plain<Self>;

    fn sample(n: u32) -> Self {
        Self { latitude: f64::from(n % 90), longitude: f64::from(n % 180) }
    }
}
