//! The question that every arm answers, and the arm that answers it where nothing else is asked for.

/// Slots in a group.
pub(crate) const LANES: usize = 32;

/// The control byte of a slot without an entry.
pub(crate) const EMPTY: u8 = 0;

/// The control bytes of a group, aligned so that no load crosses a cache line.
#[derive(Clone, Copy, Debug)]
#[repr(align(32))]
pub(crate) struct Tags(pub(crate) [u8; LANES]);

impl Tags {
    pub(crate) const EMPTY: Self = Self([EMPTY; LANES]);
}

/// A way to compare a group. A value of an arm is proof that the processor can run it.
pub(crate) trait Group: Copy {
    /// The lanes that hold `tag`.
    fn matches(self, tags: &Tags, tag: u8) -> u32;

    /// The lanes without an entry.
    #[inline(always)]
    fn empties(self, tags: &Tags) -> u32 {
        self.matches(tags, EMPTY)
    }
}

#[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
pub(crate) type Native = super::avx2::Avx2;
#[cfg(all(target_arch = "x86_64", not(target_feature = "avx2")))]
pub(crate) type Native = super::sse2::Sse2;
#[cfg(target_arch = "aarch64")]
pub(crate) type Native = super::neon::Neon;
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
pub(crate) type Native = super::swar::Swar;

/// The arm that the compiler's target features allow.
#[inline(always)]
pub(crate) fn native() -> Native {
    Native::ASSUMED
}
