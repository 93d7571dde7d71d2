//! JSON: its text as it is, and whatever serde makes of it.

use std::borrow::Cow;
use std::fmt;

use crate::error::{DecodeError, EncodeError};
use crate::types::{Decode, Encode, Encoder, Oid, PgType, Type};

const JSON: u32 = 114;
const JSONB: u32 = 3802;
const JSONB_ARRAY: u32 = 3807;
/// The version that stands before the text of a binary `jsonb`.
const VERSION: u8 = 1;

/// The text of a `json` or `jsonb` value, not parsed; borrowed where it can be. As a parameter it is `jsonb`,
/// which the server also assigns to columns of `json`.
///
/// Two are equal when their texts are: this compares no JSON values.
///
/// ```
/// use wreath_codecs::types::RawJson;
///
/// let notes = RawJson::new(r#"{"wool": 2.5}"#);
/// assert_eq!(notes.as_str(), r#"{"wool": 2.5}"#);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RawJson<'a>(Cow<'a, str>);

impl<'a> RawJson<'a> {
    /// Takes `text` for JSON; the server is who checks it.
    pub fn new(text: impl Into<Cow<'a, str>>) -> Self {
        Self(text.into())
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The same text, owned.
    pub fn into_owned(self) -> RawJson<'static> {
        RawJson(Cow::Owned(self.0.into_owned()))
    }

    /// The text as a `String`.
    pub fn into_string(self) -> String {
        self.0.into_owned()
    }
}

impl fmt::Display for RawJson<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl PgType for RawJson<'_> {
    const OID: Oid = Oid::Fixed(JSONB);
    const ARRAY: Oid = Oid::Fixed(JSONB_ARRAY);
}

impl Encode for RawJson<'_> {
    #[inline]
    fn oid(&self) -> Oid {
        Self::OID
    }

    #[inline]
    fn encode(&self, out: &mut Encoder) -> Result<(), EncodeError> {
        put_jsonb(out, self.0.as_bytes())
    }
}

impl<'r> Decode<'r> for RawJson<'r> {
    #[inline]
    fn accepts(ty: &Type) -> bool {
        is_json(ty)
    }

    #[inline]
    fn decode(ty: &Type, bytes: &'r [u8]) -> Result<Self, DecodeError> {
        let text = std::str::from_utf8(json_text(ty, bytes)?);
        text.map(|text| Self(Cow::Borrowed(text)))
            .map_err(|e| DecodeError::invalid(format!("JSON that is not UTF-8: {e}")))
    }
}

#[inline]
fn is_json(ty: &Type) -> bool {
    ty.is(JSONB) || ty.is(JSON)
}

/// The JSON text of a value of either type.
#[inline]
pub(crate) fn json_text<'r>(ty: &Type, bytes: &'r [u8]) -> Result<&'r [u8], DecodeError> {
    if ty.base().oid() == JSON {
        return Ok(bytes);
    }
    match bytes {
        [VERSION, text @ ..] => Ok(text),
        [] => Err(DecodeError::invalid("a jsonb value without its version")),
        [other, ..] => Err(DecodeError::invalid(format!("jsonb of version {other}, known is {VERSION}"))),
    }
}

/// Appends `text` as binary `jsonb`.
pub(crate) fn put_jsonb(out: &mut Encoder, text: &[u8]) -> Result<(), EncodeError> {
    refuse_nul(text)?;
    out.put_u8(VERSION);
    out.put(text);
    Ok(())
}

/// `jsonb` holds no string with a NUL, neither plain nor as an escape.
fn refuse_nul(text: &[u8]) -> Result<(), EncodeError> {
    if let Some(at) = memchr::memchr(0, text) {
        return Err(EncodeError::new(format!("jsonb with a NUL, at byte {at}")));
    }
    let mut rest = text;
    while let Some(at) = memchr::memchr(b'\\', rest) {
        let escape = &rest[at + 1..];
        if escape.starts_with(b"u0000") {
            let at = text.len() - escape.len() - 1;
            return Err(EncodeError::new(format!("jsonb with the escape of a NUL, at byte {at}")));
        }
        // What is escaped may be a backslash, which escapes nothing then.
        rest = escape.get(1..).unwrap_or_default();
    }
    Ok(())
}

#[cfg(feature = "serde_json")]
mod with_serde {
    use std::io;

    use serde::{Deserialize, Serialize};

    use super::{JSONB, JSONB_ARRAY, VERSION, is_json, json_text, refuse_nul};
    use crate::error::{DecodeError, EncodeError};
    use crate::types::{Decode, Encode, Encoder, Oid, PgType, Type};

