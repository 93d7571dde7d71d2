//! Tables from declarations: for demos, tests and first steps. Migrations are another matter.

use wreath_codecs::Oid;
use wreath_codecs::types::Name;

use wreath_driver::Workload;

use crate::compile::{add_item, add_reference, create_enum, create_table, quote, quote_qualified};
use crate::db::{Db, Registered};
use crate::error::Result;
use crate::model::{Item, Model, Node, Reference, by_dependency};
use crate::tenant::{SchemaMode, Tenant};

/// The statement that creates a model's table.
///
/// # Errors
/// [`Declaration`](crate::ErrorKind::Declaration), when the model is not declared rightly.
pub fn create_table_sql<M: Model>() -> Result<String> {
    table_sql(&Registered::new::<M>()?, |_| true)
}

fn table_sql(model: &Registered, inline: impl Fn(&Reference) -> bool) -> Result<String> {
    let table = (model.schema.unwrap_or(""), model.table);
    create_table(table, model.columns, &model.key, model.conditions, inline).map_err(|e| e.of(model.model))
}

/// The enums that columns of the models are of, with their labels.
fn enums(models: &[Registered]) -> Vec<(Name, Vec<&'static str>)> {
    let mut all: Vec<(Name, Vec<&'static str>)> = Vec::new();
    for column in models.iter().flat_map(|model| model.columns) {
        if let (Oid::Named(name) | Oid::ArrayOf(name), Some(labels)) = (column.oid, column.labels())
            && !all.iter().any(|(known, _)| *known == name)
        {
            all.push((name, labels));
        }
    }
    all
}

impl Db {
    /// Creates the schemas, [enums](crate::Labels) and tables of the declared models, with their constraints and
    /// indexes, in one transaction: those that others refer to first. Other types, and extensions, that their columns
    /// need have to be there.
    ///
    /// # Errors
    /// [`Database`](crate::ErrorKind::Database), when one exists already, and for everything else that the
    /// server refuses.
    pub async fn create_tables(&self) -> Result<()> {
        let handle = self.lease(Workload::Write).await?;
        let all = self.schema_mode() == SchemaMode::Single;
        let mut script: Vec<String> =
            enums(self.models()).iter().map(|(name, labels)| create_enum(*name, labels)).collect();
        script.splice(0..0, self.create_schemas());
        script.extend(self.create_script(|model| all || model.schema.is_some())?);
        self.run(&handle).script(&script).await
    }

    /// Creates a tenant's schema, and in it the tables of the declared models that have no schema, in one transaction.
    ///
    /// # Errors
    /// As [`create_tables`](Self::create_tables).
    pub async fn create_tenant(&self, tenant: &Tenant) -> Result<()> {
        let handle = self.lease(Workload::Write).await?;
        let mut create = String::from("CREATE SCHEMA ");
        quote(&mut create, tenant.schema());
        let mut script = vec![create, format!("SET LOCAL search_path TO {}", tenant.schema())];
        script.extend(self.create_script(|model| model.schema.is_none())?);
        let transaction = handle.begin().await?;
        self.run(&transaction).script(&script).await?;
        Ok(transaction.commit().await?)
    }

    /// Drops the tables and enums of the declared models that exist, in one transaction, with all that depends on
    /// them.
    ///
    /// # Errors
    /// [`Database`](crate::ErrorKind::Database), for what the server refuses.
    pub async fn drop_tables(&self) -> Result<()> {
        let handle = self.acquire(Workload::Write).await?;
        let run = self.run(&handle);
        let mut script = Vec::new();
        for &place in self.in_order().iter().rev() {
            let mut sql = String::from("DROP TABLE IF EXISTS ");
            let model = &self.models()[place];
            quote_qualified(&mut sql, model.schema.unwrap_or(""), model.table);
            sql.push_str(" CASCADE");
            script.push(sql);
        }
        for (name, _) in enums(self.models()) {
            let mut sql = String::from("DROP TYPE IF EXISTS ");
            quote_qualified(&mut sql, name.schema.unwrap_or(""), name.name);
            sql.push_str(" CASCADE");
            script.push(sql);
        }
        run.script(&script).await
    }

    fn in_order(&self) -> Vec<usize> {
        let nodes: Vec<Node> = self.models().iter().map(Registered::node).collect();
        by_dependency(&nodes)
    }

    fn create_schemas(&self) -> Vec<String> {
        let mut schemas: Vec<&str> = self.models().iter().filter_map(|m| m.schema).collect();
        schemas.sort_unstable();
        schemas.dedup();
        let create = |schema: &str| {
            let mut sql = String::from("CREATE SCHEMA IF NOT EXISTS ");
            quote(&mut sql, schema);
            sql
        };
        schemas.into_iter().map(create).collect()
    }

    /// The statements that create the tables of the models that are `wanted`.
    fn create_script(&self, wanted: impl Fn(&Registered) -> bool) -> Result<Vec<String>> {
        let mut script = Vec::new();
        let mut there: Vec<(Option<&str>, &str)> = Vec::new();
        let mut later = Vec::new();
        for place in self.in_order() {
            let model = &self.models()[place];
            // The table of a model that narrows another is the wider model's.
            if model.narrows.is_some() || !wanted(model) {
                continue;
            }
            there.push((model.schema, model.table));
            // A table that no declared model has is taken to exist; one that is still to come is part of a
            // circle.
            let inline = |r: &Reference| {
                let table = (r.schema, r.table);
                there.contains(&table) || !self.models().iter().any(|m| (m.schema, m.table) == table)
            };
            script.push(table_sql(model, inline)?);
            for column in model.columns {
                if let Some(reference) = column.references.filter(|r| !inline(r)) {
                    later.push(add_reference(
                        (model.schema.unwrap_or(""), model.table),
                        column.name,
                        &reference,
                    ));
                }
            }
        }
        // Keys first, since foreign keys may refer to them.
        let mut items: Vec<(&Registered, &Item)> = self
            .models()
            .iter()
            .filter(|model| wanted(model))
            .flat_map(|model| model.items.iter().map(move |item| (model, item)))
            .collect();
        items.sort_by_key(|(_, item)| matches!(item, Item::ForeignKey(_)));
        for (model, item) in items {
            script.extend(add_item((model.schema.unwrap_or(""), model.table), item));
        }
        script.append(&mut later);
        Ok(script)
    }
}
