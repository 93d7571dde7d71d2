//! Objects as bytes: what was, to compare with and to go back to.

use wreath_codecs::wire::Reader;
use wreath_codecs::{Encoder, Type};

use crate::error::{Error, Result};
use crate::model::{
    Column, ColumnType, Columns, Declared, Description, Load, Model, Source, sealed, stand_in,
};

/// All values of an object, as they travel, one after the other.
pub(crate) type Snapshot = Box<[u8]>;

/// Takes a snapshot.
pub(crate) fn take<M: Model>(of: &Description<M>, object: &M) -> Result<Encoder> {
    let mut out = Encoder::new();
    of.encode(object, &mut out)?;
    Ok(out)
}

/// Makes an object of a snapshot.
pub(crate) fn restore<M: Model>(bytes: &[u8], types: &[Type]) -> Result<M> {
    restore_part::<M, M>(bytes, types)
}

/// Makes a struct of a snapshot of the columns that it takes.
pub(crate) fn restore_part<M, L: Load<M>>(bytes: &[u8], types: &[Type]) -> Result<L> {
    L::load(&mut SnapshotSource { values: Reader::new(bytes), types: types.iter() })
}

/// The key of an object.
pub(crate) fn key_of<M: Model>(of: &Description<M>, object: &M) -> Result<M::Key> {
    let mut bytes = Encoder::new();
    of.encode_key(object, &mut bytes)?;
    let types: Vec<_> = of.key.iter().map(|&place| stand_in(of.columns[place].oid)).collect();
    M::key().read(&mut SnapshotSource { values: Reader::new(bytes.as_bytes()), types: types.iter() })
}

/// The value at a place of a snapshot.
pub(crate) fn value_at(bytes: &[u8], place: usize) -> Result<Option<&[u8]>> {
    let mut values = Reader::new(bytes);
    for _ in 0..place {
        values.value().map_err(Error::mapping)?;
    }
    values.value().map_err(Error::mapping)
}

/// Appends a value as it travels.
pub(crate) fn put(out: &mut Encoder, value: Option<&[u8]>) -> Result<()> {
    match value {
        None => out.put_i32(-1),
        Some(bytes) => out.put_sized(|out| {
            out.put(bytes);
            Ok(())
        })?,
    }
    Ok(())
}

/// The types that snapshots are read as.
pub(crate) fn types(columns: &[Declared]) -> Vec<Type> {
    columns.iter().map(|c| stand_in(c.oid)).collect()
}

/// Reads a snapshot from left to right.
struct SnapshotSource<'a> {
    values: Reader<'a>,
    types: std::slice::Iter<'a, Type>,
}

impl sealed::Sealed for SnapshotSource<'_> {}

impl<M> Source<M> for SnapshotSource<'_> {
    fn get<T: ColumnType>(&mut self, column: Column<M, T>) -> Result<T> {
        let ty = self.types.next().ok_or_else(|| {
            Error::declaration("`load` takes more columns than it did when it was described")
                .at(column.name())
        })?;
        let value = self.values.value().map_err(Error::mapping)?;
        T::decode_value(ty, value)
            .map_err(|e| Error::mapping(e).of(std::any::type_name::<M>()).at(column.name()))
    }
}
