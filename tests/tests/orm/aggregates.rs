//! Aggregates, groups and windows on a server, against what they are in Rust, over made-up rows.

use std::collections::{BTreeMap, BTreeSet};

use wreath_orm::Model;
use wreath_orm::expr::{FrameBound, Window, count, dense_rank, generate_series, rank, row_number, scalar};

use crate::expressions::sampled;
use crate::samples::random::condition;
use crate::samples::{Dice, Sample};

#[tokio::test]
async fn aggregates_are_of_all_rows() {
    let (farm, rows) = sampled(11, 50).await;
    let by_id = || Sample::ID.asc();
    let whole = Sample::select().cols((
        count(),
        Sample::M.count(),
        Sample::M.count().distinct(),
        count().filter(Sample::N.gt(0)),
        Sample::N.sum(),
        Sample::N.avg().cast::<f64>(),
        Sample::M.min(),
        (Sample::N * 2).max(),
        Sample::YES.every(),
        Sample::MAYBE.some(),
    ));
    let n = || rows.iter().map(|s| i64::from(s.n));
    let m = || rows.iter().filter_map(|s| s.m);
    let len = |count: usize| i64::try_from(count).expect("is small");
    let (all, of_m, distinct, positive, sum, avg, min, max, every, some) =
        farm.db.fetch_one(&whole).await.expect("reads");
    assert_eq!((all, of_m), (50, len(m().count())));
    assert_eq!(distinct, len(m().collect::<BTreeSet<_>>().len()));
    assert_eq!(positive, len(n().filter(|n| *n > 0).count()));
    assert_eq!(sum, Some(n().sum()));
    let mean = n().sum::<i64>() as f64 / 50.0;
    assert!((avg.expect("there are rows") - mean).abs() < 1e-9);
    assert_eq!((min, max), (m().min(), n().max().map(|n| i32::try_from(n * 2).expect("is small"))));
    assert_eq!(every, Some(rows.iter().all(|s| s.yes)));
    assert_eq!(some, Some(rows.iter().any(|s| s.maybe == Some(true))));

    let lists = Sample::select().cols((
        Sample::M.array_agg().order_by(by_id()),
        Sample::NOTE.string_agg("', ").order_by(Sample::ID.desc()),
        Sample::X.variance(),
    ));
    let (array, texts, variance) = farm.db.fetch_one(&lists).await.expect("reads");
    assert_eq!(array, Some(rows.iter().map(|s| s.m).collect::<Vec<_>>()));
    let notes: Vec<_> = rows.iter().rev().filter_map(|s| s.note.clone()).collect();
    assert_eq!(texts, Some(notes.join("', ")));
    let mean = rows.iter().map(|s| s.x).sum::<f64>() / 50.0;
    let expected = rows.iter().map(|s| (s.x - mean).powi(2)).sum::<f64>() / 49.0;
    assert!((variance.expect("there are rows") - expected).abs() < 1e-9);
}

#[tokio::test]
async fn of_no_rows_a_count_is_0_and_all_else_is_null() {
    let (farm, _) = sampled(12, 3).await;
    let none = Sample::select().filter(Sample::ID.lt(0)).cols((
        count(),
        Sample::M.count(),
        Sample::N.sum(),
        Sample::N.avg(),
        Sample::WORD.max(),
        Sample::M.array_agg(),
        Sample::N.sum().coalesce(7),
    ));
    assert_eq!(farm.db.fetch_one(&none).await.expect("reads"), (0, 0, None, None, None, None, 7));
}

/// Random conditions on the rows, and on the groups.
#[tokio::test]
async fn groups_are_of_the_rows_that_a_filter_leaves() {
    let (farm, rows) = sampled(13, 60).await;
    for seed in 0..60 {
        let (pred, meaning) = condition(&mut Dice(seed), &mut Dice(seed + 5), 2);
        let least = i64::try_from(seed % 4).expect("is small");
        let query = Sample::select()
            .filter(pred)
            .group_by((Sample::YES, Sample::M))
            .having(count().gt(least))
            .order_by(Sample::YES.asc())
            .order_by(Sample::M.asc())
            .cols((
                Sample::YES,
                Sample::M,
                count(),
                Sample::N.sum(),
                Sample::N.min().filter(Sample::X.gt(0.0)),
            ));
        let mut groups: BTreeMap<(bool, bool, Option<i32>), Vec<&Sample>> = BTreeMap::new();
        for row in rows.iter().filter(|row| meaning(row) == Some(true)) {
            groups.entry((row.yes, row.m.is_none(), row.m)).or_default().push(row);
        }
        let expected: Vec<_> = groups
            .into_iter()
            .map(|((yes, _, m), rows)| {
                let sum = rows.iter().map(|row| i64::from(row.n)).sum::<i64>();
                let min = rows.iter().filter(|row| row.x > 0.0).map(|row| row.n).min();
                (yes, m, i64::try_from(rows.len()).expect("is small"), Some(sum), min)
            })
            .filter(|group| group.2 > least)
            .collect();
        let text = format!("seed {seed}: {query:?}");
        assert_eq!(farm.db.fetch(&query).await.expect(&text), expected, "{text}");
    }
}

