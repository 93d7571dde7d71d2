//! The cursor over a message's body, whose errors name the message.

use super::{Fault, FrameError, Text};
use crate::wire::Reader;

pub(super) struct Body<'a> {
    message: &'static str,
    reader: Reader<'a>,
}

impl<'a> Body<'a> {
    #[inline]
    pub(super) fn new(message: &'static str, bytes: &'a [u8]) -> Self {
        Self { message, reader: Reader::new(bytes) }
    }

    #[inline]
    pub(super) fn u8(&mut self) -> Result<u8, FrameError> {
        self.array().map(u8::from_be_bytes)
    }

    #[inline]
    pub(super) fn i8(&mut self) -> Result<i8, FrameError> {
        self.array().map(i8::from_be_bytes)
    }

    #[inline]
    pub(super) fn u16(&mut self) -> Result<u16, FrameError> {
        self.array().map(u16::from_be_bytes)
    }

    #[inline]
    pub(super) fn i16(&mut self) -> Result<i16, FrameError> {
        self.array().map(i16::from_be_bytes)
    }

    #[inline]
    pub(super) fn u32(&mut self) -> Result<u32, FrameError> {
        self.array().map(u32::from_be_bytes)
    }

    #[inline]
    pub(super) fn i32(&mut self) -> Result<i32, FrameError> {
        self.array().map(i32::from_be_bytes)
    }

    #[inline]
    pub(super) fn u64(&mut self) -> Result<u64, FrameError> {
        self.array().map(u64::from_be_bytes)
    }

    #[inline]
    pub(super) fn i64(&mut self) -> Result<i64, FrameError> {
        self.array().map(i64::from_be_bytes)
    }

    #[inline]
    pub(super) fn array<const N: usize>(&mut self) -> Result<[u8; N], FrameError> {
        // The length is asked first, because the reader's own error would be allocated.
        if self.reader.len() < N {
            return Err(self.fault(Fault::Truncated));
        }
        self.reader.array().map_err(|_| self.fault(Fault::Truncated))
    }

    #[inline]
    pub(super) fn bytes(&mut self, n: usize) -> Result<&'a [u8], FrameError> {
        if self.reader.len() < n {
            return Err(self.fault(Fault::Truncated));
        }
        self.reader.bytes(n).map_err(|_| self.fault(Fault::Truncated))
    }

    /// Text up to its zero byte.
    #[inline]
    pub(super) fn text(&mut self) -> Result<Text<'a>, FrameError> {
        self.reader.cstr().map(Text::from).map_err(|_| self.fault(Fault::Truncated))
    }

    /// A length and that many bytes, or `None` for length -1.
    #[inline]
    pub(super) fn value(&mut self) -> Result<Option<&'a [u8]>, FrameError> {
        let n = self.i32()?;
        match usize::try_from(n) {
            Ok(n) => self.bytes(n).map(Some),
            Err(_) if n == -1 => Ok(None),
            Err(_) => Err(self.fault(Fault::NegativeLength(n))),
        }
    }

    /// What has not been read.
    #[inline]
    pub(super) fn rest(&self) -> &'a [u8] {
        self.reader.rest()
    }

    /// Everything that has not been read.
    #[inline]
    pub(super) fn take_rest(self) -> &'a [u8] {
        self.reader.rest()
    }

    /// What has been read since `before` was the rest.
    #[inline]
    pub(super) fn since(&self, before: &'a [u8]) -> &'a [u8] {
        &before[..before.len() - self.reader.len()]
    }

    /// Fails unless everything has been read.
    #[inline]
    pub(super) fn finish(self) -> Result<(), FrameError> {
        match self.reader.len() {
            0 => Ok(()),
            n => Err(self.fault(Fault::Trailing(n))),
        }
    }

    #[cold]
    pub(super) fn fault(&self, fault: Fault) -> FrameError {
        FrameError::new(self.message, fault)
    }
}

/// Checks the body of a message that has none.
#[inline]
pub(super) fn empty(message: &'static str, bytes: &[u8]) -> Result<(), FrameError> {
    Body::new(message, bytes).finish()
}
