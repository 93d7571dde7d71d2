//! The columns that two tables have in common.

use std::any::type_name;
use std::fmt;

use wreath_codecs::{Oid, PgType};

use crate::error::{Error, Result};
use crate::expr::{Op, Pred, Tape};
use crate::model::{Column, ColumnType, Declared, Description, Item, Model, Table, describe};
use crate::plan::Key;
use crate::relation::sealed::Target;

/// How many columns a relation can be made of.
pub(crate) const MAX_PAIRS: usize = 4;

/// A column at the near end of a relation, and the one at the far end that has the same value.
#[derive(Clone, Copy)]
pub(crate) struct Pair {
    pub(crate) near: &'static str,
    pub(crate) far: &'static str,
    near_id: u64,
    far_id: u64,
    /// The type of the values, and of an array of them.
    pub(crate) types: fn() -> (Oid, Oid),
}

impl Pair {
    pub(crate) const fn new<M, N, T: ColumnType, U: ColumnType<Base = T::Base>>(
        near: &Column<M, T>,
        far: &Column<N, U>,
    ) -> Self {
        Self {
            near: near.name(),
            far: far.name(),
            near_id: near.untyped_id(),
            far_id: far.untyped_id(),
            types: types::<T::Base>,
        }
    }
}

fn types<T: PgType>() -> (Oid, Oid) {
    (T::OID, T::ARRAY)
}

/// The pairs of columns of a relation.
#[derive(Clone, Copy)]
pub(crate) struct Link {
    first: Pair,
    more: [Option<Pair>; MAX_PAIRS - 1],
}

impl Link {
    pub(crate) const fn new(first: Pair) -> Self {
        Self { first, more: [None; MAX_PAIRS - 1] }
    }

    /// The same, and one pair more.
    ///
    /// # Panics
    /// At compile time, when there are too many.
    pub(crate) const fn and(mut self, pair: Pair) -> Self {
        let mut i = 0;
        while i < self.more.len() {
            if self.more[i].is_none() {
                self.more[i] = Some(pair);
                return self;
            }
            i += 1;
        }
        panic!("a relation is made of at most four pairs of columns")
    }

    pub(crate) fn pairs(&self) -> impl Iterator<Item = &Pair> + Clone {
        std::iter::once(&self.first).chain(self.more.iter().flatten())
    }

    /// The pair that there always is.
    pub(crate) fn first(&self) -> &Pair {
        &self.first
    }

    /// The columns at the far end, in its table.
    pub(crate) fn target<N>(&self, table: Table<N>) -> Target {
        let columns = self.pairs().map(|pair| pair.far).collect();
        Target { schema: table.schema_name(), table: table.name(), columns }
    }

    /// Appends what tells it from others.
    #[inline]
    pub(crate) fn shape(&self, key: &mut Key) {
        for pair in self.pairs() {
            key.push(pair.near_id);
            key.push(pair.far_id);
        }
    }

    /// Opens the far end on a tape and closes it behind `pred`.
    pub(crate) fn lift<M, N: Model>(&self, pred: &Pred<N>) -> Pred<M> {
        let mut tape = Tape::default();
        tape.op(Op::OpenRelation);
        tape.word(self.pairs().count() as u64);
        tape.name(N::TABLE.schema_name().unwrap_or(""));
        tape.name(N::TABLE.name());
        for pair in self.pairs() {
            tape.word(pair.near_id);
            tape.word(pair.far_id);
            tape.name(pair.far);
            tape.name(pair.near);
        }
        tape.append(&pred.tape);
        tape.op(Op::Close);
        Pred::new(tape)
    }

    /// Whether both ends have the columns, and a value of the columns at the `one` end is that of one row.
    pub(crate) fn check<M: Model, N: Model>(&self, one: End) -> Result<()> {
        let (near, far) = (describe::<M>()?, describe::<N>()?);
        for pair in self.pairs() {
            has(near, pair.near)?;
            has(far, pair.far)?;
        }
        match one {
            End::Near => unique(near, &self.pairs().map(|pair| pair.near).collect::<Vec<_>>()),
            End::Far => unique(far, &self.pairs().map(|pair| pair.far).collect::<Vec<_>>()),
        }
    }
}

/// One of the two ends of a relation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    Near,
    Far,
}

fn has<'d, M: Model>(of: &'d Description<M>, name: &'static str) -> Result<&'d Declared> {
    of.columns.iter().find(|column| column.name == name).ok_or_else(|| {
        Error::declaration("a relation names a column that `load` does not take")
            .of(type_name::<M>())
            .at(name)
    })
}

/// Whether the columns tell rows apart: one of them alone does, or the key or a unique list of columns is among
/// them.
fn unique<M: Model>(of: &Description<M>, names: &[&'static str]) -> Result<()> {
    if tells_apart(of, &|name| names.contains(&name)) {
        return Ok(());
    }
    let detail = format!(
        "the one end of a relation needs columns that tell rows apart: among {names:?} is neither the whole key \
         nor anything else that is unique"
    );
    Err(Error::declaration(detail).of(type_name::<M>()).at(names[0]))
}

/// Whether no two rows have the same values in the columns that are `given`.
pub(crate) fn tells_apart<M: Model>(of: &Description<M>, given: &dyn Fn(&str) -> bool) -> bool {
    let listed = |item: &Item| match item {
        Item::Unique(columns) => columns.iter().all(|name| given(name)),
        Item::Index(index) => {
            index.unique && index.only.is_none() && index.columns.iter().all(|name| given(name))
        }
        _ => false,
    };
    of.key.iter().all(|&place| given(of.columns[place].name))
        || of.columns.iter().any(|column| column.unique && given(column.name))
        || M::ITEMS.iter().any(listed)
}

impl fmt::Debug for Link {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.pairs().map(|pair| (pair.near, pair.far))).finish()
    }
}
