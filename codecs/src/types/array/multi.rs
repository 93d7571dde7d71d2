//! Arrays of any dimension.

use std::fmt;
use std::str::FromStr;

use smallvec::SmallVec;

use super::Dimension;
use super::header::{Header, MAX_DIMENSIONS, check_element, element_type, put_header};
use super::text::{scan_array, write_array};
use crate::error::{DecodeError, EncodeError, ParseError, RangeError};
use crate::types::{AsText, Decode, Encode, Encoder, Oid, PgType, TextForm, Type};
use crate::wire::Reader;

/// An array with everything that PostgreSQL gives one: up to six dimensions, each with the number of its first
/// element, and NULLs (PostgreSQL manual, "Arrays"). `Vec<T>` is enough where there is one dimension.
///
/// ```
/// use wreath_codecs::types::Array;
///
/// let pens: Array<i32> = "{{1,2},{3,NULL}}".parse()?;
/// assert_eq!(pens.get(&[2, 1]), Some(&3));
/// assert_eq!(pens.to_string(), "{{1,2},{3,NULL}}");
/// # Ok::<(), wreath_codecs::ParseError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Array<T> {
    dimensions: SmallVec<[Dimension; 1]>,
    items: Vec<Option<T>>,
}

impl<T> Array<T> {
    /// An array of these dimensions. Its elements are in the order in which the last dimension counts fastest.
    ///
    /// # Errors
    /// When there are more than six dimensions, when their product is not how many elements there are, or when
    /// a bound is beyond an `i32`. Without elements there are no dimensions.
    pub fn new(dimensions: &[Dimension], items: Vec<Option<T>>) -> Result<Self, RangeError> {
        let product = dimensions.iter().try_fold(1_usize, |n, d| n.checked_mul(d.length));
        let fits = |d: &Dimension| i32::try_from(d.length).is_ok_and(|n| d.lower.checked_add(n).is_some());
        let fits = dimensions.len() <= MAX_DIMENSIONS && dimensions.iter().all(fits);
        let count = if dimensions.is_empty() { Some(0) } else { product };
        if !fits || count != Some(items.len()) {
            let what = format_args!("{} elements in the dimensions {dimensions:?}", items.len());
            return Err(RangeError::new(what, "array"));
        }
        Ok(Self::from_parts(dimensions.iter().copied().collect(), items))
    }

    pub(crate) fn from_parts(mut dimensions: SmallVec<[Dimension; 1]>, items: Vec<Option<T>>) -> Self {
        if items.is_empty() {
            dimensions.clear();
        }
        Self { dimensions, items }
    }

    /// The dimensions, the outermost first; none for an empty array.
    pub fn dimensions(&self) -> &[Dimension] {
        &self.dimensions
    }

    /// All elements. The last dimension counts fastest; `None` is NULL.
    pub fn items(&self) -> &[Option<T>] {
        &self.items
    }

    /// All elements, owned.
    pub fn into_items(self) -> Vec<Option<T>> {
        self.items
    }

    /// The element at these subscripts, one for each dimension; `None` where it is NULL or there is none.
    pub fn get(&self, subscripts: &[i32]) -> Option<&T> {
        if subscripts.len() != self.dimensions.len() {
            return None;
        }
        let mut place = 0;
        for (d, subscript) in self.dimensions.iter().zip(subscripts) {
            let i = usize::try_from(subscript.checked_sub(d.lower)?).ok().filter(|&i| i < d.length)?;
            place = place * d.length + i;
        }
        self.items.get(place)?.as_ref()
    }

    /// Reads an array of elements of type `element`, each with `read`.
    pub(crate) fn decode_with<'r>(
        element: &Type,
        bytes: &'r [u8],
        mut read: impl FnMut(&Type, &'r [u8]) -> Result<T, DecodeError>,
    ) -> Result<Self, DecodeError> {
        let mut r = Reader::new(bytes);
        let header = Header::get(&mut r)?;
        check_element(&header, element)?;
        let mut items = Vec::with_capacity(header.count);
        for _ in 0..header.count {
            items.push(r.value()?.map(|bytes| read(element, bytes)).transpose()?);
        }
        r.finish()?;
        Ok(Self { dimensions: header.dimensions().iter().copied().collect(), items })
    }

    /// Appends an array of elements of type `element`, each with `write`.
    pub(crate) fn encode_with(
        &self,
        element: Oid,
        out: &mut Encoder,
        mut write: impl FnMut(&T, &mut Encoder) -> Result<(), EncodeError>,
    ) -> Result<(), EncodeError> {
        put_header(out, self.items.iter().any(Option::is_none), element, &self.dimensions)?;
        for item in &self.items {
            match item {
                Some(item) => out.put_sized(|out| write(item, out))?,
                None => out.put_i32(-1),
            }
        }
        Ok(())
    }

