//! Rows with what is included beside them.

use crate::compile::{Occurrence, SelectWriter};
use crate::error::Result;
use crate::model::{Load, Model};
use crate::plan::Key;
use crate::query::output::sealed::Sealed;
use crate::query::{All, Binds, Cols, Feed, Output, Projection, RowReader};

/// Rows read as an `O`, and the includes `I` (a tuple) beside it: the row is one flat tuple, `(llama,
/// paddock, shearings)`.
#[derive(Clone, Copy, Debug)]
pub struct With<O, I> {
    pub(crate) output: O,
    pub(crate) includes: I,
}

/// An output to which an include can be added.
#[diagnostic::on_unimplemented(
    message = "at most eight relations can be included beside one row",
    note = "nest them (`joined().include(...)`), or make two queries"
)]
pub trait Include<M, I>: Output<M> {
    /// The output with the include.
    type With: Output<M>;

    /// Adds it.
    fn with(self, include: I) -> Self::With;
}

impl<M: Model, L: Load<M>, I: Output<M>> Include<M, I> for All<L> {
    type With = With<Self, (I,)>;

    fn with(self, include: I) -> Self::With {
        With { output: self, includes: (include,) }
    }
}

impl<M: Model, C: Projection<M>, I: Output<M>> Include<M, I> for Cols<C> {
    type With = With<Self, (I,)>;

    fn with(self, include: I) -> Self::With {
        With { output: self, includes: (include,) }
    }
}

impl<O, I> Sealed for With<O, I> {}

/// Rows of one more value than there are includes.
macro_rules! rows {
    ($($($name:ident $from:tt $to:tt)+;)+) => {$(
        impl<M, O: Output<M>, $($name: Output<M>),+> Output<M> for With<O, ($($name,)+)> {
            type Row = (O::Row, $($name::Row,)+);

            fn shape(&self, key: &mut Key) {
                self.output.shape(key);
                $(self.includes.$from.shape(key);)+
            }

            fn bind(&self, to: &mut Binds) -> Result<()> {
                self.output.bind(to)?;
                $(self.includes.$from.bind(to)?;)+
                Ok(())
            }

            fn render(&self, to: &mut SelectWriter, of: Occurrence) -> Result<()> {
                self.output.render(to, of)?;
                $(self.includes.$from.render(to, of)?;)+
                Ok(())
            }

            fn read(&self, row: &mut RowReader<'_, '_>) -> Result<Self::Row> {
                Ok((self.output.read(row)?, $(self.includes.$from.read(row)?,)+))
            }

            fn fill(&self, row: &mut Self::Row, feed: &mut Feed<'_>) -> Result<()> {
                self.output.fill(&mut row.0, feed)?;
                $(self.includes.$from.fill(&mut row.$to, feed)?;)+
                Ok(())
            }
        }
    )+};
}

/// One more include.
macro_rules! one_more {
    ($($($name:ident $place:tt)+;)+) => {$(
        impl<M, O: Output<M>, $($name: Output<M>,)+ Z: Output<M>> Include<M, Z> for With<O, ($($name,)+)> {
            type With = With<O, ($($name,)+ Z)>;

            fn with(self, include: Z) -> Self::With {
                With { output: self.output, includes: ($(self.includes.$place,)+ include) }
            }
        }
    )+};
}

rows! {
    A 0 1;
    A 0 1 B 1 2;
    A 0 1 B 1 2 C 2 3;
    A 0 1 B 1 2 C 2 3 D 3 4;
    A 0 1 B 1 2 C 2 3 D 3 4 E 4 5;
    A 0 1 B 1 2 C 2 3 D 3 4 E 4 5 F 5 6;
    A 0 1 B 1 2 C 2 3 D 3 4 E 4 5 F 5 6 G 6 7;
    A 0 1 B 1 2 C 2 3 D 3 4 E 4 5 F 5 6 G 6 7 H 7 8;
}

one_more! {
    A 0;
    A 0 B 1;
    A 0 B 1 C 2;
    A 0 B 1 C 2 D 3;
    A 0 B 1 C 2 D 3 E 4;
    A 0 B 1 C 2 D 3 E 4 F 5;
    A 0 B 1 C 2 D 3 E 4 F 5 G 6;
}
