//! The table against a model too simple to be wrong, through random histories.

use std::time::Duration;

use proptest::prelude::*;

use super::{Expiry, Kv, Policy, Stats, Write};
use crate::clock::ManualClock;

const TTL: u64 = 40;

#[derive(Clone, Debug)]
struct Held {
    key: u16,
    value: u32,
    cost: usize,
    deadline: Option<u64>,
    marked: bool,
}

/// What [`Kv`] promises, on a plain list: the most recent entry first.
struct Model {
    held: Vec<Held>,
    policy: Policy,
    /// The key that the hand points at.
    hand: Option<u16>,
    entries: usize,
    bytes: usize,
    ttl: Option<u64>,
    now: u64,
    stats: Stats,
}

impl Model {
    fn place(&self, key: u16) -> Option<usize> {
        self.held.iter().position(|held| held.key == key)
    }

    fn expired(&self, place: usize) -> bool {
        self.held[place].deadline.is_some_and(|deadline| deadline <= self.now)
    }

    fn take(&mut self, place: usize) -> Held {
        if self.hand == Some(self.held[place].key) {
            self.hand = place.checked_sub(1).map(|newer| self.held[newer].key);
        }
        self.held.remove(place)
    }

    /// The place of the live entry; an expired one goes.
    fn live(&mut self, key: u16) -> Option<usize> {
        let place = self.place(key)?;
        if self.expired(place) {
            self.take(place);
            self.stats.expirations += 1;
            return None;
        }
        Some(place)
    }

    fn note_use(&mut self, place: usize) {
        if self.policy == Policy::Mark {
            self.held[place].marked = true;
        } else {
            let held = self.held.remove(place);
            self.held.insert(0, held);
        }
    }

    fn get(&mut self, key: u16) -> Option<u32> {
        let Some(place) = self.live(key) else {
            self.stats.misses += 1;
            return None;
        };
        self.stats.hits += 1;
        let value = self.held[place].value;
        self.note_use(place);
        Some(value)
    }

    fn victim(&mut self, spared: Option<u16>) -> usize {
        if self.policy == Policy::Lru {
            return self.held.len() - 1;
        }
        let mut at = self.hand.and_then(|key| self.place(key)).unwrap_or(self.held.len() - 1);
        loop {
            let found = spared != Some(self.held[at].key) && !self.held[at].marked;
            if spared != Some(self.held[at].key) {
                self.held[at].marked = false;
            }
            let newer = at.checked_sub(1);
            self.hand = newer.map(|newer| self.held[newer].key);
            if found {
                return at;
            }
            at = newer.unwrap_or(self.held.len() - 1);
        }
    }

    fn evict(&mut self, spared: Option<u16>, gone: &mut Vec<u16>) {
        let place = self.victim(spared);
        if self.expired(place) {
            self.stats.expirations += 1;
        } else {
            self.stats.evictions += 1;
        }
        gone.push(self.take(place).key);
    }

    fn sum(&self) -> usize {
        self.held.iter().map(|held| held.cost).sum()
    }

    fn deadline(&self, expiry: Expiry, kept: Option<Option<u64>>) -> Option<u64> {
        match (expiry, kept) {
            (Expiry::Keep, Some(kept)) => kept,
            (Expiry::Never, _) => None,
            (Expiry::After(time), _) => Some(self.now + crate::clock::nanos(time)),
            (Expiry::At(time), _) => Some(crate::clock::nanos(time)),
            _ => self.ttl.map(|ttl| self.now + ttl),
        }
    }

    fn write(&mut self, key: u16, value: u32, how: Write) -> (Result<Option<u32>, ()>, Vec<u16>) {
        let mut gone = Vec::new();
        if how.cost > self.bytes {
            self.stats.refusals += 1;
            return (Err(()), gone);
        }
        if let Some(place) = self.place(key)
            && !self.expired(place)
        {
            let deadline = self.deadline(how.expiry, Some(self.held[place].deadline));
            let held = &mut self.held[place];
            let old = std::mem::replace(&mut held.value, value);
            held.cost = how.cost;
            held.deadline = deadline;
            self.note_use(place);
            while self.sum() > self.bytes {
                self.evict(Some(key), &mut gone);
            }
            return (Ok(Some(old)), gone);
        }
        if self.place(key).is_some() {
            self.live(key);
            gone.push(key);
        }
        while self.held.len() >= self.entries || self.sum() + how.cost > self.bytes {
            self.evict(None, &mut gone);
        }
        let deadline = self.deadline(how.expiry, None);
        self.held.insert(0, Held { key, value, cost: how.cost, deadline, marked: false });
        self.stats.admissions += 1;
        (Ok(None), gone)
    }

