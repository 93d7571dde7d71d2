//! Request bodies, against a validator that is as plain as can be.

use serde_json::{Value as Json, json};
use wreath_orm::codecs::types::{Date, Numeric, TimestampTz, Uuid};
use wreath_orm::{
    Column, Columns, Db, Decimal, ErrorKind, Items, Label, Labels, Load, Model, Num, Patch, Result, Rule,
    Source, Table, Text,
};

use crate::Farm;
use crate::farm::{Card, Llama};
use crate::random::Dice;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mood {
    Calm,
    Cross,
}

impl Labels for Mood {
    const TYPE: Option<&'static str> = Some("mood");
    const LABELS: &'static [(Self, &'static str)] = &[(Self::Calm, "calm"), (Self::Cross, "cross")];
}

/// A model with a column of each kind that JSON tells apart.
#[derive(Clone, Debug, PartialEq)]
struct Goat {
    id: i64,
    name: String,
    nick: Option<String>,
    age: i32,
    friendly: bool,
    height: f64,
    price: Numeric,
    tags: Vec<i32>,
    mood: Label<Mood>,
    born: Date,
    seen: Option<TimestampTz>,
    chip: Option<Uuid>,
    notes: Option<Json>,
    extra: Json,
}

impl Goat {
    const ID: Column<Self, i64> = Self::TABLE.col("id", |g| &g.id).identity();
    const NAME: Column<Self, String> =
        Self::TABLE.col("name", |g| &g.name).checks(&[Text::Length(1, 4), Text::Pattern("^[a-zä]*$")]);
    const NICK: Column<Self, Option<String>> = Self::TABLE.col("nick", |g| &g.nick);
    const AGE: Column<Self, i32> = Self::TABLE.col("age", |g| &g.age).checks(&[Num::Ge(0)]);
    const FRIENDLY: Column<Self, bool> = Self::TABLE.col("friendly", |g| &g.friendly).default_with(|| true);
    const HEIGHT: Column<Self, f64> = Self::TABLE.col("height", |g| &g.height).checks(&[Num::Lt(3.0)]);
    const PRICE: Column<Self, Numeric> = Self::TABLE.col("price", |g| &g.price).checks(&[Decimal::Scale(2)]);
    const TAGS: Column<Self, Vec<i32>> = Self::TABLE.col("tags", |g| &g.tags).checks(&[Items::Length(0, 2)]);
    const MOOD: Column<Self, Label<Mood>> = Self::TABLE.col("mood", |g| &g.mood);
    const BORN: Column<Self, Date> = Self::TABLE.col("born", |g| &g.born);
    const SEEN: Column<Self, Option<TimestampTz>> = Self::TABLE.col("seen", |g| &g.seen);
    const CHIP: Column<Self, Option<Uuid>> = Self::TABLE.col("chip", |g| &g.chip);
    const NOTES: Column<Self, Option<Json>> = Self::TABLE.col("notes", |g| &g.notes);
    const EXTRA: Column<Self, Json> = Self::TABLE.col("extra", |g| &g.extra).default_with(|| json!({}));
}

impl Load<Self> for Goat {
    fn load<S: Source<Self>>(s: &mut S) -> Result<Self> {
        Ok(Self {
            id: s.get(Self::ID)?,
            name: s.get(Self::NAME)?,
            nick: s.get(Self::NICK)?,
            age: s.get(Self::AGE)?,
            friendly: s.get(Self::FRIENDLY)?,
            height: s.get(Self::HEIGHT)?,
            price: s.get(Self::PRICE)?,
            tags: s.get(Self::TAGS)?,
            mood: s.get(Self::MOOD)?,
            born: s.get(Self::BORN)?,
            seen: s.get(Self::SEEN)?,
            chip: s.get(Self::CHIP)?,
            notes: s.get(Self::NOTES)?,
            extra: s.get(Self::EXTRA)?,
        })
    }
}

