//! INSERT, UPDATE and DELETE, each for one row or, with an array for each column, for any number of them.
//!
//! The arrays of a statement have one length and are put together row by row by `unnest` (PostgreSQL
//! manual, "Array Functions and Operators"). However many rows there are, the statement is the same.

use std::fmt::Write;

use wreath_codecs::{Oid, oid};

use crate::compile::{quote, quote_qualified};
use crate::model::{Declared, Description, Model};
use crate::plan::{Expect, LevelPlan, Plan};

/// Inserts rows with values for the columns at `sent`, and answers those at `returned`. Rows come back in
/// the order in which they went: the server inserts them in the order of the ordinal, and returns each as
/// it has inserted it.
pub(crate) fn insert<M: Model>(of: &Description<M>, sent: &[usize], returned: &[usize], many: bool) -> Plan {
    let mut sql = String::from("INSERT INTO ");
    table(&mut sql, of);
    if sent.is_empty() {
        sql.push_str(" DEFAULT VALUES");
    } else {
        sql.push_str(" (");
        list(&mut sql, sent, |sql, _, place| quote(sql, of.columns[place].name));
        if many {
            sql.push_str(") SELECT ");
            list(&mut sql, sent, |sql, i, place| value(sql, &format!("u.c{i}"), &of.columns[place]));
            sql.push_str(" FROM unnest(");
            list(&mut sql, sent, |sql, i, _| parameter(sql, i));
            sql.push_str(") WITH ORDINALITY AS u (");
            list(&mut sql, sent, |sql, i, _| write_to(sql, format_args!("c{i}")));
            sql.push_str(", n) ORDER BY u.n");
        } else {
            sql.push_str(") VALUES (");
            list(&mut sql, sent, |sql, i, _| parameter(sql, i));
            sql.push(')');
        }
    }
    let mut level = LevelPlan::default();
    if !returned.is_empty() {
        sql.push_str(" RETURNING ");
        list(&mut sql, returned, |sql, _, place| quote(sql, of.columns[place].name));
        level.expects.extend(returned.iter().map(|&place| Expect {
            model: of.model,
            column: of.columns[place].name,
            rust_type: of.columns[place].rust_type,
            accepts: of.columns[place].accepts,
        }));
    }
    Plan::new(sql, level)
}

/// Updates rows found by their key. The parameters are the key's columns, then those at `changed`.
pub(crate) fn update<M: Model>(of: &Description<M>, changed: &[usize], many: bool) -> Plan {
    let keys = of.key.len();
    let mut sql = String::from("UPDATE ");
    table(&mut sql, of);
    sql.push_str(" AS t SET ");
    list(&mut sql, changed, |sql, i, place| {
        quote(sql, of.columns[place].name);
        sql.push_str(" = ");
        if many {
            value(sql, &format!("u.c{}", keys + i), &of.columns[place]);
        } else {
            parameter(sql, keys + i);
        }
    });
    by_key(&mut sql, of, keys + changed.len(), many, " FROM ");
    Plan::new(sql, LevelPlan::default())
}

/// Deletes rows found by their key.
pub(crate) fn delete<M: Model>(of: &Description<M>, many: bool) -> Plan {
    let mut sql = String::from("DELETE FROM ");
    table(&mut sql, of);
    sql.push_str(" AS t");
    by_key(&mut sql, of, of.key.len(), many, " USING ");
    Plan::new(sql, LevelPlan::default())
}

fn by_key<M: Model>(sql: &mut String, of: &Description<M>, params: usize, many: bool, from: &str) {
    if many {
        let all: Vec<_> = (0..params).collect();
        sql.push_str(from);
        sql.push_str("unnest(");
        list(sql, &all, |sql, i, _| parameter(sql, i));
        sql.push_str(") AS u (");
        list(sql, &all, |sql, i, _| write_to(sql, format_args!("c{i}")));
        sql.push(')');
    }
    for (i, &place) in of.key.iter().enumerate() {
        sql.push_str(if i == 0 { " WHERE t." } else { " AND t." });
        quote(sql, of.columns[place].name);
        sql.push_str(" = ");
        if many {
            value(sql, &format!("u.c{i}"), &of.columns[place]);
        } else {
            parameter(sql, i);
        }
    }
}

/// Appends a value that came through an array. Elements of an array of text stay text, which only a cast
/// turns into an enum, `jsonb` or `uuid`. The cast leaves out the type's length, which the column itself
/// enforces.
fn value(sql: &mut String, from: &str, column: &Declared) {
    sql.push_str(from);
    if let Some(sql_type) = column.sql_type.filter(|_| column.oid == Oid::Fixed(oid::TEXT)) {
        sql.push_str("::");
        let (head, tail) = sql_type.split_once('(').unwrap_or((sql_type, ""));
        sql.push_str(head);
        sql.push_str(tail.split_once(')').map_or("", |(_, after)| after));
    }
}

fn table<M: Model>(sql: &mut String, of: &Description<M>) {
    quote_qualified(sql, of.table.schema_name().unwrap_or(""), of.table.name());
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
