//! Clauses that few queries have.

use crate::error::Result;
use crate::expr::Tape;
use crate::model::Model;
use crate::plan::{Key, Kind, hash};
use crate::query::{Binds, Clauses};

/// The clauses that few queries have; on the heap, so that the others are small.
#[derive(Clone, Debug, Default)]
pub(crate) struct Further {
    /// What stands in for the table.
    pub(crate) combined: Option<Combined>,
    pub(crate) joins: Vec<Join>,
    /// DISTINCT ON.
    pub(crate) distinct_on: Tape,
    pub(crate) groups: Tape,
    pub(crate) having: Tape,
}

/// The rows of two queries, put together.
#[derive(Clone, Debug)]
pub(crate) struct Combined {
    pub(crate) left: Clauses,
    pub(crate) by: Combination,
    pub(crate) right: Clauses,
}

/// How the rows of two queries are put together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Combination {
    Union = 1,
    UnionAll = 2,
    Intersect = 3,
    Except = 4,
}

impl Combination {
    pub(crate) const fn keyword(self) -> &'static str {
        match self {
            Self::Union => "UNION",
            Self::UnionAll => "UNION ALL",
            Self::Intersect => "INTERSECT",
            Self::Except => "EXCEPT",
        }
    }
}

/// Another occurrence of a table, joined.
#[derive(Clone, Debug)]
pub(crate) struct Join {
    pub(crate) alias: &'static str,
    pub(crate) schema: &'static str,
    pub(crate) table: &'static str,
    /// Whether the row stays where nothing is joined to it.
    pub(crate) outer: bool,
    pub(crate) on: Tape,
}

impl Join {
    pub(crate) fn new<N: Model>(alias: &'static str, outer: bool, on: Tape) -> Self {
        Self { alias, schema: N::TABLE.schema_name().unwrap_or(""), table: N::TABLE.name(), outer, on }
    }
}

impl Further {
    /// Whether the columns that are selected decide which rows there are.
    pub(crate) fn columns_matter(&self) -> bool {
        [&self.distinct_on, &self.groups, &self.having].iter().any(|tape| !tape.words.is_empty())
    }

    /// Appends what decides the SQL.
    pub(crate) fn shape(&self, key: &mut Key) {
        match &self.combined {
            None => key.push(0),
            Some(Combined { left, by, right }) => {
                key.push(*by as u64);
                left.shape(Kind::Select, None, key);
                right.shape(Kind::Select, None, key);
            }
        }
        key.push(self.joins.len() as u64);
        for join in &self.joins {
            key.push(hash::name(join.alias));
            let schema = Some(join.schema).filter(|schema| !schema.is_empty());
            key.push(hash::column(schema, join.table, ""));
            key.push(u64::from(join.outer));
            key.clause(&join.on.words);
        }
        for tape in [&self.distinct_on, &self.groups, &self.having] {
            key.clause(&tape.words);
        }
    }

    /// Appends the values of what stands in for the table and of the joins, which come ahead of all others.
    pub(crate) fn bind_tables(&self, to: &mut Binds) -> Result<()> {
        if let Some(Combined { left, right, .. }) = &self.combined {
            left.bind_whole(to)?;
            right.bind_whole(to)?;
        }
        self.joins.iter().try_for_each(|join| to.tape(&join.on))
    }
}
