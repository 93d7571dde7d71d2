//! The policy under a scheduler that does what it likes: callers come, wait, go away and come back, connections die and
//! cannot be opened, and time passes, all in an order that a seed decides.
//!
//! The keeper ticks only when it has been told to or its time has come, and a caller looks only when it has been woken:
//! so a wake-up that is lost leaves somebody waiting at the end.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::task::{Poll, Wake, Waker};
use std::time::{Duration, Instant};

use super::{Condition, Effects, Entry, Fate, Key, Lendable, Loan, Mode, Policy, Reason, Refusal, Renewal};
use crate::error::{Error, ErrorKind};
use crate::pool::PoolConfig;
use crate::pool::borrower::{Borrower, Task};
use crate::pool::line::Ticket;

/// Random numbers (`SplitMix64`).
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((z ^ (z >> 31)) % u64::try_from(n).expect("small")).expect("small")
    }
}

#[derive(Clone, Debug)]
struct Fake {
    number: u64,
    born: Instant,
    state: Arc<AtomicU8>,
}

impl Fake {
    fn set(&self, condition: Condition) {
        let state = match condition {
            Condition::Ready => 0,
            Condition::Busy { .. } => 1,
            Condition::Dead => 2,
        };
        self.state.store(state, Ordering::Relaxed);
    }
}

impl Lendable for Fake {
    fn condition(&self) -> Condition {
        match self.state.load(Ordering::Relaxed) {
            0 => Condition::Ready,
            1 => Condition::Busy { answered: 0 },
            _ => Condition::Dead,
        }
    }
}

#[derive(Default)]
struct Woken(AtomicBool);

impl Wake for Woken {
    fn wake(self: Arc<Self>) {
        self.0.store(true, Ordering::Relaxed);
    }
}

struct Caller {
    ticket: Ticket,
    mode: Mode,
    woken: Arc<Woken>,
}

struct Lent {
    loan: Loan,
    mode: Mode,
    connection: u64,
}

struct Simulation {
    random: Random,
    policy: Policy<Fake>,
    rules: Arc<PoolConfig>,
    now: Instant,
    bell: bool,
    next: Option<Instant>,
    callers: VecDeque<Caller>,
    lent: Vec<Lent>,
    opening: Vec<Key>,
    renewing: Vec<Key>,
    /// What is alive, and the seat it was opened for.
    alive: Vec<(Key, Fake)>,
    connections: u64,
}

impl Simulation {
    fn new(seed: u64) -> Self {
        let mut random = Random(seed);
        let max_size = 1 + random.below(4);
        let some = |random: &mut Random| {
            (random.below(3) > 0).then(|| Duration::from_secs(random.below(90) as u64 + 1))
        };
        let rules = Arc::new(PoolConfig {
            min_size: random.below(max_size + 1),
            max_size,
            max_queue: 1 + random.below(12),
            pipeline_depth: 1 + random.below(4),
            max_lifetime: some(&mut random),
            idle_timeout: some(&mut random),
            check_after: some(&mut random),
            ..PoolConfig::default()
        });
        Self {
            random,
            policy: Policy::new(Arc::clone(&rules)),
            rules,
            now: Instant::now(),
            bell: true,
            next: None,
            callers: VecDeque::new(),
            lent: Vec::new(),
            opening: Vec::new(),
            renewing: Vec::new(),
            alive: Vec::new(),
            connections: 0,
        }
    }

    fn with<T>(&mut self, ask: impl FnOnce(&mut Policy<Fake>, Instant, &mut Effects<Fake>) -> T) -> T {
        let mut out = Effects::default();
        let answer = ask(&mut self.policy, self.now, &mut out);
        self.bell |= out.keeper;
        out.wake.into_iter().for_each(Waker::wake);
        answer
    }

    fn borrower(&self) -> Borrower {
        Borrower { task: Task::current(), at: std::panic::Location::caller(), since: self.now }
    }

    fn acquire(&mut self, mode: Mode, again: bool) {
        let borrower = self.borrower();
        let waiting = self.callers.len();
        let entry = self.with(|p, now, out| {
            if again {
                p.acquire_again(now, mode, borrower, out)
            } else {
                p.acquire(now, mode, borrower, out)
            }
        });
        match entry {
            Ok(Entry::Lent(loan)) => {
                assert!(again || self.policy.standing().waiting == 0, "somebody was passed by");
                let born = self.policy.connection(loan.key).expect("it was lent just now").born;
                assert!(self.rules.max_lifetime.is_none_or(|longest| self.now < born + longest), "too old");
                self.took(loan, mode);
            }
            Ok(Entry::Queued(ticket)) => {
                let caller = Caller { ticket, mode, woken: Arc::default() };
                caller.woken.0.store(true, Ordering::Relaxed);
                if again { self.callers.push_front(caller) } else { self.callers.push_back(caller) }
            }
            Err(Refusal::Full) => assert!(!again && waiting >= self.rules.max_queue),
            Err(Refusal::Stopped) => assert!(self.policy.is_stopped()),
        }
    }

