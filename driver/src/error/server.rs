//! An error or a notice, as the server described it.

use std::fmt;

use wreath_codecs::frame::Text;
use wreath_codecs::frame::backend::ErrorFields;

/// Everything that an ErrorResponse or a NoticeResponse says (PostgreSQL manual, "Error and Notice Message
/// Fields").
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ServerError {
    pub(crate) severity: String,
    pub(crate) code: String,
    pub(crate) message: String,
    pub(crate) detail: Option<String>,
    pub(crate) hint: Option<String>,
    pub(crate) position: Option<u32>,
    pub(crate) internal_position: Option<u32>,
    pub(crate) internal_query: Option<String>,
    pub(crate) context: Option<String>,
    pub(crate) schema: Option<String>,
    pub(crate) table: Option<String>,
    pub(crate) column: Option<String>,
    pub(crate) data_type: Option<String>,
    pub(crate) constraint: Option<String>,
    pub(crate) file: Option<String>,
    pub(crate) line: Option<u32>,
    pub(crate) routine: Option<String>,
}

/// How grave a message of the server is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Severity {
    /// The server goes down.
    Panic,
    /// The session ends.
    Fatal,
    /// The statement failed.
    Error,
    /// A warning, a notice or less.
    Notice,
}

macro_rules! texts {
    ($($(#[$doc:meta])* $name:ident)*) => {$(
        $(#[$doc])*
        pub fn $name(&self) -> Option<&str> {
            self.$name.as_deref()
        }
    )*};
}

impl ServerError {
    pub(crate) fn from_fields(fields: &ErrorFields<'_>) -> Self {
        let text = |field: Option<Text<'_>>| field.map(|t| t.to_string_lossy().into_owned());
        let number = |field: Option<Text<'_>>| field.and_then(|t| t.to_str().ok()?.parse().ok());
        Self {
            severity: text(fields.severity()).unwrap_or_default(),
            code: text(fields.code()).unwrap_or_default(),
            message: text(fields.message()).unwrap_or_default(),
            detail: text(fields.detail()),
            hint: text(fields.hint()),
            position: fields.position_number(),
            internal_position: number(fields.internal_position()),
            internal_query: text(fields.internal_query()),
            context: text(fields.context()),
            schema: text(fields.schema()),
            table: text(fields.table()),
            column: text(fields.column()),
            data_type: text(fields.data_type()),
            constraint: text(fields.constraint()),
            file: text(fields.file()),
            line: number(fields.line()),
            routine: text(fields.routine()),
        }
    }

    /// Whether the session ends with it.
    pub(crate) fn is_fatal(&self) -> bool {
        matches!(self.severity(), Severity::Fatal | Severity::Panic)
    }

    /// How grave it is.
    pub fn severity(&self) -> Severity {
        match self.severity.as_str() {
            "PANIC" => Severity::Panic,
            "FATAL" => Severity::Fatal,
            "ERROR" => Severity::Error,
            _ => Severity::Notice,
        }
    }

    /// The SQLSTATE: five characters.
    pub fn code(&self) -> &str {
        &self.code
    }

    /// The primary message.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// Where in the statement's text it happened, in characters from 1.
    pub fn position(&self) -> Option<u32> {
        self.position
    }

    /// Where in [`internal_query`](Self::internal_query) it happened, in characters from 1.
    pub fn internal_position(&self) -> Option<u32> {
        self.internal_position
    }

    /// The line of the server's source that reported it.
    pub fn line(&self) -> Option<u32> {
        self.line
    }

    texts! {
        /// More about the problem.
        detail
        /// What could be done.
        hint
        /// The text of an internally made statement that failed.
        internal_query
        /// Where it happened: the stack of functions and statements.
        context
        /// The schema it is about.
        schema
        /// The table it is about.
        table
        /// The column it is about.
        column
        /// The data type it is about.
        data_type
        /// The constraint it is about.
        constraint
        /// The file of the server's source that reported it.
        file
        /// The routine of the server's source that reported it.
        routine
    }
}

impl fmt::Display for ServerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.severity, self.message)?;
        if let Some(position) = self.position {
            write!(f, " at character {position}")?;
        }
        write!(f, " (SQLSTATE {})", self.code)?;
        // The context is where a COPY says which line and column it stumbled over.
        for (label, text) in [("detail", &self.detail), ("hint", &self.hint), ("context", &self.context)] {
            if let Some(text) = text {
                write!(f, "; {label}: {text}")?;
            }
        }
        Ok(())
    }
}

impl std::error::Error for ServerError {}
