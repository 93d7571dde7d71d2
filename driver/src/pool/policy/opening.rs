//! How many connections are wanted, and when they are opened and closed.

use std::time::{Duration, Instant};

use super::{Chores, Condition, Effects, Key, Lendable, Member, Policy, Reason, Seat, State};
use crate::error::{Error, ErrorKind};

/// The waits between attempts to open a connection.
const FIRST_PAUSE: Duration = Duration::from_millis(20);
/// The longest of them while somebody waits for one.
const LONGEST_PAUSE_IN_DEMAND: Duration = Duration::from_secs(1);
/// The longest of them while nobody does.
const LONGEST_PAUSE: Duration = Duration::from_secs(30);
/// How often, at the least, idle connections are looked at for their age.
const LOOK_AROUND: Duration = Duration::from_secs(30);
/// And at the most.
const SHORTEST_LOOK: Duration = Duration::from_millis(5);

impl<C: Lendable> Policy<C> {
    /// How many more connections should begin to be opened.
    pub(super) fn wanted(&self) -> usize {
        if self.stopped {
            return 0;
        }
        let room = self.rules.max_size - self.open();
        let waiting = self.line.len() - self.sharers + self.sharers.div_ceil(self.rules.pipeline_depth);
        let waiting = waiting.max(usize::from(self.growing));
        let missing = self.rules.min_size.saturating_sub(self.open());
        let wanted = waiting.saturating_sub(self.opening).max(missing).min(room);
        // A server that did not answer is asked by one at a time.
        if self.failures > 0 { wanted.min(usize::from(self.opening == 0)) } else { wanted }
    }

    /// Takes seats for up to `count` connections that begin to be opened.
    pub(in crate::pool) fn reserve(&mut self, count: usize) -> Vec<Key> {
        let count = count.min(self.rules.max_size - self.open());
        (0..count).map(|_| self.take_seat()).collect()
    }

    fn take_seat(&mut self) -> Key {
        self.opening += 1;
        self.growing = false;
        if let Some(seat) = self.vacant.pop() {
            let place = &mut self.seats[seat as usize];
            place.state = State::Opening;
            return Key { seat, generation: place.generation };
        }
        // There are never more than `max_size`, which is far smaller.
        let seat = u32::try_from(self.seats.len()).unwrap_or(u32::MAX);
        self.seats.push(Seat { generation: 0, state: State::Opening });
        Key { seat, generation: 0 }
    }

    /// How many are missing to the least that is to be open.
    pub(in crate::pool) fn missing(&self) -> usize {
        self.rules.min_size.saturating_sub(self.open())
    }

    /// A connection is ready. It lives for its share (at most 1) of the longest life.
    pub(in crate::pool) fn opened(
        &mut self,
        key: Key,
        now: Instant,
        connection: C,
        share: f64,
        out: &mut Effects<C>,
    ) {
        self.living += 1;
        self.opening -= 1;
        self.tally.opened += 1;
        (self.failures, self.retry_at) = (0, None);
        let expires = self.rules.max_lifetime.and_then(|longest| now.checked_add(longest.mul_f64(share)));
        self.seats[key.seat as usize].state = State::Taken(Member {
            connection,
            expires,
            idle_since: now,
            busy: None,
            borrowers: Vec::with_capacity(1),
            doomed: None,
            renewal: None,
        });
        if self.stopped {
            return self.give_up(key.seat, Reason::Stopped, out);
        }
        self.lie_idle(key, now, out);
        // After a failure one was opened at a time, which is over.
        out.keeper |= self.wanted() > 0;
    }

