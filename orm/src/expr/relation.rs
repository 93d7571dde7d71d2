//! What tells those who compare a relation, which has no value.

use crate::expr::Pred;
use crate::relation::{ToMany, ToOne};

/// Something with a value. Relations have none, and nothing implements it: it is here for what the compiler says.
#[diagnostic::on_unimplemented(
    message = "a relation has no value that could be compared",
    label = "this is a relation, not a column",
    note = "compare its column, as in `Llama::PADDOCK_ID.eq(7)`",
    note = "or ask for the row at its other end, as in `Llama::PADDOCK.has(Paddock::NAME.eq(\"Hilltop\"))`"
)]
pub trait HasValue {}

/// One row a kind of relation.
macro_rules! relations {
    ($($relation:ident;)*) => {$(
        impl<M, N> $relation<M, N> {
            /// Does not compile: a relation has no value. It is its column that is compared, or the row at its
            /// other end that is asked for.
            ///
            /// ```compile_fail,E0277
            /// # use wreath_orm::{Column, Columns, Load, Model, Result, Source, Table, ToOne};
            /// # pub struct Llama { id: i64, mother: Option<i64> }
            /// # impl Load<Self> for Llama {
            /// #     fn load<S: Source<Self>>(s: &mut S) -> Result<Self> {
            /// #         Ok(Self { id: s.get(Self::ID)?, mother: s.get(Self::MOTHER_ID)? })
            /// #     }
            /// # }
            /// # impl Model for Llama {
            /// #     const TABLE: Table<Self> = Table::new("llamas");
            /// #     type Key = i64;
            /// #     fn key() -> impl Columns<Self, Row = i64> { Self::ID }
            /// # }
            /// # impl Llama {
            /// #     const ID: Column<Self, i64> = Self::TABLE.col("id", |l| &l.id);
            /// #     const MOTHER_ID: Column<Self, Option<i64>> = Self::TABLE.col("mother_id", |l| &l.mother);
            /// #     const MOTHER: ToOne<Self, Self> = Self::MOTHER_ID.to_one(Self::ID);
            /// # }
            /// let _ = Llama::MOTHER.eq(7); // a relation has no value that could be compared
            /// ```
            pub fn eq<V>(self, _: V) -> Pred<M>
            where
                Self: HasValue,
            {
                unreachable!("nothing has the bound")
            }
        }
    )*};
}

relations! {
    ToOne;
    ToMany;
}
