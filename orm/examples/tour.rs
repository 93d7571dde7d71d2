//! A tour of the ORM: a small farm on a real server.
//!
//! `DATABASE_URL=postgres://user:password@localhost/database cargo run -p wreath-orm --example tour`
//!
//! It makes tables in a schema of its own, `tour`, which it drops and makes again each time.

use serde_json::{Value as Json, json};
use wreath_orm::codecs::types::{Date, Numeric};
use wreath_orm::driver::Config;
use wreath_orm::{
    Column, Columns, Db, Decimal, Load, Logged, Model, Num, OnDelete, Result, Rule, Source, Table, Text,
    ToMany, ToOne,
};

struct Paddock {
    id: i64,
    name: String,
}

impl Paddock {
    const ID: Column<Self, i64> = Self::TABLE.col("id", |p| &p.id).identity();
    const NAME: Column<Self, String> = Self::TABLE.col("name", |p| &p.name).unique();
}
impl Load<Self> for Paddock {
    fn load<S: Source<Self>>(s: &mut S) -> Result<Self> {
        Ok(Self { id: s.get(Self::ID)?, name: s.get(Self::NAME)? })
    }
}
impl Model for Paddock {
    const TABLE: Table<Self> = Table::new("paddocks").schema("tour");
    type Key = i64;
    fn key() -> impl Columns<Self, Row = i64> {
        Self::ID
    }
}

struct Llama {
    id: i64,
    name: String,
    age: i32,
    paddock_id: Option<i64>,
}

impl Llama {
    const ID: Column<Self, i64> = Self::TABLE.col("id", |l| &l.id).identity();
    const NAME: Column<Self, String> = Self::TABLE.col("name", |l| &l.name).checks(&[Text::Length(1, 40)]);
    const AGE: Column<Self, i32> = Self::TABLE.col("age", |l| &l.age).checks(&[Num::Ge(0)]);
    const PADDOCK_ID: Column<Self, Option<i64>> =
        Self::TABLE.col("paddock_id", |l| &l.paddock_id).references(Paddock::ID);
    const PADDOCK: ToOne<Self, Paddock> = Self::PADDOCK_ID.to_one(Paddock::ID);
    const SHEARINGS: ToMany<Self, Shearing> = Shearing::LLAMA_ID.many(Self::ID);
}
impl Load<Self> for Llama {
    fn load<S: Source<Self>>(s: &mut S) -> Result<Self> {
        let (id, name, age) = (s.get(Self::ID)?, s.get(Self::NAME)?, s.get(Self::AGE)?);
        Ok(Self { id, name, age, paddock_id: s.get(Self::PADDOCK_ID)? })
    }
}
impl Model for Llama {
    const TABLE: Table<Self> = Table::new("llamas").schema("tour");
    const RULES: &'static [Rule<Self>] =
        &[Rule::new("a stray llama must be under two", &["paddock_id", "age"], |l| {
            l.paddock_id.is_some() || l.age < 2
        })];
    type Key = i64;
    fn key() -> impl Columns<Self, Row = i64> {
        Self::ID
    }
}

struct Shearing {
    llama_id: i64,
    day: Date,
    price: Numeric,
    notes: Json,
}

impl Shearing {
    const LLAMA_ID: Column<Self, i64> =
        Self::TABLE.col("llama_id", |s| &s.llama_id).references(Llama::ID).on_delete(OnDelete::Cascade);
    const DAY: Column<Self, Date> = Self::TABLE.col("day", |s| &s.day);
    const PRICE: Column<Self, Numeric> =
        Self::TABLE.col("price", |s| &s.price).sql_type("numeric(8,2)").checks(&[Decimal::Ge(0)]);
    const NOTES: Column<Self, Json> = Self::TABLE.col("notes", |s| &s.notes);
}
impl Load<Self> for Shearing {
    fn load<S: Source<Self>>(s: &mut S) -> Result<Self> {
        let (llama_id, day) = (s.get(Self::LLAMA_ID)?, s.get(Self::DAY)?);
        Ok(Self { llama_id, day, price: s.get(Self::PRICE)?, notes: s.get(Self::NOTES)? })
    }
}
impl Model for Shearing {
    const TABLE: Table<Self> = Table::new("shearings").schema("tour");
    type Key = (i64, Date);
    fn key() -> impl Columns<Self, Row = Self::Key> {
        (Self::LLAMA_ID, Self::DAY)
    }
}

