//! From a tape to SQL.

use std::fmt::Write;

use crate::compile::{quote, quote_qualified};
use crate::error::{Error, Result};
use crate::expr::{Op, PROPOSED, Tape};

/// How tightly the outermost operator of a piece of SQL binds; an operand that binds less tightly than its
/// operator is put into parentheses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Binding {
    Or,
    And,
    Not,
    Comparison,
    Atom,
}

/// A piece of SQL.
struct Piece {
    sql: String,
    binding: Binding,
}

impl Piece {
    /// The SQL as an operand of something that binds like `outer`.
    fn within(self, outer: Binding) -> String {
        if self.binding < outer { format!("({})", self.sql) } else { self.sql }
    }
}

/// The operators between two operands.
const BINARY: &[(Op, &str)] =
    &[(Op::Eq, "="), (Op::Ne, "<>"), (Op::Lt, "<"), (Op::Le, "<="), (Op::Gt, ">"), (Op::Ge, ">=")];

/// What names mean at a place in an expression.
#[derive(Clone, Copy)]
struct Scope {
    /// The number of the table's occurrence: `t0`.
    occurrence: usize,
    /// The alias's name, where it is an alias that was opened.
    alias: Option<&'static str>,
}

/// Numbers for parameters and for occurrences of tables, over a whole statement.
#[derive(Debug, Default)]
pub(crate) struct Numbers {
    pub(crate) params: usize,
    pub(crate) occurrences: usize,
    /// Whether there is a row that was to be inserted.
    pub(crate) proposed: bool,
}

impl Numbers {
    /// The next parameter: `$1`.
    pub(crate) fn param(&mut self) -> String {
        self.params += 1;
        format!("${}", self.params)
    }

    /// The next occurrence of a table.
    pub(crate) fn occurrence(&mut self) -> usize {
        self.occurrences += 1;
        self.occurrences - 1
    }
}

/// Renders a condition about the row of an occurrence. `within_and` says that it is to stand among others.
pub(crate) fn condition(tape: &Tape, row: usize, numbers: &mut Numbers, within_and: bool) -> Result<String> {
    let mut reader = Reader::new(tape, row, numbers);
    let outer = if within_and { Binding::And } else { Binding::Or };
    reader.run()?;
    Ok(reader.pop()?.within(outer))
}

/// Renders orderings, parted by commas.
pub(crate) fn orderings(tape: &Tape, row: usize, numbers: &mut Numbers) -> Result<String> {
    let mut reader = Reader::new(tape, row, numbers);
    reader.run()?;
    let all: Vec<_> = reader.stack.into_iter().map(|piece| piece.sql).collect();
    Ok(all.join(", "))
}

pub(crate) fn debug_pred(tape: &Tape) -> Result<String> {
    condition(tape, 0, &mut Numbers { occurrences: 1, ..Numbers::default() }, false)
}

pub(crate) fn debug_order(tape: &Tape) -> Result<String> {
    orderings(tape, 0, &mut Numbers { occurrences: 1, ..Numbers::default() })
}

/// Reads a tape from left to right, with a stack of the pieces that are waiting for their operator.
struct Reader<'a> {
    words: std::slice::Iter<'a, u64>,
    names: std::slice::Iter<'a, &'static str>,
    numbers: &'a mut Numbers,
    stack: Vec<Piece>,
    /// The scopes that are open, and what to put around what they hold.
    scopes: Vec<(Scope, String)>,
    row: usize,
}

impl<'a> Reader<'a> {
    fn new(tape: &'a Tape, row: usize, numbers: &'a mut Numbers) -> Self {
        Self {
            words: tape.words.iter(),
            names: tape.names.iter(),
            numbers,
            stack: Vec::new(),
            scopes: Vec::new(),
            row,
        }
    }

    fn run(&mut self) -> Result<()> {
        while let Some(&word) = self.words.next() {
            let op = Op::of(word).ok_or_else(malformed)?;
            self.step(op)?;
        }
        if self.scopes.is_empty() { Ok(()) } else { Err(malformed()) }
    }

    fn step(&mut self, op: Op) -> Result<()> {
        match op {
            Op::Column => {
                self.word()?;
                let occurrence = self.row_scope();
                self.column(occurrence)
            }
            Op::Aliased => {
                self.words_of(2)?;
                let alias = self.name()?;
                match self.alias_scope(alias) {
                    Err(_) if alias == PROPOSED && self.numbers.proposed => {
                        let name = self.name()?;
                        self.column_of(PROPOSED, name);
                        Ok(())
                    }
                    occurrence => self.column(occurrence?),
                }
            }
            Op::Param => {
                let sql = self.numbers.param();
                self.push(sql, Binding::Atom);
                Ok(())
            }
            Op::Eq | Op::Ne | Op::Lt | Op::Le | Op::Gt | Op::Ge => self.comparison(op),
            Op::Any => {
                let (list, left) = (self.pop()?.sql, self.pop()?.within(Binding::Atom));
                self.push(format!("{left} = ANY ({list})"), Binding::Comparison);
                Ok(())
            }
            Op::IsNull => self.suffix(" IS NULL"),
            Op::IsNotNull => self.suffix(" IS NOT NULL"),
            Op::And => self.connective(" AND ", Binding::And),
            Op::Or => self.connective(" OR ", Binding::Or),
            Op::Not => {
                let inner = self.pop()?.within(Binding::Not);
                self.push(format!("NOT {inner}"), Binding::Not);
                Ok(())
            }
            Op::OpenRelation => self.open_relation(),
            Op::OpenAlias => self.open_alias(),
            Op::Close => self.close(),
            Op::Order => self.order(),
        }
    }