impl Model for Goat {
    const TABLE: Table<Self> = Table::new("goats");
    const RULES: &'static [Rule<Self>] =
        &[Rule::at("nick", "a nickname is not the name", &["name", "nick"], |g| {
            g.nick.as_deref() != Some(g.name.as_str())
        })];
    type Key = i64;
    fn key() -> impl Columns<Self, Row = i64> {
        Self::ID
    }
}

type Found = Vec<(String, String)>;

/// What is wrong with a field's value, if it is of the type at all.
fn naive(field: &str, value: &Json, found: &mut Found) {
    let mut wrong = |kind: &str, path: String| found.push((kind.to_owned(), path));
    let whole = |v: &Json| v.as_i64().filter(|n| i32::try_from(*n).is_ok());
    let date = |v: &Json| v.as_str().is_some_and(|s| s == "2024-02-29");
    let own = || field.to_owned();
    match field {
        "name" => match value.as_str() {
            None => wrong("type", own()),
            Some(name) => {
                if !(1..=4).contains(&name.chars().count()) {
                    wrong("length", own());
                }
                if name.chars().any(|c| !c.is_ascii_lowercase() && c != 'ä') {
                    wrong("pattern", own());
                }
            }
        },
        "nick" if !value.is_string() && !value.is_null() => wrong("type", own()),
        "age" => match whole(value) {
            None => wrong("type", own()),
            Some(age) if age < 0 => wrong("ge", own()),
            Some(_) => {}
        },
        "friendly" if !value.is_boolean() => wrong("type", own()),
        "height" => match value.as_f64() {
            None => wrong("type", own()),
            Some(height) if height >= 3.0 => wrong("lt", own()),
            Some(_) => {}
        },
        "price" => match value {
            Json::Number(_) => {
                if value.to_string().split_once('.').is_some_and(|(_, digits)| digits.len() > 2) {
                    wrong("scale", own());
                }
            }
            Json::String(s) if matches!(s.as_str(), "12.50" | "1") => {}
            _ => wrong("type", own()),
        },
        "tags" => match value.as_array() {
            None => wrong("type", own()),
            Some(tags) => match tags.iter().position(|tag| whole(tag).is_none() && !tag.is_null()) {
                Some(place) => wrong("type", format!("tags[{place}]")),
                None if tags.contains(&Json::Null) => wrong("type", own()),
                None if tags.len() > 2 => wrong("length", own()),
                None => {}
            },
        },
        "mood" if !matches!(value.as_str(), Some("calm" | "cross")) => wrong("type", own()),
        "born" if !date(value) => wrong("type", own()),
        "seen" if !value.is_null() && value.as_str() != Some("2024-02-29T12:00:00Z") => wrong("type", own()),
        "chip" if !value.is_null() && value.as_str() != Some("00000000-0000-0000-0000-000000000001") => {
            wrong("type", own());
        }
        "id" => wrong("read_only", own()),
        "wool" => wrong("unknown", own()),
        _ => {}
    }
}

fn naive_body(body: &serde_json::Map<String, Json>) -> Found {
    let mut found = Found::new();
    for (field, value) in body {
        naive(field, value, &mut found);
    }
    for field in ["name", "age", "height", "price", "tags", "mood", "born"] {
        if !body.contains_key(field) {
            found.push(("missing".to_owned(), field.to_owned()));
        }
    }
    let fine = |field: &str| !found.iter().any(|(_, path)| path == field);
    if fine("name") && fine("nick") && body.get("nick").is_some_and(|nick| Some(nick) == body.get("name")) {
        found.push(("rule".to_owned(), "nick".to_owned()));
    }
    found.sort();
    found
}

fn found(error: &wreath_orm::Error) -> Found {
    let mut found: Found = error.violations().iter().map(|v| (v.kind().to_owned(), v.path())).collect();
    found.sort();
    found
}

const FIELDS: [&str; 16] = [
    "id", "name", "nick", "age", "friendly", "height", "price", "tags", "mood", "born", "seen", "chip",
    "notes", "extra", "wool", "name",
];

