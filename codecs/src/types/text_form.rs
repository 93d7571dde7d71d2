//! The server's text form of values.

use std::fmt;

use crate::error::ParseError;
use crate::types::{Date, Numeric, Time, TimeTz, Timestamp, TimestampTz, Uuid};

/// A value that can be written and read as the server writes and reads it: ISO dates, UTC, byte strings in
/// hexadecimal, floats with as few digits as tell them apart.
///
/// Types of ours print so through `Display` too. This trait says the same for Rust's own types, whose
/// `Display` differs (`true` is `t` to the server), and so lets arrays, ranges and composites of them print.
pub trait TextForm: Sized {
    /// What separates values in the text of an array: a comma, except for few types.
    const DELIMITER: char = ',';

    /// Writes the value.
    ///
    /// # Errors
    /// Those of the formatter.
    fn write_text(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result;

    /// Reads what [`write_text`](Self::write_text) writes.
    ///
    /// # Errors
    /// When the text is no value of the type.
    fn parse_text(text: &str) -> Result<Self, ParseError>;
}

/// A value that prints in the server's text form.
///
/// ```
/// use wreath_codecs::types::AsText;
///
/// assert_eq!(AsText(&true).to_string(), "t");
/// assert_eq!(AsText(&1e300).to_string(), "1e+300");
/// assert_eq!(AsText(&vec![0xca_u8, 0xfe]).to_string(), r"\xcafe");
/// ```
#[derive(Clone, Copy, Debug)]
pub struct AsText<'a, T>(pub &'a T);

impl<T: TextForm> fmt::Display for AsText<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.write_text(f)
    }
}

/// Types whose `Display` and `FromStr` are the server's form.
macro_rules! text_form {
    ($($t:ty),* $(,)?) => {$(
        impl $crate::types::TextForm for $t {
            fn write_text(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                std::fmt::Display::fmt(self, f)
            }

            fn parse_text(text: &str) -> Result<Self, $crate::error::ParseError> {
                text.parse()
            }
        }
    )*};
}

pub(crate) use text_form;

text_form! { Date, Numeric, Time, TimeTz, Timestamp, TimestampTz, Uuid }

macro_rules! integers {
    ($($t:ty, $name:literal;)*) => {$(
        impl TextForm for $t {
            fn write_text(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(self, f)
            }

            fn parse_text(text: &str) -> Result<Self, ParseError> {
                text.parse().map_err(|e: std::num::ParseIntError| ParseError::new($name, text, e.to_string()))
            }
        }
    )*};
}

integers! {
    i16, "int2";
    i32, "int4";
    i64, "int8";
    u32, "oid";
}

impl TextForm for bool {
    fn write_text(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if *self { "t" } else { "f" })
    }

    fn parse_text(text: &str) -> Result<Self, ParseError> {
        match text.to_ascii_lowercase().as_str() {
            "t" | "true" | "y" | "yes" | "on" | "1" => Ok(true),
            "f" | "false" | "n" | "no" | "off" | "0" => Ok(false),
            _ => Err(ParseError::new("bool", text, "neither t nor f")),
        }
    }
}

/// The type `"char"`: one byte, which prints as itself, as nothing when it is zero, and as a backslash and
/// three octal digits when it is not ASCII.
impl TextForm for i8 {
    fn write_text(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.to_ne_bytes() {
            [0] => Ok(()),
            [ascii @ ..=0x7f] => fmt::Write::write_char(f, char::from(ascii)),
            [other] => write!(f, "\\{other:03o}"),
        }
    }

    fn parse_text(text: &str) -> Result<Self, ParseError> {
        let byte = match text.as_bytes() {
            [] => Some(0),
            [byte @ ..=0x7f] => Some(*byte),
            [b'\\', octal @ ..] if octal.len() == 3 => u8::from_str_radix(&text[1..], 8).ok(),
            _ => None,
        };
        byte.map(|b| Self::from_ne_bytes([b]))
            .ok_or_else(|| ParseError::new("\"char\"", text, "not one byte"))
    }
}

impl TextForm for String {
    fn write_text(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self)
    }

    fn parse_text(text: &str) -> Result<Self, ParseError> {
        Ok(text.to_owned())
    }
}

/// `\x` and hexadecimal digits. What the server wrote before version 9.0 (octal escapes) is read too.
impl TextForm for Vec<u8> {
    fn write_text(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_hex(f, self)
    }

    fn parse_text(text: &str) -> Result<Self, ParseError> {
        let bytes = match text.strip_prefix("\\x") {
            Some(hex) => parse_hex(hex),
            None => parse_escaped(text.as_bytes()),
        };
        bytes.ok_or_else(|| {
            ParseError::new("bytea", text, "neither \\x and pairs of digits nor escaped bytes")
        })
    }
}

pub(crate) fn write_hex(f: &mut fmt::Formatter<'_>, bytes: &[u8]) -> fmt::Result {
    f.write_str("\\x")?;
    bytes.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
}

pub(crate) fn parse_hex(hex: &str) -> Option<Vec<u8>> {
    let (pairs, rest) = hex.as_bytes().as_chunks::<2>();
    let digit = |b: u8| char::from(b).to_digit(16);
    let byte = |[high, low]: &[u8; 2]| u8::try_from(digit(*high)? * 16 + digit(*low)?).ok();
    if rest.is_empty() { pairs.iter().map(byte).collect() } else { None }
}

fn parse_escaped(mut text: &[u8]) -> Option<Vec<u8>> {
    let mut out = Vec::new();
    while let Some((&first, rest)) = text.split_first() {
        let byte;
        (byte, text) = match (first, rest) {
            (b'\\', [b'\\', rest @ ..]) => (b'\\', rest),
            (b'\\', [a @ b'0'..=b'3', b @ b'0'..=b'7', c @ b'0'..=b'7', rest @ ..]) => {
                ((a - b'0') * 64 + (b - b'0') * 8 + (c - b'0'), rest)
            }
            (b'\\', _) => return None,
            (plain, rest) => (plain, rest),
        };
        out.push(byte);
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rusts_own_types_print_as_the_servers() {
        assert_eq!(AsText(&false).to_string(), "f");
        assert_eq!(AsText(&b'a'.cast_signed()).to_string(), "a");
        assert_eq!(AsText(&-1_i8).to_string(), "\\377");
        assert_eq!(i8::parse_text("\\377"), Ok(-1));
        assert_eq!(bool::parse_text("Yes"), Ok(true));
        assert!(bool::parse_text("maybe").is_err());
        assert!(i16::parse_text("32768").is_err());
    }

    #[test]
    fn byte_strings_are_read_in_both_forms() {
        assert_eq!(Vec::<u8>::parse_text("\\xCAfe"), Ok(vec![0xca, 0xfe]));
        assert_eq!(Vec::<u8>::parse_text("a\\\\b\\001\\377"), Ok(b"a\\b\x01\xff".to_vec()));
        for text in ["\\xabc", "\\xzz", "\\", "\\9", "\\400"] {
            assert!(Vec::<u8>::parse_text(text).is_err(), "{text}");
        }
    }
}
