//! One row.

use std::fmt;

use bytes::Bytes;
use wreath_codecs::wire::Reader;
use wreath_codecs::{Decode, DecodeError};

use crate::error::{Error, ErrorKind, Result};
use crate::row::{Column, Rows};

/// One row of a result, borrowed from its bytes. Copying it copies pointers.
#[derive(Clone, Copy)]
pub struct Row<'a> {
    columns: &'a [Column],
    body: &'a [u8],
}

impl<'a> Row<'a> {
    pub(crate) fn new(columns: &'a [Column], body: &'a [u8]) -> Self {
        Self { columns, body }
    }

    /// The columns.
    pub fn columns(&self) -> &'a [Column] {
        self.columns
    }

    /// How many columns there are.
    pub fn len(&self) -> usize {
        self.columns.len()
    }

    /// Whether the row has no column.
    pub fn is_empty(&self) -> bool {
        self.columns.is_empty()
    }

    /// The value of a column, given by its place from 0 or by its name. It walks over the values before it:
    /// to read all of a row, use a [`reader`](Self::reader).
    ///
    /// # Errors
    /// `Decode`, when there is no such column, when `T` does not read the column's type, when the value is
    /// NULL and `T` is no `Option`, and when `T` cannot hold the value.
    pub fn get<T: Decode<'a>>(&self, index: impl RowIndex) -> Result<T> {
        let i = index.find(self.columns)?;
        let column = &self.columns[i];
        let value = self.raw(i)?;
        check::<T>(column)?;
        T::decode_value(&column.read_as, value).map_err(|e| cannot_read(column, e))
    }

    /// The bytes of the `i`th value, from 0; `None` is NULL.
    ///
    /// # Errors
    /// `Decode`, when there is no such column or the row is malformed.
    pub fn raw(&self, i: usize) -> Result<Option<&'a [u8]>> {
        if i >= self.columns.len() {
            return Err(no_column(&i.to_string(), self.columns));
        }
        let mut reader = self.reader();
        for _ in 0..i {
            reader.next_raw()?;
        }
        reader.next_raw()
    }

    /// A reader of the values from left to right.
    #[inline]
    pub fn reader(&self) -> RowReader<'a> {
        RowReader { columns: self.columns.iter(), rest: Reader::new(self.body.get(2..).unwrap_or(&[])) }
    }

    /// The bytes of each value, from left to right; `None` is NULL.
    pub fn values(&self) -> impl Iterator<Item = Result<Option<&'a [u8]>>> + use<'a> {
        let mut reader = self.reader();
        (0..self.columns.len()).map(move |_| reader.next_raw())
    }
}

impl fmt::Debug for Row<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map()
            .entries(self.columns.iter().zip(self.values()).map(|(c, v)| (c.name(), v.ok().flatten())))
            .finish()
    }
}

/// Reads a row's values from left to right.
///
/// ```no_run
/// # use wreath_driver::{FromRow, Result, Row};
/// struct Llama { id: i64, name: String }
///
/// impl FromRow for Llama {
///     fn from_row(row: Row<'_>) -> Result<Self> {
///         let mut values = row.reader();
///         Ok(Self { id: values.read()?, name: values.read()? })
///     }
/// }
/// ```
#[derive(Clone, Debug)]
pub struct RowReader<'a> {
    columns: std::slice::Iter<'a, Column>,
    rest: Reader<'a>,
}

impl<'a> RowReader<'a> {
    /// The next value.
    ///
    /// # Errors
    /// As [`Row::get`].
    #[inline]
    pub fn read<T: Decode<'a>>(&mut self) -> Result<T> {
        let Some(column) = self.columns.next() else { return Err(no_more()) };
        let value = self.rest.value().map_err(malformed)?;
        check::<T>(column)?;
        T::decode_value(&column.read_as, value).map_err(|e| cannot_read(column, e))
    }

    /// The bytes of the next value; `None` is NULL.
    ///
    /// # Errors
    /// `Decode`, when there is none or the row is malformed.
    #[inline]
    pub fn next_raw(&mut self) -> Result<Option<&'a [u8]>> {
        if self.columns.next().is_none() {
            return Err(no_more());
        }
        self.rest.value().map_err(malformed)
    }

    /// How many values are left.
    pub fn remaining(&self) -> usize {
        self.columns.len()
    }
}

