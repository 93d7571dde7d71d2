//! Quoting of elements, fields and bounds inside the text form of what holds them.

use std::fmt::{self, Write as _};

/// How the parts of a container are told apart in its text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Style {
    /// Between braces, separated by this character; a quote or backslash inside quotes has a backslash before it.
    Array(char),
    /// Between parentheses, separated by commas; a quote or backslash inside quotes is doubled.
    Record,
    /// Between brackets of either kind; otherwise as a record.
    Range,
}

impl Style {
    fn needs_quotes(self, text: &str) -> bool {
        let special = |c: char| match self {
            Self::Array(delimiter) => matches!(c, '{' | '}') || c == delimiter,
            Self::Record => matches!(c, '(' | ')' | ','),
            Self::Range => matches!(c, '(' | ')' | '[' | ']' | ','),
        };
        text.is_empty()
            || matches!(self, Self::Array(_)) && text.eq_ignore_ascii_case("NULL")
            || text.contains(|c| matches!(c, '"' | '\\') || is_space(c) || special(c))
    }

    /// Writes `text`, in quotes where it needs them.
    pub(crate) fn write(self, out: &mut impl fmt::Write, text: &str) -> fmt::Result {
        if !self.needs_quotes(text) {
            return out.write_str(text);
        }
        out.write_char('"')?;
        for c in text.chars() {
            match (c, self) {
                ('"' | '\\', Self::Array(_)) => out.write_char('\\')?,
                ('"' | '\\', _) => out.write_char(c)?,
                _ => {}
            }
            out.write_char(c)?;
        }
        out.write_char('"')
    }

    /// Writes what `value` displays, in quotes where it needs them; `scratch` is memory to do it in.
    pub(crate) fn write_value(
        self,
        f: &mut fmt::Formatter<'_>,
        scratch: &mut String,
        value: &dyn fmt::Display,
    ) -> fmt::Result {
        scratch.clear();
        write!(scratch, "{value}")?;
        self.write(f, scratch)
    }
}

/// What the server takes for white space.
pub(crate) fn is_space(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\n' | '\r' | '\x0b' | '\x0c')
}

/// Reads a part of a record or a range up to `stops`, none of which it takes. `None` inside is a part of which
/// nothing is written; `None` outside is a text that ends too early.
pub(crate) fn scan_part(text: &mut &str, stops: &[char]) -> Option<Option<String>> {
    let mut out = String::new();
    let (mut quoted, mut written) = (false, false);
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        match c {
            '\\' => out.push(chars.next()?.1),
            '"' if quoted && chars.next_if(|&(_, next)| next == '"').is_some() => out.push('"'),
            '"' => quoted = !quoted,
            _ if !quoted && stops.contains(&c) => {
                *text = &text[at..];
                return Some(written.then_some(out));
            }
            _ => out.push(c),
        }
        written = true;
    }
    None
}
