//! Random numbers for waits that must not be the same for all.

/// A random number from 0 to 1.
pub(crate) fn fraction() -> f64 {
    let mut random = [0; 4];
    // Without random numbers everybody gets the same, which serves too.
    let random = getrandom::fill(&mut random).map_or(0, |()| u32::from_ne_bytes(random));
    f64::from(random) / f64::from(u32::MAX)
}
