//! Rows.

use crate::frame::body::Body;
use crate::frame::{Fault, FrameError};

/// The values of a row, in the order of its relation's columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tuple<'a> {
    count: usize,
    bytes: &'a [u8],
}

/// A value of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Value<'a> {
    /// NULL.
    Null,
    /// A long value that is stored apart, has not changed, and is not sent.
    Unchanged,
    /// In text form.
    Text(&'a [u8]),
    /// In binary form.
    Binary(&'a [u8]),
}

impl<'a> Tuple<'a> {
    pub(super) fn read(b: &mut Body<'a>) -> Result<Self, FrameError> {
        let count = usize::from(b.u16()?);
        let start = b.rest();
        for _ in 0..count {
            value(b)?;
        }
        Ok(Self { count, bytes: b.since(start) })
    }

    /// How many values there are.
    pub fn len(&self) -> usize {
        self.count
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The values, in order.
    pub fn iter(&self) -> impl Iterator<Item = Value<'a>> + Clone + use<'a> {
        let mut bytes = self.bytes;
        (0..self.count).map_while(move |_| {
            let mut b = Body::new("TupleData", bytes);
            // It has been read before.
            let value = value(&mut b).ok()?;
            bytes = b.take_rest();
            Some(value)
        })
    }

    /// The `i`th value, from 0.
    pub fn get(&self, i: usize) -> Option<Value<'a>> {
        self.iter().nth(i)
    }
}

fn value<'a>(b: &mut Body<'a>) -> Result<Value<'a>, FrameError> {
    match b.u8()? {
        b'n' => Ok(Value::Null),
        b'u' => Ok(Value::Unchanged),
        b't' => sized(b).map(Value::Text),
        b'b' => sized(b).map(Value::Binary),
        other => Err(b.fault(Fault::Code(other.into()))),
    }
}

/// A length and that many bytes.
pub(super) fn sized<'a>(b: &mut Body<'a>) -> Result<&'a [u8], FrameError> {
    let length = b.i32()?;
    match usize::try_from(length) {
        Ok(length) => b.bytes(length),
        Err(_) => Err(b.fault(Fault::NegativeLength(length))),
    }
}
