//! A configuration with nothing left open.

use std::ffi::OsString;
use std::fmt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use wreath_codecs::frame::startup::Version;

use crate::net::{Address, Dial, Keepalive, Server, TlsWanted};
use crate::observe::Watch;
use crate::proto::auth::AuthMethods;

use super::option::{FOREIGN, KNOWN};
use super::password::{Passwords, Tokens};
use super::{
    ChannelBindingMode, Config, ConfigError, LoadBalanceHosts, ProtocolVersion, SslMode, TargetSessionAttrs,
    account, service, tls,
};

/// The port of PostgreSQL.
const PORT: u16 = 5432;

/// Where servers have their sockets when nobody says so: Debian's folder, and PostgreSQL's own.
#[cfg(unix)]
const SOCKET_FOLDERS: [&str; 3] = ["/run/postgresql", "/var/run/postgresql", "/tmp"];

/// Everything that a connection has to know.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Settings {
    /// The servers, in the order in which they were said; there is at least one.
    pub(crate) servers: Vec<Server>,
    pub(crate) order: LoadBalanceHosts,
    pub(crate) target: TargetSessionAttrs,
    pub(crate) dial: Dial,
    pub(crate) user: String,
    pub(crate) passwords: Passwords,
    pub(crate) tokens: Tokens,
    pub(crate) methods: AuthMethods,
    /// The oldest version of the protocol that will do, and the newest.
    pub(crate) versions: (Version, Version),
    pub(crate) database: String,
    pub(crate) application_name: Option<String>,
    pub(crate) options: Option<String>,
    /// Whether UTF-8 is asked for as the session's encoding.
    pub(crate) client_encoding: bool,
    /// For each server, from the look-up of its name until the session is ready; `None` waits for ever.
    pub(crate) connect_timeout: Option<Duration>,
    pub(crate) ssl_mode: SslMode,
    pub(crate) tls: TlsWanted,
    pub(crate) channel_binding: ChannelBindingMode,
    /// `None` where it depends on who answers.
    pub(crate) statement_cache_size: Option<usize>,
    pub(crate) statement_cache_bytes: usize,
    pub(crate) max_message: usize,
    pub(crate) operation_timeout: Option<Duration>,
    pub(crate) max_result_bytes: usize,
    pub(crate) cancel_on_drop: bool,
    pub(crate) watch: Watch,
    pub(crate) coalesce_reads: bool,
    /// Whether the session is one for logical replication.
    pub(crate) replication: bool,
}

/// What a configuration is filled in from.
pub(super) struct Surroundings<'a> {
    pub(super) variable: &'a dyn Fn(&str) -> Option<OsString>,
    /// The name of the account that the process runs under.
    pub(super) account: &'a dyn Fn() -> Option<String>,
    /// The account's home folder.
    pub(super) home: &'a dyn Fn() -> Option<PathBuf>,
    pub(super) exists: &'a dyn Fn(&Path) -> bool,
}

impl Surroundings<'_> {
    /// The user's home folder.
    pub(super) fn home(&self) -> Option<PathBuf> {
        let named = (self.variable)("HOME").filter(|home| !home.is_empty());
        named.map(PathBuf::from).or_else(self.home)
    }

    /// The folder in which libpq looks for files that are not named, but for those that lie in the home folder itself.
    pub(super) fn folder(&self) -> Option<PathBuf> {
        if cfg!(windows) {
            let named = (self.variable)("APPDATA").filter(|folder| !folder.is_empty())?;
            return Some(Path::new(&named).join("postgresql"));
        }
        Some(self.home()?.join(".postgresql"))
    }

    /// Where the passwords are where nobody says so.
    fn passfile(&self) -> Option<PathBuf> {
        if cfg!(windows) {
            Some(self.folder()?.join("pgpass.conf"))
        } else {
            Some(self.home()?.join(".pgpass"))
        }
    }

    /// A variable's value.
    pub(super) fn text(&self, name: &str) -> Result<Option<String>, ConfigError> {
        match (self.variable)(name).map(OsString::into_string) {
            None => Ok(None),
            Some(Ok(value)) => Ok(Some(value)),
            Some(Err(_)) => Err(ConfigError::option(name, "the variable is not UTF-8")),
        }
    }
}

