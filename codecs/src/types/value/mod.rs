//! Values of any type.
//!
//! [`Value`] is a value with its type, [`Datum`] what it is. They are for tools that take whatever comes: what
//! is known when a program is written is better read straight into Rust's types.

mod copy;
mod datum;
mod parse;
mod typed;

pub use copy::CopyText;
pub use datum::Datum;
pub use typed::Value;
