//! COPY (PostgreSQL manual, "Message Flow", COPY Operations).

use std::borrow::Borrow;

use bytes::BytesMut;

use super::body::Body;
use super::write::{Frame, bodiless};
use super::{Formats, FrameError, Text};

/// CopyInResponse, CopyOutResponse or CopyBothResponse: a copy begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CopyResponse<'a> {
    /// The format of the whole: 0 is text or CSV, 1 is binary.
    pub format: i8,
    /// The formats of the columns; all 0 when the whole is text.
    pub columns: Formats<'a>,
}

impl<'a> CopyResponse<'a> {
    pub(super) fn decode(message: &'static str, body: &'a [u8]) -> Result<Self, FrameError> {
        let mut b = Body::new(message, body);
        let response = Self { format: b.i8()?, columns: Formats::read(&mut b)? };
        b.finish()?;
        Ok(response)
    }
}

/// Appends a CopyInResponse: the server waits for data.
///
/// # Errors
/// When there are more than 65,535 columns.
pub fn copy_in_response(
    out: &mut BytesMut,
    format: i8,
    columns: impl IntoIterator<Item = impl Borrow<i16>>,
) -> Result<(), FrameError> {
    response(Frame::tagged(out, "CopyInResponse", b'G', 32), format, columns)
}

/// Appends a CopyOutResponse: data follows.
///
/// # Errors
/// When there are more than 65,535 columns.
pub fn copy_out_response(
    out: &mut BytesMut,
    format: i8,
    columns: impl IntoIterator<Item = impl Borrow<i16>>,
) -> Result<(), FrameError> {
    response(Frame::tagged(out, "CopyOutResponse", b'H', 32), format, columns)
}

/// Appends a CopyBothResponse: data goes both ways, as in streaming replication.
///
/// # Errors
/// When there are more than 65,535 columns.
pub fn copy_both_response(
    out: &mut BytesMut,
    format: i8,
    columns: impl IntoIterator<Item = impl Borrow<i16>>,
) -> Result<(), FrameError> {
    response(Frame::tagged(out, "CopyBothResponse", b'W', 32), format, columns)
}

fn response(
    mut frame: Frame<'_>,
    format: i8,
    columns: impl IntoIterator<Item = impl Borrow<i16>>,
) -> Result<(), FrameError> {
    frame.bytes(&format.to_be_bytes())?;
    frame.i16s(columns)?;
    frame.finish()
}

/// Appends a CopyData. A server sends a row in each; what a client sends may be cut anywhere.
///
/// # Errors
/// When it is longer than 2 GiB.
pub fn copy_data(out: &mut BytesMut, data: &[u8]) -> Result<(), FrameError> {
    let mut frame = Frame::tagged(out, "CopyData", b'd', data.len());
    frame.bytes(data)?;
    frame.finish()
}

/// Appends a CopyDone: there is no more data.
pub fn copy_done(out: &mut BytesMut) {
    bodiless(out, b'c');
}

/// Reads a CopyFail.
pub(super) fn decode_copy_fail(body: &[u8]) -> Result<Text<'_>, FrameError> {
    let mut b = Body::new("CopyFail", body);
    let reason = b.text()?;
    b.finish()?;
    Ok(reason)
}

/// Appends a CopyFail: the client gives up, and the server's error will name the reason.
///
/// # Errors
/// When the reason has a zero byte in it.
pub fn copy_fail(out: &mut BytesMut, reason: impl AsRef<[u8]>) -> Result<(), FrameError> {
    let mut frame = Frame::tagged(out, "CopyFail", b'f', 32);
    frame.text(reason.as_ref())?;
    frame.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frame::Fault;

    #[test]
    fn responses_golden() {
        type Send = fn(&mut BytesMut, i8, [i16; 2]) -> Result<(), FrameError>;
        let sends: [(Send, u8); 3] = [
            (|out, format, columns| copy_in_response(out, format, columns), b'G'),
            (|out, format, columns| copy_out_response(out, format, columns), b'H'),
            (|out, format, columns| copy_both_response(out, format, columns), b'W'),
        ];
        for (send, tag) in sends {
            let mut out = BytesMut::new();
            send(&mut out, 1, [1, 1]).expect("can be sent");
            assert_eq!(out[0], tag);
            assert_eq!(&out[1..], b"\0\0\0\x0b\x01\0\x02\0\x01\0\x01");
            let read = CopyResponse::decode("CopyInResponse", &out[5..]).expect("reads");
            assert_eq!(read.format, 1);
            assert!(read.columns.iter().eq([1, 1]));
        }
        let refused = CopyResponse::decode("CopyInResponse", b"\0\0\x02\0\0").expect_err("too short");
        assert_eq!((refused.message(), refused.fault()), ("CopyInResponse", Fault::Truncated));
    }

    #[test]
    fn data_golden() {
        let mut out = BytesMut::new();
        copy_data(&mut out, b"1\tDolly\n").expect("can be sent");
        copy_done(&mut out);
        copy_fail(&mut out, "no").expect("can be sent");
        assert_eq!(&out[..], b"d\0\0\0\x0c1\tDolly\nc\0\0\0\x04f\0\0\0\x07no\0");
        assert_eq!(decode_copy_fail(b"no\0").expect("reads"), "no");
        assert!(copy_fail(&mut out, "\0").is_err());
        assert!(decode_copy_fail(b"no").is_err());
    }
}
