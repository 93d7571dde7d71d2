//! Declaring models and choosing connections.

use std::fmt;
use std::sync::Arc;

use wreath_driver::{Config, Connection, Database, Pool, PoolConfig};

use crate::announce::Hub;
use crate::db::db::{Shared, Wires};
use crate::db::run::Log;
use crate::db::{Db, Logged, Registered};
use crate::declared::{DeclaredQuery, check};
use crate::error::{Error, Result};
use crate::model::Model;
use crate::plan::{Limits, PlanCache};
use crate::tenant::SchemaMode;

/// Declares models to a [`Db`]; made by [`Db::builder`].
#[must_use]
#[derive(Default)]
pub struct Builder {
    models: Vec<fn() -> Result<Registered>>,
    queries: Vec<&'static dyn DeclaredQuery>,
    limits: Limits,
    log: Option<Log>,
    mode: SchemaMode,
    check_schema: bool,
}

impl Builder {
    /// Declares a model. It is described and checked when the `Db` is made, so that a faulty declaration
    /// fails at start-up.
    pub fn model<M: Model>(mut self) -> Self {
        self.models.push(Registered::new::<M>);
        self
    }

    /// Declares a set of queries. They are checked when the `Db` is made, and no two may have one name.
    pub fn queries(mut self, set: &[&'static dyn DeclaredQuery]) -> Self {
        self.queries.extend_from_slice(set);
        self
    }

    /// The bounds of the plan cache: 512 plans and 8 MiB unless told otherwise.
    pub fn plan_cache(mut self, plans: usize, bytes: usize) -> Self {
        self.limits = Limits { entries: plans, bytes, ..self.limits };
        self
    }

    /// Whether a plan that is found in the cache is compiled again and compared, as a check of this crate:
    /// unless told otherwise, in builds with debug assertions.
    pub fn verify_plans(mut self, verify: bool) -> Self {
        self.limits.verify = verify;
        self
    }

    /// Whether there is one of each table, or each tenant has its own: one, unless told otherwise. Where tenants have
    /// their own, all verbs go through transactions of sessions with a [tenant](crate::Session::with_tenant), those on
    /// tables that have a schema too; another `Db` over the same pool can serve those alone. Types that each database
    /// numbers for itself, such as enums, are named with their schema then.
    pub fn schema_mode(mut self, mode: SchemaMode) -> Self {
        self.mode = mode;
        self
    }

    /// Whether [`connect`](Self::connect) fails when the database is not what the models declare: unless told
    /// otherwise it does not look, since [`create_tables`](Db::create_tables) comes after it. Over a pool or
    /// a connection that is there, call [`Db::check_schema`].
    pub fn check_schema(mut self, check: bool) -> Self {
        self.check_schema = check;
        self
    }

    /// Calls `log` with every statement right before it is sent.
    pub fn log(mut self, log: impl Fn(&Logged<'_>) + Send + Sync + 'static) -> Self {
        self.log = Some(Arc::new(log));
        self
    }

    /// A database with a pool of its own, and one connection opened to see that it can be reached.
    ///
    /// # Errors
    /// [`Declaration`](crate::ErrorKind::Declaration) for a faulty model,
    /// [`Database`](crate::ErrorKind::Database) when no connection can be made,
    /// [`Schema`](crate::ErrorKind::Schema) when the database is not what the models declare and that
    /// [is checked](Self::check_schema).
    pub async fn connect(self, dsn: &str) -> Result<Db> {
        let config: Config = dsn.parse()?;
        let pool = Pool::new(config, PoolConfig::default())?;
        let check = self.check_schema;
        let db = self.pool(pool.clone())?;
        pool.start().await?;
        if check {
            db.check_schema().await?;
        }
        Ok(db)
    }

    /// A database over an existing pool.
    ///
    /// # Errors
    /// [`Declaration`](crate::ErrorKind::Declaration) for a faulty model.
    pub fn pool(self, pool: Pool) -> Result<Db> {
        self.over(Wires::Pool(pool))
    }

    /// A database with a pool for each kind of work: [`Db::on`] says which verb uses which. Starting and stopping it is
    /// left to the caller.
    ///
    /// ```no_run
    /// # async fn f() -> Result<(), Box<dyn std::error::Error>> {
    /// use wreath_orm::Db;
    /// use wreath_orm::driver::{Config, Database, Workload};
    ///
    /// let config: Config = "postgres://shepherd@primary/farm".parse()?;
    /// let standby: Config = "postgres://shepherd@standby/farm".parse()?;
    /// let database = Database::builder("farm", config).config(Workload::Read, standby).build()?;
    /// database.start().await?;
    /// let db = Db::builder().database(database.clone())?;
    /// # let _ = db;
    /// database.stop().await;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`Declaration`](crate::ErrorKind::Declaration) for a faulty model.
    pub fn database(self, database: Database) -> Result<Db> {
        self.over(Wires::Database(database))
    }

    /// A database over one connection, which plain reads share; a session that opens a transaction has it
    /// for itself until the transaction ends.
    ///
    /// # Errors
    /// [`Declaration`](crate::ErrorKind::Declaration) for a faulty model.
    pub fn connection(self, connection: Connection) -> Result<Db> {
        self.over(Wires::Connection(connection))
    }

    fn over(self, wires: Wires) -> Result<Db> {
        let mut models: Vec<Registered> = Vec::with_capacity(self.models.len());
        for register in self.models {
            let model = register()?;
            let same = |m: &&Registered| (m.schema, m.table) == (model.schema, model.table);
            let related = |m: &&Registered| m.narrows.is_some() || model.narrows.is_some();
            if let Some(first) = models.iter().filter(same).find(|m| !related(m)) {
                let table = format!("the table {:?} is that of {} already", model.table, first.model);
                return Err(Error::declaration(table).of(model.model));
            }
            models.push(model);
        }
        check(&self.queries)?;
        Ok(Db::new(Shared {
            wires,
            queries: self.queries,
            plans: PlanCache::new(self.limits),
            models,
            log: self.log,
            mode: self.mode,
            hub: Hub::default(),
        }))
    }
}

impl fmt::Debug for Builder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Builder").field("models", &self.models.len()).field("limits", &self.limits).finish()
    }
}
