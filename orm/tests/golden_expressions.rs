//! The SQL of every operator, against a checked-in file that reads like documentation. `tests/tests/orm` runs the
//! same conditions on a server.
//!
//! After a change that is meant, `WREATH_BLESS=1 cargo test -p wreath-orm --test golden_expressions` writes the file
//! anew.

mod samples;

use samples::{Sample, cases};
use wreath_orm::Model;

#[test]
fn sql_is_what_it_was() {
    let mut text = String::new();
    for (title, cases) in cases() {
        text.push_str(&format!("-- == {title}\n\n"));
        for case in cases {
            let sql = Sample::select().filter(case.pred).to_sql().expect("compiles");
            let filter = sql.split_once(" WHERE ").expect("has a filter").1;
            text.push_str(&format!("-- {}\n{filter}\n\n", case.name));
        }
    }
    held_against("golden_expressions.sql", &text);
}

/// Compares a text with a file's, or writes the file.
fn held_against(file: &str, text: &str) {
    let path = format!("{}/tests/{file}", env!("CARGO_MANIFEST_DIR"));
    if std::env::var_os("WREATH_BLESS").is_some() {
        std::fs::write(&path, text).expect("the file can be written");
    }
    let golden = std::fs::read_to_string(&path).expect("the file is checked in");
    for (line, (now, was)) in text.lines().zip(golden.lines()).enumerate() {
        assert_eq!(now, was, "tests/{file}, line {}", line + 1);
    }
    assert_eq!(text.lines().count(), golden.lines().count(), "tests/{file} has other cases");
}

#[test]
fn the_same_code_has_the_same_shape_whatever_its_values_and_no_two_cases_share_one() {
    let hashes = || {
        let all = cases().into_iter().flat_map(|(_, cases)| cases);
        all.map(|case| Sample::select().filter(case.pred).shape_hash()).collect::<Vec<_>>()
    };
    assert_eq!(hashes(), hashes());
    // Cases that differ in their values alone are the same shape; all others are not.
    let sql = |case: &samples::Case| Sample::select().filter(case.pred.clone()).to_sql().expect("compiles");
    let all: Vec<_> = cases().into_iter().flat_map(|(_, cases)| cases).map(|case| sql(&case)).collect();
    for (i, (a, hash)) in all.iter().zip(hashes()).enumerate() {
        for (b, other) in all.iter().zip(hashes()).take(i) {
            assert_eq!(a == b, hash == other, "{a}\n{b}");
        }
    }
}

/// A condition twice with other values is one shape; one that was written otherwise is another.
#[test]
fn random_conditions_have_the_shape_that_their_code_has() {
    use std::collections::HashMap;

    use samples::Dice;
    use samples::random::condition;

    let mut known = HashMap::new();
    for seed in 0..3_000 {
        let query = |values: u64| {
            let (pred, _) = condition(
                &mut Dice(seed),
                &mut Dice(values),
                1 + usize::try_from(seed % 4).expect("is small"),
            );
            let query = Sample::select().filter(pred);
            (query.shape_hash(), query.to_sql().expect("compiles"))
        };
        let (first, again) = (query(seed + 1), query(seed + 1_000_000));
        assert_eq!(first, again, "seed {seed}");
        let (hash, sql) = first;
        assert_eq!(
            known.entry(hash).or_insert_with(|| sql.clone()),
            &sql,
            "seed {seed}: two texts of one shape"
        );
    }
    let mut texts: Vec<_> = known.values().collect();
    texts.sort();
    texts.dedup();
    assert_eq!(texts.len(), known.len(), "two shapes of one text");
}

