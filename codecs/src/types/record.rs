//! Composites and records, field by field.

use std::any::type_name;
use std::fmt;

use smallvec::SmallVec;

use crate::error::{DecodeError, EncodeError};
use crate::oid;
use crate::types::{Decode, Encode, Encoder, Kind, Oid, PgType, Type};
use crate::wire::Reader;

/// The fields of a composite as they travel: a count, then the type and the value of each.
///
/// It is what a user's type reads itself from. The fields are found by their names, so that their order does not
/// matter, and a field that was added to the composite since its type was looked up does no harm.
///
/// ```
/// use wreath_codecs::types::{Name, RecordReader, RecordWriter};
/// use wreath_codecs::{Decode, DecodeError, Encode, EncodeError, Encoder, Oid, PgType, Type};
///
/// /// `CREATE TYPE place AS (street text, number int)`
/// struct Place {
///     street: String,
///     number: i32,
/// }
///
/// impl PgType for Place {
///     const OID: Oid = Oid::named("place");
///     const ARRAY: Oid = Oid::ArrayOf(Name { schema: None, name: "place" });
/// }
/// impl<'r> Decode<'r> for Place {
///     fn accepts(ty: &Type) -> bool {
///         ty.field("street").is_some_and(String::accepts) && ty.field("number").is_some_and(i32::accepts)
///     }
///     fn decode(ty: &Type, bytes: &'r [u8]) -> Result<Self, DecodeError> {
///         let record = RecordReader::new(ty, bytes)?;
///         Ok(Self { street: record.field("street")?, number: record.field("number")? })
///     }
/// }
/// impl Encode for Place {
///     fn oid(&self) -> Oid { Self::OID }
///     fn encode(&self, out: &mut Encoder) -> Result<(), EncodeError> {
///         RecordWriter::new(out).field(&self.street)?.field(&self.number)?.finish()
///     }
/// }
/// ```
pub struct RecordReader<'t, 'r> {
    ty: &'t Type,
    values: SmallVec<[Sent<'r>; 8]>,
}

/// The number of a field's type, and its value as it travels.
type Sent<'r> = (u32, Option<&'r [u8]>);

impl<'t, 'r> RecordReader<'t, 'r> {
    /// Takes a value of `ty` apart.
    ///
    /// # Errors
    /// When the bytes are no record; and when the composite was changed since its type was looked up, other than
    /// by fields that were added.
    pub fn new(ty: &'t Type, bytes: &'r [u8]) -> Result<Self, DecodeError> {
        let mut r = Reader::new(bytes);
        let count = r.u32()?;
        // A field is a type and a length at least.
        let count = usize::try_from(count).ok().filter(|&n| n <= r.len() / 8);
        let count =
            count.ok_or_else(|| DecodeError::invalid("a record that claims more fields than it has"))?;
        let mut values = SmallVec::with_capacity(count);
        for _ in 0..count {
            values.push((r.u32()?, r.value()?));
        }
        r.finish()?;
        let record = Self { ty: ty.base(), values };
        record.check()?;
        Ok(record)
    }

    fn check(&self) -> Result<(), DecodeError> {
        let Kind::Composite(fields) = self.ty.kind() else { return Ok(()) };
        if self.values.len() < fields.len() {
            let (now, before) = (self.values.len(), fields.len());
            return Err(DecodeError::invalid(format!(
                "it has {now} fields, and had {before} when it was looked up"
            )));
        }
        for (field, (number, _)) in fields.iter().zip(&self.values) {
            if field.ty.oid() != *number {
                return Err(DecodeError::invalid(format!(
                    "its field {} is of type number {number}, and was of type {} when it was looked up",
                    field.name, field.ty
                )));
            }
        }
        Ok(())
    }

