//! A model with a column of every kind that operators are about, made-up rows of it, and conditions on them beside
//! what they mean in Rust. The SQL of each condition is held against a file, its result against a real server's.

#![allow(dead_code, unreachable_pub, reason = "each suite that includes this module uses a part of it")]

mod advanced;
mod basic;
mod naive;
pub mod random;
mod text;

use std::ops::Bound;

use wreath_orm::codecs::types::{Date, Range, Timestamp};
use wreath_orm::geo::Coordinate;
use wreath_orm::{Column, Columns, Load, Model, Pred, Result, Source, Table};

#[derive(Clone, Debug, PartialEq)]
pub struct Sample {
    pub id: i64,
    pub n: i32,
    pub m: Option<i32>,
    pub big: i64,
    pub x: f64,
    pub word: String,
    pub note: Option<String>,
    pub yes: bool,
    pub maybe: Option<bool>,
    pub tags: Vec<String>,
    pub nums: Option<Vec<i32>>,
    pub span: Range<i32>,
    pub day: Date,
    pub at: Option<Timestamp>,
    pub doc: serde_json::Value,
    pub place: Coordinate,
}

impl Sample {
    pub const ID: Column<Self, i64> = Self::TABLE.col("id", |s| &s.id);
    pub const N: Column<Self, i32> = Self::TABLE.col("n", |s| &s.n);
    pub const M: Column<Self, Option<i32>> = Self::TABLE.col("m", |s| &s.m);
    pub const BIG: Column<Self, i64> = Self::TABLE.col("big", |s| &s.big);
    pub const X: Column<Self, f64> = Self::TABLE.col("x", |s| &s.x);
    pub const WORD: Column<Self, String> = Self::TABLE.col("word", |s| &s.word);
    pub const NOTE: Column<Self, Option<String>> = Self::TABLE.col("note", |s| &s.note);
    pub const YES: Column<Self, bool> = Self::TABLE.col("yes", |s| &s.yes);
    pub const MAYBE: Column<Self, Option<bool>> = Self::TABLE.col("maybe", |s| &s.maybe);
    pub const TAGS: Column<Self, Vec<String>> = Self::TABLE.col("tags", |s| &s.tags);
    pub const NUMS: Column<Self, Option<Vec<i32>>> = Self::TABLE.col("nums", |s| &s.nums);
    pub const SPAN: Column<Self, Range<i32>> = Self::TABLE.col("span", |s| &s.span);
    pub const DAY: Column<Self, Date> = Self::TABLE.col("day", |s| &s.day);
    pub const AT: Column<Self, Option<Timestamp>> = Self::TABLE.col("at", |s| &s.at);
    pub const DOC: Column<Self, serde_json::Value> = Self::TABLE.col("doc", |s| &s.doc);
    pub const PLACE: Column<Self, Coordinate> = Self::TABLE.col("place", |s| &s.place);
}

impl Load<Self> for Sample {
    fn load<S: Source<Self>>(s: &mut S) -> Result<Self> {
        Ok(Self {
            id: s.get(Self::ID)?,
            n: s.get(Self::N)?,
            m: s.get(Self::M)?,
            big: s.get(Self::BIG)?,
            x: s.get(Self::X)?,
            word: s.get(Self::WORD)?,
            note: s.get(Self::NOTE)?,
            yes: s.get(Self::YES)?,
            maybe: s.get(Self::MAYBE)?,
            tags: s.get(Self::TAGS)?,
            nums: s.get(Self::NUMS)?,
            span: s.get(Self::SPAN)?,
            day: s.get(Self::DAY)?,
            at: s.get(Self::AT)?,
            doc: s.get(Self::DOC)?,
            place: s.get(Self::PLACE)?,
        })
    }
}

impl Model for Sample {
    const TABLE: Table<Self> = Table::new("samples");
    type Key = i64;
    fn key() -> impl Columns<Self, Row = i64> {
        Self::ID
    }
}

/// What a condition means: `None` where it is neither true nor false.
pub type Meaning = Box<dyn Fn(&Sample, &[Sample]) -> Option<bool> + Send + Sync>;

/// A condition, what it is called, and what it means for a row of a table.
pub struct Case {
    pub name: &'static str,
    pub pred: Pred<Sample>,
    pub meaning: Meaning,
}

