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
/// connections of a pool, and many tasks that miss the same type wait for one query.
#[derive(Debug, Default)]
pub struct Catalog {
    known: RwLock<Known>,
    /// Held by whoever asks the database.
    asking: tokio::sync::Mutex<()>,
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
        *self.known.write().unwrap_or_else(PoisonError::into_inner) = Known::default();
    }

    fn read(&self) -> std::sync::RwLockReadGuard<'_, Known> {
        self.known.read().unwrap_or_else(PoisonError::into_inner)
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
    pub(crate) async fn resolve(&self, client: &Client, params: &mut ParamBuf) -> Result<()> {
        let _asking = self.asking.lock().await;
        if self.resolve_known(params) {
            return Ok(());
        }
        let mut names: Vec<Name> = params.unresolved().filter_map(name_of).collect();
        names.sort_unstable();
        names.dedup();
        let found = lookup::numbers(client, &names).await?;
        for (name, numbers) in names.iter().zip(found) {
            let Some((oid, array)) = numbers else {
                let message = format!("the database has no type {name}");
                return Err(Error::new(ErrorKind::Encode, message));
            };
            let mut known = self.known.write().unwrap_or_else(PoisonError::into_inner);
            known.names.insert(*name, Numbers { oid, array });
        }
        if self.resolve_known(params) {
            return Ok(());
        }
        let lacking: Vec<_> = params.unresolved().map(|oid| oid.to_string()).collect();
        Err(Error::new(ErrorKind::Encode, format!("the database has no type {}", lacking.join(", "))))
    }

    /// The columns of a result, if all of their types are known.
    pub(crate) fn known_columns(&self, described: &[RawColumn]) -> Option<Arc<[Column]>> {
        described.iter().map(|raw| self.get(raw.oid).map(|ty| column(raw, ty))).collect()
    }

    /// The columns of a result, asking the database for types that are not known: by one query, whatever
    /// their number.
    pub(crate) async fn columns(&self, client: &Client, described: &[RawColumn]) -> Result<Arc<[Column]>> {
        if let Some(columns) = self.known_columns(described) {
            return Ok(columns);
        }
        let _asking = self.asking.lock().await;
        let missing: Vec<u32> =
            described.iter().map(|c| c.oid).filter(|&oid| self.get(oid).is_none()).collect();
        if !missing.is_empty() {
            let found = lookup::types(client, &missing, |oid| self.get(oid)).await?;
            let mut known = self.known.write().unwrap_or_else(PoisonError::into_inner);
            known.types.extend(found.into_iter().map(|ty| (ty.oid(), ty)));
        }
        // A type that was dropped meanwhile stays a number.
        let ty = |raw: &RawColumn| self.get(raw.oid).unwrap_or_else(|| Type::unknown_number(raw.oid));
        Ok(described.iter().map(|raw| column(raw, ty(raw))).collect())
    }

    /// The type of that number, asking the database if it is not known.
    pub(crate) async fn look_up(&self, client: &Client, oid: u32) -> Result<Type> {
        if self.get(oid).is_none() {
            self.look_up_all(client, &[oid]).await?;
        }
        self.get(oid).ok_or_else(|| Error::new(ErrorKind::Encode, format!("the database has no type {oid}")))
    }

    async fn look_up_all(&self, client: &Client, oids: &[u32]) -> Result<()> {
        let _asking = self.asking.lock().await;
        let missing: Vec<u32> = oids.iter().copied().filter(|&oid| self.get(oid).is_none()).collect();
        if !missing.is_empty() {
            let found = lookup::types(client, &missing, |oid| self.get(oid)).await?;
            let mut known = self.known.write().unwrap_or_else(PoisonError::into_inner);
            known.types.extend(found.into_iter().map(|ty| (ty.oid(), ty)));
        }
        Ok(())
    }
}

fn name_of(oid: Oid) -> Option<Name> {
    match oid {
        Oid::Fixed(_) => None,
        Oid::Named(name) | Oid::ArrayOf(name) => Some(name),
    }
}

fn column(raw: &RawColumn, ty: Type) -> Column {
    // A type without a binary form arrives in its text form, which is what a value of type unknown is.
    let text = || Type::from_oid(oid::UNKNOWN).expect("built in");
    let read_as = if ty.is_binary() { ty.clone() } else { text() };
    Column {
        name: Arc::clone(&raw.name),
        ty,
        read_as,
        table: (raw.table != 0).then_some((raw.table, raw.attribute)),
        modifier: raw.modifier,
    }
}
