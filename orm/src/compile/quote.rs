//! Identifiers.

/// Appends an identifier, quoted.
pub(crate) fn quote(sql: &mut String, identifier: &str) {
    sql.push('"');
    for c in identifier.chars() {
        if c == '"' {
            sql.push('"');
        }
        sql.push(c);
    }
    sql.push('"');
}

/// Appends identifiers, quoted, with commas between them.
pub(crate) fn quote_list(sql: &mut String, identifiers: &[&str]) {
    for (i, identifier) in identifiers.iter().enumerate() {
        if i > 0 {
            sql.push_str(", ");
        }
        quote(sql, identifier);
    }
}

/// Appends a text of the declaration's as a literal.
pub(crate) fn literal(sql: &mut String, text: &str) {
    sql.push('\'');
    sql.push_str(&text.replace('\'', "''"));
    sql.push('\'');
}

/// Appends a table's or a type's name, with its schema unless that is empty.
pub(crate) fn quote_qualified(sql: &mut String, schema: &str, name: &str) {
    if !schema.is_empty() {
        quote(sql, schema);
        sql.push('.');
    }
    quote(sql, name);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hostile_identifiers_stay_within_their_quotes() {
        let mut sql = String::new();
        quote_qualified(&mut sql, "a\"; DROP", "x\"\"y");
        assert_eq!(sql, r#""a""; DROP"."x""""y""#);
    }
}
