//! The kinds of errors.

/// The kind of an [`Error`](crate::Error), and what its receiver can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The configuration or the DSN is wrong. Correct it; nothing was sent.
    Config,
    /// No server could be reached, or it did not answer as one. Try again later or elsewhere.
    Connect,
    /// TLS is asked for and cannot be had.
    Tls,
    /// The server did not let the user in, or did not prove that it knows the password.
    Auth,
    /// The server refused a statement; [`Error::server`](crate::Error::server) has every field. The
    /// connection goes on; a surrounding transaction has failed and can only be rolled back.
    Server,
    /// The peer broke the protocol. The connection is closed.
    Protocol,
    /// The connection is closed, or was lost while the operation waited: by [`close`](crate::Connection::close),
    /// by the server, or with the runtime it lived on. An operation that had been sent may have taken effect.
    Closed,
    /// The network failed. The connection is closed; an operation that had been sent may have taken effect.
    Io,
    /// A parameter has no form that PostgreSQL takes. Nothing was sent.
    Encode,
    /// A value could not be read as the type that was asked for. The statement has run.
    Decode,
    /// A row was asked for and there is none.
    NoResult,
    /// One row was asked for and there are more.
    MultipleResults,
    /// A transaction is open and the statement was not made through its handle. Nothing was sent.
    InTransaction,
    /// The transaction of this handle has ended. Nothing was sent.
    TransactionClosed,
    /// A statement opened a transaction behind the driver's back; it is rolled back, unless a statement that was on its way by
    /// then has ended it first. Use
    /// [`begin`](crate::Client::begin).
    UnmanagedTransaction,
    /// COMMIT was answered by a rollback: nothing of the transaction has taken effect.
    RolledBack,
    /// The connection was lost after COMMIT was sent and before its answer came: the transaction may or may
    /// not have taken effect.
    OutcomeUnknown,
    /// The connection's bounded pipeline holds as many operations, or bytes, as it may. Nothing was sent.
    PipelineFull,
    /// A statement of a pipeline was not run, because one before it failed, whose error says why.
    NotRun,
    /// The result is larger than [`max_result_bytes`](crate::Config::max_result_bytes) allows. The statement was stopped, or has
    /// run; what came of its rows is dropped. Read it with [`stream`](crate::Client::stream), or ask for less.
    ResultTooLarge,
    /// A deadline passed.
    Timeout,
    /// The rest of a stream was given up, because nobody took it while other operations of the connection waited
    /// behind it. Read faster, or give the stream a connection of its own.
    Stalled,
    /// The pool cannot give a connection: its queue is full or it is closed.
    Pool,
    /// The statement cannot be run by this verb, such as COPY by `execute`. Nothing was sent.
    Unsupported,
}
