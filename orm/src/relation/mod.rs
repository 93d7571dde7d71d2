//! Relations: how rows of two models belong together.
//!
//! A relation is a constant that names pairs of columns, and maybe a table between. It is no field of a struct:
//! what a query [`include`](crate::Select::include)s is part of the type of its rows, so a relation that was not
//! loaded cannot be read.

mod declared;
mod joined;
mod link;
mod selectin;
mod to_many;
mod to_one;

pub use declared::Relation;
pub(crate) use declared::sealed;
pub use joined::{Joined, Required};
pub(crate) use link::{End, Link, Pair, tells_apart};
pub(crate) use selectin::Many;
pub use selectin::SelectIn;
pub use to_many::ToMany;
pub(crate) use to_many::{Path, Through};
pub use to_one::ToOne;
