//! Spans with the names of OpenTelemetry's semantic conventions for database clients
//! (<https://opentelemetry.io/docs/specs/semconv/database/postgresql/>).

use tracing::field::Empty;
use tracing::{Level, Span};

use super::{Finished, Operation};

const TARGET: &str = "wreath_driver";

/// Whether somebody collects the spans.
#[inline]
pub(super) fn enabled() -> bool {
    tracing::enabled!(target: TARGET, Level::DEBUG)
}

/// Opens an operation's span inside of its caller's.
pub(super) fn open(operation: &Operation<'_>, statements: bool) -> Span {
    let span = tracing::debug_span!(
        target: TARGET,
        "operation",
        otel.kind = "client",
        otel.name = %format_args!("{} {}", operation.name, operation.database),
        otel.status_code = Empty,
        db.system.name = "postgresql",
        db.namespace = operation.database,
        db.operation.name = operation.name,
        db.query.text = Empty,
        db.response.returned_rows = Empty,
        db.response.status_code = Empty,
        error.r#type = Empty,
        server.address = operation.server,
        server.port = operation.port,
    );
    if statements {
        span.record("db.query.text", operation.statement);
    }
    span
}

/// Fills in what is known at the end. The span is closed when it is dropped.
pub(super) fn close(span: &Span, end: &Finished<'_>) {
    if !end.abandoned {
        span.record("db.response.returned_rows", end.returned_rows);
    }
    let Some(error) = end.error else { return };
    span.record("otel.status_code", "ERROR");
    match error.sqlstate() {
        Some(state) => {
            span.record("db.response.status_code", state);
            span.record("error.type", state);
        }
        None => {
            span.record("error.type", tracing::field::debug(error.kind()));
        }
    }
}
