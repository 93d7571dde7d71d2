// The farm of the guide: its models, and a server to run on. The examples of the guide and `examples/service.rs` include it.

use wreath_orm::codecs::types::TimestampTz;
use wreath_orm::driver::Config;
use wreath_orm::{
    Column, Columns, Db, Filter, Hook, Item, Load, Model, Num, Relation, Result, Rule, SoftDelete, Source,
    Table, Text, ToMany, ToOne,
};

#[derive(Clone, Debug, PartialEq)]
pub struct Paddock {
    pub id: i64,
    pub name: String,
}

impl Paddock {
    pub const ID: Column<Self, i64> = Self::TABLE.col("id", |p| &p.id).identity();
    pub const NAME: Column<Self, String> = Self::TABLE.col("name", |p| &p.name).unique();
    pub const LLAMAS: ToMany<Self, Llama> = Llama::PADDOCK_ID.many(Self::ID);

    pub fn new(name: &str) -> Self {
        Self { id: 0, name: name.into() }
    }
}

impl Load<Self> for Paddock {
    fn load<S: Source<Self>>(s: &mut S) -> Result<Self> {
        Ok(Self { id: s.get(Self::ID)?, name: s.get(Self::NAME)? })
    }
}

impl Model for Paddock {
    const TABLE: Table<Self> = Table::new("paddocks");
    const RELATIONS: &'static [&'static dyn Relation<Self>] = &[&Self::LLAMAS];
    type Key = i64;
    fn key() -> impl Columns<Self, Row = i64> {
        Self::ID
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct Llama {
    pub id: i64,
    pub name: String,
    pub age: i32,
    pub wool: i32,
    pub paddock_id: Option<i64>,
    pub version: i32,
    pub deleted_at: Option<TimestampTz>,
}

impl Llama {
    pub const ID: Column<Self, i64> = Self::TABLE.col("id", |l| &l.id).identity();
    pub const NAME: Column<Self, String> =
        Self::TABLE.col("name", |l| &l.name).unique().checks(&[Text::Length(1, 40)]);
    pub const AGE: Column<Self, i32> = Self::TABLE.col("age", |l| &l.age).checks(&[Num::Ge(0)]);
    pub const WOOL: Column<Self, i32> =
        Self::TABLE.col("wool", |l| &l.wool).default_with(|| 0).checks(&[Num::Ge(0)]);
    pub const PADDOCK_ID: Column<Self, Option<i64>> =
        Self::TABLE.col("paddock_id", |l| &l.paddock_id).references(Paddock::ID);
    pub const VERSION: Column<Self, i32> =
        Self::TABLE.col("version", |l| &l.version).version().default_with(|| 1);
    pub const DELETED_AT: Column<Self, Option<TimestampTz>> =
        Self::TABLE.col("deleted_at", |l| &l.deleted_at);
    pub const PADDOCK: ToOne<Self, Paddock> = Self::PADDOCK_ID.to_one(Paddock::ID);

    pub fn new(name: &str, age: i32, paddock_id: Option<i64>) -> Self {
        Self { id: 0, name: name.into(), age, wool: 0, paddock_id, version: 1, deleted_at: None }
    }
}

impl Load<Self> for Llama {
    fn load<S: Source<Self>>(s: &mut S) -> Result<Self> {
        Ok(Self {
            id: s.get(Self::ID)?,
            name: s.get(Self::NAME)?,
            age: s.get(Self::AGE)?,
            wool: s.get(Self::WOOL)?,
            paddock_id: s.get(Self::PADDOCK_ID)?,
            version: s.get(Self::VERSION)?,
            deleted_at: s.get(Self::DELETED_AT)?,
        })
    }
}

impl Model for Llama {
    const TABLE: Table<Self> = Table::new("llamas");
    const RULES: &'static [Rule<Self>] =
        &[Rule::new("is too old to be without a name of its own", &["name", "age"], |l: &Self| {
            l.age < 2 || l.name != "Cria"
        })
        .named("unnamed")];
    const ITEMS: &'static [Item] = &[Item::Checks];
    const HOOKS: &'static [Hook<Self>] = &[Hook::BeforeInsert(|l| {
        l.name = l.name.trim().to_owned();
        Ok(())
    })];
    const FILTERS: &'static [Filter<Self>] = &[Filter::new("deleted", || Self::DELETED_AT.is_null())];
    const SOFT_DELETE: Option<SoftDelete> = Some(SoftDelete::new("deleted_at", "now()"));
    const RELATIONS: &'static [&'static dyn Relation<Self>] = &[&Self::PADDOCK];
    type Key = i64;
    fn key() -> impl Columns<Self, Row = i64> {
        Self::ID
    }
}

/// Runs `work` on the tables of the farm, in this schema of the database that `DATABASE_URL` names, which is dropped
/// afterwards; without a `DATABASE_URL`, not at all. There are Dolly (9) and Tina (4) on Hilltop, and Bo (1) astray.
pub async fn on_farm(schema: &str, work: impl AsyncFnOnce(Db) -> Result<()>) -> Result<()> {
    let Ok(dsn) = std::env::var("DATABASE_URL") else { return Ok(()) };
    let connection = dsn.parse::<Config>()?.connect().await?;
    let drop = format!("DROP SCHEMA IF EXISTS {schema} CASCADE");
    connection.batch(&format!("{drop}; CREATE SCHEMA {schema}; SET search_path TO {schema}")).await?;
    let db = Db::builder().model::<Paddock>().model::<Llama>().connection(connection.clone())?;
    db.create_tables().await?;
    let hilltop = db.insert_many([Paddock::new("Hilltop")]).returning().run().await?[0].id;
    let herd = [
        Llama::new("Dolly", 9, Some(hilltop)),
        Llama::new("Tina", 4, Some(hilltop)),
        Llama::new("Bo", 1, None),
    ];
    db.insert_many(herd).run().await?;
    work(db).await?;
    connection.batch(&drop).await?;
    Ok(())
}
