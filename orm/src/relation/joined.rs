//! Including the other end of a relation in the same statement.

use std::any::type_name;
use std::fmt;
use std::marker::PhantomData;

use crate::compile::{Occurrence, SelectWriter};
use crate::error::{Error, ErrorKind, Result};
use crate::expr::{Pred, Tape};
use crate::model::{Model, restrict};
use crate::plan::Key;
use crate::query::{Binds, Feed, Include, Output, RowReader, sealed::Sealed};
use crate::relation::{End, Link};

/// The other end of a [`ToOne`](crate::ToOne) by a `LEFT JOIN`: `None` where there is no row.
pub struct Joined<M, N, O> {
    link: Link,
    filter: Tape,
    output: O,
    ends: PhantomData<fn(M, N)>,
}

/// A [`Joined`] whose row has to be there.
pub struct Required<J>(J);

impl<M, N, O> Joined<M, N, O> {
    pub(crate) fn new(link: Link, output: O) -> Self {
        Self { link, filter: Tape::default(), output, ends: PhantomData }
    }

    /// The row has to be there: it is read as an `N` rather than an `Option<N>`, and where it is missing
    /// the query fails with [`ErrorKind::NoResult`].
    pub fn required(self) -> Required<Self> {
        Required(self)
    }
}

impl<M, N, O> Joined<M, N, O> {
    /// The other end is there only where this holds for it. Called again, both have to.
    pub fn filter(mut self, pred: Pred<N>) -> Self {
        self.filter.and(&pred.tape);
        self
    }
}

impl<M, N: Model, O: Output<N>> Joined<M, N, O> {
    /// The same with the filters of `N`, but for those that are lifted.
    pub(crate) fn restricted(mut self, lifted: &[&str]) -> Self {
        restrict::<N>(&mut self.filter, lifted);
        self
    }

    /// Includes a relation of the other end, to any depth.
    pub fn include<I: Output<N>>(self, include: I) -> Joined<M, N, O::With>
    where
        O: Include<N, I>,
    {
        Joined { link: self.link, filter: self.filter, output: self.output.with(include), ends: PhantomData }
    }
}

impl<M, N, O> Sealed for Joined<M, N, O> {}

impl<M: Model, N: Model, O: Output<N>> Output<M> for Joined<M, N, O> {
    type Row = Option<O::Row>;

    fn shape(&self, key: &mut Key) {
        self.link.shape(key);
        key.clause(&self.filter.words);
        self.output.shape(key);
    }

    fn bind(&self, to: &mut Binds) -> Result<()> {
        to.tape(&self.filter)?;
        self.output.bind(to)
    }

    fn render(&self, to: &mut SelectWriter, of: Occurrence) -> Result<()> {
        self.link.check::<M, N>(End::Far)?;
        to.join::<N, O>(&self.link, of, &self.filter, &self.output)
    }

    fn read(&self, row: &mut RowReader<'_, '_>) -> Result<Self::Row> {
        if row.join()? { self.output.read(row).map(Some) } else { Ok(None) }
    }

    fn fill(&self, row: &mut Self::Row, feed: &mut Feed<'_>) -> Result<()> {
        let there = feed.join(row.is_some());
        match row {
            Some(row) if there => self.output.fill(row, feed),
            _ => Ok(()),
        }
    }
}

impl<J> Sealed for Required<J> {}

impl<M: Model, N: Model, O: Output<N>> Output<M> for Required<Joined<M, N, O>> {
    type Row = O::Row;

    fn shape(&self, key: &mut Key) {
        self.0.shape(key);
    }

    fn bind(&self, to: &mut Binds) -> Result<()> {
        self.0.bind(to)
    }

    fn render(&self, to: &mut SelectWriter, of: Occurrence) -> Result<()> {
        self.0.render(to, of)
    }

    fn read(&self, row: &mut RowReader<'_, '_>) -> Result<Self::Row> {
        self.0.read(row)?.ok_or_else(|| {
            let missing = format!("no row of {} at the other end of a required relation", type_name::<N>());
            Error::new(ErrorKind::NoResult, missing).of(type_name::<M>()).at(self.0.link.first().near)
        })
    }

    fn fill(&self, row: &mut Self::Row, feed: &mut Feed<'_>) -> Result<()> {
        feed.join(true);
        self.0.output.fill(row, feed)
    }
}

impl<M, N, O> fmt::Debug for Joined<M, N, O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Joined({:?})", self.link)
    }
}

impl<J: fmt::Debug> fmt::Debug for Required<J> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Required({:?})", self.0)
    }
}

impl<M, N, O: Clone> Clone for Joined<M, N, O> {
    fn clone(&self) -> Self {
        Self { link: self.link, filter: self.filter.clone(), output: self.output.clone(), ends: PhantomData }
    }
}

impl<J: Clone> Clone for Required<J> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}
