//! SELECT.

use std::any::type_name;
use std::fmt::Write;

use crate::compile::expression::{Numbers, condition, orderings};
use crate::compile::{quote, quote_qualified};
use crate::error::Result;
use crate::expr::Tape;
use crate::model::{Declared, Model};
use crate::plan::{Expect, Follow, LevelPlan, Plan, Skip};
use crate::query::Output;
use crate::relation::Link;

/// An occurrence of a table in a statement: `t0`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Occurrence(usize);

/// What a SELECT consists of besides its output, as the query has it.
#[derive(Clone, Copy)]
pub(crate) struct Clauses<'a> {
    pub(crate) filter: &'a Tape,
    pub(crate) order: &'a Tape,
    pub(crate) limit: bool,
    pub(crate) offset: bool,
}

/// Collects a statement's columns and joins, and what is needed to read its rows.
#[derive(Debug)]
pub struct SelectWriter {
    columns: String,
    joins: String,
    numbers: Numbers,
    level: LevelPlan,
}

impl SelectWriter {
    fn new() -> Self {
        Self {
            columns: String::new(),
            joins: String::new(),
            numbers: Numbers::default(),
            level: LevelPlan::default(),
        }
    }

    /// Selects columns of an occurrence.
    pub(crate) fn columns(&mut self, model: &'static str, columns: &[Declared], of: Occurrence) {
        for column in columns {
            self.column(of, column.name);
            self.level.expects.push(Expect {
                model,
                column: column.name,
                rust_type: column.rust_type,
                accepts: column.accepts,
            });
        }
    }

    /// Joins the far end of a relation, selects whether there is one, and then what `output` selects of it.
    pub(crate) fn join<N: Model, O: Output<N>>(
        &mut self,
        link: &Link,
        near: Occurrence,
        output: &O,
    ) -> Result<()> {
        let far = self.numbers.occurrence();
        self.joins.push_str(" LEFT JOIN ");
        table::<N>(&mut self.joins, far);
        on(&mut self.joins, far, link.far, near.0, link.near);
        self.comma();
        let _ = write!(self.columns, "t{far}.");
        quote(&mut self.columns, link.far);
        // A row that was found equals the near column, which makes its own column not NULL.
        self.columns.push_str(" IS NOT NULL");
        self.level.expects.push(Expect::anything::<N>("the presence column"));
        let place = self.level.skips.len();
        let before = Skip {
            columns: self.level.expects.len(),
            joins: self.level.skips.len() + 1,
            follows: self.level.follows.len(),
        };
        self.level.skips.push(before);
        output.render(self, Occurrence(far))?;
        self.level.skips[place] = Skip {
            columns: self.level.expects.len() - before.columns,
            joins: self.level.skips.len() - before.joins,
            follows: self.level.follows.len() - before.follows,
        };
        Ok(())
    }

    /// Selects the near column of a relation, and compiles the statement that fetches the far rows for many
    /// of them.
    pub(crate) fn follow<N: Model, O: Output<N>>(
        &mut self,
        link: &Link,
        near: Occurrence,
        output: &O,
    ) -> Result<()> {
        self.column(near, link.near);
        self.level.expects.push(Expect::anything::<N>(link.near));
        let mut inner = Self::new();
        let far = inner.numbers.occurrence();
        inner.columns.push_str("k.n");
        inner.level.expects.push(Expect::anything::<N>("the ordinal column"));
        let mut from = String::from(" FROM unnest($1) WITH ORDINALITY AS k (v, n) JOIN ");
        table::<N>(&mut from, far);
        let _ = write!(from, " ON t{far}.");
        quote(&mut from, link.far);
        from.push_str(" = k.v");
        output.render(&mut inner, Occurrence(far))?;
        let sql = format!("SELECT {}{from}{}", inner.columns, inner.joins);
        self.level.follows.push(Follow {
            sql: sql.into(),
            array: link.array,
            element: link.element,
            level: inner.level.into(),
        });
        Ok(())
    }