#[tokio::test]
async fn windows_look_at_the_rows_around_each() {
    let (farm, rows) = sampled(14, 40).await;
    let window =
        || Window::new().partition_by(Sample::YES).order_by(Sample::N.asc()).order_by(Sample::ID.asc());
    let level = || Window::new().partition_by(Sample::YES).order_by(Sample::N.asc());
    let query = Sample::select().order_by(Sample::ID.asc()).cols((
        row_number().over(window()),
        rank().over(level()),
        dense_rank().over(level()),
        Sample::N.lag(1).over(window()),
        Sample::N.lead(2).over(window()),
        Sample::N.sum().over(window().rows(FrameBound::Before(2), FrameBound::Current)),
        Sample::M.last_value().over(window().rows(FrameBound::Start, FrameBound::End)),
        count().filter(Sample::N.gt(0)).over(level()),
    ));
    let found = farm.db.fetch(&query).await.expect("reads");
    for (row, found) in rows.iter().zip(found) {
        let mut part: Vec<_> = rows.iter().filter(|other| other.yes == row.yes).collect();
        part.sort_by_key(|other| (other.n, other.id));
        let at = part.iter().position(|other| other.id == row.id).expect("is in its part");
        let place = |n: usize| i64::try_from(n + 1).expect("is small");
        let less: Vec<_> = part.iter().filter(|other| other.n < row.n).map(|other| other.n).collect();
        let frame = &part[at.saturating_sub(2)..=at];
        let up_to = part.iter().filter(|other| other.n <= row.n && other.n > 0).count();
        let expected = (
            place(at),
            place(less.len()),
            place(less.iter().collect::<BTreeSet<_>>().len()),
            at.checked_sub(1).map(|at| part[at].n),
            part.get(at + 2).map(|other| other.n),
            Some(frame.iter().map(|other| i64::from(other.n)).sum()),
            part.last().expect("has itself").m,
            i64::try_from(up_to).expect("is small"),
        );
        assert_eq!(found, expected, "row {}", row.id);
    }
}

#[tokio::test]
async fn an_aggregate_of_a_subquery_is_a_value() {
    let (farm, rows) = sampled(15, 30).await;
    let most =
        || scalar(Sample::select().filter(Sample::YES.eq_to(Sample::YES.outer())).cols(Sample::N.max()));
    let query = Sample::select()
        .filter(Sample::N.eq_to(most()))
        .order_by(Sample::ID.asc())
        .cols((Sample::ID, most()));
    let expected: Vec<_> = rows
        .iter()
        .map(|row| (row, rows.iter().filter(|other| other.yes == row.yes).map(|other| other.n).max()))
        .filter(|(row, most)| Some(row.n) == *most)
        .map(|(row, most)| (row.id, most))
        .collect();
    assert_eq!(farm.db.fetch(&query).await.expect("reads"), expected);
}

#[tokio::test]
async fn functions_of_rows_multiply_them() {
    let (farm, rows) = sampled(16, 20).await;
    let tags = Sample::select().order_by(Sample::ID.asc()).cols((Sample::ID, Sample::TAGS.unnest()));
    let expected: Vec<_> =
        rows.iter().flat_map(|row| row.tags.iter().map(|tag| (row.id, Some(tag.clone())))).collect();
    assert_eq!(farm.db.fetch(&tags).await.expect("reads"), expected);
    let series = Sample::select().filter(Sample::ID.eq(1)).cols(generate_series(2, Sample::N.abs() + 3));
    let expected: Vec<_> = (2..=rows[0].n.abs() + 3).collect();
    assert_eq!(farm.db.fetch(&series).await.expect("reads"), expected);
}
