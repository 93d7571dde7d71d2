//! Every kind of relation, against a naive evaluation in memory.

use wreath_orm::{
    Column, Columns, Db, ErrorKind, Load, Model, Relation, Result, Source, Table, ToMany, ToOne,
};

use crate::Farm;
use crate::barn::{Barn, Bell, Goat, Herd, Stall, Visit};
use crate::random::Dice;

/// Whether a condition holds for a goat, in memory.
type Holds<'a> = Box<dyn Fn(&Goat) -> bool + 'a>;

/// Runs a check over random tables.
pub(crate) async fn over_random_tables(rounds: u64, check: impl AsyncFn(&Farm, &Barn, String)) {
    let farm = Barn::farm().await;
    let first = std::env::var("WREATH_SEED").ok().and_then(|seed| seed.parse().ok());
    for seed in first.map_or(0..rounds, |seed| seed..seed + 1) {
        let barn = Barn::random(&mut Dice(seed));
        barn.fill(&farm).await;
        check(&farm, &barn, format!("WREATH_SEED={seed}: {barn:?}")).await;
    }
}

#[tokio::test]
async fn includes_bring_what_belongs_to_each_row() {
    over_random_tables(12, async |farm, barn, at| {
        let query = Goat::select()
            .order_by(Goat::ID.asc())
            .include(Goat::STALL.joined())
            .include(Goat::MOTHER.joined().include(Goat::STALL.joined()))
            .include(Goat::BELL.joined())
            .include(Goat::KIDS.selectin().order_by(Goat::ID.asc()))
            .include(Goat::HERDS.selectin().order_by(Herd::ID.asc()))
            .include(Goat::VISITED.selectin().order_by(Herd::ID.asc()));
        let found = farm.db.fetch(&query).await.expect("fetches");
        let expected: Vec<_> = barn
            .goats
            .iter()
            .map(|goat| {
                let mother = barn.mother_of(goat);
                (
                    goat.clone(),
                    barn.stall_of(goat).cloned(),
                    mother.map(|m| (m.clone(), barn.stall_of(m).cloned())),
                    barn.bell_of(goat).cloned(),
                    barn.goats_where(|kid| kid.mother_id == Some(goat.id)),
                    barn.herds_of(goat.id),
                    barn.visited_by(goat.id),
                )
            })
            .collect();
        assert_eq!(found, expected, "{at}");
    })
    .await;
}

#[tokio::test]
async fn nested_includes_bring_what_belongs_to_each_row() {
    over_random_tables(12, async |farm, barn, at| {
        let herds = Goat::HERDS.selectin().order_by(Herd::ID.asc());
        let goats = Stall::GOATS.selectin().order_by(Goat::ID.desc()).include(Goat::BELL.joined());
        let query = Stall::select()
            .order_by(Stall::BARN.asc())
            .order_by(Stall::NUMBER.asc())
            .include(goats.include(herds.include(Herd::VISITORS.selectin().order_by(Goat::ID.asc()))));
        let (found, flights) = farm.flights(farm.db.fetch(&query)).await;
        assert!(flights <= 4, "one flight a level: {flights} at {at}");
        let herds_of = |goat: i64| {
            let with = |herd: Herd| {
                let visitors = barn.goats_where(|g| barn.has_visited(herd.id, g.id));
                (herd, visitors)
            };
            barn.herds_of(goat).into_iter().map(with).collect::<Vec<_>>()
        };
        let expected: Vec<_> = barn
            .stalls
            .iter()
            .map(|stall| {
                let mut goats = barn.goats_where(|g| barn.stall_of(g) == Some(stall));
                goats.reverse();
                let with = |goat: Goat| {
                    let (bell, herds) = (barn.bell_of(&goat).cloned(), herds_of(goat.id));
                    (goat, bell, herds)
                };
                (stall.clone(), goats.into_iter().map(with).collect::<Vec<_>>())
            })
            .collect();
        assert_eq!(found.expect("fetches"), expected, "{at}");
    })
    .await;
}

#[tokio::test]
async fn includes_are_filtered_ordered_and_limited_for_each_row() {
    over_random_tables(12, async |farm, barn, at| {
        let grown = Goat::AGE.gt(0);
        let some = || Herd::GOATS.selectin().filter(grown.clone()).order_by(Goat::AGE.desc());
        let query = Herd::select()
            .order_by(Herd::ID.asc())
            .include(some().order_by(Goat::ID.asc()).limit(2))
            .include(some().order_by(Goat::ID.asc()).offset(1).include(Goat::STALL.joined()))
            .include(
                Herd::VISITORS
                    .selectin()
                    .order_by(Goat::ID.asc())
                    .limit(1)
                    .include(Goat::STALL.joined().filter(Stall::CLEAN.eq(true)))
                    .include(Goat::KIDS.selectin().filter(Goat::AGE.lt(2)).order_by(Goat::ID.asc()).limit(1)),
            );
        let found = farm.db.fetch(&query).await.expect("fetches");
        let expected: Vec<_> = barn
            .herds
            .iter()
            .map(|herd| {
                let mut grown = barn.goats_where(|g| g.age > 0 && barn.is_member(herd.id, g.id));
                grown.sort_by_key(|g| (-g.age, g.id));
                let visitors = barn.goats_where(|g| barn.has_visited(herd.id, g.id));
                let visitors: Vec<_> = visitors
                    .into_iter()
                    .take(1)
                    .map(|g| {
                        let stall = barn.stall_of(&g).filter(|s| s.clean).cloned();
                        let mut kids = barn.goats_where(|kid| kid.mother_id == Some(g.id) && kid.age < 2);
                        kids.truncate(1);
                        (g, stall, kids)
                    })
                    .collect();
                (
                    herd.clone(),
                    grown.iter().take(2).cloned().collect::<Vec<_>>(),
                    grown.iter().skip(1).map(|g| (g.clone(), barn.stall_of(g).cloned())).collect::<Vec<_>>(),
                    visitors,
                )
            })
            .collect();
        assert_eq!(found, expected, "{at}");
    })
    .await;
}

