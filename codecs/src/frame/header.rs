//! The tag and the length that a message starts with.

use super::{Fault, FrameError};

/// How many bytes a tag and a length take.
pub const HEADER: usize = 5;

/// The start of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header {
    /// Which message it is.
    pub tag: u8,
    /// The bytes of the whole message, with the tag and the length; at least [`HEADER`].
    pub len: usize,
}

/// Reads the tag and the length of the message that `bytes` start with; `None` asks for more bytes. The body
/// is not looked at, and need not have arrived.
///
/// # Errors
/// When the length is below 4 or negative, and when the whole message is longer than `max_len` bytes.
#[inline]
pub fn header(bytes: &[u8], max_len: usize) -> Result<Option<Header>, FrameError> {
    let Some(&[tag, a, b, c, d]) = bytes.first_chunk::<HEADER>() else { return Ok(None) };
    // The stated length counts itself, and not the tag.
    let stated = i32::from_be_bytes([a, b, c, d]);
    let len = match usize::try_from(stated) {
        Ok(n) if n >= HEADER - 1 => n + 1,
        _ => return Err(FrameError::new("header", Fault::Length(stated))),
    };
    if len > max_len {
        return Err(FrameError::new("header", Fault::TooLong { len, max: max_len }));
    }
    Ok(Some(Header { tag, len }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_length_is_checked_before_the_body_arrives() {
        assert_eq!(header(b"", 100), Ok(None));
        assert_eq!(header(b"D\0\0\0", 100), Ok(None));
        assert_eq!(header(b"D\0\0\0\x04", 100), Ok(Some(Header { tag: b'D', len: 5 })));
        assert_eq!(header(b"D\0\0\0\x63", 100), Ok(Some(Header { tag: b'D', len: 100 })));
        let fault = |bytes: &[u8]| header(bytes, 100).map_err(|e| e.fault());
        assert_eq!(fault(b"D\0\0\0\x64"), Err(Fault::TooLong { len: 101, max: 100 }));
        assert_eq!(fault(b"D\0\0\0\x03"), Err(Fault::Length(3)));
        assert_eq!(fault(b"D\0\0\0\0"), Err(Fault::Length(0)));
        assert_eq!(fault(b"D\xff\xff\xff\xff"), Err(Fault::Length(-1)));
        assert_eq!(fault(b"D\x80\0\0\0"), Err(Fault::Length(i32::MIN)));
        assert_eq!(fault(b"D\x7f\xff\xff\xff"), Err(Fault::TooLong { len: 1 << 31, max: 100 }));
    }
}
