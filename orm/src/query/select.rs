//! The query itself.

use std::any::TypeId;
use std::fmt;
use std::marker::PhantomData;

use crate::compile;
use crate::error::{Error, Result};
use crate::expr::{Alias, Op, Order, Pred, Tape};
use crate::model::{Column, ColumnType, ColumnVisitor, Columns, Description, Load, Model, restrict};
use crate::plan::{Key, Kind, Plan};
use crate::query::{
    All, Binds, Clauses, Cols, Combination, Combined, Include, Join, Lock, Output, Projection, keyset,
};

/// A query for rows of `M`, each read as what `O` says.
///
/// ```
/// use wreath_orm::{Column, Columns, Load, Model, Result, Source, Table};
/// # pub struct Llama { id: i64, name: String, age: i64 }
/// # impl Llama {
/// #     const ID: Column<Self, i64> = Self::TABLE.col("id", |l| &l.id);
/// #     const NAME: Column<Self, String> = Self::TABLE.col("name", |l| &l.name);
/// #     const AGE: Column<Self, i64> = Self::TABLE.col("age", |l| &l.age);
/// # }
/// # impl Load<Self> for Llama {
/// #     fn load<S: Source<Self>>(s: &mut S) -> Result<Self> {
/// #         Ok(Self { id: s.get(Self::ID)?, name: s.get(Self::NAME)?, age: s.get(Self::AGE)? })
/// #     }
/// # }
/// # impl Model for Llama {
/// #     const TABLE: Table<Self> = Table::new("llamas");
/// #     type Key = i64;
/// #     fn key() -> impl Columns<Self, Row = i64> { Self::ID }
/// # }
///
/// let oldest = Llama::select()
///     .filter(Llama::AGE.gt(9))
///     .order_by(Llama::AGE.desc())
///     .order_by(Llama::NAME.asc())
///     .limit(3)
///     .cols((Llama::NAME, Llama::AGE)); // rows are (String, i64)
/// assert_eq!(
///     oldest.to_sql()?,
///     concat!(
///         r#"SELECT t0."name", t0."age" FROM "llamas" AS t0 WHERE t0."age" > $1 "#,
///         r#"ORDER BY t0."age" DESC, t0."name" LIMIT $2"#,
///     ),
/// );
/// # Ok::<(), wreath_orm::Error>(())
/// ```
#[must_use]
pub struct Select<M, O = All<M>> {
    output: O,
    clauses: Clauses,
    manner: Manner,
    model: PhantomData<fn(M)>,
}

/// How a query's statement is kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Manner {
    /// Its plan is kept here, and the statement is prepared by the connection.
    #[default]
    Kept,
    /// Its plan is kept here; the server plans it anew for the values at hand.
    Replanned,
    /// Neither is kept.
    Once,
}

impl<M: Model> Select<M, All<M>> {
    pub(crate) fn new() -> Self {
        Self {
            output: All::default(),
            clauses: Clauses::default(),
            manner: Manner::default(),
            model: PhantomData,
        }
    }
}

/// Queries of whole objects can be put together. What is said of the result (filters, orders, limits, includes) is
/// about all of its rows; an order and a limit of a part stay that part's.
impl<M: Model> Select<M, All<M>> {
    /// The rows of both queries, each once (`UNION`).
    pub fn union(self, other: Self) -> Self {
        self.combine(Combination::Union, other)
    }

    /// The rows of both queries, those of both twice (`UNION ALL`).
    pub fn union_all(self, other: Self) -> Self {
        self.combine(Combination::UnionAll, other)
    }

    /// The rows that are in both queries (`INTERSECT`).
    pub fn intersect(self, other: Self) -> Self {
        self.combine(Combination::Intersect, other)
    }

    /// The rows of this query that are not in the other (`EXCEPT`).
    pub fn except(self, other: Self) -> Self {
        self.combine(Combination::Except, other)
    }

    fn combine(self, by: Combination, other: Self) -> Self {
        let mut clauses = Clauses { fault: self.clauses.fault.or(other.clauses.fault), ..Clauses::default() };
        if self.clauses.lock.or(other.clauses.lock).is_some() {
            clauses.fault = Some("rows of queries that are put together cannot be locked");
        }
        clauses.further().combined = Some(Combined { left: self.clauses, by, right: other.clauses });
        Self { clauses, manner: self.manner.max(other.manner), ..self }
    }
}

impl<M: Model> Select<M, All<M>> {
    /// The query for the row with this key.
    pub(crate) fn by_key(key: &M::Key) -> Result<Self> {
        let mut query = Self::key_is();
        M::key().bind(key, &mut query.clauses.filter.binds)?;
        restrict::<M>(&mut query.clauses.filter, &[]);
        Ok(query)
    }

