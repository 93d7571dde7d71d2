//! Running statements that were written by hand.

use std::any::type_name;
use std::fmt;

use wreath_driver::{DecodeOwned, FromRow, Row, Rows, Workload};

use crate::db::Db;
use crate::error::{Error, ErrorKind, Result};
use crate::model::{Load, Model};
use crate::session::Session;
use crate::sql::Statement;
use crate::sql::by_name::ByName;

/// A statement that is about to run, and says how its rows are to be read; made by [`Db::raw`] and
/// [`Session::raw`].
///
/// ```no_run
/// # use wreath_orm::{Column, Columns, Db, Load, Model, Result, Source, Table, sql};
/// # pub struct Llama { id: i64, age: i64 }
/// # impl Llama {
/// #     const ID: Column<Self, i64> = Self::TABLE.col("id", |l| &l.id);
/// #     const AGE: Column<Self, i64> = Self::TABLE.col("age", |l| &l.age);
/// # }
/// # impl Load<Self> for Llama {
/// #     fn load<S: Source<Self>>(s: &mut S) -> Result<Self> {
/// #         Ok(Self { id: s.get(Self::ID)?, age: s.get(Self::AGE)? })
/// #     }
/// # }
/// # impl Model for Llama {
/// #     const TABLE: Table<Self> = Table::new("llamas");
/// #     type Key = i64;
/// #     fn key() -> impl Columns<Self, Row = i64> { Self::ID }
/// # }
/// # async fn f(db: Db) -> Result<()> {
/// let old: Vec<Llama> = db.raw(sql("SELECT * FROM llamas WHERE age > ").bind(9_i64)).models().await?;
/// let ages: Vec<(i64, i64)> =
///     db.raw(sql("SELECT age, count(*) FROM llamas GROUP BY age")).fetch().await?;
/// let touched: u64 = db.raw(sql("UPDATE llamas SET age = age + 1")).execute().await?;
/// # Ok(())
/// # }
/// ```
#[must_use = "a statement does nothing until it is told how its rows are read"]
pub struct Raw<'a> {
    on: On<'a>,
    statement: Statement,
}

/// Whose connection a statement runs on.
enum On<'a> {
    Db(&'a Db),
    Session(&'a mut Session),
}

impl Db {
    /// A statement of one's own, on a connection of its own.
    pub fn raw(&self, statement: Statement) -> Raw<'_> {
        Raw { on: On::Db(self), statement }
    }
}

impl Session {
    /// A statement of one's own, on the session's connection and so in its transaction. What is pending is
    /// not seen by it before a [flush](Self::flush); an object whose row it changes is as it was before until
    /// it is [refreshed](Self::refresh).
    pub fn raw(&mut self, statement: Statement) -> Raw<'_> {
        Raw { on: On::Session(self), statement }
    }
}

impl Raw<'_> {
    /// Runs it for its effect; answers how many rows it has touched or returned.
    ///
    /// # Errors
    /// [`Database`](ErrorKind::Database) for what the driver or the server refuses,
    /// [`Encode`](ErrorKind::Encode) for a value that cannot be sent,
    /// [`Declaration`](ErrorKind::Declaration) for a statement that was not put together rightly. The same
    /// goes for the other verbs.
    pub async fn execute(self) -> Result<u64> {
        Ok(self.rows().await?.tag().rows())
    }

    /// All rows, as they came.
    ///
    /// # Errors
    /// As [`execute`](Self::execute).
    pub async fn rows(self) -> Result<Rows> {
        match self.on {
            On::Db(db) => {
                let handle = db.acquire(Workload::Write).await?;
                db.run(&handle).raw(self.statement).await
            }
            On::Session(session) => {
                session.connect().await?;
                session.run()?.raw(self.statement).await
            }
        }
    }

    /// All rows as tuples, or as structs that implement [`FromRow`]: columns from left to right.
    ///
    /// # Errors
    /// [`Database`](ErrorKind::Database) also when the rows are of other columns; and as
    /// [`execute`](Self::execute).
    pub async fn fetch<T: FromRow>(self) -> Result<Vec<T>> {
        Ok(self.rows().await?.iter().map(T::from_row).collect::<wreath_driver::Result<_>>()?)
    }

    /// The row of a statement that has exactly one.
    ///
    /// # Errors
    /// [`NoResult`](ErrorKind::NoResult) and [`MultipleResults`](ErrorKind::MultipleResults); and as
    /// [`fetch`](Self::fetch).
    pub async fn fetch_one<T: FromRow>(self) -> Result<T> {
        self.fetch_optional().await?.ok_or_else(no_result::<T>)
    }

    /// The row of a statement that has one or none.
    ///
    /// # Errors
    /// [`MultipleResults`](ErrorKind::MultipleResults); and as [`fetch`](Self::fetch).
    pub async fn fetch_optional<T: FromRow>(self) -> Result<Option<T>> {
        let rows = self.rows().await?;
        Ok(at_most_one::<T>(&rows)?.map(T::from_row).transpose()?)
    }

    /// The value of a statement that has one row, from its first column.
    ///
    /// # Errors
    /// As [`fetch_one`](Self::fetch_one).
    pub async fn scalar<T: DecodeOwned>(self) -> Result<T> {
        let rows = self.rows().await?;
        Ok(at_most_one::<T>(&rows)?.ok_or_else(no_result::<T>)?.get(0)?)
    }

    /// All rows as objects. The result's columns may come in any order, and are found by their names.
    ///
    /// # Errors
    /// [`Mapping`](ErrorKind::Mapping), when a column of the model is missing, is there twice, or is of a type
    /// that does not fit, and when there is one that the model does not have; and as
    /// [`execute`](Self::execute).
    pub async fn models<M: Model>(self) -> Result<Vec<M>> {
        self.load::<M, M>().await
    }

    /// All rows as `L`, a struct that takes some columns of `M`; see [`models`](Self::models).
    ///
    /// # Errors
    /// As [`models`](Self::models).
    pub async fn load<M: Model, L: Load<M>>(self) -> Result<Vec<L>> {
        let rows = self.rows().await?;
        let by_name = ByName::find::<M, L>(rows.columns())?;
        rows.iter().map(|row| by_name.read(row)).collect()
    }
}

fn at_most_one<T>(rows: &Rows) -> Result<Option<Row<'_>>> {
    if rows.len() > 1 {
        let detail = "one row was asked for, and more came";
        return Err(Error::new(ErrorKind::MultipleResults, detail).of(type_name::<T>()));
    }
    Ok(rows.first())
}

fn no_result<T>() -> Error {
    Error::new(ErrorKind::NoResult, "a row was asked for, and none came").of(type_name::<T>())
}

impl fmt::Debug for Raw<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Raw({})", self.statement.text())
    }
}