impl Settings {
    /// What the session is to start with, beside its user and database: as little as can be, since some poolers refuse
    /// what they do not know.
    pub(crate) fn parameters(&self) -> Vec<(&str, &str)> {
        let encoding = self.client_encoding.then_some(("client_encoding", "UTF8"));
        let all = [("application_name", &self.application_name), ("options", &self.options)];
        let said = all.into_iter().filter_map(|(name, value)| Some((name, value.as_deref()?)));
        let replication = self.replication.then_some(("replication", "database"));
        encoding.into_iter().chain(said).chain(replication).collect()
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
            home: &account::home,
            exists: &|path| path.exists(),
        })
    }

    fn settings_in(&self, around: &Surroundings<'_>) -> Result<Settings, ConfigError> {
        let said = self.filled_in(around)?;
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
        let passwords = said.passwords(around);
        let tokens = said.tokens();
        let versions = said.versions()?;
        Ok(Settings {
            servers: said.servers(around)?,
            order: said.load_balance_hosts.unwrap_or_default(),
            target: said.target_session_attrs.unwrap_or_default(),
            dial: said.dial(),
            database: said.dbname.filter(|name| !name.is_empty()).unwrap_or_else(|| user.clone()),
            user,
            passwords,
            tokens,
            methods: said.require_auth.unwrap_or(AuthMethods::ANY),
            versions,
            // One that is said to be empty stands for none.
            application_name: said
                .application_name
                .or(said.fallback_application_name)
                .filter(|name| !name.is_empty()),
            options: said.options.filter(|options| !options.is_empty()),
            client_encoding: said.client_encoding.unwrap_or(true),
            connect_timeout: said.connect_timeout.flatten(),
            ssl_mode,
            tls,
            channel_binding: said.channel_binding.unwrap_or_default(),
            statement_cache_size: said.statement_cache_size,
            statement_cache_bytes: said.statement_cache_bytes.unwrap_or(4 << 20),
            max_message: said.max_message.unwrap_or(1 << 30),
            operation_timeout: said.operation_timeout.flatten(),
            max_result_bytes: said.max_result_bytes.unwrap_or(usize::MAX),
            cancel_on_drop: said.cancel_on_drop.unwrap_or(true),
            watch: said.watch,
            coalesce_reads: said.coalesce_reads.unwrap_or(false),
            replication: said.replication,
        })
    }

    /// What was said, here, by the service that is named, or in the environment.
    fn filled_in(&self, around: &Surroundings<'_>) -> Result<Self, ConfigError> {
        let mut said = self.clone();
        // The service is found first, and comes before everything else that the environment says.
        for name in ["service", "servicefile"] {
            said.take_variable(name, around)?;
        }
        service::fill(&mut said, around)?;
        for known in KNOWN {
            said.take_variable(known.name, around)?;
        }
        // To pass over these could mean less security than was asked for, or the wrong server.
        for foreign in FOREIGN {
            if let Some(name) = foreign.variable
                && let Some(value) = around.text(name)?
            {
                foreign.refuse(name, &value)?;
            }
        }
        Ok(said)
    }

    /// Where passwords come from: the program, what was said, the environment, a file.
    fn passwords(&self, around: &Surroundings<'_>) -> Passwords {
        if let Some(source) = &self.password_source {
            return Passwords::Asked(source.clone());
        }
        if let Some(password) = self.password.clone().filter(|password| !password.is_empty()) {
            return Passwords::Given(password);
        }
        let named = self.passfile.clone().filter(|path| !path.as_os_str().is_empty());
        named.or_else(|| around.passfile()).map_or(Passwords::Nowhere, Passwords::File)
    }

    /// Where tokens come from, and what they are for.
    fn tokens(&self) -> Tokens {
        let said = |text: &Option<String>| text.clone().filter(|text| !text.is_empty());
        Tokens {
            source: self.token_source.clone(),
            issuer: said(&self.oauth_issuer),
            client_id: said(&self.oauth_client_id),
            client_secret: said(&self.oauth_client_secret),
            scope: said(&self.oauth_scope),
        }
    }

    /// The versions of the protocol that will do.
    fn versions(&self) -> Result<(Version, Version), ConfigError> {
        let min = self.min_protocol_version.unwrap_or(ProtocolVersion::V3_0);
        let default = if min > ProtocolVersion::V3_0 { ProtocolVersion::LATEST } else { min };
        let max = self.max_protocol_version.unwrap_or(default);
        if min > max {
            return Err(ConfigError::option("min_protocol_version", "it is above max_protocol_version"));
        }
        Ok((min.version(), max.version()))
    }

    /// How sockets are made.
    fn dial(&self) -> Dial {
        let keepalive = Keepalive {
            idle: self.keepalives_idle.flatten(),
            interval: self.keepalives_interval.flatten(),
            count: self.keepalives_count.flatten(),
        };
        Dial {
            keepalive: self.keepalives.unwrap_or(true).then_some(keepalive),
            user_timeout: self.tcp_user_timeout.flatten(),
            require_peer: self.require_peer.clone().filter(|account| !account.is_empty()),
        }
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
                Server::new(at(names, n), at(numbers, n), port.unwrap_or(PORT), around)
            })
            .collect())
    }
}

