//! What is known of a database's types, and whoever asks for the rest.

use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};

use wreath_codecs::types::Name;
use wreath_codecs::{Oid, ParamBuf, Type, oid};

use super::lookup;
use crate::connection::Client;
use crate::error::{Error, ErrorKind, Result};
use crate::proto::statement::RawColumn;
use crate::row::Column;

/// The numbers of named types, and what types are made of, as one database has them. It is shared by the
/// connections of a pool; tasks that miss the same type on one connection wait for one query.
#[derive(Debug, Default)]
pub struct Catalog {
    known: RwLock<Known>,
}

#[derive(Debug, Default)]
struct Known {
    types: HashMap<u32, Type>,
    names: HashMap<Name, Numbers>,
}

/// The number of a named type, and that of its array type; 0 where it has none.
#[derive(Clone, Copy, Debug)]
struct Numbers {
    oid: u32,
    array: u32,
}

impl Catalog {
    /// The type of that number, if it is built in or has been looked up.
    pub fn get(&self, oid: u32) -> Option<Type> {
        Type::from_oid(oid).or_else(|| self.read().types.get(&oid).cloned())
    }

    /// The number of a type, if it is fixed or has been looked up.
    pub fn number(&self, oid: Oid) -> Option<u32> {
        match oid {
            Oid::Fixed(n) => Some(n),
            Oid::Named(name) => self.read().names.get(&name).map(|n| n.oid),
            Oid::ArrayOf(name) => self.read().names.get(&name).map(|n| n.array).filter(|&n| n != 0),
        }
    }

    /// Forgets all that has been looked up, as after a migration that has dropped and made types again.
    pub fn clear(&self) {
        *self.write() = Known::default();
    }

