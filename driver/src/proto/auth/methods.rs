//! Which ways to log in will do.

/// A way to log in, which a server picks (PostgreSQL manual, "Authentication Methods").
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum AuthMethod {
    /// The password as it is.
    Password,
    /// The password's MD5 digest.
    Md5,
    /// GSSAPI, which is not supported.
    Gss,
    /// SSPI, which is not supported.
    Sspi,
    /// SCRAM-SHA-256, bound to the encryption or not.
    ScramSha256,
    /// OAuth's bearer token.
    Oauth,
    /// The server asks for nothing, or has what it wants from the connection itself, such as a certificate.
    None,
}

impl AuthMethod {
    pub(crate) const ALL: [Self; 7] =
        [Self::Password, Self::Md5, Self::Gss, Self::Sspi, Self::ScramSha256, Self::Oauth, Self::None];

    /// Its name in a connection string.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Password => "password",
            Self::Md5 => "md5",
            Self::Gss => "gss",
            Self::Sspi => "sspi",
            Self::ScramSha256 => "scram-sha-256",
            Self::Oauth => "oauth",
            Self::None => "none",
        }
    }

    pub(crate) fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|method| method.name() == name)
    }
}

/// The methods that will do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct AuthMethods(u8);

impl AuthMethods {
    /// Any.
    pub(crate) const ANY: Self = Self(u8::MAX);

    /// These only.
    pub(crate) fn only(methods: impl IntoIterator<Item = AuthMethod>) -> Self {
        Self(methods.into_iter().fold(0, |bits, method| bits | 1 << method as u8))
    }

    /// Any but these.
    pub(crate) fn except(methods: impl IntoIterator<Item = AuthMethod>) -> Self {
        Self(!Self::only(methods).0)
    }

    pub(crate) fn allow(self, method: AuthMethod) -> bool {
        self.0 & 1 << method as u8 != 0
    }
}
