//! Versions of the protocol.

use wreath_codecs::frame::startup::Version;

/// A version of PostgreSQL's protocol (PostgreSQL manual, "Protocol Versions").
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum ProtocolVersion {
    /// 3.0, which every server and pooler speaks.
    V3_0,
    /// 3.2, whose keys for cancel requests are too long to be guessed; servers speak it since PostgreSQL 18.
    V3_2,
}

impl ProtocolVersion {
    /// The newest.
    pub const LATEST: Self = Self::V3_2;

    /// Its name in a connection string.
    pub const fn name(self) -> &'static str {
        match self {
            Self::V3_0 => "3.0",
            Self::V3_2 => "3.2",
        }
    }

    pub(crate) const fn version(self) -> Version {
        match self {
            Self::V3_0 => Version::V3_0,
            Self::V3_2 => Version::V3_2,
        }
    }
}
