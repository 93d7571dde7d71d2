//! Connection strings, taken apart into options and values.

use super::{ConfigError, option, uri};

/// Options in the order in which they are said; a later one overrides an earlier one.
pub(super) type Pairs = Vec<Pair>;

/// An option and its value.
pub(super) struct Pair {
    pub(super) name: String,
    pub(super) value: String,
    /// Whether all this may be the end of a password that was not quoted, or not percent-encoded: nothing of it is to be
    /// shown.
    pub(super) is_doubtful: bool,
}

impl Pair {
    pub(super) fn new(name: impl Into<String>, value: String) -> Self {
        Self { name: name.into(), value, is_doubtful: false }
    }
}

/// Takes a connection string apart: a URI, or `name = value` pairs.
pub(super) fn parse(dsn: &str) -> Result<Pairs, ConfigError> {
    match dsn.strip_prefix("postgresql://").or_else(|| dsn.strip_prefix("postgres://")) {
        Some(rest) => uri::parse(rest),
        None if is_other(dsn) => Err(ConfigError::dsn(
            "it begins neither with postgres:// or postgresql:// nor with the name of an option and =",
        )),
        None => Keywords(dsn).parse(),
    }
}

/// Whether it begins with what cannot be the name of an option: an address, or a URI of another scheme.
fn is_other(dsn: &str) -> bool {
    let start = dsn.trim_start_matches(is_space);
    let name = start.find(|c| c == '=' || is_space(c)).map_or(start, |end| &start[..end]);
    name.contains([':', '/', '@'])
}

/// The rest of a string of pairs.
///
/// Errors tell places and no text: who forgets to quote a password with a space in it has a part of it where a
/// name belongs.
struct Keywords<'a>(&'a str);

impl Keywords<'_> {
    fn parse(mut self) -> Result<Pairs, ConfigError> {
        let whole = self.0.len();
        let mut pairs = Pairs::new();
        self.skip_spaces();
        while !self.0.is_empty() {
            let start = whole - self.0.len();
            let name = self.name().ok_or_else(|| {
                ConfigError::dsn(format!("the option that starts at byte {start} has no = behind its name"))
            })?;
            self.skip_spaces();
            let start = whole - self.0.len();
            let value = self.value().ok_or_else(|| {
                ConfigError::dsn(format!("the quoted value that starts at byte {start} does not end"))
            })?;
            let is_doubtful = pairs.iter().any(|pair: &Pair| option::is_secret(&pair.name));
            pairs.push(Pair { name, value, is_doubtful });
            self.skip_spaces();
        }
        Ok(pairs)
    }

    fn skip_spaces(&mut self) {
        self.0 = self.0.trim_start_matches(is_space);
    }

    /// A name and the = behind it.
    fn name(&mut self) -> Option<String> {
        let end = self.0.find(|c| c == '=' || is_space(c))?;
        let (name, rest) = self.0.split_at(end);
        self.0 = rest.trim_start_matches(is_space).strip_prefix('=')?;
        Some(name.to_owned())
    }

    /// A value, quoted or not; a backslash takes the next character as it is.
    fn value(&mut self) -> Option<String> {
        let (text, quoted) = match self.0.strip_prefix('\'') {
            Some(text) => (text, true),
            None => (self.0, false),
        };
        let mut value = String::new();
        let mut chars = text.chars();
        loop {
            match chars.next() {
                Some('\\') => value.extend(chars.next()),
                Some('\'') if quoted => break,
                Some(c) if !quoted && is_space(c) => break,
                Some(c) => value.push(c),
                None if quoted => return None,
                None => break,
            }
        }
        self.0 = chars.as_str();
        Some(value)
    }
}

/// What C's `isspace` holds for a space, which libpq asks.
fn is_space(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\n' | '\x0b' | '\x0c' | '\r')
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::Config;

    /// What libpq makes of many connection strings; `driver/testdata/dsn/generate` wrote it, and can write more.
    const CASES: &str = include_str!("../../testdata/dsn/cases.tsv");

    #[test]
    fn connection_strings_are_read_as_libpq_reads_them() {
        let more =
            std::env::var("WREATH_DSN_CASES").map(|path| std::fs::read_to_string(path).expect("a file"));
        let cases = more.as_deref().unwrap_or(CASES);
        let mut count = 0;
        for line in cases.lines().filter(|line| !line.starts_with('#')) {
            let mut fields = line.split('\t').map(unescape);
            let dsn = fields.next().expect("a connection string");
            let expected: Vec<String> = fields.collect();
            assert_eq!(said(&dsn), expected, "{dsn:?}");
            count += 1;
        }
        assert!(count > 100, "only {count} cases");
    }

    /// The options that have values, in order of their names, as the file of cases has them.
    fn said(dsn: &str) -> Vec<String> {
        let Ok(pairs) = parse(dsn) else { return vec!["!".to_owned()] };
        let mut last = std::collections::BTreeMap::new();
        for Pair { name, value, .. } in pairs {
            if !option::is_known(&name) {
                return vec!["!".to_owned()];
            }
            last.insert(name, value);
        }
        last.into_iter().map(|(name, value)| format!("{name}={value}")).collect()
    }

    pub(in crate::config) fn unescape(field: &str) -> String {
        let mut text = String::new();
        let mut chars = field.chars();
        while let Some(c) = chars.next() {
            text.push(match c {
                '\\' => match chars.next().expect("an escape") {
                    't' => '\t',
                    'n' => '\n',
                    'r' => '\r',
                    other => other,
                },
                other => other,
            });
        }
        text
    }

    #[test]
    fn what_is_no_connection_string_is_told_what_one_is() {
        for dsn in ["localhost/farm", "mysql://localhost/farm", "postgre://dolly:sesame@localhost/?a=b"] {
            let shown = parse(dsn).err().expect("no connection string").to_string();
            assert!(
                shown.contains("neither with postgres://") && !shown.contains("sesame"),
                "{dsn}: {shown}"
            );
        }
        let shown = parse("host=a farm").err().expect("malformed").to_string();
        assert!(shown.ends_with("the option that starts at byte 7 has no = behind its name"), "{shown}");
    }

    #[test]
    fn errors_show_nothing_of_a_password() {
        for dsn in ["user=a password=my sesame", "password='sesame", "sesame", "password=a sesame host=b"] {
            let shown = parse(dsn).err().expect("malformed").to_string();
            assert!(!shown.contains("sesame"), "{shown}");
        }
        for dsn in [
            "password=open ses@me=b",
            "password=open ses=ame",
            "user=a sslpassword=open ses=ame host=b",
            "postgres://farm/db?password=open&ses=ame",
            "postgres://farm/db?password=open&ses=%zz",
            "postgres://dolly:5432/x?ses=ame&y=z@farm/db",
        ] {
            let refused = dsn.parse::<Config>().expect_err(dsn);
            assert_eq!(refused.option_name().filter(|name| *name != "value of an option"), None, "{refused}");
            assert!(!refused.to_string().contains("ses"), "{refused}");
        }
        // No password can be in the way of these.
        for dsn in ["hots=a password=x", "postgres://a:b@c/d?hots=a&password=x", "postgres://a?host=b&hots=c"]
        {
            assert_eq!(dsn.parse::<Config>().expect_err(dsn).option_name(), Some("hots"), "{dsn}");
        }
    }
}
