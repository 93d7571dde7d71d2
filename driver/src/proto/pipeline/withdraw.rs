//! Operations that are taken back before they are sent.

use std::sync::Arc;

use wreath_codecs::frame::frontend;

use super::Pipeline;
use super::submit::SYNC_BYTES;
use crate::proto::op::{Op, OpKey, Unsent};

impl Pipeline {
    /// Takes operations back, as if they had never been submitted, if none of them has been sent and nothing needs
    /// what they were to prepare. They are one, or a group from its beginning to its end, and wake nobody. Answers
    /// whether that was possible.
    pub(crate) fn withdraw_all(&mut self, keys: &[OpKey]) -> bool {
        let possible = keys.iter().all(|&key| self.is_unsent(key)) && !self.is_needed(keys);
        if possible {
            for &key in keys.iter().rev() {
                self.withdraw(key);
            }
        }
        possible
    }

    fn is_unsent(&mut self, key: OpKey) -> bool {
        // What holds others back has been sent, or is about to be.
        if self.gate.as_ref().is_some_and(|gate| gate.key == key) {
            return false;
        }
        let round = self.round;
        let Some(op) = self.slots.waiting(key) else { return false };
        let waits = match &op.unsent {
            Some(Unsent::Out { round: of, .. }) => *of == round,
            Some(Unsent::Held) => true,
            None => false,
        };
        // What begins or ends a transaction goes out whatever becomes of its caller.
        waits && op.cancellable
    }

    /// Whether one behind them runs a statement that they prepare.
    fn is_needed(&mut self, keys: &[OpKey]) -> bool {
        let end = keys.last().and_then(|last| self.queue.iter().rposition(|key| key == last));
        let Some(end) = end else { return true };
        for &key in keys {
            let Some(parsed) = self.slots.waiting(key).and_then(|op| op.work.parsed().cloned()) else {
                continue;
            };
            let mut behind = self.queue.iter().skip(end + 1);
            if behind.any(|&key| {
                let op = self.slots.waiting(key);
                op.and_then(|op| op.work.statement()).is_some_and(|s| Arc::ptr_eq(s, &parsed))
            }) {
                return true;
            }
        }
        false
    }

    /// Takes an operation back that has not been sent; `false` where there is none.
    pub(super) fn withdraw(&mut self, key: OpKey) -> bool {
        let Some(index) = self.queue.iter().rposition(|&k| k == key) else { return false };
        let Some(op) = self.slots.remove(key) else { return false };
        self.queue.remove(index);
        let before = index.checked_sub(1).map(|i| self.queue[i]);
        // The one before it ends their group from now on.
        let heir = before.filter(|&key| op.last && self.slots.waiting(key).is_some_and(|op| !op.last));
        if let Some(heir) = heir.and_then(|key| self.slots.waiting(key)) {
            heir.last = true;
        }
        match &op.unsent {
            Some(Unsent::Out { at, .. }) => {
                let sync = if heir.is_some() { SYNC_BYTES } else { 0 };
                self.cut_output(at.start, at.end - sync, index);
                if let Some(Unsent::Out { at, .. }) =
                    heir.and_then(|key| self.slots.waiting(key)?.unsent.as_mut())
                {
                    at.end += sync;
                }
            }
            Some(Unsent::Held) => self.cut_held(key, heir),
            None => {}
        }
        self.forget_unsent(op);
        true
    }

    /// Removes a part of the output, in front of the operations from `index` on.
    fn cut_output(&mut self, start: usize, end: usize, index: usize) {
        self.out.copy_within(end.., start);
        self.out.truncate(self.out.len() - (end - start));
        for &key in self.queue.iter().skip(index) {
            if let Some(Unsent::Out { at, .. }) = self.slots.waiting(key).and_then(|op| op.unsent.as_mut()) {
                at.start -= end - start;
                at.end -= end - start;
            }
        }
    }

    /// Removes what is held back for an operation; `heir` gets its Sync.
    fn cut_held(&mut self, key: OpKey, heir: Option<OpKey>) {
        let Some(index) = self.held.iter().rposition(|held| held.key == key) else { return };
        self.held_bytes -= self.held.remove(index).map_or(0, |held| held.frames.len());
        if let Some(held) = self.held.iter_mut().rfind(|held| Some(held.key) == heir) {
            frontend::sync(&mut held.frames);
            self.held_bytes += SYNC_BYTES;
        }
    }

    /// What was to be closed is closed later, and what was to be prepared is not.
    fn forget_unsent(&mut self, op: Op) {
        if let Some(statement) = op.work.parsed() {
            self.statements.forget(statement, false);
        }
        self.statements.close_later(op.closes);
    }
}
