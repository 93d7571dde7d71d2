//! Relations: how rows of two models belong together.
//!
//! A relation is a constant that names two columns. It is no field of a struct: what a query
//! [`include`](crate::Select::include)s is part of the type of its rows, so a relation that was not loaded
//! cannot be read.

mod joined;
mod selectin;
mod to_many;
mod to_one;

pub use joined::{Joined, Required};
pub use selectin::SelectIn;
pub use to_many::ToMany;
pub(crate) use to_one::Link;
pub use to_one::ToOne;
