//! Including the many ends of a relation by a second statement.

use std::fmt;
use std::marker::PhantomData;

use crate::compile::{Occurrence, SelectWriter};
use crate::error::Result;
use crate::model::Model;
use crate::plan::Key;
use crate::query::{Feed, Include, Output, RowReader, sealed::Sealed};
use crate::relation::Link;

/// The many ends of a [`ToMany`](crate::ToMany), fetched by one statement for all rows of the query: a
/// `Vec` each.
pub struct SelectIn<M, N, O> {
    link: Link,
    output: O,
    ends: PhantomData<fn(M, N)>,
}

impl<M, N, O> SelectIn<M, N, O> {
    pub(crate) fn new(link: Link, output: O) -> Self {
        Self { link, output, ends: PhantomData }
    }
}

impl<M, N: Model, O: Output<N>> SelectIn<M, N, O> {
    /// Includes a relation of the other ends, to any depth: each level is one more flight, however many
    /// rows there are.
    pub fn include<I: Output<N>>(self, include: I) -> SelectIn<M, N, O::With>
    where
        O: Include<N, I>,
    {
        SelectIn::new(self.link, self.output.with(include))
    }
}

impl<M, N, O> Sealed for SelectIn<M, N, O> {}

impl<M: Model, N: Model, O: Output<N>> Output<M> for SelectIn<M, N, O> {
    type Row = Vec<O::Row>;

    fn shape(&self, key: &mut Key) {
        key.push(self.link.near_id);
        key.push(self.link.far_id);
        self.output.shape(key);
    }

    fn render(&self, to: &mut SelectWriter, of: Occurrence) -> Result<()> {
        to.follow::<N, O>(&self.link, of, &self.output)
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
        write!(f, "SelectIn({:?})", self.link)
    }
}

impl<M, N, O: Clone> Clone for SelectIn<M, N, O> {
    fn clone(&self) -> Self {
        Self::new(self.link, self.output.clone())
    }
}
