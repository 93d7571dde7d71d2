//! Units of work.
//!
//! A [`Session`] holds objects and knows what has been done to them. A [`Ref`] names one of them; it is a
//! small value to copy around, and the session is who is asked for the object. One row is one object: what
//! is fetched again is found by its key.
//!
//! Nothing is loaded behind one's back, and nothing is written before [`flush`](Session::flush), which
//! writes all of it in one transaction or nothing. What a failed flush or a rollback undoes is pending
//! again.

mod arena;
mod begun;
mod commit;
mod flush;
mod link;
mod load;
mod receive;
mod reference;
mod schedule;
#[expect(clippy::module_inception, reason = "the session is what the module is about")]
mod session;
mod slot;
pub(crate) mod snapshot;
mod track;

pub use begun::Begun;
pub use commit::Outcome;
pub use reference::Ref;
pub use session::Session;
pub(crate) use snapshot::key_of;
pub use track::Track;
