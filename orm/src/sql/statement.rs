//! Statements that are put together from text and values.

use std::borrow::Cow;
use std::fmt::{self, Write};

use wreath_codecs::{Encode, EncodeError, ParamBuf};
use wreath_driver::Params;

use crate::error::{Error, Result};
use crate::sql::{Fragment, Identifier};

/// Begins a statement with a text of the program.
///
/// A `String` is not taken, since it may have values in it:
///
/// ```compile_fail,E0308
/// # use wreath_orm::sql;
/// let name = "x' OR 'x' = 'x";
/// let _ = sql(format!("SELECT id FROM llamas WHERE name = '{name}'"));
/// ```
///
/// Bound, a value stays a value:
///
/// ```
/// # use wreath_orm::sql;
/// let name = "x' OR 'x' = 'x";
/// let llamas = sql("SELECT id FROM llamas WHERE name = ").bind(name);
/// assert_eq!(llamas.text(), "SELECT id FROM llamas WHERE name = $1");
/// ```
pub fn sql(text: &'static str) -> Statement {
    Statement::empty().sql(text)
}

/// A statement, or a part of one, with its values: made by [`sql()`], run by [`Db::raw`](crate::Db::raw) and
/// [`Session::raw`](crate::Session::raw).
///
/// ```
/// use wreath_orm::{Identifier, sql};
///
/// let grown = sql("age > ").bind(3).sql(" AND friendly");
/// let table = Identifier::qualified(["farm", "llamas"])?;
/// let query = sql("SELECT id FROM ")
///     .identifier(&table)
///     .sql(" WHERE name LIKE ")
///     .bind("D%")
///     .sql(" AND ")
///     .nest(&grown) // its parameters take the next numbers
///     .sql(" AND id IN (")
///     .list([1_i64, 2])
///     .sql(")");
/// assert_eq!(
///     query.text(),
///     r#"SELECT id FROM "farm"."llamas" WHERE name LIKE $1 AND age > $2 AND friendly AND id IN ($3, $4)"#,
/// );
/// # Ok::<(), wreath_orm::Error>(())
/// ```
///
/// A text that is complete as it stands may number its parameters itself:
///
/// ```
/// # use wreath_orm::sql;
/// let query = sql("SELECT id FROM llamas WHERE age > $1 AND age < $1 + $2").args((3, 5));
/// ```
///
/// A statement that consists of the program's own texts is one of a finite number, and is prepared and kept
/// by the connection like every other. One with an identifier, a fragment or a list in it is not, unless
/// [`cached`](Self::cached) says so.
#[derive(Clone)]
#[must_use]
pub struct Statement {
    pieces: Vec<Piece>,
    params: ParamBuf,
    /// Whether the text numbers its parameters itself.
    numbered: bool,
    cached: bool,
    /// Putting a statement together does not fail; running it does.
    error: Option<Fault>,
}

#[derive(Clone)]
enum Piece {
    Text(Cow<'static, str>),
    Param,
}

#[derive(Clone)]
enum Fault {
    Encode(EncodeError),
    Composition(&'static str),
}

impl Statement {
    fn empty() -> Self {
        Self { pieces: Vec::new(), params: ParamBuf::new(), numbered: false, cached: true, error: None }
    }

    /// Appends a text of the program.
    pub fn sql(self, text: &'static str) -> Self {
        self.text_piece(text.into())
    }

    /// Appends a parameter: its number in the text, its value beside it. A slice or a vector is one array,
    /// for `= ANY (...)`.
    pub fn bind<T: Encode>(mut self, value: T) -> Self {
        self.refuse_numbered();
        let done = self.params.push(&value);
        self.note(done);
        self.pieces.push(Piece::Param);
        self
    }

    /// Appends a parameter for each value, parted by commas. The text depends on their number, and SQL has no
    /// empty lists: one [array](Self::bind) with `= ANY (...)` is free of both.
    pub fn list<T: Encode>(mut self, values: impl IntoIterator<Item = T>) -> Self {
        self.cached = false;
        let before = self.params.len();
        for value in values {
            if self.params.len() > before {
                self = self.sql(", ");
            }
            self = self.bind(value);
        }
        if self.params.len() == before {
            self.fault("SQL has no empty lists: bind an array instead, and compare with = ANY");
        }
        self
    }

    /// Appends a name, quoted.
    pub fn identifier(mut self, identifier: &Identifier) -> Self {
        self.cached = false;
        self.text_piece(identifier.to_string().into())
    }

    /// Appends text that was made at run time, as it is.
    pub fn fragment(mut self, fragment: &Fragment) -> Self {
        self.cached = false;
        self.text_piece(fragment.as_str().to_owned().into())
    }

