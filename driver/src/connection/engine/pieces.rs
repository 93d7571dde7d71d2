//! Results that are taken piece by piece, and COPY data that is fed so.

use std::task::{Context, Poll};

use super::{Engine, wake_all};
use crate::proto::op::{OpKey, Piece};
use crate::proto::pipeline::Asked;

impl Engine {
    /// Takes the next piece of a result.
    pub(crate) fn poll_piece(&self, key: OpKey, cx: &mut Context<'_>) -> Poll<Piece> {
        let mut displaced = None;
        let mut state = self.state();
        let paused = state.pipeline.is_paused();
        let piece = state.pipeline.poll_piece(key, cx.waker(), &mut displaced);
        let wake = if paused && !state.pipeline.is_paused() { state.give_to_resident() } else { None };
        drop(state);
        wake_all(wake);
        piece.map_or(Poll::Pending, Poll::Ready)
    }

    /// Ready when the server has asked for the data of a COPY, or has ended it.
    pub(crate) fn poll_asked(&self, key: OpKey, cx: &mut Context<'_>) -> Poll<Asked> {
        let mut displaced = None;
        let asked = self.state().pipeline.poll_asked(key, cx.waker(), &mut displaced);
        asked.map_or(Poll::Pending, Poll::Ready)
    }

    /// Ready when COPY data that is sent would not pile up.
    pub(crate) fn poll_room(&self, cx: &mut Context<'_>) -> Poll<()> {
        let mut state = self.state();
        if state.pipeline.has_room() || state.pipeline.broken().is_some() {
            return Poll::Ready(());
        }
        if !state.senders.iter().any(|waker| waker.will_wake(cx.waker())) {
            state.senders.push(cx.waker().clone());
        }
        Poll::Pending
    }

    /// See [`Pipeline::stalled`].
    pub(crate) fn stalled(&self) -> Option<u64> {
        let mut state = self.state();
        let closing = state.closing;
        state.pipeline.stalled(closing)
    }

    /// See [`Pipeline::cut_stalled`]. The resident task calls it, and goes on.
    pub(crate) fn cut_stalled(&self) {
        let mut state = self.state();
        let closing = state.closing;
        state.pipeline.cut_stalled(closing);
    }
}
