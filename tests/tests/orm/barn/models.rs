//! The models.

use wreath_orm::{Column, Columns, Load, Model, Relation, Result, Source, Table, ToMany, ToOne};

/// A place in a barn.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Stall {
    pub(crate) barn: i64,
    pub(crate) number: i32,
    pub(crate) clean: bool,
}

impl Stall {
    pub(crate) const BARN: Column<Self, i64> = Self::TABLE.col("barn\"; --", |s| &s.barn);
    pub(crate) const NUMBER: Column<Self, i32> = Self::TABLE.col("number", |s| &s.number);
    pub(crate) const CLEAN: Column<Self, bool> = Self::TABLE.col("clean", |s| &s.clean);
    pub(crate) const GOATS: ToMany<Self, Goat> =
        Goat::BARN.many(Self::BARN).and(Self::NUMBER, Goat::STALL_NUMBER);
}

impl Load<Self> for Stall {
    fn load<S: Source<Self>>(s: &mut S) -> Result<Self> {
        Ok(Self { barn: s.get(Self::BARN)?, number: s.get(Self::NUMBER)?, clean: s.get(Self::CLEAN)? })
    }
}

impl Model for Stall {
    const TABLE: Table<Self> = Table::new("stalls");
    const RELATIONS: &'static [&'static dyn Relation<Self>] = &[&Self::GOATS];
    type Key = (i64, i32);
    fn key() -> impl Columns<Self, Row = Self::Key> {
        (Self::BARN, Self::NUMBER)
    }
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Goat {
    pub(crate) id: i64,
    pub(crate) age: i32,
    pub(crate) barn: Option<i64>,
    pub(crate) stall_number: Option<i32>,
    pub(crate) mother_id: Option<i64>,
}

impl Goat {
    pub(crate) const ID: Column<Self, i64> = Self::TABLE.col("id", |g| &g.id);
    pub(crate) const AGE: Column<Self, i32> = Self::TABLE.col("age", |g| &g.age);
    pub(crate) const BARN: Column<Self, Option<i64>> = Self::TABLE.col("barn", |g| &g.barn);
    pub(crate) const STALL_NUMBER: Column<Self, Option<i32>> =
        Self::TABLE.col("stall' OR 1=1", |g| &g.stall_number);
    pub(crate) const MOTHER_ID: Column<Self, Option<i64>> = Self::TABLE.col("mother_id", |g| &g.mother_id);

    pub(crate) const STALL: ToOne<Self, Stall> =
        Self::BARN.to_one(Stall::BARN).and(Self::STALL_NUMBER, Stall::NUMBER);
    pub(crate) const MOTHER: ToOne<Self, Self> = Self::MOTHER_ID.to_one(Self::ID);
    pub(crate) const KIDS: ToMany<Self, Self> = Self::MOTHER_ID.many(Self::ID);
    pub(crate) const HERDS: ToMany<Self, Herd> = Member::GOAT_ID.many(Self::ID).then(Member::HERD);
    /// Those that it has visited, however often.
    pub(crate) const VISITED: ToMany<Self, Herd> = Visit::GOAT_ID.many(Self::ID).then(Visit::HERD);
    /// The other end has the foreign key.
    pub(crate) const BELL: ToOne<Self, Bell> = Self::ID.to_one(Bell::GOAT_ID);
}

impl Load<Self> for Goat {
    fn load<S: Source<Self>>(s: &mut S) -> Result<Self> {
        Ok(Self {
            id: s.get(Self::ID)?,
            age: s.get(Self::AGE)?,
            barn: s.get(Self::BARN)?,
            stall_number: s.get(Self::STALL_NUMBER)?,
            mother_id: s.get(Self::MOTHER_ID)?,
        })
    }
}

impl Model for Goat {
    const TABLE: Table<Self> = Table::new("goats").schema("sch\"ema");
    const RELATIONS: &'static [&'static dyn Relation<Self>] =
        &[&Self::STALL, &Self::MOTHER, &Self::KIDS, &Self::HERDS, &Self::VISITED, &Self::BELL];
    type Key = i64;
    fn key() -> impl Columns<Self, Row = i64> {
        Self::ID
    }
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Herd {
    pub(crate) id: i64,
    pub(crate) name: String,
}

