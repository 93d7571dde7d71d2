//! INSERT of many rows.

use std::any::TypeId;
use std::fmt;

use crate::compile;
use crate::db::Db;
use crate::error::{Error, ErrorKind, Result};
use crate::model::{Columns, Fill, Hook, Model, describe};
use crate::plan::{Key, Kind};
use crate::query::{All, Cols, Level, Output, RowReader};
use crate::session::Session;
use crate::write::target::Statement;
use crate::write::upsert::OnConflict;
use crate::write::{Conflict, Sent, Target};

/// An insert of many rows; made by [`Db::insert_many`] and [`Session::insert_many`].
///
/// However many there are, they are one statement, with an array for each column. Columns that the server numbers or
/// computes are not sent.
///
/// ```no_run
/// # use wreath_orm::{Column, Columns, Db, Load, Model, Result, Source, Table};
/// # pub struct Llama { id: i64, name: String, age: i64 }
/// # impl Llama {
/// #     const ID: Column<Self, i64> = Self::TABLE.col("id", |l| &l.id).identity();
/// #     const NAME: Column<Self, String> = Self::TABLE.col("name", |l| &l.name).unique();
/// #     const AGE: Column<Self, i64> = Self::TABLE.col("age", |l| &l.age);
/// # }
/// # impl Load<Self> for Llama {
/// #     fn load<S: Source<Self>>(s: &mut S) -> Result<Self> {
/// #         Ok(Self { id: s.get(Self::ID)?, name: s.get(Self::NAME)?, age: s.get(Self::AGE)? })
/// #     }
/// # }
/// # impl Model for Llama {
/// #     const TABLE: Table<Self> = Table::new("llamas");
/// #     type Key = i64;
/// #     fn key() -> impl Columns<Self, Row = i64> { Self::ID }
/// # }
/// # async fn f(db: Db, herd: Vec<Llama>, more: Vec<Llama>) -> Result<()> {
/// let herd: Vec<Llama> = db.insert_many(herd).returning().run().await?; // numbered, in the order they had
/// let new: u64 = db.insert_many(more).on_conflict(Llama::NAME).do_nothing().run().await?;
/// # Ok(())
/// # }
/// ```
#[must_use = "nothing is written before it runs"]
pub struct Insert<'t, M: Model>(pub(crate) Insertion<'t, M>);

/// Rows to insert, and what to do where they meet others.
pub(crate) struct Insertion<'t, M: Model> {
    pub(crate) target: Target<'t>,
    pub(crate) objects: Vec<M>,
    pub(crate) keep_identity: bool,
    pub(crate) conflict: Option<OnConflict>,
}

impl Db {
    /// Begins an insert of many rows, on its own; see [`Session::add`] for objects that are kept track of.
    pub fn insert_many<M: Model>(&self, objects: impl IntoIterator<Item = M>) -> Insert<'_, M> {
        Insert(Insertion::new(Target::Db(self), objects))
    }
}

impl Session {
    /// Begins an insert of many rows on the session's connection, and so in its transaction, at once: the session
    /// does not keep track of them, as it does of what is [added](Self::add).
    pub fn insert_many<M: Model>(&mut self, objects: impl IntoIterator<Item = M>) -> Insert<'_, M> {
        Insert(Insertion::new(Target::Session(self), objects))
    }
}

impl<'t, M: Model> Insert<'t, M> {
    /// Sends the columns that the server would number, too: the objects keep the numbers that they have. The
    /// server's own count does not notice.
    pub fn keep_identity(mut self) -> Self {
        self.0.keep_identity = true;
        self
    }

    /// What becomes of a row that has the same values in these columns, over which there has to be a unique index, as
    /// one that is there. They are sent, even where the server would number them.
    pub fn on_conflict<C: Columns<M>>(self, columns: C) -> Conflict<'t, M> {
        Conflict::new(self.0, OnConflict::columns(columns))
    }

    /// What becomes of a row that violates the unique constraint of this name.
    pub fn on_constraint(self, name: &'static str) -> Conflict<'t, M> {
        Conflict::new(self.0, OnConflict::constraint(name))
    }

    /// Answers the rows as they have been inserted, in the order of the objects.
    pub fn returning(self) -> InsertReturning<'t, M, All<M>> {
        InsertReturning { insertion: self.0, output: All::default() }
    }

    /// Answers columns of the rows as they have been inserted, in the order of the objects.
    pub fn returning_cols<C: Columns<M>>(self, columns: C) -> InsertReturning<'t, M, Cols<C>> {
        InsertReturning { insertion: self.0, output: Cols(columns) }
    }

    /// Runs the insert: all of it or nothing. Answers how many rows there are more. Without an object, nothing is
    /// asked.
    ///
    /// # Errors
    /// [`Invalid`](crate::ErrorKind::Invalid), with all checks and rules that an object breaks, before anything is
    /// sent; [`Encode`](crate::ErrorKind::Encode), when PostgreSQL cannot be given a value;
    /// [`Database`](crate::ErrorKind::Database), for what the server refuses.
    pub async fn run(self) -> Result<u64> {
        Ok(self.0.run(None::<&All<M>>).await?.inserted)
    }
}

