//! What opens a connection: the messages without a tag, and the answers that come before the first message
//! (PostgreSQL manual, "Message Flow", Start-up, and "SSL Session Encryption").

use std::fmt;

use bytes::BytesMut;

use super::body::{Body, empty};
use super::write::Frame;
use super::{Fault, FrameError, Text, Texts};

/// The most bytes that a server accepts as the first message of a connection.
pub const MAX_REQUEST: usize = 10_000;

const CANCEL: u32 = code(1234, 5678);
const SSL: u32 = code(1234, 5679);
const GSSENC: u32 = code(1234, 5680);

/// How short and how long the key of a cancel request is, in bytes.
pub(super) const KEY: std::ops::RangeInclusive<usize> = 4..=256;

const fn code(major: u32, minor: u32) -> u32 {
    major << 16 | minor
}

/// A version of the protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Version(pub u32);

impl Version {
    /// 3.0, which every server since 7.4 speaks.
    pub const V3_0: Self = Self(code(3, 0));
    /// 3.2, with longer cancel keys, which servers since 18 speak.
    pub const V3_2: Self = Self(code(3, 2));

    /// The part before the point.
    pub const fn major(self) -> u32 {
        self.0 >> 16
    }

    /// The part after the point.
    pub const fn minor(self) -> u32 {
        self.0 & 0xffff
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.major(), self.minor())
    }
}

/// Reads the length of the request that `bytes` start with, in bytes and with the length itself; `None` asks
/// for more bytes.
///
/// # Errors
/// When the length is below 8 (itself and a code), and when it is above `max_len`; a server has
/// [`MAX_REQUEST`] there.
pub fn length(bytes: &[u8], max_len: usize) -> Result<Option<usize>, FrameError> {
    let Some(head) = bytes.first_chunk::<4>() else { return Ok(None) };
    let stated = i32::from_be_bytes(*head);
    match usize::try_from(stated) {
        Ok(len) if len > max_len => Err(FrameError::new("request", Fault::TooLong { len, max: max_len })),
        Ok(len) if len >= 8 => Ok(Some(len)),
        _ => Err(FrameError::new("request", Fault::Length(stated))),
    }
}

/// What a client sends first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Request<'a> {
    /// Starts a session.
    Startup(Startup<'a>),
    /// Cancels what another session is running.
    Cancel(Cancel<'a>),
    /// Asks for TLS.
    Ssl,
    /// Asks for GSSAPI encryption.
    GssEnc,
}

impl<'a> Request<'a> {
    /// Reads what comes after the length.
    ///
    /// # Errors
    /// When it is no request of protocol 3.
    pub fn decode(body: &'a [u8]) -> Result<Self, FrameError> {
        let mut b = Body::new("request", body);
        match b.u32()? {
            CANCEL => Cancel::decode(b.take_rest()).map(Self::Cancel),
            SSL => empty("SSLRequest", b.take_rest()).map(|()| Self::Ssl),
            GSSENC => empty("GSSENCRequest", b.take_rest()).map(|()| Self::GssEnc),
            version if Version(version).major() == 3 => {
                Startup::decode(Version(version), b.take_rest()).map(Self::Startup)
            }
            other => Err(b.fault(Fault::Code(other))),
        }
    }

    /// Appends the request.
    ///
    /// # Errors
    /// As [`startup`] and [`cancel`].
    pub fn encode(&self, out: &mut BytesMut) -> Result<(), FrameError> {
        match self {
            Self::Startup(m) => startup(out, m.version, m.parameters.iter()),
            Self::Cancel(m) => cancel(out, m.process_id, m.key),
            Self::Ssl => ssl_request(out),
            Self::GssEnc => gssenc_request(out),
        }
    }
}

/// StartupMessage: the version that the client wants, and what the session is to be like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Startup<'a> {
    /// The version of the protocol.
    pub version: Version,
    /// `user`, `database`, `options`, and run-time parameters by name.
    pub parameters: Parameters<'a>,
}

