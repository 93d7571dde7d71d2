//! Expressions: what filters, orderings and projections are made of.
//!
//! An expression is built in one walk and never looked at again while its plan is known. It is kept as two
//! tapes. Its shape is a list of 64-bit words in postfix order (operands before their operator), with no value
//! in it; its values are parameters in wire form already. The shape finds the plan; a tree is made of it only to
//! render SQL for a shape that has not been seen.
//!
//! A [`Pred`] is a condition, an [`Expr`] has a value of any type. Their operators are methods, the same on
//! columns and on expressions, and each asks by a trait of [`kind`] whether it means something for the type.
//! What is not about a column is a function of this module: [`now`], [`count`], [`case`], [`exists`]; [`func`]
//! and [`raw`] reach what has no method.
//!
//! An unqualified column belongs to the table that the expression is about. [`Column::of`](crate::Column::of)
//! takes a column of another occurrence of a table, named by an [`Alias`], and
//! [`Column::outer`](crate::Column::outer) one of the table around a subquery; both fit into an expression about
//! anything.

mod aggregate;
mod alias;
mod case;
mod expression;
mod function;
pub mod kind;
mod literal;
mod op;
mod operand;
pub(crate) mod ops;
pub(crate) mod order;
mod pred;
mod raw;
mod relation;
mod subquery;
mod tape;
mod window;

pub use aggregate::count;
pub use alias::Alias;
pub(crate) use alias::PROPOSED;
pub use case::{Case, case};
pub use expression::{Aggregate, Complete, Expr, WindowFunction};
pub use function::{Arguments, Call, clock_now, func, generate_series, now, random, today, value};
pub use literal::{Literal, lit};
pub(crate) use op::{Binding, Form, Op};
pub use operand::Operand;
pub(crate) use operand::tape_of;
pub use ops::moment::TimePart;
pub use ops::search::{phrase_search, plain_search, raw_search, websearch};
pub use ops::text::escape_like;
pub use ops::{SqlCast, SqlContains};
pub(crate) use order as order_bits;
pub use order::Order;
pub use pred::Pred;
pub use raw::{Raw, raw};
pub use subquery::{Subquery, exists, scalar};
pub(crate) use tape::{ArrayHeader, Tape};
pub(crate) use window::Frame;
pub use window::{FrameBound, Window, cume_dist, dense_rank, ntile, percent_rank, rank, row_number};
