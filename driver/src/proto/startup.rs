//! From a connected socket to a session: StartupMessage, authentication, the server's parameters.
//!
//! PostgreSQL manual, "Message Flow", Start-up.

use bytes::{Buf, BytesMut};
use wreath_codecs::frame::startup::{NegotiateProtocolVersion, Version, startup};
use wreath_codecs::frame::{backend, header};

use crate::error::{Error, ErrorKind, Result, ServerError};
use crate::proto::auth::{AuthMethods, ChannelBinding, Login, Need, Progress, Refusal};
use crate::proto::limits::MAX_STARTUP_MESSAGE;
use crate::proto::session::Session;

/// Who wants in, and what the session is to be like.
#[derive(Clone, Copy)]
pub(crate) struct Wanted<'a> {
    pub(crate) user: &'a str,
    pub(crate) database: &'a str,
    /// Run-time parameters of the session, such as `application_name`.
    pub(crate) parameters: &'a [(&'a str, &'a str)],
    /// Whether the login has to be bound to the encryption beneath.
    pub(crate) must_bind: bool,
    /// The ways to log in that will do.
    pub(crate) methods: AuthMethods,
    /// The oldest version of the protocol that will do, and the newest.
    pub(crate) versions: (Version, Version),
}

/// How far a session is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Status {
    /// The output is to be written, and more to be read.
    Going,
    /// Something has to be given; then the input is handled again.
    Needs(Need),
    /// It is established.
    Ready,
}

/// A session that is being established.
pub(crate) struct Startup {
    out: BytesMut,
    login: Login,
    least: Version,
    version: Version,
    /// Whether the server has said which version it speaks.
    negotiated: bool,
    authenticated: bool,
    session: Session,
}

impl Startup {
    /// Starts a session; `nonce` is the client's part of a SCRAM exchange, fresh and random, and `binding` what is known
    /// of the encryption beneath.
    pub(crate) fn new(wanted: Wanted<'_>, nonce: String, binding: ChannelBinding) -> Result<Self> {
        let mut out = BytesMut::new();
        let own = [("user", wanted.user), ("database", wanted.database)];
        let (least, version) = wanted.versions;
        startup(&mut out, version, own.iter().chain(wanted.parameters).copied())
            .map_err(|e| Error::caused(ErrorKind::Config, format!("a setting cannot be sent: {e}"), e))?;
        let login = Login::new(wanted.user, nonce, binding).bound(wanted.must_bind).by(wanted.methods);
        let session = Session::default();
        Ok(Self { out, login, least, version, negotiated: false, authenticated: false, session })
    }

    /// What is to be written now.
    pub(crate) fn output(&mut self) -> &mut BytesMut {
        &mut self.out
    }

    /// Gives the password, which was needed.
    pub(crate) fn give_password(&mut self, password: String) {
        self.login.give_password(password);
    }

    /// Gives the token, which was needed; `None` asks the server who issues tokens.
    pub(crate) fn give_token(&mut self, token: Option<String>) {
        self.login.give_token(token);
    }

    /// Why the server does not take the token.
    pub(crate) fn refusal(&self) -> Option<&Refusal> {
        self.login.refusal()
    }

    /// Takes the whole messages that `buffer` starts with. Messages behind ReadyForQuery are left.
    pub(crate) fn handle_input(&mut self, buffer: &mut BytesMut) -> Result<Status> {
        let broken = |e| Error::protocol(format!("the peer does not speak PostgreSQL's protocol: {e}"));
        loop {
            let head = header(buffer, MAX_STARTUP_MESSAGE).map_err(broken)?;
            let Some(head) = head.filter(|h| buffer.len() >= h.len) else { return Ok(Status::Going) };
            let message = backend::Message::decode(head.tag, &buffer[5..head.len]).map_err(broken)?;
            let status = self.handle_message(message)?;
            if matches!(status, Status::Needs(_)) {
                return Ok(status);
            }
            buffer.advance(head.len);
            if status == Status::Ready {
                return Ok(status);
            }
        }
    }

    fn handle_message(&mut self, message: backend::Message<'_>) -> Result<Status> {
        use backend::Message as M;

        match message {
            M::Authentication(asked) if !self.authenticated => {
                let progress = self.login.handle(&asked, &mut self.out);
                let progress = progress.map_err(|e| Error::caused(ErrorKind::Auth, e.to_string(), e))?;
                match progress {
                    Progress::Going => {}
                    Progress::Done => self.authenticated = true,
                    Progress::Needs(need) => return Ok(Status::Needs(need)),
                }
            }
            M::ErrorResponse(fields) => return Err(refused(ServerError::from_fields(&fields))),
            M::NoticeResponse(fields) => self.session.notice(ServerError::from_fields(&fields)),
            M::NegotiateProtocolVersion(offer) if !self.negotiated && !self.authenticated => {
                self.negotiate(&offer)?;
            }
            M::ParameterStatus(parameter) if self.authenticated => self.session.parameter_changed(&parameter),
            M::BackendKeyData(data) if self.authenticated => {
                self.session.backend = Some((data.process_id, data.key.to_vec()));
            }
            M::ReadyForQuery(_) if self.authenticated => {
                self.check_encoding()?;
                return Ok(Status::Ready);
            }
            other => {
                let message = format!("the server sent {} before the session was established", other.name());
                return Err(Error::protocol(message));
            }
        }
        Ok(Status::Going)
    }

    /// The server speaks an older version than was asked for.
    fn negotiate(&mut self, offer: &NegotiateProtocolVersion<'_>) -> Result<()> {
        self.negotiated = true;
        let Version(offered) = offer.version;
        // 3.1 has never been.
        let is_one = offer.version.major() == 3 && offer.version.minor() != 1;
        if !is_one || offer.version >= self.version || offer.unknown_options.iter().next().is_some() {
            let message =
                format!("the server answers protocol {} by {offered:#x}, which is no answer", self.version);
            return Err(Error::protocol(message));
        }
        if offer.version < self.least {
            let message = format!(
                "the server speaks protocol {} only, and min_protocol_version={} asks for more",
                offer.version, self.least
            );
            return Err(Error::new(ErrorKind::Connect, message));
        }
        self.version = offer.version;
        Ok(())
    }

    fn check_encoding(&self) -> Result<()> {
        let Some(other) = self.session.foreign_encoding() else { return Ok(()) };
        let message = format!("the server insists on client_encoding {other}, and only UTF8 is spoken here");
        Err(Error::new(ErrorKind::Connect, message))
    }

    pub(crate) fn into_session(self) -> Session {
        self.session
    }
}

/// The server does not let the session begin.
fn refused(server: ServerError) -> Error {
    // Class 28: invalid authorization specification.
    let kind = if server.code().starts_with("28") { ErrorKind::Auth } else { ErrorKind::Connect };
    Error::server_error(kind, server)
}