    fn remove_at(&mut self, place: usize) -> Option<Held> {
        let expired = self.expired(place);
        let held = self.take(place);
        if expired {
            self.stats.expirations += 1;
            None
        } else {
            self.stats.removals += 1;
            Some(held)
        }
    }

    fn retain(&mut self, keep: impl Fn(u16) -> bool) {
        for place in (0..self.held.len()).rev() {
            if self.expired(place) || !keep(self.held[place].key) {
                self.remove_at(place);
            }
        }
    }
}

#[derive(Clone, Debug)]
enum Step {
    Get(u16),
    GetMany(Vec<u16>),
    Peek(u16),
    Write(u16, Write),
    Claim(u16),
    Touch(u16),
    Remove(u16),
    PopLru,
    Retain(u16),
    Clear,
    Purge,
    Bounds(usize, usize),
    Wait(u64),
}

fn expiries() -> impl Strategy<Value = Expiry> {
    prop_oneof![
        4 => Just(Expiry::Table),
        1 => Just(Expiry::Never),
        1 => Just(Expiry::Keep),
        1 => (0u64..60).prop_map(|time| Expiry::After(Duration::from_nanos(time))),
        1 => (0u64..2000).prop_map(|time| Expiry::At(Duration::from_nanos(time))),
    ]
}

fn steps(keys: u16, bytes: usize) -> impl Strategy<Value = Step> {
    let key = 0..keys;
    prop_oneof![
        20 => key.clone().prop_map(Step::Get),
        2 => prop::collection::vec(key.clone(), 0..40).prop_map(Step::GetMany),
        5 => key.clone().prop_map(Step::Peek),
        30 => (key.clone(), 0..bytes + 2, expiries())
            .prop_map(|(key, cost, expiry)| Step::Write(key, Write::costing(cost / 4).expiring(expiry))),
        1 => (key.clone(), 0..bytes + 9).prop_map(|(key, cost)| Step::Write(key, Write::costing(cost))),
        3 => key.clone().prop_map(Step::Claim),
        3 => key.clone().prop_map(Step::Touch),
        8 => key.clone().prop_map(Step::Remove),
        3 => Just(Step::PopLru),
        1 => (1u16..5).prop_map(Step::Retain),
        1 => Just(Step::Clear),
        1 => Just(Step::Purge),
        1 => (1usize..120, 1..bytes * 2).prop_map(|(entries, bytes)| Step::Bounds(entries, bytes)),
        4 => (0u64..30).prop_map(Step::Wait),
    ]
}

