//! Arrays.
//!
//! `Vec<T>`, `[T; N]` and, as parameters, slices are arrays of one dimension; NULL elements need a `T` that
//! is an `Option`. [`ArrayIter`] reads one without collecting it. They drop the number that the first element
//! has: it is 1 unless somebody went out of their way. [`Array`] keeps it, and has any number of dimensions.

mod header;
mod iter;
mod list;
mod multi;
mod text;

pub use header::Dimension;
pub use iter::ArrayIter;
pub use multi::Array;
pub(crate) use text::write_array;
