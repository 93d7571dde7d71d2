//! The plane's points and shapes (PostgreSQL manual, "Geometric Types").
//!
//! They compare as Rust's floats do; the server's own operators allow for small differences.

use std::fmt;
use std::str::FromStr;

use crate::error::{DecodeError, EncodeError, ParseError};
use crate::types::builtin::{Builtin, builtin};
use crate::types::text_form::text_form;
use crate::types::{AsText, Encoder, TextForm};
use crate::wire::Reader;

/// A `point`.
///
/// ```
/// use wreath_codecs::types::Point;
///
/// assert_eq!("(1.5,-2)".parse(), Ok(Point { x: 1.5, y: -2.0 }));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd)]
pub struct Point {
    /// To the right.
    pub x: f64,
    /// Up.
    pub y: f64,
}

/// A `line`, of all points for which `a`x + `b`y + `c` is 0. Not both of `a` and `b` are 0.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct Line {
    /// The factor of x.
    pub a: f64,
    /// The factor of y.
    pub b: f64,
    /// What is added.
    pub c: f64,
}

/// An `lseg`: the part of a line between two points.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct LineSegment(pub Point, pub Point);

/// A `box`, by the upper right and the lower left corner. The server puts other corners into that order.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct Rect {
    /// The corner with the greater coordinates.
    pub high: Point,
    /// The corner with the smaller ones.
    pub low: Point,
}

/// A `path`: lines from point to point, and back to the first when it is closed. It has a point at least.
#[derive(Clone, Debug, PartialEq, PartialOrd)]
pub struct Path {
    /// Whether the last point is joined to the first.
    pub closed: bool,
    /// The points.
    pub points: Vec<Point>,
}

/// A `polygon`, by its corners. It has one at least.
#[derive(Clone, Debug, PartialEq, PartialOrd)]
pub struct Polygon(pub Vec<Point>);

/// A `circle`. The radius is not negative.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct Circle {
    /// The middle.
    pub center: Point,
    /// The radius.
    pub radius: f64,
}

builtin! {
    Point, 600, 1017;
    Line, 628, 629;
    LineSegment, 601, 1018;
    Rect, 603, 1020;
    Path, 602, 1019;
    Polygon, 604, 1027;
    Circle, 718, 719;
}
text_form! { Point, Line, LineSegment, Path, Polygon, Circle }

impl Rect {
    /// The box that has these corners, whichever they are. NaN is greater than every number.
    ///
    /// ```
    /// use wreath_codecs::types::{Point, Rect};
    ///
    /// let pen = Rect::new(Point { x: 0.0, y: 3.0 }, Point { x: 2.0, y: 1.0 });
    /// assert_eq!((pen.high, pen.low), (Point { x: 2.0, y: 3.0 }, Point { x: 0.0, y: 1.0 }));
    /// ```
    pub fn new(a: Point, b: Point) -> Self {
        // Equal coordinates stay where they are: zeros have signs.
        let in_order = |a: f64, b: f64| if a < b || b.is_nan() && !a.is_nan() { (b, a) } else { (a, b) };
        let ((right, left), (top, bottom)) = (in_order(a.x, b.x), in_order(a.y, b.y));
        Self { high: Point { x: right, y: top }, low: Point { x: left, y: bottom } }
    }
}

impl TextForm for Rect {
    const DELIMITER: char = ';';

    fn write_text(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }

    fn parse_text(text: &str) -> Result<Self, ParseError> {
        text.parse()
    }
}

fn put_floats<const N: usize>(out: &mut Encoder, floats: [f64; N]) {
    floats.iter().for_each(|x| out.put(&x.to_be_bytes()));
}

impl Builtin<'_> for Point {
    #[inline]
    fn put(&self, out: &mut Encoder) -> Result<(), EncodeError> {
        put_floats(out, [self.x, self.y]);
        Ok(())
    }

    #[inline]
    fn get(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        Ok(Self { x: r.f64()?, y: r.f64()? })
    }
}

impl Line {
    fn is_line(self) -> bool {
        self.a != 0.0 || self.b != 0.0
    }
}

impl Builtin<'_> for Line {
    fn put(&self, out: &mut Encoder) -> Result<(), EncodeError> {
        if !self.is_line() {
            return Err(EncodeError::new("a line whose factors of x and y are both 0"));
        }
        put_floats(out, [self.a, self.b, self.c]);
        Ok(())
    }

    #[inline]
    fn get(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let line = Self { a: r.f64()?, b: r.f64()?, c: r.f64()? };
        if line.is_line() { Ok(line) } else { Err(no_line()) }
    }
}

