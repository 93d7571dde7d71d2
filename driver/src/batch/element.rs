//! Values of a fixed width, which a column keeps as they are.

use wreath_codecs::types::{Date, Time, Timestamp, TimestampTz, Uuid};
use wreath_codecs::{Decode, DecodeError, EncodeError, Encoder, Type};

/// A value that a [`Series`](crate::Series) keeps as itself, so that a column of them is a slice: `bool`, `i16`, `i32`,
/// `i64`, `f32`, `f64`, `u32` (`oid` and its kin), and [`Date`], [`Time`], [`Timestamp`], [`TimestampTz`], [`Uuid`] of
/// [`codecs::types`](crate::codecs::types).
pub trait Element: sealed::Sealed + Copy + Send + Sync + 'static {}

pub(super) mod sealed {
    use super::Fixed;

    pub trait Sealed: Sized {
        /// The values, if they are of this type.
        #[doc(hidden)]
        fn of(fixed: &Fixed) -> Option<&[Self]>;

        /// The same, taken.
        #[doc(hidden)]
        fn take(fixed: Fixed) -> Option<Vec<Self>>;
    }
}

macro_rules! fixed {
    ($($variant:ident($t:ty) = $zero:expr;)*) => {
        /// The values of a column whose type has a fixed width. What stands in the place of a NULL has no meaning.
        #[doc(hidden)]
        #[derive(Clone, Debug)]
        pub enum Fixed {
            $($variant(Vec<$t>),)*
        }

        $(
            impl Element for $t {}

            impl sealed::Sealed for $t {
                fn of(fixed: &Fixed) -> Option<&[Self]> {
                    match fixed {
                        Fixed::$variant(values) => Some(values),
                        _ => None,
                    }
                }

                fn take(fixed: Fixed) -> Option<Vec<Self>> {
                    match fixed {
                        Fixed::$variant(values) => Some(values),
                        _ => None,
                    }
                }
            }
        )*

        impl Fixed {
            /// An empty column with room for `rows` values of that type, if it is one of these.
            pub(super) fn of_type(ty: &Type, rows: usize) -> Option<Self> {
                $(if <$t as Decode<'_>>::accepts(ty) {
                    return Some(Self::$variant(Vec::with_capacity(rows)));
                })*
                None
            }

            #[inline]
            pub(super) fn push(&mut self, ty: &Type, value: Option<&[u8]>) -> Result<(), DecodeError> {
                match self {
                    $(Self::$variant(values) => values.push(match value {
                        Some(bytes) => <$t>::decode(ty, bytes)?,
                        None => $zero,
                    }),)*
                }
                Ok(())
            }

            pub(super) fn len(&self) -> usize {
                match self {
                    $(Self::$variant(values) => values.len(),)*
                }
            }

            /// Appends the `i`th value as it travels.
            pub(super) fn encode(&self, i: usize, out: &mut Encoder) -> Result<(), EncodeError> {
                match self {
                    $(Self::$variant(values) => out.put_value(&values[i]),)*
                }
            }

            pub(super) fn gather(&self, places: &[usize]) -> Self {
                match self {
                    $(Self::$variant(values) => {
                        Self::$variant(places.iter().map(|&place| values[place]).collect())
                    })*
                }
            }

            /// Appends the values of another of the same type; `false` where it is of another.
            pub(super) fn append(&mut self, other: Self) -> bool {
                match (self, other) {
                    $((Self::$variant(values), Self::$variant(more)) => values.extend(more),)*
                    _ => return false,
                }
                true
            }
        }
    };
}

fixed! {
    Bool(bool) = false;
    Int2(i16) = 0;
    Int4(i32) = 0;
    Int8(i64) = 0;
    Float4(f32) = 0.0;
    Float8(f64) = 0.0;
    Oid(u32) = 0;
    Date(Date) = Date::UNIX_EPOCH;
    Time(Time) = Time::MIDNIGHT;
    Timestamp(Timestamp) = Timestamp::UNIX_EPOCH;
    TimestampTz(TimestampTz) = TimestampTz::UNIX_EPOCH;
    Uuid(Uuid) = Uuid::from_bytes([0; 16]);
}
