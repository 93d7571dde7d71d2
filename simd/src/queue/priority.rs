//! The lowest number first.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use super::get::Get;
use super::locked::{Locked, Put, Store, shared_verbs};
use super::put::PutError;

/// A bounded queue that gives out the item with the lowest number first, and of equal ones the first to come.
///
/// Items are never compared, only their numbers. [The module](super) says how it counts and how it waits.
///
/// ```
/// let work = wreath_simd::queue::PriorityQueue::dropping_lowest(2);
/// work.offer(5.0, "later");
/// work.offer(1.0, "soon");
/// assert!(work.offer(0.5, "now"));                         // "later" is given up
/// assert!(!work.offer(1.0, "no sooner than the last"));
/// assert_eq!(work.drain(9), ["now", "soon"]);
/// assert_eq!(work.dropped(), 2);
/// ```
#[derive(Debug)]
pub struct PriorityQueue<T> {
    locked: Locked<Ranks<T>>,
    capacity: usize,
}

/// A number, and which one of those with that number.
#[derive(Clone, Copy, Debug)]
struct Rank {
    number: f64,
    turn: u64,
}

impl Ord for Rank {
    fn cmp(&self, other: &Self) -> Ordering {
        self.number.total_cmp(&other.number).then(self.turn.cmp(&other.turn))
    }
}

impl PartialOrd for Rank {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Rank {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Rank {}

/// Both ends are near at hand: the next item, and the one to give up.
#[derive(Debug)]
pub(super) struct Ranks<T> {
    items: BTreeMap<Rank, T>,
    turn: u64,
    capacity: usize,
    drop_lowest: bool,
}

impl<T> Ranks<T> {
    fn put(&mut self, number: f64, item: T) -> Put<T> {
        if number.is_nan() {
            return Put::Refused(PutError::NotANumber(item));
        }
        // Minus zero is zero, though it orders before it.
        let number = number + 0.0;
        let mut displaced = None;
        if self.items.len() >= self.capacity {
            match self.items.last_entry() {
                Some(worst) if self.drop_lowest && number < worst.key().number => {
                    displaced = Some(worst.remove());
                }
                _ => return Put::Refused(PutError::Full(item)),
            }
        }
        self.items.insert(Rank { number, turn: self.turn }, item);
        self.turn += 1;
        displaced.map_or(Put::Kept, Put::Displaced)
    }
}

impl<T> Store for Ranks<T> {
    type Item = T;

    fn take(&mut self) -> Option<T> {
        self.items.pop_first().map(|(_, item)| item)
    }

    fn len(&self) -> usize {
        self.items.len()
    }
}

impl<T> PriorityQueue<T> {
    /// A queue of at most `capacity` items, which turns new ones away when it is full.
    ///
    /// # Panics
    ///
    /// If `capacity` is zero.
    #[must_use]
    pub fn new(capacity: usize) -> Self {
        Self::with(capacity, false)
    }

    /// A queue of at most `capacity` items, which gives up the one with the largest number for a new one with a
    /// smaller number when it is full. A new one that is no better than the worst inside is turned away.
    ///
    /// # Panics
    ///
    /// If `capacity` is zero.
    #[must_use]
    pub fn dropping_lowest(capacity: usize) -> Self {
        Self::with(capacity, true)
    }

    fn with(capacity: usize, drop_lowest: bool) -> Self {
        assert!(capacity > 0, "a queue must be allowed at least one item");
        let ranks = Ranks { items: BTreeMap::new(), turn: 0, capacity, drop_lowest };
        Self { locked: Locked::new(ranks), capacity }
    }

    /// Puts an item in, or loses it and counts that. Returns whether it was taken in.
    pub fn offer(&self, number: f64, item: T) -> bool {
        self.locked.put(item, true, |ranks, item| ranks.put(number, item)).is_ok()
    }

    /// Puts an item in, or gives it back.
    ///
    /// # Errors
    ///
    /// [`PutError::Full`] when the queue is full and has nothing worse to give up; [`PutError::Closed`] when it is
    /// closed; [`PutError::NotANumber`] for a NaN.
    pub fn put(&self, number: f64, item: T) -> Result<(), PutError<T>> {
        self.locked.put(item, false, |ranks, item| ranks.put(number, item))
    }

    /// The next item, waiting for one if need be; `None` once the queue is closed and empty.
    pub fn get(&self) -> Get<'_, impl super::Source<Item = T>> {
        Get::new(&self.locked)
    }

    /// A copy of the next item, which stays. `clone` must not use this queue.
    #[must_use]
    pub fn peek(&self) -> Option<T>
    where
        T: Clone,
    {
        self.locked.state().store.items.first_key_value().map(|(_, item)| item.clone())
    }

    /// A copy of every item, the next one first. `clone` must not use this queue.
    #[must_use]
    pub fn snapshot(&self) -> Vec<T>
    where
        T: Clone,
    {
        self.locked.state().store.items.values().cloned().collect()
    }

    /// Items at most.
    #[must_use]
    pub fn capacity(&self) -> usize {
        self.capacity
    }

    shared_verbs!();
}
