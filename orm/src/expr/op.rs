//! The operators, in one table: the word that stands for each in shapes, and how it is written in SQL.

/// How tightly the outermost operator of a piece of SQL binds, from the loosest (PostgreSQL manual, "Operator
/// Precedence"). An operand that binds less tightly than its operator needs is put into parentheses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Binding {
    Or,
    And,
    Not,
    Is,
    Comparison,
    Pattern,
    Other,
    Sum,
    Product,
    Atom,
}

/// How an operator is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// Between its two operands.
    Infix(&'static str, Binding),
    /// Ahead of its operand.
    Prefix(&'static str, Binding),
    /// Behind its operand.
    Suffix(&'static str, Binding),
    /// In a way of its own.
    Own,
}

/// Defines the operators: each with its word and its form.
macro_rules! ops {
    ($($(#[$doc:meta])* $name:ident = $word:literal: $form:expr;)*) => {
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

            /// How it is written.
            pub(crate) const fn form(self) -> Form {
                use Binding::{And, Comparison, Is, Not, Or, Other, Pattern, Product, Sum};
                use Form::{Infix, Own, Prefix, Suffix};
                match self {
                    $(Self::$name => $form,)*
                }
            }
        }
    };
}

ops! {
    /// A column of the table at hand. Words: its id. Names: its own.
    Column = 1: Own;
    /// A column of a named occurrence. Words: the alias's hash, the column's id. Names: the alias's, its own.
    Aliased = 2: Own;
    /// The next parameter.
    Param = 3: Own;
    /// A column of the nearest table around, past the one at hand, that is its own. Words: the hash of the
    /// table, the column's id. Names: its own.
    Outer = 4: Own;
    /// A whole number that is part of the shape. Words: it.
    Number = 5: Own;
    /// A text that is part of the shape, as a literal. Words: its hash. Names: it.
    Text = 6: Own;
    /// Words of SQL as they stand. Words: their hash. Names: they.
    Raw = 7: Own;
    /// What stands before, one behind the other. Words: how many.
    Concat = 8: Own;

    /// `a = b`
    Eq = 16: Infix("=", Comparison);
    /// `a <> b`
    Ne = 17: Infix("<>", Comparison);
    /// `a < b`
    Lt = 18: Infix("<", Comparison);
    /// `a <= b`
    Le = 19: Infix("<=", Comparison);
    /// `a > b`
    Gt = 20: Infix(">", Comparison);
    /// `a >= b`
    Ge = 21: Infix(">=", Comparison);
    /// `a = ANY (array)`
    Any = 22: Own;
    /// `a IS NULL`
    IsNull = 23: Suffix("IS NULL", Is);
    /// `a IS NOT NULL`
    IsNotNull = 24: Suffix("IS NOT NULL", Is);
    /// `a <> ALL (array)`
    NotAny = 25: Own;
    /// `a IS DISTINCT FROM b`
    Distinct = 26: Infix("IS DISTINCT FROM", Is);
    /// `a IS NOT DISTINCT FROM b`
    NotDistinct = 27: Infix("IS NOT DISTINCT FROM", Is);
    /// `a BETWEEN b AND c`
    Between = 28: Own;
    /// `a IS TRUE`
    IsTrue = 29: Suffix("IS TRUE", Is);
    /// `a IS FALSE`
    IsFalse = 30: Suffix("IS FALSE", Is);
    /// `a IS UNKNOWN`
    IsUnknown = 31: Suffix("IS UNKNOWN", Is);

    /// `a AND b`
    And = 32: Infix("AND", And);
    /// `a OR b`
    Or = 33: Infix("OR", Or);
    /// `NOT a`
    Not = 34: Prefix("NOT ", Not);

    /// What follows, up to [`Close`](Self::Close), is about the other end of a relation. Words: how many pairs
    /// of columns, and for each the ids of the near and the far one. Names: the far table's schema and name,
    /// and for each pair the far column's and the near one's.
    OpenRelation = 48: Own;
    /// What follows, up to [`Close`](Self::Close), may use an alias. Words: the alias's hash, the hash of
    /// its table. Names: the alias's, its table's schema and name.
    OpenAlias = 49: Own;
    /// The end of what was opened last: whether there is such a row.
    Close = 50: Own;
    /// What follows, up to [`CloseSelect`](Self::CloseSelect), is a SELECT from a table: its column, then its
    /// filter, its orders, its limit and its offset. Words: the hash of its table. Names: its schema and name.
    OpenSelect = 51: Own;
    /// The end of a SELECT. Words: which clauses it has.
    CloseSelect = 52: Own;
    /// `EXISTS select`
    Exists = 53: Prefix("EXISTS ", Binding::Atom);
    /// `a IN select`
    In = 54: Infix("IN", Pattern);
    /// `a NOT IN select`
    NotIn = 55: Infix("NOT IN", Pattern);

    /// An ordering by what stands before. Words: its direction.
    Order = 64: Own;
    /// A function of this crate's choice. Words: the hash of its name, how many arguments. Names: its own.
    Call = 65: Own;
    /// A function that was named by the user. Words: the hashes of its schema and name, how many arguments.
    /// Names: its schema and name.
    Function = 66: Own;
    /// An aggregate. Words: the hash of its name, how many arguments, how many orders, whether it is
    /// DISTINCT. Names: its own.
    Aggregate = 67: Own;
    /// `aggregate FILTER (WHERE a)`
    Filter = 68: Own;
    /// `function OVER (window)`. Words: how many partitions, how many orders, the frame.
    Over = 69: Own;
    /// `CASE WHEN a THEN b ... ELSE c END`. Words: how many branches, whether there is an ELSE.
    Case = 70: Own;
    /// `a::type`, of a type that has a number. Words: the number.
    Cast = 71: Own;
    /// `a::type`, of a type that has a name. Words: the hash of schema and name, whether it is an array of
    /// it. Names: its schema and name.
    CastNamed = 72: Own;
    /// `(array)[index]`
    Index = 73: Own;

    /// `a + b`
    Add = 80: Infix("+", Sum);
    /// `a - b`
    Sub = 81: Infix("-", Sum);
    /// `a * b`
    Mul = 82: Infix("*", Product);
    /// `a / b`
    Div = 83: Infix("/", Product);
    /// `a % b`
    Rem = 84: Infix("%", Product);
    /// `-a`
    Neg = 85: Prefix("- ", Product);
    /// `a & b`, of bits
    BitAnd = 86: Infix("&", Other);
    /// `a | b`, of bits
    BitOr = 87: Infix("|", Other);
    /// `a # b`: exclusive or
    BitXor = 88: Infix("#", Other);
    /// `~a`
    BitNot = 89: Prefix("~ ", Other);
    /// `a << b`: shifted, or wholly before
    Left = 90: Infix("<<", Other);
    /// `a >> b`: shifted, or wholly behind
    Right = 91: Infix(">>", Other);

    /// `a LIKE b`
    Like = 96: Infix("LIKE", Pattern);
    /// `a NOT LIKE b`
    NotLike = 97: Infix("NOT LIKE", Pattern);
    /// `a ILIKE b`
    Ilike = 98: Infix("ILIKE", Pattern);
    /// `a NOT ILIKE b`
    NotIlike = 99: Infix("NOT ILIKE", Pattern);
    /// `a ~ b`: a regular expression
    Regex = 100: Infix("~", Other);
    /// `a ~* b`
    RegexAnyCase = 101: Infix("~*", Other);
    /// `a || b`
    Append = 102: Infix("||", Other);

    /// `a @> b`
    Contains = 112: Infix("@>", Other);
    /// `a <@ b`
    ContainedBy = 113: Infix("<@", Other);
    /// `a && b`
    Overlaps = 114: Infix("&&", Other);
    /// `a -|- b`
    Adjacent = 115: Infix("-|-", Other);
    /// `a &< b`
    NotRightOf = 116: Infix("&<", Other);
    /// `a &> b`
    NotLeftOf = 117: Infix("&>", Other);
    /// `b = ANY (a)`
    HasElement = 118: Own;
    /// `b = ALL (a)`
    AllAre = 119: Own;

    /// `a ? b`
    HasKey = 128: Infix("?", Other);
    /// `a ?| b`
    HasAnyKey = 129: Infix("?|", Other);
    /// `a ?& b`
    HasAllKeys = 130: Infix("?&", Other);
    /// `a -> b`
    Get = 131: Infix("->", Other);
    /// `a ->> b`
    GetText = 132: Infix("->>", Other);
    /// `a #> b`
    Path = 133: Infix("#>", Other);
    /// `a #>> b`
    PathText = 134: Infix("#>>", Other);
    /// `a @? b`
    PathExists = 135: Infix("@?", Other);
    /// `a @@ b`: a JSON path, or a text search
    Matches = 136: Infix("@@", Other);
    /// `a #- b`
    WithoutPath = 137: Infix("#-", Other);

    /// `a <-> b`
    L2 = 144: Infix("<->", Other);
    /// `a <=> b`
    Cosine = 145: Infix("<=>", Other);
    /// `a <#> b`
    InnerProduct = 146: Infix("<#>", Other);
    /// `a <+> b`
    L1 = 147: Infix("<+>", Other);
    /// `a <~> b`
    Hamming = 148: Infix("<~>", Other);
    /// `a <%> b`
    Jaccard = 149: Infix("<%>", Other);
    /// The distance on a sphere of a point to a centre, in metres. Operands: the point, the centre's
    /// latitude, the cosine of that, the centre's longitude.
    Haversine = 150: Own;
}
