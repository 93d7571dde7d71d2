//! The hook.

use std::time::Duration;

use crate::error::Error;

/// Hears of each operation of a connection: given to [`Config::recorder`](crate::Config::recorder).
///
/// An operation is what one ReadyForQuery answers: a statement, a script, a COPY, BEGIN, COMMIT. A statement that is
/// sent again, since the server had lost it or a type was unknown, is several. The methods are called by the tasks that
/// run the operations, several at a time; what they do is waited for.
///
/// ```
/// use std::sync::atomic::{AtomicU64, Ordering};
/// use wreath_driver::{Config, Finished, Operation, Recorder};
///
/// #[derive(Default)]
/// struct Slow(AtomicU64);
///
/// impl Recorder for Slow {
///     fn finished(&self, operation: &Operation<'_>, end: &Finished<'_>) {
///         if end.duration.as_millis() > 100 {
///             self.0.fetch_add(1, Ordering::Relaxed);
///             println!("{} took {:?}", operation.statement, end.duration);
///         }
///     }
/// }
///
/// let config = Config::new().host("farm.example").recorder(Slow::default());
/// # let _ = config;
/// ```
pub trait Recorder: Send + Sync + 'static {
    /// An operation has been submitted.
    fn started(&self, operation: &Operation<'_>) {
        let _ = operation;
    }

    /// An operation has ended, or nobody waits for it any more.
    fn finished(&self, operation: &Operation<'_>, end: &Finished<'_>);
}

/// An operation that is watched.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Operation<'a> {
    /// Its first word as it was written, such as `SELECT`; empty where it begins with none.
    pub name: &'a str,
    /// The statement or the script. Parameters are not in it.
    pub statement: &'a str,
    /// The host, or the path of the socket, of the server.
    pub server: &'a str,
    /// The server's port; `None` for a unix socket.
    pub port: Option<u16>,
    /// The database.
    pub database: &'a str,
}

/// How an operation ended.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Finished<'a> {
    /// From its submission to its end, as its caller saw it.
    pub duration: Duration,
    /// How many rows it returned; of a COPY, messages of data.
    pub returned_rows: u64,
    /// How many rows the server says it returned or wrote, of all statements together.
    pub rows: u64,
    /// Bytes of those rows, as they travelled.
    pub bytes: u64,
    /// Why it failed.
    pub error: Option<&'a Error>,
    /// Whether its caller gave it up; nothing is known of its end then.
    pub abandoned: bool,
}
