//! Rendering SQL, once for each shape.
//!
//! What is rendered is a function of the shape alone: the same query gives the same text, with aliases
//! `t0`, `t1`... in the order of their first use and every identifier quoted. Values never come near it.

mod expression;
mod form;
mod item;
mod pieces;
mod quote;
mod returned;
mod scope;
mod select;
mod table;
mod write;
mod writer;

pub(crate) use expression::{Numbers, debug_expression, debug_order};
pub(crate) use item::{add_item, create_enum};
pub(crate) use quote::{literal, quote, quote_list, quote_qualified};
pub(crate) use returned::Returned;
pub(crate) use select::{count, exists, select};
pub(crate) use table::{add_reference, column_type, create_table};
pub(crate) use write::{DEFER, copy, delete, delete_where, insert, update, update_where};
pub(crate) use writer::{Occurrence, SelectWriter};
