//! What the server numbers its own things with: transactions, rows and places in its log.

use std::fmt;
use std::str::FromStr;

use crate::error::{DecodeError, EncodeError, ParseError};
use crate::types::Encoder;
use crate::types::builtin::{Builtin, builtin};
use crate::types::text_form::text_form;
use crate::wire::Reader;

/// A `pg_lsn`: a place in the write-ahead log, in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PgLsn(pub u64);

/// An `xid8`: the number of a transaction, which does not wrap around.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Xid8(pub u64);

/// A `tid`: where a row is in its table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Tid {
    /// The block.
    pub block: u32,
    /// The row's place in it, from 1.
    pub offset: u16,
}

/// A `pg_snapshot`: which transactions can be seen. As a parameter it is that type; `txid_snapshot` is read too.
///
/// ```
/// use wreath_codecs::types::Snapshot;
///
/// let snapshot: Snapshot = "10:20:10,14,15".parse()?;
/// assert_eq!((snapshot.xmin(), snapshot.in_progress()), (10, &[10, 14, 15][..]));
/// # Ok::<(), wreath_codecs::ParseError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Snapshot {
    xmin: u64,
    xmax: u64,
    in_progress: Vec<u64>,
}

builtin! {
    PgLsn, 3220, 3221;
    Xid8, 5069, 271;
    Tid, 27, 1010;
    Snapshot, 5038, 5039, also 2970;
}
text_form! { PgLsn, Xid8, Tid, Snapshot }

macro_rules! numbers {
    ($($t:ty),*) => {$(
        impl Builtin<'_> for $t {
            #[inline]
            fn put(&self, out: &mut Encoder) -> Result<(), EncodeError> {
                out.put(&self.0.to_be_bytes());
                Ok(())
            }

            #[inline]
            fn get(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
                r.u64().map(Self)
            }
        }
    )*};
}

numbers!(PgLsn, Xid8);

impl fmt::Display for PgLsn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:X}/{:X}", self.0 >> 32, self.0 & 0xffff_ffff)
    }
}

impl FromStr for PgLsn {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let half = |digits: &str| u32::from_str_radix(digits, 16).ok().filter(|_| !digits.starts_with('+'));
        text.split_once('/')
            .and_then(|(high, low)| Some(Self(u64::from(half(high)?) << 32 | u64::from(half(low)?))))
            .ok_or_else(|| ParseError::new("pg_lsn", text, "not two hexadecimal numbers around a slash"))
    }
}

impl fmt::Display for Xid8 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for Xid8 {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        text.parse().map(Self).map_err(|_| ParseError::new("xid8", text, "not a number"))
    }
}

impl Builtin<'_> for Tid {
    #[inline]
    fn put(&self, out: &mut Encoder) -> Result<(), EncodeError> {
        out.put(&self.block.to_be_bytes());
        out.put(&self.offset.to_be_bytes());
        Ok(())
    }

    #[inline]
    fn get(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        Ok(Self { block: r.u32()?, offset: r.u16()? })
    }
}

impl fmt::Display for Tid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({},{})", self.block, self.offset)
    }
}

impl FromStr for Tid {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let inner = text.strip_prefix('(').and_then(|rest| rest.strip_suffix(')'));
        inner
            .and_then(|inner| inner.split_once(','))
            .and_then(|(block, offset)| {
                Some(Self { block: block.parse().ok()?, offset: offset.parse().ok()? })
            })
            .ok_or_else(|| ParseError::new("tid", text, "not (block,offset)"))
    }
}

impl Snapshot {
    /// The snapshot of these numbers; `None` unless they are as the server has them: `in_progress` ascending,
    /// from `xmin` (at least 1) on and below `xmax`.
    pub fn new(xmin: u64, xmax: u64, in_progress: Vec<u64>) -> Option<Self> {
        let within = in_progress.iter().all(|xid| (xmin..xmax).contains(xid));
        let ordered = xmin > 0 && xmin <= xmax;
        (within && ordered && in_progress.is_sorted_by(|a, b| a < b)).then_some(Self {
            xmin,
            xmax,
            in_progress,
        })
    }

    /// The first transaction that was still running; all before it have ended.
    pub fn xmin(&self) -> u64 {
        self.xmin
    }

    /// The first transaction that had not begun.
    pub fn xmax(&self) -> u64 {
        self.xmax
    }

    /// Those between the two that were running.
    pub fn in_progress(&self) -> &[u64] {
        &self.in_progress
    }
}

impl Builtin<'_> for Snapshot {
    fn put(&self, out: &mut Encoder) -> Result<(), EncodeError> {
        let count = i32::try_from(self.in_progress.len());
        out.put_i32(count.map_err(|_| EncodeError::new("a snapshot of too many transactions"))?);
        for xid in [self.xmin, self.xmax].iter().chain(&self.in_progress) {
            out.put(&xid.to_be_bytes());
        }
        Ok(())
    }

    fn get(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let (count, xmin, xmax) = (r.u32()?, r.u64()?, r.u64()?);
        let bytes = usize::try_from(count).ok().and_then(|n| n.checked_mul(8));
        let bytes = r.bytes(bytes.unwrap_or(usize::MAX))?;
        let in_progress = bytes.as_chunks::<8>().0.iter().map(|&xid| u64::from_be_bytes(xid)).collect();
        Self::new(xmin, xmax, in_progress).ok_or_else(|| DecodeError::invalid("a snapshot out of order"))
    }
}

impl fmt::Display for Snapshot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:", self.xmin, self.xmax)?;
        for (i, xid) in self.in_progress.iter().enumerate() {
            write!(f, "{}{xid}", if i > 0 { "," } else { "" })?;
        }
        Ok(())
    }
}

impl FromStr for Snapshot {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let scan = || {
            let (xmin, rest) = text.split_once(':')?;
            let (xmax, list) = rest.split_once(':')?;
            let list = if list.is_empty() { None } else { Some(list.split(',')) };
            let in_progress = list.into_iter().flatten().map(str::parse).collect::<Result<_, _>>().ok()?;
            Self::new(xmin.parse().ok()?, xmax.parse().ok()?, in_progress)
        };
        scan().ok_or_else(|| ParseError::new("pg_snapshot", text, "not xmin:xmax:xid,..."))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_out_of_order_is_refused() {
        for text in ["", "1:2", "0:1:", "2:1:", "1:5:3,2", "1:5:5", "1:5:3,3", "1:5:x", "1:5:,"] {
            assert!(text.parse::<Snapshot>().is_err(), "{text}");
        }
        assert!(Snapshot::get(&mut Reader::new(&[0xff; 24])).is_err());
        assert!("1/2/3".parse::<PgLsn>().is_err() && "123456789/0".parse::<PgLsn>().is_err());
        assert!("(1,65536)".parse::<Tid>().is_err() && "1,2".parse::<Tid>().is_err());
    }
}
