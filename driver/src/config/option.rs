//! The options of a connection string, one row each.

use super::settings::Surroundings;
use super::value;
use super::{Config, ConfigError};

/// An option that is understood.
pub(super) struct Known {
    /// Its name in a connection string.
    pub(super) name: &'static str,
    /// The variable of the environment that stands in for it.
    variable: Option<&'static str>,
    /// Whether it was said.
    is_said: fn(&Config) -> bool,
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
    ($($name:literal, $variable:expr, $field:ident, $read:ident;)*) => {
        &[$(Known {
            name: $name,
            variable: $variable,
            is_said: |config| config.$field.is_some(),
            set: |config, value| {
                config.$field = Some(value::$read(value)?);
                Ok(())
            },
        },)*]
    };
}

pub(super) const KNOWN: &[Known] = known! {
    "host", Some("PGHOST"), hosts, hosts;
    "hostaddr", Some("PGHOSTADDR"), hostaddrs, hostaddrs;
    "port", Some("PGPORT"), ports, ports;
    "user", Some("PGUSER"), user, text;
    "password", Some("PGPASSWORD"), password, text;
    "passfile", Some("PGPASSFILE"), passfile, path;
    "service", Some("PGSERVICE"), service, text;
    "servicefile", Some("PGSERVICEFILE"), service_file, path;
    "dbname", Some("PGDATABASE"), dbname, text;
    "application_name", Some("PGAPPNAME"), application_name, text;
    "fallback_application_name", None, fallback_application_name, text;
    "options", Some("PGOPTIONS"), options, text;
    "target_session_attrs", Some("PGTARGETSESSIONATTRS"), target_session_attrs, target_session_attrs;
    "load_balance_hosts", Some("PGLOADBALANCEHOSTS"), load_balance_hosts, load_balance_hosts;
    "keepalives", None, keepalives, number_switch;
    "keepalives_idle", None, keepalives_idle, seconds;
    "keepalives_interval", None, keepalives_interval, seconds;
    "keepalives_count", None, keepalives_count, count;
    "tcp_user_timeout", None, tcp_user_timeout, milliseconds;
    "requirepeer", Some("PGREQUIREPEER"), require_peer, text;
    "require_auth", Some("PGREQUIREAUTH"), require_auth, methods;
    "oauth_issuer", None, oauth_issuer, text;
    "oauth_client_id", None, oauth_client_id, text;
    "oauth_client_secret", None, oauth_client_secret, text;
    "oauth_scope", None, oauth_scope, text;
    "min_protocol_version", Some("PGMINPROTOCOLVERSION"), min_protocol_version, protocol;
    "max_protocol_version", Some("PGMAXPROTOCOLVERSION"), max_protocol_version, protocol;
    "connect_timeout", Some("PGCONNECT_TIMEOUT"), connect_timeout, seconds;
    "sslmode", Some("PGSSLMODE"), ssl_mode, ssl_mode;
    "sslrootcert", Some("PGSSLROOTCERT"), ssl_root_cert, path;
    "sslcert", Some("PGSSLCERT"), ssl_cert, path;
    "sslkey", Some("PGSSLKEY"), ssl_key, path;
    // Keys that need one are refused, with or without.
    "sslpassword", None, ssl_password, nothing;
    "sslcrl", Some("PGSSLCRL"), ssl_crl, path;
    "sslcertmode", Some("PGSSLCERTMODE"), ssl_cert_mode, ssl_cert_mode;
    "sslsni", Some("PGSSLSNI"), ssl_sni, switch;
    "ssl_min_protocol_version", Some("PGSSLMINPROTOCOLVERSION"), ssl_min_protocol_version, min_version;
    "ssl_max_protocol_version", Some("PGSSLMAXPROTOCOLVERSION"), ssl_max_protocol_version, max_version;
    "sslnegotiation", Some("PGSSLNEGOTIATION"), ssl_negotiation, negotiation;
    "channel_binding", Some("PGCHANNELBINDING"), channel_binding, channel_binding;
    // It can be nothing but UTF8, and so its variable is not asked for.
    "client_encoding", None, client_encoding, encoding;
    "statement_cache_size", None, statement_cache_size, number;
    "statement_cache_bytes", None, statement_cache_bytes, number;
    "max_message", None, max_message, number;
    "operation_timeout", None, operation_timeout, milliseconds;
    "max_result_bytes", None, max_result_bytes, number;
    "cancel_on_drop", None, cancel_on_drop, switch;
    "coalesce_reads", None, coalesce_reads, switch;
};

