//! Plain values.

use wreath_orm::{Alias, Db, ErrorKind, Model, Output, Select};

use crate::Farm;
use crate::farm::{Card, Llama, Paddock, Shearing};

/// Runs where the compiler demands that the future can move between threads, for any model and output.
async fn elsewhere<M: Model, O: Output<M>>(db: Db, query: Select<M, O>) -> wreath_orm::Result<Vec<O::Row>> {
    tokio::spawn(async move { db.fetch(&query).await }).await.expect("it does not panic")
}

async fn names(farm: &Farm, query: Select<Llama>) -> Vec<String> {
    farm.db.fetch(&query.order_by(Llama::ID.asc()).cols(Llama::NAME)).await.expect("fetches")
}

#[tokio::test]
async fn whole_objects_columns_and_parts() {
    let farm = Farm::stocked().await;
    let dolly =
        farm.db.fetch_one(&Llama::select().filter(Llama::NAME.eq("Dolly"))).await.expect("there is one");
    let expected = Llama {
        id: 1,
        nick: Some("Dee".into()),
        friendly: true,
        paddock_id: Some(1),
        ..Llama::new("Dolly", 9)
    };
    assert_eq!(dolly, expected);

    let by_age = || Llama::select().order_by(Llama::AGE.desc());
    let cards: Vec<Card> = farm.db.fetch(&by_age().limit(1).into()).await.expect("fetches");
    assert_eq!(cards, [Card { name: "Dolly".into(), age: 9 }]);
    let pairs: Vec<(String, Option<i64>)> =
        farm.db.fetch(&by_age().cols((Llama::NAME, Llama::PADDOCK_ID)).offset(2)).await.expect("fetches");
    assert_eq!(pairs, [("Anna".into(), Some(2)), ("Bo".into(), None)]);
}

#[tokio::test]
async fn every_operator_means_what_it_says() {
    let farm = Farm::stocked().await;
    let all = Llama::select;
    let (ids, names_of) = (vec![4_i64], vec![String::from("Anna")]);
    let cases = [
        (all().filter(Llama::AGE.eq(4)), "Tina"),
        (all().filter(Llama::AGE.ne(4)), "Dolly Anna Bo"),
        (all().filter(Llama::AGE.lt(2)), "Bo"),
        (all().filter(Llama::AGE.le(2)), "Anna Bo"),
        (all().filter(Llama::AGE.gt(4)), "Dolly"),
        (all().filter(Llama::AGE.ge(4)), "Dolly Tina"),
        (all().filter(Llama::ID.any([1_i64, 3, 99])), "Dolly Anna"),
        (all().filter(Llama::ID.any(&ids)), "Bo"),
        (all().filter(Llama::ID.any([0_i64; 0])), ""),
        (all().filter(Llama::NAME.any(["Bo", "O'Hara\"\\,{}", "Tina"])), "Tina Bo"),
        (all().filter(Llama::NAME.any(&names_of)), "Anna"),
        (all().filter(Llama::NAME.any([""; 0])), ""),
        (all().filter(Llama::NICK.is_null()), "Tina Anna Bo"),
        (all().filter(Llama::NICK.is_not_null()), "Dolly"),
        (all().filter(Llama::NICK.ne("x")), "Dolly"),
        (all().filter(Llama::FRIENDLY.eq(false).and(Llama::AGE.gt(1))), "Anna"),
        (all().filter(Llama::AGE.eq(1).or(Llama::AGE.eq(9))), "Dolly Bo"),
        (all().filter(!Llama::AGE.gt(2)), "Anna Bo"),
        (all().filter(Llama::AGE.gt(1)).filter(Llama::AGE.lt(9)), "Tina Anna"),
        (all().filter(Llama::ID.eq_to(Llama::PADDOCK_ID)), "Dolly"),
        (all().filter(Llama::MOTHER_ID.lt_to(Llama::PADDOCK_ID)), "Anna"),
    ];
    for (query, expected) in cases {
        let text = query.to_sql().expect("compiles");
        assert_eq!(names(&farm, query).await.join(" "), expected, "{text}");
    }
}

