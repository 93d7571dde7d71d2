//! The handle, and door one: plain values.

use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

use wreath_driver::{Client, Connection, Database, Lease, Pool, Workload};

use crate::announce::Hub;
use crate::db::run::Log;
use crate::db::{Builder, Registered, Runner};
use crate::declared::DeclaredQuery;
use crate::error::{Error, ErrorKind, Result};
use crate::model::Model;
use crate::plan::{CacheStats, PlanCache};
use crate::query::{Output, Select};
use crate::session::Session;
use crate::tenant::SchemaMode;

/// A database: its connections, the models declared to it, and its plans. Cloning it clones a handle.
///
/// Its verbs read plain values, which nothing keeps track of; for objects that are edited and written back,
/// take a [`session`](Self::session).
///
/// ```no_run
/// use wreath_orm::Db;
/// # use wreath_orm::{Column, Columns, Load, Model, Result, Source, Table};
/// # pub struct Llama { id: i64, age: i64 }
/// # impl Llama {
/// #     const ID: Column<Self, i64> = Self::TABLE.col("id", |l| &l.id);
/// #     const AGE: Column<Self, i64> = Self::TABLE.col("age", |l| &l.age);
/// # }
/// # impl Load<Self> for Llama {
/// #     fn load<S: Source<Self>>(s: &mut S) -> Result<Self> {
/// #         Ok(Self { id: s.get(Self::ID)?, age: s.get(Self::AGE)? })
/// #     }
/// # }
/// # impl Model for Llama {
/// #     const TABLE: Table<Self> = Table::new("llamas");
/// #     type Key = i64;
/// #     fn key() -> impl Columns<Self, Row = i64> { Self::ID }
/// # }
///
/// # async fn f() -> Result<()> {
/// let db = Db::builder().model::<Llama>().connect("postgres://shepherd@localhost/farm").await?;
/// let old: Vec<Llama> = db.fetch(&Llama::select().filter(Llama::AGE.gt(9))).await?;
/// let ages: Vec<i64> = db.fetch(&Llama::select().cols(Llama::AGE)).await?;
/// let any: bool = db.exists(&Llama::select()).await?;
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Db {
    shared: Arc<Shared>,
    /// The kind of work of everything that goes through this handle, where it has been said.
    workload: Option<Workload>,
}

/// What all handles share.
pub(crate) struct Shared {
    pub(crate) wires: Wires,
    pub(crate) plans: PlanCache,
    pub(crate) models: Vec<Registered>,
    pub(crate) queries: Vec<&'static dyn DeclaredQuery>,
    pub(crate) log: Option<Log>,
    pub(crate) mode: SchemaMode,
    pub(crate) hub: Hub,
}

/// Where connections come from.
pub(crate) enum Wires {
    Database(Database),
    Pool(Pool),
    Connection(Connection),
}

/// A connection for as long as it is needed.
#[derive(Debug)]
pub(crate) enum Handle {
    Lease(Lease),
    Connection(Connection),
}

impl Deref for Handle {
    type Target = Client;

    fn deref(&self) -> &Client {
        match self {
            Self::Lease(lease) => lease,
            Self::Connection(connection) => connection,
        }
    }
}

impl Db {
    pub(crate) fn new(shared: Shared) -> Self {
        Self { shared: Arc::new(shared), workload: None }
    }

    /// Begins to declare a database: its models, the bounds of its plan cache, its log.
    pub fn builder() -> Builder {
        Builder::default()
    }

    /// A database with a pool of its own and no declared models: they are described at their first use. See
    /// [`builder`](Self::builder) for finding their faults at start-up.
    ///
    /// # Errors
    /// [`Database`](crate::ErrorKind::Database), when no connection can be made.
    pub async fn connect(dsn: &str) -> Result<Self> {
        Self::builder().connect(dsn).await
    }

    /// All rows of a query.
    ///
    /// # Errors
    /// [`Database`](crate::ErrorKind::Database) for what the driver or the server refuses,
    /// [`Mapping`](crate::ErrorKind::Mapping) when a column is not of the type of its field,
    /// [`Declaration`](crate::ErrorKind::Declaration) for a faulty model,
    /// [`Encode`](crate::ErrorKind::Encode) for a value in the query that cannot be sent,
    /// [`NoResult`](crate::ErrorKind::NoResult) when a required relation has no row. The same goes for the
    /// other verbs.
    pub async fn fetch<M: Model, O: Output<M>>(&self, query: &Select<M, O>) -> Result<Vec<O::Row>> {
        let handle = self.acquire(Workload::Read).await?;
        self.run(&handle).fetch(query, None).await
    }

    /// The row of a query that has exactly one.
    ///
    /// # Errors
    /// [`NoResult`](crate::ErrorKind::NoResult) and [`MultipleResults`](crate::ErrorKind::MultipleResults),
    /// when it has none or more. At most two rows are fetched to find out; a stricter limit of the query
    /// stays.
    pub async fn fetch_one<M: Model, O: Output<M>>(&self, query: &Select<M, O>) -> Result<O::Row> {
        let handle = self.acquire(Workload::Read).await?;
        self.run(&handle).fetch_one(query).await
    }

