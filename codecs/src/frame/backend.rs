//! What a server sends.

use bytes::BytesMut;

use super::body::empty;
use super::{Fault, FrameError, Oids, Values};
use super::{extended, rows, simple};

pub use super::auth::{Authentication, authentication, authentication_sasl};
pub use super::copy::{
    CopyResponse, copy_both_response, copy_data, copy_done, copy_in_response, copy_out_response,
};
pub use super::extended::{
    bind_complete, close_complete, no_data, parameter_description, parse_complete, portal_suspended,
};
pub use super::notice::{ErrorFields, error_response, notice_response};
pub use super::rows::{
    Column, CommandTag, RowDescription, command_complete, data_row, empty_query_response, row_description,
};
pub use super::session::{
    BackendKeyData, Notification, ParameterStatus, TransactionStatus, backend_key_data, notification,
    parameter_status, ready_for_query,
};
pub use super::simple::function_call_response;
pub use super::startup::{NegotiateProtocolVersion, negotiate_protocol_version};

/// The values of a row.
pub type DataRow<'a> = Values<'a>;

/// A message from a server, borrowing from its body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[allow(missing_docs, reason = "they are named as in the manual, and their contents are documented")]
pub enum Message<'a> {
    Authentication(Authentication<'a>),
    BackendKeyData(BackendKeyData<'a>),
    BindComplete,
    CloseComplete,
    CommandComplete(CommandTag<'a>),
    CopyBothResponse(CopyResponse<'a>),
    CopyData(&'a [u8]),
    CopyDone,
    CopyInResponse(CopyResponse<'a>),
    CopyOutResponse(CopyResponse<'a>),
    DataRow(DataRow<'a>),
    EmptyQueryResponse,
    ErrorResponse(ErrorFields<'a>),
    FunctionCallResponse(Option<&'a [u8]>),
    NegotiateProtocolVersion(NegotiateProtocolVersion<'a>),
    NoData,
    NoticeResponse(ErrorFields<'a>),
    NotificationResponse(Notification<'a>),
    ParameterDescription(Oids<'a>),
    ParameterStatus(ParameterStatus<'a>),
    ParseComplete,
    PortalSuspended,
    ReadyForQuery(TransactionStatus),
    RowDescription(RowDescription<'a>),
}

impl<'a> Message<'a> {
    /// Reads the message with that tag from all of its body.
    ///
    /// # Errors
    /// When a server sends no message with that tag, or the body is not exactly one such message.
    #[inline]
    pub fn decode(tag: u8, body: &'a [u8]) -> Result<Self, FrameError> {
        Ok(match tag {
            b'D' => Self::DataRow(rows::decode_data_row(body)?),
            b'2' => empty("BindComplete", body).map(|()| Self::BindComplete)?,
            b'C' => Self::CommandComplete(CommandTag::decode(body)?),
            b'Z' => Self::ReadyForQuery(TransactionStatus::decode(body)?),
            _ => return Self::decode_rarer(tag, body),
        })
    }

    fn decode_rarer(tag: u8, body: &'a [u8]) -> Result<Self, FrameError> {
        Ok(match tag {
            b'1' => empty("ParseComplete", body).map(|()| Self::ParseComplete)?,
            b'3' => empty("CloseComplete", body).map(|()| Self::CloseComplete)?,
            b'A' => Self::NotificationResponse(Notification::decode(body)?),
            b'E' => Self::ErrorResponse(ErrorFields::decode("ErrorResponse", body)?),
            b'G' => Self::CopyInResponse(CopyResponse::decode("CopyInResponse", body)?),
            b'H' => Self::CopyOutResponse(CopyResponse::decode("CopyOutResponse", body)?),
            b'I' => empty("EmptyQueryResponse", body).map(|()| Self::EmptyQueryResponse)?,
            b'K' => Self::BackendKeyData(BackendKeyData::decode(body)?),
            b'N' => Self::NoticeResponse(ErrorFields::decode("NoticeResponse", body)?),
            b'R' => Self::Authentication(Authentication::decode(body)?),
            b'S' => Self::ParameterStatus(ParameterStatus::decode(body)?),
            b'T' => Self::RowDescription(RowDescription::decode(body)?),
            b'V' => Self::FunctionCallResponse(simple::decode_function_call_response(body)?),
            b'W' => Self::CopyBothResponse(CopyResponse::decode("CopyBothResponse", body)?),
            b'c' => empty("CopyDone", body).map(|()| Self::CopyDone)?,
            b'd' => Self::CopyData(body),
            b'n' => empty("NoData", body).map(|()| Self::NoData)?,
            b's' => empty("PortalSuspended", body).map(|()| Self::PortalSuspended)?,
            b't' => Self::ParameterDescription(extended::decode_parameter_description(body)?),
            b'v' => Self::NegotiateProtocolVersion(NegotiateProtocolVersion::decode(body)?),
            other => return Err(FrameError::new("backend message", Fault::Tag(other))),
        })
    }

    /// Which message it is, by its name in the manual.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Authentication(_) => "Authentication",
            Self::BackendKeyData(_) => "BackendKeyData",
            Self::BindComplete => "BindComplete",
            Self::CloseComplete => "CloseComplete",
            Self::CommandComplete(_) => "CommandComplete",
            Self::CopyBothResponse(_) => "CopyBothResponse",
            Self::CopyData(_) => "CopyData",
            Self::CopyDone => "CopyDone",
            Self::CopyInResponse(_) => "CopyInResponse",
            Self::CopyOutResponse(_) => "CopyOutResponse",
            Self::DataRow(_) => "DataRow",
            Self::EmptyQueryResponse => "EmptyQueryResponse",
            Self::ErrorResponse(_) => "ErrorResponse",
            Self::FunctionCallResponse(_) => "FunctionCallResponse",
            Self::NegotiateProtocolVersion(_) => "NegotiateProtocolVersion",
            Self::NoData => "NoData",
            Self::NoticeResponse(_) => "NoticeResponse",
            Self::NotificationResponse(_) => "NotificationResponse",
            Self::ParameterDescription(_) => "ParameterDescription",
            Self::ParameterStatus(_) => "ParameterStatus",
            Self::ParseComplete => "ParseComplete",
            Self::PortalSuspended => "PortalSuspended",
            Self::ReadyForQuery(_) => "ReadyForQuery",
            Self::RowDescription(_) => "RowDescription",
        }
    }

    /// Appends the message.
    ///
    /// # Errors
    /// When it cannot be sent, as the function for that message says. One that was read can be, unless it
    /// grew over 2 GiB.
    pub fn encode(&self, out: &mut BytesMut) -> Result<(), FrameError> {
        match *self {
            Self::Authentication(m) => authentication(out, &m)?,
            Self::BackendKeyData(m) => backend_key_data(out, m.process_id, m.key)?,
            Self::BindComplete => bind_complete(out),
            Self::CloseComplete => close_complete(out),
            Self::CommandComplete(tag) => command_complete(out, tag.text())?,
            Self::CopyBothResponse(m) => copy_both_response(out, m.format, m.columns.iter())?,
            Self::CopyData(data) => copy_data(out, data)?,
            Self::CopyDone => copy_done(out),
            Self::CopyInResponse(m) => copy_in_response(out, m.format, m.columns.iter())?,
            Self::CopyOutResponse(m) => copy_out_response(out, m.format, m.columns.iter())?,
            Self::DataRow(values) => data_row(out, values)?,
            Self::EmptyQueryResponse => empty_query_response(out),
            Self::ErrorResponse(fields) => error_response(out, fields.iter())?,
            Self::FunctionCallResponse(value) => function_call_response(out, value)?,
            Self::NegotiateProtocolVersion(m) => {
                negotiate_protocol_version(out, m.version, m.unknown_options.iter())?;
            }
            Self::NoData => no_data(out),
            Self::NoticeResponse(fields) => notice_response(out, fields.iter())?,
            Self::NotificationResponse(m) => notification(out, m.process_id, m.channel, m.payload)?,
            Self::ParameterDescription(types) => parameter_description(out, types.iter())?,
            Self::ParameterStatus(m) => parameter_status(out, m.name, m.value)?,
            Self::ParseComplete => parse_complete(out),
            Self::PortalSuspended => portal_suspended(out),
            Self::ReadyForQuery(status) => ready_for_query(out, status),
            Self::RowDescription(m) => row_description(out, m.iter())?,
        }
        Ok(())
    }
}
