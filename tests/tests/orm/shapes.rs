//! Projections, groups, joins and keysets, against a naive evaluation in memory.

use std::cmp::{Ordering, Reverse};
use std::collections::BTreeMap;

use wreath_orm::{Alias, ErrorKind, Expr, Model, Order, Pred, Select, expr};

use crate::Farm;
use crate::barn::{Barn, Bell, Goat, Herd, Stall};
use crate::random::Dice;
use crate::relations::over_random_tables;

#[tokio::test]
async fn expressions_are_read_beside_columns() {
    over_random_tables(6, async |farm, barn, at| {
        let doubled: Expr<Goat, i32> = (Goat::AGE * 2).expr();
        let query = Goat::select().order_by(Goat::ID.asc()).cols((
            Goat::ID,
            doubled,
            Goat::MOTHER_ID,
            Goat::MOTHER_ID.is_null().and(Goat::AGE.gt(1)),
        ));
        let found: Vec<(i64, i32, Option<i64>, Option<bool>)> = farm.db.fetch(&query).await.expect("fetches");
        let expected: Vec<_> = barn
            .goats
            .iter()
            .map(|g| (g.id, g.age * 2, g.mother_id, Some(g.mother_id.is_none() && g.age > 1)))
            .collect();
        assert_eq!(found, expected, "{at}");
    })
    .await;
}

#[tokio::test]
async fn groups_have_aggregates_and_conditions() {
    over_random_tables(12, async |farm, barn, at| {
        let query = Goat::select()
            .filter(Goat::ID.gt(1))
            .group_by((Goat::BARN, Goat::AGE))
            .having(expr::count().ge(2).or(Goat::AGE.eq(0)))
            .order_by(Goat::BARN.asc())
            .order_by(Goat::AGE.desc())
            .cols((Goat::BARN, Goat::AGE, expr::count(), Goat::ID.max(), Goat::ID.sum().cast::<i64>()));
        let mut groups: BTreeMap<_, Vec<i64>> = BTreeMap::new();
        for goat in barn.goats.iter().filter(|g| g.id > 1) {
            groups.entry((goat.barn.is_none(), goat.barn, Reverse(goat.age))).or_default().push(goat.id);
        }
        let expected: Vec<_> = groups
            .into_iter()
            .filter(|((_, _, age), ids)| ids.len() >= 2 || age.0 == 0)
            .map(|((_, barn, age), ids)| {
                let count = i64::try_from(ids.len()).expect("few");
                (barn, age.0, count, ids.iter().max().copied(), Some(ids.iter().sum::<i64>()))
            })
            .collect();
        assert_eq!(farm.db.fetch(&query).await.expect("fetches"), expected, "{at}");
        let count = farm.db.count(&query).await.expect("counts");
        assert_eq!(count, expected.len() as u64, "groups are counted: {at}");
        assert_eq!(farm.db.exists(&query).await.expect("asks"), count > 0, "{at}");
    })
    .await;
}

#[tokio::test]
async fn the_first_of_each_is_by_order() {
    over_random_tables(12, async |farm, barn, at| {
        let query = Goat::select().distinct_on(Goat::AGE).order_by(Goat::AGE.asc()).order_by(Goat::ID.desc());
        let mut expected: BTreeMap<i32, Goat> = BTreeMap::new();
        for goat in &barn.goats {
            expected.insert(goat.age, goat.clone());
        }
        let expected: Vec<_> = expected.into_values().collect();
        assert_eq!(farm.db.fetch(&query).await.expect("fetches"), expected, "{at}");
        assert_eq!(farm.db.count(&query).await.expect("counts"), expected.len() as u64, "{at}");
    })
    .await;
}

#[tokio::test]
async fn joins_reach_beyond_relations() {
    const OLDER: Alias<Goat> = Alias::new("older");
    const STALL: Alias<Stall> = Alias::new("stall");
    over_random_tables(12, async |farm, barn, at| {
        // Pairs of goats of one barn, of which the second is older; and the stall with the number of its age.
        let query = Goat::select()
            .join(OLDER, Goat::BARN.of(OLDER).eq_to(Goat::BARN).and(Goat::AGE.of(OLDER).gt_to(Goat::AGE)))
            .left_join(
                STALL,
                Stall::BARN
                    .of(STALL)
                    .eq_to(Goat::BARN)
                    .and(Stall::NUMBER.of(STALL).eq_to(Goat::AGE.of(OLDER))),
            )
            .filter(Goat::ID.of(OLDER).ne(3))
            .order_by(Goat::ID.asc())
            .order_by(Goat::ID.of(OLDER).desc())
            .cols((Goat::ID, Goat::ID.of(OLDER), Stall::CLEAN.of(STALL).optional()));
        let mut expected = Vec::new();
        for goat in &barn.goats {
            for older in barn.goats.iter().rev() {
                if goat.barn.is_some() && goat.barn == older.barn && older.age > goat.age && older.id != 3 {
                    let stall =
                        barn.stalls.iter().find(|s| Some(s.barn) == goat.barn && s.number == older.age);
                    expected.push((goat.id, older.id, stall.map(|s| s.clean)));
                }
            }
        }
        assert_eq!(farm.db.fetch(&query).await.expect("fetches"), expected, "{at}");
        assert_eq!(farm.db.count(&query).await.expect("counts"), expected.len() as u64, "{at}");
        let whole = query.cols(expr::count());
        assert_eq!(farm.db.count(&whole).await.expect("counts"), expected.len() as u64, "{at}");
    })
    .await;
}

