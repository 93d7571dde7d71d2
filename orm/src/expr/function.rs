//! Functions that are not about a column.

use std::marker::PhantomData;

use wreath_codecs::types::{Date, TimestampTz};

use crate::expr::kind::SqlInteger;
use crate::expr::{Expr, Op, Operand, Tape};
use crate::model::{ColumnType, Value};
use crate::plan::hash;

/// A value as an expression, of a type that the server is told: where no operator tells it.
///
/// ```
/// use wreath_orm::Expr;
/// use wreath_orm::expr::{func, value};
///
/// let named: Expr<(), String> = func("concat", (value("a".to_owned()), value(7_i64))).returns();
/// assert_eq!(format!("{named:?}"), r#"Expr("concat"($1::text, $2::int8))"#);
/// ```
pub fn value<M, V: Value>(value: V) -> Expr<M, V> {
    let mut tape = Tape::default();
    tape.param(&value);
    tape.cast::<V>();
    Expr::new(tape)
}

/// When the transaction began: the same throughout it. For another type of the same meaning, `cast` it.
pub fn now<M>() -> Expr<M, TimestampTz> {
    constant("now")
}

/// The time now, also within a transaction that has been going on for long.
pub fn clock_now<M>() -> Expr<M, TimestampTz> {
    constant("clock_timestamp")
}

/// Today, in the connection's time zone.
pub fn today<M>() -> Expr<M, Date> {
    let mut tape = Tape::default();
    tape.raw("CURRENT_DATE");
    Expr::new(tape)
}

/// A random number from 0 up to 1, another one for each row.
pub fn random<M>() -> Expr<M, f64> {
    constant("random")
}

fn constant<M, T>(name: &'static str) -> Expr<M, T> {
    let mut tape = Tape::default();
    tape.call(name, 0);
    Expr::new(tape)
}

/// The numbers from one to another, a row each: it belongs into a projection, whose rows it multiplies.
pub fn generate_series<M, V: SqlInteger>(from: impl Operand<M, V>, to: impl Operand<M, V>) -> Expr<M, V> {
    let mut tape = Tape::default();
    tape.operand::<M, V>(from);
    tape.operand::<M, V>(to);
    tape.call("generate_series", 2);
    Expr::new(tape)
}

/// What a function is called with: a tuple of up to six operands.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not what a function about `{M}` is called with",
    label = "expected a tuple of columns of `{M}`, expressions about it, and values"
)]
pub trait Arguments<M, V> {
    #[doc(hidden)]
    fn write(self, out: &mut Call<M>);
}

/// A function that is called by its name; made by [`func`].
#[must_use]
pub struct Call<M> {
    tape: Tape,
    schema: &'static str,
    name: &'static str,
    arguments: u64,
    about: PhantomData<fn(M)>,
}

/// Calls a function by its name, as it stands in `pg_proc`: it is quoted. What it returns has to be said, and
/// nothing checks it before a row is read.
///
/// ```
/// use wreath_orm::expr::func;
/// use wreath_orm::{Column, Expr, Table};
///
/// struct Llama { name: String }
/// const NAME: Column<Llama, String> = Table::new("llamas").col("name", |l: &Llama| &l.name);
///
/// let close: Expr<Llama, f32> = func("similarity", (NAME, "Dolli")).schema("public").returns();
/// assert_eq!(format!("{close:?}"), r#"Expr("public"."similarity"(t0."name", $1))"#);
/// let _ = close.gt(0.3);
/// ```
pub fn func<M, V>(name: &'static str, arguments: impl Arguments<M, V>) -> Call<M> {
    let mut call = Call { tape: Tape::default(), schema: "", name, arguments: 0, about: PhantomData };
    arguments.write(&mut call);
    call
}

impl<M> Call<M> {
    /// The function is that of a schema.
    pub fn schema(self, schema: &'static str) -> Self {
        Self { schema, ..self }
    }

    /// As an expression whose value is a `T`, an `Option` where it may be NULL.
    pub fn returns<T: ColumnType>(self) -> Expr<M, T> {
        let mut tape = self.tape;
        tape.op(Op::Function);
        for word in [hash::name(self.schema), hash::name(self.name), self.arguments] {
            tape.word(word);
        }
        tape.name(self.schema);
        tape.name(self.name);
        Expr::new(tape)
    }

    fn argument<V: Value>(&mut self, operand: impl Operand<M, V>) {
        self.tape.operand::<M, V>(operand);
        self.arguments += 1;
    }
}

impl<M> Clone for Call<M> {
    fn clone(&self) -> Self {
        Self { tape: self.tape.clone(), ..*self }
    }
}

impl<M> std::fmt::Debug for Call<M> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { schema, name, arguments, .. } = self;
        f.debug_struct("Call")
            .field("schema", schema)
            .field("name", name)
            .field("arguments", arguments)
            .finish()
    }
}

impl<M> Arguments<M, ()> for () {
    fn write(self, _: &mut Call<M>) {}
}

macro_rules! tuples {
    ($($($name:ident $v:ident $place:tt)+;)+) => {$(
        impl<M, $($name: Operand<M, $v>, $v: Value),+> Arguments<M, ($($v,)+)> for ($($name,)+) {
            fn write(self, out: &mut Call<M>) {
                $(out.argument::<$v>(self.$place);)+
            }
        }
    )+};
}

tuples! {
    A Va 0;
    A Va 0 B Vb 1;
    A Va 0 B Vb 1 C Vc 2;
    A Va 0 B Vb 1 C Vc 2 D Vd 3;
    A Va 0 B Vb 1 C Vc 2 D Vd 3 E Ve 4;
    A Va 0 B Vb 1 C Vc 2 D Vd 3 E Ve 4 F Vf 5;
}
