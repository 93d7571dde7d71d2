//! The extended query protocol (PostgreSQL manual, "Message Flow", Extended Query).

use std::borrow::Borrow;

use bytes::BytesMut;

use super::body::Body;
use super::write::{Frame, bodiless};
use super::{Fault, Formats, FrameError, Oids, Text, Values};

/// Parse: prepares a statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parse<'a> {
    /// Its name; empty is the unnamed one.
    pub statement: Text<'a>,
    /// Its SQL.
    pub sql: Text<'a>,
    /// The types of its first parameters; 0 leaves one to the server.
    pub parameter_types: Oids<'a>,
}

impl<'a> Parse<'a> {
    pub(super) fn decode(body: &'a [u8]) -> Result<Self, FrameError> {
        let mut b = Body::new("Parse", body);
        let parse = Self { statement: b.text()?, sql: b.text()?, parameter_types: Oids::read(&mut b)? };
        b.finish()?;
        Ok(parse)
    }

    /// Appends the message.
    ///
    /// # Errors
    /// As [`parse`].
    pub fn encode(&self, out: &mut BytesMut) -> Result<(), FrameError> {
        parse(out, self.statement, self.sql, self.parameter_types.iter())
    }
}

/// Appends a Parse. A type of 0 leaves that parameter's type to the server.
///
/// # Errors
/// When the name or the SQL has a zero byte in it, or there are more than 65,535 types.
pub fn parse(
    out: &mut BytesMut,
    statement: impl AsRef<[u8]>,
    sql: impl AsRef<[u8]>,
    parameter_types: impl IntoIterator<Item = impl Borrow<u32>>,
) -> Result<(), FrameError> {
    let (statement, sql) = (statement.as_ref(), sql.as_ref());
    let mut frame = Frame::tagged(out, "Parse", b'P', statement.len() + sql.len() + 32);
    frame.text(statement)?;
    frame.text(sql)?;
    frame.oids(parameter_types)?;
    frame.finish()
}

/// Bind: makes a portal of a statement and its parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bind<'a> {
    /// The portal's name; empty is the unnamed one.
    pub portal: Text<'a>,
    /// The statement's name.
    pub statement: Text<'a>,
    /// The formats of the parameters: none for all text, one for all, or one each.
    pub formats: Formats<'a>,
    /// The parameters.
    pub values: Values<'a>,
    /// The formats that the results are wanted in: none for all text, one for all, or one a column.
    pub result_formats: Formats<'a>,
}

impl<'a> Bind<'a> {
    pub(super) fn decode(body: &'a [u8]) -> Result<Self, FrameError> {
        let mut b = Body::new("Bind", body);
        let portal = b.text()?;
        let statement = b.text()?;
        let formats = Formats::read(&mut b)?;
        let values = Values::read(&mut b)?;
        if formats.len() > 1 && formats.len() != values.len() {
            return Err(b.fault(Fault::Count(formats.len())));
        }
        let result_formats = Formats::read(&mut b)?;
        b.finish()?;
        Ok(Self { portal, statement, formats, values, result_formats })
    }

    /// Appends the message.
    ///
    /// # Errors
    /// As [`bind`].
    pub fn encode(&self, out: &mut BytesMut) -> Result<(), FrameError> {
        bind(
            out,
            self.portal,
            self.statement,
            self.formats.iter(),
            self.values.len(),
            self.values.as_bytes(),
            self.result_formats.iter(),
        )
    }
}