    fn took(&mut self, loan: Loan, mode: Mode) {
        let connection = self.policy.connection(loan.key).expect("it was lent just now").number;
        let sharing: Vec<_> = self.lent.iter().filter(|lent| lent.connection == connection).collect();
        assert!(sharing.len() < self.rules.pipeline_depth || sharing.is_empty(), "too many share");
        assert!(
            sharing.is_empty()
                || mode == Mode::Shared && sharing.iter().all(|lent| lent.mode == Mode::Shared),
            "it has been lent twice"
        );
        self.lent.push(Lent { loan, mode, connection });
    }

    /// Those who have been woken look; whoever is served stood before all who are not.
    fn look(&mut self) {
        let mut answered = Vec::new();
        let mut passed_by = 0;
        self.callers.retain(|caller| {
            let waker = Waker::from(Arc::clone(&caller.woken));
            if !caller.woken.0.swap(false, Ordering::Relaxed) {
                passed_by += 1;
                return true;
            }
            match self.policy.poll(caller.ticket, &waker, &mut None) {
                Poll::Pending => {
                    passed_by += 1;
                    true
                }
                Poll::Ready(answer) => {
                    assert_eq!(passed_by, 0, "some were passed by");
                    answered.extend(answer.ok().map(|loan| (loan, caller.mode)));
                    false
                }
            }
        });
        for (loan, mode) in answered {
            if self.policy.connection(loan.key).is_some() {
                self.took(loan, mode);
            } else {
                // Lost between the promise and the look.
                self.acquire(mode, true);
            }
        }
    }

    fn tick(&mut self) {
        let due = self.next.is_some_and(|at| at <= self.now);
        if !self.bell && !due {
            return;
        }
        self.bell = false;
        let chores = self.with(Policy::tick_at);
        self.opening.extend(chores.open);
        self.renewing.extend(chores.renew.into_iter().map(|(key, _, _)| key));
        self.next = chores.next;
    }

    fn open(&mut self, good: bool) {
        if self.opening.is_empty() {
            return;
        }
        let at = self.random.below(self.opening.len());
        let key = self.opening.swap_remove(at);
        if good {
            self.connections += 1;
            let fake = Fake { number: self.connections, born: self.now, state: Arc::default() };
            self.alive.push((key, fake.clone()));
            self.with(|p, now, out| p.opened(key, now, fake, 1.0, out));
        } else {
            let kind = if self.random.below(4) == 0 { ErrorKind::Auth } else { ErrorKind::Connect };
            let error = Error::new(kind, "no");
            self.with(|p, now, out| p.failed_to_open(key, now, &error, 0.5, out));
        }
    }

    fn give_back(&mut self, fate: Fate) {
        if self.lent.is_empty() {
            return;
        }
        let at = self.random.below(self.lent.len());
        let Lent { loan, .. } = self.lent.swap_remove(at);
        self.with(|p, now, out| p.give_back(loan, now, fate, out));
    }

    fn renew(&mut self, good: bool) {
        if let Some(key) = self.renewing.pop() {
            let verdict = if good { Ok(()) } else { Err(Reason::Hook) };
            self.with(|p, now, out| p.renewed(key, now, verdict, out));
        }
    }

    /// A connection ends: nobody hears of it before its watch does.
    fn end(&mut self) {
        if self.alive.is_empty() {
            return;
        }
        let at = self.random.below(self.alive.len());
        let (key, fake) = self.alive.swap_remove(at);
        fake.set(Condition::Dead);
        self.with(|p, _, out| p.ended(key, out));
        // Its borrowers will give back what is not there any more.
    }

