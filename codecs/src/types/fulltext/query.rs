//! Queries: lexemes that are combined.

use std::fmt;
use std::str::FromStr;

use super::lexeme::{scan_lexeme, write_lexeme};
use crate::error::{DecodeError, EncodeError, ParseError};
use crate::types::builtin::{Builtin, builtin};
use crate::types::quote::is_space;
use crate::types::text_form::text_form;
use crate::types::{Encode, Encoder};
use crate::wire::Reader;

/// A `tsquery`: lexemes joined by `&`, `|`, `!` and `<->` (PostgreSQL manual, "Text Search Types"). It can be
/// without any; the server sends such a query, and does not take it back in binary form.
///
/// ```
/// use wreath_codecs::types::TsQuery;
///
/// let query: TsQuery = "wool & (llama | alpaca:*)".parse()?;
/// assert_eq!(query.to_string(), "'wool' & ( 'llama' | 'alpaca':* )");
/// # Ok::<(), wreath_codecs::ParseError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct TsQuery {
    /// Each operator comes before its operands, the right operand before the left, as in binary form.
    items: Vec<Item>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Item {
    Lexeme { text: String, weights: u8, prefix: bool },
    Not,
    And,
    Or,
    Phrase(u16),
}

builtin! { TsQuery, 3615, 3645; }
text_form! { TsQuery }

/// How deep operators may be nested: walking a query takes stack for each level.
const MAX_DEPTH: usize = 400;
/// The greatest distance of `<N>`.
const MAX_DISTANCE: u16 = 16_384;
/// The parts of a document, as bits of a lexeme's weights.
const WEIGHTS: [(u8, char); 4] = [(8, 'A'), (4, 'B'), (2, 'C'), (1, 'D')];

const LEXEME: u8 = 1;
const OPERATOR: u8 = 2;

impl Item {
    fn operands(&self) -> usize {
        match self {
            Self::Lexeme { .. } => 0,
            Self::Not => 1,
            Self::And | Self::Or | Self::Phrase(_) => 2,
        }
    }

    /// How strongly it binds.
    fn priority(&self) -> u8 {
        match self {
            Self::Or => 1,
            Self::And => 2,
            Self::Phrase(_) => 3,
            Self::Not => 4,
            Self::Lexeme { .. } => 5,
        }
    }
}

impl TsQuery {
    /// Whether there is no lexeme; such a query matches nothing.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// The lexemes that the query mentions, from the last to the first.
    pub fn lexemes(&self) -> impl Iterator<Item = &str> {
        self.items.iter().filter_map(|item| match item {
            Item::Lexeme { text, .. } => Some(text.as_str()),
            _ => None,
        })
    }

    /// The query of these items, if every operator has its operands and none is nested too deep.
    fn new(items: Vec<Item>) -> Option<Self> {
        // How many operands each operator still misses, for those that miss any; the query itself misses one.
        let mut open: Vec<usize> = if items.is_empty() { vec![] } else { vec![1] };
        for item in &items {
            let missing = open.last_mut()?;
            *missing -= 1;
            if *missing == 0 {
                open.pop();
            }
            if item.operands() > 0 {
                open.push(item.operands());
            }
            if open.len() > MAX_DEPTH {
                return None;
            }
        }
        open.is_empty().then_some(Self { items })
    }
}

impl Builtin<'_> for TsQuery {
    fn put(&self, out: &mut Encoder) -> Result<(), EncodeError> {
        let count = i32::try_from(self.items.len());
        out.put_i32(count.map_err(|_| EncodeError::new("a tsquery of too many lexemes"))?);
        for item in &self.items {
            match item {
                Item::Lexeme { text, .. } if text.is_empty() => {
                    return Err(EncodeError::new("an empty lexeme in a tsquery"));
                }
                Item::Phrase(distance) if *distance > MAX_DISTANCE => {
                    return Err(EncodeError::new(format!("a phrase over {distance} words in a tsquery")));
                }
                Item::Lexeme { text, weights, prefix } => {
                    out.put(&[LEXEME, *weights, u8::from(*prefix)]);
                    text.encode(out)?;
                    out.put_u8(0);
                }
                Item::Not => out.put(&[OPERATOR, 1]),
                Item::And => out.put(&[OPERATOR, 2]),
                Item::Or => out.put(&[OPERATOR, 3]),
                Item::Phrase(distance) => {
                    out.put(&[OPERATOR, 4]);
                    out.put(&distance.to_be_bytes());
                }
            }
        }
        Ok(())
    }

    fn get(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let count = r.u32()?;
        // An operator has two bytes.
        let count = usize::try_from(count).ok().filter(|&n| n <= r.len() / 2);
        let count =
            count.ok_or_else(|| DecodeError::invalid("a tsquery that claims more items than it has"))?;
        let items = (0..count).map(|_| get_item(r)).collect::<Result<_, _>>()?;
        Self::new(items)
            .ok_or_else(|| DecodeError::invalid("a tsquery whose operators do not fit, or are too deep"))
    }
}

