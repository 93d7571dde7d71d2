//! Arrays, ranges, jsonb, times, places, subqueries, search.

use std::ops::Bound;

use serde_json::json;
use wreath_orm::codecs::types::{Interval, Range, Timestamp};
use wreath_orm::expr::{TimePart, case as when, exists, func, plain_search, raw, scalar, value, websearch};
use wreath_orm::geo::Coordinate;
use wreath_orm::{Alias, Model};

use super::naive::{contains, distance, has_key, path, text};
use super::{Case, Sample, case, case_among};

pub fn cases() -> Vec<(&'static str, Vec<Case>)> {
    vec![
        ("Arrays", arrays()),
        ("Ranges", ranges()),
        ("jsonb", documents()),
        ("Dates and times", times()),
        ("Places", places()),
        ("Full text search", search()),
        ("Subqueries", subqueries()),
        ("SQL of one's own", own()),
    ]
}

fn tags(of: &[&str]) -> Vec<String> {
    of.iter().map(|&tag| tag.to_owned()).collect()
}

fn arrays() -> Vec<Case> {
    let has = |s: &Sample, tag: &str| s.tags.iter().any(|t| t == tag);
    vec![
        case("has an element", Sample::TAGS.has_element("it's"), move |s| has(s, "it's")),
        case("all elements are this", Sample::NUMS.all_are(1), |s| {
            s.nums.as_ref().map(|nums| nums.iter().all(|n| *n == 1))
        }),
        case("contains a list", Sample::TAGS.contains(&tags(&["a", "NULL"])), move |s| {
            has(s, "a") && has(s, "NULL")
        }),
        case("contains nothing in particular", Sample::TAGS.contains(&[]), |_| true),
        case("is contained", Sample::NUMS.contained_by(&[0, 1]), |s| {
            s.nums.as_ref().map(|nums| nums.iter().all(|n| (0..=1).contains(n)))
        }),
        case("overlaps", Sample::TAGS.overlaps(&tags(&["a,b", "100%"])), move |s| {
            has(s, "a,b") || has(s, "100%")
        }),
        case("overlaps nothing", Sample::TAGS.overlaps(&[]), |_| false),
        case("how many", Sample::TAGS.cardinality().gt(1), |s| s.tags.len() > 1),
        case("an element by its place", Sample::NUMS.element(2).eq(1), |s| {
            s.nums.as_ref().and_then(|nums| nums.get(1).map(|n| *n == 1))
        }),
        case("the place of an element", Sample::TAGS.position_of("a").eq(1), |s| {
            s.tags.iter().position(|t| t == "a").map(|at| at == 0)
        }),
        case("with another element", Sample::TAGS.append_element("z").cardinality().eq(1), |s| {
            s.tags.is_empty()
        }),
        case("without an element", Sample::TAGS.remove_element("a").cardinality().eq(0), |s| {
            s.tags.iter().all(|t| t == "a")
        }),
        case("the same array", Sample::NUMS.eq(&[0, 1]), |s| s.nums.as_ref().map(|nums| nums == &[0, 1])),
    ]
}

/// The numbers of a range, as far as the cases here reach.
pub(super) fn within(range: &Range<i32>) -> std::ops::Range<i32> {
    match range {
        Range::Span(Bound::Included(low), Bound::Excluded(high)) => *low..*high,
        Range::Span(Bound::Included(low), _) => *low..1_000,
        _ => 0..0,
    }
}

fn ranges() -> Vec<Case> {
    let other: Range<i32> = (-1..3).into();
    let empty = |s: &Sample| within(&s.span).is_empty();
    vec![
        case("a value in it", Sample::SPAN.contains(1), |s| within(&s.span).contains(&1)),
        case("a column's value in it", Sample::SPAN.contains_to(Sample::N), |s| {
            within(&s.span).contains(&s.n)
        }),
        case("a range in it", Sample::SPAN.contains_range(&(1..2).into()), |s| within(&s.span).contains(&1)),
        case("in a range", Sample::SPAN.contained_by(&other), move |s| {
            empty(s) || (within(&s.span).start >= -1 && within(&s.span).end <= 3)
        }),
        case("overlaps a range", Sample::SPAN.overlaps(&other), |s| {
            within(&s.span).any(|n| (-1..3).contains(&n))
        }),
        case("before a range", Sample::SPAN.is_before(&other), move |s| {
            !empty(s) && within(&s.span).end <= -1
        }),
        case("after a range", Sample::SPAN.is_after(&other), move |s| {
            !empty(s) && within(&s.span).start >= 3
        }),
        case("beside a range", Sample::SPAN.is_adjacent_to(&other), move |s| {
            !empty(s) && (within(&s.span).start == 3 || within(&s.span).end == -1)
        }),
        case("ends within", Sample::SPAN.ends_within(&other), move |s| !empty(s) && within(&s.span).end <= 3),
        case("begins within", Sample::SPAN.begins_within(&other), move |s| {
            !empty(s) && within(&s.span).start >= -1
        }),
        case("its lower bound", Sample::SPAN.lower_bound().lt(0), move |s| {
            (!empty(s)).then(|| within(&s.span).start < 0)
        }),
        case("its upper bound", Sample::SPAN.upper_bound().is_null(), move |s| {
            empty(s) || within(&s.span).end == 1_000
        }),
        case("empty", Sample::SPAN.is_empty(), empty),
    ]
}

