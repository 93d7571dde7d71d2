//! The two queries that the catalog asks.

use std::borrow::Cow;
use std::collections::HashMap;

use wreath_codecs::types::{Field, Kind, Name, Type, TypeData};

use crate::connection::Client;
use crate::error::{Error, Result};

/// Types and all that they are made of (PostgreSQL manual, "System Catalogs": `pg_type`, `pg_range`, `pg_enum`,
/// `pg_attribute`).
const TYPES: &str = "
    WITH RECURSIVE wanted (oid) AS (
        SELECT unnest($1::oid[])
        UNION
        SELECT part.oid
        FROM wanted
        JOIN pg_catalog.pg_type t ON t.oid = wanted.oid
        LEFT JOIN pg_catalog.pg_range r ON t.oid IN (r.rngtypid, r.rngmultitypid)
        CROSS JOIN LATERAL (
            SELECT t.typelem UNION ALL SELECT t.typbasetype UNION ALL SELECT r.rngsubtype
            UNION ALL
            SELECT a.atttypid FROM pg_catalog.pg_attribute a
            WHERE a.attrelid = t.typrelid AND t.typtype = 'c' AND a.attnum > 0 AND NOT a.attisdropped
        ) AS part (oid)
        WHERE part.oid <> 0
    )
    SELECT t.oid, n.nspname::text, t.typname::text,
        CASE WHEN t.typtype = 'b' AND t.typelem <> 0 AND t.typlen = -1 AND t.typcategory = 'A' THEN 'a'
             ELSE t.typtype::text END,
        coalesce(r.rngsubtype, nullif(t.typbasetype, 0), t.typelem), t.typsend <> 0,
        ARRAY(SELECT e.enumlabel::text FROM pg_catalog.pg_enum e
              WHERE e.enumtypid = t.oid ORDER BY e.enumsortorder),
        ARRAY(SELECT a.attname::text FROM pg_catalog.pg_attribute a
              WHERE a.attrelid = t.typrelid AND t.typtype = 'c' AND a.attnum > 0 AND NOT a.attisdropped
              ORDER BY a.attnum),
        ARRAY(SELECT a.atttypid FROM pg_catalog.pg_attribute a
              WHERE a.attrelid = t.typrelid AND t.typtype = 'c' AND a.attnum > 0 AND NOT a.attisdropped
              ORDER BY a.attnum)
    FROM wanted
    JOIN pg_catalog.pg_type t ON t.oid = wanted.oid
    JOIN pg_catalog.pg_namespace n ON n.oid = t.typnamespace
    LEFT JOIN pg_catalog.pg_range r ON t.oid IN (r.rngtypid, r.rngmultitypid)";

/// The numbers of named types; a type that is not there has NULLs.
const NUMBERS: &str = "
    SELECT t.oid, t.typarray
    FROM unnest($1::text[]) WITH ORDINALITY AS wanted (name, place)
    LEFT JOIN pg_catalog.pg_type t ON t.oid = pg_catalog.to_regtype(wanted.name)
    ORDER BY wanted.place";

type TypeRow = (u32, String, String, String, u32, bool, Vec<String>, Vec<String>, Vec<u32>);

/// The number of each type and of its array type, in order.
pub(super) async fn numbers(client: &Client, names: &[Name]) -> Result<Vec<Option<(u32, u32)>>> {
    let quoted: Vec<String> = names.iter().map(quote).collect();
    let rows: Vec<(Option<u32>, Option<u32>)> = Box::pin(client.fetch_as(NUMBERS, (quoted,))).await?;
    Ok(rows.into_iter().map(|(oid, array)| Some((oid?, array?))).collect())
}

fn quote(name: &Name) -> String {
    let quote = |part: &str| format!("\"{}\"", part.replace('"', "\"\""));
    match name.schema {
        Some(schema) => format!("{}.{}", quote(schema), quote(name.name)),
        None => quote(name.name),
    }
}

/// The types of those numbers and all that they are made of, as far as `known` does not know them.
pub(super) async fn types(
    client: &Client,
    oids: &[u32],
    known: impl Fn(u32) -> Option<Type>,
) -> Result<Vec<Type>> {
    // Boxed, because running a statement may come back here: with types that are all built in.
    let rows: Vec<TypeRow> = Box::pin(client.fetch_as(TYPES, (oids,))).await?;
    let mut builder =
        Builder { rows: rows.into_iter().map(|row| (row.0, row)).collect(), built: HashMap::new(), known };
    let wanted: Vec<u32> = builder.rows.keys().copied().collect();
    for oid in wanted {
        builder.build(oid, 0)?;
    }
    Ok(builder.built.into_values().collect())
}

/// How deep types may be nested; a composite cannot contain itself but through what it has been altered to.
const MAX_DEPTH: usize = 64;

struct Builder<F> {
    rows: HashMap<u32, TypeRow>,
    built: HashMap<u32, Type>,
    known: F,
}

impl<F: Fn(u32) -> Option<Type>> Builder<F> {
    fn build(&mut self, oid: u32, depth: usize) -> Result<Type> {
        if let Some(ty) = (self.known)(oid).or_else(|| self.built.get(&oid).cloned()) {
            return Ok(ty);
        }
        if depth > MAX_DEPTH {
            return Err(Error::protocol(format!("type {oid} is nested more than {MAX_DEPTH} deep")));
        }
        let Some((_, schema, name, kind, inner, binary, labels, fields, field_types)) =
            self.rows.get(&oid).cloned()
        else {
            return Ok(Type::unknown_number(oid));
        };
        let kind = match kind.as_str() {
            "a" => Kind::Array(self.build(inner, depth + 1)?),
            "d" => Kind::Domain(self.build(inner, depth + 1)?),
            "e" => Kind::Enum(labels),
            "r" => Kind::Range(self.build(inner, depth + 1)?),
            "m" => Kind::Multirange(self.build(inner, depth + 1)?),
            "c" => {
                let parts = fields.into_iter().zip(field_types);
                let field = |(name, oid)| Ok(Field { name, ty: self.build(oid, depth + 1)? });
                Kind::Composite(parts.map(field).collect::<Result<_>>()?)
            }
            "p" => Kind::Pseudo,
            _ => Kind::Base,
        };
        let data = TypeData { oid, schema: Cow::Owned(schema), name: Cow::Owned(name), kind, binary };
        let ty = Type::looked_up(data);
        self.built.insert(oid, ty.clone());
        Ok(ty)
    }
}
