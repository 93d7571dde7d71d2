//! What the program is asked for while a login goes on.

use std::error::Error;
use std::fmt;
use std::pin::Pin;
use std::sync::Arc;

type Answer<A> = Pin<Box<dyn Future<Output = Result<A, Box<dyn Error + Send + Sync>>> + Send>>;

/// A function of the program's that answers a request in its own time.
pub(crate) struct Callback<R, A>(Arc<dyn Fn(R) -> Answer<A> + Send + Sync>);

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
