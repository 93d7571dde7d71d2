//! What is declared about a column, without its types.

use std::any::TypeId;

use wreath_codecs::{Oid, Type};

use crate::model::Identity;

/// What is declared about a column, as plain data: what tools, `CREATE TABLE` and start-up checks read.
#[derive(Clone, Debug)]
pub struct Declared {
    /// The name in the database.
    pub name: &'static str,
    /// The column's hash, made of its schema, table, name and Rust type.
    pub id: u64,
    /// The Rust type.
    pub rust_type: &'static str,
    /// The PostgreSQL type that the Rust type stands for.
    pub oid: Oid,
    /// The type of an array of it; unspecified where there is none.
    pub array: Oid,
    /// The type as it is written in SQL, where it was given.
    pub sql_type: Option<&'static str>,
    /// The modifier that its checks give the type, such as the `3` of `vector(3)`.
    pub modifier: Option<String>,
    /// Whether it may be NULL.
    pub nullable: bool,
    /// Whether and how the server numbers it.
    pub identity: Identity,
    /// Whether the server computes it, and from what.
    pub generated: Option<Generated>,
    /// The server's default, an SQL expression.
    pub default: Option<&'static str>,
    /// Whether a new row always gets the default (see [`Column::filled`](crate::Column::filled)).
    pub filled: bool,
    /// Whether the program sets it when an object is added or changed (see
    /// [`Column::on_insert`](crate::Column::on_insert) and [`Column::on_update`](crate::Column::on_update)).
    pub stamped: bool,
    /// Whether it counts the versions of a row (see [`Column::version`](crate::Column::version)).
    pub version: bool,
    /// Whether its values are unique.
    pub unique: bool,
    /// The foreign key.
    pub references: Option<Reference>,
    /// Whether it came with a group of columns (see [`Source::group`](crate::Source::group)).
    pub grouped: bool,
    pub(crate) labels: fn() -> Option<Vec<&'static str>>,
    pub(crate) type_id: TypeId,
    pub(crate) accepts: fn(&Type) -> bool,
}

impl Declared {
    /// Whether the server, and never the program, gives a new row its value.
    pub fn is_server_made(&self) -> bool {
        self.identity != Identity::No || self.generated.is_some() || self.filled
    }

    /// The labels of an enum, where its type [says them](crate::Labels).
    pub fn labels(&self) -> Option<Vec<&'static str>> {
        (self.labels)()
    }
}

/// What the server computes a column from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Generated {
    /// An SQL expression over the row's other columns.
    Expression(&'static str),
    /// Columns of text, as a document to be searched.
    Search {
        /// The text search configuration, such as `english`.
        config: &'static str,
        /// The columns' names.
        columns: &'static [&'static str],
    },
}

/// When the program, rather than the object at hand, gives a column its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fill {
    /// What makes the object has no value for it.
    Absent,
    /// The object is added.
    Insert,
    /// The object is changed.
    Update,
}

/// The column that a foreign key points to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Reference {
    /// Its schema, where the table has one.
    pub schema: Option<&'static str>,
    /// Its table.
    pub table: &'static str,
    /// Its name.
    pub column: &'static str,
    /// What becomes of the referring row when the row referred to is deleted.
    pub on_delete: OnDelete,
    /// Whether the column follows a change of the key.
    pub cascade_updates: bool,
    /// Whether it is looked at only when the transaction is committed.
    pub deferrable: bool,
}

/// What becomes of the referring rows when the row referred to is deleted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum OnDelete {
    /// The deletion is refused.
    #[default]
    Refuse,
    /// They are deleted.
    Cascade,
    /// Their column becomes NULL.
    SetNull,
    /// Their column gets its default.
    SetDefault,
}
