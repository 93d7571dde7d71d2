//! The slots: where an entry lies, how it is found, and how it leaves without a trace.
//!
//! A table is a number of groups of [`LANES`] slots. A hash names a home group; an entry lies in the first
//! group from there, cyclically, that had room. These are kept:
//!
//! * a control byte a slot, [`EMPTY`] or eight bits of the hash;
//! * a [`Cell`] a slot: a [`Node`] (the links of the recency order, the hash, and the entry's cost), the key and the
//!   value;
//! * a mark a slot, whether its entry was read lately;
//! * a count a group, of the entries that passed it by because it was full.
//!
//! That count is what ends a search, in place of tombstones: a group that nobody passed by has nothing of
//! its own behind it. Removing an entry takes it off the counts on its way, so that any sequence of
//! insertions and removals leaves the table as good as new, and no clean-up is ever due.
//!
//! Deadlines take room only from the first entry that has one.

use std::mem::MaybeUninit;

use crate::group::{EMPTY, Group, LANES, Tags, native};
use crate::hash::mix;
use crate::lines::Lines;
use crate::prefetch::prefetch;

/// A deadline that never comes.
pub(super) const NEVER: u64 = u64::MAX;

/// Entries that a table holds before it grows, in 32nds of its slots. At this load one group in fifty is
/// full, so that nearly every search ends in its home group.
const LOAD: usize = 22;

/// Groups at most: slots are numbered with 32 bits, and one number is the sentinel's.
const MAX_GROUPS: usize = (1 << 27) - 1;

/// Entries at most in any table, about 2.9 thousand million.
pub(super) const MAX_ENTRIES: usize = MAX_GROUPS * LOAD;

/// The place of an entry. It is good until the entry is taken out or the table is rebuilt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Slot(pub(super) u32);

impl Slot {
    #[inline(always)]
    fn new(group: usize, lane: u32) -> Self {
        #[expect(clippy::cast_possible_truncation, reason = "MAX_GROUPS * LANES fits 32 bits")]
        let first = (group * LANES) as u32;
        Self(first + lane)
    }

    #[inline(always)]
    pub(super) fn index(self) -> usize {
        self.0 as usize
    }

    #[inline(always)]
    pub(super) fn group(self) -> usize {
        self.index() / LANES
    }

    #[inline(always)]
    pub(super) fn lane(self) -> usize {
        self.index() % LANES
    }
}

/// A key's hash, mixed: its upper half names the home group, and the byte below that is the control byte. Neither
/// waits for the other to be worked out.
#[derive(Clone, Copy, Debug)]
pub(super) struct Print(u64);

impl Print {
    /// A caller's hash is mixed, as it may be as poor as the key itself.
    #[inline(always)]
    pub(super) fn of(hash: u64) -> Self {
        Self(mix(hash))
    }

    #[inline(always)]
    fn upper(self) -> Upper {
        Upper((self.0 >> 32) as u32)
    }

    #[inline(always)]
    #[expect(clippy::cast_possible_truncation, reason = "eight bits")]
    fn tag(self) -> u8 {
        let tag = (self.0 >> 24) as u8;
        // The byte of an empty slot is nobody's.
        tag + u8::from(tag == EMPTY)
    }
}

/// The half of a [`Print`] that a slot keeps; the rest is its control byte.
#[derive(Clone, Copy, Debug)]
pub(super) struct Upper(u32);

impl Upper {
    /// The home group of `groups`: the bits are scaled to their number, so that any number will do.
    #[inline(always)]
    fn home(self, groups: usize) -> usize {
        ((u64::from(self.0) * groups as u64) >> 32) as usize
    }
}

/// What a slot has beside its key and value.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    pub(super) prev: u32,
    pub(super) next: u32,
    pub(super) upper: Upper,
    pub(super) cost: u32,
}

impl Node {
    const NONE: Self = Self { prev: 0, next: 0, upper: Upper(0), cost: 0 };
}

/// A slot. Aligned so that the usual sizes do not straddle cache lines more than they must.
#[repr(align(16))]
pub(super) struct Cell<K, V> {
    pub(super) node: Node,
    entry: MaybeUninit<(K, V)>,
}

pub(super) struct Table<K, V> {
    pub(super) tags: Box<[Tags]>,
    /// For each group, the entries whose home is this group or one before it and which lie behind it.
    pub(super) passed: Box<[u32]>,
    /// The sentinel of the recency order, which has no entry, then the slots.
    pub(super) cells: Lines<Cell<K, V>>,
    /// For each slot, whether it was read since it was last considered, for [`Policy::Mark`](super::Policy::Mark).
    pub(super) marks: Box<[bool]>,
    /// One for each slot, in nanoseconds of the clock, or none at all.
    pub(super) deadlines: Box<[u64]>,
    pub(super) held: usize,
    /// Groups that searches have looked at and entries that rebuilds have moved.
    #[cfg(test)]
    pub(super) work: std::cell::Cell<u64>,
}

