//! Queries for rows.
//!
//! A [`Select`] is a value: its builders return it, `&` of it runs it, any number of times. What its rows
//! are read as is its second type, an [`Output`]: whole objects ([`All`]), columns ([`Cols`]), and
//! relations beside them ([`With`]).

mod feed;
mod output;
mod reader;
mod select;
mod with;

pub use feed::Feed;
pub(crate) use feed::Level;
pub(crate) use output::sealed;
pub use output::{All, Cols, Output};
pub use reader::RowReader;
pub use select::Select;
pub use with::{Include, With};
