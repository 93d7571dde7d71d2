//! Vectors, slices and Rust arrays as arrays of one dimension.

use super::header::{Dimension, element_type, list, put_header};
use crate::error::{DecodeError, EncodeError};
use crate::types::{Decode, Encode, Encoder, Oid, PgType, Type};
use crate::wire::Reader;

impl<T: PgType> PgType for [T] {
    const OID: Oid = T::ARRAY;
    const ARRAY: Oid = Oid::UNSPECIFIED;
}

impl<T: Encode + PgType> Encode for [T] {
    #[inline]
    fn oid(&self) -> Oid {
        Self::OID
    }

    fn encode(&self, out: &mut Encoder) -> Result<(), EncodeError> {
        let element = if T::ARRAY == Oid::UNSPECIFIED { Oid::UNSPECIFIED } else { T::OID };
        let dimension = Dimension { length: self.len(), lower: 1 };
        put_header(out, self.iter().any(T::is_null), element, &[dimension])?;
        self.iter().try_for_each(|element| out.put_value(element))
    }
}

impl<T: PgType> PgType for Vec<T> {
    const OID: Oid = T::ARRAY;
    const ARRAY: Oid = Oid::UNSPECIFIED;
}

impl<T: Encode + PgType> Encode for Vec<T> {
    #[inline]
    fn oid(&self) -> Oid {
        Self::OID
    }

    #[inline]
    fn encode(&self, out: &mut Encoder) -> Result<(), EncodeError> {
        self.as_slice().encode(out)
    }
}

impl<T: PgType, const N: usize> PgType for [T; N] {
    const OID: Oid = T::ARRAY;
    const ARRAY: Oid = Oid::UNSPECIFIED;
}

impl<T: Encode + PgType, const N: usize> Encode for [T; N] {
    #[inline]
    fn oid(&self) -> Oid {
        Self::OID
    }

    #[inline]
    fn encode(&self, out: &mut Encoder) -> Result<(), EncodeError> {
        self.as_slice().encode(out)
    }
}

/// An array of one dimension, or an empty one. The lower bound is dropped.
impl<'r, T: Decode<'r>> Decode<'r> for Vec<T> {
    #[inline]
    fn accepts(ty: &Type) -> bool {
        element_type(ty).is_some_and(T::accepts)
    }

    fn decode(ty: &Type, bytes: &'r [u8]) -> Result<Self, DecodeError> {
        let mut r = Reader::new(bytes);
        let (element, count) = list(ty, &mut r)?;
        let mut items = Self::with_capacity(count);
        for _ in 0..count {
            items.push(T::decode_value(element, r.value()?)?);
        }
        r.finish()?;
        Ok(items)
    }
}

