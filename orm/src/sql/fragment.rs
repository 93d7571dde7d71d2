//! The one way in for text that was made at run time.

use std::borrow::Cow;

/// SQL that is put into a statement as it is: neither quoted nor bound.
///
/// Some of SQL is syntax that no parameter can stand for, such as a direction. Nothing about the text is
/// checked, so it has to be the program's own: look a caller's choice up among texts that the program has.
///
/// ```
/// use wreath_orm::{Fragment, sql};
///
/// fn listing(wanted: &str) -> Option<wreath_orm::Statement> {
///     let direction = match wanted {
///         "oldest" => Fragment::new("DESC"),
///         "youngest" => Fragment::new("ASC"),
///         _ => return None,
///     };
///     Some(sql("SELECT name FROM llamas ORDER BY age ").fragment(&direction))
/// }
/// assert_eq!(listing("oldest").unwrap().text(), "SELECT name FROM llamas ORDER BY age DESC");
/// assert!(listing("age; DROP TABLE llamas").is_none());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fragment(Cow<'static, str>);

impl Fragment {
    /// Text that is known to be good SQL.
    pub fn new(text: impl Into<Cow<'static, str>>) -> Self {
        Self(text.into())
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}
