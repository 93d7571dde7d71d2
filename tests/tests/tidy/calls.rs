//! What production code does not call.

use crate::source::{Source, code};

/// A call, and what to do instead.
const BANNED: [(&str, &str); 5] = [
    (".unwrap()", "return an error, or expect(\"the invariant\")"),
    ("todo!", "finish it"),
    ("unimplemented!", "finish it"),
    ("dbg!", "take it out"),
    ("FIXME", "fix it"),
];

/// Calls that only programs make; the test kit may also tell of skipped tests.
const PROGRAMS_ONLY: [(&str, &str); 3] = [
    ("println!", "a library does not print"),
    ("print!", "a library does not print"),
    ("process::exit", "a library does not end its program"),
];

pub(crate) fn complaints(source: &Source) -> Vec<String> {
    if !source.is_production() {
        return Vec::new();
    }
    let code = code(source.production());
    let programs_only: &[(&str, &str)] = if source.is_program() { &[] } else { &PROGRAMS_ONLY };
    let mut found = Vec::new();
    for (index, line) in code.lines().enumerate() {
        for (call, instead) in BANNED.iter().chain(programs_only) {
            if has_call(line, call) && !(source.krate() == "tests" && line.contains("eprintln!")) {
                found.push(format!("{}:{}: {call}: {instead}", source.path, index + 1));
            }
        }
    }
    found
}

/// Whether the line has the call as a whole word. `eprint!` is held to the same rule as `print!`.
fn has_call(line: &str, call: &str) -> bool {
    line.match_indices(call).any(|(at, _)| {
        let before =
            line[..at].strip_suffix('e').filter(|_| call.starts_with("print")).unwrap_or(&line[..at]);
        call.starts_with('.') || !before.ends_with(|c: char| c.is_alphanumeric() || c == '_')
    })
}

#[test]
fn banned_calls_are_found() {
    let source = |path: &str, text: &str| complaints(&Source::new(path, text)).len();
    for bad in [
        "a.unwrap();",
        "todo!()",
        "unimplemented!()",
        "dbg!(a)",
        "println!()",
        "eprintln!()",
        "std::process::exit(1)",
    ] {
        assert_eq!(source("orm/src/x.rs", bad), 1, "{bad}");
        assert_eq!(source("orm/tests/x.rs", bad), 0, "{bad}");
    }
    for fine in [
        "// a.unwrap()",
        "\"todo!\"",
        "a.unwrap_or(b)",
        "my_dbg!()",
        "#[cfg(test)]\nmod tests { a.unwrap() }",
    ] {
        assert_eq!(source("orm/src/x.rs", fine), 0, "{fine}");
    }
    assert_eq!(source("tests/src/bin/x.rs", "println!()"), 0);
    assert_eq!(source("tests/src/skip.rs", "eprintln!()"), 0);
    assert_eq!(source("tests/src/skip.rs", "println!()"), 1);
}
