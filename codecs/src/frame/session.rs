//! What a server says about the session itself.

use std::fmt;

use bytes::BytesMut;

use super::body::Body;
use super::startup::KEY;
use super::write::Frame;
use super::{Fault, FrameError, Text};

/// BackendKeyData: what a cancel request has to show.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct BackendKeyData<'a> {
    /// The process that serves the session.
    pub process_id: i32,
    /// The secret: 4 bytes in protocol 3.0, 4 to 256 from 3.2 on.
    pub key: &'a [u8],
}

impl<'a> BackendKeyData<'a> {
    pub(super) fn decode(body: &'a [u8]) -> Result<Self, FrameError> {
        let mut b = Body::new("BackendKeyData", body);
        let process_id = b.i32()?;
        let key = b.rest();
        if key.len() < *KEY.start() {
            return Err(b.fault(Fault::Truncated));
        }
        if key.len() > *KEY.end() {
            return Err(b.fault(Fault::TooLong { len: key.len(), max: *KEY.end() }));
        }
        Ok(Self { process_id, key })
    }
}

/// The key is left out: who has it can cancel.
impl fmt::Debug for BackendKeyData<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BackendKeyData").field("process_id", &self.process_id).finish_non_exhaustive()
    }
}

/// Appends a BackendKeyData.
///
/// # Errors
/// When the key is not 4 to 256 bytes long.
pub fn backend_key_data(out: &mut BytesMut, process_id: i32, key: &[u8]) -> Result<(), FrameError> {
    let mut frame = Frame::tagged(out, "BackendKeyData", b'K', 4 + key.len());
    if !KEY.contains(&key.len()) {
        return Err(frame.fault(Fault::Count(key.len())));
    }
    frame.i32(process_id)?;
    frame.bytes(key)?;
    frame.finish()
}

/// ParameterStatus: the value of a run-time parameter, at the start and whenever it changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParameterStatus<'a> {
    /// The parameter's name.
    pub name: Text<'a>,
    /// Its value.
    pub value: Text<'a>,
}

impl<'a> ParameterStatus<'a> {
    pub(super) fn decode(body: &'a [u8]) -> Result<Self, FrameError> {
        let mut b = Body::new("ParameterStatus", body);
        let status = Self { name: b.text()?, value: b.text()? };
        b.finish()?;
        Ok(status)
    }
}

/// Appends a ParameterStatus.
///
/// # Errors
/// When the name or the value has a zero byte in it.
pub fn parameter_status(
    out: &mut BytesMut,
    name: impl AsRef<[u8]>,
    value: impl AsRef<[u8]>,
) -> Result<(), FrameError> {
    let mut frame = Frame::tagged(out, "ParameterStatus", b'S', 32);
    frame.text(name.as_ref())?;
    frame.text(value.as_ref())?;
    frame.finish()
}

/// What ReadyForQuery says about the transaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TransactionStatus {
    /// `I`: none is open.
    Idle,
    /// `T`: one is open.
    Open,
    /// `E`: one is open and has failed; all but its end is refused.
    Failed,
}

impl TransactionStatus {
    pub(super) fn decode(body: &[u8]) -> Result<Self, FrameError> {
        let mut b = Body::new("ReadyForQuery", body);
        let status = match b.u8()? {
            b'I' => Self::Idle,
            b'T' => Self::Open,
            b'E' => Self::Failed,
            other => return Err(b.fault(Fault::Code(other.into()))),
        };
        b.finish()?;
        Ok(status)
    }

    /// The letter that stands for it.
    pub const fn byte(self) -> u8 {
        match self {
            Self::Idle => b'I',
            Self::Open => b'T',
            Self::Failed => b'E',
        }
    }
}

/// Appends a ReadyForQuery.
pub fn ready_for_query(out: &mut BytesMut, status: TransactionStatus) {
    out.extend_from_slice(&[b'Z', 0, 0, 0, 5, status.byte()]);
}

/// NotificationResponse: what a NOTIFY said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Notification<'a> {
    /// The process that notified.
    pub process_id: i32,
    /// The channel.
    pub channel: Text<'a>,
    /// The payload; empty where none was given.
    pub payload: Text<'a>,
}

impl<'a> Notification<'a> {
    pub(super) fn decode(body: &'a [u8]) -> Result<Self, FrameError> {
        let mut b = Body::new("NotificationResponse", body);
        let said = Self { process_id: b.i32()?, channel: b.text()?, payload: b.text()? };
        b.finish()?;
        Ok(said)
    }
}

/// Appends a NotificationResponse.
///
/// # Errors
/// When the channel or the payload has a zero byte in it.
pub fn notification(
    out: &mut BytesMut,
    process_id: i32,
    channel: impl AsRef<[u8]>,
    payload: impl AsRef<[u8]>,
) -> Result<(), FrameError> {
    let mut frame = Frame::tagged(out, "NotificationResponse", b'A', 32);
    frame.i32(process_id)?;
    frame.text(channel.as_ref())?;
    frame.text(payload.as_ref())?;
    frame.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn key_data_golden() {
        let mut out = BytesMut::new();
        backend_key_data(&mut out, 258, b"\x01\x02\x03\x04").expect("can be sent");
        assert_eq!(&out[..], b"K\0\0\0\x0c\0\0\x01\x02\x01\x02\x03\x04");
        let read = BackendKeyData::decode(&out[5..]).expect("reads");
        assert_eq!((read.process_id, read.key), (258, &b"\x01\x02\x03\x04"[..]));
        assert!(!format!("{read:?}").contains("key"));
        for (len, fits) in [(3, false), (32, true), (256, true), (257, false)] {
            let body = vec![0; 4 + len];
            assert_eq!(BackendKeyData::decode(&body).is_ok(), fits, "{len}");
            assert_eq!(backend_key_data(&mut BytesMut::new(), 0, &body[4..]).is_ok(), fits, "{len}");
        }
    }

    #[test]
    fn parameter_status_golden() {
        let mut out = BytesMut::new();
        parameter_status(&mut out, "TimeZone", "").expect("can be sent");
        assert_eq!(&out[..], b"S\0\0\0\x0eTimeZone\0\0");
        let read = ParameterStatus::decode(&out[5..]).expect("reads");
        assert_eq!(read, ParameterStatus { name: "TimeZone".into(), value: "".into() });
        assert!(parameter_status(&mut out, "a", "b\0").is_err());
        assert_eq!(out.len(), 15);
    }

    #[test]
    fn ready_for_query_golden() {
        for (status, letter) in [
            (TransactionStatus::Idle, b'I'),
            (TransactionStatus::Open, b'T'),
            (TransactionStatus::Failed, b'E'),
        ] {
            let mut out = BytesMut::new();
            ready_for_query(&mut out, status);
            assert_eq!(&out[..], [b'Z', 0, 0, 0, 5, letter]);
            assert_eq!(TransactionStatus::decode(&[letter]), Ok(status));
        }
        assert!(TransactionStatus::decode(b"X").is_err());
        assert!(TransactionStatus::decode(b"II").is_err());
        assert!(TransactionStatus::decode(b"").is_err());
    }

    #[test]
    fn notification_golden() {
        let mut out = BytesMut::new();
        notification(&mut out, 7, "shearing", "dolly").expect("can be sent");
        assert_eq!(&out[..], b"A\0\0\0\x17\0\0\0\x07shearing\0dolly\0");
        let read = Notification::decode(&out[5..]).expect("reads");
        assert_eq!((read.process_id, read.channel, read.payload), (7, "shearing".into(), "dolly".into()));
    }
}
