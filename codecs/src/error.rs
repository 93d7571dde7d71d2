//! What can be wrong with a value, in either direction.

use std::borrow::Cow;
use std::fmt;

use crate::types::Type;

/// A value from the server that the asked-for Rust type cannot be read from.
///
/// It is one pointer wide, so that decoding a column returns in registers.
#[derive(Clone, PartialEq, Eq)]
pub struct DecodeError(Box<DecodeInner>);

#[derive(Clone, PartialEq, Eq)]
struct DecodeInner {
    kind: DecodeErrorKind,
    pg_type: Option<String>,
    detail: Cow<'static, str>,
}

/// The kinds of [`DecodeError`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum DecodeErrorKind {
    /// NULL for a Rust type that has no room for it: ask for an `Option`.
    Null,
    /// The Rust type does not read this PostgreSQL type.
    Mismatch,
    /// The bytes end before the value does.
    Truncated,
    /// Bytes are left over after the value.
    Trailing,
    /// The bytes are no value of the type.
    Invalid,
    /// A valid value that the Rust type cannot hold.
    OutOfRange,
}

impl DecodeError {
    /// An error of `kind` about no type in particular.
    pub fn new(kind: DecodeErrorKind, detail: impl Into<Cow<'static, str>>) -> Self {
        Self(Box::new(DecodeInner { kind, pg_type: None, detail: detail.into() }))
    }

    /// NULL where a value has to be.
    #[cold]
    pub fn null(ty: &Type) -> Self {
        Self::new(DecodeErrorKind::Null, "NULL for a Rust type that is not an Option").of(ty)
    }

    /// The Rust type of that name, with or without paths, does not read `ty`.
    #[cold]
    pub fn mismatch(rust: &'static str, ty: &Type) -> Self {
        Self::new(DecodeErrorKind::Mismatch, format!("{} does not read it", without_paths(rust))).of(ty)
    }

    /// Bytes that are no value of the type.
    #[cold]
    pub fn invalid(detail: impl Into<Cow<'static, str>>) -> Self {
        Self::new(DecodeErrorKind::Invalid, detail)
    }

    /// A value that the Rust type cannot hold.
    #[cold]
    pub fn out_of_range(detail: impl Into<Cow<'static, str>>) -> Self {
        Self::new(DecodeErrorKind::OutOfRange, detail)
    }

    /// The same error, naming `ty` where it named no type yet.
    #[must_use]
    pub fn of(mut self, ty: &Type) -> Self {
        self.0.pg_type.get_or_insert_with(|| ty.name().to_owned());
        self
    }

    /// What is wrong.
    pub fn kind(&self) -> DecodeErrorKind {
        self.0.kind
    }

    /// The name of the PostgreSQL type, where it is known.
    pub fn pg_type(&self) -> Option<&str> {
        self.0.pg_type.as_deref()
    }
}

impl fmt::Display for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0.pg_type {
            Some(ty) => write!(f, "cannot read a value of type {ty}: {}", self.0.detail),
            None => write!(f, "cannot read a value: {}", self.0.detail),
        }
    }
}

impl fmt::Debug for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DecodeError")
            .field("kind", &self.0.kind)
            .field("pg_type", &self.0.pg_type)
            .field("detail", &self.0.detail)
            .finish()
    }
}

impl std::error::Error for DecodeError {}

/// The name of a type as one would write it: `Option<String>` for what the compiler calls
/// `core::option::Option<alloc::string::String>`.
fn without_paths(name: &str) -> String {
    let in_path = |c: char| c.is_alphanumeric() || c == '_' || c == ':';
    let words = name.split_inclusive(|c: char| !in_path(c));
    words.map(|word| word.rsplit_once("::").map_or(word, |(_, last)| last)).collect()
}

/// A value that PostgreSQL cannot be given. Nothing of it has been sent.
#[derive(Clone, PartialEq, Eq)]
pub struct EncodeError(Box<EncodeInner>);