/// An insert that answers the rows.
#[must_use = "nothing is written before it runs"]
pub struct InsertReturning<'t, M: Model, O> {
    insertion: Insertion<'t, M>,
    output: O,
}

impl<M: Model, O: Output<M>> InsertReturning<'_, M, O> {
    /// Runs the insert: all of it or nothing. Objects that were left out because of a conflict do not come.
    ///
    /// # Errors
    /// As [`Insert::run`], and [`StaleData`](crate::ErrorKind::StaleData), when a trigger or rule of the database
    /// kept a row out.
    pub async fn run(self) -> Result<Vec<O::Row>> {
        let (expected, all) = (self.insertion.objects.len(), self.insertion.conflict.is_none());
        let rows = self.insertion.run(Some(&self.output)).await?.rows;
        if all && rows.len() != expected {
            let detail =
                format!("{} of {expected} rows were inserted: the database kept others out", rows.len());
            return Err(Error::new(ErrorKind::StaleData, detail).of(std::any::type_name::<M>()));
        }
        Ok(rows.into_iter().map(|(_, row)| row).collect())
    }
}

/// What an insertion has done.
pub(crate) struct Inserted<R> {
    pub(crate) inserted: u64,
    pub(crate) updated: u64,
    /// The rows, and whether each has been inserted rather than updated.
    pub(crate) rows: Vec<(bool, R)>,
}

impl<'t, M: Model> Insertion<'t, M> {
    fn new(target: Target<'t>, objects: impl IntoIterator<Item = M>) -> Self {
        Self { target, objects: objects.into_iter().collect(), keep_identity: false, conflict: None }
    }

    pub(crate) async fn run<O: Output<M>>(mut self, output: Option<&O>) -> Result<Inserted<O::Row>> {
        let of = describe::<M>()?;
        let updates = self.conflict.as_ref().is_some_and(OnConflict::updates);
        of.unhooked(|hook| match hook {
            Hook::AfterInsert(_) => true,
            Hook::BeforeUpdate(_) | Hook::AfterUpdate(_) => updates,
            _ => false,
        })?;
        for object in &mut self.objects {
            if let Some(stamped) = of.prepared(object, Fill::Insert)? {
                *object = stamped;
            }
            of.check(object)?;
        }
        let mut done = Inserted { inserted: 0, updated: 0, rows: Vec::new() };
        let mut key = Key::new(Kind::InsertMany, TypeId::of::<fn(M) -> O>());
        key.push(u64::from(self.keep_identity) | u64::from(output.is_some()) << 1);
        if let Some(conflict) = &mut self.conflict {
            conflict.verify::<M>(of)?;
            conflict.shape(&mut key);
        }
        if let Some(output) = output {
            output.shape(&mut key);
        }
        if self.objects.is_empty() {
            return Ok(done);
        }
        let conflict = self.conflict.as_ref();
        let sent =
            Sent::new(of, |column| self.keep_identity || conflict.is_some_and(|c| c.is_over(column.name)));
        let mut params = Vec::new();
        for group in self.objects.chunks(sent.group(self.objects.len())) {
            let mut buf = sent.params(of, group.iter())?;
            conflict.map_or(Ok(()), |conflict| conflict.bind(&mut buf))?;
            params.push(buf);
        }
        let flagged = conflict.is_some_and(OnConflict::updates);
        let compile =
            || compile::insert(of, &sent, conflict, compile::Returned::of(output)?.flagged(flagged));
        let (plan, answers) = self.target.run::<M>(flagged, Statement { key, params, compile }).await?;
        let mut level = Level::new(&plan.level, Vec::new());
        for rows in &answers {
            if !flagged {
                done.inserted += rows.tag().rows();
            }
            for row in rows {
                let mut reader = RowReader::new(row, &mut level);
                let new = !flagged || reader.raw()? == Some(&[1]);
                if flagged {
                    *(if new { &mut done.inserted } else { &mut done.updated }) += 1;
                }
                if let Some(output) = output {
                    done.rows.push((new, output.read(&mut reader)?));
                }
            }
        }
        Ok(done)
    }
}

impl<M: Model> fmt::Debug for Insertion<'_, M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Insertion")
            .field("model", &std::any::type_name::<M>())
            .field("objects", &self.objects.len())
            .field("conflict", &self.conflict)
            .finish_non_exhaustive()
    }
}

impl<M: Model> fmt::Debug for Insert<'_, M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Insert").field(&self.0).finish()
    }
}

impl<M: Model, O> fmt::Debug for InsertReturning<'_, M, O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("InsertReturning").field(&self.insertion).finish()
    }
}
