//! Who gets which connection, and when: decisions only.
//!
//! Nothing here opens or closes a connection, reads a clock or wakes a task. Time comes in; what is to be done goes
//! out, in [`Effects`] for whoever asked and in [`Chores`] for the pool's keeper.
//!
//! * Callers are served strictly in the order in which they came, those who share and those who do not.
//! * A connection is promised to the first in line and to nobody else: whoever was called and goes away gives it back.
//! * A seat is a place of one of `max_size` connections. It is taken when one begins to be opened and free when that one
//!   has been given up, so there are never more. Its generation tells a late answer from one about its successor.

mod opening;
#[cfg(test)]
mod simulation;

use std::sync::Arc;
use std::task::{Poll, Waker};
use std::time::Instant;

use smallvec::SmallVec;

use crate::error::Error;
use crate::pool::PoolConfig;
use crate::pool::borrower::Borrower;
use crate::pool::line::{Line, Ticket};

/// What a pool has to know of its connections.
pub(super) trait Lendable: Clone {
    /// How it is, right now.
    fn condition(&self) -> Condition;
}

/// How a connection is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Condition {
    Ready,
    /// It has not answered all that it was asked, but so much.
    Busy {
        answered: u64,
    },
    Dead,
}

/// How a caller wants to have a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    Exclusive,
    Shared,
}

/// Names one connection of the pool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Key {
    seat: u32,
    generation: u32,
}

/// A connection that has been lent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Loan {
    pub(super) key: Key,
    number: u64,
    /// Whether it has been idle for so long that it should be checked first.
    pub(super) stale: bool,
}

/// What an acquire leads to.
#[derive(Debug)]
pub(super) enum Entry {
    Lent(Loan),
    Queued(Ticket),
}

/// Why a caller is sent away.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Refusal {
    Full,
    Stopped,
}

/// What becomes of a connection that comes back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fate {
    Keep,
    /// It has to be made ready anew before it is lent again.
    Renew(Renewal),
    Close(Reason),
}

/// What a connection needs before it is lent again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Renewal {
    /// Whether its settings were changed and have been reset.
    pub(super) settings: bool,
}

/// Whether a connection is good, or why it is to be given up.
pub(super) type Verdict = Result<(), Reason>;

/// Why a connection has been given up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reason {
    /// It was too old.
    Lifetime,
    /// It was idle for too long.
    Idle,
    /// It was lost, or did not answer.
    Broken,
    /// Its server refuses to write, and this pool writes.
    ReadOnly,
    /// A hook did not want it.
    Hook,
    /// The pool is stopped.
    Stopped,
}

/// What is to be done once the policy's lock has been let go.
pub(super) struct Effects<C> {
    pub(super) wake: SmallVec<[Waker; 4]>,
    /// Connections to be closed.
    pub(super) discard: SmallVec<[(C, Reason); 2]>,
    /// Whether the keeper has something to do.
    pub(super) keeper: bool,
}

impl<C> Default for Effects<C> {
    fn default() -> Self {
        Self { wake: SmallVec::new(), discard: SmallVec::new(), keeper: false }
    }
}

/// What the keeper is to do.
#[derive(Debug)]
pub(super) struct Chores<C> {
    /// Seats that a connection is to be opened for.
    pub(super) open: Vec<Key>,
    /// Connections to be made ready anew.
    pub(super) renew: Vec<(Key, C, Renewal)>,
    /// When there may be more to do.
    pub(super) next: Option<Instant>,
}

/// What has happened so far.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Tally {
    pub(super) opened: u64,
    pub(super) failed_to_open: u64,
    pub(super) too_old: u64,
    pub(super) too_idle: u64,
    pub(super) broken: u64,
    pub(super) read_only: u64,
    pub(super) unwanted: u64,
    pub(super) stopped: u64,
    pub(super) high_water: usize,
}

/// How the pool stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Standing {
    pub(super) lent: usize,
    pub(super) idle: usize,
    pub(super) opening: usize,
    pub(super) renewing: usize,
    pub(super) waiting: usize,
}

