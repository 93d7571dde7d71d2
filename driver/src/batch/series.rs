//! The values of one column.

use wreath_codecs::{EncodeError, Encoder, Type};

use super::Element;
use super::element::Fixed;
use super::nulls::Nulls;
use crate::error::Result;
use crate::row::{Column, DecodeOwned, cannot_read, check};

/// The values of one column of a [`Batch`](crate::Batch).
///
/// A type of fixed width is kept as a slice of its values, every other one as the bytes of its binary form, end to end.
#[derive(Clone, Debug)]
pub struct Series {
    column: Column,
    nulls: Nulls,
    values: Values,
}

#[derive(Clone, Debug)]
enum Values {
    Fixed(Fixed),
    /// All bytes, and where each value ends in them.
    Bytes {
        bytes: Vec<u8>,
        ends: Vec<usize>,
    },
}

impl Series {
    pub(super) fn new(column: &Column, rows: usize) -> Self {
        let values = match Fixed::of_type(&column.read_as, rows) {
            Some(fixed) => Values::Fixed(fixed),
            None => Values::Bytes { bytes: Vec::new(), ends: Vec::with_capacity(rows) },
        };
        Self { column: column.clone(), nulls: Nulls::default(), values }
    }

    /// The column that the values are of.
    pub fn column(&self) -> &Column {
        &self.column
    }

    /// How many values there are, NULLs among them.
    pub fn len(&self) -> usize {
        match &self.values {
            Values::Fixed(values) => values.len(),
            Values::Bytes { ends, .. } => ends.len(),
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many values are NULL.
    pub fn null_count(&self) -> usize {
        self.nulls.count()
    }

    /// Whether the `i`th value, from 0, is NULL; `false` behind the last.
    pub fn is_null(&self, i: usize) -> bool {
        self.nulls.contains(i)
    }

    /// The values as a slice, if the column's type is `T`'s. What stands in the place of a NULL has no meaning: ask
    /// [`is_null`](Self::is_null), unless [`null_count`](Self::null_count) is 0.
    pub fn values<T: Element>(&self) -> Option<&[T]> {
        match &self.values {
            Values::Fixed(values) => T::of(values),
            Values::Bytes { .. } => None,
        }
    }

    /// The values as [`values`](Self::values) has them, moved out without a copy.
    pub fn into_values<T: Element>(self) -> Option<Vec<T>> {
        match self.values {
            Values::Fixed(values) => T::take(values),
            Values::Bytes { .. } => None,
        }
    }

    /// The bytes of the `i`th value in binary form; `None` for NULL, behind the last, and where the column is one of
    /// [`values`](Self::values).
    pub fn bytes(&self, i: usize) -> Option<&[u8]> {
        let Values::Bytes { bytes, ends } = &self.values else { return None };
        if self.nulls.contains(i) {
            return None;
        }
        let end = *ends.get(i)?;
        let start = if i == 0 { 0 } else { ends[i - 1] };
        bytes.get(start..end)
    }

    /// The `i`th value as text: of a `text`, `varchar`, `char(n)`, `name` or an enum, and of a type that the server sends
    /// as text. `None` as in [`bytes`](Self::bytes), and where it is no text.
    pub fn text(&self, i: usize) -> Option<&str> {
        if !<&str as wreath_codecs::Decode<'_>>::accepts(&self.column.read_as) {
            return None;
        }
        std::str::from_utf8(self.bytes(i)?).ok()
    }

    /// Each value read as a `T`, which is an `Option` where there are NULLs.
    ///
    /// # Errors
    /// `Decode`, when the column's type is not `T`'s, and when a value is NULL or cannot be held.
    pub fn to_vec<T: DecodeOwned>(&self) -> Result<Vec<T>> {
        check::<T>(&self.column)?;
        let mut scratch = Encoder::new();
        let mut vec = Vec::with_capacity(self.len());
        for i in 0..self.len() {
            scratch.clear();
            let value = self.wire(i, &mut scratch)?;
            vec.push(T::decode_value(self.read_as(), value).map_err(|e| cannot_read(&self.column, e))?);
        }
        Ok(vec)
    }

    pub(super) fn read_as(&self) -> &Type {
        &self.column.read_as
    }

    /// The `i`th value as it arrived; `scratch`, which is empty, may be where it is.
    fn wire<'a>(
        &'a self,
        i: usize,
        scratch: &'a mut Encoder,
    ) -> std::result::Result<Option<&'a [u8]>, EncodeError> {
        if self.is_null(i) {
            return Ok(None);
        }
        match &self.values {
            Values::Fixed(values) => {
                values.encode(i, scratch)?;
                // Behind its length.
                Ok(scratch.as_bytes().get(4..))
            }
            Values::Bytes { .. } => Ok(self.bytes(i)),
        }
    }

    /// Appends a value that arrived.
    #[inline]
    pub(super) fn push(&mut self, value: Option<&[u8]>) -> Result<()> {
        if value.is_none() {
            self.nulls.insert(self.len());
        }
        match &mut self.values {
            Values::Fixed(values) => values
                .push(&self.column.read_as, value)
                .map_err(|e| cannot_read(&self.column, e.of(&self.column.ty)))?,
            Values::Bytes { bytes, ends } => {
                bytes.extend_from_slice(value.unwrap_or_default());
                ends.push(bytes.len());
            }
        }
        Ok(())
    }

    /// Appends the `i`th value as it travels in a row.
    pub(super) fn encode(&self, i: usize, out: &mut Encoder) -> std::result::Result<(), EncodeError> {
        if self.is_null(i) {
            out.put_i32(-1);
            return Ok(());
        }
        match &self.values {
            Values::Fixed(values) => values.encode(i, out),
            Values::Bytes { .. } => out.put_sized(|out| {
                out.put(self.bytes(i).unwrap_or_default());
                Ok(())
            }),
        }
    }

    /// The values at these places, which all are inside, in their order.
    pub(super) fn gather(&self, places: &[usize]) -> Self {
        let values = match &self.values {
            Values::Fixed(values) => Values::Fixed(values.gather(places)),
            Values::Bytes { .. } => {
                let value = |place: &usize| self.bytes(*place).unwrap_or_default();
                let mut bytes = Vec::with_capacity(places.iter().map(|place| value(place).len()).sum());
                let mut ends = Vec::with_capacity(places.len());
                for place in places {
                    bytes.extend_from_slice(value(place));
                    ends.push(bytes.len());
                }
                Values::Bytes { bytes, ends }
            }
        };
        Self { column: self.column.clone(), nulls: self.nulls.gather(places), values }
    }

    /// Whether another's values can be appended: whether they have the same type and form.
    pub(super) fn fits(&self, other: &Self) -> bool {
        self.column.ty == other.column.ty && self.column.read_as == other.column.read_as
    }

    /// Appends the values of another that [fits](Self::fits).
    pub(super) fn append(&mut self, other: Self) {
        self.nulls.append(self.len(), &other.nulls, other.len());
        match (&mut self.values, other.values) {
            (Values::Fixed(values), Values::Fixed(more)) => {
                let same = values.append(more);
                debug_assert!(same, "one type has one form");
            }
            (Values::Bytes { bytes, ends }, Values::Bytes { bytes: more, ends: others }) => {
                let start = bytes.len();
                bytes.extend_from_slice(&more);
                ends.extend(others.iter().map(|end| start + end));
            }
            _ => debug_assert!(false, "one type has one form"),
        }
    }
}
