//! Which of several servers is taken.

/// What a session has to be able to do; a server that cannot is passed over (PostgreSQL manual, "Parameter Key Words").
///
/// A server of version 14 or later says it while a session begins; another, or a pooler that keeps it to itself, is asked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum TargetSessionAttrs {
    /// Anything.
    #[default]
    Any,
    /// It can write: the server is no standby, and transactions are not read-only by default.
    ReadWrite,
    /// It cannot write: the opposite.
    ReadOnly,
    /// The server is no standby.
    Primary,
    /// The server is a standby.
    Standby,
    /// The server is a standby; or anything, if none of them is.
    PreferStandby,
}

impl TargetSessionAttrs {
    /// Its name in a connection string.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Any => "any",
            Self::ReadWrite => "read-write",
            Self::ReadOnly => "read-only",
            Self::Primary => "primary",
            Self::Standby => "standby",
            Self::PreferStandby => "prefer-standby",
        }
    }

    pub(super) fn from_name(name: &str) -> Option<Self> {
        use TargetSessionAttrs as T;

        [T::Any, T::ReadWrite, T::ReadOnly, T::Primary, T::Standby, T::PreferStandby]
            .into_iter()
            .find(|target| target.name() == name)
    }
}

/// In which order servers are tried, and the addresses of each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum LoadBalanceHosts {
    /// As they were said, and as the system has a name's addresses.
    #[default]
    Disable,
    /// In random order, anew for each connection.
    Random,
}

impl LoadBalanceHosts {
    /// Its name in a connection string.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Disable => "disable",
            Self::Random => "random",
        }
    }

    pub(super) fn from_name(name: &str) -> Option<Self> {
        [Self::Disable, Self::Random].into_iter().find(|order| order.name() == name)
    }

    /// Puts the items into the order in which they are to be tried. Where no random numbers can be had it is the one they
    /// are in.
    pub(crate) fn arrange<T>(self, items: &mut [T]) {
        if self == Self::Disable {
            return;
        }
        for end in (1..items.len()).rev() {
            let Ok(random) = getrandom::u64() else { return };
            // The remainder favours nobody by more than one part in 2^48.
            let chosen = usize::try_from(random % (end as u64 + 1)).unwrap_or(0);
            items.swap(chosen, end);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_is_random_and_nobody_is_lost() {
        let mut firsts = [0; 4];
        for _ in 0..1_000 {
            let mut items = [0, 1, 2, 3];
            LoadBalanceHosts::Random.arrange(&mut items);
            firsts[items[0]] += 1;
            items.sort_unstable();
            assert_eq!(items, [0, 1, 2, 3]);
        }
        // The odds of a fair one being off by so much are below 1 in 10^9.
        assert!(firsts.iter().all(|count| (160..340).contains(count)), "{firsts:?}");
        let mut items = [3, 1, 2];
        LoadBalanceHosts::Disable.arrange(&mut items);
        assert_eq!(items, [3, 1, 2]);
    }
}
