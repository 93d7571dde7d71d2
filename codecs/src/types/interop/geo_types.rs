//! Shapes of `geo-types`: as the server's own geometric types, and as those of PostGIS.

use geo_types::{Coord, Line, LineString, Point, Polygon, Rect};

use super::through::through;
use crate::error::RangeError;
use crate::types::builtin::builtin;
use crate::types::{self, Coordinate, Geometry, LineSegment, Path, Shape};

builtin! {
    Point<f64>, 600, 1017;
    Line<f64>, 601, 1018;
    Rect<f64>, 603, 1020;
    LineString<f64>, 602, 1019;
}

through! {
    Point<f64> => types::Point;
    Line<f64> => LineSegment;
    Rect<f64> => types::Rect;
    LineString<f64> => Path;
}

fn to_own(c: Coord<f64>) -> types::Point {
    types::Point { x: c.x, y: c.y }
}

fn to_coord(p: types::Point) -> Coord<f64> {
    Coord { x: p.x, y: p.y }
}

impl From<&Point<f64>> for types::Point {
    fn from(point: &Point<f64>) -> Self {
        to_own(point.0)
    }
}

impl From<types::Point> for Point<f64> {
    fn from(point: types::Point) -> Self {
        Self(to_coord(point))
    }
}

impl From<&Line<f64>> for LineSegment {
    fn from(line: &Line<f64>) -> Self {
        Self(to_own(line.start), to_own(line.end))
    }
}

impl From<LineSegment> for Line<f64> {
    fn from(segment: LineSegment) -> Self {
        Self::new(to_coord(segment.0), to_coord(segment.1))
    }
}

impl From<&Rect<f64>> for types::Rect {
    fn from(rect: &Rect<f64>) -> Self {
        Self { high: to_own(rect.max()), low: to_own(rect.min()) }
    }
}

impl From<types::Rect> for Rect<f64> {
    fn from(rect: types::Rect) -> Self {
        Self::new(to_coord(rect.low), to_coord(rect.high))
    }
}

/// An open path; one that ends where it begins is no closed one.
impl From<&LineString<f64>> for Path {
    fn from(line: &LineString<f64>) -> Self {
        Self { closed: false, points: line.0.iter().copied().map(to_own).collect() }
    }
}

/// Fails for a closed path.
impl TryFrom<Path> for LineString<f64> {
    type Error = RangeError;

    fn try_from(path: Path) -> Result<Self, RangeError> {
        match path.closed {
            false => Ok(Self(path.points.into_iter().map(to_coord).collect())),
            true => Err(RangeError::new(path, "geo_types::LineString")),
        }
    }
}

fn to_coordinates(line: &LineString<f64>) -> Vec<Coordinate> {
    line.0.iter().map(|c| Coordinate { x: c.x, y: c.y, ..Coordinate::default() }).collect()
}

fn to_line_string(places: Vec<Coordinate>) -> LineString<f64> {
    LineString(places.into_iter().map(|c| Coord { x: c.x, y: c.y }).collect())
}

impl From<Point<f64>> for Geometry {
    fn from(point: Point<f64>) -> Self {
        Self::point(point.x(), point.y())
    }
}

impl From<&LineString<f64>> for Geometry {
    fn from(line: &LineString<f64>) -> Self {
        Self::from(Shape::LineString(to_coordinates(line)))
    }
}

impl From<&Polygon<f64>> for Geometry {
    fn from(polygon: &Polygon<f64>) -> Self {
        let rings = std::iter::once(polygon.exterior()).chain(polygon.interiors());
        Self::from(Shape::Polygon(rings.map(to_coordinates).collect()))
    }
}

/// Fails for an empty point, and for heights and measures. The reference system is dropped.
impl TryFrom<Geometry> for geo_types::Geometry<f64> {
    type Error = RangeError;

    fn try_from(geometry: Geometry) -> Result<Self, RangeError> {
        let is_plane = geometry.dimensions == types::Dimensions::default();
        match geometry.shape {
            Shape::Point(Some(c)) if is_plane => Ok(Self::Point(Point::new(c.x, c.y))),
            Shape::LineString(places) if is_plane => Ok(Self::LineString(to_line_string(places))),
            Shape::Polygon(rings) if is_plane => {
                let mut rings = rings.into_iter().map(to_line_string);
                let exterior = rings.next().unwrap_or_else(|| LineString(Vec::new()));
                Ok(Self::Polygon(Polygon::new(exterior, rings.collect())))
            }
            _ => Err(RangeError::new(geometry, "geo_types::Geometry")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::oid;
    use crate::types::interop::through::refused;

    #[test]
    fn what_is_held_comes_back_and_the_rest_is_refused() {
        assert!(refused::<Point<f64>>(oid::POINT).is_empty());
        assert!(refused::<Line<f64>>(oid::LSEG).is_empty());
        assert!(refused::<Rect<f64>>(oid::BOX).is_empty());
        assert_eq!(refused::<LineString<f64>>(oid::PATH), ["((0,0),(1,0),(1,1))", "((0.5,-0))"]);
    }

    #[test]
    fn shapes_of_postgis_come_back() {
        let ring = LineString::from(vec![(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 0.0)]);
        let polygon = Polygon::new(ring.clone(), vec![]);
        let back = |geometry: Geometry| geo_types::Geometry::try_from(geometry).expect("in the plane");
        assert_eq!(back(Geometry::from(&polygon)), geo_types::Geometry::Polygon(polygon));
        assert_eq!(back(Geometry::from(&ring)), geo_types::Geometry::LineString(ring));
        assert_eq!(
            back(Geometry::from(Point::new(1.0, 2.0))),
            geo_types::Geometry::Point(Point::new(1.0, 2.0))
        );
        assert!(geo_types::Geometry::try_from(Geometry::from(Shape::Point(None))).is_err());
    }
}
