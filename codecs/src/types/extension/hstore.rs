//! Maps from text to text.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use crate::error::{DecodeError, EncodeError, ParseError};
use crate::types::builtin::{Builtin, named};
use crate::types::quote::is_space;
use crate::types::text_form::text_form;
use crate::types::{Encode, Encoder};
use crate::wire::Reader;

/// An `hstore` (extension `hstore`): a map from text to text or NULL. The server keeps it in the order of the keys'
/// lengths, and so does this.
///
/// ```
/// use wreath_codecs::types::Hstore;
///
/// let notes: Hstore = r#"colour=>brown, "last seen"=>NULL"#.parse()?;
/// assert_eq!(notes.get("colour"), Some(Some("brown")));
/// assert_eq!(notes.to_string(), r#""colour"=>"brown", "last seen"=>NULL"#);
/// # Ok::<(), wreath_codecs::ParseError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Hstore(Vec<(String, Option<String>)>);

named! { Hstore, "hstore"; }
text_form! { Hstore }

impl Hstore {
    /// How many keys there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// What `key` has: NULL is `Some(None)`.
    pub fn get(&self, key: &str) -> Option<Option<&str>> {
        let place = self.0.binary_search_by(|(k, _)| order(k, key)).ok()?;
        Some(self.0[place].1.as_deref())
    }

    /// All keys with what they have.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&str, Option<&str>)> {
        self.0.iter().map(|(k, v)| (k.as_str(), v.as_deref()))
    }
}

fn order(a: &str, b: &str) -> std::cmp::Ordering {
    a.len().cmp(&b.len()).then_with(|| a.cmp(b))
}

/// Of several values of a key, the last stays.
impl<K: Into<String>> FromIterator<(K, Option<String>)> for Hstore {
    fn from_iter<I: IntoIterator<Item = (K, Option<String>)>>(pairs: I) -> Self {
        let map: BTreeMap<String, _> = pairs.into_iter().map(|(k, v)| (k.into(), v)).collect();
        let mut pairs: Vec<_> = map.into_iter().collect();
        pairs.sort_by(|(a, _), (b, _)| order(a, b));
        Self(pairs)
    }
}

impl From<Hstore> for BTreeMap<String, Option<String>> {
    fn from(hstore: Hstore) -> Self {
        hstore.0.into_iter().collect()
    }
}

impl Builtin<'_> for Hstore {
    fn put(&self, out: &mut Encoder) -> Result<(), EncodeError> {
        let count = i32::try_from(self.0.len());
        out.put_i32(count.map_err(|_| EncodeError::new("an hstore of too many keys"))?);
        for (key, value) in &self.0 {
            out.put_sized(|out| key.encode(out))?;
            match value {
                Some(value) => out.put_sized(|out| value.encode(out))?,
                None => out.put_i32(-1),
            }
        }
        Ok(())
    }

    fn get(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let count = r.u32()?;
        // A pair is two lengths at least.
        let count = usize::try_from(count).ok().filter(|&n| n <= r.len() / 8);
        let count =
            count.ok_or_else(|| DecodeError::invalid("an hstore that claims more keys than it has"))?;
        let text = |bytes: &[u8]| {
            let text = std::str::from_utf8(bytes).map(str::to_owned);
            text.map_err(|e| DecodeError::invalid(format!("an hstore that is not UTF-8: {e}")))
        };
        let mut pairs = Vec::with_capacity(count);
        for _ in 0..count {
            let key = r.value()?.ok_or_else(|| DecodeError::invalid("an hstore with a key that is NULL"))?;
            pairs.push((text(key)?, r.value()?.map(text).transpose()?));
        }
        if !pairs.is_sorted_by(|(a, _), (b, _)| order(a, b).is_lt()) {
            return Ok(pairs.into_iter().collect());
        }
        Ok(Self(pairs))
    }
}

