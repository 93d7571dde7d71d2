//! What a model does around its writes.

use std::borrow::Cow;
use std::fmt;

/// A refusal: why an object may not be written. It is reported as a [`Violation`](crate::Violation) of kind `hook`.
pub type Refusal = Cow<'static, str>;

/// Something that a model does around its writes; listed in [`Model::HOOKS`](crate::Model::HOOKS).
///
/// What comes before a write runs when the object is added, changed by an edit or removed, ahead of checks and rules,
/// and may refuse it; what comes after runs once the statement has been done, in an open transaction before its end.
/// For what should only happen after a commit, see [`Db::on_write`](crate::Db::on_write).
///
/// No way of writing passes hooks over: those that have no objects at hand refuse a model that has hooks for them.
///
/// ```
/// use wreath_orm::{Column, Columns, Hook, Load, Model, Result, Source, Table};
///
/// pub struct Llama { pub id: i64, pub name: String }
/// # impl Llama {
/// #     const ID: Column<Self, i64> = Self::TABLE.col("id", |l| &l.id).identity();
/// #     const NAME: Column<Self, String> = Self::TABLE.col("name", |l| &l.name);
/// # }
/// # impl Load<Self> for Llama {
/// #     fn load<S: Source<Self>>(s: &mut S) -> Result<Self> {
/// #         Ok(Self { id: s.get(Self::ID)?, name: s.get(Self::NAME)? })
/// #     }
/// # }
/// impl Model for Llama {
///     const TABLE: Table<Self> = Table::new("llamas");
///     const HOOKS: &'static [Hook<Self>] = &[
///         Hook::BeforeInsert(|l| { l.name = l.name.trim().to_owned(); Ok(()) }),
///         Hook::BeforeDelete(|l| if l.name == "Dolly" { Err("Dolly stays".into()) } else { Ok(()) }),
///         Hook::AfterInsert(|l| println!("{} is here", l.name)),
///     ];
/// #   type Key = i64;
/// #   fn key() -> impl Columns<Self, Row = i64> { Self::ID }
/// }
/// ```
#[derive(Clone, Copy)]
#[non_exhaustive]
pub enum Hook<M> {
    /// Changes or refuses an object that is added.
    BeforeInsert(fn(&mut M) -> Result<(), Refusal>),
    /// Changes or refuses an object that an edit has changed.
    BeforeUpdate(fn(&mut M) -> Result<(), Refusal>),
    /// Refuses a removal.
    BeforeDelete(fn(&M) -> Result<(), Refusal>),
    /// The row has been inserted; the object has what the server has made.
    AfterInsert(fn(&M)),
    /// The row has been updated.
    AfterUpdate(fn(&M)),
    /// The row has been deleted.
    AfterDelete(fn(&M)),
}

impl<M> Hook<M> {
    /// What it is, for people.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Self::BeforeInsert(_) => "BeforeInsert",
            Self::BeforeUpdate(_) => "BeforeUpdate",
            Self::BeforeDelete(_) => "BeforeDelete",
            Self::AfterInsert(_) => "AfterInsert",
            Self::AfterUpdate(_) => "AfterUpdate",
            Self::AfterDelete(_) => "AfterDelete",
        }
    }
}

impl<M> fmt::Debug for Hook<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
