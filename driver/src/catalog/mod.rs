//! The types of a database: built-in ones are known, all others are looked up once.

mod known;
mod lookup;

pub use known::Catalog;