impl Herd {
    pub(crate) const ID: Column<Self, i64> = Self::TABLE.col("id", |h| &h.id);
    pub(crate) const NAME: Column<Self, String> = Self::TABLE.col("name", |h| &h.name);
    pub(crate) const GOATS: ToMany<Self, Goat> = Member::HERD_ID.many(Self::ID).then(Member::GOAT);
    pub(crate) const VISITORS: ToMany<Self, Goat> = Visit::HERD_ID.many(Self::ID).then(Visit::GOAT);
}

impl Load<Self> for Herd {
    fn load<S: Source<Self>>(s: &mut S) -> Result<Self> {
        Ok(Self { id: s.get(Self::ID)?, name: s.get(Self::NAME)? })
    }
}

impl Model for Herd {
    const TABLE: Table<Self> = Table::new("herds");
    const RELATIONS: &'static [&'static dyn Relation<Self>] = &[&Self::GOATS, &Self::VISITORS];
    type Key = i64;
    fn key() -> impl Columns<Self, Row = i64> {
        Self::ID
    }
}

/// Connects a goat and a herd once.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Member {
    pub(crate) herd_id: i64,
    pub(crate) goat_id: i64,
}

impl Member {
    pub(crate) const HERD_ID: Column<Self, i64> = Self::TABLE.col("herd\"id", |m| &m.herd_id);
    pub(crate) const GOAT_ID: Column<Self, i64> = Self::TABLE.col("goat_id", |m| &m.goat_id);
    pub(crate) const HERD: ToOne<Self, Herd> = Self::HERD_ID.to_one(Herd::ID);
    pub(crate) const GOAT: ToOne<Self, Goat> = Self::GOAT_ID.to_one(Goat::ID);
}

impl Load<Self> for Member {
    fn load<S: Source<Self>>(s: &mut S) -> Result<Self> {
        Ok(Self { herd_id: s.get(Self::HERD_ID)?, goat_id: s.get(Self::GOAT_ID)? })
    }
}

impl Model for Member {
    const TABLE: Table<Self> = Table::new("mem\"bers");
    type Key = (i64, i64);
    fn key() -> impl Columns<Self, Row = Self::Key> {
        (Self::HERD_ID, Self::GOAT_ID)
    }
}

/// Connects a goat and a herd any number of times.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Visit {
    pub(crate) id: i64,
    pub(crate) herd_id: i64,
    pub(crate) goat_id: i64,
}

impl Visit {
    pub(crate) const ID: Column<Self, i64> = Self::TABLE.col("id", |v| &v.id);
    pub(crate) const HERD_ID: Column<Self, i64> = Self::TABLE.col("herd_id", |v| &v.herd_id);
    pub(crate) const GOAT_ID: Column<Self, i64> = Self::TABLE.col("goat_id", |v| &v.goat_id);
    pub(crate) const HERD: ToOne<Self, Herd> = Self::HERD_ID.to_one(Herd::ID);
    pub(crate) const GOAT: ToOne<Self, Goat> = Self::GOAT_ID.to_one(Goat::ID);
}

impl Load<Self> for Visit {
    fn load<S: Source<Self>>(s: &mut S) -> Result<Self> {
        Ok(Self { id: s.get(Self::ID)?, herd_id: s.get(Self::HERD_ID)?, goat_id: s.get(Self::GOAT_ID)? })
    }
}

impl Model for Visit {
    const TABLE: Table<Self> = Table::new("visits");
    type Key = i64;
    fn key() -> impl Columns<Self, Row = i64> {
        Self::ID
    }
}

/// One bell is one goat's, and a goat has at most one.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Bell {
    pub(crate) tone: String,
    pub(crate) goat_id: Option<i64>,
}

impl Bell {
    pub(crate) const TONE: Column<Self, String> = Self::TABLE.col("tone", |b| &b.tone);
    pub(crate) const GOAT_ID: Column<Self, Option<i64>> = Self::TABLE.col("goat_id", |b| &b.goat_id).unique();
}

impl Load<Self> for Bell {
    fn load<S: Source<Self>>(s: &mut S) -> Result<Self> {
        Ok(Self { tone: s.get(Self::TONE)?, goat_id: s.get(Self::GOAT_ID)? })
    }
}

impl Model for Bell {
    const TABLE: Table<Self> = Table::new("bells");
    type Key = String;
    fn key() -> impl Columns<Self, Row = String> {
        Self::TONE
    }
}
