//! What is said of a database that is not what the models declare.

use wreath_orm::codecs::types::{TimestampTz, Vector};
use wreath_orm::{
    Column, Columns, Db, DifferenceKind, ErrorKind, Item, Label, Labels, Load, Model, Relation, Result,
    Source, Table, ToMany, ToOne, Vectors, create_table_sql,
};

use crate::Farm;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Coat {
    Plain,
    Curly,
}

impl Labels for Coat {
    const TYPE: Option<&'static str> = Some("coat");
    const LABELS: &'static [(Self, &'static str)] = &[(Self::Plain, "plain"), (Self::Curly, "curly")];
}

#[derive(Debug)]
struct Sheep {
    id: i64,
    name: String,
    coat: Label<Coat>,
    weight: Option<f64>,
    barn: i64,
    pen: Option<i32>,
    born: TimestampTz,
    double: Option<f64>,
}

impl Sheep {
    const ID: Column<Self, i64> = Self::TABLE.col("id", |s| &s.id).identity();
    const NAME: Column<Self, String> = Self::TABLE.col("name", |s| &s.name).unique();
    const COAT: Column<Self, Label<Coat>> = Self::TABLE.col("coat", |s| &s.coat);
    const WEIGHT: Column<Self, Option<f64>> = Self::TABLE.col("weight", |s| &s.weight);
    const BARN: Column<Self, i64> = Self::TABLE.col("barn", |s| &s.barn).references(Barn::ID);
    const PEN_NUMBER: Column<Self, Option<i32>> = Self::TABLE.col("pen", |s| &s.pen);
    const BORN: Column<Self, TimestampTz> = Self::TABLE.col("born", |s| &s.born).filled("now()");
    const DOUBLE: Column<Self, Option<f64>> =
        Self::TABLE.col("double", |s| &s.double).generated("weight * 2");

    const PEN: ToOne<Self, Pen> = Self::BARN.to_one(Pen::BARN).and(Self::PEN_NUMBER, Pen::NUMBER);
    const MATES: ToMany<Self, Pen> = Mate::SHEEP.many(Self::ID).then(Mate::PEN);
}

impl Load<Self> for Sheep {
    fn load<S: Source<Self>>(s: &mut S) -> Result<Self> {
        Ok(Self {
            id: s.get(Self::ID)?,
            name: s.get(Self::NAME)?,
            coat: s.get(Self::COAT)?,
            weight: s.get(Self::WEIGHT)?,
            barn: s.get(Self::BARN)?,
            pen: s.get(Self::PEN_NUMBER)?,
            born: s.get(Self::BORN)?,
            double: s.get(Self::DOUBLE)?,
        })
    }
}

impl Model for Sheep {
    const TABLE: Table<Self> = Table::new("sheep");
    const ITEMS: &'static [Item] = &[Item::Unique(&["barn", "pen"])];
    const RELATIONS: &'static [&'static dyn Relation<Self>] = &[&Self::PEN, &Self::MATES];
    type Key = i64;
    fn key() -> impl Columns<Self, Row = i64> {
        Self::ID
    }
}

/// Models that are not declared to the database: only what leads to their tables is looked at.
macro_rules! far_end {
    ($name:ident, $table:literal, $($field:ident $column:ident: $ty:ty = $sql:literal),*; $key:ty = $of:expr) => {
        #[derive(Debug)]
        struct $name { $($field: $ty),* }
        impl $name {
            $(const $column: Column<Self, $ty> = Self::TABLE.col($sql, |x| &x.$field);)*
        }
        impl Load<Self> for $name {
            fn load<S: Source<Self>>(s: &mut S) -> Result<Self> {
                Ok(Self { $($field: s.get(Self::$column)?),* })
            }
        }
        impl Model for $name {
            const TABLE: Table<Self> = Table::new($table);
            type Key = $key;
            fn key() -> impl Columns<Self, Row = $key> {
                $of
            }
        }
    };
}

