//! The text of a statement.

use std::collections::hash_map::RandomState;
use std::fmt;
use std::hash::BuildHasher;
use std::sync::{Arc, OnceLock};

/// The text of a statement together with its hash, so that the statement cache is asked without reading the
/// text again. Cloning it copies a pointer.
///
/// ```
/// use wreath_driver::Sql;
///
/// let by_id = Sql::new("SELECT name FROM llamas WHERE id = $1");
/// assert_eq!(by_id.as_str(), "SELECT name FROM llamas WHERE id = $1");
/// ```
#[derive(Clone)]
pub struct Sql {
    text: Arc<str>,
    hash: u64,
}

impl Sql {
    /// A statement's text.
    pub fn new(text: impl Into<Arc<str>>) -> Self {
        let text = text.into();
        let hash = hash(&text);
        Self { text, hash }
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    pub(crate) fn to_shared(&self) -> Arc<str> {
        Arc::clone(&self.text)
    }

    pub(crate) fn borrowed(&self) -> SqlRef<'_> {
        SqlRef { text: &self.text, shared: Some(&self.text), hash: self.hash }
    }
}

/// A statement's text that may not be shared yet: it is copied only where a statement is made of it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SqlRef<'a> {
    pub(crate) text: &'a str,
    shared: Option<&'a Arc<str>>,
    pub(crate) hash: u64,
}

impl<'a> SqlRef<'a> {
    pub(crate) fn new(text: &'a str) -> Self {
        Self { text, shared: None, hash: hash(text) }
    }

    pub(crate) fn to_shared(self) -> Arc<str> {
        self.shared.map_or_else(|| self.text.into(), Arc::clone)
    }
}

/// Hashes of one text agree in all of a process, and only there.
fn hash(text: &str) -> u64 {
    static KEYS: OnceLock<RandomState> = OnceLock::new();
    KEYS.get_or_init(RandomState::new).hash_one(text)
}

impl From<&str> for Sql {
    fn from(text: &str) -> Self {
        Self::new(text)
    }
}

impl From<String> for Sql {
    fn from(text: String) -> Self {
        Self::new(text)
    }
}

impl From<Arc<str>> for Sql {
    fn from(text: Arc<str>) -> Self {
        Self::new(text)
    }
}

impl fmt::Debug for Sql {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.text.fmt(f)
    }
}

impl fmt::Display for Sql {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}
