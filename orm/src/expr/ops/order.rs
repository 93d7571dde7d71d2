//! Orderings by columns and expressions.

use crate::expr::kind::SqlOrd;
use crate::expr::ops::operators;
use crate::expr::{Expr, Order, order};
use crate::model::{Column, ColumnType};

operators! {
    /// Rows in ascending order.
    pub fn asc(self) -> Order<M>
    where
        T::Base: SqlOrd,
    {
        Order::new(self.expr().tape, 0)
    }

    /// Rows in descending order.
    pub fn desc(self) -> Order<M>
    where
        T::Base: SqlOrd,
    {
        Order::new(self.expr().tape, order::DESC)
    }
}