far_end!(Barn, "barns", id ID: i64 = "id"; i64 = Self::ID);
far_end!(Pen, "pens", barn BARN: i64 = "barn", number NUMBER: i32 = "number"; (i64, i32) = (Self::BARN, Self::NUMBER));
far_end!(Mate, "mates", sheep SHEEP: i64 = "sheep", barn BARN: i64 = "barn", number NUMBER: i32 = "number";
    (i64, i64, i32) = (Self::SHEEP, Self::BARN, Self::NUMBER));

impl Mate {
    const PEN: ToOne<Self, Pen> = Self::BARN.to_one(Pen::BARN).and(Self::NUMBER, Pen::NUMBER);
}

const FAR_ENDS: &str = "DROP TABLE IF EXISTS barns, pens, mates CASCADE;
    CREATE TABLE barns (id int8 PRIMARY KEY);
    CREATE TABLE pens (barn int8, number int4, PRIMARY KEY (barn, number));
    CREATE TABLE mates (sheep int8, barn int8, number int4)";

/// Tables as they are declared.
async fn flock() -> Farm {
    let mut farm = Farm::of(Db::builder()).await;
    farm.db = Db::builder().model::<Sheep>().connection(farm.connection.clone()).expect("is good");
    again(&farm).await;
    farm
}

async fn again(farm: &Farm) {
    farm.db.drop_tables().await.expect("drops what is there");
    farm.connection.batch(FAR_ENDS).await.expect("the script is good");
    farm.db.create_tables().await.expect("are new");
}

/// The differences after a change, as kind, table and column.
async fn after(farm: &Farm, change: &str) -> Vec<(DifferenceKind, String, String, bool)> {
    farm.connection.batch(change).await.unwrap_or_else(|e| panic!("{change}: {e}"));
    // The driver knows types by number, and they have been made anew.
    farm.connection.catalog().clear();
    let found = farm.db.schema_differences().await.expect("the catalog is read");
    let flat = found
        .iter()
        .map(|d| (d.kind(), d.table().to_owned(), d.column().unwrap_or_default().to_owned(), d.is_error()));
    flat.collect()
}

