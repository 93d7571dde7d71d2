//! Where a login's password comes from.

use std::path::PathBuf;

use super::callback::{PasswordRequest, PasswordSource};
use super::passfile;
use super::settings::Settings;
use crate::error::{Error, ErrorKind, Result};
use crate::net::Server;

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

impl Settings {
    /// The password for a server.
    pub(crate) async fn password(&self, server: &Server) -> Result<String> {
        match &self.passwords {
            Passwords::Given(password) => Ok(password.clone()),
            Passwords::Asked(source) => {
                let request = PasswordRequest {
                    host: server.host.clone(),
                    port: server.port,
                    user: self.user.clone(),
                    database: self.database.clone(),
                };
                source.ask(request).await.map_err(|e| {
                    let message = format!("the program gave no password for {}: {e}", self.user);
                    Error::caused(ErrorKind::Auth, message, Unanswered(e))
                })
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
