//! To-many relations: keys are collected while rows are read, each level of relations is one flight, and
//! what it brings is handed to the rows in the order in which they asked.

use std::fmt;
use std::sync::Arc;

use smallvec::SmallVec;
use wreath_codecs::{Encoder, ParamBuf};
use wreath_driver::{Rows, Sql};

use crate::error::{Error, Result};
use crate::expr::ArrayHeader;
use crate::plan::{Follow, LevelPlan, Skip};
use crate::query::{Binds, Output, RowReader};

/// The state of reading the rows of one statement.
pub(crate) struct Level {
    plan: Arc<LevelPlan>,
    slots: Vec<Slot>,
    join: usize,
    follow: usize,
}

/// A relation that a further statement fetches.
struct Slot {
    /// The keys that were asked for, as elements of one array for each of their columns.
    asked: SmallVec<[Encoder; 1]>,
    count: usize,
    /// The parameters that follow the keys.
    params: ParamBuf,
    state: State,
    inner: Level,
}

enum State {
    /// Keys are being collected.
    Asking,
    /// The rows have come, and go out to those who asked.
    Ready(Box<Children>),
    /// All have theirs.
    Done,
}

/// The rows of a relation, for each key that was asked for.
struct Children {
    rows: Rows,
    /// The places of the rows, those of the first key first.
    order: Vec<usize>,
    /// How many each key has.
    counts: Vec<usize>,
    key: usize,
    taken: usize,
}

impl Level {
    /// The state for a plan, with the parameters of the statements that follow.
    pub(crate) fn new(plan: &Arc<LevelPlan>, binds: Vec<Binds>) -> Self {
        let slot = |(follow, binds): (&Follow, Binds)| Slot {
            asked: follow.keys.iter().map(|_| Encoder::new()).collect(),
            count: 0,
            params: binds.params,
            state: State::Asking,
            inner: Self::new(&follow.level, binds.follows),
        };
        let slots = plan.follows.iter().zip(binds).map(slot).collect();
        Self { slots, plan: Arc::clone(plan), join: 0, follow: 0 }
    }

    /// Begins with another row.
    #[inline]
    pub(crate) fn rewind(&mut self) {
        self.join = 0;
        self.follow = 0;
    }

    /// Notes whether the next join has found a row; if not, passes over what is nested in it and answers
    /// its extent.
    pub(crate) fn join(&mut self, there: bool) -> Option<Skip> {
        let skip = self.plan.skips.get(self.join).copied().unwrap_or_default();
        self.join += 1;
        if there {
            return None;
        }
        self.join += skip.joins;
        self.follow += skip.follows;
        Some(skip)
    }

    /// Notes a key that the next relation asks for; `value` gives the values of its columns.
    pub(crate) fn ask<'r>(&mut self, mut value: impl FnMut() -> Result<Option<&'r [u8]>>) -> Result<()> {
        let slot = self.slots.get_mut(self.follow).ok_or_else(out_of_step)?;
        self.follow += 1;
        slot.count += 1;
        for asked in &mut slot.asked {
            match value()? {
                None => asked.put_i32(-1),
                Some(bytes) => asked.put_sized(|out| {
                    out.put(bytes);
                    Ok(())
                })?,
            }
        }
        Ok(())
    }

    /// The statements of the next flight: every relation that has been asked for and not been sent.
    pub(crate) fn flight(&mut self) -> Result<Vec<(Sql, ParamBuf)>> {
        let mut flight = Vec::new();
        self.each_due(&mut |follow, slot| {
            let mut params = ParamBuf::new();
            for (&(element, array), asked) in follow.keys.iter().zip(&slot.asked) {
                params.push_with(array, |out| {
                    out.put_sized(|out| {
                        let header = ArrayHeader::open(out, element);
                        out.append(asked);
                        header.close(out, slot.count)
                    })
                })?;
            }
            params.append(&slot.params)?;
            flight.push((follow.sql.clone(), params));
            Ok(())
        })?;
        Ok(flight)
    }

    fn land(&mut self, answers: Vec<Rows>) -> Result<()> {
        let mut answers = answers.into_iter();
        self.each_due(&mut |follow, slot| {
            let rows = answers.next().ok_or_else(out_of_step)?;
            follow.level.check(rows.columns())?;
            slot.state = State::Ready(Box::new(Children::sort(rows, slot.count)?));
            Ok(())
        })
    }

    /// Whether the rows of the statement are what they are to be read as.
    pub(crate) fn check(&self, rows: &Rows) -> Result<()> {
        self.plan.check(rows.columns())
    }

    /// Takes the flight's answers, in the order of its statements, and hands them to the rows.
    pub(crate) fn take<M, O: Output<M>>(
        &mut self,
        output: &O,
        rows: &mut [O::Row],
        answers: Vec<Rows>,
    ) -> Result<()> {
        self.land(answers)?;
        for row in rows {
            output.fill(row, &mut Feed::new(self))?;
        }
        self.filled();
        Ok(())
    }

    /// Notes that all rows have been filled from the last flight.
    fn filled(&mut self) {
        for slot in &mut self.slots {
            match slot.state {
                State::Ready(_) => slot.state = State::Done,
                State::Done => slot.inner.filled(),
                State::Asking => {}
            }
        }
    }

    fn each_due(&mut self, visit: &mut dyn FnMut(&Follow, &mut Slot) -> Result<()>) -> Result<()> {
        let plan = Arc::clone(&self.plan);
        for (follow, slot) in plan.follows.iter().zip(&mut self.slots) {
            match slot.state {
                State::Asking if slot.count > 0 => visit(follow, slot)?,
                State::Asking | State::Ready(_) => {}
                State::Done => slot.inner.each_due(visit)?,
            }
        }
        Ok(())
    }
}