    /// Reads an array's text, and each element's with `parse`.
    pub(crate) fn parse_with(
        name: &str,
        text: &str,
        delimiter: char,
        mut parse: impl FnMut(&str) -> Result<T, ParseError>,
    ) -> Result<Self, ParseError> {
        let parts = scan_array(text, delimiter);
        let (dimensions, texts) =
            parts.ok_or_else(|| ParseError::new(name.to_owned(), text, "not elements in braces"))?;
        let items = texts.iter().map(|text| text.as_deref().map(&mut parse).transpose());
        Ok(Self::from_parts(dimensions, items.collect::<Result<_, _>>()?))
    }
}

/// An array of one dimension that starts at 1.
impl<T> From<Vec<Option<T>>> for Array<T> {
    fn from(items: Vec<Option<T>>) -> Self {
        Self::from_parts(SmallVec::from_buf([Dimension { length: items.len(), lower: 1 }]), items)
    }
}

impl<T: PgType> PgType for Array<T> {
    const OID: Oid = T::ARRAY;
    const ARRAY: Oid = Oid::UNSPECIFIED;
}

impl<T: Encode + PgType> Encode for Array<T> {
    fn oid(&self) -> Oid {
        Self::OID
    }

    fn encode(&self, out: &mut Encoder) -> Result<(), EncodeError> {
        let element = if T::ARRAY == Oid::UNSPECIFIED { Oid::UNSPECIFIED } else { T::OID };
        self.encode_with(element, out, |item, out| item.encode(out))
    }
}

impl<'r, T: Decode<'r>> Decode<'r> for Array<T> {
    fn accepts(ty: &Type) -> bool {
        element_type(ty).is_some_and(T::accepts)
    }

    fn decode(ty: &Type, bytes: &'r [u8]) -> Result<Self, DecodeError> {
        let element = element_type(ty).ok_or_else(|| DecodeError::mismatch("Array", ty))?;
        Self::decode_with(element, bytes, |ty, bytes| T::decode(ty, bytes).map_err(|e| e.of(ty)))
    }
}

impl<T: TextForm> fmt::Display for Array<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let items = self.items.iter().map(|item| item.as_ref().map(AsText));
        write_array(f, &self.dimensions, T::DELIMITER, items)
    }
}

impl<T: TextForm> FromStr for Array<T> {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        Self::parse_with("array", text, T::DELIMITER, T::parse_text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_the_servers() {
        for text in [
            "{}",
            "{1,NULL,-3}",
            "[2:3]={7,8}",
            "{{1,2},{3,4}}",
            "[0:1][-1:0]={{1,2},{3,NULL}}",
            "{{{1},{2}},{{3},{4}},{{5},{6}}}",
        ] {
            assert_eq!(text.parse::<Array<i32>>().expect("parses").to_string(), text);
        }
        let quoted = r#"{a,"b c","",NULL,"null","\"\\","{","x,y"}"#;
        let names: Array<String> = quoted.parse().expect("parses");
        assert_eq!(names.to_string(), quoted);
        assert_eq!(names.items()[5].as_deref(), Some("\"\\"));
        let spaced: Array<String> = " { a , b\\ , null } ".parse().expect("parses");
        assert_eq!(spaced.to_string(), r#"{a,"b ",NULL}"#);
    }

    #[test]
    fn what_is_no_array_is_refused() {
        for text in [
            "",
            "{",
            "1",
            "{1",
            "{1}}",
            "{1,}",
            "{,1}",
            "{{1},2}",
            "{1,{2}}",
            "{{1,2},{3}}",
            "{{}}",
            "{{},{}}",
            "[1:3]={1,2}",
            "[2:1]={}",
            "[a]={1}",
            "{\"1}",
            "{1\"}",
            "{{{{{{{1}}}}}}}",
            "[1:2147483647]={1}",
            "{1}x",
        ] {
            assert!(text.parse::<Array<i32>>().is_err(), "{text}");
        }
    }

    #[test]
    fn dimensions_are_checked() {
        let two = Dimension { length: 2, lower: 1 };
        assert!(Array::new(&[two, two], vec![Some(1); 4]).is_ok());
        assert!(Array::new(&[two], vec![Some(1); 4]).is_err());
        assert!(Array::new(&[], vec![Some(1)]).is_err());
        assert!(Array::new(&[two; 7], vec![Some(1); 128]).is_err());
        assert!(Array::new(&[Dimension { length: 2, lower: i32::MAX }], vec![Some(1); 2]).is_err());
        let matrix =
            Array::new(&[two, Dimension { length: 2, lower: 5 }], vec![Some(1), Some(2), None, Some(4)]);
        let matrix = matrix.expect("fits");
        assert_eq!((matrix.get(&[1, 6]), matrix.get(&[2, 5]), matrix.get(&[3, 5])), (Some(&2), None, None));
    }
}
