//! What stands before the elements.

use crate::error::DecodeError;
use crate::types::Encoder;
use crate::types::{Kind, Oid, Type};
use crate::wire::Reader;

/// The most dimensions that the server allows (`MAXDIM`).
pub(crate) const MAX_DIMENSIONS: usize = 6;

/// The dimensions of an array, each a length and the number of its first element.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Header {
    dimensions: [(i32, i32); MAX_DIMENSIONS],
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
            *slot = (length, lower);
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

    /// The dimensions: length, and number of the first element.
    #[inline]
    pub(crate) fn dimensions(&self) -> &[(i32, i32)] {
        &self.dimensions[..self.used]
    }
}

/// Appends the header of an array of one dimension; an empty one has none.
pub(crate) fn put_header(out: &mut Encoder, has_nulls: bool, element: Oid, length: i32) {
    out.put_i32(i32::from(length > 0));
    out.put_i32(i32::from(has_nulls));
    out.put_oid(element);
    if length > 0 {
        out.put_i32(length);
        out.put_i32(1);
    }
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
    if header.element != element.oid() {
        return Err(other_element(header.element, element));
    }
    match header.dimensions().len() {
        0 | 1 => Ok((element, header.count)),
        n => Err(DecodeError::out_of_range(format!("an array of {n} dimensions, where one is read"))),
    }
}

#[cold]
fn claims(count: usize, left: usize) -> DecodeError {
    DecodeError::invalid(format!("an array that claims {count} elements in {left} bytes"))
}

#[cold]
fn other_element(sent: u32, element: &Type) -> DecodeError {
    DecodeError::invalid(format!("an array of type number {sent} instead of {} ({element})", element.oid()))
}
