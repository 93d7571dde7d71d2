//! Writes of many rows at once.

use wreath_orm::{Db, ErrorKind, Model, Upserted, Written};

use crate::Farm;
use crate::farm::{Llama, Paddock, Shearing};

fn paddock(name: &str, hectares: f64) -> Paddock {
    Paddock { hectares: Some(hectares), ..Paddock::new(name) }
}

#[tokio::test]
async fn an_update_changes_what_its_query_finds() {
    let farm = Farm::stocked().await;
    let grown = || Llama::select().filter(Llama::AGE.ge(4));
    farm.sent();
    let met = farm.db.update(grown()).set(Llama::PADDOCK_ID, None).set(Llama::FRIENDLY, false).run().await;
    assert_eq!(met.expect("updates"), 2);
    assert_eq!(
        farm.sent(),
        [r#"UPDATE "llamas" AS t0 SET "paddock_id" = $1, "friendly" = $2 WHERE t0."age" >= $3"#]
    );
    let left =
        farm.text("SELECT string_agg(name, ',' ORDER BY id) FROM llamas WHERE paddock_id IS NULL").await;
    assert_eq!(left, "Dolly,Tina,Bo");

    let young = Llama::select().filter(Llama::AGE.lt(4));
    let mut ids = farm
        .db
        .update(young)
        .set_to(Llama::PADDOCK_ID, Llama::MOTHER_ID)
        .returning_cols((Llama::ID, Llama::PADDOCK_ID))
        .run()
        .await
        .expect("updates");
    ids.sort_unstable();
    assert_eq!(ids, [(3, Some(1)), (4, None)]);
    let rows = farm.db.update(grown()).set(Llama::AGE, 12).returning().run().await.expect("updates");
    assert!(rows.len() == 2 && rows.iter().all(|llama| llama.age == 12), "{rows:?}");
}

#[tokio::test]
async fn a_second_write_of_the_same_shape_finds_its_plan() {
    let farm = Farm::stocked().await;
    for age in 1..4 {
        let rows = Llama::select().filter(Llama::ID.eq(i64::from(age)));
        farm.db.update(rows.clone()).set(Llama::AGE, age).run().await.expect("updates");
        farm.db.delete(rows.filter(Llama::AGE.gt(9))).run().await.expect("deletes");
        farm.db.insert_many([Paddock::new(&format!("p{age}"))]).run().await.expect("inserts");
    }
    let stats = farm.db.plan_stats();
    assert_eq!((stats.misses, stats.hits), (3, 6), "{stats}");
}

#[tokio::test]
async fn a_delete_takes_what_its_query_finds() {
    let farm = Farm::stocked().await;
    let astray = Llama::select().filter(Llama::PADDOCK_ID.is_null());
    let gone = farm.db.delete(astray).returning().run().await.expect("deletes");
    assert_eq!(gone.iter().map(|llama| llama.name.as_str()).collect::<Vec<_>>(), ["Bo"]);
    let by_paddock = Llama::select().filter(Llama::PADDOCK.has(Paddock::NAME.eq("Hilltop")));
    farm.run("DELETE FROM shearings").await;
    assert_eq!(farm.db.delete(by_paddock).run().await.expect("deletes"), 2);
    assert_eq!(farm.text("SELECT string_agg(name, ',') FROM llamas").await, "Anna");
}

#[tokio::test]
async fn what_would_mean_something_else_is_refused() {
    let farm = Farm::stocked().await;
    let db = &farm.db;
    let some = || Llama::select().filter(Llama::ID.gt(0));
    farm.sent();
    let refusals = [
        db.update(Llama::select()).set(Llama::AGE, 1).run().await,
        db.update(some().limit(1)).set(Llama::AGE, 1).run().await,
        db.update(some().offset(1)).set(Llama::AGE, 1).run().await,
        db.update(some().order_by(Llama::ID.asc())).set(Llama::AGE, 1).run().await,
        db.update(some()).run().await,
        db.update(some()).set(Llama::ID, 1).run().await,
        db.update(some()).set(Llama::AGE, 1).set(Llama::AGE, 2).run().await,
        // A nickname must not be the name, and the name is not known here.
        db.update(some()).set(Llama::NICK, Some("Dolly".into())).run().await,
        db.update(some()).set_to(Llama::NAME, Llama::NICK).run().await,
        // Its check is not run over what the server computes.
        db.update(Paddock::select().filter(Paddock::ID.gt(0)))
            .set_to(Paddock::HECTARES, Paddock::HECTARES)
            .run()
            .await,
        db.delete(Llama::select()).run().await,
        db.delete(some().limit(1)).run().await,
    ];
    for (i, refusal) in refusals.into_iter().enumerate() {
        let error = refusal.expect_err("is refused");
        assert_eq!(error.kind(), ErrorKind::Declaration, "{i}: {error}");
    }
    let error = db.update(some()).set(Llama::AGE, -1).set(Llama::NAME, String::new()).run().await;
    let error = error.expect_err("breaks two checks");
    assert_eq!((error.kind(), error.violations().len()), (ErrorKind::Invalid, 2), "{error}");
    let error = db.update(some().filter(Llama::NAME.eq("\0"))).set(Llama::AGE, 1).run().await;
    assert_eq!(error.expect_err("a NUL").kind(), ErrorKind::Encode);
    assert_eq!(farm.sent(), [""; 0], "nothing was asked");

    let trusted = db.update(Paddock::select().filter(Paddock::ID.gt(0)));
    let met = trusted.set_to(Paddock::HECTARES, Paddock::HECTARES).unchecked().run().await;
    assert_eq!(met.expect("is trusted"), 2);
}

#[tokio::test]
async fn a_session_lets_go_of_what_a_write_passed_over() {
    let farm = Farm::stocked().await;
    let mut session = farm.db.session();
    let all = session.fetch(&Llama::select().order_by(Llama::ID.asc())).await.expect("fetches");
    let hilltop = session.require::<Paddock>(1).await.expect("exists");
    session.edit(all[0], |l| l.age = 10).expect("is allowed");
    let everyone = || Llama::select().filter(Llama::AGE.gt(0));
    let error =
        session.update(everyone()).set(Llama::FRIENDLY, true).run().await.expect_err("an edit is pending");
    assert_eq!(error.kind(), ErrorKind::Declaration, "{error}");
    session.flush().await.expect("flushes");

    let added = session.add(Llama::new("Nena", 3)).expect("is good");
    assert_eq!(session.update(everyone()).set(Llama::FRIENDLY, true).run().await.expect("updates"), 4);
    for &llama in &all {
        assert_eq!(session.try_get(llama).expect_err("is let go").kind(), ErrorKind::StaleRef);
        assert_eq!(session.remove(llama).expect_err("is let go").kind(), ErrorKind::StaleRef);
    }
    assert_eq!((session[hilltop].id, session[added].age), (1, 3), "other models and what is new stay");
    let dolly = session.require::<Llama>(1).await.expect("exists");
    assert!(session[dolly].friendly && session[dolly].age == 10 && dolly != all[0]);

    // What the server refuses has changed nothing.
    let error =
        session.update(everyone()).set(Llama::PADDOCK_ID, Some(99)).run().await.expect_err("no such paddock");
    assert_eq!(error.database().and_then(|e| e.sqlstate()), Some("23503"));
    assert_eq!(session[dolly].age, 10);

    assert_eq!(session.delete(Llama::select().filter(Llama::ID.eq(4))).run().await.expect("deletes"), 1);
    assert!(session.try_get(dolly).is_err());
    session.flush().await.expect("flushes");
    assert!(session[added].id > 4);
}

#[tokio::test]
async fn what_a_write_passed_over_in_a_transaction_comes_back_with_its_rollback() {
    let farm = Farm::stocked().await;
    let mut session = farm.db.session();
    let dolly = session.require::<Llama>(1).await.expect("exists");
    let tina = session.require::<Llama>(2).await.expect("exists");
    let mut tx = session.begin().await.expect("begins");
    let new = tx.add(Llama::new("Nena", 3)).expect("is good");
    tx.edit(dolly, |l| l.age = 10).expect("is allowed");
    tx.flush().await.expect("flushes");
    assert_eq!(
        tx.update(Llama::select().filter(Llama::ID.gt(0))).set(Llama::AGE, 1).run().await.expect("updates"),
        5
    );
    for llama in [dolly, tina, new] {
        assert_eq!(tx.edit(llama, |l| l.age = 3).expect_err("is let go").kind(), ErrorKind::StaleRef);
    }
    tx.rollback().await.expect("rolls back");
    assert!(session.try_get(tina).is_err(), "nothing of hers was pending");
    assert_eq!((session[dolly].age, session[new].age, session.is_pending()), (10, 3, true));
    session.flush().await.expect("flushes");
    assert_eq!(farm.text("SELECT string_agg(age::text, ' ' ORDER BY id) FROM llamas").await, "10 4 2 1 3");

    let mut tx = session.begin().await.expect("begins");
    tx.edit(dolly, |l| l.age = 11).expect("is allowed");
    tx.flush().await.expect("flushes");
    tx.delete(Llama::select().filter(Llama::ID.eq(2))).run().await.expect("deletes");
    tx.commit().await.expect("commits");
    assert!(session.try_get(dolly).is_err() && session.try_get(new).is_err(), "for good");
    assert!(!session.is_pending());
}

#[tokio::test]
async fn many_rows_are_one_statement_and_come_back_in_order() {
    let farm = Farm::empty().await;
    let herd: Vec<Llama> = (0..1000).map(|i| Llama::new(&format!("l{i}"), i % 40)).collect();
    let (rows, flights) = farm.flights(farm.db.insert_many(herd.clone()).returning().run()).await;
    let rows = rows.expect("inserts");
    assert_eq!((rows.len(), flights), (1000, 1));
    for (id, (row, llama)) in (1..).zip(rows.iter().zip(&herd)) {
        assert_eq!(*row, Llama { id, ..llama.clone() });
    }
    assert_eq!(farm.db.insert_many(herd).run().await.expect("inserts"), 1000);
    let (none, flights) = farm.flights(farm.db.insert_many([] as [Llama; 0]).run()).await;
    assert_eq!((none.expect("nothing to do"), flights), (0, 0));

    let error =
        farm.db.insert_many([Llama::new("x", 1), Llama::new("", 99)]).run().await.expect_err("is bad");
    assert_eq!((error.kind(), error.violations().len()), (ErrorKind::Invalid, 2));
    let ids =
        farm.db.insert_many([Llama::new("a", 1), Llama::new("b", 1)]).returning_cols(Llama::ID).run().await;
    assert_eq!(ids.expect("inserts"), [2001, 2002]);
    let kept = farm.db.insert_many([Llama { id: 7000, ..Llama::new("c", 1) }]).keep_identity();
    assert_eq!(kept.returning_cols(Llama::ID).run().await.expect("inserts"), [7000]);
}

#[tokio::test]
async fn a_row_that_meets_another_is_left_out_or_updates_it() {
    let farm = Farm::empty().await;
    let db = &farm.db;
    db.insert_many([paddock("a", 1.0), paddock("b", 2.0)]).run().await.expect("inserts");
    let new = [paddock("a", 5.0), paddock("c", 3.0)];
    let done = db.insert_many(new.clone()).on_conflict(Paddock::NAME).do_nothing().run().await;
    assert_eq!(done.expect("inserts"), 1);

    farm.sent();
    let again = || db.insert_many([paddock("a", 5.0), paddock("d", 4.0)]).on_conflict(Paddock::NAME);
    let done = again().update(Paddock::HECTARES).run().await.expect("upserts");
    assert_eq!(done, Written { inserted: 1, updated: 1 });
    assert_eq!(
        farm.sent(),
        [concat!(
            r#"INSERT INTO "paddocks" AS t0 ("name", "hectares") SELECT u.c0, u.c1 "#,
            r#"FROM unnest($1, $2) WITH ORDINALITY AS u (c0, c1, n) ORDER BY u.n "#,
            r#"ON CONFLICT ("name") DO UPDATE SET "hectares" = excluded."hectares" RETURNING (t0.xmax = 0)"#,
        )]
    );
    let larger = Paddock::HECTARES.lt_to(Paddock::HECTARES.proposed());
    let done = again().update(Paddock::HECTARES).filter(larger).run().await.expect("upserts");
    assert_eq!(done, Written { inserted: 0, updated: 0 }, "none is larger than it was");

    let rows = db
        .insert_many([paddock("e", 1.0), paddock("a", 7.0)])
        .on_constraint("paddocks_name_key")
        .set(Paddock::HECTARES, Some(9.0))
        .returning_cols((Paddock::NAME, Paddock::HECTARES))
        .run()
        .await
        .expect("upserts");
    assert_eq!(
        rows,
        [Upserted::Inserted(("e".into(), Some(1.0))), Upserted::Updated(("a".into(), Some(9.0)))]
    );
    assert!(rows[0].is_inserted());

    let error =
        again().set_to(Paddock::HECTARES, Paddock::HECTARES.proposed()).run().await.expect_err("has checks");
    assert_eq!(error.kind(), ErrorKind::Declaration);
    let twice = db.insert_many([paddock("a", 1.0), paddock("a", 2.0)]).on_conflict(Paddock::NAME);
    let error = twice.update(Paddock::HECTARES).run().await.expect_err("one row twice");
    assert_eq!(error.database().and_then(|e| e.sqlstate()), Some("21000"));
}

#[tokio::test]
async fn an_upsert_by_an_identity_sends_it_and_a_rule_wants_all_of_its_columns() {
    let farm = Farm::stocked().await;
    let dolly = || Llama { id: 1, age: 11, ..Llama::new("Dolores", 11) };
    let by_id = || farm.db.insert_many([dolly()]).on_conflict(Llama::ID);
    let error = by_id().update((Llama::NAME, Llama::AGE)).run().await.expect_err("her nickname is not known");
    assert_eq!((error.kind(), error.column()), (ErrorKind::Declaration, Some("name")));
    let done = by_id().update((Llama::NAME, Llama::NICK, Llama::AGE)).run().await.expect("upserts");
    assert_eq!(done, Written { inserted: 0, updated: 1 });
    assert_eq!(
        farm.text("SELECT concat_ws(' ', name, nick, age) FROM llamas WHERE id = 1").await,
        "Dolores 11"
    );

    let mut session = farm.db.session();
    let held = session.require::<Llama>(1).await.expect("exists");
    let key = (Shearing::LLAMA_ID, Shearing::DAY);
    let shearings = [Shearing::new(1, 7000, 3), Shearing::new(1, 7001, 4)];
    let done = session.insert_many(shearings.clone()).on_conflict(key).update(Shearing::PRICE).run().await;
    assert_eq!(done.expect("upserts"), Written { inserted: 2, updated: 0 });
    let done = session.insert_many(shearings).on_conflict(key).do_nothing().returning().run().await;
    assert_eq!(done.expect("inserts").len(), 0);
    assert_eq!(session[held].name, "Dolores", "another model is not let go");
    session
        .insert_many([dolly()])
        .on_conflict(Llama::ID)
        .set(Llama::FRIENDLY, true)
        .run()
        .await
        .expect("upserts");
    assert!(session.try_get(held).is_err(), "the upsert may have updated her");
}

#[tokio::test]
async fn rows_are_copied() {
    let farm = Farm::empty().await;
    let mut copy = farm.db.copy_in::<Llama>().await.expect("begins");
    for i in 0..5000 {
        let nick = (i % 2 == 0).then(|| format!("n{i}"));
        copy.send(&Llama { nick, ..Llama::new(&format!("l{i}"), i % 40) }).await.expect("is good");
    }
    let error = copy.send(&Llama::new("", 99)).await.expect_err("is bad");
    assert_eq!((error.kind(), error.violations().len()), (ErrorKind::Invalid, 2));
    assert_eq!(copy.finish().await.expect("copies"), 5000);
    assert_eq!(
        farm.text("SELECT count(*) || ' ' || count(nick) || ' ' || max(id) FROM llamas").await,
        "5000 2500 5000"
    );

    // Within a transaction it is part of it, and what is dropped leaves nothing.
    let mut session = farm.db.session();
    let mut tx = session.begin().await.expect("begins");
    let mut copy = tx.copy_in::<Shearing>().await.expect("begins");
    for day in 0..10 {
        copy.send(&Shearing::new(1, day, 5)).await.expect("is good");
    }
    assert_eq!(copy.finish().await.expect("copies"), 10);
    assert_eq!(tx.count(&Shearing::select()).await.expect("counts"), 10);
    drop(tx);
    let mut copy = session.copy_in::<Shearing>().await.expect("begins");
    copy.send(&Shearing::new(1, 1, 5)).await.expect("is good");
    drop(copy);
    assert_eq!(session.count(&Shearing::select()).await.expect("the connection is in step"), 0);

    let mut copy = session.copy_in::<Shearing>().await.expect("begins");
    copy.send(&Shearing::new(99_999, 1, 5)).await.expect("is sent");
    let error = copy.finish().await.expect_err("no such llama");
    assert_eq!(error.database().and_then(|e| e.sqlstate()), Some("23503"));
    assert_eq!(farm.db.count(&Shearing::select()).await.expect("counts"), 0);
}

#[tokio::test]
async fn a_database_of_a_pool_writes_alike() {
    let farm = Farm::stocked().await;
    let db = Db::builder().model::<Llama>().connect(&farm.database.dsn()).await.expect("the server is up");
    db.insert_many([Llama::new("Nena", 3)]).run().await.expect("inserts");
    let mut copy = db.copy_in::<Llama>().await.expect("begins");
    copy.send(&Llama::new("Rosa", 3)).await.expect("is good");
    assert_eq!(copy.finish().await.expect("copies"), 1);
    assert_eq!(
        db.update(Llama::select().filter(Llama::AGE.eq(3))).set(Llama::AGE, 4).run().await.expect("updates"),
        2
    );
    assert_eq!(db.delete(Llama::select().filter(Llama::AGE.eq(4))).run().await.expect("deletes"), 3);
}
