//! A turn for everyone: lanes, served in rotation.

use std::borrow::Borrow;
use std::collections::{HashMap, VecDeque};
use std::hash::Hash;

use super::get::Get;
use super::locked::{Locked, Put, Store, shared_verbs};
use super::put::PutError;

/// A bounded queue for each of a bounded number of lanes, which take turns.
///
/// With a lane for each tenant, one that offers faster than the others fills, and loses from, its own lane, and
/// the others keep their turns. Lanes come into being with their first item and stay; one too many is refused,
/// since lane names often come from outside. [The module](super) says how it counts and how it waits.
///
/// ```
/// let work = wreath_simd::queue::RoundRobin::new(1024, 256);
/// for (lane, job) in [("a", 1), ("a", 2), ("a", 3), ("b", 10)] {
///     work.offer(lane, job);
/// }
/// assert_eq!(work.drain(9), [1, 10, 2, 3]);
/// ```
#[derive(Debug)]
pub struct RoundRobin<L, T> {
    locked: Locked<Lanes<L, T>>,
    capacity: usize,
    max_lanes: usize,
}

#[derive(Debug)]
pub(super) struct Lanes<L, T> {
    places: HashMap<L, usize>,
    lanes: Vec<VecDeque<T>>,
    /// A bit for each lane that has items.
    ready: Vec<u64>,
    /// The lane whose turn is next.
    cursor: usize,
    len: usize,
    capacity: usize,
    max_lanes: usize,
    drop_oldest: bool,
}

impl<L: Eq + Hash, T> Lanes<L, T> {
    fn open<Q>(&mut self, lane: &Q) -> Option<usize>
    where
        L: Borrow<Q>,
        Q: Hash + Eq + ToOwned<Owned = L> + ?Sized,
    {
        if let Some(&place) = self.places.get(lane) {
            return Some(place);
        }
        let place = self.lanes.len();
        if place >= self.max_lanes {
            return None;
        }
        self.places.insert(lane.to_owned(), place);
        self.lanes.push(VecDeque::new());
        self.ready.resize(place / 64 + 1, 0);
        Some(place)
    }

    fn put<Q>(&mut self, lane: &Q, item: T) -> Put<T>
    where
        L: Borrow<Q>,
        Q: Hash + Eq + ToOwned<Owned = L> + ?Sized,
    {
        let Some(place) = self.open(lane) else { return Put::Refused(PutError::TooManyLanes(item)) };
        let lane = &mut self.lanes[place];
        let oldest = if lane.len() < self.capacity {
            self.len += 1;
            None
        } else if self.drop_oldest {
            lane.pop_front()
        } else {
            return Put::Refused(PutError::Full(item));
        };
        lane.push_back(item);
        self.ready[place / 64] |= 1 << (place % 64);
        oldest.map_or(Put::Kept, Put::Displaced)
    }
}

impl<L, T> Lanes<L, T> {
    /// The first lane with items from `from` on, round to it again.
    fn next_ready(&self, from: usize) -> Option<usize> {
        let words = self.ready.len();
        let first = from / 64;
        // The word of `from` comes twice: its upper part first, its lower part last.
        (0..=words).find_map(|step| {
            let word = (first + step) % words.max(1);
            let below = (1u64 << (from % 64)) - 1;
            let bits = match (step, *self.ready.get(word)?) {
                (0, bits) => bits & !below,
                (step, bits) if step == words => bits & below,
                (_, bits) => bits,
            };
            (bits != 0).then(|| word * 64 + bits.trailing_zeros() as usize)
        })
    }
}

impl<L, T> Store for Lanes<L, T> {
    type Item = T;

    fn take(&mut self) -> Option<T> {
        let place = self.next_ready(self.cursor)?;
        let lane = &mut self.lanes[place];
        let item = lane.pop_front();
        if lane.is_empty() {
            self.ready[place / 64] &= !(1 << (place % 64));
        }
        self.len -= 1;
        self.cursor = (place + 1) % self.lanes.len();
        item
    }

    fn len(&self) -> usize {
        self.len
    }
}

impl<L: Eq + Hash, T> RoundRobin<L, T> {
    /// Up to `max_lanes` lanes of at most `capacity` items each, which turn new ones away when they are full.
    ///
    /// # Panics
    ///
    /// If `capacity` or `max_lanes` is zero.
    #[must_use]
    pub fn new(capacity: usize, max_lanes: usize) -> Self {
        Self::with(capacity, max_lanes, false)
    }

