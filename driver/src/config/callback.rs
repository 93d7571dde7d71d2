//! What the program is asked for while a login goes on.

use std::error::Error;
use std::fmt;
use std::pin::Pin;
use std::sync::Arc;

type Answer<A> = Pin<Box<dyn Future<Output = Result<A, Box<dyn Error + Send + Sync>>> + Send>>;

/// A function of the program's that answers a request in its own time.
pub(crate) struct Callback<R, A>(Arc<dyn Fn(R) -> Answer<A> + Send + Sync>);

/// Gives tokens, or asks for the server's own word on where to get one.
pub(crate) type TokenSource = Callback<TokenRequest, Option<String>>;

/// Gives passwords.
pub(crate) type PasswordSource = Callback<PasswordRequest, String>;

impl<R, A> Callback<R, A> {
    pub(super) fn new<F, Asked, E>(source: F) -> Self
    where
        F: Fn(R) -> Asked + Send + Sync + 'static,
        Asked: Future<Output = Result<A, E>> + Send + 'static,
        E: Into<Box<dyn Error + Send + Sync>>,
    {
        Self(Arc::new(move |request| {
            let asked = source(request);
            Box::pin(async move { asked.await.map_err(Into::into) })
        }))
    }

    pub(crate) async fn ask(&self, request: R) -> Result<A, Box<dyn Error + Send + Sync>> {
        (self.0)(request).await
    }
}

impl<R, A> Clone for Callback<R, A> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

/// Two are the same when they are clones of one.
impl<R, A> PartialEq for Callback<R, A> {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl<R, A> Eq for Callback<R, A> {}

impl<R, A> fmt::Debug for Callback<R, A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Callback")
    }
}

/// A login that needs a password: see [`Config::password_from`](crate::Config::password_from).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PasswordRequest {
    pub(crate) host: String,
    pub(crate) port: u16,
    pub(crate) user: String,
    pub(crate) database: String,
}

impl PasswordRequest {
    /// The server's host as it was said: its name or number, or the folder of its socket; `localhost` where nothing was said.
    pub fn host(&self) -> &str {
        &self.host
    }

    /// The server's port.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// The role that logs in.
    pub fn user(&self) -> &str {
        &self.user
    }

    /// The database that it asks for.
    pub fn database(&self) -> &str {
        &self.database
    }
}

/// A login that needs a token: see [`Config::oauth_token_from`](crate::Config::oauth_token_from).
#[derive(Clone, PartialEq, Eq)]
pub struct TokenRequest {
    pub(crate) login: PasswordRequest,
    pub(crate) issuer: Option<String>,
    pub(crate) client_id: Option<String>,
    pub(crate) client_secret: Option<String>,
    pub(crate) scope: Option<String>,
    pub(crate) discovery_url: Option<String>,
}

impl TokenRequest {
    /// Who logs in, and where.
    pub fn login(&self) -> &PasswordRequest {
        &self.login
    }

    /// The option `oauth_issuer`: who the program trusts to issue tokens.
    pub fn issuer(&self) -> Option<&str> {
        self.issuer.as_deref()
    }

    /// The option `oauth_client_id`.
    pub fn client_id(&self) -> Option<&str> {
        self.client_id.as_deref()
    }

    /// The option `oauth_client_secret`.
    pub fn client_secret(&self) -> Option<&str> {
        self.client_secret.as_deref()
    }

    /// The option `oauth_scope`, else the scope that the server has named.
    pub fn scope(&self) -> Option<&str> {
        self.scope.as_deref()
    }

    /// Where the issuer describes itself (`openid-configuration`), as the server has it; `None` before the server was asked. It is
    /// the server's word: hold it against the issuer that is trusted.
    pub fn discovery_url(&self) -> Option<&str> {
        self.discovery_url.as_deref()
    }
}

/// The secret is left out.
impl fmt::Debug for TokenRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TokenRequest")
            .field("login", &self.login)
            .field("issuer", &self.issuer)
            .field("client_id", &self.client_id)
            .field("scope", &self.scope)
            .field("discovery_url", &self.discovery_url)
            .finish_non_exhaustive()
    }
}
