//! What is reported of broken checks and rules.

use std::borrow::Cow;
use std::fmt;

/// One broken check or rule, or one thing that is wrong with a [request body](crate::Model::from_json).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    pub(crate) kind: &'static str,
    pub(crate) column: Option<Cow<'static, str>>,
    /// The place within an array, from 0, and within an array inside of that.
    pub(crate) items: Vec<usize>,
    pub(crate) message: Cow<'static, str>,
}

impl Violation {
    pub(crate) fn new(
        kind: &'static str,
        column: impl Into<Option<Cow<'static, str>>>,
        message: impl Into<Cow<'static, str>>,
    ) -> Self {
        Self { kind, column: column.into(), items: Vec::new(), message: message.into() }
    }

    /// What kind of thing is wrong, for programs.
    ///
    /// Of checks: `ge`, `gt`, `le`, `lt`, `length`, `one_of`, `pattern`, `scale`, `predicate`, or what the check
    /// calls itself. Of rules: `rule`, or what the rule is [named](crate::Rule::named). Of request bodies:
    /// `syntax`, `type`, `missing`, `unknown`, `duplicate`, `read_only`.
    pub fn kind(&self) -> &'static str {
        self.kind
    }

    /// The column that breaks it; `None` when the object as a whole does.
    pub fn column(&self) -> Option<&str> {
        self.column.as_deref()
    }

    /// Where it is, for a form or a program: the column, with the places (from 0) within an array, as in
    /// `tags[2]`; empty when it is about the object as a whole.
    pub fn path(&self) -> String {
        let mut path = self.column.as_deref().unwrap_or_default().to_owned();
        for place in &self.items {
            path.push_str(&format!("[{place}]"));
        }
        path
    }

    /// What was asked for, for people.
    pub fn message(&self) -> &str {
        &self.message
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.column {
            Some(_) => write!(f, "{}: {}", self.path(), self.message),
            None => f.write_str(&self.message),
        }
    }
}

/// An object of `kind`, `path` and `message`: what a service answers a form with.
#[cfg(feature = "serde_json")]
impl serde::Serialize for Violation {
    fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        use serde::ser::SerializeStruct;
        let mut object = to.serialize_struct("Violation", 3)?;
        object.serialize_field("kind", self.kind)?;
        object.serialize_field("path", &self.path())?;
        object.serialize_field("message", &*self.message)?;
        object.end()
    }
}
