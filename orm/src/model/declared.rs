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
    /// Whether it may be NULL.
    pub nullable: bool,
    /// Whether and how the server numbers it.
    pub identity: Identity,
    /// Whether the server computes it, and from what.
    pub generated: Option<&'static str>,
    /// The server's default, an SQL expression.
    pub default: Option<&'static str>,
    /// Whether its values are unique.
    pub unique: bool,
    /// The foreign key.
    pub references: Option<Reference>,
    /// Whether it came with a group of columns (see [`Source::group`](crate::Source::group)).
    pub grouped: bool,
    pub(crate) type_id: TypeId,
    pub(crate) accepts: fn(&Type) -> bool,
}

impl Declared {
    /// Whether the server, and never the program, gives a new row its value.
    pub fn is_server_made(&self) -> bool {
        self.identity != Identity::No || self.generated.is_some()
    }
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
}
