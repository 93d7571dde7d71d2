//! Objects from results whose columns are found by their names.

use std::any::type_name;

use smallvec::SmallVec;
use wreath_codecs::DecodeError;
use wreath_driver::{Column as WireColumn, Row};

use crate::error::{Error, ErrorKind, Result};
use crate::model::sealed::Sealed;
use crate::model::{Column, ColumnType, Declared, Load, Model, Source, columns_of};

/// Which column of a result each column of a `load` is.
pub(crate) struct ByName {
    places: SmallVec<[usize; 16]>,
}

impl ByName {
    /// Finds every column that `L` takes. Each has to be there once, of a fitting type, and no other beside
    /// them.
    pub(crate) fn find<M: Model, L: Load<M>>(columns: &[WireColumn]) -> Result<Self> {
        let wanted = columns_of::<M, L>()?;
        let fault = |name: &str, detail: &'static str| {
            Error::new(ErrorKind::Mapping, detail).of(type_name::<L>()).at(name.to_owned())
        };
        let find = |column: &Declared| {
            let mut found = columns.iter().enumerate().filter(|(_, wire)| wire.name() == column.name);
            let (place, wire) =
                found.next().ok_or_else(|| fault(column.name, "the result has no such column"))?;
            if found.next().is_some() {
                return Err(fault(column.name, "the result has the column more than once"));
            }
            if !(column.accepts)(wire.read_as()) {
                let cause = DecodeError::mismatch(column.rust_type, wire.ty());
                return Err(Error::mapping(cause).of(type_name::<L>()).at(column.name));
            }
            Ok(place)
        };
        let places = wanted.iter().map(find).collect::<Result<SmallVec<_>>>()?;
        match columns.iter().find(|wire| !wanted.iter().any(|column| column.name == wire.name())) {
            Some(extra) => Err(fault(extra.name(), "the result has a column that is not read")),
            None => Ok(Self { places }),
        }
    }

    /// Reads a row.
    pub(crate) fn read<M: Model, L: Load<M>>(&self, row: Row<'_>) -> Result<L> {
        let values = row.values().collect::<wreath_driver::Result<_>>()?;
        L::load(&mut Named { values, columns: row.columns(), places: self.places.iter() })
    }
}

/// A row whose values are taken in the order in which a `load` wants them.
struct Named<'r, 'p> {
    values: SmallVec<[Option<&'r [u8]>; 16]>,
    columns: &'r [WireColumn],
    places: std::slice::Iter<'p, usize>,
}

impl Sealed for Named<'_, '_> {}

impl<M> Source<M> for Named<'_, '_> {
    fn get<T: ColumnType>(&mut self, column: Column<M, T>) -> Result<T> {
        let found = self.places.next().and_then(|&i| Some((self.columns.get(i)?, *self.values.get(i)?)));
        let (wire, value) = found.ok_or_else(|| {
            Error::declaration("`load` takes more columns than it did when it was described")
        })?;
        T::decode_value(wire.read_as(), value)
            .map_err(|e| Error::mapping(e).of(type_name::<M>()).at(column.name()))
    }
}
