//! The query itself.

use std::any::TypeId;
use std::fmt;
use std::marker::PhantomData;

use wreath_codecs::ParamBuf;

use crate::compile;
use crate::compile::Clauses;
use crate::error::{Error, Result};
use crate::expr::{Op, Order, Pred, Tape};
use crate::model::{Column, ColumnType, ColumnVisitor, Columns, Description, Load, Model};
use crate::plan::{Key, Kind, Plan};
use crate::query::{All, Cols, Include, Output};

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
    filter: Tape,
    order: Tape,
    limit: Option<u64>,
    offset: Option<u64>,
    cached: bool,
    model: PhantomData<fn(M)>,
}

impl<M: Model> Select<M, All<M>> {
    pub(crate) fn new() -> Self {
        Self {
            output: All::default(),
            filter: Tape::default(),
            order: Tape::default(),
            limit: None,
            offset: None,
            cached: true,
            model: PhantomData,
        }
    }
}

impl<M: Model> Select<M, All<M>> {
    /// The query for the row with this key.
    pub(crate) fn by_key(key: &M::Key) -> Result<Self> {
        let mut query = Self::key_is();
        M::key().bind(key, &mut query.filter.binds)?;
        Ok(query)
    }

    /// The query for the row that has this object's key.
    pub(crate) fn of_object(of: &Description<M>, object: &M) -> Result<Self> {
        let mut query = Self::key_is();
        for &place in &of.key {
            of.fields[place].bind(object, &mut query.filter.binds)?;
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
        Self { filter: equal.0, ..Self::new() }
    }
}

impl<M: Model, O: Output<M>> Select<M, O> {
    /// Only rows for which `pred` holds. Called again, both have to.
    pub fn filter(mut self, pred: Pred<M>) -> Self {
        self.filter.and(&pred.tape);
        self
    }

    /// Rows in this order. Called again, that order is for rows that are level in the first.
    pub fn order_by(mut self, order: Order<M>) -> Self {
        self.order.append(&order.tape);
        self
    }

    /// At most so many rows; the last call counts.
    pub fn limit(mut self, rows: u64) -> Self {
        self.limit = Some(rows);
        self
    }

    /// Passes over so many rows first; the last call counts.
    pub fn offset(mut self, rows: u64) -> Self {
        self.offset = Some(rows);
        self
    }

    /// Rows as these columns: a value for one column, a tuple for a tuple of them.
    pub fn cols<C: Columns<M>>(self, columns: C) -> Select<M, Cols<C>> {
        self.map(|_| Cols(columns))
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

    /// Compiles the query each time instead of keeping its plan: for shapes that are made up at run time
    /// and will not be seen again.
    pub fn uncached(mut self) -> Self {
        self.cached = false;
        self
    }

    /// The statement that the query compiles to.
    ///
    /// # Errors
    /// [`Declaration`](crate::ErrorKind::Declaration), when a model in it is not declared rightly.
    pub fn to_sql(&self) -> Result<String> {
        Ok(self.compile(Kind::Select, None)?.sql.as_str().to_owned())
    }

    /// The hash of the query's shape: the same for the same code with other values, and what its plan is
    /// found by.
    pub fn shape_hash(&self) -> u64 {
        self.key(Kind::Select, None).hash()
    }

    fn map<Q>(self, output: impl FnOnce(O) -> Q) -> Select<M, Q> {
        Select {
            output: output(self.output),
            filter: self.filter,
            order: self.order,
            limit: self.limit,
            offset: self.offset,
            cached: self.cached,
            model: PhantomData,
        }
    }

    /// The filter of a query that says nothing besides, for a write of all rows that it finds.
    pub(crate) fn only_filter(&self) -> Result<&Tape> {
        let refused = |detail| Err(Error::declaration(detail).of(std::any::type_name::<M>()));
        if self.filter.words.is_empty() {
            return refused("a write of many rows says which: the query has no filter");
        }
        if self.limit.is_some() || self.offset.is_some() || !self.order.words.is_empty() {
            return refused("a write of many rows takes no order, limit or offset");
        }
        match &self.filter.error {
            Some(error) => Err(Error::from(error.clone()).of(std::any::type_name::<M>())),
            None => Ok(&self.filter),
        }
    }

    pub(crate) fn is_cached(&self) -> bool {
        self.cached
    }

    pub(crate) fn output(&self) -> &O {
        &self.output
    }

    /// What the plan of a statement of this kind is found by.
    pub(crate) fn key(&self, kind: Kind, cap: Option<u64>) -> Key {
        match kind {
            Kind::Select => {
                let mut key = Key::new(kind, TypeId::of::<fn(M) -> O>());
                key.clause(&self.filter.words);
                key.clause(&self.order.words);
                let limit = self.limit_within(cap).is_some();
                key.push(u64::from(limit) | u64::from(self.offset.is_some()) << 1);
                self.output.shape(&mut key);
                key
            }
            _ => {
                let mut key = Key::new(kind, TypeId::of::<M>());
                key.clause(&self.filter.words);
                key
            }
        }
    }

    /// The parameters of a statement of this kind, in the order in which its SQL numbers them.
    pub(crate) fn params(&self, kind: Kind, cap: Option<u64>) -> Result<ParamBuf> {
        if let Some(error) = self.filter.error.as_ref().or(self.order.error.as_ref()) {
            return Err(Error::from(error.clone()).of(std::any::type_name::<M>()));
        }
        let mut params = self.filter.binds.clone();
        if kind == Kind::Select {
            params.append(&self.order.binds)?;
            for rows in [self.limit_within(cap), self.offset].into_iter().flatten() {
                params.push(&i64::try_from(rows).unwrap_or(i64::MAX))?;
            }
        }
        Ok(params)
    }

    /// Appends the query as a subquery that selects `column`.
    pub(crate) fn nest(&self, column: &Tape, tape: &mut Tape) {
        tape.op(Op::OpenSelect);
        tape.word(M::TABLE.word());
        tape.name(M::TABLE.schema_name().unwrap_or(""));
        tape.name(M::TABLE.name());
        tape.append(column);
        tape.append(&self.filter);
        tape.append(&self.order);
        for rows in [self.limit, self.offset].into_iter().flatten() {
            tape.param(&i64::try_from(rows).unwrap_or(i64::MAX));
        }
        let clauses = [!self.filter.words.is_empty(), self.limit.is_some(), self.offset.is_some()];
        tape.op(Op::CloseSelect);
        tape.word(clauses.into_iter().rev().fold(0, |bits, clause| bits << 1 | u64::from(clause)));
    }

    pub(crate) fn compile(&self, kind: Kind, cap: Option<u64>) -> Result<Plan> {
        let clauses = Clauses {
            filter: &self.filter,
            order: &self.order,
            limit: self.limit_within(cap).is_some(),
            offset: self.offset.is_some(),
        };
        match kind {
            Kind::Count => compile::count::<M>(clauses),
            Kind::Exists => compile::exists::<M>(clauses),
            _ => compile::select(&self.output, clauses),
        }
    }

    /// The limit, where the caller needs no more than `cap` rows: a stricter one stays.
    fn limit_within(&self, cap: Option<u64>) -> Option<u64> {
        self.limit.into_iter().chain(cap).min()
    }
}

impl<M, O: Clone> Clone for Select<M, O> {
    fn clone(&self) -> Self {
        Self {
            output: self.output.clone(),
            filter: self.filter.clone(),
            order: self.order.clone(),
            limit: self.limit,
            offset: self.offset,
            cached: self.cached,
            model: PhantomData,
        }
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
