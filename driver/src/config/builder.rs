//! What was said about a connection.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use super::{ChannelBindingMode, ConfigError, SslMode, dsn, option};
use crate::net::{SslNegotiation, TlsVersion};

/// How to reach a server, and as whom.
///
/// It is read from a connection string or built by hand. What is left out is filled in when a connection is made:
/// from the environment (`PGHOST`, `PGHOSTADDR`, `PGPORT`, `PGUSER`, `PGPASSWORD`, `PGDATABASE`, `PGAPPNAME`, `PGOPTIONS`,
/// `PGCONNECT_TIMEOUT`, `PGSSLMODE`, `PGSSLROOTCERT`, `PGSSLCERT`, `PGSSLKEY`, `PGSSLCRL`, `PGSSLSNI`, `PGSSLNEGOTIATION`,
/// `PGSSLMINPROTOCOLVERSION`, `PGSSLMAXPROTOCOLVERSION`, `PGCHANNELBINDING`), else by a default: the server's socket on this
/// machine, port 5432, the account that the process runs under, and a database of the user's name.
///
/// ```
/// use std::time::Duration;
/// use wreath_driver::Config;
///
/// let by_uri: Config = "postgres://dolly:sesame@farm.example:5433/wool?application_name=shears".parse()?;
/// let by_pairs: Config = "host=farm.example port=5433 user=dolly password=sesame dbname=wool".parse()?;
/// let by_hand = Config::new()
///     .host("farm.example")
///     .port(5433)
///     .user("dolly")
///     .password("sesame")
///     .dbname("wool")
///     .connect_timeout(Duration::from_secs(5));
/// # let _ = (by_uri, by_pairs, by_hand);
/// # Ok::<(), wreath_driver::ConfigError>(())
/// ```
///
/// A host that starts with `/` is the folder of a unix socket, one that starts with `@` is an abstract one. Several hosts, and
/// their ports, are separated by commas, and tried in order.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Config {
    /// Names, one a server.
    pub(super) hosts: Option<Vec<String>>,
    /// Numbers, one a server; empty to ask for the name's.
    pub(super) hostaddrs: Option<Vec<String>>,
    /// Ports: one for all, or one a server; `None` is the default.
    pub(super) ports: Option<Vec<Option<u16>>>,
    pub(super) user: Option<String>,
    pub(super) password: Option<String>,
    pub(super) dbname: Option<String>,
    pub(super) application_name: Option<String>,
    pub(super) options: Option<String>,
    /// `Some(None)` waits for ever, whatever the environment says.
    pub(super) connect_timeout: Option<Option<Duration>>,
    pub(super) ssl_mode: Option<SslMode>,
    pub(super) ssl_root_cert: Option<PathBuf>,
    pub(super) ssl_cert: Option<PathBuf>,
    pub(super) ssl_key: Option<PathBuf>,
    pub(super) ssl_crl: Option<PathBuf>,
    pub(super) ssl_sni: Option<bool>,
    pub(super) ssl_min_protocol_version: Option<TlsVersion>,
    pub(super) ssl_max_protocol_version: Option<TlsVersion>,
    pub(super) ssl_negotiation: Option<SslNegotiation>,
    pub(super) channel_binding: Option<ChannelBindingMode>,
    pub(super) statement_cache_size: Option<usize>,
    pub(super) statement_cache_bytes: Option<usize>,
    pub(super) max_message: Option<usize>,
    pub(super) cancel_on_drop: Option<bool>,
}

