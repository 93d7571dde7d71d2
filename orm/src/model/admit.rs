//! What an object has to be before it is sent: the checks and rules of its model, and the values that the program
//! sets.

use wreath_codecs::wire::Reader;
use wreath_codecs::{Encoder, Oid};

use crate::check::Violation;
use crate::compile::{literal, quote};
use crate::error::{Error, Result};
use crate::model::{Description, Fill, Hook, Item, Model, Refusal, stand_in};
use crate::session::snapshot;

impl<M: Model> Description<M> {
    /// Runs every check and every rule.
    pub(crate) fn check(&self, object: &M) -> Result<()> {
        let mut found = Vec::new();
        self.violations(object, &|_| true, &mut found)?;
        if found.is_empty() { Ok(()) } else { Err(Error::invalid(found).of(self.model)) }
    }

    /// Appends the checks and rules that an object breaks of which only some columns are there: those of the wider
    /// model first.
    pub(crate) fn violations(
        &self,
        object: &M,
        present: &dyn Fn(&str) -> bool,
        found: &mut Vec<Violation>,
    ) -> Result<()> {
        if let Some(wider) = M::NARROWS {
            wider.violations(object, present, found)?;
        }
        for (field, column) in self.fields.iter().zip(&self.columns) {
            if present(column.name) {
                field.check(object, found);
            }
        }
        for rule in M::RULES {
            rule.check(object, present, found);
        }
        Ok(())
    }

    /// Whether a rule names the column together with others than those `known`, so that it can only be set where
    /// the whole object is at hand.
    pub(crate) fn is_ruled(&self, column: &str, known: &dyn Fn(&str) -> bool) -> bool {
        let mut rules = M::RULES.iter().filter(|rule| rule.columns().contains(&column));
        rules.any(|rule| !rule.columns().iter().all(|column| known(column)))
            || M::NARROWS.is_some_and(|wider| wider.is_ruled(column, known))
    }

    /// The object with the values that the program sets when it is added or changed, and with what hooks make of it,
    /// if there is any of both.
    pub(crate) fn prepared(&self, object: &M, when: Fill) -> Result<Option<M>> {
        let mut hooks = M::HOOKS
            .iter()
            .filter_map(|hook| match (hook, when) {
                (Hook::BeforeInsert(run), Fill::Insert) | (Hook::BeforeUpdate(run), Fill::Update) => {
                    Some(run)
                }
                _ => None,
            })
            .peekable();
        if !self.stamps && hooks.peek().is_none() {
            return Ok(None);
        }
        let mut made = self.stamped(object, when)?;
        for run in hooks {
            run(&mut made).map_err(|refusal| self.refused(refusal))?;
        }
        Ok(Some(made))
    }

    /// Asks the hooks whether an object may be removed.
    pub(crate) fn removable(&self, object: &M) -> Result<()> {
        M::HOOKS.iter().try_for_each(|hook| match hook {
            Hook::BeforeDelete(run) => run(object).map_err(|refusal| self.refused(refusal)),
            _ => Ok(()),
        })
    }

    /// Refuses a way of writing that has no objects for these hooks.
    pub(crate) fn unhooked(&self, passed: impl Fn(&Hook<M>) -> bool) -> Result<()> {
        match M::HOOKS.iter().find(|hook| passed(hook)) {
            None => Ok(()),
            Some(hook) => {
                let detail =
                    format!("the model's hook {hook:?} would be passed over: write objects in a session");
                Err(Error::declaration(detail).of(self.model))
            }
        }
    }

    fn refused(&self, refusal: Refusal) -> Error {
        Error::invalid(vec![Violation::new("hook", None, refusal)]).of(self.model)
    }

    fn stamped(&self, object: &M, when: Fill) -> Result<M> {
        let own = snapshot::take(self, object)?;
        let (mut own, mut made) = (Reader::new(own.as_bytes()), Encoder::new());
        for (field, column) in self.fields.iter().zip(&self.columns) {
            let value = own.value().map_err(Error::mapping)?;
            match field.fill(when, &mut made) {
                Some(filled) => filled.map_err(|e| Error::from(e).of(self.model).at(column.name))?,
                None => snapshot::put(&mut made, value)?,
            }
        }
        let types: Vec<_> = self.columns.iter().map(|c| stand_in(c.oid)).collect();
        snapshot::restore(made.as_bytes(), &types)
    }

    /// The conditions that the table is to hold its rows to.
    pub(super) fn table_conditions(&self) -> Vec<(String, String)> {
        let mut all = Vec::new();
        for item in M::ITEMS {
            if let Item::Check(name, condition) = item {
                all.push(((*name).to_owned(), (*condition).to_owned()));
            }
        }
        if !M::ITEMS.iter().any(|item| matches!(item, Item::Checks)) {
            return all;
        }
        for (field, column) in self.fields.iter().zip(&self.columns) {
            let mut quoted = String::new();
            quote(&mut quoted, column.name);
            let labels = column.labels().filter(|_| matches!(column.oid, Oid::Fixed(_)));
            let listed = labels.map(|labels| one_of(&quoted, &labels));
            for (i, condition) in field.conditions(&quoted).into_iter().chain(listed).enumerate() {
                all.push((format!("{}_{}", column.name, i + 1), condition));
            }
        }
        let rules = M::RULES.iter().enumerate();
        all.extend(
            rules.filter_map(|(i, rule)| Some((format!("rule_{}", i + 1), rule.to_sql()?.to_owned()))),
        );
        all
    }
}

/// The condition that a column of text has one of an enum's labels.
fn one_of(column: &str, labels: &[&str]) -> String {
    let mut condition = format!("{column} IN (");
    for (i, label) in labels.iter().enumerate() {
        condition.push_str(if i == 0 { "" } else { ", " });
        literal(&mut condition, label);
    }
    condition.push(')');
    condition
}
