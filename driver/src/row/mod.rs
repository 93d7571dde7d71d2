//! Results: rows that borrow from the reply as it arrived.

mod column;
mod from_row;
mod record;
mod rows;

pub use column::Column;
pub use from_row::{DecodeOwned, FromRow};
pub use record::{OwnedRow, Row, RowIndex, RowReader};
pub(crate) use record::{cannot_read, check};
pub use rows::Rows;
pub(crate) use rows::{Arrived, body_of};
