//! Documents: which lexemes are where.

use std::fmt;
use std::str::FromStr;

use super::lexeme::{scan_lexeme, write_lexeme};
use crate::error::{DecodeError, EncodeError, ParseError};
use crate::types::builtin::{Builtin, builtin};
use crate::types::quote::is_space;
use crate::types::text_form::text_form;
use crate::types::{Encode, Encoder};
use crate::wire::Reader;

/// A `tsvector`: the lexemes of a document, in ascending order of their bytes, each with the places where it
/// stands (PostgreSQL manual, "Text Search Types").
///
/// ```
/// use wreath_codecs::types::TsVector;
///
/// let document: TsVector = "wool:2A llama:1 wool:5".parse()?;
/// assert_eq!(document.to_string(), "'llama':1 'wool':2A,5");
/// assert_eq!(document.lexemes()[1].text, "wool");
/// # Ok::<(), wreath_codecs::ParseError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TsVector(Vec<TsLexeme>);

/// One lexeme of a document.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TsLexeme {
    /// The lexeme, which is not empty.
    pub text: String,
    /// Where it stands, ascending; may be empty.
    pub positions: Vec<TsPosition>,
}

/// A place in a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TsPosition {
    /// Which word it is, from 1 to 16,383.
    pub place: u16,
    /// What part of the document it is in.
    pub weight: TsWeight,
}

/// A part of a document; `A` counts most.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs, reason = "they have no other names")]
pub enum TsWeight {
    #[default]
    D,
    C,
    B,
    A,
}

builtin! { TsVector, 3614, 3643; }
text_form! { TsVector }

/// The last place that is counted.
const MAX_PLACE: u16 = 0x3fff;
/// The weights, as the two upper bits of a place have them.
const WEIGHTS: [TsWeight; 4] = [TsWeight::D, TsWeight::C, TsWeight::B, TsWeight::A];

impl TsVector {
    /// The document of these lexemes, which are put into order, the places of equal ones together.
    pub fn new(mut lexemes: Vec<TsLexeme>) -> Self {
        lexemes.sort_by(|a, b| a.text.cmp(&b.text));
        let mut merged: Vec<TsLexeme> = Vec::with_capacity(lexemes.len());
        for lexeme in lexemes {
            match merged.last_mut() {
                Some(last) if last.text == lexeme.text => last.positions.extend(lexeme.positions),
                _ => merged.push(lexeme),
            }
        }
        for TsLexeme { positions, .. } in &mut merged {
            // Of two weights of one place, the greater stays.
            positions.sort_by(|a, b| a.place.cmp(&b.place).then(b.weight.cmp(&a.weight)));
            positions.dedup_by_key(|position| position.place);
        }
        Self(merged)
    }

    /// The lexemes, in order.
    pub fn lexemes(&self) -> &[TsLexeme] {
        &self.0
    }
}

impl Builtin<'_> for TsVector {
    fn put(&self, out: &mut Encoder) -> Result<(), EncodeError> {
        let too_many = || EncodeError::new("a tsvector of too many lexemes or places");
        out.put_i32(i32::try_from(self.0.len()).map_err(|_| too_many())?);
        for TsLexeme { text, positions } in &self.0 {
            if text.is_empty() {
                return Err(EncodeError::new("an empty lexeme in a tsvector"));
            }
            text.encode(out)?;
            out.put_u8(0);
            out.put(&u16::try_from(positions.len()).map_err(|_| too_many())?.to_be_bytes());
            for position in positions {
                if !(1..=MAX_PLACE).contains(&position.place) {
                    return Err(EncodeError::new(format!("place {} in a tsvector", position.place)));
                }
                let weight = match position.weight {
                    TsWeight::D => 0,
                    TsWeight::C => 1,
                    TsWeight::B => 2,
                    TsWeight::A => 3,
                };
                out.put(&(weight << 14 | position.place).to_be_bytes());
            }
        }
        Ok(())
    }

    fn get(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let count = r.u32()?;
        // A lexeme is a zero byte and a count at least.
        let count = usize::try_from(count).ok().filter(|&n| n <= r.len() / 3);
        let count =
            count.ok_or_else(|| DecodeError::invalid("a tsvector that claims more lexemes than it has"))?;
        let mut lexemes = Vec::with_capacity(count);
        for _ in 0..count {
            lexemes.push(get_lexeme(r)?);
        }
        // The server puts what it is sent into order, and leaves equal ones apart.
        lexemes.sort_by(|a: &TsLexeme, b| a.text.cmp(&b.text));
        Ok(Self(lexemes))
    }
}

