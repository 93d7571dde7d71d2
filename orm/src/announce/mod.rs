//! Who wants to know when rows of a model have been written, so that what was made of them can be made anew.
//!
//! An announcement names tables and says nothing of rows. It comes after the outermost commit, from flushes, writes of
//! many rows and COPY alike; SQL of one's own announces by [`Db::announce`](crate::Db::announce). It reaches whoever
//! asked the same [`Db`](crate::Db), in this process.

mod hub;
mod watch;

pub(crate) use hub::{Hub, TableId};
pub use watch::{OnWrite, RefreshWatch, WriteWatch};
