//! Reading one row.

use wreath_driver::{Column as WireColumn, Row};

use crate::error::{Error, Result};
use crate::model::{Column, ColumnType, Source};
use crate::query::Level;

/// A row of a reply, read from left to right. The source of `load` where rows are fetched.
pub struct RowReader<'r, 'l> {
    values: wreath_driver::RowReader<'r>,
    columns: &'r [WireColumn],
    at: usize,
    level: &'l mut Level,
}

impl<'r, 'l> RowReader<'r, 'l> {
    pub(crate) fn new(row: Row<'r>, level: &'l mut Level) -> Self {
        level.rewind();
        Self { values: row.reader(), columns: row.columns(), at: 0, level }
    }

    #[inline]
    fn next(&mut self) -> Result<(&'r WireColumn, Option<&'r [u8]>)> {
        let column = self.columns.get(self.at).ok_or_else(too_few)?;
        self.at += 1;
        Ok((column, self.values.next_raw()?))
    }

    /// The next value, without its column.
    pub(crate) fn raw(&mut self) -> Result<Option<&'r [u8]>> {
        Ok(self.next()?.1)
    }

    /// The value of an expression.
    pub(crate) fn value<M, T: ColumnType>(&mut self) -> Result<T> {
        let (wire, value) = self.next()?;
        T::decode_value(wire.read_as(), value)
            .map_err(|e| Error::mapping(e).of(std::any::type_name::<M>()).at(wire.name().to_owned()))
    }

    /// Whether a join has found a row; if not, passes over all that belongs to it.
    pub(crate) fn join(&mut self) -> Result<bool> {
        let there = self.raw()? == Some(&[1]);
        if let Some(skip) = self.level.join(there) {
            for _ in 0..skip.columns {
                self.raw()?;
            }
        }
        Ok(there)
    }

    /// Notes the key for which a following statement fetches rows.
    pub(crate) fn ask(&mut self) -> Result<()> {
        let Self { values, columns, at, level } = self;
        level.ask(|| {
            if *at >= columns.len() {
                return Err(too_few());
            }
            *at += 1;
            Ok(values.next_raw()?)
        })
    }
}

impl crate::model::sealed::Sealed for RowReader<'_, '_> {}

impl<M> Source<M> for RowReader<'_, '_> {
    #[inline]
    fn get<T: ColumnType>(&mut self, column: Column<M, T>) -> Result<T> {
        let (wire, value) = self.next()?;
        T::decode_value(wire.read_as(), value)
            .map_err(|e| Error::mapping(e).of(std::any::type_name::<M>()).at(column.name()))
    }
}

impl std::fmt::Debug for RowReader<'_, '_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("RowReader").field("at", &self.at).field("columns", &self.columns).finish()
    }
}

#[cold]
fn too_few() -> Error {
    Error::declaration("`load` takes more columns than it did when it was described")
}
