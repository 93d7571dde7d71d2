//! Large objects: values of up to 4 TiB that are read and written piece by piece, inside of a transaction (PostgreSQL
//! manual, "Large Objects").

mod object;
mod store;
mod streamed;

pub use object::LargeObject;
pub use store::{Access, LargeObjects};
pub use streamed::LargeObjectIo;

/// The most that one statement reads or writes. The server holds it in memory, and so does the connection.
const PIECE: usize = 1 << 20;
