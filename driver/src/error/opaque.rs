//! The one error type that callers see.

use std::fmt;
use std::sync::Arc;

use wreath_codecs::{DecodeError, EncodeError, SqlState};

use super::{ErrorKind, ServerError};

/// The driver's results.
pub type Result<T> = std::result::Result<T, Error>;

/// An error of the driver: its [kind](Self::kind), what the server said where it was the server that
/// refused, and the statement it happened in.
///
/// It is cheap to clone, since a connection that breaks reports one cause to every operation that waits.
#[derive(Clone)]
pub struct Error(Arc<Inner>);

#[derive(Clone)]
struct Inner {
    kind: ErrorKind,
    message: String,
    statement: Option<Arc<str>>,
    source: Option<Source>,
}

#[derive(Clone)]
enum Source {
    Server(Box<ServerError>),
    Other(Arc<dyn std::error::Error + Send + Sync>),
}

impl Error {
    /// An error of `kind` that says `message`.
    pub(crate) fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Self(Arc::new(Inner { kind, message: message.into(), statement: None, source: None }))
    }

    /// An error of `kind` that says `message` and was caused by `source`.
    pub(crate) fn caused(
        kind: ErrorKind,
        message: impl Into<String>,
        source: impl std::error::Error + Send + Sync + 'static,
    ) -> Self {
        let source = Some(Source::Other(Arc::new(source)));
        Self(Arc::new(Inner { kind, message: message.into(), statement: None, source }))
    }

    /// The server's refusal of a statement.
    pub(crate) fn server_error(kind: ErrorKind, server: ServerError) -> Self {
        let message = server.to_string();
        Self(Arc::new(Inner {
            kind,
            message,
            statement: None,
            source: Some(Source::Server(Box::new(server))),
        }))
    }

    /// The peer broke the protocol.
    pub(crate) fn protocol(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::Protocol, message)
    }

    /// The same error as one of `kind`, whose message explains why and ends with this one's.
    pub(crate) fn recast(&self, kind: ErrorKind, why: &str) -> Self {
        let mut inner = Inner::clone(&self.0);
        inner.kind = kind;
        inner.message = format!("{why}: {}", inner.message);
        Self(Arc::new(inner))
    }

    /// The same error, naming the statement it happened in.
    pub(crate) fn in_statement(mut self, sql: &Arc<str>) -> Self {
        if self.0.statement.is_none() {
            Arc::make_mut(&mut self.0).statement = Some(Arc::clone(sql));
        }
        self
    }

    /// What kind of error it is.
    pub fn kind(&self) -> ErrorKind {
        self.0.kind
    }

    /// Everything that the server sent, where the server refused something.
    pub fn server(&self) -> Option<&ServerError> {
        match &self.0.source {
            Some(Source::Server(server)) => Some(server),
            _ => None,
        }
    }

    /// The SQLSTATE, where the server refused something (PostgreSQL manual, "PostgreSQL Error Codes").
    pub fn sqlstate(&self) -> Option<&str> {
        self.server().map(ServerError::code)
    }

    /// Whether the server refused something with that SQLSTATE; [`SqlState`] has a constant for each.
    ///
    /// ```no_run
    /// # async fn f(client: &wreath_driver::Client) -> wreath_driver::Result<()> {
    /// use wreath_driver::SqlState;
    ///
    /// match client.execute("INSERT INTO llamas (name) VALUES ($1)", ("Dolly",)).await {
    ///     Err(e) if e.is_state(SqlState::UNIQUE_VIOLATION) => println!("there is a Dolly already"),
    ///     other => println!("{} is new", other?.rows()),
    /// }
    /// # Ok(())
    /// # }
    /// ```
    pub fn is_state(&self, state: SqlState) -> bool {
        self.sqlstate() == Some(state.as_str())
    }

    /// The text of the statement it happened in, where there is one.
    pub fn statement(&self) -> Option<&str> {
        self.0.statement.as_deref()
    }

    /// Whether running the whole transaction again may succeed: a serialization failure (40001) or a
    /// deadlock (40P01).
    pub fn is_retryable(&self) -> bool {
        matches!(self.sqlstate(), Some("40001" | "40P01"))
    }

    /// Whether the connection cannot be used any more, or may have been lost: of a COMMIT without an answer nobody can tell.
    pub fn is_connection_lost(&self) -> bool {
        matches!(
            self.kind(),
            ErrorKind::Closed | ErrorKind::Io | ErrorKind::Protocol | ErrorKind::OutcomeUnknown
        )
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.message)
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut s = f.debug_struct("Error");
        s.field("kind", &self.0.kind).field("message", &self.0.message);
        if let Some(server) = self.server() {
            s.field("server", server);
        }
        if let Some(statement) = self.statement() {
            s.field("statement", &statement);
        }
        s.finish()
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &self.0.source {
            Some(Source::Server(server)) => Some(&**server),
            Some(Source::Other(other)) => Some(&**other),
            None => None,
        }
    }
}

impl From<EncodeError> for Error {
    fn from(e: EncodeError) -> Self {
        Self::caused(ErrorKind::Encode, e.to_string(), e)
    }
}

impl From<DecodeError> for Error {
    fn from(e: DecodeError) -> Self {
        Self::caused(ErrorKind::Decode, e.to_string(), e)
    }
}
