//! The columns of a result.

use std::cmp::Ordering;
use std::ops::{Bound, RangeBounds};
use std::sync::Arc;

use bytes::Bytes;
use wreath_codecs::{EncodeError, Encoder};

use super::{Series, SortKey};
use crate::error::{Error, ErrorKind, Result};
use crate::row::{Arrived, Column, FromRow, OwnedRow, Row, RowIndex, Rows, body_of};

/// A result by column: made by [`Client::fetch_batch`](crate::Client::fetch_batch), and of [`Rows`] by
/// [`from_rows`](Self::from_rows).
///
/// It owns its values, in a few allocations a column and none a row, and keeps nothing of the reply alive.
///
/// ```no_run
/// # async fn f(client: &wreath_driver::Client) -> wreath_driver::Result<()> {
/// use wreath_driver::SortKey;
///
/// let mut llamas = client.fetch_batch("SELECT name, age FROM llamas", ()).await?;
/// llamas.append(client.fetch_batch("SELECT name, age FROM retired_llamas", ()).await?)?;
/// llamas.sort_by(&[SortKey::desc("age").nulls_last(), SortKey::asc("name")])?;
/// let ages: &[i32] = llamas.column("age")?.values().expect("the column is an integer");
/// println!("{} years together", ages.iter().sum::<i32>());
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Batch {
    columns: Arc<[Column]>,
    series: Vec<Series>,
    len: usize,
}

impl Batch {
    /// The values of a result, column by column. What has been taken of a reply is given back as it goes on.
    ///
    /// # Errors
    /// `Decode`, when a value is not what its column says.
    pub fn from_rows(rows: Rows) -> Result<Self> {
        let Rows { columns, reply, .. } = rows;
        let mut batch = Self::with_capacity(columns, reply.rows);
        for chunk in reply.chunks {
            let mut rest = &chunk[..];
            while let Some((body, left)) = body_of(rest) {
                batch.push(body)?;
                rest = &rest[rest.len() - left..];
            }
        }
        Ok(batch)
    }

    fn with_capacity(columns: Arc<[Column]>, rows: usize) -> Self {
        let series = columns.iter().map(|column| Series::new(column, rows)).collect();
        Self { columns, series, len: 0 }
    }

    fn push(&mut self, row: &[u8]) -> Result<()> {
        let mut values = Row::new(&self.columns, row).reader();
        self.series.iter_mut().try_for_each(|series| series.push(values.next_raw()?))?;
        self.len += 1;
        Ok(())
    }

    /// How many rows there are.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// What is known about the columns.
    pub fn columns(&self) -> &[Column] {
        &self.columns
    }

    /// The values of a column, given by its place from 0 or by its name.
    ///
    /// # Errors
    /// `Decode`, when there is no such column.
    pub fn column(&self, index: impl RowIndex) -> Result<&Series> {
        index.find(&self.columns).map(|i| &self.series[i])
    }

    /// The values of all columns.
    pub fn series(&self) -> &[Series] {
        &self.series
    }

    /// The same, to be taken apart.
    pub fn into_series(self) -> Vec<Series> {
        self.series
    }

    /// Sorts the rows by a column, those that are equal there by the next one, and so on. Rows that are equal in all
    /// keep their order.
    ///
    /// Values are ordered as the server orders them, NaN behind all other numbers, enums as they were declared; but text
    /// is ordered by its bytes, as under `COLLATE "C"`. Arrays, JSON, ranges, geometry and types of extensions have no
    /// order here.
    ///
    /// # Errors
    /// `Decode`, when there is no such column or one of its values cannot be read; `Unsupported`, when its type has no
    /// order here. The batch is as it was then.
    pub fn sort_by<I: RowIndex>(&mut self, keys: &[SortKey<I>]) -> Result<()> {
        let compare = |key: &SortKey<I>| key.compare(&self.series[key.column.find(&self.columns)?]);
        let compares = keys.iter().map(compare).collect::<Result<Vec<_>>>()?;
        let mut places: Vec<usize> = (0..self.len).collect();
        places.sort_by(|&a, &b| {
            let mut orders = compares.iter().map(|compare| compare(a, b));
            orders.find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
        });
        drop(compares);
        *self = self.gather(&places);
        Ok(())
    }

