//! From an address to a connection.

use std::io;
use std::sync::Arc;

use bytes::BytesMut;
use tokio::io::{AsyncReadExt, AsyncWriteExt};

use crate::catalog::Catalog;
use crate::config::{ChannelBindingMode, Config, Settings, SslMode};
use crate::connection::engine::{Engine, Setup};
use crate::connection::handle::Connection;
use crate::error::{Error, ErrorKind, Result};
use crate::net::{Address, CancelToken, Server, Stream, Tls, provider};
use crate::observe::Observer;
use crate::proto::auth::{self, ChannelBinding, Need};
use crate::proto::limits::READ_MIN;
use crate::proto::pipeline::Pipeline;
use crate::proto::session::Session;
use crate::proto::startup::{Startup, Status, Wanted};
use crate::proto::statement::StatementCache;

impl Config {
    /// Connects and establishes a session. Several servers are tried in order until one answers.
    ///
    /// # Errors
    /// `Config`, when something that was left open cannot be filled in, or a file is of no use; `Tls`, when encryption is
    /// demanded and fails; `Connect` or `Timeout`, when no server answers or it does not let sessions begin; `Auth`, when it does not
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
    async fn connect_to(&self, server: &Server, catalog: Arc<Catalog>) -> Result<Connection> {
        let opened = self.open(server);
        let opened = match self.connect_timeout {
            None => opened.await?,
            Some(limit) => tokio::time::timeout(limit, opened).await.unwrap_or_else(|_| {
                let message = format!("{} did not let a session begin within {limit:?}", server.address);
                Err(Error::new(ErrorKind::Timeout, message))
            })?,
        };
        Ok(self.start(opened, server, catalog))
    }

    /// Establishes a session, encrypted or not, and tries the other way where the mode has one. Unix sockets never are
    /// encrypted.
    async fn open(&self, server: &Server) -> Result<Opened> {
        let mode = match server.address {
            #[cfg(unix)]
            Address::Unix(_) => SslMode::Disable,
            Address::Tcp(..) => self.ssl_mode,
        };
        match mode {
            SslMode::Allow if provider().is_some() => match self.enter(server, Encryption::Off).await {
                Err(e) if is_kept_out(&e) => {
                    self.enter(server, Encryption::Demanded).await.map_err(|second| both(&e, &second))
                }
                answer => answer,
            },
            SslMode::Prefer if provider().is_some() => {
                match self.enter(server, Encryption::Preferred).await {
                    Err(e) if e.kind() == ErrorKind::Tls || is_kept_out(&e) => {
                        self.enter(server, Encryption::Off).await.map_err(|second| both(&e, &second))
                    }
                    answer => answer,
                }
            }
            SslMode::Disable | SslMode::Allow | SslMode::Prefer => self.enter(server, Encryption::Off).await,
            _ => self.enter(server, Encryption::Demanded).await,
        }
    }

    /// Connects and establishes a session in one way.
    async fn enter(&self, server: &Server, encryption: Encryption) -> Result<Opened> {
        let address = &server.address;
        let tls = match encryption {
            Encryption::Off => None,
            Encryption::Preferred | Encryption::Demanded => Some(Tls::new(&self.tls, server)?),
        };
        let mut stream = Stream::connect(address).await?;
        if let Some(tls) = &tls {
            stream = stream.encrypt(tls, address).await?;
            if encryption == Encryption::Demanded && !stream.is_encrypted() {
                let message = format!("{address} has no TLS, which sslmode={} demands", self.ssl_mode.name());
                return Err(Error::new(ErrorKind::Tls, message));
            }
        }
        let mut reading = BytesMut::with_capacity(READ_MIN);
        let session = match self.start_session(server, &mut stream, &mut reading).await {
            Ok(session) => session,
            Err(Failed::Io(e)) => {
                return Err(stream.tls_fault(address, &e).unwrap_or_else(|| {
                    let message = format!("{address} hung up before a session was established: {e}");
                    Error::caused(ErrorKind::Connect, message, e)
                }));
            }
            Err(Failed::Refused(e)) => return Err(self.blame_file(e)),
        };
        let tls = tls.filter(|_| stream.is_encrypted());
        Ok(Opened { stream, tls, reading, session })
    }

    async fn start_session(
        &self,
        server: &Server,
        stream: &mut Stream,
        reading: &mut BytesMut,
    ) -> std::result::Result<Session, Failed> {
        let parameters = self.parameters();
        let wanted = Wanted {
            user: &self.user,
            database: &self.database,
            parameters: &parameters,
            must_bind: self.channel_binding == ChannelBindingMode::Require,
        };
        let binding = match self.channel_binding {
            ChannelBindingMode::Disable => None,
            ChannelBindingMode::Prefer | ChannelBindingMode::Require => stream.end_point(),
        };
        let binding = binding.map_or(ChannelBinding::Unsupported, ChannelBinding::EndPoint);
        let mut random = [0; auth::NONCE_BYTES];
        getrandom::fill(&mut random)
            .map_err(|e| Error::caused(ErrorKind::Auth, "no random numbers can be had", e))?;
        let mut startup = Startup::new(wanted, auth::nonce(random), binding)?;
        loop {
            match startup.handle_input(reading)? {
                Status::Ready => return Ok(startup.into_session()),
                Status::Needs(Need::Password) => startup.give_password(self.password(server).await?),
                Status::Going => {
                    let out = startup.output();
                    stream.write_all(out).await?;
                    stream.flush().await?;
                    out.clear();
                    reading.reserve(READ_MIN);
                    if stream.read_buf(reading).await? == 0 {
                        return Err(io::Error::from(io::ErrorKind::UnexpectedEof).into());
                    }
                }
            }
        }
    }

    /// Makes a connection of an established session.
    fn start(&self, opened: Opened, server: &Server, catalog: Arc<Catalog>) -> Connection {
        let Opened { stream, tls, reading, session } = opened;
        let cancel = session
            .backend
            .clone()
            .map(|(process, key)| CancelToken::new(server.address.clone(), tls, process, key));
        let statements = StatementCache::new(self.statement_cache_size, self.statement_cache_bytes);
        let pipeline = Pipeline::new(session, statements, self.max_message);
        let observer = Observer::new(self.watch.clone(), &server.address, &self.database);
        let setup = Setup { catalog, cancel, cancel_on_drop: self.cancel_on_drop, observer };
        Connection::start(Engine::new(stream, reading, pipeline, setup))
    }
}

/// One way to speak to a server.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Encryption {
    Off,
    /// Without, where the server has none.
    Preferred,
    Demanded,
}

/// An established session.
struct Opened {
    stream: Stream,
    /// What it is encrypted with.
    tls: Option<Tls>,
    reading: BytesMut,
    session: Session,
}

/// Whether the server's rules keep this user out in this way, which may be otherwise with encryption or without:
/// `invalid_authorization_specification`. A wrong password (28P01) is as wrong there, and is not sent again.
fn is_kept_out(e: &Error) -> bool {
    e.sqlstate() == Some("28000")
}

/// The error of two attempts, with encryption and without: the second one's, unless that could not even be made.
fn both(first: &Error, second: &Error) -> Error {
    if second.kind() == ErrorKind::Tls {
        return first.recast(first.kind(), &format!("encryption does not help ({second})"));
    }
    second.recast(
        second.kind(),
        &format!("the other of two ways, with encryption and without, failed too ({first})"),
    )
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
