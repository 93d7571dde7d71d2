//! The identity of a type, before and after a database is known.

use std::fmt;

/// Which PostgreSQL type a value is of.
///
/// Built-in types have the same number in every database. Enums, composites, domains and the types of
/// extensions have one that `CREATE` picked: they are named, and the driver looks the number up in the
/// database that it talks to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Oid {
    /// A type with a number that is the same everywhere, or that is already known.
    Fixed(u32),
    /// A type that each database numbers for itself.
    Named(Name),
    /// The array type over a named type.
    ArrayOf(Name),
}

/// The name of a type that each database numbers for itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Name {
    /// The schema; `None` searches the connection's `search_path`.
    pub schema: Option<&'static str>,
    /// The type's name, as in `pg_type.typname`: not quoted, and case-sensitive.
    pub name: &'static str,
}

impl Oid {
    /// No type: the server infers it. A parameter of no type travels as text.
    pub const UNSPECIFIED: Self = Self::Fixed(0);

    /// A type found through the connection's `search_path`.
    pub const fn named(name: &'static str) -> Self {
        Self::Named(Name { schema: None, name })
    }

    /// The number, where it does not depend on the database.
    pub const fn fixed(self) -> Option<u32> {
        match self {
            Self::Fixed(n) => Some(n),
            Self::Named(_) | Self::ArrayOf(_) => None,
        }
    }
}

impl From<u32> for Oid {
    fn from(oid: u32) -> Self {
        Self::Fixed(oid)
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.schema {
            Some(schema) => write!(f, "{schema}.{}", self.name),
            None => f.write_str(self.name),
        }
    }
}

impl fmt::Display for Oid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Fixed(n) => n.fmt(f),
            Self::Named(name) => name.fmt(f),
            Self::ArrayOf(name) => write!(f, "{name}[]"),
        }
    }
}
