//! Several searches merged into one answer.

use std::any::type_name;
use std::collections::HashMap;
use std::fmt;

use wreath_codecs::Encoder;

use wreath_driver::Workload;

use crate::db::{Db, fetch_all};
use crate::declared::{DeclaredQuery, Parameters, Query, set::sealed::Sealed};
use crate::error::{Error, Result};
use crate::model::{Model, describe};
use crate::query::Select;
use crate::session::key_of;

/// Several declared searches of one model, merged by *reciprocal rank*: a row's score is the sum of `1 / (k + rank)`
/// over the searches that found it, ranks counted from 1. What the searches rank by (distances, relevances) is on
/// scales of its own and never compared; where a row stands is all that counts. Rows of one score come in the order
/// of their primary key.
///
/// Every search has a name, an order and a limit, and all take the same parameters.
///
/// ```
/// use wreath_orm::{Column, Columns, DeclaredQuery, Fusion, Load, Model, Query, Result, Source, Table};
/// # pub struct Llama { id: i64, age: i32, name: String }
/// # impl Llama {
/// #     const ID: Column<Self, i64> = Self::TABLE.col("id", |l| &l.id);
/// #     const AGE: Column<Self, i32> = Self::TABLE.col("age", |l| &l.age);
/// #     const NAME: Column<Self, String> = Self::TABLE.col("name", |l| &l.name);
/// # }
/// # impl Load<Self> for Llama {
/// #     fn load<S: Source<Self>>(s: &mut S) -> Result<Self> {
/// #         Ok(Self { id: s.get(Self::ID)?, age: s.get(Self::AGE)?, name: s.get(Self::NAME)? })
/// #     }
/// # }
/// # impl Model for Llama {
/// #     const TABLE: Table<Self> = Table::new("llamas");
/// #     type Key = i64;
/// #     fn key() -> impl Columns<Self, Row = i64> { Self::ID }
/// # }
///
/// impl Llama {
///     pub const OLDEST: Query<String, Self> = Query::new("llamas.oldest", |_| {
///         Self::select().order_by(Self::AGE.desc()).limit(50)
///     });
///     pub const NAMED: Query<String, Self> = Query::new("llamas.named", |name| {
///         Self::select().filter(Self::NAME.starts_with(name)).order_by(Self::NAME.asc()).limit(50)
///     });
///     pub const BEST: Fusion<String, Self> = Fusion::new("llamas.best", &[&Self::OLDEST, &Self::NAMED]).limit(10);
/// }
/// # async fn f(db: wreath_orm::Db) -> Result<()> {
/// for found in db.fuse(&Llama::BEST, &"Do".to_owned()).await? {
///     println!("{} {}", found.score, found.row.name);
/// }
/// # Ok(())
/// # }
/// ```
pub struct Fusion<P: 'static, M: 'static> {
    name: &'static str,
    searches: &'static [&'static Query<P, M>],
    k: u32,
    limit: Option<usize>,
}

/// A row of a fusion.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Fused<M> {
    /// The sum of `1 / (k + rank)` over the searches that found it.
    pub score: f64,
    /// The row.
    pub row: M,
}

impl<P, M> Fusion<P, M> {
    /// A fusion of these searches, with `k` 60 and all of their rows.
    pub const fn new(name: &'static str, searches: &'static [&'static Query<P, M>]) -> Self {
        Self { name, searches, k: 60, limit: None }
    }

    /// How little a first place is worth: the smaller, the more the top of each search counts.
    #[must_use]
    pub const fn k(self, k: u32) -> Self {
        Self { k, ..self }
    }

    /// At most so many rows.
    #[must_use]
    pub const fn limit(self, rows: usize) -> Self {
        Self { limit: Some(rows), ..self }
    }

    fn queries(&self, params: &P) -> Vec<Select<M>> {
        self.searches.iter().map(|search| search.with(params)).collect()
    }
}

impl Db {
    /// The rows of a fusion, the best first. The searches are one flight; between two of them another transaction may
    /// commit, and where they disagree about a row, it is as the last of them found it.
    ///
    /// # Errors
    /// [`Declaration`](crate::ErrorKind::Declaration), when the fusion is not declared rightly; and as
    /// [`fetch`](Self::fetch).
    pub async fn fuse<P: Parameters, M: Model<Key: Ord>>(
        &self,
        fusion: &Fusion<P, M>,
        params: &P,
    ) -> Result<Vec<Fused<M>>> {
        let queries = fusion.queries(params);
        verify(&queries)?;
        let handle = self.acquire(Workload::Read).await?;
        let found = fetch_all(self.run(&handle), &queries).await?;
        let mut rows = merge(found, f64::from(fusion.k))?;
        rows.truncate(fusion.limit.unwrap_or(usize::MAX));
        Ok(rows)
    }
}

/// Whether the searches can be merged.
fn verify<M: Model>(queries: &[Select<M>]) -> Result<()> {
    let detail = if queries.len() < 2 {
        "a fusion merges at least two searches"
    } else if queries.iter().any(|query| !query.is_ranking()) {
        "a search of a fusion has an order, which ranks its rows, and a limit"
    } else {
        return Ok(());
    };
    Err(Error::declaration(detail).of(type_name::<M>()))
}

/// Adds up what each row gets from the places that it has.
fn merge<M: Model<Key: Ord>>(found: Vec<Vec<M>>, k: f64) -> Result<Vec<Fused<M>>> {
    let of = describe::<M>()?;
    let mut rows: Vec<Fused<M>> = Vec::new();
    let mut places = HashMap::new();
    for search in found {
        let mut rank = 0.0;
        for row in search {
            rank += 1.0;
            let gain = 1.0 / (k + rank);
            let mut key = Encoder::new();
            of.encode_key(&row, &mut key)?;
            match places.get(key.as_bytes()) {
                Some(&place) => {
                    let known: &mut Fused<M> = &mut rows[place];
                    *known = Fused { score: known.score + gain, row };
                }
                None => {
                    places.insert(key.as_bytes().to_vec(), rows.len());
                    rows.push(Fused { score: gain, row });
                }
            }
        }
    }
    let mut keyed = Vec::with_capacity(rows.len());
    for fused in rows {
        keyed.push((key_of(of, &fused.row)?, fused));
    }
    keyed.sort_by(|(a_key, a), (b_key, b)| b.score.total_cmp(&a.score).then_with(|| a_key.cmp(b_key)));
    Ok(keyed.into_iter().map(|(_, fused)| fused).collect())
}

impl<P, M> Sealed for Fusion<P, M> {}

impl<P: Parameters, M: Model> DeclaredQuery for Fusion<P, M> {
    fn name(&self) -> &'static str {
        self.name
    }

    fn model(&self) -> &'static str {
        type_name::<M>()
    }

    fn statements(&self) -> Result<Vec<String>> {
        let each = self.searches.iter().map(|search| search.statements());
        Ok(each.collect::<Result<Vec<_>>>()?.concat())
    }

    fn check(&self) -> Result<()> {
        self.searches.iter().try_for_each(|search| search.check())?;
        verify(&self.queries(&P::sample(1)))
    }
}

impl<P, M> fmt::Debug for Fusion<P, M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Fusion({:?}, {:?})", self.name, self.searches)
    }
}
