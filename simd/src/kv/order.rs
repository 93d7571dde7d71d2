//! The recency order: a ring of links through the slots, most recent first, closed by a sentinel.

use super::table::{Cell, Node, Slot, Table};

/// The sentinel's number; that of a slot is one more than the slot's.
const SENTINEL: u32 = 0;

impl Slot {
    #[inline(always)]
    fn number(self) -> u32 {
        self.0 + 1
    }

    #[inline(always)]
    fn of_number(number: u32) -> Option<Self> {
        number.checked_sub(1).map(Self)
    }
}

impl<K, V> Table<K, V> {
    /// Makes the order empty.
    pub(super) fn reset_order(&mut self) {
        let sentinel = self.numbered_mut(SENTINEL);
        sentinel.prev = SENTINEL;
        sentinel.next = SENTINEL;
    }

    #[inline(always)]
    pub(super) fn cell(&self, slot: Slot) -> &Cell<K, V> {
        self.numbered_cell(slot.number())
    }

    #[inline(always)]
    pub(super) fn cell_mut(&mut self, slot: Slot) -> &mut Cell<K, V> {
        self.numbered_cell_mut(slot.number())
    }

    #[inline(always)]
    pub(super) fn node(&self, slot: Slot) -> &Node {
        &self.cell(slot).node
    }

    #[inline(always)]
    pub(super) fn node_mut(&mut self, slot: Slot) -> &mut Node {
        &mut self.cell_mut(slot).node
    }

    #[inline(always)]
    fn numbered(&self, number: u32) -> &Node {
        &self.numbered_cell(number).node
    }

    #[inline(always)]
    fn numbered_mut(&mut self, number: u32) -> &mut Node {
        &mut self.numbered_cell_mut(number).node
    }

    #[inline(always)]
    fn numbered_cell(&self, number: u32) -> &Cell<K, V> {
        debug_assert!((number as usize) < self.cells.len());
        // SAFETY: numbers are the sentinel's, a slot's, or a link, which was one of these when it was made.
        unsafe { self.cells.get_unchecked(number as usize) }
    }

    #[inline(always)]
    fn numbered_cell_mut(&mut self, number: u32) -> &mut Cell<K, V> {
        debug_assert!((number as usize) < self.cells.len());
        // SAFETY: as in `numbered_cell`.
        unsafe { self.cells.get_unchecked_mut(number as usize) }
    }

    /// The most recent entry.
    #[inline]
    pub(super) fn front(&self) -> Option<Slot> {
        Slot::of_number(self.numbered(SENTINEL).next)
    }

    /// The least recent entry.
    #[inline]
    pub(super) fn back(&self) -> Option<Slot> {
        Slot::of_number(self.numbered(SENTINEL).prev)
    }

    /// The next less recent entry.
    #[inline]
    pub(super) fn older(&self, slot: Slot) -> Option<Slot> {
        Slot::of_number(self.node(slot).next)
    }

    /// The next more recent entry.
    #[inline]
    pub(super) fn newer(&self, slot: Slot) -> Option<Slot> {
        Slot::of_number(self.node(slot).prev)
    }

    #[inline(always)]
    pub(super) fn link_front(&mut self, slot: Slot) {
        let front = self.numbered(SENTINEL).next;
        let node = self.node_mut(slot);
        node.prev = SENTINEL;
        node.next = front;
        self.numbered_mut(front).prev = slot.number();
        self.numbered_mut(SENTINEL).next = slot.number();
    }

    #[inline(always)]
    pub(super) fn unlink(&mut self, slot: Slot) {
        let Node { prev, next, .. } = *self.node(slot);
        self.numbered_mut(prev).next = next;
        self.numbered_mut(next).prev = prev;
    }

    #[inline(always)]
    pub(super) fn move_front(&mut self, slot: Slot) {
        self.unlink(slot);
        self.link_front(slot);
    }

    #[inline(always)]
    pub(super) fn mark(&mut self, slot: Slot) {
        // SAFETY: there are as many marks as slots.
        unsafe { *self.marks.get_unchecked_mut(slot.index()) = true };
    }

    #[inline]
    pub(super) fn unmark(&mut self, slot: Slot) {
        self.marks[slot.index()] = false;
    }

    #[inline]
    pub(super) fn marked(&self, slot: Slot) -> bool {
        self.marks[slot.index()]
    }
}