/// A list that is not just one empty text, which stands for nothing said.
fn given(list: Option<&[String]>) -> Option<&[String]> {
    list.filter(|list| !matches!(list, [] | [_] if list.iter().all(String::is_empty)))
}

impl Server {
    fn new(name: Option<String>, number: Option<String>, port: u16, around: &Surroundings<'_>) -> Self {
        let said = name.as_ref().or(number.as_ref()).filter(|host| !is_default_folder(host));
        let host = said.cloned().unwrap_or_else(|| "localhost".to_owned());
        let (address, name) = match (number, name) {
            (Some(number), name) => (Address::Tcp(number, port), name),
            #[cfg(unix)]
            (None, Some(name)) if name.starts_with('/') => (Address::Unix(socket(&name, port)), None),
            // An abstract socket's name starts with a zero byte.
            #[cfg(unix)]
            (None, Some(name)) if name.starts_with('@') => {
                (Address::Unix(socket(&name.replacen('@', "\0", 1), port)), None)
            }
            (None, Some(name)) => (Address::Tcp(name.clone(), port), Some(name)),
            (None, None) => (this_machine(port, around), None),
        };
        Self { address, name, host, port }
    }
}

#[cfg(unix)]
fn is_default_folder(host: &str) -> bool {
    SOCKET_FOLDERS.contains(&host)
}

