//! How columns and expressions come by the same methods.

/// Gives columns and expressions the same methods. `self.expr()` is the expression in both.
macro_rules! operators {
    ($($methods:tt)*) => {
        impl<M, T: ColumnType> Column<M, T> {
            $($methods)*
        }

        impl<M, T: ColumnType, K> Expr<M, T, K> {
            $($methods)*
        }
    };
}

pub(crate) use operators;
