//! From values for some columns to an object.

use wreath_codecs::Encoder;

use crate::check::Violation;
use crate::error::{Error, Result};
use crate::model::{Description, Fill, Model, stand_in};
use crate::session::snapshot::{self, Snapshot};

/// What is known of a column.
#[derive(Clone, Debug)]
pub(super) enum Held {
    /// Nothing.
    Absent,
    /// That what came for it is no value of it, which has been reported.
    Refused,
    /// Its value as it travels; `None` is NULL.
    Given(Option<Box<[u8]>>),
}

/// What is known of each column of `M`, in the order of its description.
pub(super) struct Filling<M: 'static> {
    pub(super) of: &'static Description<M>,
    pub(super) held: Vec<Held>,
    pub(super) found: Vec<Violation>,
}

impl<M: Model> Filling<M> {
    pub(super) fn new(of: &'static Description<M>) -> Self {
        Self { of, held: vec![Held::Absent; of.columns.len()], found: Vec::new() }
    }

    /// Takes what came for a column, unless the column's type does not read it.
    pub(super) fn give(&mut self, place: usize, value: Option<Box<[u8]>>) {
        let (field, column) = (&self.of.fields[place], &self.of.columns[place]);
        self.held[place] = match field.reads(&stand_in(column.oid), value.as_deref()) {
            Ok(()) => Held::Given(value),
            Err(_) if value.is_none() => {
                self.found.push(Violation::new("type", Some(column.name.into()), "must not be null"));
                Held::Refused
            }
            Err(error) => {
                self.found.push(Violation::new("type", Some(column.name.into()), error.to_string()));
                Held::Refused
            }
        };
    }

    /// Gives columns that are absent their defaults: what the program says, or NULL. One that has none, and that is
    /// not the server's or a stamp, is missing.
    pub(super) fn complete(&mut self, asked: impl Fn(usize) -> bool) -> Result<()> {
        for (place, column) in self.of.columns.iter().enumerate() {
            if !matches!(self.held[place], Held::Absent) || !asked(place) {
                continue;
            }
            let mut default = Encoder::new();
            match self.of.fields[place].fill(Fill::Absent, &mut default) {
                Some(filled) => {
                    filled.map_err(|e| Error::from(e).of(self.of.model).at(column.name))?;
                    self.held[place] =
                        Held::Given(snapshot::value_at(default.as_bytes(), 0)?.map(Into::into));
                }
                None if column.nullable => self.held[place] = Held::Given(None),
                None if column.is_server_made() || column.stamped => {}
                None => self.found.push(Violation::new("missing", Some(column.name.into()), "is missing")),
            }
        }
        Ok(())
    }

    /// Runs the checks of the columns that are there, and the rules whose columns all are. Answers the whole, with
    /// stand-ins for what is not there.
    pub(super) fn judge(&mut self) -> Result<(M, Snapshot)> {
        let mut bytes = Encoder::new();
        for (place, held) in self.held.iter().enumerate() {
            match held {
                Held::Given(value) => snapshot::put(&mut bytes, value.as_deref())?,
                Held::Absent | Held::Refused => {
                    let at = |e| Error::from(e).of(self.of.model).at(self.of.columns[place].name);
                    self.of.fields[place].stand_in(&mut bytes).map_err(at)?;
                }
            }
        }
        let types = snapshot::types(&self.of.columns);
        let object: M = snapshot::restore(bytes.as_bytes(), &types)?;
        let (of, held) = (self.of, &self.held);
        let place = |name: &str| of.columns.iter().position(|c| c.name == name);
        let present = |name: &str| place(name).is_some_and(|place| matches!(held[place], Held::Given(_)));
        of.violations(&object, &present, &mut self.found)?;
        Ok((object, bytes.as_bytes().into()))
    }

    /// Fails with all that has been found, if anything has.
    pub(super) fn verdict(self) -> Result<Vec<Held>> {
        if self.found.is_empty() { Ok(self.held) } else { Err(Error::invalid(self.found).of(self.of.model)) }
    }
}
