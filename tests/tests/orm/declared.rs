//! Queries that are declared once.

use std::collections::BTreeMap;

use wreath_orm::{Db, DeclaredQuery, ErrorKind, Fusion, Model, Query, Select};

use crate::Farm;
use crate::barn::Goat;
use crate::farm::{Llama, Paddock};
use crate::relations::over_random_tables;

const OLD_ON: Query<(String, i32), Llama> =
    Query::new("llamas.old_on", |(paddock, age)| by_hand(paddock, *age));
const NAMES: Query<Vec<i64>, Llama, wreath_orm::Cols<wreath_orm::Column<Llama, String>>> =
    Query::new("llamas.names", |ids| Llama::select().filter(Llama::ID.any(ids)).cols(Llama::NAME));
const SET: &[&dyn DeclaredQuery] = &[&OLD_ON, &NAMES];

fn by_hand(paddock: &str, age: i32) -> Select<Llama> {
    let there = Llama::PADDOCK.has(Paddock::NAME.eq(paddock));
    Llama::select().filter(there.and(Llama::AGE.ge(age))).order_by(Llama::ID.asc())
}

#[tokio::test]
async fn a_declared_query_is_the_one_that_is_written_by_hand() {
    let farm = Farm::stocked().await;
    let declared = OLD_ON.with(&("Hilltop".to_owned(), 5));
    assert_eq!(declared.to_sql().expect("compiles"), by_hand("x", 0).to_sql().expect("compiles"));
    assert_eq!(declared.shape_hash(), by_hand("x", 0).shape_hash());
    let found = farm.db.fetch(&declared).await.expect("fetches");
    let stats = farm.db.plan_stats();
    assert_eq!(farm.db.fetch(&by_hand("Hilltop", 5)).await.expect("fetches"), found);
    let then = farm.db.plan_stats();
    assert_eq!((then.entries, then.misses), (stats.entries, stats.misses), "one plan for both");
    assert_eq!(found.iter().map(|l| l.name.as_str()).collect::<Vec<_>>(), ["Dolly"]);
    assert_eq!(farm.db.count(&OLD_ON.with(&("Hilltop".to_owned(), 0))).await.expect("counts"), 2);
    let one = farm.db.fetch_optional(&NAMES.with(&vec![3])).await.expect("fetches");
    assert_eq!(one.as_deref(), Some("Anna"));
}

const SHAPELESS: Query<i32, Llama> = Query::new("llamas.shapeless", |&age| {
    let all = Llama::select();
    if age % 2 == 0 { all.filter(Llama::AGE.eq(age)) } else { all }
});
const TWIN: Query<i32, Llama> = Query::new("llamas.names", |&age| Llama::select().filter(Llama::AGE.eq(age)));
const UNORDERED: Query<i32, Llama> = Query::new("llamas.unordered", |_| Llama::select().limit(3));
const UNBOUNDED: Query<i32, Llama> =
    Query::new("llamas.unbounded", |_| Llama::select().order_by(Llama::ID.asc()));
const BOUNDED: Query<i32, Llama> =
    Query::new("llamas.bounded", |_| Llama::select().order_by(Llama::ID.asc()).limit(3));
const ALONE: Fusion<i32, Llama> = Fusion::new("llamas.alone", &[&BOUNDED]);
const WITHOUT_ORDER: Fusion<i32, Llama> = Fusion::new("llamas.without_order", &[&BOUNDED, &UNORDERED]);
const WITHOUT_BOUND: Fusion<i32, Llama> = Fusion::new("llamas.without_bound", &[&UNBOUNDED, &BOUNDED]);

#[tokio::test]
async fn faulty_declarations_are_found_at_start_up_by_name() {
    let database = wreath_tests::Cluster::shared().database();
    let with = |sets: &[&'static dyn DeclaredQuery]| {
        let config = database.dsn().parse().expect("the kit's DSN is good");
        let pool = wreath_driver::Pool::new(config, wreath_driver::PoolConfig::default()).expect("a pool");
        Db::builder().queries(SET).queries(sets).pool(pool)
    };
    let db = with(&[&BOUNDED]).expect("all are good");
    let names: Vec<_> = db.queries().iter().map(|query| query.name()).collect();
    assert_eq!(names, ["llamas.old_on", "llamas.names", "llamas.bounded"]);
    assert!(db.queries()[0].statements().expect("compiles")[0].contains("\"llamas\""));
    let faulty: [&'static dyn DeclaredQuery; 5] = [&SHAPELESS, &TWIN, &ALONE, &WITHOUT_ORDER, &WITHOUT_BOUND];
    for query in faulty {
        let error = with(&[query]).map(drop).expect_err("is faulty");
        assert_eq!(error.kind(), ErrorKind::Declaration, "{query:?}");
        assert!(error.to_string().contains(query.name()), "{error}");
    }
}

const YOUNG: Query<i64, Goat> = Query::new("goats.young", |&not| {
    Goat::select().filter(Goat::ID.ne(not)).order_by(Goat::AGE.asc()).order_by(Goat::ID.asc()).limit(4)
});
const LATE: Query<i64, Goat> = Query::new("goats.late", |&not| {
    Goat::select().filter(Goat::ID.ne(not)).order_by(Goat::ID.desc()).limit(3)
});
const HOUSED: Query<i64, Goat> = Query::new("goats.housed", |_| {
    Goat::select().filter(Goat::BARN.is_not_null()).order_by(Goat::ID.asc()).limit(5)
});
const BEST: Fusion<i64, Goat> = Fusion::new("goats.best", &[&YOUNG, &LATE, &HOUSED]);

#[tokio::test]
async fn fusion_ranks_by_places_alone() {
    over_random_tables(15, async |farm, barn, at| {
        let searches = [
            {
                let mut young = barn.goats_where(|g| g.id != 2);
                young.sort_by_key(|g| (g.age, g.id));
                young.truncate(4);
                young
            },
            barn.goats_where(|g| g.id != 2).into_iter().rev().take(3).collect(),
            barn.goats_where(|g| g.barn.is_some()).into_iter().take(5).collect(),
        ];
        for (k, limit) in [(60, 9), (1, 3), (0, 2)] {
            let mut scores: BTreeMap<i64, f64> = BTreeMap::new();
            for search in &searches {
                for (place, goat) in (1_u32..).zip(search) {
                    *scores.entry(goat.id).or_default() += 1.0 / f64::from(k + place);
                }
            }
            let mut expected: Vec<_> = scores.into_iter().collect();
            expected.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
            expected.truncate(limit);
            let fusion = BEST.k(k).limit(limit);
            let (found, flights) = farm.flights(farm.db.fuse(&fusion, &2)).await;
            let found = found.expect("fetches");
            assert_eq!(flights, 1, "{at}");
            assert!(found.iter().all(|f| barn.goats.contains(&f.row)), "{at}");
            let found: Vec<_> = found.into_iter().map(|f| (f.row.id, f.score)).collect();
            assert_eq!(found, expected, "k {k}, {at}");
        }
    })
    .await;
}
