//! Windows over rows.

use std::marker::PhantomData;

use crate::expr::ops::operators;
use crate::expr::{Aggregate, Expr, Op, Operand, Order, Tape, WindowFunction};
use crate::model::{Column, ColumnType, Value};

/// The rows that a function looks at beside each row.
///
/// ```
/// use wreath_orm::expr::{FrameBound, Window, rank};
/// use wreath_orm::{Column, Table};
///
/// struct Llama { age: i32, paddock: i64 }
/// impl Llama {
///     const TABLE: Table<Self> = Table::new("llamas");
///     const AGE: Column<Self, i32> = Self::TABLE.col("age", |l| &l.age);
///     const PADDOCK: Column<Self, i64> = Self::TABLE.col("paddock_id", |l| &l.paddock);
/// }
/// let by_age = Window::new().partition_by(Llama::PADDOCK).order_by(Llama::AGE.desc());
/// assert_eq!(
///     format!("{:?}", rank().over(by_age)),
///     r#"Expr(rank() OVER (PARTITION BY t0."paddock_id" ORDER BY t0."age" DESC))"#,
/// );
/// let so_far = Window::new().order_by(Llama::AGE.asc()).rows(FrameBound::Start, FrameBound::Current);
/// assert!(format!("{:?}", Llama::AGE.sum().over(so_far)).contains("UNBOUNDED PRECEDING"));
/// ```
#[must_use]
pub struct Window<M> {
    partitions: Tape,
    orders: Tape,
    counts: [u64; 2],
    frame: Frame,
    about: PhantomData<fn(M)>,
}

/// Which rows of a window a function looks at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Frame {
    mode: Mode,
    from: FrameBound,
    to: FrameBound,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Mode {
    /// None is written: up to the last row that is level with the current one.
    #[default]
    Default,
    Rows,
    Groups,
}

/// An end of a frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FrameBound {
    /// `UNBOUNDED PRECEDING`: the first row.
    #[default]
    Start,
    /// `n PRECEDING`: so many before the current one.
    Before(u32),
    /// `CURRENT ROW`
    Current,
    /// `n FOLLOWING`: so many behind the current one.
    After(u32),
    /// `UNBOUNDED FOLLOWING`: the last row.
    End,
}

impl FrameBound {
    /// The word for its kind.
    fn kind(self) -> u64 {
        match self {
            Self::Start => 0,
            Self::Before(_) => 1,
            Self::Current => 2,
            Self::After(_) => 3,
            Self::End => 4,
        }
    }

    /// How many rows away, where it counts them.
    fn offset(self) -> Option<i64> {
        match self {
            Self::Before(rows) | Self::After(rows) => Some(i64::from(rows)),
            Self::Start | Self::Current | Self::End => None,
        }
    }

    /// What a kind is written as. `offset` is taken where it counts rows.
    pub(crate) fn sql(kind: u64, offset: impl FnOnce() -> String) -> String {
        match kind {
            0 => "UNBOUNDED PRECEDING".into(),
            1 => offset() + " PRECEDING",
            2 => "CURRENT ROW".into(),
            3 => offset() + " FOLLOWING",
            _ => "UNBOUNDED FOLLOWING".into(),
        }
    }

    /// Whether a kind counts rows.
    pub(crate) fn counts(kind: u64) -> bool {
        kind == 1 || kind == 3
    }
}

impl Frame {
    /// The word for it: its mode, and the kinds of its bounds.
    fn word(self) -> u64 {
        self.mode as u64 | self.from.kind() << 4 | self.to.kind() << 8
    }

    /// What a word says: the mode's keyword, unless it is the default, and the kinds of the bounds.
    pub(crate) fn of(word: u64) -> Option<(&'static str, u64, u64)> {
        let keyword = match word & 0xf {
            1 => "ROWS",
            2 => "GROUPS",
            _ => return None,
        };
        Some((keyword, word >> 4 & 0xf, word >> 8 & 0xf))
    }
}

impl<M> Window<M> {
    /// All rows, in no order.
    pub fn new() -> Self {
        Self {
            partitions: Tape::default(),
            orders: Tape::default(),
            counts: [0; 2],
            frame: Frame::default(),
            about: PhantomData,
        }
    }

    /// Only rows that are level with the current one in this. Called again, in both.
    pub fn partition_by<V: Value>(mut self, by: impl Operand<M, V>) -> Self {
        self.partitions.operand::<M, V>(by);
        self.counts[0] += 1;
        self
    }

