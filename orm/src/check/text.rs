//! Checks of texts and byte strings.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock, PoisonError, RwLock};

use regex::Regex;

use crate::check::Check;
use crate::check::checks::{length_declared, length_message, length_sql};
use crate::check::literal::literals;

/// Checks of text.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Text {
    /// At least and at most so many characters (not bytes).
    Length(usize, usize),
    /// At least so many characters.
    MinLength(usize),
    /// At most so many characters.
    MaxLength(usize),
    /// One of these.
    OneOf(&'static [&'static str]),
    /// A regular expression, in the syntax of the crate `regex`, that is found somewhere in the text: to hold
    /// for all of it, it begins with `^` and ends with `$`. One that is none is an error of the declaration.
    Pattern(&'static str),
    /// What the function says, described by the message.
    Is(&'static str, fn(&str) -> bool),
    /// The same, with a kind of its own for programs.
    Named(&'static str, &'static str, fn(&str) -> bool),
}

impl Text {
    /// The lengths that it allows, where it is about lengths.
    fn lengths(&self) -> Option<(usize, usize)> {
        match *self {
            Self::Length(least, most) => Some((least, most)),
            Self::MinLength(least) => Some((least, usize::MAX)),
            Self::MaxLength(most) => Some((0, most)),
            _ => None,
        }
    }
}

impl<S: AsRef<str> + ?Sized> Check<S> for Text {
    fn holds(&self, value: &S) -> bool {
        let value = value.as_ref();
        match self {
            Self::OneOf(set) => set.contains(&value),
            Self::Pattern(pattern) => compiled(pattern).is_ok_and(|regex| regex.is_match(value)),
            Self::Is(_, test) | Self::Named(_, _, test) => test(value),
            Self::Length(..) | Self::MinLength(_) | Self::MaxLength(_) => {
                self.lengths().is_none_or(|(least, most)| {
                    // Bytes are no fewer than characters, and no more than four times as many.
                    let bytes = value.len();
                    bytes >= least && (bytes / 4 <= most) && (least..=most).contains(&value.chars().count())
                })
            }
        }
    }

    fn kind(&self) -> &'static str {
        match self {
            Self::Length(..) | Self::MinLength(_) | Self::MaxLength(_) => "length",
            Self::OneOf(_) => "one_of",
            Self::Pattern(_) => "pattern",
            Self::Is(..) => "predicate",
            Self::Named(kind, ..) => kind,
        }
    }

    fn message(&self) -> String {
        match self {
            Self::OneOf(set) => format!("must be one of {set:?}"),
            Self::Pattern(pattern) => format!("must match {pattern}"),
            Self::Is(message, _) | Self::Named(_, message, _) => (*message).to_owned(),
            Self::Length(..) | Self::MinLength(_) | Self::MaxLength(_) => {
                let (least, most) = self.lengths().unwrap_or_default();
                length_message(least, most, "characters")
            }
        }
    }

    fn declared(&self) -> Result<(), String> {
        match self {
            Self::Length(least, most) => length_declared(*least, *most),
            Self::OneOf([]) => Err("no value is one of none".to_owned()),
            Self::Pattern(pattern) => compiled(pattern).map(drop),
            _ => Ok(()),
        }
    }

    /// Patterns are not SQL: the server's regular expressions are others.
    fn to_sql(&self, column: &str) -> Option<String> {
        if let Some((least, most)) = self.lengths() {
            return Some(length_sql(&format!("char_length({column})"), least, most));
        }
        match self {
            Self::OneOf(set) => Some(format!("{column} IN ({})", literals(set)?)),
            _ => None,
        }
    }
}

/// Checks of byte strings.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Bytes {
    /// At least and at most so many bytes.
    Length(usize, usize),
    /// What the function says, described by the message.
    Is(&'static str, fn(&[u8]) -> bool),
    /// The same, with a kind of its own for programs.
    Named(&'static str, &'static str, fn(&[u8]) -> bool),
}

impl<B: AsRef<[u8]> + ?Sized> Check<B> for Bytes {
    fn holds(&self, value: &B) -> bool {
        match self {
            Self::Length(least, most) => (*least..=*most).contains(&value.as_ref().len()),
            Self::Is(_, test) | Self::Named(_, _, test) => test(value.as_ref()),
        }
    }

    fn kind(&self) -> &'static str {
        match self {
            Self::Length(..) => "length",
            Self::Is(..) => "predicate",
            Self::Named(kind, ..) => kind,
        }
    }

    fn message(&self) -> String {
        match self {
            Self::Length(least, most) => length_message(*least, *most, "bytes"),
            Self::Is(message, _) | Self::Named(_, message, _) => (*message).to_owned(),
        }
    }

    fn declared(&self) -> Result<(), String> {
        match self {
            Self::Length(least, most) => length_declared(*least, *most),
            _ => Ok(()),
        }
    }

    fn to_sql(&self, column: &str) -> Option<String> {
        match self {
            Self::Length(least, most) => Some(length_sql(&format!("octet_length({column})"), *least, *most)),
            _ => None,
        }
    }
}

type Patterns = RwLock<HashMap<&'static str, Result<Arc<Regex>, String>>>;

/// Patterns are constants of the program, so there are as many as its code has; each is compiled once.
static PATTERNS: LazyLock<Patterns> = LazyLock::new(Patterns::default);

fn compiled(pattern: &'static str) -> Result<Arc<Regex>, String> {
    if let Some(known) = PATTERNS.read().unwrap_or_else(PoisonError::into_inner).get(pattern) {
        return known.clone();
    }
    let made = Regex::new(pattern).map(Arc::new).map_err(|e| format!("no regular expression: {e}"));
    PATTERNS.write().unwrap_or_else(PoisonError::into_inner).entry(pattern).or_insert(made).clone()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn length_counts_characters() {
        let check = Text::Length(1, 3);
        assert!(Check::<str>::holds(&check, "äöü"));
        assert!(!Check::<str>::holds(&check, ""));
        assert!(!Check::<str>::holds(&check, "four"));
        assert!(Check::<str>::holds(&Text::MaxLength(1), "\u{1F999}"), "four bytes are one character");
        assert!(!Check::<str>::holds(&Text::MinLength(2), "\u{1F999}"));
    }

    #[test]
    fn patterns_are_searched_and_not_anchored() {
        assert!(Check::<str>::holds(&Text::Pattern(r"\d"), "llama 7"));
        assert!(!Check::<str>::holds(&Text::Pattern(r"^\d"), "llama 7"));
        assert!(Check::<str>::declared(&Text::Pattern("(")).is_err());
    }

    #[test]
    fn literals_stay_within_their_quotes() {
        let sql = Check::<str>::to_sql(&Text::OneOf(&["a'); DROP", r"\"]), "c");
        assert_eq!(sql.as_deref(), Some(r"c IN ('a''); DROP', '\')"));
    }
}