fn get_item(r: &mut Reader<'_>) -> Result<Item, DecodeError> {
    let [kind, detail] = r.array()?;
    Ok(match (kind, detail) {
        (LEXEME, weights) => {
            let prefix = r.u8()?;
            let text = std::str::from_utf8(r.cstr()?);
            let text = text
                .map_err(|e| DecodeError::invalid(format!("a lexeme that is not UTF-8: {e}")))?
                .to_owned();
            if weights > 15 || prefix > 1 {
                return Err(DecodeError::invalid("a lexeme with unknown flags"));
            }
            Item::Lexeme { text, weights, prefix: prefix == 1 }
        }
        (OPERATOR, 1) => Item::Not,
        (OPERATOR, 2) => Item::And,
        (OPERATOR, 3) => Item::Or,
        (OPERATOR, 4) => Item::Phrase(r.u16()?),
        _ => return Err(DecodeError::invalid(format!("an item {kind} {detail} in a tsquery"))),
    })
}

impl fmt::Display for TsQuery {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.items.is_empty() {
            return Ok(());
        }
        let mut out = String::new();
        write_infix(&mut out, &mut self.items.iter(), 0, false)?;
        f.write_str(&out)
    }
}

/// Writes the next item and its operands. Parentheses stand around what binds less than its `parent`, and around
/// a phrase that is the right operand of another.
///
/// Right operands take a level of stack each, which [`MAX_DEPTH`] bounds. Left ones, which chains nest without
/// a bound, take none: what stands behind them is kept until they are written.
fn write_infix(
    out: &mut String,
    items: &mut std::slice::Iter<'_, Item>,
    mut parent: u8,
    mut right_of_phrase: bool,
) -> fmt::Result {
    let mut behind = Vec::new();
    while let Some(item) = items.next() {
        let is_phrase = matches!(item, Item::Phrase(_));
        if item.priority() < parent || is_phrase && right_of_phrase {
            out.push_str("( ");
            behind.push(" )".to_owned());
        }
        (parent, right_of_phrase) = (item.priority(), false);
        match item {
            Item::Lexeme { text, weights, prefix } => {
                write_flagged(out, text, *weights, *prefix)?;
                break;
            }
            Item::Not => out.push('!'),
            Item::And | Item::Or | Item::Phrase(_) => {
                let mut right = match item {
                    Item::And => " & ".to_owned(),
                    Item::Phrase(1) => " <-> ".to_owned(),
                    Item::Phrase(distance) => format!(" <{distance}> "),
                    _ => " | ".to_owned(),
                };
                write_infix(&mut right, items, parent, is_phrase)?;
                behind.push(right);
            }
        }
    }
    out.extend(behind.into_iter().rev());
    Ok(())
}

fn write_flagged(out: &mut String, text: &str, weights: u8, prefix: bool) -> fmt::Result {
    write_lexeme(out, text)?;
    if prefix || weights != 0 {
        out.push_str(if prefix { ":*" } else { ":" });
        out.extend(WEIGHTS.iter().filter(|(bit, _)| weights & bit != 0).map(|&(_, letter)| letter));
    }
    Ok(())
}

/// Reads the server's form; lexemes need quotes only where they have special characters in them. No dictionary
/// is asked.
impl FromStr for TsQuery {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let mut scan = Infix { rest: text.trim_matches(is_space), depth: 0 };
        if scan.rest.is_empty() {
            return Ok(Self::default());
        }
        scan.binary(1)
            .filter(|_| scan.rest.is_empty())
            .and_then(Self::new)
            .ok_or_else(|| ParseError::new("tsquery", text, "not lexemes joined by operators"))
    }
}

/// A walk over a query's text.
struct Infix<'a> {
    rest: &'a str,
    depth: usize,
}

impl<'a> Infix<'a> {
    /// Reads operands joined by operators that bind at least as strongly as `weakest`.
    fn binary(&mut self, weakest: u8) -> Option<Vec<Item>> {
        let first = self.operand()?;
        let mut others = Vec::new();
        while let Some((operator, rest)) =
            self.operator().filter(|(operator, _)| operator.priority() >= weakest)
        {
            self.rest = rest;
            let right = self.binary(operator.priority() + 1)?;
            others.push((operator, right));
        }
        // All that has been read so far is the left operand of the next operator: the last is the outermost.
        let others =
            others.into_iter().rev().flat_map(|(operator, right)| [operator].into_iter().chain(right));
        Some(others.chain(first).collect())
    }

