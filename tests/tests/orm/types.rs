//! Values of every kind, there and back; types of one's own; models in other schemas; groups of columns.

use std::time::{Duration, SystemTime};

use wreath_codecs::types::{
    Array, Bit, Cidr, Date, Inet, Interval, Json, JsonPath, MacAddr, MacAddr8, Money, Multirange, Numeric,
    PgLsn, Point, Range, Time, TimeTz, Timestamp, TimestampTz, TsVector, Uuid, Xid8,
};
use wreath_codecs::{Decode, DecodeError, Encode, EncodeError, Encoder, Oid, PgType, Type};
use wreath_orm::expr::kind::{SqlEq, SqlOrd};
use wreath_orm::{Column, Columns, Db, Load, Model, NoCheck, Num, Result, Source, Table, Value};

use crate::Farm;

/// Defines a model with one column a field.
macro_rules! model {
    ($name:ident in $table:expr; key $key:ident: $key_type:ty; $($field:ident $column:ident: $t:ty $(, $with:ident($($arg:tt)*))*;)*) => {
        #[derive(Clone, Debug, PartialEq)]
        struct $name {
            $($field: $t,)*
        }

        #[allow(dead_code, reason = "not every column is asked for by itself")]
        impl $name {
            $(const $column: Column<Self, $t> =
                Self::TABLE.col(stringify!($field), |m| &m.$field)$(.$with($($arg)*))*;)*
        }

        impl Load<Self> for $name {
            fn load<S: Source<Self>>(s: &mut S) -> Result<Self> {
                Ok(Self { $($field: s.get(Self::$column)?,)* })
            }
        }

        impl Model for $name {
            const TABLE: Table<Self> = $table;
            type Key = $key_type;
            fn key() -> impl Columns<Self, Row = Self::Key> {
                Self::$key
            }
        }
    };
}

model! {
    Everything in Table::new("everything"); key ID: i64;
    id ID: i64, identity_always();
    small SMALL: i16;
    number NUMBER: i32;
    oid OID_: u32;
    real REAL: f32;
    double DOUBLE: f64;
    yes YES: bool;
    text TEXT: String, sql_type("varchar(40)");
    bytes BYTES: Vec<u8>;
    exact EXACT: Numeric;
    uuid UUID: Uuid;
    other_uuid OTHER_UUID: uuid::Uuid;
    day DAY: Date;
    time TIME: Time;
    time_tz TIME_TZ: TimeTz;
    stamp STAMP: Timestamp;
    stamp_tz STAMP_TZ: TimestampTz;
    system SYSTEM: SystemTime;
    document DOCUMENT: serde_json::Value;
    list LIST: Json<Vec<i32>>;
    perhaps PERHAPS: Option<Numeric>;
    length LENGTH: Interval;
    money MONEY: Money;
    address ADDRESS: Inet;
    network NETWORK: Cidr;
    card CARD: MacAddr;
    card8 CARD8: MacAddr8;
    bits BITS: Bit, sql_type("varbit");
    place PLACE: Point;
    lsn LSN: PgLsn;
    xid XID: Xid8;
    path PATH: JsonPath;
    lexemes LEXEMES: TsVector;
    ages AGES: Range<i32>;
    spans SPANS: Multirange<Date>;
    twice TWICE: i32, generated("number * 2");
}

