//! Every arm against the scalar definition.

use proptest::prelude::*;

use super::*;

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
