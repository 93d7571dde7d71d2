//! Types of extensions. Each database has its own numbers for them, so they are known by their names.

mod cube;
mod geometry;
mod hstore;
mod sparse;
mod vector;

pub use cube::Cube;
pub use geometry::{Coordinate, Dimensions, Ewkb, Geography, Geometry, Shape};
pub use hstore::Hstore;
pub use sparse::SparseVec;
pub use vector::{HalfVec, Vector};
