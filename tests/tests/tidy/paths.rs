//! The tree is the same on every machine.

use crate::source::Source;

/// Folders that belong to a machine or a person. They are put together here, so that this file has none.
const FOLDERS: [&str; 4] =
    [concat!("/ho", "me/"), concat!("/ro", "ot/"), concat!("/wo", "rk/"), concat!("/Us", "ers/")];

pub(crate) fn complaints(source: &Source) -> Vec<String> {
    let mut found = Vec::new();
    for (index, line) in source.text.lines().enumerate() {
        for folder in FOLDERS {
            let is_path = |at: usize| {
                !line[..at].ends_with(|before: char| before.is_alphanumeric() || ".-_/}".contains(before))
            };
            if line.match_indices(folder).any(|(at, _)| is_path(at)) {
                found.push(format!("{}:{}: a path of one machine: {folder}", source.path, index + 1));
            }
        }
    }
    found
}

#[test]
fn paths_of_a_machine_are_found() {
    let count = |text: &str| complaints(&Source::new("x.md", text)).len();
    assert_eq!(count(concat!("cd /ho", "me/al/x")), 1);
    assert_eq!(count(concat!("\n\"/wo", "rk/x\"")), 1);
    assert_eq!(count(concat!("https://example.com/wo", "rk/x")), 0);
    assert_eq!(count("/usr/lib/postgresql"), 0);
}
