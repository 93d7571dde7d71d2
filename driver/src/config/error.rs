//! What can be wrong with a configuration.

use std::fmt;
use std::path::Path;

use crate::error::{Error, ErrorKind};

/// A configuration that is wrong, or that asks for something that is not there. Nothing was sent.
///
/// It names the option, and never has a password in it, nor text that could be a part of one.
#[derive(Clone, PartialEq, Eq)]
pub struct ConfigError {
    option: Option<String>,
    problem: String,
}

/// How many characters of an unknown option's name are shown.
const SHOWN: usize = 40;

impl ConfigError {
    /// The connection string as a whole is wrong.
    pub(super) fn dsn(problem: impl Into<String>) -> Self {
        Self { option: None, problem: problem.into() }
    }

    /// An option, or a variable of the environment, is wrong.
    pub(super) fn option(name: &str, problem: impl Into<String>) -> Self {
        let name = name.chars().take(SHOWN).map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect();
        Self { option: Some(name), problem: problem.into() }
    }

    /// The same, and where in which file it was said.
    pub(super) fn at(mut self, path: &Path, line: usize) -> Self {
        self.problem = format!("{} (line {line} of {})", self.problem, path.display());
        self
    }

    /// The option, or the variable of the environment, that is wrong; `None` when the connection string cannot be
    /// taken apart.
    pub fn option_name(&self) -> Option<&str> {
        self.option.as_deref()
    }
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.option {
            Some(option) => write!(f, "option \"{option}\": {}", self.problem),
            None => write!(f, "connection string: {}", self.problem),
        }
    }
}

impl fmt::Debug for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ConfigError({self})")
    }
}

impl std::error::Error for ConfigError {}

impl From<ConfigError> for Error {
    fn from(e: ConfigError) -> Self {
        Self::caused(ErrorKind::Config, e.to_string(), e)
    }
}
