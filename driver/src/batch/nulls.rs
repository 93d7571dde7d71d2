//! Which values of a column are NULL.

/// A bit for each value, from the lowest bit of the first word on. There is no word behind the last NULL, so a column
/// without NULLs takes no memory here.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Nulls {
    words: Vec<u64>,
    count: usize,
}

impl Nulls {
    pub(super) fn count(&self) -> usize {
        self.count
    }

    #[inline]
    pub(super) fn contains(&self, i: usize) -> bool {
        self.count > 0 && self.words.get(i / 64).is_some_and(|word| word >> (i % 64) & 1 == 1)
    }

    /// Notes that the `i`th value, which has not been noted before, is NULL.
    pub(super) fn insert(&mut self, i: usize) {
        if self.words.len() <= i / 64 {
            self.words.resize(i / 64 + 1, 0);
        }
        self.words[i / 64] |= 1 << (i % 64);
        self.count += 1;
    }

    /// The NULLs among the values at `places`, in that order.
    pub(super) fn gather(&self, places: &[usize]) -> Self {
        let mut gathered = Self::default();
        if self.count > 0 {
            let found = (0..).zip(places).filter(|&(_, &place)| self.contains(place));
            found.for_each(|(i, _)| gathered.insert(i));
        }
        gathered
    }

    /// Appends those of `other`, of `len` values, behind `at` values.
    pub(super) fn append(&mut self, at: usize, other: &Self, len: usize) {
        if other.count > 0 {
            (0..len).filter(|&i| other.contains(i)).for_each(|i| self.insert(at + i));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(places: &[usize]) -> Nulls {
        let mut nulls = Nulls::default();
        places.iter().for_each(|&i| nulls.insert(i));
        nulls
    }

    #[test]
    fn places_are_found_gathered_and_appended() {
        let nulls = of(&[0, 63, 64, 200]);
        assert_eq!((nulls.count(), nulls.words.len()), (4, 4));
        let found: Vec<_> = (0..1000).filter(|&i| nulls.contains(i)).collect();
        assert_eq!(found, [0, 63, 64, 200]);
        assert_eq!(nulls.gather(&[200, 1, 1, 63, 2]), of(&[0, 3]));
        let mut more = of(&[1]);
        more.append(70, &nulls, 201);
        assert_eq!(more, of(&[1, 70, 133, 134, 270]));
        more.append(300, &Nulls::default(), 50);
        assert_eq!(more.count(), 5);
    }
}
