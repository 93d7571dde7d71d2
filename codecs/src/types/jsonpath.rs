//! Paths into JSON.

use std::fmt;
use std::str::FromStr;

use crate::error::{DecodeError, EncodeError, ParseError};
use crate::types::builtin::{Builtin, builtin};
use crate::types::text_form::text_form;
use crate::types::{Encode, Encoder};
use crate::wire::Reader;

/// The text of a `jsonpath`. The server is who checks it, and who brings it into its own form.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct JsonPath(pub String);

builtin! { JsonPath, 4072, 4073; }
text_form! { JsonPath }

/// The version that stands before the text.
const VERSION: u8 = 1;

impl Builtin<'_> for JsonPath {
    fn put(&self, out: &mut Encoder) -> Result<(), EncodeError> {
        out.put_u8(VERSION);
        self.0.encode(out)
    }

    fn get(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        match r.u8()? {
            VERSION => {}
            other => {
                return Err(DecodeError::invalid(format!("jsonpath of version {other}, known is {VERSION}")));
            }
        }
        let text = std::str::from_utf8(r.bytes(r.len())?);
        text.map(|text| Self(text.to_owned()))
            .map_err(|e| DecodeError::invalid(format!("a path that is not UTF-8: {e}")))
    }
}

impl fmt::Display for JsonPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl FromStr for JsonPath {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        Ok(Self(text.to_owned()))
    }
}