fn documents() -> Vec<Case> {
    vec![
        case("contains a document", Sample::DOC.contains(&json!({"b": {"c": "x"}})), |s| {
            contains(&s.doc, &json!({"b": {"c": "x"}}))
        }),
        case("an array contains a string", Sample::DOC.contains(&json!("p")), |s| {
            contains(&s.doc, &json!("p"))
        }),
        case("is contained", Sample::DOC.contained_by(&json!({"a": 2, "b": null, "c": 1})), |s| {
            contains(&json!({"a": 2, "b": null, "c": 1}), &s.doc)
        }),
        case("has a key", Sample::DOC.has_key("it's"), |s| has_key(&s.doc, "it's")),
        case("has one of some keys", Sample::DOC.has_any_key(["a", "q"]), |s| {
            has_key(&s.doc, "a") || has_key(&s.doc, "q")
        }),
        case("has all of some keys", Sample::DOC.has_all_keys(["a", "b"]), |s| {
            has_key(&s.doc, "a") && has_key(&s.doc, "b")
        }),
        case("what is under a key", Sample::DOC.get("a").eq(&json!(1)), |s| s.doc.get("a").map(|a| *a == 1)),
        case("what is under a key, as text", Sample::DOC.get_text("a").eq("2"), |s| {
            s.doc.get("a").and_then(text).map(|a| a == "2")
        }),
        case(
            "what is at a place; a value by itself is at its first",
            Sample::DOC.at(0).eq(&json!("p")),
            |s| {
                let first = if s.doc.is_string() { Some(&s.doc) } else { s.doc.get(0) };
                first.map(|item| item == "p")
            },
        ),
        case("a path", Sample::DOC.path(["b", "d", "1"]).eq(&json!(2)), |s| {
            path(&s.doc, &["b", "d", "1"]).map(|found| *found == 2)
        }),
        case("a path, as text", Sample::DOC.path_text(["b", "c"]).any(["x", "y"]), |s| {
            path(&s.doc, &["b", "c"]).and_then(text).map(|found| found == "x" || found == "y")
        }),
        case(
            "a document at the end of a path, as text",
            Sample::DOC.path_text(["b", "d"]).eq("[1, 2]"),
            |s| path(&s.doc, &["b", "d"]).and_then(text).map(|found| found == "[1, 2]"),
        ),
        case("a JSON path that finds something", Sample::DOC.path_exists("$.b.c"), |s| {
            path(&s.doc, &["b", "c"]).is_some()
        }),
        case("a JSON path that states something", Sample::DOC.path_matches("$.a == 1"), |s| {
            s.doc.get("a").is_some_and(|a| *a == 1)
        }),
        case(
            "without a key, where there are keys",
            when(Sample::DOC.json_type().eq("object"), Sample::DOC.without_key("b"))
                .end()
                .eq(&json!({"a": 1})),
            |s| s.doc.is_object().then(|| s.doc.get("a").is_some_and(|a| *a == 1)),
        ),
        case("merged", Sample::DOC.merge(&json!({"a": 9})).get_text("a").is_not_null(), |s| {
            !s.doc.is_array() && s.doc.is_object()
        }),
        case("what type it is of", Sample::DOC.json_type().eq("array"), |s| s.doc.is_array()),
        case("the same document", Sample::DOC.eq(&json!({"b": null, "a": 2})), |s| {
            s.doc == json!({"b": null, "a": 2})
        }),
    ]
}

fn times() -> Vec<Case> {
    let days = |s: &Sample| s.day.to_string();
    vec![
        case("a part of a day", Sample::DAY.part(TimePart::Month).eq(5.0), move |s| days(s)[5..7] == *"05"),
        case(
            "truncated to a month",
            Sample::DAY.truncate(TimePart::Month).eq("2025-05-01".parse().expect("a day")),
            move |s| days(s).starts_with("2025-05"),
        ),
        case("days between", Sample::DAY.since(Sample::DAY).eq(0), |_| true),
        case(
            "an interval later",
            Sample::AT.plus(Interval { days: 1, ..Interval::default() }).gt_to(Sample::AT),
            |s| s.at.map(|_| true),
        ),
        case(
            "a day is a time at midnight",
            Sample::DAY.minus(Interval::default()).eq_to(Sample::DAY.cast::<Timestamp>()),
            |_| true,
        ),
        case("seconds since 1970", Sample::AT.unix_seconds().gt(1_746_000_000.0), |s| {
            // Timestamps count from 2000, which was 946,684,800 seconds later.
            s.at.map(|at| at.micros() as f64 / 1e6 + 946_684_800.0 > 1_746_000_000.0)
        }),
        case("the day of a time", Sample::AT.cast::<wreath_orm::codecs::types::Date>().is_null(), |s| {
            s.at.is_none()
        }),
    ]
}

