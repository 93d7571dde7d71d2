//! What can be done about a statement that failed, and what its result consists of.

use std::sync::Arc;

use wreath_codecs::ParamBuf;

use crate::connection::client::Client;
use crate::error::{Error, ErrorKind, Result};
use crate::proto::scope::is_outside;
use crate::proto::statement::{Stale, Statement};
use crate::row::Column;

/// What the server may say about a parameter whose type has been dropped: its number stands for nothing, so
/// nothing fits it (undefined object, datatype mismatch, undefined function, cannot coerce, indeterminate
/// datatype, internal error).
const TYPE_ERRORS: [&str; 6] = ["42704", "42804", "42883", "42846", "42P18", "XX000"];

/// What may make a statement succeed if it is sent again.
#[derive(Clone, Copy)]
pub(crate) struct Remedy {
    /// Nothing else: the server does not know the statement any more, its result has changed, or it was not run for the
    /// sake of a neighbour.
    pub(crate) again: bool,
    /// A named type may have another number by now.
    pub(crate) renumber: bool,
    /// A function is missing: it may be the one that sends a type of the result in binary form.
    ask_for_text: bool,
}

impl Remedy {
    /// What could help a statement that failed with `error`, and whose parameters have `named` types or not.
    pub(crate) fn find(client: &Client, statement: &Statement, error: &Error, named: bool) -> Option<Self> {
        if error.kind() == ErrorKind::NotRun {
            return Some(Self { again: true, renumber: false, ask_for_text: false });
        }
        let server = error.server()?;
        let renumber = TYPE_ERRORS.contains(&server.code()) && statement.has_own_types();
        if renumber {
            // Whoever comes next asks for the numbers again, inside of a transaction too.
            client.catalog().forget_numbers(&statement.params);
        }
        if !is_outside(client.scope) {
            // The error has failed the transaction: whatever is sent now fails too.
            return None;
        }
        let remedy = Self {
            again: Stale::tell(server, statement).is_some(),
            renumber: renumber && named,
            ask_for_text: server.code() == "42883" && statement.described().is_some(),
        };
        (remedy.again || remedy.renumber || remedy.ask_for_text).then_some(remedy)
    }

    /// The columns of a result that has to be asked for in text, in part at least.
    pub(crate) async fn text_columns(
        self,
        client: &Client,
        statement: &Arc<Statement>,
    ) -> Result<Option<Arc<[Column]>>> {
        if !self.ask_for_text {
            return Ok(None);
        }
        let columns = columns_of(client, statement).await?;
        Ok(Some(columns).filter(|columns| columns.iter().any(Column::is_text)))
    }
}

/// Resolves `named` parameters once more, into `params`; whether they are others than before.
pub(crate) async fn renumbered(client: &Client, named: &ParamBuf, params: &mut ParamBuf) -> Result<bool> {
    let mut again = named.clone();
    client.catalog().resolve(client, &mut again).await?;
    let same = again.types() == params.types() && again.values().as_bytes() == params.values().as_bytes();
    *params = again;
    Ok(!same)
}

/// The error itself, or why there is no such prepared statement: the one that was to prepare it failed.
pub(crate) fn cause<'a>(statement: &'a Statement, error: &'a Error) -> &'a Error {
    let lost = error.server().and_then(|e| Stale::tell(e, statement)) == Some(Stale::Lost);
    statement.refusal().filter(|_| lost).unwrap_or(error)
}

/// The result's columns, if no type of theirs has to be looked up.
pub(crate) fn known_columns(client: &Client, statement: &Statement) -> Option<Result<Arc<[Column]>>> {
    if let Some(columns) = statement.columns() {
        let as_described = statement.is_as_described(columns);
        return Some(if as_described { Ok(Arc::clone(columns)) } else { Err(changed(statement)) });
    }
    let columns = client.catalog().known_columns(statement.described()?)?;
    Some(Ok(Arc::clone(statement.set_columns(columns))))
}

#[cold]
fn changed(statement: &Statement) -> Error {
    let message = "the types of the result changed between its description and its execution";
    Error::new(ErrorKind::Decode, message).in_statement(&statement.sql)
}

/// The columns of a statement that has been described, with types that are looked up where they must be.
pub(crate) async fn columns_of(client: &Client, statement: &Arc<Statement>) -> Result<Arc<[Column]>> {
    if let Some(columns) = statement.columns() {
        return Ok(Arc::clone(columns));
    }
    let described =
        statement.described().ok_or_else(|| Error::protocol("rows came for an undescribed statement"))?;
    let columns = client.catalog().columns(client, described).await?;
    Ok(Arc::clone(statement.set_columns(columns)))
}

/// The statement has run, and its rows cannot be read.
pub(crate) fn unread(e: Error) -> Error {
    if e.is_connection_lost() {
        return e;
    }
    e.recast(ErrorKind::Decode, "the statement has run, but the types of its result could not be looked up")
}
