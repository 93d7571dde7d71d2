//! Thirty-two control bytes compared at once.
//!
//! A table keeps one byte a slot, in groups of [`LANES`]: [`EMPTY`], or eight bits of the key's hash. To
//! search a group is to compare all its bytes with one, and the answer is a `u32` with bit `i` for lane `i`.
//!
//! Every arm gives the same answer to the same question, that of the scalar definition in the tests here:
//!
//! | arm | where | how |
//! |---|---|---|
//! | `avx2` | x86-64 with AVX2 | one 32-byte comparison |
//! | `sse2` | x86-64 | two 16-byte comparisons |
//! | `neon` | aarch64 | two 16-byte comparisons, folded into bits |
//! | `swar` | everywhere | four 8-byte words |
//!
//! [`Native`] is the best arm that the compiler's target features allow, so that a probe inlines into its
//! caller. Only the batch lookups choose an arm at run time: there, one choice serves many keys.

#[cfg(target_arch = "x86_64")]
#[cfg_attr(target_feature = "avx2", allow(dead_code))]
pub(crate) mod avx2;
#[cfg(target_arch = "aarch64")]
pub(crate) mod neon;
#[cfg(target_arch = "x86_64")]
#[cfg_attr(target_feature = "avx2", allow(dead_code))]
pub(crate) mod sse2;
#[cfg_attr(any(target_arch = "x86_64", target_arch = "aarch64"), allow(dead_code))]
pub(crate) mod swar;

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
pub(crate) type Native = avx2::Avx2;
#[cfg(all(target_arch = "x86_64", not(target_feature = "avx2")))]
pub(crate) type Native = sse2::Sse2;
#[cfg(target_arch = "aarch64")]
pub(crate) type Native = neon::Neon;
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
pub(crate) type Native = swar::Swar;

/// The arm that the compiler's target features allow.
#[inline(always)]
pub(crate) fn native() -> Native {
    Native::ASSUMED
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The definition that every arm is held to.
    fn scalar(tags: &Tags, tag: u8) -> u32 {
        (0..LANES).filter(|&lane| tags.0[lane] == tag).fold(0, |mask, lane| mask | 1 << lane)
    }

    fn check(tags: &Tags, tag: u8) {
        let wanted = scalar(tags, tag);
        assert_eq!(native().matches(tags, tag), wanted, "native {tag} in {tags:?}");
        assert_eq!(swar::Swar::ASSUMED.matches(tags, tag), wanted, "swar {tag} in {tags:?}");
        #[cfg(target_arch = "x86_64")]
        {
            assert_eq!(sse2::Sse2::ASSUMED.matches(tags, tag), wanted, "sse2 {tag} in {tags:?}");
            if let Some(avx2) = avx2::Avx2::detect() {
                assert_eq!(avx2.matches(tags, tag), wanted, "avx2 {tag} in {tags:?}");
            }
        }
        #[cfg(target_arch = "aarch64")]
        assert_eq!(neon::Neon::ASSUMED.matches(tags, tag), wanted, "neon {tag} in {tags:?}");
    }

    #[test]
    fn every_arm_finds_every_lane_of_every_tag() {
        for tag in 0..=u8::MAX {
            for lane in 0..LANES {
                // The neighbours of a tag are the ones that careless word arithmetic confuses it with.
                for rest in [tag.wrapping_add(1), tag.wrapping_sub(1), tag ^ 0x80, tag ^ 0xff] {
                    let mut tags = Tags([rest; LANES]);
                    tags.0[lane] = tag;
                    check(&tags, tag);
                    check(&tags, rest);
                }
            }
            check(&Tags([tag; LANES]), tag);
            check(&Tags::EMPTY, tag);
        }
    }

    proptest! {
        #[test]
        fn every_arm_agrees_on_any_bytes(bytes: [u8; LANES], tag: u8, pick in 0..LANES) {
            check(&Tags(bytes), tag);
            check(&Tags(bytes), bytes[pick]);
            check(&Tags(bytes.map(|byte| byte & 3)), tag & 3);
        }
    }
}
