//! Text.

use std::borrow::Cow;

use wreath_codecs::{Encode, EncodeError, Encoder, Oid};

use crate::expr::kind::SqlText;
use crate::expr::ops::operators;
use crate::expr::{Expr, Op, Operand, Pred};
use crate::model::{Column, ColumnType};

/// A text as a pattern of `LIKE` that only the text itself matches: `%`, `_` and `\` are escaped.
///
/// ```
/// use wreath_orm::expr::escape_like;
///
/// assert_eq!(escape_like("50%_off"), r"50\%\_off");
/// ```
pub fn escape_like(text: &str) -> Cow<'_, str> {
    if !text.contains(SPECIAL) {
        return Cow::Borrowed(text);
    }
    let mut escaped = String::with_capacity(text.len() + 4);
    for c in text.chars() {
        if SPECIAL.contains(&c) {
            escaped.push('\\');
        }
        escaped.push(c);
    }
    Cow::Owned(escaped)
}

/// The characters that mean something in a pattern.
const SPECIAL: [char; 3] = ['%', '_', '\\'];

/// A pattern that a text matches which begins with, ends with, or contains a given one. It is escaped while it
/// is written.
pub(crate) struct Around<'a> {
    pub(crate) before: bool,
    pub(crate) text: &'a str,
    pub(crate) after: bool,
}

impl Encode for Around<'_> {
    fn oid(&self) -> Oid {
        Oid::UNSPECIFIED
    }

    fn encode(&self, out: &mut Encoder) -> Result<(), EncodeError> {
        if self.before {
            out.put_u8(b'%');
        }
        // Taken piece by piece, so that what a text may not hold is refused where texts are written.
        for piece in self.text.split_inclusive(SPECIAL) {
            match piece.chars().next_back().filter(|c| SPECIAL.contains(c)) {
                Some(special) => {
                    piece[..piece.len() - special.len_utf8()].encode(out)?;
                    out.put(b"\\");
                    out.put(special.encode_utf8(&mut [0; 4]).as_bytes());
                }
                None => piece.encode(out)?,
            }
        }
        if self.after {
            out.put_u8(b'%');
        }
        Ok(())
    }
}

