//! SQL of one's own, in which text and values are kept apart by construction.
//!
//! [`sql()`] takes literals of the program only. A value goes in by [`bind`](Statement::bind) and leaves as a
//! parameter; a name by an [`Identifier`], quoted; and text that was put together at run time by a
//! [`Fragment`], which is one word to search for in a review.

mod by_name;
mod fragment;
mod identifier;
mod raw;
mod statement;

pub use fragment::Fragment;
pub use identifier::Identifier;
pub use raw::Raw;
pub use statement::{Statement, sql};
