//! Boxes around circles on a sphere.

use wreath_codecs::types::{Point, Rect};

use crate::geo::Coordinate;

/// The mean radius of the Earth, in metres (IUGG). The compiler writes it into SQL, too.
pub(super) const EARTH: f64 = 6_371_008.8;

/// What boxes are larger than they need to be, in degrees: rounding must not leave out a place on their edge.
const MARGIN: f64 = 1e-9;

/// Two boxes in degrees, `x` being the longitude, that together hold every place within so many metres.
///
/// Most circles need one, and the second is their centre. One that crosses the antimeridian is parted there, and one
/// that reaches a pole takes in every longitude. They are always two, so that the shape of a query does not depend on
/// where its circle is.
pub(super) fn boxes(centre: Coordinate, metres: f64) -> [Rect; 2] {
    let radius = metres / EARTH;
    let degrees = radius.to_degrees() + MARGIN;
    let (south, north) = (centre.latitude() - degrees, centre.latitude() + degrees);
    let (bottom, top) = (south.max(-90.0), north.min(90.0));
    let rect = |west: f64, east: f64| Rect::new(Point { x: west, y: bottom }, Point { x: east, y: top });
    let point = Point::from(centre);
    let itself = Rect::new(point, point);
    if south <= -90.0 || north >= 90.0 {
        return [rect(-180.0, 180.0), itself];
    }
    // The circle's westernmost and easternmost places are nearer to the pole than its centre is.
    let reach =
        (radius.sin() / centre.latitude().to_radians().cos()).clamp(0.0, 1.0).asin().to_degrees() + MARGIN;
    let (west, east) = (centre.longitude() - reach, centre.longitude() + reach);
    if west <= -180.0 {
        [rect(-180.0, east), rect(west + 360.0, 180.0)]
    } else if east >= 180.0 {
        [rect(west, 180.0), rect(-180.0, east - 360.0)]
    } else {
        [rect(west, east), itself]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn distance(a: Coordinate, b: Coordinate) -> f64 {
        let (lat_a, lat_b) = (a.latitude().to_radians(), b.latitude().to_radians());
        let half = |x: f64| (x / 2.0).sin().powi(2);
        let turn = (b.longitude() - a.longitude()).to_radians();
        let h = half(lat_b - lat_a) + lat_a.cos() * lat_b.cos() * half(turn);
        2.0 * EARTH * h.min(1.0).sqrt().asin()
    }

    fn holds(boxes: &[Rect; 2], place: Coordinate) -> bool {
        let Point { x, y } = place.into();
        boxes.iter().any(|b| (b.low.x..=b.high.x).contains(&x) && (b.low.y..=b.high.y).contains(&y))
    }

    /// Every place on the edge of a circle is in its boxes, wherever the circle is.
    #[test]
    fn no_place_within_a_circle_is_left_out() {
        let coordinate = |lat: f64, lon: f64| Coordinate::new(lat.clamp(-90.0, 90.0), lon).expect("in range");
        for lat in [-90.0, -89.9, -60.0, -1.0, 0.0, 45.5, 89.0, 90.0] {
            for lon in [-180.0, -179.9, -10.0, 0.0, 90.0, 179.999, 180.0] {
                for metres in [0.0, 1.0, 5_000.0, 200_000.0, 3_000_000.0, 11_000_000.0, 21_000_000.0] {
                    let centre = coordinate(lat, lon);
                    let boxes = boxes(centre, metres);
                    assert!(holds(&boxes, centre), "{centre} {metres}");
                    for step in 0..72 {
                        let bearing = f64::from(step * 5).to_radians();
                        let (phi, angle) = (lat.to_radians(), metres / EARTH);
                        let far = (phi.sin() * angle.cos() + phi.cos() * angle.sin() * bearing.cos()).asin();
                        let turn = (bearing.sin() * angle.sin() * phi.cos())
                            .atan2(angle.cos() - phi.sin() * far.sin());
                        let round = (lon + turn.to_degrees() + 540.0).rem_euclid(360.0) - 180.0;
                        let place = coordinate(far.to_degrees(), round);
                        if distance(centre, place) <= metres {
                            assert!(holds(&boxes, place), "{place} within {metres} of {centre}: {boxes:?}");
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn boxes_are_parted_at_the_antimeridian_and_whole_at_the_poles() {
        let [one, other] = boxes(Coordinate::new(0.0, 179.5).expect("in range"), 111_195.0);
        assert!(one.high.x == 180.0 && other.low.x == -180.0 && other.high.x < -179.0);
        let [pole, _] = boxes(Coordinate::new(89.9, 10.0).expect("in range"), 20_000.0);
        assert!((pole.low.x, pole.high.x, pole.high.y) == (-180.0, 180.0, 90.0));
    }
}
