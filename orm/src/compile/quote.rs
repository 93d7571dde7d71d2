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

/// Appends a text of the program's as a literal. A backslash would mean something where
/// `standard_conforming_strings` is off, so a text with one is written as a string in which it is doubled.
pub(crate) fn literal(sql: &mut String, text: &str) {
    let text = text.replace('\'', "''");
    if text.contains('\\') {
        sql.push_str(" E'");
        sql.push_str(&text.replace('\\', r"\\"));
    } else {
        sql.push('\'');
        sql.push_str(&text);
    }
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

    #[test]
    fn hostile_texts_stay_within_their_quotes() {
        for (text, expected) in [("open", "'open'"), ("it's", "'it''s'"), (r"\'; DROP", r" E'\\''; DROP'")] {
            let mut sql = String::new();
            literal(&mut sql, text);
            assert_eq!(sql, expected);
        }
    }
}
