//! Who moves the bytes: one IO token a connection.
//!
//! The token owns the socket in both directions. A caller holds it while its operation is the only one in
//! flight, so that a lone query costs no switch of tasks. As soon as there is anything that must go on
//! without that caller (a second operation, a dropped future, a write that the socket does not take at once)
//! the resident task gets the token, by one wake. So no caller waits for another caller to be polled.
//!
//! Invariants:
//! * Only the holder of the token touches `io`; its mutex is there for the moment of a hand-over. Whoever has
//!   locked it asks again whether the token is still its own: the socket knows one waker a direction, and one
//!   that comes late would take the place of the holder's.
//! * The resident task takes the token whenever it is polled. Nothing wakes it but a hand-over and the socket
//!   of a connection that nobody drives.
//! * A caller that drives leaves its waker in its own slot too: after a hand-over the resident task finds it.
//! * Wakers are woken and dropped outside of both locks, since either may run code of the caller's; system
//!   calls are made outside of the state's lock.
//! * Whenever the token is free, the resident task is what the socket wakes: an idle connection notices its
//!   end.

mod abandon;
mod pieces;
#[cfg(test)]
mod tests;

use std::future::Future;
use std::pin::{Pin, pin};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker, ready};

use bytes::{Buf, BytesMut};
use tokio::io::{AsyncReadExt, AsyncWrite};
use tokio::runtime::Handle;

use crate::catalog::Catalog;
use crate::connection::stats::Counters;
use crate::error::{Error, ErrorKind, Result};
use crate::net::{CancelToken, Stream};
use crate::observe::Observer;
use crate::proto::limits::{READ_KEEP, READ_MAX, READ_MIN, WRITE_KEEP};
use crate::proto::op::{OpKey, Outcome};
use crate::proto::pipeline::{Pipeline, Wakers};

/// A connection, as its handles and its resident task share it.
#[derive(Debug)]
pub(crate) struct Engine {
    state: Mutex<State>,
    io: Mutex<Io>,
    pub(crate) counters: Counters,
    pub(crate) catalog: Arc<Catalog>,
    /// What cancels the statement that is running; `None` where the server gave no key for it.
    pub(crate) cancel: Option<CancelToken>,
    /// Whether a statement is cancelled when nobody waits for it any more.
    cancel_on_drop: bool,
    pub(crate) observer: Observer,
    /// What the socket and the resident task live on.
    pub(crate) runtime: Handle,
    /// Held by whoever asks the database for types.
    pub(crate) asking: tokio::sync::Mutex<()>,
}

#[derive(Debug)]
pub(crate) struct State {
    pub(crate) pipeline: Pipeline,
    token: Token,
    /// The resident task, and whether it has been woken and has not run yet.
    resident: Option<Waker>,
    resident_woken: bool,
    /// Whether the last handle is gone.
    closing: bool,
    /// Who waits for the connection to end.
    mourners: Vec<Waker>,
    /// Who waits for room to send COPY data.
    senders: Vec<Waker>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Token {
    Free,
    Caller(OpKey),
    Resident,
}

/// What only the holder of the token touches.
#[derive(Debug)]
struct Io {
    stream: Stream,
    reading: BytesMut,
    read_size: usize,
    writing: BytesMut,
    /// Whether the stream may hold back a part of what it took.
    unflushed: bool,
    /// Whether something has been written since something was read: one flight.
    flying: bool,
    /// Whether the server takes nothing any more.
    deaf: bool,
}

/// What an engine is given beside its socket.
pub(crate) struct Setup {
    pub(crate) catalog: Arc<Catalog>,
    pub(crate) cancel: Option<CancelToken>,
    pub(crate) cancel_on_drop: bool,
    pub(crate) observer: Observer,
}

/// Why driving stopped.
enum Stopped {
    /// The socket has nothing more for now.
    Pending,
    /// The socket does not take what is to be written, or something else needs the resident task.
    HandOver,
    /// The operation that was driven for has its result, or nothing is in flight.
    Done,
}

impl Engine {
    /// An engine for an established session; its background work is done on the current runtime.
    ///
    /// # Panics
    /// Outside of a runtime.
    pub(crate) fn new(stream: Stream, mut leftover: BytesMut, mut pipeline: Pipeline, setup: Setup) -> Self {
        // What the server said right behind its greeting is about the session, and no answer to what follows.
        if let Err(e) = pipeline.handle_input(&mut leftover, &mut Wakers::new()) {
            pipeline.fail(e, &mut Wakers::new());
        }
        Self {
            state: Mutex::new(State {
                pipeline,
                token: Token::Free,
                resident: None,
                resident_woken: false,
                closing: false,
                mourners: Vec::new(),
                senders: Vec::new(),
            }),
            io: Mutex::new(Io {
                stream,
                reading: leftover,
                read_size: READ_MIN,
                writing: BytesMut::new(),
                unflushed: false,
                flying: false,
                deaf: false,
            }),
            counters: Counters::default(),
            catalog: setup.catalog,
            cancel: setup.cancel,
            cancel_on_drop: setup.cancel_on_drop,
            observer: setup.observer,
            runtime: Handle::current(),
            asking: tokio::sync::Mutex::default(),
        }
    }

