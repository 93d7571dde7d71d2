//! Places on the Earth: in columns of core PostgreSQL, and in those of PostGIS.
//!
//! A [`Coordinate`] is a latitude and a longitude that are known to be in range, and cannot be taken for each other.
//! As a column it is a `point`, for which `within` is a box that a `GiST` index on the column answers, and beneath it
//! the exact distance on a sphere. With PostGIS a column is a
//! [`Geography`](crate::codecs::types::Geography), the same operators measure on the spheroid, and a [`Polygon`]
//! can be asked for what it covers.

mod boxes;
mod coordinate;
mod place;
mod polygon;

pub use coordinate::Coordinate;
pub use place::SqlPlace;
pub use polygon::Polygon;
