//! A tour of the ORM: a small farm on a real server.
//!
//! `DATABASE_URL=postgres://user:password@localhost/database cargo run -p wreath-orm --example tour`
//!
//! It makes tables in a schema of its own, `tour`, which it drops and makes again each time.

use serde_json::{Value as Json, json};
use wreath_orm::codecs::types::{Date, Numeric};
use wreath_orm::driver::{Config, Connection};
use wreath_orm::{
    Column, Columns, Db, Decimal, ErrorKind, Load, Logged, Model, Num, OnDelete, Result, Rule, Source, Table,
    Text, ToMany, ToOne,
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

async fn farm(db: &Db, wire: &Connection) -> std::result::Result<(), Box<dyn std::error::Error>> {
    println!("== Tables, from the declarations");
    db.drop_tables().await?;
    db.create_tables().await?;

    println!("\n== A unit of work: two flushes, each one transaction");
    let mut session = db.session();
    let paddocks = ["Hilltop", "Riverside"].map(|name| Paddock { id: 0, name: name.into() });
    let [hilltop, riverside] = paddocks.map(|p| session.add(p));
    let (hilltop, riverside) = (hilltop?, riverside?);
    session.flush().await?;
    let homes = [(Some(hilltop), "Dolly", 9), (Some(riverside), "Tina", 4), (None, "Bo", 1)];
    let herd: Vec<_> = homes
        .into_iter()
        .map(|(home, name, age)| Llama {
            id: 0,
            name: name.into(),
            age,
            paddock_id: home.map(|p| session[p].id),
        })
        .collect();
    let herd = herd.into_iter().map(|llama| session.add(llama)).collect::<Result<Vec<_>>>()?;
    session.flush().await?;
    for (month, price) in [(4, "12.50"), (9, "14")] {
        let (llama_id, day) = (session[herd[0]].id, Date::new(2025, month, 2)?);
        let notes = json!({ "wool": "fine", "grams": 2100 + i32::from(month) });
        session.add(Shearing { llama_id, day, price: price.parse()?, notes })?;
    }
    session.flush().await?;
    println!("   Dolly is number {}, as the server says", session[herd[0]].id);

    println!("\n== A refused edit leaves no trace");
    let refused = session.edit(herd[0], |l| (l.age, l.name) = (-1, String::new())).expect_err("two checks");
    println!("   {refused}\n   she is still {:?}, {}", session[herd[0]].name, session[herd[0]].age);
    session.edit(herd[2], |l| l.name = "Bonnie".into())?;
    session.flush().await?;

    println!("\n== Plain reads: a filter across a relation, and relations beside the rows");
    let query = |paddock: &str| {
        Llama::select()
            .filter(Llama::AGE.gt(2).and(Llama::PADDOCK.has(Paddock::NAME.eq(paddock))))
            .order_by(Llama::NAME.asc())
            .include(Llama::PADDOCK.joined())
            .include(Llama::SHEARINGS.selectin())
    };
    for name in ["Hilltop", "Riverside"] {
        for (llama, paddock, shearings) in db.fetch(&query(name)).await? {
            let bills: Vec<_> =
                shearings.iter().map(|s| format!("{} for {} {}", s.day, s.price, s.notes)).collect();
            println!("   {} of {}: {bills:?}", llama.name, paddock.map_or("nowhere".into(), |p| p.name));
        }
    }
    let names: Vec<(String, i32)> = db.fetch(&Llama::select().cols((Llama::NAME, Llama::AGE))).await?;
    println!("   {names:?}; {} of them grown up", db.count(&Llama::select().filter(Llama::AGE.ge(2))).await?);
    let nobody = db.fetch_one(&Llama::select().filter(Llama::NAME.eq("Nobody"))).await.map(|l| l.name);
    assert_eq!(nobody.map_err(|e| e.kind()), Err(ErrorKind::NoResult));

    println!("\n== What it took");
    println!("   {} round trips; plans: {}", wire.stats().round_trips, db.plan_stats());
    Ok(())
}

#[tokio::main]
async fn main() -> std::result::Result<(), Box<dyn std::error::Error>> {
    let url = std::env::var("DATABASE_URL")
        .map_err(|_| "set DATABASE_URL, as in postgres://user@localhost/farm")?;
    let connection = url.parse::<Config>()?.connect().await?;
    let show = |statement: &Logged<'_>| println!("   sql> {}", statement.sql().replace('\n', "\n        "));
    let models = Db::builder().model::<Paddock>().model::<Llama>().model::<Shearing>();
    farm(&models.log(show).connection(connection.clone())?, &connection).await
}