    /// Nothing that can panic runs under the lock but our own code, whose invariants hold at every step: a
    /// poisoned lock is as good as another.
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn io(&self) -> MutexGuard<'_, Io> {
        self.io.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Reads the pipeline.
    pub(crate) fn look<T>(&self, look: impl FnOnce(&mut Pipeline) -> T) -> T {
        look(&mut self.state().pipeline)
    }

    /// Submits an operation, or a group of them, whose key, or whose last one's, `key` picks out of what `submit` answers.
    pub(crate) fn submit<T>(
        &self,
        submit: impl FnOnce(&mut Pipeline) -> Result<T>,
        key: impl FnOnce(&T) -> OpKey,
    ) -> Result<T> {
        self.submit_some(submit, |submitted| Some(key(submitted)))
    }

    /// The same, where there may be nothing to submit.
    pub(crate) fn submit_some<T>(
        &self,
        submit: impl FnOnce(&mut Pipeline) -> Result<T>,
        key: impl FnOnce(&T) -> Option<OpKey>,
    ) -> Result<T> {
        let mut state = self.state();
        if state.closing && state.pipeline.broken().is_none() {
            return Err(closing());
        }
        let is_alone = state.pipeline.in_flight() == 0;
        let submitted = submit(&mut state.pipeline);
        let wake = match submitted.as_ref().map(key) {
            // Nobody waits for what may have gone ahead of it.
            Ok(Some(key)) if state.token == Token::Free && is_alone => {
                state.token = Token::Caller(key);
                None
            }
            Ok(Some(_)) => state.give_to_resident(),
            Ok(None) | Err(_) => state.send_what_is_there(),
        };
        drop(state);
        wake_all(wake);
        submitted
    }

    /// Submits an operation, or more for one, that the resident task drives, whoever waits for it.
    pub(crate) fn submit_resident<T>(&self, submit: impl FnOnce(&mut Pipeline) -> Result<T>) -> Result<T> {
        let mut state = self.state();
        if state.closing && state.pipeline.broken().is_none() {
            return Err(closing());
        }
        let submitted = submit(&mut state.pipeline);
        let wake = if submitted.is_ok() { state.give_to_resident() } else { state.send_what_is_there() };
        drop(state);
        wake_all(wake);
        submitted
    }

    /// Submits operations whose results nobody waits for.
    pub(crate) fn submit_detached(&self, submit: impl FnOnce(&mut Pipeline) -> Option<OpKey>) {
        let mut state = self.state();
        let Some(key) = submit(&mut state.pipeline) else { return };
        state.pipeline.detach(key);
        let wake = state.give_to_resident();
        drop(state);
        wake_all(wake);
    }

