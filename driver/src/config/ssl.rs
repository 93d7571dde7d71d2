//! How much encryption there is to be.

/// How much encryption is wanted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SslMode {
    /// None.
    Disable,
    /// None, unless the server insists.
    Allow,
    /// Encryption where the server has it. A connection without is also made when encryption fails, or when the server's
    /// rules keep this user out only there.
    #[default]
    Prefer,
    /// Encryption, by whomever, unless there is a file of authorities: then as `VerifyCa`.
    Require,
    /// Encryption, and a certificate from an authority that is trusted.
    VerifyCa,
    /// Encryption, and such a certificate for the very host that was asked for.
    VerifyFull,
}

impl SslMode {
    /// Its name in a connection string.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Disable => "disable",
            Self::Allow => "allow",
            Self::Prefer => "prefer",
            Self::Require => "require",
            Self::VerifyCa => "verify-ca",
            Self::VerifyFull => "verify-full",
        }
    }

    /// Whether a connection without encryption is out of the question.
    pub const fn demands_tls(self) -> bool {
        matches!(self, Self::Require | Self::VerifyCa | Self::VerifyFull)
    }

    pub(super) fn from_name(name: &str) -> Option<Self> {
        [Self::Disable, Self::Allow, Self::Prefer, Self::Require, Self::VerifyCa, Self::VerifyFull]
            .into_iter()
            .find(|mode| mode.name() == name)
    }
}

/// Whether a login has to prove that both ends see the same encryption, which nobody in the middle can make them
/// (PostgreSQL manual, "SASL Authentication"). It takes SCRAM and TLS.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ChannelBindingMode {
    /// It does not.
    Disable,
    /// It does where the server offers that.
    #[default]
    Prefer,
    /// It does, or there is no login.
    Require,
}

impl ChannelBindingMode {
    /// Its name in a connection string.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Disable => "disable",
            Self::Prefer => "prefer",
            Self::Require => "require",
        }
    }

    pub(super) fn from_name(name: &str) -> Option<Self> {
        [Self::Disable, Self::Prefer, Self::Require].into_iter().find(|mode| mode.name() == name)
    }
}

/// Whether the client's certificate is sent to a server that asks for it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SslCertMode {
    /// It is not.
    Disable,
    /// It is, where there is one.
    #[default]
    Allow,
    /// It is, and a server that does not ask for it is refused.
    Require,
}

impl SslCertMode {
    /// Its name in a connection string.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Disable => "disable",
            Self::Allow => "allow",
            Self::Require => "require",
        }
    }

    pub(super) fn from_name(name: &str) -> Option<Self> {
        [Self::Disable, Self::Allow, Self::Require].into_iter().find(|mode| mode.name() == name)
    }
}