operators! {
    /// `LIKE`: `%` stands for anything, `_` for one character, `\` takes the meaning from what follows; see
    /// [`escape_like`].
    ///
    /// ```compile_fail,E0277
    /// # use wreath_orm::{Column, Table};
    /// # struct Llama { age: Option<i32> }
    /// # const TABLE: Table<Llama> = Table::new("llamas");
    /// const AGE: Column<Llama, Option<i32>> = TABLE.col("age", |l| &l.age);
    /// let _ = AGE.like("1%"); // `i32` is not text
    /// ```
    ///
    /// [`escape_like`]: crate::expr::escape_like
    pub fn like(self, pattern: &str) -> Pred<M>
    where
        T::Base: SqlText,
    {
        self.expr().param(&pattern).pred(Op::Like)
    }

    /// `NOT LIKE`
    pub fn not_like(self, pattern: &str) -> Pred<M>
    where
        T::Base: SqlText,
    {
        self.expr().param(&pattern).pred(Op::NotLike)
    }

    /// `ILIKE`: as [`like`](Self::like), in upper or lower case.
    pub fn ilike(self, pattern: &str) -> Pred<M>
    where
        T::Base: SqlText,
    {
        self.expr().param(&pattern).pred(Op::Ilike)
    }

    /// `NOT ILIKE`
    pub fn not_ilike(self, pattern: &str) -> Pred<M>
    where
        T::Base: SqlText,
    {
        self.expr().param(&pattern).pred(Op::NotIlike)
    }

    /// It begins with the text, in which no character has a meaning.
    pub fn starts_with(self, text: &str) -> Pred<M>
    where
        T::Base: SqlText,
    {
        self.expr().param(&Around { before: false, text, after: true }).pred(Op::Like)
    }

    /// It ends with the text, in which no character has a meaning.
    pub fn ends_with(self, text: &str) -> Pred<M>
    where
        T::Base: SqlText,
    {
        self.expr().param(&Around { before: true, text, after: false }).pred(Op::Like)
    }

    /// `~`: it matches a POSIX regular expression, anywhere in it. One that is malformed fails the statement.
    pub fn regex(self, pattern: &str) -> Pred<M>
    where
        T::Base: SqlText,
    {
        self.expr().param(&pattern).pred(Op::Regex)
    }

    /// `~*`: as [`regex`](Self::regex), in upper or lower case.
    pub fn regex_any_case(self, pattern: &str) -> Pred<M>
    where
        T::Base: SqlText,
    {
        self.expr().param(&pattern).pred(Op::RegexAnyCase)
    }

    /// In lower case.
    pub fn lower(self) -> Expr<M, T::Of<String>>
    where
        T::Base: SqlText,
    {
        self.expr().call("lower", 1)
    }

    /// In upper case.
    pub fn upper(self) -> Expr<M, T::Of<String>>
    where
        T::Base: SqlText,
    {
        self.expr().call("upper", 1)
    }

    /// Without spaces at its ends.
    pub fn trim(self) -> Expr<M, T::Of<String>>
    where
        T::Base: SqlText,
    {
        self.expr().call("btrim", 1)
    }

    /// How many characters it has.
    pub fn char_length(self) -> Expr<M, T::Of<i32>>
    where
        T::Base: SqlText,
    {
        self.expr().call("char_length", 1)
    }

    /// `||`: with another text behind it.
    pub fn append<O: Operand<M, String>>(self, other: O) -> Expr<M, T::Of<O::Type>>
    where
        T::Base: SqlText,
    {
        self.expr().operand(other).op(Op::Append)
    }

    /// `count` characters, the first of them that at place `from`, counted from 1.
    pub fn substring(self, from: i32, count: i32) -> Expr<M, T::Of<String>>
    where
        T::Base: SqlText,
    {
        self.expr().param(&from).param(&count).call("substr", 3)
    }

    /// Its first characters; with a negative count, all but so many of the last.
    pub fn left(self, count: i32) -> Expr<M, T::Of<String>>
    where
        T::Base: SqlText,
    {
        self.expr().param(&count).call("\"left\"", 2)
    }

    /// Its last characters; with a negative count, all but so many of the first.
    pub fn right(self, count: i32) -> Expr<M, T::Of<String>>
    where
        T::Base: SqlText,
    {
        self.expr().param(&count).call("\"right\"", 2)
    }

    /// With `with` wherever `what` was.
    pub fn replace(self, what: &str, with: &str) -> Expr<M, T::Of<String>>
    where
        T::Base: SqlText,
    {
        self.expr().param(&what).param(&with).call("replace", 3)
    }

    /// The place at which a text is found first, counted from 1; 0 where it is not.
    pub fn position(self, of: &str) -> Expr<M, T::Of<i32>>
    where
        T::Base: SqlText,
    {
        self.expr().param(&of).call("strpos", 2)
    }

    /// Its `n`-th part between separators, counted from 1, and from the end where negative; empty where there is
    /// none.
    pub fn split_part(self, separator: &str, n: i32) -> Expr<M, T::Of<String>>
    where
        T::Base: SqlText,
    {
        self.expr().param(&separator).param(&n).call("split_part", 3)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_means_something_is_escaped() {
        for text in ["", "plain", "50%", "a_b", r"\", "%_\\%", "ä_ö%"] {
            let mut out = Encoder::new();
            Around { before: true, text, after: true }.encode(&mut out).expect("encodes");
            assert_eq!(out.as_bytes(), format!("%{}%", escape_like(text)).as_bytes(), "{text}");
        }
        assert!(Around { before: true, text: "a%\0", after: true }.encode(&mut Encoder::new()).is_err());
    }
}
