//! Text as it arrived.

use std::borrow::Cow;
use std::fmt;
use std::str::Utf8Error;

/// Text of a message: the bytes up to a zero byte.
///
/// It is UTF-8 once `client_encoding` is `UTF8`, with two exceptions: what a server says before that (an
/// error at start-up is in the server's own encoding), and all that comes from a `SQL_ASCII` database. So the
/// bytes are kept: [`to_str`](Self::to_str) is strict, and [`to_string_lossy`](Self::to_string_lossy),
/// `Display` and `to_string` put U+FFFD where there is no UTF-8, so that an error can always be shown.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Text<'a>(&'a [u8]);

impl<'a> Text<'a> {
    /// The bytes, without the zero byte that ends them.
    #[inline]
    pub const fn as_bytes(self) -> &'a [u8] {
        self.0
    }

    /// The text, when it is UTF-8.
    ///
    /// # Errors
    /// When it is not.
    #[inline]
    pub fn to_str(self) -> Result<&'a str, Utf8Error> {
        std::str::from_utf8(self.0)
    }

    /// The text, with U+FFFD where it is not UTF-8. Allocates only then.
    pub fn to_string_lossy(self) -> Cow<'a, str> {
        String::from_utf8_lossy(self.0)
    }

    /// Whether there is nothing in it.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0.is_empty()
    }
}

impl<'a> From<&'a [u8]> for Text<'a> {
    fn from(bytes: &'a [u8]) -> Self {
        Self(bytes)
    }
}

impl<'a> From<&'a str> for Text<'a> {
    fn from(text: &'a str) -> Self {
        Self(text.as_bytes())
    }
}

impl AsRef<[u8]> for Text<'_> {
    fn as_ref(&self) -> &[u8] {
        self.0
    }
}

impl PartialEq<str> for Text<'_> {
    fn eq(&self, other: &str) -> bool {
        self.0 == other.as_bytes()
    }
}

impl PartialEq<&str> for Text<'_> {
    fn eq(&self, other: &&str) -> bool {
        self.0 == other.as_bytes()
    }
}

impl fmt::Display for Text<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for chunk in self.0.utf8_chunks() {
            f.write_str(chunk.valid())?;
            if !chunk.invalid().is_empty() {
                f.write_str("\u{fffd}")?;
            }
        }
        Ok(())
    }
}

impl fmt::Debug for Text<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.to_string_lossy(), f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_that_are_not_utf8_are_kept_and_can_be_shown() {
        let latin1 = Text::from(&b"Stra\xdfe"[..]);
        assert!(latin1.to_str().is_err());
        assert_eq!(latin1.to_string(), "Stra\u{fffd}e");
        assert_eq!(latin1.to_string_lossy(), "Stra\u{fffd}e");
        assert_eq!(latin1.as_bytes(), b"Stra\xdfe");
        assert_eq!(Text::from("Straße").to_str(), Ok("Straße"));
        assert_eq!(format!("{:?}", Text::from("a\"b")), r#""a\"b""#);
    }
}