    /// The caller of an operation is polled.
    pub(crate) fn poll_op(self: &Arc<Self>, key: OpKey, cx: &mut Context<'_>) -> Poll<Outcome> {
        // Dropped last: a waker may be all that keeps a task alive, and the task may use this connection.
        let (mut displaced, mut displaced_later) = (None, None);
        {
            let mut state = self.state();
            if let Some(outcome) = state.pipeline.poll_op(key, cx.waker(), &mut displaced) {
                // Another's driving brought the result, or the connection broke.
                return Poll::Ready(outcome);
            }
            if state.token != Token::Caller(key) {
                return Poll::Pending;
            }
        }
        let stopped = self.drive(cx, Some(key));
        let mut state = self.state();
        let outcome = state.pipeline.poll_op(key, cx.waker(), &mut displaced_later);
        let wake = match (stopped, &outcome) {
            (_, Some(_)) => state.release(key),
            (Stopped::HandOver, None) if state.token == Token::Caller(key) => state.give_to_resident(),
            (_, None) => None,
        };
        drop(state);
        wake_all(wake);
        outcome.map_or(Poll::Pending, Poll::Ready)
    }

    /// The outcomes of operations that have all ended.
    pub(crate) fn take_outcomes(&self, keys: &[OpKey]) -> Vec<Outcome> {
        let mut state = self.state();
        let mut displaced = None;
        let take = |&key| state.pipeline.poll_op(key, Waker::noop(), &mut displaced);
        let outcomes: Vec<Outcome> = keys.iter().filter_map(take).collect();
        debug_assert_eq!(outcomes.len(), keys.len(), "a group ends as a whole");
        outcomes
    }

    /// The last handle has gone: what is in flight ends, then the session does.
    pub(crate) fn close(&self) {
        let mut state = self.state();
        state.closing = true;
        state.pipeline.end_both();
        let wake = state.give_to_resident();
        drop(state);
        wake_all(wake);
    }

    /// The runtime drops the resident task: nobody will move a byte any more.
    pub(crate) fn orphaned(&self) {
        self.fail(Error::new(ErrorKind::Closed, "the runtime that the connection lived on has gone"));
        self.io().stream = Stream::Closed;
    }

    /// The connection ends here, for all who wait.
    pub(crate) fn fail(&self, cause: Error) {
        let mut wake = Wakers::new();
        let mut state = self.state();
        state.pipeline.fail(cause, &mut wake);
        state.token = Token::Free;
        wake.extend(state.wake_resident());
        wake.extend(state.mourners.drain(..));
        wake.extend(state.senders.drain(..));
        let notifications = state.pipeline.session.notification_queue();
        drop(state);
        wake_all(wake);
        if let Some(notifications) = notifications {
            notifications.close();
        }
    }

    /// Ready when the connection has ended.
    pub(crate) fn poll_closed(&self, cx: &mut Context<'_>) -> Poll<()> {
        let mut state = self.state();
        if state.pipeline.broken().is_some() {
            return Poll::Ready(());
        }
        if !state.mourners.iter().any(|waker| waker.will_wake(cx.waker())) {
            state.mourners.push(cx.waker().clone());
        }
        Poll::Pending
    }

    /// The resident task is polled; ready when the connection has ended.
    pub(crate) fn poll_resident(self: &Arc<Self>, cx: &mut Context<'_>) -> Poll<()> {
        {
            let mut state = self.state();
            state.resident_woken = false;
            if state.resident.as_ref().is_none_or(|w| !w.will_wake(cx.waker())) {
                state.resident = Some(cx.waker().clone());
            }
            state.token = Token::Resident;
            if state.pipeline.broken().is_some() {
                // What is left to be written has been reported as lost.
                drop(state);
                self.io().stream = Stream::Closed;
                return Poll::Ready(());
            }
        }
        self.drive(cx, None);
        let mut state = self.state();
        if state.pipeline.broken().is_some() {
            drop(state);
            self.io().stream = Stream::Closed;
            return Poll::Ready(());
        }
        if state.token != Token::Resident || state.pipeline.in_flight() > 0 || state.pipeline.has_output() {
            return Poll::Pending;
        }
        if !state.closing {
            state.token = Token::Free;
            return Poll::Pending;
        }
        drop(state);
        self.poll_terminate(cx)
    }

