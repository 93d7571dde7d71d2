//! What was said about a connection.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use super::callback::{PasswordSource, TokenSource};
use super::dsn::{self, Pair};
use super::{
    ChannelBindingMode, ConfigError, LoadBalanceHosts, ProtocolVersion, SslCertMode, SslMode,
    TargetSessionAttrs, option,
};
use crate::net::{SslNegotiation, TlsVersion};
use crate::observe::Watch;
use crate::proto::auth::AuthMethods;

/// How to reach a server, and as whom.
///
/// It is read from a connection string or built by hand. What is left out is filled in when a connection is made:
/// from the [service](Self::service) that was named, else from the environment, else by a default: the server's socket on this
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
/// their ports, are separated by commas, and tried in order; each address of each is, if its name has several.
///
/// # Options
///
#[doc = include_str!("options.md")]
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
    /// Where the password comes from, instead.
    pub(super) password_source: Option<PasswordSource>,
    /// Where tokens come from.
    pub(super) token_source: Option<TokenSource>,
    pub(super) oauth_issuer: Option<String>,
    pub(super) oauth_client_id: Option<String>,
    pub(super) oauth_client_secret: Option<String>,
    pub(super) oauth_scope: Option<String>,
    pub(super) require_auth: Option<AuthMethods>,
    pub(super) min_protocol_version: Option<ProtocolVersion>,
    pub(super) max_protocol_version: Option<ProtocolVersion>,
    pub(super) passfile: Option<PathBuf>,
    pub(super) service: Option<String>,
    pub(super) service_file: Option<PathBuf>,
    pub(super) dbname: Option<String>,
    pub(super) application_name: Option<String>,
    pub(super) options: Option<String>,
    pub(super) fallback_application_name: Option<String>,
    pub(super) target_session_attrs: Option<TargetSessionAttrs>,
    pub(super) load_balance_hosts: Option<LoadBalanceHosts>,
    pub(super) keepalives: Option<bool>,
    /// Of these, `Some(None)` is the system's default.
    pub(super) keepalives_idle: Option<Option<Duration>>,
    pub(super) keepalives_interval: Option<Option<Duration>>,
    pub(super) keepalives_count: Option<Option<u32>>,
    pub(super) tcp_user_timeout: Option<Option<Duration>>,
    pub(super) require_peer: Option<String>,
    /// `Some(None)` waits for ever, whatever the environment says.
    pub(super) connect_timeout: Option<Option<Duration>>,
    pub(super) ssl_mode: Option<SslMode>,
    pub(super) ssl_root_cert: Option<PathBuf>,
    pub(super) ssl_cert: Option<PathBuf>,
    pub(super) ssl_key: Option<PathBuf>,
    pub(super) ssl_password: Option<()>,
    pub(super) ssl_crl: Option<PathBuf>,
    pub(super) ssl_cert_mode: Option<SslCertMode>,
    pub(super) ssl_sni: Option<bool>,
    pub(super) ssl_min_protocol_version: Option<TlsVersion>,
    pub(super) ssl_max_protocol_version: Option<TlsVersion>,
    pub(super) ssl_negotiation: Option<SslNegotiation>,
    pub(super) channel_binding: Option<ChannelBindingMode>,
    /// Whether the session's encoding is asked for.
    pub(super) client_encoding: Option<bool>,
    pub(super) statement_cache_size: Option<usize>,
    pub(super) statement_cache_bytes: Option<usize>,
    pub(super) max_message: Option<usize>,
    pub(super) operation_timeout: Option<Option<Duration>>,
    pub(super) max_result_bytes: Option<usize>,
    pub(super) cancel_on_drop: Option<bool>,
    pub(super) coalesce_reads: Option<bool>,
    pub(crate) watch: Watch,
    pub(crate) replication: bool,
}

impl FromStr for Config {
    type Err = ConfigError;