type Outcome = std::result::Result<(), Box<dyn std::error::Error>>;

async fn farm(db: &Db) -> Outcome {
    println!("== Tables, from the declarations");
    db.drop_tables().await?;
    db.create_tables().await?;

    println!("\n== A unit of work: each flush is one transaction, each model one statement");
    let mut session = db.session();
    let hilltop = session.add(Paddock { id: 0, name: "Hilltop".into() })?;
    let riverside = session.add(Paddock { id: 0, name: "Riverside".into() })?;
    session.flush().await?;
    let mut herd = Vec::new();
    for (name, age, home) in [("Dolly", 9, Some(hilltop)), ("Tina", 4, Some(riverside)), ("Bo", 1, None)] {
        let paddock_id = home.map(|paddock| session[paddock].id);
        herd.push(session.add(Llama { id: 0, name: name.into(), age, paddock_id })?);
    }
    session.flush().await?;
    let (dolly, bo) = (herd[0], herd[2]);
    for (month, price) in [(4, "12.50"), (9, "14")] {
        let (llama_id, day) = (session[dolly].id, Date::new(2025, month, 2)?);
        let notes = json!({ "wool": "fine", "grams": 2100 + i32::from(month) });
        session.add(Shearing { llama_id, day, price: price.parse()?, notes })?;
    }
    session.edit(bo, |l| l.name = "Bonnie".into())?;
    session.flush().await?;
    println!("   Dolly is number {}, as the server says", session[dolly].id);

    println!("\n== A refused edit leaves no trace, and neither does a transaction that is rolled back");
    let refused = session.edit(dolly, |l| (l.age, l.name) = (-1, String::new())).expect_err("two checks");
    println!("   {refused}\n   she is still {:?}, {}", session[dolly].name, session[dolly].age);
    let mut tx = session.begin().await?;
    let lost = tx.add(Paddock { id: 0, name: "Bog".into() })?;
    tx.flush().await?;
    tx.rollback().await?;
    println!("   {} has no number again: {}", session[lost].name, session[lost].id);

    println!("\n== Plain reads: a filter across a relation, and relations beside the rows");
    for paddock in ["Hilltop", "Riverside", "Nowhere"] {
        let query = Llama::select()
            .filter(Llama::AGE.gt(2).and(Llama::PADDOCK.has(Paddock::NAME.eq(paddock))))
            .include(Llama::PADDOCK.joined().required())
            .include(Llama::SHEARINGS.selectin());
        for (llama, paddock, shearings) in db.fetch(&query).await? {
            println!("   {} of {}, shorn {} times", llama.name, paddock.name, shearings.len());
            shearings.iter().for_each(|s| println!("      on {} for {}: {}", s.day, s.price, s.notes));
        }
    }
    let names: Vec<(String, i32)> =
        db.fetch(&Llama::select().cols((Llama::NAME, Llama::AGE)).order_by(Llama::AGE.desc())).await?;
    println!("   {names:?}; grown up: {}", db.count(&Llama::select().filter(Llama::AGE.ge(2))).await?);
    Ok(())
}

#[tokio::main]
async fn main() -> Outcome {
    let url =
        std::env::var("DATABASE_URL").map_err(|_| "set DATABASE_URL: postgres://user@localhost/farm")?;
    let connection = url.parse::<Config>()?.connect().await?;
    let show = |statement: &Logged<'_>| println!("   sql> {}", statement.sql().replace('\n', "\n        "));
    let models = Db::builder().model::<Paddock>().model::<Llama>().model::<Shearing>();
    let db = models.log(show).connection(connection.clone())?;
    farm(&db).await?;
    println!("\n== What it took\n   round trips: {}", connection.stats().round_trips);
    println!("   plans: {}", db.plan_stats());
    Ok(())
}
