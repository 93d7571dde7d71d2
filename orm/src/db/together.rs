//! Several reads in one flight.

use std::any::type_name;
use std::fmt;

use wreath_driver::{DecodeOwned, Reply, Rows, Workload};

use crate::db::run::all;
use crate::db::{Db, Runner};
use crate::error::{Error, Result};
use crate::model::Model;
use crate::plan::Kind;
use crate::query::{Level, Output, RowReader, Select};
use crate::session::Session;

/// How many rows a query has, as one of several reads: see [`Db::together`].
pub struct Count<'q, M, O>(pub &'q Select<M, O>);

/// Whether a query has rows, as one of several reads: see [`Db::together`].
pub struct Exists<'q, M, O>(pub &'q Select<M, O>);

/// What can be read together with others: all rows of a query (`&query`), their [`Count`], whether there is one
/// ([`Exists`]).
#[diagnostic::on_unimplemented(
    message = "`{Self}` is nothing that can be read together with others",
    note = "expected `&query`, `Count(&query)` or `Exists(&query)`"
)]
pub trait Read: sealed::Sealed + Send {
    /// What comes of it.
    type Out: Send;

    #[doc(hidden)]
    type Stage: Stage<Out = Self::Out> + Send;

    #[doc(hidden)]
    fn stage(self) -> Self::Stage;
}

/// A tuple of two to eight [`Read`]s.
pub trait Together: sealed::Sealed {
    /// What comes of them.
    type Out;

    #[doc(hidden)]
    fn read(self, run: Runner<'_>) -> impl Future<Output = Result<Self::Out>> + Send;
}

mod sealed {
    pub trait Sealed {}
}

/// A read that is under way: flights, until it needs no more.
pub trait Flying {
    /// Sends what is to be sent next; nothing, when all has come.
    #[doc(hidden)]
    fn flight(&mut self, run: Runner<'_>) -> Result<Vec<Reply>>;

    /// Takes the flight's answers, in the order of its statements.
    #[doc(hidden)]
    fn land(&mut self, answers: Vec<Rows>) -> Result<()>;
}

/// A read that is under way, and what comes of it.
pub trait Stage: Flying {
    #[doc(hidden)]
    type Out;

    #[doc(hidden)]
    fn finish(self) -> Result<Self::Out>;
}

impl Db {
    /// Several reads on one connection, in one flight, and what they include by further statements in one
    /// flight for each level. They are separate statements: between two of them another transaction may
    /// commit.
    ///
    /// ```no_run
    /// # use wreath_orm::{Column, Columns, Db, Load, Model, Result, Source, Table};
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
    /// use wreath_orm::Count;
    ///
    /// let (old, young) = (Llama::select().filter(Llama::AGE.gt(9)), Llama::select().filter(Llama::AGE.lt(2)));
    /// let (old, young): (Vec<Llama>, u64) = db.together((&old, Count(&young))).await?;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`fetch`](Self::fetch); of several, the first. Nothing of the others comes then.
    pub async fn together<T: Together>(&self, reads: T) -> Result<T::Out> {
        let handle = self.acquire(Workload::Read).await?;
        reads.read(self.run(&handle)).await
    }
}

impl Session {
    /// Several reads of plain values in one flight, on the session's connection and so in its transaction; see
    /// [`Db::together`].
    ///
    /// # Errors
    /// As [`Db::together`].
    pub async fn together<T: Together>(&mut self, reads: T) -> Result<T::Out> {
        self.connect().await?;
        reads.read(self.run()?).await
    }
}

/// Takes reads through their flights, all of them at once.
async fn fly(run: Runner<'_>, stages: &mut [&mut (dyn Flying + Send)]) -> Result<()> {
    loop {
        let mut replies = Vec::new();
        let mut counts = Vec::with_capacity(stages.len());
        for stage in stages.iter_mut() {
            let flight = stage.flight(run)?;
            counts.push(flight.len());
            replies.extend(flight);
        }
        if replies.is_empty() {
            return Ok(());
        }
        let mut answers = all(replies).await?.into_iter();
        for (stage, count) in stages.iter_mut().zip(counts).filter(|(_, count)| *count > 0) {
            stage.land(answers.by_ref().take(count).collect())?;
        }
    }
}

/// The rows of several queries of one kind, in one flight.
pub(crate) async fn fetch_all<M: Model, O: Output<M>>(
    run: Runner<'_>,
    queries: &[Select<M, O>],
) -> Result<Vec<Vec<O::Row>>> {
    let mut stages: Vec<_> = queries.iter().map(Read::stage).collect();
    let mut flying: Vec<&mut (dyn Flying + Send)> = Vec::with_capacity(stages.len());
    for stage in &mut stages {
        flying.push(stage);
    }
    fly(run, &mut flying).await?;
    stages.into_iter().map(Stage::finish).collect()
}

/// The rows of a query, on their way.
pub struct Fetching<'q, M, O: Output<M>> {
    query: &'q Select<M, O>,
    /// The state of reading, once the statement has been sent.
    level: Option<Level>,
    arrived: bool,
    rows: Vec<O::Row>,
}

impl<M: Model, O: Output<M>> Flying for Fetching<'_, M, O> {
    fn flight(&mut self, run: Runner<'_>) -> Result<Vec<Reply>> {
        match &mut self.level {
            None => {
                let (reply, level) = run.begin(self.query, None)?;
                self.level = Some(level);
                Ok(vec![reply])
            }
            Some(level) => Ok(run.send_all(level.flight()?)),
        }
    }

