//! What a shape compiles to.

use std::any::type_name;
use std::sync::Arc;

use smallvec::SmallVec;
use wreath_codecs::{DecodeError, Oid, Type};
use wreath_driver::Sql;

use crate::error::{Error, Result};
use crate::model::Declared;

/// A compiled statement.
#[derive(Debug)]
pub(crate) struct Plan {
    pub(crate) sql: Sql,
    pub(crate) level: Arc<LevelPlan>,
}

/// How the rows of one statement are read, and which statements follow it.
#[derive(Debug, Default)]
pub(crate) struct LevelPlan {
    /// One for each column, in order.
    pub(crate) expects: Vec<Expect>,
    /// One for each join, in the order of their presence columns.
    pub(crate) skips: Vec<Skip>,
    /// One for each to-many relation, in the order of their key columns.
    pub(crate) follows: Vec<Follow>,
}

/// What a column has to be.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Expect {
    pub(crate) model: &'static str,
    pub(crate) column: &'static str,
    pub(crate) rust_type: &'static str,
    pub(crate) accepts: fn(&Type) -> bool,
}

/// What belongs to a join, and is passed over where it found no row.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Skip {
    pub(crate) columns: usize,
    pub(crate) joins: usize,
    pub(crate) follows: usize,
}

/// The statement that fetches the far rows of a relation for a list of near keys.
#[derive(Debug)]
pub(crate) struct Follow {
    pub(crate) sql: Sql,
    /// For each column of the keys the type of its values, and of an array of them.
    pub(crate) keys: SmallVec<[(Oid, Oid); 1]>,
    pub(crate) level: Arc<LevelPlan>,
}

impl Expect {
    /// A column of a model.
    pub(crate) fn of(model: &'static str, column: &Declared) -> Self {
        Self { model, column: column.name, rust_type: column.rust_type, accepts: column.accepts }
    }

    /// A column that is read as bytes.
    pub(crate) fn anything<M>(column: &'static str) -> Self {
        Self { model: type_name::<M>(), column, rust_type: "", accepts: |_| true }
    }
}

impl LevelPlan {
    /// Whether the columns that came are those that the rows are read as. It is asked once a reply, not
    /// once a row.
    pub(crate) fn check(&self, columns: &[wreath_driver::Column]) -> Result<()> {
        if columns.len() != self.expects.len() {
            return Err(Error::declaration(format!(
                "{} columns came for {} that were selected",
                columns.len(),
                self.expects.len()
            )));
        }
        for (expect, column) in self.expects.iter().zip(columns) {
            if !(expect.accepts)(column.read_as()) {
                let cause = DecodeError::mismatch(expect.rust_type, column.ty());
                return Err(Error::mapping(cause).of(expect.model).at(expect.column));
            }
        }
        Ok(())
    }

    /// Appends the statements that follow, each before those that follow it.
    pub(crate) fn collect_sql(&self, all: &mut Vec<String>) {
        for follow in &self.follows {
            all.push(follow.sql.as_str().to_owned());
            follow.level.collect_sql(all);
        }
    }

    fn cost(&self) -> usize {
        let follows =
            self.follows.iter().map(|f| f.sql.as_str().len() + size_of::<Follow>() + f.level.cost());
        size_of_val(&*self.expects) + size_of_val(&*self.skips) + follows.sum::<usize>()
    }

    fn same(&self, other: &Self) -> bool {
        self.expects
            .iter()
            .map(|e| (e.column, e.rust_type))
            .eq(other.expects.iter().map(|e| (e.column, e.rust_type)))
            && self.skips == other.skips
            && self.follows.len() == other.follows.len()
            && self
                .follows
                .iter()
                .zip(&other.follows)
                .all(|(a, b)| a.sql.as_str() == b.sql.as_str() && a.keys == b.keys && a.level.same(&b.level))
    }
}

impl Plan {
    pub(crate) fn new(sql: String, level: LevelPlan) -> Self {
        Self { sql: sql.into(), level: Arc::new(level) }
    }

    /// About how many bytes it takes.
    pub(crate) fn cost(&self) -> usize {
        size_of::<Self>() + self.sql.as_str().len() + self.level.cost()
    }

    /// Whether both do the same.
    pub(crate) fn same(&self, other: &Self) -> bool {
        self.sql.as_str() == other.sql.as_str() && self.level.same(&other.level)
    }
}