    /// A query for all rows that the model's filters let be seen, but for those that are lifted.
    pub(crate) fn restricted(lifted: &[&str]) -> Self {
        let mut query = Self::new();
        restrict::<M>(&mut query.clauses.filter, lifted);
        if lifted.iter().any(|name| !M::FILTERS.iter().any(|filter| filter.name() == *name)) {
            query.clauses.fault = Some("a filter is lifted that the model does not have");
        }
        query
    }

    /// The query for the row that has this object's key.
    pub(crate) fn of_object(of: &Description<M>, object: &M) -> Result<Self> {
        let mut query = Self::key_is();
        for &place in &of.key {
            of.fields[place].bind(object, &mut query.clauses.filter.binds)?;
        }
        Ok(query)
    }

    /// The query for a row by its key, whose values are still to come.
    fn key_is() -> Self {
        struct Equal(Tape, bool);
        impl<M> ColumnVisitor<M> for Equal {
            fn column<T: ColumnType>(&mut self, column: Column<M, T>) {
                let Self(tape, more) = self;
                tape.op(Op::Column);
                tape.word(column.word());
                tape.name(column.name());
                tape.op(Op::Param);
                tape.op(Op::Eq);
                if std::mem::replace(more, true) {
                    tape.op(Op::And);
                }
            }
        }
        let mut equal = Equal(Tape::default(), false);
        M::key().each(&mut equal);
        let clauses = Clauses { filter: equal.0, ..Clauses::default() };
        Self { clauses, ..Self::new() }
    }
}

impl<M: Model, O: Output<M>> Select<M, O> {
    /// Only rows for which `pred` holds. Called again, both have to.
    pub fn filter(mut self, pred: Pred<M>) -> Self {
        self.clauses.filter.and(&pred.tape);
        self.clauses.filtered = true;
        self
    }

    /// Rows in this order. Called again, that order is for rows that are level in the first.
    pub fn order_by(mut self, order: Order<M>) -> Self {
        self.clauses.order.append(&order.tape);
        self
    }

    /// At most so many rows; the last call counts.
    pub fn limit(mut self, rows: u64) -> Self {
        self.clauses.limit = Some(rows);
        self
    }

    /// Passes over so many rows first; the last call counts.
    pub fn offset(mut self, rows: u64) -> Self {
        self.clauses.offset = Some(rows);
        self
    }

    /// Rows as these columns and expressions: a value for one, a tuple for a tuple of them.
    pub fn cols<C: Projection<M>>(self, columns: C) -> Select<M, Cols<C>> {
        self.map(|_| Cols(columns))
    }

    /// One row for all that agree in these columns or expressions; the others are read through aggregates. Called
    /// again, they have to agree in those, too. An expression stands in columns, orders and [`having`](Self::having)
    /// as it does here: with equal values it is the same one.
    pub fn group_by<C: Projection<M>>(mut self, columns: C) -> Self {
        columns.list(&mut self.clauses.further().groups);
        self
    }

    /// Only groups for which `pred` holds, in which there may be aggregates. Called again, both have to.
    pub fn having(mut self, pred: Pred<M>) -> Self {
        self.clauses.further().having.and(&pred.tape);
        self
    }

    /// Of rows that agree in these columns or expressions, the first in the query's order, which has to begin with
    /// them.
    pub fn distinct_on<C: Projection<M>>(mut self, columns: C) -> Self {
        columns.list(&mut self.clauses.further().distinct_on);
        self
    }

    /// Joins another occurrence of a table, whose columns ([`Column::of`]) can then be used in all that the query
    /// says: a row for each pair for which `on` holds. Each join has an alias of its own. For relations there is
    /// [`include`](Self::include).
    pub fn join<N: Model>(mut self, alias: Alias<N>, on: Pred<M>) -> Self {
        self.clauses.join(Join::new::<N>(alias.name(), false, on.tape));
        self
    }

    /// As [`join`](Self::join), but a row for which `on` never holds stays, with NULL for the columns of the
    /// alias: read them as [`optional`](crate::Expr::optional).
    pub fn left_join<N: Model>(mut self, alias: Alias<N>, on: Pred<M>) -> Self {
        self.clauses.join(Join::new::<N>(alias.name(), true, on.tape));
        self
    }

