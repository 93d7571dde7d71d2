//! Relations of objects that are here already.

use std::any::TypeId;

use wreath_codecs::Encoder;
use wreath_codecs::wire::Reader;

use crate::compile::Returned;
use crate::error::{Error, Result};
use crate::model::{Model, describe};
use crate::plan::{Key, Kind, Plan};
use crate::query::{Binds, Level, Output};
use crate::relation::SelectIn;
use crate::session::{Ref, Session, Track};

impl Session {
    /// Fetches the many ends of a relation for objects that the session holds: in one flight, however many objects
    /// there are, and one more for each relation that is included in turn. Answers the ends of each object, in the
    /// order of the objects; they are objects of the session too.
    ///
    /// ```no_run
    /// # use wreath_orm::{Column, Columns, Load, Model, Result, Session, Source, Table, ToMany};
    /// # pub struct Paddock { id: i64 }
    /// # impl Paddock {
    /// #     const ID: Column<Self, i64> = Self::TABLE.col("id", |p| &p.id).identity();
    /// #     const LLAMAS: ToMany<Self, Llama> = Llama::PADDOCK_ID.many(Self::ID);
    /// # }
    /// # impl Load<Self> for Paddock {
    /// #     fn load<S: Source<Self>>(s: &mut S) -> Result<Self> { Ok(Self { id: s.get(Self::ID)? }) }
    /// # }
    /// # impl Model for Paddock {
    /// #     const TABLE: Table<Self> = Table::new("paddocks");
    /// #     type Key = i64;
    /// #     fn key() -> impl Columns<Self, Row = i64> { Self::ID }
    /// # }
    /// # pub struct Llama { id: i64, age: i32, paddock_id: Option<i64> }
    /// # impl Llama {
    /// #     const ID: Column<Self, i64> = Self::TABLE.col("id", |l| &l.id).identity();
    /// #     const AGE: Column<Self, i32> = Self::TABLE.col("age", |l| &l.age);
    /// #     const PADDOCK_ID: Column<Self, Option<i64>> =
    /// #         Self::TABLE.col("paddock_id", |l| &l.paddock_id).references(Paddock::ID);
    /// # }
    /// # impl Load<Self> for Llama {
    /// #     fn load<S: Source<Self>>(s: &mut S) -> Result<Self> {
    /// #         Ok(Self { id: s.get(Self::ID)?, age: s.get(Self::AGE)?, paddock_id: s.get(Self::PADDOCK_ID)? })
    /// #     }
    /// # }
    /// # impl Model for Llama {
    /// #     const TABLE: Table<Self> = Table::new("llamas");
    /// #     type Key = i64;
    /// #     fn key() -> impl Columns<Self, Row = i64> { Self::ID }
    /// # }
    /// # async fn f(session: &mut Session) -> Result<()> {
    /// let paddocks = session.fetch(&Paddock::select()).await?;
    /// let old = Paddock::LLAMAS.selectin().filter(Llama::AGE.gt(9));
    /// for (&paddock, llamas) in paddocks.iter().zip(session.load(&paddocks, &old).await?) {
    ///     println!("{} has {} old llamas", session[paddock].id, llamas.len());
    /// }
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`StaleRef`](crate::ErrorKind::StaleRef), when one of the objects is no longer here; and as
    /// [`Db::fetch`](crate::Db::fetch).
    pub async fn load<M: Model, N: Model, O: Track<N>>(
        &mut self,
        objects: &[Ref<M>],
        relation: &SelectIn<M, N, O>,
    ) -> Result<Vec<Vec<O::Refs>>> {
        let of = describe::<M>()?;
        let mut key = Key::new(Kind::Related, TypeId::of::<SelectIn<M, N, O>>());
        relation.shape(&mut key);
        self.connect().await?;
        let run = self.run()?;
        // The columns that it selects beside rows are read from the objects instead.
        let related = || Ok(Plan::new(String::new(), Returned::of::<M, _>(Some(relation))?.level));
        let plan = run.plan(&key, related)?;
        let mut binds = Binds::default();
        relation.bind(&mut binds)?;
        let mut level = Level::new(&plan.level, binds.follows);
        let place_of = |name: &str| of.columns.iter().position(|c| c.name == name);
        let near: Vec<usize> =
            plan.level.expects.iter().filter_map(|expect| place_of(expect.column)).collect();
        for &r in objects {
            let (object, mut keys) = (self.try_get(r)?, Encoder::new());
            for &place in &near {
                of.fields[place].encode(object, &mut keys)?;
            }
            let mut keys = Reader::new(keys.as_bytes());
            level.rewind();
            level.ask(|| keys.value().map_err(Error::mapping))?;
        }
        let mut rows: Vec<Vec<O::Row>> = objects.iter().map(|_| Vec::new()).collect();
        run.complete(relation, &mut rows, level).await?;
        let tracked = |row: Vec<O::Row>| row.into_iter().map(|end| O::track(self, end)).collect();
        rows.into_iter().map(tracked).collect()
    }
}
