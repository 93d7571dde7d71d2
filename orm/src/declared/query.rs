//! One declared query.

use std::any::type_name;
use std::fmt;

use crate::declared::{DeclaredQuery, Parameters, set::sealed::Sealed};
use crate::error::{Error, Result};
use crate::model::Model;
use crate::plan::Kind;
use crate::query::{All, Output, Select};

/// A read with a name: a constant, whose parameters are bound by [`with`](Self::with) and which is then a
/// [`Select`] like any other, found in the plan cache by the same key.
///
/// A parameter that is missing, or of another type, does not compile. That the shape does not depend on the
/// values is checked with made-up ones when the query is declared to a [`Db`](crate::Db) by
/// [`Builder::queries`](crate::Builder::queries).
///
/// ```
/// use wreath_orm::{Column, Columns, DeclaredQuery, Load, Model, Query, Result, Source, Table};
/// # pub struct Llama { id: i64, age: i32, paddock: i64 }
/// # impl Llama {
/// #     const ID: Column<Self, i64> = Self::TABLE.col("id", |l| &l.id);
/// #     const AGE: Column<Self, i32> = Self::TABLE.col("age", |l| &l.age);
/// #     const PADDOCK: Column<Self, i64> = Self::TABLE.col("paddock_id", |l| &l.paddock);
/// # }
/// # impl Load<Self> for Llama {
/// #     fn load<S: Source<Self>>(s: &mut S) -> Result<Self> {
/// #         Ok(Self { id: s.get(Self::ID)?, age: s.get(Self::AGE)?, paddock: s.get(Self::PADDOCK)? })
/// #     }
/// # }
/// # impl Model for Llama {
/// #     const TABLE: Table<Self> = Table::new("llamas");
/// #     type Key = i64;
/// #     fn key() -> impl Columns<Self, Row = i64> { Self::ID }
/// # }
///
/// impl Llama {
///     /// The grown llamas of a paddock: its number, and the age.
///     pub const GROWN: Query<(i64, i32), Self> = Query::new("llamas.grown", |&(paddock, age)| {
///         Self::select().filter(Self::PADDOCK.eq(paddock).and(Self::AGE.ge(age))).order_by(Self::AGE.desc())
///     });
///     /// All of them, for tools to walk.
///     pub const QUERIES: &'static [&'static dyn DeclaredQuery] = &[&Self::GROWN];
/// }
/// # async fn f() -> Result<()> {
/// # use wreath_orm::Db;
/// let db = Db::builder().model::<Llama>().queries(Llama::QUERIES).connect("postgres://localhost/farm").await?;
/// let grown: Vec<Llama> = db.fetch(&Llama::GROWN.with(&(7, 3))).await?;
/// let how_many: u64 = db.count(&Llama::GROWN.with(&(7, 3))).await?;
/// # Ok(())
/// # }
/// ```
pub struct Query<P, M, O = All<M>> {
    name: &'static str,
    build: fn(&P) -> Select<M, O>,
}

impl<P, M, O> Query<P, M, O> {
    /// A query with this name, made of its parameters by `build`.
    pub const fn new(name: &'static str, build: fn(&P) -> Select<M, O>) -> Self {
        Self { name, build }
    }

    /// The query for these parameters.
    pub fn with(&self, params: &P) -> Select<M, O> {
        (self.build)(params)
    }
}

impl<P, M, O> Sealed for Query<P, M, O> {}

impl<P: Parameters, M: Model, O: Output<M>> DeclaredQuery for Query<P, M, O> {
    fn name(&self) -> &'static str {
        self.name
    }

    fn model(&self) -> &'static str {
        type_name::<M>()
    }

    fn statements(&self) -> Result<Vec<String>> {
        self.with(&P::sample(1)).statements()
    }

    fn check(&self) -> Result<()> {
        let query = self.with(&P::sample(1));
        query.compile(Kind::Select, None)?;
        query.binds(Kind::Select, None)?;
        let key = query.key(Kind::Select, None);
        if (2..=4).any(|n| self.with(&P::sample(n)).key(Kind::Select, None) != key) {
            return Err(Error::declaration("its shape depends on the values of its parameters"));
        }
        Ok(())
    }
}

impl<P, M, O> Clone for Query<P, M, O> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<P, M, O> Copy for Query<P, M, O> {}

impl<P, M, O> fmt::Debug for Query<P, M, O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Query({:?})", self.name)
    }
}
