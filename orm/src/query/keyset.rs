//! Going on behind a row.

use wreath_codecs::{EncodeError, ParamBuf};

use crate::expr::{Op, Tape, order_bits};
use crate::model::{Column, ColumnType, ColumnVisitor, Columns, Model, describe};
use crate::relation::tells_apart;

/// A column that rows are ordered by, and the value that the next page begins behind.
struct Part {
    column: Tape,
    name: &'static str,
    nullable: bool,
    /// `None` for NULL.
    value: Option<ParamBuf>,
    descending: bool,
    nulls_last: bool,
}

/// The condition for rows that come behind one with these values, in the order that is on the tape.
pub(super) fn after<M: Model, C: Columns<M>>(
    order: &Tape,
    columns: C,
    row: &C::Row,
) -> Result<Tape, &'static str> {
    let mut values = Vec::new();
    let mut error = None;
    columns.bind_each(row, &mut |bound| match bound {
        Ok(value) => values.push(value),
        Err(e) => error = error.take().or(Some(e)),
    });
    let mut parts = Parts { values: values.into_iter(), parts: Vec::new() };
    columns.each(&mut parts);
    let mut parts = parts.parts;
    if error.is_none() {
        read_order(order, &mut parts)?;
    }
    let known = describe::<M>().map_err(|_| "the model is not declared rightly")?;
    // Rows whose values are NULL are level, even where the column is unique.
    if !tells_apart(known, &|name| parts.iter().any(|part| part.name == name && !part.nullable)) {
        return Err("rows that are level in the order would be lost: it has to end with the key");
    }
    let mut tape = condition(&parts);
    tape.error = error;
    Ok(tape)
}

/// Notes the directions, and whether the columns are those that the rows are ordered by.
fn read_order(order: &Tape, parts: &mut [Part]) -> Result<(), &'static str> {
    const OTHER: &str = "`after` takes the columns that the query is ordered by, in their order";
    let mut words = order.words.as_slice();
    for part in parts {
        let rest = words.strip_prefix(part.column.words.as_slice()).ok_or(OTHER)?;
        let [op, bits, rest @ ..] = rest else { return Err(OTHER) };
        if *op != Op::Order.word() {
            return Err(OTHER);
        }
        part.descending = bits & order_bits::DESC != 0;
        part.nulls_last = match bits & (order_bits::NULLS_FIRST | order_bits::NULLS_LAST) {
            0 => !part.descending,
            nulls => nulls == order_bits::NULLS_LAST,
        };
        words = rest;
    }
    if words.is_empty() { Ok(()) } else { Err(OTHER) }
}

/// Behind the row: further in the first column, or level there and behind the row in the others.
fn condition(parts: &[Part]) -> Tape {
    let one_way = parts.iter().all(|part| part.descending == parts[0].descending);
    if one_way && parts.len() > 1 && parts.iter().all(|part| !part.nullable) {
        return row_comparison(parts);
    }
    let mut behind: Option<Tape> = None;
    for part in parts.iter().rev() {
        let nested = behind.take().map(|mut inner| {
            let mut level = part.level();
            level.append(&inner);
            level.op(Op::And);
            inner = level;
            inner
        });
        behind = match (part.further(), nested) {
            (Some(mut further), Some(nested)) => {
                further.append(&nested);
                further.op(Op::Or);
                Some(further)
            }
            (further, nested) => further.or(nested),
        };
    }
    behind.unwrap_or_else(|| {
        let mut nothing = Tape::default();
        nothing.raw("false");
        nothing
    })
}

/// `(a, b) > ($1, $2)`, which an index over the columns answers as a range.
fn row_comparison(parts: &[Part]) -> Tape {
    let mut tape = Tape::default();
    let mut pieces = 0;
    for (place, part) in parts.iter().enumerate() {
        tape.raw(if place == 0 { "(" } else { ", " });
        tape.append(&part.column);
        pieces += 2;
    }
    tape.raw(if parts[0].descending { ") < " } else { ") > " });
    for (place, part) in parts.iter().enumerate() {
        tape.raw(if place == 0 { "(" } else { ", " });
        part.bind(&mut tape);
        pieces += 2;
    }
    tape.raw(")");
    tape.op(Op::Concat);
    tape.word(pieces + 2);
    tape
}

impl Part {
    fn bind(&self, tape: &mut Tape) {
        if let Some(value) = &self.value {
            tape.op(Op::Param);
            if let Err(error) = tape.binds.append(value) {
                tape.error.get_or_insert(error);
            }
        }
    }

    fn compared(&self, op: Op) -> Tape {
        let mut tape = self.column.clone();
        if self.value.is_some() {
            self.bind(&mut tape);
        }
        tape.op(op);
        tape
    }

    /// Level with the row.
    fn level(&self) -> Tape {
        self.compared(if self.value.is_some() { Op::Eq } else { Op::IsNull })
    }

    /// Further than the row; `None` where nothing is.
    fn further(&self) -> Option<Tape> {
        if self.value.is_none() {
            return (!self.nulls_last).then(|| self.compared(Op::IsNotNull));
        }
        let mut tape = self.compared(if self.descending { Op::Lt } else { Op::Gt });
        if self.nullable && self.nulls_last {
            tape.append(&self.column);
            tape.op(Op::IsNull);
            tape.op(Op::Or);
        }
        Some(tape)
    }
}

struct Parts {
    values: std::vec::IntoIter<ParamBuf>,
    parts: Vec<Part>,
}

impl<M> ColumnVisitor<M> for Parts {
    fn column<T: ColumnType>(&mut self, column: Column<M, T>) {
        let mut tape = Tape::default();
        tape.column(column);
        let value = self.values.next().filter(|value| !value.values().as_bytes().starts_with(&[0xff; 4]));
        self.parts.push(Part {
            column: tape,
            name: column.name(),
            nullable: T::NULLABLE,
            value,
            descending: false,
            nulls_last: false,
        });
    }
}

/// A value of a key, as a parameter of its own.
pub(crate) type Bound = Result<ParamBuf, EncodeError>;
