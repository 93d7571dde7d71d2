//! What belongs to a table beside its columns: constraints, indexes, and the enums that its columns are of.

use wreath_codecs::types::Name;

use crate::compile::table::actions;
use crate::compile::{literal, quote, quote_list, quote_qualified};
use crate::model::Item;
use crate::plan::hash;

/// The longest name that the server keeps whole (PostgreSQL manual, "Identifiers and Key Words").
const NAME_MAX: usize = 63;

/// The name of an item: its table, its columns, and what it is, as the server itself would call it. A name that is too
/// long ends in a hash of the whole.
pub(crate) fn item_name(table: &str, columns: &[&str], what: &str) -> String {
    let mut name = table.to_owned();
    for part in columns.iter().chain([&what]) {
        name.push('_');
        name.push_str(part);
    }
    if name.len() > NAME_MAX {
        let hash = hash::name(&name) & 0xffff_ffff;
        let cut = name.floor_char_boundary(NAME_MAX - 9);
        name.truncate(cut);
        name.push_str(&format!("_{hash:08x}"));
    }
    name
}

/// The statement that adds an item to its table, which is there, as are those that it refers to; `None` for what is part
/// of the table's own statement.
pub(crate) fn add_item((schema, table): (&str, &str), item: &Item) -> Option<String> {
    let mut sql = String::new();
    match item {
        Item::Check(..) | Item::Checks => return None,
        Item::Unique(columns) => {
            constraint(&mut sql, (schema, table), &item_name(table, columns, "key"));
            sql.push_str(" UNIQUE (");
            quote_list(&mut sql, columns);
            sql.push(')');
        }
        Item::ForeignKey(key) => {
            constraint(&mut sql, (schema, table), &item_name(table, key.columns, "fkey"));
            sql.push_str(" FOREIGN KEY (");
            quote_list(&mut sql, key.columns);
            sql.push_str(") REFERENCES ");
            quote_qualified(&mut sql, key.schema.unwrap_or(""), key.table);
            sql.push_str(" (");
            quote_list(&mut sql, key.key);
            sql.push(')');
            actions(&mut sql, key.on_delete, key.cascade_updates, key.deferrable);
        }
        Item::Index(index) => {
            sql.push_str(if index.unique { "CREATE UNIQUE INDEX " } else { "CREATE INDEX " });
            quote(&mut sql, &item_name(table, index.columns, "idx"));
            sql.push_str(" ON ");
            quote_qualified(&mut sql, schema, table);
            if let Some(method) = index.method {
                sql.push_str(" USING ");
                quote(&mut sql, method);
            }
            sql.push_str(" (");
            for (i, column) in index.columns.iter().enumerate() {
                sql.push_str(if i == 0 { "" } else { ", " });
                quote(&mut sql, column);
                if let Some(class) = index.operators {
                    sql.push(' ');
                    quote(&mut sql, class);
                }
            }
            sql.push(')');
            for (keyword, text) in [(" WITH (", index.with), (" WHERE (", index.only)] {
                if let Some(text) = text {
                    sql.push_str(keyword);
                    sql.push_str(text);
                    sql.push(')');
                }
            }
        }
    }
    Some(sql)
}

/// The statement that makes an enum.
pub(crate) fn create_enum(name: Name, labels: &[&str]) -> String {
    let mut sql = String::from("CREATE TYPE ");
    quote_qualified(&mut sql, name.schema.unwrap_or(""), name.name);
    sql.push_str(" AS ENUM (");
    for (i, label) in labels.iter().enumerate() {
        sql.push_str(if i == 0 { "" } else { ", " });
        literal(&mut sql, label);
    }
    sql.push(')');
    sql
}

fn constraint(sql: &mut String, (schema, table): (&str, &str), name: &str) {
    sql.push_str("ALTER TABLE ");
    quote_qualified(sql, schema, table);
    sql.push_str(" ADD CONSTRAINT ");
    quote(sql, name);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Index;

    #[test]
    fn names_stay_within_what_the_server_keeps() {
        assert_eq!(item_name("jobs", &["queue", "id"], "idx"), "jobs_queue_id_idx");
        let long = "l".repeat(40);
        let (one, two) = (item_name(&long, &[&long, "a"], "key"), item_name(&long, &[&long, "b"], "key"));
        assert!(one.len() <= NAME_MAX && two.len() <= NAME_MAX && one != two, "{one} {two}");
        assert!(item_name(&"ä".repeat(40), &["c"], "key").len() <= NAME_MAX);
    }

    #[test]
    fn indexes_say_all_that_was_declared() {
        let index =
            Index::new(&["a", "b\""]).unique().method("gist").operators("o").only("a > 1").with("m = 16");
        assert_eq!(
            add_item(("farm", "llamas"), &Item::Index(index)).as_deref(),
            Some(concat!(
                r#"CREATE UNIQUE INDEX "llamas_a_b""_idx" ON "farm"."llamas" USING "gist" "#,
                r#"("a" "o", "b""" "o") WITH (m = 16) WHERE (a > 1)"#,
            ))
        );
    }
}
