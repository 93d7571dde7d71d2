//! What other subsystems declare on a model.

use std::any::Any;
use std::fmt;

/// A declaration that another subsystem attaches to a model: what an audit trail leaves out, what is personal, what is
/// synchronised. The ORM only sees to it that the columns exist and that no two have one namespace.
///
/// ```
/// use wreath_orm::{Column, Columns, Db, Facet, Load, Model, Result, Source, Table};
///
/// /// What the audit trail does with a model.
/// pub struct Audit { pub keep_days: u16 }
///
/// pub struct Photo { pub id: i64, pub gps: Option<String> }
/// # impl Photo {
/// #     const ID: Column<Self, i64> = Self::TABLE.col("id", |p| &p.id).identity();
/// #     const GPS: Column<Self, Option<String>> = Self::TABLE.col("gps", |p| &p.gps);
/// # }
/// # impl Load<Self> for Photo {
/// #     fn load<S: Source<Self>>(s: &mut S) -> Result<Self> {
/// #         Ok(Self { id: s.get(Self::ID)?, gps: s.get(Self::GPS)? })
/// #     }
/// # }
/// impl Model for Photo {
///     const TABLE: Table<Self> = Table::new("photos");
///     const FACETS: &'static [Facet] = &[Facet::new("audit", &["gps"]).with(&Audit { keep_days: 30 })];
/// #   type Key = i64;
/// #   fn key() -> impl Columns<Self, Row = i64> { Self::ID }
/// }
///
/// let audit = wreath_orm::facet::<Photo>("audit").expect("photos are audited");
/// assert_eq!(audit.columns(), ["gps"]);
/// assert_eq!(audit.payload::<Audit>().map(|a| a.keep_days), Some(30));
/// assert!(wreath_orm::facet::<Photo>("privacy").is_none());
/// ```
#[derive(Clone, Copy)]
pub struct Facet {
    namespace: &'static str,
    columns: &'static [&'static str],
    payload: Option<&'static (dyn Any + Send + Sync)>,
}

impl Facet {
    /// A declaration about these columns (names in the database); about the model as a whole when there are none.
    pub const fn new(namespace: &'static str, columns: &'static [&'static str]) -> Self {
        Self { namespace, columns, payload: None }
    }

    /// The same with something of the subsystem's own.
    #[must_use]
    pub const fn with(self, payload: &'static (dyn Any + Send + Sync)) -> Self {
        Self { payload: Some(payload), ..self }
    }

    /// Whose it is.
    pub fn namespace(&self) -> &'static str {
        self.namespace
    }

    /// The columns that it is about.
    pub fn columns(&self) -> &'static [&'static str] {
        self.columns
    }

    /// What the subsystem has put in, if it is a `T`.
    pub fn payload<T: 'static>(&self) -> Option<&'static T> {
        self.payload?.downcast_ref()
    }
}

impl fmt::Debug for Facet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Facet").field("namespace", &self.namespace).field("columns", &self.columns).finish()
    }
}

/// What a subsystem has declared on a model.
pub fn facet<M: crate::Model>(namespace: &str) -> Option<&'static Facet> {
    M::FACETS.iter().find(|facet| facet.namespace == namespace)
}