    /// How many fields there are.
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// The field of that name.
    ///
    /// # Errors
    /// When there is none, `T` does not read its type, or the value is none that `T` holds.
    pub fn field<T: Decode<'r>>(&self, name: &str) -> Result<T, DecodeError> {
        let fields: &[_] = if let Kind::Composite(fields) = self.ty.kind() { fields } else { &[] };
        match fields.iter().position(|field| field.name == name) {
            Some(place) => self.at(place),
            None => Err(DecodeError::invalid(format!("it has no field {name}"))),
        }
    }

    /// The field at that place, from 0.
    ///
    /// # Errors
    /// As [`field`](Self::field).
    pub fn at<T: Decode<'r>>(&self, place: usize) -> Result<T, DecodeError> {
        let Some(&(number, value)) = self.values.get(place) else {
            return Err(DecodeError::invalid(format!(
                "it has {} fields, and no {}th",
                self.len(),
                place + 1
            )));
        };
        let read = |ty: &Type| match T::accepts(ty) {
            true => T::decode_value(ty, value),
            false => Err(DecodeError::mismatch(type_name::<T>(), ty)),
        };
        match self.known(place) {
            Some(ty) => read(ty),
            None => read(&type_of(number)),
        }
    }

    /// The type of the field at `place`, if it was looked up.
    fn known(&self, place: usize) -> Option<&'t Type> {
        match self.ty.kind() {
            Kind::Composite(fields) => fields.get(place).map(|field| &field.ty),
            _ => None,
        }
    }

    /// The types and values of all fields, in order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (Type, Option<&'r [u8]>)> {
        self.values.iter().enumerate().map(|(place, &(number, value))| {
            (self.known(place).cloned().unwrap_or_else(|| type_of(number)), value)
        })
    }
}

/// The type of that number, as far as it is known everywhere.
fn type_of(number: u32) -> Type {
    Type::from_oid(number).unwrap_or_else(|| Type::unknown_number(number))
}

impl fmt::Debug for RecordReader<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RecordReader").field("ty", &self.ty).field("len", &self.len()).finish()
    }
}

/// Writes the fields of a composite, in the order in which `CREATE TYPE` has them. See [`RecordReader`].
#[derive(Debug)]
pub struct RecordWriter<'a> {
    out: &'a mut Encoder,
    start: usize,
    count: i32,
}

impl<'a> RecordWriter<'a> {
    /// A composite without fields yet.
    pub fn new(out: &'a mut Encoder) -> Self {
        let start = out.len();
        out.put_i32(0);
        Self { out, start, count: 0 }
    }

    /// Appends a field that is declared as the type that `T` stands for.
    ///
    /// # Errors
    /// As the value's [`encode`](Encode::encode).
    pub fn field<T: Encode + PgType + ?Sized>(self, value: &T) -> Result<Self, EncodeError> {
        self.field_as(T::OID, value)
    }

    /// Appends a field that is declared as another type of the same binary form: a text for a field of `varchar`.
    ///
    /// # Errors
    /// As the value's [`encode`](Encode::encode).
    pub fn field_as<T: Encode + ?Sized>(mut self, ty: Oid, value: &T) -> Result<Self, EncodeError> {
        self.out.put_oid(ty);
        self.out.put_value(value)?;
        self.count += 1;
        Ok(self)
    }

    /// Completes the composite.
    ///
    /// # Errors
    /// None at present; a composite can only be finished where all its fields could be written.
    pub fn finish(self) -> Result<(), EncodeError> {
        self.out.set_i32(self.start, self.count);
        Ok(())
    }
}

/// Tuples read composites and anonymous records, field by field in order.
macro_rules! tuples {
    ($($n:literal: $($t:ident $place:tt),*;)*) => {$(
        #[doc = concat!("A composite or an anonymous record of ", $n, " fields, in order.")]
        impl<'r, $($t: Decode<'r>),*> Decode<'r> for ($($t,)*) {
            fn accepts(ty: &Type) -> bool {
                match ty.base().kind() {
                    Kind::Composite(fields) => fields.len() == $n $(&& $t::accepts(&fields[$place].ty))*,
                    _ => ty.is(oid::RECORD),
                }
            }

            fn decode(ty: &Type, bytes: &'r [u8]) -> Result<Self, DecodeError> {
                let record = RecordReader::new(ty, bytes)?;
                if record.len() < $n || ty.is(oid::RECORD) && record.len() > $n {
                    let fields = record.len();
                    return Err(DecodeError::out_of_range(format!(
                        concat!("{} fields do not fit a tuple of ", $n), fields
                    )));
                }
                Ok(($(record.at::<$t>($place)?,)*))
            }
        }
    )*};
}

