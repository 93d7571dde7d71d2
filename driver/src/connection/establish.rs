//! From an address to a connection.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use bytes::BytesMut;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::time::Instant;

use crate::catalog::Catalog;
use crate::config::{ChannelBindingMode, Config, Settings, SslMode, TargetSessionAttrs};
use crate::connection::engine::{Engine, Setup};
use crate::connection::handle::Connection;
use crate::connection::target;
use crate::error::{Error, ErrorKind, Result};
use crate::net::{CancelToken, Endpoint, Server, Stream, Tls, provider};
use crate::observe::Observer;
use crate::proto::auth::{self, ChannelBinding, Need, Refusal};
use crate::proto::limits::READ_MIN;
use crate::proto::pipeline::{Options, Pipeline};
use crate::proto::session::Session;
use crate::proto::startup::{Startup, Status, Wanted};
use crate::proto::statement::StatementCache;

/// How many statements a connection keeps unless it is told.
const STATEMENTS: usize = 100;

impl Config {
    /// Connects and establishes a session. Several servers are tried in order until one answers and is what
    /// [`target_session_attrs`](Self::target_session_attrs) asks for; one that refuses the user ends the search.
    ///
    /// # Errors
    /// `Config`, when something that was left open cannot be filled in, or a file is of no use; `Tls`, when encryption is
    /// demanded and fails; `Connect` or `Timeout`, when no server answers or it does not let sessions begin; `Auth`, when it does not
    /// let this user in or does not prove itself.
    pub async fn connect(&self) -> Result<Connection> {
        self.connect_with(Arc::default()).await
    }

    /// Connects, sharing what is known of the database's types.
    pub(crate) async fn connect_with(&self, catalog: Arc<Catalog>) -> Result<Connection> {
        self.settings()?.connect(catalog).await
    }

