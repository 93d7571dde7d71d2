//! The default hasher: fast on short keys, and seeded afresh for each table.

use std::hash::{BuildHasher, Hasher, RandomState};

/// Makes [`SeededHasher`]s with secret random keys.
///
/// The keys come from the operating system through the standard library's own seeding, and differ from one
/// `SeededState` to the next, so that nobody outside the process can prepare keys that collide. The hash
/// itself is a chain of folded 64-bit multiplications: several times as fast as `SipHash` on short keys,
/// and not a cryptographic function. An adversary who could measure single lookups precisely, over a long
/// time, is a reason to pass [`std::hash::RandomState`] to
/// [`Builder::hasher`](crate::kv::Builder::hasher) instead.
///
/// ```
/// use std::hash::BuildHasher;
/// use wreath_simd::SeededState;
///
/// let state = SeededState::new();
/// assert_eq!(state.hash_one("llama"), state.clone().hash_one("llama"));
/// assert_ne!(state.hash_one("llama"), SeededState::new().hash_one("llama"));
/// ```
#[derive(Clone)]
pub struct SeededState {
    keys: [u64; 4],
}

impl SeededState {
    /// A state with keys of its own.
    #[must_use]
    pub fn new() -> Self {
        let source = RandomState::new();
        Self { keys: [0u64, 1, 2, 3].map(|place| source.hash_one(place)) }
    }
}

impl Default for SeededState {
    fn default() -> Self {
        Self::new()
    }
}

impl std::fmt::Debug for SeededState {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // The keys stay secret, in logs too.
        f.debug_struct("SeededState").finish_non_exhaustive()
    }
}

impl BuildHasher for SeededState {
    type Hasher = SeededHasher;

    #[inline]
    fn build_hasher(&self) -> SeededHasher {
        let [state, keys @ ..] = self.keys;
        SeededHasher { state, pending: 0, pending_bits: 0, keys }
    }
}

/// The hasher of [`SeededState`].
#[derive(Clone)]
pub struct SeededHasher {
    state: u64,
    /// Integers wait here until they fill a word, so that a key of few small parts costs one multiplication.
    pending: u64,
    pending_bits: u32,
    keys: [u64; 3],
}

impl std::fmt::Debug for SeededHasher {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SeededHasher").finish_non_exhaustive()
    }
}

impl SeededHasher {
    #[inline]
    fn integer(&mut self, value: u64, bits: u32) {
        if self.pending_bits + bits > u64::BITS {
            self.state = fold(self.state ^ self.pending, self.keys[0]);
            self.pending = value;
            self.pending_bits = bits;
        } else {
            self.pending |= value << self.pending_bits;
            self.pending_bits += bits;
        }
    }
}