/// Appends a Bind of `count` parameters, which `values` has encoded already, each with its length before it.
///
/// There is no format for parameters that are all text, one that is for all of them, or one each; the same goes
/// for the columns of the result.
///
/// ```
/// use bytes::BytesMut;
/// use wreath_codecs::ParamBuf;
/// use wreath_codecs::frame::{BINARY, frontend};
///
/// let mut params = ParamBuf::new();
/// params.push(&7_i32)?;
/// let mut out = BytesMut::new();
/// let values = params.values().as_bytes();
/// frontend::bind(&mut out, "", "s1", [BINARY], params.len(), values, [BINARY])?;
/// assert_eq!(&out[..], b"B\0\0\0\x1a\0s1\0\0\x01\0\x01\0\x01\0\0\0\x04\0\0\0\x07\0\x01\0\x01");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// When a name has a zero byte in it, there are more than 65,535 parameters or formats, `values` is not exactly
/// `count` values, or the number of formats fits neither.
pub fn bind(
    out: &mut BytesMut,
    portal: impl AsRef<[u8]>,
    statement: impl AsRef<[u8]>,
    formats: impl IntoIterator<Item = impl Borrow<i16>>,
    count: usize,
    values: &[u8],
    result_formats: impl IntoIterator<Item = impl Borrow<i16>>,
) -> Result<(), FrameError> {
    let (portal, statement) = (portal.as_ref(), statement.as_ref());
    let size = portal.len() + statement.len() + values.len() + 32;
    let mut frame = Frame::tagged(out, "Bind", b'B', size);
    Values::within("Bind", count, values)?;
    frame.text(portal)?;
    frame.text(statement)?;
    let formats = usize::from(frame.i16s(formats)?);
    if formats > 1 && formats != count {
        return Err(frame.fault(Fault::Count(formats)));
    }
    let count = u16::try_from(count).map_err(|_| frame.fault(Fault::Count(count)))?;
    frame.bytes(&count.to_be_bytes())?;
    frame.bytes(values)?;
    frame.i16s(result_formats)?;
    frame.finish()
}

/// What a Describe or a Close is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target<'a> {
    /// The prepared statement of that name; empty is the unnamed one.
    Statement(Text<'a>),
    /// The portal of that name; empty is the unnamed one.
    Portal(Text<'a>),
}

impl<'a> Target<'a> {
    /// The prepared statement of that name.
    pub fn statement(name: &'a str) -> Self {
        Self::Statement(name.into())
    }

    /// The portal of that name.
    pub fn portal(name: &'a str) -> Self {
        Self::Portal(name.into())
    }

    pub(super) fn decode(message: &'static str, body: &'a [u8]) -> Result<Self, FrameError> {
        let mut b = Body::new(message, body);
        let target = match b.u8()? {
            b'S' => Self::Statement(b.text()?),
            b'P' => Self::Portal(b.text()?),
            other => return Err(b.fault(Fault::Code(other.into()))),
        };
        b.finish()?;
        Ok(target)
    }

    fn write(self, mut frame: Frame<'_>) -> Result<(), FrameError> {
        let (letter, name) = match self {
            Self::Statement(name) => (b'S', name),
            Self::Portal(name) => (b'P', name),
        };
        frame.u8(letter)?;
        frame.text(name.as_bytes())?;
        frame.finish()
    }
}

/// Appends a Describe.
///
/// # Errors
/// When the name has a zero byte in it.
pub fn describe(out: &mut BytesMut, target: Target<'_>) -> Result<(), FrameError> {
    target.write(Frame::tagged(out, "Describe", b'D', 32))
}

/// Appends a Close.
///
/// # Errors
/// When the name has a zero byte in it.
pub fn close(out: &mut BytesMut, target: Target<'_>) -> Result<(), FrameError> {
    target.write(Frame::tagged(out, "Close", b'C', 32))
}

/// Execute: runs a portal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Execute<'a> {
    /// The portal's name; empty is the unnamed one.
    pub portal: Text<'a>,
    /// The most rows to answer with; 0 is all.
    pub max_rows: i32,
}

impl<'a> Execute<'a> {
    pub(super) fn decode(body: &'a [u8]) -> Result<Self, FrameError> {
        let mut b = Body::new("Execute", body);
        let execute = Self { portal: b.text()?, max_rows: b.i32()? };
        b.finish()?;
        Ok(execute)
    }
}

