//! INSERT, UPDATE and DELETE: of objects, each for one or, with an array for each column, for any number of them, and
//! of all rows that a query finds.
//!
//! The arrays of a statement have one length and are put together row by row by `unnest` (PostgreSQL
//! manual, "Array Functions and Operators"). However many rows there are, the statement is the same.

use std::any::type_name;
use std::fmt::Write;

use wreath_codecs::{Oid, oid};

use crate::compile::expression::{Numbers, condition};
use crate::compile::pieces::{clause, table as occurrence};
use crate::compile::table::type_name as sql_name;
use crate::compile::{Returned, quote, quote_qualified};
use crate::error::Result;
use crate::expr::{PROPOSED, Tape};
use crate::model::{Declared, Description, Model, SoftDelete, describe};
use crate::plan::Plan;
use crate::write::{Assignment, Carrier, OnConflict, Sent, carrier};

/// Lets constraints wait for the end of the transaction, where they are declared so that they can (PostgreSQL manual,
/// "SET CONSTRAINTS").
pub(crate) const DEFER: &str = "SET CONSTRAINTS ALL DEFERRED";

/// Inserts rows with values for the columns that are sent. Rows come back in the order in which they went: the
/// server inserts them in the order of the ordinal, and returns each as it has inserted it.
pub(crate) fn insert<M: Model>(
    of: &Description<M>,
    sent: &Sent,
    conflict: Option<&OnConflict>,
    returned: Returned,
) -> Result<Plan> {
    let mut sql = String::from("INSERT INTO ");
    sql.push_str(&occurrence::<M>(0));
    if sent.places.is_empty() {
        sql.push_str(" DEFAULT VALUES");
    } else {
        sql.push_str(" (");
        list(&mut sql, &sent.places, |sql, _, place| quote(sql, of.columns[place].name));
        sql.push_str(if sent.overriding { ") OVERRIDING SYSTEM VALUE " } else { ") " });
        if sent.many {
            sql.push_str("SELECT ");
            try_list(&mut sql, &sent.places, |sql, i, place| value(sql, i, &of.columns[place]))?;
            sql.push_str(" FROM unnest(");
            list(&mut sql, &sent.places, |sql, i, _| parameter(sql, i));
            sql.push_str(") WITH ORDINALITY AS u (");
            list(&mut sql, &sent.places, |sql, i, _| write_to(sql, format_args!("c{i}")));
            sql.push_str(", n) ORDER BY u.n");
        } else {
            sql.push_str("VALUES (");
            list(&mut sql, &sent.places, |sql, i, _| parameter(sql, i));
            sql.push(')');
        }
    }
    if let Some(conflict) = conflict {
        let numbers =
            Numbers { params: sent.places.len(), occurrences: 1, proposed: true, ..Numbers::default() };
        on_conflict::<M>(&mut sql, conflict, numbers)?;
    }
    let level = returned.render(&mut sql);
    Ok(Plan::new(sql, level))
}

fn on_conflict<M: Model>(sql: &mut String, conflict: &OnConflict, mut numbers: Numbers) -> Result<()> {
    sql.push_str(" ON CONFLICT ");
    match conflict.constraint {
        Some(name) => {
            sql.push_str("ON CONSTRAINT ");
            quote(sql, name);
        }
        None => {
            sql.push('(');
            for (i, (name, _)) in conflict.columns.iter().enumerate() {
                sql.push_str(if i > 0 { ", " } else { "" });
                quote(sql, name);
            }
            sql.push(')');
        }
    }
    let Some(sets) = &conflict.sets else {
        sql.push_str(" DO NOTHING");
        return Ok(());
    };
    sql.push_str(" DO UPDATE SET ");
    assignments(sql, &sets.all, &mut numbers).map_err(|e| e.of(type_name::<M>()))?;
    next_version(sql, describe::<M>()?);
    sql.push_str(&only_where::<M>(&conflict.filter, &mut numbers)?);
    Ok(())
}