fn run(policy: Policy, ttl: bool, entries: usize, bytes: usize, history: Vec<Step>, poor_hash: bool) {
    let time = ManualClock::new();
    let ttl = ttl.then_some(TTL);
    let mut builder = Kv::<u16, u32>::builder(entries).max_bytes(bytes).policy(policy).clock(time.clock());
    if let Some(ttl) = ttl {
        builder = builder.ttl(Duration::from_nanos(ttl));
    }
    let mut table = builder.hasher(Poor(poor_hash)).build().unwrap();
    let mut model =
        Model { held: Vec::new(), policy, hand: None, entries, bytes, ttl, now: 0, stats: Stats::default() };
    for (value, step) in (0u32..).zip(history) {
        let mut gone = Vec::new();
        match step {
            Step::Get(key) => assert_eq!(table.get(&key).copied(), model.get(key)),
            Step::GetMany(keys) => {
                let mut found = Vec::new();
                table.get_many(&keys, |_, value| found.push(value.copied()));
                assert_eq!(found, keys.iter().map(|&key| model.get(key)).collect::<Vec<_>>());
            }
            Step::Peek(key) => {
                let place = model.place(key).filter(|&place| !model.expired(place));
                assert_eq!(table.peek(&key).copied(), place.map(|place| model.held[place].value));
                assert_eq!(table.contains(&key), place.is_some());
            }
            Step::Write(key, how) => {
                let written = table.write(key, value, how, |key, _| gone.push(key));
                let (wanted, wanted_gone) = model.write(key, value, how);
                assert_eq!(written.map_err(|refused| assert_eq!(refused.value, value)), wanted);
                assert_eq!(gone, wanted_gone);
            }
            Step::Claim(key) => {
                let live = model.place(key).filter(|&place| !model.expired(place));
                let wanted = live.map_or(Ok(()), |place| Err(model.held[place].value));
                assert_eq!(table.claim(key, value).map_err(|held| *held), wanted);
                if wanted.is_ok() {
                    model.write(key, value, Write::default()).0.unwrap();
                }
            }
            Step::Touch(key) => {
                let place = model.live(key);
                assert_eq!(table.touch(&key), place.is_some());
                if let Some(place) = place {
                    if ttl.is_some() {
                        model.held[place].deadline = model.deadline(Expiry::Table, None);
                    }
                    model.note_use(place);
                }
            }
            Step::Remove(key) => {
                let removed = model.place(key).and_then(|place| model.remove_at(place));
                assert_eq!(table.remove(&key), removed.map(|held| held.value));
            }
            Step::PopLru => {
                let mut popped = None;
                while popped.is_none() && !model.held.is_empty() {
                    let place = model.victim(None);
                    popped = model.remove_at(place);
                }
                assert_eq!(table.pop_lru(), popped.map(|held| (held.key, held.value)));
            }
            Step::Retain(by) => {
                table.retain(|key, _| key % by != 0);
                model.retain(|key| key % by != 0);
            }
            Step::Clear => {
                table.clear();
                model.retain(|_| false);
            }
            Step::Purge => {
                table.purge_expired();
                for place in (0..model.held.len()).rev() {
                    if model.expired(place) {
                        model.remove_at(place);
                    }
                }
            }
            Step::Bounds(entries, bytes) => {
                table.set_bounds(entries, bytes, |key, _| gone.push(key)).unwrap();
                (model.entries, model.bytes) = (entries, bytes);
                let mut wanted_gone = Vec::new();
                while model.held.len() > entries || model.sum() > bytes {
                    model.evict(None, &mut wanted_gone);
                }
                assert_eq!(gone, wanted_gone);
            }
            Step::Wait(nanos) => {
                time.advance(Duration::from_nanos(nanos));
                model.now += nanos;
            }
        }
        agree(&table, &mut model);
    }
}

fn agree(table: &Kv<u16, u32, Poor>, model: &mut Model) {
    let live: Vec<(u16, u32)> = (0..model.held.len())
        .filter(|&place| !model.expired(place))
        .map(|place| (model.held[place].key, model.held[place].value))
        .collect();
    assert_eq!(table.snapshot(), live);
    assert_eq!(table.len(), live.len());
    model.stats.residents = model.held.len() as u64;
    model.stats.bytes = model.sum() as u64;
    let stats = table.stats();
    assert_eq!(stats, model.stats);
    assert_eq!(stats.admissions, stats.evictions + stats.expirations + stats.removals + stats.residents);
    assert!(model.held.len() <= table.max_entries() && model.sum() <= table.max_bytes());
}

/// Hashes as the default does, or everything to one of three values.
#[derive(Clone)]
struct Poor(bool);

struct PoorHasher(bool, std::hash::DefaultHasher);

impl std::hash::BuildHasher for Poor {
    type Hasher = PoorHasher;

    fn build_hasher(&self) -> PoorHasher {
        PoorHasher(self.0, std::hash::DefaultHasher::new())
    }
}

impl std::hash::Hasher for PoorHasher {
    fn finish(&self) -> u64 {
        let hash = self.1.finish();
        if self.0 { hash % 3 } else { hash }
    }

    fn write(&mut self, bytes: &[u8]) {
        self.1.write(bytes);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: if cfg!(miri) { 4 } else { 200 }, ..ProptestConfig::default() })]

    #[test]
    fn small_tables_do_what_the_model_does(
        mark: bool, ttl: bool, poor: bool, entries in 1usize..12, bytes in 1usize..40,
        history in prop::collection::vec(steps(20, 40), 0..if cfg!(miri) { 60 } else { 300 }),
    ) {
        run(if mark { Policy::Mark } else { Policy::Lru }, ttl, entries, bytes, history, poor);
    }

    #[test]
    fn growing_tables_do_what_the_model_does(
        mark: bool, ttl: bool, poor: bool, entries in 1usize..300,
        history in prop::collection::vec(steps(400, 4000), 0..if cfg!(miri) { 60 } else { 600 }),
    ) {
        run(if mark { Policy::Mark } else { Policy::Lru }, ttl, entries, 40_000, history, poor);
    }
}
