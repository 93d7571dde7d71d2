//! The text form of arrays (PostgreSQL manual, "Array Input and Output Syntax").

use std::fmt;

use smallvec::SmallVec;

use super::Dimension;
use super::header::MAX_DIMENSIONS;
use crate::types::quote::{Style, is_space};

/// Writes an array of these dimensions. Bounds are written when one is not 1.
pub(crate) fn write_array<D: fmt::Display>(
    f: &mut fmt::Formatter<'_>,
    dimensions: &[Dimension],
    delimiter: char,
    items: impl Iterator<Item = Option<D>>,
) -> fmt::Result {
    if dimensions.is_empty() {
        return f.write_str("{}");
    }
    if dimensions.iter().any(|d| d.lower != 1) {
        for d in dimensions {
            write!(f, "[{}:{}]", d.lower, d.upper())?;
        }
        f.write_str("=")?;
    }
    let mut scratch = String::new();
    for (i, item) in items.enumerate() {
        // Each dimension whose elements start here opens a brace, each that ends here closes one.
        let starts = spans(dimensions).filter(|span| i % span == 0).count();
        if i > 0 {
            (0..starts).try_for_each(|_| f.write_str("}"))?;
            write!(f, "{delimiter}")?;
        }
        (0..starts).try_for_each(|_| f.write_str("{"))?;
        match item {
            Some(value) => Style::Array(delimiter).write_value(f, &mut scratch, &value)?,
            None => f.write_str("NULL")?,
        }
    }
    dimensions.iter().try_for_each(|_| f.write_str("}"))
}

/// How many elements each dimension spans, from the innermost.
fn spans(dimensions: &[Dimension]) -> impl Iterator<Item = usize> {
    dimensions.iter().rev().scan(1, |span: &mut usize, d| {
        *span = span.saturating_mul(d.length);
        Some(*span)
    })
}

/// The parts of an array's text: its dimensions, and the texts of its elements.
pub(crate) type Parts = (SmallVec<[Dimension; 1]>, Vec<Option<String>>);

/// Takes an array's text apart; `None` where it is none.
pub(crate) fn scan_array(text: &str, delimiter: char) -> Option<Parts> {
    let mut text = text.trim_matches(is_space);
    let mut bounds: SmallVec<[Dimension; 1]> = SmallVec::new();
    while let Some(rest) = text.strip_prefix('[') {
        let (bound, rest) = rest.split_once(']')?;
        let (lower, upper) = bound.split_once(':').unwrap_or(("1", bound));
        let (lower, upper): (i32, i32) = (lower.parse().ok()?, upper.parse().ok()?);
        let length = usize::try_from(upper.checked_add(1)?.checked_sub(lower)?).ok()?;
        bounds.push(Dimension { length, lower });
        text = rest;
    }
    if !bounds.is_empty() {
        text = text.strip_prefix('=')?;
    }
    let mut braces =
        Braces { text, delimiter, lengths: [None; MAX_DIMENSIONS], leaves: None, items: Vec::new() };
    braces.level(0)?;
    if !braces.text.is_empty() {
        return None;
    }
    let dimensions = match braces.leaves {
        None => SmallVec::new(),
        Some(depth) => {
            let length = |n: &Option<usize>| n.map(|length| Dimension { length, lower: 1 });
            braces.lengths[..=depth].iter().map(length).collect::<Option<_>>()?
        }
    };
    let lengths = |dimensions: &[Dimension]| dimensions.iter().map(|d| d.length).collect::<Vec<_>>();
    match bounds.is_empty() {
        true => Some((dimensions, braces.items)),
        false => (lengths(&bounds) == lengths(&dimensions)).then_some((bounds, braces.items)),
    }
}

/// A walk through nested braces.
struct Braces<'a> {
    text: &'a str,
    delimiter: char,
    /// How many parts each level has, once one of its braces has been closed.
    lengths: [Option<usize>; MAX_DIMENSIONS],
    /// The level that has elements, once one has been seen.
    leaves: Option<usize>,
    items: Vec<Option<String>>,
}

impl Braces<'_> {
    /// Reads one pair of braces of level `depth` and what is in it.
    fn level(&mut self, depth: usize) -> Option<()> {
        self.eat('{')?;
        if depth == 0 && self.peek() == Some('}') {
            return self.eat('}');
        }
        let mut length = 0;
        loop {
            if self.peek()? == '{' {
                if depth + 1 == MAX_DIMENSIONS || self.leaves.is_some_and(|leaves| leaves <= depth) {
                    return None;
                }
                self.level(depth + 1)?;
            } else {
                if *self.leaves.get_or_insert(depth) != depth {
                    return None;
                }
                let item = self.item()?;
                self.items.push(item);
            }
            length += 1;
            if self.peek()? == self.delimiter {
                self.eat(self.delimiter)?;
            } else {
                self.eat('}')?;
                return (*self.lengths[depth].get_or_insert(length) == length).then_some(());
            }
        }
    }

    /// The next character that is no white space.
    fn peek(&mut self) -> Option<char> {
        self.text = self.text.trim_start_matches(is_space);
        self.text.chars().next()
    }

    fn eat(&mut self, c: char) -> Option<()> {
        self.peek()?;
        self.text = self.text.strip_prefix(c)?;
        Some(())
    }

    /// Reads one element, in quotes or not; `None` inside is NULL.
    fn item(&mut self) -> Option<Option<String>> {
        let quoted = self.text.starts_with('"');
        let mut chars = self.text.char_indices().skip(usize::from(quoted));
        let mut out = String::new();
        // White space behind an element without quotes is not part of it, unless a backslash says so.
        let mut kept = 0;
        let mut escaped = false;
        let end = loop {
            match chars.next()? {
                (_, '\\') => {
                    out.push(chars.next()?.1);
                    kept = out.len();
                    escaped = true;
                }
                (at, '"') if quoted => break at + 1,
                (_, '"' | '{') if !quoted => return None,
                (at, c) if !quoted && (c == self.delimiter || c == '}') => break at,
                (_, c) => {
                    out.push(c);
                    if quoted || !is_space(c) {
                        kept = out.len();
                    }
                }
            }
        };
        out.truncate(kept);
        self.text = &self.text[end..];
        if quoted || escaped {
            return Some(Some(out));
        }
        match out.as_str() {
            "" => None,
            word if word.eq_ignore_ascii_case("NULL") => Some(None),
            _ => Some(Some(out)),
        }
    }
}
