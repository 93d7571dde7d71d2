//! What the transactions of a session begin with.

use std::fmt::Write;
use std::time::Duration;

use wreath_codecs::ParamBuf;
use wreath_driver::Sql;

use crate::error::{Error, ErrorKind, Result};
use crate::session::Session;
use crate::tenant::{SchemaMode, Tenant};

/// Settings that each transaction of a session begins with, and that end with it (PostgreSQL manual, "System
/// Administration Functions", `set_config`).
#[derive(Debug, Default)]
pub(crate) struct Binding {
    tenant: Option<Tenant>,
    settings: Vec<(String, String)>,
    timeout: Option<Duration>,
}

impl Binding {
    /// The schema that tables without one are in, where the session has a tenant.
    pub(crate) fn schema(&self) -> Option<&str> {
        self.tenant.as_ref().map(Tenant::schema)
    }

    /// Refuses a statement outside of a transaction, where nothing is bound.
    pub(crate) fn outside(&self, mode: SchemaMode) -> Result<()> {
        self.complete(mode)?;
        if self.tenant.is_none() && self.settings.is_empty() {
            return Ok(());
        }
        let detail = "what the session is bound to is bound in transactions only: begin one";
        Err(Error::new(ErrorKind::Unbound, detail))
    }

    /// Refuses when a tenant is missing.
    pub(crate) fn complete(&self, mode: SchemaMode) -> Result<()> {
        if mode == SchemaMode::Single || self.tenant.is_some() {
            return Ok(());
        }
        Err(Error::new(ErrorKind::Unbound, "tables are each tenant's own, and the session has no tenant"))
    }

    /// The statement that binds a transaction, if there is anything to bind it to.
    pub(crate) fn statement(&self) -> Result<Option<(Sql, ParamBuf)>> {
        let mut all: Vec<(&str, String)> = Vec::new();
        if let Some(tenant) = &self.tenant {
            // Temporary tables of whoever had the connection before come last, instead of first.
            all.push(("search_path", format!("{}, pg_temp", tenant.schema())));
        }
        if let Some(timeout) = self.timeout {
            all.push(("statement_timeout", format!("{}ms", timeout.as_millis().max(1))));
        }
        all.extend(self.settings.iter().map(|(name, value)| (name.as_str(), value.clone())));
        all.extend(self.tenant.iter().filter_map(Tenant::role_name).map(|role| ("role", role.to_owned())));
        if all.is_empty() {
            return Ok(None);
        }
        let (mut sql, mut params) = (String::from("SELECT"), ParamBuf::new());
        for (i, (name, value)) in all.iter().enumerate() {
            let comma = if i > 0 { "," } else { "" };
            let _ = write!(sql, "{comma} pg_catalog.set_config(${}, ${}, true)", 2 * i + 1, 2 * i + 2);
            params.push(name)?;
            params.push(value)?;
        }
        Ok(Some((Sql::new(sql), params)))
    }
}

impl Session {
    /// Binds the session to a tenant: each of its transactions begins in the tenant's schema, and in its role where it
    /// has one. Verbs outside of a transaction are refused with [`Unbound`](ErrorKind::Unbound), except that
    /// [`flush`](Self::flush) opens one of its own.
    ///
    /// ```no_run
    /// # async fn f(db: wreath_orm::Db) -> wreath_orm::Result<()> {
    /// use wreath_orm::Tenant;
    ///
    /// let mut session = db.session().with_tenant(Tenant::new("farm_7")?)?;
    /// let mut tx = session.begin().await?;
    /// // ... tx.fetch(...), tx.add(...) ...
    /// tx.commit().await?;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`Declaration`](ErrorKind::Declaration), when the database is not [isolated](crate::Builder::schema_mode), or
    /// is by roles and the tenant has none, or the session has been used before.
    pub fn with_tenant(mut self, tenant: Tenant) -> Result<Self> {
        self.unused()?;
        let refused = match self.db.schema_mode() {
            SchemaMode::Single => Some("there is one of each table: a tenant would mean nothing"),
            SchemaMode::IsolatedByRole if tenant.role_name().is_none() => {
                Some("each tenant has to have a role")
            }
            _ => None,
        };
        if let Some(detail) = refused {
            return Err(Error::declaration(detail));
        }
        self.binding.tenant = Some(tenant);
        Ok(self)
    }

    /// Binds a setting of the application's own, such as `app.user_id`, in each transaction of the session: what
    /// policies of row security read by `current_setting`. It ends with the transaction. Verbs outside of one are
    /// refused as with [a tenant](Self::with_tenant), lest they run without it.
    ///
    /// ```no_run
    /// # async fn f(db: wreath_orm::Db) -> wreath_orm::Result<()> {
    /// let mut session = db.session().with_setting("app.user_id", "7")?;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`Declaration`](ErrorKind::Declaration), unless the name is two or more plain identifiers with dots between
    /// them, and when the session has been used before.
    pub fn with_setting(mut self, name: impl Into<String>, value: impl Into<String>) -> Result<Self> {
        self.unused()?;
        let name = name.into();
        let plain = |part: &str| {
            part.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
                && part.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
        };
        if !name.contains('.') || !name.split('.').all(plain) {
            return Err(Error::declaration(format!(
                "{name:?} is no name of a setting of an application's own"
            )));
        }
        self.binding.settings.push((name, value.into()));
        Ok(self)
    }

    /// Lets the server give up statements that take longer, in each transaction of the session
    /// (`statement_timeout`, in milliseconds). It ends with the transaction.
    ///
    /// # Errors
    /// [`Declaration`](ErrorKind::Declaration), when the session has been used before.
    pub fn with_statement_timeout(mut self, timeout: Duration) -> Result<Self> {
        self.unused()?;
        self.binding.timeout = Some(timeout);
        Ok(self)
    }

    /// Waits for a lock that the transaction then has until its end, and that keeps others out who ask for the same
    /// key: an advisory lock, on nothing but the key (PostgreSQL manual, "Advisory Locks"). Tenants do not meet: each
    /// has its own keys.
    ///
    /// # Errors
    /// [`Unbound`](ErrorKind::Unbound) outside of a transaction, which the lock would not outlive;
    /// [`Database`](ErrorKind::Database), as when the server finds a deadlock.
    pub async fn lock(&mut self, key: &str) -> Result<()> {
        if self.open.is_empty() {
            return Err(Error::new(ErrorKind::Unbound, "a lock lasts as long as a transaction: begin one"));
        }
        let namespace = self.binding.schema().unwrap_or("");
        let mut params = ParamBuf::new();
        params.push(&lock_key(namespace, key))?;
        self.run()?.send(&Sql::new("SELECT pg_catalog.pg_advisory_xact_lock($1)"), params).await?;
        Ok(())
    }

    fn unused(&self) -> Result<()> {
        if self.is_used() {
            return Err(Error::declaration("the session has been used already, without that"));
        }
        Ok(())
    }
}

/// The number that the server knows a key by: the same in every process and on every machine.
fn lock_key(namespace: &str, key: &str) -> i64 {
    crate::plan::hash::column(Some(namespace), key, "lock").cast_signed()
}
