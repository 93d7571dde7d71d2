//! Types whose binary form is a version and their text: paths into JSON, and the labels of trees.

use std::fmt;
use std::str::FromStr;

use crate::error::{DecodeError, EncodeError, ParseError};
use crate::types::builtin::{Builtin, builtin, named};
use crate::types::text_form::text_form;
use crate::types::{Encode, Encoder};
use crate::wire::Reader;

/// The text of a `jsonpath`. The server is who checks it, and who brings it into its own form.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct JsonPath(pub String);

/// The text of an `ltree` (extension `ltree`): labels with dots between them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Ltree(pub String);

/// The text of an `lquery` (extension `ltree`): a pattern for the labels of a tree.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Lquery(pub String);

/// The text of an `ltxtquery` (extension `ltree`): a search for labels of a tree.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Ltxtquery(pub String);

builtin! { JsonPath, 4072, 4073; }
named! {
    Ltree, "ltree";
    Lquery, "lquery";
    Ltxtquery, "ltxtquery";
}
text_form! { JsonPath, Ltree, Lquery, Ltxtquery }

/// The version that stands before the text; all of them have only had this one.
const VERSION: u8 = 1;

macro_rules! versioned {
    ($($t:ident),*) => {$(
        impl Builtin<'_> for $t {
            fn put(&self, out: &mut Encoder) -> Result<(), EncodeError> {
                out.put_u8(VERSION);
                self.0.encode(out)
            }

            fn get(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
                get_text(r).map(|text| Self(text.to_owned()))
            }
        }

        impl fmt::Display for $t {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }

        /// Takes any text: the server is who checks it.
        impl FromStr for $t {
            type Err = ParseError;

            fn from_str(text: &str) -> Result<Self, ParseError> {
                Ok(Self(text.to_owned()))
            }
        }
    )*};
}

versioned!(JsonPath, Ltree, Lquery, Ltxtquery);

fn get_text<'r>(r: &mut Reader<'r>) -> Result<&'r str, DecodeError> {
    match r.u8()? {
        VERSION => {}
        other => return Err(DecodeError::invalid(format!("a text of version {other}, known is {VERSION}"))),
    }
    let text = std::str::from_utf8(r.bytes(r.len())?);
    text.map_err(|e| DecodeError::invalid(format!("a text that is not UTF-8: {e}")))
}

impl Ltree {
    /// The labels, from the root on.
    pub fn labels(&self) -> impl Iterator<Item = &str> {
        self.0.split('.').filter(|label| !label.is_empty())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_version_is_checked() {
        let mut out = Encoder::new();
        let path = Ltree("a.b".into());
        path.put(&mut out).expect("encodes");
        assert_eq!(out.as_bytes(), b"\x01a.b");
        assert_eq!(Ltree::get(&mut Reader::new(b"\x01a.b")), Ok(path.clone()));
        assert_eq!(path.labels().collect::<Vec<_>>(), ["a", "b"]);
        for bytes in [&b""[..], b"\x02a.b", b"\x01\xff"] {
            assert!(Ltree::get(&mut Reader::new(bytes)).is_err());
        }
    }
}
