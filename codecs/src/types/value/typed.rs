//! A value with its type.

use std::any::type_name;
use std::fmt;

use super::Datum;
use super::parse::parse;
use crate::error::{DecodeError, EncodeError, ParseError};
use crate::oid;
use crate::types::{Decode, Encode, Encoder, Kind, Oid, PgType, Type};

/// A value of any PostgreSQL type, or NULL, with its type.
///
/// It displays as the server shows it: dates in ISO form, times in UTC, byte strings in hexadecimal, floats with
/// as few digits as tell them apart. NULL has no text; it displays as `NULL`. As a parameter it goes back in
/// binary as its own type.
///
/// ```
/// use wreath_codecs::types::{Datum, Value};
/// use wreath_codecs::{Type, oid};
///
/// let ints = Type::from_oid(oid::INT4_ARRAY).expect("is built in");
/// let value = Value::parse(&ints, "{1,NULL,3}")?;
/// assert_eq!(value.to_string(), "{1,NULL,3}");
/// assert_eq!(value.to::<Vec<Option<i32>>>()?, [Some(1), None, Some(3)]);
/// assert!(matches!(Value::from(1.5).datum(), Some(Datum::Float8(_))));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq)]
pub struct Value {
    ty: Type,
    datum: Option<Datum>,
}

impl Value {
    /// NULL of a type.
    pub fn null(ty: Type) -> Self {
        Self { ty, datum: None }
    }

    /// A value that is known to be one of `ty`.
    pub(super) fn of(ty: Type, datum: Datum) -> Self {
        Self { ty, datum: Some(datum) }
    }

    /// Reads a value of `ty` as it travels: `None` is NULL. A type that has no binary form is read as text; the
    /// bytes of one that is not known here are kept, see [`Datum::Opaque`].
    ///
    /// # Errors
    /// When the bytes are no value of the type.
    pub fn decode(ty: &Type, bytes: Option<&[u8]>) -> Result<Self, DecodeError> {
        let Some(bytes) = bytes else { return Ok(Self::null(ty.clone())) };
        let ty = if ty.oid() == oid::ANYARRAY {
            any_array(bytes).unwrap_or_else(|| ty.clone())
        } else {
            ty.clone()
        };
        let datum = Datum::decode(&ty, bytes).map_err(|e| e.of(&ty))?;
        Ok(Self { ty, datum: Some(datum) })
    }

    /// Reads the text form of a value of `ty`, as the server writes it.
    ///
    /// # Errors
    /// When the text is no value of the type, and when the type is not known here.
    pub fn parse(ty: &Type, text: &str) -> Result<Self, ParseError> {
        parse(ty, text).map(|datum| Self { ty: ty.clone(), datum: Some(datum) })
    }

    /// The type.
    pub fn ty(&self) -> &Type {
        &self.ty
    }

    /// What the value is; `None` is NULL.
    pub fn datum(&self) -> Option<&Datum> {
        self.datum.as_ref()
    }

    /// The type, and what the value is.
    pub fn into_parts(self) -> (Type, Option<Datum>) {
        (self.ty, self.datum)
    }

    /// The value as any type that reads its type.
    ///
    /// # Errors
    /// When `T` does not read the type, or cannot hold the value.
    pub fn to<T: for<'r> Decode<'r>>(&self) -> Result<T, DecodeError> {
        if !T::accepts(&self.ty) {
            return Err(DecodeError::mismatch(type_name::<T>(), &self.ty));
        }
        let mut out = Encoder::new();
        match &self.datum {
            None => T::decode_value(&self.ty, None),
            Some(datum) => {
                datum.encode(&self.ty, &mut out).map_err(|e| DecodeError::invalid(e.to_string()))?;
                T::decode_value(&self.ty, Some(out.as_bytes()))
            }
        }
    }
}

/// The type of an array that says itself what it is of, as the columns of `pg_stats` have them.
fn any_array(bytes: &[u8]) -> Option<Type> {
    let number = u32::from_be_bytes(*bytes.get(8..)?.first_chunk()?);
    Type::builtins().find(|ty| matches!(ty.kind(), Kind::Array(element) if element.oid() == number && ty.name().starts_with('_')))
}

