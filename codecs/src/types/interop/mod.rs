//! Types of other crates, each behind a feature of the crate's name.
//!
//! Each goes through a type of ours that holds everything, and refuses what it cannot hold with an error that names
//! value and type. Clocks tick in nanoseconds and the server keeps microseconds: what is sent is rounded down.

#[cfg(feature = "bigdecimal")]
mod bigdecimal;
#[cfg(feature = "chrono")]
mod chrono;
#[cfg(feature = "geo-types")]
mod geo_types;
#[cfg(feature = "ipnet")]
mod ipnet;
#[cfg(feature = "jiff")]
mod jiff;
#[cfg(feature = "rust_decimal")]
mod rust_decimal;
mod through;
#[cfg(feature = "time")]
mod time;
