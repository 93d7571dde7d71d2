//! Declared models.

use crate::error::Result;
use crate::model::{Declared, Description, Facet, Item, Model, Node, describe};
use crate::relation::sealed::Target;

/// A model that has been declared to a [`Db`](crate::Db), as plain data.
#[derive(Clone, Debug)]
pub struct Registered {
    pub(crate) model: &'static str,
    pub(crate) schema: Option<&'static str>,
    pub(crate) table: &'static str,
    pub(crate) columns: &'static [Declared],
    pub(crate) key: Vec<&'static str>,
    pub(crate) items: &'static [Item],
    pub(crate) facets: &'static [Facet],
    pub(crate) conditions: &'static [(String, String)],
    pub(crate) narrows: Option<&'static str>,
    /// What its relations lead to.
    related: Vec<Target>,
}

impl Registered {
    pub(crate) fn new<M: Model>() -> Result<Self> {
        let known: &'static Description<M> = describe::<M>()?;
        M::RELATIONS.iter().try_for_each(|relation| relation.check())?;
        Ok(Self {
            model: known.model,
            schema: known.table.schema_name(),
            table: known.table.name(),
            columns: &known.columns,
            key: known.key.iter().map(|&place| known.columns[place].name).collect(),
            items: M::ITEMS,
            facets: M::FACETS,
            conditions: &known.conditions,
            narrows: known.narrows,
            related: M::RELATIONS.iter().flat_map(|relation| relation.targets()).collect(),
        })
    }

    /// The model's Rust path.
    pub fn model(&self) -> &'static str {
        self.model
    }

    /// The schema, where the model's table has one.
    pub fn schema(&self) -> Option<&'static str> {
        self.schema
    }

    /// The table.
    pub fn table(&self) -> &'static str {
        self.table
    }

    /// The columns, in the order in which `load` takes them.
    pub fn columns(&self) -> &'static [Declared] {
        self.columns
    }

    /// The names of the primary key's columns.
    pub fn key(&self) -> &[&'static str] {
        &self.key
    }

    /// The constraints and indexes over several columns.
    pub fn items(&self) -> &'static [Item] {
        self.items
    }

    /// What other subsystems declare on the model.
    pub fn facets(&self) -> &'static [Facet] {
        self.facets
    }

    /// The wider model, of the same table, that this one narrows.
    pub fn narrows(&self) -> Option<&'static str> {
        self.narrows
    }

    /// The columns of other tables that its references and relations lead to.
    pub(crate) fn targets(&self) -> impl Iterator<Item = Target> {
        let single = self.columns.iter().filter_map(|column| column.references).map(|to| Target {
            schema: to.schema,
            table: to.table,
            columns: vec![to.column],
        });
        let several = self.items.iter().filter_map(|item| match item {
            Item::ForeignKey(key) => {
                Some(Target { schema: key.schema, table: key.table, columns: key.key.to_vec() })
            }
            _ => None,
        });
        single.chain(several).chain(self.related.iter().cloned())
    }

    pub(crate) fn node(&self) -> Node {
        Node::new((self.schema, self.table), self.columns, self.items)
    }
}
