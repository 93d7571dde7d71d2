//! The name of a table.

use std::fmt;
use std::marker::PhantomData;

use crate::model::{Column, ColumnType};
use crate::plan::hash;

/// The table that the rows of `M` are in. A constant of the model.
///
/// ```
/// use wreath_orm::Table;
///
/// struct Llama;
/// const LLAMAS: Table<Llama> = Table::new("llamas").schema("farm");
/// assert_eq!(LLAMAS.to_string(), r#""farm"."llamas""#);
/// ```
pub struct Table<M> {
    name: &'static str,
    schema: Option<&'static str>,
    model: PhantomData<fn(M)>,
}

impl<M> Table<M> {
    /// A table that is found through the connection's `search_path`.
    ///
    /// The name is the one in the database, without quotes; whatever it holds, it is quoted when it is
    /// rendered.
    pub const fn new(name: &'static str) -> Self {
        Self { name, schema: None, model: PhantomData }
    }

    /// The same table in a schema.
    #[must_use]
    pub const fn schema(self, schema: &'static str) -> Self {
        Self { schema: Some(schema), ..self }
    }

    /// The same table, as that of a stricter model: see [`Model::NARROWS`](crate::Model::NARROWS).
    pub const fn narrow<N>(self) -> Table<N> {
        Table { name: self.name, schema: self.schema, model: PhantomData }
    }

    /// A column of the table, with the accessor of the field that holds it.
    pub const fn col<T: ColumnType>(self, name: &'static str, get: fn(&M) -> &T) -> Column<M, T> {
        Column::new(self, name, get)
    }

    /// The word that stands for the table in shapes.
    pub(crate) const fn word(&self) -> u64 {
        hash::column(self.schema, self.name, "")
    }

    /// The table's name.
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// The schema, where one was given.
    pub const fn schema_name(&self) -> Option<&'static str> {
        self.schema
    }
}

impl<M> Clone for Table<M> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<M> Copy for Table<M> {}

/// The name as it stands in SQL: quoted, and qualified where it has a schema.
impl<M> fmt::Display for Table<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut sql = String::new();
        crate::compile::quote_qualified(&mut sql, self.schema.unwrap_or(""), self.name);
        f.write_str(&sql)
    }
}

impl<M> fmt::Debug for Table<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Table({self})")
    }
}
