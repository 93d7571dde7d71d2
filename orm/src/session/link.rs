//! References to rows that are not in the database yet.

use smallvec::SmallVec;
use wreath_codecs::Encoder;

use crate::error::{Error, Result};
use crate::model::Model;
use crate::relation::ToOne;
use crate::session::arena::{Arena, stale};
use crate::session::slot::State;
use crate::session::snapshot::{self, Snapshot};
use crate::session::{Ref, Session};

/// A column that takes its value from an object when that one has been inserted.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Link {
    /// The place of the column.
    pub(crate) near: usize,
    /// The place of the arena that has the other object, and where it is in there.
    pub(crate) arena: usize,
    pub(crate) slot: u32,
    pub(crate) generation: u32,
    /// The place of the other object's column.
    pub(crate) far: usize,
}

/// The links of one object; hardly ever more than a few.
pub(crate) type Links = SmallVec<[Link; 2]>;

impl Session {
    /// Lets an object refer to another: it takes the other's key into the columns of the relation, at once, or when a
    /// flush has inserted the other and knows its key. So a whole graph of new objects goes in with one flush, in one
    /// flight for each step from the outermost referred to. Setting such a column by an [`edit`](Self::edit)
    /// afterwards undoes the link.
    ///
    /// ```no_run
    /// # use wreath_orm::{Column, Columns, Db, Load, Model, Result, Source, Table, ToOne};
    /// # pub struct Paddock { id: i64 }
    /// # impl Paddock {
    /// #     const ID: Column<Self, i64> = Self::TABLE.col("id", |p| &p.id).identity();
    /// # }
    /// # impl Load<Self> for Paddock {
    /// #     fn load<S: Source<Self>>(s: &mut S) -> Result<Self> { Ok(Self { id: s.get(Self::ID)? }) }
    /// # }
    /// # impl Model for Paddock {
    /// #     const TABLE: Table<Self> = Table::new("paddocks");
    /// #     type Key = i64;
    /// #     fn key() -> impl Columns<Self, Row = i64> { Self::ID }
    /// # }
    /// # pub struct Llama { id: i64, paddock_id: Option<i64> }
    /// # impl Llama {
    /// #     const ID: Column<Self, i64> = Self::TABLE.col("id", |l| &l.id).identity();
    /// #     const PADDOCK_ID: Column<Self, Option<i64>> =
    /// #         Self::TABLE.col("paddock_id", |l| &l.paddock_id).references(Paddock::ID);
    /// #     const PADDOCK: ToOne<Self, Paddock> = Self::PADDOCK_ID.to_one(Paddock::ID);
    /// # }
    /// # impl Load<Self> for Llama {
    /// #     fn load<S: Source<Self>>(s: &mut S) -> Result<Self> {
    /// #         Ok(Self { id: s.get(Self::ID)?, paddock_id: s.get(Self::PADDOCK_ID)? })
    /// #     }
    /// # }
    /// # impl Model for Llama {
    /// #     const TABLE: Table<Self> = Table::new("llamas");
    /// #     type Key = i64;
    /// #     fn key() -> impl Columns<Self, Row = i64> { Self::ID }
    /// # }
    /// # async fn f(db: Db) -> Result<()> {
    /// let mut session = db.session();
    /// let meadow = session.add(Paddock { id: 0 })?;
    /// let tina = session.add(Llama { id: 0, paddock_id: None })?;
    /// session.link(tina, Llama::PADDOCK, meadow)?;
    /// session.flush().await?;
    /// assert_eq!(session[tina].paddock_id, Some(session[meadow].id));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`StaleRef`](crate::ErrorKind::StaleRef), for either of them; and as [`edit`](Self::edit), where the key is
    /// known.
    pub fn link<M: Model, N: Model>(
        &mut self,
        from: Ref<M>,
        relation: ToOne<M, N>,
        to: Ref<N>,
    ) -> Result<()> {
        self.own(from)?;
        self.try_get(to)?;
        let arena = self.place_of::<N>()?;
        let far = self.arena_mut::<N>()?;
        let is_new = matches!(far.slot(to.slot, to.generation)?.state, State::New);
        let mut links = Links::new();
        for (near, far_name) in relation.names() {
            let far = place_of(&far.of.columns, far_name).map_err(|e| e.of(far.of.model))?;
            let near = near_place::<M>(near)?;
            links.push(Link { near, arena, slot: to.slot, generation: to.generation, far });
        }
        if is_new {
            return self.arena_mut::<M>()?.link(from.slot, from.generation, links);
        }
        let mut values = Vec::with_capacity(links.len());
        for link in links {
            values.push((link.near, self.arenas[link.arena].value(link.slot, link.generation, link.far)?));
        }
        self.arena_mut::<M>()?.set_values(from.slot, from.generation, &values)
    }
}

