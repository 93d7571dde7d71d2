//! CASE.

use std::marker::PhantomData;

use crate::expr::{Expr, Op, Operand, Pred, Tape};
use crate::model::{ColumnType, Value};

/// A value that depends on conditions; made by [`case`].
#[must_use]
pub struct Case<M, T> {
    tape: Tape,
    branches: u64,
    of: PhantomData<fn(M) -> T>,
}

/// `CASE WHEN pred THEN value`: further branches follow by [`when`](Case::when), the end by
/// [`otherwise`](Case::otherwise) or [`end`](Case::end).
///
/// ```
/// use wreath_orm::expr::case;
/// use wreath_orm::{Column, Expr, Table};
///
/// struct Llama { age: i32 }
/// const AGE: Column<Llama, i32> = Table::new("llamas").col("age", |l: &Llama| &l.age);
///
/// let stage: Expr<Llama, String> = case(AGE.lt(1), "cria").when(AGE.lt(3), "young").otherwise("grown");
/// assert_eq!(
///     format!("{stage:?}"),
///     r#"Expr(CASE WHEN t0."age" < $1 THEN $2 WHEN t0."age" < $3 THEN $4 ELSE $5 END)"#,
/// );
/// ```
pub fn case<M, V: Value, O: Operand<M, V>>(pred: Pred<M>, value: O) -> Case<M, O::Type> {
    let mut tape = pred.tape;
    tape.operand::<M, V>(value);
    Case { tape, branches: 1, of: PhantomData }
}

impl<M, T: ColumnType> Case<M, T> {
    /// `WHEN pred THEN value`, where no condition before held.
    pub fn when<O: Operand<M, T::Base>>(mut self, pred: Pred<M>, value: O) -> Case<M, T::Of<O::Type>> {
        self.tape.append(&pred.tape);
        self.tape.operand::<M, T::Base>(value);
        Case { tape: self.tape, branches: self.branches + 1, of: PhantomData }
    }

    /// `ELSE value END`
    pub fn otherwise<O: Operand<M, T::Base>>(mut self, value: O) -> Expr<M, T::Of<O::Type>> {
        self.tape.operand::<M, T::Base>(value);
        Expr::new(self.close(1))
    }

    /// `END`: NULL where no condition holds.
    pub fn end(self) -> Expr<M, Option<T::Base>> {
        Expr::new(self.close(0))
    }

    fn close(self, otherwise: u64) -> Tape {
        let mut tape = self.tape;
        tape.op(Op::Case);
        tape.word(self.branches);
        tape.word(otherwise);
        tape
    }
}

impl<M, T> Clone for Case<M, T> {
    fn clone(&self) -> Self {
        Self { tape: self.tape.clone(), branches: self.branches, of: PhantomData }
    }
}

impl<M, T> std::fmt::Debug for Case<M, T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Case").field("branches", &self.branches).finish_non_exhaustive()
    }
}
