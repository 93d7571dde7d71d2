//! What the server has told about the session.

use std::collections::HashMap;
use std::sync::Arc;

use wreath_codecs::frame::backend;
use wreath_simd::Queue;

use crate::error::{Error, ServerError};
use crate::notification::Notification;
use crate::proto::limits::MAX_NOTIFICATIONS;

/// Parameters, notices and last words.
#[derive(Debug, Default)]
pub(crate) struct Session {
    parameters: HashMap<String, Arc<str>>,
    /// What `default_transaction_read_only` is.
    reads_only: bool,
    /// The server process and the key that a cancel request needs.
    pub(crate) backend: Option<(i32, Vec<u8>)>,
    farewell: Option<Error>,
    notices: u64,
    /// Where notifications go; `None` while nobody has asked for any.
    notifications: Option<Arc<Queue<Notification>>>,
    /// Those that have arrived and have not been delivered, which is done outside of locks.
    arrived: Vec<Notification>,
    dropped_notifications: u64,
}

/// Notifications that wait to be delivered.
#[must_use = "they are lost unless they are delivered"]
pub(crate) struct Delivery(Option<(Arc<Queue<Notification>>, Vec<Notification>)>);

impl Delivery {
    pub(crate) fn deliver(self) {
        if let Some((queue, arrived)) = self.0 {
            for notification in arrived {
                // A queue that drops its oldest counts what it loses.
                queue.offer(notification);
            }
        }
    }
}

/// How many parameters of the session are kept; a server that reports more is not believed.
const MAX_PARAMETERS: usize = 256;

/// The greatest number of a process: Linux's `PID_MAX_LIMIT`. Other systems stop far below it.
const MAX_PROCESS: i32 = 1 << 22;

impl Session {
    pub(crate) fn parameter_changed(&mut self, parameter: &backend::ParameterStatus<'_>) {
        let name = parameter.name.to_string_lossy().into_owned();
        if name == "default_transaction_read_only" {
            self.reads_only = parameter.value.to_string_lossy() == "on";
        }
        if self.parameters.len() < MAX_PARAMETERS || self.parameters.contains_key(&name) {
            self.parameters.insert(name, parameter.value.to_string_lossy().into());
        }
    }

    /// The session's encoding, if it is one that text cannot be read in: it is taken for UTF-8 everywhere.
    pub(crate) fn foreign_encoding(&self) -> Option<&str> {
        let encoding = self.parameters.get("client_encoding").map(|encoding| &**encoding);
        encoding.filter(|encoding| !matches!(*encoding, "UTF8" | "UNICODE"))
    }

    /// Whether its transactions only read unless they say otherwise, as the server has reported.
    pub(crate) fn is_read_only(&self) -> bool {
        self.reads_only
    }

    pub(crate) fn parameter(&self, name: &str) -> Option<Arc<str>> {
        self.parameters.get(name).cloned()
    }

    /// Whether a pooler stands between, by the number of the process that it has made up for cancel requests. A server's is
    /// that of a process, of which no system counts beyond [`MAX_PROCESS`]; a random one is above or below zero in all but one of a
    /// thousand.
    pub(crate) fn is_pooled(&self) -> bool {
        self.backend.as_ref().is_some_and(|(process, _)| !(0..=MAX_PROCESS).contains(process))
    }

    pub(crate) fn notice(&mut self, _: ServerError) {
        self.notices += 1;
    }

    pub(crate) fn notices(&self) -> u64 {
        self.notices
    }

    /// Where the notifications of the session go, from now on.
    pub(crate) fn notifications(&mut self) -> &Arc<Queue<Notification>> {
        self.notifications.get_or_insert_with(|| Arc::new(Queue::dropping_oldest(MAX_NOTIFICATIONS)))
    }

    pub(crate) fn notified(&mut self, sent: backend::Notification<'_>) {
        if self.notifications.is_some() {
            self.arrived.push(sent.into());
        } else {
            self.dropped_notifications += 1;
        }
    }

    pub(crate) fn take_arrived(&mut self) -> Delivery {
        if self.arrived.is_empty() {
            return Delivery(None);
        }
        let arrived = std::mem::take(&mut self.arrived);
        Delivery(self.notifications.clone().map(|queue| (queue, arrived)))
    }

    /// The queue to be closed with the session.
    pub(crate) fn notification_queue(&self) -> Option<Arc<Queue<Notification>>> {
        self.notifications.clone()
    }

    pub(crate) fn dropped_notifications(&self) -> u64 {
        self.dropped_notifications + self.notifications.as_ref().map_or(0, |queue| queue.dropped())
    }

    /// The server says why it is about to end the session.
    pub(crate) fn farewell(&mut self, error: Error) {
        self.farewell.get_or_insert(error);
    }

    pub(crate) fn take_farewell(&mut self) -> Option<Error> {
        self.farewell.take()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_that_cannot_be_tells_of_a_pooler() {
        let with = |process| Session { backend: Some((process, vec![0; 4])), ..Session::default() };
        for (process, pooled) in [
            (1, false),
            (99_999, false),
            (MAX_PROCESS, false),
            (MAX_PROCESS + 1, true),
            (-7, true),
            (i32::MIN, true),
        ] {
            assert_eq!(with(process).is_pooled(), pooled, "{process}");
        }
        assert!(!Session::default().is_pooled());
    }
}
