//! What statements leave behind in a session, as far as their texts tell.

use std::ops::BitOrAssign;

use crate::proto::lexer;

/// What has been done to a session that its next borrower must not find.
///
/// It is read off the texts, so what a function does inside is not seen; and a statement counts even if it fails.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Traces(u8);

impl Traces {
    /// Settings, the role among them.
    pub(crate) const SETTINGS: Self = Self(1);
    /// Channels that it listens to.
    pub(crate) const CHANNELS: Self = Self(2);
    /// Advisory locks of the session.
    pub(crate) const LOCKS: Self = Self(4);
    /// Cursors that outlive their transaction.
    pub(crate) const CURSORS: Self = Self(8);
    /// Temporary tables.
    pub(crate) const TABLES: Self = Self(16);
    /// It said that it only reads.
    pub(crate) const READS_ONLY: Self = Self(32);

    /// What a statement, or a script of several, leaves behind.
    pub(crate) fn of(sql: &str) -> Self {
        let mut traces = Self::default();
        // A semicolon in a text is taken for the end of a statement: at worst a reset too many follows.
        for statement in sql.split(';') {
            traces |= Self::of_statement(statement);
        }
        if lexer::contains_word(sql, "advisory_lock") {
            traces |= Self::LOCKS;
        }
        traces
    }

    fn of_statement(sql: &str) -> Self {
        let (first, rest) = lexer::split_word(sql);
        let (second, _) = lexer::split_word(rest);
        let starts = |words: &[&str]| words.iter().any(|word| first.eq_ignore_ascii_case(word));
        let goes_on = |words: &[&str]| words.iter().any(|word| second.eq_ignore_ascii_case(word));
        let says = |text: &str| lexer::contains_word(rest, text);
        let mut traces = Self::default();
        // A SET LOCAL and its kin are for the transaction at hand.
        if starts(&["set", "reset", "discard"]) && !goes_on(&["local", "transaction", "constraints"]) {
            traces |= Self::SETTINGS;
        }
        if starts(&["listen"]) {
            traces |= Self::CHANNELS;
        }
        if starts(&["declare"]) && says("hold") {
            traces |= Self::CURSORS;
        }
        if makes_temporary(sql) {
            traces |= Self::TABLES;
        }
        if says("set_config") && sets_for_good(rest) {
            traces |= Self::SETTINGS;
        }
        if starts(&["set", "begin", "start"]) && says("read only") {
            traces |= Self::READS_ONLY;
        }
        traces
    }

    /// Whether one of these is among them.
    pub(crate) fn has(self, some: Self) -> bool {
        self.0 & some.0 != 0
    }

    /// The script that takes them away (PostgreSQL manual, "DISCARD", of which this does the parts that are needed, and
    /// never forgets a prepared statement); `None` where there is nothing to do.
    pub(crate) fn reset(self, read_only: bool) -> Option<String> {
        let parts = [
            (Self::CURSORS, "CLOSE ALL"),
            // The role, which RESET ALL leaves alone, goes with it.
            (Self::SETTINGS, "SET SESSION AUTHORIZATION DEFAULT; RESET ALL"),
            (Self::CHANNELS, "UNLISTEN *"),
            (Self::LOCKS, "SELECT pg_catalog.pg_advisory_unlock_all()"),
            (Self::TABLES, "DISCARD TEMP"),
        ];
        let mut script: Vec<_> =
            parts.into_iter().filter(|&(trace, _)| self.has(trace)).map(|(_, part)| part).collect();
        if read_only && self.has(Self::SETTINGS) {
            script.push(READ_ONLY);
        }
        (!script.is_empty()).then(|| script.join("; "))
    }
}

/// Whether a statement makes a table or a view that only this session has.
fn makes_temporary(sql: &str) -> bool {
    let (first, mut rest) = lexer::split_word(sql);
    let is = |word: &str, some: &[&str]| some.iter().any(|one| word.eq_ignore_ascii_case(one));
    if is(first, &["create"]) {
        let mut word;
        while {
            (word, rest) = lexer::split_word(rest);
            is(word, &["or", "replace", "recursive"])
        } {}
        if is(word, TEMPORARY) || lexer::contains_word(rest, "pg_temp") {
            return true;
        }
    }
    let mut words = sql.split_ascii_whitespace();
    words.by_ref().any(|word| is(word, &["into"])) && words.next().is_some_and(|word| is(word, TEMPORARY))
}

