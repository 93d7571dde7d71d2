//! Why there is no server.

use std::error::Error;
use std::fmt;
use std::io;

use crate::AdminError;

/// Why a server could not be made, started or used; the text says what to do about it where that is known.
#[derive(Debug)]
pub struct ClusterError(String);

impl ClusterError {
    pub(super) fn new(message: impl Into<String>) -> Self {
        Self(message.into())
    }

    /// For `map_err`: an IO error while doing `what`.
    pub(super) fn io(what: impl fmt::Display) -> impl FnOnce(io::Error) -> Self {
        move |error| Self(format!("{what}: {error}"))
    }
}

impl fmt::Display for ClusterError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Error for ClusterError {}

impl From<AdminError> for ClusterError {
    fn from(error: AdminError) -> Self {
        Self(error.to_string())
    }
}
