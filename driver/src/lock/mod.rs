//! Advisory locks of the session, and work that one process of many does.

mod advisory;
mod key;
mod singleton;

pub use advisory::AdvisoryLock;
pub use key::{LockKey, lock_hash};
pub use singleton::{Singleton, SingletonRunner};
