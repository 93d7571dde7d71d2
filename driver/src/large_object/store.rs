//! The large objects of a database.

use super::LargeObject;
use crate::connection::{Client, Transaction, Tx};
use crate::error::Result;

/// The large objects of a database, as one transaction sees them; made by [`Transaction::large_objects`].
///
/// ```no_run
/// # async fn f(connection: &wreath_driver::Connection) -> wreath_driver::Result<()> {
/// use wreath_driver::Access;
///
/// let tx = connection.begin().await?;
/// let objects = tx.large_objects();
/// let oid = objects.create().await?;
/// let mut fleece = objects.open(oid, Access::ReadWrite).await?;
/// fleece.write(b"wool, mostly").await?;
/// fleece.seek(std::io::SeekFrom::Start(6)).await?;
/// assert_eq!(fleece.read(100).await?, "mostly");
/// fleece.close().await?;
/// tx.commit().await?;
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug)]
pub struct LargeObjects<'a> {
    client: &'a Client,
}

/// What an object is opened for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Access {
    /// Reading what had been committed before the transaction's snapshot.
    Read,
    /// Writing, and reading what this transaction has written.
    ReadWrite,
}

impl Access {
    /// The server's `INV_READ` and `INV_WRITE`.
    fn mode(self) -> i32 {
        const READ: i32 = 0x4_0000;
        const WRITE: i32 = 0x2_0000;
        match self {
            Self::Read => READ,
            Self::ReadWrite => READ | WRITE,
        }
    }
}

impl<'a> LargeObjects<'a> {
    /// Makes an empty object, and answers its number.
    ///
    /// # Errors
    /// As [`Client::execute`]; so do the other methods.
    pub async fn create(&self) -> Result<u32> {
        self.create_as(0).await
    }

    /// Makes an empty object of that number, or of any where it is 0, and answers its number.
    ///
    /// # Errors
    /// `Server`, when there is one of that number (SQLSTATE 23505); else as [`create`](Self::create).
    pub async fn create_as(&self, oid: u32) -> Result<u32> {
        self.client.fetch_scalar("SELECT pg_catalog.lo_create($1)", (oid,)).await
    }

    /// Opens an object, at its start. It is closed with the transaction, or the savepoint, that this is the handle of.
    ///
    /// # Errors
    /// `Server`, when there is none of that number (SQLSTATE 42704), or the user may not do that with it; else as
    /// [`create`](Self::create).
    pub async fn open(&self, oid: u32, access: Access) -> Result<LargeObject<'a>> {
        let sql = "SELECT pg_catalog.lo_open($1, $2)";
        let descriptor = self.client.fetch_scalar(sql, (oid, access.mode())).await?;
        Ok(LargeObject::new(self.client, oid, descriptor))
    }

    /// Removes an object.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub async fn unlink(&self, oid: u32) -> Result<()> {
        self.client.execute("SELECT pg_catalog.lo_unlink($1)", (oid,)).await.map(drop)
    }
}

impl Transaction {
    /// The large objects of the database.
    pub fn large_objects(&self) -> LargeObjects<'_> {
        LargeObjects { client: self }
    }
}

impl Tx {
    /// The large objects of the database.
    pub fn large_objects(&self) -> LargeObjects<'_> {
        LargeObjects { client: self }
    }
}
