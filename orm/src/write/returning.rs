//! Writes that answer the rows that they have written.

use std::any::{TypeId, type_name};
use std::fmt;

use wreath_codecs::ParamBuf;

use crate::compile;
use crate::error::{Error, Result};
use crate::expr::Tape;
use crate::model::{Hook, Model, describe};
use crate::plan::{Key, Kind, Plan};
use crate::query::{Level, Output, RowReader, Select};
use crate::write::target::Statement;
use crate::write::{Sets, Target};

/// An update or a delete of all rows that a query finds.
pub(crate) struct Rewrite<'t, M: Model> {
    pub(crate) target: Target<'t>,
    pub(crate) rows: Select<M>,
    /// What columns are set to; `None` deletes.
    pub(crate) sets: Option<Sets>,
}

impl<M: Model> Rewrite<'_, M> {
    /// Runs it; answers how many rows it has written, and those rows as `output` reads them.
    pub(crate) async fn run<O: Output<M>>(mut self, output: Option<&O>) -> Result<(u64, Vec<O::Row>)> {
        let of = describe::<M>()?;
        match self.sets {
            Some(_) => of.unhooked(|hook| matches!(hook, Hook::BeforeUpdate(_) | Hook::AfterUpdate(_)))?,
            None => of.unhooked(|hook| matches!(hook, Hook::BeforeDelete(_) | Hook::AfterDelete(_)))?,
        }
        let filter = self.rows.only_filter()?;
        let (kind, mut key) = match &mut self.sets {
            None => (Kind::DeleteWhere, Key::new(Kind::DeleteWhere, TypeId::of::<fn(M) -> O>())),
            Some(sets) => {
                if sets.all.is_empty() {
                    return Err(Error::declaration("an update sets nothing").of(type_name::<M>()));
                }
                sets.verify::<M>(&[])?;
                let mut key = Key::new(Kind::UpdateWhere, TypeId::of::<fn(M) -> O>());
                sets.shape(&mut key);
                (Kind::UpdateWhere, key)
            }
        };
        key.clause(&filter.words);
        key.push(u64::from(output.is_some()));
        if let Some(output) = output {
            output.shape(&mut key);
        }
        let mut params = ParamBuf::new();
        if let Some(sets) = &self.sets {
            sets.bind(&mut params)?;
        }
        params.append(&filter.binds)?;
        let sets = self.sets.as_ref().map_or(&[][..], |sets| &sets.all);
        let compile = || compile_rewrite::<M, O>(kind, sets, filter, output);
        let statement = Statement { key, params: vec![params], compile };
        let (plan, answers) = self.target.run::<M>(true, statement).await?;
        let (mut met, mut out) = (0, Vec::new());
        let mut level = Level::new(&plan.level, Vec::new());
        for rows in &answers {
            met += rows.tag().rows();
            if let Some(output) = output {
                out.reserve(rows.len());
                for row in rows {
                    out.push(output.read(&mut RowReader::new(row, &mut level))?);
                }
            }
        }
        Ok((met, out))
    }
}

fn compile_rewrite<M: Model, O: Output<M>>(
    kind: Kind,
    sets: &[crate::write::Assignment],
    filter: &Tape,
    output: Option<&O>,
) -> Result<Plan> {
    let returned = compile::Returned::of(output)?;
    match kind {
        Kind::UpdateWhere => compile::update_where::<M>(sets, filter, returned),
        _ => compile::delete_where::<M>(filter, returned),
    }
}

/// A write that answers the rows that it has written: those of an [`Update`](crate::Update) as they are now, those
/// of a [`Delete`](crate::Delete) as they were.
#[must_use = "nothing is written before it runs"]
pub struct Returning<'t, M: Model, O> {
    rewrite: Rewrite<'t, M>,
    output: O,
}

impl<'t, M: Model, O: Output<M>> Returning<'t, M, O> {
    pub(crate) fn new(rewrite: Rewrite<'t, M>, output: O) -> Self {
        Self { rewrite, output }
    }

    /// Runs the write; answers the rows, in no order.
    ///
    /// # Errors
    /// As [`Update::run`](crate::Update::run) and [`Delete::run`](crate::Delete::run), and
    /// [`Mapping`](crate::ErrorKind::Mapping) as [`Db::fetch`](crate::Db::fetch).
    pub async fn run(self) -> Result<Vec<O::Row>> {
        let Self { rewrite, output } = self;
        Ok(rewrite.run(Some(&output)).await?.1)
    }
}

impl<M: Model, O> fmt::Debug for Returning<'_, M, O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Returning").field("rows", &self.rewrite.rows).finish_non_exhaustive()
    }
}
