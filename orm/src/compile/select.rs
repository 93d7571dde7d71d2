//! SELECT.

use std::any::type_name;

use crate::compile::expression::Numbers;
use crate::compile::pieces::{clause, having, list, orders, table};
use crate::compile::writer::bounds;
use crate::compile::{Occurrence, SelectWriter};
use crate::error::{Error, Result};
use crate::model::Model;
use crate::plan::{LevelPlan, Plan};
use crate::query::{All, Clauses, Further, Output};

/// The statement that fetches the rows of a query.
pub(crate) fn select<M: Model, O: Output<M>>(
    output: &O,
    clauses: &Clauses,
    limit: bool,
    numbers: Numbers,
) -> Result<Plan> {
    let mut writer = SelectWriter { numbers, ..SelectWriter::default() };
    let row = writer.numbers.occurrence();
    let (head, tail) = body::<M, O>(&mut writer, output, clauses, row)?;
    let order = orders(&clauses.order, row, &mut writer.numbers)?;
    let bounds = bounds(limit, clauses.offset.is_some(), &mut writer.numbers);
    let lock = clauses.lock.as_ref().map(|lock| lock.to_sql(row)).unwrap_or_default();
    Ok(Plan::new(format!("{head}{tail}{order}{bounds}{lock}"), writer.level))
}

/// The statement that counts the rows of a query.
pub(crate) fn count<M: Model, O: Output<M>>(output: &O, clauses: &Clauses, numbers: Numbers) -> Result<Plan> {
    around::<M, O>(output, clauses, numbers, ["SELECT count(*)", "SELECT count(*) FROM (", ") AS c"])
}

/// The statement that says whether a query has rows.
pub(crate) fn exists<M: Model, O: Output<M>>(
    output: &O,
    clauses: &Clauses,
    numbers: Numbers,
) -> Result<Plan> {
    let mut plan = around::<M, O>(output, clauses, numbers, ["SELECT 1", "", ""])?;
    plan.sql = format!("SELECT EXISTS ({})", plan.sql).into();
    Ok(plan)
}

/// A statement about the rows of a query, whatever is read of them: `bare` in place of its columns, or where
/// the columns decide which rows there are, all of it between `head` and `tail`.
fn around<M: Model, O: Output<M>>(
    output: &O,
    clauses: &Clauses,
    numbers: Numbers,
    [bare, head, tail]: [&str; 3],
) -> Result<Plan> {
    let mut writer = SelectWriter { numbers, ..SelectWriter::default() };
    let row = writer.numbers.occurrence();
    let sql = if clauses.columns_matter() {
        let (select, rest) = body::<M, O>(&mut writer, output, clauses, row)?;
        format!("{head}{select}{rest}{tail}")
    } else {
        let from = from::<M>(&mut writer, clauses, row)?;
        let mut filter = || {
            writer.join_aliases(clauses.joins(), row)?;
            clause(" WHERE ", &clauses.filter, row, &mut writer.numbers)
        };
        let filter = filter().map_err(|e| e.of(type_name::<M>()))?;
        format!("{bare} FROM {from}{}{filter}", writer.joins)
    };
    Ok(Plan::new(sql, LevelPlan::default()))
}

/// A SELECT up to its order: with its tables, and what comes behind them.
fn body<M: Model, O: Output<M>>(
    writer: &mut SelectWriter,
    output: &O,
    clauses: &Clauses,
    row: usize,
) -> Result<(String, String)> {
    let none = Further::default();
    let further = clauses.further.as_deref().unwrap_or(&none);
    let from = from::<M>(writer, clauses, row)?;
    writer.join_aliases(&further.joins, row)?;
    output.render(writer, Occurrence(row))?;
    let SelectWriter { columns, joins, numbers, .. } = writer;
    let mut rest = || {
        let on = list("DISTINCT ON (", &further.distinct_on, row, numbers)?;
        let filter = clause(" WHERE ", &clauses.filter, row, numbers)?;
        let groups = list(" GROUP BY ", &further.groups, row, numbers)?;
        let having = having(&further.having, row, numbers)?;
        Ok((on, format!("{filter}{groups}{having}")))
    };
    let (on, tail) = rest().map_err(|e: Error| e.of(type_name::<M>()))?;
    let distinct = match (on.as_str(), clauses.distinct) {
        ("", false) => String::new(),
        ("", true) => "DISTINCT ".into(),
        _ => format!("{on}) "),
    };
    Ok((format!("SELECT {distinct}{columns} FROM {from}{joins}"), tail))
}

/// Where the rows come from: the table, or what stands in for it.
fn from<M: Model>(writer: &mut SelectWriter, clauses: &Clauses, row: usize) -> Result<String> {
    let Some(combined) = clauses.further.as_ref().and_then(|further| further.combined.as_ref()) else {
        return Ok(table::<M>(row));
    };
    let (left, right) = (part::<M>(writer, &combined.left)?, part::<M>(writer, &combined.right)?);
    Ok(format!("({left} {} {right}) AS t{row}", combined.by.keyword()))
}

/// A query of whole objects within a statement.
fn part<M: Model>(within: &mut SelectWriter, clauses: &Clauses) -> Result<String> {
    let mut writer = SelectWriter { numbers: std::mem::take(&mut within.numbers), ..SelectWriter::default() };
    let row = writer.numbers.occurrence();
    let (head, tail) = body::<M, All<M>>(&mut writer, &All::default(), clauses, row)?;
    let order = orders(&clauses.order, row, &mut writer.numbers)?;
    let bounds = bounds(clauses.limit.is_some(), clauses.offset.is_some(), &mut writer.numbers);
    // Its aliases are its own.
    writer.numbers.joined.clear();
    within.numbers = writer.numbers;
    Ok(format!("({head}{tail}{order}{bounds})"))
}
