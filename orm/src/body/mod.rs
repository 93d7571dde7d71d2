//! Values for some of a model's columns, and what comes from and goes to JSON.
//!
//! A body is read in one pass over its bytes into what each column would send, which is where its type is
//! decided. Everything else (what is missing, checks, rules) is asked of that, and all of it is reported at once.

mod fill;
#[cfg(feature = "serde_json")]
mod json;
mod patch;
#[cfg(feature = "serde_json")]
mod read;
#[cfg(feature = "serde_json")]
mod show;

pub use patch::{Patch, Save};
#[cfg(feature = "serde_json")]
pub(crate) use read::read_whole;
#[cfg(feature = "serde_json")]
pub use show::AsJson;
