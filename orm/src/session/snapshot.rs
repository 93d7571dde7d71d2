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
    L::load(&mut ValuesSource { values: Reader::new(bytes), types: types.iter() })
}

/// Makes an object of another with other values at `places`, which are taken from `others` one by one, from left to
/// right. What is in `scratch` is lost.
pub(crate) fn splice<'a, M: Model>(
    of: &'a Description<M>,
    object: &'a M,
    (places, types): (&'a [usize], &[Type]),
    scratch: &'a mut Encoder,
    others: impl FnMut(usize) -> Result<Option<&'a [u8]>>,
) -> Result<M> {
    let values = Spliced { of, object, at: 0, places, others, scratch };
    M::load(&mut ValuesSource { values, types: types.iter() })
}

/// The key of an object.
pub(crate) fn key_of<M: Model>(of: &Description<M>, object: &M) -> Result<M::Key> {
    let mut bytes = Encoder::new();
    of.encode_key(object, &mut bytes)?;
    let types: Vec<_> = of.key.iter().map(|&place| stand_in(of.columns[place].oid)).collect();
    M::key().read(&mut ValuesSource { values: Reader::new(bytes.as_bytes()), types: types.iter() })
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

/// Values as they travel, one after the other.
trait Values {
    fn next(&mut self) -> Result<Option<&[u8]>>;
}

impl Values for Reader<'_> {
    fn next(&mut self) -> Result<Option<&[u8]>> {
        self.value().map_err(Error::mapping)
    }
}

/// The values of an object, with others at some places.
struct Spliced<'a, M, F> {
    of: &'a Description<M>,
    object: &'a M,
    at: usize,
    places: &'a [usize],
    others: F,
    scratch: &'a mut Encoder,
}

impl<'a, M: Model, F: FnMut(usize) -> Result<Option<&'a [u8]>>> Values for Spliced<'a, M, F> {
    fn next(&mut self) -> Result<Option<&[u8]>> {
        let place = self.at;
        self.at += 1;
        if self.places.contains(&place) {
            return (self.others)(place);
        }
        self.scratch.clear();
        self.of.encode_at(place, self.object, self.scratch)?;
        Reader::new(self.scratch.as_bytes()).value().map_err(Error::mapping)
    }
}

/// Hands out values from left to right.
struct ValuesSource<'a, V> {
    values: V,
    types: std::slice::Iter<'a, Type>,
}

impl<V> sealed::Sealed for ValuesSource<'_, V> {}

impl<M, V: Values> Source<M> for ValuesSource<'_, V> {
    fn get<T: ColumnType>(&mut self, column: Column<M, T>) -> Result<T> {
        let ty = self.types.next().ok_or_else(|| {
            Error::declaration("`load` takes more columns than it did when it was described")
                .at(column.name())
        })?;
        T::decode_value(ty, self.values.next()?)
            .map_err(|e| Error::mapping(e).of(std::any::type_name::<M>()).at(column.name()))
    }
}