tuples! {
    1: A 0;
    2: A 0, B 1;
    3: A 0, B 1, C 2;
    4: A 0, B 1, C 2, D 3;
    5: A 0, B 1, C 2, D 3, E 4;
    6: A 0, B 1, C 2, D 3, E 4, F 5;
    7: A 0, B 1, C 2, D 3, E 4, F 5, G 6;
    8: A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::{Field, TypeData};

    fn composite(fields: &[(&str, u32)]) -> Type {
        let field = |&(name, oid): &(&str, u32)| Field { name: name.to_owned(), ty: type_of(oid) };
        Type::looked_up(TypeData {
            oid: 20_000,
            schema: "public".into(),
            name: "place".into(),
            kind: Kind::Composite(fields.iter().map(field).collect()),
            binary: true,
        })
    }

    fn sent() -> Vec<u8> {
        let mut out = Encoder::new();
        let writer = RecordWriter::new(&mut out).field(&7).and_then(|w| w.field("Hay Lane"));
        writer.and_then(|w| w.field(&None::<bool>)).and_then(RecordWriter::finish).expect("encodes");
        out.as_bytes().to_vec()
    }

    #[test]
    fn fields_are_found_by_name_and_added_ones_do_no_harm() {
        let bytes = sent();
        for known in [&[("number", 23), ("street", 25), ("shut", 16)][..], &[("number", 23), ("street", 25)]]
        {
            let ty = composite(known);
            let record = RecordReader::new(&ty, &bytes).expect("a record");
            assert_eq!(record.field::<&str>("street"), Ok("Hay Lane"));
            assert_eq!(record.field::<i32>("number"), Ok(7));
            assert_eq!(record.at::<Option<bool>>(2), Ok(None));
            assert!(record.field::<i64>("number").is_err() && record.field::<i32>("town").is_err());
            assert!(record.at::<i32>(3).is_err() && record.at::<bool>(2).is_err());
        }
    }

    #[test]
    fn what_changed_is_said() {
        let bytes = sent();
        let error = |ty: &Type| RecordReader::new(ty, &bytes).expect_err("changed").to_string();
        let retyped = composite(&[("number", 20), ("street", 25), ("shut", 16)]);
        assert!(error(&retyped).contains("number is of type number 23"), "{}", error(&retyped));
        let dropped = composite(&[("number", 23), ("street", 25), ("shut", 16), ("town", 25)]);
        assert!(error(&dropped).contains("it has 3 fields, and had 4"), "{}", error(&dropped));
    }

    #[test]
    fn tuples_read_records() {
        let (bytes, record) = (sent(), type_of(oid::RECORD));
        type Row<'a> = (i32, &'a str, Option<bool>);
        assert!(Row::accepts(&record) && !Row::accepts(&type_of(oid::INT4)));
        assert_eq!(Row::decode(&record, &bytes), Ok((7, "Hay Lane", None)));
        assert!(<(i32, &str)>::decode(&record, &bytes).is_err());
        assert!(<(i64, &str, Option<bool>)>::decode(&record, &bytes).is_err());
        assert!(Row::accepts(&composite(&[("a", 23), ("b", 25), ("c", 16)])));
        assert!(!Row::accepts(&composite(&[("a", 23), ("b", 25)])));
    }

    #[test]
    fn claims_are_checked() {
        let ty = type_of(oid::RECORD);
        for bytes in [&[0xff, 0xff, 0xff, 0xff][..], &[0, 0, 0, 1, 0, 0, 0, 23], &[0, 0, 0, 0, 0]] {
            assert!(RecordReader::new(&ty, bytes).is_err());
        }
    }
}