    /// The rows in this order. Called again, that order is for rows that are level in the first.
    pub fn order_by(mut self, order: Order<M>) -> Self {
        self.orders.append(&order.tape);
        self.counts[1] += 1;
        self
    }

    /// The function looks at the rows between two bounds. `from` may not lie behind `to`: the server refuses it.
    pub fn rows(self, from: FrameBound, to: FrameBound) -> Self {
        Self { frame: Frame { mode: Mode::Rows, from, to }, ..self }
    }

    /// As [`rows`](Self::rows), but counts groups of rows that are level in the order.
    pub fn groups(self, from: FrameBound, to: FrameBound) -> Self {
        Self { frame: Frame { mode: Mode::Groups, from, to }, ..self }
    }
}

impl<M> Default for Window<M> {
    fn default() -> Self {
        Self::new()
    }
}

impl<M> Clone for Window<M> {
    fn clone(&self) -> Self {
        Self { partitions: self.partitions.clone(), orders: self.orders.clone(), ..*self }
    }
}

impl<M> std::fmt::Debug for Window<M> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Window").field("counts", &self.counts).field("frame", &self.frame).finish()
    }
}

mod sealed {
    /// What can be put over a window.
    pub trait Windowed {}
    impl Windowed for super::Aggregate {}
    impl Windowed for super::WindowFunction {}
}

impl<M, T, K: sealed::Windowed> Expr<M, T, K> {
    /// `OVER`: for each row, the function over the rows of its window.
    pub fn over(mut self, window: Window<M>) -> Expr<M, T> {
        let Window { partitions, orders, counts, frame, .. } = window;
        self.tape.append(&partitions);
        self.tape.append(&orders);
        for rows in [frame.from, frame.to].into_iter().filter_map(FrameBound::offset) {
            self.tape.param(&rows);
        }
        self.tape.op(Op::Over);
        for word in [counts[0], counts[1], frame.word()] {
            self.tape.word(word);
        }
        self.typed()
    }
}

/// A window function without arguments.
fn function<M, T>(name: &'static str) -> Expr<M, T, WindowFunction> {
    let mut tape = Tape::default();
    tape.call(name, 0);
    Expr::new(tape)
}

/// The number of the row in its window, from 1.
pub fn row_number<M>() -> Expr<M, i64, WindowFunction> {
    function("row_number")
}

/// The rank of the row in its window, from 1; rows that are level share one, and leave a gap.
pub fn rank<M>() -> Expr<M, i64, WindowFunction> {
    function("rank")
}

/// As [`rank`], without gaps.
pub fn dense_rank<M>() -> Expr<M, i64, WindowFunction> {
    function("dense_rank")
}

/// The rank as a share of the rows, from 0 to 1.
pub fn percent_rank<M>() -> Expr<M, f64, WindowFunction> {
    function("percent_rank")
}

/// The share of rows up to this one, those that are level included.
pub fn cume_dist<M>() -> Expr<M, f64, WindowFunction> {
    function("cume_dist")
}

/// Which of `buckets` parts the row is in, from 1, the parts being as equal in size as can be.
pub fn ntile<M>(buckets: i32) -> Expr<M, i32, WindowFunction> {
    let mut tape = Tape::default();
    tape.param(&buckets);
    tape.call("ntile", 1);
    Expr::new(tape)
}

operators! {
    /// Its value so many rows before; NULL where there are none.
    pub fn lag(self, rows: i32) -> Expr<M, Option<T::Base>, WindowFunction> {
        self.expr().param(&rows).call::<T>("lag", 2).typed()
    }

    /// Its value so many rows behind; NULL where there are none.
    pub fn lead(self, rows: i32) -> Expr<M, Option<T::Base>, WindowFunction> {
        self.expr().param(&rows).call::<T>("lead", 2).typed()
    }

    /// Its value in the first row of the frame; NULL where that has none.
    pub fn first_value(self) -> Expr<M, Option<T::Base>, WindowFunction> {
        self.expr().call::<T>("first_value", 1).typed()
    }

    /// Its value in the last row of the frame, which reaches to the current row unless told otherwise.
    pub fn last_value(self) -> Expr<M, Option<T::Base>, WindowFunction> {
        self.expr().call::<T>("last_value", 1).typed()
    }

    /// Its value in the `n`-th row of the frame, from 1; NULL where there is none.
    pub fn nth_value(self, n: i32) -> Expr<M, Option<T::Base>, WindowFunction> {
        self.expr().param(&n).call::<T>("nth_value", 2).typed()
    }
}
