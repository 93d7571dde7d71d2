//! A message that is being appended.

use std::borrow::Borrow;

use bytes::{BufMut, BytesMut};

use super::{Fault, FrameError, HEADER};

/// The most that a length word can state.
const MAX_LENGTH: usize = i32::MAX as usize;

/// A message that is being appended to a buffer. It takes its bytes back unless it is finished, whether an
/// error or a panic is the reason.
pub(super) struct Frame<'b> {
    message: &'static str,
    out: &'b mut BytesMut,
    /// Where the message starts in the buffer.
    start: usize,
    /// Where its length word is.
    length: usize,
    finished: bool,
}

impl<'b> Frame<'b> {
    /// Starts a message with a tag; `size` is a guess at its body's bytes.
    pub(super) fn tagged(out: &'b mut BytesMut, message: &'static str, tag: u8, size: usize) -> Self {
        // One that is too long will be refused, so no room is made for it.
        out.reserve(if size < MAX_LENGTH { HEADER + size } else { HEADER });
        let start = out.len();
        out.put_u8(tag);
        out.put_u32(0);
        Self { message, out, start, length: start + 1, finished: false }
    }

    /// Starts a message without one, as the first of a connection is.
    pub(super) fn untagged(out: &'b mut BytesMut, message: &'static str) -> Self {
        let start = out.len();
        out.put_u32(0);
        Self { message, out, start, length: start, finished: false }
    }

    pub(super) fn u8(&mut self, n: u8) -> Result<(), FrameError> {
        self.bytes(&[n])
    }

    pub(super) fn i16(&mut self, n: i16) -> Result<(), FrameError> {
        self.bytes(&n.to_be_bytes())
    }

    pub(super) fn u32(&mut self, n: u32) -> Result<(), FrameError> {
        self.bytes(&n.to_be_bytes())
    }

    pub(super) fn i32(&mut self, n: i32) -> Result<(), FrameError> {
        self.bytes(&n.to_be_bytes())
    }

    /// Appends bytes, unless the message gets longer than a length word can state.
    pub(super) fn bytes(&mut self, bytes: &[u8]) -> Result<(), FrameError> {
        let len = (self.out.len() - self.length).saturating_add(bytes.len());
        if len > MAX_LENGTH {
            return Err(self.fault(Fault::TooLong { len, max: MAX_LENGTH }));
        }
        self.out.put_slice(bytes);
        Ok(())
    }

    /// Appends text and its zero byte.
    pub(super) fn text(&mut self, text: &[u8]) -> Result<(), FrameError> {
        if memchr::memchr(0, text).is_some() {
            return Err(self.fault(Fault::Nul));
        }
        self.bytes(text)?;
        self.u8(0)
    }

    /// Appends text of a list that empty text would end.
    pub(super) fn name(&mut self, name: &[u8]) -> Result<(), FrameError> {
        if name.is_empty() {
            return Err(self.fault(Fault::EmptyName));
        }
        self.text(name)
    }

    /// Appends a value with its length before it, or -1 for NULL.
    pub(super) fn value(&mut self, value: Option<&[u8]>) -> Result<(), FrameError> {
        let Some(bytes) = value else { return self.i32(-1) };
        let len = i32::try_from(bytes.len())
            .map_err(|_| self.fault(Fault::TooLong { len: bytes.len(), max: MAX_LENGTH }))?;
        self.i32(len)?;
        self.bytes(bytes)
    }

    /// Appends a 16-bit count and the items; answers the count.
    pub(super) fn counted<T>(
        &mut self,
        items: impl IntoIterator<Item = T>,
        mut put: impl FnMut(&mut Self, T) -> Result<(), FrameError>,
    ) -> Result<u16, FrameError> {
        let at = self.out.len();
        self.i16(0)?;
        let mut count = 0_u16;
        for item in items {
            count =
                count.checked_add(1).ok_or_else(|| self.fault(Fault::Count(usize::from(u16::MAX) + 1)))?;
            put(self, item)?;
        }
        self.out[at..at + 2].copy_from_slice(&count.to_be_bytes());
        Ok(count)
    }

    /// Appends a 16-bit count and that many 16-bit integers.
    pub(super) fn i16s(
        &mut self,
        items: impl IntoIterator<Item = impl Borrow<i16>>,
    ) -> Result<u16, FrameError> {
        self.counted(items, |frame, n| frame.i16(*n.borrow()))
    }

    /// Appends a 16-bit count and that many type numbers.
    pub(super) fn oids(
        &mut self,
        items: impl IntoIterator<Item = impl Borrow<u32>>,
    ) -> Result<u16, FrameError> {
        self.counted(items, |frame, n| frame.u32(*n.borrow()))
    }

    /// Ends the message: its length is filled in.
    pub(super) fn finish(mut self) -> Result<(), FrameError> {
        let len = self.out.len() - self.length;
        let stated = i32::try_from(len).map_err(|_| self.fault(Fault::TooLong { len, max: MAX_LENGTH }))?;
        self.out[self.length..self.length + 4].copy_from_slice(&stated.to_be_bytes());
        self.finished = true;
        Ok(())
    }

    #[cold]
    pub(super) fn fault(&self, fault: Fault) -> FrameError {
        FrameError::new(self.message, fault)
    }
}

impl Drop for Frame<'_> {
    fn drop(&mut self) {
        if !self.finished {
            self.out.truncate(self.start);
        }
    }
}

/// Appends a message that has no body.
pub(super) fn bodiless(out: &mut BytesMut, tag: u8) {
    out.put_slice(&[tag, 0, 0, 0, 4]);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refused_message_leaves_nothing() {
        let mut out = BytesMut::from(&b"before"[..]);
        let mut frame = Frame::tagged(&mut out, "Test", b'T', 0);
        frame.u32(7).expect("fits");
        assert_eq!(frame.text(b"a\0b").expect_err("a zero byte").fault(), Fault::Nul);
        drop(frame);
        assert_eq!(&out[..], b"before");
    }

    #[test]
    fn a_panic_in_a_list_leaves_nothing() {
        let mut out = BytesMut::from(&b"before"[..]);
        let caught = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            let mut frame = Frame::tagged(&mut out, "Test", b'T', 0);
            frame.i16s((0..3_i16).inspect(|&n| assert_ne!(n, 2, "on purpose")))
        }));
        assert!(caught.is_err());
        assert_eq!(&out[..], b"before");
    }

    #[test]
    fn an_endless_list_is_refused() {
        let mut out = BytesMut::new();
        let mut frame = Frame::tagged(&mut out, "Test", b'T', 0);
        let refused = frame.i16s(std::iter::repeat(1_i16)).expect_err("endless");
        assert_eq!(refused.fault(), Fault::Count(65_536));
    }

    #[test]
    fn more_than_a_length_word_states_is_refused_before_it_is_copied() {
        // The pages of this vector are never touched, so it costs no memory.
        let huge = vec![0_u8; MAX_LENGTH];
        let mut out = BytesMut::new();
        let mut frame = Frame::tagged(&mut out, "Test", b'T', huge.len());
        let refused = frame.bytes(&huge).expect_err("too long");
        assert_eq!(refused.fault(), Fault::TooLong { len: MAX_LENGTH + 4, max: MAX_LENGTH });
        drop(frame);
        assert!(out.is_empty() && out.capacity() < 1 << 20);
    }
}
