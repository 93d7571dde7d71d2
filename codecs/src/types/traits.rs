//! The three traits that a type implements.

use crate::error::{DecodeError, EncodeError};
use crate::types::{Encoder, Oid, Type};

/// The PostgreSQL type that a Rust type stands for.
pub trait PgType {
    /// The type, as a column would be declared.
    const OID: Oid;
    /// The type of an array of it; [`Oid::UNSPECIFIED`] where there is none.
    const ARRAY: Oid;
}

/// A value that can be sent.
///
/// It can be made into an object: a list of parameters of mixed types is a `&[&dyn Encode]`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a value that PostgreSQL can be sent",
    note = "PostgreSQL has no unsigned integers but `oid`, which `u32` is: `i64` or `Numeric` holds others",
    note = "types of other crates are values when their feature of wreath-codecs is on, such as `chrono`",
    note = "for a type of your own, implement `PgType`, `Encode` and `Decode`: `wreath_codecs::types` shows how"
)]
pub trait Encode {
    /// The type that the value is declared as when it is a parameter.
    ///
    /// [`Oid::UNSPECIFIED`] lets the server infer the type; the bytes that [`encode`](Self::encode) appends
    /// are then the value's *text* form. Strings do this, and so reach a parameter of an enum, of `jsonb` or
    /// of `uuid` without a cast.
    fn oid(&self) -> Oid;

    /// Whether the value is NULL; then [`encode`](Self::encode) is not called.
    #[inline]
    fn is_null(&self) -> bool {
        false
    }

    /// Appends the value's binary form, without a length before it.
    ///
    /// # Errors
    /// When PostgreSQL has no such value: text with a NUL, an array that is too long.
    fn encode(&self, out: &mut Encoder) -> Result<(), EncodeError>;
}

/// A value that can be read, borrowing from the reply for `'r` where it can.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a value that can be read from a row",
    note = "PostgreSQL has no unsigned integers but `oid`, which `u32` is: `i64` or `Numeric` holds others",
    note = "types of other crates are values when their feature of wreath-codecs is on, such as `chrono`",
    note = "for a type of your own, implement `PgType`, `Encode` and `Decode`: `wreath_codecs::types` shows how"
)]
pub trait Decode<'r>: Sized {
    /// Whether values of `ty` can be read as `Self`. It is asked once a column, not once a value.
    fn accepts(ty: &Type) -> bool;

    /// Reads a value of `ty`, which was accepted, from all of `bytes`.
    ///
    /// # Errors
    /// When the bytes are no such value, or `Self` cannot hold it.
    fn decode(ty: &Type, bytes: &'r [u8]) -> Result<Self, DecodeError>;

    /// Reads NULL: an error, but for an `Option`.
    ///
    /// # Errors
    /// Always, unless the type has room for NULL.
    #[inline]
    fn decode_null(ty: &Type) -> Result<Self, DecodeError> {
        Err(DecodeError::null(ty))
    }

    /// Reads a value as it travels: `None` is NULL.
    ///
    /// # Errors
    /// As [`decode`](Self::decode) and [`decode_null`](Self::decode_null).
    #[inline]
    fn decode_value(ty: &Type, value: Option<&'r [u8]>) -> Result<Self, DecodeError> {
        match value {
            Some(bytes) => Self::decode(ty, bytes).map_err(|e| e.of(ty)),
            None => Self::decode_null(ty),
        }
    }
}

impl<T: PgType> PgType for Option<T> {
    const OID: Oid = T::OID;
    const ARRAY: Oid = T::ARRAY;
}

impl<T: Encode + PgType> Encode for Option<T> {
    #[inline]
    fn oid(&self) -> Oid {
        self.as_ref().map_or(T::OID, T::oid)
    }

    #[inline]
    fn is_null(&self) -> bool {
        self.as_ref().is_none_or(T::is_null)
    }

    #[inline]
    fn encode(&self, out: &mut Encoder) -> Result<(), EncodeError> {
        self.as_ref().map_or(Ok(()), |v| v.encode(out))
    }
}

impl<'r, T: Decode<'r>> Decode<'r> for Option<T> {
    #[inline]
    fn accepts(ty: &Type) -> bool {
        T::accepts(ty)
    }

    #[inline]
    fn decode(ty: &Type, bytes: &'r [u8]) -> Result<Self, DecodeError> {
        T::decode(ty, bytes).map(Some)
    }

    #[inline]
    fn decode_null(_: &Type) -> Result<Self, DecodeError> {
        Ok(None)
    }
}

impl<T: PgType + ?Sized> PgType for &T {
    const OID: Oid = T::OID;
    const ARRAY: Oid = T::ARRAY;
}

impl<T: Encode + ?Sized> Encode for &T {
    #[inline]
    fn oid(&self) -> Oid {
        (**self).oid()
    }

    #[inline]
    fn is_null(&self) -> bool {
        (**self).is_null()
    }

    #[inline]
    fn encode(&self, out: &mut Encoder) -> Result<(), EncodeError> {
        (**self).encode(out)
    }
}
