//! How structs are put together from columns.

use crate::check::Rule;
#[cfg(feature = "serde_json")]
use crate::error::Error;
use crate::error::Result;
use crate::model::{
    Column, ColumnType, Columns, Facet, Filter, Hook, Item, Narrows, SoftDelete, Table, describe,
};
use crate::query::{All, Select};
use crate::relation::Relation;

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

    /// What is done around writes of its rows.
    const HOOKS: &'static [Hook<Self>] = &[];

    /// Filters that hold wherever the model is read.
    const FILTERS: &'static [Filter<Self>] = &[];

    /// What a deletion sets, instead of deleting the row.
    const SOFT_DELETE: Option<SoftDelete> = None;

    /// What other subsystems declare on the model.
    const FACETS: &'static [Facet] = &[];

    /// The wider model over the same table whose checks and rules hold for this one too: see [`Narrow`](crate::Narrow).
    const NARROWS: Option<&'static dyn Narrows<Self>> = None;

    /// The relations that are checked when the model is declared to a [`Db`](crate::Db): that the columns they
    /// name exist, and that one row is at the end where one has to be. One that is not listed is checked when it
    /// is first included.
    ///
    /// ```
    /// # use wreath_orm::{Column, Columns, Db, Load, Model, Relation, Result, Source, Table, ToMany, ToOne};
    /// # struct Llama { id: i64, mother_id: Option<i64> }
    /// # impl Llama {
    /// #     const ID: Column<Self, i64> = Self::TABLE.col("id", |l| &l.id);
    /// #     const MOTHER_ID: Column<Self, Option<i64>> = Self::TABLE.col("mother_id", |l| &l.mother_id);
    /// #     const MOTHER: ToOne<Self, Self> = Self::MOTHER_ID.to_one(Self::ID);
    /// #     const CHILDREN: ToMany<Self, Self> = Self::MOTHER_ID.many(Self::ID);
    /// # }
    /// # impl Load<Self> for Llama {
    /// #     fn load<S: Source<Self>>(s: &mut S) -> Result<Self> {
    /// #         Ok(Self { id: s.get(Self::ID)?, mother_id: s.get(Self::MOTHER_ID)? })
    /// #     }
    /// # }
    /// impl Model for Llama {
    /// #   const TABLE: Table<Self> = Table::new("llamas");
    /// #   type Key = i64;
    /// #   fn key() -> impl Columns<Self, Row = i64> { Self::ID }
    ///     const RELATIONS: &'static [&'static dyn Relation<Self>] = &[&Self::MOTHER, &Self::CHILDREN];
    ///     // ...
    /// }
    /// ```
    const RELATIONS: &'static [&'static dyn Relation<Self>] = &[];

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

    /// Makes an object of a JSON object that has a field for each column, named as in the database.
    ///
    /// A column may be left out when it has a [default](Column::default_with) or may be NULL. What the server makes and
    /// what the program stamps may not come; it is filled when the object is added and flushed. A type takes one kind of
    /// JSON and no other: an integer takes neither `"1"` nor `1.0`, and a `numeric` is read as it is written.
    ///
    /// ```
    /// # use wreath_orm::{Column, Columns, Load, Model, Num, Result, Source, Table, Text};
    /// # #[derive(Debug)]
    /// # pub struct Llama { pub id: i64, pub name: String, pub age: i32, pub tags: Vec<String> }
    /// # impl Llama {
    /// #     pub const ID: Column<Self, i64> = Self::TABLE.col("id", |l| &l.id).identity();
    /// #     pub const NAME: Column<Self, String> = Self::TABLE.col("name", |l| &l.name);
    /// #     pub const AGE: Column<Self, i32> = Self::TABLE.col("age", |l| &l.age).checks(&[Num::Ge(0)]);
    /// #     pub const TAGS: Column<Self, Vec<String>> = Self::TABLE.col("tags", |l| &l.tags);
    /// # }
    /// # impl Load<Self> for Llama {
    /// #     fn load<S: Source<Self>>(s: &mut S) -> Result<Self> {
    /// #         let (id, name, age) = (s.get(Self::ID)?, s.get(Self::NAME)?, s.get(Self::AGE)?);
    /// #         Ok(Self { id, name, age, tags: s.get(Self::TAGS)? })
    /// #     }
    /// # }
    /// # impl Model for Llama {
    /// #     const TABLE: Table<Self> = Table::new("llamas");
    /// #     type Key = i64;
    /// #     fn key() -> impl Columns<Self, Row = i64> { Self::ID }
    /// # }
    /// let llama = Llama::from_json(br#"{"name": "Tina", "age": 4, "tags": ["calm"]}"#)?;
    /// assert_eq!((llama.name.as_str(), llama.age), ("Tina", 4));
    ///
    /// let error = Llama::from_json(br#"{"age": -4, "tags": ["calm", 7], "wool": 1}"#).expect_err("is refused");
    /// let found: Vec<_> = error.violations().iter().map(|v| (v.kind(), v.path())).collect();
    /// assert_eq!(
    ///     found,
    ///     [
    ///         ("type", "tags[1]".into()),
    ///         ("unknown", "wool".into()),
    ///         ("missing", "name".into()),
    ///         ("ge", "age".into()),
    ///     ]
    /// );
    /// assert_eq!(
    ///     serde_json::to_string(&error.violations()[0]).unwrap(),
    ///     r#"{"kind":"type","path":"tags[1]","message":"must be a string"}"#
    /// );
    /// # Ok::<(), wreath_orm::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Invalid`](crate::ErrorKind::Invalid), with everything that is wrong with the body, in one list: see
    /// [`Violation::kind`](crate::Violation::kind). A rule is asked where all of its columns are there and valid.
    #[cfg(feature = "serde_json")]
    fn from_json(body: &[u8]) -> Result<Self> {
        crate::body::read_whole::<Self, Self>(body)
    }

    /// Makes a part of an object, or a struct with some of its columns, of a JSON object, which may have no other
    /// fields. Columns that the server makes may come where the struct takes them, unless they are computed.
    ///
    /// # Errors
    /// As [`from_json`](Self::from_json); [`Declaration`](crate::ErrorKind::Declaration), when `L` takes a column that
    /// the model itself does not.
    #[cfg(feature = "serde_json")]
    fn from_json_as<L: Load<Self>>(body: &[u8]) -> Result<L> {
        crate::body::read_whole::<Self, L>(body)
    }

    /// The object as something that serializes to JSON, without a derive.
    #[cfg(feature = "serde_json")]
    fn as_json(&self) -> crate::body::AsJson<'_, Self> {
        crate::body::AsJson(self)
    }

    /// The object as JSON text.
    ///
    /// # Errors
    /// [`Encode`](crate::ErrorKind::Encode), when a value of it has no JSON form.
    #[cfg(feature = "serde_json")]
    fn to_json(&self) -> Result<String> {
        serde_json::to_string(&self.as_json()).map_err(|e| {
            Error::new(crate::ErrorKind::Encode, e.to_string()).of(std::any::type_name::<Self>())
        })
    }

    /// A query for whole objects.
    fn select() -> Select<Self, All<Self>> {
        Select::restricted(&[])
    }

    /// A query for whole objects, without the [filters](Self::FILTERS) of these names.
    fn unfiltered(lifted: &[&str]) -> Select<Self, All<Self>> {
        Select::restricted(lifted)
    }
}
