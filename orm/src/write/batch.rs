//! Values of many objects as one parameter for each column.

use smallvec::SmallVec;
use wreath_codecs::types::Value;
use wreath_codecs::wire::Reader;
use wreath_codecs::{EncodeError, Encoder, Oid, ParamBuf, PgType, Type};

use crate::error::{Error, Result};
use crate::expr::ArrayHeader;
use crate::model::{Declared, Description, Identity, Model};

/// How a column's values travel together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Carrier {
    /// As an array of the column's type.
    Array,
    /// As an array of text, whose elements the statement casts: arrays do not nest, so a column of arrays has no
    /// array type of its own.
    Text,
}

/// How the values of a column travel together, if they can.
pub(crate) fn carrier(column: &Declared) -> Option<Carrier> {
    if column.array != Oid::UNSPECIFIED {
        return Some(Carrier::Array);
    }
    // The text form of a built-in type is known here; what an enum's or a composite's array is of, only the server
    // knows.
    column.oid.fixed().and_then(Type::from_oid).map(|_| Carrier::Text)
}

/// The columns of an insert: the places of those that are sent, and whether values of many objects go together.
#[derive(Debug)]
pub(crate) struct Sent {
    pub(crate) places: SmallVec<[usize; 8]>,
    pub(crate) many: bool,
    /// Whether a column is sent that the server would rather number itself (`OVERRIDING SYSTEM VALUE`).
    pub(crate) overriding: bool,
}

impl Sent {
    /// The columns for which `wanted`, or else the server, has no value of its own.
    pub(crate) fn new<M>(of: &Description<M>, wanted: impl Fn(&Declared) -> bool) -> Self {
        let is_sent = |c: &Declared| !c.is_server_made() || (c.generated.is_none() && wanted(c));
        let places: SmallVec<[usize; 8]> =
            (0..of.columns.len()).filter(|&place| is_sent(&of.columns[place])).collect();
        let many = !places.is_empty() && places.iter().all(|&place| carrier(&of.columns[place]).is_some());
        let overriding = places.iter().any(|&place| of.columns[place].identity == Identity::Always);
        Self { places, many, overriding }
    }

    /// How many objects one statement takes, of so many.
    pub(crate) fn group(&self, objects: usize) -> usize {
        if self.many { objects.max(1) } else { 1 }
    }

    /// The parameters of a statement for these objects.
    pub(crate) fn params<'m, M: Model>(
        &self,
        of: &Description<M>,
        objects: impl ExactSizeIterator<Item = &'m M> + Clone,
    ) -> Result<ParamBuf> {
        let mut params = ParamBuf::new();
        for &place in &self.places {
            bind(&mut params, of, place, self.many, objects.clone())?;
        }
        Ok(params)
    }
}

/// Appends a column's values as one array, or its one value.
pub(crate) fn bind<'m, M: Model>(
    params: &mut ParamBuf,
    of: &Description<M>,
    place: usize,
    many: bool,
    mut objects: impl ExactSizeIterator<Item = &'m M>,
) -> Result<()> {
    let (column, field) = (&of.columns[place], &of.fields[place]);
    let done = if many {
        push_array(params, column, objects.len(), |out| {
            objects.try_for_each(|object| field.encode(object, out))
        })
    } else {
        objects.try_for_each(|object| field.bind(object, params))
    };
    done.map_err(|e| Error::from(e).of(of.model).at(column.name))
}

/// Appends an array of `count` values, which `write` appends as they travel.
pub(crate) fn push_array(
    params: &mut ParamBuf,
    column: &Declared,
    count: usize,
    write: impl FnOnce(&mut Encoder) -> std::result::Result<(), EncodeError>,
) -> std::result::Result<(), EncodeError> {
    if carrier(column) == Some(Carrier::Text) {
        let mut values = Encoder::new();
        write(&mut values)?;
        return params.push_with(String::ARRAY, |out| {
            out.put_sized(|out| {
                let header = ArrayHeader::open(out, String::OID);
                texts(out, column, values.as_bytes())?;
                header.close(out, count)
            })
        });
    }
    params.push_with(column.array, |out| {
        out.put_sized(|out| {
            let header = ArrayHeader::open(out, column.oid);
            write(out)?;
            header.close(out, count)
        })
    })
}

/// Appends the text forms of values.
fn texts(out: &mut Encoder, column: &Declared, values: &[u8]) -> std::result::Result<(), EncodeError> {
    let unread = |e: &dyn std::fmt::Display| EncodeError::new(format!("its text form is not known: {e}"));
    let ty = column.oid.fixed().and_then(Type::from_oid).ok_or_else(|| unread(&column.oid))?;
    let mut values = Reader::new(values);
    while !values.is_empty() {
        match values.value().map_err(|e| unread(&e))? {
            None => out.put_i32(-1),
            bytes => {
                let value = Value::decode(&ty, bytes).map_err(|e| unread(&e))?;
                out.put_value(&value.to_string())?;
            }
        }
    }
    Ok(())
}
