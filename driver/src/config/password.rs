//! Where a login's password or token comes from.

use std::path::PathBuf;

use super::callback::{PasswordRequest, PasswordSource, TokenRequest, TokenSource};
use super::passfile;
use super::settings::Settings;
use crate::error::{Error, ErrorKind, Result};
use crate::net::Server;
use crate::proto::auth::Refusal;

/// Where passwords come from.
#[derive(Clone, PartialEq, Eq)]
pub(crate) enum Passwords {
    /// It was said.
    Given(String),
    /// The program is asked.
    Asked(PasswordSource),
    /// This file is looked into.
    File(PathBuf),
    /// There is none.
    Nowhere,
}

/// Where tokens come from, and what they are for.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Tokens {
    pub(super) source: Option<TokenSource>,
    pub(super) issuer: Option<String>,
    pub(super) client_id: Option<String>,
    pub(super) client_secret: Option<String>,
    pub(super) scope: Option<String>,
}

impl Settings {
    /// The token for a server; `None` where the server has to say who issues them. `refusal` is what it has said.
    pub(crate) async fn token(&self, server: &Server, refusal: Option<&Refusal>) -> Result<Option<String>> {
        let Some(source) = &self.tokens.source else {
            let message = "the server asks for a token by OAUTHBEARER, and nothing gives one: see Config::oauth_token_from";
            return Err(Error::new(ErrorKind::Auth, message));
        };
        let Tokens { issuer, client_id, client_secret, scope, .. } = self.tokens.clone();
        let request = TokenRequest {
            login: self.request(server),
            issuer,
            client_id,
            client_secret,
            scope: scope.or_else(|| refusal?.scope.clone()),
            discovery_url: refusal.and_then(|refusal| refusal.discovery_url.clone()),
        };
        let token = source.ask(request).await.map_err(|e| self.unanswered("token", e))?;
        if token.is_none() && refusal.is_some() {
            let message = "the program gave no token, although the server has said what kind it takes";
            return Err(Error::new(ErrorKind::Auth, message));
        }
        Ok(token)
    }

    /// The password for a server.
    pub(crate) async fn password(&self, server: &Server) -> Result<String> {
        match &self.passwords {
            Passwords::Given(password) => Ok(password.clone()),
            Passwords::Asked(source) => {
                source.ask(self.request(server)).await.map_err(|e| self.unanswered("password", e))
            }
            Passwords::File(path) => {
                let entry = passfile::Entry {
                    host: &server.host,
                    port: server.port,
                    database: &self.database,
                    user: &self.user,
                };
                passfile::look_up(path, &entry).map_err(|why| none(&format!(": {why}")))
            }
            Passwords::Nowhere => Err(none("")),
        }
    }

    fn request(&self, server: &Server) -> PasswordRequest {
        PasswordRequest {
            host: server.host.clone(),
            port: server.port,
            user: self.user.clone(),
            database: self.database.clone(),
        }
    }

    fn unanswered(&self, what: &str, e: Box<dyn std::error::Error + Send + Sync>) -> Error {
        let message = format!("the program gave no {what} for {}: {e}", self.user);
        Error::caused(ErrorKind::Auth, message, Unanswered(e))
    }

    /// The error of a login, naming the file that its password is from, should the password be wrong.
    pub(crate) fn blame_file(&self, e: Error) -> Error {
        match &self.passwords {
            // invalid_password
            Passwords::File(path) if e.sqlstate() == Some("28P01") => {
                e.recast(e.kind(), &format!("with the password from {}", path.display()))
            }
            _ => e,
        }
    }
}

fn none(why: &str) -> Error {
    Error::new(ErrorKind::Auth, format!("the server asks for a password, and none was given{why}"))
}

/// What the program's function failed with.
#[derive(Debug)]
struct Unanswered(Box<dyn std::error::Error + Send + Sync>);

impl std::fmt::Display for Unanswered {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

impl std::error::Error for Unanswered {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&*self.0)
    }
}
