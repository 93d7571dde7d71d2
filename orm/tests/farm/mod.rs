//! The models that the suites share: a farm with paddocks, llamas, their shearings, and members of herds.

#![allow(dead_code, unreachable_pub, reason = "each suite that includes this module uses a part of it")]

use wreath_orm::codecs::types::{Date, Numeric};
use wreath_orm::{
    Column, Columns, Decimal, Load, Model, Num, OnDelete, Result, Rule, Source, Table, Text, ToMany, ToOne,
};

#[derive(Clone, Debug, PartialEq)]
pub struct Paddock {
    pub id: i64,
    pub name: String,
    pub hectares: Option<f64>,
}

impl Paddock {
    pub const ID: Column<Self, i64> = Self::TABLE.col("id", |p| &p.id).identity();
    pub const NAME: Column<Self, String> = Self::TABLE.col("name", |p| &p.name).unique();
    pub const HECTARES: Column<Self, Option<f64>> =
        Self::TABLE.col("hectares", |p| &p.hectares).checks(&[Num::Gt(0.0)]);
    pub const LLAMAS: ToMany<Self, Llama> = Llama::PADDOCK_ID.many(Self::ID);

    pub fn new(name: &str) -> Self {
        Self { id: 0, name: name.into(), hectares: None }
    }
}

impl Load<Self> for Paddock {
    fn load<S: Source<Self>>(s: &mut S) -> Result<Self> {
        Ok(Self { id: s.get(Self::ID)?, name: s.get(Self::NAME)?, hectares: s.get(Self::HECTARES)? })
    }
}

impl Model for Paddock {
    const TABLE: Table<Self> = Table::new("paddocks");
    type Key = i64;
    fn key() -> impl Columns<Self, Row = i64> {
        Self::ID
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct Llama {
    pub id: i64,
    pub name: String,
    pub nick: Option<String>,
    pub age: i32,
    pub friendly: bool,
    pub paddock_id: Option<i64>,
    pub mother_id: Option<i64>,
}

impl Llama {
    pub const ID: Column<Self, i64> = Self::TABLE.col("id", |l| &l.id).identity();
    pub const NAME: Column<Self, String> =
        Self::TABLE.col("name", |l| &l.name).checks(&[Text::Length(1, 40)]);
    pub const NICK: Column<Self, Option<String>> =
        Self::TABLE.col("nick", |l| &l.nick).checks(&[Text::Length(1, 10)]);
    pub const AGE: Column<Self, i32> =
        Self::TABLE.col("age", |l| &l.age).default("0").checks(&[Num::Ge(0), Num::Lt(40)]);
    pub const FRIENDLY: Column<Self, bool> = Self::TABLE.col("friendly", |l| &l.friendly);
    pub const PADDOCK_ID: Column<Self, Option<i64>> =
        Self::TABLE.col("paddock_id", |l| &l.paddock_id).references(Paddock::ID);
    pub const MOTHER_ID: Column<Self, Option<i64>> =
        Self::TABLE.col("mother_id", |l| &l.mother_id).references(Self::ID).on_delete(OnDelete::SetNull);

    pub const PADDOCK: ToOne<Self, Paddock> = Self::PADDOCK_ID.to_one(Paddock::ID);
    pub const MOTHER: ToOne<Self, Self> = Self::MOTHER_ID.to_one(Self::ID);
    pub const CHILDREN: ToMany<Self, Self> = Self::MOTHER_ID.many(Self::ID);
    pub const SHEARINGS: ToMany<Self, Shearing> = Shearing::LLAMA_ID.many(Self::ID);

    pub fn new(name: &str, age: i32) -> Self {
        Self {
            id: 0,
            name: name.into(),
            nick: None,
            age,
            friendly: age > 3,
            paddock_id: None,
            mother_id: None,
        }
    }
}

impl Load<Self> for Llama {
    fn load<S: Source<Self>>(s: &mut S) -> Result<Self> {
        Ok(Self {
            id: s.get(Self::ID)?,
            name: s.get(Self::NAME)?,
            nick: s.get(Self::NICK)?,
            age: s.get(Self::AGE)?,
            friendly: s.get(Self::FRIENDLY)?,
            paddock_id: s.get(Self::PADDOCK_ID)?,
            mother_id: s.get(Self::MOTHER_ID)?,
        })
    }
}

impl Model for Llama {
    const TABLE: Table<Self> = Table::new("llamas");
    const RULES: &'static [Rule<Self>] =
        &[Rule::at("nick", "a nickname is not the name", &["name", "nick"], |l| {
            l.nick.as_deref() != Some(l.name.as_str())
        })];
    type Key = i64;
    fn key() -> impl Columns<Self, Row = i64> {
        Self::ID
    }
}

/// A part of a llama.
#[derive(Clone, Debug, PartialEq)]
pub struct Card {
    pub name: String,
    pub age: i32,
}

impl Load<Llama> for Card {
    fn load<S: Source<Llama>>(s: &mut S) -> Result<Self> {
        Ok(Self { name: s.get(Llama::NAME)?, age: s.get(Llama::AGE)? })
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct Shearing {
    pub llama_id: i64,
    pub day: Date,
    pub price: Numeric,
    pub notes: Option<serde_json::Value>,
}

impl Shearing {
    pub const LLAMA_ID: Column<Self, i64> =
        Self::TABLE.col("llama_id", |s| &s.llama_id).references(Llama::ID).on_delete(OnDelete::Cascade);
    pub const DAY: Column<Self, Date> = Self::TABLE.col("day", |s| &s.day);
    pub const PRICE: Column<Self, Numeric> =
        Self::TABLE.col("price", |s| &s.price).sql_type("numeric(8,2)").checks(&[Decimal::Ge(0)]);
    pub const NOTES: Column<Self, Option<serde_json::Value>> = Self::TABLE.col("notes", |s| &s.notes);
    pub const LLAMA: ToOne<Self, Llama> = Self::LLAMA_ID.to_one(Llama::ID);

    pub fn new(llama_id: i64, days: i32, price: i64) -> Self {
        let day = Date::from_days(days).expect("a day of this century");
        Self { llama_id, day, price: Numeric::from(price), notes: None }
    }
}

impl Load<Self> for Shearing {
    fn load<S: Source<Self>>(s: &mut S) -> Result<Self> {
        Ok(Self {
            llama_id: s.get(Self::LLAMA_ID)?,
            day: s.get(Self::DAY)?,
            price: s.get(Self::PRICE)?,
            notes: s.get(Self::NOTES)?,
        })
    }
}

impl Model for Shearing {
    const TABLE: Table<Self> = Table::new("shearings");
    type Key = (i64, Date);
    fn key() -> impl Columns<Self, Row = Self::Key> {
        (Self::LLAMA_ID, Self::DAY)
    }
}
