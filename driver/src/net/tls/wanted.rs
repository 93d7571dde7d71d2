//! What a configuration asks of TLS.

use std::path::PathBuf;

/// How a server is told that TLS is wanted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SslNegotiation {
    /// By a request in PostgreSQL's own protocol, which every server understands.
    #[default]
    Postgres,
    /// By beginning with TLS at once, which saves a round trip. Servers before PostgreSQL 17 do not understand it.
    Direct,
}

impl SslNegotiation {
    /// Its name in a connection string.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Postgres => "postgres",
            Self::Direct => "direct",
        }
    }
}

/// A version of TLS. Older ones are not spoken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum TlsVersion {
    /// TLS 1.2.
    V1_2,
    /// TLS 1.3.
    V1_3,
}

/// A file that TLS needs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum TlsFile {
    /// It was asked for.
    Named(PathBuf),
    /// It lies where libpq looks for it when none is named.
    Found(PathBuf),
}

/// All that a configuration says about TLS, beside whether there is to be any.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct TlsWanted {
    /// Whether the certificate has to be signed by an authority that is trusted.
    pub(crate) verify_ca: bool,
    /// Whether it has to be the host's.
    pub(crate) verify_host: bool,
    pub(crate) root_cert: Option<TlsFile>,
    /// Whether the authorities are those that the system trusts.
    pub(crate) system_roots: bool,
    pub(crate) cert: Option<TlsFile>,
    /// Whether a server will not do that has not asked for it.
    pub(crate) must_show_cert: bool,
    pub(crate) key: Option<TlsFile>,
    pub(crate) crl: Option<TlsFile>,
    /// Whether the host's name is told to the server before anything is encrypted.
    pub(crate) sni: bool,
    pub(crate) min: Option<TlsVersion>,
    pub(crate) max: Option<TlsVersion>,
    pub(crate) negotiation: SslNegotiation,
}

impl TlsFile {
    pub(crate) fn path(&self) -> &PathBuf {
        let (Self::Named(path) | Self::Found(path)) = self;
        path
    }
}
