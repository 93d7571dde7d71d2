//! The recency order: a ring of links through the nodes, most recent first, closed by a sentinel.

use super::table::{Node, Slot, Table};

/// The sentinel's number; that of a slot's node is one more than the slot's.
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
        let sentinel = &mut self.nodes[SENTINEL as usize];
        sentinel.prev = SENTINEL;
        sentinel.next = SENTINEL;
    }

    #[inline(always)]
    pub(super) fn node(&self, slot: Slot) -> &Node {
        self.numbered(slot.number())
    }

    #[inline(always)]
    pub(super) fn node_mut(&mut self, slot: Slot) -> &mut Node {
        self.numbered_mut(slot.number())
    }

    #[inline(always)]
    fn numbered(&self, number: u32) -> &Node {
        debug_assert!((number as usize) < self.nodes.len());
        // SAFETY: numbers are the sentinel's, a slot's, or a link, which was one of these when it was made.
        unsafe { self.nodes.get_unchecked(number as usize) }
    }

    #[inline(always)]
    fn numbered_mut(&mut self, number: u32) -> &mut Node {
        debug_assert!((number as usize) < self.nodes.len());
        // SAFETY: as in `numbered`.
        unsafe { self.nodes.get_unchecked_mut(number as usize) }
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
