//! `mod.rs` is a table of contents: modules, what they give, and at most a constant or another name for a type.

use crate::source::{Source, code};

pub(crate) fn complaints(source: &Source) -> Vec<String> {
    if source.name() != "mod.rs" || !source.is_production() {
        return Vec::new();
    }
    let code = code(&source.text);
    let items = without_attributes(&code);
    let is_declaration = |item: &str| {
        let item = item.strip_prefix("pub").unwrap_or(item).trim_start();
        let item = item
            .strip_prefix('(')
            .and_then(|rest| rest.split_once(')'))
            .map_or(item, |(_, rest)| rest.trim_start());
        let is_short =
            ["mod ", "const ", "type "].iter().any(|word| item.starts_with(word)) && !item.contains('{');
        is_short || item.starts_with("use ")
    };
    let mut items = items.split(';').map(str::trim).filter(|item| !item.is_empty());
    let first = items.find(|item| !is_declaration(item));
    let first = first.map(|item| item.lines().next().unwrap_or_default());
    first.map(|line| format!("{}: not a declaration: {line}", source.path)).into_iter().collect()
}

/// The code without `#[...]` and `#![...]`.
fn without_attributes(code: &str) -> String {
    let mut out = String::new();
    let mut rest = code;
    while let Some(at) = rest.find("#[").into_iter().chain(rest.find("#![")).min() {
        out.push_str(&rest[..at]);
        let mut depth = 0;
        let end = rest[at..].find(|character| {
            depth += i32::from(character == '[') - i32::from(character == ']');
            character == ']' && depth == 0
        });
        rest = end.map_or("", |end| &rest[at + end + 1..]);
    }
    out + rest
}

#[test]
fn code_in_a_module_file_is_found() {
    let source = |text: &str| Source::new("orm/src/x/mod.rs", text);
    let fine = "//! Doc; with fn.\n#![allow(a)]\nmod a;\n#[cfg(test)]\nmod tests;\npub(crate) mod b;\ntype A = a::B;\npub use a::{\n    A,\n    B,\n};\n";
    assert_eq!(complaints(&source(fine)), Vec::<String>::new());
    for bad in [
        "mod a;\npub struct B;",
        "fn a() {}",
        "mod a { fn b(); }",
        "const A: u8 = { 1 };",
        "use a;\nimpl A {}",
    ] {
        assert_eq!(complaints(&source(bad)).len(), 1, "{bad}");
    }
    assert!(complaints(&Source::new("orm/src/x.rs", "fn a() {}")).is_empty());
}
