//! In which order a flush inserts.
//!
//! Objects that are linked to others go after them, in another flight, because their statement needs keys that the
//! server is still to make. Within a flight, tables that others refer to go first.

use std::collections::{HashMap, VecDeque};

use crate::error::{Error, ErrorKind, Result};
use crate::model::{Node, by_dependency};
use crate::session::arena::AnyArena;
use crate::session::link::Link;

/// An object: the place of its arena, and its slot.
type Place = (usize, u32);

/// When which object is inserted.
pub(crate) struct Schedule {
    /// The places of the arenas, those that others refer to first.
    pub(crate) order: Vec<usize>,
    /// The flight of each object that is in a later one than its table's first.
    waves: HashMap<Place, usize>,
    /// The first flight of each table.
    first: Vec<usize>,
    /// The last flight that inserts.
    pub(crate) last: usize,
    /// Whether tables with pending rows refer to each other in a circle.
    pub(crate) is_circle: bool,
}

impl Schedule {
    pub(crate) fn new(arenas: &[Box<dyn AnyArena>]) -> Result<Self> {
        let nodes: Vec<Node> = arenas.iter().map(|arena| arena.node()).collect();
        let order = by_dependency(&nodes);
        let pending: Vec<bool> = arenas.iter().map(|arena| arena.is_pending()).collect();
        let targets = |of: usize| {
            let named = nodes[of].refers_to.iter();
            named
                .filter_map(|table| nodes.iter().position(|node| node.table == *table))
                .filter(move |&to| to != of)
        };
        let rank = |place: usize| order.iter().position(|&at| at == place);
        let is_circle = (0..nodes.len())
            .any(|of| pending[of] && targets(of).any(|to| pending[to] && rank(to) > rank(of)));
        let mut first = vec![0; nodes.len()];
        // A table's rows may refer to rows of another by keys that are known; then they must not go before them. Each
        // round settles one table more.
        for _ in 0..=nodes.len() {
            let waves = waves(arenas, &first)?;
            let mut latest = first.clone();
            for (&(arena, _), &wave) in &waves {
                latest[arena] = latest[arena].max(wave);
            }
            let mut next = first.clone();
            for &place in &order {
                let earlier = targets(place).filter(|&to| rank(to) < rank(place));
                next[place] = earlier.map(|to| latest[to]).max().unwrap_or(0).max(first[place]);
                latest[place] = latest[place].max(next[place]);
            }
            if next == first {
                let last = latest.into_iter().max().unwrap_or(0);
                return Ok(Self { order, waves, first, last, is_circle });
            }
            first = next;
        }
        let last = waves(arenas, &first)?.into_values().chain(first.iter().copied()).max().unwrap_or(0);
        Ok(Self { order, waves: waves(arenas, &first)?, first, last, is_circle })
    }

    /// The flight that inserts an object.
    pub(crate) fn wave(&self, arena: usize, slot: u32) -> usize {
        self.waves.get(&(arena, slot)).copied().unwrap_or(self.first[arena])
    }
}

/// The flights of objects that are linked to others that are still to be inserted.
fn waves(arenas: &[Box<dyn AnyArena>], first: &[usize]) -> Result<HashMap<Place, usize>> {
    let mut waiting: HashMap<Place, (usize, Vec<Link>)> = HashMap::new();
    let mut children: HashMap<Place, Vec<Place>> = HashMap::new();
    for (place, arena) in arenas.iter().enumerate() {
        for (slot, links) in arena.new_links() {
            let links: Vec<Link> = links
                .iter()
                .copied()
                .filter(|link| arenas[link.arena].is_new(link.slot, link.generation))
                .collect();
            for link in &links {
                children.entry((link.arena, link.slot)).or_default().push((place, slot));
            }
            if !links.is_empty() {
                waiting.insert((place, slot), (links.len(), links));
            }
        }
    }
    let mut waves: HashMap<Place, usize> = HashMap::new();
    let mut ready: VecDeque<Place> =
        children.keys().copied().filter(|at| !waiting.contains_key(at)).collect();
    while let Some(at) = ready.pop_front() {
        let wave = waves.get(&at).copied().unwrap_or(first[at.0]);
        for child in children.get(&at).into_iter().flatten() {
            let of_child = waves.entry(*child).or_insert(first[child.0]);
            *of_child = (*of_child).max(wave + 1);
            if let Some((left, _)) = waiting.get_mut(child) {
                *left -= 1;
                if *left == 0 {
                    waiting.remove(child);
                    ready.push_back(*child);
                }
            }
        }
    }
    match waiting.keys().min() {
        None => Ok(waves),
        Some(&start) => Err(circle(arenas, &waiting, start)),
    }
}

/// Names the columns of a circle of links.
fn circle(arenas: &[Box<dyn AnyArena>], waiting: &HashMap<Place, (usize, Vec<Link>)>, start: Place) -> Error {
    let mut path: Vec<(Place, String)> = Vec::new();
    let mut at = start;
    while !path.iter().any(|(seen, _)| *seen == at) {
        let next = waiting
            .get(&at)
            .and_then(|(_, links)| links.iter().find(|link| waiting.contains_key(&(link.arena, link.slot))));
        let Some(link) = next else { break };
        path.push((at, arenas[at.0].column_name(link.near)));
        at = (link.arena, link.slot);
    }
    let begin = path.iter().position(|(seen, _)| *seen == at).unwrap_or(0);
    let names: Vec<_> = path[begin..].iter().map(|(_, name)| name.as_str()).collect();
    let detail = format!(
        "new objects are linked in a circle, and none of them can be inserted first: {} -> the first again; \
         flush one of them without its link, and link it then",
        names.join(" -> ")
    );
    Error::new(ErrorKind::Declaration, detail)
}