    /// Says good-bye. A server that does not take it at once learns from the socket's end.
    fn poll_terminate(&self, cx: &mut Context<'_>) -> Poll<()> {
        let mut io = self.io();
        let mut terminate = BytesMut::new();
        wreath_codecs::frame::frontend::terminate(&mut terminate);
        let _ = Pin::new(&mut io.stream).poll_write(cx, &terminate);
        let _ = Pin::new(&mut io.stream).poll_shutdown(cx);
        io.stream = Stream::Closed;
        drop(io);
        self.fail(Error::new(ErrorKind::Closed, "the connection was closed by its owner"));
        Poll::Ready(())
    }

    /// Writes and reads until there is nothing to do, or until the operation of the caller that holds the
    /// token (`None`: the resident task) has its result.
    fn drive(self: &Arc<Self>, cx: &mut Context<'_>, caller: Option<OpKey>) -> Stopped {
        loop {
            let mut wake = Wakers::new();
            let step = self.step(cx, caller, &mut wake);
            wake_all(wake);
            match step {
                Ok(None) => {}
                Ok(Some(stopped)) => return stopped,
                Err(e) => {
                    self.fail(e);
                    return Stopped::Done;
                }
            }
        }
    }

    /// Writes what there is and reads once; `None` when there may be more to do.
    fn step(
        self: &Arc<Self>,
        cx: &mut Context<'_>,
        caller: Option<OpKey>,
        wake: &mut Wakers,
    ) -> Result<Option<Stopped>> {
        let mut io = self.io();
        // Until there is nothing left: what is submitted while the socket is full is not forgotten when it has room.
        loop {
            if !self.take_output(&mut io, caller, wake) {
                return Ok(Some(Stopped::HandOver));
            }
            if io.writing.is_empty() && !io.unflushed {
                break;
            }
            match self.poll_write(&mut io, cx) {
                Poll::Ready(Ok(())) => {}
                // What the server said before it closed tells more than a broken pipe: read up to the end.
                Poll::Ready(Err(_)) => io.deaf = true,
                Poll::Pending if caller.is_some() => return Ok(Some(Stopped::HandOver)),
                Poll::Pending => break,
            }
        }
        if caller.is_none() {
            if self.state().pipeline.is_paused() {
                return Ok(Some(Stopped::Pending));
            }
            self.cancel_left_behind();
        }
        match self.poll_read(&mut io, cx, caller, wake) {
            Poll::Ready(Ok(true)) => Ok(None),
            Poll::Ready(Ok(false)) => {
                // While the token is still held: afterwards another caller may have asked to be woken.
                if caller.is_some() {
                    self.watch(&io);
                }
                Ok(Some(Stopped::Done))
            }
            Poll::Ready(Err(e)) => Err(e),
            Poll::Pending => Ok(Some(Stopped::Pending)),
        }
    }

    /// From now on the socket wakes the resident task.
    fn watch(&self, io: &Io) {
        let resident = self.state().resident.clone();
        if let Some(resident) = resident
            && io.stream.poll_read_ready(&mut Context::from_waker(&resident)).is_ready()
        {
            resident.wake();
        }
    }

    /// Takes what is to be written next; `false` when the token has gone to somebody else.
    fn take_output(&self, io: &mut Io, caller: Option<OpKey>, wake: &mut Wakers) -> bool {
        let mut state = self.state();
        if state.token != holder(caller) {
            return false;
        }
        if io.writing.is_empty() {
            if io.writing.capacity() > WRITE_KEEP {
                io.writing = BytesMut::new();
            }
            state.pipeline.take_output(&mut io.writing);
            wake.extend(state.senders.drain(..));
        }
        true
    }

    /// Writes all of what has been taken, and whatever the stream holds back of it.
    fn poll_write(&self, io: &mut Io, cx: &mut Context<'_>) -> Poll<std::io::Result<()>> {
        if io.deaf {
            io.writing.clear();
            io.unflushed = false;
        }
        while !io.writing.is_empty() {
            let written = ready!(Pin::new(&mut io.stream).poll_write(cx, &io.writing))?;
            if written == 0 {
                return Poll::Ready(Err(std::io::ErrorKind::WriteZero.into()));
            }
            io.writing.advance(written);
            io.unflushed = true;
            self.counters.wrote(written, !io.flying);
            io.flying = true;
        }
        if io.unflushed {
            ready!(Pin::new(&mut io.stream).poll_flush(cx))?;
            io.unflushed = false;
        }
        Poll::Ready(Ok(()))
    }