    /// The row of a query that has one or none.
    ///
    /// # Errors
    /// [`MultipleResults`](crate::ErrorKind::MultipleResults), when it has more; see
    /// [`fetch_one`](Self::fetch_one).
    pub async fn fetch_optional<M: Model, O: Output<M>>(
        &self,
        query: &Select<M, O>,
    ) -> Result<Option<O::Row>> {
        let handle = self.acquire(Workload::Read).await?;
        self.run(&handle).fetch_optional(query).await
    }

    /// How many rows match the query's filters. Its order, limit and output do not matter.
    ///
    /// # Errors
    /// As [`fetch`](Self::fetch).
    pub async fn count<M: Model, O: Output<M>>(&self, query: &Select<M, O>) -> Result<u64> {
        let handle = self.acquire(Workload::Read).await?;
        self.run(&handle).count(query).await
    }

    /// Whether a row matches the query's filters.
    ///
    /// # Errors
    /// As [`fetch`](Self::fetch).
    pub async fn exists<M: Model, O: Output<M>>(&self, query: &Select<M, O>) -> Result<bool> {
        let handle = self.acquire(Workload::Read).await?;
        self.run(&handle).exists(query).await
    }

    /// A handle whose verbs and sessions are all of one kind of work: over a [`Database`] they use the pool for it. Without
    /// that, verbs that read use the one for [`Read`](Workload::Read), if there is one, and everything else that for
    /// [`Write`](Workload::Write): verbs that write, SQL of one's own, and sessions. Where all connections come from one
    /// place, it makes no difference.
    ///
    /// ```no_run
    /// # use wreath_orm::{Db, Result};
    /// use wreath_orm::driver::Workload;
    ///
    /// # fn f(db: Db) {
    /// let report = db.on(Workload::Read).session(); // reads alone, from a standby, say
    /// let fresh = db.on(Workload::Write); // what has just been written is there
    /// # let _ = (report, fresh);
    /// # }
    /// ```
    pub fn on(&self, workload: Workload) -> Self {
        Self { workload: Some(workload), ..self.clone() }
    }

    /// A unit of work. It takes a connection when it first needs one, and keeps it until it is dropped; when
    /// that one is lost, the verb in use fails, and the next one outside of a transaction takes another. After
    /// a COMMIT whose answer was lost ([`OutcomeUnknown`](wreath_driver::ErrorKind::OutcomeUnknown)) it takes
    /// none, because what is pending might be written twice: find out in a new session.
    pub fn session(&self) -> Session {
        Session::new(self.clone())
    }

    /// The models that were declared.
    pub fn models(&self) -> &[Registered] {
        &self.shared.models
    }

    /// The queries that were declared.
    pub fn queries(&self) -> &[&'static dyn DeclaredQuery] {
        &self.shared.queries
    }

    /// What the plan cache has done so far.
    pub fn plan_stats(&self) -> CacheStats {
        self.shared.plans.stats()
    }

    pub(crate) fn hub(&self) -> &Hub {
        &self.shared.hub
    }

    pub(crate) fn schema_mode(&self) -> SchemaMode {
        self.shared.mode
    }

    /// A connection for a verb that stands alone, outside of a transaction, and for the kind of work that it mostly does.
    pub(crate) async fn acquire(&self, mostly: Workload) -> Result<Handle> {
        if self.shared.mode != SchemaMode::Single {
            let detail =
                "tables are each tenant's own: they are reached in a transaction of a session with a tenant";
            return Err(Error::new(ErrorKind::Unbound, detail));
        }
        self.lease(mostly).await
    }

    /// A connection for whoever sees to it that a tenant is bound.
    pub(crate) async fn lease(&self, mostly: Workload) -> Result<Handle> {
        match &self.shared.wires {
            Wires::Database(database) => {
                let usual = if database.has(mostly) { mostly } else { Workload::Write };
                Ok(Handle::Lease(database.acquire(self.workload.unwrap_or(usual)).await?))
            }
            Wires::Pool(pool) => Ok(Handle::Lease(pool.acquire().await?)),
            Wires::Connection(connection) => Ok(Handle::Connection(connection.clone())),
        }
    }

    pub(crate) fn plans(&self) -> &PlanCache {
        &self.shared.plans
    }

    pub(crate) fn run<'a>(&'a self, client: &'a Client) -> Runner<'a> {
        Runner { client, db: &self.shared, in_transaction: false }
    }
}

impl fmt::Debug for Db {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let models: Vec<_> = self.shared.models.iter().map(|m| m.model).collect();
        f.debug_struct("Db").field("models", &models).field("plans", &self.shared.plans).finish()
    }
}
