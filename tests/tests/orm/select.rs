//! What a query can say besides its filters.

use wreath_orm::{Count, ErrorKind, Exists, Explain, Lock, Model};

use crate::Farm;
use crate::farm::{Llama, Paddock, Shearing};

fn state(error: &wreath_orm::Error) -> Option<&str> {
    error.database().and_then(|e| e.server()).map(|e| e.code())
}

#[tokio::test]
async fn locks_hold_until_the_transaction_ends_and_need_one() {
    let farm = Farm::stocked().await;
    let dolly = Llama::select().filter(Llama::NAME.eq("Dolly"));
    let locked = dolly.clone().include(Llama::PADDOCK.joined()).lock(Lock::UPDATE);
    for error in [
        farm.db.fetch(&locked).await.map(drop).expect_err("no transaction"),
        farm.db.session().fetch(&locked).await.map(drop).expect_err("no transaction"),
    ] {
        assert_eq!(error.kind(), ErrorKind::Declaration, "{error}");
    }
    let mut session = farm.db.session();
    let mut tx = session.begin().await.expect("begins");
    assert_eq!(tx.fetch(&locked).await.expect("locks beside an outer join").len(), 1);

    let config: wreath_driver::Config = farm.database.dsn().parse().expect("the kit's DSN is good");
    let other = config.connect().await.expect("the server is up");
    let elsewhere = wreath_orm::Db::builder().connection(other).expect("no models");
    let mut second = elsewhere.session();
    {
        let mut tx = second.begin().await.expect("begins");
        let all = Llama::select().order_by(Llama::ID.asc());
        let free = tx.fetch_values(&all.clone().lock(Lock::SHARE.skip_locked())).await.expect("skips");
        assert_eq!(free.iter().map(|l| l.name.as_str()).collect::<Vec<_>>(), ["Tina", "Anna", "Bo"]);
        let error = tx.fetch(&all.lock(Lock::KEY_SHARE.nowait())).await.map(drop).expect_err("is locked");
        assert_eq!(state(&error), Some("55P03"), "{error}");
    }
    tx.rollback().await.expect("rolls back");
    let mut tx = second.begin().await.expect("begins");
    let free = tx.fetch_values(&dolly.lock(Lock::NO_KEY_UPDATE.nowait())).await.expect("is free again");
    assert_eq!(free.len(), 1);
}

#[tokio::test]
async fn pages_begin_with_one_and_end() {
    let farm = Farm::stocked().await;
    let names = Llama::select().order_by(Llama::ID.asc()).cols(Llama::NAME);
    let page = |n| names.clone().page(n, 3);
    assert_eq!(farm.db.fetch(&page(1)).await.expect("fetches"), ["Dolly", "Tina", "Anna"]);
    assert_eq!(farm.db.fetch(&page(2)).await.expect("fetches"), ["Bo"]);
    assert!(farm.db.fetch(&page(3)).await.expect("fetches").is_empty());
    assert_eq!(farm.db.count(&page(3)).await.expect("counts"), 4, "a count knows of no pages");
    for (n, size) in [(0, 3), (1, 0), (u64::MAX, 2), (3, u64::MAX / 2), (1, u64::MAX)] {
        let error = farm.db.fetch(&names.clone().page(n, size)).await.expect_err("is no page");
        assert_eq!(error.kind(), ErrorKind::Declaration, "page {n} of {size}");
    }
}

#[tokio::test]
async fn distinct_rows_are_counted_as_they_are_read() {
    let farm = Farm::stocked().await;
    let homes = Llama::select().order_by(Llama::PADDOCK_ID.asc()).cols(Llama::PADDOCK_ID);
    assert_eq!(farm.db.count(&homes).await.expect("counts"), 4);
    let homes = homes.distinct();
    assert_eq!(farm.db.fetch(&homes).await.expect("fetches"), [Some(1), Some(2), None]);
    assert_eq!(farm.db.count(&homes).await.expect("counts"), 3);
    let near = homes.filter(Llama::PADDOCK_ID.lt(2)).limit(1);
    assert_eq!(farm.db.count(&near).await.expect("counts"), 1);
    assert!(farm.db.exists(&near).await.expect("asks"));
    assert!(!farm.db.exists(&near.filter(Llama::AGE.gt(90))).await.expect("asks"));
}

#[tokio::test]
async fn custom_plans_and_uncached_queries_are_not_prepared() {
    let farm = Farm::stocked().await;
    let query = Paddock::select().filter(Paddock::HECTARES.gt(1.0));
    let prepared = "SELECT count(*) FROM pg_prepared_statements WHERE statement ~ 'hectare[s]. >'";
    let count = async || farm.connection.fetch_scalar::<i64>(prepared, ()).await.expect("counts");
    let stats = farm.db.plan_stats();
    for kept in
        [query.clone().custom_plan(), query.clone().uncached(), query.clone().uncached().custom_plan()]
    {
        assert_eq!(farm.db.fetch(&kept).await.expect("fetches").len(), 1);
        assert_eq!(farm.db.count(&kept).await.expect("counts"), 1);
    }
    assert_eq!(count().await, 0);
    let then = farm.db.plan_stats();
    assert_eq!(then.entries, stats.entries + 2, "the plans of the first are kept here: its rows, its count");
    assert_eq!(farm.db.fetch(&query).await.expect("fetches").len(), 1);
    assert_eq!(count().await, 1);
    assert_eq!(farm.db.plan_stats().entries, then.entries, "it is the same plan");
}

