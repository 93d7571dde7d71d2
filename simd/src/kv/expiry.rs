//! Deadlines: when an entry stops being there.

use std::time::Duration;

use super::Kv;
use super::table::{NEVER, Slot};
use crate::clock::nanos;

/// When a written entry expires.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Expiry {
    /// The table's time to live from now, or never where the table has none.
    #[default]
    Table,
    /// Never.
    Never,
    /// So long from now.
    After(Duration),
    /// When the table's clock shows this time since its zero.
    At(Duration),
    /// When the live entry that is written over would have; as `Table` where there is none. A window that
    /// opened with the first write stays the same window, however often it is written to.
    Keep,
}

impl<K, V, S> Kv<K, V, S> {
    /// The clock's time if any entry has a deadline, else zero, which no deadline has passed.
    #[inline(always)]
    pub(super) fn now_if_timed(&self) -> u64 {
        if self.table.deadlines.is_empty() { 0 } else { self.now() }
    }

    /// Apart so that tables without deadlines do without its registers.
    #[inline(never)]
    fn now(&self) -> u64 {
        self.clock.now_nanos()
    }

    #[inline(always)]
    pub(super) fn expired(&self, slot: Slot, now: u64) -> bool {
        self.table.deadline(slot) <= now
    }

    /// The deadline that `expiry` means for an entry written now.
    #[inline(never)]
    pub(super) fn deadline_of(&self, expiry: Expiry, kept: Option<u64>) -> u64 {
        // The last moment that is not `NEVER`, for times beyond what the clock can show.
        let after = |time: u64| self.now().saturating_add(time).min(NEVER - 1);
        match (expiry, kept) {
            (Expiry::Keep, Some(deadline)) => deadline,
            (Expiry::Keep | Expiry::Table, _) => self.ttl.map_or(NEVER, after),
            (Expiry::Never, _) => NEVER,
            (Expiry::After(time), _) => after(nanos(time)),
            (Expiry::At(time), _) => nanos(time).min(NEVER - 1),
        }
    }

    #[inline(never)]
    pub(super) fn set_deadline(&mut self, slot: Slot, deadline: u64) {
        if deadline == NEVER && self.table.deadlines.is_empty() {
            return;
        }
        self.table.open_deadlines();
        self.table.deadlines[slot.index()] = deadline;
        self.earliest = self.earliest.min(deadline);
    }

    /// Takes out every expired entry and returns how many there were.
    ///
    /// Nothing needs this to be called; it gives back memory early and makes [`len`](Self::len) quick again.
    pub fn purge_expired(&mut self) -> usize {
        let now = self.now_if_timed();
        if self.earliest > now {
            return 0;
        }
        self.earliest = NEVER;
        let before = self.table.held;
        let mut at = self.table.back();
        while let Some(slot) = at {
            at = self.table.newer(slot);
            let deadline = self.table.deadline(slot);
            if deadline <= now {
                self.expirations += 1;
                drop(self.take(slot));
            } else {
                self.earliest = self.earliest.min(deadline);
            }
        }
        before - self.table.held
    }

    /// Entries that a read would find.
    ///
    /// Takes a look at every slot once the earliest deadline has passed, until
    /// [`purge_expired`](Self::purge_expired).
    #[must_use]
    pub fn len(&self) -> usize {
        let now = self.now_if_timed();
        if self.earliest > now {
            return self.table.held;
        }
        self.table.held - self.table.deadlines.iter().filter(|&&deadline| deadline <= now).count()
    }

    /// Whether a read would find nothing.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}
