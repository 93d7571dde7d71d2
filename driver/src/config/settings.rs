//! A configuration with nothing left open.

use std::ffi::OsString;
use std::fmt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::net::{Address, Server, TlsWanted};

use super::option::{FOREIGN, KNOWN};
use super::{ChannelBindingMode, Config, ConfigError, SslMode, account, tls};

/// The port of PostgreSQL.
const PORT: u16 = 5432;

/// Where servers have their sockets when nobody says so: Debian's folder, and PostgreSQL's own.
#[cfg(unix)]
const SOCKET_FOLDERS: [&str; 3] = ["/run/postgresql", "/var/run/postgresql", "/tmp"];

/// Everything that a connection has to know.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Settings {
    /// The servers, to be tried in order; there is at least one.
    pub(crate) servers: Vec<Server>,
    pub(crate) user: String,
    pub(crate) password: Option<String>,
    pub(crate) database: String,
    pub(crate) application_name: Option<String>,
    pub(crate) options: Option<String>,
    /// For each server, from the look-up of its name until the session is ready; `None` waits for ever.
    pub(crate) connect_timeout: Option<Duration>,
    pub(crate) ssl_mode: SslMode,
    pub(crate) tls: TlsWanted,
    pub(crate) channel_binding: ChannelBindingMode,
    pub(crate) statement_cache_size: usize,
    pub(crate) statement_cache_bytes: usize,
    pub(crate) max_message: usize,
    pub(crate) cancel_on_drop: bool,
}

/// What a configuration is filled in from.
pub(super) struct Surroundings<'a> {
    pub(super) variable: &'a dyn Fn(&str) -> Option<OsString>,
    pub(super) account: &'a dyn Fn() -> Option<String>,
    pub(super) exists: &'a dyn Fn(&Path) -> bool,
}

impl Settings {
    /// The run-time parameters that the session is to start with.
    pub(crate) fn parameters(&self) -> Vec<(&str, &str)> {
        let all = [("application_name", &self.application_name), ("options", &self.options)];
        all.into_iter().filter_map(|(name, value)| Some((name, value.as_deref()?))).collect()
    }
}

impl Config {
    /// Fills in what was left open, from the environment and by defaults.
    ///
    /// # Errors
    /// When the environment says something that an option cannot be, hosts and ports do not match in number, the
    /// account's name cannot be found, or what is said of TLS does not fit together.
    pub(crate) fn settings(&self) -> Result<Settings, ConfigError> {
        self.settings_in(&Surroundings {
            variable: &|name| std::env::var_os(name),
            account: &account::name,
            exists: &|path| path.exists(),
        })
    }

    fn settings_in(&self, around: &Surroundings<'_>) -> Result<Settings, ConfigError> {
        let said = self.with_environment(around)?;
        let user = match said.user.clone().filter(|user| !user.is_empty()) {
            Some(user) => user,
            None => (around.account)().ok_or_else(|| {
                ConfigError::option(
                    "user",
                    "none was given, and the account of this process has no known name",
                )
            })?,
        };
        let (ssl_mode, tls) = tls::wanted(&said, around)?;
        Ok(Settings {
            servers: said.servers(around)?,
            database: said.dbname.filter(|name| !name.is_empty()).unwrap_or_else(|| user.clone()),
            user,
            password: said.password.filter(|password| !password.is_empty()),
            application_name: said.application_name.filter(|name| !name.is_empty()),
            options: said.options.filter(|options| !options.is_empty()),
            connect_timeout: said.connect_timeout.flatten(),
            ssl_mode,
            tls,
            channel_binding: said.channel_binding.unwrap_or_default(),
            statement_cache_size: said.statement_cache_size.unwrap_or(100),
            statement_cache_bytes: said.statement_cache_bytes.unwrap_or(4 << 20),
            max_message: said.max_message.unwrap_or(1 << 30),
            cancel_on_drop: said.cancel_on_drop.unwrap_or(true),
        })
    }

    /// What was said, here or in the environment.
    fn with_environment(&self, around: &Surroundings<'_>) -> Result<Self, ConfigError> {
        let variable = |name: &str| match (around.variable)(name).map(OsString::into_string) {
            None => Ok(None),
            Some(Ok(value)) => Ok(Some(value)),
            Some(Err(_)) => Err(ConfigError::option(name, "the variable is not UTF-8")),
        };
        let mut said = self.clone();
        for known in KNOWN {
            if let Some(name) = known.variable
                && !(known.is_said)(self)
                && let Some(value) = variable(name)?
            {
                known.set(&mut said, name, &value)?;
            }
        }
        // To pass over these could mean less security than was asked for, or the wrong server.
        for foreign in FOREIGN {
            if let Some(name) = foreign.variable
                && let Some(value) = variable(name)?
            {
                foreign.refuse(name, &value)?;
            }
        }
        Ok(said)
    }