#[derive(Debug)]
pub(super) struct Policy<C> {
    rules: Arc<PoolConfig>,
    seats: Vec<Seat<C>>,
    vacant: Vec<u32>,
    /// Seats of connections that nobody has, the one that came back last at the end.
    idle: Vec<u32>,
    /// Seats of connections that are shared by somebody.
    shared: Vec<u32>,
    to_renew: Vec<(Key, Renewal)>,
    line: Line<Waiter>,
    /// How many in line want to share.
    sharers: usize,
    /// Connections that the server has for us: it outlives its seat until its end has been seen.
    pub(super) living: usize,
    opening: usize,
    lent: usize,
    renewing: usize,
    loans: u64,
    /// Whether sharing has shown that one more connection would be of use.
    growing: bool,
    /// How often in a row none could be opened, and when the next attempt is made.
    failures: u32,
    retry_at: Option<Instant>,
    stopped: bool,
    pub(super) tally: Tally,
}

#[derive(Debug)]
struct Seat<C> {
    generation: u32,
    state: State<C>,
}

#[derive(Debug)]
enum State<C> {
    Vacant,
    Opening,
    Taken(Member<C>),
}

/// A connection of the pool.
#[derive(Debug)]
struct Member<C> {
    connection: C,
    expires: Option<Instant>,
    /// Since when nobody has it.
    idle_since: Instant,
    /// How much it had answered when it came back with more to answer, and when it first did so.
    busy: Option<(u64, Instant)>,
    borrowers: Vec<(u64, Borrower)>,
    /// Why it is given up when its last borrower has gone.
    doomed: Option<Reason>,
    /// What it needs when its last borrower has gone, and while that is being done.
    renewal: Option<Renewal>,
}

#[derive(Debug)]
struct Waiter {
    mode: Mode,
    borrower: Borrower,
    waker: Option<Waker>,
    answer: Option<Result<Loan, Error>>,
}

impl<C> Member<C> {
    fn is_too_old(&self, now: Instant) -> bool {
        self.expires.is_some_and(|at| at <= now)
    }
}

impl<C: Lendable> Policy<C> {
    pub(super) fn new(rules: Arc<PoolConfig>) -> Self {
        Self {
            rules,
            seats: Vec::new(),
            vacant: Vec::new(),
            idle: Vec::new(),
            shared: Vec::new(),
            to_renew: Vec::new(),
            line: Line::default(),
            sharers: 0,
            living: 0,
            opening: 0,
            lent: 0,
            renewing: 0,
            loans: 0,
            growing: false,
            failures: 0,
            retry_at: None,
            stopped: false,
            tally: Tally::default(),
        }
    }

    // --- callers

    /// A caller wants a connection.
    pub(super) fn acquire(
        &mut self,
        now: Instant,
        mode: Mode,
        borrower: Borrower,
        out: &mut Effects<C>,
    ) -> Result<Entry, Refusal> {
        if self.stopped {
            return Err(Refusal::Stopped);
        }
        if self.line.is_empty()
            && let Some(loan) = self.pick(now, mode, borrower, out)
        {
            return Ok(Entry::Lent(loan));
        }
        if self.line.len() >= self.rules.max_queue {
            return Err(Refusal::Full);
        }
        let ticket = self.line.join(Waiter { mode, borrower, waker: None, answer: None });
        Ok(self.queued(ticket, mode, out))
    }

    /// A caller gave back what it got, because it was of no use, and is the next to be served.
    pub(super) fn acquire_again(
        &mut self,
        now: Instant,
        mode: Mode,
        borrower: Borrower,
        out: &mut Effects<C>,
    ) -> Result<Entry, Refusal> {
        if self.stopped {
            return Err(Refusal::Stopped);
        }
        if let Some(loan) = self.pick(now, mode, borrower, out) {
            return Ok(Entry::Lent(loan));
        }
        let ticket = self.line.join_first(Waiter { mode, borrower, waker: None, answer: None });
        Ok(self.queued(ticket, mode, out))
    }

    fn queued(&mut self, ticket: Ticket, mode: Mode, out: &mut Effects<C>) -> Entry {
        self.sharers += usize::from(mode == Mode::Shared);
        self.tally.high_water = self.tally.high_water.max(self.line.len());
        out.keeper |= self.wanted() > 0;
        Entry::Queued(ticket)
    }

