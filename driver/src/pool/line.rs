//! A queue that those who wait in it can leave from any place.

/// Callers in the order in which they came. A ticket is good until its holder [leaves](Self::leave).
#[derive(Debug)]
pub(super) struct Line<T> {
    places: Vec<Place<T>>,
    free: Vec<u32>,
    first: Option<u32>,
    last: Option<u32>,
    len: usize,
}

/// A place in a [`Line`], or beside it once it has been called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Ticket(u32);

#[derive(Debug)]
struct Place<T> {
    /// `None` while nobody has this place.
    holder: Option<T>,
    waits: bool,
    before: Option<u32>,
    behind: Option<u32>,
}

impl<T> Default for Line<T> {
    fn default() -> Self {
        Self { places: Vec::new(), free: Vec::new(), first: None, last: None, len: 0 }
    }
}

impl<T> Line<T> {
    /// How many wait.
    pub(super) fn len(&self) -> usize {
        self.len
    }

    pub(super) fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Joins at the end.
    pub(super) fn join(&mut self, holder: T) -> Ticket {
        let at = self.place(holder);
        self.link(at, self.last, None);
        Ticket(at)
    }

    /// Joins before everybody else.
    pub(super) fn join_first(&mut self, holder: T) -> Ticket {
        let at = self.place(holder);
        self.link(at, None, self.first);
        Ticket(at)
    }

    /// Who is next.
    pub(super) fn first(&self) -> Option<&T> {
        self.places[self.first? as usize].holder.as_ref()
    }

    /// Calls the next one, who waits no longer and keeps the ticket.
    pub(super) fn call(&mut self) -> Option<&mut T> {
        let at = self.first?;
        self.unlink(at);
        self.places[at as usize].holder.as_mut()
    }

    /// Whoever holds the ticket.
    pub(super) fn get(&mut self, ticket: Ticket) -> Option<&mut T> {
        self.places[ticket.0 as usize].holder.as_mut()
    }

    /// The ticket's holder goes, called or not.
    pub(super) fn leave(&mut self, ticket: Ticket) -> Option<T> {
        if self.places[ticket.0 as usize].waits {
            self.unlink(ticket.0);
        }
        let holder = self.places[ticket.0 as usize].holder.take();
        if holder.is_some() {
            self.free.push(ticket.0);
        }
        holder
    }

    /// All who have a ticket, in no order.
    pub(super) fn holders(&mut self) -> impl Iterator<Item = &mut T> {
        self.places.iter_mut().filter_map(|place| place.holder.as_mut())
    }

    fn place(&mut self, holder: T) -> u32 {
        let place = Place { holder: Some(holder), waits: false, before: None, behind: None };
        if let Some(at) = self.free.pop() {
            self.places[at as usize] = place;
            return at;
        }
        self.places.push(place);
        // Callers are tasks, of which memory cannot hold that many.
        u32::try_from(self.places.len() - 1).unwrap_or(u32::MAX)
    }

    fn link(&mut self, at: u32, before: Option<u32>, behind: Option<u32>) {
        let place = &mut self.places[at as usize];
        (place.waits, place.before, place.behind) = (true, before, behind);
        match before {
            Some(before) => self.places[before as usize].behind = Some(at),
            None => self.first = Some(at),
        }
        match behind {
            Some(behind) => self.places[behind as usize].before = Some(at),
            None => self.last = Some(at),
        }
        self.len += 1;
    }

    fn unlink(&mut self, at: u32) {
        let place = &mut self.places[at as usize];
        place.waits = false;
        let (before, behind) = (place.before.take(), place.behind.take());
        match before {
            Some(before) => self.places[before as usize].behind = behind,
            None => self.first = behind,
        }
        match behind {
            Some(behind) => self.places[behind as usize].before = before,
            None => self.last = before,
        }
        self.len -= 1;
    }
}

#[cfg(test)]
mod tests {
    use std::collections::VecDeque;

    use super::*;

    #[test]
    fn callers_leave_from_any_place() {
        let mut line = Line::default();
        let tickets: Vec<_> = (0..5).map(|n| line.join(n)).collect();
        assert_eq!(line.leave(tickets[2]), Some(2));
        assert_eq!(line.leave(tickets[0]), Some(0));
        assert_eq!(line.leave(tickets[4]), Some(4));
        let front = line.join_first(9);
        assert_eq!(line.len(), 3);
        assert_eq!(line.call().copied(), Some(9));
        assert_eq!(line.call().copied(), Some(1));
        assert_eq!(line.get(tickets[1]).copied(), Some(1));
        assert_eq!(line.leave(front), Some(9));
        assert_eq!(line.call().copied(), Some(3));
        assert!(line.is_empty() && line.call().is_none());
    }

    #[test]
    fn it_is_a_queue_whatever_is_done_to_it() {
        let seed = u64::from(std::time::UNIX_EPOCH.elapsed().expect("after 1970").subsec_nanos());
        println!("seed {seed}");
        let mut state = seed | 1;
        let mut random = |n: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            usize::try_from((state >> 33) % n).expect("small")
        };
        let mut line = Line::default();
        let (mut waiting, mut called) = (VecDeque::new(), Vec::new());
        for n in 0..20_000 {
            match random(5) {
                0 | 1 => waiting.push_back((line.join(n), n)),
                2 => waiting.push_front((line.join_first(n), n)),
                3 => {
                    let expected = waiting.pop_front();
                    assert_eq!(line.call().copied(), expected.map(|(_, n)| n));
                    called.extend(expected);
                }
                _ if random(2) == 0 && !called.is_empty() => {
                    let at = random(called.len() as u64);
                    let (ticket, n) = called.swap_remove(at);
                    assert_eq!(line.leave(ticket), Some(n));
                }
                _ if !waiting.is_empty() => {
                    let at = random(waiting.len() as u64);
                    let (ticket, n) = waiting.remove(at).expect("it is there");
                    assert_eq!(line.leave(ticket), Some(n));
                }
                _ => {}
            }
            assert_eq!(line.len(), waiting.len());
            assert_eq!(line.first().copied(), waiting.front().map(|&(_, n)| n));
        }
    }
}
