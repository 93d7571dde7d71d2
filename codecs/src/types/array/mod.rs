//! Arrays.
//!
//! `Vec<T>`, `[T; N]` and, as parameters, slices are arrays of one dimension; NULL elements need a `T` that
//! is an `Option`. [`ArrayIter`] reads one without collecting it. The number that the first element has is
//! dropped: it is 1 unless somebody went out of their way.

mod header;
mod iter;
mod list;

pub use iter::ArrayIter;