    /// The servers: as many as there are numbers, else names.
    fn servers(&self, around: &Surroundings<'_>) -> Result<Vec<Server>, ConfigError> {
        let names = given(self.hosts.as_deref());
        let numbers = given(self.hostaddrs.as_deref());
        let count = numbers.or(names).map_or(1, <[String]>::len);
        if names.is_some_and(|names| names.len() != count) {
            return Err(ConfigError::option("hostaddr", "there are not as many as there are hosts"));
        }
        let ports = self.ports.as_deref().filter(|ports| !ports.is_empty()).unwrap_or(&[None]);
        if ports.len() != 1 && ports.len() != count {
            return Err(ConfigError::option("port", "there are neither as many as there are hosts, nor one"));
        }
        let at = |list: Option<&[String]>, n: usize| {
            list.and_then(|list| list.get(n)).filter(|text| !text.is_empty()).cloned()
        };
        Ok((0..count)
            .map(|n| {
                let port = if ports.len() == 1 { ports[0] } else { ports[n] };
                server(at(names, n), at(numbers, n), port.unwrap_or(PORT), around)
            })
            .collect())
    }
}

/// A list that is not just one empty text, which stands for nothing said.
fn given(list: Option<&[String]>) -> Option<&[String]> {
    list.filter(|list| !matches!(list, [] | [_] if list.iter().all(String::is_empty)))
}

fn server(name: Option<String>, number: Option<String>, port: u16, around: &Surroundings<'_>) -> Server {
    let unnamed = |address| Server { address, name: None };
    match (number, name) {
        (Some(number), name) => Server { address: Address::Tcp(number, port), name },
        #[cfg(unix)]
        (None, Some(name)) if name.starts_with('/') => unnamed(Address::Unix(socket(&name, port))),
        // An abstract socket's name starts with a zero byte.
        #[cfg(unix)]
        (None, Some(name)) if name.starts_with('@') => {
            unnamed(Address::Unix(socket(&name.replacen('@', "\0", 1), port)))
        }
        (None, Some(name)) => Server { address: Address::Tcp(name.clone(), port), name: Some(name) },
        (None, None) => unnamed(this_machine(port, around)),
    }
}

/// The server of this machine: its socket, in the first folder that has one.
#[cfg(unix)]
fn this_machine(port: u16, around: &Surroundings<'_>) -> Address {
    let found = SOCKET_FOLDERS.into_iter().find(|folder| (around.exists)(&socket(folder, port)));
    Address::Unix(socket(found.unwrap_or(SOCKET_FOLDERS[0]), port))
}

#[cfg(not(unix))]
fn this_machine(port: u16, _: &Surroundings<'_>) -> Address {
    Address::Tcp("localhost".to_owned(), port)
}

#[cfg(unix)]
fn socket(folder: &str, port: u16) -> PathBuf {
    PathBuf::from(format!("{folder}/.s.PGSQL.{port}"))
}

