//! Operators of places.

use wreath_codecs::EncodeError;
use wreath_codecs::types::{Geography, Point};

use crate::expr::ops::operators;
use crate::expr::{Expr, Op, Pred, Tape};
use crate::geo::boxes::boxes;
use crate::geo::{Coordinate, Polygon};
use crate::model::{Column, ColumnType, Value};

/// A type of places on the Earth: [`Coordinate`] and [`Point`] in core PostgreSQL, [`Geography`] of PostGIS.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a place on the Earth",
    label = "expected a `Coordinate`, a `Point` or a `Geography`"
)]
pub trait SqlPlace: Value {
    /// Appends that the place on the tape is within so many metres.
    #[doc(hidden)]
    fn within(out: &mut Out<'_>, centre: Coordinate, metres: f64);

    /// Appends how many metres the place on the tape is away.
    #[doc(hidden)]
    fn distance(out: &mut Out<'_>, centre: Coordinate);
}

/// The tape that begins with a place.
#[derive(Debug)]
pub struct Out<'a>(&'a mut Tape);

impl Out<'_> {
    /// Appends the distance on a sphere to a point of core PostgreSQL.
    fn haversine(&mut self, centre: Coordinate) {
        self.0.param(&centre.latitude());
        self.0.param(&centre.latitude().to_radians().cos());
        self.0.param(&centre.longitude());
        self.0.op(Op::Haversine);
    }
}

/// A `point` whose `x` is the longitude.
impl SqlPlace for Point {
    fn within(out: &mut Out<'_>, centre: Coordinate, metres: f64) {
        let place = out.0.clone();
        let [one, other] = boxes(centre, metres);
        out.0.param(&one);
        out.0.op(Op::ContainedBy);
        out.0.append(&place);
        out.0.param(&other);
        out.0.op(Op::ContainedBy);
        out.0.op(Op::Or);
        out.0.append(&place);
        out.haversine(centre);
        out.0.param(&metres);
        out.0.op(Op::Le);
        out.0.op(Op::And);
    }

    fn distance(out: &mut Out<'_>, centre: Coordinate) {
        out.haversine(centre);
    }
}

impl SqlPlace for Coordinate {
    fn within(out: &mut Out<'_>, centre: Coordinate, metres: f64) {
        Point::within(out, centre, metres);
    }

    fn distance(out: &mut Out<'_>, centre: Coordinate) {
        Point::distance(out, centre);
    }
}

impl SqlPlace for Geography {
    fn within(out: &mut Out<'_>, centre: Coordinate, metres: f64) {
        out.0.param(&Self::from(centre));
        out.0.param(&metres);
        out.0.call("ST_DWithin", 3);
    }

    fn distance(out: &mut Out<'_>, centre: Coordinate) {
        out.0.param(&Self::from(centre));
        out.0.op(Op::L2);
    }
}

operators! {
    /// It is within so many metres of a place.
    ///
    /// On a `point` it is a box around the circle, which a `GiST` index on the column answers, and the distance on a
    /// sphere of the Earth's mean radius; also across the antimeridian and the poles. On a `Geography` it is
    /// `ST_DWithin`, on the spheroid. They differ by half a percent at most. Metres that are negative, infinite or
    /// not a number fail the statement before it is sent.
    ///
    /// ```
    /// use wreath_orm::geo::Coordinate;
    /// use wreath_orm::{Column, Table};
    ///
    /// struct Shed { at: Coordinate }
    /// const AT: Column<Shed, Coordinate> = Table::new("sheds").col("at", |s: &Shed| &s.at);
    ///
    /// let near = AT.within(Coordinate::new(52.5, 13.4)?, 5_000.0);
    /// assert!(format!("{near:?}").starts_with(r#"Pred((t0."at" <@ $1 OR t0."at" <@ $2) AND "#));
    /// # Ok::<(), wreath_orm::Error>(())
    /// ```
    pub fn within(self, centre: Coordinate, metres: f64) -> Pred<M>
    where
        T::Base: SqlPlace,
    {
        let mut tape = self.expr().tape;
        if !metres.is_finite() || metres < 0.0 {
            tape.refuse(EncodeError::new(format!("a distance of {metres} metres")));
        }
        T::Base::within(&mut Out(&mut tape), centre, metres);
        Pred::new(tape)
    }

    /// How many metres away from a place it is: an order by it, with a limit, finds the nearest.
    ///
    /// On a `Geography` it is `<->`, which a `GiST` index answers in order; on a `point` the distance on a sphere,
    /// for which every row is looked at that no [`within`](Self::within) leaves out.
    ///
    /// ```compile_fail,E0277
    /// # use wreath_orm::{Column, Table, geo::Coordinate};
    /// # struct Llama { name: String }
    /// # const TABLE: Table<Llama> = Table::new("llamas");
    /// const NAME: Column<Llama, String> = TABLE.col("name", |l| &l.name);
    /// let _ = NAME.nearest(Coordinate::new(0.0, 0.0).unwrap()); // `String` is not a place on the Earth
    /// ```
    pub fn nearest(self, centre: Coordinate) -> Expr<M, T::Of<f64>>
    where
        T::Base: SqlPlace,
    {
        let mut tape = self.expr().tape;
        T::Base::distance(&mut Out(&mut tape), centre);
        Expr::new(tape)
    }

    /// `ST_Covers`: it is in a region, or on its edge.
    pub fn covered_by(self, region: &Polygon) -> Pred<M>
    where
        T: ColumnType<Base = Geography>,
    {
        let mut tape = Tape::default();
        tape.param(&Geography::from(region));
        tape.append(&self.expr().tape);
        tape.call("ST_Covers", 2);
        Pred::new(tape)
    }
}
