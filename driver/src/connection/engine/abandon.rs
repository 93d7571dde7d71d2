//! Operations whose callers have gone, and cancel requests for them.

use std::sync::Arc;

use super::{Engine, State, Token, wake_all};
use crate::error::{Error, ErrorKind};
use crate::net::Cancelled;
use crate::proto::limits::{CANCEL_AGAIN, CANCEL_DEADLINE};
use crate::proto::op::OpKey;
use crate::proto::pipeline::Wakers;

impl Engine {
    /// The caller of an operation, or of all of a group's, has gone.
    pub(crate) fn abandon(self: &Arc<Self>, keys: &[OpKey]) {
        let Some(&last) = keys.last() else { return };
        let mut state = self.state();
        let wakers: Wakers = keys.iter().filter_map(|&key| state.pipeline.take_waker(key)).collect();
        let (wake, cancelling) = if state.pipeline.withdraw_all(keys) {
            (state.release(last), None)
        } else {
            let mut to_come = false;
            for &key in keys {
                to_come |= state.pipeline.detach(key);
            }
            let work_left = state.token == Token::Caller(last) || state.pipeline.has_output();
            let wake = if to_come && work_left { state.give_to_resident() } else { None };
            (wake, self.start_cancel(&mut state, last))
        };
        drop(state);
        wake_all(wake);
        drop(wakers);
        if let Some((cancelling, key)) = cancelling {
            cancelling.start(key);
        }
    }

    /// Cancels what could not be cancelled when its caller went, and now can: all else has been answered.
    pub(super) fn cancel_left_behind(self: &Arc<Self>) {
        let mut state = self.state();
        let left = state.pipeline.left_behind();
        let cancelling = left.and_then(|key| self.start_cancel(&mut state, key));
        drop(state);
        if let Some((cancelling, key)) = cancelling {
            cancelling.start(key);
        }
    }

    /// A cancel request for an operation, where it may be made and can hit no other.
    pub(super) fn start_cancel(
        self: &Arc<Self>,
        state: &mut State,
        key: OpKey,
    ) -> Option<(Cancelling, OpKey)> {
        let cancel = self.cancel.as_ref().filter(|_| self.cancel_on_drop);
        let key = cancel.and_then(|_| state.pipeline.start_cancel(key))?;
        Some((Cancelling(Some(Arc::clone(self))), key))
    }

    /// A cancel request for an abandoned statement has been dealt with.
    fn cancelled(&self, sent: Cancelled) {
        if sent == Cancelled::Unconfirmed {
            // It may still arrive, and hit whatever is running then.
            return self
                .fail(Error::new(ErrorKind::Closed, "a cancel request was not confirmed by the server"));
        }
        let mut state = self.state();
        state.pipeline.cancel_ended();
        let wake = if state.pipeline.has_output() { state.give_to_resident() } else { None };
        drop(state);
        wake_all(wake);
    }
}

/// A cancel request that is being made. Nothing is sent on the connection before it has ended, so it ends
/// even if its task is dropped, or panics for want of a clock.
pub(super) struct Cancelling(Option<Arc<Engine>>);

impl Cancelling {
    /// Makes the request, in a task of its own, and again for as long as the statement goes on.
    pub(super) fn start(self, key: OpKey) {
        let Some(engine) = self.0.clone() else { return };
        let Some(cancel) = engine.cancel.clone() else { return };
        let runtime = engine.runtime.clone();
        runtime.spawn(async move {
            let mut cancelling = self;
            let mut pause = CANCEL_AGAIN;
            loop {
                cancelling.end(cancel.send().await);
                tokio::time::sleep(pause).await;
                if !engine.look(|p| p.cancel_again(key)) {
                    return;
                }
                cancelling = Self(Some(Arc::clone(&engine)));
                pause = (pause * 2).min(CANCEL_DEADLINE);
            }
        });
    }

    fn end(mut self, sent: Cancelled) {
        if let Some(engine) = self.0.take() {
            engine.cancelled(sent);
        }
    }
}

impl Drop for Cancelling {
    fn drop(&mut self) {
        if let Some(engine) = self.0.take() {
            engine.cancelled(Cancelled::Unconfirmed);
        }
    }
}
