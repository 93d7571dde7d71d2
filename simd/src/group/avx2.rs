//! The arm of x86-64 processors with AVX2: one 32-byte comparison.

use core::arch::x86_64::{
    __m256i, _mm256_cmpeq_epi8, _mm256_load_si256, _mm256_movemask_epi8, _mm256_set1_epi8,
};

use super::{Group, Tags};

/// Proof that this processor has AVX2.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Avx2(());

impl Avx2 {
    #[cfg(target_feature = "avx2")]
    pub(crate) const ASSUMED: Self = Self(());

    /// The arm, where the processor has it.
    #[inline]
    pub(crate) fn detect() -> Option<Self> {
        std::arch::is_x86_feature_detected!("avx2").then_some(Self(()))
    }
}

impl Group for Avx2 {
    #[inline(always)]
    fn matches(self, tags: &Tags, tag: u8) -> u32 {
        // SAFETY: `self` exists only where AVX2 does; `Tags` is 32 bytes aligned to 32, which is one
        // aligned load.
        unsafe {
            let lanes = _mm256_load_si256((&raw const tags.0).cast::<__m256i>());
            let equal = _mm256_cmpeq_epi8(lanes, _mm256_set1_epi8(tag.cast_signed()));
            _mm256_movemask_epi8(equal).cast_unsigned()
        }
    }
}
