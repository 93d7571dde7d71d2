//! What is decoded, and by whom into what.

use std::fmt::Debug;
use std::hint::black_box;
use std::str::FromStr;

use chrono::{DateTime, FixedOffset, NaiveDate, NaiveDateTime, NaiveTime, Utc};
use rust_decimal::Decimal;
use serde_json::value::RawValue;
use sqlx::postgres::{PgRow, types as pg};
use wreath_codecs::types::{
    Bit, Cidr, Circle, Date, Inet, Interval, JsonPath, Line, LineSegment, MacAddr, Money, Multirange,
    Numeric, Path, PgLsn, Point, Polygon, Range, RawJson, Rect, Tid, Time, TimeTz, Timestamp, TimestampTz,
    TsQuery, TsVector, Xid8,
};
use wreath_codecs::{Encoder, oid};

use crate::arms::{Cursor, Next, PostgresTypes, Sqlx, Wreath};
use crate::table::{Table, put};

/// Values of one type, or rows of several, and the peers that read them.
pub struct Case {
    pub name: &'static str,
    pub unit: &'static str,
    pub table: Table,
    pub arms: Vec<Arm>,
}

/// A peer, what it reads the values into, and how it reads all of them once.
pub struct Arm {
    pub peer: &'static str,
    pub into: &'static str,
    pub pass: fn(&Table, &[PgRow]),
}

const ROWS: usize = 10_000;

/// Reads every row column by column, as these types, with a cursor.
macro_rules! pass {
    ($cursor:ident, $table:ident, $rows:expr, $($t:ty),+) => {
        for row in $rows {
            let mut cursor = $cursor::open($table, row);
            black_box::<($($t,)+)>(($(<_ as Next<$t>>::next(&mut cursor),)+));
        }
    };
}

macro_rules! arm {
    (wreath $label:literal $($t:ty),+) => {
        Arm { peer: "wreath", into: $label, pass: |table, _| pass!(Wreath, table, &table.rows, $($t),+) }
    };
    (postgres $label:literal $($t:ty),+) => {
        Arm {
            peer: "tokio-postgres",
            into: $label,
            pass: |table, _| pass!(PostgresTypes, table, &table.rows, $($t),+),
        }
    };
    (sqlx $label:literal $($t:ty),+) => {
        Arm { peer: "sqlx", into: $label, pass: |table, received| pass!(Sqlx, table, received, $($t),+) }
    };
}

/// Cases of one column each: the values, from their number, and an arm a line.
macro_rules! single {
    ($($name:literal, $oid:ident, $value:expr => $($peer:ident $t:ty),+;)*) => {
        vec![$(Case {
            name: $name,
            unit: "value",
            table: Table::new(&[oid::$oid], ROWS, |i, out| put(out, &$value(i))),
            arms: vec![$(arm!($peer "value" $t)),+],
        }),*]
    };
}

