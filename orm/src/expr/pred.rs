//! Conditions on rows.

use std::fmt;
use std::marker::PhantomData;

use crate::expr::{Expr, Op, Tape};

/// A condition on a row of `M`.
///
/// It follows SQL where NULL is concerned: a comparison with NULL is neither true nor false, and
/// [`not`](Self::not) of it is no more true than it is.
///
/// ```
/// use wreath_orm::{Column, Pred, Table};
///
/// struct Llama { age: i64, name: String, paddock: Option<i64> }
/// impl Llama {
///     const TABLE: Table<Self> = Table::new("llamas");
///     const AGE: Column<Self, i64> = Self::TABLE.col("age", |l| &l.age);
///     const NAME: Column<Self, String> = Self::TABLE.col("name", |l| &l.name);
///     const PADDOCK: Column<Self, Option<i64>> = Self::TABLE.col("paddock_id", |l| &l.paddock);
/// }
/// let strays = Llama::PADDOCK.is_null().and(Llama::AGE.ge(2));
/// let _: Pred<Llama> = strays.or(Llama::NAME.any(["Dolly", "Tina"])).not();
/// ```
#[must_use]
pub struct Pred<M> {
    pub(crate) tape: Tape,
    about: PhantomData<fn(M)>,
}

impl<M> Pred<M> {
    pub(crate) fn new(tape: Tape) -> Self {
        Self { tape, about: PhantomData }
    }

    /// Both hold.
    pub fn and(self, other: Self) -> Self {
        self.with(&other, Op::And)
    }

    /// One of them holds, or both.
    pub fn or(self, other: Self) -> Self {
        self.with(&other, Op::Or)
    }

    /// It does not hold. `!pred` says the same.
    #[expect(clippy::should_implement_trait, reason = "the operator is implemented too; this chains")]
    pub fn not(mut self) -> Self {
        self.tape.op(Op::Not);
        self
    }

    /// It is neither true nor false, since something in it is NULL.
    pub fn is_unknown(mut self) -> Self {
        self.tape.op(Op::IsUnknown);
        self
    }

    /// As a value: NULL where it is neither true nor false.
    pub fn expr(self) -> Expr<M, Option<bool>> {
        Expr::new(self.tape)
    }

    fn with(mut self, other: &Self, op: Op) -> Self {
        self.tape.append(&other.tape);
        self.tape.op(op);
        self
    }
}

impl<M> std::ops::Not for Pred<M> {
    type Output = Self;

    fn not(self) -> Self {
        Self::not(self)
    }
}

impl<M> Clone for Pred<M> {
    fn clone(&self) -> Self {
        Self::new(self.tape.clone())
    }
}

/// The SQL of the condition, without its values.
impl<M> fmt::Debug for Pred<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match crate::compile::debug_expression(&self.tape) {
            Ok(sql) => write!(f, "Pred({sql})"),
            Err(error) => write!(f, "Pred({error})"),
        }
    }
}
