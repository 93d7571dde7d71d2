//! Rules over whole objects, and what is reported of broken ones.

use std::borrow::Cow;
use std::fmt;

/// A condition over several columns of a model.
///
/// ```
/// use wreath_orm::Rule;
///
/// struct Llama { age: i64, paddock_id: Option<i64> }
/// const RULES: &[Rule<Llama>] = &[
///     Rule::new("a stray llama must be under two", &["paddock_id", "age"], |l| {
///         l.paddock_id.is_some() || l.age < 2
///     }),
///     Rule::at("age", "no llama is as old as that", &["age"], |l| l.age < 40),
/// ];
/// ```
pub struct Rule<M> {
    message: &'static str,
    columns: &'static [&'static str],
    at: Option<&'static str>,
    holds: fn(&M) -> bool,
}

impl<M> Rule<M> {
    /// A rule over `columns` (names in the database). It is not asked when one of them already breaks a
    /// check of its own.
    pub const fn new(message: &'static str, columns: &'static [&'static str], holds: fn(&M) -> bool) -> Self {
        Self { message, columns, at: None, holds }
    }

    /// The same, but a violation is reported against one column rather than the whole object.
    pub const fn at(
        column: &'static str,
        message: &'static str,
        columns: &'static [&'static str],
        holds: fn(&M) -> bool,
    ) -> Self {
        Self { message, columns, at: Some(column), holds }
    }

    /// The columns that the rule is over.
    pub fn columns(&self) -> &'static [&'static str] {
        self.columns
    }

    /// The column that a violation is reported against.
    pub fn reported_at(&self) -> Option<&'static str> {
        self.at
    }

    pub(crate) fn check(&self, object: &M, found: &mut Vec<Violation>) {
        let refused = |column: &&str| found.iter().any(|v| v.column.as_deref() == Some(*column));
        if !self.columns.iter().any(refused) && !(self.holds)(object) {
            found.push(Violation {
                kind: "rule",
                column: self.at.map(Cow::Borrowed),
                message: Cow::Borrowed(self.message),
            });
        }
    }
}

impl<M> fmt::Debug for Rule<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Rule").field("message", &self.message).field("columns", &self.columns).finish()
    }
}

/// One broken check or rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    pub(crate) kind: &'static str,
    pub(crate) column: Option<Cow<'static, str>>,
    pub(crate) message: Cow<'static, str>,
}

impl Violation {
    /// What kind of check it was, for programs: `ge`, `length`, `one_of`, `predicate`, `rule`.
    pub fn kind(&self) -> &'static str {
        self.kind
    }

    /// The column that breaks it; `None` when the object as a whole does.
    pub fn column(&self) -> Option<&str> {
        self.column.as_deref()
    }

    /// What was asked for, for people.
    pub fn message(&self) -> &str {
        &self.message
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.column {
            Some(column) => write!(f, "{column}: {}", self.message),
            None => f.write_str(&self.message),
        }
    }
}
