//! What stands before the elements.

use crate::error::{DecodeError, EncodeError};
use crate::types::Encoder;
use crate::types::{Kind, Oid, Type};
use crate::wire::Reader;

/// The most dimensions that the server allows (`MAXDIM`).
pub(crate) const MAX_DIMENSIONS: usize = 6;

/// One dimension of an array.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Dimension {
    /// How many elements it has.
    pub length: usize,
    /// The number of the first one: 1, unless somebody chose another.
    pub lower: i32,
}

impl Dimension {
    /// The number of the last element.
    pub(crate) fn upper(self) -> i64 {
        i64::try_from(self.length).map_or(i64::MAX, |n| n + i64::from(self.lower) - 1)
    }
}

/// What stands before the elements of an array.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Header {
    dimensions: [Dimension; MAX_DIMENSIONS],
    used: usize,
    /// How many elements there are.
    pub(crate) count: usize,
    /// The element type's number, as sent.
    pub(crate) element: u32,
}

impl Header {
    /// Reads how many dimensions there are, whether NULLs are among the elements, the element type and each
    /// dimension. What follows is checked to have room for the elements that are claimed.
    #[inline]
    pub(crate) fn get(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let (used, flags, element) = (r.i32()?, r.i32()?, r.u32()?);
        let used = usize::try_from(used).ok().filter(|&n| n <= MAX_DIMENSIONS);
        let used = used.ok_or_else(|| DecodeError::invalid("an array of more than six dimensions"))?;
        if !matches!(flags, 0 | 1) {
            return Err(DecodeError::invalid(format!("an array with flags {flags:#x}")));
        }
        let mut header = Self { used, count: usize::from(used > 0), element, ..Self::default() };
        for slot in &mut header.dimensions[..used] {
            let (length, lower) = (r.i32()?, r.i32()?);
            let n = usize::try_from(length).ok().filter(|_| lower.checked_add(length).is_some());
            let n = n.ok_or_else(|| {
                DecodeError::invalid(format!("a dimension of {length} elements from {lower}"))
            })?;
            header.count = header.count.saturating_mul(n);
            *slot = Dimension { length: n, lower };
        }
        // An element is a length at least.
        if header.count > r.len() / 4 {
            return Err(claims(header.count, r.len()));
        }
        if header.count == 0 {
            header.used = 0;
        }
        Ok(header)
    }

    /// The dimensions, the outermost first.
    #[inline]
    pub(crate) fn dimensions(&self) -> &[Dimension] {
        &self.dimensions[..self.used]
    }
}

/// Appends the header of an array; an empty one has no dimensions.
pub(crate) fn put_header(
    out: &mut Encoder,
    has_nulls: bool,
    element: Oid,
    dimensions: &[Dimension],
) -> Result<(), EncodeError> {
    if element == Oid::UNSPECIFIED {
        return Err(EncodeError::new("an array of a type that has no array type, such as another array"));
    }
    let count = dimensions.iter().take_while(|d| d.length > 0).count();
    let used = if count == dimensions.len() { count } else { 0 };
    out.put_i32(i32::try_from(used).map_err(|_| EncodeError::new("an array of too many dimensions"))?);
    out.put_i32(i32::from(has_nulls));
    out.put_oid(element);
    for d in &dimensions[..used] {
        let length = i32::try_from(d.length);
        out.put_i32(length.map_err(|_| EncodeError::new(format!("an array of {} elements", d.length)))?);
        out.put_i32(d.lower);
    }
    Ok(())
}

/// The type of the elements, where `ty` is an array or a domain over one.
#[inline]
pub(crate) fn element_type(ty: &Type) -> Option<&Type> {
    match ty.base().kind() {
        Kind::Array(element) => Some(element),
        _ => None,
    }
}

/// Reads the header of an array of type `ty` that has at most one dimension.
#[inline]
pub(crate) fn list<'t>(ty: &'t Type, r: &mut Reader<'_>) -> Result<(&'t Type, usize), DecodeError> {
    let element = element_type(ty).ok_or_else(|| DecodeError::invalid("not the type of an array"))?;
    let header = Header::get(r)?;
    check_element(&header, element)?;
    match header.dimensions().len() {
        0 | 1 => Ok((element, header.count)),
        n => Err(DecodeError::out_of_range(format!("an array of {n} dimensions, where one is read"))),
    }
}

/// Fails where the elements are of another type than the array's type says.
#[inline]
pub(crate) fn check_element(header: &Header, element: &Type) -> Result<(), DecodeError> {
    if header.element == element.oid() { Ok(()) } else { Err(other_element(header.element, element)) }
}

#[cold]
fn claims(count: usize, left: usize) -> DecodeError {
    DecodeError::invalid(format!("an array that claims {count} elements in {left} bytes"))
}

#[cold]
fn other_element(sent: u32, element: &Type) -> DecodeError {
    DecodeError::invalid(format!("an array of type number {sent} instead of {} ({element})", element.oid()))
}
