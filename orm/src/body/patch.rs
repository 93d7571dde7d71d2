//! Values for some of the columns of a model.

use std::fmt;
use std::marker::PhantomData;

use wreath_codecs::wire::Reader;
use wreath_codecs::{EncodeError, Encoder};

use crate::body::fill::Filling;
use crate::error::{Error, Result};
use crate::model::{Column, ColumnType, Model, describe};
use crate::session::{Ref, Session, snapshot};

/// Values for some of the columns of `M`: what a form changes, or what a new object is made of.
///
/// ```
/// use wreath_orm::{Column, Columns, Load, Model, Num, Patch, Result, Source, Table};
///
/// #[derive(Debug, PartialEq)]
/// pub struct Llama { pub id: i64, pub name: String, pub age: i32, pub nick: Option<String> }
/// impl Llama {
///     pub const ID: Column<Self, i64> = Self::TABLE.col("id", |l| &l.id).identity();
///     pub const NAME: Column<Self, String> = Self::TABLE.col("name", |l| &l.name);
///     pub const AGE: Column<Self, i32> =
///         Self::TABLE.col("age", |l| &l.age).default_with(|| 1).checks(&[Num::Ge(0)]);
///     pub const NICK: Column<Self, Option<String>> = Self::TABLE.col("nick", |l| &l.nick);
/// }
/// # impl Load<Self> for Llama {
/// #     fn load<S: Source<Self>>(s: &mut S) -> Result<Self> {
/// #         let (id, name) = (s.get(Self::ID)?, s.get(Self::NAME)?);
/// #         Ok(Self { id, name, age: s.get(Self::AGE)?, nick: s.get(Self::NICK)? })
/// #     }
/// # }
/// # impl Model for Llama {
/// #     const TABLE: Table<Self> = Table::new("llamas");
/// #     type Key = i64;
/// #     fn key() -> impl Columns<Self, Row = i64> { Self::ID }
/// # }
///
/// let mut tina = Patch::new().set(Llama::NAME, "Tina".into()).build()?; // others have defaults, or are NULL
/// assert_eq!(tina, Llama { id: 0, name: "Tina".into(), age: 1, nick: None });
///
/// Patch::new().set(Llama::NICK, Some("Tee".into())).apply(&mut tina)?;
/// assert_eq!(tina.nick.as_deref(), Some("Tee"));
///
/// let error = Patch::new().set(Llama::AGE, -1).build().expect_err("a name is missing, and an age is too low");
/// assert_eq!(error.violations().iter().map(|v| v.kind()).collect::<Vec<_>>(), ["missing", "ge"]);
/// # Ok::<(), wreath_orm::Error>(())
/// ```
pub struct Patch<M> {
    pub(super) values: Vec<Entry>,
    /// The first value that could not be encoded.
    error: Option<(&'static str, EncodeError)>,
    model: PhantomData<fn(M)>,
}

/// A value of a column.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub(super) column: &'static str,
    pub(super) id: u64,
    /// The value as it travels; `None` is NULL.
    pub(super) value: Option<Box<[u8]>>,
}

/// A struct whose fields go into columns of `M`: the other direction of [`Load`](crate::Load).
///
/// ```
/// # use wreath_orm::{Column, Columns, Load, Model, Patch, Result, Save, Source, Table};
/// # pub struct Llama { pub id: i64, pub name: String, pub age: i32 }
/// # impl Llama {
/// #     pub const ID: Column<Self, i64> = Self::TABLE.col("id", |l| &l.id).identity();
/// #     pub const NAME: Column<Self, String> = Self::TABLE.col("name", |l| &l.name);
/// #     pub const AGE: Column<Self, i32> = Self::TABLE.col("age", |l| &l.age);
/// # }
/// # impl Load<Self> for Llama {
/// #     fn load<S: Source<Self>>(s: &mut S) -> Result<Self> {
/// #         Ok(Self { id: s.get(Self::ID)?, name: s.get(Self::NAME)?, age: s.get(Self::AGE)? })
/// #     }
/// # }
/// # impl Model for Llama {
/// #     const TABLE: Table<Self> = Table::new("llamas");
/// #     type Key = i64;
/// #     fn key() -> impl Columns<Self, Row = i64> { Self::ID }
/// # }
/// /// What a form asks for.
/// pub struct NewLlama { name: String, age: i32 }
///
/// impl Save<Llama> for NewLlama {
///     fn save(&self, to: &mut Patch<Llama>) {
///         to.put(Llama::NAME, &self.name).put(Llama::AGE, &self.age);
///     }
/// }
/// let llama: Llama = Patch::of(&NewLlama { name: "Tina".into(), age: 4 }).build()?;
/// assert_eq!(llama.name, "Tina");
/// # Ok::<(), wreath_orm::Error>(())
/// ```
pub trait Save<M> {
    /// Puts the fields into their columns.
    fn save(&self, to: &mut Patch<M>);
}

