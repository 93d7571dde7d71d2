//! The relation to many rows.

use std::fmt;
use std::marker::PhantomData;

use crate::error::Result;
use crate::expr::{Pred, Tape};
use crate::model::{Column, ColumnType, Model, describe, restricted};
use crate::plan::Key;
use crate::query::All;
use crate::relation::link::{End, Link, Pair, tells_apart};
use crate::relation::sealed::{Sealed, Target};
use crate::relation::{Relation, SelectIn, ToOne};

/// The relation from a row of `M` to all rows of `N` that refer to it; made by
/// [`Column::many`](crate::Column::many), and by [`then`](Self::then) where a table lies between.
pub struct ToMany<M, N> {
    /// The filters of `N` that it lifts.
    lifted: &'static [&'static str],
    pub(crate) path: Path,
    ends: PhantomData<fn(M, N)>,
}

/// The way from a row to its many.
#[derive(Clone, Copy)]
#[expect(clippy::large_enum_variant, reason = "it has to be a constant, which no box can be in")]
pub(crate) enum Path {
    /// They refer to it.
    Direct(Link),
    /// The rows of a table between refer to both.
    Through(Through),
}

/// A table that connects two others.
#[derive(Clone, Copy)]
pub(crate) struct Through {
    pub(crate) schema: &'static str,
    pub(crate) table: &'static str,
    /// From the near end to the table.
    pub(crate) near: Link,
    /// From the table to the far end.
    pub(crate) far: Link,
    /// Whether the table has no two rows that connect the same two.
    pub(crate) distinct: fn(&Self) -> Result<bool>,
    lift: fn(&Self, Tape) -> Tape,
    check: fn(&Self) -> Result<()>,
}

impl Path {
    /// Appends what tells it from others.
    pub(crate) fn shape(&self, key: &mut Key) {
        match self {
            Self::Direct(link) => link.shape(key),
            Self::Through(through) => {
                through.near.shape(key);
                through.far.shape(key);
            }
        }
    }

    /// The columns of the row itself.
    pub(crate) fn near(&self) -> &Link {
        match self {
            Self::Direct(link) => link,
            Self::Through(through) => &through.near,
        }
    }
}

impl<M, N> ToMany<M, N> {
    pub(crate) const fn new(link: Link) -> Self {
        Self { path: Path::Direct(link), lifted: &[], ends: PhantomData }
    }

    /// The same relation, by one pair of columns more: for a key of several columns, up to four. The near one
    /// is `M`'s.
    ///
    /// # Panics
    /// At compile time, when there are more than four, or the relation goes through another table.
    #[must_use]
    pub const fn and<T: ColumnType, U: ColumnType<Base = T::Base>>(
        self,
        near: Column<M, T>,
        far: Column<N, U>,
    ) -> Self {
        match self.path {
            Path::Direct(link) => Self::new(link.and(Pair::new(&near, &far))),
            Path::Through(_) => panic!("pairs of columns are added to the relations to the table between"),
        }
    }
}

impl<M: Model, N: Model> ToMany<M, N> {
    /// The relation to what the rows of `N` refer to: to many through a table between.
    ///
    /// Each row at the other end comes once, also where several rows of the table between lead to it.
    ///
    /// ```
    /// # use wreath_orm::{Column, Columns, Load, Model, Result, Source, Table, ToMany, ToOne};
    /// # pub struct Herd { id: i64 }
    /// # impl Herd {
    /// #     const ID: Column<Self, i64> = Self::TABLE.col("id", |h| &h.id);
    /// # }
    /// # impl Load<Self> for Herd {
    /// #     fn load<S: Source<Self>>(s: &mut S) -> Result<Self> { Ok(Self { id: s.get(Self::ID)? }) }
    /// # }
    /// # impl Model for Herd {
    /// #     const TABLE: Table<Self> = Table::new("herds");
    /// #     type Key = i64;
    /// #     fn key() -> impl Columns<Self, Row = i64> { Self::ID }
    /// # }
    /// # pub struct Llama { id: i64 }
    /// # impl Load<Self> for Llama {
    /// #     fn load<S: Source<Self>>(s: &mut S) -> Result<Self> { Ok(Self { id: s.get(Self::ID)? }) }
    /// # }
    /// # impl Model for Llama {
    /// #     const TABLE: Table<Self> = Table::new("llamas");
    /// #     type Key = i64;
    /// #     fn key() -> impl Columns<Self, Row = i64> { Self::ID }
    /// # }
    /// pub struct Member { pub herd_id: i64, pub llama_id: i64 }
    ///
    /// impl Member {
    ///     pub const HERD_ID: Column<Self, i64> = Self::TABLE.col("herd_id", |m| &m.herd_id);
    ///     pub const LLAMA_ID: Column<Self, i64> = Self::TABLE.col("llama_id", |m| &m.llama_id);
    ///     pub const HERD: ToOne<Self, Herd> = Self::HERD_ID.to_one(Herd::ID);
    /// }
    /// # impl Load<Self> for Member {
    /// #     fn load<S: Source<Self>>(s: &mut S) -> Result<Self> {
    /// #         Ok(Self { herd_id: s.get(Self::HERD_ID)?, llama_id: s.get(Self::LLAMA_ID)? })
    /// #     }
    /// # }
    /// # impl Model for Member {
    /// #     const TABLE: Table<Self> = Table::new("members");
    /// #     type Key = (i64, i64);
    /// #     fn key() -> impl Columns<Self, Row = Self::Key> { (Self::HERD_ID, Self::LLAMA_ID) }
    /// # }
    ///
    /// impl Llama {
    /// #     const ID: Column<Self, i64> = Self::TABLE.col("id", |l| &l.id);
    ///     pub const HERDS: ToMany<Self, Herd> = Member::LLAMA_ID.many(Self::ID).then(Member::HERD);
    /// }
    /// # let query = Llama::select().include(Llama::HERDS.selectin()).filter(Llama::HERDS.exists(Herd::ID.eq(3)));
    /// # assert!(query.to_sql()?.contains(r#""herd_id" = $"#) || query.to_sql()?.contains("$1"));
    /// # Ok::<(), wreath_orm::Error>(())
    /// ```
    ///
    /// # Panics
    /// At compile time, when there is a table between already.
    #[must_use]
    pub const fn then<F: Model>(self, far: ToOne<N, F>) -> ToMany<M, F> {
        let Path::Direct(near) = self.path else { panic!("a relation goes through one table at most") };
        let through = Through {
            schema: match N::TABLE.schema_name() {
                Some(schema) => schema,
                None => "",
            },
            table: N::TABLE.name(),
            near,
            far: far.link,
            distinct: distinct::<N>,
            lift: lift::<M, N, F>,
            check: check::<M, N, F>,
        };
        ToMany { path: Path::Through(through), lifted: &[], ends: PhantomData }
    }
}

