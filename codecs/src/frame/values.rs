//! Views over the lists inside a message: checked in whole when it is read, iterated later.

use std::fmt;

use super::body::Body;
use super::{Fault, FrameError, Text};

/// A list of format codes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Formats<'a>(&'a [[u8; 2]]);

impl<'a> Formats<'a> {
    pub(super) fn read(body: &mut Body<'a>) -> Result<Self, FrameError> {
        let count = usize::from(body.u16()?);
        Ok(Self(body.bytes(count * 2)?.as_chunks().0))
    }

    /// How many there are.
    pub fn len(self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    pub fn is_empty(self) -> bool {
        self.0.is_empty()
    }

    /// The codes, in order.
    pub fn iter(self) -> impl ExactSizeIterator<Item = i16> + Clone + 'a {
        self.0.iter().map(|n| i16::from_be_bytes(*n))
    }
}

/// A list of type numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Oids<'a>(&'a [[u8; 4]]);

impl<'a> Oids<'a> {
    pub(super) fn read(body: &mut Body<'a>) -> Result<Self, FrameError> {
        let count = body.u16()?;
        Self::read_counted(body, count.into())
    }

    /// Reads that many.
    pub(super) fn read_counted(body: &mut Body<'a>, count: u32) -> Result<Self, FrameError> {
        let bytes = usize::try_from(count).ok().and_then(|count| count.checked_mul(4));
        Ok(Self(body.bytes(bytes.unwrap_or(usize::MAX))?.as_chunks().0))
    }

    /// How many there are.
    pub fn len(self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    pub fn is_empty(self) -> bool {
        self.0.is_empty()
    }

    /// The numbers, in order.
    pub fn iter(self) -> impl ExactSizeIterator<Item = u32> + Clone + 'a {
        self.0.iter().map(|n| u32::from_be_bytes(*n))
    }
}

/// A list of texts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Texts<'a>(&'a [u8]);

impl<'a> Texts<'a> {
    /// A list over bytes that are texts, each with its zero byte.
    pub(super) fn of(bytes: &'a [u8]) -> Self {
        debug_assert!(bytes.last().is_none_or(|&b| b == 0), "the last text has its zero byte");
        Self(bytes)
    }

    /// Reads texts up to an empty one, which is consumed.
    pub(super) fn read_to_empty(body: &mut Body<'a>) -> Result<Self, FrameError> {
        let start = body.rest();
        loop {
            let texts = body.since(start);
            if body.text()?.is_empty() {
                return Ok(Self(texts));
            }
        }
    }

    /// Reads exactly `count` texts.
    pub(super) fn read_count(body: &mut Body<'a>, count: usize) -> Result<Self, FrameError> {
        let start = body.rest();
        // A text takes at least its zero byte, so a wild count ends the loop as soon as the bytes end.
        for _ in 0..count {
            body.text()?;
        }
        Ok(Self(body.since(start)))
    }

    /// The texts, in order.
    pub fn iter(self) -> impl Iterator<Item = Text<'a>> + Clone + 'a {
        // Every text was read before, so that the last one ends with the last byte.
        self.0.split_inclusive(|&b| b == 0).map(|text| Text::from(&text[..text.len() - 1]))
    }
}

/// A list of values, each of them bytes or NULL: the columns of a row, or the parameters of a statement.
///
/// ```
/// use wreath_codecs::frame::Values;
///
/// let values = Values::new(2, &[0, 0, 0, 1, 42, 0xff, 0xff, 0xff, 0xff])?;
/// assert_eq!(values.iter().collect::<Vec<_>>(), [Some(&[42][..]), None]);
/// # Ok::<(), wreath_codecs::frame::FrameError>(())
/// ```
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub struct Values<'a> {
    count: u16,
    bytes: &'a [u8],
}

impl<'a> Values<'a> {
    /// A view over `count` values that each have their length before them.
    ///
    /// # Errors
    /// When the bytes are not exactly that many values, or there are more than 65,535.
    #[inline]
    pub fn new(count: usize, bytes: &'a [u8]) -> Result<Self, FrameError> {
        Self::within("values", count, bytes)
    }

    /// As [`new`](Self::new), for the values of `message`.
    #[inline]
    pub(super) fn within(message: &'static str, count: usize, bytes: &'a [u8]) -> Result<Self, FrameError> {
        let mut body = Body::new(message, bytes);
        let count = u16::try_from(count).map_err(|_| body.fault(Fault::Count(count)))?;
        for _ in 0..count {
            body.value()?;
        }
        body.finish()?;
        Ok(Self { count, bytes })
    }