#[tokio::test]
async fn each_difference_is_found() {
    let farm = flock().await;
    for (change, kind, table, column) in [
        ("DROP TABLE sheep", DifferenceKind::NoTable, "sheep", ""),
        ("DROP TABLE sheep; CREATE SEQUENCE sheep", DifferenceKind::NoTable, "sheep", ""),
        (
            "ALTER TABLE sheep DROP COLUMN weight CASCADE, ADD double float8 GENERATED ALWAYS AS (1) STORED",
            DifferenceKind::NoColumn,
            "sheep",
            "weight",
        ),
        ("ALTER TABLE sheep ALTER pen TYPE int8", DifferenceKind::Type, "sheep", "pen"),
        ("ALTER TABLE sheep ALTER pen TYPE text", DifferenceKind::Type, "sheep", "pen"),
        ("ALTER TABLE sheep ALTER pen TYPE int4[] USING ARRAY[pen]", DifferenceKind::Type, "sheep", "pen"),
        ("ALTER TYPE coat ADD VALUE 'shorn'", DifferenceKind::Labels, "sheep", "coat"),
        ("ALTER TYPE coat RENAME VALUE 'plain' TO 'straight'", DifferenceKind::Labels, "sheep", "coat"),
        ("ALTER TABLE sheep ALTER name DROP NOT NULL", DifferenceKind::Nullable, "sheep", "name"),
        ("ALTER TABLE sheep ALTER weight SET NOT NULL", DifferenceKind::NotNull, "sheep", "weight"),
        ("ALTER TABLE sheep ALTER id DROP IDENTITY", DifferenceKind::ServerMade, "sheep", "id"),
        ("ALTER TABLE sheep ALTER born DROP DEFAULT", DifferenceKind::ServerMade, "sheep", "born"),
        ("ALTER TABLE sheep ALTER double DROP EXPRESSION", DifferenceKind::ServerMade, "sheep", "double"),
        (
            "ALTER TABLE sheep DROP COLUMN weight CASCADE, ADD weight float8 GENERATED ALWAYS AS (1) STORED,
            ADD double float8 GENERATED ALWAYS AS (1) STORED",
            DifferenceKind::ServerMade,
            "sheep",
            "weight",
        ),
        (
            "ALTER TABLE sheep ALTER barn ADD GENERATED ALWAYS AS IDENTITY",
            DifferenceKind::ServerMade,
            "sheep",
            "barn",
        ),
        ("ALTER TABLE sheep DROP CONSTRAINT sheep_pkey", DifferenceKind::Key, "sheep", ""),
        (
            "ALTER TABLE sheep DROP CONSTRAINT sheep_pkey, ADD PRIMARY KEY (id, barn)",
            DifferenceKind::Key,
            "sheep",
            "",
        ),
        (
            "ALTER TABLE sheep DROP CONSTRAINT sheep_name_key;
          CREATE UNIQUE INDEX ON sheep (name) WHERE weight > 3;
          CREATE UNIQUE INDEX ON sheep (lower(name))",
            DifferenceKind::Unique,
            "sheep",
            "name",
        ),
        ("ALTER TABLE sheep DROP CONSTRAINT sheep_barn_pen_key", DifferenceKind::Unique, "sheep", ""),
        ("ALTER TABLE sheep ADD chip int4 NOT NULL", DifferenceKind::Unset, "sheep", "chip"),
        ("DROP TABLE barns CASCADE", DifferenceKind::NoTable, "barns", ""),
        ("ALTER TABLE barns RENAME id TO number", DifferenceKind::NoColumn, "barns", "id"),
        ("ALTER TABLE pens RENAME number TO place", DifferenceKind::NoColumn, "pens", "number"),
        ("ALTER TABLE mates DROP COLUMN sheep", DifferenceKind::NoColumn, "mates", "sheep"),
        ("ALTER TABLE mates DROP COLUMN number", DifferenceKind::NoColumn, "mates", "number"),
    ] {
        let warning = matches!(kind, DifferenceKind::NotNull | DifferenceKind::Unset);
        let table = format!("\"{table}\"");
        assert_eq!(after(&farm, change).await, [(kind, table, column.to_owned(), !warning)], "{change}");
        farm.connection.batch("DROP SEQUENCE IF EXISTS sheep").await.unwrap_or_default();
        again(&farm).await;
    }
}

#[tokio::test]
async fn what_fits_is_no_difference() {
    let farm = flock().await;
    for change in [
        "SELECT 1",
        "CREATE EXTENSION citext; ALTER TABLE sheep ALTER name TYPE citext",
        "ALTER TABLE sheep ALTER name TYPE varchar(9)",
        "CREATE DOMAIN kilos AS float8 CHECK (value > 0); CREATE DOMAIN grams AS kilos;
         ALTER TABLE sheep DROP double, ALTER weight TYPE grams, ADD double kilos GENERATED ALWAYS AS (1) STORED",
        "CREATE DOMAIN label AS text NOT NULL; ALTER TABLE sheep ALTER name TYPE label, ALTER name DROP NOT NULL",
        "ALTER TABLE sheep ALTER id DROP IDENTITY; CREATE SEQUENCE ids; ALTER TABLE sheep ALTER id SET DEFAULT nextval('ids')",
        "ALTER TABLE sheep ALTER id SET GENERATED ALWAYS",
        "ALTER TABLE sheep DROP CONSTRAINT sheep_pkey; CREATE UNIQUE INDEX ON sheep (id) INCLUDE (born)",
        "ALTER TABLE sheep ADD note text, ADD seen timestamptz NOT NULL DEFAULT now(), ALTER pen SET DEFAULT 3",
        "ALTER TABLE sheep ALTER born DROP DEFAULT;
         CREATE FUNCTION stamp() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN NEW.born = now(); RETURN NEW; END';
         CREATE TRIGGER stamp BEFORE INSERT ON sheep FOR EACH ROW EXECUTE FUNCTION stamp()",
        "ALTER TABLE sheep RENAME TO all_sheep; CREATE VIEW sheep AS SELECT * FROM all_sheep",
    ] {
        assert_eq!(after(&farm, change).await, [], "{change}");
        farm.connection.batch("DROP VIEW IF EXISTS sheep; DROP TABLE IF EXISTS all_sheep").await.unwrap_or_default();
        again(&farm).await;
    }
}

