//! Results by column: what [`Client::fetch_batch`](crate::Client::fetch_batch) answers.
//!
//! A row of a [`Batch`] lies in as many places as there are columns. In return, a column of numbers is a slice of
//! numbers, and sorting moves no value before all places are known.

mod columnar;
mod element;
mod fetch;
mod nulls;
mod series;
mod sort;

pub use columnar::Batch;
pub use element::Element;
pub use series::Series;
pub use sort::SortKey;
