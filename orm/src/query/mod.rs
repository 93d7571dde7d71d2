//! Queries for rows.
//!
//! A [`Select`] is a value: its builders return it, `&` of it runs it, any number of times. What its rows
//! are read as is its second type, an [`Output`]: whole objects ([`All`]), columns ([`Cols`]), and
//! relations beside them ([`With`]).

mod binds;
mod clauses;
mod feed;
mod further;
mod keyset;
mod lock;
mod output;
mod projection;
mod reader;
mod select;
mod with;

pub(crate) use binds::Binds;
pub(crate) use clauses::Clauses;
pub use feed::Feed;
pub(crate) use feed::Level;
pub(crate) use further::{Combination, Combined, Further, Join};
pub(crate) use keyset::Bound;
pub use lock::Lock;
pub(crate) use output::sealed;
pub use output::{All, Cols, Output};
pub use projection::Projection;
pub use reader::RowReader;
pub(crate) use select::Manner;
pub use select::Select;
pub use with::{Include, With};
