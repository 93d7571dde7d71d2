//! Full text search (PostgreSQL manual, "Full Text Search").

use wreath_codecs::types::{TsQuery, TsVector};

use crate::expr::kind::SqlText;
use crate::expr::ops::operators;
use crate::expr::{Expr, Op, Operand, Pred, Tape};
use crate::model::{Column, ColumnType};

/// What a user typed, as a query: words, `"phrases"`, `or`, and `-` for what must not be there. Nothing that is
/// typed is malformed.
///
/// `config` is the text search configuration, such as `english`. It has to be the one that the searched vector
/// was made by; another finds nothing.
///
/// ```
/// use wreath_orm::expr::websearch;
/// use wreath_orm::{Column, Table, codecs::types::TsVector};
///
/// struct Page { words: TsVector }
/// impl Page {
///     const TABLE: Table<Self> = Table::new("pages");
///     const WORDS: Column<Self, TsVector> = Self::TABLE.col("words", |p| &p.words);
/// }
/// let query = || websearch("english", "llamas -alpacas");
/// assert_eq!(
///     format!("{:?}", Page::WORDS.matches(query())),
///     r#"Pred(t0."words" @@ websearch_to_tsquery('english'::regconfig, $1))"#,
/// );
/// let _ = Page::WORDS.rank(query()).desc();
/// ```
pub fn websearch<M>(config: &'static str, terms: &str) -> Expr<M, TsQuery> {
    query("websearch_to_tsquery", config, terms)
}

/// All of the words, in any order; punctuation means nothing.
pub fn plain_search<M>(config: &'static str, terms: &str) -> Expr<M, TsQuery> {
    query("plainto_tsquery", config, terms)
}

/// All of the words, one after the other; punctuation means nothing.
pub fn phrase_search<M>(config: &'static str, terms: &str) -> Expr<M, TsQuery> {
    query("phraseto_tsquery", config, terms)
}

/// A query in PostgreSQL's own language: `&`, `|`, `!`, `<->`, `:*`. A malformed one fails the statement, so it
/// is for queries that the program makes, not for what users type.
pub fn raw_search<M>(config: &'static str, terms: &str) -> Expr<M, TsQuery> {
    query("to_tsquery", config, terms)
}

fn query<M>(parser: &'static str, config: &'static str, terms: &str) -> Expr<M, TsQuery> {
    let mut tape = Tape::default();
    tape.config(config);
    tape.param(&terms);
    tape.call(parser, 2);
    Expr::new(tape)
}

/// `regconfig`.
const REGCONFIG: u64 = 3734;

impl Tape {
    /// Appends the name of a text search configuration.
    fn config(&mut self, config: &'static str) {
        self.text(config);
        self.op(Op::Cast);
        self.word(REGCONFIG);
    }
}

operators! {
    /// `@@`: the query matches it; see [`websearch`](crate::expr::websearch).
    pub fn matches(self, query: impl Operand<M, TsQuery>) -> Pred<M>
    where
        T: ColumnType<Base = TsVector>,
    {
        self.expr().operand(query).pred(Op::Matches)
    }

    /// How well the query matches it, more being better: order by it descending. It should be the query that the
    /// rows are filtered by.
    pub fn rank<O: Operand<M, TsQuery>>(self, query: O) -> Expr<M, T::Of<f32>>
    where
        T: ColumnType<Base = TsVector>,
    {
        self.expr().operand(query).call("ts_rank", 2)
    }

    /// As [`rank`](Self::rank), by how close together the words are; it reads positions, which a stripped
    /// vector lacks.
    pub fn rank_by_cover<O: Operand<M, TsQuery>>(self, query: O) -> Expr<M, T::Of<f32>>
    where
        T: ColumnType<Base = TsVector>,
    {
        self.expr().operand(query).call("ts_rank_cd", 2)
    }

    /// The words of a text, as they are searched in. Indexed, and not made anew for each row, is a generated
    /// column of it.
    pub fn to_tsvector(self, config: &'static str) -> Expr<M, T::Of<TsVector>>
    where
        T::Base: SqlText,
    {
        let mut tape = Tape::default();
        tape.config(config);
        tape.append(&self.expr().tape);
        tape.call("to_tsvector", 2);
        Expr::new(tape)
    }

    /// A piece of a text with what the query matched in `<b>` tags. The text is not escaped.
    pub fn headline<O: Operand<M, TsQuery>>(self, config: &'static str, query: O) -> Expr<M, T::Of<String>>
    where
        T::Base: SqlText,
    {
        let mut tape = Tape::default();
        tape.config(config);
        tape.append(&self.expr().tape);
        tape.operand::<M, TsQuery>(query);
        tape.call("ts_headline", 3);
        Expr::new(tape)
    }
}
