//! A value with its type.

use std::any::type_name;
use std::fmt;

use super::Datum;
use super::parse::parse;
use crate::error::{DecodeError, EncodeError, ParseError};
use crate::types::{Decode, Encode, Encoder, Oid, PgType, Type};

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

    /// Reads a value of `ty` as it travels: `None` is NULL. A type that has no binary form is read as text; the
    /// bytes of one that is not known here are kept, see [`Datum::Opaque`].
    ///
    /// # Errors
    /// When the bytes are no value of the type.
    pub fn decode(ty: &Type, bytes: Option<&[u8]>) -> Result<Self, DecodeError> {
        let datum = bytes.map(|bytes| Datum::decode(ty, bytes).map_err(|e| e.of(ty))).transpose()?;
        Ok(Self { ty: ty.clone(), datum })
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
