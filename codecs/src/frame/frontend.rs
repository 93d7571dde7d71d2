//! What a client sends, but for its first message (see [`startup`](super::startup)).

use bytes::BytesMut;

use super::body::empty;
use super::{Fault, FrameError, Text};
use super::{copy, simple};

pub use super::auth::{
    AuthenticationResponse, SaslInitialResponse, gss_response, password, sasl_initial_response, sasl_response,
};
pub use super::copy::{copy_data, copy_done, copy_fail};
pub use super::extended::{Bind, Execute, Parse, Target, bind, close, describe, execute, flush, parse, sync};
pub use super::simple::{FunctionCall, function_call, query, terminate};

/// A message from a client, borrowing from its body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[allow(missing_docs, reason = "they are named as in the manual, and their contents are documented")]
pub enum Message<'a> {
    AuthenticationResponse(AuthenticationResponse<'a>),
    Bind(Bind<'a>),
    Close(Target<'a>),
    CopyData(&'a [u8]),
    CopyDone,
    CopyFail(Text<'a>),
    Describe(Target<'a>),
    Execute(Execute<'a>),
    Flush,
    FunctionCall(FunctionCall<'a>),
    Parse(Parse<'a>),
    Query(Text<'a>),
    Sync,
    Terminate,
}

impl<'a> Message<'a> {
    /// Reads the message with that tag from all of its body.
    ///
    /// # Errors
    /// When a client sends no message with that tag, or the body is not exactly one such message.
    pub fn decode(tag: u8, body: &'a [u8]) -> Result<Self, FrameError> {
        Ok(match tag {
            b'B' => Self::Bind(Bind::decode(body)?),
            b'C' => Self::Close(Target::decode("Close", body)?),
            b'D' => Self::Describe(Target::decode("Describe", body)?),
            b'E' => Self::Execute(Execute::decode(body)?),
            b'F' => Self::FunctionCall(FunctionCall::decode(body)?),
            b'H' => empty("Flush", body).map(|()| Self::Flush)?,
            b'P' => Self::Parse(Parse::decode(body)?),
            b'Q' => Self::Query(simple::decode_query(body)?),
            b'S' => empty("Sync", body).map(|()| Self::Sync)?,
            b'X' => empty("Terminate", body).map(|()| Self::Terminate)?,
            b'c' => empty("CopyDone", body).map(|()| Self::CopyDone)?,
            b'd' => Self::CopyData(body),
            b'f' => Self::CopyFail(copy::decode_copy_fail(body)?),
            b'p' => Self::AuthenticationResponse(AuthenticationResponse::new(body)),
            other => return Err(FrameError::new("frontend message", Fault::Tag(other))),
        })
    }

    /// Which message it is, by its name in the manual.
    pub fn name(&self) -> &'static str {
        match self {
            Self::AuthenticationResponse(_) => "AuthenticationResponse",
            Self::Bind(_) => "Bind",
            Self::Close(_) => "Close",
            Self::CopyData(_) => "CopyData",
            Self::CopyDone => "CopyDone",
            Self::CopyFail(_) => "CopyFail",
            Self::Describe(_) => "Describe",
            Self::Execute(_) => "Execute",
            Self::Flush => "Flush",
            Self::FunctionCall(_) => "FunctionCall",
            Self::Parse(_) => "Parse",
            Self::Query(_) => "Query",
            Self::Sync => "Sync",
            Self::Terminate => "Terminate",
        }
    }

    /// Appends the message.
    ///
    /// # Errors
    /// When it cannot be sent, as the function for that message says. One that was read can be, unless it
    /// grew over 2 GiB.
    pub fn encode(&self, out: &mut BytesMut) -> Result<(), FrameError> {
        match *self {
            Self::AuthenticationResponse(m) => sasl_response(out, m.data())?,
            Self::Bind(m) => m.encode(out)?,
            Self::Close(target) => close(out, target)?,
            Self::CopyData(data) => copy_data(out, data)?,
            Self::CopyDone => copy_done(out),
            Self::CopyFail(reason) => copy_fail(out, reason)?,
            Self::Describe(target) => describe(out, target)?,
            Self::Execute(m) => execute(out, m.portal, m.max_rows)?,
            Self::Flush => flush(out),
            Self::FunctionCall(m) => m.encode(out)?,
            Self::Parse(m) => m.encode(out)?,
            Self::Query(sql) => query(out, sql)?,
            Self::Sync => sync(out),
            Self::Terminate => terminate(out),
        }
        Ok(())
    }
}