    /// A caller in line is polled. `displaced` gets whoever was to be woken before.
    pub(super) fn poll(
        &mut self,
        ticket: Ticket,
        waker: &Waker,
        displaced: &mut Option<Waker>,
    ) -> Poll<Result<Loan, Error>> {
        let Some(waiter) = self.line.get(ticket) else { return Poll::Pending };
        if let Some(answer) = waiter.answer.take() {
            self.line.leave(ticket);
            return Poll::Ready(answer);
        }
        match &mut waiter.waker {
            Some(known) if known.will_wake(waker) => {}
            other => *displaced = other.replace(waker.clone()),
        }
        Poll::Pending
    }

    /// A caller in line goes away; what it was promised goes to the next.
    pub(super) fn leave(&mut self, ticket: Ticket, now: Instant, out: &mut Effects<C>) {
        let Some(waiter) = self.line.leave(ticket) else { return };
        out.wake.extend(waiter.waker);
        match waiter.answer {
            Some(Ok(loan)) => self.give_back(loan, now, Fate::Keep, out),
            Some(Err(_)) => {}
            None => {
                self.sharers -= usize::from(waiter.mode == Mode::Shared);
                // Those behind may want to share what the one in front wanted alone.
                self.serve(now, out);
            }
        }
    }

    /// The connection of a loan; `None` when it has been given up meanwhile.
    pub(super) fn connection(&self, key: Key) -> Option<&C> {
        self.member(key).map(|member| &member.connection)
    }

    /// A borrower has done.
    pub(super) fn give_back(&mut self, loan: Loan, now: Instant, fate: Fate, out: &mut Effects<C>) {
        let stopped = self.stopped.then_some(Reason::Stopped);
        let seat = loan.key.seat;
        let Some(member) = self.member_mut(loan.key) else { return };
        let Some(at) = member.borrowers.iter().position(|&(number, _)| number == loan.number) else { return };
        member.borrowers.swap_remove(at);
        match fate {
            Fate::Keep => {}
            Fate::Close(reason) => drop(member.doomed.get_or_insert(reason)),
            Fate::Renew(renewal) => member.renewal.get_or_insert(renewal).settings |= renewal.settings,
        }
        if !member.borrowers.is_empty() {
            return self.serve(now, out);
        }
        let old = member.is_too_old(now).then_some(Reason::Lifetime);
        let (doomed, renewal) = (stopped.or(member.doomed).or(old), member.renewal);
        self.lent -= 1;
        remove(&mut self.shared, seat);
        if let Some(reason) = doomed {
            return self.give_up(seat, reason, out);
        }
        if let Some(renewal) = renewal {
            self.renewing += 1;
            self.to_renew.push((loan.key, renewal));
            out.keeper = true;
            return;
        }
        self.lie_idle(loan.key, now, out);
    }

    // --- connections

    /// A connection has been made ready anew, or has turned out to be of no use.
    pub(super) fn renewed(&mut self, key: Key, now: Instant, verdict: Verdict, out: &mut Effects<C>) {
        let Some(_) = self.member_mut(key).and_then(|member| member.renewal.take()) else { return };
        self.renewing -= 1;
        match verdict {
            Ok(()) if !self.stopped => self.lie_idle(key, now, out),
            Ok(()) => self.give_up(key.seat, Reason::Stopped, out),
            Err(reason) => self.give_up(key.seat, reason, out),
        }
    }

    /// A connection has ended, whoever has it.
    pub(super) fn ended(&mut self, key: Key, out: &mut Effects<C>) {
        self.living -= 1;
        let Some(member) = self.member(key) else { return };
        let (lent, renewing) = (!member.borrowers.is_empty(), member.renewal.is_some());
        self.lent -= usize::from(lent);
        self.renewing -= usize::from(renewing && !lent);
        remove(&mut self.idle, key.seat);
        remove(&mut self.shared, key.seat);
        self.give_up(key.seat, Reason::Broken, out);
    }

    fn lie_idle(&mut self, key: Key, now: Instant, out: &mut Effects<C>) {
        if let Some(member) = self.member_mut(key) {
            member.idle_since = now;
            member.busy = match (member.connection.condition(), member.busy) {
                (Condition::Busy { answered }, Some((before, since))) if answered == before => {
                    Some((before, since))
                }
                (Condition::Busy { answered }, _) => Some((answered, now)),
                (Condition::Ready | Condition::Dead, _) => None,
            };
            // It is looked after, should it never answer.
            out.keeper |= member.busy.is_some();
            self.idle.push(key.seat);
        }
        self.serve(now, out);
    }

