//! From text to a value of a given type.

use std::cmp::Ordering;

use super::{Datum, Value};
use crate::error::{ParseError, RangeError};
use crate::types::quote::{is_space, scan_part};
use crate::types::{Array, Dimension, Field, Kind, Multirange, Range, RangeElement, Type, table};

/// Reads a value of `ty`.
pub(super) fn parse(ty: &Type, text: &str) -> Result<Datum, ParseError> {
    let ty = ty.base();
    if !ty.is_binary() {
        return Ok(Datum::Text(text.to_owned()));
    }
    match ty.kind() {
        Kind::Array(element) if table::is_spaced(ty) => {
            let items = text.split_ascii_whitespace().map(|item| parse(element, item).map(Some));
            let items: Vec<_> = items.collect::<Result<_, _>>()?;
            let dimension = Dimension { length: items.len(), lower: 0 };
            let array = Array::new(&[dimension], items);
            array.map(Datum::Array).map_err(|e| ParseError::new(ty.name().to_owned(), text, e.to_string()))
        }
        Kind::Array(element) => {
            let delimiter = table::delimiter(element);
            Array::parse_with(ty.name(), text, delimiter, |item| parse(element, item)).map(Datum::Array)
        }
        Kind::Range(element) => {
            let range = Range::parse_with(text, |bound| parse(element, bound))?;
            canonical(range)
                .map(Box::new)
                .map(Datum::Range)
                .map_err(|e| ParseError::new(ty.name().to_owned(), text, e.to_string()))
        }
        Kind::Multirange(element) => Multirange::parse_with(text, |rest| {
            let range = Range::scan_with(rest, |bound| parse(element, bound))?;
            canonical(range).map_err(|e| ParseError::new(ty.name().to_owned(), text, e.to_string()))
        })
        .map(Datum::Multirange),
        Kind::Composite(fields) => parse_record(ty, fields, text),
        Kind::Enum(labels) => match labels.iter().any(|label| label == text) || labels.is_empty() {
            true => Ok(Datum::Text(text.to_owned())),
            false => Err(ParseError::new(ty.name().to_owned(), text, "not one of its labels")),
        },
        _ => match table::row(ty) {
            Some(row) => (row.parse)(text),
            None => {
                Err(ParseError::new(ty.name().to_owned(), text, "the type's text form is not known here"))
            }
        },
    }
}

/// The form that the server would bring the range into.
fn canonical(range: Range<Datum>) -> Result<Range<Datum>, RangeError> {
    range.canonical_by(
        |a, b| match (a, b) {
            (Datum::Int4(a), Datum::Int4(b)) => a.cmp(b),
            (Datum::Int8(a), Datum::Int8(b)) => a.cmp(b),
            (Datum::Date(a), Datum::Date(b)) => a.cmp(b),
            (Datum::Numeric(a), Datum::Numeric(b)) => a.cmp(b),
            (Datum::Timestamp(a), Datum::Timestamp(b)) => a.cmp(b),
            (Datum::TimestampTz(a), Datum::TimestampTz(b)) => a.cmp(b),
            // How the server orders others is its own business, and it will look again.
            _ => Ordering::Less,
        },
        |value| match value {
            Datum::Int4(n) => n.successor().map(|next| next.map(Datum::Int4)),
            Datum::Int8(n) => n.successor().map(|next| next.map(Datum::Int8)),
            Datum::Date(date) => date.successor().map(|next| next.map(Datum::Date)),
            _ => Ok(None),
        },
    )
}

/// Reads the fields of a composite: between parentheses, a field of which nothing is written is NULL.
fn parse_record(ty: &Type, fields: &[Field], text: &str) -> Result<Datum, ParseError> {
    let fail = |detail: &'static str| ParseError::new(ty.name().to_owned(), text, detail);
    let inner = text.trim_matches(is_space).strip_prefix('(');
    let mut rest = inner.ok_or_else(|| fail("not fields in parentheses"))?;
    let mut values = Vec::with_capacity(fields.len());
    for (i, field) in fields.iter().enumerate() {
        if i > 0 {
            rest = rest.strip_prefix(',').ok_or_else(|| fail("too few fields"))?;
        }
        let part = scan_part(&mut rest, &[',', ')']).ok_or_else(|| fail("not fields in parentheses"))?;
        values.push(match part {
            Some(part) => Value::parse(&field.ty, &part)?,
            None => Value::null(field.ty.clone()),
        });
    }
    if rest == ")" { Ok(Datum::Record(values)) } else { Err(fail("too many fields")) }
}