    fn land(&mut self, answers: Vec<Rows>) -> Result<()> {
        let Some(level) = &mut self.level else { return Ok(()) };
        if std::mem::replace(&mut self.arrived, true) {
            return level.take(self.query.output(), &mut self.rows, answers);
        }
        for rows in &answers {
            level.check(rows)?;
            self.rows.reserve(rows.len());
            for row in rows {
                self.rows.push(self.query.output().read(&mut RowReader::new(row, level))?);
            }
        }
        Ok(())
    }
}

impl<M: Model, O: Output<M>> Stage for Fetching<'_, M, O> {
    type Out = Vec<O::Row>;

    fn finish(self) -> Result<Self::Out> {
        Ok(self.rows)
    }
}

impl<M, O> sealed::Sealed for &Select<M, O> {}

impl<'q, M: Model, O: Output<M>> Read for &'q Select<M, O> {
    type Out = Vec<O::Row>;
    type Stage = Fetching<'q, M, O>;

    fn stage(self) -> Self::Stage {
        Fetching { query: self, level: None, arrived: false, rows: Vec::new() }
    }
}

/// One value about a query, on its way.
pub struct Asking<'q, M, O, T> {
    query: &'q Select<M, O>,
    kind: Kind,
    sent: bool,
    answer: Option<T>,
}

impl<M: Model, O: Output<M>, T: DecodeOwned> Flying for Asking<'_, M, O, T> {
    fn flight(&mut self, run: Runner<'_>) -> Result<Vec<Reply>> {
        if std::mem::replace(&mut self.sent, true) {
            return Ok(Vec::new());
        }
        Ok(vec![run.ask(self.query, self.kind)?])
    }

    fn land(&mut self, answers: Vec<Rows>) -> Result<()> {
        self.answer = answers.first().and_then(Rows::first).map(|row| row.get(0)).transpose()?;
        Ok(())
    }
}

impl<M: Model, O: Output<M>, T: DecodeOwned> Asking<'_, M, O, T> {
    fn answer(self) -> Result<T> {
        let none = || Error::declaration("an aggregate came without a row").of(type_name::<M>());
        self.answer.ok_or_else(none)
    }
}

impl<M: Model, O: Output<M>> Stage for Asking<'_, M, O, i64> {
    type Out = u64;

    fn finish(self) -> Result<u64> {
        Ok(u64::try_from(self.answer()?).unwrap_or(0))
    }
}

impl<M: Model, O: Output<M>> Stage for Asking<'_, M, O, bool> {
    type Out = bool;

    fn finish(self) -> Result<bool> {
        self.answer()
    }
}

impl<M, O> sealed::Sealed for Count<'_, M, O> {}

impl<'q, M: Model, O: Output<M>> Read for Count<'q, M, O> {
    type Out = u64;
    type Stage = Asking<'q, M, O, i64>;

    fn stage(self) -> Self::Stage {
        Asking { query: self.0, kind: Kind::Count, sent: false, answer: None }
    }
}

impl<M, O> sealed::Sealed for Exists<'_, M, O> {}

impl<'q, M: Model, O: Output<M>> Read for Exists<'q, M, O> {
    type Out = bool;
    type Stage = Asking<'q, M, O, bool>;

    fn stage(self) -> Self::Stage {
        Asking { query: self.0, kind: Kind::Exists, sent: false, answer: None }
    }
}

macro_rules! tuples {
    ($($($name:ident $place:tt)+;)+) => {$(
        impl<$($name),+> sealed::Sealed for ($($name,)+) {}

        impl<$($name: Read),+> Together for ($($name,)+) {
            type Out = ($($name::Out,)+);

            async fn read(self, run: Runner<'_>) -> Result<Self::Out> {
                let mut stages = ($(self.$place.stage(),)+);
                fly(run, &mut [$(&mut stages.$place),+]).await?;
                Ok(($(stages.$place.finish()?,)+))
            }
        }
    )+};
}

tuples! {
    A 0 B 1;
    A 0 B 1 C 2;
    A 0 B 1 C 2 D 3;
    A 0 B 1 C 2 D 3 E 4;
    A 0 B 1 C 2 D 3 E 4 F 5;
    A 0 B 1 C 2 D 3 E 4 F 5 G 6;
    A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7;
}

impl<M: Model, O: Output<M>> fmt::Debug for Count<'_, M, O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Count({:?})", self.0)
    }
}

impl<M: Model, O: Output<M>> fmt::Debug for Exists<'_, M, O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Exists({:?})", self.0)
    }
}

impl<M: Model, O: Output<M>> fmt::Debug for Fetching<'_, M, O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Fetching").field("query", self.query).field("rows", &self.rows.len()).finish()
    }
}

impl<M: Model, O: Output<M>, T> fmt::Debug for Asking<'_, M, O, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Asking").field("query", self.query).field("sent", &self.sent).finish()
    }
}