impl Builtin<'_> for LineSegment {
    fn put(&self, out: &mut Encoder) -> Result<(), EncodeError> {
        self.0.put(out)?;
        self.1.put(out)
    }

    #[inline]
    fn get(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        Ok(Self(Point::get(r)?, Point::get(r)?))
    }
}

impl Builtin<'_> for Rect {
    fn put(&self, out: &mut Encoder) -> Result<(), EncodeError> {
        self.high.put(out)?;
        self.low.put(out)
    }

    #[inline]
    fn get(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        Ok(Self::new(Point::get(r)?, Point::get(r)?))
    }
}

#[cold]
fn no_line() -> DecodeError {
    DecodeError::invalid("a line whose factors of x and y are both 0")
}

#[cold]
fn no_circle(radius: f64) -> DecodeError {
    DecodeError::invalid(format!("a circle of radius {radius}"))
}

impl Builtin<'_> for Circle {
    fn put(&self, out: &mut Encoder) -> Result<(), EncodeError> {
        if self.radius < 0.0 {
            return Err(EncodeError::new(format!("a circle of radius {}", self.radius)));
        }
        self.center.put(out)?;
        put_floats(out, [self.radius]);
        Ok(())
    }

    #[inline]
    fn get(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let circle = Self { center: Point::get(r)?, radius: r.f64()? };
        if circle.radius < 0.0 { Err(no_circle(circle.radius)) } else { Ok(circle) }
    }
}

fn put_points(out: &mut Encoder, points: &[Point]) -> Result<(), EncodeError> {
    let count = i32::try_from(points.len()).ok().filter(|&n| n > 0);
    out.put_i32(count.ok_or_else(|| EncodeError::new(format!("a shape of {} points", points.len())))?);
    points.iter().try_for_each(|point| point.put(out))
}

fn get_points(r: &mut Reader<'_>) -> Result<Vec<Point>, DecodeError> {
    let count = r.i32()?;
    let count = usize::try_from(count).ok().filter(|&n| n > 0 && n <= r.len() / 16);
    let count =
        count.ok_or_else(|| DecodeError::invalid("a shape of no points, or of fewer than it claims"))?;
    (0..count).map(|_| Point::get(r)).collect()
}

impl Builtin<'_> for Path {
    fn put(&self, out: &mut Encoder) -> Result<(), EncodeError> {
        out.put_u8(u8::from(self.closed));
        put_points(out, &self.points)
    }

    #[inline]
    fn get(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let closed = match r.u8()? {
            0 => false,
            1 => true,
            other => {
                return Err(DecodeError::invalid(format!("a path that is neither open nor closed: {other}")));
            }
        };
        Ok(Self { closed, points: get_points(r)? })
    }
}

impl Builtin<'_> for Polygon {
    fn put(&self, out: &mut Encoder) -> Result<(), EncodeError> {
        put_points(out, &self.0)
    }

    #[inline]
    fn get(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        get_points(r).map(Self)
    }
}

impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({},{})", AsText(&self.x), AsText(&self.y))
    }
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{{{},{},{}}}", AsText(&self.a), AsText(&self.b), AsText(&self.c))
    }
}

impl fmt::Display for LineSegment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[{},{}]", self.0, self.1)
    }
}

impl fmt::Display for Rect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{}", self.high, self.low)
    }
}

impl fmt::Display for Circle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "<{},{}>", self.center, AsText(&self.radius))
    }
}

fn write_points(f: &mut fmt::Formatter<'_>, points: &[Point]) -> fmt::Result {
    for (i, point) in points.iter().enumerate() {
        write!(f, "{}{point}", if i > 0 { "," } else { "" })?;
    }
    Ok(())
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.closed { "(" } else { "[" })?;
        write_points(f, &self.points)?;
        f.write_str(if self.closed { ")" } else { "]" })
    }
}

impl fmt::Display for Polygon {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("(")?;
        write_points(f, &self.0)?;
        f.write_str(")")
    }
}

/// What stands between `open` and `close`.
fn inside<'a>(text: &'a str, open: &str, close: &str) -> Option<&'a str> {
    text.trim().strip_prefix(open)?.strip_suffix(close)
}

/// Reads `(x,y),(x,y),...`.
fn scan_points(text: &str) -> Option<Vec<Point>> {
    let inner = inside(text, "(", ")")?;
    inner.split("),(").map(scan_point).collect()
}