    /// Frees a seat that is in no list any more.
    fn give_up(&mut self, seat: u32, reason: Reason, out: &mut Effects<C>) {
        if let Some(member) = self.vacate(seat) {
            out.discard.push((member.connection, reason));
        }
        *match reason {
            Reason::Lifetime => &mut self.tally.too_old,
            Reason::Idle => &mut self.tally.too_idle,
            Reason::Broken => &mut self.tally.broken,
            Reason::ReadOnly => &mut self.tally.read_only,
            Reason::Hook => &mut self.tally.unwanted,
            Reason::Stopped => &mut self.tally.stopped,
        } += 1;
        out.keeper |= self.wanted() > 0;
    }

    fn vacate(&mut self, seat: u32) -> Option<Member<C>> {
        let place = &mut self.seats[seat as usize];
        place.generation = place.generation.wrapping_add(1);
        self.vacant.push(seat);
        match std::mem::replace(&mut place.state, State::Vacant) {
            State::Taken(member) => Some(member),
            State::Vacant | State::Opening => None,
        }
    }

    // --- who gets what

    /// Serves callers from the front of the line, as long as there is something for the first one.
    fn serve(&mut self, now: Instant, out: &mut Effects<C>) {
        while let Some(&Waiter { mode, borrower, .. }) = self.line.first() {
            let Some(loan) = self.pick(now, mode, borrower, out) else { return };
            self.answer_first(Ok(loan), out);
        }
    }

    fn answer_first(&mut self, answer: Result<Loan, Error>, out: &mut Effects<C>) {
        if let Some(waiter) = self.line.call() {
            self.sharers -= usize::from(waiter.mode == Mode::Shared);
            waiter.answer = Some(answer);
            out.wake.extend(waiter.waker.take());
        }
    }

    /// Lends an idle connection, or a share in one.
    fn pick(&mut self, now: Instant, mode: Mode, borrower: Borrower, out: &mut Effects<C>) -> Option<Loan> {
        if let Some(seat) = self.take_idle(now, out) {
            self.lent += 1;
            if mode == Mode::Shared {
                self.shared.push(seat);
            }
            return self.lend(seat, now, borrower);
        }
        if mode == Mode::Exclusive {
            return None;
        }
        let seat = self.least_shared(now)?;
        if self.opening == 0 && self.has_room() {
            (self.growing, out.keeper) = (true, true);
        }
        let loan = self.lend(seat, now, borrower)?;
        Some(Loan { stale: false, ..loan })
    }

    fn lend(&mut self, seat: u32, now: Instant, borrower: Borrower) -> Option<Loan> {
        self.loans += 1;
        let number = self.loans;
        let stale = self.rules.check_after;
        let place = &mut self.seats[seat as usize];
        let State::Taken(member) = &mut place.state else { return None };
        member.borrowers.push((number, Borrower { since: now, ..borrower }));
        let idle = now.saturating_duration_since(member.idle_since);
        let key = Key { seat, generation: place.generation };
        Some(Loan { key, number, stale: stale.is_some_and(|limit| idle >= limit) })
    }

    /// The idle connection that came back last and is ready. One that has not answered all that it was asked is
    /// taken only where no other can be had.
    fn take_idle(&mut self, now: Instant, out: &mut Effects<C>) -> Option<u32> {
        let mut busy = None;
        for at in (0..self.idle.len()).rev() {
            let seat = self.idle[at];
            match self.judge(seat, now) {
                Ok(Condition::Ready) => {
                    self.idle.remove(at);
                    return Some(seat);
                }
                Ok(Condition::Busy { .. }) => busy = busy.or(Some(seat)),
                Ok(Condition::Dead) => self.dismiss(at, Reason::Broken, out),
                Err(reason) => self.dismiss(at, reason, out),
            }
        }
        let busy = busy.filter(|_| !self.has_room() || self.failures > 0)?;
        remove(&mut self.idle, busy);
        Some(busy)
    }

    fn judge(&self, seat: u32, now: Instant) -> Result<Condition, Reason> {
        let State::Taken(member) = &self.seats[seat as usize].state else { return Ok(Condition::Dead) };
        if member.is_too_old(now) {
            return Err(Reason::Lifetime);
        }
        let condition = member.connection.condition();
        match (condition, member.busy, self.rules.command_timeout) {
            // Nobody who waits for an answer may wait for longer, and here nobody does.
            (Condition::Busy { answered }, Some((before, since)), Some(limit))
                if answered == before && now.saturating_duration_since(since) >= limit =>
            {
                Err(Reason::Broken)
            }
            _ => Ok(condition),
        }
    }

