//! Where a server is and as whom to log in, from a URL.

use std::path::PathBuf;

/// A server and a user of it; the database is named apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Target {
    pub(crate) host: Host,
    pub(crate) port: u16,
    pub(crate) user: String,
    pub(crate) password: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Host {
    /// The folder that holds the server's sockets.
    Unix(PathBuf),
    Tcp(String),
}

/// A connection URL taken apart: where it points, and its text around the name of the database.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Url {
    pub(crate) target: Target,
    pub(crate) database: String,
    /// `postgres://user:pw@host:port`.
    before: String,
    /// Empty, or `?` and the parameters.
    after: String,
}

impl Url {
    /// Reads `postgres://[user[:password]@][host][:port][/database][?host=...&port=...&user=...&password=...]`.
    pub(crate) fn parse(url: &str) -> Result<Self, String> {
        let rest = url.strip_prefix("postgres://").or_else(|| url.strip_prefix("postgresql://"));
        let rest = rest.ok_or("it does not start with postgres://")?;
        let (path, query) = rest.split_once('?').unwrap_or((rest, ""));
        let (authority, database) = path.split_once('/').unwrap_or((path, ""));
        let (login, address) = authority.rsplit_once('@').unwrap_or(("", authority));
        let (user, password) = match login.split_once(':') {
            Some((user, password)) => (user, Some(unescape(password)?)),
            None => (login, None),
        };
        let (host, port) = address.rsplit_once(':').unwrap_or((address, ""));
        let mut target = Target {
            host: Host::Tcp("localhost".to_owned()),
            port: 5432,
            user: if user.is_empty() { "postgres".to_owned() } else { unescape(user)? },
            password,
        };
        target.set("host", &unescape(host)?)?;
        target.set("port", port)?;
        for pair in query.split('&').filter(|pair| !pair.is_empty()) {
            let (key, value) = pair.split_once('=').ok_or_else(|| format!("no value: {pair}"))?;
            target.set(key, &unescape(value)?)?;
        }
        let before = format!("{}{authority}", &url[..url.len() - rest.len()]);
        let after = if query.is_empty() { String::new() } else { format!("?{query}") };
        let database = if database.is_empty() { target.user.clone() } else { unescape(database)? };
        Ok(Self { target, database, before, after })
    }

    /// `user` or `user:password`, escaped as it was given.
    pub(crate) fn login(&self) -> &str {
        let authority = self.before.rsplit("://").next().unwrap_or_default();
        authority.rsplit_once('@').map_or("postgres", |(login, _)| login)
    }

    /// The same URL for another database, whose name needs no escape.
    pub(crate) fn for_database(&self, database: &str) -> String {
        format!("{}/{database}{}", self.before, self.after)
    }
}

impl Target {
    /// Takes over one parameter; an empty value and the parameters that the kit has no use for change nothing.
    fn set(&mut self, key: &str, value: &str) -> Result<(), String> {
        match key {
            _ if value.is_empty() => {}
            "host" if value.starts_with('/') => self.host = Host::Unix(value.into()),
            "host" => self.host = Host::Tcp(value.trim_matches(['[', ']']).to_owned()),
            "port" => self.port = value.parse().map_err(|_| format!("no port: {value}"))?,
            "user" => value.clone_into(&mut self.user),
            "password" => self.password = Some(value.to_owned()),
            "sslmode" if matches!(value, "require" | "verify-ca" | "verify-full") => {
                return Err("the test kit does not speak TLS to a server that it did not start".to_owned());
            }
            _ => {}
        }
        Ok(())
    }
}

fn unescape(text: &str) -> Result<String, String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&first, tail)) = rest.split_first() {
        rest = tail;
        if first != b'%' {
            bytes.push(first);
            continue;
        }
        let digits = rest.get(..2).and_then(|pair| std::str::from_utf8(pair).ok());
        let byte = digits.and_then(|pair| u8::from_str_radix(pair, 16).ok());
        bytes.push(byte.ok_or_else(|| format!("a broken % escape in {text}"))?);
        rest = &rest[2..];
    }
    String::from_utf8(bytes).map_err(|_| format!("not UTF-8: {text}"))
}

#[cfg(test)]
mod tests {
    use super::{Host, Url};

    #[test]
    fn a_url_gives_its_parts_and_takes_another_database() {
        let url = Url::parse("postgresql://al:p%40w@db.example:6000/app?sslmode=prefer").unwrap();
        assert_eq!(url.target.host, Host::Tcp("db.example".to_owned()));
        assert_eq!((url.target.port, url.target.user.as_str()), (6000, "al"));
        assert_eq!(url.target.password.as_deref(), Some("p@w"));
        assert_eq!(url.database, "app");
        assert_eq!(url.for_database("x"), "postgresql://al:p%40w@db.example:6000/x?sslmode=prefer");
    }

    #[test]
    fn a_socket_folder_comes_as_a_parameter_or_escaped() {
        let plain = Url::parse("postgres://postgres@/test?host=/run/pg&port=7000").unwrap();
        assert_eq!((plain.target.host, plain.target.port), (Host::Unix("/run/pg".into()), 7000));
        let escaped = Url::parse("postgres://%2Frun%2Fpg").unwrap();
        assert_eq!(escaped.target.host, Host::Unix("/run/pg".into()));
        assert_eq!(escaped.database, "postgres");
        assert_eq!(Url::parse("postgres://[::1]:5433/x").unwrap().target.host, Host::Tcp("::1".to_owned()));
    }

    #[test]
    fn what_cannot_be_read_is_refused() {
        for bad in [
            "mysql://x",
            "postgres://h:port/",
            "postgres://%zz/",
            "postgres://h/d?x",
            "postgres://h?sslmode=require",
        ] {
            assert!(Url::parse(bad).is_err(), "{bad}");
        }
    }
}