/// A value of the field: with `care`, most often one that it may take.
fn value(dice: &mut Dice, field: &str, care: bool) -> Json {
    let odd = json!([null, 1.5, "1", true, [], {}, 1e12]);
    let likely = match field {
        "name" => json!(["a", "bä", "Tina", "toolong", ""]),
        "nick" => json!(["bä", "a", "toolong", ""]),
        "age" => json!([3, -1, 0, i32::MAX]),
        "friendly" => json!([true, false]),
        "height" => json!([0.5, 3.5, -1.0]),
        "price" => json!([1.5, 2, "12.50", 0.125]),
        "tags" => json!([[], [1, 2], [1, 2, 3], [1, "x"], [null]]),
        "mood" => json!(["calm", "cross", "sad"]),
        "born" => json!(["2024-02-29", "2023-02-29"]),
        "seen" => json!(["2024-02-29T12:00:00Z"]),
        "chip" => json!(["00000000-0000-0000-0000-000000000001"]),
        _ => json!([{"any": [1, {"thing": null}]}]),
    };
    let from = if dice.roll(if care { 100 } else { 5 }) == 0 { odd } else { likely };
    let from = from.as_array().expect("a list");
    let place = if care && dice.roll(10) > 0 { 0 } else { dice.roll(from.len()) };
    from[place].clone()
}

#[test]
fn bodies_are_judged_as_a_plain_validator_judges_them() {
    let (mut good, mut bad) = (0, 0);
    for seed in 0..8_000 {
        let mut dice = Dice(seed);
        let mut body = serde_json::Map::new();
        let (care, likely) = (dice.roll(2) == 0, dice.roll(4));
        for field in FIELDS {
            let wanted = !matches!(field, "id" | "wool") || dice.roll(40) == 0;
            if wanted && (care || dice.roll(12) >= likely) {
                body.insert(field.to_owned(), value(&mut dice, field, care));
            }
        }
        let expected = naive_body(&body);
        let text = Json::Object(body.clone()).to_string();
        match Goat::from_json(text.as_bytes()) {
            Ok(goat) => {
                good += 1;
                assert_eq!(expected, [], "seed {seed}: {text}");
                // What it has become says the same again, but for what the server is to make.
                let shown: Json = serde_json::from_str(&goat.to_json().expect("shows")).expect("is JSON");
                let mut again = shown.as_object().expect("is an object").clone();
                again.remove("id");
                let again =
                    Goat::from_json(Json::Object(again).to_string().as_bytes()).expect("reads its own");
                assert_eq!(again, goat, "{shown}");
            }
            Err(error) => {
                bad += 1;
                assert_eq!(error.kind(), ErrorKind::Invalid, "{error} {text}");
                assert_eq!(found(&error), expected, "seed {seed}: {text}");
            }
        }
    }
    assert!(good > 100 && bad > 100, "both happen: {good} and {bad}");
}