    fn act(&mut self) {
        let mode = if self.random.below(2) == 0 { Mode::Shared } else { Mode::Exclusive };
        match self.random.below(20) {
            0..5 => self.acquire(mode, false),
            5..8 => self.give_back(Fate::Keep),
            8 => self.give_back(Fate::Close(Reason::ReadOnly)),
            9 => self.give_back(Fate::Renew(Renewal { settings: true })),
            10 if !self.callers.is_empty() => {
                let at = self.random.below(self.callers.len());
                let caller = self.callers.remove(at).expect("it is there");
                self.with(|p, now, out| p.leave(caller.ticket, now, out));
            }
            11 | 12 => self.open(true),
            13 => self.open(false),
            14 => self.renew(true),
            15 => self.renew(false),
            16 => self.end(),
            17 => {
                // What one has left running makes it busy until that has ended.
                for (_, fake) in &self.alive {
                    if fake.condition() != Condition::Dead {
                        let busy = self.random.below(3) == 0;
                        fake.set(if busy { Condition::Busy { answered: 0 } } else { Condition::Ready });
                    }
                }
            }
            18 => self.now += Duration::from_millis(self.random.below(40_000) as u64),
            // It was of no use, and somebody else's turn comes later.
            _ if !self.lent.is_empty() => {
                let at = self.random.below(self.lent.len());
                let Lent { loan, mode, .. } = self.lent.swap_remove(at);
                self.with(|p, now, out| p.give_back(loan, now, Fate::Close(Reason::Broken), out));
                self.look();
                self.acquire(mode, true);
            }
            _ => {}
        }
    }

    fn check(&self) {
        let standing = self.policy.standing();
        let open = standing.lent + standing.idle + standing.opening + standing.renewing;
        assert!(open <= self.rules.max_size, "{standing:?}");
        assert_eq!(standing.opening, self.opening.len());
        assert_eq!(open, self.policy.open(), "{standing:?}");
        assert_eq!(self.policy.living, self.alive.len());
        let tally = self.policy.tally;
        let closed =
            tally.too_old + tally.too_idle + tally.broken + tally.read_only + tally.unwanted + tally.stopped;
        assert_eq!(tally.opened, closed + (open - standing.opening) as u64, "{tally:?}");
    }

    fn step(&mut self) {
        self.act();
        // Tasks run when they run.
        if self.random.below(2) == 0 {
            self.tick();
        }
        if self.random.below(2) == 0 {
            self.look();
        }
        self.check();
    }

    /// Everything comes back and all goes well from here on: nobody is left waiting.
    fn settle(&mut self) {
        for _ in 0..2_000 {
            for (_, fake) in &self.alive {
                fake.set(Condition::Ready);
            }
            self.give_back(Fate::Keep);
            self.open(true);
            self.renew(true);
            self.tick();
            self.look();
            self.check();
            let standing = self.policy.standing();
            let at_rest = self.callers.is_empty() && self.lent.is_empty() && self.opening.is_empty();
            if at_rest && self.renewing.is_empty() && !self.bell && standing.idle >= self.rules.min_size {
                return;
            }
            if !self.bell && self.opening.is_empty() && self.lent.is_empty() && self.renewing.is_empty() {
                // Nothing is left to do but to wait for the keeper's time.
                self.now = self
                    .next
                    .unwrap_or_else(|| panic!("nobody comes: {:?} {:?}", self.policy.standing(), self.rules))
                    .max(self.now);
            }
        }
        panic!("{} still wait: {:?}", self.callers.len(), self.policy.standing());
    }

    fn stop(&mut self) {
        let refusal = Error::new(ErrorKind::Pool, "closed");
        self.with(|p, _, out| p.stop(out, &refusal));
        self.look();
        assert!(self.callers.is_empty());
        assert!(matches!(
            self.policy.acquire(self.now, Mode::Shared, self.borrower(), &mut Effects::default()),
            Err(Refusal::Stopped)
        ));
        self.with(|p, _, out| p.revoke(out));
        while !self.opening.is_empty() {
            let good = self.random.below(2) == 0;
            self.open(good);
        }
        while !self.alive.is_empty() {
            self.end();
        }
        while !self.lent.is_empty() {
            self.give_back(Fate::Keep);
        }
        while !self.renewing.is_empty() {
            self.renew(true);
        }
        self.check();
        assert!(self.policy.is_empty());
    }
}

impl Policy<Fake> {
    fn tick_at(&mut self, now: Instant, out: &mut Effects<Fake>) -> super::Chores<Fake> {
        self.tick(now, out)
    }
}

#[test]
fn nothing_is_lost_whatever_happens() {
    let seed = match std::env::var("WREATH_SEED") {
        Ok(seed) => seed.parse().expect("a number"),
        Err(_) => u64::from(std::time::UNIX_EPOCH.elapsed().expect("after 1970").subsec_nanos()),
    };
    println!("WREATH_SEED={seed}");
    for run in 0..400_u64 {
        let mut simulation = Simulation::new(seed ^ run.wrapping_mul(0xa076_1d64_78bd_642f));
        for round in 0..3 {
            for _ in 0..150 {
                simulation.step();
            }
            if round < 2 {
                simulation.settle();
            }
        }
        simulation.stop();
    }
}
