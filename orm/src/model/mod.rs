//! What a model is: a plain struct, constants for its columns, and one mapping between the two.
//!
//! * [`Value`]: a Rust type that a column can have; `Option` of it is a nullable column.
//! * [`Table`] and [`Column`]: where the rows are. Both are constants.
//! * [`Load`]: how a struct is put together from columns, read in several ways through a [`Source`].
//! * [`Model`]: a struct whose [`Load`] covers a whole row, with its key and its rules.
//!
//! The first use of a model describes it: its `load` runs over made-up values, and every column's accessor
//! has to give back the value that was loaded from that column. Two swapped fields are so found before any
//! row is.

mod admit;
mod column;
mod columns;
mod declared;
mod describe;
mod facet;
mod filter;
mod hook;
mod interop;
mod item;
mod label;
mod load;
mod narrow;
mod order;
mod stand_in;
mod table;
mod value;
mod values;

pub use column::{Column, Identity};
pub use columns::{ColumnVisitor, Columns};
pub(crate) use declared::Fill;
pub use declared::{Declared, Generated, OnDelete, Reference};
pub(crate) use describe::{Description, columns_of, describe};
pub use facet::{Facet, facet};
pub use filter::{Filter, SoftDelete};
pub(crate) use filter::{restrict, restricted};
pub use hook::{Hook, Refusal};
pub use item::{ForeignKey, Index, Item};
pub use label::{Label, Labels};
pub(crate) use load::sealed;
pub use load::{Load, Model, Source};
pub use narrow::{Narrow, Narrows};
pub(crate) use order::{Node, by_dependency};
pub(crate) use stand_in::stand_in;
pub use table::Table;
pub use value::{ColumnType, Element, Value};
