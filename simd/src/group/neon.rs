//! The arm of aarch64 processors: two 16-byte comparisons, folded into bits.

use core::arch::aarch64::{vaddv_u8, vandq_u8, vceqq_u8, vdupq_n_u8, vget_high_u8, vget_low_u8, vld1q_u8};

use super::{Group, Tags};

/// NEON is part of the aarch64 targets.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Neon(());

impl Neon {
    pub(crate) const ASSUMED: Self = Self(());
}

/// The bit of each lane within its eight.
const BITS: [u8; 16] = [1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128];

impl Group for Neon {
    #[inline(always)]
    fn matches(self, tags: &Tags, tag: u8) -> u32 {
        half(&tags.0, 0, tag) | half(&tags.0, 16, tag) << 16
    }
}

/// The lanes of the sixteen bytes from `from` that equal `tag`.
#[inline(always)]
fn half(bytes: &[u8; 32], from: usize, tag: u8) -> u32 {
    let bytes = &bytes[from..from + 16];
    // SAFETY: the targets this is compiled for have NEON; the slices are sixteen bytes long, and the loads
    // ask for no alignment.
    unsafe {
        let equal = vceqq_u8(vld1q_u8(bytes.as_ptr()), vdupq_n_u8(tag));
        let bits = vandq_u8(equal, vld1q_u8(BITS.as_ptr()));
        // Each eight lanes hold distinct bits, so that their sum is their union.
        u32::from(vaddv_u8(vget_low_u8(bits))) | u32::from(vaddv_u8(vget_high_u8(bits))) << 8
    }
}
