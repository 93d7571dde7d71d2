//! The cursor over bytes that a peer sent.
//!
//! Everything is big-endian, as the protocol has it (PostgreSQL manual, "Message Data Types").

use crate::error::{DecodeError, DecodeErrorKind};

/// A checked cursor over borrowed bytes: each read either yields its bytes or says that they are missing.
///
/// ```
/// use wreath_codecs::wire::Reader;
///
/// let mut r = Reader::new(&[0, 0, 0, 7, b'h', b'i', 0]);
/// assert_eq!(r.i32()?, 7);
/// assert_eq!(r.cstr()?, b"hi");
/// assert!(r.u8().is_err());
/// # Ok::<(), wreath_codecs::DecodeError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Reader<'a>(&'a [u8]);

macro_rules! integers {
    ($($name:ident: $t:ty),* $(,)?) => {$(
        #[doc = concat!("Reads one `", stringify!($t), "`.")]
        #[inline]
        pub fn $name(&mut self) -> Result<$t, DecodeError> {
            self.array().map(<$t>::from_be_bytes)
        }
    )*};
}

impl<'a> Reader<'a> {
    /// A cursor at the start of `bytes`.
    #[inline]
    pub fn new(bytes: &'a [u8]) -> Self {
        Self(bytes)
    }

    integers! { u8: u8, i8: i8, u16: u16, i16: i16, u32: u32, i32: i32, u64: u64, i64: i64, f32: f32, f64: f64 }

    /// Reads exactly `N` bytes.
    #[inline]
    pub fn array<const N: usize>(&mut self) -> Result<[u8; N], DecodeError> {
        let (head, rest) = self.0.split_first_chunk::<N>().ok_or_else(truncated)?;
        self.0 = rest;
        Ok(*head)
    }

    /// Reads exactly `n` bytes, borrowed.
    #[inline]
    pub fn bytes(&mut self, n: usize) -> Result<&'a [u8], DecodeError> {
        let (head, rest) = self.0.split_at_checked(n).ok_or_else(truncated)?;
        self.0 = rest;
        Ok(head)
    }

    /// Reads up to a zero byte, which is consumed and not part of the answer.
    #[inline]
    pub fn cstr(&mut self) -> Result<&'a [u8], DecodeError> {
        let end = memchr::memchr(0, self.0).ok_or_else(truncated)?;
        let (head, rest) = self.0.split_at(end);
        self.0 = &rest[1..];
        Ok(head)
    }

    /// Reads a length and that many bytes; length -1 is `None`, as NULL travels. Any other negative
    /// length is an error.
    #[inline]
    pub fn value(&mut self) -> Result<Option<&'a [u8]>, DecodeError> {
        let n = self.i32()?;
        match usize::try_from(n) {
            Ok(n) => self.bytes(n).map(Some),
            Err(_) if n == -1 => Ok(None),
            Err(_) => Err(DecodeError::invalid(format!("negative length {n}"))),
        }
    }

    /// What has not been read.
    #[inline]
    pub fn rest(&self) -> &'a [u8] {
        self.0
    }

    /// How many bytes have not been read.
    #[inline]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether everything has been read.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Fails unless everything has been read.
    #[inline]
    pub fn finish(self) -> Result<(), DecodeError> {
        match self.0.len() {
            0 => Ok(()),
            n => Err(trailing(n)),
        }
    }
}

#[cold]
fn truncated() -> DecodeError {
    DecodeError::new(DecodeErrorKind::Truncated, "the bytes end before the value does")
}

#[cold]
fn trailing(n: usize) -> DecodeError {
    DecodeError::new(DecodeErrorKind::Trailing, format!("{n} bytes are left over after the value"))
}
