//! Finding out, once a type, which columns a `load` takes, and whether it puts them where they belong.

use std::any::{Any, TypeId, type_name};
use std::collections::HashMap;
use std::sync::{LazyLock, Mutex, PoisonError, RwLock};

use smallvec::SmallVec;
use wreath_codecs::PgType;
use wreath_codecs::wire::Reader;
use wreath_codecs::{DecodeError, EncodeError, Encoder, ParamBuf, Type};

use crate::check::Violation;
use crate::error::{Error, Result};
use crate::model::load::sealed::Sealed;
use crate::model::{
    Column, ColumnType, ColumnVisitor, Columns, Declared, Fill, Generated, Load, Model, Source, Table,
};

/// A column without its type: what binds, snapshots and checks walk.
pub(crate) trait Field<M>: Send + Sync {
    /// Appends the object's value as a parameter.
    fn bind(&self, object: &M, out: &mut ParamBuf) -> std::result::Result<(), EncodeError>;

    /// Appends the object's value as it travels.
    fn encode(&self, object: &M, out: &mut Encoder) -> std::result::Result<(), EncodeError>;

    /// Appends the checks that the object's value breaks.
    fn check(&self, object: &M, found: &mut Vec<Violation>);

    /// Appends the value that the program gives the column then, if it gives one.
    fn fill(&self, when: Fill, out: &mut Encoder) -> Option<std::result::Result<(), EncodeError>>;

    /// Appends what stands for a value that is not known yet.
    fn stand_in(&self, out: &mut Encoder) -> std::result::Result<(), EncodeError>;

    /// Whether the column's type reads a value.
    fn reads(&self, ty: &Type, value: Option<&[u8]>) -> std::result::Result<(), DecodeError>;

    /// What is wrong with how its checks are declared.
    fn faults(&self) -> std::result::Result<(), String>;

    /// Its checks in SQL, as far as SQL says the same.
    fn conditions(&self, column: &str) -> Vec<String>;
}

/// What is known of a model once it has been described.
pub(crate) struct Description<M> {
    /// The model's Rust path.
    pub(crate) model: &'static str,
    /// Its table.
    pub(crate) table: Table<M>,
    /// Its columns, in the order in which `load` takes them.
    pub(crate) columns: Vec<Declared>,
    /// The same columns' accessors.
    pub(crate) fields: Vec<Box<dyn Field<M>>>,
    /// The places of the key's columns.
    pub(crate) key: SmallVec<[usize; 2]>,
    /// The place of the column that counts the versions of a row, where there is one.
    pub(crate) version: Option<usize>,
    /// Whether the program sets columns when an object is added or changed.
    pub(crate) stamps: bool,
    /// The conditions that the table holds its rows to: their names, and what they say.
    pub(crate) conditions: Vec<(String, String)>,
    /// The wider model, where this one narrows one.
    pub(crate) narrows: Option<&'static str>,
}

impl<M> Description<M> {
    /// The places of the columns that an object's row is found by: its key, and its version.
    pub(crate) fn found_by(&self) -> impl Iterator<Item = usize> + Clone {
        self.key.iter().copied().chain(self.version)
    }

    /// The places of the columns that the server makes anew with each update.
    pub(crate) fn made_by_updates(&self) -> impl Iterator<Item = usize> + Clone {
        let generated = |&place: &usize| self.columns[place].generated.is_some();
        (0..self.columns.len()).filter(generated).chain(self.version)
    }
}

impl<M: Model> Description<M> {
    /// Appends all values of `object`, as they travel.
    pub(crate) fn encode(&self, object: &M, out: &mut Encoder) -> Result<()> {
        (0..self.fields.len()).try_for_each(|place| self.encode_at(place, object, out))
    }

    /// Appends the value of one column, as it travels.
    pub(crate) fn encode_at(&self, place: usize, object: &M, out: &mut Encoder) -> Result<()> {
        let named = |e| Error::from(e).of(self.model).at(self.columns[place].name);
        self.fields[place].encode(object, out).map_err(named)
    }

    /// Appends the values of the key's columns, as they travel.
    pub(crate) fn encode_key(&self, object: &M, out: &mut Encoder) -> Result<()> {
        self.key.iter().try_for_each(|&place| self.encode_at(place, object, out))
    }
}

/// The description of a model, made at the first use.
pub(crate) fn describe<M: Model>() -> Result<&'static Description<M>> {
    cached(TypeId::of::<Description<M>>(), make::<M>)
}