    /// A connection could not be opened; `random` is drawn from 0 to 1.
    pub(in crate::pool) fn failed_to_open(
        &mut self,
        key: Key,
        now: Instant,
        error: &Error,
        random: f64,
        out: &mut Effects<C>,
    ) {
        self.opening -= 1;
        self.vacate(key.seat);
        self.tally.failed_to_open += 1;
        self.failures = self.failures.saturating_add(1);
        let longest = if self.line.is_empty() { LONGEST_PAUSE } else { LONGEST_PAUSE_IN_DEMAND };
        let pause = FIRST_PAUSE.saturating_mul(1 << self.failures.min(16)).min(longest);
        self.retry_at = now.checked_add(pause.mul_f64(1.0 - random / 2.0));
        if is_lasting(error) && self.open() == self.opening {
            // Nothing will come back that could serve them, and waiting does not help.
            while !self.line.is_empty() {
                self.answer_first(Err(error.clone()), out);
            }
        }
        self.serve(now, out);
        out.keeper = true;
    }

    /// A seat that was reserved is not needed.
    pub(in crate::pool) fn unreserve(&mut self, key: Key, out: &mut Effects<C>) {
        self.opening -= 1;
        self.vacate(key.seat);
        out.keeper |= self.wanted() > 0;
    }

    /// What there is to do, which from now on is being done.
    pub(in crate::pool) fn tick(&mut self, now: Instant, out: &mut Effects<C>) -> Chores<C> {
        self.sweep(now, out);
        // In demand nobody waits for the end of a pause that was made for when there was none.
        let in_demand = now + LONGEST_PAUSE_IN_DEMAND;
        if !self.line.is_empty() && self.retry_at.is_some_and(|at| at > in_demand) {
            self.retry_at = Some(in_demand);
        }
        let mut open = Vec::new();
        if self.retry_at.is_none_or(|at| at <= now) {
            open = self.reserve(self.wanted());
        }
        let retry = self.retry_at.filter(|_| self.wanted() > 0);
        let renew = std::mem::take(&mut self.to_renew);
        let renew = renew
            .into_iter()
            .filter_map(|(key, renewal)| Some((key, self.connection(key)?.clone(), renewal)))
            .collect();
        let look = self.look_again().and_then(|pause| now.checked_add(pause));
        Chores { open, renew, next: [retry, look].into_iter().flatten().min() }
    }

    /// Closes idle connections that are dead, too old, or idle for too long.
    fn sweep(&mut self, now: Instant, out: &mut Effects<C>) {
        // The longest idle lies first.
        let mut at = 0;
        while at < self.idle.len() {
            let seat = self.idle[at];
            match self.judge(seat, now) {
                Err(reason) => self.dismiss(at, reason, out),
                Ok(Condition::Dead) => self.dismiss(at, Reason::Broken, out),
                Ok(_) if self.open() > self.rules.min_size && self.is_too_idle(seat, now) => {
                    self.dismiss(at, Reason::Idle, out);
                }
                Ok(_) => at += 1,
            }
        }
    }

    fn is_too_idle(&self, seat: u32, now: Instant) -> bool {
        match (&self.seats[seat as usize].state, self.rules.idle_timeout) {
            (State::Taken(member), Some(limit)) => now.saturating_duration_since(member.idle_since) >= limit,
            _ => false,
        }
    }

    /// How long idle connections need not be looked at: nothing has to happen to the minute.
    fn look_again(&self) -> Option<Duration> {
        if self.idle.is_empty() && self.lent == 0 {
            return None;
        }
        let is_busy = |&seat: &u32| match &self.seats[seat as usize].state {
            State::Taken(member) => member.busy.is_some(),
            State::Vacant | State::Opening => false,
        };
        let answers = self.rules.command_timeout.filter(|_| self.idle.iter().any(is_busy));
        let limits = [self.rules.idle_timeout, self.rules.max_lifetime, answers];
        let shortest = limits.into_iter().flatten().min()?;
        Some((shortest / 4).clamp(SHORTEST_LOOK, LOOK_AROUND))
    }
}

/// Whether an attempt that failed so will fail again: the configuration is wrong, or the server does not let this user
/// in.
fn is_lasting(error: &Error) -> bool {
    match error.sqlstate() {
        // Connection exceptions; too many connections and other want; cannot_connect_now, shutting down and crashing.
        Some(state) => !["08", "53", "57"].iter().any(|class| state.starts_with(class)),
        None => matches!(error.kind(), ErrorKind::Config | ErrorKind::Auth | ErrorKind::Tls),
    }
}