/// Any value is harmless.
const ANY: &[&str] = &["*"];

const fn foreign(name: &'static str) -> Foreign {
    Foreign { name, variable: None, harmless: &[] }
}

pub(super) const FOREIGN: &[Foreign] = &[
    Foreign { name: "gssencmode", variable: Some("PGGSSENCMODE"), harmless: &["disable", "prefer"] },
    Foreign { name: "sslcompression", variable: None, harmless: &["0"] },
    Foreign { name: "sslcrldir", variable: Some("PGSSLCRLDIR"), harmless: &[] },
    // They say how GSSAPI is spoken, which it is not: a server that asks for it is refused.
    Foreign { name: "gssdelegation", variable: None, harmless: ANY },
    Foreign { name: "gsslib", variable: None, harmless: ANY },
    Foreign { name: "krbsrvname", variable: None, harmless: ANY },
    foreign("replication"),
    foreign("scram_client_key"),
    foreign("scram_server_key"),
    foreign("sslkeylogfile"),
];

impl Config {
    /// Takes what the environment says of an option, unless it has been said.
    pub(super) fn take_variable(&mut self, name: &str, around: &Surroundings<'_>) -> Result<(), ConfigError> {
        if let Some(known) = known(name)
            && let Some(variable) = known.variable
            && !(known.is_said)(self)
            && let Some(value) = around.text(variable)?
        {
            known.set(self, variable, &value)?;
        }
        Ok(())
    }
}

impl Known {
    /// Takes the value; `place` is what an error names, the option or a variable.
    fn set(&self, config: &mut Config, place: &str, value: &str) -> Result<(), ConfigError> {
        (self.set)(config, value).map_err(|problem| ConfigError::option(place, problem))
    }
}

impl Foreign {
    /// Refuses the value, unless it asks for nothing but what happens anyway.
    pub(super) fn refuse(&self, place: &str, value: &str) -> Result<(), ConfigError> {
        if value.is_empty() || self.harmless == ANY || self.harmless.contains(&value) {
            return Ok(());
        }
        Err(ConfigError::option(place, "this option of libpq, or this value of it, is not supported yet"))
    }
}

/// Options whose values are secrets.
const SECRETS: [&str; 3] = ["password", "sslpassword", "oauth_client_secret"];

/// Sets the option of that name.
pub(super) fn set(config: &mut Config, name: &str, value: &str) -> Result<(), ConfigError> {
    if let Some(known) = known(name) {
        return known.set(config, name, value);
    }
    match foreign_one(name) {
        Some(foreign) => foreign.refuse(name, value),
        None if is_like_a_name(name) => Err(ConfigError::option(name, "unknown option")),
        // As when a URI has a slip in its scheme: its password is part of the first name.
        None => Err(ConfigError::dsn("an option has a name that none can have")),
    }
}

/// Sets the option of that name, unless it has been set.
pub(super) fn fill(config: &mut Config, name: &str, value: &str) -> Result<(), ConfigError> {
    match known(name) {
        Some(known) if (known.is_said)(config) => Ok(()),
        _ => set(config, name, value),
    }
}

/// Whether there is an option of that name, of ours or of libpq's.
pub(super) fn exists(name: &str) -> bool {
    known(name).is_some() || foreign_one(name).is_some()
}

/// Whether its value is a secret.
pub(super) fn is_secret(name: &str) -> bool {
    SECRETS.contains(&name)
}

fn known(name: &str) -> Option<&'static Known> {
    KNOWN.iter().find(|known| known.name == name)
}

fn foreign_one(name: &str) -> Option<&'static Foreign> {
    FOREIGN.iter().find(|foreign| foreign.name == name)
}

fn is_like_a_name(name: &str) -> bool {
    name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-')
}

#[cfg(test)]
pub(super) fn is_known(name: &str) -> bool {
    known(name).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_option_is_documented() {
        let text = include_str!("options.md");
        for known in KNOWN {
            let variable = known.variable.map_or_else(String::new, |variable| format!("`{variable}` "));
            let row = format!("\n| `{}` | {variable}| ", known.name);
            assert!(text.contains(&row), "{row}");
        }
        for foreign in FOREIGN {
            assert!(text.contains(&format!("`{}`", foreign.name)), "{}", foreign.name);
        }
        assert_eq!(text.lines().filter(|line| line.starts_with("| `")).count(), KNOWN.len());
    }
}
