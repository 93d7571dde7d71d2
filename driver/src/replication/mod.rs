//! Logical replication (PostgreSQL manual, "Streaming Replication Protocol"; feature `replication`): slots, and the
//! stream of what has been committed.
//!
//! ```no_run
//! # async fn f() -> Result<(), Box<dyn std::error::Error>> {
//! use wreath_driver::Config;
//! use wreath_driver::codecs::frame::pgoutput::{Decoder, Message};
//! use wreath_driver::replication::{CreateSlot, PgLsn, Subscription};
//!
//! let config: Config = "postgres://shepherd@localhost/farm".parse()?;
//! let replication = config.replicate().await?;
//! replication.create_slot(&CreateSlot::new("shearings")).await?;
//! let mut changes = replication.start(&Subscription::new("shearings").publications(["farm"])).await?;
//! let mut decoder = Decoder::new();
//! while let Some(wal) = changes.next().await? {
//!     match decoder.decode(&wal.data)? {
//!         Message::Insert(insert) => println!("{} values are new", insert.new.len()),
//!         // All before is stored: the server need not keep it.
//!         Message::Commit(commit) => changes.confirm(PgLsn(commit.end)),
//!         _ => {}
//!     }
//! }
//! # Ok(())
//! # }
//! ```

mod progress;
mod session;
mod slot;
mod stream;
mod subscription;

pub use session::{Replication, SystemIdentity};
pub use slot::{CreateSlot, CreatedSlot};
pub use stream::{ReplicationStream, Wal};
pub use subscription::{Streaming, Subscription};
pub use wreath_codecs::types::PgLsn;
