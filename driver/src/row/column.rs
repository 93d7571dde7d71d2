//! What is known about a column of a result.

use std::sync::Arc;

use wreath_codecs::Type;

/// A column of a result.
#[derive(Clone, Debug)]
pub struct Column {
    pub(crate) name: Arc<str>,
    pub(crate) ty: Type,
    pub(crate) read_as: Type,
    pub(crate) table: Option<(u32, i16)>,
    pub(crate) modifier: i32,
}

impl Column {
    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its type.
    pub fn ty(&self) -> &Type {
        &self.ty
    }

    /// The type that its bytes are read as: [`ty`](Self::ty), or `unknown` where the server has no binary form
    /// of the type and sends text.
    pub fn read_as(&self) -> &Type {
        &self.read_as
    }

    /// Whether its values arrive in text form.
    pub(crate) fn is_text(&self) -> bool {
        self.read_as.oid() != self.ty.oid()
    }

    /// The number of the table it comes from and its place in that table (`pg_attribute.attnum`), where it is
    /// a table's column.
    pub fn table(&self) -> Option<(u32, i16)> {
        self.table
    }

    /// The type modifier, such as the length of a `varchar(20)` as the server encodes it; -1 for none.
    pub fn modifier(&self) -> i32 {
        self.modifier
    }
}
