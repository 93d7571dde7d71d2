//! Universally unique identifiers.

use std::fmt;
use std::str::FromStr;

use crate::error::{DecodeError, EncodeError, ParseError};
use crate::types::Encoder;
use crate::types::builtin::{Builtin, builtin};
use crate::wire::Reader;

/// A `uuid`: 16 bytes, ordered as the server orders them. With the feature `uuid`, the crate `uuid`'s own
/// type is encoded and decoded too.
///
/// ```
/// use wreath_codecs::types::Uuid;
///
/// let id: Uuid = "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11".parse()?;
/// assert_eq!(id.to_string(), "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11");
/// # Ok::<(), wreath_codecs::ParseError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Uuid([u8; 16]);

builtin! { Uuid, 2950, 2951; }

impl Uuid {
    /// The identifier of these bytes.
    pub const fn from_bytes(bytes: [u8; 16]) -> Self {
        Self(bytes)
    }

    /// Its bytes.
    pub const fn to_bytes(self) -> [u8; 16] {
        self.0
    }
}

impl Builtin<'_> for Uuid {
    #[inline]
    fn put(&self, out: &mut Encoder) -> Result<(), EncodeError> {
        out.put(&self.0);
        Ok(())
    }

    #[inline]
    fn get(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        r.array().map(Self)
    }
}

impl fmt::Display for Uuid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, byte) in self.0.iter().enumerate() {
            if matches!(i, 4 | 6 | 8 | 10) {
                f.write_str("-")?;
            }
            write!(f, "{byte:02x}")?;
        }
        Ok(())
    }
}

/// Reads what the server reads: 32 hexadecimal digits, with hyphens after any group of four, in braces or not.
impl FromStr for Uuid {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let fail = || ParseError::new("uuid", text, "not 32 hexadecimal digits");
        let inner = text.strip_prefix('{').map_or(Some(text), |rest| rest.strip_suffix('}'));
        let mut chars = inner.ok_or_else(fail)?.bytes().peekable();
        let mut bytes = [0; 16];
        for (i, byte) in bytes.iter_mut().enumerate() {
            let mut digit = || char::from(chars.next()?).to_digit(16);
            let (Some(high), Some(low)) = (digit(), digit()) else { return Err(fail()) };
            *byte = u8::try_from(high * 16 + low).map_err(|_| fail())?;
            if i % 2 == 1 && i < 15 {
                chars.next_if_eq(&b'-');
            }
        }
        if chars.next().is_some() { Err(fail()) } else { Ok(Self(bytes)) }
    }
}

#[cfg(feature = "uuid")]
mod with_uuid {
    use super::{Builtin, Uuid, builtin};
    use crate::error::{DecodeError, EncodeError};
    use crate::types::Encoder;
    use crate::wire::Reader;

    builtin! { uuid::Uuid, 2950, 2951; }

    impl Builtin<'_> for uuid::Uuid {
        #[inline]
        fn put(&self, out: &mut Encoder) -> Result<(), EncodeError> {
            out.put(self.as_bytes());
            Ok(())
        }

        #[inline]
        fn get(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
            r.array().map(Self::from_bytes)
        }
    }

    impl From<uuid::Uuid> for Uuid {
        fn from(id: uuid::Uuid) -> Self {
            Self(id.into_bytes())
        }
    }

    impl From<Uuid> for uuid::Uuid {
        fn from(id: Uuid) -> Self {
            Self::from_bytes(id.0)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_the_forms_that_the_server_reads() {
        let want = "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11";
        for text in [
            want,
            "A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11",
            "{a0eebc99-9c0b4ef8-bb6d6bb9-bd380a11}",
            "a0eebc999c0b4ef8bb6d6bb9bd380a11",
            "a0ee-bc99-9c0b-4ef8-bb6d-6bb9-bd38-0a11",
        ] {
            assert_eq!(text.parse::<Uuid>().expect("parses").to_string(), want);
        }
        for text in
            ["", "{}", "a0eebc99", "{a0eebc999c0b4ef8bb6d6bb9bd380a11", "a0eebc999c0b4ef8bb6d6bb9bd380a111"]
        {
            assert!(text.parse::<Uuid>().is_err(), "{text}");
        }
    }
}