#[tokio::test]
async fn several_reads_share_a_flight_at_every_level() {
    let farm = Farm::stocked().await;
    let herds = Paddock::select()
        .order_by(Paddock::ID.asc())
        .include(Paddock::LLAMAS.selectin().order_by(Llama::ID.asc()).include(Llama::SHEARINGS.selectin()));
    let llamas = Llama::select().order_by(Llama::ID.asc()).include(Llama::CHILDREN.selectin());
    let (old, none) =
        (Llama::select().filter(Llama::AGE.gt(3)), Shearing::select().filter(Shearing::LLAMA_ID.gt(90)));
    let alone = (
        farm.db.fetch(&herds).await.expect("fetches"),
        farm.db.fetch(&llamas).await.expect("fetches"),
        2_u64,
        false,
    );
    let reads = (&herds, &llamas, Count(&old), Exists(&none));
    let (together, flights) = farm.flights(farm.db.together(reads)).await;
    assert_eq!((together.expect("fetches"), flights), (alone, 3));

    let bad = Llama::select().filter(Llama::NAME.eq("a\0b"));
    let error = farm.db.together((&old, &bad)).await.map(drop).expect_err("cannot be sent");
    assert_eq!(error.kind(), ErrorKind::Encode);
    let mut session = farm.db.session();
    let mut tx = session.begin().await.expect("begins");
    let locked = old.clone().lock(Lock::UPDATE);
    let (found, total) = tx.together((&locked, Count(&locked))).await.expect("in a transaction");
    assert_eq!((found.len(), total), (2, 2));
}

#[tokio::test]
async fn a_page_comes_with_the_number_of_all_rows() {
    let farm = Farm::stocked().await;
    let names = Llama::select().order_by(Llama::ID.asc()).cols(Llama::NAME);
    let (page, flights) = farm.flights(farm.db.fetch_page(&names, 2, 3)).await;
    let page = page.expect("fetches");
    assert_eq!((page.rows.as_slice(), page.total, flights), (["Bo".to_owned()].as_slice(), 4, 1));
    assert_eq!((page.pages(), page.has_next()), (2, false));
    let beyond = farm.db.fetch_page(&names, 9, 3).await.expect("is empty");
    assert_eq!((beyond.rows.len(), beyond.total), (0, 4));
    let error = farm.db.fetch_page(&names, 1, 0).await.map(drop).expect_err("is no page");
    assert_eq!(error.kind(), ErrorKind::Declaration);
}

#[tokio::test]
async fn rows_are_streamed_and_no_more_is_read_than_taken() {
    let farm = Farm::stocked().await;
    farm.run(
        "INSERT INTO llamas (name, friendly) SELECT repeat('x', 40), true FROM generate_series(1, 50000) n",
    )
    .await;
    let query = Llama::select().order_by(Llama::ID.asc()).include(Llama::PADDOCK.joined());
    let mut rows = farm.db.stream(&query).await.expect("begins");
    let (dolly, home) = rows.next().await.expect("reads").expect("a row");
    assert_eq!((dolly.name.as_str(), home.map(|p| p.id)), ("Dolly", Some(1)));
    let mut count = 1;
    while rows.next().await.expect("reads").is_some() {
        count += 1;
    }
    assert_eq!(count, 50_004);
    assert!(rows.next().await.expect("stays at its end").is_none());
    drop(rows);
    let mut session = farm.db.session();
    {
        let mut rows = session.stream(&query).await.expect("begins");
        rows.next().await.expect("reads").expect("a row");
        // Dropped midway: the statement is stopped, and the connection goes on.
    }
    assert_eq!(session.count(&query).await.expect("counts"), 50_004);
    let many = Paddock::select().include(Paddock::LLAMAS.selectin());
    let error = farm.db.stream(&many).await.map(drop).expect_err("needs statements of its own");
    assert_eq!(error.kind(), ErrorKind::Declaration);
}

#[tokio::test]
async fn the_server_explains_a_query_with_its_values() {
    let farm = Farm::stocked().await;
    let query = Llama::select().filter(Llama::ID.eq(7).and(Llama::NAME.ne("x'")));
    let plan = farm.db.explain(&query, &Explain::new()).await.expect("explains");
    assert!(plan.contains("llamas_pkey") || plan.contains("Seq Scan"), "{plan}");
    let ran = farm.db.explain(&query, &Explain::new().analyze().buffers().verbose()).await.expect("explains");
    assert!(ran.contains("actual time"), "{ran}");
    let json = farm.db.session().explain(&query, &Explain::new().settings().json()).await.expect("explains");
    assert!(json.starts_with('['), "{json}");
}