    fn read(&self) -> std::sync::RwLockReadGuard<'_, Known> {
        self.known.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self) -> std::sync::RwLockWriteGuard<'_, Known> {
        self.known.write().unwrap_or_else(PoisonError::into_inner)
    }

    /// Fills in the numbers of named types as far as they are known; whether all are.
    pub(crate) fn resolve_known(&self, params: &mut ParamBuf) -> bool {
        if params.is_resolved() {
            return true;
        }
        params.resolve(|oid| self.number(oid));
        params.is_resolved()
    }

    /// Fills in the numbers of named types, asking the database for those that are not known.
    pub(crate) async fn resolve(self: &Arc<Self>, client: &Client, params: &mut ParamBuf) -> Result<()> {
        if self.resolve_known(params) {
            return Ok(());
        }
        let mut names: Vec<Name> = params.unresolved().filter_map(name_of).collect();
        names.sort_unstable();
        names.dedup();
        let (catalog, asker) = (Arc::clone(self), client.share());
        client.look_up(async move { catalog.look_up_names(&asker, names).await }).await?;
        if self.resolve_known(params) {
            return Ok(());
        }
        let lacking: Vec<_> = params.unresolved().map(|oid| oid.to_string()).collect();
        Err(Error::new(ErrorKind::Encode, format!("the database has no type {}", lacking.join(", "))))
    }

    async fn look_up_names(&self, client: &Client, mut names: Vec<Name>) -> Result<()> {
        names.retain(|name| !self.read().names.contains_key(name));
        if names.is_empty() {
            return Ok(());
        }
        let found = lookup::numbers(client, &names).await?;
        for (name, numbers) in names.iter().zip(found) {
            let Some((oid, array)) = numbers else {
                let message = format!("the database has no type {name}");
                return Err(Error::new(ErrorKind::Encode, message));
            };
            self.write().names.insert(*name, Numbers { oid, array });
        }
        Ok(())
    }

    /// Forgets the names that stand for these numbers, because the server may know them no more.
    pub(crate) fn forget_numbers(&self, gone: &[u32]) {
        self.write().names.retain(|_, n| !gone.contains(&n.oid) && !gone.contains(&n.array));
    }

    /// The columns of a result, if all of their types are known.
    pub(crate) fn known_columns(&self, described: &[RawColumn]) -> Option<Arc<[Column]>> {
        described.iter().map(|raw| self.get(raw.oid).map(|ty| column(raw, ty))).collect()
    }

    /// The columns of a result whose values are in text form. Types that are not known are numbers.
    pub(crate) fn text_columns(&self, described: &[RawColumn]) -> Arc<[Column]> {
        let ty = |raw: &RawColumn| self.get(raw.oid).unwrap_or_else(|| Type::unknown_number(raw.oid));
        described.iter().map(|raw| Column { read_as: text(), ..column(raw, ty(raw)) }).collect()
    }

    /// The columns of a result, asking the database for types that are not known: by one query, whatever
    /// their number.
    pub(crate) async fn columns(
        self: &Arc<Self>,
        client: &Client,
        described: &[RawColumn],
    ) -> Result<Arc<[Column]>> {
        if let Some(columns) = self.known_columns(described) {
            return Ok(columns);
        }
        let oids: Vec<u32> = described.iter().map(|column| column.oid).collect();
        let types = self.types(client, &oids).await?;
        Ok(described.iter().zip(types).map(|(raw, ty)| column(raw, ty)).collect())
    }

    /// The types of those numbers, asking the database for those that are not known: by one query, whatever their number.
    pub(crate) async fn types(self: &Arc<Self>, client: &Client, oids: &[u32]) -> Result<Vec<Type>> {
        if oids.iter().any(|&oid| self.get(oid).is_none()) {
            self.ensure(client, oids.to_vec()).await?;
        }
        // A type that was dropped meanwhile stays a number.
        let ty = |&oid: &u32| self.get(oid).unwrap_or_else(|| Type::unknown_number(oid));
        Ok(oids.iter().map(ty).collect())
    }

    /// The type of that number, asking the database if it is not known.
    pub(crate) async fn look_up(self: &Arc<Self>, client: &Client, oid: u32) -> Result<Type> {
        if self.get(oid).is_none() {
            self.ensure(client, vec![oid]).await?;
        }
        self.get(oid).ok_or_else(|| Error::new(ErrorKind::Encode, format!("the database has no type {oid}")))
    }

    /// The types of those numbers, asking the database for those that are not known.
    pub(crate) async fn look_up_all(self: &Arc<Self>, client: &Client, oids: &[u32]) -> Result<Vec<Type>> {
        if oids.iter().any(|&oid| self.get(oid).is_none()) {
            self.ensure(client, oids.to_vec()).await?;
        }
        Ok(oids.iter().map(|&oid| self.get(oid).unwrap_or_else(|| Type::unknown_number(oid))).collect())
    }

    /// Looks types up, as far as they are not known.
    async fn ensure(self: &Arc<Self>, client: &Client, oids: Vec<u32>) -> Result<()> {
        let (catalog, asker) = (Arc::clone(self), client.share());
        client.look_up(async move { catalog.look_up_types(&asker, oids).await }).await
    }

    async fn look_up_types(&self, client: &Client, mut oids: Vec<u32>) -> Result<()> {
        oids.retain(|&oid| self.get(oid).is_none());
        if oids.is_empty() {
            return Ok(());
        }
        let found = lookup::types(client, &oids, |oid| self.get(oid)).await?;
        self.write().types.extend(found.into_iter().map(|ty| (ty.oid(), ty)));
        Ok(())
    }
}

fn name_of(oid: Oid) -> Option<Name> {
    match oid {
        Oid::Fixed(_) => None,
        Oid::Named(name) | Oid::ArrayOf(name) => Some(name),
    }
}

/// The type of a value in text form.
fn text() -> Type {
    Type::from_oid(oid::UNKNOWN).expect("built in")
}

fn column(raw: &RawColumn, ty: Type) -> Column {
    // A type without a binary form arrives in its text form.
    let read_as = if ty.is_binary() { ty.clone() } else { text() };
    Column {
        name: Arc::clone(&raw.name),
        ty,
        read_as,
        table: (raw.table != 0).then_some((raw.table, raw.attribute)),
        modifier: raw.modifier,
    }
}
