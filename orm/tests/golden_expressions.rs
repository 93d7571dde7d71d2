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
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden_expressions.sql");
    if std::env::var_os("WREATH_BLESS").is_some() {
        std::fs::write(path, &text).expect("the file can be written");
    }
    let golden = std::fs::read_to_string(path).expect("the file is checked in");
    for (line, (now, was)) in text.lines().zip(golden.lines()).enumerate() {
        assert_eq!(now, was, "tests/golden_expressions.sql, line {}", line + 1);
    }
    assert_eq!(text.lines().count(), golden.lines().count(), "tests/golden_expressions.sql has other cases");
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
