//! What the server says when a statement has ended.

use std::fmt;

use smallvec::SmallVec;

/// The server's summary of a statement, such as `INSERT 0 1` or `SELECT 20` (PostgreSQL manual, "Message
/// Formats", CommandComplete). It is empty for an empty statement.
#[derive(Clone, PartialEq, Eq, Default)]
pub struct CommandTag(SmallVec<[u8; 24]>);

impl CommandTag {
    pub(crate) fn new(tag: &[u8]) -> Self {
        Self(SmallVec::from_slice(tag))
    }

    /// The same tag for another number of rows, if it counts any.
    pub(crate) fn with_rows(self, rows: usize) -> Self {
        match self.as_str().rsplit_once(' ') {
            Some((head, count)) if count.bytes().all(|b| b.is_ascii_digit()) => {
                Self::new(format!("{head} {rows}").as_bytes())
            }
            _ => self,
        }
    }

    /// The tag; empty where the server sent one that is not UTF-8.
    pub fn as_str(&self) -> &str {
        std::str::from_utf8(&self.0).unwrap_or("")
    }

    /// How many rows were written or returned; 0 for a statement that does not count any.
    ///
    /// ```no_run
    /// # async fn f(client: &wreath_driver::Client) -> wreath_driver::Result<()> {
    /// let tag = client.execute("DELETE FROM llamas WHERE age > $1", (20_i32,)).await?;
    /// println!("{} llamas retired", tag.rows());
    /// # Ok(())
    /// # }
    /// ```
    pub fn rows(&self) -> u64 {
        self.as_str().rsplit(' ').next().and_then(|n| n.parse().ok()).unwrap_or(0)
    }
}

impl fmt::Display for CommandTag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Debug for CommandTag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.as_str().fmt(f)
    }
}