#[tokio::test]
async fn filters_reach_across_relations_and_aliases() {
    const OTHER: Alias<Llama> = Alias::new("other");
    let farm = Farm::stocked().await;
    let all = Llama::select;
    let mate_is_older = OTHER.exists(
        Llama::PADDOCK_ID.of(OTHER).eq_to(Llama::PADDOCK_ID).and(Llama::AGE.of(OTHER).gt_to(Llama::AGE)),
    );
    let cases = [
        (all().filter(Llama::PADDOCK.has(Paddock::NAME.eq("Hilltop"))), "Dolly Tina"),
        (all().filter(Llama::PADDOCK.has(Paddock::NAME.eq("Hilltop")).not()), "Anna Bo"),
        (all().filter(Llama::MOTHER.has(Llama::NAME.eq("Dolly"))), "Anna"),
        (all().filter(Llama::CHILDREN.exists(Llama::AGE.lt(3))), "Dolly"),
        (all().filter(Llama::SHEARINGS.exists(Shearing::PRICE.gt(&13.into()))), "Dolly"),
        (all().filter(Llama::MOTHER.has(Llama::PADDOCK.has(Paddock::HECTARES.gt(1.0)))), "Anna"),
        (all().filter(mate_is_older), "Tina"),
    ];
    for (query, expected) in cases {
        let text = query.to_sql().expect("compiles");
        assert_eq!(names(&farm, query).await.join(" "), expected, "{text}");
    }
}

#[tokio::test]
async fn orders_limits_and_offsets() {
    let farm = Farm::stocked().await;
    let fetch = async |query: Select<Llama>| -> String {
        farm.db.fetch(&query.cols(Llama::NAME)).await.expect("fetches").join(" ")
    };
    let all = Llama::select;
    let by_home = || all().order_by(Llama::PADDOCK_ID.desc().nulls_last()).order_by(Llama::NAME.asc());
    assert_eq!(fetch(by_home()).await, "Anna Dolly Tina Bo");
    assert_eq!(
        fetch(all().order_by(Llama::NICK.asc().nulls_first()).order_by(Llama::AGE.asc())).await,
        "Bo Anna Tina Dolly"
    );
    assert_eq!(fetch(by_home().limit(2)).await, "Anna Dolly");
    assert_eq!(fetch(by_home().limit(9).limit(2).offset(1)).await, "Dolly Tina");
    assert_eq!(fetch(by_home().limit(0)).await, "");
    assert_eq!(fetch(by_home().limit(u64::MAX).offset(3)).await, "Bo");
}

#[tokio::test]
async fn one_row_means_one_row() {
    let farm = Farm::stocked().await;
    let none = Llama::select().filter(Llama::AGE.gt(90));
    let one = Llama::select().filter(Llama::AGE.eq(9));
    let many = Llama::select().order_by(Llama::ID.asc());
    farm.sent();

    assert_eq!(farm.db.fetch_one(&one).await.expect("one").name, "Dolly");
    let error = farm.db.fetch_one(&none).await.expect_err("none");
    assert_eq!(error.kind(), ErrorKind::NoResult);
    assert!(error.model().is_some_and(|m| m.ends_with("Llama")), "{error}");
    assert_eq!(farm.db.fetch_one(&many).await.expect_err("many").kind(), ErrorKind::MultipleResults);
    assert_eq!(farm.db.fetch_optional(&none).await.expect("none is fine"), None);
    assert_eq!(farm.db.fetch_optional(&many).await.expect_err("many").kind(), ErrorKind::MultipleResults);
    // A limit of the query that is stricter stays.
    assert_eq!(farm.db.fetch_one(&many.clone().limit(1)).await.expect("one").name, "Dolly");
    assert!(farm.sent().iter().all(|sql| sql.contains(" LIMIT $")), "no more than two rows are asked for");
}

#[tokio::test]
async fn count_and_exists_look_at_the_filter_alone() {
    let farm = Farm::stocked().await;
    let query = Llama::select().filter(Llama::AGE.gt(1)).limit(1).offset(1).order_by(Llama::NAME.asc());
    assert_eq!(farm.db.count(&query).await.expect("counts"), 3);
    assert_eq!(
        farm.db.count(&query.clone().include(Llama::PADDOCK.joined().required())).await.expect("counts"),
        3
    );
    assert!(farm.db.exists(&query).await.expect("asks"));
    assert!(!farm.db.exists(&Llama::select().filter(Llama::AGE.gt(90))).await.expect("asks"));
}

#[tokio::test]
async fn a_warm_query_is_one_flight_and_one_plan() {
    let farm = Farm::stocked().await;
    let query = |age| Llama::select().filter(Llama::AGE.gt(age)).include(Llama::PADDOCK.joined());
    let (cold, flights) = farm.flights(farm.db.fetch(&query(3))).await;
    assert_eq!((cold.expect("fetches").len(), flights), (2, 1));
    let before = farm.db.plan_stats();
    let (warm, flights) = farm.flights(farm.db.fetch(&query(1))).await;
    assert_eq!((warm.expect("fetches").len(), flights), (3, 1));
    let after = farm.db.plan_stats();
    assert_eq!((after.hits, after.misses), (before.hits + 1, before.misses));
}

