//! What the model cannot say: panics, ownership, work done, and the edges of the bounds.

use std::cell::Cell;
use std::collections::HashSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;
use std::time::Duration;

use super::{BoundsError, Expiry, Kv, Policy, Write};
use crate::clock::ManualClock;

/// `SplitMix64`, for histories that repeat.
pub(super) fn scramble(id: u64) -> u64 {
    let id = id.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let id = (id ^ (id >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let id = (id ^ (id >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    id ^ (id >> 31)
}

#[test]
fn bounds_of_nothing_are_refused() {
    assert_eq!(Kv::<u8, u8>::builder(0).build().unwrap_err(), BoundsError::NoEntries);
    assert_eq!(Kv::<u8, u8>::builder(1).max_bytes(0).build().unwrap_err(), BoundsError::NoBytes);
    assert_eq!(Kv::<u8, u8>::builder(1).ttl(Duration::ZERO).build().unwrap_err(), BoundsError::NoLifetime);
    let mut table = Kv::<u8, u8>::new(3);
    assert_eq!(table.set_bounds(0, 1, |_, _| ()).unwrap_err(), BoundsError::NoEntries);
    assert_eq!(table.max_entries(), 3);
}

#[test]
fn a_table_starts_with_32_slots_and_grows_to_its_bound() {
    let mut table = Kv::new(1000);
    assert_eq!(table.slots(), 32);
    let mut sizes = HashSet::new();
    for key in 0..5000u32 {
        table.insert(key, ());
        sizes.insert(table.slots());
    }
    assert_eq!(table.slots(), 1472);
    let mut sizes: Vec<usize> = sizes.into_iter().collect();
    sizes.sort_unstable();
    assert_eq!(sizes, [32, 64, 128, 256, 512, 1024, 1472]);
    assert_eq!(table.len(), 1000);
}

#[test]
fn every_owned_thing_is_dropped_once() {
    let drops = Rc::new(Cell::new(0));
    struct Counted(Rc<Cell<u32>>);
    impl Drop for Counted {
        fn drop(&mut self) {
            self.0.set(self.0.get() + 1);
        }
    }
    let mut table = Kv::new(100);
    for key in 0..300u32 {
        table.insert(key % 150, Counted(drops.clone()));
    }
    assert_eq!(drops.get(), 200);
    table.remove(&149);
    drop(table);
    assert_eq!(drops.get(), 300);
}

#[test]
fn a_panic_in_a_callers_code_leaves_the_table_whole() {
    let mut table = Kv::new(10);
    for key in 0..10u32 {
        table.insert(key, key);
    }
    let hash = table.hash_of(&5u32);
    assert!(catch_unwind(AssertUnwindSafe(|| table.get_by(hash, |_| panic!("eq")).copied())).is_err());
    let evicting = || table.write(10, 10, Write::default(), |_, _| panic!("on_evict")).map(|_| ());
    assert!(catch_unwind(AssertUnwindSafe(evicting)).is_err());
    assert!(catch_unwind(AssertUnwindSafe(|| table.retain(|key, _| *key != 5 || panic!("keep")))).is_err());
    assert_eq!(table.snapshot(), (1..10).rev().map(|key| (key, key)).collect::<Vec<_>>());
    let stats = table.stats();
    assert_eq!(stats.admissions, stats.evictions + stats.residents);
}

#[test]
fn lookups_by_hash_take_any_hash() {
    // A caller's hash may be as plain as a counter, or leave most bits alone.
    for shift in [0, 8, 32, 56] {
        let mut table = Kv::with_bounds(200, usize::MAX);
        for id in 0..200u64 {
            table.insert_by(id << shift, id, id, 0, |_, _| ()).unwrap();
        }
        for id in 0..200u64 {
            assert_eq!(table.get_by(id << shift, |key| *key == id), Some(&mut id.clone()));
        }
        assert_eq!(table.remove_by(7 << shift, |key| *key == 7), Some((7, 7)));
        assert_eq!(table.peek_by(7 << shift, |key| *key == 7), None);
    }
}

#[test]
fn a_claim_window_opens_with_the_first_write_and_stays() {
    let time = ManualClock::new();
    let mut table: Kv<&str, u32> =
        Kv::builder(10).ttl(Duration::from_secs(10)).clock(time.clock()).build().unwrap();
    assert_eq!(table.claim("job", 1), Ok(()));
    time.advance(Duration::from_secs(6));
    assert_eq!(table.claim("job", 2), Err(&1));
    table.write("job", 3, Write::default().expiring(Expiry::Keep), |_, _| ()).unwrap();
    assert_eq!(table.peek("job"), Some(&3));
    time.advance(Duration::from_secs(4));
    assert_eq!(table.peek("job"), None, "the write in between did not move the deadline");
    assert_eq!(table.claim("job", 4), Ok(()));
    assert_eq!(table.stats().expirations, 1);
}

#[test]
fn what_expired_is_counted_once_and_by_whoever_comes_across_it() {
    let time = ManualClock::new();
    let mut table: Kv<u32, u32> =
        Kv::builder(4).ttl(Duration::from_secs(10)).clock(time.clock()).build().unwrap();
    for key in 0..4 {
        table.insert(key, key);
    }
    time.advance(Duration::from_secs(10));
    assert_eq!((table.len(), table.stats().residents), (0, 4));
    assert_eq!(table.peek(&0), None);
    assert_eq!(table.stats().expirations, 0, "a peek leaves it where it is");
    assert_eq!(table.get(&0), None);
    assert_eq!((table.stats().misses, table.stats().expirations), (1, 1));
    table.insert(1, 1);
    assert_eq!((table.stats().admissions, table.stats().expirations), (5, 2));
    table.insert(8, 8);
    table.insert(9, 9);
    assert_eq!((table.stats().evictions, table.stats().expirations), (0, 3));
    assert_eq!(table.purge_expired(), 1);
    assert_eq!((table.len(), table.stats().residents), (3, 3));
}

#[test]
fn memory_is_at_most_a_plain_maps_and_24_bytes_an_entry() {
    // A hash map has a power of two of buckets, at most 7 in 8 used, each with its control byte.
    for entries in [10_000usize, if cfg!(miri) { 1000 } else { 1_000_000 }] {
        let mut table = Kv::new(entries);
        for key in 0..entries as u64 {
            table.insert(key, key);
        }
        let map = (entries * 8).div_ceil(7).next_power_of_two() * (size_of::<(u64, u64)>() + 1);
        assert!(table.heap_bytes() <= map + 24 * entries, "{entries}: {} > {map}", table.heap_bytes());
    }
}

/// The groups that a hit looks at, over a full table of `keys`.
fn hits<K: std::hash::Hash + Eq + Clone>(keys: impl Iterator<Item = K> + Clone) -> f64 {
    let count = keys.clone().count();
    let mut table: Kv<K, ()> = Kv::new(count);
    keys.clone().for_each(|key| {
        table.insert(key, ());
    });
    let before = table.table.work.get();
    keys.for_each(|key| assert!(table.get(&key).is_some()));
    #[expect(clippy::cast_precision_loss, reason = "a ratio of small numbers")]
    let mean = (table.table.work.get() - before) as f64 / count as f64;
    mean
}

#[test]
#[cfg_attr(miri, ignore = "nothing but arithmetic, and a lot of it")]
fn patterned_keys_lie_nearly_as_well_as_random_ones() {
    // Each table has keys of its own to hash with; none of a good many may be an unlucky one.
    for _ in 0..40 {
        for mean in [
            hits((0..3_000).map(scramble)),
            hits(0..3_000u64),
            hits((0..3_000u64).map(|i| i * 4096)),
            hits((0..3_000u64).map(|i| i << 50)),
            hits((0..3_000u64).map(u64::reverse_bits)),
            hits((0..3_000u32).map(|i| (i & 0xff, i >> 8))),
            hits((0..3_000u32).map(|i| format!("key:{i:020}"))),
            hits((0..3_000u32).map(|i| i.to_string())),
        ] {
            assert!(mean < 1.3, "{mean} groups a hit");
        }
    }
}

/// Steps of work (groups looked at and entries moved) an operation, over `operations` of `act`.
fn work(table: &mut Kv<u64, u64>, operations: u64, mut act: impl FnMut(&mut Kv<u64, u64>, u64)) -> f64 {
    let before = table.table.work.get();
    for turn in 0..operations {
        act(table, turn);
    }
    #[expect(clippy::cast_precision_loss, reason = "a ratio of small numbers")]
    let mean = (table.table.work.get() - before) as f64 / operations as f64;
    mean
}

#[test]
fn work_an_operation_does_not_grow_with_the_table_or_with_its_age() {
    let cases: &[_] = if cfg!(miri) {
        &[(300u64, Policy::Lru), (300, Policy::Mark)]
    } else {
        &[(10_000, Policy::Lru), (10_000, Policy::Mark), (1_000_000, Policy::Lru)]
    };
    for &(size, policy) in cases {
        {
            let time = ManualClock::new();
            let mut table = Kv::builder(usize::try_from(size).unwrap())
                .policy(policy)
                .clock(time.clock())
                .build()
                .unwrap();
            // Filling: each doubling moves what is there, which amounts to two moves an entry and a look.
            let filling = work(&mut table, size, |table, turn| {
                table.insert(scramble(turn), turn);
            });
            assert!(filling < 5.0, "{policy:?} {size}: {filling} steps to fill");
            // At the bound, every insertion pushes one out; three times over, so that every slot has had
            // many owners.
            let slots = table.slots();
            let inserting = work(&mut table, 3 * size, |table, turn| {
                table.insert(scramble(size + turn), turn);
            });
            assert!(inserting < 2.6, "{policy:?} {size}: {inserting} steps an insertion at the bound");
            // A resident goes, another comes.
            let churning = work(&mut table, size, |table, turn| {
                table.remove(&scramble(3 * size + turn));
                table.insert(scramble(4 * size + turn), turn);
            });
            assert!(churning < 4.0, "{policy:?} {size}: {churning} steps a removal and an insertion");
            // Each expires before the next comes.
            let expiring = work(&mut table, size, |table, turn| {
                let how = Write::default().expiring(Expiry::After(Duration::from_nanos(1)));
                table.write(scramble(5 * size + turn), turn, how, |_, _| ()).unwrap();
                time.advance(Duration::from_nanos(1));
                assert_eq!(table.get(&scramble(5 * size + turn)), None);
            });
            assert!(expiring < 4.0, "{policy:?} {size}: {expiring} steps a write and its expiry");
            let missing = work(&mut table, size, |table, turn| {
                assert_eq!(table.get(&scramble(9 * size + turn)), None);
            });
            assert!(missing < 1.3, "{policy:?} {size}: {missing} steps a miss");
            assert_eq!(table.slots(), slots, "no rebuild since it was full");
        }
    }
}
