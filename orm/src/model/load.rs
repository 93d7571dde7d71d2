//! How structs are put together from columns.

use crate::check::Rule;
use crate::error::Result;
use crate::model::{Column, ColumnType, Columns, Facet, Item, Narrows, Table, describe};
use crate::query::{All, Select};

/// Where [`Load::load`] takes its values from: a row of a reply, a snapshot, or made-up values while the
/// mapping is described. Implemented by this crate only.
pub trait Source<M>: sealed::Sealed {
    /// The value of a column.
    ///
    /// # Errors
    /// When there is none that fits: a NULL without an `Option`, bytes that are no such value.
    fn get<T: ColumnType>(&mut self, column: Column<M, T>) -> Result<T>;

    /// A group of columns that several models share, as one field. In the table a group's columns come
    /// ahead of the model's own.
    ///
    /// ```
    /// use wreath_orm::{Column, Columns, Load, Model, Result, Source, Table};
    ///
    /// /// What every animal has.
    /// pub struct Tag { pub id: i64, pub ear: String }
    ///
    /// pub trait Tagged: Model { fn tag(&self) -> &Tag; }
    ///
    /// impl Tag {
    ///     pub const fn id<M: Tagged>() -> Column<M, i64> { M::TABLE.col("id", |m| &m.tag().id).identity() }
    ///     pub const fn ear<M: Tagged>() -> Column<M, String> { M::TABLE.col("ear", |m| &m.tag().ear) }
    /// }
    /// impl<M: Tagged> Load<M> for Tag {
    ///     fn load<S: Source<M>>(s: &mut S) -> Result<Self> {
    ///         Ok(Self { id: s.get(Self::id())?, ear: s.get(Self::ear())? })
    ///     }
    /// }
    ///
    /// pub struct Goat { pub tag: Tag, pub milk: i32 }
    ///
    /// impl Goat {
    ///     pub const MILK: Column<Self, i32> = Self::TABLE.col("milk", |g| &g.milk);
    /// }
    /// impl Tagged for Goat { fn tag(&self) -> &Tag { &self.tag } }
    /// impl Load<Self> for Goat {
    ///     fn load<S: Source<Self>>(s: &mut S) -> Result<Self> {
    ///         Ok(Self { milk: s.get(Self::MILK)?, tag: s.group()? })
    ///     }
    /// }
    /// impl Model for Goat {
    ///     const TABLE: Table<Self> = Table::new("goats");
    ///     type Key = i64;
    ///     fn key() -> impl Columns<Self, Row = i64> { Tag::id() }
    /// }
    /// # assert_eq!(wreath_orm::create_table_sql::<Goat>().unwrap().matches('"').count(), 8 + 2);
    /// ```
    ///
    /// # Errors
    /// As [`get`](Self::get).
    fn group<G: Load<M>>(&mut self) -> Result<G>
    where
        Self: Sized,
    {
        G::load(self)
    }
}

pub(crate) mod sealed {
    /// Keeps [`Source`](super::Source) to this crate, so that it can grow.
    pub trait Sealed {}
}

/// A struct that is put together from columns of `M`: `M` itself, a part of it, or a group of columns.
///
/// The one function says everything, since it can be run over a row, over a snapshot and over made-up
/// values. A field that is forgotten does not compile, and neither does a column of another type than the
/// field's:
///
/// ```compile_fail,E0063
/// # use wreath_orm::{Column, Load, Result, Source, Table};
/// struct Llama { id: i64, name: String }
/// # impl Llama {
/// #     const TABLE: Table<Self> = Table::new("llamas");
/// #     const ID: Column<Self, i64> = Self::TABLE.col("id", |l| &l.id);
/// # }
/// impl Load<Self> for Llama {
///     fn load<S: Source<Self>>(s: &mut S) -> Result<Self> {
///         Ok(Self { id: s.get(Self::ID)? }) // no name
///     }
/// }
/// ```
///
/// ```compile_fail,E0308
/// # use wreath_orm::{Column, Load, Result, Source, Table};
/// struct Llama { id: i64, name: String }
/// # impl Llama {
/// #     const TABLE: Table<Self> = Table::new("llamas");
/// #     const ID: Column<Self, i64> = Self::TABLE.col("id", |l| &l.id);
/// # }
/// impl Load<Self> for Llama {
///     fn load<S: Source<Self>>(s: &mut S) -> Result<Self> {
///         Ok(Self { id: s.get(Self::ID)?, name: s.get(Self::ID)? }) // an i64 for a String
///     }
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be read from rows of `{M}`",
    label = "no `Load<{M}>` for `{Self}`",
    note = "implement `Load<{M}>` for it: its `load` names the column of each field"
)]
pub trait Load<M>: Sized + Send + 'static {
    /// Puts the struct together. It takes the same columns, in the same order, each time; it does not look
    /// at the values.
    ///
    /// # Errors
    /// Those of the source.
    fn load<S: Source<M>>(s: &mut S) -> Result<Self>;
}

/// A struct whose [`Load`] covers the rows of a table.
///
/// ```
/// use wreath_orm::{Column, Columns, Load, Model, Result, Rule, Source, Table};
///
/// pub struct Member { pub herd: i64, pub llama: i64, pub leads: bool }
///
/// impl Member {
///     pub const HERD: Column<Self, i64> = Self::TABLE.col("herd", |m| &m.herd);
///     pub const LLAMA: Column<Self, i64> = Self::TABLE.col("llama", |m| &m.llama);
///     pub const LEADS: Column<Self, bool> = Self::TABLE.col("leads", |m| &m.leads);
/// }
/// impl Load<Self> for Member {
///     fn load<S: Source<Self>>(s: &mut S) -> Result<Self> {
///         Ok(Self { herd: s.get(Self::HERD)?, llama: s.get(Self::LLAMA)?, leads: s.get(Self::LEADS)? })
///     }
/// }
/// impl Model for Member {
///     const TABLE: Table<Self> = Table::new("members");
///     type Key = (i64, i64); // a composite key
///     fn key() -> impl Columns<Self, Row = Self::Key> { (Self::HERD, Self::LLAMA) }
/// }
/// ```
pub trait Model: Load<Self> + Sync {
    /// The table.
    const TABLE: Table<Self>;

    /// Rules over whole objects.
    const RULES: &'static [Rule<Self>] = &[];

    /// Constraints and indexes over several columns.
    const ITEMS: &'static [Item] = &[];

    /// What other subsystems declare on the model.
    const FACETS: &'static [Facet] = &[];

    /// The wider model over the same table whose checks and rules hold for this one too: see [`Narrow`].
    const NARROWS: Option<&'static dyn Narrows<Self>> = None;

    /// The type of the primary key: the type of its column, or a tuple where there are several.
    type Key: Send + Sync + 'static;

    /// The columns of the primary key.
    fn key() -> impl Columns<Self, Row = Self::Key>;

    /// Runs all checks and rules, as [`Session::add`](crate::Session::add) does.
    ///
    /// # Errors
    /// [`Invalid`](crate::ErrorKind::Invalid), with all that the object breaks;
    /// [`Declaration`](crate::ErrorKind::Declaration), when the model is not declared rightly.
    fn validate(&self) -> Result<()> {
        describe::<Self>()?.check(self)
    }

    /// A query for whole objects.
    fn select() -> Select<Self, All<Self>> {
        Select::new()
    }
}
