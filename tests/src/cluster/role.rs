//! Who can log in to a server of the kit, and how.

/// A role of every server that the kit starts, named for the way in which the server lets it in.
///
/// Its password is its name with `-pw` after it. The ways are PostgreSQL's own, see the manual's chapter
/// "Client Authentication".
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// The superuser: trust on the socket, SCRAM on TCP.
    Postgres,
    /// No password is asked for.
    Trust,
    /// `scram-sha-256`.
    Scram,
    /// `md5`, with an MD5 digest stored.
    Md5,
    /// `password`: the password in clear text.
    Clear,
    /// `scram-sha-256`, over TLS only.
    Tls,
    /// A client certificate, over TLS only.
    Cert,
    /// `scram-sha-256`, and may open replication connections.
    Repl,
    /// Never let in.
    Reject,
}

impl Role {
    /// Every role.
    pub const ALL: [Self; 9] = [
        Self::Postgres,
        Self::Trust,
        Self::Scram,
        Self::Md5,
        Self::Clear,
        Self::Tls,
        Self::Cert,
        Self::Repl,
        Self::Reject,
    ];

    /// Its name on the server.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Postgres => "postgres",
            Self::Trust => "t_trust",
            Self::Scram => "t_scram",
            Self::Md5 => "t_md5",
            Self::Clear => "t_clear",
            Self::Tls => "t_tls",
            Self::Cert => "t_cert",
            Self::Repl => "t_repl",
            Self::Reject => "t_reject",
        }
    }

    /// Its password.
    pub fn password(self) -> String {
        format!("{}-pw", self.name())
    }

    /// Whether it comes in over TLS only.
    pub const fn needs_tls(self) -> bool {
        matches!(self, Self::Tls | Self::Cert)
    }
}