#[tokio::test]
async fn all_are_reported_at_once_and_in_one_flight() {
    let farm = Farm::empty().await;
    let (found, flights) = farm.flights(farm.db.schema_differences()).await;
    assert_eq!((found.expect("reads"), flights), (Vec::new(), 1), "three models, and built-in types alone");
    farm.connection
        .batch("ALTER TABLE llamas ALTER age TYPE text, ALTER nick SET NOT NULL; DROP TABLE shearings")
        .await
        .expect("changes");
    assert_eq!(farm.db.schema_differences().await.expect("reads").len(), 3);
    let error = farm.db.check_schema().await.expect_err("two are no warnings");
    let kinds: Vec<_> = error.differences().iter().map(|d| d.kind()).collect();
    assert_eq!(
        (error.kind(), kinds),
        (ErrorKind::Schema, vec![DifferenceKind::NoTable, DifferenceKind::Type])
    );
    let age = &error.differences()[1];
    assert!(age.model().ends_with("Llama"), "{age}");
    assert_eq!((age.declared(), age.found()), ("int4 (i32)", "text"));
    assert!(
        error.to_string().contains("\"llamas\".\"age\"") && error.to_string().lines().count() == 3,
        "{error}"
    );

    let models = || Db::builder().model::<crate::Llama>();
    let dsn = farm.database.dsn();
    models().connect(&dsn).await.expect("is not asked to look");
    let error = models().check_schema(true).connect(&dsn).await.expect_err("looks");
    assert_eq!(error.kind(), ErrorKind::Schema, "{error}");
}

#[derive(Debug)]
struct Meaning {
    id: i64,
    vector: Vector,
}

impl Meaning {
    const ID: Column<Self, i64> = Self::TABLE.col("id", |m| &m.id);
    const VECTOR: Column<Self, Vector> =
        Self::TABLE.col("vector", |m| &m.vector).checks(&[Vectors::Dimensions(3)]);
}

impl Load<Self> for Meaning {
    fn load<S: Source<Self>>(s: &mut S) -> Result<Self> {
        Ok(Self { id: s.get(Self::ID)?, vector: s.get(Self::VECTOR)? })
    }
}

impl Model for Meaning {
    const TABLE: Table<Self> = Table::new("meanings");
    type Key = i64;
    fn key() -> impl Columns<Self, Row = i64> {
        Self::ID
    }
}

#[tokio::test]
async fn a_vector_of_other_dimensions_is_refused_before_it_is_sent() {
    assert!(create_table_sql::<Meaning>().expect("is good").contains(r#""vector" "vector"(3) NOT NULL"#));
    let farm = Farm::of(Db::builder()).await;
    let mut session = farm.db.session();
    let error = session.add(Meaning { id: 1, vector: Vector(vec![0.0; 2]) }).expect_err("has two");
    assert_eq!(
        (error.violations()[0].kind(), error.violations()[0].column()),
        ("dimensions", Some("vector"))
    );
    let fits = session.add(Meaning { id: 1, vector: Vector(vec![0.0; 3]) }).expect("has three");
    session.edit(fits, |m| m.vector.0.push(1.0)).expect_err("has four");
    let rows = farm.db.insert_many([Meaning { id: 1, vector: Vector(vec![]) }]).run().await;
    assert_eq!(rows.expect_err("has none").kind(), ErrorKind::Invalid);
    assert_eq!(farm.sent().len(), 0, "nothing was sent");
}
