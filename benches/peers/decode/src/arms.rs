//! One value or row of each peer.

use postgres_types::FromSql;
use sqlx::postgres::PgRow;
use sqlx::{Postgres, Row};
use wreath_codecs::wire::Reader;

use crate::table::Table;

/// What is read with, and what of: the column that comes next of one row.
pub trait Cursor<'r>: Sized {
    type Row;

    fn open(table: &'r Table, row: &'r Self::Row) -> Self;
}

/// Reads the next column as a `T`.
pub trait Next<T> {
    fn next(&mut self) -> T;
}

/// Ours: a cursor over the row, and the columns' types.
pub struct Wreath<'r> {
    types: std::slice::Iter<'r, wreath_codecs::Type>,
    values: Reader<'r>,
}

impl<'r> Cursor<'r> for Wreath<'r> {
    type Row = Vec<u8>;

    #[inline]
    fn open(table: &'r Table, row: &'r Vec<u8>) -> Self {
        Self { types: table.types.iter(), values: Reader::new(row) }
    }
}

impl<'r, T: wreath_codecs::Decode<'r>> Next<T> for Wreath<'r> {
    #[inline]
    fn next(&mut self) -> T {
        let ty = self.types.next().expect("a column");
        T::decode_value(ty, self.values.value().expect("a value")).expect("sound")
    }
}

/// What tokio-postgres decodes with, over the same cursor.
pub struct PostgresTypes<'r> {
    types: std::slice::Iter<'r, postgres_types::Type>,
    values: Reader<'r>,
}

impl<'r> Cursor<'r> for PostgresTypes<'r> {
    type Row = Vec<u8>;

    #[inline]
    fn open(table: &'r Table, row: &'r Vec<u8>) -> Self {
        Self { types: table.postgres_types.iter(), values: Reader::new(row) }
    }
}

impl<'r, T: FromSql<'r>> Next<T> for PostgresTypes<'r> {
    #[inline]
    fn next(&mut self) -> T {
        let ty = self.types.next().expect("a column");
        T::from_sql_nullable(ty, self.values.value().expect("a value")).expect("sound")
    }
}

/// sqlx: a row that it has taken apart when it came.
pub struct Sqlx<'r> {
    row: &'r PgRow,
    column: usize,
}

impl<'r> Cursor<'r> for Sqlx<'r> {
    type Row = PgRow;

    #[inline]
    fn open(_: &'r Table, row: &'r PgRow) -> Self {
        Self { row, column: 0 }
    }
}

impl<'r, T: sqlx::Decode<'r, Postgres>> Next<T> for Sqlx<'r> {
    #[inline]
    fn next(&mut self) -> T {
        let value = self.row.try_get_raw(self.column).expect("a column");
        self.column += 1;
        T::decode(value).expect("sound")
    }
}