#[tokio::test]
async fn filters_reach_across_every_kind_of_relation() {
    over_random_tables(12, async |farm, barn, at| {
        let in_x = Herd::NAME.eq("x");
        let cases: Vec<(_, Holds<'_>)> = vec![
            (Goat::STALL.has(Stall::CLEAN.eq(true)), Box::new(|g| barn.stall_of(g).is_some_and(|s| s.clean))),
            (
                Goat::STALL.has(Stall::GOATS.exists(Goat::AGE.gt(2))).not(),
                Box::new(|g| {
                    let stall = barn.stall_of(g);
                    !(stall.is_some() && barn.goats.iter().any(|o| o.age > 2 && barn.stall_of(o) == stall))
                }),
            ),
            (
                Goat::HERDS.exists(in_x.clone()),
                Box::new(|g| barn.herds_of(g.id).iter().any(|h| h.name == "x")),
            ),
            (
                Goat::VISITED.exists(in_x.clone().not().and(Herd::GOATS.exists(Goat::AGE.eq(1)))),
                Box::new(|g| {
                    barn.visited_by(g.id).iter().any(|h| {
                        let young = |m: &Goat| m.age == 1 && barn.is_member(h.id, m.id);
                        h.name != "x" && barn.goats.iter().any(young)
                    })
                }),
            ),
            (
                Goat::BELL
                    .has(Bell::TONE.ne("tone 3"))
                    .or(Goat::MOTHER.has(Goat::BELL.has(Bell::TONE.eq("tone 1")))),
                Box::new(|g| {
                    barn.bell_of(g).is_some_and(|b| b.tone != "tone 3")
                        || barn.mother_of(g).and_then(|m| barn.bell_of(m)).is_some_and(|b| b.tone == "tone 1")
                }),
            ),
        ];
        for (i, (pred, holds)) in cases.into_iter().enumerate() {
            let found = farm.db.fetch(&Goat::select().filter(pred).order_by(Goat::ID.asc())).await;
            assert_eq!(found.expect("fetches"), barn.goats_where(holds), "case {i}, {at}");
        }
    })
    .await;
}

/// Declares a model with one column beside its key, and a relation.
macro_rules! goof {
    ($name:ident, $relation:expr) => {
        #[derive(Debug)]
        struct $name(i64, i64);

        impl $name {
            const ID: Column<Self, i64> = Self::TABLE.col("id", |g| &g.0);
            const OTHER: Column<Self, i64> = Self::TABLE.col("other", |g| &g.1);
            #[allow(dead_code, reason = "only one of them needs it")]
            const GONE: Column<Self, i64> = Self::TABLE.col("gone", |g| &g.1);
        }

        impl Load<Self> for $name {
            fn load<S: Source<Self>>(s: &mut S) -> Result<Self> {
                Ok(Self(s.get(Self::ID)?, s.get(Self::OTHER)?))
            }
        }

        impl Model for $name {
            const TABLE: Table<Self> = Table::new(stringify!($name));
            const RELATIONS: &'static [&'static dyn Relation<Self>] = &[&$relation];
            type Key = i64;
            fn key() -> impl Columns<Self, Row = i64> {
                Self::ID
            }
        }
    };
}

goof!(ToNoKey, ToNoKey::OTHER.to_one(Visit::HERD_ID));
goof!(FromNoKey, Visit::HERD_ID.many(FromNoKey::OTHER));
goof!(ToPartOfKey, ToPartOfKey::OTHER.to_one(Stall::BARN));
goof!(FromMissing, FromMissing::GONE.to_one(Herd::ID));
goof!(ToMissing, {
    const BACK: ToMany<ToMissing, FromMissing> = FromMissing::GONE.many(ToMissing::ID);
    BACK
});
goof!(ThroughNoKey, {
    const PART: ToOne<Visit, Stall> = Visit::HERD_ID.to_one(Stall::BARN);
    const ALL: ToMany<ThroughNoKey, Stall> = Visit::GOAT_ID.many(ThroughNoKey::ID).then(PART);
    ALL
});

#[tokio::test]
async fn mistakes_of_cardinality_and_missing_columns_are_found_at_start_up() {
    let database = wreath_tests::Cluster::shared().database();
    let pool = || {
        let config = database.dsn().parse().expect("the kit's DSN is good");
        wreath_driver::Pool::new(config, wreath_driver::PoolConfig::default()).expect("a pool")
    };
    for (builder, column) in [
        (Db::builder().model::<ToNoKey>(), "herd_id"),
        (Db::builder().model::<FromNoKey>(), "other"),
        (Db::builder().model::<ToPartOfKey>(), "barn\"; --"),
        (Db::builder().model::<FromMissing>(), "gone"),
        (Db::builder().model::<ToMissing>(), "gone"),
        (Db::builder().model::<ThroughNoKey>(), "barn\"; --"),
    ] {
        let error = builder.pool(pool()).map(drop).expect_err("the declaration is faulty");
        assert_eq!((error.kind(), error.column()), (ErrorKind::Declaration, Some(column)), "{error}");
    }
    // One that is not listed is found when it is first included.
    let db = Db::builder().pool(pool()).expect("nothing is declared");
    let wrong = ToNoKey::select().include(ToNoKey::OTHER.to_one(Visit::HERD_ID).joined());
    let error = db.fetch(&wrong).await.map(drop).expect_err("the relation is faulty");
    assert_eq!(error.kind(), ErrorKind::Declaration, "{error}");
}
