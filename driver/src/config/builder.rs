//! Saying it by hand.

use std::path::PathBuf;
use std::time::Duration;

use super::callback::{PasswordRequest, PasswordSource, TokenRequest, TokenSource};
use super::{
    ChannelBindingMode, Config, LoadBalanceHosts, ProtocolVersion, SslCertMode, SslMode, TargetSessionAttrs,
};
use crate::net::{SslNegotiation, TlsVersion};
use crate::proto::auth::{AuthMethod, AuthMethods};

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

macro_rules! durations {
    ($($(#[$doc:meta])* $name:ident;)*) => {$(
        $(#[$doc])*
        #[must_use]
        pub fn $name(mut self, $name: Duration) -> Self {
            self.$name = Some(Some($name).filter(|time| !time.is_zero()));
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

    /// What the session has to be able to do; servers that cannot are passed over. The default is anything.
    ///
    /// ```
    /// use wreath_driver::{Config, TargetSessionAttrs};
    ///
    /// // Whichever of the two is the primary, also after a failover.
    /// let config = Config::new()
    ///     .hosts([("barn1.example", 5432), ("barn2.example", 5432)])
    ///     .target_session_attrs(TargetSessionAttrs::ReadWrite);
    /// # let _ = config;
    /// ```
    #[must_use]
    pub fn target_session_attrs(mut self, target: TargetSessionAttrs) -> Self {
        self.target_session_attrs = Some(target);
        self
    }

    /// In which order hosts are tried.
    #[must_use]
    pub fn load_balance_hosts(mut self, order: LoadBalanceHosts) -> Self {
        self.load_balance_hosts = Some(order);
        self
    }

    /// Whether the system probes a TCP peer that has been silent for long, and so notices one that is gone. The default is
    /// that it does.
    #[must_use]
    pub fn keepalives(mut self, probe: bool) -> Self {
        self.keepalives = Some(probe);
        self
    }

    /// How many probes go without an answer before the connection is given up; 0 leaves it to the system, which is the
    /// default.
    #[must_use]
    pub fn keepalives_count(mut self, count: u32) -> Self {
        self.keepalives_count = Some(Some(count).filter(|&count| count > 0));
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

    /// Asks `source` for the password whenever a server wants one: a token that expires, or a secret that is rotated. What else
    /// is said of passwords does not count then. It is asked within [`connect_timeout`](Self::connect_timeout).
    ///
    /// ```
    /// use wreath_driver::Config;
    ///
    /// async fn token(host: &str, user: &str) -> std::io::Result<String> {
    ///     # let _ = (host, user);
    ///     // ... signs a request with the machine's identity
    ///     # Ok("token".to_owned())
    /// }
    ///
    /// let config = Config::new().host("farm.example").user("dolly").password_from(|login| async move {
    ///     token(login.host(), login.user()).await
    /// });
    /// # let _ = config;
    /// ```
    #[must_use]
    pub fn password_from<F, Answer, E>(mut self, source: F) -> Self
    where
        F: Fn(PasswordRequest) -> Answer + Send + Sync + 'static,
        Answer: Future<Output = Result<String, E>> + Send + 'static,
        E: Into<Box<dyn std::error::Error + Send + Sync>>,
    {
        self.password_source = Some(PasswordSource::new(source));
        self
    }

    /// Asks `source` for a token when a server wants one by OAUTHBEARER (PostgreSQL manual, "OAuth Authorization/Authentication").
    ///
    /// It answers `None` where it has to know who issues the server's tokens: then the server is asked, and the source once
    /// more, with [`discovery_url`](TokenRequest::discovery_url). A token is sent over an encrypted connection, or on this
    /// machine, only.
    ///
    /// ```
    /// use wreath_driver::Config;
    ///
    /// async fn token(scope: Option<&str>) -> std::io::Result<String> {
    ///     # let _ = scope;
    ///     // ... asks the issuer
    ///     # Ok("token".to_owned())
    /// }
    ///
    /// let config = Config::new().host("farm.example").user("dolly").oauth_token_from(|request| async move {
    ///     token(request.scope()).await.map(Some)
    /// });
    /// # let _ = config;
    /// ```
    #[must_use]
    pub fn oauth_token_from<F, Answer, E>(mut self, source: F) -> Self
    where
        F: Fn(TokenRequest) -> Answer + Send + Sync + 'static,
        Answer: Future<Output = Result<Option<String>, E>> + Send + 'static,
        E: Into<Box<dyn std::error::Error + Send + Sync>>,
    {
        self.token_source = Some(TokenSource::new(source));
        self
    }

    /// Refuses a server that goes about a login in another way than these. In a connection string it is `require_auth`.
    ///
    /// ```
    /// use wreath_driver::{AuthMethod, Config};
    ///
    /// // No server gets at the password by pretending that it knows no better method.
    /// let config = Config::new().host("farm.example").require_auth([AuthMethod::ScramSha256]);
    /// # let _ = config;
    /// ```
    #[must_use]
    pub fn require_auth(mut self, methods: impl IntoIterator<Item = AuthMethod>) -> Self {
        self.require_auth = Some(AuthMethods::only(methods));
        self
    }

    /// Refuses a server that goes about a login in one of these ways. In a connection string it is `require_auth` with
    /// exclamation marks.
    #[must_use]
    pub fn refuse_auth(mut self, methods: impl IntoIterator<Item = AuthMethod>) -> Self {
        self.require_auth = Some(AuthMethods::except(methods));
        self
    }

    /// The oldest version of the protocol that will do. The default is 3.0.
    #[must_use]
    pub fn min_protocol_version(mut self, version: ProtocolVersion) -> Self {
        self.min_protocol_version = Some(version);
        self
    }

    /// The version of the protocol that is asked for; a server that does not speak it says which it does. The default is 3.0,
    /// since some poolers break off instead, or the newest if 3.0 will not do.
    #[must_use]
    pub fn max_protocol_version(mut self, version: ProtocolVersion) -> Self {
        self.max_protocol_version = Some(version);
        self
    }

    /// Whether the client's certificate is sent.
    #[must_use]
    pub fn ssl_cert_mode(mut self, mode: SslCertMode) -> Self {
        self.ssl_cert_mode = Some(mode);
        self
    }

    /// Whether UTF-8 is asked for as the session's encoding, which is the default. Where a pooler refuses even that, and the
    /// server's own default is UTF-8, it can be left out.
    #[must_use]
    pub fn client_encoding(mut self, asked: bool) -> Self {
        self.client_encoding = Some(asked);
        self
    }

    /// Whether statements that read are sent under one Sync where they wait to be sent together, which lets a server answer
    /// more than twice as many. It is done while the session says `default_transaction_read_only = on` (as by
    /// [`options`](Self::options) of `-c default_transaction_read_only=on`), outside of transactions, for statements that begin with
    /// `SELECT`, `WITH`, `VALUES` or `TABLE`. The default is that each has its own.
    ///
    /// Up to 64 that were sent together are one transaction of the server. What that means for them:
    /// * `now()` is the same for all, and where transactions are isolated more than `READ COMMITTED`, they see one snapshot.
    /// * When one fails, the server does not run those behind it: they are sent again by themselves, which their callers do not
    ///   notice. Results that came before it are good. What little a read-only transaction can do beside reading
    ///   (`set_config`, `pg_notify`, temporary tables) may be undone with it: send that by other connections.
    /// * A result comes when the last of them has been answered, so a slow one keeps the others waiting; and a slow one is
    ///   cancelled when nobody waits for any of them.
    #[must_use]
    pub fn coalesce_reads(mut self, coalesce: bool) -> Self {
        self.coalesce_reads = Some(coalesce);
        self
    }

    durations! {
        /// How long a host may take from the look-up of its name until the session is ready; zero waits for ever, which is
        /// also the default. To be reached, each address of a name that has several gets its share of what is left.
        connect_timeout;
        /// How long a verb may take, such as [`execute`](crate::Client::execute), [`run`](crate::Pipeline::run) of a pipeline, or
        /// [`commit`](crate::Transaction::commit); zero is no limit, which is the default. What takes longer fails with
        /// [`Timeout`](crate::ErrorKind::Timeout), and its statement is stopped; see [`Client::within`](crate::Client::within), which
        /// sets another limit. What is taken or fed piece by piece is limited in how long it takes to begin.
        operation_timeout;
        /// How long a TCP peer may be silent before it is probed; zero leaves it to the system, which is the default.
        keepalives_idle;
        /// How long each probe waits for its answer; zero leaves it to the system, which is the default.
        keepalives_interval;
        /// How long what was sent over TCP may go unacknowledged before the connection is given up; zero leaves it to the
        /// system, which is the default. Systems other than Linux do not have it, and pass it over.
        tcp_user_timeout;
    }

    texts! {
        /// The role to log in as.
        user;
        /// Its password.
        password;
        /// A group of the service file, which says what is not said here (PostgreSQL manual, "The Connection Service File").
        service;
        /// The database.
        dbname;
        /// The session's `application_name`, which the server shows in its list of sessions and its log.
        application_name;
        /// The same, where neither that nor the environment says one: a program's own name.
        fallback_application_name;
        /// Who is trusted to issue tokens; it is for [`oauth_token_from`](Self::oauth_token_from) to heed, as are the next three.
        oauth_issuer;
        /// As whom the program is known to the issuer.
        oauth_client_id;
        /// The secret that the issuer knows it by.
        oauth_client_secret;
        /// The scope of tokens; the default is what the server names.
        oauth_scope;
        /// The account that the server of a unix socket has to run under. The default is any.
        require_peer;
        /// Command-line options for the session, such as `-c statement_timeout=5s`.
        options;
    }

    paths! {
        /// The file of passwords that is looked into when there is no other password (PostgreSQL manual, "The Password File").
        /// The default is `~/.pgpass`. Nobody else may read it, or it is passed over.
        passfile;
        /// The service file. The default is `~/.pg_service.conf`, else `pg_service.conf` in the folder that `PGSYSCONFDIR` names
        /// or where systems keep it.
        service_file;
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
        /// How many prepared statements a connection keeps; 0 prepares none by name, but each statement anew in the flight that
        /// runs it. The default is 100, and 0 behind a [pooler](Config#poolers).
        statement_cache_size;
        /// How many bytes of their text it keeps at the most. The default is 4 MiB.
        statement_cache_bytes;
        /// The longest message that is taken from the server, in bytes. The default is 1 GiB, which no row of
        /// PostgreSQL exceeds by much.
        max_message;
        /// The most bytes that the rows of one result may have, where they are not taken piece by piece as those of a
        /// [`stream`](crate::Client::stream) are. A larger result is an error of kind
        /// [`ResultTooLarge`](crate::ErrorKind::ResultTooLarge), and its statement is stopped like one that nobody waits for. The
        /// default is no bound.
        max_result_bytes;
    }
}
