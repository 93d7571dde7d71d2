//! The ids of columns, and the hash of shapes.

use std::any::TypeId;
use std::hash::{Hash, Hasher};

const SEED: u64 = 0xcbf2_9ce4_8422_2325;
const PRIME: u64 = 0x0100_0000_01b3;
const MIX: u64 = 0x9e37_79b9_7f4a_7c15;

/// The id of a column. Each name comes with its length, so that no two lists of names run together to the
/// same bytes.
pub(crate) const fn column(schema: Option<&str>, table: &str, name: &str) -> u64 {
    let hash = match schema {
        Some(schema) => text(schema, SEED ^ 1),
        None => SEED,
    };
    text(name, text(table, hash))
}

/// The hash of a name.
pub(crate) const fn name(name: &str) -> u64 {
    text(name, SEED)
}

const fn text(s: &str, mut hash: u64) -> u64 {
    let bytes = s.as_bytes();
    let mut i = 0;
    while i < 8 {
        hash = (hash ^ ((bytes.len() as u64) >> (8 * i) & 0xff)).wrapping_mul(PRIME);
        i += 1;
    }
    i = 0;
    while i < bytes.len() {
        hash = (hash ^ bytes[i] as u64).wrapping_mul(PRIME);
        i += 1;
    }
    hash
}

/// An id with the Rust type mixed in.
#[inline]
pub(crate) fn typed(id: u64, type_id: TypeId) -> u64 {
    (id ^ type_word(type_id)).wrapping_mul(MIX)
}

/// A word for a type. Type ids are hashes already, so a part of one is taken as it is.
#[inline]
pub(crate) fn type_word(type_id: TypeId) -> u64 {
    let mut taken = Take(0);
    type_id.hash(&mut taken);
    taken.0
}

struct Take(u64);

impl Hasher for Take {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(PRIME);
        }
    }

    #[inline]
    fn write_u64(&mut self, word: u64) {
        self.0 ^= word;
    }
}

/// The hash of a shape: every word moves every bit, since the cache takes bits from both ends.
#[inline]
pub(crate) fn shape(output: TypeId, words: &[u64]) -> u64 {
    let mut hash = type_word(output) ^ words.len() as u64;
    for word in words {
        hash = (hash.rotate_left(26) ^ word).wrapping_mul(MIX);
    }
    hash ^= hash >> 32;
    hash = hash.wrapping_mul(MIX);
    hash ^ (hash >> 29)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_do_not_run_together() {
        let ids = [
            column(None, "ab", "c"),
            column(None, "a", "bc"),
            column(Some("a"), "b", "c"),
            column(Some(""), "ab", "c"),
            column(None, "abc", ""),
            column(None, "", "abc"),
        ];
        for (i, id) in ids.iter().enumerate() {
            assert!(!ids[..i].contains(id), "{i}");
        }
    }

    #[test]
    fn the_type_is_part_of_the_id() {
        let id = column(None, "llamas", "id");
        assert_ne!(typed(id, TypeId::of::<i64>()), typed(id, TypeId::of::<i32>()));
        assert_ne!(typed(id, TypeId::of::<i64>()), typed(id, TypeId::of::<Option<i64>>()));
        assert_eq!(typed(id, TypeId::of::<i64>()), typed(id, TypeId::of::<i64>()));
    }

    #[test]
    fn order_and_output_move_the_hash() {
        let of = TypeId::of::<()>();
        assert_ne!(shape(of, &[1, 2]), shape(of, &[2, 1]));
        assert_ne!(shape(of, &[1, 2]), shape(TypeId::of::<u8>(), &[1, 2]));
        assert_ne!(shape(of, &[0]), shape(of, &[0, 0]));
    }
}