/// The columns that `L` takes of rows of `M`, found out at the first use.
pub(crate) fn columns_of<M: Model, L: Load<M>>() -> Result<&'static [Declared]> {
    if TypeId::of::<L>() == TypeId::of::<M>() {
        return Ok(&describe::<M>()?.columns);
    }
    let columns: &'static Vec<Declared> = cached(TypeId::of::<fn(M) -> L>(), || {
        let mut source = Describe::<M>::new(0);
        L::load(&mut source).map_err(|e| e.of(type_name::<L>()))?;
        claim_ids::<M>(&source.columns)?;
        Ok(source.columns)
    })?;
    Ok(columns)
}

type Known = RwLock<HashMap<TypeId, &'static (dyn Any + Send + Sync)>>;

/// Descriptions live as long as the program: there is one a type.
static KNOWN: LazyLock<Known> = LazyLock::new(Known::default);

fn cached<T: Any + Send + Sync>(id: TypeId, make: impl FnOnce() -> Result<T>) -> Result<&'static T> {
    let found = KNOWN.read().unwrap_or_else(PoisonError::into_inner).get(&id).copied();
    if let Some(known) = found.and_then(|known| known.downcast_ref()) {
        return Ok(known);
    }
    // Made outside the lock, since `load` is the user's code; the first one to be done wins.
    let made = make()?;
    let mut known = KNOWN.write().unwrap_or_else(PoisonError::into_inner);
    let entry = known.entry(id).or_insert_with(|| Box::leak(Box::new(made)));
    Ok(entry.downcast_ref().expect("an id stands for one type"))
}

fn make<M: Model>() -> Result<Description<M>> {
    let model = type_name::<M>();
    let mut first = Describe::new(0);
    let object = M::load(&mut first).map_err(|e| e.of(model))?;
    verify(&first.columns, &first.fields, &object, &first.expected)?;
    let mut round = 1;
    while first.columns.len() > 1 << (round - 1) {
        let mut again = Describe::new(round);
        let object = M::load(&mut again).map_err(|e| e.of(model))?;
        if again.columns.iter().map(|c| c.id).ne(first.columns.iter().map(|c| c.id)) {
            return Err(Error::declaration("`load` takes other columns each time it runs").of(model));
        }
        verify(&first.columns, &first.fields, &object, &again.expected)?;
        round += 1;
    }
    let version = version_place(&first.columns).map_err(|e| e.of(model))?;
    let key = key_places::<M>(&first.columns)?;
    check_names::<M>(&first.columns)?;
    claim_ids::<M>(&first.columns)?;
    for (field, column) in first.fields.iter().zip(&first.columns) {
        field.faults().map_err(|fault| Error::declaration(fault).of(model).at(column.name))?;
    }
    let table = M::TABLE.to_string();
    let narrows = M::NARROWS.map(|wider| wider.verify(&table, &first.columns)).transpose();
    let mut of = Description {
        model,
        table: M::TABLE,
        stamps: first.columns.iter().any(|c| c.stamped),
        narrows: narrows.map_err(|e| e.of(model))?,
        columns: first.columns,
        fields: first.fields,
        version,
        key,
        conditions: Vec::new(),
    };
    of.conditions = of.table_conditions();
    Ok(of)
}

/// Whether each accessor gives back the value that was loaded from its column.
fn verify<M: Model>(
    columns: &[Declared],
    fields: &[Box<dyn Field<M>>],
    object: &M,
    expected: &Encoder,
) -> Result<()> {
    let mut expected = Reader::new(expected.as_bytes());
    let mut found = Encoder::new();
    for (column, field) in columns.iter().zip(fields) {
        found.clear();
        field.encode(object, &mut found)?;
        let found = Reader::new(found.as_bytes()).value().map_err(Error::mapping)?;
        if expected.value().map_err(Error::mapping)? != found {
            let detail = "`load` puts the column into another field than its accessor reads: \
                          two fields of one type are swapped";
            return Err(Error::declaration(detail).of(type_name::<M>()).at(column.name));
        }
    }
    Ok(())
}

