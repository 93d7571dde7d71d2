//! A region.

use wreath_codecs::types::{Coordinate as Vertex, Geography, Geometry, Shape};

use crate::check::Violation;
use crate::error::{Error, Result};
use crate::geo::Coordinate;

/// The reference system of longitudes and latitudes (EPSG).
pub(super) const WGS_84: u32 = 4326;

/// A region on the Earth, its edges being the shortest ways between its corners; with holes, where it has some.
///
/// ```
/// use wreath_orm::geo::{Coordinate, Polygon};
///
/// let corners = [(52.0, 13.0), (53.0, 13.0), (53.0, 14.0)];
/// let corners = corners.into_iter().map(|(lat, lon)| Coordinate::new(lat, lon)).collect::<Result<Vec<_>, _>>()?;
/// let district = Polygon::new(corners)?;
/// assert!(Polygon::new([Coordinate::new(52.0, 13.0)?]).is_err());
/// # Ok::<(), wreath_orm::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Polygon {
    rings: Vec<Vec<Coordinate>>,
}

impl Polygon {
    /// The region within a ring of corners, which need not repeat its first at its end.
    ///
    /// # Errors
    /// [`Invalid`](crate::ErrorKind::Invalid), when there are fewer than three corners, or one follows itself.
    pub fn new(corners: impl IntoIterator<Item = Coordinate>) -> Result<Self> {
        Ok(Self { rings: vec![ring(corners)?] })
    }

    /// Without the region within another ring, which has to lie within the first.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn with_hole(mut self, corners: impl IntoIterator<Item = Coordinate>) -> Result<Self> {
        self.rings.push(ring(corners)?);
        Ok(self)
    }

    /// The rings, the outer one first; each ends with its first corner.
    pub fn rings(&self) -> &[Vec<Coordinate>] {
        &self.rings
    }
}

/// A ring that ends where it begins.
fn ring(corners: impl IntoIterator<Item = Coordinate>) -> Result<Vec<Coordinate>> {
    let refuse = |what| Err(Error::invalid(vec![Violation::new("polygon", None, what)]));
    let mut ring: Vec<_> = corners.into_iter().collect();
    if ring.len() > 1 && ring.first() == ring.last() {
        ring.pop();
    }
    if ring.len() < 3 {
        return refuse("a ring has three corners at least");
    }
    ring.push(ring[0]);
    if ring.windows(2).any(|pair| pair[0] == pair[1]) {
        return refuse("a corner of a ring follows itself");
    }
    Ok(ring)
}

impl From<&Polygon> for Geography {
    fn from(polygon: &Polygon) -> Self {
        let vertex = |c: &Coordinate| Vertex { x: c.longitude(), y: c.latitude(), ..Vertex::default() };
        let rings = polygon.rings.iter().map(|ring| ring.iter().map(vertex).collect()).collect();
        Self(Geometry::from(Shape::Polygon(rings)).with_srid(WGS_84))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn corners(corners: &[(f64, f64)]) -> Vec<Coordinate> {
        corners.iter().map(|&(lat, lon)| Coordinate::new(lat, lon).expect("in range")).collect()
    }

    #[test]
    fn a_ring_is_closed_once() {
        let open = corners(&[(0.0, 0.0), (0.0, 1.0), (1.0, 0.0)]);
        let mut closed = open.clone();
        closed.push(open[0]);
        let polygon = Polygon::new(open).expect("is good");
        assert_eq!(polygon, Polygon::new(closed).expect("is good"));
        assert_eq!(polygon.rings()[0].len(), 4);
    }

    #[test]
    fn what_is_no_ring_is_refused() {
        for bad in [&[][..], &[(0.0, 0.0)], &[(0.0, 0.0), (1.0, 1.0), (0.0, 0.0)]] {
            assert!(Polygon::new(corners(bad)).is_err(), "{bad:?}");
        }
        assert!(Polygon::new(corners(&[(0.0, 0.0), (0.0, 0.0), (0.0, 1.0), (1.0, 0.0)])).is_err());
    }
}