    /// Reads a count and that many values.
    pub(super) fn read(body: &mut Body<'a>) -> Result<Self, FrameError> {
        let count = body.u16()?;
        let start = body.rest();
        for _ in 0..count {
            body.value()?;
        }
        Ok(Self { count, bytes: body.since(start) })
    }

    /// A view over the body of a DataRow that has been read before: nothing is checked again. Bytes that
    /// never were a DataRow's body make an iteration that ends early.
    ///
    /// ```
    /// use wreath_codecs::frame::Values;
    ///
    /// let row = Values::revisit(&[0, 1, 0, 0, 0, 1, 42]);
    /// assert_eq!(row.iter().next(), Some(Some(&[42][..])));
    /// ```
    #[inline]
    pub fn revisit(body: &'a [u8]) -> Self {
        match body.split_first_chunk::<2>() {
            Some((count, bytes)) => Self { count: u16::from_be_bytes(*count), bytes },
            None => Self::default(),
        }
    }

    /// How many there are.
    #[inline]
    pub fn len(self) -> usize {
        usize::from(self.count)
    }

    /// Whether there are none.
    #[inline]
    pub fn is_empty(self) -> bool {
        self.count == 0
    }

    /// The values as they travel, each with its length before it.
    #[inline]
    pub fn as_bytes(self) -> &'a [u8] {
        self.bytes
    }

    /// The values, in order.
    #[inline]
    pub fn iter(self) -> ValuesIter<'a> {
        ValuesIter { left: self.count, bytes: self.bytes }
    }
}

/// The values are left out: they are somebody's data, and can be long.
impl fmt::Debug for Values<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Values({} of {} bytes)", self.count, self.bytes.len())
    }
}

impl<'a> IntoIterator for Values<'a> {
    type Item = Option<&'a [u8]>;
    type IntoIter = ValuesIter<'a>;

    fn into_iter(self) -> ValuesIter<'a> {
        self.iter()
    }
}

/// The iterator over [`Values`].
#[derive(Clone, Debug)]
pub struct ValuesIter<'a> {
    left: u16,
    bytes: &'a [u8],
}

impl<'a> Iterator for ValuesIter<'a> {
    type Item = Option<&'a [u8]>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        self.left = self.left.checked_sub(1)?;
        let Some((length, rest)) = self.bytes.split_first_chunk::<4>() else {
            self.left = 0;
            return None;
        };
        // A negative length is NULL: others than -1 were refused when the values were checked.
        let Ok(length) = usize::try_from(i32::from_be_bytes(*length)) else {
            self.bytes = rest;
            return Some(None);
        };
        let Some((value, rest)) = rest.split_at_checked(length) else {
            self.left = 0;
            return None;
        };
        self.bytes = rest;
        Some(Some(value))
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        // At the least none: a view over bytes that were not checked may end early.
        (0, Some(usize::from(self.left)))
    }
}

impl std::iter::FusedIterator for ValuesIter<'_> {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_count_that_the_bytes_do_not_hold_is_refused() {
        let two = [0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff];
        assert!(Values::new(2, &two).is_ok());
        let fault = |count, bytes| Values::new(count, bytes).map_err(|e| e.fault());
        assert_eq!(fault(3, &two), Err(Fault::Truncated));
        assert_eq!(fault(1, &two), Err(Fault::Trailing(4)));
        assert_eq!(fault(65_536, &two), Err(Fault::Count(65_536)));
        assert_eq!(fault(1, &[0xff, 0xff, 0xff, 0xfe]), Err(Fault::NegativeLength(-2)));
        assert_eq!(fault(1, &[0x7f, 0xff, 0xff, 0xff, 1]), Err(Fault::Truncated));
    }

    #[test]
    fn a_view_over_unchecked_bytes_ends_early() {
        for body in [&b""[..], b"\0", b"\xff\xff", b"\0\x02\0\0\0\x05abc", b"\0\x01\xff\xff\xff\xfe"] {
            assert!(Values::revisit(body).iter().flatten().count() == 0);
        }
        let mut spent = Values::revisit(b"\0\x05\0\0\0\x01a\0\0").iter();
        assert_eq!(spent.next(), Some(Some(&b"a"[..])));
        assert_eq!((spent.next(), spent.next()), (None, None));
    }
}