impl fmt::Display for Hstore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, (key, value)) in self.iter().enumerate() {
            f.write_str(if i > 0 { ", " } else { "" })?;
            write_quoted(f, key)?;
            f.write_str("=>")?;
            match value {
                Some(value) => write_quoted(f, value)?,
                None => f.write_str("NULL")?,
            }
        }
        Ok(())
    }
}

fn write_quoted(f: &mut fmt::Formatter<'_>, text: &str) -> fmt::Result {
    f.write_str("\"")?;
    for c in text.chars() {
        write!(f, "{}{c}", if matches!(c, '"' | '\\') { "\\" } else { "" })?;
    }
    f.write_str("\"")
}

/// Reads `key=>value, ...`. Keys and values may be in double quotes; `NULL` without them is NULL.
impl FromStr for Hstore {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        scan(text).ok_or_else(|| ParseError::new("hstore", text, "not key=>value, separated by commas"))
    }
}

fn scan(text: &str) -> Option<Hstore> {
    let mut rest = text.trim_matches(is_space);
    let mut pairs: Vec<(String, Option<String>)> = Vec::new();
    while !rest.is_empty() {
        let (key, _) = scan_word(&mut rest, &['=', ','])?;
        rest = rest.trim_start_matches(is_space).strip_prefix("=>")?.trim_start_matches(is_space);
        let (value, quoted) = scan_word(&mut rest, &[','])?;
        let is_null = !quoted && value.eq_ignore_ascii_case("NULL");
        pairs.push((key, (!is_null).then_some(value)));
        rest = rest.trim_start_matches(is_space);
        match rest.strip_prefix(',') {
            Some(after) => rest = after.trim_start_matches(is_space),
            None if rest.is_empty() => break,
            None => return None,
        }
    }
    Some(pairs.into_iter().collect())
}

/// Takes a word, and says whether it was in quotes.
fn scan_word(rest: &mut &str, stops: &[char]) -> Option<(String, bool)> {
    let quoted = rest.starts_with('"');
    let mut chars = rest.char_indices().skip(usize::from(quoted));
    let mut out = String::new();
    let end = loop {
        match chars.next() {
            Some((_, '\\')) => out.push(chars.next()?.1),
            Some((at, '"')) if quoted => break at + 1,
            Some((at, c)) if !quoted && (is_space(c) || stops.contains(&c)) => break at,
            Some((_, c)) => out.push(c),
            None if quoted => return None,
            None => break rest.len(),
        }
    };
    *rest = &rest[end..];
    (quoted || !out.is_empty()).then_some((out, quoted))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_the_servers() {
        // What version 15 sent for 'a=>1,b=>NULL,"c d"=>"e\"f\\"'.
        let sent =
            b"\0\0\0\x03\0\0\0\x01a\0\0\0\x011\0\0\0\x01b\xff\xff\xff\xff\0\0\0\x03c d\0\0\0\x04e\"f\\";
        let text = r#""a"=>"1", "b"=>NULL, "c d"=>"e\"f\\""#;
        let hstore = <Hstore as Builtin>::get(&mut Reader::new(sent)).expect("decodes");
        assert_eq!(hstore.to_string(), text);
        assert_eq!(text.parse(), Ok(hstore.clone()));
        let mut out = Encoder::new();
        hstore.put(&mut out).expect("encodes");
        assert_eq!(out.as_bytes(), sent);
    }

    #[test]
    fn the_last_value_of_a_key_stays_and_short_keys_come_first() {
        let hstore: Hstore = "bb=>1, a=>2, bb=>\"NULL\", \"\"=>x".parse().expect("parses");
        assert_eq!(hstore.to_string(), r#"""=>"x", "a"=>"2", "bb"=>"NULL""#);
        for text in ["a", "a=>", "=>b", "a=>b c=>d", "a=>\"b", "a=b", "a=>b,,c=>d"] {
            assert!(text.parse::<Hstore>().is_err(), "{text}");
        }
    }
}