fn get_lexeme(r: &mut Reader<'_>) -> Result<TsLexeme, DecodeError> {
    let text = std::str::from_utf8(r.cstr()?);
    let text = text.map_err(|e| DecodeError::invalid(format!("a lexeme that is not UTF-8: {e}")))?;
    let places = usize::from(r.u16()?);
    let places = r.bytes(places * 2)?.as_chunks::<2>().0;
    let position = |&bits: &[u8; 2]| {
        let bits = u16::from_be_bytes(bits);
        TsPosition { place: bits & MAX_PLACE, weight: WEIGHTS[usize::from(bits >> 14)] }
    };
    let positions: Vec<_> = places.iter().map(position).collect();
    if !positions.is_sorted_by(|a, b| a.place < b.place) {
        return Err(DecodeError::invalid("a lexeme whose places are not in order"));
    }
    Ok(TsLexeme { text: text.to_owned(), positions })
}

impl fmt::Display for TsVector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, TsLexeme { text, positions }) in self.0.iter().enumerate() {
            f.write_str(if i > 0 { " " } else { "" })?;
            write_lexeme(f, text)?;
            for (i, position) in positions.iter().enumerate() {
                write!(f, "{}{}", if i > 0 { "," } else { ":" }, position.place)?;
                if position.weight != TsWeight::D {
                    write!(f, "{:?}", position.weight)?;
                }
            }
        }
        Ok(())
    }
}

/// Reads lexemes, in single quotes or not, with their places. No dictionary is asked.
impl FromStr for TsVector {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let mut rest = text.trim_start_matches(is_space);
        let mut lexemes = Vec::new();
        while !rest.is_empty() {
            let lexeme = scan(&mut rest)
                .ok_or_else(|| ParseError::new("tsvector", text, "not lexemes with places"))?;
            lexemes.push(lexeme);
            rest = rest.trim_start_matches(is_space);
        }
        Ok(Self::new(lexemes))
    }
}

fn scan(rest: &mut &str) -> Option<TsLexeme> {
    let text = scan_lexeme(rest, &[':'])?;
    let mut positions = Vec::new();
    if let Some(after) = rest.strip_prefix(':') {
        let end = after.find(is_space).unwrap_or(after.len());
        for part in after[..end].split(',') {
            let digits = part.trim_end_matches(|c: char| c.is_ascii_alphabetic());
            let weight = match part[digits.len()..].to_ascii_uppercase().as_str() {
                "" | "D" => TsWeight::D,
                "C" => TsWeight::C,
                "B" => TsWeight::B,
                "A" => TsWeight::A,
                _ => return None,
            };
            let place = digits.parse::<u16>().ok().filter(|place| (1..=MAX_PLACE).contains(place))?;
            positions.push(TsPosition { place, weight });
        }
        *rest = &after[end..];
    }
    Some(TsLexeme { text, positions })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_document_is_refused() {
        for text in ["'open", "a:", "a:0", "a:x", "a:1E", "a:16384", ":1", "''"] {
            assert!(text.parse::<TsVector>().is_err(), "{text}");
        }
        assert!(TsVector::get(&mut Reader::new(&[0x7f, 0xff, 0xff, 0xff, 0, 0, 0])).is_err());
        let nul = TsVector::new(vec![TsLexeme { text: "a\0".into(), positions: vec![] }]);
        assert!(nul.put(&mut Encoder::new()).is_err());
    }

    #[test]
    fn what_is_sent_is_put_into_order() {
        let document = TsVector::get(&mut Reader::new(b"\0\0\0\x03b\0\0\0a\0\0\x01\0\x02b\0\0\x01\0\x07"));
        assert_eq!(document.expect("decodes").to_string(), "'a':2 'b' 'b':7");
        let twice = b"\0\0\0\x01a\0\0\x02\0\x02\0\x02";
        assert!(TsVector::get(&mut Reader::new(twice)).is_err());
        let empty = TsVector::new(vec![TsLexeme { text: String::new(), positions: vec![] }]);
        assert!(empty.put(&mut Encoder::new()).is_err());
    }

    #[test]
    fn equal_lexemes_become_one() {
        let document: TsVector = "b:3 a:2,1A a:2C b".parse().expect("parses");
        assert_eq!(document.to_string(), "'a':1A,2C 'b':3");
    }
}