fn places() -> Vec<Case> {
    let at = |lat: f64, lon: f64| Coordinate::new(lat, lon).expect("is in range");
    let far = move |s: &Sample, centre: Coordinate| {
        distance((s.place.latitude(), s.place.longitude()), (centre.latitude(), centre.longitude()))
    };
    let within = move |name, centre: Coordinate, metres: f64| {
        case(name, Sample::PLACE.within(centre, metres), move |s| far(s, centre) <= metres)
    };
    vec![
        within("within", at(10.0, 20.0), 4_000_000.0),
        within("across the antimeridian", at(-5.0, 179.0), 4_000_000.0),
        within("around a pole", at(88.0, 100.0), 4_000_000.0),
        within("nearly everywhere", at(0.0, 0.0), 19_000_000.0),
        case("farther than", Sample::PLACE.nearest(at(45.0, -60.0)).gt(9_000_000.0), move |s| {
            far(s, at(45.0, -60.0)) > 9_000_000.0
        }),
    ]
}

fn search() -> Vec<Case> {
    let has = |s: &Sample, word: &str| {
        s.word.to_lowercase().split(|c: char| !c.is_alphanumeric()).any(|w| w == word)
    };
    vec![
        case(
            "what a user typed",
            Sample::WORD.to_tsvector("simple").matches(websearch("simple", "abc or \"it")),
            move |s| has(s, "abc") || has(s, "it"),
        ),
        case(
            "all of some words",
            Sample::WORD.to_tsvector("simple").matches(plain_search("simple", "b ä!")),
            move |s| has(s, "b") && has(s, "ä"),
        ),
        case(
            "a rank",
            Sample::WORD.to_tsvector("simple").rank(websearch("simple", "abc")).gt(0.0),
            move |s| has(s, "abc"),
        ),
    ]
}

fn subqueries() -> Vec<Case> {
    const OTHER: Alias<Sample> = Alias::new("other");
    vec![
        case_among(
            "among the values of a query",
            Sample::N.in_query(Sample::select().filter(Sample::YES.holds()).cols(Sample::N)),
            |s, all| all.iter().any(|o| o.yes && o.n == s.n),
        ),
        case_among(
            "not among the values of a query",
            Sample::N.not_in_query(Sample::select().filter(Sample::N.gt(0)).cols(Sample::N)),
            |s, _| s.n <= 0,
        ),
        case_among(
            "a query of what may be NULL",
            Sample::N.in_query(Sample::select().cols(Sample::M)),
            |s, all| {
                let found = all.iter().any(|o| o.m == Some(s.n));
                (found || all.iter().all(|o| o.m.is_some())).then_some(found)
            },
        ),
        case_among(
            "there is such a row, of the row around",
            exists(Sample::select().filter(Sample::M.eq_to(Sample::N.outer()).and(Sample::ID.ne(3)))),
            |s, all| all.iter().any(|o| o.m == Some(s.n) && o.id != 3),
        ),
        case_among(
            "the value of a query",
            Sample::N.gt_to(scalar(Sample::select().filter(Sample::ID.eq(1)).cols(Sample::N))),
            |s, all| s.n > all[0].n,
        ),
        case_among(
            "the first by an order",
            Sample::ID.eq_to(scalar(
                Sample::select()
                    .order_by(Sample::N.desc())
                    .order_by(Sample::ID.asc())
                    .limit(1)
                    .cols(Sample::ID),
            )),
            |s, all| Some(s.id) == all.iter().max_by_key(|o| (o.n, -o.id)).map(|o| o.id),
        ),
        case_among(
            "another occurrence by an alias",
            OTHER.exists(Sample::N.of(OTHER).eq_to(Sample::M)),
            |s, all| all.iter().any(|o| Some(o.n) == s.m),
        ),
    ]
}

fn own() -> Vec<Case> {
    vec![
        case("a function by its name", func("mod", (Sample::N, 3_i32)).returns::<i32>().eq(1), |s| {
            s.n % 3 == 1
        }),
        case(
            "a function of no one operand",
            func("concat", (value("a".to_owned()), Sample::N)).returns::<String>().eq("a2"),
            |s| s.n == 2,
        ),
        case(
            "a piece of SQL",
            raw("")
                .operand(Sample::N)
                .sql(" BETWEEN SYMMETRIC ")
                .operand(3_i32)
                .sql(" AND ")
                .operand(-1_i32)
                .holds(),
            |s| (-1..=3).contains(&s.n),
        ),
        case("operands keep together", raw("2 * ").operand(Sample::N + 1).returns::<i32>().eq(4), |s| {
            s.n == 1
        }),
    ]
}
