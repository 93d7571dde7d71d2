//! Including the many ends of a relation by a second statement.

use std::fmt;
use std::marker::PhantomData;

use crate::compile::{Occurrence, SelectWriter};
use crate::error::Result;
use crate::expr::{Order, Pred, Tape};
use crate::model::{Model, restrict};
use crate::plan::Key;
use crate::query::{Binds, Feed, Include, Output, RowReader, sealed::Sealed};
use crate::relation::Path;

/// The many ends of a [`ToMany`](crate::ToMany), fetched by one statement for all rows of the query: a
/// `Vec` each.
#[must_use]
pub struct SelectIn<M, N, O> {
    path: Path,
    output: O,
    pub(crate) clauses: Many,
    ends: PhantomData<fn(M, N)>,
}

/// Which of the many ends there are to be, and in which order.
#[derive(Clone, Debug, Default)]
pub(crate) struct Many {
    pub(crate) filter: Tape,
    pub(crate) order: Tape,
    pub(crate) limit: Option<u64>,
    pub(crate) offset: Option<u64>,
}

impl Many {
    /// Whether each row gets a part of its many only, for which the server has to look at each row alone.
    pub(crate) fn is_part(&self) -> bool {
        self.limit.is_some() || self.offset.is_some()
    }
}

impl<M, N, O> SelectIn<M, N, O> {
    pub(crate) fn new(path: Path, output: O) -> Self {
        Self { path, output, clauses: Many::default(), ends: PhantomData }
    }

    /// Only the ends for which this holds. Called again, both have to.
    pub fn filter(mut self, pred: Pred<N>) -> Self {
        self.clauses.filter.and(&pred.tape);
        self
    }

    /// The ends of each row in this order. Called again, that order is for those that are level in the first.
    /// Without an order they come as the server finds them.
    pub fn order_by(mut self, order: Order<N>) -> Self {
        self.clauses.order.append(&order.tape);
        self
    }

    /// At most so many ends for each row; the last call counts.
    pub fn limit(mut self, rows: u64) -> Self {
        self.clauses.limit = Some(rows);
        self
    }

    /// Passes over so many ends of each row first; the last call counts.
    pub fn offset(mut self, rows: u64) -> Self {
        self.clauses.offset = Some(rows);
        self
    }
}

impl<M, N: Model, O: Output<N>> SelectIn<M, N, O> {
    /// The same with the filters of `N`, but for those that are lifted.
    pub(crate) fn restricted(mut self, lifted: &[&str]) -> Self {
        restrict::<N>(&mut self.clauses.filter, lifted);
        self
    }

    /// Includes a relation of the other ends, to any depth: each level is one more flight, however many
    /// rows there are.
    pub fn include<I: Output<N>>(self, include: I) -> SelectIn<M, N, O::With>
    where
        O: Include<N, I>,
    {
        let Self { path, output, clauses, ends } = self;
        SelectIn { path, output: output.with(include), clauses, ends }
    }
}

impl<M, N, O> Sealed for SelectIn<M, N, O> {}

impl<M: Model, N: Model, O: Output<N>> Output<M> for SelectIn<M, N, O> {
    type Row = Vec<O::Row>;

    fn shape(&self, key: &mut Key) {
        let Many { filter, order, limit, offset } = &self.clauses;
        self.path.shape(key);
        key.clause(&filter.words);
        key.clause(&order.words);
        key.push(u64::from(limit.is_some()) | u64::from(offset.is_some()) << 1);
        self.output.shape(key);
    }

    fn bind(&self, to: &mut Binds) -> Result<()> {
        to.follow(|to| {
            self.output.bind(to)?;
            to.tape(&self.clauses.filter)?;
            to.tape(&self.clauses.order)?;
            to.count(self.clauses.limit)?;
            to.count(self.clauses.offset)
        })
    }

    fn render(&self, to: &mut SelectWriter, of: Occurrence) -> Result<()> {
        self.path.check::<M, N>()?;
        to.follow::<N, O>(&self.path, of, &self.clauses, &self.output)
    }

    /// Notes the row's key; the rows come with [`fill`](Output::fill).
    fn read(&self, row: &mut RowReader<'_, '_>) -> Result<Self::Row> {
        row.ask()?;
        Ok(Vec::new())
    }

    fn fill(&self, row: &mut Self::Row, feed: &mut Feed<'_>) -> Result<()> {
        feed.follow(row, &self.output)
    }
}

impl<M, N, O> fmt::Debug for SelectIn<M, N, O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SelectIn({:?})", self.path)
    }
}

impl<M, N, O: Clone> Clone for SelectIn<M, N, O> {
    fn clone(&self) -> Self {
        Self {
            path: self.path,
            output: self.output.clone(),
            clauses: self.clauses.clone(),
            ends: PhantomData,
        }
    }
}
