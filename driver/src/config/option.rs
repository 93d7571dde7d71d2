//! The options of a connection string, one row each.

use std::net::IpAddr;
use std::path::PathBuf;
use std::time::Duration;

use super::{ChannelBindingMode, Config, ConfigError, SslMode};
use crate::net::{SslNegotiation, TlsVersion};

/// An option that is understood.
pub(super) struct Known {
    /// Its name in a connection string.
    pub(super) name: &'static str,
    /// The variable of the environment that stands in for it.
    pub(super) variable: Option<&'static str>,
    /// Whether it was said.
    pub(super) is_said: fn(&Config) -> bool,
    /// Takes a value, or says what is wrong with it. Values are never shown: they may be parts of a password that
    /// was not quoted.
    set: fn(&mut Config, &str) -> Result<(), &'static str>,
}

/// An option of libpq that is not understood.
pub(super) struct Foreign {
    pub(super) name: &'static str,
    /// The variable of the environment that stands in for it, where passing over it would be unsafe.
    pub(super) variable: Option<&'static str>,
    /// Values that ask for nothing but what happens anyway.
    harmless: &'static [&'static str],
}

macro_rules! known {
    ($($name:literal, $variable:expr, $field:ident, $read:expr;)*) => {
        &[$(Known {
            name: $name,
            variable: $variable,
            is_said: |config| config.$field.is_some(),
            set: |config, value| {
                config.$field = Some($read(value)?);
                Ok(())
            },
        },)*
        // It is not kept, because it can be nothing else; so its variable is not asked for either.
        Known {
            name: "client_encoding",
            variable: None,
            is_said: |_| true,
            set: |_, value| encoding(value),
        }]
    };
}

pub(super) const KNOWN: &[Known] = known! {
    "host", Some("PGHOST"), hosts, hosts;
    "hostaddr", Some("PGHOSTADDR"), hostaddrs, hostaddrs;
    "port", Some("PGPORT"), ports, ports;
    "user", Some("PGUSER"), user, text;
    "password", Some("PGPASSWORD"), password, text;
    "dbname", Some("PGDATABASE"), dbname, text;
    "application_name", Some("PGAPPNAME"), application_name, text;
    "options", Some("PGOPTIONS"), options, text;
    "connect_timeout", Some("PGCONNECT_TIMEOUT"), connect_timeout, seconds;
    "sslmode", Some("PGSSLMODE"), ssl_mode, ssl_mode;
    "sslrootcert", Some("PGSSLROOTCERT"), ssl_root_cert, path;
    "sslcert", Some("PGSSLCERT"), ssl_cert, path;
    "sslkey", Some("PGSSLKEY"), ssl_key, path;
    "sslcrl", Some("PGSSLCRL"), ssl_crl, path;
    "sslsni", Some("PGSSLSNI"), ssl_sni, switch;
    "ssl_min_protocol_version", Some("PGSSLMINPROTOCOLVERSION"), ssl_min_protocol_version, min_version;
    "ssl_max_protocol_version", Some("PGSSLMAXPROTOCOLVERSION"), ssl_max_protocol_version, max_version;
    "sslnegotiation", Some("PGSSLNEGOTIATION"), ssl_negotiation, negotiation;
    "channel_binding", Some("PGCHANNELBINDING"), channel_binding, channel_binding;
    "statement_cache_size", None, statement_cache_size, number;
    "statement_cache_bytes", None, statement_cache_bytes, number;
    "max_message", None, max_message, number;
    "cancel_on_drop", None, cancel_on_drop, switch;
};

const fn foreign(name: &'static str) -> Foreign {
    Foreign { name, variable: None, harmless: &[] }
}

pub(super) const FOREIGN: &[Foreign] = &[
    Foreign { name: "gssencmode", variable: Some("PGGSSENCMODE"), harmless: &["disable", "prefer"] },
    Foreign { name: "load_balance_hosts", variable: None, harmless: &["disable"] },
    Foreign { name: "require_auth", variable: Some("PGREQUIREAUTH"), harmless: &[] },
    Foreign { name: "requirepeer", variable: Some("PGREQUIREPEER"), harmless: &[] },
    Foreign { name: "service", variable: Some("PGSERVICE"), harmless: &[] },
    Foreign { name: "sslcertmode", variable: Some("PGSSLCERTMODE"), harmless: &["allow"] },
    Foreign { name: "sslcompression", variable: None, harmless: &["0"] },
    Foreign { name: "sslcrldir", variable: Some("PGSSLCRLDIR"), harmless: &[] },
    Foreign { name: "target_session_attrs", variable: Some("PGTARGETSESSIONATTRS"), harmless: &["any"] },
    foreign("fallback_application_name"),
    foreign("gssdelegation"),
    foreign("gsslib"),
    foreign("keepalives"),
    foreign("keepalives_count"),
    foreign("keepalives_idle"),
    foreign("keepalives_interval"),
    foreign("krbsrvname"),
    foreign("max_protocol_version"),
    foreign("min_protocol_version"),
    foreign("passfile"),
    foreign("replication"),
    foreign("sslpassword"),
    foreign("tcp_user_timeout"),
];

impl Known {
    /// Takes the value; `place` is what an error names, the option or a variable.
    pub(super) fn set(&self, config: &mut Config, place: &str, value: &str) -> Result<(), ConfigError> {
        (self.set)(config, value).map_err(|problem| ConfigError::option(place, problem))
    }
}

