//! Every operator on a server, against what it means, over made-up rows.

use wreath_orm::{Db, Model, Pred, Select};

use crate::Farm;
use crate::samples::random::{condition, orders};
use crate::samples::{Dice, Sample, cases, rows};

/// A farm with one table of made-up rows.
pub(crate) async fn sampled(seed: u64, count: i64) -> (Farm, Vec<Sample>) {
    let farm = Farm::of(Db::builder().model::<Sample>()).await;
    let rows = rows(&mut Dice(seed), count);
    let mut session = farm.db.session();
    for row in &rows {
        session.add(row.clone()).expect("is good");
    }
    session.flush().await.expect("is sent");
    (farm, rows)
}

/// The keys of the rows that a condition finds.
async fn found(farm: &Farm, pred: Pred<Sample>) -> wreath_orm::Result<Vec<i64>> {
    farm.db.fetch(&Sample::select().filter(pred).order_by(Sample::ID.asc()).cols(Sample::ID)).await
}

/// The keys of the rows of which a condition should be this.
fn expected(rows: &[Sample], is: Option<bool>, meaning: impl Fn(&Sample) -> Option<bool>) -> Vec<i64> {
    rows.iter().filter(|row| meaning(row) == is).map(|row| row.id).collect()
}

#[tokio::test]
async fn rows_come_back_as_they_went() {
    let (farm, rows) = sampled(7, 30).await;
    let read = farm.db.fetch(&Sample::select().order_by(Sample::ID.asc())).await.expect("reads");
    assert_eq!(read, rows);
}

#[tokio::test]
async fn operators_mean_what_they_say() {
    for seed in [1, 2] {
        let (farm, rows) = sampled(seed, 60).await;
        let mut wrong = Vec::new();
        for case in cases().into_iter().flat_map(|(_, cases)| cases) {
            for (is, pred) in [
                (Some(true), case.pred.clone()),
                (Some(false), case.pred.clone().not()),
                (None, case.pred.clone().is_unknown()),
            ] {
                let expected = expected(&rows, is, |row| (case.meaning)(row, &rows));
                match found(&farm, pred).await {
                    Ok(found) if found == expected => {}
                    other => wrong.push(format!("{}, {is:?}: {other:?}, not {expected:?}", case.name)),
                }
            }
        }
        assert!(wrong.is_empty(), "seed {seed}:\n{}", wrong.join("\n"));
    }
}

#[tokio::test]
async fn random_conditions_find_what_they_mean() {
    let (farm, rows) = sampled(3, 40).await;
    for seed in 0..250 {
        let depth = 1 + usize::try_from(seed % 4).expect("is small");
        let (pred, meaning) = condition(&mut Dice(seed), &mut Dice(seed + 77), depth);
        let text = format!("seed {seed}: {pred:?}");
        assert_eq!(found(&farm, pred).await.expect(&text), expected(&rows, Some(true), meaning), "{text}");
    }
}

#[tokio::test]
async fn random_orders_sort_as_they_mean() {
    let (farm, rows) = sampled(4, 40).await;
    for seed in 0..80 {
        let (orders, compare) = orders(&mut Dice(seed));
        let query = orders.into_iter().fold(Sample::select(), Select::order_by);
        let text = format!("seed {seed}: {query:?}");
        let mut sorted: Vec<_> = rows.iter().collect();
        sorted.sort_by(|a, b| compare(a, b));
        let expected: Vec<_> = sorted.iter().map(|row| row.id).collect();
        assert_eq!(farm.db.fetch(&query.cols(Sample::ID)).await.expect(&text), expected, "{text}");
    }
}
