//! Byte strings.

use crate::error::{DecodeError, EncodeError};
use crate::types::{Decode, Encode, Encoder, Oid, PgType, Type};

const BYTEA: u32 = 17;
const BYTEA_ARRAY: u32 = 1001;

impl PgType for [u8] {
    const OID: Oid = Oid::Fixed(BYTEA);
    const ARRAY: Oid = Oid::Fixed(BYTEA_ARRAY);
}

impl Encode for [u8] {
    #[inline]
    fn oid(&self) -> Oid {
        Self::OID
    }

    #[inline]
    fn encode(&self, out: &mut Encoder) -> Result<(), EncodeError> {
        out.put(self);
        Ok(())
    }
}

impl<'r> Decode<'r> for &'r [u8] {
    #[inline]
    fn accepts(ty: &Type) -> bool {
        ty.is(BYTEA)
    }

    #[inline]
    fn decode(_: &Type, bytes: &'r [u8]) -> Result<Self, DecodeError> {
        Ok(bytes)
    }
}

impl PgType for Vec<u8> {
    const OID: Oid = Oid::Fixed(BYTEA);
    const ARRAY: Oid = Oid::Fixed(BYTEA_ARRAY);
}

impl Encode for Vec<u8> {
    #[inline]
    fn oid(&self) -> Oid {
        Self::OID
    }

    #[inline]
    fn encode(&self, out: &mut Encoder) -> Result<(), EncodeError> {
        self.as_slice().encode(out)
    }
}

impl<'r> Decode<'r> for Vec<u8> {
    #[inline]
    fn accepts(ty: &Type) -> bool {
        ty.is(BYTEA)
    }

    #[inline]
    fn decode(_: &Type, bytes: &'r [u8]) -> Result<Self, DecodeError> {
        Ok(bytes.to_vec())
    }
}

impl<const N: usize> PgType for [u8; N] {
    const OID: Oid = Oid::Fixed(BYTEA);
    const ARRAY: Oid = Oid::Fixed(BYTEA_ARRAY);
}

impl<const N: usize> Encode for [u8; N] {
    #[inline]
    fn oid(&self) -> Oid {
        Self::OID
    }

    #[inline]
    fn encode(&self, out: &mut Encoder) -> Result<(), EncodeError> {
        self.as_slice().encode(out)
    }
}

/// Exactly `N` bytes.
impl<'r, const N: usize> Decode<'r> for [u8; N] {
    #[inline]
    fn accepts(ty: &Type) -> bool {
        ty.is(BYTEA)
    }

    #[inline]
    fn decode(_: &Type, bytes: &'r [u8]) -> Result<Self, DecodeError> {
        bytes.try_into().map_err(|_| {
            DecodeError::out_of_range(format!("{} bytes do not fit an array of {N}", bytes.len()))
        })
    }
}
