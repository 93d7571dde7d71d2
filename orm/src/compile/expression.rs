//! From a tape to SQL.

use crate::compile::scope::Scope;
use crate::error::{Error, Result};
use crate::expr::{Binding, Form, Op, Tape};

/// A piece of SQL, and how tightly its outermost operator binds.
pub(super) struct Piece {
    pub(super) sql: String,
    binding: Binding,
}

impl Piece {
    /// The SQL as an operand that has to bind at least like `outer`; if it does not, in parentheses.
    pub(super) fn within(self, outer: Binding) -> String {
        if self.binding < outer { format!("({})", self.sql) } else { self.sql }
    }
}

/// How tightly the operands of an operator between two have to bind.
fn operands(binding: Binding) -> (Binding, Binding) {
    match binding {
        // It does not matter how a chain of these is put together.
        Binding::Or | Binding::And => (binding, binding),
        // These take the left pair first.
        Binding::Sum => (Binding::Sum, Binding::Product),
        Binding::Product => (Binding::Product, Binding::Atom),
        Binding::Other => (Binding::Sum, Binding::Sum),
        _ => (Binding::Other, Binding::Other),
    }
}

/// Numbers for parameters and for occurrences of tables, over a whole statement.
#[derive(Debug, Default)]
pub(crate) struct Numbers {
    pub(crate) params: usize,
    /// The number of each parameter, where some are one.
    pub(crate) shared: Vec<usize>,
    pub(crate) occurrences: usize,
    /// Whether there is a row that was to be inserted.
    pub(crate) proposed: bool,
    /// The aliases that are joined, with their occurrences.
    pub(crate) joined: Vec<(&'static str, usize)>,
}

impl Numbers {
    /// The next parameter: `$1`.
    pub(crate) fn param(&mut self) -> String {
        self.params += 1;
        format!("${}", self.shared.get(self.params - 1).unwrap_or(&self.params))
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
    reader.filters = true;
    let outer = if within_and { Binding::And } else { Binding::Or };
    reader.run()?;
    Ok(reader.pop()?.within(outer))
}

/// Renders an expression with a value, in which aggregates and windows may be: of a projection, a group, a
/// condition on groups.
pub(crate) fn value(tape: &Tape, row: usize, numbers: &mut Numbers) -> Result<String> {
    let mut reader = Reader::new(tape, row, numbers);
    reader.run()?;
    Ok(reader.pop()?.sql)
}

/// Renders orderings, parted by commas.
pub(crate) fn orderings(tape: &Tape, row: usize, numbers: &mut Numbers) -> Result<String> {
    let mut reader = Reader::new(tape, row, numbers);
    reader.run()?;
    let all: Vec<_> = reader.stack.into_iter().map(|piece| piece.sql).collect();
    Ok(all.join(", "))
}

pub(crate) fn debug_order(tape: &Tape) -> Result<String> {
    orderings(tape, 0, &mut Numbers { occurrences: 1, ..Numbers::default() })
}

pub(crate) fn debug_expression(tape: &Tape) -> Result<String> {
    value(tape, 0, &mut Numbers { occurrences: 1, ..Numbers::default() })
}

/// Reads a tape from left to right, with a stack of the pieces that are waiting for their operator.
pub(super) struct Reader<'a> {
    words: std::slice::Iter<'a, u64>,
    names: std::slice::Iter<'a, &'static str>,
    pub(super) numbers: &'a mut Numbers,
    pub(super) stack: Vec<Piece>,
    /// The scopes that are open.
    pub(super) scopes: Vec<Scope>,
    /// The occurrence that plain columns belong to outside of all scopes.
    pub(super) row: usize,
    /// Whether the expression is a filter outside of all scopes: there are no aggregates in it.
    filters: bool,
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
            filters: false,
        }
    }

    fn run(&mut self) -> Result<()> {
        while let Some(&word) = self.words.next() {
            let op = Op::of(word).ok_or_else(malformed)?;
            match op.form() {
                Form::Infix(sign, binding) => self.infix(sign, binding)?,
                Form::Prefix(sign, binding) => {
                    let inner = self.pop()?.within(if op == Op::Not { Binding::Not } else { Binding::Atom });
                    self.push(format!("{sign}{inner}"), binding);
                }
                Form::Suffix(sign, binding) => {
                    let inner = self.pop()?.within(Binding::Other);
                    self.push(format!("{inner} {sign}"), binding);
                }
                Form::Own => self.own(op)?,
            }
        }
        if self.scopes.is_empty() { Ok(()) } else { Err(malformed()) }
    }

    fn infix(&mut self, sign: &str, binding: Binding) -> Result<()> {
        let (left, right) = operands(binding);
        let (right, mut sql) = (self.pop()?.within(right), self.pop()?.within(left));
        // The left piece grows, so that a long chain is not copied for each of its links.
        for piece in [" ", sign, " ", &right] {
            sql.push_str(piece);
        }
        self.push(sql, binding);
        Ok(())
    }

    /// What is allowed in a projection and not in a filter.
    pub(super) fn not_in_a_filter(&self, what: &str) -> Result<()> {
        if self.filters && self.scopes.is_empty() {
            return Err(Error::declaration(format!("{what} stands in a filter of rows")));
        }
        Ok(())
    }

    pub(super) fn word(&mut self) -> Result<u64> {
        self.words.next().copied().ok_or_else(malformed)
    }

    /// A count.
    pub(super) fn number(&mut self) -> Result<usize> {
        usize::try_from(self.word()?).map_err(|_| malformed())
    }

    /// Passes over words that tell shapes apart and are not needed for their SQL.
    pub(super) fn words_of(&mut self, count: usize) -> Result<()> {
        (0..count).try_for_each(|_| self.word().map(drop))
    }

    pub(super) fn name(&mut self) -> Result<&'static str> {
        self.names.next().copied().ok_or_else(malformed)
    }

    pub(super) fn push(&mut self, sql: String, binding: Binding) {
        self.stack.push(Piece { sql, binding });
    }

    pub(super) fn atom(&mut self, sql: String) {
        self.push(sql, Binding::Atom);
    }

    pub(super) fn pop(&mut self) -> Result<Piece> {
        self.stack.pop().ok_or_else(malformed)
    }

    /// Takes the last `count` pieces.
    pub(super) fn last(&mut self, count: usize) -> Result<std::vec::Drain<'_, Piece>> {
        let at = self.stack.len().checked_sub(count).ok_or_else(malformed)?;
        Ok(self.stack.drain(at..))
    }

    /// Takes the last `count` pieces, parted by commas.
    pub(super) fn list(&mut self, count: usize) -> Result<String> {
        let all: Vec<_> = self.last(count)?.map(|piece| piece.sql).collect();
        Ok(all.join(", "))
    }
}

/// Only this crate writes tapes, so this says that it has a fault.
#[cold]
pub(super) fn malformed() -> Error {
    Error::declaration("an expression is malformed")
}