#[tokio::test]
async fn a_join_goes_with_includes() {
    const TWIN: Alias<Goat> = Alias::new("twin");
    over_random_tables(6, async |farm, barn, at| {
        let twins = Goat::AGE.of(TWIN).eq_to(Goat::AGE).and(Goat::ID.of(TWIN).gt_to(Goat::ID));
        let query = Goat::select()
            .join(TWIN, twins)
            .distinct_on(Goat::ID)
            .order_by(Goat::ID.asc())
            .include(Goat::STALL.joined().filter(Stall::CLEAN.eq(true)))
            .include(Goat::HERDS.selectin().order_by(Herd::ID.asc()));
        let expected: Vec<_> = barn
            .goats
            .iter()
            .filter(|g| barn.goats.iter().any(|twin| twin.age == g.age && twin.id > g.id))
            .map(|g| (g.clone(), barn.stall_of(g).filter(|s| s.clean).cloned(), barn.herds_of(g.id)))
            .collect();
        assert_eq!(farm.db.fetch(&query).await.expect("fetches"), expected, "{at}");
    })
    .await;
}

/// An order of goats, and the same in memory.
struct Ordered {
    barn: (bool, Option<bool>),
    age: bool,
    id: bool,
}

impl Ordered {
    fn random(dice: &mut Dice) -> Self {
        let nulls = [None, Some(true), Some(false)][dice.roll(3)];
        Self { barn: (dice.roll(2) == 0, nulls), age: dice.roll(2) == 0, id: dice.roll(2) == 0 }
    }

    fn query(&self) -> Select<Goat> {
        let barn: Order<Goat> = if self.barn.0 { Goat::BARN.desc() } else { Goat::BARN.asc() };
        let barn = match self.barn.1 {
            None => barn,
            Some(true) => barn.nulls_first(),
            Some(false) => barn.nulls_last(),
        };
        let age = if self.age { Goat::AGE.desc() } else { Goat::AGE.asc() };
        let id = if self.id { Goat::ID.desc() } else { Goat::ID.asc() };
        Goat::select().order_by(barn).order_by(age).order_by(id)
    }

    fn compare(&self, a: &Goat, b: &Goat) -> Ordering {
        let turn = |turned: bool, ordering: Ordering| if turned { ordering.reverse() } else { ordering };
        let nulls_first = self.barn.1.unwrap_or(self.barn.0);
        let barns = match (a.barn, b.barn) {
            (None, None) => Ordering::Equal,
            (None, Some(_)) => turn(!nulls_first, Ordering::Less),
            (Some(_), None) => turn(nulls_first, Ordering::Less),
            (Some(a), Some(b)) => turn(self.barn.0, a.cmp(&b)),
        };
        barns.then(turn(self.age, a.age.cmp(&b.age))).then(turn(self.id, a.id.cmp(&b.id)))
    }
}

#[tokio::test]
async fn keysets_go_through_all_rows_once_in_any_order() {
    over_random_tables(25, async |farm, barn, at| {
        let mut dice = Dice(barn.goats.len() as u64 * 1000 + barn.visits.len() as u64);
        for _ in 0..6 {
            let order = Ordered::random(&mut dice);
            let mut expected = barn.goats.clone();
            expected.sort_by(|a, b| order.compare(a, b));
            let (mut found, size) = (Vec::<Goat>::new(), 1 + dice.roll(3) as u64);
            for _ in 0..=barn.goats.len() {
                let mut page = order.query().limit(size);
                if let Some(last) = found.last() {
                    page = page.after((Goat::BARN, Goat::AGE, Goat::ID), &(last.barn, last.age, last.id));
                }
                found.extend(farm.db.fetch(&page).await.expect("fetches"));
            }
            let ids = |goats: &[Goat]| goats.iter().map(|g| (g.barn, g.age, g.id)).collect::<Vec<_>>();
            assert_eq!(ids(&found), ids(&expected), "{:?}, {at}", order.query());
        }
        // Columns that cannot be NULL, all in one direction: an index answers it as a range.
        let by_age = Goat::select().order_by(Goat::AGE.desc()).order_by(Goat::ID.desc());
        if let Some(goat) = barn.goats.first() {
            let next = by_age.clone().after((Goat::AGE, Goat::ID), &(goat.age, goat.id));
            let found = farm.db.fetch(&next).await.expect("fetches");
            let mut expected = barn.goats_where(|g| (g.age, g.id) < (goat.age, goat.id));
            expected.sort_by_key(|g| Reverse((g.age, g.id)));
            assert_eq!(found, expected, "{at}");
        }
    })
    .await;
}

