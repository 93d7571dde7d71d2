//! The five characters that say what kind of error a server reports.

mod code;
mod table;

pub use code::SqlState;
