//! How lexemes are quoted.

use std::fmt;

use crate::types::quote::is_space;

/// Writes a lexeme in single quotes; a quote or backslash in it is doubled.
pub(super) fn write_lexeme(f: &mut impl fmt::Write, text: &str) -> fmt::Result {
    f.write_char('\'')?;
    for c in text.chars() {
        if matches!(c, '\'' | '\\') {
            f.write_char(c)?;
        }
        f.write_char(c)?;
    }
    f.write_char('\'')
}

/// Takes a lexeme, in quotes or up to white space or one of `stops`; `None` where there is none.
pub(super) fn scan_lexeme(text: &mut &str, stops: &[char]) -> Option<String> {
    let quoted = text.starts_with('\'');
    let mut chars = text.char_indices().skip(usize::from(quoted)).peekable();
    let mut out = String::new();
    let end = loop {
        match chars.next() {
            Some((_, '\\')) => out.push(chars.next()?.1),
            Some((_, '\'')) if quoted && chars.next_if(|&(_, next)| next == '\'').is_some() => out.push('\''),
            Some((at, '\'')) if quoted => break at + 1,
            Some((at, c)) if !quoted && (is_space(c) || stops.contains(&c)) => break at,
            Some((_, c)) => out.push(c),
            None if quoted => return None,
            None => break text.len(),
        }
    };
    *text = &text[end..];
    (!out.is_empty()).then_some(out)
}