/// As a parameter it is of its own type; what came as text goes back as text, and the server infers the type.
impl Encode for Value {
    fn oid(&self) -> Oid {
        if self.ty.is_binary() { Oid::Fixed(self.ty.oid()) } else { Oid::UNSPECIFIED }
    }

    fn is_null(&self) -> bool {
        self.datum.is_none()
    }

    fn encode(&self, out: &mut Encoder) -> Result<(), EncodeError> {
        self.datum.as_ref().map_or(Ok(()), |datum| datum.encode(&self.ty, out))
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.datum {
            Some(datum) => datum.write(&self.ty, f),
            None => f.write_str("NULL"),
        }
    }
}

impl fmt::Debug for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Value({self} of {})", self.ty)
    }
}

/// The value of a type whose number is the same in every database.
///
/// # Panics
/// When the type stands for one that each database numbers for itself.
impl<T: PgType + Into<Datum>> From<T> for Value {
    fn from(value: T) -> Self {
        let ty = T::OID.fixed().and_then(Type::from_oid).expect("the type is built in");
        Self { ty, datum: Some(value.into()) }
    }
}

/// Reads a value of whatever type comes.
impl<'r> Decode<'r> for Value {
    fn accepts(_: &Type) -> bool {
        true
    }

    fn decode(ty: &Type, bytes: &'r [u8]) -> Result<Self, DecodeError> {
        Self::decode(ty, Some(bytes))
    }

    fn decode_null(ty: &Type) -> Result<Self, DecodeError> {
        Ok(Self::null(ty.clone()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::RecordWriter;

    #[test]
    fn records_nest_within_bounds() {
        let record = Type::from_oid(oid::RECORD).expect("is built in");
        let mut bytes = vec![0; 4];
        for depth in 1..40 {
            let result = Value::decode(&record, Some(&bytes));
            assert_eq!(result.is_ok(), depth <= 12, "{depth}");
            let mut out = Encoder::new();
            out.put_i32(1);
            out.put_oid(Oid::Fixed(oid::RECORD));
            out.put_sized(|out| {
                out.put(&bytes);
                Ok(())
            })
            .expect("short");
            bytes = out.as_bytes().to_vec();
        }
    }

    #[test]
    fn a_type_that_is_not_known_keeps_its_bytes() {
        let ty = Type::unknown_number(99_999);
        let value = Value::decode(&ty, Some(&[1, 2])).expect("anything goes");
        assert_eq!(value.datum(), Some(&Datum::Opaque(vec![1, 2])));
        assert_eq!(value.to_string(), "\\x0102");
        assert!(Value::parse(&ty, "x").is_err() && value.to::<i32>().is_err());
    }

    #[test]
    fn an_array_of_anything_says_what_it_is_of() {
        let mut out = Encoder::new();
        [1.5, 2.5].encode(&mut out).expect("encodes");
        let any = Type::from_oid(oid::ANYARRAY).expect("is built in");
        let value = Value::decode(&any, Some(out.as_bytes())).expect("decodes");
        assert_eq!((value.ty().oid(), value.to_string().as_str()), (oid::FLOAT8_ARRAY, "{1.5,2.5}"));
    }

    #[test]
    fn values_become_what_reads_their_type() {
        let value = Value::from(7_i32);
        assert_eq!(value.to::<i32>(), Ok(7));
        assert_eq!(value.to::<Option<i32>>(), Ok(Some(7)));
        assert!(value.to::<i64>().is_err());
        let mut out = Encoder::new();
        RecordWriter::new(&mut out).field(&7).and_then(RecordWriter::finish).expect("encodes");
        let record = Type::from_oid(oid::RECORD).expect("is built in");
        let row = Value::decode(&record, Some(out.as_bytes())).expect("decodes");
        assert_eq!((row.to_string().as_str(), row.to::<(i32,)>()), ("(7)", Ok((7,))));
    }
}
