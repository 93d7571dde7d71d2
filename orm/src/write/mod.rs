//! Door three: writes of many rows at once, without an object for each.
//!
//! [`Update`] and [`Delete`] change every row that a query finds, [`Insert`] writes new rows by one statement,
//! [`CopyIn`] streams them. Each is made by a [`Db`](crate::Db), where it stands alone, or by a
//! [`Session`](crate::Session), where it is part of the open transaction. All but the last find their statement
//! through the plan cache.
//!
//! Checks run over every value that is given. Where they cannot, because the server computes the value, or because
//! a rule needs the rest of the row, the write is refused.

mod batch;
mod copy_in;
mod delete;
mod insert;
mod returning;
mod sets;
mod target;
mod update;
mod upsert;

pub(crate) use batch::{Carrier, Sent, bind, carrier, push_array};
pub use copy_in::CopyIn;
pub use delete::Delete;
pub use insert::{Insert, InsertReturning};
pub use returning::Returning;
pub(crate) use sets::{Assignment, Sets};
pub(crate) use target::Target;
pub use update::Update;
pub(crate) use upsert::OnConflict;
pub use upsert::{Conflict, Upsert, UpsertReturning, Upserted, Written};
