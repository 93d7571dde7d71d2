//! The kinds of errors.

/// The kind of an [`Error`](crate::Error), and what its receiver can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The configuration or the DSN is wrong. Correct it; nothing was sent.
    Config,
    /// No server could be reached, or it did not answer as one. Try again later or elsewhere.
    Connect,
    /// TLS is asked for and cannot be had. Nothing was sent unencrypted; correct `sslmode`, the files, or the server.
    Tls,
    /// The server did not let the user in, or did not prove that it knows the password. Trying again
    /// helps only with other credentials.
    Auth,
    /// The server refused a statement; [`Error::server`](crate::Error::server) has every field. The
    /// connection goes on; a surrounding transaction has failed and can only be rolled back.
    Server,
    /// The peer broke the protocol. The connection is closed; an operation that had been sent may have taken effect.
    /// Use another one, and look for what stands between.
    Protocol,
    /// The connection is closed, or was lost while the operation waited: by [`close`](crate::Connection::close),
    /// by the server, or with the runtime it lived on. An operation that had been sent may have taken effect.
    Closed,
    /// The network failed. The connection is closed; an operation that had been sent may have taken effect.
    Io,
    /// A parameter has no form that PostgreSQL takes. Nothing was sent; the connection and its transaction go on.
    Encode,
    /// A value could not be read as the type that was asked for. The statement has run; the connection
    /// and its transaction go on. Ask for the column's type, or for an `Option` where there are NULLs.
    Decode,
    /// A row was asked for and there is none. The statement has run; `fetch_optional` takes both.
    NoResult,
    /// One row was asked for and there are more. The statement has run; `fetch` takes them all.
    MultipleResults,
    /// A transaction is open and the statement was not made through its handle. Nothing was sent.
    InTransaction,
    /// The transaction of this handle has ended. Nothing was sent.
    TransactionClosed,
    /// A statement opened a transaction behind the driver's back; it is rolled back, unless a statement that was on its way by
    /// then has ended it first. Use
    /// [`begin`](crate::Client::begin).
    UnmanagedTransaction,
    /// COMMIT was answered by a rollback: nothing of the transaction has taken effect. Run it again, once the
    /// statement that failed is mended.
    RolledBack,
    /// The connection was lost, or the time was up, after COMMIT was sent and before its answer came: the transaction may or may
    /// not have taken effect. Look before it is run again.
    OutcomeUnknown,
    /// The connection's bounded pipeline holds as many operations, or bytes, as it may. Nothing was sent: wait for some
    /// of them, or use more connections.
    PipelineFull,
    /// A statement of a pipeline was not run, because one before it failed, whose error says why.
    NotRun,
    /// The result is larger than [`max_result_bytes`](crate::Config::max_result_bytes) allows. The statement was stopped, or has
    /// run; what came of its rows is dropped. Read it with [`stream`](crate::Client::stream), or ask for less.
    ResultTooLarge,
    /// A deadline passed. A statement that was running is cancelled where it can be, and may have taken effect.
    Timeout,
    /// The rest of a stream was given up, because nobody took it while other operations of the connection waited
    /// behind it. Read faster, or give the stream a connection of its own.
    Stalled,
    /// The pool cannot give a connection: its queue is full or it is closed.
    Pool,
    /// What was asked for is not to be had in this way, such as COPY by `execute`, or batches of other columns appended to
    /// each other; the message says what is. Where it shows only while a script runs, the script has run.
    Unsupported,
}