    /// Only rows that come, in the query's order, behind the one with these values: the next page of one that ended
    /// there, whatever has been inserted or deleted meanwhile. An index over the columns makes every page cost the
    /// same. `columns` are all that the query has been ordered by, and among them has to be the key.
    ///
    /// ```
    /// # use wreath_orm::{Column, Columns, Load, Model, Result, Source, Table};
    /// # pub struct Llama { id: i64, age: i64 }
    /// # impl Llama {
    /// #     const ID: Column<Self, i64> = Self::TABLE.col("id", |l| &l.id);
    /// #     const AGE: Column<Self, i64> = Self::TABLE.col("age", |l| &l.age);
    /// # }
    /// # impl Load<Self> for Llama {
    /// #     fn load<S: Source<Self>>(s: &mut S) -> Result<Self> {
    /// #         Ok(Self { id: s.get(Self::ID)?, age: s.get(Self::AGE)? })
    /// #     }
    /// # }
    /// # impl Model for Llama {
    /// #     const TABLE: Table<Self> = Table::new("llamas");
    /// #     type Key = i64;
    /// #     fn key() -> impl Columns<Self, Row = i64> { Self::ID }
    /// # }
    /// let oldest = Llama::select().order_by(Llama::AGE.desc()).order_by(Llama::ID.desc()).limit(20);
    /// let next = oldest.after((Llama::AGE, Llama::ID), &(9, 7)); // behind llama 7, who is 9
    /// assert!(next.to_sql()?.contains(r#"(t0."age", t0."id") < ($1, $2)"#));
    /// # Ok::<(), wreath_orm::Error>(())
    /// ```
    ///
    /// Running the query fails with [`Declaration`](crate::ErrorKind::Declaration), when the columns are not those of
    /// its order, or do not tell rows apart.
    pub fn after<C: Columns<M>>(mut self, columns: C, row: &C::Row) -> Self {
        match keyset::after::<M, C>(&self.clauses.order, columns, row) {
            Ok(behind) => self.clauses.filter.and(&behind),
            Err(fault) => self.clauses.fault = Some(fault),
        }
        self
    }

    /// Rows as an `L`, a struct that takes some of the model's columns.
    pub fn into<L: Load<M>>(self) -> Select<M, All<L>> {
        self.map(|_| All::default())
    }

    /// Rows with the other ends of a relation beside them, as one flat tuple: `(llama, paddock)`, and with
    /// another include `(llama, paddock, shearings)`. See [`ToOne::joined`](crate::ToOne::joined) and
    /// [`ToMany::selectin`](crate::ToMany::selectin).
    pub fn include<I: Output<M>>(self, include: I) -> Select<M, O::With>
    where
        O: Include<M, I>,
    {
        self.map(|output| output.with(include))
    }

    /// Rows that differ in what is read of them; of those that do not, one.
    pub fn distinct(mut self) -> Self {
        self.clauses.distinct = true;
        self
    }

    /// Locks the rows. It is refused outside of a transaction, where the lock would be gone before the rows have
    /// arrived: see [`Session::begin`](crate::Session::begin).
    pub fn lock(mut self, lock: Lock) -> Self {
        self.clauses.lock = Some(lock);
        self
    }

    /// The rows of one page: `size` of them, behind those of the pages before. Pages begin with 1.
    /// [`Db::fetch_page`](crate::Db::fetch_page) counts all rows as well; [`after`](Self::after) goes on from a
    /// row and costs the same for every page.
    ///
    /// Running the query fails with [`Declaration`](crate::ErrorKind::Declaration), when the page or its size is
    /// 0, or there cannot be so many rows.
    pub fn page(mut self, page: u64, size: u64) -> Self {
        match page.checked_sub(1).and_then(|before| before.checked_mul(size)) {
            Some(offset) if size > 0 && i64::try_from(offset).is_ok() && i64::try_from(size).is_ok() => {
                self.limit(size).offset(offset)
            }
            _ => {
                self.clauses.fault = Some("pages begin with 1, have rows, and end before 2^63 of them");
                self
            }
        }
    }

    /// Has the server plan the query for the values at hand each time it runs, as `plan_cache_mode =
    /// force_custom_plan` would: for values so unevenly spread that one plan does not fit all of them. It
    /// costs a parse and a plan each time.
    pub fn custom_plan(mut self) -> Self {
        self.manner = self.manner.max(Manner::Replanned);
        self
    }

    /// Compiles the query each time instead of keeping its plan, here and on the connection: for shapes that
    /// are made up at run time and will not be seen again.
    pub fn uncached(mut self) -> Self {
        self.manner = Manner::Once;
        self
    }

    /// The statement that the query compiles to.
    ///
    /// # Errors
    /// [`Declaration`](crate::ErrorKind::Declaration), when a model in it is not declared rightly.
    pub fn to_sql(&self) -> Result<String> {
        Ok(self.compile(Kind::Select, None)?.sql.as_str().to_owned())
    }

    /// The statement that the query compiles to, and those that fetch the to-many relations which it
    /// includes, each before those that are nested in it.
    ///
    /// # Errors
    /// As [`to_sql`](Self::to_sql).
    pub fn statements(&self) -> Result<Vec<String>> {
        let plan = self.compile(Kind::Select, None)?;
        let mut all = vec![plan.sql.as_str().to_owned()];
        plan.level.collect_sql(&mut all);
        Ok(all)
    }

