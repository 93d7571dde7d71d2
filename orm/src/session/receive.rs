//! Reading what the statements of a flush answer.

use wreath_codecs::types::Value;
use wreath_codecs::{Encoder, Type};
use wreath_driver::Rows;

use crate::error::{Error, ErrorKind, Result};
use crate::model::Model;
use crate::plan::Kind;
use crate::session::arena::{Arena, Incoming, KeyBytes, stale};
use crate::session::flush::{Batch, Mask};
use crate::session::slot::State;
use crate::session::snapshot;

/// How many stale rows an error names.
const NAMED: usize = 5;

impl<M: Model> Arena<M> {
    /// Looks at a statement's result, and lays aside what it returns.
    pub(super) fn lay_aside(&mut self, batch: &Batch, rows: &Rows) -> Result<()> {
        batch.plan.level.check(rows.columns())?;
        match batch.kind {
            Kind::Insert => self.lay_aside_inserted(batch, rows),
            kind => self.lay_aside_changed(kind, batch, rows),
        }
    }

    fn lay_aside_inserted(&mut self, batch: &Batch, rows: &Rows) -> Result<()> {
        let (expected, met) = (batch.slots.len(), rows.tag().rows());
        if u64::try_from(expected).ok() != Some(met) {
            let detail = format!("{met} of {expected} rows were inserted: the database kept others out");
            return Err(Error::new(ErrorKind::StaleData, detail).of(self.of.model));
        }
        let returned = self.server_made();
        let types = self.types_of(&returned, rows, 0);
        let mut rows = rows.iter();
        self.incoming.reserve(expected);
        let mut scratch = Encoder::new();
        for &slot in &batch.slots {
            let mut made = None;
            if !returned.is_empty() {
                let row = rows.next().ok_or_else(|| stale::<M>("an inserted row did not come back"))?;
                let mut values = row.reader();
                let others = |_| Ok(values.next_raw()?);
                let object = self.present(slot)?;
                made = Some(snapshot::splice(self.of, object, (&returned, &types), &mut scratch, others)?);
            }
            let object = made.as_ref().map_or_else(|| self.present(slot), Ok)?;
            scratch.clear();
            self.of.encode_key(object, &mut scratch)?;
            let key = KeyBytes::from_slice(scratch.as_bytes());
            self.incoming.insert(slot, Incoming { object: made, key });
        }
        Ok(())
    }

    fn lay_aside_changed(&mut self, kind: Kind, batch: &Batch, rows: &Rows) -> Result<()> {
        let made: Mask = if kind == Kind::Update { self.of.made_by_updates().collect() } else { Mask::new() };
        // A statement for many rows says which; one for a single row either met it or did not.
        let numbered = rows.columns().len() > made.len();
        let types = self.types_of(&made, rows, usize::from(numbered));
        let mut met = vec![false; batch.slots.len()];
        if !numbered && rows.tag().rows() == 1 {
            met.iter_mut().for_each(|met| *met = true);
        }
        let mut ordered: Vec<(usize, _)> = Vec::with_capacity(if made.is_empty() { 0 } else { rows.len() });
        for row in rows {
            let mut at = 0;
            if numbered {
                let number =
                    row.raw(0)?.and_then(|bytes| <[u8; 8]>::try_from(bytes).ok()).map(i64::from_be_bytes);
                at = number.and_then(|n| usize::try_from(n.checked_sub(1)?).ok()).unwrap_or(usize::MAX);
                *met.get_mut(at).ok_or_else(|| Error::declaration("a row came back that was not sent"))? =
                    true;
            }
            if !made.is_empty() {
                ordered.push((at, row));
            }
        }
        self.refuse_stale(kind, &batch.slots, &met)?;
        let mut scratch = Encoder::new();
        for (at, row) in ordered {
            let mut values = row.reader();
            if numbered {
                values.next_raw()?;
            }
            let mut answered = Vec::with_capacity(made.len());
            for _ in &made {
                answered.push(values.next_raw()?);
            }
            let others = |place| Ok(made.iter().position(|&made| made == place).and_then(|i| answered[i]));
            let object = self.present(batch.slots[at])?;
            let object = snapshot::splice(self.of, object, (&made, &types), &mut scratch, others)?;
            self.incoming.insert(batch.slots[at], Incoming { object: Some(object), key: KeyBytes::new() });
        }
        Ok(())
    }

    /// The types that snapshots are read as, those at `places` as they have come, after so many others.
    fn types_of(&self, places: &[usize], rows: &Rows, others: usize) -> Vec<Type> {
        let mut types = self.types.clone();
        for (&place, column) in places.iter().zip(rows.columns().iter().skip(others)) {
            types[place] = column.read_as().clone();
        }
        types
    }

    /// Refuses when rows were not met, naming the first of them.
    fn refuse_stale(&self, kind: Kind, slots: &[u32], met: &[bool]) -> Result<()> {
        let missed: Vec<u32> =
            slots.iter().zip(met).filter(|(_, met)| !**met).map(|(slot, _)| *slot).collect();
        if missed.is_empty() {
            return Ok(());
        }
        let names: Vec<String> = missed.iter().take(NAMED).map(|&slot| self.row_name(slot)).collect();
        let more =
            if missed.len() > NAMED { format!(" and {} more", missed.len() - NAMED) } else { String::new() };
        let verb = if kind == Kind::Update { "update" } else { "delete" };
        let detail = format!(
            "{} of {} rows to {verb} were met: others have been there first, at {}{more}",
            slots.len() - missed.len(),
            slots.len(),
            names.join(", ")
        );
        Err(Error::new(ErrorKind::StaleData, detail).of(self.of.model))
    }

    /// The key of the row of an object, for people.
    fn row_name(&self, slot: u32) -> String {
        let (State::Dirty(was) | State::Removed(was)) = &self.slots[slot as usize].state else {
            return "a row".to_owned();
        };
        let of_place = |&place: &usize| {
            let value =
                snapshot::value_at(was, place).ok().and_then(|v| Value::decode(&self.types[place], v).ok());
            format!(
                "{} {}",
                self.of.columns[place].name,
                value.map_or_else(|| "?".to_owned(), |v| v.to_string())
            )
        };
        let parts: Vec<String> = self.of.key.iter().map(of_place).collect();
        if parts.len() == 1 { parts.concat() } else { format!("({})", parts.join(", ")) }
    }
}
