//! Rules over whole objects.

use std::fmt;

use crate::check::Violation;

/// A condition over several columns of a model.
///
/// It looks at the columns that it names, and only at those: it is not asked when one of them is absent, as in a
/// request body that brings a part of the columns, or breaks a check of its own already.
///
/// ```
/// use wreath_orm::Rule;
///
/// struct Llama { age: i64, paddock_id: Option<i64> }
/// const RULES: &[Rule<Llama>] = &[
///     Rule::new("a stray llama must be under two", &["paddock_id", "age"], |l: &Llama| {
///         l.paddock_id.is_some() || l.age < 2
///     })
///     .named("stray")
///     .sql("paddock_id IS NOT NULL OR age < 2"),
///     Rule::at("age", "no llama is as old as that", &["age"], |l| l.age < 40),
/// ];
/// assert_eq!(RULES[1].reported_at(), Some("age"));
/// ```
pub struct Rule<M> {
    kind: &'static str,
    message: &'static str,
    columns: &'static [&'static str],
    at: Option<&'static str>,
    sql: Option<&'static str>,
    holds: fn(&M) -> bool,
}

impl<M> Rule<M> {
    /// A rule over `columns` (names in the database). It is not asked when one of them already breaks a
    /// check of its own.
    pub const fn new(message: &'static str, columns: &'static [&'static str], holds: fn(&M) -> bool) -> Self {
        Self { kind: "rule", message, columns, at: None, sql: None, holds }
    }

    /// The same, but a violation is reported against one column rather than the whole object.
    pub const fn at(
        column: &'static str,
        message: &'static str,
        columns: &'static [&'static str],
        holds: fn(&M) -> bool,
    ) -> Self {
        Self { at: Some(column), ..Self::new(message, columns, holds) }
    }

    /// The kind of its [violations](Violation::kind), for programs, instead of `rule`.
    #[must_use]
    pub const fn named(self, kind: &'static str) -> Self {
        Self { kind, ..self }
    }

    /// The same condition in SQL, for a table that [holds its checks](crate::Item::Checks) too.
    #[must_use]
    pub const fn sql(self, condition: &'static str) -> Self {
        Self { sql: Some(condition), ..self }
    }

    /// The columns that the rule is over.
    pub fn columns(&self) -> &'static [&'static str] {
        self.columns
    }

    /// The column that a violation is reported against.
    pub fn reported_at(&self) -> Option<&'static str> {
        self.at
    }

    /// The condition in SQL, where it was given.
    pub fn to_sql(&self) -> Option<&'static str> {
        self.sql
    }

    /// Asks it, unless a column of its own is absent or breaks a check.
    pub(crate) fn check(&self, object: &M, present: &dyn Fn(&str) -> bool, found: &mut Vec<Violation>) {
        let refused = |column: &str| found.iter().any(|v| v.column.as_deref() == Some(column));
        if self.columns.iter().all(|column| present(column) && !refused(column)) && !(self.holds)(object) {
            found.push(Violation::new(self.kind, self.at.map(Into::into), self.message));
        }
    }
}

impl<M> fmt::Debug for Rule<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Rule").field("message", &self.message).field("columns", &self.columns).finish()
    }
}