fn everything(n: i32) -> Everything {
    Everything {
        id: 0,
        small: -7,
        number: n,
        oid: u32::MAX,
        real: 1.5,
        double: f64::NEG_INFINITY,
        yes: true,
        text: "Ä \"quoted\", {braced}, \\".into(),
        bytes: vec![0, 255, b'\''],
        exact: "123456789012345678901234567890.0123456789".parse().expect("a number"),
        uuid: Uuid::from_bytes([7; 16]),
        other_uuid: uuid::Uuid::from_u128(9),
        day: Date::new(-43, 3, 15).expect("a day"),
        time: Time::new(23, 59, 59, 999_999).expect("a time"),
        time_tz: TimeTz::new(Time::new(1, 2, 3, 4).expect("a time"), 3600).expect("a time"),
        stamp: Timestamp::from_micros(i64::MAX).expect("infinity"),
        stamp_tz: TimestampTz::from_micros(-1).expect("a time"),
        system: SystemTime::UNIX_EPOCH + Duration::from_micros(1_700_000_000_000_001),
        document: serde_json::json!({ "a": [1, null, "x"] }),
        list: Json(vec![1, 2, 3]),
        perhaps: (n > 1).then(|| Numeric::from(n)),
        length: "1 mon -2 days 03:04:05".parse().expect("an interval"),
        money: Money(1234),
        address: "10.1.2.3/8".parse().expect("an address"),
        network: "2001:db8::/32".parse().expect("a network"),
        card: MacAddr([1, 2, 3, 4, 5, 6]),
        card8: MacAddr8([1, 2, 3, 4, 5, 6, 7, 8]),
        bits: "10110".parse().expect("bits"),
        place: Point { x: 1.5, y: -2.0 },
        lsn: PgLsn(0x16_b374_d848),
        xid: Xid8(u64::MAX),
        path: JsonPath("$.\"a\"".into()),
        lexemes: "'fat':2A 'rat':3".parse().expect("lexemes"),
        ages: "[3,9)".parse().expect("a range"),
        spans: "{[2020-01-01,2020-02-01),[2021-01-01,)}".parse().expect("ranges"),
        twice: 0,
    }
}

#[tokio::test]
async fn every_value_comes_back_as_it_went() {
    let farm = Farm::of(Db::builder().model::<Everything>()).await;
    let mut session = farm.db.session();
    let all = [everything(1), everything(2)].map(|e| session.add(e).expect("is good"));
    farm.sent();
    session.flush().await.expect("flushes");
    assert_eq!(farm.sent().len(), 1, "an array for each column");
    let rows = farm.db.fetch(&Everything::select().order_by(Everything::ID.asc())).await.expect("fetches");
    for (n, (row, held)) in (1..).zip(rows.iter().zip(all)) {
        assert_eq!(*row, Everything { id: i64::from(n), twice: n * 2, ..everything(n) });
        assert_eq!(session[held], *row, "the session has what the server made");
    }
    let found = Everything::select()
        .filter(Everything::EXACT.eq(&everything(1).exact))
        .filter(Everything::BYTES.eq(&[0, 255, b'\'']).and(Everything::TEXT.eq(&everything(1).text)))
        .filter(Everything::UUID.any([Uuid::from_bytes([7; 16])]).and(Everything::DAY.any([&rows[0].day])))
        .filter(Everything::DOCUMENT.eq(&rows[0].document).and(Everything::LIST.eq(&rows[0].list)))
        .filter(Everything::STAMP.ge(rows[0].stamp).and(Everything::SYSTEM.le(rows[0].system)));
    assert_eq!(farm.db.count(&found).await.expect("counts"), 2);

    // An edit that is refused goes back through the same bytes.
    session.edit(all[0], |e| (e.number, e.text) = (5, "x".into())).expect("is allowed");
    session.flush().await.expect("flushes");
    assert_eq!(
        (session[all[0]].number, session[all[0]].twice),
        (5, 10),
        "what the server computes comes back"
    );
    let mut tx = session.begin().await.expect("begins");
    tx.edit(all[0], |e| e.number = 6).expect("is allowed");
    tx.flush().await.expect("flushes");
    assert_eq!(tx[all[0]].twice, 12);
    tx.rollback().await.expect("rolls back");
    assert_eq!((session[all[0]].number, session[all[0]].twice), (6, 10));
}

model! {
    Shelf in Table::new("shelves"); key LABEL: String;
    label LABEL: String;
    sizes SIZES: Vec<i32>;
    names NAMES: Vec<Option<String>>;
    matrix MATRIX: Array<i32>;
}