/// Reads `x,y`.
fn scan_point(text: &str) -> Option<Point> {
    let (x, y) = text.split_once(',')?;
    Some(Point { x: scan_float(x)?, y: scan_float(y)? })
}

fn scan_float(text: &str) -> Option<f64> {
    f64::parse_text(text).ok()
}

macro_rules! from_str {
    ($($t:ident, $name:literal, $form:literal, $scan:expr;)*) => {$(
        #[doc = concat!("Reads the server's form, `", $form, "`.")]
        impl FromStr for $t {
            type Err = ParseError;

            fn from_str(text: &str) -> Result<Self, ParseError> {
                let scan: fn(&str) -> Option<Self> = $scan;
                scan(text).ok_or_else(|| ParseError::new($name, text, concat!("not ", $form)))
            }
        }
    )*};
}

from_str! {
    Point, "point", "(x,y)", |text| scan_point(inside(text, "(", ")")?);
    Line, "line", "{a,b,c}", |text| {
        let (a, rest) = inside(text, "{", "}")?.split_once(',')?;
        let Point { x: b, y: c } = scan_point(rest)?;
        Some(Self { a: scan_float(a)?, b, c }).filter(|line| line.is_line())
    };
    LineSegment, "lseg", "[(x,y),(x,y)]", |text| {
        let [a, b] = scan_points(inside(text, "[", "]")?)?.try_into().ok()?;
        Some(Self(a, b))
    };
    Rect, "box", "(x,y),(x,y)", |text| {
        let [a, b] = scan_points(text)?.try_into().ok()?;
        Some(Self::new(a, b))
    };
    Path, "path", "((x,y),...) or [(x,y),...]", |text| {
        if let Some(open) = inside(text, "[", "]") {
            return Some(Self { closed: false, points: scan_points(open)? });
        }
        Some(Self { closed: true, points: scan_points(inside(text, "(", ")")?)? })
    };
    Polygon, "polygon", "((x,y),...)", |text| scan_points(inside(text, "(", ")")?).map(Self);
    Circle, "circle", "<(x,y),r>", |text| {
        let (center, radius) = inside(text, "<", ">")?.rsplit_once(',')?;
        let radius = scan_float(radius)?;
        (radius >= 0.0 || radius.is_nan()).then_some(Self { center: scan_point(inside(center, "(", ")")?)?, radius })
    };
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::Array;

    #[test]
    fn what_is_no_shape_is_refused() {
        assert!("(1,2".parse::<Point>().is_err() && "(1)".parse::<Point>().is_err());
        assert!(
            "{0,0,1}".parse::<Line>().is_err()
                && Line { a: 0.0, b: 0.0, c: 1.0 }.put(&mut Encoder::new()).is_err()
        );
        assert!("<(0,0),-1>".parse::<Circle>().is_err());
        assert!("[(1,2)]".parse::<LineSegment>().is_err());
        assert!("()".parse::<Polygon>().is_err() && Polygon(vec![]).put(&mut Encoder::new()).is_err());
        let claims = [0, 0x7f, 0xff, 0xff, 0xff, 0, 0];
        assert!(Path::get(&mut Reader::new(&claims)).is_err());
        assert!(Polygon::get(&mut Reader::new(&claims[1..])).is_err());
    }

    #[test]
    fn corners_of_a_box_are_put_in_order() {
        for (text, want) in [
            ("(0,3),(2,1)", "(2,3),(0,1)"),
            ("(0,NaN),(NaN,1)", "(NaN,NaN),(0,1)"),
            ("(0,-0),(-0,0)", "(0,-0),(-0,0)"),
        ] {
            let [a, b] = scan_points(text).expect("points").try_into().expect("two");
            let mut out = Encoder::new();
            Rect { high: a, low: b }.put(&mut out).expect("encodes");
            assert_eq!(Rect::get(&mut Reader::new(out.as_bytes())).expect("decodes").to_string(), want);
            assert_eq!(text.parse::<Rect>().expect("parses").to_string(), want);
        }
    }

    #[test]
    fn boxes_are_separated_by_semicolons() {
        let boxes: Array<Rect> = "{(1,1),(0,0);(2,2),(1,1)}".parse().expect("parses");
        assert_eq!((boxes.items().len(), boxes.to_string().as_str()), (2, "{(1,1),(0,0);(2,2),(1,1)}"));
    }
}
