//! Expressions with a value.

use std::fmt;
use std::marker::PhantomData;
use std::ops::{Add, Div, Mul, Neg, Rem, Sub};

use wreath_codecs::{Encode, Oid, PgType};

use crate::expr::kind::SqlNumber;
use crate::expr::{Op, Operand, Pred, Tape};
use crate::model::{Column, ColumnType, Value};
use crate::plan::hash;

/// An expression about a row of `M` whose value is of type `T`, an `Option` where it may be NULL.
///
/// Columns are expressions ([`Column::expr`]), and have all operators that expressions have; what an operator
/// makes is an expression again. So they nest, and stand wherever a column can: in filters and orderings, as
/// arguments, in projections.
///
/// ```
/// use wreath_orm::{Column, Expr, Pred, Table};
///
/// struct Llama { name: String, nick: Option<String>, age: i32 }
/// impl Llama {
///     const TABLE: Table<Self> = Table::new("llamas");
///     const NAME: Column<Self, String> = Self::TABLE.col("name", |l| &l.name);
///     const NICK: Column<Self, Option<String>> = Self::TABLE.col("nick", |l| &l.nick);
///     const AGE: Column<Self, i32> = Self::TABLE.col("age", |l| &l.age);
/// }
///
/// let called: Expr<Llama, String> = Llama::NICK.coalesce_to(Llama::NAME).lower();
/// let pred: Pred<Llama> = called.starts_with("do").and((Llama::AGE * 2 + 1).gt(9));
/// assert_eq!(
///     format!("{pred:?}"),
///     r#"Pred(lower(coalesce(t0."nick", t0."name")) LIKE $1 AND t0."age" * $2 + $3 > $4)"#,
/// );
/// ```
///
/// An operator that means nothing for the type does not compile, and the message names the type:
///
/// ```compile_fail,E0277
/// # use wreath_orm::{Column, Table};
/// # struct Llama { age: i32 }
/// # const TABLE: Table<Llama> = Table::new("llamas");
/// const AGE: Column<Llama, i32> = TABLE.col("age", |l| &l.age);
/// let _ = AGE.like("1%"); // `i32` is not text
/// ```
///
/// `K` says what can be added to it: `DISTINCT` to an [`Aggregate`], a window to a [`WindowFunction`].
#[must_use]
pub struct Expr<M, T, K = Complete> {
    pub(crate) tape: Tape,
    of: PhantomData<fn(M) -> (T, K)>,
}

/// An expression to which nothing is to be added.
#[derive(Clone, Copy, Debug)]
pub enum Complete {}

/// An aggregate: it can be made `DISTINCT`, ordered, filtered, and put over a window.
#[derive(Clone, Copy, Debug)]
pub enum Aggregate {}

/// A function that needs a window, or can have one.
#[derive(Clone, Copy, Debug)]
pub enum WindowFunction {}

impl<M, T, K> Expr<M, T, K> {
    pub(crate) fn new(tape: Tape) -> Self {
        Self { tape, of: PhantomData }
    }

    /// The same expression, read as another type.
    #[inline]
    pub(crate) fn typed<U, L>(self) -> Expr<M, U, L> {
        Expr::new(self.tape)
    }

    /// Appends an operator whose operands stand on the tape.
    #[inline]
    pub(crate) fn op<U>(mut self, op: Op) -> Expr<M, U> {
        self.tape.op(op);
        self.typed()
    }

    /// Appends an operator whose value is a condition.
    #[inline]
    pub(crate) fn pred(mut self, op: Op) -> Pred<M> {
        self.tape.op(op);
        Pred::new(self.tape)
    }

    /// Appends a parameter.
    #[inline]
    pub(crate) fn param<P: Encode>(mut self, value: &P) -> Self {
        self.tape.param(value);
        self
    }

    /// Appends an operand.
    #[inline]
    pub(crate) fn operand<V: Value>(mut self, operand: impl Operand<M, V>) -> Self {
        self.tape.operand::<M, V>(operand);
        self
    }

    /// Appends a list of values as one parameter.
    #[inline]
    pub(crate) fn list<V: Value, P: Encode>(mut self, values: impl IntoIterator<Item = P>) -> Self {
        self.tape.array(V::ARRAY, V::OID, values);
        self
    }

    /// Appends a call of a function of this crate's choice with the arguments on the tape.
    #[inline]
    pub(crate) fn call<U>(mut self, name: &'static str, arguments: u64) -> Expr<M, U> {
        self.tape.call(name, arguments);
        self.typed()
    }
}

impl<M, T: ColumnType, K> Expr<M, T, K> {
    /// The same, read as something that may be NULL: for columns of what is joined from the left.
    pub fn optional(self) -> Expr<M, Option<T::Base>> {
        self.typed()
    }

    /// It as an expression to which nothing is to be added.
    #[inline]
    pub fn expr(self) -> Expr<M, T> {
        self.typed()
    }
}

impl<M, T: ColumnType> Column<M, T> {
    /// The column as an expression.
    #[inline]
    pub fn expr(self) -> Expr<M, T> {
        let mut tape = Tape::default();
        tape.column(self);
        Expr::new(tape)
    }