#[tokio::test]
async fn columns_of_arrays_are_written_together() {
    let farm = Farm::of(Db::builder().model::<Shelf>()).await;
    let mut session = farm.db.session();
    let shelf = |i: i32| Shelf {
        label: format!("s{i}"),
        sizes: (0..i).collect(),
        names: vec![Some(format!("n{i}")), None],
        matrix: "{{1,2},{3,NULL}}".parse().expect("an array"),
    };
    let all: Vec<_> = (0..100).map(|i| session.add(shelf(i)).expect("is good")).collect();
    let (done, flights) = farm.flights(session.flush()).await;
    done.expect("flushes");
    assert!(flights <= 3, "a hundred rows are one statement, and not {flights} flights");
    let rows = farm.db.fetch(&Shelf::select()).await.expect("fetches");
    assert_eq!(rows.len(), 100);
    assert!(rows.iter().all(|row| *row == shelf(i32::try_from(row.sizes.len()).expect("few"))));

    session.edit(all[3], |s| s.sizes.push(9)).expect("is allowed");
    session.edit(all[4], |s| s.label = "renamed".into()).expect("is allowed");
    session.remove(all[5]).expect("is there");
    session.flush().await.expect("flushes");
    let sizes = Shelf::select().filter(Shelf::LABEL.eq("s3")).cols(Shelf::SIZES);
    assert_eq!(farm.db.fetch_one(&sizes).await.expect("is there"), [0, 1, 2, 9]);
    assert_eq!(session.get::<Shelf>("renamed".into()).await.expect("gets"), Some(all[4]));
    assert_eq!(session.get::<Shelf>("s5".into()).await.expect("asks"), None);
}

/// An enum of the database.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Mood {
    Calm,
    Cross,
}

impl PgType for Mood {
    const OID: Oid = Oid::named("mood");
    const ARRAY: Oid = Oid::ArrayOf(wreath_codecs::types::Name { schema: None, name: "mood" });
}

impl Encode for Mood {
    fn oid(&self) -> Oid {
        Self::OID
    }

    fn encode(&self, out: &mut Encoder) -> std::result::Result<(), EncodeError> {
        out.put(match self {
            Self::Calm => b"calm",
            Self::Cross => b"cross",
        });
        Ok(())
    }
}

impl<'r> Decode<'r> for Mood {
    fn accepts(ty: &Type) -> bool {
        ty.name() == "mood"
    }

    fn decode(_: &Type, bytes: &'r [u8]) -> std::result::Result<Self, DecodeError> {
        match bytes {
            b"calm" => Ok(Self::Calm),
            b"cross" => Ok(Self::Cross),
            _ => Err(DecodeError::invalid("no mood")),
        }
    }
}

impl Value for Mood {
    type Arg<'a> = Self;
    type Check = NoCheck;

    fn sample(n: u32) -> Self {
        if n.is_multiple_of(2) { Self::Calm } else { Self::Cross }
    }
}

impl SqlEq for Mood {}
impl SqlOrd for Mood {}

/// A number with a name.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
struct Grams(i32);

impl PgType for Grams {
    const OID: Oid = i32::OID;
    const ARRAY: Oid = i32::ARRAY;
}

impl Encode for Grams {
    fn oid(&self) -> Oid {
        self.0.oid()
    }

    fn encode(&self, out: &mut Encoder) -> std::result::Result<(), EncodeError> {
        self.0.encode(out)
    }
}

impl<'r> Decode<'r> for Grams {
    fn accepts(ty: &Type) -> bool {
        i32::accepts(ty)
    }

    fn decode(ty: &Type, bytes: &'r [u8]) -> std::result::Result<Self, DecodeError> {
        i32::decode(ty, bytes).map(Grams)
    }
}

impl Value for Grams {
    type Arg<'a> = Self;
    type Check = Num<Self>;

    fn sample(n: u32) -> Self {
        Self(i32::try_from(n).unwrap_or(0))
    }
}

impl SqlEq for Grams {}
impl SqlOrd for Grams {}

model! {
    Fleece in Table::new("fleeces").schema("barn"); key ID: i64;
    id ID: i64, identity();
    mood MOOD: Mood;
    before BEFORE: Option<Mood>;
    weight WEIGHT: Grams, checks(&[Num::Ge(Grams(1))]);
    quality QUALITY: String, sql_type("grade");
}