macro_rules! texts {
    ($($(#[$doc:meta])* $name:ident;)*) => {$(
        $(#[$doc])*
        #[must_use]
        pub fn $name(mut self, $name: impl Into<String>) -> Self {
            self.$name = Some($name.into());
            self
        }
    )*};
}

macro_rules! paths {
    ($($(#[$doc:meta])* $name:ident;)*) => {$(
        $(#[$doc])*
        #[must_use]
        pub fn $name(mut self, $name: impl Into<PathBuf>) -> Self {
            self.$name = Some($name.into());
            self
        }
    )*};
}

macro_rules! sizes {
    ($($(#[$doc:meta])* $name:ident;)*) => {$(
        $(#[$doc])*
        #[must_use]
        pub fn $name(mut self, $name: usize) -> Self {
            self.$name = Some($name);
            self
        }
    )*};
}

impl Config {
    /// Nothing said yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// The server's host: a name, a number, or the folder of its unix socket. Replaces what was said of hosts.
    #[must_use]
    pub fn host(mut self, host: impl Into<String>) -> Self {
        self.hosts = Some(vec![host.into()]);
        self
    }

    /// Several hosts with a port each, tried in order. Replaces what was said of hosts and ports.
    #[must_use]
    pub fn hosts<H: Into<String>>(mut self, hosts: impl IntoIterator<Item = (H, u16)>) -> Self {
        let (hosts, ports) = hosts.into_iter().map(|(host, port)| (host.into(), Some(port))).unzip();
        (self.hosts, self.ports) = (Some(hosts), Some(ports));
        self
    }

    /// The port, the same for every host. It is a part of a unix socket's name, too.
    #[must_use]
    pub fn port(mut self, port: u16) -> Self {
        self.ports = Some(vec![Some(port)]);
        self
    }

    /// How long a host may take from the look-up of its name until the session is ready; zero waits for ever, which is
    /// also the default.
    #[must_use]
    pub fn connect_timeout(mut self, timeout: Duration) -> Self {
        self.connect_timeout = Some(Some(timeout).filter(|t| !t.is_zero()));
        self
    }

    /// How much encryption is wanted. A unix socket has none, and needs none.
    ///
    /// ```
    /// use wreath_driver::{Config, SslMode};
    ///
    /// let config = Config::new().host("farm.example").ssl_mode(SslMode::VerifyFull).ssl_root_cert("system");
    /// # let _ = config;
    /// ```
    #[must_use]
    pub fn ssl_mode(mut self, mode: SslMode) -> Self {
        self.ssl_mode = Some(mode);
        self
    }

    /// Whether the host's name is told to the server, unencrypted, when TLS begins. The default is that it is.
    #[must_use]
    pub fn ssl_sni(mut self, sni: bool) -> Self {
        self.ssl_sni = Some(sni);
        self
    }

    /// The oldest version of TLS that is taken. The default is 1.2.
    #[must_use]
    pub fn ssl_min_protocol_version(mut self, version: TlsVersion) -> Self {
        self.ssl_min_protocol_version = Some(version);
        self
    }

    /// The newest version of TLS that is taken. The default is the newest there is.
    #[must_use]
    pub fn ssl_max_protocol_version(mut self, version: TlsVersion) -> Self {
        self.ssl_max_protocol_version = Some(version);
        self
    }

    /// How the server is told that TLS is wanted.
    #[must_use]
    pub fn ssl_negotiation(mut self, negotiation: SslNegotiation) -> Self {
        self.ssl_negotiation = Some(negotiation);
        self
    }

    /// Whether a login has to prove that both ends see the same encryption.
    #[must_use]
    pub fn channel_binding(mut self, mode: ChannelBindingMode) -> Self {
        self.channel_binding = Some(mode);
        self
    }

    /// Whether the server is asked to stop a statement when its future is dropped, or its time is up, while it is the only
    /// one in flight. The default is that it is; the connection takes no other statement before the request can hit no
    /// other.
    #[must_use]
    pub fn cancel_on_drop(mut self, cancel: bool) -> Self {
        self.cancel_on_drop = Some(cancel);
        self
    }

    texts! {
        /// The role to log in as.
        user;
        /// Its password.
        password;
        /// The database.
        dbname;
        /// The session's `application_name`, which the server shows in its list of sessions and its log.
        application_name;
        /// Command-line options for the session, such as `-c statement_timeout=5s`.
        options;
    }

    paths! {
        /// A PEM file of the authorities that may have signed the server's certificate; `system` stands for those that the
        /// system trusts, and demands [`SslMode::VerifyFull`]. The default is `~/.postgresql/root.crt`. If the file exists,
        /// the certificate is verified in every mode that encrypts.
        ssl_root_cert;
        /// A PEM file with the client's certificate, and those between it and its authority. The default is
        /// `~/.postgresql/postgresql.crt`, if that exists.
        ssl_cert;
        /// A PEM file with the key of that certificate (PKCS#8, PKCS#1 or SEC1, not encrypted), which nobody else may read.
        /// The default is `~/.postgresql/postgresql.key`.
        ssl_key;
        /// A PEM file of lists of revoked certificates, one for each authority up to the server's certificate. The default is
        /// `~/.postgresql/root.crl`, if that exists. Without authorities it is not read.
        ssl_crl;
    }

    sizes! {
        /// How many prepared statements a connection keeps; 0 prepares none by name, as some poolers need. The default
        /// is 100.
        statement_cache_size;
        /// How many bytes of their text it keeps at the most. The default is 4 MiB.
        statement_cache_bytes;
        /// The longest message that is taken from the server, in bytes. The default is 1 GiB, which no row of
        /// PostgreSQL exceeds by much.
        max_message;
    }
}

impl FromStr for Config {
    type Err = ConfigError;

    /// Reads a connection string: a URI (`postgres://...`, `postgresql://...`), or `name = value` pairs.
    ///
    /// # Errors
    /// When it is malformed, an option is unknown, or a value is none that the option can have.
    fn from_str(dsn: &str) -> Result<Self, ConfigError> {
        let mut config = Self::new();
        for (name, value) in dsn::parse(dsn)? {
            option::set(&mut config, &name, &value)?;
        }
        Ok(config)
    }
}

/// What was said; of the password, only whether there is one.
impl fmt::Debug for Config {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Config")
            .field("hosts", &self.hosts)
            .field("hostaddrs", &self.hostaddrs)
            .field("ports", &self.ports)
            .field("user", &self.user)
            .field("password", &self.password.as_ref().map(|_| "***"))
            .field("dbname", &self.dbname)
            .field("application_name", &self.application_name)
            .field("options", &self.options)
            .field("connect_timeout", &self.connect_timeout)
            .field("ssl_mode", &self.ssl_mode)
            .field("ssl_root_cert", &self.ssl_root_cert)
            .field("ssl_cert", &self.ssl_cert)
            .field("ssl_key", &self.ssl_key)
            .field("ssl_crl", &self.ssl_crl)
            .field("ssl_sni", &self.ssl_sni)
            .field("ssl_min_protocol_version", &self.ssl_min_protocol_version)
            .field("ssl_max_protocol_version", &self.ssl_max_protocol_version)
            .field("ssl_negotiation", &self.ssl_negotiation)
            .field("channel_binding", &self.channel_binding)
            .field("statement_cache_size", &self.statement_cache_size)
            .field("statement_cache_bytes", &self.statement_cache_bytes)
            .field("max_message", &self.max_message)
            .field("cancel_on_drop", &self.cancel_on_drop)
            .finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_forms_and_the_builder_say_the_same() {
        let by_hand = Config::new()
            .host("farm.example")
            .port(5433)
            .user("dolly")
            .password("a b'c")
            .dbname("wool")
            .application_name("shears")
            .options("-c x=1")
            .connect_timeout(Duration::from_secs(5))
            .ssl_mode(SslMode::Allow)
            .ssl_root_cert("ca.crt")
            .ssl_cert("me.crt")
            .ssl_key("me.key")
            .ssl_crl("gone.crl")
            .ssl_sni(false)
            .ssl_min_protocol_version(TlsVersion::V1_2)
            .ssl_max_protocol_version(TlsVersion::V1_3)
            .ssl_negotiation(SslNegotiation::Direct)
            .channel_binding(ChannelBindingMode::Require)
            .statement_cache_size(7)
            .statement_cache_bytes(8)
            .max_message(9)
            .cancel_on_drop(false);
        let by_uri = "postgres://dolly:a%20b'c@farm.example:5433/wool?application_name=shears&options=-c%20x%3D1\
                      &connect_timeout=5&sslmode=allow&sslrootcert=ca.crt&sslcert=me.crt&sslkey=me.key&sslcrl=gone.crl&sslsni=0\
                      &ssl_min_protocol_version=TLSv1.2&ssl_max_protocol_version=tlsv1.3&sslnegotiation=direct\
                      &channel_binding=require&statement_cache_size=7&statement_cache_bytes=8&max_message=9&cancel_on_drop=off\
                      &client_encoding=UTF8";
        let by_pairs = r"host=farm.example port=5433 user = dolly password='a b\'c' dbname=wool client_encoding=utf-8
            application_name=shears options='-c x=1' connect_timeout=5 sslmode=allow sslrootcert=ca.crt
            sslcert=me.crt sslkey=me.key sslcrl=gone.crl sslsni=0 ssl_min_protocol_version=TLSv1.1
            ssl_max_protocol_version=TLSv1.3 sslnegotiation=direct channel_binding=require statement_cache_size=7
            statement_cache_bytes=8 max_message=9 cancel_on_drop=false";
        assert_eq!(by_uri.parse::<Config>().as_ref(), Ok(&by_hand));
        assert_eq!(by_pairs.parse::<Config>().as_ref(), Ok(&by_hand));
    }

    #[test]
    fn the_last_one_said_counts() {
        let config: Config = "postgres://a@b/c?user=d&dbname=e&host=f".parse().expect("well-formed");
        assert_eq!(config, Config::new().host("f").user("d").dbname("e"));
    }

    #[test]
    fn several_hosts() {
        let config: Config = "postgres://a:1,b:2/".parse().expect("well-formed");
        assert_eq!(config, Config::new().hosts([("a", 1), ("b", 2)]));
    }

    #[test]
    fn errors_name_the_option() {
        for (dsn, option, problem) in [
            ("hots=a", "hots", "unknown"),
            ("postgres://a/b?hots=a", "hots", "unknown"),
            ("port=0", "port", "1 to 65535"),
            ("port=65536", "port", "1 to 65535"),
            ("port=5432,x", "port", "1 to 65535"),
            ("hostaddr=farm", "hostaddr", "IP address"),
            ("sslmode=maybe", "sslmode", "verify-full"),
            ("sslmode=", "sslmode", "verify-full"),
            ("client_encoding=LATIN1", "client_encoding", "UTF8"),
            ("connect_timeout=soon", "connect_timeout", "seconds"),
            ("connect_timeout=", "connect_timeout", "seconds"),
            ("statement_cache_size=-1", "statement_cache_size", "number"),
            ("max_message=99999999999999999999999", "max_message", "number"),
            ("cancel_on_drop=maybe", "cancel_on_drop", "on or off"),
            ("sslpassword=x", "sslpassword", "not supported"),
            ("sslcertmode=require", "sslcertmode", "not supported"),
            ("channel_binding=maybe", "channel_binding", "disable, prefer"),
            ("sslnegotiation=maybe", "sslnegotiation", "postgres and direct"),
            ("sslsni=maybe", "sslsni", "on or off"),
            ("ssl_min_protocol_version=SSLv3", "ssl_min_protocol_version", "TLSv1.3"),
            ("ssl_max_protocol_version=TLSv1.1", "ssl_max_protocol_version", "TLSv1.2"),
            ("require_auth=scram-sha-256", "require_auth", "not supported"),
            ("target_session_attrs=read-write", "target_session_attrs", "not supported"),
            ("service=x", "service", "not supported"),
        ] {
            let refused = dsn.parse::<Config>().expect_err(dsn);
            assert_eq!(refused.option_name(), Some(option), "{dsn}");
            assert!(refused.to_string().contains(problem), "{dsn}: {refused}");
        }
    }

    #[test]
    fn options_of_libpq_that_change_nothing_are_taken() {
        for dsn in [
            "",
            "sslcertmode=allow gssencmode=disable target_session_attrs=any",
            "postgres://?sslcompression=0&load_balance_hosts=disable&require_auth=",
        ] {
            assert_eq!(dsn.parse(), Ok(Config::new()), "{dsn}");
        }
    }

    #[test]
    fn a_password_is_shown_nowhere() {
        let config = Config::new().password("sesame");
        assert!(!format!("{config:?}").contains("sesame"));
        for dsn in [
            // Slashes and at signs that should have been percent-encoded.
            "postgres://dolly:ses/ame@farm/db",
            "postgres://dolly:x@ses,ame@farm/db",
            "postgres://dolly:x@sesame@farm/db",
            "password=sesame port=x",
            "password=sesame hots=x",
        ] {
            let refused = dsn.parse::<Config>().expect_err(dsn).to_string();
            assert!(!refused.contains("ses"), "{refused}");
        }
    }
}
