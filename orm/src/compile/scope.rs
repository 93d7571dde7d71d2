//! What columns belong to: relations, aliases and subqueries that are open around them.

use std::fmt::Write;

use crate::compile::expression::{Reader, malformed};
use crate::compile::{quote, quote_qualified};
use crate::error::{Error, Result};
use crate::expr::{Op, PROPOSED};
use crate::plan::hash;

/// What is open at a place in an expression.
pub(super) struct Scope {
    /// The number of the table's occurrence: `t0`.
    occurrence: usize,
    /// The word of the table.
    table: u64,
    kind: Kind,
    /// The SQL ahead of what it holds.
    head: String,
    /// How many pieces were waiting when it was opened.
    height: usize,
}

/// What opened a scope.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Relation,
    Alias(&'static str),
    Select,
}

impl Scope {
    /// Whether plain columns within belong to it: those within an alias are those of the row around it.
    fn is_of_plain_columns(&self) -> bool {
        !matches!(self.kind, Kind::Alias(_))
    }
}

impl Reader<'_> {
    /// A column, whose table is found by how it is written.
    pub(super) fn column(&mut self, op: Op) -> Result<()> {
        let mut sql = match op {
            Op::Aliased => {
                self.words_of(2)?;
                let alias = self.name()?;
                self.alias_scope(alias)?
            }
            Op::Outer => {
                let table = self.word()?;
                self.word()?;
                format!("t{}", self.outer_scope(table)?)
            }
            _ => {
                self.word()?;
                format!("t{}", self.row_scope())
            }
        };
        sql.push('.');
        quote(&mut sql, self.name()?);
        self.atom(sql);
        Ok(())
    }

    pub(super) fn open_relation(&mut self) -> Result<()> {
        let pairs = self.word()?;
        let (schema, table) = (self.name()?, self.name()?);
        let outer = self.row_scope();
        let mut head = self.open(Kind::Relation, schema, table);
        let occurrence = head.occurrence;
        head.head.push_str(" WHERE ");
        for _ in 0..pairs {
            self.words_of(2)?;
            let (far, near) = (self.name()?, self.name()?);
            let _ = write!(head.head, "t{occurrence}.");
            quote(&mut head.head, far);
            let _ = write!(head.head, " = t{outer}.");
            quote(&mut head.head, near);
            head.head.push_str(" AND ");
        }
        self.scopes.push(head);
        Ok(())
    }

    pub(super) fn open_alias(&mut self) -> Result<()> {
        self.words_of(2)?;
        let (alias, schema, table) = (self.name()?, self.name()?, self.name()?);
        let mut scope = self.open(Kind::Alias(alias), schema, table);
        scope.head.push_str(" WHERE ");
        self.scopes.push(scope);
        Ok(())
    }

    pub(super) fn open_select(&mut self) -> Result<()> {
        self.words_of(1)?;
        let (schema, table) = (self.name()?, self.name()?);
        let scope = self.open(Kind::Select, schema, table);
        self.scopes.push(scope);
        Ok(())
    }

    /// A scope over another occurrence of a table.
    fn open(&mut self, kind: Kind, schema: &str, table: &str) -> Scope {
        let occurrence = self.numbers.occurrence();
        let mut head = String::from(if kind == Kind::Select { " FROM " } else { "EXISTS (SELECT 1 FROM " });
        quote_qualified(&mut head, schema, table);
        let _ = write!(head, " AS t{occurrence}");
        let named = Some(schema).filter(|schema| !schema.is_empty());
        let table = hash::column(named, table, "");
        Scope { occurrence, table, kind, head, height: self.stack.len() }
    }

    /// The end of a relation or an alias.
    pub(super) fn close(&mut self) -> Result<()> {
        use crate::expr::Binding::{And, Or};
        let Scope { kind, head, .. } = self.scopes.pop().ok_or_else(malformed)?;
        // What stands behind the AND of a relation is one of two conditions, what stands in an alias is the
        // only one.
        let inner = self.pop()?.within(if kind == Kind::Relation { And } else { Or });
        self.atom(format!("{head}{inner})"));
        Ok(())
    }

    /// The end of a subquery.
    pub(super) fn close_select(&mut self) -> Result<()> {
        let clauses = self.word()?;
        let Scope { head, height, .. } = self.scopes.pop().ok_or_else(malformed)?;
        let mut clause = |bit: u64| if clauses & bit == 0 { Ok(None) } else { self.pop().map(Some) };
        let (offset, limit) = (clause(4)?, clause(2)?);
        let orders = self.stack.len().checked_sub(height + 1 + usize::from(clauses & 1 != 0));
        let orders = self.list(orders.ok_or_else(malformed)?)?;
        let filter = if clauses & 1 == 0 { None } else { Some(self.pop()?) };
        let distinct = if clauses & 8 == 0 { "" } else { "DISTINCT " };
        let mut sql = format!("(SELECT {distinct}{}{head}", self.pop()?.sql);
        for (keyword, clause) in [
            (" WHERE ", filter.map(|piece| piece.sql)),
            (" ORDER BY ", Some(orders).filter(|orders| !orders.is_empty())),
            (" LIMIT ", limit.map(|piece| piece.sql)),
            (" OFFSET ", offset.map(|piece| piece.sql)),
        ] {
            if let Some(clause) = clause {
                sql.push_str(keyword);
                sql.push_str(&clause);
            }
        }
        self.atom(sql + ")");
        Ok(())
    }

    /// The occurrence that plain columns belong to: that of the innermost open relation or subquery, else the
    /// row's own.
    fn row_scope(&self) -> usize {
        let open = self.scopes.iter().rev().find(|scope| scope.is_of_plain_columns());
        open.map_or(self.row, |scope| scope.occurrence)
    }

    /// What an alias is called in the statement.
    fn alias_scope(&self, alias: &'static str) -> Result<String> {
        let open = self.scopes.iter().rev().find(|scope| scope.kind == Kind::Alias(alias));
        match open {
            Some(scope) => Ok(format!("t{}", scope.occurrence)),
            None if alias == PROPOSED && self.numbers.proposed => Ok(PROPOSED.to_owned()),
            None => match self.numbers.joined.iter().find(|(name, _)| *name == alias) {
                Some((_, occurrence)) => Ok(format!("t{occurrence}")),
                None => Err(Error::declaration(format!(
                    "a column of the alias {alias:?} stands outside the alias's `exists`, and it is not joined"
                ))),
            },
        }
    }

    /// The nearest occurrence of a table around the one that plain columns belong to.
    fn outer_scope(&self, table: u64) -> Result<usize> {
        let mut around = self.scopes.iter().rev().filter(|scope| scope.is_of_plain_columns());
        if around.next().is_none() {
            return Err(Error::declaration("a column of the query around stands outside of a subquery"));
        }
        Ok(around.find(|scope| scope.table == table).map_or(self.row, |scope| scope.occurrence))
    }
}