/// The place of the column that counts versions.
fn version_place(columns: &[Declared]) -> Result<Option<usize>> {
    let mut versions = (0..columns.len()).filter(|&place| columns[place].version);
    let first = versions.next();
    if let Some(second) = versions.next() {
        return Err(Error::declaration("a row has one version, and another column counts it")
            .at(columns[second].name));
    }
    let whole = |place: &usize| {
        let number = [i16::OID, i32::OID, i64::OID].contains(&columns[*place].oid);
        number && !columns[*place].nullable && !columns[*place].is_server_made()
    };
    match first {
        Some(place) if !whole(&place) => {
            Err(Error::declaration("a version is a whole number that the server does not make")
                .at(columns[place].name))
        }
        first => Ok(first),
    }
}

fn key_places<M: Model>(columns: &[Declared]) -> Result<SmallVec<[usize; 2]>> {
    let mut ids = Ids::default();
    M::key().each(&mut ids);
    let place = |&(id, name): &(u64, &'static str)| {
        columns.iter().position(|c| c.id == id).ok_or_else(|| {
            Error::declaration("the key has a column that `load` does not take").of(type_name::<M>()).at(name)
        })
    };
    ids.0.iter().map(place).collect()
}

fn check_names<M: Model>(columns: &[Declared]) -> Result<()> {
    for (i, column) in columns.iter().enumerate() {
        if columns[..i].iter().any(|c| c.name == column.name) {
            return Err(Error::declaration("`load` takes the column twice")
                .of(type_name::<M>())
                .at(column.name));
        }
    }
    let known = |name: &str| columns.iter().any(|c| c.name == name);
    let named = |what: &str, names: &[&'static str]| match names.iter().find(|name| !known(name)) {
        Some(name) => {
            let detail = format!("{what} names a column that `load` does not take");
            Err(Error::declaration(detail).of(type_name::<M>()).at(*name))
        }
        None => Ok(()),
    };
    for rule in M::RULES {
        named("a rule", rule.columns())?;
        named("a rule", rule.reported_at().as_slice())?;
    }
    if let Some(deletion) = M::SOFT_DELETE {
        named("a deletion", &[deletion.column])?;
    }
    for item in M::ITEMS {
        named("an item of the table", item.columns())?;
    }
    for column in columns {
        if let Some(Generated::Search { columns, .. }) = column.generated {
            named("a document to be searched", columns)?;
        }
    }
    for (i, facet) in M::FACETS.iter().enumerate() {
        named("a facet", facet.columns())?;
        if M::FACETS[..i].iter().any(|other| other.namespace() == facet.namespace()) {
            let detail = format!("two facets have the namespace {:?}", facet.namespace());
            return Err(Error::declaration(detail).of(type_name::<M>()));
        }
    }
    Ok(())
}

