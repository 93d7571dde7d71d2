//! The words that operators stand for.

/// Defines the operators, each with the word that stands for it in shapes.
macro_rules! ops {
    ($($(#[$doc:meta])* $name:ident = $word:literal,)*) => {
        /// What a word of a tape says. Each is followed by a fixed count of further words and takes a fixed
        /// count of names, so that a tape reads in one way only.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum Op {
            $($(#[$doc])* $name = $word,)*
        }

        impl Op {
            /// The word that stands for it.
            #[inline]
            pub(crate) const fn word(self) -> u64 {
                self as u64
            }

            /// What a word stands for.
            pub(crate) const fn of(word: u64) -> Option<Self> {
                match word {
                    $($word => Some(Self::$name),)*
                    _ => None,
                }
            }
        }
    };
}

ops! {
    /// A column of the table at hand. Words: its id. Names: its own.
    Column = 1,
    /// A column of a named occurrence. Words: the alias's hash, the column's id. Names: the alias's, its own.
    Aliased = 2,
    /// The next parameter.
    Param = 3,
    /// `a = b`
    Eq = 16,
    /// `a <> b`
    Ne = 17,
    /// `a < b`
    Lt = 18,
    /// `a <= b`
    Le = 19,
    /// `a > b`
    Gt = 20,
    /// `a >= b`
    Ge = 21,
    /// `a = ANY (array)`
    Any = 22,
    /// `a IS NULL`
    IsNull = 23,
    /// `a IS NOT NULL`
    IsNotNull = 24,
    /// `a AND b`
    And = 32,
    /// `a OR b`
    Or = 33,
    /// `NOT a`
    Not = 34,
    /// What follows, up to [`Close`](Self::Close), is about the other end of a relation. Words: the ids of
    /// the near and the far column. Names: the far table's schema and name, the far column's, the near
    /// column's.
    OpenRelation = 48,
    /// What follows, up to [`Close`](Self::Close), may use an alias. Words: the alias's hash, the hash of
    /// its table. Names: the alias's, its table's schema and name.
    OpenAlias = 49,
    /// The end of what was opened last: whether there is such a row.
    Close = 50,
    /// An ordering by what stands before. Words: its direction.
    Order = 64,
}