/// The groups that `entries` need.
pub(super) fn groups_for(entries: usize) -> usize {
    entries.div_ceil(LOAD).clamp(1, MAX_GROUPS)
}

impl<K, V> Table<K, V> {
    pub(super) fn new(groups: usize) -> Self {
        let slots = groups * LANES;
        let mut table = Self {
            tags: vec![Tags::EMPTY; groups].into(),
            passed: vec![0; groups].into(),
            cells: Lines::new(slots + 1, || Cell { node: Node::NONE, entry: MaybeUninit::uninit() }),
            marks: vec![false; slots].into(),
            deadlines: Box::default(),
            held: 0,
            #[cfg(test)]
            work: std::cell::Cell::default(),
        };
        table.reset_order();
        table
    }

    /// Entries that fit before the table has to grow.
    #[inline]
    pub(super) fn room(&self) -> usize {
        self.tags.len() * LOAD
    }

    #[inline(always)]
    fn worked(&self, _steps: u64) {
        #[cfg(test)]
        self.work.set(self.work.get() + _steps);
    }

    /// The entry of that print whose key is `same`.
    #[inline(always)]
    pub(super) fn find(&self, print: Print, same: impl FnMut(&K) -> bool) -> Option<Slot> {
        self.find_on(native(), print, same)
    }

    /// [`find`](Self::find), comparing groups on `arm`.
    #[inline(always)]
    pub(super) fn find_on(
        &self,
        arm: impl Group,
        print: Print,
        mut same: impl FnMut(&K) -> bool,
    ) -> Option<Slot> {
        let (home, tag) = (self.home(print), print.tag());
        if let Some(slot) = self.find_in(home, tag, arm, &mut same) {
            return Some(slot);
        }
        // SAFETY: a home is less than the number of groups, each of which has its count.
        if unsafe { *self.passed.get_unchecked(home) } == 0 {
            return None;
        }
        self.find_beyond(home, tag, arm, same)
    }

    /// The entry of that control byte in one group whose key is `same`.
    #[inline(always)]
    fn find_in(
        &self,
        group: usize,
        tag: u8,
        arm: impl Group,
        same: &mut impl FnMut(&K) -> bool,
    ) -> Option<Slot> {
        self.worked(1);
        debug_assert!(group < self.tags.len());
        // SAFETY: groups come from `home` and `after`, which know how many there are.
        let mut lanes = arm.matches(unsafe { self.tags.get_unchecked(group) }, tag);
        while lanes != 0 {
            let slot = Slot::new(group, lanes.trailing_zeros());
            if same(self.key(slot)) {
                return Some(slot);
            }
            lanes &= lanes - 1;
        }
        None
    }

    /// Goes on with a search whose home group had been passed by.
    #[inline(never)]
    fn find_beyond(
        &self,
        home: usize,
        tag: u8,
        arm: impl Group,
        mut same: impl FnMut(&K) -> bool,
    ) -> Option<Slot> {
        let mut group = self.after(home);
        // Every group may have been passed by, by entries of different homes: go round once at most.
        while group != home {
            if let Some(slot) = self.find_in(group, tag, arm, &mut same) {
                return Some(slot);
            }
            if self.passed[group] == 0 {
                return None;
            }
            group = self.after(group);
        }
        None
    }

    /// Fetches the control bytes that a search for `print` starts with.
    #[inline(always)]
    pub(super) fn prefetch_tags(&self, print: Print) {
        prefetch(&self.tags[self.home(print)]);
    }

    /// Fetches the slot that a search for `print` will most likely end in.
    #[inline(always)]
    pub(super) fn prefetch_slot(&self, arm: impl Group, print: Print) {
        let (home, tag) = (self.home(print), print.tag());
        let lanes = arm.matches(&self.tags[home], tag);
        if lanes != 0 {
            let slot = Slot::new(home, lanes.trailing_zeros());
            prefetch(self.cell(slot));
        }
    }

    #[inline(always)]
    fn after(&self, group: usize) -> usize {
        if group + 1 == self.tags.len() { 0 } else { group + 1 }
    }

    #[inline(always)]
    fn home(&self, print: Print) -> usize {
        print.upper().home(self.tags.len())
    }

    /// Puts an entry that is not in the table into a free slot, as the first of the recency order.
    ///
    /// The table must have [room](Self::room).
    #[inline(always)]
    pub(super) fn place(&mut self, print: Print, cost: u32, key: K, value: V) -> Slot {
        self.place_tagged(print.upper(), print.tag(), cost, key, value)
    }