    /// The column as one of the table around, in a subquery: of the nearest that is the column's own, past
    /// the subquery's. It fits into an expression about anything.
    ///
    /// ```
    /// use wreath_orm::{Column, Columns, Load, Model, Result, Source, Table};
    /// # pub struct Llama { id: i64, mother: Option<i64> }
    /// # impl Llama {
    /// #     const ID: Column<Self, i64> = Self::TABLE.col("id", |l| &l.id);
    /// #     const MOTHER: Column<Self, Option<i64>> = Self::TABLE.col("mother_id", |l| &l.mother);
    /// # }
    /// # impl Load<Self> for Llama {
    /// #     fn load<S: Source<Self>>(s: &mut S) -> Result<Self> {
    /// #         Ok(Self { id: s.get(Self::ID)?, mother: s.get(Self::MOTHER)? })
    /// #     }
    /// # }
    /// # impl Model for Llama {
    /// #     const TABLE: Table<Self> = Table::new("llamas");
    /// #     type Key = i64;
    /// #     fn key() -> impl Columns<Self, Row = i64> { Self::ID }
    /// # }
    /// use wreath_orm::expr::exists;
    ///
    /// let mothers = exists(Llama::select().filter(Llama::MOTHER.eq_to(Llama::ID.outer())));
    /// assert!(Llama::select().filter(mothers).to_sql()?.ends_with(
    ///     r#"WHERE EXISTS (SELECT 1 FROM "llamas" AS t1 WHERE t1."mother_id" = t0."id")"#
    /// ));
    /// # Ok::<(), wreath_orm::Error>(())
    /// ```
    pub fn outer<N>(self) -> Expr<N, T> {
        let mut tape = Tape::default();
        tape.op(Op::Outer);
        tape.word(self.table().word());
        tape.word(self.word());
        tape.name(self.name());
        Expr::new(tape)
    }
}

impl Tape {
    /// Appends a column of the table at hand.
    #[inline]
    pub(crate) fn column<M, T: ColumnType>(&mut self, column: Column<M, T>) {
        self.op(Op::Column);
        self.word(column.word());
        self.name(column.name());
    }

    /// Appends a call of a function of this crate's choice.
    #[inline]
    pub(crate) fn call(&mut self, name: &'static str, arguments: u64) {
        self.op(Op::Call);
        self.word(hash::name(name));
        self.word(arguments);
        self.name(name);
    }

    /// Appends a literal.
    pub(crate) fn text(&mut self, text: &'static str) {
        self.op(Op::Text);
        self.word(hash::name(text));
        self.name(text);
    }

    /// Appends a cast to the PostgreSQL type that `V` stands for.
    pub(crate) fn cast<V: PgType>(&mut self) {
        match V::OID {
            Oid::Fixed(number) => {
                self.op(Op::Cast);
                self.word(u64::from(number));
            }
            Oid::Named(name) | Oid::ArrayOf(name) => {
                self.op(Op::CastNamed);
                self.word(hash::column(name.schema, name.name, ""));
                self.word(u64::from(matches!(V::OID, Oid::ArrayOf(_))));
                self.name(name.schema.unwrap_or(""));
                self.name(name.name);
            }
        }
    }
}

/// Arithmetic between numbers of one type: with a value of the column's type, a column, an expression. NULL
/// makes NULL.
///
/// Numbers of two types do not mix, as in Rust: see [`cast`](Expr::cast).
macro_rules! arithmetic {
    ($($trait:ident $method:ident $op:ident;)*) => {$(
        impl<M, T: ColumnType<Base: SqlNumber>, R: Operand<M, T::Base>> $trait<R> for Column<M, T> {
            type Output = Expr<M, T::Of<R::Type>>;

            fn $method(self, other: R) -> Self::Output {
                self.expr().operand(other).op(Op::$op)
            }
        }

        impl<M, T: ColumnType<Base: SqlNumber>, K, R: Operand<M, T::Base>> $trait<R> for Expr<M, T, K> {
            type Output = Expr<M, T::Of<R::Type>>;

            fn $method(self, other: R) -> Self::Output {
                self.operand(other).op(Op::$op)
            }
        }
    )*};
}

arithmetic! {
    Add add Add;
    Sub sub Sub;
    Mul mul Mul;
    Div div Div;
    Rem rem Rem;
}

impl<M, T: ColumnType<Base: SqlNumber>> Neg for Column<M, T> {
    type Output = Expr<M, T>;

    fn neg(self) -> Expr<M, T> {
        -self.expr()
    }
}

impl<M, T: ColumnType<Base: SqlNumber>, K> Neg for Expr<M, T, K> {
    type Output = Expr<M, T>;

    fn neg(self) -> Expr<M, T> {
        self.op(Op::Neg)
    }
}

impl<M, T, K> Clone for Expr<M, T, K> {
    fn clone(&self) -> Self {
        Self::new(self.tape.clone())
    }
}

/// The SQL of the expression, without its values.
impl<M, T, K> fmt::Debug for Expr<M, T, K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match crate::compile::debug_expression(&self.tape) {
            Ok(sql) => write!(f, "Expr({sql})"),
            Err(error) => write!(f, "Expr({error})"),
        }
    }
}
