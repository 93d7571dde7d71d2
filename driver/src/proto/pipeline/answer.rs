//! What a message of an answer means for the operation that it belongs to.

use wreath_codecs::frame::backend;

use crate::error::{Error, ErrorKind, Result};
use crate::proto::op::{Op, Work};
use crate::proto::statement::{Phase, RawColumn, Stale, StatementCache};
use crate::tag::CommandTag;

/// What the end of an operation says about its statement.
pub(super) fn settle_statement(statements: &mut StatementCache, op: &Op) {
    if op
        .tags
        .iter()
        .chain([&op.reply.tag])
        .any(|tag| matches!(tag.as_str(), "DISCARD ALL" | "DEALLOCATE ALL"))
    {
        statements.forget_all();
    }
    if let Some(statement) = op.work.parsed() {
        if statement.phase() == Phase::Sent {
            // ParseComplete never came.
            if let Some(error) = &op.error {
                statement.refused(error.clone());
            }
            return statements.forget(statement, false);
        }
        if statement.described().is_none() {
            return statements.forget(statement, true);
        }
    }
    if let Some(statement) = op.work.statement()
        && let Some(stale) = op.error.as_ref().and_then(Error::server).and_then(|e| Stale::tell(e, statement))
    {
        statements.forget(statement, stale == Stale::Changed);
    }
}

/// A message that belongs to the operation that is being answered.
pub(super) fn handle_reply(op: &mut Op, message: backend::Message<'_>) -> Result<()> {
    use backend::Message as M;

    let fits = match &message {
        M::ParseComplete => match op.work.parsed() {
            Some(statement) => {
                statement.set_phase(Phase::Ready);
                true
            }
            None => false,
        },
        M::RowDescription(description) => op.described(description.iter().map(raw_column).collect()),
        M::NoData => op.described(Vec::new()),
        M::CommandComplete(tag) => op.completed(CommandTag::new(tag.text().as_bytes())),
        M::PortalSuspended => op.suspended(),
        M::EmptyQueryResponse => op.completed(CommandTag::default()),
        M::CloseComplete => {
            op.closed();
            true
        }
        M::ParameterDescription(types) => {
            if let Work::Describe { statement, .. } = &op.work {
                statement.set_inferred(types.iter());
            }
            true
        }
        M::BindComplete => true,
        M::CopyOutResponse(_) if matches!(op.work, Work::CopyIn { .. }) => {
            op.failed(Error::new(
                ErrorKind::Unsupported,
                "the statement copies from the server: use copy_out",
            ));
            true
        }
        M::CopyOutResponse(_) if matches!(op.work, Work::Results(_)) => {
            op.failed(Error::new(
                ErrorKind::Unsupported,
                "the script copies data out, which is no result: use copy_out",
            ));
            true
        }
        M::CopyOutResponse(_) | M::CopyDone => op.work.statement().is_none(),
        _ => false,
    };
    if fits { Ok(()) } else { Err(unexpected(message.name())) }
}

fn raw_column(field: backend::Column<'_>) -> RawColumn {
    RawColumn {
        name: field.name.to_string_lossy().into(),
        table: field.table_oid,
        attribute: field.attribute,
        oid: field.type_oid,
        modifier: field.type_modifier,
    }
}

#[cold]
pub(super) fn unexpected(message: &str) -> Error {
    Error::protocol(format!("the server sent {message} where none can be"))
}