#[tokio::test]
async fn keysets_that_would_lose_rows_are_refused() {
    let farm = Barn::farm().await;
    let by_age = || Goat::select().order_by(Goat::AGE.asc());
    let by_both = || by_age().order_by(Goat::ID.asc());
    for query in [
        by_age().after(Goat::AGE, &3),
        by_both().after(Goat::ID, &3),
        by_both().after((Goat::ID, Goat::AGE), &(3, 3)),
        by_age().after((Goat::AGE, Goat::ID), &(3, 3)),
        Goat::select().after(Goat::ID, &3),
        Goat::select().order_by((Goat::ID + 1_i64).asc()).after(Goat::ID, &3),
    ] {
        let error = farm.db.fetch(&query).await.expect_err("would lose rows");
        assert_eq!(error.kind(), ErrorKind::Declaration, "{query:?}: {error}");
    }
    // Any number of rows may have no value in a column that is unique.
    let unbelled = Bell::select().order_by(Bell::GOAT_ID.asc()).after(Bell::GOAT_ID, &None);
    let error = farm.db.fetch(&unbelled).await.expect_err("would lose rows");
    assert_eq!(error.kind(), ErrorKind::Declaration, "{error}");
}

#[tokio::test]
async fn a_value_in_a_group_is_the_same_wherever_it_stands() {
    over_random_tables(6, async |farm, barn, at| {
        let stage = || expr::case(Goat::AGE.lt(2), "kid").otherwise("goat");
        let half = || Goat::AGE / 2;
        let query = |more: i64| {
            Goat::select()
                .filter(Goat::ID.gt(0).and(Goat::AGE.lt(2 + 5)))
                .group_by((half(), stage()))
                .having(expr::count().ge(more).and(half().ge(0)).and(stage().ne("cow")))
                .order_by(half().desc())
                .order_by(stage().asc())
                .cols((stage(), half(), expr::count()))
        };
        let mut groups: BTreeMap<_, i64> = BTreeMap::new();
        for goat in &barn.goats {
            *groups.entry((Reverse(goat.age / 2), if goat.age < 2 { "kid" } else { "goat" })).or_default() +=
                1;
        }
        // Whatever is equal by chance is told apart or taken together, and means the same.
        for more in [0, 1, 2, 7] {
            let expected: Vec<_> = groups
                .iter()
                .filter(|(_, count)| **count >= more)
                .map(|((half, stage), count)| ((*stage).to_owned(), half.0, *count))
                .collect();
            let query = query(more);
            assert_eq!(farm.db.fetch(&query.clone().limit(7)).await.expect("fetches"), expected, "{at}");
            assert_eq!(farm.db.count(&query).await.expect("counts"), expected.len() as u64, "{at}");
        }
        let first = || Goat::select().distinct_on(half()).order_by(half().asc()).order_by(Goat::ID.asc());
        let mut expected: BTreeMap<i32, i64> = BTreeMap::new();
        for goat in &barn.goats {
            expected.entry(goat.age / 2).or_insert(goat.id);
        }
        let found = farm.db.fetch(&first().cols(Goat::ID)).await.expect("fetches");
        assert_eq!(found, expected.values().copied().collect::<Vec<_>>(), "{at}");
        let halves = Goat::select().distinct().order_by(half().asc()).cols(half());
        let found = farm.db.fetch(&halves).await.expect("fetches");
        assert_eq!(found, expected.keys().copied().collect::<Vec<_>>(), "{at}");
        // As a part of another query, between other values.
        let both = first().filter(Goat::ID.gt(0)).union_all(first()).filter(Goat::ID.lt(100));
        assert_eq!(farm.db.fetch(&both).await.expect("fetches").len(), 2 * expected.len(), "{at}");
    })
    .await;
}

