//! Operations as they are watched.

use std::sync::Arc;
use std::time::Instant;

use super::{Finished, Operation, Watch};
use crate::net::Address;
use crate::proto::lexer;
use crate::proto::op::Outcome;

/// Who watches a connection's operations, and what is the same for all of them.
#[derive(Debug)]
pub(crate) struct Observer {
    pub(super) watch: Watch,
    pub(super) server: String,
    pub(super) port: Option<u16>,
    pub(super) database: String,
}

/// An operation that is watched.
#[derive(Debug)]
pub(crate) struct Observed {
    text: Arc<str>,
    since: Instant,
    #[cfg(feature = "tracing")]
    span: tracing::Span,
}

impl Observer {
    pub(crate) fn new(watch: Watch, address: &Address, database: &str) -> Self {
        let (server, port) = match address {
            Address::Tcp(host, port) => (host.clone(), Some(*port)),
            #[cfg(unix)]
            Address::Unix(path) => (path.display().to_string(), None),
        };
        Self { watch, server, port, database: database.to_owned() }
    }

    /// Whether anybody watches.
    #[inline]
    fn is_on(&self) -> bool {
        #[cfg(feature = "tracing")]
        if super::span::enabled() {
            return true;
        }
        self.watch.recorder.is_some()
    }

    /// An operation has been submitted: what is needed to tell of its end, if anybody watches.
    #[inline]
    pub(crate) fn started(&self, text: impl FnOnce() -> Arc<str>) -> Option<Box<Observed>> {
        self.is_on().then(|| self.observe(text()))
    }

    #[cold]
    fn observe(&self, text: Arc<str>) -> Box<Observed> {
        let operation = self.operation(&text);
        if let Some(recorder) = &self.watch.recorder {
            recorder.started(&operation);
        }
        #[cfg(feature = "tracing")]
        let span = super::span::open(&operation, self.watch.statements);
        Box::new(Observed {
            since: Instant::now(),
            #[cfg(feature = "tracing")]
            span,
            text,
        })
    }

    /// An operation has ended; `None` when its caller has given it up.
    #[cold]
    pub(crate) fn finished(&self, observed: &Observed, outcome: Option<&Outcome>) {
        let mut end = Finished {
            duration: observed.since.elapsed(),
            returned_rows: 0,
            rows: 0,
            bytes: 0,
            error: None,
            abandoned: outcome.is_none(),
        };
        if let Some(outcome) = outcome {
            let replies = || outcome.results.iter().map(|(_, reply)| reply).chain([&outcome.reply]);
            end.returned_rows = replies().map(|reply| reply.rows as u64).sum();
            end.bytes = replies().map(|reply| reply.bytes as u64).sum();
            end.rows = outcome.tags.iter().chain([&outcome.reply.tag]).map(|tag| tag.rows()).sum();
            end.error = outcome.error.as_ref();
        }
        if let Some(recorder) = &self.watch.recorder {
            recorder.finished(&self.operation(&observed.text), &end);
        }
        #[cfg(feature = "tracing")]
        super::span::close(&observed.span, &end);
    }

    fn operation<'a>(&'a self, text: &'a str) -> Operation<'a> {
        Operation {
            name: lexer::first_word(text),
            statement: text,
            server: &self.server,
            port: self.port,
            database: &self.database,
        }
    }
}
