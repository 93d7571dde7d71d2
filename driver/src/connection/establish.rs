//! From an address to a connection.

use std::io;
use std::sync::Arc;

use bytes::BytesMut;
use tokio::io::{AsyncReadExt, AsyncWriteExt};

use crate::catalog::Catalog;
use crate::config::{Config, Settings};
use crate::connection::engine::{Engine, Setup};
use crate::connection::handle::Connection;
use crate::error::{Error, ErrorKind, Result};
use crate::net::{Address, CancelToken, Stream};
use crate::proto::auth;
use crate::proto::limits::READ_MIN;
use crate::proto::pipeline::Pipeline;
use crate::proto::session::Session;
use crate::proto::startup::{Startup, Wanted};
use crate::proto::statement::StatementCache;

impl Config {
    /// Connects and establishes a session. Several servers are tried in order until one answers.
    ///
    /// # Errors
    /// `Config`, when something that was left open cannot be filled in; `Tls`, when encryption is demanded;
    /// `Connect` or `Timeout`, when no server answers or it does not let sessions begin; `Auth`, when it does not
    /// let this user in or does not prove itself.
    pub async fn connect(&self) -> Result<Connection> {
        self.connect_with(Arc::default()).await
    }

    /// Connects, sharing what is known of the database's types: to the first server that answers.
    pub(crate) async fn connect_with(&self, catalog: Arc<Catalog>) -> Result<Connection> {
        let settings = self.settings()?;
        let mut failures = Vec::new();
        for server in &settings.servers {
            match settings.connect_to(server, Arc::clone(&catalog)).await {
                Err(e) if goes_on(&e) => failures.push(e),
                answer => return answer,
            }
        }
        Err(none_answered(failures))
    }
}

/// Opens a connection to the server that a connection string names, see [`Config`].
///
/// # Errors
/// `Config`, when the string is malformed or asks for something unknown; else as [`Config::connect`].
pub async fn connect(dsn: &str) -> Result<Connection> {
    dsn.parse::<Config>()?.connect().await
}

impl Settings {
    async fn connect_to(&self, server: &Address, catalog: Arc<Catalog>) -> Result<Connection> {
        let parameters = self.parameters();
        let wanted = Wanted {
            user: &self.user,
            password: self.password.as_deref(),
            database: &self.database,
            parameters: &parameters,
        };
        let bounds = Bounds {
            statements: self.statement_cache_size,
            statement_bytes: self.statement_cache_bytes,
            message: self.max_message,
            cancel_on_drop: self.cancel_on_drop,
        };
        let session = establish(server, wanted, bounds, catalog);
        let Some(limit) = self.connect_timeout else { return session.await };
        tokio::time::timeout(limit, session).await.unwrap_or_else(|_| {
            let message = format!("{server} did not let a session begin within {limit:?}");
            Err(Error::new(ErrorKind::Timeout, message))
        })
    }
}

/// Whether the next server is tried: when this one did not answer or is only starting, and not when it refused.
fn goes_on(e: &Error) -> bool {
    match e.sqlstate() {
        // cannot_connect_now
        Some(state) => state == "57P03",
        None => matches!(e.kind(), ErrorKind::Connect | ErrorKind::Timeout),
    }
}

/// The only failure, or one that tells them all.
fn none_answered(mut failures: Vec<Error>) -> Error {
    if failures.len() == 1 {
        return failures.remove(0);
    }
    let all: Vec<String> = failures.iter().map(Error::to_string).collect();
    Error::new(ErrorKind::Connect, format!("no server could be reached: {}", all.join("; ")))
}

/// The bounds of a connection.
#[derive(Clone, Copy, Debug)]
struct Bounds {
    statements: usize,
    statement_bytes: usize,
    message: usize,
    cancel_on_drop: bool,
}

/// Connects to `address` and establishes a session there.
async fn establish(
    address: &Address,
    wanted: Wanted<'_>,
    bounds: Bounds,
    catalog: Arc<Catalog>,
) -> Result<Connection> {
    let mut stream = Stream::connect(address)
        .await
        .map_err(|e| Error::caused(ErrorKind::Connect, format!("cannot connect to {address}: {e}"), e))?;
    let mut reading = BytesMut::with_capacity(READ_MIN);
    let session = match start_session(&mut stream, &mut reading, wanted).await {
        Ok(session) => session,
        Err(Failed::Io(e)) => {
            let message = format!("{address} hung up before a session was established: {e}");
            return Err(Error::caused(ErrorKind::Connect, message, e));
        }
        Err(Failed::Refused(e)) => return Err(e),
    };
    let cancel =
        session.backend.clone().map(|(process, key)| CancelToken::new(address.clone(), process, key));
    let statements = StatementCache::new(bounds.statements, bounds.statement_bytes);
    let pipeline = Pipeline::new(session, statements, bounds.message);
    let setup = Setup { catalog, cancel, cancel_on_drop: bounds.cancel_on_drop };
    Ok(Connection::start(Engine::new(stream, reading, pipeline, setup)))
}

enum Failed {
    Io(io::Error),
    Refused(Error),
}

impl From<io::Error> for Failed {
    fn from(e: io::Error) -> Self {
        Self::Io(e)
    }
}

impl From<Error> for Failed {
    fn from(e: Error) -> Self {
        Self::Refused(e)
    }
}

async fn start_session(
    stream: &mut Stream,
    reading: &mut BytesMut,
    wanted: Wanted<'_>,
) -> std::result::Result<Session, Failed> {
    let mut random = [0; auth::NONCE_BYTES];
    getrandom::fill(&mut random)
        .map_err(|e| Error::caused(ErrorKind::Auth, "no random numbers can be had", e))?;
    let mut startup = Startup::new(wanted, auth::nonce(random))?;
    loop {
        let out = startup.output();
        stream.write_all(out).await?;
        out.clear();
        reading.reserve(READ_MIN);
        if stream.read_buf(reading).await? == 0 {
            return Err(io::Error::from(io::ErrorKind::UnexpectedEof).into());
        }
        if startup.handle_input(reading)? {
            return Ok(startup.into_session());
        }
    }
}
