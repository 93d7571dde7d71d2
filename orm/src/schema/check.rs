//! The verbs.

use wreath_driver::Workload;

use crate::compile::quote_qualified;
use crate::db::{Db, Registered};
use crate::error::{Error, Result};
use crate::schema::Difference;
use crate::schema::compare::Comparison;
use crate::schema::found;
use crate::tenant::{SchemaMode, Tenant};

impl Db {
    /// Whether the database has what the declared models say: a check for start-up, of one flight whatever the number
    /// of models (two where there are types that are not built in).
    ///
    /// Compared are tables and views, columns, types, the labels of enums, NULLs, what the server fills, keys and
    /// unique columns, and the far ends of references and of the [relations](crate::Model::RELATIONS) that models list.
    /// Where tenants have tables of their own, those are [`check_tenant`](Self::check_tenant)'s. Defaults, conditions
    /// and indexes that are not unique are not compared.
    ///
    /// [`Builder::check_schema`](crate::Builder::check_schema) makes it a part of connecting;
    /// [`schema_differences`](Self::schema_differences) has the warnings too.
    ///
    /// ```
    /// # use wreath_orm::{Column, Columns, Db, DifferenceKind, ErrorKind, Load, Model, Result, Source, Table};
    /// pub struct Llama { id: i64, age: i32 }
    /// # impl Llama {
    /// #     const ID: Column<Self, i64> = Self::TABLE.col("id", |l| &l.id).identity();
    /// #     const AGE: Column<Self, i32> = Self::TABLE.col("age", |l| &l.age);
    /// # }
    /// # impl Load<Self> for Llama {
    /// #     fn load<S: Source<Self>>(s: &mut S) -> Result<Self> {
    /// #         Ok(Self { id: s.get(Self::ID)?, age: s.get(Self::AGE)? })
    /// #     }
    /// # }
    /// impl Model for Llama {
    ///     const TABLE: Table<Self> = Table::new("llamas_that_nobody_made");
    /// #   type Key = i64;
    /// #   fn key() -> impl Columns<Self, Row = i64> { Self::ID }
    /// }
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<()> {
    /// # let Ok(dsn) = std::env::var("DATABASE_URL") else { return Ok(()) };
    /// let db = Db::builder().model::<Llama>().connect(&dsn).await?;
    /// let error = db.check_schema().await.expect_err("the table is missing");
    /// assert_eq!(error.kind(), ErrorKind::Schema);
    /// for difference in error.differences() {
    ///     println!("{difference}");
    /// }
    /// assert_eq!(error.differences()[0].kind(), DifferenceKind::NoTable);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`Schema`](crate::ErrorKind::Schema) with all [differences](Error::differences) that are no mere warnings,
    /// [`Database`](crate::ErrorKind::Database) when the catalog cannot be read.
    pub async fn check_schema(&self) -> Result<()> {
        refused(self.schema_differences().await?)
    }

    /// As [`check_schema`](Self::check_schema), for the tables of a tenant, which are those of the models without a
    /// schema.
    ///
    /// # Errors
    /// As [`check_schema`](Self::check_schema).
    pub async fn check_tenant(&self, tenant: &Tenant) -> Result<()> {
        refused(self.differences(Some(tenant.schema())).await?)
    }

    /// All that [`check_schema`](Self::check_schema) finds, warnings included, in the order of the models.
    ///
    /// # Errors
    /// [`Database`](crate::ErrorKind::Database), when the catalog cannot be read.
    pub async fn schema_differences(&self) -> Result<Vec<Difference>> {
        self.differences(None).await
    }

    /// Compares the tables of one tenant, or those that are not a tenant's.
    async fn differences(&self, tenant: Option<&str>) -> Result<Vec<Difference>> {
        let shared = self.schema_mode() == SchemaMode::Single;
        let compared =
            |schema: Option<&str>| tenant.is_some() == schema.is_none() || (shared && tenant.is_none());
        let name = |schema: Option<&'static str>, table: &str| {
            let mut sql = String::new();
            quote_qualified(&mut sql, schema.or(tenant).unwrap_or(""), table);
            sql
        };
        let models: Vec<&Registered> = self.models().iter().filter(|model| compared(model.schema)).collect();
        // A tenant's tables may refer to those that all share.
        let targets = models.iter().flat_map(|model| model.targets().map(move |target| (*model, target)));
        let targets: Vec<_> =
            targets.filter(|(_, target)| target.schema.is_some() || compared(None)).collect();
        let mut names: Vec<String> = models.iter().map(|model| name(model.schema, model.table)).collect();
        names.extend(targets.iter().map(|(_, target)| name(target.schema, target.table)));

        let handle = self.lease(Workload::Read).await?;
        let found = found::read(self.run(&handle), &names).await?;
        let mut comparison = Comparison { differences: Vec::new(), model: "", table: String::new() };
        let mut there = names.into_iter().zip(&found);
        for (model, (table, found)) in models.iter().zip(&mut there) {
            (comparison.model, comparison.table) = (model.model, table);
            comparison.model(model, found.as_ref());
        }
        for ((model, target), (table, found)) in targets.iter().zip(&mut there) {
            (comparison.model, comparison.table) = (model.model, table);
            comparison.target(&target.columns, found.as_ref());
        }
        Ok(comparison.differences)
    }
}

fn refused(mut differences: Vec<Difference>) -> Result<()> {
    differences.retain(Difference::is_error);
    if differences.is_empty() { Ok(()) } else { Err(Error::schema(differences)) }
}