    /// The hash of the query's shape: the same for the same code with other values, and what its plan is
    /// found by.
    pub fn shape_hash(&self) -> u64 {
        self.key(Kind::Select, None).hash()
    }

    fn map<Q>(self, output: impl FnOnce(O) -> Q) -> Select<M, Q> {
        let Self { output: old, clauses, manner, model } = self;
        Select { output: output(old), clauses, manner, model }
    }

    /// The filter of a query that says nothing besides, for a write of all rows that it finds.
    pub(crate) fn only_filter(&self) -> Result<&Tape> {
        let refused = |detail| Err(Error::declaration(detail).of(std::any::type_name::<M>()));
        let filter = &self.clauses.filter;
        if !self.clauses.filtered {
            return refused("a write of many rows says which: the query has no filter");
        }
        if !self.clauses.is_only_filter() {
            return refused("a write of many rows takes a filter, and nothing besides");
        }
        match &filter.error {
            Some(error) => Err(Error::from(error.clone()).of(std::any::type_name::<M>())),
            None => Ok(filter),
        }
    }

    pub(crate) fn manner(&self) -> Manner {
        self.manner
    }

    pub(crate) fn output(&self) -> &O {
        &self.output
    }

    /// Whether it has an order and a bound.
    pub(crate) fn is_ranking(&self) -> bool {
        !self.clauses.order.words.is_empty() && self.clauses.limit.is_some()
    }

    pub(crate) fn is_locking(&self) -> bool {
        self.clauses.lock.is_some()
    }

    /// What the plan of a statement of this kind is found by.
    pub(crate) fn key(&self, kind: Kind, cap: Option<u64>) -> Key {
        let columns_matter = kind == Kind::Select || self.clauses.columns_matter();
        let read_as = if columns_matter { TypeId::of::<fn(M) -> O>() } else { TypeId::of::<M>() };
        let mut key = Key::new(kind, read_as);
        self.clauses.shape(kind, cap, &mut key);
        if columns_matter {
            self.output.shape(&mut key);
        }
        if self.clauses.compares() {
            key.numbers(&self.numbers(kind, cap));
        }
        key
    }

    /// The parameters of a statement of this kind, and of those that follow it.
    pub(crate) fn binds(&self, kind: Kind, cap: Option<u64>) -> Result<Binds> {
        let columns = kind == Kind::Select || self.clauses.columns_matter();
        let mut binds = if self.clauses.compares() { Binds::sharing() } else { Binds::default() };
        let mut bind = || {
            if let Some(further) = &self.clauses.further {
                further.bind_tables(&mut binds)?;
            }
            if columns {
                self.output.bind(&mut binds)?;
            }
            self.clauses.bind(kind, cap, columns, &mut binds)
        };
        bind().map_err(|e| e.of(std::any::type_name::<M>()))?;
        Ok(binds)
    }

    /// Appends the query as a subquery that selects `column`.
    pub(crate) fn nest(&self, column: &Tape, tape: &mut Tape) {
        tape.op(Op::OpenSelect);
        tape.word(M::TABLE.word());
        tape.name(M::TABLE.schema_name().unwrap_or(""));
        tape.name(M::TABLE.name());
        tape.append(column);
        self.clauses.nest(tape);
    }

    /// The number of each parameter, where some are one. Values that cannot be sent share none: they fail the
    /// statement.
    fn numbers(&self, kind: Kind, cap: Option<u64>) -> Vec<usize> {
        if !self.clauses.compares() {
            return Vec::new();
        }
        self.binds(kind, cap).map(Binds::into_numbers).unwrap_or_default()
    }

    pub(crate) fn compile(&self, kind: Kind, cap: Option<u64>) -> Result<Plan> {
        self.clauses.check()?;
        let numbers = compile::Numbers { shared: self.numbers(kind, cap), ..compile::Numbers::default() };
        match kind {
            Kind::Count => compile::count(&self.output, &self.clauses, numbers),
            Kind::Exists => compile::exists(&self.output, &self.clauses, numbers),
            _ => {
                let limit = self.clauses.limit_within(cap).is_some();
                compile::select(&self.output, &self.clauses, limit, numbers)
            }
        }
    }
}

impl<M, O: Clone> Clone for Select<M, O> {
    fn clone(&self) -> Self {
        let Self { output, clauses, manner, model } = self;
        Self { output: output.clone(), clauses: clauses.clone(), manner: *manner, model: *model }
    }
}

impl<M: Model, O: Output<M>> fmt::Debug for Select<M, O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.to_sql() {
            Ok(sql) => write!(f, "Select({sql})"),
            Err(error) => write!(f, "Select({error})"),
        }
    }
}
