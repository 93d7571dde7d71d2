//! Whether a session is one that was asked for.

use std::sync::Arc;

use super::handle::Connection;
use crate::config::TargetSessionAttrs;
use crate::error::{Error, ErrorKind, Result};

/// Finds out whether the session is what `target` asks for.
///
/// # Errors
/// `Connect`, when it is not; another, when that cannot be found out.
pub(super) async fn check(connection: &Connection, target: TargetSessionAttrs) -> Result<()> {
    use TargetSessionAttrs as T;

    let found = match target {
        T::Any => return Ok(()),
        T::ReadWrite if is_read_only(connection).await? => "it is read-only",
        T::ReadOnly if !is_read_only(connection).await? => "it is not read-only",
        T::Primary if is_standby(connection).await? => "the server is a standby",
        T::Standby | T::PreferStandby if !is_standby(connection).await? => "the server is no standby",
        _ => return Ok(()),
    };
    let message = format!("the session is not what target_session_attrs={} asks for: {found}", target.name());
    Err(Error::new(ErrorKind::Connect, message))
}

async fn is_read_only(connection: &Connection) -> Result<bool> {
    match (told(connection, "default_transaction_read_only"), told(connection, "in_hot_standby")) {
        (Some(by_default), Some(standby)) => Ok(by_default || standby),
        _ => asked(connection, "SHOW transaction_read_only").await,
    }
}

async fn is_standby(connection: &Connection) -> Result<bool> {
    match told(connection, "in_hot_standby") {
        Some(standby) => Ok(standby),
        None => asked(connection, "SELECT pg_catalog.pg_is_in_recovery()").await,
    }
}

/// What the server has said of itself.
fn told(connection: &Connection, parameter: &str) -> Option<bool> {
    connection.parameter(parameter).map(|value: Arc<str>| &*value == "on")
}

/// As a script, which leaves no prepared statement behind.
async fn asked(connection: &Connection, sql: &str) -> Result<bool> {
    let results = connection.script(sql).await?;
    let row = results.first().and_then(|rows| rows.iter().next());
    let row = row.ok_or_else(|| Error::new(ErrorKind::Connect, format!("no answer to {sql}")))?;
    // One answers by a word, the other by a letter.
    Ok(matches!(row.get::<&str>(0)?, "on" | "t"))
}
