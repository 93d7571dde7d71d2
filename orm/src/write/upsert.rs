//! INSERT ... ON CONFLICT (PostgreSQL manual, "INSERT").

use std::fmt;

use wreath_codecs::ParamBuf;

use crate::error::{Error, Result};
use crate::expr::{Operand, Pred, Tape};
use crate::model::{Column, ColumnType, ColumnVisitor, Columns, Description, Model};
use crate::plan::{Key, hash};
use crate::query::{All, Cols, Output};
use crate::write::insert::Insertion;
use crate::write::{Insert, Sets};

/// What is done where a row to insert meets one that is there.
#[derive(Debug)]
pub(crate) struct OnConflict {
    /// The unique columns, with their words; none for a constraint.
    pub(crate) columns: Vec<(&'static str, u64)>,
    pub(crate) constraint: Option<&'static str>,
    /// What is updated; `None` for nothing.
    pub(crate) sets: Option<Sets>,
    pub(crate) filter: Tape,
}

impl OnConflict {
    pub(crate) fn columns<M: Model>(columns: impl Columns<M>) -> Self {
        struct Names(Vec<(&'static str, u64)>);
        impl<M> ColumnVisitor<M> for Names {
            fn column<T: ColumnType>(&mut self, column: Column<M, T>) {
                self.0.push((column.name(), column.word()));
            }
        }
        let mut names = Names(Vec::new());
        columns.each(&mut names);
        Self { columns: names.0, constraint: None, sets: None, filter: Tape::default() }
    }

    pub(crate) fn constraint(name: &'static str) -> Self {
        Self { columns: Vec::new(), constraint: Some(name), sets: None, filter: Tape::default() }
    }

    /// Whether it is over a column, which is the same then in both rows.
    pub(crate) fn is_over(&self, column: &str) -> bool {
        self.columns.iter().any(|&(name, _)| name == column)
    }

    pub(crate) fn updates(&self) -> bool {
        self.sets.is_some()
    }

    pub(crate) fn verify<M: Model>(&mut self, of: &Description<M>) -> Result<()> {
        if let Some(&(name, _)) =
            self.columns.iter().find(|(name, _)| !of.columns.iter().any(|c| c.name == *name))
        {
            return Err(Error::declaration("`load` does not take the column").of(of.model).at(name));
        }
        if let Some(error) = self.filter.error.take() {
            return Err(Error::from(error).of(of.model));
        }
        let same: Vec<&'static str> = self.columns.iter().map(|&(name, _)| name).collect();
        match &mut self.sets {
            Some(sets) if sets.all.is_empty() => {
                Err(Error::declaration("an upsert updates nothing").of(of.model))
            }
            Some(sets) => sets.verify::<M>(&same),
            None => Ok(()),
        }
    }

    pub(crate) fn shape(&self, key: &mut Key) {
        key.push(self.constraint.map_or(0, hash::name));
        key.push(self.columns.len() as u64);
        self.columns.iter().for_each(|&(_, word)| key.push(word));
        key.push(u64::from(self.updates()));
        if let Some(sets) = &self.sets {
            sets.shape(key);
        }
        key.clause(&self.filter.words);
    }

    /// Appends its parameters.
    pub(crate) fn bind(&self, params: &mut ParamBuf) -> Result<()> {
        if let Some(sets) = &self.sets {
            sets.bind(params)?;
        }
        Ok(params.append(&self.filter.binds)?)
    }
}

/// An insert that is still to be told what becomes of rows that meet others; made by
/// [`Insert::on_conflict`](crate::Insert::on_conflict) and [`on_constraint`](crate::Insert::on_constraint).
#[must_use = "nothing is written before it runs"]
pub struct Conflict<'t, M: Model> {
    insertion: Insertion<'t, M>,
    on: OnConflict,
}

impl<'t, M: Model> Conflict<'t, M> {
    pub(crate) fn new(insertion: Insertion<'t, M>, on: OnConflict) -> Self {
        Self { insertion, on }
    }

    /// The row that is there stays as it is, and the object is left out.
    pub fn do_nothing(self) -> Insert<'t, M> {
        Insert(Insertion { conflict: Some(self.on), ..self.insertion })
    }

    /// The row that is there takes these columns from the one that was to be inserted. Further columns and a
    /// condition may follow.
    pub fn update<C: Columns<M>>(self, columns: C) -> Upsert<'t, M> {
        self.updating(|sets| sets.proposed(columns))
    }

    /// The row that is there gets a value in a column. Further columns and a condition may follow.
    pub fn set<T: ColumnType>(self, column: Column<M, T>, value: T) -> Upsert<'t, M> {
        self.updating(|sets| sets.value(column, &value))
    }

    /// The row that is there gets the value of an expression, in which plain columns are its own, and
    /// [`Column::proposed`] is what was to be inserted. Further columns and a condition may follow.
    pub fn set_to<T: ColumnType>(self, column: Column<M, T>, to: impl Operand<M, T::Base>) -> Upsert<'t, M> {
        self.updating(|sets| sets.expression(column, to))
    }

    fn updating(self, set: impl FnOnce(&mut Sets)) -> Upsert<'t, M> {
        let mut upsert = Upsert { insertion: self.insertion, on: self.on, sets: Sets::default() };
        set(&mut upsert.sets);
        upsert
    }
}