/// An array of one dimension that has exactly `N` elements. The lower bound is dropped.
impl<'r, T: Decode<'r>, const N: usize> Decode<'r> for [T; N] {
    #[inline]
    fn accepts(ty: &Type) -> bool {
        element_type(ty).is_some_and(T::accepts)
    }

    fn decode(ty: &Type, bytes: &'r [u8]) -> Result<Self, DecodeError> {
        let mut r = Reader::new(bytes);
        let (element, count) = list(ty, &mut r)?;
        if count != N {
            return Err(DecodeError::out_of_range(format!("{count} elements do not fit an array of {N}")));
        }
        let mut items = [const { None }; N];
        for item in &mut items {
            *item = Some(T::decode_value(element, r.value()?)?);
        }
        r.finish()?;
        Ok(items.map(|item| item.expect("every element has been read")))
    }
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;

    use super::*;
    use crate::error::DecodeErrorKind;
    use crate::types::{ArrayIter, Kind, TypeData};

    fn array_of(oid: u32, element: u32) -> Type {
        Type::looked_up(TypeData {
            oid,
            schema: Cow::Borrowed("pg_catalog"),
            name: Cow::Borrowed("an array"),
            kind: Kind::Array(Type::unknown_number(element)),
            binary: true,
        })
    }

    fn words(words: &[i32]) -> Vec<u8> {
        words.iter().flat_map(|w| w.to_be_bytes()).collect()
    }

    #[test]
    fn bytes_are_the_servers() {
        let ints = array_of(1007, 23);
        let sent = words(&[1, 1, 23, 3, 1, 4, 1, -1, 4, -3]);
        let mut out = Encoder::new();
        let list = vec![Some(1), None, Some(-3)];
        list.encode(&mut out).expect("encodes");
        assert_eq!((out.as_bytes(), list.oid()), (&*sent, Oid::Fixed(1007)));
        assert_eq!(Vec::<Option<i32>>::decode(&ints, &sent), Ok(list.clone()));
        assert_eq!(<[Option<i32>; 3]>::decode(&ints, &sent).expect("decodes").to_vec(), list);
        let iter = ArrayIter::<Option<i32>>::decode(&ints, &sent).expect("decodes");
        assert_eq!(iter.collect::<Result<Vec<_>, _>>(), Ok(list));
        assert_eq!(Vec::<i32>::decode(&ints, &sent).expect_err("a NULL").kind(), DecodeErrorKind::Null);

        let empty = words(&[0, 0, 23]);
        let mut out = Encoder::new();
        Vec::<i32>::new().encode(&mut out).expect("encodes");
        assert_eq!(out.as_bytes(), empty);
        assert_eq!(Vec::<i32>::decode(&ints, &empty), Ok(vec![]));
    }

    #[test]
    fn lower_bounds_are_dropped_and_more_dimensions_refused() {
        let ints = array_of(1007, 23);
        assert_eq!(Vec::<i32>::decode(&ints, &words(&[1, 0, 23, 2, 2, 4, 7, 4, 8])), Ok(vec![7, 8]));
        let matrix = words(&[2, 0, 23, 2, 1, 2, 1, 4, 1, 4, 2, 4, 3, 4, 4]);
        assert_eq!(
            Vec::<i32>::decode(&ints, &matrix).expect_err("a matrix").kind(),
            DecodeErrorKind::OutOfRange
        );
        assert!(vec![vec![1], vec![2]].encode(&mut Encoder::new()).is_err());
    }

    #[test]
    fn claims_are_checked() {
        let ints = array_of(1007, 23);
        for bytes in [
            words(&[1, 0, 23, i32::MAX, 1]),
            words(&[1, 0, 23, -1, 1]),
            words(&[6, 0, 23, 9999, 1, 9999, 1, 9999, 1, 9999, 1, 9999, 1, 9999, 1]),
            words(&[7, 0, 23]),
            words(&[-1, 0, 23]),
            words(&[1, 2, 23, 1, 1, 4, 1]),
            words(&[1, 0, 25, 1, 1, 4, 1]),
            words(&[1, 0, 23, 1, i32::MAX, 4, 1]),
            words(&[1, 0, 23, 1, 1, 4, 1, 0]),
            words(&[1, 0, 23, 1, 1, -2]),
            words(&[0, 0, 23, 0]),
        ] {
            assert!(Vec::<i32>::decode(&ints, &bytes).is_err(), "{bytes:?}");
            assert!(ArrayIter::<i32>::decode(&ints, &bytes).is_err(), "{bytes:?}");
        }
    }

    #[test]
    fn strings_are_text_elements_and_bytes_are_no_array() {
        let mut out = Encoder::new();
        let names = ["Dolly", "Tina"];
        names.encode(&mut out).expect("encodes");
        assert_eq!(names.oid(), Oid::Fixed(1009));
        assert_eq!(Vec::<&str>::decode(&array_of(1009, 25), out.as_bytes()).expect("decodes"), names);
        assert_eq!(vec![1_u8].oid(), Oid::Fixed(17));
        assert_eq!(vec![vec![1_u8]].oid(), Oid::Fixed(1001));
    }
}