    /// Gives up the idle connection at a place of the list.
    fn dismiss(&mut self, at: usize, reason: Reason, out: &mut Effects<C>) {
        let seat = self.idle.remove(at);
        self.give_up(seat, reason, out);
    }

    /// The connection that the fewest share, if it has room for one more. One that is too old gets nobody any more, so that
    /// it is closed when those who have it are done.
    fn least_shared(&self, now: Instant) -> Option<u32> {
        let sharers = |&&seat: &&u32| match &self.seats[seat as usize].state {
            State::Taken(member)
                if member.doomed.is_none()
                    && !member.is_too_old(now)
                    && member.connection.condition() != Condition::Dead =>
            {
                member.borrowers.len()
            }
            _ => usize::MAX,
        };
        let seat = self.shared.iter().min_by_key(sharers)?;
        (sharers(&seat) < self.rules.pipeline_depth).then_some(*seat)
    }

    // --- the whole

    /// Nobody is served any more. What is idle is closed, and what comes back will be.
    pub(super) fn stop(&mut self, out: &mut Effects<C>, refusal: &Error) {
        self.stopped = true;
        while !self.line.is_empty() {
            self.answer_first(Err(refusal.clone()), out);
        }
        while !self.idle.is_empty() {
            self.dismiss(self.idle.len() - 1, Reason::Stopped, out);
        }
    }

    /// Takes what has not come back from those who have it.
    pub(super) fn revoke(&mut self, out: &mut Effects<C>) -> Vec<C> {
        let mut taken = Vec::new();
        for seat in 0..self.seats.len() {
            if let State::Taken(member) = &self.seats[seat].state {
                taken.push(member.connection.clone());
                self.give_up(u32::try_from(seat).unwrap_or(u32::MAX), Reason::Stopped, out);
            }
        }
        self.shared.clear();
        (self.lent, self.renewing) = (0, 0);
        taken
    }

    pub(super) fn is_stopped(&self) -> bool {
        self.stopped
    }

    /// Whether a pool that was stopped has nothing open any more.
    pub(super) fn is_empty(&self) -> bool {
        self.living == 0 && self.open() == 0
    }

    /// Everybody in line is to look again.
    pub(super) fn rouse(&mut self, out: &mut Effects<C>) {
        out.wake.extend(self.line.holders().filter_map(|waiter| waiter.waker.take()));
    }

    pub(super) fn standing(&self) -> Standing {
        Standing {
            lent: self.lent,
            idle: self.idle.len(),
            opening: self.opening,
            renewing: self.renewing,
            waiting: self.line.len(),
        }
    }

    /// Who has something, and whether it is shared.
    pub(super) fn borrowers(&self) -> impl Iterator<Item = (&Borrower, Mode)> {
        let members = self.seats.iter().zip(0_u32..).filter_map(|(seat, number)| match &seat.state {
            State::Taken(member) => Some((member, number)),
            State::Vacant | State::Opening => None,
        });
        members.flat_map(|(member, seat)| {
            let mode = if self.shared.contains(&seat) { Mode::Shared } else { Mode::Exclusive };
            member.borrowers.iter().map(move |(_, borrower)| (borrower, mode))
        })
    }

    /// Seats that are taken.
    fn open(&self) -> usize {
        self.seats.len() - self.vacant.len()
    }

    fn has_room(&self) -> bool {
        self.open() < self.rules.max_size
    }

    fn member(&self, key: Key) -> Option<&Member<C>> {
        match self.seats.get(key.seat as usize) {
            Some(Seat { generation, state: State::Taken(member) }) if *generation == key.generation => {
                Some(member)
            }
            _ => None,
        }
    }

    fn member_mut(&mut self, key: Key) -> Option<&mut Member<C>> {
        match self.seats.get_mut(key.seat as usize) {
            Some(Seat { generation, state: State::Taken(member) }) if *generation == key.generation => {
                Some(member)
            }
            _ => None,
        }
    }
}

fn remove(list: &mut Vec<u32>, seat: u32) {
    if let Some(at) = list.iter().position(|&other| other == seat) {
        list.remove(at);
    }
}