impl Children {
    /// Sorts rows by the number, from 1, of the key that they belong to; it is their first value. Those of
    /// one key keep their order.
    fn sort(rows: Rows, keys: usize) -> Result<Self> {
        let mut counts = vec![0_usize; keys];
        let mut owners = Vec::with_capacity(rows.len());
        for row in &rows {
            let bytes = row.raw(0)?.and_then(|bytes| <[u8; 8]>::try_from(bytes).ok());
            let number = bytes.map(i64::from_be_bytes).and_then(|n| usize::try_from(n).ok());
            let owner =
                number.and_then(|n| n.checked_sub(1)).filter(|&n| n < keys).ok_or_else(out_of_step)?;
            counts[owner] += 1;
            owners.push(owner);
        }
        let mut starts = Vec::with_capacity(keys);
        let mut start = 0;
        for &count in &counts {
            starts.push(start);
            start += count;
        }
        let mut order = vec![0; owners.len()];
        for (place, owner) in owners.into_iter().enumerate() {
            order[starts[owner]] = place;
            starts[owner] += 1;
        }
        Ok(Self { rows, order, counts, key: 0, taken: 0 })
    }

    /// The places of the next key's rows.
    fn next(&mut self) -> std::ops::Range<usize> {
        let count = self.counts.get(self.key).copied().unwrap_or(0);
        self.key += 1;
        self.taken += count;
        self.taken - count..self.taken
    }
}

/// What a flight has brought, on its way to the rows.
pub struct Feed<'l>(&'l mut Level);

impl<'l> Feed<'l> {
    /// Begins with another row.
    pub(crate) fn new(level: &'l mut Level) -> Self {
        level.rewind();
        Self(level)
    }

    /// Passes over a join that found no row; answers whether it found one.
    pub(crate) fn join(&mut self, there: bool) -> bool {
        self.0.join(there).is_none()
    }

    /// Hands the next relation's rows to the row that asked for them.
    pub(crate) fn follow<N, O: Output<N>>(&mut self, row: &mut Vec<O::Row>, output: &O) -> Result<()> {
        let Slot { state, inner, .. } = self.0.slots.get_mut(self.0.follow).ok_or_else(out_of_step)?;
        self.0.follow += 1;
        match state {
            State::Asking => Ok(()),
            State::Ready(children) => {
                let places = children.next();
                row.reserve_exact(places.len());
                for &place in &children.order[places] {
                    let wire = children.rows.get(place).ok_or_else(out_of_step)?;
                    let mut reader = RowReader::new(wire, inner);
                    reader.raw()?;
                    row.push(output.read(&mut reader)?);
                }
                Ok(())
            }
            State::Done => row.iter_mut().try_for_each(|child| output.fill(child, &mut Feed::new(inner))),
        }
    }
}

impl fmt::Debug for Feed<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Feed").field("relations", &self.0.slots.len()).finish()
    }
}

/// Rows are filled in the order in which they were read, so this says that this crate has a fault.
#[cold]
fn out_of_step() -> Error {
    Error::declaration("the rows of a relation are out of step with the rows that asked for them")
}
