//! Files and functions that can be read at one go.

use crate::source::{Source, code};

const LONGEST_FILE: usize = 600;
const LONGEST_FUNCTION: usize = 70;

/// Files that are tables, made by a program.
const TABLES: [&str; 2] = ["codecs/src/oid.rs", "codecs/src/sqlstate/table.rs"];

pub(crate) fn complaints(source: &Source) -> Vec<String> {
    if !source.is_production() || TABLES.contains(&source.path.as_str()) {
        return Vec::new();
    }
    let lines = source.production().lines().count();
    let long =
        (lines > LONGEST_FILE).then(|| format!("{}: {lines} lines, {LONGEST_FILE} at most", source.path));
    let functions =
        functions(source.production()).into_iter().filter(|&(_, _, length)| length > LONGEST_FUNCTION);
    let functions = functions.map(|(name, line, length)| {
        format!("{}:{line}: {name} has {length} lines, {LONGEST_FUNCTION} at most", source.path)
    });
    long.into_iter().chain(functions).collect()
}

/// Name, first line and number of lines of each function that has a body.
fn functions(text: &str) -> Vec<(String, usize, usize)> {
    let code = code(text);
    let mut found = Vec::new();
    for (at, _) in code.match_indices("fn ") {
        let is_word = code[..at].ends_with(|before: char| before.is_alphanumeric() || before == '_');
        let name: String = code[at + 3..].chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
        if is_word || name.is_empty() {
            continue;
        }
        if let Some(length) = body_end(&code[at..]) {
            let first = code[..at].matches('\n').count() + 1;
            found.push((name, first, code[at..at + length].matches('\n').count() + 1));
        }
    }
    found
}

/// Where the function ends whose `fn` begins `code`; `None` if it has no body.
fn body_end(code: &str) -> Option<usize> {
    let mut inside = 0;
    let mut braces = 0;
    for (at, character) in code.char_indices() {
        match character {
            '(' | '[' => inside += 1,
            ')' | ']' => inside -= 1,
            ';' if inside == 0 && braces == 0 => return None,
            '{' => braces += 1,
            '}' => {
                braces -= 1;
                if braces == 0 {
                    return Some(at + 1);
                }
            }
            _ => {}
        }
    }
    None
}

#[test]
fn what_is_long_is_found() {
    let function =
        |lines| format!("fn short();\nfn long<const N: usize>(a: [u8; 2]) {{\n{}}}\n", "a;\n".repeat(lines));
    let source = |text: &str| Source::new("orm/src/x.rs", text);
    assert!(complaints(&source(&function(68))).is_empty());
    let one = complaints(&source(&function(69)));
    assert_eq!(one, ["orm/src/x.rs:2: long has 71 lines, 70 at most"]);
    let file = "//\n".repeat(601);
    assert_eq!(complaints(&source(&file)), ["orm/src/x.rs: 601 lines, 600 at most"]);
    let tests = format!("{}#[cfg(test)]\nmod tests {{\n{file}}}\n", "//\n".repeat(600));
    assert!(complaints(&source(&tests)).is_empty());
    assert!(complaints(&Source::new("orm/tests/x.rs", &file)).is_empty());
}
