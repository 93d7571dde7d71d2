//! The operators, one file a family, each the same on columns and on expressions.

mod array;
mod bits;
mod compare;
mod contain;
mod convert;
mod distance;
mod json;
mod methods;
pub(crate) mod moment;
mod null;
mod number;
mod order;
mod range;
pub(crate) mod search;
pub(crate) mod text;

pub use contain::SqlContains;
pub use convert::SqlCast;
pub(crate) use methods::operators;
