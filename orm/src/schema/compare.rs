//! Comparing a model with what was found.

use wreath_codecs::Kind;

use crate::compile::column_type;
use crate::db::Registered;
use crate::model::{Declared, Item};
use crate::schema::found::{FoundColumn, FoundTable};
use crate::schema::{Difference, DifferenceKind};

/// All differences so far, and about which model and table the next ones are.
pub(super) struct Comparison {
    pub(super) differences: Vec<Difference>,
    pub(super) model: &'static str,
    pub(super) table: String,
}

impl Comparison {
    fn note(&mut self, kind: DifferenceKind, column: Option<&str>, declared: &str, found: &str) {
        self.differences.push(Difference {
            kind,
            model: self.model,
            table: self.table.clone(),
            column: column.map(str::to_owned),
            declared: declared.to_owned(),
            found: found.to_owned(),
        });
    }

    /// Compares a model with its table.
    pub(super) fn model(&mut self, model: &Registered, found: Option<&FoundTable>) {
        let Some(table) = found else {
            return self.note(DifferenceKind::NoTable, None, "a table", "none");
        };
        for column in model.columns() {
            match table.column(column.name) {
                None => {
                    self.note(
                        DifferenceKind::NoColumn,
                        Some(column.name),
                        &declared_type(column),
                        "no column",
                    );
                }
                Some(there) => self.column(column, there, table),
            }
        }
        if !table.is_view {
            self.keys(model, table);
            self.unset(model, table);
        }
    }

    fn column(&mut self, column: &Declared, found: &FoundColumn, table: &FoundTable) {
        let name = Some(column.name);
        if !(column.accepts)(&found.ty) || !fits_modifier(column, found) {
            self.note(DifferenceKind::Type, name, &declared_type(column), &found.sql_type);
        }
        if let (Some(labels), Kind::Enum(there)) = (column.labels(), found.ty.kind())
            && (labels.len() != there.len()
                || labels.iter().any(|label| !there.iter().any(|t| *t == **label)))
        {
            self.note(DifferenceKind::Labels, name, &format!("{labels:?}"), &format!("{there:?}"));
        }
        if table.is_view {
            return;
        }
        match (column.nullable, found.not_null) {
            (false, false) => {
                self.note(DifferenceKind::Nullable, name, "NOT NULL", "a column that may be NULL");
            }
            (true, true) => self.note(DifferenceKind::NotNull, name, "an `Option`", "NOT NULL"),
            _ => {}
        }
        if column.is_server_made() && !found.is_filled && !table.has_triggers {
            self.note(DifferenceKind::ServerMade, name, "a value that the server makes", "no default");
        }
        if !column.is_server_made() && found.refuses {
            self.note(DifferenceKind::ServerMade, name, "a value that is sent", "GENERATED ALWAYS");
        }
    }

    /// Whether what is declared to tell rows apart does.
    fn keys(&mut self, model: &Registered, table: &FoundTable) {
        let none = "no unique index within these columns";
        let key = model.key();
        if !key.is_empty() && !table.tells_apart(key) {
            self.note(DifferenceKind::Key, None, &format!("the key ({})", key.join(", ")), none);
        }
        for column in model.columns().iter().filter(|column| column.unique && key != [column.name]) {
            if !table.tells_apart(&[column.name]) {
                self.note(DifferenceKind::Unique, Some(column.name), "unique", "no unique index");
            }
        }
        for item in model.items() {
            let columns = match item {
                Item::Unique(columns) => columns,
                Item::Index(index) if index.unique && index.only.is_none() => index.columns,
                _ => continue,
            };
            if !table.tells_apart(columns) {
                self.note(DifferenceKind::Unique, None, &format!("unique ({})", columns.join(", ")), none);
            }
        }
    }

    /// Columns that no insert of the model could fill.
    fn unset(&mut self, model: &Registered, table: &FoundTable) {
        let known = |name: &str| model.columns().iter().any(|column| column.name == name);
        for column in &table.columns {
            if column.not_null && !column.is_filled && !table.has_triggers && !known(&column.name) {
                let found = format!("{} NOT NULL without a default", column.sql_type);
                self.note(DifferenceKind::Unset, Some(&column.name), "no such column", &found);
            }
        }
    }

    /// Whether the columns that references and relations lead to are there. What has been said of the model that
    /// has them is not said again.
    pub(super) fn target(&mut self, columns: &[&str], found: Option<&FoundTable>) {
        let Some(table) = found else {
            if !self.is_noted(None) {
                self.note(
                    DifferenceKind::NoTable,
                    None,
                    "the far end of a reference or relation",
                    "no table",
                );
            }
            return;
        };
        for name in columns {
            if table.column(name).is_none() && !self.is_noted(Some(name)) {
                let declared = "the far end of a reference or relation";
                self.note(DifferenceKind::NoColumn, Some(name), declared, "no column");
            }
        }
    }

    fn is_noted(&self, column: Option<&str>) -> bool {
        let missing = |kind| matches!(kind, DifferenceKind::NoTable | DifferenceKind::NoColumn);
        let same = |d: &Difference| missing(d.kind) && d.table == self.table && d.column() == column;
        self.differences.iter().any(same)
    }
}

/// The type that is declared, in SQL and in Rust.
fn declared_type(column: &Declared) -> String {
    let mut sql = String::new();
    if column_type(&mut sql, column).is_err() {
        sql = column.oid.to_string();
    }
    format!("{sql} ({})", column.rust_type)
}

/// Whether a type that the server has with a modifier has the one that the column's checks ask for.
fn fits_modifier(column: &Declared, found: &FoundColumn) -> bool {
    match (&column.modifier, found.sql_type.split_once('(')) {
        (Some(wanted), Some((_, there))) => there.strip_suffix(')') == Some(wanted),
        _ => true,
    }
}
