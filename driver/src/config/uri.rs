//! Connection URIs: `postgres://user:password@host:port,host:port/database?option=value`.

use super::dsn::{Pair, Pairs};
use super::{ConfigError, option};

/// Takes apart what follows the scheme, in libpq's order: it looks for an `@` up to the first slash, whatever
/// else is in between.
pub(super) fn parse(uri: &str) -> Result<Pairs, ConfigError> {
    let mut pairs = Pairs::new();
    let mut rest = uri;
    if let Some(end) = uri.find(['@', '/']).filter(|&at| uri[at..].starts_with('@')) {
        let (user, password) = uri[..end].split_once(':').unwrap_or((&uri[..end], ""));
        add(&mut pairs, "user", user)?;
        add(&mut pairs, "password", password)?;
        rest = &uri[end + 1..];
    }
    let rest = hosts(rest, &mut pairs)?;
    let (database, options) = match rest.strip_prefix('/') {
        Some(path) => path.split_once('?').unwrap_or((path, "")),
        None => ("", rest.strip_prefix('?').unwrap_or("")),
    };
    add(&mut pairs, "dbname", database)?;
    let before = pairs.len();
    // What is left of an @ may belong to a password with a slash or a question mark in it.
    let mut is_doubtful = options.contains('@');
    for option in options.split_inclusive('&') {
        pairs.push(query_option(option.strip_suffix('&').unwrap_or(option), is_doubtful)?);
        is_doubtful |= pairs[before..].iter().any(|pair| option::is_secret(&pair.name));
    }
    Ok(pairs)
}

/// Reads hosts and ports up to a slash or a question mark, and answers what is left.
///
/// Empty places keep their commas: `a,b:1` are the ports "" and "1".
fn hosts<'a>(mut rest: &'a str, pairs: &mut Pairs) -> Result<&'a str, ConfigError> {
    let (mut hosts, mut ports) = (String::new(), String::new());
    loop {
        let (host, behind) = match rest.strip_prefix('[') {
            Some(inner) => bracketed(inner)?,
            None => rest.split_at(rest.find([':', '/', '?', ',']).unwrap_or(rest.len())),
        };
        hosts.push_str(host);
        rest = behind;
        if let Some(behind) = rest.strip_prefix(':') {
            let end = behind.find(['/', '?', ',']).unwrap_or(behind.len());
            ports.push_str(&behind[..end]);
            rest = &behind[end..];
        }
        let Some(next) = rest.strip_prefix(',') else { break };
        rest = next;
        hosts.push(',');
        ports.push(',');
    }
    add(pairs, "host", &hosts)?;
    add(pairs, "port", &ports)?;
    Ok(rest)
}

/// An IPv6 address up to its bracket, and what is behind that.
fn bracketed(inner: &str) -> Result<(&str, &str), ConfigError> {
    let (address, behind) =
        inner.split_once(']').ok_or_else(|| ConfigError::option("host", "an IPv6 address lacks its ]"))?;
    if address.is_empty() {
        return Err(ConfigError::option("host", "the IPv6 address between [ and ] is empty"));
    }
    if !behind.is_empty() && !behind.starts_with([':', '/', '?', ',']) {
        return Err(ConfigError::option("host", "an IPv6 address is followed by something else than a port"));
    }
    Ok((address, behind))
}

fn query_option(option: &str, is_doubtful: bool) -> Result<Pair, ConfigError> {
    let wrong = |problem| Err(ConfigError::dsn(problem));
    let Some((name, value)) = option.split_once('=') else {
        return wrong("an option behind the ? has no =");
    };
    if value.contains('=') {
        return wrong("an option behind the ? has a second =; in a value it is written %3D");
    }
    let name = decode("name of an option", name)?;
    let value = decode(if option::exists(&name) { &name } else { "value of an option" }, value)?;
    // The JDBC driver writes it like this.
    if name == "ssl" && value == "true" {
        return Ok(Pair::new("sslmode", "require".to_owned()));
    }
    Ok(Pair { name, value, is_doubtful })
}

/// Adds an option unless it is empty, since an empty one would hide what the environment says.
fn add(pairs: &mut Pairs, name: &str, encoded: &str) -> Result<(), ConfigError> {
    if !encoded.is_empty() {
        pairs.push(Pair::new(name, decode(name, encoded)?));
    }
    Ok(())
}

/// Undoes percent-encoding.
fn decode(option: &str, encoded: &str) -> Result<String, ConfigError> {
    let mut bytes = Vec::with_capacity(encoded.len());
    let mut rest = encoded.as_bytes();
    while let Some((&byte, behind)) = rest.split_first() {
        rest = behind;
        if byte != b'%' {
            bytes.push(byte);
            continue;
        }
        let digit = |at: usize| behind.get(at).and_then(|&d| char::from(d).to_digit(16));
        let code = digit(0).zip(digit(1)).and_then(|(high, low)| u8::try_from(high << 4 | low).ok());
        match code {
            Some(0) => return Err(ConfigError::option(option, "%00 is in it, and text has no zero bytes")),
            Some(code) => bytes.push(code),
            None => return Err(ConfigError::option(option, "a % is not followed by two hexadecimal digits")),
        }
        rest = &behind[2..];
    }
    String::from_utf8(bytes).map_err(|_| ConfigError::option(option, "it is not UTF-8"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_name_the_option_and_show_nothing_of_a_password() {
        for (uri, option) in [
            ("dolly:sesame%zz@farm/db", Some("password")),
            ("dolly:sesame%00@farm/db", Some("password")),
            ("dolly:sesame%ff@farm/db", Some("password")),
            ("dolly:sesame@[::1/db", Some("host")),
            ("dolly:sesame@[]/db", Some("host")),
            ("dolly:sesame@[::1]x/db", Some("host")),
            ("farm/db?password=sesame%2", Some("password")),
            ("farm/db?sesame", None),
            ("farm/db?password=sesame=x", None),
        ] {
            let Err(refused) = parse(uri) else { panic!("{uri}") };
            assert_eq!(refused.option_name(), option, "{uri}");
            assert!(!refused.to_string().contains("sesame"), "{refused}");
        }
    }
}
