//! Just enough of SQL's surface to tell what a statement begins with.

/// The first word of a statement, in the case it was written in, after white space, comments and empty
/// statements. Empty where the statement does not begin with a word.
pub(crate) fn first_word(sql: &str) -> &str {
    split_word(sql).0
}

/// The first word, as [`first_word`] finds it, and what follows it.
pub(crate) fn split_word(sql: &str) -> (&str, &str) {
    let mut rest = sql;
    loop {
        rest = rest.trim_start_matches(|c: char| c.is_ascii_whitespace() || c == '\u{b}' || c == ';');
        if let Some(comment) = rest.strip_prefix("--") {
            rest = comment.find(['\n', '\r']).map_or("", |end| &comment[end..]);
        } else if rest.starts_with("/*") {
            rest = after_block_comment(rest);
        } else {
            let end = rest.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(rest.len());
            return rest.split_at(end);
        }
    }
}

/// What follows a block comment, which may hold others.
fn after_block_comment(sql: &str) -> &str {
    let bytes = sql.as_bytes();
    let (mut depth, mut i) = (0_usize, 0);
    while i + 1 < bytes.len() {
        match &bytes[i..i + 2] {
            b"/*" => (depth, i) = (depth + 1, i + 2),
            b"*/" => (depth, i) = (depth - 1, i + 2),
            _ => i += 1,
        }
        if depth == 0 {
            return &sql[i..];
        }
    }
    ""
}

/// Whether the statement may return rows, as far as its text tells: one that only writes and has no
/// RETURNING does not.
pub(crate) fn may_return_rows(sql: &str) -> bool {
    let word = first_word(sql);
    let writes = ["insert", "update", "delete", "merge"].iter().any(|w| word.eq_ignore_ascii_case(w));
    !writes || contains_word(sql, "returning")
}

/// Whether the statement reads where the transaction lets it do no more, as far as its text tells: it is no command that
/// governs the session or the transaction.
pub(crate) fn reads(sql: &str) -> bool {
    let word = first_word(sql);
    ["select", "with", "values", "table"].iter().any(|w| word.eq_ignore_ascii_case(w))
}

/// Whether the statement opens or ends a transaction or a savepoint.
pub(crate) fn governs_transaction(sql: &str) -> bool {
    let word = first_word(sql);
    let words = ["begin", "start", "commit", "end", "rollback", "abort", "savepoint", "release"];
    words.iter().any(|w| word.eq_ignore_ascii_case(w))
        || word.eq_ignore_ascii_case("prepare") && contains_word(sql, "transaction")
}

/// Whether the statement may commit by itself, and with it what has been done before under the same Sync: a procedure can,
/// and so does what cannot run inside of a transaction (PostgreSQL manual, "CALL", "DO", "Pipelining").
pub(crate) fn may_commit(sql: &str) -> bool {
    let (first, rest) = split_word(sql);
    let is = |words: &[&str]| words.iter().any(|word| first.eq_ignore_ascii_case(word));
    let alone = ["database", "tablespace", "subscription", "system", "concurrently"];
    is(&["call", "do", "vacuum", "cluster", "reindex"])
        || is(&["create", "alter", "drop"]) && alone.iter().any(|word| contains_word(rest, word))
}

/// Whether `word` stands anywhere in the text, in any case.
pub(crate) fn contains_word(sql: &str, word: &str) -> bool {
    sql.as_bytes().windows(word.len()).any(|w| w.eq_ignore_ascii_case(word.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_word_is_found_behind_anything_that_means_nothing() {
        for sql in [
            "COPY t FROM STDIN",
            "  \n\tCOPY t",
            ";; COPY t",
            "-- a comment\nCOPY t",
            "--\r COPY t",
            "/* a /* nested */ one */COPY t",
            "/**/;/**/-- x\n\n COPY(SELECT 1) TO STDOUT",
        ] {
            assert_eq!(first_word(sql), "COPY", "{sql:?}");
        }
        for sql in ["", "--", "/* never closed", "/*", "(SELECT 1)", "$1", "/* a */ /* b"] {
            assert_eq!(first_word(sql), "", "{sql:?}");
        }
    }

    #[test]
    fn what_runs_outside_of_transactions_may_commit() {
        for sql in [
            "CALL p()",
            "/* x */ do $$ begin commit; end $$",
            "VACUUM t",
            "create index concurrently i on t (x)",
            "CREATE DATABASE farm",
            "ALTER SYSTEM SET a = 1",
        ] {
            assert!(may_commit(sql), "{sql}");
        }
        for sql in ["SELECT 1", "INSERT INTO calls VALUES (1)", "CREATE TABLE t (x int)", "DROP INDEX i"] {
            assert!(!may_commit(sql), "{sql}");
        }
    }

    #[test]
    fn writes_without_returning_return_no_rows() {
        assert!(!may_return_rows("INSERT INTO t VALUES ($1)"));
        assert!(!may_return_rows("/* x */ delete from t"));
        assert!(may_return_rows("UPDATE t SET a = 1 ReTurning a"));
        assert!(may_return_rows("SELECT 1"));
        assert!(may_return_rows("WITH x AS (DELETE FROM t RETURNING a) SELECT a FROM x"));
    }
}
