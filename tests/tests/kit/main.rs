//! The kit's own tests.

#![forbid(unsafe_code)]
#![allow(clippy::unwrap_used, reason = "a failed unwrap is how a test fails, in its fixtures too")]

mod cluster;
mod proxy;
mod scripted;