/// Appends an Execute; `max_rows` of 0 asks for all rows.
///
/// # Errors
/// When the name has a zero byte in it.
pub fn execute(out: &mut BytesMut, portal: impl AsRef<[u8]>, max_rows: i32) -> Result<(), FrameError> {
    let mut frame = Frame::tagged(out, "Execute", b'E', 16);
    frame.text(portal.as_ref())?;
    frame.i32(max_rows)?;
    frame.finish()
}

macro_rules! bodiless {
    ($($(#[$doc:meta])* $name:ident = $tag:literal;)*) => {$(
        $(#[$doc])*
        pub fn $name(out: &mut BytesMut) {
            bodiless(out, $tag);
        }
    )*};
}

bodiless! {
    /// Appends a Flush: the server sends what it has, without a Sync.
    flush = b'H';
    /// Appends a Sync: the server ends the implicit transaction, and answers with ReadyForQuery.
    sync = b'S';
    /// Appends a ParseComplete.
    parse_complete = b'1';
    /// Appends a BindComplete.
    bind_complete = b'2';
    /// Appends a CloseComplete.
    close_complete = b'3';
    /// Appends a NoData: what was described answers with no rows.
    no_data = b'n';
    /// Appends a PortalSuspended: Execute's limit was reached.
    portal_suspended = b's';
}

/// Reads a ParameterDescription.
pub(super) fn decode_parameter_description(body: &[u8]) -> Result<Oids<'_>, FrameError> {
    let mut b = Body::new("ParameterDescription", body);
    let types = Oids::read(&mut b)?;
    b.finish()?;
    Ok(types)
}

/// Appends a ParameterDescription: the types of a statement's parameters.
///
/// # Errors
/// When there are more than 65,535.
pub fn parameter_description(
    out: &mut BytesMut,
    types: impl IntoIterator<Item = impl Borrow<u32>>,
) -> Result<(), FrameError> {
    let mut frame = Frame::tagged(out, "ParameterDescription", b't', 32);
    frame.oids(types)?;
    frame.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frame::{BINARY, TEXT};

    fn wrote(f: impl FnOnce(&mut BytesMut) -> Result<(), FrameError>) -> Vec<u8> {
        let mut out = BytesMut::new();
        f(&mut out).expect("can be sent");
        out.to_vec()
    }

    #[test]
    fn parse_golden() {
        let bytes = wrote(|out| parse(out, "s1", "SELECT $1", [23_u32, 0]));
        assert_eq!(bytes, b"P\0\0\0\x1b\x73\x31\0SELECT $1\0\0\x02\0\0\0\x17\0\0\0\0");
        let read = Parse::decode(&bytes[5..]).expect("reads");
        assert_eq!((read.statement, read.sql), ("s1".into(), "SELECT $1".into()));
        assert!(read.parameter_types.iter().eq([23, 0]));
        assert_eq!(wrote(|out| read.encode(out)), bytes);
        let mut out = BytesMut::new();
        assert_eq!(parse(&mut out, "", "a\0b", [0_u32; 0]).map_err(|e| e.fault()), Err(Fault::Nul));
        assert_eq!(
            parse(&mut out, "", "", vec![0_u32; 65_536]).map_err(|e| e.fault()),
            Err(Fault::Count(65_536))
        );
        assert!(out.is_empty());
        parse(&mut out, "", "", vec![0_u32; 65_535]).expect("just fits");
    }

    #[test]
    fn bind_golden() {
        let values = b"\0\0\0\x02ab\xff\xff\xff\xff";
        let bytes = wrote(|out| bind(out, "p", "s", [TEXT, BINARY], 2, values, [BINARY]));
        assert_eq!(bytes, b"B\0\0\0\x1ep\0s\0\0\x02\0\0\0\x01\0\x02\0\0\0\x02ab\xff\xff\xff\xff\0\x01\0\x01");
        let read = Bind::decode(&bytes[5..]).expect("reads");
        assert!(read.formats.iter().eq([0, 1]));
        assert!(read.values.iter().eq([Some(&b"ab"[..]), None]));
        assert!(read.result_formats.iter().eq([1]));
        assert_eq!(wrote(|out| read.encode(out)), bytes);
    }

    #[test]
    fn bind_refuses_what_does_not_add_up() {
        let nulls = [0xff; 4 * 65_536];
        let mut out = BytesMut::from(&b"before"[..]);
        let mut fault = |formats: &[i16], count: usize, values: &[u8]| {
            let answer = bind(&mut out, "", "", formats, count, values, [BINARY]);
            if answer.is_err() {
                assert_eq!(&out[..], b"before");
            } else {
                out.truncate(6);
            }
            answer.map_err(|e| e.fault())
        };
        assert_eq!(fault(&[], 65_535, &nulls[4..]), Ok(()));
        assert_eq!(fault(&[1], 65_535, &nulls[4..]), Ok(()));
        assert_eq!(fault(&[1; 65_535], 65_535, &nulls[4..]), Ok(()));
        assert_eq!(fault(&[], 65_536, &nulls), Err(Fault::Count(65_536)));
        assert_eq!(fault(&[1; 65_536], 1, &nulls[..4]), Err(Fault::Count(65_536)));
        assert_eq!(fault(&[1, 1], 1, &nulls[..4]), Err(Fault::Count(2)));
        assert_eq!(fault(&[1, 1], 3, &nulls[..12]), Err(Fault::Count(2)));
        assert_eq!(fault(&[], 2, &nulls[..4]), Err(Fault::Truncated));
        assert_eq!(fault(&[], 1, &nulls[..8]), Err(Fault::Trailing(4)));
        assert_eq!(
            bind(&mut out, "a\0", "", [TEXT; 0], 0, b"", [TEXT; 0]).map_err(|e| e.fault()),
            Err(Fault::Nul)
        );
        assert!(Bind::decode(b"\0\0\0\x02\0\0\0\0\0\0\0\0").is_err());
    }

    #[test]
    fn describe_close_execute_golden() {
        assert_eq!(wrote(|out| describe(out, Target::statement("s1"))), b"D\0\0\0\x08Ss1\0");
        assert_eq!(wrote(|out| describe(out, Target::portal(""))), b"D\0\0\0\x06P\0");
        assert_eq!(wrote(|out| close(out, Target::statement("s1"))), b"C\0\0\0\x08Ss1\0");
        assert_eq!(wrote(|out| execute(out, "p", 100)), b"E\0\0\0\x0ap\0\0\0\0\x64");
        assert_eq!(Target::decode("Close", b"Pc\0"), Ok(Target::portal("c")));
        assert_eq!(Target::decode("Close", b"Xc\0").map_err(|e| e.fault()), Err(Fault::Code(88)));
        assert!(close(&mut BytesMut::new(), Target::statement("\0")).is_err());
        assert_eq!(Execute::decode(b"p\0\0\0\0\x64"), Ok(Execute { portal: "p".into(), max_rows: 100 }));
    }

    #[test]
    fn bodiless_golden() {
        type Send = fn(&mut BytesMut);
        let messages: [(Send, u8); 7] = [
            (flush, b'H'),
            (sync, b'S'),
            (parse_complete, b'1'),
            (bind_complete, b'2'),
            (close_complete, b'3'),
            (no_data, b'n'),
            (portal_suspended, b's'),
        ];
        for (send, tag) in messages {
            let mut out = BytesMut::new();
            send(&mut out);
            assert_eq!(&out[..], [tag, 0, 0, 0, 4]);
        }
    }

    #[test]
    fn parameter_description_golden() {
        let bytes = wrote(|out| parameter_description(out, [23_u32, 25]));
        assert_eq!(bytes, b"t\0\0\0\x0e\0\x02\0\0\0\x17\0\0\0\x19");
        assert!(decode_parameter_description(&bytes[5..]).expect("reads").iter().eq([23, 25]));
        assert!(decode_parameter_description(b"\xff\xff\0\0\0\x17").is_err());
        assert!(decode_parameter_description(b"\0\0\0").is_err());
    }
}
