//! The arm of every x86-64 processor: two 16-byte comparisons.

use core::arch::x86_64::{__m128i, _mm_cmpeq_epi8, _mm_load_si128, _mm_movemask_epi8, _mm_set1_epi32};

use super::{Group, Tags};

/// SSE2 is part of x86-64 itself.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sse2(());

impl Sse2 {
    pub(crate) const ASSUMED: Self = Self(());
}

impl Group for Sse2 {
    #[inline(always)]
    fn matches(self, tags: &Tags, tag: u8) -> u32 {
        let halves = (&raw const tags.0).cast::<__m128i>();
        // SAFETY: every x86-64 processor has SSE2; `Tags` is 32 bytes aligned to 32, so that both halves
        // are aligned 16-byte loads from inside it.
        let (low, high) = unsafe {
            let wanted = _mm_set1_epi32((u32::from(tag) * 0x0101_0101).cast_signed());
            (
                _mm_movemask_epi8(_mm_cmpeq_epi8(_mm_load_si128(halves), wanted)),
                _mm_movemask_epi8(_mm_cmpeq_epi8(_mm_load_si128(halves.add(1)), wanted)),
            )
        };
        low.cast_unsigned() | high.cast_unsigned() << 16
    }
}
