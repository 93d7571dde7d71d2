//! Locks on the rows that a query finds.

/// How a query locks the rows that it finds, until its transaction ends; see
/// [`Select::lock`](crate::Select::lock) (PostgreSQL manual, "The Locking Clause").
///
/// Only rows of the query's own table are locked, not those that are included beside them.
///
/// ```
/// # use wreath_orm::{Column, Columns, Load, Lock, Model, Result, Source, Table};
/// # pub struct Job { id: i64 }
/// # impl Job {
/// #     const ID: Column<Self, i64> = Self::TABLE.col("id", |j| &j.id);
/// # }
/// # impl Load<Self> for Job {
/// #     fn load<S: Source<Self>>(s: &mut S) -> Result<Self> { Ok(Self { id: s.get(Self::ID)? }) }
/// # }
/// # impl Model for Job {
/// #     const TABLE: Table<Self> = Table::new("jobs");
/// #     type Key = i64;
/// #     fn key() -> impl Columns<Self, Row = i64> { Self::ID }
/// # }
/// let next = Job::select().order_by(Job::ID.asc()).limit(1).lock(Lock::UPDATE.skip_locked());
/// assert!(next.to_sql()?.ends_with("FOR UPDATE OF t0 SKIP LOCKED"));
/// # Ok::<(), wreath_orm::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub struct Lock {
    strength: Strength,
    wait: Wait,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Strength {
    Update = 1,
    NoKeyUpdate = 2,
    Share = 3,
    KeyShare = 4,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wait {
    Long = 0,
    Not = 1,
    Skip = 2,
}

impl Lock {
    /// `FOR UPDATE`: nobody else changes, deletes or locks them.
    pub const UPDATE: Self = Self { strength: Strength::Update, wait: Wait::Long };
    /// `FOR NO KEY UPDATE`: as [`UPDATE`](Self::UPDATE), but rows that refer to them may come.
    pub const NO_KEY_UPDATE: Self = Self { strength: Strength::NoKeyUpdate, wait: Wait::Long };
    /// `FOR SHARE`: nobody changes or deletes them, and others may share the lock.
    pub const SHARE: Self = Self { strength: Strength::Share, wait: Wait::Long };
    /// `FOR KEY SHARE`: nobody deletes them or changes their keys.
    pub const KEY_SHARE: Self = Self { strength: Strength::KeyShare, wait: Wait::Long };

    /// A row that another has locked fails the query at once (SQLSTATE 55P03), instead of being waited for.
    pub const fn nowait(self) -> Self {
        Self { wait: Wait::Not, ..self }
    }

    /// Rows that another has locked are passed over: how several workers take jobs from one table.
    pub const fn skip_locked(self) -> Self {
        Self { wait: Wait::Skip, ..self }
    }

    /// What tells it from others.
    pub(crate) fn word(self) -> u64 {
        self.strength as u64 | (self.wait as u64) << 8
    }

    /// The clause, for the rows of an occurrence.
    pub(crate) fn to_sql(self, row: usize) -> String {
        let strength = match self.strength {
            Strength::Update => "UPDATE",
            Strength::NoKeyUpdate => "NO KEY UPDATE",
            Strength::Share => "SHARE",
            Strength::KeyShare => "KEY SHARE",
        };
        let wait = match self.wait {
            Wait::Long => "",
            Wait::Not => " NOWAIT",
            Wait::Skip => " SKIP LOCKED",
        };
        format!(" FOR {strength} OF t{row}{wait}")
    }
}