impl Foreign {
    /// Refuses the value, unless it asks for nothing but what happens anyway.
    pub(super) fn refuse(&self, place: &str, value: &str) -> Result<(), ConfigError> {
        if value.is_empty() || self.harmless.contains(&value) {
            return Ok(());
        }
        Err(ConfigError::option(place, "this option of libpq, or this value of it, is not supported yet"))
    }
}

/// Sets the option of that name.
pub(super) fn set(config: &mut Config, name: &str, value: &str) -> Result<(), ConfigError> {
    if let Some(known) = KNOWN.iter().find(|known| known.name == name) {
        return known.set(config, name, value);
    }
    match FOREIGN.iter().find(|foreign| foreign.name == name) {
        Some(foreign) => foreign.refuse(name, value),
        None if is_like_a_name(name) => Err(ConfigError::option(name, "unknown option")),
        // As when a URI has a slip in its scheme: its password is part of the first name.
        None => Err(ConfigError::dsn("an option has a name that none can have")),
    }
}

fn is_like_a_name(name: &str) -> bool {
    name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-')
}

#[cfg(test)]
pub(super) fn is_known(name: &str) -> bool {
    KNOWN.iter().any(|known| known.name == name)
}

type Read<T> = Result<T, &'static str>;

#[expect(clippy::unnecessary_wraps, reason = "a row of the table takes readers that can fail")]
fn text(value: &str) -> Read<String> {
    Ok(value.to_owned())
}

fn hosts(value: &str) -> Read<Vec<String>> {
    let read = |host: &str| match host.find('@') {
        None | Some(0) => Ok(host.to_owned()),
        Some(_) => Err("a host has an @ in it; in a user or a password it is written %40"),
    };
    value.split(',').map(read).collect()
}

fn hostaddrs(value: &str) -> Read<Vec<String>> {
    let read = |address: &str| {
        // An IPv6 address may have a zone behind it, which the resolver understands.
        let number = address.split_once('%').map_or(address, |(number, _)| number);
        if address.is_empty() || number.parse::<IpAddr>().is_ok() {
            return Ok(address.to_owned());
        }
        Err("it is no IP address")
    };
    value.split(',').map(read).collect()
}

fn ports(value: &str) -> Read<Vec<Option<u16>>> {
    let read = |port: &str| match port.trim_ascii() {
        "" => Ok(None),
        port => match port.parse() {
            Ok(port) if port > 0 => Ok(Some(port)),
            _ => Err("a port is a number from 1 to 65535 (in a password, : is written %3A, / %2F and @ %40)"),
        },
    };
    value.split(',').map(read).collect()
}

fn seconds(value: &str) -> Read<Option<Duration>> {
    let seconds: i32 = value.trim_ascii().parse().map_err(|_| "it is a whole number of seconds")?;
    // As in libpq, zero and less wait for ever.
    Ok(u64::try_from(seconds).ok().filter(|&n| n > 0).map(Duration::from_secs))
}

fn ssl_mode(value: &str) -> Read<SslMode> {
    SslMode::from_name(value).ok_or("it is one of disable, allow, prefer, require, verify-ca and verify-full")
}

#[expect(clippy::unnecessary_wraps, reason = "a row of the table takes readers that can fail")]
fn path(value: &str) -> Read<PathBuf> {
    Ok(value.into())
}

/// No version before 1.2 is spoken, so that 1.2 is the lowest in any case.
fn min_version(value: &str) -> Read<TlsVersion> {
    match value.to_ascii_lowercase().as_str() {
        "" | "tlsv1" | "tlsv1.1" | "tlsv1.2" => Ok(TlsVersion::V1_2),
        "tlsv1.3" => Ok(TlsVersion::V1_3),
        _ => Err("it is one of TLSv1, TLSv1.1, TLSv1.2 and TLSv1.3"),
    }
}

fn max_version(value: &str) -> Read<TlsVersion> {
    match value.to_ascii_lowercase().as_str() {
        "tlsv1.2" => Ok(TlsVersion::V1_2),
        "" | "tlsv1.3" => Ok(TlsVersion::V1_3),
        _ => Err("it is TLSv1.2 or TLSv1.3: older versions are not spoken"),
    }
}

fn negotiation(value: &str) -> Read<SslNegotiation> {
    [SslNegotiation::Postgres, SslNegotiation::Direct]
        .into_iter()
        .find(|negotiation| negotiation.name() == value)
        .ok_or("it is one of postgres and direct")
}

fn channel_binding(value: &str) -> Read<ChannelBindingMode> {
    ChannelBindingMode::from_name(value).ok_or("it is one of disable, prefer and require")
}

fn number(value: &str) -> Read<usize> {
    value.trim_ascii().parse().map_err(|_| "it is a number, 0 or more")
}

fn switch(value: &str) -> Read<bool> {
    match value.trim_ascii() {
        "on" | "true" | "1" => Ok(true),
        "off" | "false" | "0" => Ok(false),
        _ => Err("it is on or off"),
    }
}

/// The server takes all these for UTF-8.
fn encoding(value: &str) -> Read<()> {
    let letters: String = value.chars().filter(char::is_ascii_alphanumeric).collect();
    if ["utf8", "unicode"].iter().any(|name| letters.eq_ignore_ascii_case(name)) {
        return Ok(());
    }
    Err("text is UTF-8 here, so it can only be UTF8")
}
