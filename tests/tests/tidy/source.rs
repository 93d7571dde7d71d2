//! The repository's files, and Rust code without its comments and texts.

use std::fs;
use std::path::Path;

/// One text file.
#[derive(Clone, Debug)]
pub(crate) struct Source {
    /// Its path from the root of the repository, with `/`.
    pub(crate) path: String,
    pub(crate) text: String,
    /// Whether a module above declares it under `#[cfg(test)]`.
    only_for_tests: bool,
}

impl Source {
    pub(crate) fn new(path: &str, text: &str) -> Self {
        Self { path: path.to_owned(), text: text.to_owned(), only_for_tests: false }
    }

    pub(crate) fn is_rust(&self) -> bool {
        self.path.ends_with(".rs")
    }

    /// The crate's folder.
    pub(crate) fn krate(&self) -> &str {
        self.path.split('/').next().unwrap_or_default()
    }

    pub(crate) fn name(&self) -> &str {
        self.path.rsplit('/').next().unwrap_or_default()
    }

    /// Whether it is part of what a crate gives to others: no test, bench, example or fuzz target.
    pub(crate) fn is_production(&self) -> bool {
        let in_src = self.path.split('/').nth(1) == Some("src");
        self.is_rust()
            && in_src
            && !self.only_for_tests
            && self.krate() != "fuzz"
            && self.krate() != "benches"
    }

    /// Whether it becomes a program, which may print and choose its exit status.
    pub(crate) fn is_program(&self) -> bool {
        self.path.contains("/bin/") || self.name() == "main.rs"
    }

    /// The text without the tests at its end.
    pub(crate) fn production(&self) -> &str {
        let tests = self.text.find("#[cfg(test)]\nmod ").filter(|&at| self.text[at..].contains('{'));
        &self.text[..tests.unwrap_or(self.text.len())]
    }
}

/// Every text file of the repository, but for what is built and what fuzzers feed on.
pub(crate) fn read_all() -> Vec<Source> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let mut found = Vec::new();
    walk(root, "", &mut found);
    found.sort_by(|a: &Source, b| a.path.cmp(&b.path));
    mark_tests(&mut found);
    found
}

/// Marks the files of modules that are declared for tests only.
fn mark_tests(sources: &mut [Source]) {
    let tests: Vec<String> =
        sources.iter().filter(|source| source.is_rust()).flat_map(test_modules).collect();
    for source in sources {
        let is_in = |module: &String| {
            source
                .path
                .strip_prefix(module.as_str())
                .is_some_and(|rest| rest == ".rs" || rest.starts_with('/'))
        };
        source.only_for_tests = tests.iter().any(is_in);
    }
}

/// The paths, without `.rs`, of the modules that a file declares under `#[cfg(test)]`.
fn test_modules(source: &Source) -> Vec<String> {
    let folder = match source.name() {
        "mod.rs" | "lib.rs" | "main.rs" => {
            source.path.strip_suffix(source.name()).unwrap_or_default().to_owned()
        }
        _ => format!("{}/", source.path.trim_end_matches(".rs")),
    };
    let after = source.text.split("#[cfg(test)]\nmod ").skip(1);
    let names = after.filter_map(|rest| rest.split([';', ' ']).next());
    names.map(|name| format!("{folder}{name}")).collect()
}

fn walk(folder: &Path, prefix: &str, found: &mut Vec<Source>) {
    for entry in fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        let name = entry.file_name().into_string().unwrap();
        let is_hidden = name.starts_with('.') && name != ".ci" && name != ".cargo";
        let is_made = ["target", "corpus", "artifacts", "coverage"].contains(&name.as_str());
        if is_hidden || is_made {
            continue;
        }
        let path = format!("{prefix}{name}");
        if entry.file_type().unwrap().is_dir() {
            walk(&entry.path(), &format!("{path}/"), found);
        } else if let Ok(text) = fs::read_to_string(entry.path()) {
            found.push(Source { path, text, only_for_tests: false });
        }
    }
}

/// Rust code with every comment and the inside of every text and character replaced by spaces, line by line as
/// before: what is left can be searched for code.
pub(crate) fn code(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut out = bytes.to_vec();
    let mut at = 0;
    while at < bytes.len() {
        let end = match bytes[at] {
            b'/' if bytes[at..].starts_with(b"//") => line_end(bytes, at),
            b'/' if bytes[at..].starts_with(b"/*") => block_end(bytes, at),
            b'"' => quote_end(bytes, at, b'"'),
            b'r' if !is_word(bytes, at) && raw_end(bytes, at).is_some() => raw_end(bytes, at).unwrap_or(at),
            b'\'' => char_end(bytes, at),
            _ => {
                at += 1;
                continue;
            }
        };
        let end = end.min(bytes.len());
        for byte in &mut out[at..end] {
            if *byte != b'\n' {
                *byte = b' ';
            }
        }
        at = end;
    }
    String::from_utf8(out).unwrap()
}