/// Every case, the first arm of each being ours.
pub fn all() -> Vec<Case> {
    let mut cases = single! {
        "bool", BOOL, |i: usize| i.is_multiple_of(3) => wreath bool, postgres bool, sqlx bool;
        "int2", INT2, |i| i as i16 => wreath i16, postgres i16, sqlx i16;
        "int4", INT4, int4 => wreath i32, postgres i32, sqlx i32;
        "int8", INT8, |i| i as i64 => wreath i64, postgres i64, sqlx i64;
        "float4", FLOAT4, |i| i as f32 / 7.0 => wreath f32, postgres f32, sqlx f32;
        "float8", FLOAT8, |i| i as f64 / 7.0 => wreath f64, postgres f64, sqlx f64;
        "text, owned", TEXT, text => wreath String, postgres String, sqlx String;
        "text, borrowed", TEXT, text => wreath &str, postgres &str, sqlx &str;
        "bytea, owned", BYTEA, |i| vec![i as u8; 64] => wreath Vec<u8>, postgres Vec<u8>, sqlx Vec<u8>;
        "bytea, borrowed", BYTEA, |i| vec![i as u8; 64] => wreath &[u8], postgres &[u8], sqlx &[u8];
        "uuid", UUID, uuid => wreath uuid::Uuid, postgres uuid::Uuid, sqlx uuid::Uuid;
        "date, own type", DATE, date => wreath Date, postgres NaiveDate, sqlx NaiveDate;
        "date", DATE, date => wreath NaiveDate, postgres NaiveDate, sqlx NaiveDate;
        "time, own type", TIME, time => wreath Time, postgres NaiveTime, sqlx NaiveTime;
        "time", TIME, time => wreath NaiveTime, postgres NaiveTime, sqlx NaiveTime;
        "timestamp, own type", TIMESTAMP, timestamp
            => wreath Timestamp, postgres NaiveDateTime, sqlx NaiveDateTime;
        "timestamp", TIMESTAMP, timestamp
            => wreath NaiveDateTime, postgres NaiveDateTime, sqlx NaiveDateTime;
        "timestamptz, own type", TIMESTAMPTZ, timestamptz
            => wreath TimestampTz, postgres DateTime<Utc>, sqlx DateTime<Utc>;
        "timestamptz", TIMESTAMPTZ, timestamptz
            => wreath DateTime<Utc>, postgres DateTime<Utc>, sqlx DateTime<Utc>;
        "interval", INTERVAL, |i| Interval { months: 1, days: 2, micros: i as i64 }
            => wreath Interval, sqlx pg::PgInterval;
        "numeric, own type", NUMERIC, numeric => wreath Numeric, postgres Decimal, sqlx Decimal;
        "numeric", NUMERIC, numeric => wreath Decimal, postgres Decimal, sqlx Decimal;
        "jsonb, raw", JSONB, json => wreath RawJson<'_>,
            postgres postgres_types::Json<&RawValue>, sqlx sqlx::types::Json<&RawValue>;
        "jsonb, serde_json", JSONB, json
            => wreath serde_json::Value, postgres serde_json::Value, sqlx serde_json::Value;
        "\"char\"", CHAR, |i| i as i8 => wreath i8, postgres i8, sqlx i8;
        "oid", OID, |i| i as u32 => wreath u32, postgres u32, sqlx pg::Oid;
        "pg_lsn", PG_LSN, |i| PgLsn(i as u64) => wreath PgLsn, postgres postgres_types::PgLsn;
        "xid8", XID8, |i| Xid8(i as u64) => wreath Xid8;
        "tid", TID, parsed::<Tid>(|i| format!("({i},1)")) => wreath Tid;
        "money", MONEY, |i| Money(i as i64) => wreath Money, sqlx pg::PgMoney;
        "timetz", TIMETZ, parsed::<TimeTz>(|i| format!("12:34:56.{:06}+02", i))
            => wreath TimeTz, sqlx pg::PgTimeTz<NaiveTime, FixedOffset>;
        "inet", INET, |i: usize| std::net::IpAddr::from((i as u32).to_be_bytes())
            => wreath std::net::IpAddr, postgres std::net::IpAddr, sqlx ipnetwork::IpNetwork;
        "inet, own type", INET, parsed::<Inet>(|i| format!("10.0.{}.{}/24", i / 256 % 256, i % 256))
            => wreath Inet, postgres std::net::IpAddr, sqlx ipnetwork::IpNetwork;
        "cidr", CIDR, parsed::<Cidr>(|i| format!("10.0.{}.0/24", i % 256)) => wreath Cidr, sqlx ipnetwork::IpNetwork;
        "macaddr", MACADDR, |i| MacAddr([i as u8; 6]) => wreath MacAddr, sqlx mac_address::MacAddress;
        "point", POINT, |i| Point { x: i as f64, y: 1.5 } => wreath Point, postgres geo_types::Point<f64>, sqlx pg::PgPoint;
        "line", LINE, parsed::<Line>(|i| format!("{{1,2,{i}}}")) => wreath Line, sqlx pg::PgLine;
        "lseg", LSEG, parsed::<LineSegment>(|i| format!("[(0,1),(2,{i})]")) => wreath LineSegment, sqlx pg::PgLSeg;
        "box", BOX, parsed::<Rect>(|i| format!("(2,{i}),(0,-1)"))
            => wreath Rect, postgres geo_types::Rect<f64>, sqlx pg::PgBox;
        "path", PATH, parsed::<Path>(|i| format!("[(0,1),(2,3),(4,{i})]"))
            => wreath Path, postgres geo_types::LineString<f64>, sqlx pg::PgPath;
        "polygon", POLYGON, parsed::<Polygon>(|i| format!("((0,1),(2,3),(4,{i}))")) => wreath Polygon, sqlx pg::PgPolygon;
        "circle", CIRCLE, parsed::<Circle>(|i| format!("<(0,1),{i}>")) => wreath Circle, sqlx pg::PgCircle;
        "bit varying", VARBIT, parsed::<Bit>(|i| format!("{:064b}", i)) => wreath Bit;
        "tsvector", TSVECTOR, parsed::<TsVector>(|i| format!("'a':1A 'llama':{} 'z'", i % 999 + 1)) => wreath TsVector;
        "tsquery", TSQUERY, parsed::<TsQuery>(|i| format!("'a' & ( 'b{i}' | !'c' )")) => wreath TsQuery;
        "xml", XML, text => wreath &str;
        "jsonpath", JSONPATH, |i| JsonPath(format!("$.\"a\"[{i}]")) => wreath JsonPath;
        "int4range", INT4RANGE, parsed::<Range<i32>>(|i| format!("[1,{})", i + 2))
            => wreath Range<i32>, sqlx pg::PgRange<i32>;
        "int4multirange", INT4MULTIRANGE, parsed::<Multirange<i32>>(|i| format!("{{[1,3),[5,{})}}", i + 7))
            => wreath Multirange<i32>;
        "int4[]", INT4_ARRAY, |i: usize| (0..16).map(|n| int4(i + n)).collect::<Vec<i32>>()
            => wreath Vec<i32>, postgres Vec<i32>, sqlx Vec<i32>;
        "text[]", TEXT_ARRAY, |i: usize| (0..4).map(|n| text(i + n)).collect::<Vec<String>>()
            => wreath Vec<String>, postgres Vec<String>, sqlx Vec<String>;
        "int4, half NULL", INT4, |i| (i % 2 == 0).then(|| int4(i))
            => wreath Option<i32>, postgres Option<i32>, sqlx Option<i32>;
    };
    cases.extend(rows());
    cases
}

