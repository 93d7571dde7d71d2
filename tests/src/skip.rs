//! Tests that cannot run on this machine say so, and fail where that is not acceptable.

use std::fs::OpenOptions;
use std::io::Write as _;
use std::sync::atomic::{AtomicUsize, Ordering};

static SKIPS: AtomicUsize = AtomicUsize::new(0);

/// Says that the calling test cannot run for want of `what`, such as `postgis`, and counts it.
///
/// The caller returns right after it. The line `skipped: what: reason` goes to the standard error, and to the
/// file that `WREATH_SKIPS` names, because a test runner hides what a passing test prints.
///
/// # Panics
///
/// If `WREATH_REQUIRE`, a comma-separated list, has `what` in it: a machine that is meant to run everything
/// then fails instead of testing less.
pub fn skip(what: &str, reason: &str) {
    let line = format!("skipped: {what}: {reason}");
    let required = std::env::var("WREATH_REQUIRE").unwrap_or_default();
    assert!(!is_listed(&required, what), "{line}, but WREATH_REQUIRE lists {what}");
    SKIPS.fetch_add(1, Ordering::Relaxed);
    eprintln!("{line}");
    if let Some(path) = std::env::var_os("WREATH_SKIPS") {
        let file = OpenOptions::new().append(true).create(true).open(&path);
        let written = file.and_then(|mut file| writeln!(file, "{line}"));
        if let Err(error) = written {
            panic!("could not count a skipped test in {}: {error}", path.display());
        }
    }
}

/// How many tests of this process were skipped so far.
pub fn skips() -> usize {
    SKIPS.load(Ordering::Relaxed)
}

fn is_listed(list: &str, what: &str) -> bool {
    list.split(',').any(|entry| entry.trim() == what)
}

#[cfg(test)]
mod tests {
    use super::is_listed;

    #[test]
    fn only_whole_names_are_required() {
        assert!(is_listed("pg,postgis", "postgis"));
        assert!(is_listed("pg, postgis", "postgis"));
        assert!(!is_listed("postgis", "pg"));
        assert!(!is_listed("", "pg"));
    }
}
