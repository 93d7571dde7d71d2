//! What a configuration says about being watched.

use std::fmt;
use std::sync::Arc;

use super::Recorder;
use crate::config::Config;

/// Who watches, and what is shown.
#[derive(Clone, Default)]
pub(crate) struct Watch {
    pub(super) recorder: Option<Arc<dyn Recorder>>,
    pub(super) statements: bool,
}

impl Config {
    /// Who hears of each operation of the connections; see [`Recorder`].
    #[must_use]
    pub fn recorder(self, recorder: impl Recorder) -> Self {
        self.shared_recorder(Arc::new(recorder))
    }

    /// The same for a recorder that is shared.
    #[must_use]
    pub fn shared_recorder(mut self, recorder: Arc<dyn Recorder>) -> Self {
        self.watch.recorder = Some(recorder);
        self
    }

    /// Whether spans hold the text of statements, as `db.query.text`. It is left out unless told otherwise, since a text
    /// may hold what somebody has typed. Parameters never are shown.
    ///
    /// Spans are there with the feature `tracing`: one of level DEBUG and target `wreath_driver` for each operation, with
    /// the fields of OpenTelemetry's conventions for database clients (`db.system.name`, `db.namespace`,
    /// `db.operation.name`, `server.address`, `server.port`, `db.response.returned_rows`, `db.response.status_code`,
    /// `error.type`), and `otel.kind`, `otel.name` and `otel.status_code` as `tracing-opentelemetry` reads them.
    #[must_use]
    pub fn trace_statements(mut self, shown: bool) -> Self {
        self.watch.statements = shown;
        self
    }
}

impl PartialEq for Watch {
    fn eq(&self, other: &Self) -> bool {
        let same = match (&self.recorder, &other.recorder) {
            (Some(one), Some(two)) => Arc::ptr_eq(one, two),
            (one, two) => one.is_none() && two.is_none(),
        };
        same && self.statements == other.statements
    }
}

impl Eq for Watch {}

impl fmt::Debug for Watch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Watch").field("recorder", &self.recorder.is_some()).finish_non_exhaustive()
    }
}