/// A row that keeps its bytes alive by itself.
#[derive(Clone)]
pub struct OwnedRow(Rows, usize);

impl OwnedRow {
    pub(crate) fn first_of(rows: Rows) -> Self {
        Self(rows, 0)
    }

    /// The row, to read from.
    pub fn as_row(&self) -> Row<'_> {
        self.0.iter().nth(self.1).unwrap_or(Row::new(&self.0.columns, &[]))
    }

    /// The columns.
    pub fn columns(&self) -> &[Column] {
        self.0.columns()
    }

    /// The value of a column; see [`Row::get`].
    ///
    /// # Errors
    /// As [`Row::get`].
    pub fn get<'a, T: Decode<'a>>(&'a self, index: impl RowIndex) -> Result<T> {
        self.as_row().get(index)
    }
}

impl Row<'_> {
    /// The same row with bytes of its own, copied, so that it does not keep the whole result alive.
    pub fn to_owned(&self) -> OwnedRow {
        let mut message = Vec::with_capacity(self.body.len() + 5);
        message.push(b'D');
        // A body is what is left of a message whose length is 32 bits.
        let length = u32::try_from(self.body.len() + 4).unwrap_or(u32::MAX);
        message.extend_from_slice(&length.to_be_bytes());
        message.extend_from_slice(self.body);
        let reply = super::Arrived {
            chunks: [Bytes::from(message)].into_iter().collect(),
            rows: 1,
            ..Default::default()
        };
        OwnedRow(Rows::new(self.columns.into(), reply), 0)
    }
}

impl fmt::Debug for OwnedRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.as_row().fmt(f)
    }
}

/// What a column is asked for by: its place (`usize`, from 0) or its name (`&str`).
pub trait RowIndex: sealed::Sealed {
    #[doc(hidden)]
    fn find(&self, columns: &[Column]) -> Result<usize>;
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for usize {}
    impl Sealed for &str {}
}

impl RowIndex for usize {
    fn find(&self, columns: &[Column]) -> Result<usize> {
        if *self < columns.len() { Ok(*self) } else { Err(no_column(&self.to_string(), columns)) }
    }
}

impl RowIndex for &str {
    fn find(&self, columns: &[Column]) -> Result<usize> {
        columns.iter().position(|c| c.name() == *self).ok_or_else(|| no_column(&format!("{self:?}"), columns))
    }
}

#[inline]
pub(crate) fn check<'a, T: Decode<'a>>(column: &Column) -> Result<()> {
    if T::accepts(&column.read_as) { Ok(()) } else { Err(mismatch::<T>(column)) }
}

#[cold]
fn mismatch<T>(column: &Column) -> Error {
    cannot_read(column, DecodeError::mismatch(std::any::type_name::<T>(), &column.ty))
}

#[cold]
pub(crate) fn cannot_read(column: &Column, e: DecodeError) -> Error {
    Error::caused(ErrorKind::Decode, format!("column {:?}: {e}", column.name()), e)
}

#[cold]
fn malformed(e: DecodeError) -> Error {
    Error::caused(ErrorKind::Decode, "the server sent a malformed row", e)
}

#[cold]
fn no_more() -> Error {
    Error::new(ErrorKind::Decode, "the row has fewer columns than were asked for")
}

#[cold]
fn no_column(asked: &str, columns: &[Column]) -> Error {
    let names: Vec<_> = columns.iter().map(Column::name).collect();
    Error::new(ErrorKind::Decode, format!("no column {asked} in the result, whose columns are {names:?}"))
}
