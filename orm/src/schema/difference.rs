//! What is reported.

use std::fmt;

/// A way in which the database is not what a model declares; see [`Db::check_schema`](crate::Db::check_schema).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    pub(super) kind: DifferenceKind,
    pub(super) model: &'static str,
    pub(super) table: String,
    pub(super) column: Option<String>,
    pub(super) declared: String,
    pub(super) found: String,
}

/// The kinds of [`Difference`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum DifferenceKind {
    /// There is no such table or view.
    NoTable,
    /// The table has no such column.
    NoColumn,
    /// The column's type is none that the Rust type can be read from.
    Type,
    /// The labels of an enum are not those of the Rust enum.
    Labels,
    /// The column may be NULL, and the field is no `Option`.
    Nullable,
    /// The column is NOT NULL, and the field is an `Option`: a warning.
    NotNull,
    /// The model leaves the column to the server, which has no value for it; or sends it one that the server refuses.
    ServerMade,
    /// Rows that are told apart by the model's key may have the same.
    Key,
    /// Columns that are declared to be unique may have the same values twice.
    Unique,
    /// The model lacks a column that is NOT NULL and has no default, so no row can be inserted: a warning.
    Unset,
}

impl Difference {
    /// What kind it is.
    pub fn kind(&self) -> DifferenceKind {
        self.kind
    }

    /// Whether something of the model cannot work, or could be read or written wrongly. The others are warnings.
    pub fn is_error(&self) -> bool {
        !matches!(self.kind, DifferenceKind::NotNull | DifferenceKind::Unset)
    }

    /// The Rust path of the model that declares it.
    pub fn model(&self) -> &'static str {
        self.model
    }

    /// The table's name, quoted and qualified as SQL writes it.
    pub fn table(&self) -> &str {
        &self.table
    }

    /// The column's name; none where it is about the whole table, or about several columns.
    pub fn column(&self) -> Option<&str> {
        self.column.as_deref()
    }

    /// What is declared, for people.
    pub fn declared(&self) -> &str {
        &self.declared
    }

    /// What the database has, for people.
    pub fn found(&self) -> &str {
        &self.found
    }
}

/// `"llamas"."age" of farm::Llama: declared int8 (i64), found text`.
impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.table)?;
        if let Some(column) = &self.column {
            write!(f, ".{column:?}")?;
        }
        write!(f, " of {}: declared {}, found {}", self.model, self.declared, self.found)
    }
}