    /// The same with lanes that give up their oldest items for new ones when they are full.
    ///
    /// # Panics
    ///
    /// If `capacity` or `max_lanes` is zero.
    #[must_use]
    pub fn dropping_oldest(capacity: usize, max_lanes: usize) -> Self {
        Self::with(capacity, max_lanes, true)
    }

    fn with(capacity: usize, max_lanes: usize, drop_oldest: bool) -> Self {
        assert!(capacity > 0 && max_lanes > 0, "a queue must be allowed at least one item in one lane");
        let lanes = Lanes {
            places: HashMap::new(),
            lanes: Vec::new(),
            ready: Vec::new(),
            cursor: 0,
            len: 0,
            capacity,
            max_lanes,
            drop_oldest,
        };
        Self { locked: Locked::new(lanes), capacity, max_lanes }
    }

    /// Opens a lane, so that it has its place in the rotation before it has items. Returns whether there is such
    /// a lane now.
    pub fn open<Q>(&self, lane: &Q) -> bool
    where
        L: Borrow<Q>,
        Q: Hash + Eq + ToOwned<Owned = L> + ?Sized,
    {
        self.locked.state().store.open(lane).is_some()
    }

    /// Puts an item into a lane, or loses it and counts that. Returns whether it was taken in.
    pub fn offer<Q>(&self, lane: &Q, item: T) -> bool
    where
        L: Borrow<Q>,
        Q: Hash + Eq + ToOwned<Owned = L> + ?Sized,
    {
        self.locked.put(item, true, |lanes, item| lanes.put(lane, item)).is_ok()
    }

    /// Puts an item into a lane, or gives it back.
    ///
    /// # Errors
    ///
    /// [`PutError::Full`] when the lane is full and does not drop its oldest item; [`PutError::TooManyLanes`] when
    /// the lane is new and there may be no more of them; [`PutError::Closed`] when the queue is closed.
    pub fn put<Q>(&self, lane: &Q, item: T) -> Result<(), PutError<T>>
    where
        L: Borrow<Q>,
        Q: Hash + Eq + ToOwned<Owned = L> + ?Sized,
    {
        self.locked.put(item, false, |lanes, item| lanes.put(lane, item))
    }

    /// The lanes, in the order of the rotation, which is that of their first items.
    #[must_use]
    pub fn lanes(&self) -> Vec<L>
    where
        L: Clone,
    {
        let state = self.locked.state();
        let mut lanes: Vec<(usize, L)> =
            state.store.places.iter().map(|(lane, place)| (*place, lane.clone())).collect();
        lanes.sort_unstable_by_key(|(place, _)| *place);
        lanes.into_iter().map(|(_, lane)| lane).collect()
    }
}

impl<L, T> RoundRobin<L, T> {
    /// The next item, waiting for one if need be; `None` once the queue is closed and empty.
    pub fn get(&self) -> Get<'_, impl super::Source<Item = T>> {
        Get::new(&self.locked)
    }

    /// A copy of the next item, which stays; the rotation does too. `clone` must not use this queue.
    #[must_use]
    pub fn peek(&self) -> Option<T>
    where
        T: Clone,
    {
        let state = self.locked.state();
        let place = state.store.next_ready(state.store.cursor)?;
        state.store.lanes[place].front().cloned()
    }

    /// A copy of every item, in the order in which they would come out. `clone` must not use this queue.
    #[must_use]
    pub fn snapshot(&self) -> Vec<T>
    where
        T: Clone,
    {
        let state = self.locked.state();
        let lanes = &state.store.lanes;
        let deepest = lanes.iter().map(VecDeque::len).max().unwrap_or(0);
        let rotation = (0..lanes.len()).map(|step| &lanes[(state.store.cursor + step) % lanes.len()]);
        (0..deepest).flat_map(|row| rotation.clone().filter_map(move |lane| lane.get(row).cloned())).collect()
    }

    /// Items that each lane holds at most.
    #[must_use]
    pub fn capacity(&self) -> usize {
        self.capacity
    }

    /// Lanes at most.
    #[must_use]
    pub fn max_lanes(&self) -> usize {
        self.max_lanes
    }

    shared_verbs!();
}
