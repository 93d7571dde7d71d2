//! What changes are about.

use crate::frame::body::Body;
use crate::frame::{Fault, FrameError, Text};

/// Relation: a table, told before its first change and whenever it has been altered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Relation<'a> {
    /// The transaction that streams it, before it has been committed.
    pub xid: Option<u32>,
    /// Its number, by which changes name it.
    pub oid: u32,
    /// Its schema; empty for `pg_catalog`.
    pub schema: Text<'a>,
    /// Its name.
    pub name: Text<'a>,
    /// How old rows are told.
    pub identity: Identity,
    /// Its columns, but for generated ones.
    pub columns: Columns<'a>,
}

/// What is sent of a row that is updated or deleted (`REPLICA IDENTITY`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Identity {
    /// The primary key.
    Default,
    /// Nothing.
    Nothing,
    /// All columns.
    Full,
    /// The columns of an index.
    Index,
}

/// The columns of a relation, in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Columns<'a> {
    count: usize,
    bytes: &'a [u8],
}

/// A column of a relation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Column<'a> {
    /// Whether it is a part of what tells rows apart.
    pub is_key: bool,
    /// Its name.
    pub name: Text<'a>,
    /// The number of its type.
    pub type_oid: u32,
    /// The type modifier; -1 for none.
    pub type_modifier: i32,
}

/// Type: the name of a type that is not built in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TypeName<'a> {
    /// The transaction that streams it, before it has been committed.
    pub xid: Option<u32>,
    /// Its number.
    pub oid: u32,
    /// Its schema; empty for `pg_catalog`.
    pub schema: Text<'a>,
    /// Its name.
    pub name: Text<'a>,
}

impl<'a> Relation<'a> {
    pub(super) fn read(b: &mut Body<'a>, xid: Option<u32>) -> Result<Self, FrameError> {
        let (oid, schema, name) = (b.u32()?, b.text()?, b.text()?);
        let identity = match b.u8()? {
            b'd' => Identity::Default,
            b'n' => Identity::Nothing,
            b'f' => Identity::Full,
            b'i' => Identity::Index,
            other => return Err(b.fault(Fault::Code(other.into()))),
        };
        let count = usize::from(b.u16()?);
        let start = b.rest();
        for _ in 0..count {
            Column::read(b)?;
        }
        let columns = Columns { count, bytes: b.since(start) };
        Ok(Self { xid, oid, schema, name, identity, columns })
    }
}

impl<'a> Columns<'a> {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.count
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The columns, in order.
    pub fn iter(&self) -> impl Iterator<Item = Column<'a>> + Clone + use<'a> {
        let mut bytes = self.bytes;
        (0..self.count).map_while(move |_| {
            let mut b = Body::new("Relation", bytes);
            // They have been read before.
            let column = Column::read(&mut b).ok()?;
            bytes = b.take_rest();
            Some(column)
        })
    }
}

impl<'a> Column<'a> {
    fn read(b: &mut Body<'a>) -> Result<Self, FrameError> {
        let flags = b.u8()?;
        Ok(Self { is_key: flags & 1 != 0, name: b.text()?, type_oid: b.u32()?, type_modifier: b.i32()? })
    }
}

impl<'a> TypeName<'a> {
    pub(super) fn read(b: &mut Body<'a>, xid: Option<u32>) -> Result<Self, FrameError> {
        Ok(Self { xid, oid: b.u32()?, schema: b.text()?, name: b.text()? })
    }
}
