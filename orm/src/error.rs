//! The one error type of this crate.

use std::borrow::Cow;
use std::fmt;

use wreath_codecs::{DecodeError, EncodeError};

use crate::check::Violation;
use crate::schema::Difference;

/// A result of this crate.
pub type Result<T> = std::result::Result<T, Error>;

/// What went wrong, and about which model and column.
///
/// It is one pointer wide. [`kind`](Self::kind) says what to do about it, [`model`](Self::model) and
/// [`column`](Self::column) say where it is, [`violations`](Self::violations) lists every check and rule
/// that a refused object breaks, and [`database`](Self::database) is the driver's error with all that the
/// server said.
pub struct Error(Box<Inner>);

#[derive(Default)]
struct Inner {
    kind: Option<ErrorKind>,
    model: Option<&'static str>,
    column: Option<Cow<'static, str>>,
    detail: Cow<'static, str>,
    violations: Vec<Violation>,
    differences: Vec<Difference>,
    source: Option<Cause>,
}

enum Cause {
    Database(wreath_driver::Error),
    Decode(DecodeError),
    Encode(EncodeError),
}

/// The kinds of [`Error`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// A model, column, relation or alias is declared or used in a way that cannot work. It is a fault of the
    /// program, found when the models are declared to a [`Db`](crate::Db) or at the first use.
    Declaration,
    /// A result does not fit the Rust type that it is read into: NULL without an `Option`, another type.
    Mapping,
    /// A value that PostgreSQL cannot be given, such as text with a NUL.
    Encode,
    /// An object breaks checks or rules; nothing of it has been kept or sent.
    Invalid,
    /// A row that has to be there is not.
    NoResult,
    /// More rows match than the one that was asked for.
    MultipleResults,
    /// An update or delete met fewer rows than it has objects: another session was there first.
    StaleData,
    /// A [`Ref`](crate::Ref) of another session, or of an object that this one no longer holds.
    StaleRef,
    /// A flush has failed in the open transaction, which can only be rolled back: see
    /// [`Session::begin`](crate::Session::begin).
    TransactionFailed,
    /// A COMMIT was not answered, and nobody has said yet how it has ended: see
    /// [`Session::is_in_doubt`](crate::Session::is_in_doubt).
    InDoubt,
    /// The database is not what the models declare: see [`Db::check_schema`](crate::Db::check_schema) and
    /// [`Error::differences`].
    Schema,
    /// Tables are each tenant's own and none is bound, or a session that is bound to something was to be used outside
    /// of a transaction: see [`Session::with_tenant`](crate::Session::with_tenant) and
    /// [`with_setting`](crate::Session::with_setting).
    Unbound,
    /// The driver's or the server's error: see [`Error::database`].
    Database,
}

impl Error {
    pub(crate) fn new(kind: ErrorKind, detail: impl Into<Cow<'static, str>>) -> Self {
        Self(Box::new(Inner { kind: Some(kind), detail: detail.into(), ..Inner::default() }))
    }

    #[cold]
    pub(crate) fn declaration(detail: impl Into<Cow<'static, str>>) -> Self {
        Self::new(ErrorKind::Declaration, detail)
    }

    #[cold]
    pub(crate) fn mapping(cause: DecodeError) -> Self {
        let mut error = Self::new(ErrorKind::Mapping, "");
        error.0.source = Some(Cause::Decode(cause));
        error
    }

    #[cold]
    pub(crate) fn invalid(violations: Vec<Violation>) -> Self {
        let mut error = Self::new(ErrorKind::Invalid, "");
        error.0.violations = violations;
        error
    }

    #[cold]
    pub(crate) fn schema(differences: Vec<Difference>) -> Self {
        let mut error = Self::new(ErrorKind::Schema, "the database is not what the models declare");
        error.0.differences = differences;
        error
    }

    /// The same error, naming the model where it named none yet.
    #[must_use]
    pub(crate) fn of(mut self, model: &'static str) -> Self {
        self.0.model.get_or_insert(model);
        self
    }

    /// The same error, naming the column where it named none yet.
    #[must_use]
    pub(crate) fn at(mut self, column: impl Into<Cow<'static, str>>) -> Self {
        self.0.column.get_or_insert_with(|| column.into());
        self
    }

    /// What went wrong.
    pub fn kind(&self) -> ErrorKind {
        self.0.kind.unwrap_or(ErrorKind::Declaration)
    }

    /// The Rust path of the model that it is about, where it is about one.
    pub fn model(&self) -> Option<&'static str> {
        self.0.model
    }

    /// The name, in the database, of the column that it is about, where it is about one.
    pub fn column(&self) -> Option<&str> {
        self.0.column.as_deref()
    }

    /// Every check and rule that the object breaks; empty unless the kind is [`ErrorKind::Invalid`].
    pub fn violations(&self) -> &[Violation] {
        &self.0.violations
    }

    /// Every way in which the database is not what the models declare; empty unless the kind is
    /// [`ErrorKind::Schema`].
    pub fn differences(&self) -> &[Difference] {
        &self.0.differences
    }

    /// The driver's error, where the kind is [`ErrorKind::Database`].
    pub fn database(&self) -> Option<&wreath_driver::Error> {
        match &self.0.source {
            Some(Cause::Database(error)) => Some(error),
            _ => None,
        }
    }
}

impl From<wreath_driver::Error> for Error {
    fn from(cause: wreath_driver::Error) -> Self {
        let mut error = Self::new(ErrorKind::Database, "");
        error.0.source = Some(Cause::Database(cause));
        error
    }
}

impl From<wreath_driver::ConfigError> for Error {
    fn from(cause: wreath_driver::ConfigError) -> Self {
        wreath_driver::Error::from(cause).into()
    }
}

impl From<EncodeError> for Error {
    fn from(cause: EncodeError) -> Self {
        let mut error = Self::new(ErrorKind::Encode, "");
        error.0.source = Some(Cause::Encode(cause));
        error
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let inner = &*self.0;
        match (inner.model, &inner.column) {
            (Some(model), Some(column)) => write!(f, "{model}, column {column}: ")?,
            (Some(model), None) => write!(f, "{model}: ")?,
            (None, Some(column)) => write!(f, "column {column}: ")?,
            (None, None) => {}
        }
        match &inner.source {
            Some(Cause::Database(cause)) => write!(f, "{cause}"),
            Some(Cause::Decode(cause)) => write!(f, "{cause}"),
            Some(Cause::Encode(cause)) => write!(f, "{cause}"),
            None if inner.violations.is_empty() => {
                f.write_str(&inner.detail)?;
                inner.differences.iter().try_for_each(|difference| write!(f, "\n{difference}"))
            }
            None => {
                for (i, violation) in inner.violations.iter().enumerate() {
                    if i > 0 {
                        f.write_str("; ")?;
                    }
                    write!(f, "{violation}")?;
                }
                Ok(())
            }
        }
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Error")
            .field("kind", &self.kind())
            .field("model", &self.0.model)
            .field("column", &self.0.column)
            .field("message", &self.to_string())
            .finish()
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &self.0.source {
            Some(Cause::Database(cause)) => Some(cause),
            Some(Cause::Decode(cause)) => Some(cause),
            Some(Cause::Encode(cause)) => Some(cause),
            None => None,
        }
    }
}
