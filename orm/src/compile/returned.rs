//! RETURNING.

use crate::compile::{Occurrence, SelectWriter};
use crate::error::Result;
use crate::model::{Declared, Model};
use crate::plan::{Expect, LevelPlan};
use crate::query::Output;

/// The RETURNING clause of a write: columns of its only table, `t0`.
#[derive(Debug, Default)]
pub(crate) struct Returned {
    pub(crate) columns: String,
    pub(crate) level: LevelPlan,
}

impl Returned {
    /// What an output selects, if there is one.
    pub(crate) fn of<M: Model, O: Output<M>>(output: Option<&O>) -> Result<Self> {
        Self::by(|writer, row| output.map_or(Ok(()), |output| output.render(writer, row)))
    }

    /// Columns of a model.
    pub(crate) fn columns<'c>(
        model: &'static str,
        columns: impl IntoIterator<Item = &'c Declared>,
    ) -> Result<Self> {
        Self::by(|writer, row| {
            columns.into_iter().for_each(|c| writer.columns(model, std::slice::from_ref(c), row));
            Ok(())
        })
    }

    fn by(render: impl FnOnce(&mut SelectWriter, Occurrence) -> Result<()>) -> Result<Self> {
        let mut writer = SelectWriter::default();
        let row = writer.numbers.occurrence();
        render(&mut writer, Occurrence(row))?;
        Ok(Self { columns: writer.columns, level: writer.level })
    }

    /// With a column ahead that says whether the row is new: no transaction has locked or deleted it (PostgreSQL
    /// manual, "System Columns"), as this one has where it was updated.
    pub(crate) fn flagged(self, flagged: bool) -> Self {
        if flagged { self.behind("(t0.xmax = 0)", "whether the row is new") } else { self }
    }

    /// With a column ahead that says which of the rows that came through arrays it was.
    pub(super) fn numbered(self, many: bool) -> Self {
        if many { self.behind("u.n", "the ordinal column") } else { self }
    }

    fn behind(mut self, sql: &str, what: &'static str) -> Self {
        let comma = if self.columns.is_empty() { "" } else { ", " };
        self.columns = format!("{sql}{comma}{}", self.columns);
        self.level.expects.insert(0, Expect::anything::<()>(what));
        self
    }

    /// Appends the clause, if it has columns.
    pub(super) fn render(self, sql: &mut String) -> LevelPlan {
        if !self.columns.is_empty() {
            sql.push_str(" RETURNING ");
            sql.push_str(&self.columns);
        }
        self.level
    }
}