    /// Connects; a server has `limit`, unless [`connect_timeout`](Self::connect_timeout) says how long it has.
    pub(crate) async fn connect_within(&self, limit: Duration) -> Result<Connection> {
        let mut settings = self.settings()?;
        settings.connect_timeout.get_or_insert(limit);
        settings.connect(Arc::default()).await
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
    /// Connects to the first server that answers and is what was asked for.
    async fn connect(&self, catalog: Arc<Catalog>) -> Result<Connection> {
        use TargetSessionAttrs as T;

        let mut servers: Vec<&Server> = self.servers.iter().collect();
        self.order.arrange(&mut servers);
        let targets = match self.target {
            T::PreferStandby => &[T::PreferStandby, T::Any][..],
            target => &[target],
        };
        let mut failures = Vec::new();
        for &target in targets {
            // The second time tells everything that the first one did.
            failures.clear();
            for server in &servers {
                match self.connect_to(server, target, Arc::clone(&catalog)).await {
                    Err(e) if goes_on(&e) => failures.push(e),
                    answer => return answer,
                }
            }
        }
        Err(none_answered(failures))
    }

    /// Connects to a server within the time that it has, if it is what was asked for.
    async fn connect_to(
        &self,
        server: &Server,
        target: TargetSessionAttrs,
        catalog: Arc<Catalog>,
    ) -> Result<Connection> {
        let deadline = self.connect_timeout.map(|limit| Instant::now() + limit);
        let connecting = async {
            let opened = self.open_one_of(server, deadline).await?;
            let connection = self.start(opened, server, catalog);
            match target::check(&connection, target).await {
                Ok(()) => Ok(connection),
                Err(e) => {
                    connection.close().await?;
                    Err(e.recast(e.kind(), &server.address.to_string()))
                }
            }
        };
        let Some(deadline) = deadline else { return connecting.await };
        tokio::time::timeout_at(deadline, connecting).await.unwrap_or_else(|_| {
            let limit = self.connect_timeout.unwrap_or_default();
            let message = format!("{} did not let a session begin within {limit:?}", server.address);
            Err(Error::new(ErrorKind::Timeout, message))
        })
    }

    /// Establishes a session at the first of the server's addresses that answers. One that swallows what it is sent leaves
    /// the others their share of the time.
    async fn open_one_of(&self, server: &Server, deadline: Option<Instant>) -> Result<Opened> {
        let mut endpoints = server.address.endpoints().await?;
        self.order.arrange(&mut endpoints);
        self.open_first(server, endpoints, deadline).await
    }

    async fn open_first(
        &self,
        server: &Server,
        endpoints: Vec<Endpoint>,
        deadline: Option<Instant>,
    ) -> Result<Opened> {
        let mut failures = Vec::new();
        let mut left = endpoints.len();
        for endpoint in endpoints {
            let share = u32::try_from(left).unwrap_or(u32::MAX);
            let limit = deadline.map(|at| at.saturating_duration_since(Instant::now()) / share);
            match self.open(&Place { server, endpoint, limit }).await {
                Err(e) if goes_on(&e) => failures.push(e),
                answer => return answer,
            }
            left -= 1;
        }
        Err(none_answered(failures))
    }

    /// Establishes a session, encrypted or not, and tries the other way where the mode has one. Unix sockets never are
    /// encrypted.
    async fn open(&self, place: &Place<'_>) -> Result<Opened> {
        let mode = match place.endpoint {
            #[cfg(unix)]
            Endpoint::Unix(_) => SslMode::Disable,
            Endpoint::Tcp { .. } => self.ssl_mode,
        };
        match mode {
            SslMode::Allow if provider().is_some() => match self.enter(place, Encryption::Off).await {
                Err(e) if is_kept_out(&e) => {
                    self.enter(place, Encryption::Demanded).await.map_err(|second| both(&e, &second))
                }
                answer => answer,
            },
            SslMode::Prefer if provider().is_some() => match self.enter(place, Encryption::Preferred).await {
                Err(e) if e.kind() == ErrorKind::Tls || is_kept_out(&e) => {
                    self.enter(place, Encryption::Off).await.map_err(|second| both(&e, &second))
                }
                answer => answer,
            },
            SslMode::Disable | SslMode::Allow | SslMode::Prefer => self.enter(place, Encryption::Off).await,
            _ => self.enter(place, Encryption::Demanded).await,
        }
    }

    /// Connects and establishes a session in one way; twice, if only the server knows who issues tokens.
    async fn enter(&self, place: &Place<'_>, encryption: Encryption) -> Result<Opened> {
        let entered = match self.enter_knowing(place, encryption, None).await {
            Err(Failed::Discovered(found)) => self.enter_knowing(place, encryption, Some(&found)).await,
            answer => answer,
        };
        entered.map_err(|failed| match failed {
            Failed::Refused(e) => self.blame_file(e),
            Failed::Io(e) => hung_up(&place.endpoint, e),
            Failed::Discovered(refusal) => Error::new(ErrorKind::Auth, refusal.to_string()),
        })
    }

    /// Connects and establishes a session, knowing what the server has said of tokens.
    async fn enter_knowing(
        &self,
        place: &Place<'_>,
        encryption: Encryption,
        refusal: Option<&Refusal>,
    ) -> std::result::Result<Opened, Failed> {
        let Place { server, endpoint, limit } = place;
        let tls = match encryption {
            Encryption::Off => None,
            Encryption::Preferred | Encryption::Demanded => Some(Tls::new(&self.tls, server)?),
        };
        let mut stream = self.dial.connect(endpoint, *limit).await?;
        if let Some(tls) = &tls {
            stream = stream.encrypt(tls, endpoint).await?;
            if encryption == Encryption::Demanded && !stream.is_encrypted() {
                let message =
                    format!("{endpoint} has no TLS, which sslmode={} demands", self.ssl_mode.name());
                return Err(Error::new(ErrorKind::Tls, message).into());
            }
        }
        let mut reading = BytesMut::with_capacity(READ_MIN);
        let started = self.start_session(place, refusal, &mut stream, &mut reading).await;
        let session = started.map_err(|failed| match failed {
            Failed::Io(e) => {
                Failed::Refused(stream.tls_fault(endpoint, &e).unwrap_or_else(|| hung_up(endpoint, e)))
            }
            other => other,
        })?;
        let tls = tls.filter(|_| stream.is_encrypted());
        if self.tls.must_show_cert && !tls.as_ref().is_some_and(Tls::has_shown_certificate) {
            let message = format!(
                "{endpoint} has not asked for the client's certificate, which sslcertmode=require demands"
            );
            return Err(Error::new(ErrorKind::Auth, message).into());
        }
        Ok(Opened { endpoint: endpoint.clone(), stream, tls, reading, session })
    }

    async fn start_session(
        &self,
        place: &Place<'_>,
        refusal: Option<&Refusal>,
        stream: &mut Stream,
        reading: &mut BytesMut,
    ) -> std::result::Result<Session, Failed> {
        let parameters = self.parameters();
        let wanted = Wanted {
            user: &self.user,
            database: &self.database,
            parameters: &parameters,
            must_bind: self.channel_binding == ChannelBindingMode::Require,
            methods: self.methods,
            versions: self.versions,
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
        let mut asks_for_issuer = false;
        loop {
            let status = startup.handle_input(reading).map_err(|e| match startup.refusal() {
                Some(refusal) if asks_for_issuer => Failed::Discovered(refusal.clone()),
                Some(refusal) => Failed::Refused(e.recast(e.kind(), &refusal.to_string())),
                None => Failed::Refused(e),
            })?;
            match status {
                Status::Ready => return Ok(startup.into_session()),
                Status::Needs(Need::Password) => startup.give_password(self.password(place.server).await?),
                Status::Needs(Need::Token) if !stream.is_encrypted() && !place.endpoint.is_local() => {
                    let message = "a token is asked for, which is not sent without encryption: see sslmode";
                    return Err(Error::new(ErrorKind::Auth, message).into());
                }
                Status::Needs(Need::Token) => {
                    let token = self.token(place.server, refusal).await?;
                    asks_for_issuer = token.is_none();
                    startup.give_token(token);
                }
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
        let Opened { endpoint, stream, tls, reading, session } = opened;
        let cancel = session
            .backend
            .clone()
            .map(|(process, key)| CancelToken::new(endpoint, self.dial.clone(), tls, process, key));
        // A pooler may run the next transaction on another session, which does not have what this one prepared.
        let statements = if session.is_pooled() { 0 } else { STATEMENTS };
        let statements = self.statement_cache_size.unwrap_or(statements);
        let statements = StatementCache::new(statements, self.statement_cache_bytes);
        let options = Options {
            max_message: self.max_message,
            max_result: self.max_result_bytes,
            coalesces: self.coalesce_reads,
        };
        let pipeline = Pipeline::new(session, statements, options);
        let observer = Observer::new(self.watch.clone(), &server.address, &self.database);
        let setup = Setup { catalog, cancel, cancel_on_drop: self.cancel_on_drop, observer };
        Connection::start(Engine::new(stream, reading, pipeline, setup), self.operation_timeout)
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

/// Where a session is to be established.
struct Place<'a> {
    server: &'a Server,
    endpoint: Endpoint,
    /// How long it may take to be reached.
    limit: Option<Duration>,
}

/// An established session.
struct Opened {
    endpoint: Endpoint,
    stream: Stream,
    /// What it is encrypted with.
    tls: Option<Tls>,
    reading: BytesMut,
    session: Session,
}

fn hung_up(endpoint: &Endpoint, e: io::Error) -> Error {
    let message = format!("{endpoint} hung up before a session was established: {e}");
    Error::caused(ErrorKind::Connect, message, e)
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
    Error::new(ErrorKind::Connect, format!("no server will do: {}", all.join("; ")))
}

enum Failed {
    Io(io::Error),
    /// The server has said who issues tokens.
    Discovered(Refusal),
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

#[cfg(test)]
mod tests {
    use std::io::{Read, Write};
    use std::net::{SocketAddr, TcpListener};

    use super::*;

    /// A server that lets everybody in.
    fn friendly() -> SocketAddr {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = listener.local_addr().expect("an address");
        std::thread::spawn(move || {
            while let Ok((mut client, _)) = listener.accept() {
                let _ = client.read(&mut [0; 1024]);
                let _ = client.write_all(b"R\0\0\0\x08\0\0\0\0Z\0\0\0\x05I");
            }
        });
        address
    }

    fn refusing() -> SocketAddr {
        TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr()).expect("a port")
    }

    async fn opened(addresses: &[SocketAddr]) -> Result<SocketAddr> {
        let config: Config = "host=farm user=dolly sslmode=disable".parse().expect("well-formed");
        let settings = config.settings().expect("complete");
        let endpoints = addresses.iter().map(|&address| Endpoint::Tcp { host: "farm".to_owned(), address });
        let opened = settings.open_first(&settings.servers[0], endpoints.collect(), None).await?;
        let Endpoint::Tcp { address, .. } = opened.endpoint else { panic!("not TCP") };
        Ok(address)
    }

    #[tokio::test]
    async fn each_address_of_a_name_is_tried() {
        let (good, other, bad, worse) = (friendly(), friendly(), refusing(), refusing());
        for (addresses, found) in
            [(&[good, other][..], good), (&[bad, good], good), (&[bad, worse, other, good], other)]
        {
            assert_eq!(opened(addresses).await.expect("somebody answers"), found);
        }
        let refused = opened(&[bad, worse]).await.expect_err("nobody answers");
        assert_eq!(refused.kind(), ErrorKind::Connect);
        for address in [bad, worse] {
            let shown = format!("farm:{} (127.0.0.1)", address.port());
            assert!(refused.to_string().contains(&shown), "{refused}");
        }
    }
}