/// A condition on a row by itself.
fn case<B: Into<Option<bool>>>(
    name: &'static str,
    pred: Pred<Sample>,
    meaning: impl Fn(&Sample) -> B + Send + Sync + 'static,
) -> Case {
    Case { name, pred, meaning: Box::new(move |row, _| meaning(row).into()) }
}

/// A condition on a row and on all rows of the table.
fn case_among<B: Into<Option<bool>>>(
    name: &'static str,
    pred: Pred<Sample>,
    meaning: impl Fn(&Sample, &[Sample]) -> B + Send + Sync + 'static,
) -> Case {
    Case { name, pred, meaning: Box::new(move |row, all| meaning(row, all).into()) }
}

/// All cases, by title.
pub fn cases() -> Vec<(&'static str, Vec<Case>)> {
    let mut all = basic::cases();
    all.extend(text::cases());
    all.extend(advanced::cases());
    all
}

/// A random number after the other, by the `SplitMix64` generator.
pub struct Dice(pub u64);

impl Dice {
    pub fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((z ^ (z >> 31)) % sides as u64).expect("few sides")
    }

    pub fn number(&mut self, from: i32, to: i32) -> i32 {
        let sides = usize::try_from(to - from + 1).expect("to is not less");
        from + i32::try_from(self.roll(sides)).expect("few sides")
    }

    pub fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.roll(from.len())]
    }

    fn maybe<T>(&mut self, value: impl FnOnce(&mut Self) -> T) -> Option<T> {
        (self.roll(3) > 0).then(|| value(self))
    }
}

/// Texts with what could mean something to SQL, to a pattern, or to the text form of an array.
pub const WORDS: [&str; 12] =
    ["", "a", "abc", "Abc", "100%", "a_c", r"back\slash", "it's", r#"{"q"}"#, "ä b", "NULL", "a,b"];

/// Rows of small values, so that many are equal and many are NULL.
pub fn rows(dice: &mut Dice, count: i64) -> Vec<Sample> {
    (1..=count).map(|id| row(dice, id)).collect()
}

fn row(dice: &mut Dice, id: i64) -> Sample {
    let docs = [
        serde_json::json!({"a": 1, "b": {"c": "x", "d": [1, 2]}}),
        serde_json::json!({"a": 2, "b": null}),
        serde_json::json!({"b": {"c": "y"}, "it's": true}),
        serde_json::json!(["p", "q", 3]),
        serde_json::json!([]),
        serde_json::json!("a"),
    ];
    let low = dice.number(-4, 4);
    let span = match dice.roll(5) {
        0 => Range::Empty,
        1 => Range::Span(Bound::Included(low), Bound::Unbounded),
        _ => Range::Span(Bound::Included(low), Bound::Excluded(low + dice.number(1, 4))),
    };
    Sample {
        id,
        n: dice.number(-5, 5),
        m: dice.maybe(|dice| dice.number(-5, 5)),
        big: i64::from(dice.number(-3, 3)) * 1_000_000_007,
        x: f64::from(dice.number(-8, 8)) / 4.0,
        word: (*dice.pick(&WORDS)).to_owned(),
        note: dice.maybe(|dice| (*dice.pick(&WORDS)).to_owned()),
        yes: dice.roll(2) == 0,
        maybe: dice.maybe(|dice| dice.roll(2) == 0),
        tags: (0..dice.roll(4)).map(|_| (*dice.pick(&WORDS)).to_owned()).collect(),
        nums: dice.maybe(|dice| (0..dice.roll(4)).map(|_| dice.number(-2, 2)).collect()),
        span,
        day: Date::from_days(9_000 + dice.number(0, 900)).expect("a day of this century"),
        at: dice.maybe(|dice| {
            let seconds = i64::from(dice.number(0, 9)) * 86_400 + i64::from(dice.number(0, 86_399));
            Timestamp::from_micros(800_000_000_000_000 + seconds * 1_000_000).expect("a time of this century")
        }),
        doc: dice.pick(&docs).clone(),
        place: Coordinate::new(f64::from(dice.number(-90, 90)), f64::from(dice.number(-180, 180)))
            .expect("is in range"),
    }
}