#[cfg(not(unix))]
fn is_default_folder(_: &str) -> bool {
    false
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
            home: &|| None,
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
            assert!(found.passwords == Passwords::Nowhere);
            assert_eq!((&found.application_name, &found.options), (&None, &None));
            assert_eq!(found.ssl_mode, SslMode::Prefer);
            assert_eq!(servers(dsn), [unix("/tmp/.s.PGSQL.5432")]);
        }
        assert_eq!(settings("user=dolly").database, "dolly");
        assert_eq!(servers("port=1"), [unix("/tmp/.s.PGSQL.1")]);
    }

    #[test]
    fn without_a_socket_the_first_folder_is_named() {
        let around = Surroundings {
            variable: &|_| None,
            account: &|| Some("a".to_owned()),
            home: &|| None,
            exists: &|_| false,
        };
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
        assert!(found.passwords == Passwords::Given("sesame".to_owned()));
        assert_eq!(found.application_name.as_deref(), Some("shears"));
        assert_eq!(found.options.as_deref(), Some("-c x=1"));
        assert_eq!(
            found.parameters(),
            [("client_encoding", "UTF8"), ("application_name", "shears"), ("options", "-c x=1")]
        );
        let silent = settings("client_encoding='' application_name='' options=''");
        assert_eq!(silent.parameters(), []);
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
            ("PGREQUIREAUTH", "scram"),
            ("PGMINPROTOCOLVERSION", "3.1"),
            ("PGCHANNELBINDING", "maybe"),
            ("PGSSLCRLDIR", "/x"),
            ("PGSSLCERTMODE", "maybe"),
            ("PGTARGETSESSIONATTRS", "writable"),
            ("PGLOADBALANCEHOSTS", "maybe"),
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
            ("min_protocol_version=3.2 max_protocol_version=3.0", "min_protocol_version"),
            ("ssl_min_protocol_version=TLSv1.3 ssl_max_protocol_version=TLSv1.2", "ssl_min_protocol_version"),
        ] {
            assert_eq!(settings_with(dsn, &[]).expect_err(dsn).option_name(), Some(option), "{dsn}");
        }
        assert!(settings_with("sslnegotiation=direct sslmode=require", &[]).is_ok());
    }

    #[test]
    fn versions_of_the_protocol() {
        let (old, new) = (Version::V3_0, Version::V3_2);
        for (dsn, versions) in [
            ("", (old, old)),
            ("max_protocol_version=latest", (old, new)),
            ("min_protocol_version=3.2", (new, new)),
            ("min_protocol_version=3.0 max_protocol_version=3.0", (old, old)),
        ] {
            assert_eq!(settings(dsn).versions, versions, "{dsn}");
        }
    }

    #[test]
    fn an_account_without_a_name_is_an_error() {
        let around =
            Surroundings { variable: &|_| None, account: &|| None, home: &|| None, exists: &|_| true };
        let refused = Config::new().settings_in(&around).expect_err("no user");
        assert_eq!(refused.option_name(), Some("user"));
        assert!(Config::new().user("dolly").settings_in(&around).is_ok());
    }

    /// What libpq makes of files; `driver/testdata/files/generate` wrote it, and can write more.
    #[cfg(target_os = "linux")]
    #[test]
    fn files_are_read_as_libpq_reads_them() {
        use std::fs;
        use std::os::unix::fs::PermissionsExt;

        let more = std::env::var("WREATH_FILE_CASES").map(|path| fs::read_to_string(path).expect("a file"));
        let cases = more.as_deref().unwrap_or(include_str!("../../testdata/files/cases.tsv"));
        let home = std::env::temp_dir().join(format!("wreath-home-{}", std::process::id()));
        let mut count = 0;
        for line in cases.lines().filter(|line| !line.starts_with('#')) {
            let fields: Vec<String> = line.split('\t').map(super::super::dsn::tests::unescape).collect();
            let [dsn, environment, own, system, passwords, expected @ ..] = &fields[..] else {
                panic!("{line}")
            };
            fs::create_dir_all(home.join("system")).expect("is made");
            for (name, text) in
                [(".pg_service.conf", own), ("system/pg_service.conf", system), (".pgpass", passwords)]
            {
                let path = home.join(name);
                if text != "-" {
                    fs::write(&path, text).expect("is written");
                    fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).expect("is changed");
                }
            }
            let variable = |name: &str| match name {
                "HOME" => Some(home.clone().into_os_string()),
                "PGSYSCONFDIR" => Some(home.join("system").into_os_string()),
                _ => environment
                    .split(' ')
                    .find_map(|pair| pair.strip_prefix(name)?.strip_prefix('='))
                    .map(Into::into),
            };
            assert_eq!(effective(dsn, &variable), expected, "{line}");
            fs::remove_dir_all(&home).expect("is removed");
            count += 1;
        }
        assert!(count > 100, "only {count} cases");
    }

    /// Host, port, user, database and password, or `!`.
    #[cfg(target_os = "linux")]
    fn effective(dsn: &str, variable: &dyn Fn(&str) -> Option<OsString>) -> Vec<String> {
        let around = Surroundings {
            variable,
            account: &|| Some("shepherd".to_owned()),
            home: &|| None,
            exists: &|_| false,
        };
        let config: Config = dsn.parse().expect(dsn);
        let Ok(found) = config.settings_in(&around) else { return vec!["!".to_owned()] };
        let said = config.filled_in(&around).expect("as before");
        let hosts = said.hosts.unwrap_or_default().join(",");
        let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
        let password = runtime.block_on(found.password(&found.servers[0])).unwrap_or_default();
        vec![hosts, found.servers[0].port.to_string(), found.user, found.database, password]
    }

    #[test]
    fn a_password_is_not_shown() {
        assert!(!format!("{:?}", settings("password=sesame")).contains("sesame"));
    }
}
