//! Booleans, integers and floating point numbers.
//!
//! Widths are exact in both directions: an `i64` is `bigint` and reads no `integer`, so that a column that
//! changes its type is noticed. `i8` is the one-byte type `"char"`, `u32` is `oid`,
//! and also reads what travels as one: `xid`, `cid` and `regclass` with its kin.

use crate::error::{DecodeError, EncodeError};
use crate::types::{Decode, Encode, Encoder, Oid, PgType, Type};
use crate::wire::Reader;

macro_rules! fixed_width {
    ($($t:ty, $read:ident, $oid:literal, $array:literal $(, also [$($also:pat),*])?;)*) => {$(
        impl PgType for $t {
            const OID: Oid = Oid::Fixed($oid);
            const ARRAY: Oid = Oid::Fixed($array);
        }

        impl Encode for $t {
            #[inline]
            fn oid(&self) -> Oid {
                Self::OID
            }

            #[inline]
            fn encode(&self, out: &mut Encoder) -> Result<(), EncodeError> {
                out.put(&self.to_be_bytes());
                Ok(())
            }
        }

        impl<'r> Decode<'r> for $t {
            #[inline]
            fn accepts(ty: &Type) -> bool {
                ty.is($oid) $(|| matches!(ty.base().oid(), $($also)|*))?
            }

            #[inline]
            fn decode(_: &Type, bytes: &'r [u8]) -> Result<Self, DecodeError> {
                let mut r = Reader::new(bytes);
                let value = r.$read()?;
                r.finish()?;
                Ok(value)
            }
        }
    )*};
}

fixed_width! {
    i8, i8, 18, 1002;
    i16, i16, 21, 1005;
    i32, i32, 23, 1007;
    i64, i64, 20, 1016;
    // The numbers of transactions and commands, and what stands for something in a catalog.
    u32, u32, 26, 1028, also [28, 29, 24, 2202..=2206, 3734, 3769, 4089, 4096, 4191];
    f32, f32, 700, 1021;
    f64, f64, 701, 1022;
}

impl PgType for bool {
    const OID: Oid = Oid::Fixed(16);
    const ARRAY: Oid = Oid::Fixed(1000);
}

impl Encode for bool {
    #[inline]
    fn oid(&self) -> Oid {
        Self::OID
    }

    #[inline]
    fn encode(&self, out: &mut Encoder) -> Result<(), EncodeError> {
        out.put_u8(u8::from(*self));
        Ok(())
    }
}

impl<'r> Decode<'r> for bool {
    #[inline]
    fn accepts(ty: &Type) -> bool {
        ty.is(16)
    }

    #[inline]
    fn decode(_: &Type, bytes: &'r [u8]) -> Result<Self, DecodeError> {
        match bytes {
            [0] => Ok(false),
            [1] => Ok(true),
            _ => Err(DecodeError::invalid("a boolean is one byte, 0 or 1")),
        }
    }
}
