//! From an address to a connection.

use std::io;
use std::sync::Arc;

use bytes::BytesMut;
use tokio::io::{AsyncReadExt, AsyncWriteExt};

use crate::catalog::Catalog;
use crate::config::Config;
use crate::connection::engine::Engine;
use crate::connection::handle::Connection;
use crate::error::{Error, ErrorKind, Result};
use crate::net::{Address, Stream};
use crate::proto::auth;
use crate::proto::limits::READ_MIN;
use crate::proto::pipeline::Pipeline;
use crate::proto::session::Session;
use crate::proto::startup::{Startup, Wanted};
use crate::proto::statement::StatementCache;

impl Config {
    /// Connects and establishes a session.
    ///
    /// # Errors
    /// `Connect`, when no server answers or it does not let sessions begin; `Auth`, when it does not let this
    /// user in or does not prove itself.
    pub async fn connect(&self) -> Result<Connection> {
        self.connect_with(Arc::default()).await
    }

    /// Connects, sharing what is known of the database's types.
    pub(crate) async fn connect_with(&self, catalog: Arc<Catalog>) -> Result<Connection> {
        let bounds = Bounds { statements: 100, statement_bytes: 4 << 20, message: 1 << 30 };
        establish(&self.address(), self.wanted(), bounds, catalog).await
    }
}

/// The bounds of a connection.
#[derive(Clone, Copy, Debug)]
struct Bounds {
    statements: usize,
    statement_bytes: usize,
    message: usize,
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
    let statements = StatementCache::new(bounds.statements, bounds.statement_bytes);
    let pipeline = Pipeline::new(session, statements, bounds.message);
    Ok(Connection::start(Engine::new(stream, reading, pipeline, catalog)))
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
