//! Functions of numbers. `+`, `-`, `*`, `/` and `%` are Rust's own operators.

use crate::expr::Expr;
use crate::expr::kind::SqlNumber;
use crate::expr::ops::operators;
use crate::model::{Column, ColumnType};

operators! {
    /// Without its sign.
    pub fn abs(self) -> Expr<M, T>
    where
        T::Base: SqlNumber,
    {
        self.expr().call("abs", 1)
    }

    /// -1, 0 or 1, as a double.
    pub fn sign(self) -> Expr<M, T::Of<f64>>
    where
        T::Base: SqlNumber,
    {
        self.double().call("sign", 1)
    }

    /// The largest whole number that is not more, as a double.
    pub fn floor(self) -> Expr<M, T::Of<f64>>
    where
        T::Base: SqlNumber,
    {
        self.double().call("floor", 1)
    }

    /// The smallest whole number that is not less, as a double.
    pub fn ceil(self) -> Expr<M, T::Of<f64>>
    where
        T::Base: SqlNumber,
    {
        self.double().call("ceil", 1)
    }

    /// The nearest whole number; of two, the even one. As a double.
    pub fn round(self) -> Expr<M, T::Of<f64>>
    where
        T::Base: SqlNumber,
    {
        self.double().call("round", 1)
    }

    /// The square root, which a negative number does not have: the server refuses it.
    pub fn sqrt(self) -> Expr<M, T::Of<f64>>
    where
        T::Base: SqlNumber,
    {
        self.double().call("sqrt", 1)
    }

    /// To a power.
    pub fn power(self, exponent: f64) -> Expr<M, T::Of<f64>>
    where
        T::Base: SqlNumber,
    {
        self.double().param(&exponent).call("power", 2)
    }

    /// As a double.
    pub(crate) fn double(self) -> Expr<M, T::Of<f64>>
    where
        T::Base: SqlNumber,
    {
        let mut expr = self.expr();
        expr.tape.cast::<f64>();
        expr.typed()
    }
}