/// Whether the columns that connect tell the rows of the table between apart.
fn distinct<T: Model>(through: &Through) -> Result<bool> {
    let connects = |name: &str| {
        through.near.pairs().any(|pair| pair.far == name) || through.far.pairs().any(|pair| pair.near == name)
    };
    Ok(tells_apart(describe::<T>()?, &connects))
}

fn lift<M: Model, T: Model, N: Model>(through: &Through, pred: Tape) -> Tape {
    let between: Pred<T> = through.far.lift::<T, N>(&Pred::new(pred));
    let near: Pred<M> = through.near.lift::<M, T>(&between);
    near.tape
}

fn check<M: Model, T: Model, N: Model>(through: &Through) -> Result<()> {
    through.near.check::<M, T>(End::Near)?;
    through.far.check::<T, N>(End::Far)
}

impl<M, N: Model> ToMany<M, N> {
    /// There is a row of `N` for which this holds.
    pub fn exists(self, pred: Pred<N>) -> Pred<M> {
        let pred = restricted(pred, self.lifted);
        match &self.path {
            Path::Direct(link) => link.lift(&pred),
            Path::Through(through) => Pred::new((through.lift)(through, pred.tape)),
        }
    }

    /// Fetches the rows for all rows of the query by one more statement, as a `Vec<N>` each.
    pub fn selectin(self) -> SelectIn<M, N, All<N>> {
        SelectIn::new(self.path, All::default()).restricted(self.lifted)
    }

    /// The same relation without the [filters](Model::FILTERS) of `N` of these names.
    #[must_use]
    pub const fn unfiltered(self, lifted: &'static [&'static str]) -> Self {
        Self { lifted, ..self }
    }
}

impl<M, N: Model> Sealed for ToMany<M, N> {
    fn targets(&self) -> Vec<Target> {
        match &self.path {
            Path::Direct(link) => vec![link.target(N::TABLE)],
            Path::Through(through) => {
                let near = through.near.pairs().map(|pair| pair.far);
                let between = Target {
                    schema: Some(through.schema).filter(|schema| !schema.is_empty()),
                    table: through.table,
                    columns: near.chain(through.far.pairs().map(|pair| pair.near)).collect(),
                };
                vec![between, through.far.target(N::TABLE)]
            }
        }
    }
}

impl<M: Model, N: Model> Relation<M> for ToMany<M, N> {
    fn check(&self) -> Result<()> {
        self.path.check::<M, N>()
    }
}

impl Path {
    /// Whether all ends have the columns, and each row of `N` belongs to rows of `M` rightly.
    pub(crate) fn check<M: Model, N: Model>(&self) -> Result<()> {
        match self {
            Self::Direct(link) => link.check::<M, N>(End::Near),
            Self::Through(through) => (through.check)(through),
        }
    }
}

impl<M, N> Clone for ToMany<M, N> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<M, N> Copy for ToMany<M, N> {}

impl fmt::Debug for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Direct(link) => link.fmt(f),
            Self::Through(through) => write!(f, "{:?}, {:?}", through.near, through.far),
        }
    }
}

impl<M, N> fmt::Debug for ToMany<M, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ToMany({:?})", self.path)
    }
}
