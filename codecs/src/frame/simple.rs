//! The simple query protocol, function calls, and the end of a session.

use std::borrow::Borrow;

use bytes::BytesMut;

use super::body::Body;
use super::write::{Frame, bodiless};
use super::{Fault, Formats, FrameError, Text, Values};

/// Reads a Query.
pub(super) fn decode_query(body: &[u8]) -> Result<Text<'_>, FrameError> {
    let mut b = Body::new("Query", body);
    let sql = b.text()?;
    b.finish()?;
    Ok(sql)
}

/// Appends a Query: one or more statements, run in one go, with results as text.
///
/// # Errors
/// When the SQL has a zero byte in it.
pub fn query(out: &mut BytesMut, sql: impl AsRef<[u8]>) -> Result<(), FrameError> {
    let sql = sql.as_ref();
    let mut frame = Frame::tagged(out, "Query", b'Q', sql.len() + 1);
    frame.text(sql)?;
    frame.finish()
}

/// FunctionCall: calls a function by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FunctionCall<'a> {
    /// The function, `pg_proc.oid`.
    pub function: u32,
    /// The formats of the arguments: none for all text, one for all, or one each.
    pub formats: Formats<'a>,
    /// The arguments.
    pub arguments: Values<'a>,
    /// The format that the result is wanted in.
    pub result_format: i16,
}

impl<'a> FunctionCall<'a> {
    pub(super) fn decode(body: &'a [u8]) -> Result<Self, FrameError> {
        let mut b = Body::new("FunctionCall", body);
        let function = b.u32()?;
        let formats = Formats::read(&mut b)?;
        let arguments = Values::read(&mut b)?;
        if formats.len() > 1 && formats.len() != arguments.len() {
            return Err(b.fault(Fault::Count(formats.len())));
        }
        let result_format = b.i16()?;
        b.finish()?;
        Ok(Self { function, formats, arguments, result_format })
    }

    /// Appends the message.
    ///
    /// # Errors
    /// As [`function_call`].
    pub fn encode(&self, out: &mut BytesMut) -> Result<(), FrameError> {
        function_call(out, self.function, self.formats.iter(), self.arguments, self.result_format)
    }
}

/// Appends a FunctionCall.
///
/// # Errors
/// When there are more than 65,535 arguments or formats, or the number of formats fits neither.
pub fn function_call<'a>(
    out: &mut BytesMut,
    function: u32,
    formats: impl IntoIterator<Item = impl Borrow<i16>>,
    arguments: impl IntoIterator<Item = Option<&'a [u8]>>,
    result_format: i16,
) -> Result<(), FrameError> {
    let mut frame = Frame::tagged(out, "FunctionCall", b'F', 32);
    frame.u32(function)?;
    let formats = frame.i16s(formats)?;
    let arguments = frame.counted(arguments, Frame::value)?;
    if formats > 1 && formats != arguments {
        return Err(frame.fault(Fault::Count(formats.into())));
    }
    frame.i16(result_format)?;
    frame.finish()
}

/// Reads a FunctionCallResponse.
pub(super) fn decode_function_call_response(body: &[u8]) -> Result<Option<&[u8]>, FrameError> {
    let mut b = Body::new("FunctionCallResponse", body);
    let value = b.value()?;
    b.finish()?;
    Ok(value)
}

/// Appends a FunctionCallResponse; `None` is NULL.
///
/// # Errors
/// When the value is longer than 2 GiB.
pub fn function_call_response(out: &mut BytesMut, value: Option<&[u8]>) -> Result<(), FrameError> {
    let mut frame = Frame::tagged(out, "FunctionCallResponse", b'V', 16);
    frame.value(value)?;
    frame.finish()
}

/// Appends a Terminate: the session ends, without an answer.
pub fn terminate(out: &mut BytesMut) {
    bodiless(out, b'X');
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wrote(f: impl FnOnce(&mut BytesMut) -> Result<(), FrameError>) -> Vec<u8> {
        let mut out = BytesMut::new();
        f(&mut out).expect("can be sent");
        out.to_vec()
    }

    #[test]
    fn query_golden() {
        let bytes = wrote(|out| query(out, "SELECT 1"));
        assert_eq!(bytes, b"Q\0\0\0\x0dSELECT 1\0");
        assert_eq!(decode_query(&bytes[5..]).expect("reads"), "SELECT 1");
        assert!(query(&mut BytesMut::new(), "SELECT '\0'").is_err());
        assert!(decode_query(b"SELECT 1").is_err());
        assert!(decode_query(b"SELECT 1\0;\0").is_err());
    }

    #[test]
    fn function_call_golden() {
        let arguments = [Some(&b"\0\0\0\x07"[..]), None];
        let bytes = wrote(|out| function_call(out, 1598, [1], arguments, 1));
        assert_eq!(
            bytes,
            b"F\0\0\0\x1c\0\0\x06\x3e\0\x01\0\x01\0\x02\0\0\0\x04\0\0\0\x07\xff\xff\xff\xff\0\x01"
        );
        let read = FunctionCall::decode(&bytes[5..]).expect("reads");
        assert_eq!((read.function, read.result_format), (1598, 1));
        assert!(read.arguments.iter().eq(arguments));
        assert_eq!(wrote(|out| read.encode(out)), bytes);
        assert!(function_call(&mut BytesMut::new(), 1, [1, 1, 1], arguments, 1).is_err());
    }

    #[test]
    fn function_call_response_golden() {
        for (value, golden) in
            [(Some(&b"x"[..]), &b"V\0\0\0\x09\0\0\0\x01x"[..]), (None, b"V\0\0\0\x08\xff\xff\xff\xff")]
        {
            let bytes = wrote(|out| function_call_response(out, value));
            assert_eq!(bytes, golden);
            assert_eq!(decode_function_call_response(&bytes[5..]), Ok(value));
        }
        assert!(decode_function_call_response(b"\xff\xff\xff\xfe").is_err());
    }

    #[test]
    fn terminate_golden() {
        let mut out = BytesMut::new();
        terminate(&mut out);
        assert_eq!(&out[..], b"X\0\0\0\x04");
    }
}
