//! What streaming replication sends inside of CopyData (PostgreSQL manual, "Streaming Replication Protocol",
//! START_REPLICATION).
//!
//! Positions in the log are bytes from its beginning, as `pg_lsn` has them. Clocks are microseconds since 2000-01-01
//! 00:00 UTC, as `timestamptz` has them.

use bytes::BytesMut;

use super::body::Body;
use super::write::Frame;
use super::{Fault, FrameError};

/// What a server sends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FromServer<'a> {
    /// A part of the log, or a message of an output plug-in.
    Wal(WalData<'a>),
    /// The server is there.
    Keepalive(Keepalive),
}

/// XLogData.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WalData<'a> {
    /// Where the data begins in the log; 0 where an output plug-in says something that is in none.
    pub start: u64,
    /// Where the log ended on the server.
    pub end: u64,
    /// The server's clock.
    pub clock: i64,
    /// The data: one message of the output plug-in.
    pub data: &'a [u8],
}

/// Primary keepalive message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Keepalive {
    /// Where the log ended on the server.
    pub end: u64,
    /// The server's clock.
    pub clock: i64,
    /// Whether the server ends the session unless it hears of the client soon.
    pub reply: bool,
}

/// Standby status update: how far the client has got.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StatusUpdate {
    /// Behind the last byte that has arrived.
    pub written: u64,
    /// Behind the last byte that has been stored for good: the server may forget what was before.
    pub flushed: u64,
    /// Behind the last byte that has taken effect.
    pub applied: u64,
    /// The client's clock.
    pub clock: i64,
    /// Whether the server is to answer at once.
    pub reply: bool,
}

impl<'a> FromServer<'a> {
    /// Reads the body of a CopyData.
    ///
    /// # Errors
    /// When it is none of these messages.
    pub fn decode(body: &'a [u8]) -> Result<Self, FrameError> {
        match body.first() {
            Some(b'w') => {
                let mut b = Body::new("XLogData", &body[1..]);
                let (start, end, clock) = (b.u64()?, b.u64()?, b.i64()?);
                Ok(Self::Wal(WalData { start, end, clock, data: b.take_rest() }))
            }
            Some(b'k') => {
                let mut b = Body::new("primary keepalive", &body[1..]);
                let keepalive = Keepalive { end: b.u64()?, clock: b.i64()?, reply: flag(&mut b)? };
                b.finish()?;
                Ok(Self::Keepalive(keepalive))
            }
            Some(&other) => Err(FrameError::new("replication message", Fault::Tag(other))),
            None => Err(FrameError::new("replication message", Fault::Truncated)),
        }
    }

    /// Appends it as a CopyData.
    ///
    /// # Errors
    /// When it is longer than 2 GiB.
    pub fn encode(&self, out: &mut BytesMut) -> Result<(), FrameError> {
        let mut frame;
        match self {
            Self::Wal(wal) => {
                frame = Frame::tagged(out, "XLogData", b'd', wal.data.len() + 25);
                frame.u8(b'w')?;
                frame.bytes(&wal.start.to_be_bytes())?;
                frame.bytes(&wal.end.to_be_bytes())?;
                frame.bytes(&wal.clock.to_be_bytes())?;
                frame.bytes(wal.data)?;
            }
            Self::Keepalive(keepalive) => {
                frame = Frame::tagged(out, "primary keepalive", b'd', 18);
                frame.u8(b'k')?;
                frame.bytes(&keepalive.end.to_be_bytes())?;
                frame.bytes(&keepalive.clock.to_be_bytes())?;
                frame.u8(keepalive.reply.into())?;
            }
        }
        frame.finish()
    }
}

impl StatusUpdate {
    /// Reads the body of a CopyData.
    ///
    /// # Errors
    /// When it is no such message.
    pub fn decode(body: &[u8]) -> Result<Self, FrameError> {
        let mut b = Body::new("standby status update", body);
        match b.u8()? {
            b'r' => {}
            other => return Err(b.fault(Fault::Tag(other))),
        }
        let update = Self {
            written: b.u64()?,
            flushed: b.u64()?,
            applied: b.u64()?,
            clock: b.i64()?,
            reply: flag(&mut b)?,
        };
        b.finish()?;
        Ok(update)
    }

    /// The body of the CopyData that it travels in.
    pub fn to_bytes(&self) -> [u8; 34] {
        let mut bytes = [0; 34];
        bytes[0] = b'r';
        bytes[1..9].copy_from_slice(&self.written.to_be_bytes());
        bytes[9..17].copy_from_slice(&self.flushed.to_be_bytes());
        bytes[17..25].copy_from_slice(&self.applied.to_be_bytes());
        bytes[25..33].copy_from_slice(&self.clock.to_be_bytes());
        bytes[33] = self.reply.into();
        bytes
    }
}

/// A byte that is 0 or 1.
pub(super) fn flag(b: &mut Body<'_>) -> Result<bool, FrameError> {
    match b.u8()? {
        0 => Ok(false),
        1 => Ok(true),
        other => Err(b.fault(Fault::Code(other.into()))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_server_sends_golden() {
        let wal = FromServer::Wal(WalData { start: 0x0102, end: 0x0103, clock: -1, data: b"B" });
        let keepalive = FromServer::Keepalive(Keepalive { end: 7, clock: 8, reply: true });
        for (message, golden) in [
            (
                wal,
                &b"d\0\0\0\x1ew\0\0\0\0\0\0\x01\x02\0\0\0\0\0\0\x01\x03\xff\xff\xff\xff\xff\xff\xff\xffB"[..],
            ),
            (keepalive, b"d\0\0\0\x16k\0\0\0\0\0\0\0\x07\0\0\0\0\0\0\0\x08\x01"),
        ] {
            let mut out = BytesMut::new();
            message.encode(&mut out).expect("can be sent");
            assert_eq!(&out[..], golden);
            assert_eq!(FromServer::decode(&golden[5..]), Ok(message));
            for end in 5..golden.len() - 1 {
                assert!(FromServer::decode(&golden[5..end]).is_err() || golden[5] == b'w' && end >= 30);
            }
        }
        assert!(FromServer::decode(b"").is_err() && FromServer::decode(b"z").is_err());
        assert!(FromServer::decode(b"k\0\0\0\0\0\0\0\x07\0\0\0\0\0\0\0\x08\x02").is_err());
    }

    #[test]
    fn status_updates_are_read_as_they_were_written() {
        let update = StatusUpdate { written: 3, flushed: 2, applied: 1, clock: 9, reply: true };
        let bytes = update.to_bytes();
        assert_eq!(StatusUpdate::decode(&bytes), Ok(update));
        assert_eq!(bytes[..10], *b"r\0\0\0\0\0\0\0\x03\0");
        assert!(StatusUpdate::decode(&bytes[..33]).is_err() && StatusUpdate::decode(b"h").is_err());
    }
}
