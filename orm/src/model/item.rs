//! What is declared of a table beside its columns.

use crate::model::{OnDelete, Table};

/// A constraint or an index over several columns, which are named as they are in the database.
///
/// A model lists them in [`Model::ITEMS`](crate::Model::ITEMS); `create_tables` makes them, under names that follow
/// from table and columns. A column that the model does not have is an error of the declaration.
///
/// ```
/// use wreath_orm::{Column, Columns, ForeignKey, Index, Item, Load, Model, Result, Source, Table};
///
/// pub struct Job { pub id: i64, pub queue: String, pub ticket: Option<i32>, pub state: String }
/// # impl Job {
/// #     const ID: Column<Self, i64> = Self::TABLE.col("id", |j| &j.id).identity();
/// #     const QUEUE: Column<Self, String> = Self::TABLE.col("queue", |j| &j.queue);
/// #     const TICKET: Column<Self, Option<i32>> = Self::TABLE.col("ticket", |j| &j.ticket);
/// #     const STATE: Column<Self, String> = Self::TABLE.col("state", |j| &j.state);
/// # }
/// # impl Load<Self> for Job {
/// #     fn load<S: Source<Self>>(s: &mut S) -> Result<Self> {
/// #         let (id, queue) = (s.get(Self::ID)?, s.get(Self::QUEUE)?);
/// #         Ok(Self { id, queue, ticket: s.get(Self::TICKET)?, state: s.get(Self::STATE)? })
/// #     }
/// # }
/// impl Model for Job {
///     const TABLE: Table<Self> = Table::new("jobs");
///     const ITEMS: &'static [Item] = &[
///         Item::Unique(&["queue", "ticket"]),
///         Item::Index(Index::new(&["queue", "id"]).only("state = 'ready'")),
///         Item::Checks,
///     ];
/// #   type Key = i64;
/// #   fn key() -> impl Columns<Self, Row = i64> { Self::ID }
/// }
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Item {
    /// The columns' values are unique together.
    Unique(&'static [&'static str]),
    /// An index.
    Index(Index),
    /// A foreign key of several columns; for one column there is
    /// [`Column::references`](crate::Column::references).
    ForeignKey(ForeignKey),
    /// A condition in SQL that the server holds every row to, under a name.
    Check(&'static str, &'static str),
    /// The server holds every row to the checks of the columns, and to the rules, as far as SQL says the same as they:
    /// bounds, lengths and lists do, predicates and patterns do not, and rules where [they say
    /// it](crate::Rule::sql).
    Checks,
}

impl Item {
    /// The columns that it names.
    pub(crate) fn columns(&self) -> &'static [&'static str] {
        match self {
            Self::Unique(columns) => columns,
            Self::Index(index) => index.columns,
            Self::ForeignKey(key) => key.columns,
            Self::Check(..) | Self::Checks => &[],
        }
    }
}

/// An index over columns.
#[derive(Clone, Copy, Debug)]
pub struct Index {
    pub(crate) columns: &'static [&'static str],
    pub(crate) unique: bool,
    pub(crate) method: Option<&'static str>,
    pub(crate) operators: Option<&'static str>,
    pub(crate) only: Option<&'static str>,
    pub(crate) with: Option<&'static str>,
}

impl Index {
    /// A btree index over these columns.
    pub const fn new(columns: &'static [&'static str]) -> Self {
        Self { columns, unique: false, method: None, operators: None, only: None, with: None }
    }

    /// No two rows that are in it have the same values.
    #[must_use]
    pub const fn unique(self) -> Self {
        Self { unique: true, ..self }
    }

    /// Another kind of index: `gin` for documents and arrays, `gist`, `hnsw`.
    #[must_use]
    pub const fn method(self, method: &'static str) -> Self {
        Self { method: Some(method), ..self }
    }

    /// The operator class of each column, where it is not the type's default: `text_pattern_ops`,
    /// `vector_cosine_ops`.
    #[must_use]
    pub const fn operators(self, class: &'static str) -> Self {
        Self { operators: Some(class), ..self }
    }

    /// Only rows for which this SQL condition holds are in it.
    #[must_use]
    pub const fn only(self, condition: &'static str) -> Self {
        Self { only: Some(condition), ..self }
    }

    /// Storage parameters, as SQL writes them: `m = 16, ef_construction = 64`.
    #[must_use]
    pub const fn with(self, parameters: &'static str) -> Self {
        Self { with: Some(parameters), ..self }
    }
}

/// A foreign key of several columns.
///
/// ```
/// use wreath_orm::{ForeignKey, OnDelete, Table};
///
/// struct Member;
/// const MEMBERS: Table<Member> = Table::new("members");
/// const KEY: ForeignKey = ForeignKey::new(&["herd", "llama"], MEMBERS, &["herd", "llama"])
///     .on_delete(OnDelete::Cascade)
///     .deferrable();
/// ```
#[derive(Clone, Copy, Debug)]
pub struct ForeignKey {
    pub(crate) columns: &'static [&'static str],
    pub(crate) schema: Option<&'static str>,
    pub(crate) table: &'static str,
    pub(crate) key: &'static [&'static str],
    pub(crate) on_delete: OnDelete,
    pub(crate) cascade_updates: bool,
    pub(crate) deferrable: bool,
}

impl ForeignKey {
    /// The columns' values are those of these columns of a row of `N`.
    ///
    /// # Panics
    /// At compile time, when there are not as many columns on both sides.
    pub const fn new<N>(
        columns: &'static [&'static str],
        table: Table<N>,
        key: &'static [&'static str],
    ) -> Self {
        assert!(columns.len() == key.len(), "a foreign key has as many columns as the key that it refers to");
        Self {
            columns,
            schema: table.schema_name(),
            table: table.name(),
            key,
            on_delete: OnDelete::Refuse,
            cascade_updates: false,
            deferrable: false,
        }
    }

    /// What becomes of the row when the row that it refers to is deleted.
    #[must_use]
    pub const fn on_delete(self, on_delete: OnDelete) -> Self {
        Self { on_delete, ..self }
    }

    /// When the key of the row that it refers to is changed, the columns follow.
    #[must_use]
    pub const fn cascade_updates(self) -> Self {
        Self { cascade_updates: true, ..self }
    }

    /// It is looked at when the transaction is committed, not at each statement.
    #[must_use]
    pub const fn deferrable(self) -> Self {
        Self { deferrable: true, ..self }
    }
}
