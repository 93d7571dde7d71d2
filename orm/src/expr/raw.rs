//! SQL as it is written, where there is no method for it.

use std::marker::PhantomData;

use crate::expr::{Expr, Op, Operand, Pred, Tape};
use crate::model::{ColumnType, Value};
use crate::plan::hash;

/// A piece of SQL of one's own; made by [`raw`].
#[must_use]
pub struct Raw<M> {
    tape: Tape,
    pieces: u64,
    about: PhantomData<fn(M)>,
}

/// Begins an expression of one's own: SQL that is part of the program, with operands between.
///
/// The text is `'static` and stands in the statement as it is; values come by [`operand`](Raw::operand), as
/// parameters, and cannot get into the text. What it is read as has to be said, and nothing checks it before a
/// row is read.
///
/// ```
/// use wreath_orm::expr::raw;
/// use wreath_orm::{Column, Expr, Table};
///
/// struct Llama { name: String }
/// const NAME: Column<Llama, String> = Table::new("llamas").col("name", |l: &Llama| &l.name);
///
/// let like = raw("").operand(NAME).sql(" SIMILAR TO ").operand("(Do|Ti)%").holds();
/// assert_eq!(format!("{like:?}"), r#"Pred((t0."name" SIMILAR TO $1))"#);
/// let area: Expr<Llama, f64> = raw("pi() * ").operand(2.0).sql(" ^ 2").returns();
/// assert_eq!(format!("{area:?}"), "Expr((pi() * $1 ^ 2))");
/// ```
pub fn raw<M>(sql: &'static str) -> Raw<M> {
    Raw { tape: Tape::default(), pieces: 0, about: PhantomData }.sql(sql)
}

impl Tape {
    /// Appends words of SQL as they stand.
    pub(crate) fn raw(&mut self, sql: &'static str) {
        self.op(Op::Raw);
        self.word(hash::name(sql));
        self.name(sql);
    }
}

impl<M> Raw<M> {
    /// More SQL.
    pub fn sql(mut self, sql: &'static str) -> Self {
        self.tape.raw(sql);
        self.pieces += 1;
        self
    }

    /// A column, an expression, or a value, which becomes a parameter. One that is not an atom is put into
    /// parentheses.
    pub fn operand<V: Value>(mut self, operand: impl Operand<M, V>) -> Self {
        self.tape.operand::<M, V>(operand);
        self.pieces += 1;
        self
    }

    /// As an expression whose value is a `T`.
    pub fn returns<T: ColumnType>(self) -> Expr<M, T> {
        Expr::new(self.close())
    }

    /// As a condition.
    pub fn holds(self) -> Pred<M> {
        Pred::new(self.close())
    }

    fn close(mut self) -> Tape {
        self.tape.op(Op::Concat);
        self.tape.word(self.pieces);
        self.tape
    }
}

impl<M> Clone for Raw<M> {
    fn clone(&self) -> Self {
        Self { tape: self.tape.clone(), ..*self }
    }
}

impl<M> std::fmt::Debug for Raw<M> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Raw").field("pieces", &self.pieces).finish_non_exhaustive()
    }
}
