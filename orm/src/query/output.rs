//! What the rows of a query are read as.

use std::fmt;
use std::marker::PhantomData;

use crate::compile::{Occurrence, SelectWriter};
use crate::error::Result;
use crate::model::{Load, Model, columns_of};
use crate::plan::Key;
use crate::query::{Binds, Feed, Projection, RowReader};

pub(crate) mod sealed {
    /// Keeps [`Output`](super::Output) to this crate, so that it can grow.
    pub trait Sealed {}
}

/// What a row of a query on `M` is read as. Implemented by this crate only, for [`All`], [`Cols`],
/// [`With`](crate::With) and what relations make: [`Joined`](crate::Joined), [`Required`](crate::Required),
/// [`SelectIn`](crate::SelectIn).
#[diagnostic::on_unimplemented(
    message = "`{Self}` is nothing that rows of `{M}` can be read as",
    note = "a relation is included beside rows of the model that it starts from"
)]
pub trait Output<M>: sealed::Sealed + Send + Sync + 'static {
    /// The type of a row.
    type Row: Send + 'static;

    /// Appends to a key what the output's type does not say.
    #[doc(hidden)]
    fn shape(&self, key: &mut Key);

    /// Appends the values of what the output selects, in the order in which `render` comes to them.
    #[doc(hidden)]
    fn bind(&self, to: &mut Binds) -> Result<()> {
        let _ = to;
        Ok(())
    }

    /// Selects the columns.
    #[doc(hidden)]
    fn render(&self, to: &mut SelectWriter, of: Occurrence) -> Result<()>;

    /// Reads a row.
    #[doc(hidden)]
    fn read(&self, row: &mut RowReader<'_, '_>) -> Result<Self::Row>;

    /// Puts what a following statement has fetched into a row.
    #[doc(hidden)]
    fn fill(&self, row: &mut Self::Row, feed: &mut Feed<'_>) -> Result<()> {
        let _ = (row, feed);
        Ok(())
    }
}

/// Rows as an `L`: the model itself, or a struct that takes some of its columns.
pub struct All<L>(PhantomData<fn() -> L>);

/// Rows as columns and expressions.
#[derive(Clone, Copy, Debug)]
pub struct Cols<C>(pub(crate) C);

impl<L> sealed::Sealed for All<L> {}

impl<M: Model, L: Load<M>> Output<M> for All<L> {
    type Row = L;

    fn shape(&self, _: &mut Key) {}

    fn render(&self, to: &mut SelectWriter, of: Occurrence) -> Result<()> {
        to.columns(std::any::type_name::<L>(), columns_of::<M, L>()?, of);
        Ok(())
    }

    #[inline]
    fn read(&self, row: &mut RowReader<'_, '_>) -> Result<L> {
        L::load(row)
    }
}

impl<C> sealed::Sealed for Cols<C> {}

impl<M: Model, C: Projection<M>> Output<M> for Cols<C> {
    type Row = C::Row;

    fn shape(&self, key: &mut Key) {
        self.0.shape(key);
    }

    fn bind(&self, to: &mut Binds) -> Result<()> {
        self.0.values(to)
    }

    fn render(&self, to: &mut SelectWriter, of: Occurrence) -> Result<()> {
        self.0.select(to, of)
    }

    #[inline]
    fn read(&self, row: &mut RowReader<'_, '_>) -> Result<C::Row> {
        self.0.take(row)
    }
}

impl<L> Default for All<L> {
    fn default() -> Self {
        Self(PhantomData)
    }
}

impl<L> Clone for All<L> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<L> Copy for All<L> {}

impl<L> fmt::Debug for All<L> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "All({})", std::any::type_name::<L>())
    }
}