impl<'a> Startup<'a> {
    fn decode(version: Version, body: &'a [u8]) -> Result<Self, FrameError> {
        let mut b = Body::new("StartupMessage", body);
        let start = b.rest();
        loop {
            let pairs = b.since(start);
            if b.text()?.is_empty() {
                b.finish()?;
                return Ok(Self { version, parameters: Parameters(Texts::of(pairs)) });
            }
            b.text()?;
        }
    }
}

/// The names and values of a [`Startup`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Parameters<'a>(Texts<'a>);

impl<'a> Parameters<'a> {
    /// The pairs, in order.
    pub fn iter(self) -> impl Iterator<Item = (Text<'a>, Text<'a>)> + Clone + 'a {
        let mut texts = self.0.iter();
        std::iter::from_fn(move || Some((texts.next()?, texts.next()?)))
    }

    /// The value of the first parameter of that name.
    pub fn get(self, name: &str) -> Option<Text<'a>> {
        self.iter().find(|(n, _)| *n == name).map(|(_, value)| value)
    }
}

/// CancelRequest: it is sent on a connection of its own, which the server closes without an answer.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Cancel<'a> {
    /// The process of the session, from its BackendKeyData.
    pub process_id: i32,
    /// The key of the session: 4 bytes in protocol 3.0, up to 256 from 3.2 on.
    pub key: &'a [u8],
}

impl<'a> Cancel<'a> {
    fn decode(body: &'a [u8]) -> Result<Self, FrameError> {
        let mut b = Body::new("CancelRequest", body);
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
impl fmt::Debug for Cancel<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Cancel").field("process_id", &self.process_id).finish_non_exhaustive()
    }
}

/// Appends a StartupMessage.
///
/// # Errors
/// When a name is empty, or a name or value has a zero byte in it.
pub fn startup(
    out: &mut BytesMut,
    version: Version,
    parameters: impl IntoIterator<Item = (impl AsRef<[u8]>, impl AsRef<[u8]>)>,
) -> Result<(), FrameError> {
    let mut frame = Frame::untagged(out, "StartupMessage");
    frame.u32(version.0)?;
    for (name, value) in parameters {
        frame.name(name.as_ref())?;
        frame.text(value.as_ref())?;
    }
    frame.u8(0)?;
    frame.finish()
}

/// Appends a CancelRequest.
///
/// # Errors
/// When the key is not 4 to 256 bytes long.
pub fn cancel(out: &mut BytesMut, process_id: i32, key: &[u8]) -> Result<(), FrameError> {
    let mut frame = Frame::untagged(out, "CancelRequest");
    if !KEY.contains(&key.len()) {
        return Err(frame.fault(Fault::Count(key.len())));
    }
    frame.u32(CANCEL)?;
    frame.i32(process_id)?;
    frame.bytes(key)?;
    frame.finish()
}

/// Appends an SSLRequest; the server answers with an [`Answer`].
///
/// # Errors
/// None: it answers as every other request does.
pub fn ssl_request(out: &mut BytesMut) -> Result<(), FrameError> {
    let mut frame = Frame::untagged(out, "SSLRequest");
    frame.u32(SSL)?;
    frame.finish()
}

/// Appends a GSSENCRequest; the server answers with an [`Answer`].
///
/// # Errors
/// None: it answers as every other request does.
pub fn gssenc_request(out: &mut BytesMut) -> Result<(), FrameError> {
    let mut frame = Frame::untagged(out, "GSSENCRequest");
    frame.u32(GSSENC)?;
    frame.finish()
}

/// The one byte that answers an SSLRequest or a GSSENCRequest.
///
/// More bytes that arrive together with it were not encrypted: a client that is about to encrypt refuses them
/// (CVE-2021-23222).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// `S`: TLS begins.
    Ssl,
    /// `G`: GSSAPI encryption begins.
    GssEnc,
    /// `N`: the session goes on as it is.
    Refused,
    /// `E`: the start of an ErrorResponse, from a server that does not know the request. What it says is not
    /// authenticated, so it should not be shown (CVE-2024-10977).
    Error,
}