    /// Appends all of another statement. Its parameters are numbered on from those before.
    pub fn nest(mut self, part: &Self) -> Self {
        self.refuse_numbered();
        if part.numbered {
            self.fault("a text that numbers its parameters itself cannot be a part of another");
        }
        if self.error.is_none() {
            self.error.clone_from(&part.error);
        }
        self.cached &= part.cached;
        let done = self.params.append(&part.params);
        self.note(done);
        self.pieces.extend_from_slice(&part.pieces);
        self
    }

    /// The parameters of a text that numbers them itself, `$1` first.
    pub fn args(mut self, params: impl Params) -> Self {
        if !self.params.is_empty() {
            self.fault("parameters are bound one by one, or all of them numbered by the text");
        }
        self.numbered = true;
        let done = params.encode(&mut self.params);
        self.note(done);
        self
    }

    /// Has the connection prepare the statement and keep it, though its text was made at run time: for one
    /// that comes again and again in few forms.
    pub fn cached(mut self) -> Self {
        self.cached = true;
        self
    }

    /// The text as the server gets it.
    pub fn text(&self) -> Cow<'_, str> {
        if let [Piece::Text(text)] = self.pieces.as_slice() {
            return Cow::Borrowed(text);
        }
        let mut text = String::new();
        let mut params = 0;
        for piece in &self.pieces {
            match piece {
                Piece::Text(piece) => text.push_str(piece),
                Piece::Param => {
                    params += 1;
                    let _ = write!(text, "${params}");
                }
            }
        }
        Cow::Owned(text)
    }

    /// How many parameters it has.
    pub fn params(&self) -> usize {
        self.params.len()
    }

    pub(crate) fn is_cached(&self) -> bool {
        self.cached
    }

    /// The parameters.
    pub(crate) fn into_params(self) -> Result<ParamBuf> {
        match self.error {
            None => Ok(self.params),
            Some(Fault::Encode(error)) => Err(error.into()),
            Some(Fault::Composition(detail)) => Err(Error::declaration(detail)),
        }
    }

    fn text_piece(mut self, text: Cow<'static, str>) -> Self {
        self.pieces.push(Piece::Text(text));
        self
    }

    fn refuse_numbered(&mut self) {
        if self.numbered {
            self.fault("the text numbers its parameters itself: nothing can be bound beside them");
        }
    }

    fn note(&mut self, done: std::result::Result<(), EncodeError>) {
        if let Err(error) = done {
            self.error.get_or_insert(Fault::Encode(error));
        }
    }

    fn fault(&mut self, detail: &'static str) {
        self.error.get_or_insert(Fault::Composition(detail));
    }
}

/// The text, without the values.
impl fmt::Debug for Statement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Statement({})", self.text())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::ErrorKind;

    #[test]
    fn nested_parts_are_numbered_on_at_any_depth() {
        let inner = sql("c = ").bind(3).sql(" OR d = ").bind("four");
        let middle = sql("b = ").bind(2).sql(" AND (").nest(&inner).sql(")");
        let outer = sql("a = ").bind(1).sql(" AND ").nest(&middle).sql(" AND ").nest(&inner);
        assert_eq!(outer.text(), "a = $1 AND b = $2 AND (c = $3 OR d = $4) AND c = $5 OR d = $6");
        assert_eq!(outer.params(), 6);
        assert!(outer.is_cached(), "all of it is the program's own text");
    }

    #[test]
    fn text_that_is_made_at_run_time_is_not_kept_unless_asked() {
        let table = Identifier::new("llamas").expect("a name");
        let by_name = sql("SELECT 1 FROM ").identifier(&table);
        assert!(!by_name.is_cached());
        assert!(!sql("SELECT 1 WHERE EXISTS (").nest(&by_name).sql(")").is_cached());
        assert!(!sql("SELECT ").fragment(&Fragment::new("1")).is_cached());
        assert!(!sql("SELECT 1 WHERE 1 IN (").list([1, 2]).sql(")").is_cached());
        assert!(by_name.cached().is_cached());
    }

    #[test]
    fn what_cannot_be_put_together_is_refused_when_it_is_run() {
        let numbered = sql("a = $1").args((1,));
        let composed = [
            sql("SELECT ").nest(&numbered),
            numbered.clone().bind(2),
            sql("a = ").bind(1).args((2,)),
            sql("a IN (").list([0_i32; 0]).sql(")"),
            sql("b AND ").nest(&sql("a IN (").list([0_i32; 0])),
        ];
        for statement in composed {
            let text = statement.text().into_owned();
            let error = statement.into_params().expect_err("is refused");
            assert_eq!(error.kind(), ErrorKind::Declaration, "{text}");
        }
        let error = sql("a = ").bind("a\0b").into_params().expect_err("a NUL");
        assert_eq!(error.kind(), ErrorKind::Encode);
        assert!(numbered.into_params().is_ok());
    }
}
