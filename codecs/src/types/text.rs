//! Text in its several names.

use std::borrow::Cow;

use crate::error::{DecodeError, EncodeError};
use crate::types::{Decode, Encode, Encoder, Kind, Oid, PgType, Type};

const TEXT: Oid = Oid::Fixed(25);
const TEXT_ARRAY: Oid = Oid::Fixed(1009);

impl PgType for str {
    const OID: Oid = TEXT;
    const ARRAY: Oid = TEXT_ARRAY;
}

impl PgType for String {
    const OID: Oid = TEXT;
    const ARRAY: Oid = TEXT_ARRAY;
}

/// A string is a parameter of no type: the server infers it, and reads the string as that type's text form.
impl Encode for str {
    #[inline]
    fn oid(&self) -> Oid {
        Oid::UNSPECIFIED
    }

    #[inline]
    fn encode(&self, out: &mut Encoder) -> Result<(), EncodeError> {
        if let Some(at) = memchr::memchr(0, self.as_bytes()) {
            return Err(EncodeError::new(format!("text with a NUL, at byte {at}")));
        }
        out.put(self.as_bytes());
        Ok(())
    }
}

impl Encode for String {
    #[inline]
    fn oid(&self) -> Oid {
        self.as_str().oid()
    }

    #[inline]
    fn encode(&self, out: &mut Encoder) -> Result<(), EncodeError> {
        self.as_str().encode(out)
    }
}

impl<'r> Decode<'r> for &'r str {
    /// Every type whose binary form is its text: text, varchar, bpchar, name, "char", xml, json, citext, refcursor,
    /// unknown and enums; types that have only a text form; and `void`, as an empty text.
    #[inline]
    fn accepts(ty: &Type) -> bool {
        is_textual(ty)
    }

    #[inline]
    fn decode(_: &Type, bytes: &'r [u8]) -> Result<Self, DecodeError> {
        std::str::from_utf8(bytes).map_err(|e| DecodeError::invalid(format!("text that is not UTF-8: {e}")))
    }
}

impl<'r> Decode<'r> for String {
    #[inline]
    fn accepts(ty: &Type) -> bool {
        is_textual(ty)
    }

    #[inline]
    fn decode(ty: &Type, bytes: &'r [u8]) -> Result<Self, DecodeError> {
        <&str>::decode(ty, bytes).map(str::to_owned)
    }
}

/// Text that is borrowed where it can be.
impl PgType for Cow<'_, str> {
    const OID: Oid = TEXT;
    const ARRAY: Oid = TEXT_ARRAY;
}

impl Encode for Cow<'_, str> {
    #[inline]
    fn oid(&self) -> Oid {
        self.as_ref().oid()
    }

    #[inline]
    fn encode(&self, out: &mut Encoder) -> Result<(), EncodeError> {
        self.as_ref().encode(out)
    }
}

impl<'r> Decode<'r> for Cow<'r, str> {
    #[inline]
    fn accepts(ty: &Type) -> bool {
        is_textual(ty)
    }

    #[inline]
    fn decode(ty: &Type, bytes: &'r [u8]) -> Result<Self, DecodeError> {
        <&str>::decode(ty, bytes).map(Cow::Borrowed)
    }
}

fn is_textual(ty: &Type) -> bool {
    match ty.kind() {
        Kind::Enum(_) => true,
        Kind::Domain(inner) => is_textual(inner),
        _ if !ty.is_binary() => true,
        _ => {
            matches!(ty.oid(), 18 | 19 | 25 | 114 | 142 | 194 | 705 | 1042 | 1043 | 1790 | 2275 | 2278)
                || ty.is_of_extension(&["citext"])
        }
    }
}