#[derive(Clone, PartialEq, Eq)]
struct EncodeInner {
    position: Option<usize>,
    detail: Cow<'static, str>,
}

impl EncodeError {
    /// An error that says what is wrong with the value.
    #[cold]
    pub fn new(detail: impl Into<Cow<'static, str>>) -> Self {
        Self(Box::new(EncodeInner { position: None, detail: detail.into() }))
    }

    /// The same error, naming the parameter's place (from 1, as in `$1`) where it named none yet.
    #[must_use]
    pub fn at(mut self, position: usize) -> Self {
        self.0.position.get_or_insert(position);
        self
    }

    /// The parameter's place, from 1, where it is known.
    pub fn position(&self) -> Option<usize> {
        self.0.position
    }
}

impl fmt::Display for EncodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.position {
            Some(n) => write!(f, "cannot send parameter ${n}: {}", self.0.detail),
            None => write!(f, "cannot send a value: {}", self.0.detail),
        }
    }
}

impl fmt::Debug for EncodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EncodeError")
            .field("position", &self.0.position)
            .field("detail", &self.0.detail)
            .finish()
    }
}

impl std::error::Error for EncodeError {}

/// A text that is no value of the type it was to be parsed as.
#[derive(Clone, PartialEq, Eq)]
pub struct ParseError(Box<ParseInner>);

#[derive(Clone, PartialEq, Eq)]
struct ParseInner {
    pg_type: Cow<'static, str>,
    text: String,
    detail: Cow<'static, str>,
}

/// How much of a text a [`ParseError`] keeps.
const QUOTED: usize = 80;

impl ParseError {
    /// `text` is no value of the type named `pg_type`, because of `detail`.
    #[cold]
    pub fn new(
        pg_type: impl Into<Cow<'static, str>>,
        text: &str,
        detail: impl Into<Cow<'static, str>>,
    ) -> Self {
        let mut kept: String = text.chars().take(QUOTED).collect();
        if kept.len() < text.len() {
            kept.push('…');
        }
        Self(Box::new(ParseInner { pg_type: pg_type.into(), text: kept, detail: detail.into() }))
    }

    /// The name of the type.
    pub fn pg_type(&self) -> &str {
        &self.0.pg_type
    }
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ParseInner { pg_type, text, detail } = &*self.0;
        write!(f, "{text:?} is no value of type {pg_type}: {detail}")
    }
}

impl fmt::Debug for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ParseError({self})")
    }
}

impl std::error::Error for ParseError {}

/// A value that another type cannot hold exactly.
#[derive(Clone, PartialEq, Eq)]
pub struct RangeError(Box<RangeInner>);

#[derive(Clone, PartialEq, Eq)]
struct RangeInner {
    value: String,
    target: &'static str,
}

impl RangeError {
    /// `target` cannot hold `value`.
    #[cold]
    pub fn new(value: impl fmt::Display, target: &'static str) -> Self {
        Self(Box::new(RangeInner { value: value.to_string(), target }))
    }
}

impl fmt::Display for RangeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} cannot hold {}", self.0.target, self.0.value)
    }
}

impl fmt::Debug for RangeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "RangeError({self})")
    }
}

impl std::error::Error for RangeError {}

/// A conversion that cannot fail, among those that can.
impl From<std::convert::Infallible> for RangeError {
    fn from(never: std::convert::Infallible) -> Self {
        match never {}
    }
}

impl From<RangeError> for DecodeError {
    #[cold]
    fn from(error: RangeError) -> Self {
        Self::out_of_range(error.to_string())
    }
}

impl From<RangeError> for EncodeError {
    #[cold]
    fn from(error: RangeError) -> Self {
        Self::new(error.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_are_named_as_one_would_write_them() {
        for (long, short) in [
            ("i32", "i32"),
            ("core::option::Option<alloc::string::String>", "Option<String>"),
            ("(alloc::vec::Vec<&str>, farm::types::Mood)", "(Vec<&str>, Mood)"),
        ] {
            assert_eq!(without_paths(long), short);
        }
    }
}