    fn column(&mut self, of: Occurrence, name: &str) {
        self.comma();
        let _ = write!(self.columns, "t{}.", of.0);
        quote(&mut self.columns, name);
    }

    fn comma(&mut self) {
        if !self.columns.is_empty() {
            self.columns.push_str(", ");
        }
    }
}

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
        let mut writer = SelectWriter::new();
        let row = writer.numbers.occurrence();
        render(&mut writer, Occurrence(row))?;
        Ok(Self { columns: writer.columns, level: writer.level })
    }

    /// With a column ahead that says whether the row is new: no transaction has locked or deleted it (PostgreSQL
    /// manual, "System Columns"), as this one has where it was updated.
    pub(crate) fn flagged(mut self, flagged: bool) -> Self {
        if flagged {
            let comma = if self.columns.is_empty() { "" } else { ", " };
            self.columns = format!("(t0.xmax = 0){comma}{}", self.columns);
            self.level.expects.insert(0, Expect::anything::<()>("whether the row is new"));
        }
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

/// The statement that fetches the rows of a query.
pub(crate) fn select<M: Model, O: Output<M>>(output: &O, clauses: Clauses<'_>) -> Result<Plan> {
    let mut writer = SelectWriter::new();
    let row = writer.numbers.occurrence();
    output.render(&mut writer, Occurrence(row))?;
    let mut sql = format!("SELECT {} FROM ", writer.columns);
    table::<M>(&mut sql, row);
    sql.push_str(&writer.joins);
    let numbers = &mut writer.numbers;
    filter(&mut sql, clauses.filter, row, numbers).map_err(|e| e.of(type_name::<M>()))?;
    if !clauses.order.words.is_empty() {
        sql.push_str(" ORDER BY ");
        sql.push_str(&orderings(clauses.order, row, numbers)?);
    }
    for (given, keyword) in [(clauses.limit, " LIMIT "), (clauses.offset, " OFFSET ")] {
        if given {
            sql.push_str(keyword);
            sql.push_str(&numbers.param());
        }
    }
    Ok(Plan::new(sql, writer.level))
}

/// The statement that counts the rows of a query.
pub(crate) fn count<M: Model>(clauses: Clauses<'_>) -> Result<Plan> {
    around::<M>(clauses, "SELECT count(*) FROM ", "")
}

/// The statement that says whether a query has rows.
pub(crate) fn exists<M: Model>(clauses: Clauses<'_>) -> Result<Plan> {
    around::<M>(clauses, "SELECT EXISTS (SELECT 1 FROM ", ")")
}

fn around<M: Model>(clauses: Clauses<'_>, head: &str, tail: &str) -> Result<Plan> {
    let mut numbers = Numbers::default();
    let row = numbers.occurrence();
    let mut sql = String::from(head);
    table::<M>(&mut sql, row);
    filter(&mut sql, clauses.filter, row, &mut numbers).map_err(|e| e.of(type_name::<M>()))?;
    sql.push_str(tail);
    Ok(Plan::new(sql, LevelPlan::default()))
}

/// The filters of a query, each of which has to hold: they stand on the tape one after the other.
pub(super) fn filter(sql: &mut String, tape: &Tape, row: usize, numbers: &mut Numbers) -> Result<()> {
    if !tape.words.is_empty() {
        sql.push_str(" WHERE ");
        sql.push_str(&condition(tape, row, numbers, false)?);
    }
    Ok(())
}

/// Appends a table and the name of its occurrence.
pub(super) fn table<M: Model>(sql: &mut String, occurrence: usize) {
    quote_qualified(sql, M::TABLE.schema_name().unwrap_or(""), M::TABLE.name());
    let _ = write!(sql, " AS t{occurrence}");
}

fn on(sql: &mut String, far: usize, far_column: &str, near: usize, near_column: &str) {
    let _ = write!(sql, " ON t{far}.");
    quote(sql, far_column);
    let _ = write!(sql, " = t{near}.");
    quote(sql, near_column);
}