/// The place of a column, and the value that it is to have, as it travels.
pub(crate) type Placed = (usize, Option<Box<[u8]>>);

fn near_place<M: Model>(name: &'static str) -> Result<usize> {
    let of = crate::model::describe::<M>()?;
    place_of(&of.columns, name).map_err(|e| e.of(of.model))
}

fn place_of(columns: &[crate::model::Declared], name: &'static str) -> Result<usize> {
    columns
        .iter()
        .position(|c| c.name == name)
        .ok_or_else(|| Error::declaration("a link needs a column that `load` does not take").at(name))
}

impl<M: Model> Arena<M> {
    /// Notes links of an object, instead of those that it had in their columns.
    fn link(&mut self, slot: u32, generation: u32, links: Links) -> Result<()> {
        let of = self.of;
        let held = self.slot_mut(slot, generation)?;
        match (&held.state, &held.object) {
            (State::New | State::Dirty(_), Some(_)) => {}
            (State::Clean, Some(object)) => {
                held.state = State::Dirty(snapshot::take(of, object)?.as_bytes().into());
            }
            _ => return Err(stale::<M>("the object has been removed")),
        }
        let noted = self.links.entry(slot).or_default();
        noted.retain(|old| !links.iter().any(|new| new.near == old.near));
        noted.extend(links);
        Ok(())
    }

    /// Puts values into columns of an object, as an edit does.
    fn set_values(&mut self, slot: u32, generation: u32, values: &[Placed]) -> Result<()> {
        self.slot(slot, generation)?;
        let made = self.with_values(slot, values)?;
        self.edit(slot, generation, |object| *object = made)
    }

    /// An object with other values in some columns.
    pub(crate) fn with_values(&self, slot: u32, values: &[Placed]) -> Result<M> {
        let places: SmallVec<[usize; 4]> = values.iter().map(|(place, _)| *place).collect();
        let others =
            |at| Ok(values.iter().find(|(place, _)| *place == at).and_then(|(_, value)| value.as_deref()));
        let object = self.present(slot)?;
        snapshot::splice(self.of, object, (&places, &self.types), &mut Encoder::new(), others)
    }

    /// Forgets the links whose columns an edit has changed.
    pub(crate) fn unlink_changed(&mut self, slot: u32, before: &[u8], after: &[u8]) {
        let Some(links) = self.links.get_mut(&slot) else { return };
        let same = |place| match (snapshot::value_at(before, place), snapshot::value_at(after, place)) {
            (Ok(before), Ok(after)) => before == after,
            _ => false,
        };
        links.retain(|link| same(link.near));
        if links.is_empty() {
            self.links.remove(&slot);
        }
    }

    /// Makes links pending again, and with them the values that an object had before they were filled.
    pub(crate) fn relink(&mut self, slot: u32, links: Links) {
        if !links.is_empty() {
            let noted = self.links.entry(slot).or_default();
            let old: Links =
                links.iter().copied().filter(|l| !noted.iter().any(|n| n.near == l.near)).collect();
            noted.extend(old);
        }
    }
}

/// The values of some columns in a snapshot.
pub(crate) fn values_in(snapshot: &Snapshot, places: impl Iterator<Item = usize>) -> Result<Vec<Placed>> {
    places.map(|place| Ok((place, snapshot::value_at(snapshot, place)?.map(Into::into)))).collect()
}