    /// Appends the rows of another batch, whose columns must have the same types; their names may differ.
    ///
    /// # Errors
    /// `Unsupported`, when they have not. This batch is as it was then.
    pub fn append(&mut self, other: Self) -> Result<()> {
        let fit = |(mine, others): (&Series, &Series)| mine.fits(others);
        if self.series.len() != other.series.len() || !self.series.iter().zip(&other.series).all(fit) {
            let types =
                |batch: &Self| batch.columns.iter().map(|c| c.ty().name().to_owned()).collect::<Vec<_>>();
            let message = format!("columns {:?} cannot be appended to {:?}", types(&other), types(self));
            return Err(Error::new(ErrorKind::Unsupported, message));
        }
        self.series.iter_mut().zip(other.series).for_each(|(mine, others)| mine.append(others));
        self.len += other.len;
        Ok(())
    }

    /// The rows at these places, from 0, in their order and as often as they are named; `None` when one is behind the
    /// last.
    pub fn select(&self, places: &[usize]) -> Option<Self> {
        places.iter().all(|&place| place < self.len).then(|| self.gather(places))
    }

    /// A range of rows, copied; `None` when it does not lie inside.
    pub fn slice(&self, range: impl RangeBounds<usize>) -> Option<Self> {
        let start = match range.start_bound() {
            Bound::Included(&start) => start,
            Bound::Excluded(&start) => start.checked_add(1)?,
            Bound::Unbounded => 0,
        };
        let end = match range.end_bound() {
            Bound::Included(&end) => end.checked_add(1)?,
            Bound::Excluded(&end) => end,
            Bound::Unbounded => self.len,
        };
        let inside = start <= end && end <= self.len;
        inside.then(|| self.gather(&(start..end).collect::<Vec<_>>()))
    }

    fn gather(&self, places: &[usize]) -> Self {
        let series = self.series.iter().map(|series| series.gather(places)).collect();
        Self { columns: Arc::clone(&self.columns), series, len: places.len() }
    }

    /// The `i`th row, from 0.
    pub fn row(&self, i: usize) -> Option<OwnedRow> {
        if i >= self.len {
            return None;
        }
        let mut out = Encoder::new();
        // What arrived can be sent.
        self.encode(i, &mut out).ok()?;
        Some(Row::new(&self.columns, out.as_bytes()).to_owned())
    }

    /// All rows, in this order, as a statement's result.
    ///
    /// # Errors
    /// `Encode`, when they are longer than 2 GiB together.
    pub fn to_rows(&self) -> Result<Rows> {
        let mut out = Encoder::new();
        for i in 0..self.len {
            out.put_u8(b'D');
            let start = out.len();
            out.put_i32(0);
            self.encode(i, &mut out)?;
            let length = i32::try_from(out.len() - start)
                .map_err(|_| EncodeError::new("a row is longer than 2 GiB".to_owned()))?;
            out.set_i32(start, length);
        }
        let chunks = [Bytes::copy_from_slice(out.as_bytes())].into_iter().collect();
        let reply = Arrived { chunks, rows: self.len, ..Arrived::default() };
        Ok(Rows::new(Arc::clone(&self.columns), reply))
    }

    /// Reads each row into a `T`, as [`fetch_as`](crate::Client::fetch_as) does.
    ///
    /// # Errors
    /// `Decode`, when a row is not a `T`.
    pub fn read<T: FromRow>(&self) -> Result<Vec<T>> {
        let mut body = Encoder::new();
        let row = |i| {
            body.clear();
            self.encode(i, &mut body)?;
            T::from_row(Row::new(&self.columns, body.as_bytes()))
        };
        (0..self.len).map(row).collect()
    }

    /// Appends the body of the `i`th row's message.
    fn encode(&self, i: usize, out: &mut Encoder) -> std::result::Result<(), EncodeError> {
        // A result has at most 65,535 columns, and readers pass over the count.
        out.put_i16(i16::try_from(self.series.len()).unwrap_or(i16::MAX));
        self.series.iter().try_for_each(|series| series.encode(i, out))
    }
}

impl TryFrom<Rows> for Batch {
    type Error = Error;

    fn try_from(rows: Rows) -> Result<Self> {
        Self::from_rows(rows)
    }
}
