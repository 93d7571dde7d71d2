//! Rows into values of the user's own types.

use wreath_codecs::Decode;

use crate::error::{Error, ErrorKind, Result};
use crate::row::{Row, RowReader};

/// A type that a row is read into. Tuples of up to sixteen values read all columns from left to right; for a
/// struct, implement it by hand: see [`RowReader`].
#[diagnostic::on_unimplemented(
    message = "a row cannot be read into `{Self}`",
    label = "neither a tuple nor a struct that implements `FromRow`",
    note = "a row of one column is read into a tuple of one, `(T,)`; `fetch_scalar` reads a single value",
    note = "for a struct, implement `FromRow` by hand: `RowReader` shows how"
)]
pub trait FromRow: Sized {
    /// Reads a row.
    ///
    /// # Errors
    /// When a column is not what the type needs.
    fn from_row(row: Row<'_>) -> Result<Self>;
}

/// A value that is read without borrowing from the reply.
pub trait DecodeOwned: for<'r> Decode<'r> {}

impl<T: for<'r> Decode<'r>> DecodeOwned for T {}

/// A reader of a row that has exactly `n` columns.
fn exactly(row: Row<'_>, n: usize) -> Result<RowReader<'_>> {
    match row.len() {
        found if found == n => Ok(row.reader()),
        found => {
            Err(Error::new(ErrorKind::Decode, format!("the row has {found} columns, and {n} were asked for")))
        }
    }
}

macro_rules! tuples {
    ($($n:literal: $($name:ident)+;)*) => {$(
        impl<$($name: DecodeOwned),+> FromRow for ($($name,)+) {
            #[inline]
            fn from_row(row: Row<'_>) -> Result<Self> {
                let mut values = exactly(row, $n)?;
                Ok(($(values.read::<$name>()?,)+))
            }
        }
    )*};
}

tuples! {
    1: A; 2: A B; 3: A B C; 4: A B C D; 5: A B C D E; 6: A B C D E F; 7: A B C D E F G; 8: A B C D E F G H;
    9: A B C D E F G H I; 10: A B C D E F G H I J; 11: A B C D E F G H I J K; 12: A B C D E F G H I J K L;
    13: A B C D E F G H I J K L M; 14: A B C D E F G H I J K L M N; 15: A B C D E F G H I J K L M N O;
    16: A B C D E F G H I J K L M N O P;
}
