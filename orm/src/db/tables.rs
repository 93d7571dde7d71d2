//! Tables from declarations: for demos, tests and first steps. Migrations are another matter.

use crate::compile::{add_reference, create_table, quote, quote_qualified};
use crate::db::{Db, Registered};
use crate::error::Result;
use crate::model::{Model, Node, Reference, by_dependency};

/// The statement that creates a model's table.
///
/// # Errors
/// [`Declaration`](crate::ErrorKind::Declaration), when the model is not declared rightly.
pub fn create_table_sql<M: Model>() -> Result<String> {
    table_sql(&Registered::new::<M>()?, |_| true)
}

fn table_sql(model: &Registered, inline: impl Fn(&Reference) -> bool) -> Result<String> {
    create_table((model.schema.unwrap_or(""), model.table), model.columns, &model.key, inline)
        .map_err(|e| e.of(model.model))
}

impl Db {
    /// Creates the schemas and tables of the declared models, in one transaction: those that others refer
    /// to first. Types and extensions that their columns need have to be there: `CREATE TYPE ... AS ENUM`
    /// is for [`batch`](wreath_driver::Client::batch) on a connection.
    ///
    /// # Errors
    /// [`Database`](crate::ErrorKind::Database), when one exists already, and for everything else that the
    /// server refuses.
    pub async fn create_tables(&self) -> Result<()> {
        let handle = self.acquire().await?;
        let run = self.run(&handle);
        run.script(&self.create_script()?).await
    }

    /// Drops the tables of the declared models that exist, in one transaction, with all that depends on them.
    ///
    /// # Errors
    /// [`Database`](crate::ErrorKind::Database), for what the server refuses.
    pub async fn drop_tables(&self) -> Result<()> {
        let handle = self.acquire().await?;
        let run = self.run(&handle);
        let mut script = Vec::new();
        for &place in self.in_order().iter().rev() {
            let mut sql = String::from("DROP TABLE IF EXISTS ");
            let model = &self.models()[place];
            quote_qualified(&mut sql, model.schema.unwrap_or(""), model.table);
            sql.push_str(" CASCADE");
            script.push(sql);
        }
        run.script(&script).await
    }

    fn in_order(&self) -> Vec<usize> {
        let nodes: Vec<Node> = self.models().iter().map(Registered::node).collect();
        by_dependency(&nodes)
    }

    fn create_script(&self) -> Result<Vec<String>> {
        let mut script = Vec::new();
        let mut schemas: Vec<&str> = self.models().iter().filter_map(|m| m.schema).collect();
        schemas.sort_unstable();
        schemas.dedup();
        for schema in schemas {
            let mut sql = String::from("CREATE SCHEMA IF NOT EXISTS ");
            quote(&mut sql, schema);
            script.push(sql);
        }
        let mut there: Vec<(Option<&str>, &str)> = Vec::new();
        let mut later = Vec::new();
        for place in self.in_order() {
            let model = &self.models()[place];
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
        script.append(&mut later);
        Ok(script)
    }
}