/// The words that say so (PostgreSQL manual, "CREATE TABLE": LOCAL and GLOBAL may stand before TEMP, and mean nothing).
const TEMPORARY: &[&str] = &["temp", "temporary", "local", "global"];

/// Whether a `set_config` is called for longer than the transaction at hand.
fn sets_for_good(sql: &str) -> bool {
    let is_local = |call: &str| {
        let arguments = call.split(')').next().unwrap_or_default().trim_ascii_end().to_ascii_lowercase();
        arguments.strip_suffix("true").is_some_and(|before| before.trim_ascii_end().ends_with(','))
    };
    let lower = sql.to_ascii_lowercase();
    lower.split("set_config").skip(1).any(|call| !is_local(call))
}

/// What makes a session one that only reads, unless a transaction says otherwise.
pub(crate) const READ_ONLY: &str = "SET default_transaction_read_only = on";

impl BitOrAssign for Traces {
    fn bitor_assign(&mut self, other: Self) {
        self.0 |= other.0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_lasts_longer_than_a_transaction_leaves_traces() {
        let all = |traces: &[Traces]| {
            traces.iter().fold(Traces::default(), |mut all, &one| {
                all |= one;
                all
            })
        };
        for (sql, expected) in [
            ("SELECT 1", &[][..]),
            ("UPDATE t SET a = 1", &[]),
            ("/* x */ set search_path TO a", &[Traces::SETTINGS]),
            ("SET LOCAL search_path TO a", &[]),
            ("set constraints all deferred", &[]),
            ("SET ROLE shepherd", &[Traces::SETTINGS]),
            ("RESET ALL", &[Traces::SETTINGS]),
            ("DISCARD ALL", &[Traces::SETTINGS]),
            ("SELECT set_config('a.b', $1, false)", &[Traces::SETTINGS]),
            ("SELECT set_config('a.b', $1, true)", &[]),
            ("SELECT set_config('a.b', $1, true), set_config('a.c', $2, false)", &[Traces::SETTINGS]),
            ("SELECT Set_Config('a.b', '(true)', false)", &[Traces::SETTINGS]),
            ("SELECT set_config('a.b', $1 , TRUE )", &[]),
            ("LISTEN shearings", &[Traces::CHANNELS]),
            ("UNLISTEN shearings", &[]),
            ("SELECT pg_advisory_lock(1)", &[Traces::LOCKS]),
            ("SELECT pg_try_advisory_lock_shared($1)", &[Traces::LOCKS]),
            ("SELECT pg_advisory_xact_lock(1)", &[]),
            ("SELECT pg_advisory_unlock(1)", &[]),
            ("DECLARE c CURSOR WITH HOLD FOR SELECT 1", &[Traces::CURSORS]),
            ("DECLARE c CURSOR FOR SELECT 1", &[]),
            ("CREATE TEMP TABLE t (a int)", &[Traces::TABLES]),
            ("create or replace temporary view t AS SELECT 1", &[Traces::TABLES]),
            ("CREATE TABLE pg_temp.t (a int)", &[Traces::TABLES]),
            ("SELECT 1 AS a INTO\n TEMP t", &[Traces::TABLES]),
            ("INSERT INTO temperatures VALUES ($1)", &[]),
            ("CREATE TABLE t (a int)", &[]),
            ("SELECT 1; SET a.b = 'c'; LISTEN d", &[Traces::SETTINGS, Traces::CHANNELS]),
            ("SET TRANSACTION READ ONLY", &[Traces::READS_ONLY]),
            ("begin read only", &[Traces::READS_ONLY]),
            ("SET SESSION CHARACTERISTICS AS TRANSACTION READ ONLY", &[Traces::READS_ONLY, Traces::SETTINGS]),
        ] {
            assert_eq!(Traces::of(sql), all(expected), "{sql}");
        }
    }

    #[test]
    fn a_reset_does_what_is_needed() {
        assert_eq!(Traces::default().reset(true), None);
        assert_eq!(Traces::of("BEGIN READ ONLY").reset(true), None);
        let locks = Traces::LOCKS.reset(true).expect("something to do");
        assert_eq!(locks, "SELECT pg_catalog.pg_advisory_unlock_all()");
        let settings = Traces::SETTINGS.reset(true).expect("something to do");
        assert!(settings.contains("RESET ALL") && settings.ends_with(READ_ONLY), "{settings}");
        assert!(!Traces::SETTINGS.reset(false).expect("something to do").contains(READ_ONLY));
    }
}
