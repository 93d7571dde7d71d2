//! The arm for every processor: four words of eight lanes.

use super::{Group, LANES, Tags};

/// Proof of nothing: this arm runs everywhere.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Swar(());

const LOW_BITS: u64 = 0x7f7f_7f7f_7f7f_7f7f;
const EACH_BYTE: u64 = 0x0101_0101_0101_0101;
/// Multiplied with a word of 0 and 1 bytes, it gathers byte `i` in bit `56 + i`, without carries.
const GATHER: u64 = 0x0102_0408_1020_4080;

impl Swar {
    pub(crate) const ASSUMED: Self = Self(());
}

impl Group for Swar {
    #[inline(always)]
    fn matches(self, tags: &Tags, tag: u8) -> u32 {
        let wanted = EACH_BYTE * u64::from(tag);
        let mut mask = 0;
        for (place, word) in tags.0.chunks_exact(8).enumerate() {
            let word = u64::from_le_bytes(word.try_into().expect("chunks of eight"));
            mask |= zero_bytes(word ^ wanted) << (8 * place);
        }
        mask
    }
}

/// A bit for each byte that is zero. Exact: the shorter well-known test reports false neighbours.
#[inline(always)]
fn zero_bytes(word: u64) -> u32 {
    // The top bit of a byte is set unless all its other bits are clear, and nothing carries across.
    let some_low_bit = (word & LOW_BITS) + LOW_BITS;
    let zero = !(some_low_bit | word | LOW_BITS) >> 7;
    (zero.wrapping_mul(GATHER) >> 56) as u32
}

const _: () = assert!(LANES == 32);
