//! One crate to audit.

use crate::source::{Source, code};

/// Where `unsafe` may be: in one crate, and in what only measures, where an allocator counts.
const UNSAFE: [&str; 2] = ["simd", "benches"];
/// The crates that forbid it themselves, so that no attribute below can allow it again.
const SAFE: [&str; 5] = ["codecs", "driver", "orm", "tests", "benches"];

pub(crate) fn complaints(source: &Source) -> Vec<String> {
    if !source.is_rust() {
        return Vec::new();
    }
    let mut found = Vec::new();
    let is_root = source.path.strip_prefix(source.krate()) == Some("/src/lib.rs");
    if is_root && SAFE.contains(&source.krate()) && !source.text.contains("#![forbid(unsafe_code)]") {
        found.push(format!("{}: no #![forbid(unsafe_code)]", source.path));
    }
    let code = code(&source.text);
    for (index, line) in code.lines().enumerate().filter(|(_, line)| has_unsafe(line)) {
        let at = format!("{}:{}", source.path, index + 1);
        if !UNSAFE.contains(&source.krate()) {
            found.push(format!("{at}: unsafe outside {}", UNSAFE.join(" and ")));
        } else if needs_reason(line) && !has_reason(&source.text, index) {
            found.push(format!("{at}: unsafe without a SAFETY comment above it"));
        }
    }
    found
}

fn has_unsafe(line: &str) -> bool {
    line.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word == "unsafe")
}

/// Blocks and impls state why they are sound; an `unsafe fn` states what it asks for, which clippy checks.
fn needs_reason(line: &str) -> bool {
    line.contains("unsafe {") || line.contains("unsafe impl")
}

/// Whether `SAFETY:` stands in the line, or in the comments and attributes and the statement's lines just above.
fn has_reason(text: &str, index: usize) -> bool {
    let lines: Vec<&str> = text.lines().take(index + 1).collect();
    let above = lines.iter().rev().take(12).enumerate();
    let mut above = above.take_while(|(back, line)| {
        *back == 0 || !line.trim().is_empty() && !line.trim_end().ends_with(['}', ';'])
    });
    above.any(|(_, line)| line.contains("SAFETY:"))
}

#[test]
fn unsafe_in_the_wrong_place_or_without_reason_is_found() {
    let count = |path: &str, text: &str| complaints(&Source::new(path, text)).len();
    assert_eq!(count("orm/src/lib.rs", "fn a() {}"), 1);
    assert_eq!(count("orm/src/lib.rs", "#![forbid(unsafe_code)]\nfn a() {}"), 0);
    assert_eq!(count("orm/src/x.rs", "// SAFETY: no.\nunsafe { a() }"), 1);
    assert_eq!(count("orm/src/x.rs", "// unsafe\nlet unsafety = 1;"), 0);
    assert_eq!(count("simd/src/x.rs", "let a = 1;\n\nunsafe { a() }"), 1);
    assert_eq!(count("simd/src/x.rs", "// SAFETY: it holds.\nlet a = 1;\nunsafe { a() }"), 1);
    assert_eq!(count("simd/src/x.rs", "// SAFETY: it holds.\n#[expect(x)]\nlet a =\n    unsafe { a() };"), 0);
    assert_eq!(count("simd/src/x.rs", "unsafe impl Send for A {}"), 1);
    assert_eq!(count("simd/src/x.rs", "unsafe fn a() {}"), 0);
}