impl Answer {
    /// The answer that the byte stands for.
    ///
    /// # Errors
    /// When it stands for none.
    pub fn decode(byte: u8) -> Result<Self, FrameError> {
        match byte {
            b'S' => Ok(Self::Ssl),
            b'G' => Ok(Self::GssEnc),
            b'N' => Ok(Self::Refused),
            b'E' => Ok(Self::Error),
            other => Err(FrameError::new("answer to an encryption request", Fault::Code(other.into()))),
        }
    }

    /// The byte that stands for it.
    pub const fn byte(self) -> u8 {
        match self {
            Self::Ssl => b'S',
            Self::GssEnc => b'G',
            Self::Refused => b'N',
            Self::Error => b'E',
        }
    }
}

/// NegotiateProtocolVersion: what the server makes of a version or of protocol options that it does not know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NegotiateProtocolVersion<'a> {
    /// The newest version that the server speaks and the client asked for. The manual speaks of the minor
    /// version alone; servers send both parts.
    pub version: Version,
    /// The options that the server does not know.
    pub unknown_options: Texts<'a>,
}

impl<'a> NegotiateProtocolVersion<'a> {
    pub(super) fn decode(body: &'a [u8]) -> Result<Self, FrameError> {
        let mut b = Body::new("NegotiateProtocolVersion", body);
        let version = Version(b.u32()?);
        let count = b.i32()?;
        let count = usize::try_from(count).map_err(|_| b.fault(Fault::NegativeLength(count)))?;
        let unknown_options = Texts::read_count(&mut b, count)?;
        b.finish()?;
        Ok(Self { version, unknown_options })
    }
}

