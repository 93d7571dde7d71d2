//! What every built-in type of ours has in common, said once.

use crate::error::{DecodeError, EncodeError};
use crate::types::Encoder;
use crate::wire::Reader;

/// The binary form of a type whose number is the same in every database. [`builtin!`] makes the public
/// traits out of it.
pub(crate) trait Builtin<'r>: Sized {
    /// Appends the value.
    fn put(&self, out: &mut Encoder) -> Result<(), EncodeError>;

    /// Reads a value; the caller checks that nothing is left over.
    fn get(r: &mut Reader<'r>) -> Result<Self, DecodeError>;
}

/// Implements `PgType`, `Encode` and `Decode` for types that are [`Builtin`]: the numbers of the type and of
/// its array, and of other types that are read the same way.
macro_rules! builtin {
    ($($t:ty, $oid:literal, $array:literal $(, also $other:literal)*;)*) => {$(
        impl $crate::types::PgType for $t {
            const OID: $crate::types::Oid = $crate::types::Oid::Fixed($oid);
            const ARRAY: $crate::types::Oid = $crate::types::Oid::Fixed($array);
        }

        $crate::types::builtin::codec! { $t, |ty| ty.is($oid) $(|| ty.is($other))* }
    )*};
}

/// The same for types of extensions, which have a number of their own in each database: their name, and those
/// of other types that are read the same way.
macro_rules! named {
    ($($t:ty, $name:literal $(, also $other:literal)*;)*) => {$(
        impl $crate::types::PgType for $t {
            const OID: $crate::types::Oid = $crate::types::Oid::named($name);
            const ARRAY: $crate::types::Oid =
                $crate::types::Oid::ArrayOf($crate::types::Name { schema: None, name: $name });
        }

        $crate::types::builtin::codec! { $t, |ty| ty.is_of_extension(&[$name $(, $other)*]) }
    )*};
}

/// Implements `Encode` and `Decode` for a type that is [`Builtin`], given which types it reads.
macro_rules! codec {
    ($t:ty, |$ty:ident| $accepts:expr) => {
        impl $crate::types::Encode for $t {
            #[inline]
            fn oid(&self) -> $crate::types::Oid {
                <Self as $crate::types::PgType>::OID
            }

            #[inline]
            fn encode(&self, out: &mut $crate::types::Encoder) -> Result<(), $crate::error::EncodeError> {
                $crate::types::builtin::Builtin::put(self, out)
            }
        }

        impl<'r> $crate::types::Decode<'r> for $t {
            #[inline]
            fn accepts($ty: &$crate::types::Type) -> bool {
                $accepts
            }

            #[inline]
            fn decode(_: &$crate::types::Type, bytes: &'r [u8]) -> Result<Self, $crate::error::DecodeError> {
                let mut r = $crate::wire::Reader::new(bytes);
                let value = <Self as $crate::types::builtin::Builtin<'r>>::get(&mut r)?;
                r.finish()?;
                Ok(value)
            }
        }
    };
}

pub(crate) use {builtin, codec, named};
