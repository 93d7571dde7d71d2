//! Pieces that SELECTs are put together from.

use crate::compile::expression::{Numbers, condition, orderings, value};
use crate::compile::{quote, quote_qualified};
use crate::error::Result;
use crate::expr::Tape;
use crate::model::Model;
use crate::relation::{Link, Pair};

/// A column of an occurrence.
pub(super) fn column(of: usize, name: &str) -> String {
    let mut sql = format!("t{of}.");
    quote(&mut sql, name);
    sql
}

/// A model's table under the name of its occurrence.
pub(super) fn table<M: Model>(occurrence: usize) -> String {
    table_of(M::TABLE.schema_name().unwrap_or(""), M::TABLE.name(), occurrence)
}

/// A table under the name of its occurrence.
pub(super) fn table_of(schema: &str, name: &str, occurrence: usize) -> String {
    let mut sql = String::new();
    quote_qualified(&mut sql, schema, name);
    format!("{sql} AS t{occurrence}")
}

/// That both sides of each pair of a relation's columns are equal.
pub(super) fn equal(
    link: &Link,
    left: impl Fn(usize, &Pair) -> String,
    right: impl Fn(usize, &Pair) -> String,
) -> String {
    let equal = |(i, pair)| format!("{} = {}", left(i, pair), right(i, pair));
    link.pairs().enumerate().map(equal).collect::<Vec<_>>().join(" AND ")
}

/// The condition on a tape, if there is one, to stand among others.
pub(super) fn conditions(tape: &Tape, row: usize, numbers: &mut Numbers) -> Result<Option<String>> {
    if tape.words.is_empty() {
        return Ok(None);
    }
    condition(tape, row, numbers, true).map(Some)
}

/// The condition on a tape behind a keyword; nothing where there is none.
pub(super) fn clause(keyword: &str, tape: &Tape, row: usize, numbers: &mut Numbers) -> Result<String> {
    if tape.words.is_empty() {
        return Ok(String::new());
    }
    Ok(format!("{keyword}{}", condition(tape, row, numbers, false)?))
}

/// Expressions behind a keyword, parted by commas; nothing where there are none.
pub(super) fn list(keyword: &str, tape: &Tape, row: usize, numbers: &mut Numbers) -> Result<String> {
    if tape.words.is_empty() {
        return Ok(String::new());
    }
    Ok(format!("{keyword}{}", orderings(tape, row, numbers)?))
}

/// The condition on groups; nothing where there is none.
pub(super) fn having(tape: &Tape, row: usize, numbers: &mut Numbers) -> Result<String> {
    if tape.words.is_empty() {
        return Ok(String::new());
    }
    Ok(format!(" HAVING {}", value(tape, row, numbers)?))
}

/// ORDER BY; nothing where there is none.
pub(super) fn orders(tape: &Tape, row: usize, numbers: &mut Numbers) -> Result<String> {
    list(" ORDER BY ", tape, row, numbers)
}