/// An insert that knows what to do where its rows meet others; made by [`Conflict`].
///
/// ```no_run
/// # use wreath_orm::{Column, Columns, Db, Load, Model, Result, Source, Table, Upserted};
/// # pub struct Price { name: String, cents: i64, version: i32 }
/// # impl Price {
/// #     const NAME: Column<Self, String> = Self::TABLE.col("name", |p| &p.name);
/// #     const CENTS: Column<Self, i64> = Self::TABLE.col("cents", |p| &p.cents);
/// #     const VERSION: Column<Self, i32> = Self::TABLE.col("version", |p| &p.version);
/// # }
/// # impl Load<Self> for Price {
/// #     fn load<S: Source<Self>>(s: &mut S) -> Result<Self> {
/// #         Ok(Self { name: s.get(Self::NAME)?, cents: s.get(Self::CENTS)?, version: s.get(Self::VERSION)? })
/// #     }
/// # }
/// # impl Model for Price {
/// #     const TABLE: Table<Self> = Table::new("prices");
/// #     type Key = String;
/// #     fn key() -> impl Columns<Self, Row = String> { Self::NAME }
/// # }
/// # async fn f(db: Db, prices: Vec<Price>) -> Result<()> {
/// let done = db
///     .insert_many(prices)
///     .on_conflict(Price::NAME)
///     .update((Price::CENTS, Price::VERSION))
///     .filter(Price::VERSION.lt_to(Price::VERSION.proposed()))
///     .returning()
///     .run()
///     .await?;
/// for price in done {
///     match price {
///         Upserted::Inserted(new) => println!("{} is new", new.name),
///         Upserted::Updated(old) => println!("{} costs {} now", old.name, old.cents),
///     }
/// }
/// # Ok(())
/// # }
/// ```
#[must_use = "nothing is written before it runs"]
pub struct Upsert<'t, M: Model> {
    insertion: Insertion<'t, M>,
    on: OnConflict,
    sets: Sets,
}

impl<'t, M: Model> Upsert<'t, M> {
    /// The row that is there gets a value in a column, too.
    pub fn set<T: ColumnType>(mut self, column: Column<M, T>, value: T) -> Self {
        self.sets.value(column, &value);
        self
    }

    /// The row that is there gets the value of an expression in a column, too; see [`Conflict::set_to`]. A column
    /// that has checks takes none, since they cannot be run over it; see [`unchecked`](Self::unchecked).
    pub fn set_to<T: ColumnType>(mut self, column: Column<M, T>, to: impl Operand<M, T::Base>) -> Self {
        self.sets.expression(column, to);
        self
    }

    /// Lets expressions into columns that have checks, without running them.
    pub fn unchecked(mut self) -> Self {
        self.sets.trust();
        self
    }

    /// Updates only where this holds of the row that is there; where it does not, the row stays as it is. Called
    /// again, both have to.
    pub fn filter(mut self, pred: Pred<M>) -> Self {
        self.on.filter.and(&pred.tape);
        self
    }

    /// Answers the rows that have been inserted or updated; those that stayed as they are do not come.
    pub fn returning(self) -> UpsertReturning<'t, M, All<M>> {
        UpsertReturning { insertion: self.whole(), output: All::default() }
    }

    /// Answers columns of the rows that have been inserted or updated.
    pub fn returning_cols<C: Columns<M>>(self, columns: C) -> UpsertReturning<'t, M, Cols<C>> {
        UpsertReturning { insertion: self.whole(), output: Cols(columns) }
    }

    /// Runs it: all of it or nothing.
    ///
    /// # Errors
    /// As [`Insert::run`](crate::Insert::run); [`Declaration`](crate::ErrorKind::Declaration) as
    /// [`Update::run`](crate::Update::run), but a rule does not refuse where all columns that it is over are taken from
    /// the row that was to be inserted; [`Database`](crate::ErrorKind::Database) with SQLSTATE 21000, when two of the objects meet the same row.
    pub async fn run(self) -> Result<Written> {
        let done = self.whole().run(None::<&All<M>>).await?;
        Ok(Written { inserted: done.inserted, updated: done.updated })
    }

    fn whole(self) -> Insertion<'t, M> {
        Insertion { conflict: Some(OnConflict { sets: Some(self.sets), ..self.on }), ..self.insertion }
    }
}

/// How many rows an [`Upsert`] has written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Written {
    /// Rows that are new.
    pub inserted: u64,
    /// Rows that had been there.
    pub updated: u64,
}

/// A row that an [`Upsert`] has written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Upserted<R> {
    /// It is new.
    Inserted(R),
    /// It had been there.
    Updated(R),
}

impl<R> Upserted<R> {
    /// Whether it is new.
    pub fn is_inserted(&self) -> bool {
        matches!(self, Self::Inserted(_))
    }

    /// The row.
    pub fn into_row(self) -> R {
        match self {
            Self::Inserted(row) | Self::Updated(row) => row,
        }
    }
}

/// An upsert that answers the rows that it has written.
#[must_use = "nothing is written before it runs"]
pub struct UpsertReturning<'t, M: Model, O> {
    insertion: Insertion<'t, M>,
    output: O,
}

impl<M: Model, O: Output<M>> UpsertReturning<'_, M, O> {
    /// Runs it: all of it or nothing. The rows come in the order of the objects.
    ///
    /// # Errors
    /// As [`Upsert::run`].
    pub async fn run(self) -> Result<Vec<Upserted<O::Row>>> {
        let done = self.insertion.run(Some(&self.output)).await?;
        let upserted = |(new, row)| if new { Upserted::Inserted(row) } else { Upserted::Updated(row) };
        Ok(done.rows.into_iter().map(upserted).collect())
    }
}

impl<M: Model> fmt::Debug for Conflict<'_, M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Conflict").field("insertion", &self.insertion).field("on", &self.on).finish()
    }
}

impl<M: Model> fmt::Debug for Upsert<'_, M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Upsert")
            .field("insertion", &self.insertion)
            .field("on", &self.on)
            .finish_non_exhaustive()
    }
}

impl<M: Model, O> fmt::Debug for UpsertReturning<'_, M, O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("UpsertReturning").field(&self.insertion).finish()
    }
}
