//! The keys of plans.

use std::any::TypeId;

use smallvec::SmallVec;

use crate::plan::hash;

/// Words enough for a query with three or four conditions; a longer one moves to the heap.
const INLINE_WORDS: usize = 40;

/// The kinds of statements, each with the word that its keys begin with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Select = 1,
    Count = 2,
    Exists = 3,
    Insert = 4,
    Update = 5,
    Delete = 6,
    InsertMany = 7,
    UpdateWhere = 8,
    DeleteWhere = 9,
    Related = 10,
}

/// What a plan is found by. On a hit it is compared whole, not by its hash.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Key {
    output: TypeId,
    words: SmallVec<[u64; INLINE_WORDS]>,
}

impl Key {
    /// A key for a kind of statement whose result is read as the type `output` says.
    #[inline]
    pub(crate) fn new(kind: Kind, output: TypeId) -> Self {
        let mut words = SmallVec::new();
        words.push(kind as u64);
        Self { output, words }
    }

    #[inline]
    pub(crate) fn push(&mut self, word: u64) {
        self.words.push(word);
    }

    /// Appends a clause: its length, then its words.
    #[inline]
    pub(crate) fn clause(&mut self, words: &[u64]) {
        self.words.push(words.len() as u64);
        self.words.extend_from_slice(words);
    }

    /// Appends the numbers of parameters, of which some are one.
    pub(crate) fn numbers(&mut self, numbers: &[usize]) {
        self.words.push(numbers.len() as u64);
        self.words.extend(numbers.iter().map(|&number| number as u64));
    }

    #[inline]
    pub(crate) fn hash(&self) -> u64 {
        hash::shape(self.output, &self.words)
    }

    /// About how many bytes it takes.
    pub(crate) fn cost(&self) -> usize {
        let spilled = if self.words.spilled() { size_of_val(&*self.words) } else { 0 };
        size_of::<Self>() + spilled
    }
}