/// Whether the byte before `at` belongs to a name, other than the `b` and `c` of byte and C texts.
fn is_word(bytes: &[u8], at: usize) -> bool {
    let before = |back: usize| at.checked_sub(back).map_or(b' ', |at| bytes[at]);
    let in_name = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    match before(1) {
        b'b' | b'c' => in_name(before(2)),
        byte => in_name(byte),
    }
}

fn line_end(bytes: &[u8], at: usize) -> usize {
    bytes[at..].iter().position(|&byte| byte == b'\n').map_or(bytes.len(), |length| at + length)
}

fn block_end(bytes: &[u8], at: usize) -> usize {
    let (mut depth, mut at) = (0, at);
    while at < bytes.len() {
        if bytes[at..].starts_with(b"/*") {
            (depth, at) = (depth + 1, at + 2);
        } else if bytes[at..].starts_with(b"*/") {
            (depth, at) = (depth - 1, at + 2);
            if depth == 0 {
                return at;
            }
        } else {
            at += 1;
        }
    }
    at
}

fn quote_end(bytes: &[u8], at: usize, quote: u8) -> usize {
    let mut at = at + 1;
    while at < bytes.len() && bytes[at] != quote {
        at += if bytes[at] == b'\\' { 2 } else { 1 };
    }
    at + 1
}

fn raw_end(bytes: &[u8], at: usize) -> Option<usize> {
    let hashes = bytes[at + 1..].iter().take_while(|&&byte| byte == b'#').count();
    let open = at + 1 + hashes;
    if bytes.get(open) != Some(&b'"') {
        return None;
    }
    let close = [&b"\""[..], &b"#".repeat(hashes)].concat();
    let length = bytes[open + 1..].windows(close.len()).position(|window| window == close)?;
    Some(open + 1 + length + close.len())
}

/// The end of a character, or of the quote alone where it begins a lifetime.
fn char_end(bytes: &[u8], at: usize) -> usize {
    if bytes.get(at + 1) == Some(&b'\\') {
        return quote_end(bytes, at, b'\'');
    }
    // One character of UTF-8 and the closing quote.
    let close = (at + 2..at + 6).find(|&close| bytes.get(close) == Some(&b'\''));
    let is_one =
        |close: usize| std::str::from_utf8(&bytes[at + 1..close]).is_ok_and(|text| text.chars().count() == 1);
    close.filter(|&close| is_one(close)).map_or(at + 1, |close| close + 1)
}

#[test]
fn comments_and_texts_are_blanked() {
    let before = r####"let a = "x\"y"; // c "
/* d /* e */ f */ let b = r#"g"h"#; fn f<'a>(c: &'a str) { 'i'; '\''; b'j'; 'é'; br"k" } for "####;
    let after = code(before);
    assert_eq!(after.len(), before.len());
    let words: Vec<&str> = after.split_whitespace().collect();
    assert_eq!(words.join(" "), "let a = ; let b = ; fn f< a>(c: & a str) { ; ; b ; ; b } for");
    assert_eq!(after.lines().count(), 2);
}

#[test]
fn production_ends_where_the_tests_begin() {
    let inline = Source::new("orm/src/x.rs", "fn a() {}\n#[cfg(test)]\nmod tests { fn b() {} }\n");
    assert_eq!(inline.production(), "fn a() {}\n");
    let apart = Source::new("orm/src/x.rs", "#[cfg(test)]\nmod tests;\nuse a;\n");
    assert_eq!(apart.production(), apart.text);
    assert!(inline.is_production());
    for other in ["orm/tests/x.rs", "orm/examples/x.rs", "fuzz/src/x.rs", "benches/src/x.rs"] {
        assert!(!Source::new(other, "").is_production(), "{other}");
    }
    let below =
        ["orm/src/x/tests.rs", "orm/src/x/tests/y.rs", "orm/src/tests.rs"].map(|path| Source::new(path, ""));
    let mut all = [&[apart, inline][..], &below].concat();
    mark_tests(&mut all);
    let production: Vec<bool> = all.iter().map(Source::is_production).collect();
    assert_eq!(production, [true, true, false, false, true]);
}