#[tokio::test]
async fn futures_move_between_threads() {
    let farm = Farm::stocked().await;
    let query = Llama::select().include(Llama::PADDOCK.joined()).include(Llama::SHEARINGS.selectin());
    let rows = elsewhere(farm.db.clone(), query).await.expect("fetches");
    assert_eq!(rows.len(), 4);
    assert_eq!(elsewhere(farm.db.clone(), Llama::select().cols(Llama::ID)).await.expect("fetches").len(), 4);
    assert_eq!(elsewhere(farm.db.clone(), Llama::select().into::<Card>()).await.expect("fetches").len(), 4);
}

#[tokio::test]
async fn hostile_values_stay_values() {
    let farm = Farm::stocked().await;
    for hostile in ["'; DROP TABLE llamas; --", "\\", "$1", "\"", "\u{1F999}", "{}", "NULL", ""] {
        let by_value =
            Llama::select().filter(Llama::NAME.eq(hostile).or(Llama::NAME.any([hostile, hostile])));
        assert_eq!(farm.db.count(&by_value).await.expect("counts"), 0, "{hostile:?}");
        farm.connection
            .execute("INSERT INTO llamas (name, friendly) VALUES ($1, true)", (hostile,))
            .await
            .expect("inserts");
        assert_eq!(farm.db.count(&by_value).await.expect("counts"), 1, "{hostile:?}");
    }
}

#[tokio::test]
async fn a_pool_serves_many_tasks() {
    let farm = Farm::stocked().await;
    let db = Db::builder().model::<Llama>().connect(&farm.database.dsn()).await.expect("connects");
    let tasks: Vec<_> = (0..32_i32)
        .map(|i| {
            let db = db.clone();
            tokio::spawn(async move { db.count(&Llama::select().filter(Llama::AGE.ge(i % 10))).await })
        })
        .collect();
    for (i, task) in tasks.into_iter().enumerate() {
        let expected = [4, 4, 3, 2, 2, 1, 1, 1, 1, 1][i % 10];
        assert_eq!(task.await.expect("does not panic").expect("counts"), expected, "{i}");
    }
}

#[tokio::test]
async fn an_uncached_query_keeps_no_plan() {
    let farm = Farm::stocked().await;
    let query = Llama::select().filter(Llama::AGE.gt(3)).uncached();
    assert_eq!(farm.db.fetch(&query).await.expect("fetches").len(), 2);
    assert_eq!(farm.db.count(&query).await.expect("counts"), 2);
    let stats = farm.db.plan_stats();
    assert_eq!((stats.entries, stats.misses), (0, 0));
}

#[tokio::test]
async fn plans_are_bounded() {
    let farm = Farm::stocked().await;
    let models = Db::builder().model::<Llama>().plan_cache(8, 1 << 20);
    let db = models.connection(farm.connection.clone()).expect("is good");
    for length in 1..50 {
        let ids = (0..length).map(|n| Llama::ID.eq(n)).reduce(wreath_orm::Pred::or).expect("some");
        db.count(&Llama::select().filter(ids)).await.expect("counts");
    }
    let stats = db.plan_stats();
    assert_eq!((stats.entries, stats.evictions, stats.misses), (8, 41, 49));
}

#[tokio::test]
async fn many_reads_on_one_connection_share_writes() {
    let farm = Farm::stocked().await;
    let by_key = |id: i64| Llama::select().filter(Llama::ID.eq(id));
    farm.db.fetch_one(&by_key(1)).await.expect("there is one");
    let before = farm.connection.stats();
    let tasks: Vec<_> = (0..64_i64)
        .map(|i| {
            let (db, query) = (farm.db.clone(), by_key(1 + i % 4));
            tokio::spawn(async move { db.fetch_one(&query).await })
        })
        .collect();
    for (i, task) in (0..64_i64).zip(tasks) {
        assert_eq!(task.await.expect("does not panic").expect("there is one").id, 1 + i % 4);
    }
    let after = farm.connection.stats();
    assert!(after.writes - before.writes <= 16, "{} writes for 64 reads", after.writes - before.writes);
    assert_eq!(farm.db.plan_stats().misses, 1);
}

#[test]
fn handles_move_and_are_shared() {
    fn moves<T: Send + 'static>() {}
    fn shared<T: Send + Sync + Clone + 'static>() {}
    moves::<wreath_orm::Session>();
    moves::<wreath_orm::Error>();
    shared::<Db>();
    shared::<Select<Llama>>();
    shared::<wreath_orm::Pred<Llama>>();
    shared::<wreath_orm::Ref<Llama>>();
}