    fn comparison(&mut self, op: Op) -> Result<()> {
        let sign = BINARY.iter().find(|row| row.0 == op).ok_or_else(malformed)?.1;
        let (right, left) = (self.pop()?.within(Binding::Atom), self.pop()?.within(Binding::Atom));
        self.push(format!("{left} {sign} {right}"), Binding::Comparison);
        Ok(())
    }

    fn suffix(&mut self, suffix: &str) -> Result<()> {
        let inner = self.pop()?.within(Binding::Atom);
        self.push(inner + suffix, Binding::Comparison);
        Ok(())
    }

    fn connective(&mut self, word: &str, binding: Binding) -> Result<()> {
        let (right, left) = (self.pop()?.within(binding), self.pop()?.within(binding));
        self.push(left + word + &right, binding);
        Ok(())
    }

    fn open_relation(&mut self) -> Result<()> {
        self.words_of(2)?;
        let (schema, table, far, near) = (self.name()?, self.name()?, self.name()?, self.name()?);
        let outer = self.row_scope();
        let occurrence = self.numbers.occurrence();
        let mut sql = String::from("EXISTS (SELECT 1 FROM ");
        quote_qualified(&mut sql, schema, table);
        let _ = write!(sql, " AS t{occurrence} WHERE t{occurrence}.");
        quote(&mut sql, far);
        let _ = write!(sql, " = t{outer}.");
        quote(&mut sql, near);
        sql.push_str(" AND ");
        self.scopes.push((Scope { occurrence, alias: None }, sql));
        Ok(())
    }

    fn open_alias(&mut self) -> Result<()> {
        self.words_of(2)?;
        let (alias, schema, table) = (self.name()?, self.name()?, self.name()?);
        let occurrence = self.numbers.occurrence();
        let mut sql = String::from("EXISTS (SELECT 1 FROM ");
        quote_qualified(&mut sql, schema, table);
        let _ = write!(sql, " AS t{occurrence} WHERE ");
        self.scopes.push((Scope { occurrence, alias: Some(alias) }, sql));
        Ok(())
    }

    fn close(&mut self) -> Result<()> {
        let (scope, head) = self.scopes.pop().ok_or_else(malformed)?;
        // What stands behind the AND of a relation is one of two conditions, what stands in an alias is the
        // only one.
        let outer = if scope.alias.is_some() { Binding::Or } else { Binding::And };
        let inner = self.pop()?.within(outer);
        self.push(format!("{head}{inner})"), Binding::Atom);
        Ok(())
    }

    fn order(&mut self) -> Result<()> {
        use crate::expr::order_bits::{DESC, NULLS_FIRST, NULLS_LAST};
        let bits = self.word()?;
        let mut sql = self.pop()?.sql;
        for (bit, words) in [(DESC, " DESC"), (NULLS_FIRST, " NULLS FIRST"), (NULLS_LAST, " NULLS LAST")] {
            if bits & bit != 0 {
                sql.push_str(words);
            }
        }
        self.push(sql, Binding::Atom);
        Ok(())
    }

    fn column(&mut self, occurrence: usize) -> Result<()> {
        let name = self.name()?;
        self.column_of(&format!("t{occurrence}"), name);
        Ok(())
    }

    fn column_of(&mut self, row: &str, name: &str) {
        let mut sql = format!("{row}.");
        quote(&mut sql, name);
        self.push(sql, Binding::Atom);
    }

    /// The occurrence that plain columns belong to: that of the innermost open relation, else the row's own.
    fn row_scope(&self) -> usize {
        let open = self.scopes.iter().rev().find(|(scope, _)| scope.alias.is_none());
        open.map_or(self.row, |(scope, _)| scope.occurrence)
    }

    fn alias_scope(&self, alias: &'static str) -> Result<usize> {
        let open = self.scopes.iter().rev().find(|(scope, _)| scope.alias == Some(alias));
        open.map(|(scope, _)| scope.occurrence).ok_or_else(|| {
            Error::declaration(format!("a column of the alias {alias:?} stands outside the alias's `exists`"))
        })
    }

    /// Passes over words that tell shapes apart and are not needed for their SQL.
    fn words_of(&mut self, count: usize) -> Result<()> {
        (0..count).try_for_each(|_| self.word().map(drop))
    }

    fn word(&mut self) -> Result<u64> {
        self.words.next().copied().ok_or_else(malformed)
    }

    fn name(&mut self) -> Result<&'static str> {
        self.names.next().copied().ok_or_else(malformed)
    }

    fn push(&mut self, sql: String, binding: Binding) {
        self.stack.push(Piece { sql, binding });
    }

    fn pop(&mut self) -> Result<Piece> {
        self.stack.pop().ok_or_else(malformed)
    }
}

/// Only this crate writes tapes, so this says that it has a fault.
#[cold]
fn malformed() -> Error {
    Error::declaration("an expression is malformed")
}
