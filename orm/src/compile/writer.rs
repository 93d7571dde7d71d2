//! The columns and joins of a SELECT, and the plan for reading its rows.

use smallvec::SmallVec;

use crate::compile::expression::{Numbers, condition, value};
use crate::compile::pieces::{column, conditions, equal, orders, table, table_of};
use crate::error::Result;
use crate::expr::Tape;
use crate::model::{Declared, Model};
use crate::plan::{Expect, Follow, LevelPlan, Skip};
use crate::query::{Join, Output};
use crate::relation::{Link, Many, Path, Through};

/// An occurrence of a table in a statement: `t0`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Occurrence(pub(super) usize);

/// Collects a statement's columns and joins, and what is needed to read its rows.
#[derive(Debug, Default)]
pub struct SelectWriter {
    pub(super) columns: String,
    pub(super) joins: String,
    pub(super) numbers: Numbers,
    pub(super) level: LevelPlan,
}

impl SelectWriter {
    /// Selects columns of an occurrence.
    pub(crate) fn columns(&mut self, model: &'static str, columns: &[Declared], of: Occurrence) {
        for declared in columns {
            self.select(&column(of.0, declared.name), Expect::of(model, declared));
        }
    }

    /// Joins the far end of a relation where `filter` holds for it, selects whether there is one, and then
    /// what `output` selects of it.
    pub(crate) fn join<N: Model, O: Output<N>>(
        &mut self,
        link: &Link,
        near: Occurrence,
        filter: &Tape,
        output: &O,
    ) -> Result<()> {
        let far = self.numbers.occurrence();
        let on = equal(link, |_, pair| column(far, pair.far), |_, pair| column(near.0, pair.near));
        self.joins.push_str(&format!(" LEFT JOIN {} ON {on}", table::<N>(far)));
        if !filter.words.is_empty() {
            self.joins.push_str(" AND ");
            self.joins.push_str(&condition(filter, far, &mut self.numbers, true)?);
        }
        // A row that was found equals the near column, which makes its own column not NULL.
        let presence = format!("{} IS NOT NULL", column(far, link.first().far));
        self.select(&presence, Expect::anything::<N>("the presence column"));
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

    /// Selects the near columns of a relation, and compiles the statement that fetches the far rows for many
    /// of them.
    pub(crate) fn follow<N: Model, O: Output<N>>(
        &mut self,
        path: &Path,
        near: Occurrence,
        clauses: &Many,
        output: &O,
    ) -> Result<()> {
        let mut keys = SmallVec::new();
        for pair in path.near().pairs() {
            self.select(&column(near.0, pair.near), Expect::anything::<N>(pair.near));
            keys.push((pair.types)());
        }
        let mut inner = Self::default();
        let k = unnest(keys.len(), &mut inner.numbers);
        let far = FarRows::of::<N>(path, &mut inner.numbers)?;
        // The ordinal is not written among the columns, because those may stand in a SELECT of their own.
        inner.level.expects.push(Expect::anything::<N>("the ordinal column"));
        output.render(&mut inner, Occurrence(far.row))?;
        let filter = conditions(&clauses.filter, far.row, &mut inner.numbers)?;
        let order = orders(&clauses.order, far.row, &mut inner.numbers)?;
        let FarRows { first, matches, further, .. } = far;
        let Self { columns, joins, numbers, .. } = &mut inner;
        let sql = if clauses.is_part() {
            let filter = filter.map(|filter| format!(" AND {filter}")).unwrap_or_default();
            let bounds = bounds(clauses.limit.is_some(), clauses.offset.is_some(), numbers);
            format!(
                "SELECT k.n, l.* FROM {k} CROSS JOIN LATERAL (SELECT {columns} FROM {first}{further}{joins} \
                 WHERE {matches}{filter}{order}{bounds}) AS l"
            )
        } else {
            let filter = filter.map(|filter| format!(" WHERE {filter}")).unwrap_or_default();
            format!("SELECT k.n, {columns} FROM {k} JOIN {first} ON {matches}{further}{joins}{filter}{order}")
        };
        self.level.follows.push(Follow { sql: sql.into(), keys, level: inner.level.into() });
        Ok(())
    }

    /// Selects the expression on a tape.
    pub(crate) fn value(&mut self, tape: &Tape, of: Occurrence, expect: Expect) -> Result<()> {
        let sql = value(tape, of.0, &mut self.numbers)?;
        self.select(&sql, expect);
        Ok(())
    }

    /// Joins other occurrences of tables, each under its alias.
    pub(super) fn join_aliases(&mut self, joins: &[Join], row: usize) -> Result<()> {
        for join in joins {
            let occurrence = self.numbers.occurrence();
            // It is open in its own condition already.
            self.numbers.joined.push((join.alias, occurrence));
            let on = condition(&join.on, row, &mut self.numbers, false)?;
            let kind = if join.outer { "LEFT JOIN" } else { "JOIN" };
            self.joins
                .push_str(&format!(" {kind} {} ON {on}", table_of(join.schema, join.table, occurrence)));
        }
        Ok(())
    }

    /// Selects an expression.
    pub(crate) fn select(&mut self, sql: &str, expect: Expect) {
        if !self.columns.is_empty() {
            self.columns.push_str(", ");
        }
        self.columns.push_str(sql);
        self.level.expects.push(expect);
    }
}

/// LIMIT and OFFSET, as parameters.
pub(super) fn bounds(limit: bool, offset: bool, numbers: &mut Numbers) -> String {
    let mut sql = String::new();
    for (given, keyword) in [(limit, " LIMIT "), (offset, " OFFSET ")] {
        if given {
            sql.push_str(keyword);
            sql.push_str(&numbers.param());
        }
    }
    sql
}

/// The keys that were asked for, one parameter for each of their columns, and the ordinal of each.
fn unnest(columns: usize, numbers: &mut Numbers) -> String {
    let params: Vec<_> = (0..columns).map(|_| numbers.param()).collect();
    let names: Vec<_> = (0..columns).map(|i| format!("v{i}")).collect();
    format!("unnest({}) WITH ORDINALITY AS k ({}, n)", params.join(", "), names.join(", "))
}

/// The tables of the far rows.
struct FarRows {
    /// The occurrence of the far rows.
    row: usize,
    /// The table that the keys lead to, and the condition for it.
    first: String,
    matches: String,
    /// What is joined to that one.
    further: String,
}

impl FarRows {
    fn of<N: Model>(path: &Path, numbers: &mut Numbers) -> Result<Self> {
        let first = numbers.occurrence();
        match path {
            Path::Direct(link) => {
                let matches = equal(link, |_, pair| column(first, pair.far), |i, _| format!("k.v{i}"));
                Ok(Self { row: first, first: table::<N>(first), matches, further: String::new() })
            }
            Path::Through(through) => Self::through::<N>(through, first, numbers),
        }
    }

    fn through<N: Model>(through: &Through, between: usize, numbers: &mut Numbers) -> Result<Self> {
        let row = numbers.occurrence();
        let on = equal(&through.far, |_, pair| column(row, pair.far), |_, pair| column(between, pair.near));
        let further = format!(" JOIN {} ON {on}", table::<N>(row));
        let named = |occurrence| table_of(through.schema, through.table, occurrence);
        let matches = |occurrence| {
            equal(&through.near, |_, pair| column(occurrence, pair.far), |i, _| format!("k.v{i}"))
        };
        if (through.distinct)(through)? {
            return Ok(Self { row, first: named(between), matches: matches(between), further });
        }
        // Several of its rows may lead from one to the same other, which comes once all the same.
        let inner = numbers.occurrence();
        let ends: Vec<_> = through.far.pairs().map(|pair| column(inner, pair.near)).collect();
        let first = format!(
            "LATERAL (SELECT DISTINCT {} FROM {} WHERE {}) AS t{between}",
            ends.join(", "),
            named(inner),
            matches(inner),
        );
        Ok(Self { row, first, matches: "true".into(), further })
    }
}