    #[inline(always)]
    fn place_tagged(&mut self, upper: Upper, tag: u8, cost: u32, key: K, value: V) -> Slot {
        assert!(self.held < self.room(), "a full table takes no entry");
        let mut group = upper.home(self.tags.len());
        let slot = loop {
            self.worked(1);
            // SAFETY: a home is less than the number of groups, and so is what follows it.
            let (tags, passed) =
                unsafe { (self.tags.get_unchecked_mut(group), self.passed.get_unchecked_mut(group)) };
            let free = native().empties(tags);
            if free != 0 {
                let slot = Slot::new(group, free.trailing_zeros());
                tags.0[slot.lane()] = tag;
                break slot;
            }
            *passed += 1;
            group = self.after(group);
        };
        self.cell_mut(slot).entry.write((key, value));
        self.held += 1;
        let node = self.node_mut(slot);
        node.upper = upper;
        node.cost = cost;
        self.link_front(slot);
        slot
    }

    /// Takes an entry out.
    #[inline(always)]
    pub(super) fn take(&mut self, slot: Slot) -> (K, V) {
        debug_assert!(self.holds(slot), "{slot:?} has an entry");
        self.unlink(slot);
        let mut group = self.node(slot).upper.home(self.tags.len());
        while group != slot.group() {
            self.passed[group] -= 1;
            group = self.after(group);
        }
        // SAFETY: a slot's group is one of the table's, and there are 32 marks for each.
        let (tags, mark) =
            unsafe { (self.tags.get_unchecked_mut(group), self.marks.get_unchecked_mut(slot.index())) };
        tags.0[slot.lane()] = EMPTY;
        *mark = false;
        if let Some(deadline) = self.deadlines.get_mut(slot.index()) {
            *deadline = NEVER;
        }
        self.held -= 1;
        // SAFETY: the slot had an entry, and its control byte now says that it has none.
        unsafe { self.cell(slot).entry.assume_init_read() }
    }

    /// Moves every entry into a new table of so many groups, keeping order, marks and deadlines. `hand` is
    /// a slot to follow: where its entry went is returned.
    pub(super) fn rebuild(&mut self, groups: usize, hand: Option<Slot>) -> Option<Slot> {
        let mut new = Self::new(groups);
        assert!(self.held <= new.room(), "a table is rebuilt for what it holds");
        if !self.deadlines.is_empty() {
            new.open_deadlines();
        }
        let mut followed = None;
        while let Some(old) = self.back() {
            self.worked(1);
            let node = *self.node(old);
            let tag = self.tags[old.group()].0[old.lane()];
            let (marked, deadline) = (self.marked(old), self.deadline(old));
            let (key, value) = self.take(old);
            let slot = new.place_tagged(node.upper, tag, node.cost, key, value);
            if marked {
                new.mark(slot);
            }
            if deadline != NEVER {
                new.deadlines[slot.index()] = deadline;
            }
            if hand == Some(old) {
                followed = Some(slot);
            }
        }
        #[cfg(test)]
        new.work.set(self.work.get() + new.work.get());
        *self = new;
        followed
    }

    #[inline(always)]
    pub(super) fn key(&self, slot: Slot) -> &K {
        &self.entry(slot).0
    }

    #[inline(always)]
    pub(super) fn value(&self, slot: Slot) -> &V {
        &self.entry(slot).1
    }

    #[inline(always)]
    pub(super) fn entry(&self, slot: Slot) -> &(K, V) {
        debug_assert!(self.holds(slot), "{slot:?} has an entry");
        // SAFETY: slots come from `find`, `place` and the recency order, which name slots of this table that
        // have an entry, and nobody keeps one beyond `take` or `rebuild`.
        unsafe { self.cell(slot).entry.assume_init_ref() }
    }

    #[inline(always)]
    pub(super) fn value_mut(&mut self, slot: Slot) -> &mut V {
        self.entry_mut(slot).1
    }

    #[inline(always)]
    pub(super) fn entry_mut(&mut self, slot: Slot) -> (&K, &mut V) {
        debug_assert!(self.holds(slot), "{slot:?} has an entry");
        // SAFETY: as in `entry`.
        let (key, value) = unsafe { self.cell_mut(slot).entry.assume_init_mut() };
        (key, value)
    }

    fn holds(&self, slot: Slot) -> bool {
        self.tags[slot.group()].0[slot.lane()] != EMPTY
    }

    #[inline(always)]
    pub(super) fn deadline(&self, slot: Slot) -> u64 {
        self.deadlines.get(slot.index()).copied().unwrap_or(NEVER)
    }

    /// Makes room for deadlines, none of which is set.
    pub(super) fn open_deadlines(&mut self) {
        if self.deadlines.is_empty() {
            self.deadlines = vec![NEVER; self.marks.len()].into();
        }
    }
}

impl<K, V> Drop for Table<K, V> {
    fn drop(&mut self) {
        if std::mem::needs_drop::<(K, V)>() {
            while let Some(slot) = self.back() {
                drop(self.take(slot));
            }
        }
    }
}

impl<K, V> std::fmt::Debug for Table<K, V> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Table").field("groups", &self.tags.len()).field("held", &self.held).finish()
    }
}
