//! The buffers that values are encoded into.

use smallvec::SmallVec;

use crate::error::EncodeError;
use crate::types::{Encode, Oid};

/// The most parameters that a statement can have: their count travels as 16 bits (PostgreSQL manual,
/// "Message Formats", Bind).
const MAX_PARAMETERS: usize = u16::MAX as usize;

/// Bytes in wire form, and the places in them where the number of a named type belongs.
///
/// Values are often encoded before a connection is known. A type that each database numbers for itself
/// (see [`Oid`]) leaves a hole, which [`patch`](Self::patch) fills.
#[derive(Clone, Debug, Default)]
pub struct Encoder {
    bytes: SmallVec<[u8; 128]>,
    holes: SmallVec<[(usize, Oid); 1]>,
}

impl Encoder {
    /// An empty buffer; 128 bytes fit without an allocation.
    pub fn new() -> Self {
        Self::default()
    }

    /// Appends `bytes`.
    #[inline]
    pub fn put(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    /// Appends one byte.
    #[inline]
    pub fn put_u8(&mut self, byte: u8) {
        self.bytes.push(byte);
    }

    /// Appends a 16-bit integer.
    #[inline]
    pub fn put_i16(&mut self, n: i16) {
        self.put(&n.to_be_bytes());
    }

    /// Appends a 32-bit integer.
    #[inline]
    pub fn put_i32(&mut self, n: i32) {
        self.put(&n.to_be_bytes());
    }

    /// Appends a 64-bit integer.
    #[inline]
    pub fn put_i64(&mut self, n: i64) {
        self.put(&n.to_be_bytes());
    }

    /// Appends the number of a type: as it is, or as a hole that [`patch`](Self::patch) fills.
    pub fn put_oid(&mut self, oid: Oid) {
        if oid.fixed().is_none() {
            self.holes.push((self.bytes.len(), oid));
        }
        self.put(&oid.fixed().unwrap_or(0).to_be_bytes());
    }

    /// Appends a value as it travels: its length and its bytes, or -1 for NULL. After an error, and after a
    /// panic in the value's own code, the buffer is as it was before.
    ///
    /// # Errors
    /// As the value's [`encode`](Encode::encode), and when it is longer than 2 GiB.
    #[inline]
    pub fn put_value<T: Encode + ?Sized>(&mut self, value: &T) -> Result<(), EncodeError> {
        if value.is_null() {
            self.put_i32(-1);
            return Ok(());
        }
        self.put_sized(|out| value.encode(out))
    }

    /// Appends what `write` appends, with its length before it. After an error, and after a panic in
    /// `write`, the buffer is as it was before.
    ///
    /// # Errors
    /// Those of `write`, and when it appends more than 2 GiB.
    #[inline]
    pub fn put_sized(
        &mut self,
        write: impl FnOnce(&mut Self) -> Result<(), EncodeError>,
    ) -> Result<(), EncodeError> {
        let guard = Unfinished { start: self.bytes.len(), holes: self.holes.len(), out: self };
        guard.out.put_i32(0);
        write(guard.out)?;
        let length = guard.out.bytes.len() - guard.start - 4;
        let length = i32::try_from(length)
            .map_err(|_| EncodeError::new(format!("a value of {length} bytes is longer than 2 GiB")))?;
        guard.out.bytes[guard.start..guard.start + 4].copy_from_slice(&length.to_be_bytes());
        std::mem::forget(guard);
        Ok(())
    }

    /// Overwrites the 32-bit integer at `at`, which has been appended before.
    ///
    /// # Panics
    /// When fewer than four bytes follow `at`.
    pub fn set_i32(&mut self, at: usize, n: i32) {
        self.bytes[at..at + 4].copy_from_slice(&n.to_be_bytes());
    }

    /// The bytes so far.
    #[inline]
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// How many bytes there are.
    #[inline]
    pub fn len(&self) -> usize {
        self.bytes.len()
    }

    /// Whether there are none.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// The named types whose numbers are missing, in the order of their places.
    pub fn unresolved(&self) -> impl Iterator<Item = Oid> + '_ {
        self.holes.iter().map(|&(_, oid)| oid)
    }

    /// Fills the holes with what `number` answers. Holes it has no answer for stay.
    pub fn patch(&mut self, mut number: impl FnMut(Oid) -> Option<u32>) {
        let bytes = &mut self.bytes;
        self.holes.retain(|&mut (at, oid)| match number(oid) {
            Some(n) => {
                bytes[at..at + 4].copy_from_slice(&n.to_be_bytes());
                false
            }
            None => true,
        });
    }

    /// Empties the buffer and keeps its memory.
    pub fn clear(&mut self) {
        self.bytes.clear();
        self.holes.clear();
    }

    /// Appends all of `other`.
    pub fn append(&mut self, other: &Self) {
        let base = self.bytes.len();
        self.put(&other.bytes);
        self.holes.extend(other.holes.iter().map(|&(at, oid)| (base + at, oid)));
    }
}

/// A value that is being appended; takes its bytes back unless it is forgotten.
struct Unfinished<'a> {
    out: &'a mut Encoder,
    start: usize,
    holes: usize,
}

impl Drop for Unfinished<'_> {
    fn drop(&mut self) {
        self.out.bytes.truncate(self.start);
        self.out.holes.truncate(self.holes);
    }
}