/// What is no condition: aggregates, windows, orders, casts of every form of type.
#[test]
fn expressions_with_values() {
    use wreath_orm::expr::{
        FrameBound, Window, clock_now, count, cume_dist, dense_rank, func, generate_series, lit, now, ntile,
        percent_rank, random, rank, row_number, today,
    };

    let window =
        || Window::new().partition_by(Sample::YES).partition_by(Sample::M).order_by(Sample::N.desc());
    let cases = [
        ("count(*)", format!("{:?}", count::<Sample>())),
        ("of what is not NULL", format!("{:?}", Sample::M.count())),
        ("once each", format!("{:?}", Sample::M.count().distinct())),
        ("filtered", format!("{:?}", Sample::N.sum().filter(Sample::YES.holds()))),
        ("an average of an expression", format!("{:?}", (Sample::N * 2).avg())),
        ("the least and the most", format!("{:?} {:?}", Sample::WORD.min(), Sample::M.max())),
        ("deviation", format!("{:?} {:?}", Sample::N.stddev(), Sample::X.variance())),
        ("true of all, of some", format!("{:?} {:?}", Sample::YES.every(), Sample::MAYBE.some())),
        (
            "all values in an order",
            format!("{:?}", Sample::M.array_agg().order_by(Sample::N.asc()).order_by(Sample::ID.desc())),
        ),
        (
            "texts, once each",
            format!("{:?}", Sample::WORD.string_agg(", ").distinct().order_by(Sample::WORD.asc())),
        ),
        ("as JSON", format!("{:?}", Sample::DOC.jsonb_agg())),
        ("an aggregate in an expression", format!("{:?}", Sample::N.sum().coalesce(0).gt(3))),
        ("over a window", format!("{:?}", Sample::N.sum().over(window()))),
        (
            "a filtered aggregate over a window",
            format!("{:?}", count().filter(Sample::YES.holds()).over(Window::new())),
        ),
        (
            "numbered",
            format!(
                "{:?} {:?} {:?}",
                row_number().over(window()),
                rank().over(window()),
                dense_rank().over(window())
            ),
        ),
        (
            "shares",
            format!(
                "{:?} {:?} {:?}",
                percent_rank().over(window()),
                cume_dist().over(window()),
                ntile(4).over(window())
            ),
        ),
        (
            "neighbours",
            format!("{:?} {:?}", Sample::N.lag(1).over(window()), Sample::N.lead(2).over(window())),
        ),
        (
            "a frame of rows",
            format!("{:?}", Sample::N.sum().over(window().rows(FrameBound::Before(2), FrameBound::After(1)))),
        ),
        (
            "a frame of groups",
            format!("{:?}", Sample::N.nth_value(2).over(window().groups(FrameBound::Start, FrameBound::End))),
        ),
        (
            "the first and last of a frame",
            format!(
                "{:?} {:?}",
                Sample::N.first_value().over(window()),
                Sample::N.last_value().over(window())
            ),
        ),
        ("times", format!("{:?} {:?} {:?}", now::<Sample>(), clock_now::<Sample>(), today::<Sample>())),
        (
            "rows out of nothing",
            format!("{:?} {:?}", generate_series::<Sample, i32>(1, Sample::N), Sample::NUMS.unnest()),
        ),
        ("random", format!("{:?}", random::<Sample>())),
        (
            "a piece of a text",
            format!(
                "{:?}",
                Sample::WORD.headline("english", wreath_orm::expr::phrase_search("english", "a b"))
            ),
        ),
        ("the least of numbers as a constant", format!("{:?}", lit::<Sample, i64>(i64::MIN))),
        (
            "hostile names of functions",
            format!("{:?}", func::<Sample, ()>("f\"(); --", ()).schema("a\"b").returns::<i32>()),
        ),
        ("hostile texts as constants", format!("{:?}", lit::<Sample, &str>(r"'; DROP TABLE x; --\"))),
        ("without a path", format!("{:?}", Sample::DOC.without_path(["b", "c"]))),
    ];
    let text: String = cases.into_iter().map(|(name, sql)| format!("-- {name}\n{sql}\n\n")).collect();
    held_against("golden_values.sql", &text);
}

/// An aggregate has no meaning in a filter of rows, but has in a subquery of one.
#[test]
fn an_aggregate_in_a_filter_is_refused() {
    use wreath_orm::expr::{Window, count, rank};

    for pred in [count().gt(3), rank().over(Window::new()).le(3), Sample::N.max().is_null().not()] {
        let error = Sample::select().filter(pred).to_sql().expect_err("is refused");
        assert_eq!(error.kind(), wreath_orm::ErrorKind::Declaration);
        assert!(error.to_string().contains("in a filter of rows"), "{error}");
    }
}

/// A column of the query around has to be within another.
#[test]
fn a_column_of_the_query_around_outside_of_a_subquery_is_refused() {
    let error = Sample::select().filter(Sample::N.outer().eq(3)).to_sql().expect_err("is refused");
    assert!(error.to_string().contains("outside of a subquery"), "{error}");
}