/// Updates rows found by their key, and by their version where they have one. The parameters are what they are found by,
/// then the columns at `changed`. Answers which rows it has met, where there are many, and what the server has made.
pub(crate) fn update<M: Model>(of: &Description<M>, changed: &[usize], many: bool) -> Result<Plan> {
    let found = of.found_by().count();
    let mut sql = String::from("UPDATE ");
    sql.push_str(&occurrence::<M>(0));
    sql.push_str(" SET ");
    try_list(&mut sql, changed, |sql, i, place| {
        quote(sql, of.columns[place].name);
        sql.push_str(" = ");
        if many {
            value(sql, found + i, &of.columns[place])?;
        } else {
            parameter(sql, found + i);
        }
        Ok(())
    })?;
    next_version(&mut sql, of);
    by_key(&mut sql, of, found + changed.len(), many, " FROM ")?;
    let made = Returned::columns(of.model, of.made_by_updates().map(|place| &of.columns[place]))?;
    let level = made.numbered(many).render(&mut sql);
    Ok(Plan::new(sql, level))
}

/// Deletes rows found by their key, and by their version where they have one. Answers which rows it has met, where there
/// are many.
pub(crate) fn delete<M: Model>(of: &Description<M>, many: bool) -> Result<Plan> {
    let mut sql = deletion::<M>(of);
    let list = if M::SOFT_DELETE.is_some() { " FROM " } else { " USING " };
    by_key(&mut sql, of, of.found_by().count(), many, list)?;
    let level = Returned::default().numbered(many).render(&mut sql);
    Ok(Plan::new(sql, level))
}

/// Goes on to the next version of a row, where rows have one.
fn next_version<M>(sql: &mut String, of: &Description<M>) {
    if let Some(place) = of.version {
        let name = of.columns[place].name;
        sql.push_str(", ");
        quote(sql, name);
        sql.push_str(" = t0.");
        quote(sql, name);
        sql.push_str(" + 1");
    }
}

/// Updates all rows that a filter finds.
pub(crate) fn update_where<M: Model>(sets: &[Assignment], filter: &Tape, returned: Returned) -> Result<Plan> {
    let mut numbers = Numbers { occurrences: 1, ..Numbers::default() };
    let mut sql = String::from("UPDATE ");
    sql.push_str(&occurrence::<M>(0));
    sql.push_str(" SET ");
    assignments(&mut sql, sets, &mut numbers).map_err(|e| e.of(type_name::<M>()))?;
    next_version(&mut sql, describe::<M>()?);
    sql.push_str(&only_where::<M>(filter, &mut numbers)?);
    let level = returned.render(&mut sql);
    Ok(Plan::new(sql, level))
}

/// What a deletion begins with, as far as which rows it is about: where it only marks them, an update.
fn deletion<M: Model>(of: &Description<M>) -> String {
    let Some(SoftDelete { column, value }) = M::SOFT_DELETE else {
        return format!("DELETE FROM {}", occurrence::<M>(0));
    };
    let mut sql = format!("UPDATE {} SET ", occurrence::<M>(0));
    quote(&mut sql, column);
    sql.push_str(" = ");
    sql.push_str(value);
    next_version(&mut sql, of);
    sql
}

/// Deletes all rows that a filter finds.
pub(crate) fn delete_where<M: Model>(filter: &Tape, returned: Returned) -> Result<Plan> {
    let mut numbers = Numbers { occurrences: 1, ..Numbers::default() };
    let mut sql = deletion(describe::<M>()?);
    sql.push_str(&only_where::<M>(filter, &mut numbers)?);
    let level = returned.render(&mut sql);
    Ok(Plan::new(sql, level))
}

/// Copies rows with values for the columns that are sent.
pub(crate) fn copy<M: Model>(of: &Description<M>, sent: &[usize]) -> String {
    let mut sql = String::from("COPY ");
    table(&mut sql, of);
    sql.push_str(" (");
    list(&mut sql, sent, |sql, _, place| quote(sql, of.columns[place].name));
    sql.push_str(") FROM STDIN (FORMAT binary)");
    sql
}