impl<M> Patch<M> {
    /// Values for no column.
    pub fn new() -> Self {
        Self { values: Vec::new(), error: None, model: PhantomData }
    }

    /// The values of a struct.
    pub fn of(values: &impl Save<M>) -> Self {
        let mut patch = Self::new();
        values.save(&mut patch);
        patch
    }

    /// The same with a value for a column; a later one for the same column takes its place. A value that PostgreSQL
    /// cannot be given is an error where the patch is used.
    #[must_use]
    pub fn set<T: ColumnType>(mut self, column: Column<M, T>, value: T) -> Self {
        self.put(column, &value);
        self
    }

    /// Puts a value into a column.
    pub fn put<T: ColumnType>(&mut self, column: Column<M, T>, value: &T) -> &mut Self {
        let mut bytes = Encoder::new();
        if let Err(error) = bytes.put_value(value) {
            self.error.get_or_insert((column.name(), error));
            return self;
        }
        let value = Reader::new(bytes.as_bytes()).value().ok().flatten().map(Into::into);
        self.push(Entry { column: column.name(), id: column.word(), value });
        self
    }

    pub(super) fn push(&mut self, entry: Entry) {
        match self.values.iter_mut().find(|known| known.id == entry.id) {
            Some(known) => *known = entry,
            None => self.values.push(entry),
        }
    }

    /// Whether it has a value for no column.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// The names of the columns that it has values for.
    pub fn columns(&self) -> impl Iterator<Item = &'static str> + '_ {
        self.values.iter().map(|entry| entry.column)
    }
}

impl<M: Model> Patch<M> {
    /// Makes a new object. Columns that it has no value for get their
    /// [default](crate::Column::default_with), or NULL; what the server makes and what the program stamps gets a
    /// stand-in, until the object is added and flushed.
    ///
    /// # Errors
    /// [`Invalid`](crate::ErrorKind::Invalid), with all columns that are missing and all checks and rules that are
    /// broken; [`Encode`](crate::ErrorKind::Encode), when PostgreSQL cannot be given one of the values.
    pub fn build(&self) -> Result<M> {
        let mut filling = Filling::new(describe::<M>()?);
        for (place, entry) in self.places()? {
            filling.give(place, entry.value.clone());
        }
        filling.complete(|_| true)?;
        let (object, _) = filling.judge()?;
        filling.verdict()?;
        Ok(object)
    }

    /// Changes an object; its checks and rules are not run, as [`Session::patch`] does.
    ///
    /// # Errors
    /// [`Encode`](crate::ErrorKind::Encode), when PostgreSQL cannot be given one of the values. The object is then
    /// as it was.
    pub fn apply(&self, object: &mut M) -> Result<()> {
        let of = describe::<M>()?;
        let places = self.places()?;
        let own = snapshot::take(of, object)?;
        let (mut own, mut made) = (Reader::new(own.as_bytes()), Encoder::new());
        for place in 0..of.columns.len() {
            let value = own.value().map_err(Error::mapping)?;
            let given = places.iter().find(|(at, _)| *at == place);
            snapshot::put(&mut made, given.map_or(value, |(_, entry)| entry.value.as_deref()))?;
        }
        *object = snapshot::restore(made.as_bytes(), &snapshot::types(&of.columns))?;
        Ok(())
    }

    /// The values with the places of their columns.
    pub(super) fn places(&self) -> Result<Vec<(usize, &Entry)>> {
        let of = describe::<M>()?;
        if let Some((column, error)) = &self.error {
            return Err(Error::from(error.clone()).of(of.model).at(*column));
        }
        let place = |entry: &Entry| {
            of.columns.iter().position(|c| c.id == entry.id).ok_or_else(|| {
                let detail = "the column is not one that the model's `load` takes";
                Error::declaration(detail).of(of.model).at(entry.column)
            })
        };
        self.values.iter().map(|entry| Ok((place(entry)?, entry))).collect()
    }
}

impl Session {
    /// Changes an object by a patch: an [`edit`](Self::edit).
    ///
    /// # Errors
    /// As [`edit`](Self::edit).
    pub fn patch<M: Model>(&mut self, r: Ref<M>, patch: &Patch<M>) -> Result<()> {
        self.edit(r, |object| patch.apply(object))?
    }
}

impl<M> Default for Patch<M> {
    fn default() -> Self {
        Self::new()
    }
}

impl<M> Clone for Patch<M> {
    fn clone(&self) -> Self {
        Self { values: self.values.clone(), error: self.error.clone(), model: PhantomData }
    }
}

/// The columns, without their values.
impl<M> fmt::Debug for Patch<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.columns()).finish()
    }
}
