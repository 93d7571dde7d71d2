//! What the server has told about the session.

use std::collections::HashMap;
use std::sync::Arc;

use wreath_codecs::frame::backend;

use crate::error::{Error, ServerError};

/// Parameters, notices and last words.
#[derive(Debug, Default)]
pub(crate) struct Session {
    parameters: HashMap<String, Arc<str>>,
    /// The server process and the key that a cancel request needs.
    pub(crate) backend: Option<(i32, Vec<u8>)>,
    farewell: Option<Error>,
    notices: u64,
    dropped_notifications: u64,
}

/// How many parameters of the session are kept; a server that reports more is not believed.
const MAX_PARAMETERS: usize = 256;

impl Session {
    pub(crate) fn parameter_changed(&mut self, parameter: &backend::ParameterStatus<'_>) {
        let name = parameter.name.to_string_lossy().into_owned();
        if self.parameters.len() < MAX_PARAMETERS || self.parameters.contains_key(&name) {
            self.parameters.insert(name, parameter.value.to_string_lossy().into());
        }
    }

    pub(crate) fn parameter(&self, name: &str) -> Option<Arc<str>> {
        self.parameters.get(name).cloned()
    }

    pub(crate) fn notice(&mut self, _: ServerError) {
        self.notices += 1;
    }

    pub(crate) fn notices(&self) -> u64 {
        self.notices
    }

    pub(crate) fn notification_dropped(&mut self) {
        self.dropped_notifications += 1;
    }

    pub(crate) fn dropped_notifications(&self) -> u64 {
        self.dropped_notifications
    }

    /// The server says why it is about to end the session.
    pub(crate) fn farewell(&mut self, error: Error) {
        self.farewell.get_or_insert(error);
    }

    pub(crate) fn take_farewell(&mut self) -> Option<Error> {
        self.farewell.take()
    }
}