/// The password is left out.
impl fmt::Debug for Settings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Settings")
            .field("servers", &self.servers)
            .field("user", &self.user)
            .field("database", &self.database)
            .field("ssl_mode", &self.ssl_mode)
            .field("tls", &self.tls)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::net::TlsFile;

    fn settings_with(dsn: &str, environment: &[(&str, &str)]) -> Result<Settings, ConfigError> {
        let variable = |name: &str| {
            environment.iter().find(|(variable, _)| *variable == name).map(|(_, value)| OsString::from(value))
        };
        dsn.parse::<Config>()?.settings_in(&Surroundings {
            variable: &variable,
            account: &|| Some("shepherd".to_owned()),
            exists: &|path| path.starts_with("/tmp"),
        })
    }

    fn settings(dsn: &str) -> Settings {
        settings_with(dsn, &[]).expect(dsn)
    }

    fn servers(dsn: &str) -> Vec<Address> {
        settings(dsn).servers.into_iter().map(|server| server.address).collect()
    }

    fn tcp(host: &str, port: u16) -> Address {
        Address::Tcp(host.to_owned(), port)
    }

    fn unix(path: &str) -> Address {
        Address::Unix(path.into())
    }

    #[test]
    fn defaults() {
        for dsn in [
            "",
            "postgres://",
            "host='' port='' user='' dbname='' password='' application_name='' options=''",
        ] {
            let found = settings(dsn);
            assert_eq!((found.user.as_str(), found.database.as_str()), ("shepherd", "shepherd"));
            assert_eq!((&found.password, &found.application_name, &found.options), (&None, &None, &None));
            assert_eq!(found.ssl_mode, SslMode::Prefer);
            assert_eq!(servers(dsn), [unix("/tmp/.s.PGSQL.5432")]);
        }
        assert_eq!(settings("user=dolly").database, "dolly");
        assert_eq!(servers("port=1"), [unix("/tmp/.s.PGSQL.1")]);
    }

    #[test]
    fn without_a_socket_the_first_folder_is_named() {
        let around =
            Surroundings { variable: &|_| None, account: &|| Some("a".to_owned()), exists: &|_| false };
        let found = Config::new().settings_in(&around).expect("settings");
        assert_eq!(found.servers[0].address, unix("/run/postgresql/.s.PGSQL.5432"));
    }

    #[test]
    fn hosts_and_ports() {
        for (dsn, expected) in [
            ("host=a", vec![tcp("a", 5432)]),
            ("host=a,b port=1", vec![tcp("a", 1), tcp("b", 1)]),
            ("host=a,b port=1,2", vec![tcp("a", 1), tcp("b", 2)]),
            ("host=a,b port=1,", vec![tcp("a", 1), tcp("b", 5432)]),
            ("postgres://a,b", vec![tcp("a", 5432), tcp("b", 5432)]),
            ("postgres://a:1,b", vec![tcp("a", 1), tcp("b", 5432)]),
            ("postgres://[::1]:1,[fe80::1%25eth0]/", vec![tcp("::1", 1), tcp("fe80::1%eth0", 5432)]),
            ("postgres://%2Fvar%2Frun:1/db", vec![unix("/var/run/.s.PGSQL.1")]),
            ("host=/a,@b,c", vec![unix("/a/.s.PGSQL.5432"), unix("\0b/.s.PGSQL.5432"), tcp("c", 5432)]),
            ("host=a,,c port=9", vec![tcp("a", 9), unix("/tmp/.s.PGSQL.9"), tcp("c", 9)]),
            ("hostaddr=127.0.0.1", vec![tcp("127.0.0.1", 5432)]),
            ("host=a,b hostaddr=127.0.0.1,", vec![tcp("127.0.0.1", 5432), tcp("b", 5432)]),
            ("hostaddr=::1,fe80::1%eth0 port=1,2", vec![tcp("::1", 1), tcp("fe80::1%eth0", 2)]),
        ] {
            assert_eq!(servers(dsn), expected, "{dsn}");
        }
        assert_eq!(servers("host=farm hostaddr=127.0.0.1"), [tcp("127.0.0.1", 5432)]);
    }

    #[test]
    fn numbers_that_do_not_match() {
        for (dsn, option) in [
            ("host=a,b port=1,2,3", "port"),
            ("port=1,2", "port"),
            ("host=a,b hostaddr=127.0.0.1", "hostaddr"),
            ("host=a hostaddr=127.0.0.1,127.0.0.2", "hostaddr"),
        ] {
            assert_eq!(settings_with(dsn, &[]).expect_err(dsn).option_name(), Some(option), "{dsn}");
        }
    }

    #[test]
    fn the_environment_fills_in_what_was_not_said() {
        let environment = [
            ("PGHOST", "farm"),
            ("PGHOSTADDR", ""),
            ("PGPORT", "1"),
            ("PGUSER", "dolly"),
            ("PGPASSWORD", "sesame"),
            ("PGDATABASE", "wool"),
            ("PGAPPNAME", "shears"),
            ("PGOPTIONS", "-c x=1"),
            ("PGCONNECT_TIMEOUT", "3"),
            ("PGSSLMODE", "disable"),
        ];
        let found = settings_with("", &environment).expect("settings");
        assert_eq!(found.servers[0].address, tcp("farm", 1));
        assert_eq!((found.user.as_str(), found.database.as_str()), ("dolly", "wool"));
        assert_eq!(found.password.as_deref(), Some("sesame"));
        assert_eq!(found.application_name.as_deref(), Some("shears"));
        assert_eq!(found.options.as_deref(), Some("-c x=1"));
        assert_eq!(found.parameters(), [("application_name", "shears"), ("options", "-c x=1")]);
        assert_eq!(found.connect_timeout, Some(Duration::from_secs(3)));
        assert_eq!(found.ssl_mode, SslMode::Disable);

        let dsn = "postgres://a:b@c:2/d?application_name=e&options=f&connect_timeout=0&sslmode=allow";
        let said = settings_with(dsn, &environment).expect("settings");
        assert_eq!(said, settings(dsn));
        assert_eq!(said.connect_timeout, None);
    }

    #[test]
    fn the_environment_is_checked() {
        for (name, value) in [
            ("PGPORT", "x"),
            ("PGSSLMODE", "maybe"),
            ("PGCONNECT_TIMEOUT", "soon"),
            ("PGREQUIREAUTH", "scram-sha-256"),
            ("PGCHANNELBINDING", "maybe"),
            ("PGSSLCRLDIR", "/x"),
            ("PGSSLCERTMODE", "require"),
            ("PGSERVICE", "farm"),
            ("PGTARGETSESSIONATTRS", "read-write"),
        ] {
            let refused = settings_with("", &[(name, value)]).expect_err(name);
            assert_eq!(refused.option_name(), Some(name), "{refused}");
        }
        assert!(settings_with("", &[("PGTARGETSESSIONATTRS", "any"), ("PGGSSENCMODE", "")]).is_ok());
    }

    #[test]
    fn certificates_are_for_the_host_that_was_named() {
        let names = |dsn: &str| -> Vec<_> { settings(dsn).servers.into_iter().map(|s| s.name).collect() };
        assert_eq!(names("host=farm,127.0.0.1"), [Some("farm".to_owned()), Some("127.0.0.1".to_owned())]);
        assert_eq!(names("host=farm hostaddr=127.0.0.1"), [Some("farm".to_owned())]);
        assert_eq!(names("hostaddr=127.0.0.1"), [None]);
        assert_eq!(names("host=/tmp"), [None]);
    }

    #[test]
    fn files_of_tls_lie_in_the_home_folder_unless_named() {
        let home = [("HOME", "/stable/dolly")];
        let found = |name: &str| Some(TlsFile::Found(format!("/stable/dolly/.postgresql/{name}").into()));
        let tls = settings_with("", &home).expect("settings").tls;
        assert_eq!((tls.root_cert, tls.crl), (found("root.crt"), found("root.crl")));
        assert_eq!((tls.cert, tls.key), (found("postgresql.crt"), found("postgresql.key")));
        assert_eq!((settings("").tls.root_cert, settings("").tls.cert), (None, None));
        let tls = settings_with("sslrootcert=a sslcert='' sslkey=c", &home).expect("settings").tls;
        assert_eq!((tls.root_cert, tls.cert), (Some(TlsFile::Named("a".into())), found("postgresql.crt")));
        assert_eq!(tls.key, Some(TlsFile::Named("c".into())));
    }

    #[test]
    fn modes_say_what_is_verified() {
        for (mode, ca, host) in [
            ("disable", false, false),
            ("prefer", false, false),
            ("require", false, false),
            ("verify-ca", true, false),
            ("verify-full", true, true),
        ] {
            let tls = settings(&format!("sslmode={mode}")).tls;
            assert_eq!((tls.verify_ca, tls.verify_host, tls.sni), (ca, host, true), "{mode}");
        }
        let system = settings("sslrootcert=system");
        assert_eq!((system.ssl_mode, system.tls.system_roots), (SslMode::VerifyFull, true));
        assert_eq!(settings("postgres://a?ssl=true").ssl_mode, SslMode::Require);
    }

    #[test]
    fn what_is_said_of_tls_has_to_fit_together() {
        for (dsn, option) in [
            ("sslrootcert=system sslmode=verify-ca", "sslmode"),
            ("sslnegotiation=direct", "sslmode"),
            ("sslnegotiation=direct sslmode=prefer", "sslmode"),
            ("ssl_min_protocol_version=TLSv1.3 ssl_max_protocol_version=TLSv1.2", "ssl_min_protocol_version"),
        ] {
            assert_eq!(settings_with(dsn, &[]).expect_err(dsn).option_name(), Some(option), "{dsn}");
        }
        assert!(settings_with("sslnegotiation=direct sslmode=require", &[]).is_ok());
    }

    #[test]
    fn an_account_without_a_name_is_an_error() {
        let around = Surroundings { variable: &|_| None, account: &|| None, exists: &|_| true };
        let refused = Config::new().settings_in(&around).expect_err("no user");
        assert_eq!(refused.option_name(), Some("user"));
        assert!(Config::new().user("dolly").settings_in(&around).is_ok());
    }

    #[test]
    fn a_password_is_not_shown() {
        assert!(!format!("{:?}", settings("password=sesame")).contains("sesame"));
    }
}
