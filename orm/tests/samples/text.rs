//! Text, its patterns, and what could get out of its quotes.

use wreath_orm::expr::escape_like;

use super::naive::like;
use super::{Case, Sample, case};

const HOSTILE: &str = r"'; DROP TABLE samples; -- \' $1 %s ? {\";

pub fn cases() -> Vec<(&'static str, Vec<Case>)> {
    vec![("Patterns", patterns()), ("Functions of text", functions()), ("Hostile texts", hostile())]
}

fn patterns() -> Vec<Case> {
    vec![
        case("like", Sample::WORD.like("a%"), |s| like(&s.word, "a%")),
        case("like, with an escape", Sample::WORD.like(r"a\_c"), |s| s.word == "a_c"),
        case("one character", Sample::WORD.like("_"), |s| s.word.chars().count() == 1),
        case("not like", Sample::NOTE.not_like("%b%"), |s| s.note.as_ref().map(|n| !n.contains('b'))),
        case("in any case", Sample::WORD.ilike("ABC"), |s| s.word.to_lowercase() == "abc"),
        case("not in any case", Sample::WORD.not_ilike("A%"), |s| !s.word.to_lowercase().starts_with('a')),
        case("begins with", Sample::WORD.starts_with("a_"), |s| s.word.starts_with("a_")),
        case("ends with", Sample::WORD.ends_with("%"), |s| s.word.ends_with('%')),
        case("contains", Sample::NOTE.contains("\\"), |s| s.note.as_ref().map(|n| n.contains('\\'))),
        case("contains nothing in particular", Sample::WORD.contains(""), |_| true),
        case("an escaped pattern", Sample::WORD.like(&escape_like("100%")), |s| s.word == "100%"),
        case("a regular expression", Sample::WORD.regex("^[a-c]+$"), |s| {
            !s.word.is_empty() && s.word.chars().all(|c| ('a'..='c').contains(&c))
        }),
        case("a regular expression in any case", Sample::WORD.regex_any_case("^A"), |s| {
            s.word.to_lowercase().starts_with('a')
        }),
        case("a pattern over an expression", Sample::WORD.append("!").like("%c!"), |s| s.word.ends_with('c')),
    ]
}

fn functions() -> Vec<Case> {
    vec![
        case("lower", Sample::WORD.lower().eq("abc"), |s| s.word.to_lowercase() == "abc"),
        case("upper", Sample::NOTE.upper().eq("ABC"), |s| s.note.as_ref().map(|n| n.to_uppercase() == "ABC")),
        case("how many characters", Sample::WORD.char_length().eq(3), |s| s.word.chars().count() == 3),
        case("one behind the other", Sample::WORD.append(Sample::NOTE).eq("aabc"), |s| {
            s.note.as_ref().map(|n| format!("{}{n}", s.word) == "aabc")
        }),
        case("a part", Sample::WORD.substring(2, 2).eq("bc"), |s| {
            s.word.chars().skip(1).take(2).eq("bc".chars())
        }),
        case("the first characters", Sample::WORD.left(1).eq("ä"), |s| s.word.starts_with('ä')),
        case("the last characters", Sample::WORD.right(1).eq("c"), |s| s.word.ends_with('c')),
        case("with something else in its place", Sample::WORD.replace("b", "%").eq("a%c"), |s| {
            s.word.replace('b', "%") == "a%c"
        }),
        case("where it is", Sample::WORD.position("b").gt(0), |s| s.word.contains('b')),
        case("parts between separators", Sample::WORD.split_part(",", 2).eq("b"), |s| {
            s.word.split(',').nth(1) == Some("b")
        }),
        case("without spaces around", Sample::WORD.append(" ").trim().eq_to(Sample::WORD), |_| true),
        case("functions of functions", Sample::NOTE.coalesce_to(Sample::WORD).lower().left(1).eq("a"), |s| {
            s.note.as_ref().unwrap_or(&s.word).to_lowercase().starts_with('a')
        }),
    ]
}

fn hostile() -> Vec<Case> {
    vec![
        case("as a value", Sample::WORD.ne(HOSTILE), |_| true),
        case("in a list", Sample::WORD.not_any([HOSTILE, "a"]), |s| s.word != "a"),
        case("in a pattern", Sample::WORD.contains(HOSTILE), |_| false),
        case("as an argument", Sample::WORD.replace(HOSTILE, "").eq_to(Sample::WORD), |_| true),
        case("as a key", Sample::DOC.has_key(HOSTILE), |_| false),
        case("in a path", Sample::DOC.path_text([HOSTILE, "a"]).is_null(), |_| true),
        case("as an element", Sample::TAGS.has_element(HOSTILE), |_| false),
        case("in a part of an array", Sample::TAGS.contains(&[HOSTILE.to_owned()]), |_| false),
    ]
}
