//! Kinds of work.

use std::fmt;

/// What a pool of a [`Database`](crate::Database) is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Workload {
    /// Reading, possibly from a standby. Its sessions only read.
    Read,
    /// Reading what decides who may do what, which must not wait behind other reads. Its sessions only read.
    SecurityRead,
    /// Writing, and reading one's own writes.
    Write,
}

impl Workload {
    /// Whether its sessions only read.
    pub fn is_read_only(self) -> bool {
        self != Self::Write
    }

    /// Its name: `read`, `security_read` or `write`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::SecurityRead => "security_read",
            Self::Write => "write",
        }
    }
}

impl fmt::Display for Workload {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
