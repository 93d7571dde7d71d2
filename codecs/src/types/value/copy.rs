//! Values in the text format of COPY.

use std::fmt::{self, Write};

use super::Value;

/// A value as the text format of COPY has it: `\N` for NULL, and a backslash before what would end a field or
/// a row (PostgreSQL manual, "COPY", "Text Format").
///
/// ```
/// use wreath_codecs::types::{CopyText, Value};
///
/// assert_eq!(CopyText(&Value::from("a\tb".to_owned())).to_string(), r"a\tb");
/// ```
#[derive(Clone, Copy, Debug)]
pub struct CopyText<'a>(pub &'a Value);

impl fmt::Display for CopyText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.datum() {
            Some(_) => write!(Escaping(f), "{}", self.0),
            None => f.write_str("\\N"),
        }
    }
}

struct Escaping<'a, 'f>(&'a mut fmt::Formatter<'f>);

/// What stands behind the backslash, for the characters that get one.
const ESCAPES: [(char, char); 7] =
    [('\x08', 'b'), ('\x0c', 'f'), ('\n', 'n'), ('\r', 'r'), ('\t', 't'), ('\x0b', 'v'), ('\\', '\\')];

impl Write for Escaping<'_, '_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let mut rest = text;
        while let Some(at) = rest.find(|c| ESCAPES.iter().any(|&(plain, _)| plain == c)) {
            let (before, special) = rest.split_at(at);
            let (_, letter) = ESCAPES
                .iter()
                .find(|&&(plain, _)| special.starts_with(plain))
                .expect("one of them was found");
            write!(self.0, "{before}\\{letter}")?;
            rest = &special[1..];
        }
        self.0.write_str(rest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Type;
    use crate::oid;

    #[test]
    fn rows_stay_on_their_line() {
        let text = Value::from("\x08\x0c\n\r\t\x0b\\é\\N".to_owned());
        assert_eq!(CopyText(&text).to_string(), r"\b\f\n\r\t\v\\é\\N");
        let ty = Type::from_oid(oid::INT4).expect("is built in");
        assert_eq!(CopyText(&Value::null(ty)).to_string(), r"\N");
        assert_eq!(CopyText(&Value::from(vec![1_u8])).to_string(), r"\\x01");
    }
}
