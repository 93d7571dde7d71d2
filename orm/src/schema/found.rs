//! Reading what the database has.

use wreath_codecs::{ParamBuf, Type, oid};
use wreath_driver::{FromRow, Rows, Sql};

use crate::db::{Runner, all};
use crate::error::Result;

/// Which of the wanted names are tables, views or foreign tables; whether they are no plain tables, and whether triggers set
/// columns of new rows (`tgtype`: for each row 1, before 2, insert 4).
const TABLES: &str = "
    SELECT wanted.place, c.relkind NOT IN ('r', 'p'), EXISTS (
        SELECT FROM pg_catalog.pg_trigger t
        WHERE t.tgrelid = c.oid AND NOT t.tgisinternal AND t.tgtype & 7 = 7)
    FROM unnest($1::text[]) WITH ORDINALITY AS wanted (name, place)
    JOIN pg_catalog.pg_class c ON c.oid = pg_catalog.to_regclass(wanted.name)
    WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f')";

/// Their columns.
const COLUMNS: &str = "
    SELECT wanted.place, a.attname::text, t.oid, pg_catalog.format_type(t.oid, a.atttypmod),
        a.attnotnull OR t.typnotnull, a.attidentity <> '', a.attgenerated <> '' OR a.attidentity = 'a',
        a.atthasdef OR t.typdefault IS NOT NULL
    FROM unnest($1::text[]) WITH ORDINALITY AS wanted (name, place)
    JOIN pg_catalog.pg_attribute a ON a.attrelid = pg_catalog.to_regclass(wanted.name)
    JOIN pg_catalog.pg_type t ON t.oid = a.atttypid
    WHERE a.attnum > 0 AND NOT a.attisdropped
    ORDER BY wanted.place, a.attnum";

/// The columns of their unique indexes that hold for all rows. What an index merely includes lies behind its keys.
const UNIQUE: &str = "
    SELECT wanted.place, ARRAY(
        SELECT a.attname::text FROM pg_catalog.pg_attribute a
        WHERE a.attrelid = i.indrelid AND a.attnum = ANY (i.indkey[0:i.indnkeyatts - 1]))
    FROM unnest($1::text[]) WITH ORDINALITY AS wanted (name, place)
    JOIN pg_catalog.pg_index i ON i.indrelid = pg_catalog.to_regclass(wanted.name)
    WHERE i.indisunique AND i.indisvalid AND i.indpred IS NULL AND i.indexprs IS NULL";

/// A table that is there.
#[derive(Debug)]
pub(super) struct FoundTable {
    /// Whether it is a view or a foreign table, of which the catalog knows neither keys nor what may be NULL.
    pub(super) is_view: bool,
    /// Whether a trigger may set columns of new rows.
    pub(super) has_triggers: bool,
    pub(super) columns: Vec<FoundColumn>,
    /// The columns of each unique index.
    pub(super) unique: Vec<Vec<String>>,
}

/// A column of it.
#[derive(Debug)]
pub(super) struct FoundColumn {
    pub(super) name: String,
    /// The type that its values are read as.
    pub(super) ty: Type,
    /// The type as SQL writes it.
    pub(super) sql_type: String,
    pub(super) not_null: bool,
    /// Whether a row that is inserted without it gets a value.
    pub(super) is_filled: bool,
    /// Whether the server refuses values for it.
    pub(super) refuses: bool,
}

impl FoundTable {
    pub(super) fn column(&self, name: &str) -> Option<&FoundColumn> {
        self.columns.iter().find(|column| column.name == name)
    }

    /// Whether no two rows have the same values in these columns.
    pub(super) fn tells_apart(&self, columns: &[&str]) -> bool {
        self.unique.iter().any(|index| index.iter().all(|name| columns.contains(&name.as_str())))
    }
}

/// The tables of these names, which are written as in SQL: one flight, and another where there are types that are
/// not built in.
pub(super) async fn read(run: Runner<'_>, names: &[String]) -> Result<Vec<Option<FoundTable>>> {
    let mut replies = Vec::new();
    for sql in [TABLES, COLUMNS, UNIQUE] {
        let mut params = ParamBuf::new();
        params.push(names)?;
        replies.push(run.send(&Sql::new(sql), params));
    }
    let answers = all(replies).await?;
    let mut found: Vec<Option<FoundTable>> = names.iter().map(|_| None).collect();
    for (place, is_view, has_triggers) in tuples::<(i64, bool, bool)>(&answers[0])? {
        if let Some(slot) = slot(&mut found, place) {
            *slot = Some(FoundTable { is_view, has_triggers, columns: Vec::new(), unique: Vec::new() });
        }
    }
    let columns: Vec<ColumnRow> = tuples(&answers[1])?;
    let oids: Vec<u32> = columns.iter().map(|column| column.2).collect();
    let types = run.client.types_by_oid(&oids).await?;
    for ((place, name, _, sql_type, not_null, identity, refuses, has_default), ty) in
        columns.into_iter().zip(types)
    {
        if let Some(Some(table)) = slot(&mut found, place) {
            let is_filled = identity || refuses || has_default;
            table.columns.push(FoundColumn {
                name,
                ty: read_as(&ty),
                sql_type,
                not_null,
                is_filled,
                refuses,
            });
        }
    }
    for (place, columns) in tuples::<(i64, Vec<String>)>(&answers[2])? {
        if let Some(Some(table)) = slot(&mut found, place) {
            table.unique.push(columns);
        }
    }
    Ok(found)
}

type ColumnRow = (i64, String, u32, String, bool, bool, bool, bool);

fn tuples<T: FromRow>(rows: &Rows) -> Result<Vec<T>> {
    Ok(rows.iter().map(T::from_row).collect::<wreath_driver::Result<_>>()?)
}

/// The table at a place, which the server counts from 1.
fn slot(found: &mut [Option<FoundTable>], place: i64) -> Option<&mut Option<FoundTable>> {
    found.get_mut(usize::try_from(place).ok()?.checked_sub(1)?)
}

/// What the server calls the values of a type in a result: those of a domain are of its base, and those that have no
/// binary form are text.
fn read_as(ty: &Type) -> Type {
    let base = ty.base();
    match Type::from_oid(oid::UNKNOWN) {
        Some(text) if !base.is_binary() => text,
        _ => base.clone(),
    }
}
