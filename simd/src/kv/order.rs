//! The recency order: a ring of links through the nodes, most recent first, closed by a sentinel.

use super::table::{Slot, Table};

impl<K, V> Table<K, V> {
    /// The sentinel's number, one past the slots.
    #[inline(always)]
    fn sentinel(&self) -> u32 {
        #[expect(clippy::cast_possible_truncation, reason = "MAX_GROUPS * LANES fits 32 bits")]
        let number = (self.nodes.len() - 1) as u32;
        number
    }

    /// Makes the order empty.
    pub(super) fn reset_order(&mut self) {
        let sentinel = self.sentinel();
        let node = &mut self.nodes[sentinel as usize];
        node.prev = sentinel;
        node.next = sentinel;
    }

    #[inline(always)]
    fn not_sentinel(&self, number: u32) -> Option<Slot> {
        (number != self.sentinel()).then_some(Slot(number))
    }

    /// The most recent entry.
    #[inline]
    pub(super) fn front(&self) -> Option<Slot> {
        self.not_sentinel(self.nodes[self.sentinel() as usize].next)
    }

    /// The least recent entry.
    #[inline]
    pub(super) fn back(&self) -> Option<Slot> {
        self.not_sentinel(self.nodes[self.sentinel() as usize].prev)
    }

    /// The next less recent entry.
    #[inline]
    pub(super) fn older(&self, slot: Slot) -> Option<Slot> {
        self.not_sentinel(self.nodes[slot.index()].next)
    }

    /// The next more recent entry.
    #[inline]
    pub(super) fn newer(&self, slot: Slot) -> Option<Slot> {
        self.not_sentinel(self.nodes[slot.index()].prev)
    }

    #[inline(always)]
    pub(super) fn link_front(&mut self, slot: Slot) {
        let sentinel = self.sentinel();
        // SAFETY: every link of the ring is the number of a slot or of the sentinel, all of which have a
        // node: links are only made here, from slots of this table and from links.
        unsafe {
            let front = self.nodes.get_unchecked(sentinel as usize).next;
            let node = self.nodes.get_unchecked_mut(slot.index());
            node.prev = sentinel;
            node.next = front;
            self.nodes.get_unchecked_mut(front as usize).prev = slot.0;
            self.nodes.get_unchecked_mut(sentinel as usize).next = slot.0;
        }
    }

    #[inline(always)]
    pub(super) fn unlink(&mut self, slot: Slot) {
        // SAFETY: as in `link_front`.
        unsafe {
            let node = *self.nodes.get_unchecked(slot.index());
            self.nodes.get_unchecked_mut(node.prev as usize).next = node.next;
            self.nodes.get_unchecked_mut(node.next as usize).prev = node.prev;
        }
    }

    #[inline(always)]
    pub(super) fn move_front(&mut self, slot: Slot) {
        self.unlink(slot);
        self.link_front(slot);
    }

    #[inline(always)]
    pub(super) fn mark(&mut self, slot: Slot) {
        let bit = 1 << slot.lane();
        // SAFETY: a slot's group is one of the table's.
        unsafe { self.groups.get_unchecked_mut(slot.group()) }.marks |= bit;
    }

    #[inline]
    pub(super) fn unmark(&mut self, slot: Slot) {
        self.groups[slot.group()].marks &= !(1 << slot.lane());
    }

    #[inline]
    pub(super) fn marked(&self, slot: Slot) -> bool {
        self.groups[slot.group()].marks & 1 << slot.lane() != 0
    }
}
