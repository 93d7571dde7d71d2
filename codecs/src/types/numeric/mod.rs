//! Exact decimal numbers.
//!
//! [`Numeric`] holds what `numeric` holds, and compares as it does. It computes nothing: that is left to the
//! crates that are made for it.

mod convert;
mod text;
mod value;

pub use value::Numeric;