/// Appends a NegotiateProtocolVersion.
///
/// # Errors
/// When an option has a zero byte in it.
pub fn negotiate_protocol_version(
    out: &mut BytesMut,
    version: Version,
    unknown_options: impl IntoIterator<Item = impl AsRef<[u8]>, IntoIter: Clone>,
) -> Result<(), FrameError> {
    let options = unknown_options.into_iter();
    let mut frame = Frame::tagged(out, "NegotiateProtocolVersion", b'v', 8);
    frame.u32(version.0)?;
    let count = options.clone().count();
    frame.i32(i32::try_from(count).map_err(|_| frame.fault(Fault::Count(count)))?)?;
    for option in options {
        frame.text(option.as_ref())?;
    }
    frame.finish()
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
    fn startup_golden() {
        let parameters = [("user", "dolly"), ("database", "farm")];
        let bytes = wrote(|out| startup(out, Version::V3_0, parameters));
        assert_eq!(bytes, b"\0\0\0\x22\0\x03\0\0user\0dolly\0database\0farm\0\0");
        let Request::Startup(read) = Request::decode(&bytes[4..]).expect("reads") else { panic!() };
        assert_eq!(read.version, Version::V3_0);
        assert!(read.parameters.iter().eq(parameters.map(|(n, v)| (Text::from(n), Text::from(v)))));
        assert_eq!(read.parameters.get("database").expect("is there"), "farm");
        assert!(read.parameters.get("farm").is_none());
    }

    #[test]
    fn startup_keeps_empty_values_and_refuses_empty_names() {
        let bytes = wrote(|out| startup(out, Version::V3_2, [("user", ""), ("a", "b")]));
        let Request::Startup(read) = Request::decode(&bytes[4..]).expect("reads") else { panic!() };
        assert_eq!(read.parameters.iter().count(), 2);
        let mut out = BytesMut::new();
        let refused = startup(&mut out, Version::V3_0, [("", "x")]).expect_err("no name");
        assert_eq!(refused.fault(), Fault::EmptyName);
        let refused = startup(&mut out, Version::V3_0, [("user", "a\0b")]).expect_err("a zero byte");
        assert_eq!(refused.fault(), Fault::Nul);
        assert!(out.is_empty());
    }

    #[test]
    fn requests_golden() {
        assert_eq!(wrote(ssl_request), b"\0\0\0\x08\x04\xd2\x16\x2f");
        assert_eq!(wrote(gssenc_request), b"\0\0\0\x08\x04\xd2\x16\x30");
        assert_eq!(
            wrote(|out| cancel(out, 258, &[9, 8, 7, 6])),
            b"\0\0\0\x10\x04\xd2\x16\x2e\0\0\x01\x02\x09\x08\x07\x06"
        );
        assert_eq!(Request::decode(b"\x04\xd2\x16\x2f"), Ok(Request::Ssl));
        assert_eq!(Request::decode(b"\x04\xd2\x16\x30"), Ok(Request::GssEnc));
    }

    #[test]
    fn cancel_keys_of_4_to_256_bytes() {
        for (len, fits) in [(0, false), (3, false), (4, true), (32, true), (256, true), (257, false)] {
            let key = vec![7; len];
            let mut out = BytesMut::new();
            assert_eq!(cancel(&mut out, 1, &key).is_ok(), fits, "{len}");
            let body = [&CANCEL.to_be_bytes()[..], &1_i32.to_be_bytes(), &key].concat();
            assert_eq!(Request::decode(&body).is_ok(), fits, "{len}");
        }
        let shown = format!("{:?}", Cancel { process_id: 1, key: b"secret" });
        assert!(!shown.contains("key"), "{shown}");
    }

    #[test]
    fn strange_requests_are_refused() {
        assert_eq!(length(b"\0\0\0", 10), Ok(None));
        assert_eq!(length(b"\0\0\0\x08", 10), Ok(Some(8)));
        assert!(length(b"\0\0\0\x07", 10).is_err());
        assert!(length(b"\0\0\0\x0b", 10).is_err());
        assert!(length(b"\xff\xff\xff\xff", 10).is_err());
        assert_eq!(Request::decode(b"\0\x02\0\0").map_err(|e| e.fault()), Err(Fault::Code(2 << 16)));
        for bytes in [&b"\0\x03\0\0"[..], b"\0\x03\0\0user\0", b"\0\x03\0\0user\0a\0", b"\0\x03\0\0\0\0"] {
            assert!(Request::decode(bytes).is_err(), "{bytes:?}");
        }
    }

    #[test]
    fn answers() {
        for answer in [Answer::Ssl, Answer::GssEnc, Answer::Refused, Answer::Error] {
            assert_eq!(Answer::decode(answer.byte()), Ok(answer));
        }
        assert!(Answer::decode(b'X').is_err());
    }

    #[test]
    fn negotiation_golden() {
        let bytes = wrote(|out| negotiate_protocol_version(out, Version::V3_0, ["_pq_.a", "_pq_.b"]));
        assert_eq!(bytes, b"v\0\0\0\x1a\0\x03\0\0\0\0\0\x02_pq_.a\0_pq_.b\0");
        let read = NegotiateProtocolVersion::decode(&bytes[5..]).expect("reads");
        assert_eq!(read.version.to_string(), "3.0");
        assert!(read.unknown_options.iter().eq(["_pq_.a", "_pq_.b"].map(Text::from)));
        // Counts that the bytes do not hold end at once.
        assert!(NegotiateProtocolVersion::decode(b"\0\x03\0\0\x7f\xff\xff\xffa\0").is_err());
        assert!(NegotiateProtocolVersion::decode(b"\0\x03\0\0\xff\xff\xff\xffa\0").is_err());
        assert!(NegotiateProtocolVersion::decode(b"\0\x03\0\0\0\0\0\0a\0").is_err());
    }
}