/// The types of the columns of `wide`, of which the last three are those that each peer reads differently.
macro_rules! ten {
    ($peer:ident $label:literal $time:ty, $number:ty, $json:ty) => {
        arm!($peer $label i64, i32, String, String, bool, f64, uuid::Uuid, $time, $number, $json)
    };
}

/// Rows of ten columns. JSON is left as it is in one, and read with serde in the other.
fn rows() -> Vec<Case> {
    let case = |name, arms| Case { name, unit: "row", table: Table::new(&WIDE, ROWS, wide), arms };
    let raw = vec![
        ten!(wreath "own types" TimestampTz, Numeric, RawJson<'_>),
        ten!(wreath "same types" DateTime<Utc>, Decimal, RawJson<'_>),
        ten!(postgres "row" DateTime<Utc>, Decimal, postgres_types::Json<&RawValue>),
        ten!(sqlx "row" DateTime<Utc>, Decimal, sqlx::types::Json<&RawValue>),
    ];
    let serde = vec![
        ten!(wreath "own types" TimestampTz, Numeric, serde_json::Value),
        ten!(wreath "same types" DateTime<Utc>, Decimal, serde_json::Value),
        ten!(postgres "row" DateTime<Utc>, Decimal, serde_json::Value),
        ten!(sqlx "row" DateTime<Utc>, Decimal, serde_json::Value),
    ];
    vec![case("10 columns, raw JSON", raw), case("10 columns, serde", serde)]
}

const WIDE: [u32; 10] = [
    oid::INT8,
    oid::INT4,
    oid::TEXT,
    oid::VARCHAR,
    oid::BOOL,
    oid::FLOAT8,
    oid::UUID,
    oid::TIMESTAMPTZ,
    oid::NUMERIC,
    oid::JSONB,
];

fn wide(i: usize, out: &mut Encoder) {
    put(out, &(i as i64));
    put(out, &int4(i));
    put(out, &text(i));
    put(out, &format!("C-{i:08}"));
    put(out, &i.is_multiple_of(3));
    put(out, &(i as f64 / 7.0));
    put(out, &uuid(i));
    put(out, &timestamptz(i));
    put(out, &numeric(i));
    put(out, &json(i));
}

/// Values from their text.
fn parsed<T: FromStr<Err: Debug>>(text: fn(usize) -> String) -> impl Fn(usize) -> T {
    move |i| text(i).parse().expect("a value")
}

fn int4(i: usize) -> i32 {
    (i * 7919 % 100_000) as i32
}

fn text(i: usize) -> String {
    format!("Title of row {i}{}", ".".repeat(i % 24))
}

fn uuid(i: usize) -> uuid::Uuid {
    uuid::Uuid::from_bytes([i as u8; 16])
}

fn date(i: usize) -> Date {
    Date::from_days(i as i32).expect("in range")
}

fn time(i: usize) -> Time {
    Time::from_micros(i as i64 * 8_640_000).expect("in a day")
}

fn timestamp(i: usize) -> Timestamp {
    Timestamp::from_unix_micros(1_700_000_000_000_000 + i as i64 * 1_000_003).expect("in range")
}

fn timestamptz(i: usize) -> TimestampTz {
    TimestampTz::from_unix_micros(1_700_000_000_000_000 + i as i64 * 1_000_003).expect("in range")
}

fn numeric(i: usize) -> Numeric {
    format!("{}.{:02}", i * 37, i % 100).parse().expect("a number")
}

fn json(i: usize) -> RawJson<'static> {
    RawJson::new(format!(r#"{{"kind": "k{}", "n": {i}, "on": {}}}"#, i % 10, i.is_multiple_of(2)))
}
