//! Reading an array without collecting it.

use std::fmt;
use std::marker::PhantomData;

use super::header::{element_type, list};
use crate::error::DecodeError;
use crate::types::{Decode, Type};
use crate::wire::Reader;

/// The elements of an array of one dimension, read one by one from the reply: nothing is allocated.
///
/// ```
/// use wreath_codecs::types::ArrayIter;
/// use wreath_codecs::{Decode, DecodeError, Type};
///
/// fn total(ty: &Type, bytes: &[u8]) -> Result<i64, DecodeError> {
///     let mut sum = 0;
///     for n in ArrayIter::<Option<i64>>::decode(ty, bytes)? {
///         sum += n?.unwrap_or(0);
///     }
///     Ok(sum)
/// }
/// ```
pub struct ArrayIter<'r, T> {
    element: Type,
    rest: Reader<'r>,
    left: usize,
    items: PhantomData<fn() -> T>,
}

impl<'r, T: Decode<'r>> Decode<'r> for ArrayIter<'r, T> {
    fn accepts(ty: &Type) -> bool {
        element_type(ty).is_some_and(T::accepts)
    }

    /// Checks the array as a whole: its elements may still be no values of their type.
    fn decode(ty: &Type, bytes: &'r [u8]) -> Result<Self, DecodeError> {
        let mut r = Reader::new(bytes);
        let (element, left) = list(ty, &mut r)?;
        let mut all = r;
        for _ in 0..left {
            all.value()?;
        }
        all.finish()?;
        Ok(Self { element: element.clone(), rest: r, left, items: PhantomData })
    }
}

impl<'r, T: Decode<'r>> Iterator for ArrayIter<'r, T> {
    type Item = Result<T, DecodeError>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        self.left = self.left.checked_sub(1)?;
        Some(self.rest.value().and_then(|value| T::decode_value(&self.element, value)))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }
}

impl<'r, T: Decode<'r>> ExactSizeIterator for ArrayIter<'r, T> {}

impl<T> Clone for ArrayIter<'_, T> {
    fn clone(&self) -> Self {
        Self { element: self.element.clone(), rest: self.rest, left: self.left, items: PhantomData }
    }
}

impl<T> fmt::Debug for ArrayIter<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ArrayIter").field("element", &self.element).field("left", &self.left).finish()
    }
}
