//! Orderings.

use std::fmt;
use std::marker::PhantomData;

use crate::expr::{Op, Tape};

/// The bits of the word that follows [`Op::Order`].
pub(crate) const DESC: u64 = 1;
pub(crate) const NULLS_FIRST: u64 = 2;
pub(crate) const NULLS_LAST: u64 = 4;

/// One ordering of rows of `M`: [`Column::asc`](crate::Column::asc) or [`desc`](crate::Column::desc).
///
/// Unless told otherwise, NULL sorts as the largest value, as the server has it.
#[must_use]
pub struct Order<M> {
    pub(crate) tape: Tape,
    about: PhantomData<fn(M)>,
}

impl<M> Order<M> {
    /// An ordering by the operand on the tape.
    pub(crate) fn new(mut tape: Tape, bits: u64) -> Self {
        tape.op(Op::Order);
        tape.word(bits);
        Self { tape, about: PhantomData }
    }

    /// NULLs come first.
    pub fn nulls_first(self) -> Self {
        self.nulls(NULLS_FIRST)
    }

    /// NULLs come last.
    pub fn nulls_last(self) -> Self {
        self.nulls(NULLS_LAST)
    }

    fn nulls(mut self, bit: u64) -> Self {
        if let Some(bits) = self.tape.words.last_mut() {
            *bits = (*bits & DESC) | bit;
        }
        self
    }
}

impl<M> Clone for Order<M> {
    fn clone(&self) -> Self {
        Self { tape: self.tape.clone(), about: PhantomData }
    }
}

impl<M> fmt::Debug for Order<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match crate::compile::debug_order(&self.tape) {
            Ok(sql) => write!(f, "Order({sql})"),
            Err(error) => write!(f, "Order({error})"),
        }
    }
}
