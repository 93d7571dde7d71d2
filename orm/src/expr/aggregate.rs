//! Aggregates.

use crate::expr::kind::{SqlMean, SqlNumber, SqlOrd, SqlSum, SqlText};
use crate::expr::ops::operators;
use crate::expr::{Aggregate, Expr, Op, Order, Pred, Tape, WindowFunction};
use crate::model::{Column, ColumnType, Value};
use crate::plan::hash;

/// `count(*)`: how many rows.
///
/// ```
/// use wreath_orm::expr::count;
/// use wreath_orm::{Column, Table};
///
/// struct Llama { age: i32 }
/// const AGE: Column<Llama, i32> = Table::new("llamas").col("age", |l: &Llama| &l.age);
///
/// let old = count().filter(AGE.gt(9));
/// assert_eq!(format!("{old:?}"), r#"Expr(count(*) FILTER (WHERE t0."age" > $1))"#);
/// assert_eq!(format!("{:?}", AGE.sum().distinct()), r#"Expr(sum(DISTINCT t0."age"))"#);
/// ```
pub fn count<M>() -> Expr<M, i64, Aggregate> {
    let mut tape = Tape::default();
    tape.aggregate("count", 0);
    Expr::new(tape)
}

impl Tape {
    /// Appends an aggregate of the arguments on the tape.
    fn aggregate(&mut self, name: &'static str, arguments: u64) {
        self.op(Op::Aggregate);
        for word in [hash::name(name), arguments, 0, 0] {
            self.word(word);
        }
        self.name(name);
    }
}

operators! {
    /// `count`: how many rows have it, which those do not where it is NULL.
    pub fn count(self) -> Expr<M, i64, Aggregate> {
        self.aggregate("count")
    }

    /// `sum`: NULL of no rows. Whole numbers sum up to wider ones.
    ///
    /// ```compile_fail,E0277
    /// # use wreath_orm::{Column, Table};
    /// # struct Llama { name: String }
    /// # const TABLE: Table<Llama> = Table::new("llamas");
    /// const NAME: Column<Llama, String> = TABLE.col("name", |l| &l.name);
    /// let _ = NAME.sum(); // values of `String` cannot be summed up
    /// ```
    pub fn sum(self) -> Expr<M, Option<<T::Base as SqlSum>::Sum>, Aggregate>
    where
        T::Base: SqlSum,
    {
        self.aggregate("sum")
    }

    /// `avg`: NULL of no rows.
    pub fn avg(self) -> Expr<M, Option<<T::Base as SqlMean>::Mean>, Aggregate>
    where
        T::Base: SqlMean,
    {
        self.aggregate("avg")
    }

    /// `min`: NULL of no rows.
    pub fn min(self) -> Expr<M, Option<T::Base>, Aggregate>
    where
        T::Base: SqlOrd,
    {
        self.aggregate("min")
    }

    /// `max`: NULL of no rows.
    pub fn max(self) -> Expr<M, Option<T::Base>, Aggregate>
    where
        T::Base: SqlOrd,
    {
        self.aggregate("max")
    }

    /// `stddev_samp`: the standard deviation of a sample, as a double; NULL of fewer than two rows.
    pub fn stddev(self) -> Expr<M, Option<f64>, Aggregate>
    where
        T::Base: SqlNumber,
    {
        self.double().aggregate("stddev_samp")
    }

    /// `var_samp`: the variance of a sample, as a double; NULL of fewer than two rows.
    pub fn variance(self) -> Expr<M, Option<f64>, Aggregate>
    where
        T::Base: SqlNumber,
    {
        self.double().aggregate("var_samp")
    }

    /// `bool_and`: whether it is true of every row; NULL of no rows.
    pub fn every(self) -> Expr<M, Option<bool>, Aggregate>
    where
        T: ColumnType<Base = bool>,
    {
        self.aggregate("bool_and")
    }

    /// `bool_or`: whether it is true of some row; NULL of no rows.
    pub fn some(self) -> Expr<M, Option<bool>, Aggregate>
    where
        T: ColumnType<Base = bool>,
    {
        self.aggregate("bool_or")
    }

    /// `array_agg`: the values of all rows; NULL of no rows. See [`order_by`](Expr::order_by).
    pub fn array_agg(self) -> Expr<M, Option<Vec<T>>, Aggregate>
    where
        Vec<T>: Value,
    {
        self.aggregate("array_agg")
    }

    /// `string_agg`: the texts of all rows with a separator between them; NULL of no rows.
    pub fn string_agg(self, separator: &str) -> Expr<M, Option<String>, Aggregate>
    where
        T::Base: SqlText,
    {
        let mut tape = self.expr().param(&separator).tape;
        tape.aggregate("string_agg", 2);
        Expr::new(tape)
    }

    /// An aggregate of it alone.
    fn aggregate<U>(self, name: &'static str) -> Expr<M, U, Aggregate> {
        let mut tape = self.expr().tape;
        tape.aggregate(name, 1);
        Expr::new(tape)
    }
}

#[cfg(feature = "serde_json")]
operators! {
    /// `jsonb_agg`: the values of all rows as a JSON array, NULL as `null`; NULL of no rows.
    pub fn jsonb_agg(self) -> Expr<M, Option<serde_json::Value>, Aggregate> {
        self.aggregate("jsonb_agg")
    }
}

/// How many words follow [`Op::Aggregate`], and itself.
const WORDS: usize = 5;

impl<M, T> Expr<M, T, Aggregate> {
    /// Each value counts once.
    pub fn distinct(mut self) -> Self {
        if let Some(distinct) = self.tape.words.last_mut() {
            *distinct = 1;
        }
        self
    }

    /// The rows are taken in this order, which shows in what [`array_agg`](Expr::array_agg) and its kin make.
    pub fn order_by(mut self, order: Order<M>) -> Self {
        let (words, names) = (self.tape.words.len() - WORDS, self.tape.names.len() - 1);
        let mut aggregate: [u64; WORDS] = [0; WORDS];
        aggregate.copy_from_slice(&self.tape.words[words..]);
        let name = self.tape.names[names];
        self.tape.words.truncate(words);
        self.tape.names.truncate(names);
        self.tape.append(&order.tape);
        aggregate[3] += 1;
        self.tape.words.extend_from_slice(&aggregate);
        self.tape.name(name);
        self
    }

    /// Only rows for which this holds are taken.
    pub fn filter(mut self, pred: Pred<M>) -> Expr<M, T, WindowFunction> {
        self.tape.append(&pred.tape);
        self.tape.op(Op::Filter);
        self.typed()
    }
}