#[test]
fn what_is_no_object_is_one_violation() {
    for (body, kind) in [
        ("", "syntax"),
        ("{", "syntax"),
        ("{}}", "syntax"),
        (r#"{"name": "a" "age"}"#, "syntax"),
        ("[1]", "type"),
        ("null", "type"),
        ("7", "type"),
    ] {
        let error = Goat::from_json(body.as_bytes()).expect_err(body);
        assert_eq!(error.violations().iter().map(|v| v.kind()).collect::<Vec<_>>(), [kind], "{body}");
    }
    assert_eq!(Goat::from_json(b"{\"name\": \"\xff\"}").expect_err("no UTF-8").kind(), ErrorKind::Invalid);
    let deep = format!("{}{}", r#"{"notes": "#, "[".repeat(100_000));
    assert_eq!(Goat::from_json(deep.as_bytes()).expect_err("has no end").kind(), ErrorKind::Invalid);
    let deep = format!(r#"{{"notes": {}{}}}"#, "[".repeat(100_000), "]".repeat(100_000));
    assert_eq!(Goat::from_json(deep.as_bytes()).expect_err("too deep").kind(), ErrorKind::Invalid);
}

#[test]
fn types_are_strict_and_numbers_exact() {
    let kinds = |field: &str, value: &str| {
        let patch = Patch::<Goat>::from_json::<Goat>(format!(r#"{{"{field}": {value}}}"#).as_bytes());
        patch.err().map(|e| found(&e))
    };
    let wrong = |field: &str| Some(vec![("type".to_owned(), field.to_owned())]);
    for value in ["1.0", "1e3", "\"1\"", "2147483648", "true", "null", "-"] {
        assert!(kinds("age", value).is_some(), "{value}");
    }
    assert_eq!(kinds("age", "-0"), None);
    assert_eq!(kinds("height", "1e999"), wrong("height"));
    assert_eq!(kinds("name", r#""a\u0000""#), wrong("name"), "text holds no NUL");
    assert_eq!(kinds("notes", r#"{"a": "\u0000"}"#), wrong("notes"), "nor does jsonb");
    assert_eq!(kinds("notes", r#"{"a": "\\u0000"}"#), None);
    assert_eq!(kinds("price", "\"NaNs\""), wrong("price"));

    let long = "12345678901234567890123456789.01";
    let body = format!(
        r#"{{"name": "a", "age": 1, "height": 1, "price": {long}, "tags": [], "mood": "calm", "born": "2024-02-29"}}"#
    );
    let goat = Goat::from_json(body.as_bytes()).expect("is valid");
    assert_eq!(goat.price.to_string(), long);
    assert_eq!(goat.extra, json!({}), "the default");
    let twice = Goat::from_json(br#"{"age": 1, "age": 2}"#).expect_err("comes twice");
    assert!(found(&twice).contains(&("duplicate".to_owned(), "age".to_owned())));
}

#[tokio::test]
async fn a_body_becomes_a_row_and_a_patch_changes_it() {
    let farm = Farm::of(Db::builder().model::<Goat>()).await;
    let mut session = farm.db.session();
    let body = json!({
        "name": "bä", "age": 3, "height": 0.9, "price": "12.50", "tags": [1, 2], "mood": "cross",
        "born": "2024-02-29", "seen": "2024-02-29T12:00:00+02:00", "notes": {"wool": [1.50]},
    });
    let goat = Goat::from_json(body.to_string().as_bytes()).expect("is valid");
    assert_eq!(goat.id, 0, "the server is still to number it");
    let goat = session.add(goat).expect("is valid");
    session.flush().await.expect("flushes");
    let row = farm.text("SELECT to_jsonb(g) - 'chip' || '{\"id\": 1}' FROM goats g").await;
    let row: Json = serde_json::from_str(&row).expect("is JSON");
    assert_eq!(
        (&row["seen"], &row["mood"], &row["price"]),
        (&json!("2024-02-29T10:00:00+00:00"), &json!("cross"), &json!(12.50))
    );

    let patch = Patch::<Goat>::from_json::<Goat>(br#"{"nick": "b\u00e4", "age": 4}"#).expect("is a patch");
    let error = session.patch(goat, &patch).expect_err("a rule over what is there and what comes");
    assert_eq!(found(&error), [("rule".to_owned(), "nick".to_owned())]);
    assert!(!session.is_pending(), "a refused patch leaves no trace");
    let patch =
        Patch::<Goat>::from_json::<Goat>(br#"{"nick": "b", "age": 4, "tags": []}"#).expect("is a patch");
    assert_eq!(serde_json::to_string(&patch).expect("shows"), r#"{"nick":"b","age":4,"tags":[]}"#);
    session.patch(goat, &patch).expect("is valid");
    session.flush().await.expect("flushes");
    assert_eq!(farm.text("SELECT nick || age || cardinality(tags) FROM goats").await, "b40");
}

#[test]
fn a_part_of_a_model_reads_its_own_columns_only() {
    let card: Card = Llama::from_json_as(br#"{"name": "Tina", "age": 4}"#).expect("is valid");
    assert_eq!(card, Card { name: "Tina".into(), age: 4 });
    let error = Llama::from_json_as::<Card>(br#"{"name": "", "nick": "T"}"#).expect_err("is refused");
    let expected = [("length", "name"), ("missing", "age"), ("unknown", "nick")];
    assert_eq!(found(&error), expected.map(|(kind, path)| (kind.to_owned(), path.to_owned())));
}