#[tokio::test]
async fn an_alias_is_that_of_one_join() {
    const OTHER: Alias<Goat> = Alias::new("other");
    let twice = Goat::select()
        .join(OTHER, Goat::ID.of(OTHER).gt_to(Goat::ID))
        .left_join(OTHER, Goat::ID.of(OTHER).lt_to(Goat::ID));
    let faulty = [twice.clone(), Goat::select().union(twice.clone()), twice.except(Goat::select())];
    for query in faulty {
        let error = query.to_sql().expect_err("either could be meant");
        assert_eq!(error.kind(), ErrorKind::Declaration, "{error}");
    }
}

#[tokio::test]
async fn long_conditions_are_sent_or_refused() {
    let farm = Barn::farm().await;
    let any = |count: i64| (1..count).map(|id| Goat::ID.eq(id)).fold(Goat::ID.eq(0), Pred::or);
    let long = Goat::select().filter(any(60_000));
    assert!(long.to_sql().expect("is rendered").len() > 1_000_000);
    let error = farm.db.fetch(&Goat::select().filter(any(70_000))).await.expect_err("has too many values");
    assert_eq!(error.kind(), ErrorKind::Encode, "{error}");
    assert!(farm.db.fetch(&long).await.expect("fetches").is_empty(), "the connection goes on");
}

#[tokio::test]
async fn queries_are_put_together() {
    const OLDER: Alias<Goat> = Alias::new("older");
    over_random_tables(12, async |farm, barn, at| {
        let young = || Goat::select().filter(Goat::AGE.lt(2)).order_by(Goat::ID.desc()).limit(3);
        let homeless = || Goat::select().filter(Goat::BARN.is_null());
        let has_older = || {
            Goat::select().join(OLDER, Goat::AGE.of(OLDER).gt_to(Goat::AGE)).filter(Goat::ID.of(OLDER).gt(2))
        };
        let mut first = barn.goats_where(|g| g.age < 2);
        first.reverse();
        first.truncate(3);
        let is_young = |g: &Goat| first.contains(g);
        let is_homeless = |g: &Goat| g.barn.is_none();
        let older = |g: &Goat| barn.goats.iter().filter(|o| o.age > g.age && o.id > 2).count();
        type Times<'a> = Box<dyn Fn(&Goat) -> usize + 'a>;
        let cases: Vec<(Select<Goat>, Times<'_>)> = vec![
            (young().union(homeless()), Box::new(|g| usize::from(is_young(g) || is_homeless(g)))),
            (
                young().union_all(homeless()),
                Box::new(|g| usize::from(is_young(g)) + usize::from(is_homeless(g))),
            ),
            (young().intersect(homeless()), Box::new(|g| usize::from(is_young(g) && is_homeless(g)))),
            (homeless().except(young()), Box::new(|g| usize::from(!is_young(g) && is_homeless(g)))),
            (
                homeless().union(young()).except(has_older()),
                Box::new(|g| usize::from((is_young(g) || is_homeless(g)) && older(g) == 0)),
            ),
            (has_older().union_all(young()), Box::new(|g| older(g) + usize::from(is_young(g)))),
        ];
        for (i, (query, times)) in cases.into_iter().enumerate() {
            let query = query.filter(Goat::ID.ne(1)).order_by(Goat::ID.asc());
            let whole = query
                .clone()
                .include(Goat::STALL.joined())
                .include(Goat::KIDS.selectin().order_by(Goat::ID.asc()));
            let expected: Vec<_> = barn
                .goats
                .iter()
                .filter(|g| g.id != 1)
                .flat_map(|g| std::iter::repeat_n(g, times(g)))
                .map(|g| {
                    let kids = barn.goats_where(|kid| kid.mother_id == Some(g.id));
                    (g.clone(), barn.stall_of(g).cloned(), kids)
                })
                .collect();
            assert_eq!(farm.db.fetch(&whole).await.expect("fetches"), expected, "case {i}, {at}");
            assert_eq!(farm.db.count(&query).await.expect("counts"), expected.len() as u64, "case {i}, {at}");
        }
    })
    .await;
}

#[tokio::test]
async fn every_statement_of_the_golden_file_is_good_sql() {
    let farm = Farm::stocked().await;
    let golden = include_str!("../../../orm/tests/golden.sql");
    let queries = golden.split("-- == Tables").next().expect("tables come last");
    let mut prepared = 0;
    for (line, text) in queries.lines().enumerate() {
        // The names of one model are hostile, and it has no table.
        if text.starts_with("SELECT") && !text.contains("DROP TABLE") {
            // What keys are of, the driver says; all in this file are numbers.
            let types = if text.contains("unnest($1)") { "(bigint[])" } else { "" };
            let prepare = format!("PREPARE s{line} {types} AS {text}");
            farm.connection
                .batch(&prepare)
                .await
                .unwrap_or_else(|e| panic!("line {}: {e}\n{text}", line + 1));
            prepared += 1;
        }
    }
    assert!(prepared > 70, "{prepared}");
}