    /// Reads once and hands over what has come. `false`: nothing more to read for now, because the caller's
    /// result is there or the token is someone else's.
    fn poll_read(
        self: &Arc<Self>,
        io: &mut Io,
        cx: &mut Context<'_>,
        caller: Option<OpKey>,
        wake: &mut Wakers,
    ) -> Poll<Result<bool>> {
        let room = io.reading.capacity() - io.reading.len();
        if room < io.read_size / 2 {
            io.reading.reserve(io.read_size);
        }
        let room = io.reading.capacity() - io.reading.len();
        // Through `poll_read`, which forgets the socket's readiness after a short read: that saves the system
        // call that would otherwise find nothing. Dropping the future loses nothing.
        let read = match ready!(pin!(io.stream.read_buf(&mut io.reading)).poll(cx)) {
            Ok(0) => {
                return Poll::Ready(Err(Error::new(ErrorKind::Closed, "the server closed the connection")));
            }
            Ok(read) => read,
            Err(e) => return Poll::Ready(Err(lost(&e))),
        };
        self.counters.read(read);
        io.flying = false;
        io.read_size = if read == room { (io.read_size * 2).min(READ_MAX) } else { io.read_size };
        let mut state = self.state();
        let handled = state.pipeline.handle_input(&mut io.reading, wake);
        if state.pipeline.in_flight() == 0 {
            io.read_size = READ_MIN;
            if io.reading.is_empty() && io.reading.capacity() > READ_KEEP {
                io.reading = BytesMut::new();
            }
        }
        let done = caller.is_some_and(|key| !state.pipeline.is_waiting(key));
        let go_on = !done && state.token == holder(caller);
        let delivery = state.pipeline.session.take_arrived();
        let overflown = state.pipeline.take_overflown();
        let cancelling = overflown.and_then(|key| self.start_cancel(&mut state, key));
        drop(state);
        if let Some((cancelling, key)) = cancelling {
            cancelling.start(key);
        }
        if done && let Some(own) = wake.iter().position(|waker| waker.will_wake(cx.waker())) {
            // The caller is here and need not be woken; an operation of the same task has a waker of its own.
            wake.swap_remove(own);
        }
        // Under the socket's lock, so that notifications stay in order.
        delivery.deliver();
        Poll::Ready(handled.map(|()| go_on))
    }
}

#[cold]
fn closing() -> Error {
    Error::new(ErrorKind::Closed, "the connection is being closed by its owner")
}

/// The token as a caller (`None`: the resident task) holds it.
fn holder(caller: Option<OpKey>) -> Token {
    caller.map_or(Token::Resident, Token::Caller)
}

impl State {
    fn give_to_resident(&mut self) -> Option<Waker> {
        self.token = Token::Resident;
        self.wake_resident()
    }

    /// What went ahead of an operation that could not be submitted goes out without it.
    fn send_what_is_there(&mut self) -> Option<Waker> {
        if self.token == Token::Free && self.pipeline.has_output() { self.give_to_resident() } else { None }
    }

    fn wake_resident(&mut self) -> Option<Waker> {
        if self.resident_woken {
            return None;
        }
        self.resident_woken = self.resident.is_some();
        self.resident.clone()
    }

    /// A caller whose result is there lets go of the token, if it holds it. The socket already wakes the
    /// resident task.
    fn release(&mut self, key: OpKey) -> Option<Waker> {
        if self.token != Token::Caller(key) {
            return None;
        }
        if self.pipeline.in_flight() > 0 || self.pipeline.has_output() || self.closing {
            return self.give_to_resident();
        }
        self.token = Token::Free;
        None
    }
}

fn wake_all(wakers: impl IntoIterator<Item = Waker>) {
    wakers.into_iter().for_each(Waker::wake);
}

fn lost(e: &std::io::Error) -> Error {
    let copy = std::io::Error::new(e.kind(), e.to_string());
    Error::caused(ErrorKind::Io, format!("the connection was lost: {e}"), copy)
}
