//! All rows of a result.

use std::fmt;
use std::sync::{Arc, OnceLock};

use bytes::Bytes;
use smallvec::SmallVec;

use crate::error::Result;
use crate::row::{Column, FromRow, Row};
use crate::tag::CommandTag;

/// The bytes of a DataRow message before its count of values: the tag and the length.
const HEADER: usize = 5;

/// The rows of one result, kept as the bytes that arrived. Looking at them copies nothing and allocates
/// nothing; the bytes live for as long as the `Rows` do.
///
/// ```no_run
/// # async fn f(client: &wreath_driver::Client) -> wreath_driver::Result<()> {
/// let rows = client.fetch("SELECT id, name FROM llamas WHERE age > $1", (9_i32,)).await?;
/// for row in &rows {
///     let (id, name): (i64, &str) = (row.get(0)?, row.get("name")?);
///     println!("{id} {name}");
/// }
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Rows {
    pub(crate) columns: Arc<[Column]>,
    pub(crate) reply: Arrived,
    index: OnceLock<Vec<(u32, u32)>>,
}

/// What arrived for one statement: whole DataRow messages in order, and the tag.
#[derive(Clone, Debug, Default)]
pub(crate) struct Arrived {
    pub(crate) chunks: SmallVec<[Bytes; 2]>,
    pub(crate) rows: usize,
    /// Of all rows, those that have been taken too.
    pub(crate) bytes: usize,
    pub(crate) tag: CommandTag,
}

impl Rows {
    pub(crate) fn new(columns: Arc<[Column]>, reply: Arrived) -> Self {
        Self { columns, reply, index: OnceLock::new() }
    }

    /// How many rows there are.
    pub fn len(&self) -> usize {
        self.reply.rows
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.reply.rows == 0
    }

    /// The columns.
    pub fn columns(&self) -> &[Column] {
        &self.columns
    }

    /// The server's summary of the statement.
    pub fn tag(&self) -> &CommandTag {
        &self.reply.tag
    }

    /// The rows in the order that they arrived in.
    pub fn iter(&self) -> RowsIter<'_> {
        RowsIter { columns: &self.columns, chunks: self.reply.chunks.iter(), rest: &[] }
    }

    /// Each row read into a `T`. The list is allocated once, since the number of rows is known.
    pub(crate) fn read_all<T: FromRow>(&self) -> Result<Vec<T>> {
        let mut values = Vec::with_capacity(self.len());
        for row in self {
            values.push(T::from_row(row)?);
        }
        Ok(values)
    }

    /// The first row.
    pub fn first(&self) -> Option<Row<'_>> {
        self.iter().next()
    }

    /// The `i`th row, from 0. The first call notes where each row begins.
    pub fn get(&self, i: usize) -> Option<Row<'_>> {
        let index = self.index.get_or_init(|| self.places().collect());
        let &(chunk, at) = index.get(i)?;
        let rest = self.reply.chunks.get(chunk as usize)?.get(at as usize..)?;
        split_row(rest).map(|(body, _)| Row::new(&self.columns, body))
    }

    fn places(&self) -> impl Iterator<Item = (u32, u32)> + '_ {
        let chunks = self.reply.chunks.iter().zip(0_u32..);
        chunks.flat_map(|(chunk, number)| {
            let mut rest: &[u8] = chunk;
            std::iter::from_fn(move || {
                // A chunk is at most as long as a message, whose length is 32 bits.
                let at = u32::try_from(chunk.len() - rest.len()).ok()?;
                (_, rest) = split_row(rest)?;
                Some((number, at))
            })
        })
    }
}

/// Splits one DataRow message off: its body, and what follows it.
fn split_row(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let length = u32::from_be_bytes(*bytes.get(1..HEADER)?.first_chunk()?);
    let (message, rest) = bytes.split_at_checked(usize::try_from(length).ok()?.checked_add(1)?)?;
    Some((message.get(HEADER..)?, rest))
}

/// The body of the message that `bytes` start with, and how many bytes follow it.
pub(crate) fn body_of(bytes: &[u8]) -> Option<(&[u8], usize)> {
    split_row(bytes).map(|(body, rest)| (body, rest.len()))
}

impl fmt::Debug for Rows {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Rows")
            .field("len", &self.len())
            .field("columns", &self.columns)
            .field("tag", self.tag())
            .finish()
    }
}

impl<'a> IntoIterator for &'a Rows {
    type Item = Row<'a>;
    type IntoIter = RowsIter<'a>;

    fn into_iter(self) -> RowsIter<'a> {
        self.iter()
    }
}

/// The rows of [`Rows`], in order.
#[derive(Clone, Debug)]
pub struct RowsIter<'a> {
    columns: &'a [Column],
    chunks: std::slice::Iter<'a, Bytes>,
    rest: &'a [u8],
}

impl<'a> Iterator for RowsIter<'a> {
    type Item = Row<'a>;

    #[inline]
    fn next(&mut self) -> Option<Row<'a>> {
        while self.rest.is_empty() {
            self.rest = self.chunks.next()?;
        }
        let (body, rest) = split_row(self.rest)?;
        self.rest = rest;
        Some(Row::new(self.columns, body))
    }
}
