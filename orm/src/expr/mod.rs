//! Conditions, as two tapes: the words of their shape, and the bytes of their values.
//!
//! A condition is built in one walk and never looked at again while its plan is known. Its shape is a list
//! of 64-bit words in postfix order (operands before their operator), with no value in it; its values are
//! parameters in wire form already. The shape finds the plan; a tree is made of it only to render SQL for a
//! shape that has not been seen.
//!
//! An unqualified column belongs to the table that the condition is about.
//! [`Column::of`](crate::Column::of) takes a column of another occurrence of a table, named by an
//! [`Alias`], and fits into a condition about anything.

mod alias;
mod op;
mod operand;
pub(crate) mod order;
mod pred;
mod tape;

pub(crate) use alias::PROPOSED;
pub use alias::{Alias, Aliased};
pub(crate) use op::Op;
pub use operand::Operand;
pub(crate) use operand::tape_of;
pub(crate) use order as order_bits;
pub use order::Order;
pub use pred::Pred;
pub(crate) use tape::{ArrayHeader, Tape};
