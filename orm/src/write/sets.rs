//! What a write sets columns to.

use wreath_codecs::{Encoder, ParamBuf};

use crate::check::Violation;
use crate::error::{Error, Result};
use crate::expr::{Op, Operand, Tape, tape_of};
use crate::model::{
    Column, ColumnType, ColumnVisitor, Columns, Declared, Description, Fill, Identity, Model, describe,
};
use crate::plan::Key;

/// A column, and what it is set to.
#[derive(Clone, Debug)]
pub(crate) struct Assignment {
    pub(crate) column: &'static str,
    pub(crate) word: u64,
    /// An expression; `None` for the value that an insert brought.
    pub(crate) value: Option<Tape>,
    /// Whether the server computes it and the column has checks, which then cannot be run.
    unchecked: bool,
}

/// The SET list of a write. What is refused in it is remembered until it is asked for.
#[derive(Debug, Default)]
pub(crate) struct Sets {
    pub(crate) all: Vec<Assignment>,
    violations: Vec<Violation>,
    refused: Option<Error>,
    trusted: bool,
}

impl Sets {
    /// Sets a column to a value, which its checks have to pass.
    pub(crate) fn value<M: Model, T: ColumnType>(&mut self, column: Column<M, T>, value: &T) {
        column.check_value(value, &mut self.violations);
        let mut tape = Tape::default();
        tape.param(value);
        self.push(column, Some(tape), false);
    }

    /// Sets a column to an expression over the row.
    pub(crate) fn expression<M: Model, T: ColumnType>(
        &mut self,
        column: Column<M, T>,
        to: impl Operand<M, T::Base>,
    ) {
        self.push(column, Some(tape_of(to)), column.has_checks());
    }

    /// Sets columns to what the insert brought, which has been checked.
    pub(crate) fn proposed<M: Model>(&mut self, columns: impl Columns<M>) {
        struct Each<'s>(&'s mut Sets);
        impl<M: Model> ColumnVisitor<M> for Each<'_> {
            fn column<T: ColumnType>(&mut self, column: Column<M, T>) {
                self.0.push(column, None, false);
            }
        }
        columns.each(&mut Each(self));
    }

    /// Lets expressions into columns that have checks.
    pub(crate) fn trust(&mut self) {
        self.trusted = true;
    }

    fn push<M: Model, T: ColumnType>(&mut self, column: Column<M, T>, value: Option<Tape>, unchecked: bool) {
        if let Err(error) = describe::<M>().and_then(|of| settable(of, column.name())) {
            self.refused.get_or_insert(error);
        }
        self.all.push(Assignment { column: column.name(), word: column.word(), value, unchecked });
    }

    /// Refuses the first thing in it that cannot be. The columns `same` are already as in a row that has been checked
    /// whole: a rule over them and columns that are taken from that row holds.
    pub(crate) fn verify<M: Model>(&mut self, same: &[&'static str]) -> Result<()> {
        let model = std::any::type_name::<M>();
        self.stamp::<M>()?;
        if let Some(error) = self.refused.take() {
            return Err(error);
        }
        if !self.violations.is_empty() {
            return Err(Error::invalid(std::mem::take(&mut self.violations)).of(model));
        }
        for (place, set) in self.all.iter().enumerate() {
            let refuse = |detail| Err(Error::declaration(detail).of(model).at(set.column));
            if self.all[..place].iter().any(|other| other.column == set.column) {
                return refuse("the column is set twice");
            }
            if set.unchecked && !self.trusted {
                return refuse(
                    "the checks of the column cannot be run over what the server computes: see `unchecked`",
                );
            }
            let known = |column: &str| same.contains(&column) || self.takes(column);
            if describe::<M>()?.is_ruled(set.column, &known) {
                return refuse(
                    "a rule is over the column, which needs the whole row to look at: edit objects",
                );
            }
            if let Some(error) = set.value.as_ref().and_then(|tape| tape.error.clone()) {
                return Err(Error::from(error).of(model).at(set.column));
            }
        }
        Ok(())
    }

    /// Sets what the program sets whenever a row is changed, unless it is set already.
    fn stamp<M: Model>(&mut self) -> Result<()> {
        let of = describe::<M>()?;
        for (field, column) in of.fields.iter().zip(&of.columns).filter(|(_, column)| column.stamped) {
            let mut value = Encoder::new();
            let known = self.all.is_empty() || self.all.iter().any(|set| set.column == column.name);
            let Some(filled) = (if known { None } else { field.fill(Fill::Update, &mut value) }) else {
                continue;
            };
            filled.map_err(|e| Error::from(e).of(of.model).at(column.name))?;
            let mut tape = Tape::default();
            tape.op(Op::Param);
            tape.binds.push_with(column.oid, |out| {
                out.append(&value);
                Ok(())
            })?;
            let assignment =
                Assignment { column: column.name, word: column.id, value: Some(tape), unchecked: false };
            self.all.push(assignment);
        }
        Ok(())
    }

    /// Whether it takes the column from the row that was to be inserted.
    fn takes(&self, column: &str) -> bool {
        self.all.iter().any(|set| set.column == column && set.value.is_none())
    }

    /// Appends the parameters.
    pub(crate) fn bind(&self, params: &mut ParamBuf) -> Result<()> {
        for tape in self.all.iter().filter_map(|set| set.value.as_ref()) {
            params.append(&tape.binds)?;
        }
        Ok(())
    }

    /// Appends the shape.
    pub(crate) fn shape(&self, key: &mut Key) {
        key.push(self.all.len() as u64);
        for set in &self.all {
            key.push(set.word);
            match &set.value {
                Some(tape) => key.clause(&tape.words),
                None => key.push(u64::MAX),
            }
        }
    }
}

/// Whether a write of many rows may set a column.
fn settable<M: Model>(of: &Description<M>, name: &'static str) -> Result<()> {
    let place = of.columns.iter().position(|c| c.name == name);
    let column: Option<&Declared> = place.map(|place| &of.columns[place]);
    let why = match (place, column) {
        (Some(place), _) if of.key.contains(&place) => "a key's column is not set for many rows at once",
        (_, Some(Declared { version: true, .. })) => "the version goes on by itself",
        (_, Some(Declared { generated: Some(_), .. })) => "the server computes the column",
        (_, Some(Declared { identity: Identity::Always, .. })) => "nobody but the server numbers the column",
        _ => return Ok(()),
    };
    Err(Error::declaration(why).of(of.model).at(name))
}