#[tokio::test]
async fn types_of_ones_own_are_columns() {
    let farm = Farm::empty().await;
    farm.run("CREATE TYPE mood AS ENUM ('calm', 'cross')").await;
    farm.run("CREATE TYPE grade AS ENUM ('fine', 'coarse')").await;
    let db = Db::builder().model::<Fleece>().connection(farm.connection.clone()).expect("is good");
    db.create_tables().await.expect("in a schema of its own");
    let mut session = db.session();
    let fleece = |mood, before, grams, quality: &str| Fleece {
        id: 0,
        mood,
        before,
        weight: Grams(grams),
        quality: quality.into(),
    };
    let one = session.add(fleece(Mood::Calm, None, 900, "fine")).expect("is good");
    session.add(fleece(Mood::Cross, Some(Mood::Calm), 700, "coarse")).expect("is good");
    assert_eq!(
        session.add(fleece(Mood::Calm, None, 0, "fine")).expect_err("too light").violations().len(),
        1
    );
    session.flush().await.expect("flushes");

    let count = async |query: wreath_orm::Select<Fleece>| db.count(&query).await.expect("counts");
    assert_eq!(count(Fleece::select().filter(Fleece::MOOD.eq(Mood::Cross))).await, 1);
    assert_eq!(count(Fleece::select().filter(Fleece::MOOD.any([Mood::Cross, Mood::Calm]))).await, 2);
    assert_eq!(count(Fleece::select().filter(Fleece::WEIGHT.gt(Grams(800)))).await, 1);
    // A string reaches an enum, alone and in a list.
    assert_eq!(count(Fleece::select().filter(Fleece::QUALITY.eq("fine"))).await, 1);
    assert_eq!(count(Fleece::select().filter(Fleece::QUALITY.any(["fine", "coarse"]))).await, 2);
    assert_eq!(count(Fleece::select().filter(Fleece::QUALITY.any([""; 0]))).await, 0);

    session.edit(one, |f| (f.mood, f.quality) = (Mood::Cross, "coarse".into())).expect("is allowed");
    session.edit(one, |f| f.weight = Grams(-1)).expect_err("too light");
    assert_eq!((session[one].mood, session[one].weight), (Mood::Cross, Grams(900)));
    session.flush().await.expect("flushes");
    assert_eq!(
        count(Fleece::select().filter(Fleece::MOOD.eq(Mood::Cross).and(Fleece::QUALITY.eq("coarse")))).await,
        2
    );
}

/// What all animals have.
#[derive(Clone, Debug, PartialEq)]
struct Tag {
    id: i64,
    ear: String,
}

trait Tagged: Model {
    fn tag(&self) -> &Tag;
}

impl Tag {
    const fn id<M: Tagged>() -> Column<M, i64> {
        M::TABLE.col("id", |m| &m.tag().id).identity()
    }

    const fn ear<M: Tagged>() -> Column<M, String> {
        M::TABLE.col("ear", |m| &m.tag().ear).unique()
    }
}

impl<M: Tagged> Load<M> for Tag {
    fn load<S: Source<M>>(s: &mut S) -> Result<Self> {
        Ok(Self { id: s.get(Self::id())?, ear: s.get(Self::ear())? })
    }
}

#[derive(Clone, Debug, PartialEq)]
struct Goat {
    milk: i32,
    tag: Tag,
}

impl Goat {
    const MILK: Column<Self, i32> = Self::TABLE.col("milk", |g| &g.milk);
}

impl Tagged for Goat {
    fn tag(&self) -> &Tag {
        &self.tag
    }
}

impl Load<Self> for Goat {
    fn load<S: Source<Self>>(s: &mut S) -> Result<Self> {
        Ok(Self { milk: s.get(Self::MILK)?, tag: s.group()? })
    }
}

impl Model for Goat {
    const TABLE: Table<Self> = Table::new("goats");
    type Key = i64;
    fn key() -> impl Columns<Self, Row = i64> {
        Tag::id()
    }
}

#[tokio::test]
async fn a_group_of_columns_serves_several_models() {
    let farm = Farm::of(Db::builder().model::<Goat>()).await;
    let order = "SELECT string_agg(attname, ' ' ORDER BY attnum) FROM pg_attribute
                 WHERE attrelid = 'goats'::regclass AND attnum > 0";
    assert_eq!(farm.text(order).await, "id ear milk", "a group's columns come ahead");
    let mut session = farm.db.session();
    let goat = session.add(Goat { milk: 3, tag: Tag { id: 0, ear: "A1".into() } }).expect("is good");
    session.flush().await.expect("flushes");
    assert_eq!(session[goat].tag.id, 1);
    session.edit(goat, |g| g.tag.ear = "B2".into()).expect("is allowed");
    session.flush().await.expect("flushes");
    let tags: Vec<Tag> =
        farm.db.fetch(&Goat::select().filter(Tag::ear().eq("B2")).into()).await.expect("fetches");
    assert_eq!(tags, [Tag { id: 1, ear: "B2".into() }]);
}