impl Hasher for SeededHasher {
    #[inline]
    fn write(&mut self, bytes: &[u8]) {
        // The length is part of the state, because the reads below overlap in short inputs; multiplied, so
        // that no small difference in the bytes makes up for it.
        let state = self.state.wrapping_add((bytes.len() as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let [a, b, c] = self.keys;
        self.state = match bytes.len() {
            0 => fold(state, a),
            1..=3 => {
                let (first, middle, last) = (bytes[0], bytes[bytes.len() / 2], bytes[bytes.len() - 1]);
                fold(state ^ u64::from(first), a ^ u64::from(middle) ^ u64::from(last) << 8)
            }
            4..=7 => fold(state ^ u64::from(front_u32(bytes)), a ^ u64::from(back_u32(bytes))),
            8..=16 => fold(state ^ front(bytes), a ^ back(bytes, 0)),
            17..=32 => {
                let start = fold(state ^ front(bytes), a ^ front(&bytes[8..]));
                let end = fold(b ^ back(bytes, 8), c ^ back(bytes, 0));
                start ^ end
            }
            _ => long(bytes, state, a, b, c),
        };
    }

    #[inline]
    fn write_u8(&mut self, value: u8) {
        self.integer(value.into(), 8);
    }

    #[inline]
    fn write_u16(&mut self, value: u16) {
        self.integer(value.into(), 16);
    }

    #[inline]
    fn write_u32(&mut self, value: u32) {
        self.integer(value.into(), 32);
    }

    #[inline]
    fn write_u64(&mut self, value: u64) {
        self.integer(value, 64);
    }

    #[inline]
    fn write_usize(&mut self, value: usize) {
        self.integer(value as u64, 64);
    }

    #[inline]
    fn finish(&self) -> u64 {
        fold(self.state ^ self.pending, self.keys[1])
    }
}

/// More than 32 bytes: two independent chains of 16 bytes, then the last 32 bytes, which may overlap.
///
/// The keys come one by one, so that the hasher need not lie in memory for them.
fn long(bytes: &[u8], state: u64, a: u64, b: u64, c: u64) -> u64 {
    let (mut left, mut right) = (state, state ^ c);
    let mut rest = bytes;
    while rest.len() > 32 {
        left = fold(left ^ front(rest), a ^ front(&rest[8..]));
        right = fold(right ^ front(&rest[16..]), b ^ front(&rest[24..]));
        rest = &rest[32..];
    }
    left = fold(left ^ back(bytes, 24), a ^ back(bytes, 16));
    right = fold(right ^ back(bytes, 8), b ^ back(bytes, 0));
    left ^ right.rotate_left(32)
}

/// The 128-bit product, folded onto itself: every input bit reaches every output bit.
#[inline(always)]
#[expect(clippy::cast_possible_truncation, reason = "the fold takes the product's two halves")]
fn fold(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    product as u64 ^ (product >> 64) as u64
}

/// What a table makes of a hash before it uses its upper bits, whoever made the hash: a caller's own may be the key
/// itself, and leave its upper bits alone.
#[inline(always)]
pub(crate) fn mix(hash: u64) -> u64 {
    hash.wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

/// The first eight bytes.
#[inline(always)]
fn front(bytes: &[u8]) -> u64 {
    u64::from_le_bytes(*bytes.first_chunk().expect("eight bytes or more"))
}

/// The eight bytes that end `skip` before the end.
#[inline(always)]
fn back(bytes: &[u8], skip: usize) -> u64 {
    u64::from_le_bytes(*bytes[..bytes.len() - skip].last_chunk().expect("eight bytes or more"))
}

#[inline(always)]
fn front_u32(bytes: &[u8]) -> u32 {
    u32::from_le_bytes(*bytes.first_chunk().expect("four bytes or more"))
}

#[inline(always)]
fn back_u32(bytes: &[u8]) -> u32 {
    u32::from_le_bytes(*bytes.last_chunk().expect("four bytes or more"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;
    use std::hash::Hash;

    /// Collisions, and distinct values of the highest twelve and the lowest eight bits: each the median over five
    /// seeds, since one in some hundreds is unlucky with a pattern, which costs a table time and nothing else.
    fn spread<T: Hash>(keys: impl Iterator<Item = T> + Clone) -> (usize, usize, usize) {
        let (mut collisions, mut tops, mut lows) = ([0; 5], [0; 5], [0; 5]);
        for seed in 0..5 {
            let state = SeededState::new();
            let hashes: Vec<u64> = keys.clone().map(|key| state.hash_one(key)).collect();
            let distinct =
                |part: fn(u64) -> u64| hashes.iter().map(|&h| part(h)).collect::<HashSet<u64>>().len();
            collisions[seed] = hashes.len() - distinct(|hash| hash);
            tops[seed] = distinct(|hash| hash >> 52);
            lows[seed] = distinct(|hash| hash & 0xff);
        }
        let median = |mut values: [usize; 5]| {
            values.sort_unstable();
            values[2]
        };
        (median(collisions), median(tops), median(lows))
    }

    #[test]
    #[cfg_attr(miri, ignore = "nothing but arithmetic, and a lot of it")]
    fn patterned_keys_spread_over_high_and_low_bits() {
        // 40,000 even draws of 4,096 values leave out fewer than one; one multiplication does worse on plain counters.
        for (collisions, top, low) in [
            spread(0..40_000u64),
            spread((0..40_000u64).map(|i| i << 48)),
            spread((0..40_000u64).map(|i| i.reverse_bits())),
            spread((0..40_000u32).map(|i| (i & 0xff, i >> 8))),
            spread((0..40_000).map(|i| format!("key:{i}"))),
            spread((0..40_000).map(|i| format!("key:{i:020}"))),
            spread((0..40_000).map(|i| format!("SELECT a, b, c FROM t WHERE x = $1 AND y = {i} AND z > 0"))),
        ] {
            assert_eq!(collisions, 0);
            assert!(top > 2_500, "{top} of 4096 high values");
            assert_eq!(low, 256);
        }
    }

    #[test]
    fn every_byte_and_the_length_matter() {
        let state = SeededState::new();
        let hash = |bytes: &[u8]| {
            let mut hasher = state.build_hasher();
            hasher.write(bytes);
            hasher.finish()
        };
        let mut seen = HashSet::new();
        for len in 0..if cfg!(miri) { 40 } else { 200 } {
            let mut bytes = vec![0u8; len];
            assert!(seen.insert(hash(&bytes)), "{len} zeros");
            for place in 0..len {
                bytes[place] = 1;
                assert!(seen.insert(hash(&bytes)), "byte {place} of {len}");
                bytes[place] = 0;
            }
        }
    }

    #[test]
    fn integers_do_not_run_into_one_another() {
        let state = SeededState::new();
        assert_ne!(state.hash_one((1u8, 0u64)), state.hash_one((0u8, 1u64)));
        assert_ne!(state.hash_one((1u32, 2u32, 3u32)), state.hash_one((1u32, 2u32, 4u32)));
        assert_ne!(state.hash_one(("a", "bc")), state.hash_one(("ab", "c")));
    }
}