    /// The operator that comes next, and what is behind it.
    fn operator(&self) -> Option<(Item, &'a str)> {
        let rest = self.rest.trim_start_matches(is_space);
        let mut chars = rest.chars();
        match chars.next()? {
            '&' => Some((Item::And, chars.as_str())),
            '|' => Some((Item::Or, chars.as_str())),
            '<' => {
                let (distance, rest) = chars.as_str().split_once('>')?;
                let distance = if distance == "-" { 1 } else { distance.parse().ok()? };
                (distance <= MAX_DISTANCE).then_some((Item::Phrase(distance), rest))
            }
            _ => None,
        }
    }

    /// Reads a lexeme, what is between parentheses, or the opposite of an operand.
    fn operand(&mut self) -> Option<Vec<Item>> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return None;
        }
        self.rest = self.rest.trim_start_matches(is_space);
        let items = if let Some(rest) = self.rest.strip_prefix('!') {
            self.rest = rest;
            [Item::Not].into_iter().chain(self.operand()?).collect()
        } else if let Some(rest) = self.rest.strip_prefix('(') {
            self.rest = rest;
            let items = self.binary(1)?;
            self.rest = self.rest.trim_start_matches(is_space).strip_prefix(')')?;
            items
        } else {
            vec![self.lexeme()?]
        };
        self.depth -= 1;
        Some(items)
    }

    fn lexeme(&mut self) -> Option<Item> {
        let text = scan_lexeme(&mut self.rest, &['&', '|', '!', '(', ')', '<', ':'])?;
        let (mut weights, mut prefix) = (0, false);
        if let Some(flags) = self.rest.strip_prefix(':') {
            self.rest = flags.trim_start_matches(|c: char| {
                let known = WEIGHTS.iter().find(|(_, letter)| *letter == c.to_ascii_uppercase());
                weights |= known.map_or(0, |(bit, _)| *bit);
                prefix |= c == '*';
                known.is_some() || c == '*'
            });
        }
        Some(Item::Lexeme { text, weights, prefix })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_the_servers() {
        for (text, want) in [
            ("a & b", "'a' & 'b'"),
            ("a | b & !c", "'a' | 'b' & !'c'"),
            ("a <-> b <3> c:*AB", "'a' <-> 'b' <3> 'c':*AB"),
            ("", ""),
            ("(a|b)&c", "( 'a' | 'b' ) & 'c'"),
            ("!(a&b)", "!( 'a' & 'b' )"),
            ("!!a", "!!'a'"),
            ("a<->(b<->c)", "'a' <-> ( 'b' <-> 'c' )"),
            ("a<->(b|c)", "'a' <-> ( 'b' | 'c' )"),
            ("!a<->b", "!'a' <-> 'b'"),
            ("!(a<->b)", "!( 'a' <-> 'b' )"),
            ("'it''s':bd", "'it''s':BD"),
        ] {
            let query: TsQuery = text.parse().expect("parses");
            assert_eq!(query.to_string(), want);
            assert_eq!(want.parse(), Ok(query));
        }
    }

    #[test]
    fn what_the_server_holds_and_does_not_read_is_not_sent() {
        for bytes in [&b"\0\0\0\x01\x01\0\0\0"[..], b"\0\0\0\x03\x02\x04\x40\x01\x01\0\0a\0\x01\0\0b\0"] {
            let query = TsQuery::get(&mut Reader::new(bytes)).expect("decodes");
            assert!(query.put(&mut Encoder::new()).is_err(), "{query}");
        }
    }

    #[test]
    fn what_is_no_query_is_refused() {
        for text in ["a b", "a &", "& a", "(a", "a)", "!", "a <x> b", "a <16385> b", "'a", "a <- b"] {
            assert!(text.parse::<TsQuery>().is_err(), "{text}");
        }
        assert!(format!("{}a", "!".repeat(100_000)).parse::<TsQuery>().is_err());
        assert!(format!("{}a", "(".repeat(100_000)).parse::<TsQuery>().is_err());
        let mut deep = 2_001_i32.to_be_bytes().to_vec();
        deep.extend([OPERATOR, 2].repeat(1_000));
        deep.extend([LEXEME, 0, 0, b'a', 0].repeat(1_001));
        assert!(TsQuery::get(&mut Reader::new(&deep)).is_err());
        for bytes in [
            &[0, 0, 0, 1, OPERATOR, 1][..],
            &[0, 0, 0, 2, 1, 0, 0, b'a', 0, 1, 0, 0, b'b', 0],
            &[0x7f, 0, 0, 0],
        ] {
            assert!(TsQuery::get(&mut Reader::new(bytes)).is_err());
        }
    }

    #[test]
    fn long_chains_are_no_deep_ones() {
        let chain = vec!["'a'"; 20_000].join(" & ");
        let query: TsQuery = chain.parse().expect("parses");
        assert_eq!(query.lexemes().count(), 20_000);
        assert_eq!(query.to_string(), chain);
    }
}
