//! What can go wrong while logging in.

use std::fmt;

use wreath_codecs::frame::FrameError;

/// How many characters of a server's own words are shown.
const SHOWN: usize = 100;

/// A login that failed on our side; what the server refuses is an error of the server.
///
/// None of them holds a secret.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub(crate) enum AuthError {
    /// The server asks for a method that is not supported.
    Unsupported(&'static str),
    /// The server offers no SASL mechanism that can be used here; these it offers.
    NoMechanism(String),
    /// The server sent a message that does not come next.
    Unexpected(&'static str),
    /// The login has to be bound to the encryption beneath, and cannot be.
    Unbound,
    /// The server goes about it in a way that is not allowed.
    Forbidden(&'static str),
    /// The token is none that could be sent.
    Token,
    /// A message of the SCRAM exchange is malformed.
    Malformed(&'static str),
    /// The server's nonce does not extend the client's: the message was made for another exchange.
    Nonce,
    /// The server wants this many iterations of the hash, which is more than is safe to compute for it.
    Iterations {
        /// What it wants, as it stands in its message.
        wanted: String,
        /// The most that is computed.
        most: u32,
    },
    /// The server broke the SCRAM exchange off, in its own words.
    Refused(String),
    /// The server did not prove that it knows the password: it may be another server than it says.
    Impostor,
    /// The answer cannot be sent.
    Frame(FrameError),
}

impl AuthError {
    /// The server's words, made safe to show.
    pub(super) fn refused(words: &str) -> Self {
        Self::Refused(shown(words))
    }

    /// An iteration count out of bounds.
    pub(super) fn iterations(wanted: &str, most: u32) -> Self {
        Self::Iterations { wanted: shown(wanted), most }
    }

    /// A list of mechanisms of which none can be used.
    pub(super) fn no_mechanism(offered: &str) -> Self {
        Self::NoMechanism(shown(offered))
    }
}

/// Text of a peer that is not trusted yet: short, and without control characters.
pub(super) fn shown(text: &str) -> String {
    text.chars().take(SHOWN).map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect()
}

impl fmt::Display for AuthError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unsupported(method) => {
                write!(f, "the server asks for {method} authentication, which is not supported")
            }
            Self::NoMechanism(offered) => {
                write!(f, "the server offers no usable SASL mechanism, but only: {offered}")
            }
            Self::Unexpected(message) => {
                write!(f, "the server sent {message} at the wrong time while logging in")
            }
            Self::Unbound => f.write_str(
                "channel_binding=require, but this login cannot be bound: that takes TLS, and a server that asks for \
                 SCRAM-SHA-256-PLUS",
            ),
            Self::Forbidden(method) => {
                write!(f, "require_auth does not allow what the server asks for: the method {method}")
            }
            Self::Token => f.write_str("the token is none: it has other characters than tokens are made of"),
            Self::Malformed(what) => write!(f, "the server sent a malformed SCRAM message: {what}"),
            Self::Nonce => f.write_str("the server's SCRAM nonce does not extend the client's"),
            Self::Iterations { wanted, most } => {
                write!(f, "the server wants {wanted} SCRAM iterations, allowed are 1 to {most}")
            }
            Self::Refused(words) => write!(f, "the server broke off the SCRAM exchange: {words}"),
            Self::Impostor => {
                f.write_str("the server did not prove that it knows the password; it may be an impostor")
            }
            Self::Frame(e) => write!(f, "the answer to the server cannot be sent: {e}"),
        }
    }
}

impl std::error::Error for AuthError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Frame(e) => Some(e),
            _ => None,
        }
    }
}

impl From<FrameError> for AuthError {
    fn from(e: FrameError) -> Self {
        Self::Frame(e)
    }
}
