//! The parameters of declared queries.

use crate::model::ColumnType;

/// The parameters of a [`Query`](crate::Query): a value that a column can have, or a tuple of up to six.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the parameters of a declared query",
    label = "expected a value that a column can have, or a tuple of them"
)]
pub trait Parameters: Send + Sync + 'static {
    /// Made-up parameters, to check a declaration with.
    fn sample(n: u32) -> Self;
}

impl<T: ColumnType> Parameters for T {
    fn sample(n: u32) -> Self {
        T::sample(n)
    }
}

impl Parameters for () {
    fn sample(_: u32) -> Self {}
}

macro_rules! tuples {
    ($($($name:ident)+;)+) => {$(
        impl<$($name: ColumnType),+> Parameters for ($($name,)+) {
            fn sample(n: u32) -> Self {
                ($($name::sample(n),)+)
            }
        }
    )+};
}

tuples! {
    A;
    A B;
    A B C;
    A B C D;
    A B C D E;
    A B C D E F;
}
