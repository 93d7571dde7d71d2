//! What a query consists of besides its output.

use wreath_codecs::EncodeError;

use crate::error::{Error, Result};
use crate::expr::{Op, Tape};
use crate::plan::{Key, Kind};
use crate::query::{Binds, Further, Join, Lock};

/// The clauses of a SELECT.
#[derive(Clone, Debug, Default)]
pub(crate) struct Clauses {
    pub(crate) filter: Tape,
    /// Whether the query has a filter of its own, besides those of its model.
    pub(crate) filtered: bool,
    pub(crate) order: Tape,
    pub(crate) limit: Option<u64>,
    pub(crate) offset: Option<u64>,
    pub(crate) distinct: bool,
    pub(crate) lock: Option<Lock>,
    pub(crate) further: Option<Box<Further>>,
    /// Why the query cannot be run. Building one does not fail; running it does.
    pub(crate) fault: Option<&'static str>,
}

impl Clauses {
    /// Whether the columns that are selected decide which rows there are.
    pub(crate) fn columns_matter(&self) -> bool {
        self.distinct || self.further.as_ref().is_some_and(|further| further.columns_matter())
    }

    /// Whether the server compares expressions in it: those that rows are grouped by, or told apart by.
    pub(crate) fn compares(&self) -> bool {
        let combined = self.further.as_ref().and_then(|further| further.combined.as_ref());
        self.columns_matter() || combined.is_some_and(|both| both.left.compares() || both.right.compares())
    }

    /// The clauses that few queries have.
    pub(crate) fn further(&mut self) -> &mut Further {
        self.further.get_or_insert_default()
    }

    /// Adds a join that is no relation.
    pub(crate) fn join(&mut self, join: Join) {
        let joins = &mut self.further().joins;
        let known = joins.iter().any(|other| other.alias == join.alias);
        joins.push(join);
        if known {
            self.fault = Some("two joins have one alias, whose columns could be those of either");
        }
    }

    /// The joins that are not relations.
    pub(crate) fn joins(&self) -> &[Join] {
        self.further.as_ref().map_or(&[], |further| &further.joins)
    }

    /// Whether there is nothing but a filter.
    pub(crate) fn is_only_filter(&self) -> bool {
        let Self { filter: _, filtered: _, order, limit, offset, distinct, lock, further, fault } = self;
        order.words.is_empty()
            && limit.is_none()
            && offset.is_none()
            && !distinct
            && lock.is_none()
            && further.is_none()
            && fault.is_none()
    }

    /// The limit, where the caller needs no more than `cap` rows: a stricter one stays.
    pub(crate) fn limit_within(&self, cap: Option<u64>) -> Option<u64> {
        self.limit.into_iter().chain(cap).min()
    }

    /// Appends the clauses of a subquery, and ends it.
    pub(crate) fn nest(&self, tape: &mut Tape) {
        let refused = self.lock.map(|_| "a subquery locks nothing");
        let refused =
            refused.or(self.further.as_ref().map(|_| "a subquery has no joins, no groups and no unions"));
        if let Some(fault) = self.fault.or(refused) {
            tape.error.get_or_insert_with(|| EncodeError::new(fault));
        }
        tape.append(&self.filter);
        tape.append(&self.order);
        for rows in [self.limit, self.offset].into_iter().flatten() {
            tape.param(&i64::try_from(rows).unwrap_or(i64::MAX));
        }
        let has = [!self.filter.words.is_empty(), self.limit.is_some(), self.offset.is_some(), self.distinct];
        tape.op(Op::CloseSelect);
        tape.word(has.into_iter().rev().fold(0, |bits, clause| bits << 1 | u64::from(clause)));
    }

    /// Appends what decides the SQL of a statement of this kind.
    pub(crate) fn shape(&self, kind: Kind, cap: Option<u64>, key: &mut Key) {
        key.clause(&self.filter.words);
        let mut flags = u64::from(self.distinct);
        if kind == Kind::Select {
            key.clause(&self.order.words);
            flags |= u64::from(self.limit_within(cap).is_some()) << 1 | u64::from(self.offset.is_some()) << 2;
            flags |= self.lock.map_or(0, Lock::word) << 16;
        }
        key.push(flags | u64::from(self.further.is_some()) << 3);
        if let Some(further) = &self.further {
            further.shape(key);
        }
    }

    /// Appends all values of a query of whole objects that is a part of another.
    pub(crate) fn bind_whole(&self, to: &mut Binds) -> Result<()> {
        if let Some(further) = &self.further {
            further.bind_tables(to)?;
        }
        self.bind(Kind::Select, None, true, to)
    }

    /// Refuses what was found wrong while the query was put together.
    pub(crate) fn check(&self) -> Result<()> {
        self.fault.map_or(Ok(()), |fault| Err(Error::declaration(fault)))
    }

    /// Appends the values, in the order in which the SQL numbers them. `columns` says whether the statement selects
    /// the query's columns.
    pub(crate) fn bind(&self, kind: Kind, cap: Option<u64>, columns: bool, to: &mut Binds) -> Result<()> {
        self.check()?;
        if let Some(further) = self.further.as_ref().filter(|_| columns) {
            to.repeatable(&further.distinct_on)?;
        }
        to.tape(&self.filter)?;
        if let Some(further) = self.further.as_ref().filter(|_| columns) {
            to.repeatable(&further.groups)?;
            to.repeatable(&further.having)?;
        }
        if kind == Kind::Select {
            to.repeatable(&self.order)?;
            to.count(self.limit_within(cap))?;
            to.count(self.offset)?;
        }
        Ok(())
    }
}
