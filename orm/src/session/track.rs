//! Which outputs a session can keep track of.

use crate::error::Result;
use crate::model::Model;
use crate::query::{All, Output, With};
use crate::relation::{Joined, Required, SelectIn};
use crate::session::{Ref, Session};

/// An output of whole objects, which a session takes in: each becomes a [`Ref`].
///
/// Columns are values that belong to no object, so a session does not take them:
///
/// ```compile_fail,E0277
/// # use wreath_orm::{Column, Columns, Load, Model, Result, Session, Source, Table};
/// # pub struct Llama { id: i64 }
/// # impl Llama {
/// #     const ID: Column<Self, i64> = Self::TABLE.col("id", |l| &l.id);
/// # }
/// # impl Load<Self> for Llama {
/// #     fn load<S: Source<Self>>(s: &mut S) -> Result<Self> { Ok(Self { id: s.get(Self::ID)? }) }
/// # }
/// # impl Model for Llama {
/// #     const TABLE: Table<Self> = Table::new("llamas");
/// #     type Key = i64;
/// #     fn key() -> impl Columns<Self, Row = i64> { Self::ID }
/// # }
/// async fn ids(session: &mut Session) -> Result<()> {
///     session.fetch(&Llama::select().cols(Llama::ID)).await?;
///     Ok(())
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "a session tracks whole objects; `{Self}` yields plain values",
    note = "use `Session::fetch_values`, or `fetch` of the `Db`"
)]
pub trait Track<M>: Output<M> {
    /// The rows, with a [`Ref`] for each object.
    type Refs: Send + 'static;

    #[doc(hidden)]
    fn track(session: &mut Session, row: Self::Row) -> Result<Self::Refs>;
}

impl<M: Model> Track<M> for All<M> {
    type Refs = Ref<M>;

    fn track(session: &mut Session, row: M) -> Result<Ref<M>> {
        session.attach(row)
    }
}

impl<M: Model, N: Model, O: Track<N>> Track<M> for Joined<M, N, O> {
    type Refs = Option<O::Refs>;

    fn track(session: &mut Session, row: Option<O::Row>) -> Result<Self::Refs> {
        row.map(|row| O::track(session, row)).transpose()
    }
}

impl<M: Model, N: Model, O: Track<N>> Track<M> for Required<Joined<M, N, O>> {
    type Refs = O::Refs;

    fn track(session: &mut Session, row: O::Row) -> Result<Self::Refs> {
        O::track(session, row)
    }
}

impl<M: Model, N: Model, O: Track<N>> Track<M> for SelectIn<M, N, O> {
    type Refs = Vec<O::Refs>;

    fn track(session: &mut Session, row: Vec<O::Row>) -> Result<Self::Refs> {
        row.into_iter().map(|row| O::track(session, row)).collect()
    }
}

macro_rules! rows {
    ($($($name:ident $place:tt)+;)+) => {$(
        impl<M, O: Track<M>, $($name: Track<M>),+> Track<M> for With<O, ($($name,)+)>
        where
            Self: Output<M, Row = (O::Row, $($name::Row,)+)>,
        {
            type Refs = (O::Refs, $($name::Refs,)+);

            fn track(session: &mut Session, row: Self::Row) -> Result<Self::Refs> {
                Ok((O::track(session, row.0)?, $($name::track(session, row.$place)?,)+))
            }
        }
    )+};
}

rows! {
    A 1;
    A 1 B 2;
    A 1 B 2 C 3;
    A 1 B 2 C 3 D 4;
    A 1 B 2 C 3 D 4 E 5;
    A 1 B 2 C 3 D 4 E 5 F 6;
    A 1 B 2 C 3 D 4 E 5 F 6 G 7;
    A 1 B 2 C 3 D 4 E 5 F 6 G 7 H 8;
}
