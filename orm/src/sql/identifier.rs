//! Names.

use std::fmt;

use crate::compile::quote;
use crate::error::{Error, ErrorKind, Result};

/// The name of a schema, table or column that is known at run time only, quoted.
///
/// A parameter cannot stand for a name, so a name has to be part of the text. Quoted, the worst that a
/// hostile one can do is to name nothing. Which names a caller may reach is another question, and the
/// program's.
///
/// ```
/// use wreath_orm::Identifier;
///
/// assert_eq!(Identifier::new("llamas")?.to_string(), r#""llamas""#);
/// assert_eq!(Identifier::qualified(["farm", "a\"b"])?.to_string(), r#""farm"."a""b""#);
/// assert!(Identifier::new("").is_err());
/// # Ok::<(), wreath_orm::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Identifier(String);

impl Identifier {
    /// A name without a schema. Names longer than 63 bytes are cut by the server.
    ///
    /// # Errors
    /// [`Encode`](ErrorKind::Encode), when it is empty or has a NUL in it.
    pub fn new(name: &str) -> Result<Self> {
        Self::qualified([name])
    }

    /// A name of several parts: a schema and a table, say.
    ///
    /// # Errors
    /// [`Encode`](ErrorKind::Encode), when there is no part, or one is empty or has a NUL in it.
    pub fn qualified<'a>(parts: impl IntoIterator<Item = &'a str>) -> Result<Self> {
        let mut quoted = String::new();
        for part in parts {
            if part.is_empty() || part.contains('\0') {
                return Err(Error::new(
                    ErrorKind::Encode,
                    format!("{part:?} is no identifier: it is empty or has a NUL in it"),
                ));
            }
            if !quoted.is_empty() {
                quoted.push('.');
            }
            quote(&mut quoted, part);
        }
        if quoted.is_empty() {
            return Err(Error::new(ErrorKind::Encode, "an identifier has at least one part"));
        }
        Ok(Self(quoted))
    }
}

/// As it stands in SQL.
impl fmt::Display for Identifier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_name_is_refused() {
        let good = Identifier::qualified(["s", "t"]).expect("two names");
        assert_eq!(good.to_string(), r#""s"."t""#);
        for bad in [&["a\0b"][..], &[""], &["a", ""], &[]] {
            let error = Identifier::qualified(bad.iter().copied()).expect_err("no name");
            assert_eq!(error.kind(), ErrorKind::Encode, "{bad:?}");
        }
    }
}