/// The encoded parameters of one statement: their types, and their values as they travel in a Bind message.
///
/// ```
/// use wreath_codecs::ParamBuf;
///
/// let mut params = ParamBuf::new();
/// params.push(&7_i32)?;
/// params.push(&None::<i64>)?;
/// assert_eq!(params.len(), 2);
/// assert_eq!(params.values().as_bytes(), [0, 0, 0, 4, 0, 0, 0, 7, 0xff, 0xff, 0xff, 0xff]);
/// # Ok::<(), wreath_codecs::EncodeError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct ParamBuf {
    values: Encoder,
    types: SmallVec<[Oid; 8]>,
}

impl ParamBuf {
    /// No parameters.
    pub fn new() -> Self {
        Self::default()
    }

    /// Appends a parameter. After an error the buffer is as it was before.
    ///
    /// # Errors
    /// As the value's [`encode`](Encode::encode), naming its place; and when there are already 65,535.
    #[inline]
    pub fn push<T: Encode + ?Sized>(&mut self, value: &T) -> Result<(), EncodeError> {
        let oid = value.oid();
        self.push_with(oid, |out| out.put_value(value))
    }

    /// Appends a parameter of type `oid`, whose length and bytes (or -1) `write` appends.
    ///
    /// # Errors
    /// Those of `write`, naming the parameter's place; and when there are already 65,535.
    #[inline]
    pub fn push_with(
        &mut self,
        oid: Oid,
        write: impl FnOnce(&mut Encoder) -> Result<(), EncodeError>,
    ) -> Result<(), EncodeError> {
        let place = self.types.len() + 1;
        if place > MAX_PARAMETERS {
            return Err(EncodeError::new("a statement takes at most 65535 parameters").at(place));
        }
        write(&mut self.values).map_err(|e| e.at(place))?;
        self.types.push(oid);
        Ok(())
    }

    /// Appends all of `other`'s parameters.
    ///
    /// # Errors
    /// When there would be more than 65,535.
    pub fn append(&mut self, other: &Self) -> Result<(), EncodeError> {
        if self.types.len() + other.types.len() > MAX_PARAMETERS {
            return Err(EncodeError::new("a statement takes at most 65535 parameters"));
        }
        self.values.append(&other.values);
        self.types.extend_from_slice(&other.types);
        Ok(())
    }

    /// How many parameters there are.
    pub fn len(&self) -> usize {
        self.types.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.types.is_empty()
    }

    /// Their types. A parameter whose type is [`Oid::UNSPECIFIED`] is in text form, every other in binary.
    pub fn types(&self) -> &[Oid] {
        &self.types
    }

    /// Their values, each with its length before it.
    pub fn values(&self) -> &Encoder {
        &self.values
    }

    /// The named types whose numbers are missing, in the values and among [`types`](Self::types).
    pub fn unresolved(&self) -> impl Iterator<Item = Oid> + '_ {
        self.types.iter().copied().filter(|oid| oid.fixed().is_none()).chain(self.values.unresolved())
    }

    /// Whether every type has its number.
    pub fn is_resolved(&self) -> bool {
        self.unresolved().next().is_none()
    }

    /// Fills in the numbers of named types, in the values and among [`types`](Self::types).
    pub fn resolve(&mut self, mut number: impl FnMut(Oid) -> Option<u32>) {
        for oid in &mut self.types {
            if oid.fixed().is_none()
                && let Some(n) = number(*oid)
            {
                *oid = Oid::Fixed(n);
            }
        }
        self.values.patch(number);
    }

    /// Empties the buffer and keeps its memory.
    pub fn clear(&mut self) {
        self.values.clear();
        self.types.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Fails;

    impl Encode for Fails {
        fn oid(&self) -> Oid {
            Oid::UNSPECIFIED
        }

        fn encode(&self, out: &mut Encoder) -> Result<(), EncodeError> {
            out.put(b"half");
            out.put_oid(Oid::named("mood"));
            Err(EncodeError::new("no"))
        }
    }

    struct Panics;

    impl Encode for Panics {
        fn oid(&self) -> Oid {
            Oid::UNSPECIFIED
        }

        fn encode(&self, out: &mut Encoder) -> Result<(), EncodeError> {
            out.put(b"half");
            panic!("on purpose")
        }
    }

    #[test]
    fn a_failed_or_panicked_value_leaves_nothing() {
        let mut params = ParamBuf::new();
        params.push(&1_i32).expect("encodes");
        let before = params.values().as_bytes().to_vec();
        assert_eq!(params.push(&Fails).expect_err("fails").position(), Some(2));
        let caught = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| params.push(&Panics)));
        assert!(caught.is_err());
        assert_eq!(params.values().as_bytes(), before);
        assert_eq!(params.values().unresolved().count(), 0);
        assert_eq!(params.len(), 1);
    }

    #[test]
    fn the_65536th_parameter_is_refused() {
        let mut params = ParamBuf::new();
        for _ in 0..MAX_PARAMETERS {
            params.push(&true).expect("encodes");
        }
        assert_eq!(params.push(&true).expect_err("one too many").position(), Some(65_536));
        assert_eq!(params.len(), MAX_PARAMETERS);
    }

    #[test]
    fn holes_are_patched_where_they_are() {
        let mood = Oid::named("mood");
        let mut inner = Encoder::new();
        inner.put_u8(9);
        inner.put_oid(mood);
        let mut out = Encoder::new();
        out.put_i16(1);
        out.append(&inner);
        assert_eq!(out.unresolved().collect::<Vec<_>>(), [mood]);
        out.patch(|oid| (oid == mood).then_some(0x0102_0304));
        assert_eq!(out.as_bytes(), [0, 1, 9, 1, 2, 3, 4]);
        assert_eq!(out.unresolved().count(), 0);
    }
}
