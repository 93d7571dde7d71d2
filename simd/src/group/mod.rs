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
//! [`native`] is the best arm that the compiler's target features allow, so that a probe inlines into its
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
mod tags;
#[cfg(test)]
mod tests;

pub(crate) use tags::{EMPTY, Group, LANES, Tags, native};