/// Which column each id stands for, over all models.
type Claims = HashMap<u64, (Option<&'static str>, &'static str, &'static str, TypeId)>;

static CLAIMS: LazyLock<Mutex<Claims>> = LazyLock::new(Mutex::default);

/// Plans are found by the ids of columns, so no two columns may have the same.
fn claim_ids<M: Model>(columns: &[Declared]) -> Result<()> {
    let mut claims = CLAIMS.lock().unwrap_or_else(PoisonError::into_inner);
    for column in columns {
        let claim = (M::TABLE.schema_name(), M::TABLE.name(), column.name, column.type_id);
        claim_id(&mut claims, column.id, claim).map_err(|e| e.of(type_name::<M>()).at(column.name))?;
    }
    Ok(())
}

fn claim_id(
    claims: &mut Claims,
    id: u64,
    claim: (Option<&'static str>, &'static str, &'static str, TypeId),
) -> Result<()> {
    let owner = claims.entry(id).or_insert(claim);
    if *owner == claim {
        return Ok(());
    }
    Err(Error::declaration(format!(
        "its id is also that of column {:?} of table {:?}: rename one of them",
        owner.2, owner.1
    )))
}

/// The source of made-up values.
struct Describe<M> {
    round: u32,
    groups: u32,
    columns: Vec<Declared>,
    fields: Vec<Box<dyn Field<M>>>,
    expected: Encoder,
}

impl<M> Describe<M> {
    fn new(round: u32) -> Self {
        Self { round, groups: 0, columns: Vec::new(), fields: Vec::new(), expected: Encoder::new() }
    }

    /// Which sample a column gets. In the first round all differ. A type with few values repeats itself
    /// there, so further rounds tell any two columns apart by one bit of their places.
    fn sample(&self) -> u32 {
        let place = u32::try_from(self.columns.len()).unwrap_or(u32::MAX);
        if self.round == 0 { place.saturating_add(1) } else { 1 + ((place >> (self.round - 1)) & 1) }
    }
}

impl<M> Sealed for Describe<M> {}

impl<M: 'static> Source<M> for Describe<M> {
    fn get<T: ColumnType>(&mut self, column: Column<M, T>) -> Result<T> {
        let value = T::sample(self.sample());
        self.expected.put_value(&value).map_err(|e| Error::from(e).at(column.name()))?;
        self.columns.push(Declared { grouped: self.groups > 0, ..column.declared() });
        self.fields.push(Box::new(column));
        Ok(value)
    }

    fn group<G: Load<M>>(&mut self) -> Result<G> {
        self.groups += 1;
        let group = G::load(self);
        self.groups -= 1;
        group
    }
}

#[derive(Default)]
struct Ids(SmallVec<[(u64, &'static str); 2]>);

impl<M> ColumnVisitor<M> for Ids {
    fn column<T: ColumnType>(&mut self, column: Column<M, T>) {
        self.0.push((column.word(), column.name()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::ErrorKind;

    #[derive(Debug)]
    struct Gate {
        id: i64,
        open: bool,
        locked: bool,
        guarded: bool,
    }

    macro_rules! gate {
        ($name:ident, $table:literal, $open:ident, $locked:ident) => {
            struct $name(Gate);

            #[allow(dead_code, reason = "each variant loads other columns")]
            impl $name {
                const ID: Column<Self, i64> = Self::TABLE.col("id", |g| &g.0.id);
                const OPEN: Column<Self, bool> = Self::TABLE.col("open", |g| &g.0.open);
                const LOCKED: Column<Self, bool> = Self::TABLE.col("locked", |g| &g.0.locked);
                const GUARDED: Column<Self, bool> = Self::TABLE.col("guarded", |g| &g.0.guarded);
            }

            impl Load<Self> for $name {
                fn load<S: Source<Self>>(s: &mut S) -> Result<Self> {
                    Ok(Self(Gate {
                        id: s.get(Self::ID)?,
                        open: s.get(Self::$open)?,
                        locked: s.get(Self::$locked)?,
                        guarded: s.get(Self::GUARDED)?,
                    }))
                }
            }

            impl Model for $name {
                const TABLE: Table<Self> = Table::new($table);
                type Key = i64;
                fn key() -> impl Columns<Self, Row = i64> {
                    Self::ID
                }
            }
        };
    }

    gate!(Straight, "gates", OPEN, LOCKED);
    gate!(Swapped, "swapped_gates", LOCKED, OPEN);
    gate!(Doubled, "doubled_gates", OPEN, GUARDED);

    #[test]
    fn columns_come_in_the_order_of_load() {
        let known = describe::<Straight>().expect("describes");
        let names: Vec<_> = known.columns.iter().map(|c| c.name).collect();
        assert_eq!(names, ["id", "open", "locked", "guarded"]);
        assert_eq!(known.key.as_slice(), [0]);
        assert!(std::ptr::eq(known, describe::<Straight>().expect("again")), "described once");
    }

    #[test]
    fn swapped_booleans_are_told_apart() {
        let error = describe::<Swapped>().map(|_| ()).expect_err("two fields are swapped");
        assert_eq!(error.kind(), ErrorKind::Declaration);
        assert!(error.model().is_some_and(|m| m.ends_with("Swapped")), "{error}");
        assert!(matches!(error.column(), Some("open" | "locked")), "{error}");
    }

    #[test]
    fn a_column_taken_twice_is_refused() {
        let error = describe::<Doubled>().map(|_| ()).expect_err("one column for two fields");
        assert_eq!(error.kind(), ErrorKind::Declaration);
    }

    #[test]
    fn one_id_for_two_columns_is_refused() {
        let mut claims = Claims::new();
        let of = TypeId::of::<i64>();
        claim_id(&mut claims, 7, (None, "llamas", "id", of)).expect("the first");
        claim_id(&mut claims, 7, (None, "llamas", "id", of)).expect("the same again");
        let error = claim_id(&mut claims, 7, (Some("farm"), "llamas", "id", of)).expect_err("a clash");
        assert_eq!(error.kind(), ErrorKind::Declaration);
        assert!(error.to_string().contains("llamas"), "{error}");
    }
}
