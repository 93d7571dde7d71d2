//! How often each policy still has what is asked for, on traces of known shape.

use super::tests::scramble;
use super::{Kv, Policy};

/// Distinct keys of a trace, and how many of them the table has room for.
const KEYS: u64 = 10_000;
const ROOM: usize = 1_000;
const READS: u64 = 400_000;

/// Keys by Zipf's law with exponent 1: the `n`th is asked for `1/n` times as often as the first.
fn zipf(turn: u64) -> u64 {
    // The inverse of the distribution's integral, which is as near as a cache can tell.
    #[expect(clippy::cast_precision_loss, reason = "53 bits are plenty")]
    let (even, keys) = ((scramble(turn) >> 11) as f64 / (1u64 << 53) as f64, KEYS as f64);
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "from 1 to the number of keys"
    )]
    let rank = keys.powf(even) as u64;
    rank
}

/// The share of reads, in thousandths, that find their key when each miss writes it.
fn ratio(policy: Policy, trace: impl Fn(u64) -> u64) -> u64 {
    let mut table = Kv::builder(ROOM).policy(policy).build().unwrap();
    for turn in 0..READS {
        let key = trace(turn);
        if table.get(&key).is_none() {
            table.insert(key, ());
        }
    }
    table.stats().hits * 1000 / READS
}

fn both(trace: impl Fn(u64) -> u64) -> (u64, u64) {
    (ratio(Policy::Lru, &trace), ratio(Policy::Mark, &trace))
}

#[test]
#[cfg_attr(miri, ignore = "hundreds of thousands of reads")]
fn marking_keeps_what_is_popular_where_recency_does_not() {
    let popular = both(zipf);
    // Every fourth read is part of one long scan of keys that never come again.
    let scanned = both(|turn| if turn % 4 == 0 { KEYS + turn } else { zipf(turn) });
    // In bursts: a scan as long as the table has room, after every 4,000 reads.
    let bursts = both(|turn| if turn % 5_000 >= 4_000 { KEYS + turn } else { zipf(turn) });
    // The popular keys change altogether, eight times.
    let moving = both(|turn| zipf(turn) + turn / 50_000 * KEYS);
    // A walk round a few more keys than there is room for: the worst case of recency.
    let walk = both(|turn| turn % 1_100);
    // These figures stand in the docs of `Policy`.
    assert_eq!(
        [popular, scanned, bursts, moving, walk],
        [(655, 724), (440, 535), (477, 577), (651, 618), (0, 0)]
    );
}