fn assignments(sql: &mut String, sets: &[Assignment], numbers: &mut Numbers) -> Result<()> {
    for (i, set) in sets.iter().enumerate() {
        sql.push_str(if i > 0 { ", " } else { "" });
        quote(sql, set.column);
        sql.push_str(" = ");
        match &set.value {
            Some(tape) => sql.push_str(&condition(tape, 0, numbers, false).map_err(|e| e.at(set.column))?),
            None => {
                write_to(sql, format_args!("{PROPOSED}."));
                quote(sql, set.column);
            }
        }
    }
    Ok(())
}

fn by_key<M: Model>(
    sql: &mut String,
    of: &Description<M>,
    params: usize,
    many: bool,
    from: &str,
) -> Result<()> {
    if many {
        let all: Vec<_> = (0..params).collect();
        sql.push_str(from);
        sql.push_str("unnest(");
        list(sql, &all, |sql, i, _| parameter(sql, i));
        sql.push_str(") WITH ORDINALITY AS u (");
        list(sql, &all, |sql, i, _| write_to(sql, format_args!("c{i}")));
        sql.push_str(", n)");
    }
    for (i, place) in of.found_by().enumerate() {
        sql.push_str(if i == 0 { " WHERE t0." } else { " AND t0." });
        quote(sql, of.columns[place].name);
        sql.push_str(" = ");
        if many {
            value(sql, i, &of.columns[place])?;
        } else {
            parameter(sql, i);
        }
    }
    Ok(())
}

/// Appends the `i`th value of a row that came through arrays. Elements of an array of text stay text, which only a
/// cast turns into an enum, `jsonb`, `uuid` or an array. The cast leaves out the type's length, which the column
/// itself enforces.
fn value(sql: &mut String, i: usize, column: &Declared) -> Result<()> {
    write_to(sql, format_args!("u.c{i}"));
    let as_text = carrier(column) == Some(Carrier::Text);
    match column.sql_type {
        Some(sql_type) if as_text || column.oid == Oid::Fixed(oid::TEXT) => {
            sql.push_str("::");
            let (head, tail) = sql_type.split_once('(').unwrap_or((sql_type, ""));
            sql.push_str(head);
            sql.push_str(tail.split_once(')').map_or("", |(_, after)| after));
        }
        None if as_text => {
            sql.push_str("::");
            sql_name(sql, column.oid)?;
        }
        _ => {}
    }
    Ok(())
}

fn table<M: Model>(sql: &mut String, of: &Description<M>) {
    quote_qualified(sql, of.table.schema_name().unwrap_or(""), of.table.name());
}

/// The filter of a write.
fn only_where<M: Model>(filter: &Tape, numbers: &mut Numbers) -> Result<String> {
    clause(" WHERE ", filter, 0, numbers).map_err(|e| e.of(type_name::<M>()))
}

/// Appends the `i`th parameter, from 0.
fn parameter(sql: &mut String, i: usize) {
    write_to(sql, format_args!("${}", i + 1));
}

fn write_to(sql: &mut String, args: std::fmt::Arguments<'_>) {
    sql.write_fmt(args).expect("a string takes everything");
}

fn list(sql: &mut String, places: &[usize], mut item: impl FnMut(&mut String, usize, usize)) {
    for (i, &place) in places.iter().enumerate() {
        if i > 0 {
            sql.push_str(", ");
        }
        item(sql, i, place);
    }
}

fn try_list(
    sql: &mut String,
    places: &[usize],
    mut item: impl FnMut(&mut String, usize, usize) -> Result<()>,
) -> Result<()> {
    let mut done = Ok(());
    list(sql, places, |sql, i, place| {
        if done.is_ok() {
            done = item(sql, i, place);
        }
    });
    done
}