    /// Reads a connection string: a URI (`postgres://...`, `postgresql://...`), or `name = value` pairs.
    ///
    /// # Errors
    /// When it is malformed, an option is unknown, or a value is none that the option can have.
    fn from_str(dsn: &str) -> Result<Self, ConfigError> {
        let mut config = Self::new();
        for Pair { name, value, is_doubtful } in dsn::parse(dsn)? {
            if is_doubtful && !option::exists(&name) {
                return Err(ConfigError::dsn(
                    "an option has an unknown name, which is not shown, for it may be a part of a password: one with spaces \
                     in it is quoted, and in a URI / ? @ & are written %2F %3F %40 %26",
                ));
            }
            option::set(&mut config, &name, &value)?;
        }
        Ok(config)
    }
}

/// What was said; of the password, only whether there is one.
impl fmt::Debug for Config {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("Config");
        macro_rules! show {
            ($($field:ident)*) => {
                $(if let Some(value) = &self.$field {
                    shown.field(stringify!($field), value);
                })*
            };
        }
        show! { hosts hostaddrs ports user }
        if self.password.is_some() || self.password_source.is_some() {
            shown.field("password", &"***");
        }
        if self.oauth_client_secret.is_some() {
            shown.field("oauth_client_secret", &"***");
        }
        show! {
            token_source oauth_issuer oauth_client_id oauth_scope require_auth min_protocol_version
            max_protocol_version ssl_cert_mode
            passfile service service_file dbname application_name fallback_application_name options
            target_session_attrs load_balance_hosts keepalives keepalives_idle keepalives_interval
            keepalives_count tcp_user_timeout require_peer connect_timeout
            ssl_mode ssl_root_cert ssl_cert ssl_key ssl_crl ssl_sni ssl_min_protocol_version
            ssl_max_protocol_version ssl_negotiation channel_binding client_encoding statement_cache_size
            statement_cache_bytes max_message operation_timeout max_result_bytes cancel_on_drop coalesce_reads
        }
        shown.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::AuthMethod;

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
            .operation_timeout(Duration::from_millis(2_500))
            .max_result_bytes(10)
            .cancel_on_drop(false)
            .coalesce_reads(true)
            .client_encoding(true)
            .passfile("my.pgpass")
            .service("wool")
            .service_file("my.conf")
            .fallback_application_name("tool")
            .target_session_attrs(TargetSessionAttrs::PreferStandby)
            .load_balance_hosts(LoadBalanceHosts::Random)
            .keepalives(false)
            .keepalives_idle(Duration::from_secs(70))
            .keepalives_interval(Duration::from_secs(7))
            .keepalives_count(3)
            .tcp_user_timeout(Duration::from_millis(1_500))
            .require_peer("postgres")
            .require_auth([AuthMethod::ScramSha256, AuthMethod::None])
            .min_protocol_version(ProtocolVersion::V3_0)
            .max_protocol_version(ProtocolVersion::V3_2)
            .oauth_issuer("https://issuer.example")
            .oauth_client_id("me")
            .oauth_client_secret("sesame")
            .oauth_scope("wool")
            .ssl_cert_mode(SslCertMode::Require);
        let by_uri = "postgres://dolly:a%20b'c@farm.example:5433/wool?application_name=shears&options=-c%20x%3D1\
                      &connect_timeout=5&sslmode=allow&sslrootcert=ca.crt&sslcert=me.crt&sslkey=me.key&sslcrl=gone.crl&sslsni=0\
                      &ssl_min_protocol_version=TLSv1.2&ssl_max_protocol_version=tlsv1.3&sslnegotiation=direct\
                      &channel_binding=require&statement_cache_size=7&statement_cache_bytes=8&max_message=9&cancel_on_drop=off\
                      &operation_timeout=2500&max_result_bytes=10&coalesce_reads=on\
                      &client_encoding=UTF8&passfile=my.pgpass&service=wool&servicefile=my.conf\
                      &fallback_application_name=tool&target_session_attrs=prefer-standby&load_balance_hosts=random\
                      &keepalives=0&keepalives_idle=70&keepalives_interval=7&keepalives_count=3&tcp_user_timeout=1500\
                      &requirepeer=postgres&require_auth=none,scram-sha-256&min_protocol_version=3.0\
                      &max_protocol_version=latest&oauth_issuer=https://issuer.example&oauth_client_id=me\
                      &oauth_client_secret=sesame&oauth_scope=wool&sslcertmode=require";
        let by_pairs = r"host=farm.example port=5433 user = dolly password='a b\'c' dbname=wool client_encoding=utf-8
            application_name=shears options='-c x=1' connect_timeout=5 sslmode=allow sslrootcert=ca.crt
            sslcert=me.crt sslkey=me.key sslcrl=gone.crl sslsni=0 ssl_min_protocol_version=TLSv1.1
            ssl_max_protocol_version=TLSv1.3 sslnegotiation=direct channel_binding=require statement_cache_size=7
            statement_cache_bytes=8 max_message=9 operation_timeout=2500 max_result_bytes=10 cancel_on_drop=false coalesce_reads=true
            passfile=my.pgpass service=wool
            servicefile=my.conf fallback_application_name=tool target_session_attrs=prefer-standby
            load_balance_hosts=random keepalives=0 keepalives_idle=70 keepalives_interval=7 keepalives_count=3
            tcp_user_timeout=1500 requirepeer=postgres require_auth='scram-sha-256,none' min_protocol_version=3.0
            max_protocol_version=3.2 oauth_issuer=https://issuer.example oauth_client_id=me
            oauth_client_secret=sesame oauth_scope=wool sslcertmode=require";
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
            ("sslcertmode=maybe", "sslcertmode", "disable, allow"),
            ("sslkeylogfile=x", "sslkeylogfile", "not supported"),
            ("gssencmode=require", "gssencmode", "not supported"),
            ("channel_binding=maybe", "channel_binding", "disable, prefer"),
            ("sslnegotiation=maybe", "sslnegotiation", "postgres and direct"),
            ("sslsni=maybe", "sslsni", "on or off"),
            ("ssl_min_protocol_version=SSLv3", "ssl_min_protocol_version", "TLSv1.3"),
            ("ssl_max_protocol_version=TLSv1.1", "ssl_max_protocol_version", "TLSv1.2"),
            ("require_auth=scram", "require_auth", "scram-sha-256"),
            ("require_auth=", "require_auth", "list of"),
            ("require_auth=md5,md5", "require_auth", "once"),
            ("require_auth=!md5,password", "require_auth", "before every one"),
            ("require_auth=md5,!password", "require_auth", "before every one"),
            ("require_auth=md5,", "require_auth", "list of"),
            ("max_protocol_version=3.1", "max_protocol_version", "3.0, 3.2"),
            ("target_session_attrs=writable", "target_session_attrs", "read-write"),
            ("load_balance_hosts=", "load_balance_hosts", "random"),
            ("keepalives=on", "keepalives", "1 or 0"),
            ("keepalives_idle=1h", "keepalives_idle", "seconds"),
            ("keepalives_count=", "keepalives_count", "whole number"),
            ("tcp_user_timeout=1s", "tcp_user_timeout", "milliseconds"),
        ] {
            let refused = dsn.parse::<Config>().expect_err(dsn);
            assert_eq!(refused.option_name(), Some(option), "{dsn}");
            assert!(refused.to_string().contains(problem), "{dsn}: {refused}");
        }
    }

    #[test]
    fn options_of_libpq_that_change_nothing_are_taken() {
        for dsn in
            ["", "gssencmode=disable krbsrvname=x gsslib=y", "postgres://?sslcompression=0&gssdelegation=1"]
        {
            assert_eq!(dsn.parse(), Ok(Config::new()), "{dsn}");
        }
    }

    #[test]
    fn a_password_is_shown_nowhere() {
        let config = Config::new().password("sesame").oauth_client_secret("open sesame");
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