    /// A value that is stored as JSON through serde: a parameter of `jsonb`, read from `json` and `jsonb`
    /// straight out of the reply, so that `T` may borrow from it.
    ///
    /// ```
    /// use wreath_codecs::types::Json;
    /// use wreath_codecs::{Encode, Encoder};
    ///
    /// let mut out = Encoder::new();
    /// Json(vec![1, 2]).encode(&mut out)?;
    /// assert_eq!(out.as_bytes(), b"\x01[1,2]");
    /// # Ok::<(), wreath_codecs::EncodeError>(())
    /// ```
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub struct Json<T>(pub T);

    impl<T> PgType for Json<T> {
        const OID: Oid = Oid::Fixed(JSONB);
        const ARRAY: Oid = Oid::Fixed(JSONB_ARRAY);
    }

    impl<T: Serialize> Encode for Json<T> {
        #[inline]
        fn oid(&self) -> Oid {
            Self::OID
        }

        fn encode(&self, out: &mut Encoder) -> Result<(), EncodeError> {
            put_serde(out, &self.0)
        }
    }

    impl<'r, T: Deserialize<'r>> Decode<'r> for Json<T> {
        #[inline]
        fn accepts(ty: &Type) -> bool {
            is_json(ty)
        }

        #[inline]
        fn decode(ty: &Type, bytes: &'r [u8]) -> Result<Self, DecodeError> {
            from_serde(ty, bytes).map(Json)
        }
    }

    impl PgType for serde_json::Value {
        const OID: Oid = Oid::Fixed(JSONB);
        const ARRAY: Oid = Oid::Fixed(JSONB_ARRAY);
    }

    impl Encode for serde_json::Value {
        #[inline]
        fn oid(&self) -> Oid {
            Self::OID
        }

        fn encode(&self, out: &mut Encoder) -> Result<(), EncodeError> {
            put_serde(out, self)
        }
    }

    impl<'r> Decode<'r> for serde_json::Value {
        #[inline]
        fn accepts(ty: &Type) -> bool {
            is_json(ty)
        }

        #[inline]
        fn decode(ty: &Type, bytes: &'r [u8]) -> Result<Self, DecodeError> {
            from_serde(ty, bytes)
        }
    }

    fn from_serde<'r, T: Deserialize<'r>>(ty: &Type, bytes: &'r [u8]) -> Result<T, DecodeError> {
        serde_json::from_slice(json_text(ty, bytes)?).map_err(|e| DecodeError::invalid(e.to_string()))
    }

    fn put_serde<T: Serialize>(out: &mut Encoder, value: &T) -> Result<(), EncodeError> {
        out.put_u8(VERSION);
        let start = out.len();
        serde_json::to_writer(Appender(out), value).map_err(|e| EncodeError::new(e.to_string()))?;
        refuse_nul(&out.as_bytes()[start..])
    }

    /// The end of a buffer, for serde to write to.
    struct Appender<'a>(&'a mut Encoder);

    impl io::Write for Appender<'_> {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.put(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
}

#[cfg(feature = "serde_json")]
pub use with_serde::Json;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_version_of_jsonb_is_checked() {
        let (json, jsonb) = (Type::unknown_number(JSON), Type::unknown_number(JSONB));
        assert_eq!(RawJson::decode(&json, b"[1]").expect("decodes").as_str(), "[1]");
        assert_eq!(RawJson::decode(&jsonb, b"\x01[1]").expect("decodes").as_str(), "[1]");
        for bytes in [&b""[..], b"[1]", b"\x02[1]", b"\x01\xff"] {
            assert!(RawJson::decode(&jsonb, bytes).is_err(), "{bytes:?}");
        }
    }

    #[test]
    fn a_nul_is_refused_and_its_look_alike_is_not() {
        let mut out = Encoder::new();
        for text in ["\"a\0\"", r#""a\u0000""#, r#""a\\\u0000""#] {
            assert!(RawJson::new(text).encode(&mut out).is_err(), "{text}");
        }
        RawJson::new(r#""a\\u0000""#).encode(&mut out).expect("only a backslash and letters");
    }

    #[cfg(feature = "serde_json")]
    #[test]
    fn serde_borrows_from_the_reply() {
        let ty = Type::unknown_number(JSONB);
        let bytes = b"\x01[\"a\", \"b\"]".to_vec();
        let Json(names) = Json::<Vec<&str>>::decode(&ty, &bytes).expect("decodes");
        assert_eq!(names, ["a", "b"]);
        assert!(Json::<Vec<i32>>::decode(&ty, &bytes).is_err());
        let nul = serde_json::Value::String("\0".into());
        assert!(nul.encode(&mut Encoder::new()).is_err());
    }
}
