//! The order of rows.

use std::cmp::Ordering;

use wreath_codecs::types::{
    Date, Inet, Interval, Money, Numeric, Time, TimeTz, Timestamp, TimestampTz, Uuid,
};
use wreath_codecs::{Decode, Kind, oid};

use super::{Element, Series};
use crate::error::{Error, ErrorKind, Result};
use crate::row::RowIndex;

/// A column that rows are sorted by, and which way; given to [`Batch::sort_by`](crate::Batch::sort_by).
///
/// ```
/// use wreath_driver::SortKey;
///
/// let oldest_first = [SortKey::desc("age").nulls_last(), SortKey::asc("name")];
/// # let _ = oldest_first;
/// ```
#[derive(Clone, Copy, Debug)]
pub struct SortKey<I> {
    pub(super) column: I,
    descending: bool,
    nulls_first: bool,
}

impl<I: RowIndex> SortKey<I> {
    /// The smallest first; NULLs behind, as the server has them unless told otherwise.
    pub fn asc(column: I) -> Self {
        Self { column, descending: false, nulls_first: false }
    }

    /// The greatest first, behind the NULLs, as the server has them unless told otherwise.
    pub fn desc(column: I) -> Self {
        Self { column, descending: true, nulls_first: true }
    }

    /// NULLs come before all values.
    #[must_use]
    pub fn nulls_first(self) -> Self {
        Self { nulls_first: true, ..self }
    }

    /// NULLs come behind all values.
    #[must_use]
    pub fn nulls_last(self) -> Self {
        Self { nulls_first: false, ..self }
    }

    /// Compares rows of a column, given by their places.
    pub(super) fn compare<'a>(&self, series: &'a Series) -> Result<Compare<'a>> {
        let (descending, nulls_first) = (self.descending, self.nulls_first);
        let values = compare_values(series)?;
        Ok(Box::new(move |a, b| match (series.is_null(a), series.is_null(b)) {
            (false, false) if descending => values(b, a),
            (false, false) => values(a, b),
            (true, true) => Ordering::Equal,
            (a_is_null, _) if a_is_null == nulls_first => Ordering::Less,
            _ => Ordering::Greater,
        }))
    }
}

/// Compares two rows of a column, given by their places.
pub(super) type Compare<'a> = Box<dyn Fn(usize, usize) -> Ordering + 'a>;

/// Compares two values of a column that are not NULL.
fn compare_values(series: &Series) -> Result<Compare<'_>> {
    let ordered = slice::<bool>(series)
        .or_else(|| slice::<i16>(series))
        .or_else(|| slice::<i32>(series))
        .or_else(|| slice::<i64>(series))
        .or_else(|| slice::<u32>(series))
        .or_else(|| slice::<Date>(series))
        .or_else(|| slice::<Time>(series))
        .or_else(|| slice::<Timestamp>(series))
        .or_else(|| slice::<TimestampTz>(series))
        .or_else(|| slice::<Uuid>(series));
    if let Some(compare) = ordered {
        return Ok(compare);
    }
    if let Some(values) = series.values::<f32>() {
        return Ok(Box::new(|a, b| floats(values[a].into(), values[b].into())));
    }
    if let Some(values) = series.values::<f64>() {
        return Ok(Box::new(|a, b| floats(values[a], values[b])));
    }
    if let Kind::Enum(labels) = series.read_as().base().kind() {
        return Ok(enums(series, labels));
    }
    match series.read_as().base().oid() {
        // Bytes that are compared as such, by the server too.
        oid::TEXT
        | oid::VARCHAR
        | oid::BPCHAR
        | oid::NAME
        | oid::BYTEA
        | oid::UNKNOWN
        | oid::PG_LSN
        | oid::XID8
        | oid::MACADDR
        | oid::MACADDR8 => Ok(Box::new(|a, b| series.bytes(a).cmp(&series.bytes(b)))),
        oid::NUMERIC => decoded::<Numeric>(series),
        oid::INTERVAL => decoded::<Interval>(series),
        oid::TIMETZ => decoded::<TimeTz>(series),
        oid::MONEY => decoded::<Money>(series),
        oid::INET => decoded::<Inet>(series),
        _ => Err(Error::new(
            ErrorKind::Unsupported,
            format!(
                "column {:?}: values of type {} have no order here: let the statement sort them",
                series.column().name(),
                series.column().ty().name()
            ),
        )),
    }
}

fn slice<T: Element + Ord>(series: &Series) -> Option<Compare<'_>> {
    let values = series.values::<T>()?;
    Some(Box::new(|a, b| values[a].cmp(&values[b])))
}

/// As the server orders them: NaN is equal to itself and greater than everything else.
fn floats(a: f64, b: f64) -> Ordering {
    a.partial_cmp(&b).unwrap_or_else(|| a.is_nan().cmp(&b.is_nan()))
}

/// In the order of `CREATE TYPE`; a label that has been added since the type was looked up comes last.
fn enums<'a>(series: &'a Series, labels: &[String]) -> Compare<'a> {
    let place = |i: usize| labels.iter().position(|label| Some(label.as_bytes()) == series.bytes(i));
    let places: Vec<usize> = (0..series.len()).map(|i| place(i).unwrap_or(labels.len())).collect();
    Box::new(move |a, b| places[a].cmp(&places[b]))
}

/// Values that are read once, before they are compared often.
fn decoded<'a, T: for<'r> Decode<'r> + Ord + 'a>(series: &'a Series) -> Result<Compare<'a>> {
    let values = series.to_vec::<Option<T>>()?;
    Ok(Box::new(move |a, b| values[a].cmp(&values[b])))
}
