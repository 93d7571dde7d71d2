//! Objects of a session.

use std::panic::{AssertUnwindSafe, catch_unwind};

use wreath_driver::ErrorKind as DriverErrorKind;
use wreath_orm::{Db, ErrorKind, Model, Ref};

use crate::Farm;
use crate::farm::{Llama, Paddock, Shearing};

#[tokio::test]
async fn one_row_is_one_object() {
    let farm = Farm::stocked().await;
    let mut session = farm.db.session();
    let dolly = session.require::<Llama>(1).await.expect("exists");
    let (again, flights) = farm.flights(session.get::<Llama>(1)).await;
    assert_eq!((again.expect("gets"), flights), (Some(dolly), 0));
    let all = session.fetch(&Llama::select().order_by(Llama::ID.asc())).await.expect("fetches");
    assert_eq!((all[0], all.len()), (dolly, 4));
    assert_eq!(session.get::<Llama>(99).await.expect("asks"), None);
    let error = session.require::<Llama>(99).await.expect_err("nobody");
    assert_eq!(error.kind(), ErrorKind::NoResult);

    let key = (1, wreath_orm::codecs::types::Date::new(2025, 5, 2).expect("a day"));
    let shearing = session.require::<Shearing>(key).await.expect("exists");
    assert_eq!(session.get::<Shearing>(key).await.expect("gets"), Some(shearing));
    assert_eq!(session[shearing].price.to_string(), "14.00");
}

#[tokio::test]
async fn includes_become_references() {
    let farm = Farm::stocked().await;
    let mut session = farm.db.session();
    let query = Llama::select()
        .order_by(Llama::ID.asc())
        .include(Llama::PADDOCK.joined())
        .include(Llama::CHILDREN.selectin());
    type Refs = (Ref<Llama>, Option<Ref<Paddock>>, Vec<Ref<Llama>>);
    let rows: Vec<Refs> = session.fetch(&query).await.expect("fetches");
    assert_eq!(rows[0].1, rows[1].1, "one paddock, one object");
    assert_eq!(rows[0].2, [rows[2].0], "Dolly's child is Anna");
    assert_eq!(rows[3].1, None);
    let names = session.fetch_values(&Llama::select().cols(Llama::NAME)).await.expect("fetches");
    assert_eq!(names.len(), 4);
    assert_eq!(session.count(&Llama::select()).await.expect("counts"), 4);
}

#[tokio::test]
async fn a_pending_edit_survives_a_refetch() {
    let farm = Farm::stocked().await;
    let mut session = farm.db.session();
    let query = Llama::select().order_by(Llama::ID.asc());
    let all = session.fetch(&query).await.expect("fetches");
    session.edit(all[0], |l| l.name = "Dolores".into()).expect("is allowed");
    farm.run("UPDATE llamas SET age = age + 1").await;
    assert_eq!(session.fetch(&query).await.expect("fetches"), all);
    assert_eq!((session[all[0]].name.as_str(), session[all[0]].age), ("Dolores", 9));
    assert_eq!(session[all[1]].age, 5, "an object without an edit takes the new values");

    // The update sends what was edited, and leaves alone what somebody else has changed.
    session.flush().await.expect("flushes");
    assert_eq!(farm.text("SELECT name || age FROM llamas WHERE id = 1").await, "Dolores10");
    session.refresh(all[0]).await.expect("is there");
    assert_eq!(session[all[0]].age, 10);
}

#[tokio::test]
async fn a_refused_edit_leaves_no_trace() {
    let farm = Farm::stocked().await;
    let mut session = farm.db.session();
    let dolly = session.require::<Llama>(1).await.expect("exists");
    let before = session[dolly].clone();

    let error = session
        .edit(dolly, |l| {
            l.age = -1;
            l.name = "x".repeat(41);
            l.nick = None;
        })
        .expect_err("two checks");
    assert_eq!(error.kind(), ErrorKind::Invalid);
    let broken: Vec<_> = error.violations().iter().map(|v| (v.column(), v.kind())).collect();
    assert_eq!(broken, [(Some("name"), "length"), (Some("age"), "ge")]);

    let error = session.edit(dolly, |l| l.nick = Some(l.name.clone())).expect_err("a rule");
    assert_eq!(error.violations()[0].column(), Some("nick"));
    assert_eq!(error.violations()[0].kind(), "rule");

    let caught = catch_unwind(AssertUnwindSafe(|| {
        let _ = session.edit(dolly, |l| {
            l.name = "gone".into();
            panic!("on purpose");
        });
    }));
    assert!(caught.is_err());
    assert_eq!(session[dolly], before);
    assert!(!session.is_pending());

    // After a good edit, a refused one goes back to that, not to what the database has.
    session.edit(dolly, |l| l.age = 10).expect("is allowed");
    session.edit(dolly, |l| l.age = 99).expect_err("too old");
    assert_eq!(session[dolly].age, 10);
}

#[tokio::test]
async fn a_faulty_object_is_not_taken_in() {
    let farm = Farm::empty().await;
    let mut session = farm.db.session();
    let error = session.add(Llama::new("", 50)).expect_err("no name, too old");
    assert_eq!(error.violations().len(), 2);
    assert!(error.to_string().contains("must have 1 to 40 characters"), "{error}");
    assert!(!session.is_pending());
    let paddock = Paddock { hectares: Some(0.0), ..Paddock::new("Bog") };
    assert_eq!(session.add(paddock).expect_err("no size").violations()[0].column(), Some("hectares"));
}

#[tokio::test]
async fn stale_references_are_errors() {
    let farm = Farm::stocked().await;
    let (mut one, mut two) = (farm.db.session(), farm.db.session());
    let mine = one.require::<Llama>(1).await.expect("exists");
    let _ = two.require::<Llama>(1).await.expect("exists");
    assert_eq!(two.try_get(mine).expect_err("another session's").kind(), ErrorKind::StaleRef);
    assert_eq!(two.edit(mine, |l| l.age = 3).expect_err("another session's").kind(), ErrorKind::StaleRef);

    // A reference never names the object that takes the place of its own.
    let first = one.add(Paddock::new("a")).expect("is good");
    one.remove(first).expect("was pending");
    let second = one.add(Paddock::new("b")).expect("is good");
    assert_ne!(first, second);
    assert_eq!(one.try_get(first).expect_err("forgotten").kind(), ErrorKind::StaleRef);
    assert_eq!(one[second].name, "b");
    let caught = catch_unwind(AssertUnwindSafe(|| one[first].name.clone()));
    assert!(caught.is_err(), "an index is the one place that panics");
}

#[tokio::test]
async fn refresh_finds_what_became_of_a_row() {
    let farm = Farm::stocked().await;
    let mut session = farm.db.session();
    let tina = session.require::<Llama>(2).await.expect("exists");
    session.edit(tina, |l| l.id = 200).expect("is allowed");
    farm.run("UPDATE llamas SET age = 5 WHERE id = 2").await;
    session.refresh(tina).await.expect("is found by the key that it has");
    assert_eq!((session[tina].id, session[tina].age, session.is_pending()), (2, 5, false));
    farm.run("DELETE FROM llamas WHERE id = 2").await;
    assert_eq!(session.refresh(tina).await.expect_err("gone").kind(), ErrorKind::StaleData);
    let new = session.add(Llama::new("New", 1)).expect("is good");
    assert_eq!(session.refresh(new).await.expect_err("has no row").kind(), ErrorKind::StaleRef);
}

#[tokio::test]
async fn a_session_works_in_any_task() {
    let farm = Farm::stocked().await;
    let mut session = farm.db.session();
    let task = tokio::spawn(async move {
        let dolly = session.require::<Llama>(1).await?;
        session.edit(dolly, |l| l.age += 1)?;
        let mut tx = session.begin().await?;
        tx.add(Llama::new("Nena", 3))?;
        tx.commit().await?;
        Ok::<_, wreath_orm::Error>(session[dolly].age)
    });
    assert_eq!(task.await.expect("does not panic").expect("works"), 10);
    assert_eq!(farm.text("SELECT sum(age)::text FROM llamas").await, "20");
}

#[tokio::test]
async fn a_lost_connection_costs_its_transaction_and_not_what_is_pending() {
    let farm = Farm::empty().await;
    let db = Db::connect(&farm.database.dsn()).await.expect("the server is up");
    let mut session = db.session();
    let mut tx = session.begin().await.expect("begins");
    let hilltop = tx.add(Paddock::new("Hilltop")).expect("is good");
    tx.flush().await.expect("flushes");
    farm.run(
        "SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity
         WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'",
    )
    .await;
    tx.add(Paddock::new("Riverside")).expect("is good");
    let error = tx.flush().await.expect_err("nobody is there");
    assert_eq!(error.kind(), ErrorKind::Database);
    drop(tx);
    assert!(session.is_pending());
    session.flush().await.expect("on another connection");
    assert!(session[hilltop].id > 0);
    assert_eq!(farm.text("SELECT count(*)::text FROM paddocks").await, "2");
}

#[tokio::test]
async fn a_session_in_doubt_writes_nothing_twice() {
    let farm = Farm::empty().await;
    // The session's server process dies of its COMMIT.
    farm.connection
        .batch(
            "CREATE FUNCTION die() RETURNS trigger LANGUAGE plpgsql AS $$
             BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); PERFORM pg_sleep(60); RETURN NULL; END $$;
             CREATE CONSTRAINT TRIGGER die AFTER INSERT ON paddocks DEFERRABLE INITIALLY DEFERRED
             FOR EACH ROW EXECUTE FUNCTION die()",
        )
        .await
        .expect("the script is good");
    let db = Db::connect(&farm.database.dsn()).await.expect("the server is up");
    let mut session = db.session();
    session.add(Paddock::new("Hilltop")).expect("is good");
    let kind = |e: wreath_orm::Error| e.database().expect("the driver's").kind();
    assert_eq!(kind(session.flush().await.expect_err("it dies")), DriverErrorKind::OutcomeUnknown);
    farm.run("DROP TRIGGER die ON paddocks").await;
    assert!(session.is_in_doubt());
    assert_eq!(session.flush().await.expect_err("in doubt").kind(), ErrorKind::InDoubt);
    assert_eq!(farm.text("SELECT count(*)::text FROM paddocks").await, "0");
}

#[tokio::test]
async fn relations_of_many_objects_come_in_one_flight() {
    let farm = Farm::stocked().await;
    let mut session = farm.db.session();
    let paddocks = session.fetch(&Paddock::select().order_by(Paddock::ID.asc())).await.expect("fetches");
    let llamas = Paddock::LLAMAS.selectin().order_by(Llama::AGE.desc());
    let (herds, flights) = farm.flights(session.load(&paddocks, &llamas)).await;
    let herds = herds.expect("loads");
    let names: Vec<Vec<&str>> =
        herds.iter().map(|herd| herd.iter().map(|&llama| session[llama].name.as_str()).collect()).collect();
    assert_eq!((names, flights), (vec![vec!["Dolly", "Tina"], vec!["Anna"]], 1));
    assert_eq!(
        session.get::<Llama>(1).await.expect("gets"),
        Some(herds[0][0]),
        "they are objects of the session"
    );

    let young = Paddock::LLAMAS.selectin().filter(Llama::AGE.lt(5)).include(Llama::SHEARINGS.selectin());
    let twice = [paddocks[1], paddocks[0], paddocks[1]];
    let found = session.load(&twice, &young).await.expect("loads");
    assert_eq!(found.iter().map(Vec::len).collect::<Vec<_>>(), [1, 1, 1]);
    assert_eq!((found[0][0].0, found[1][0].0), (herds[1][0], herds[0][1]));
    let (none, flights) = farm.flights(session.load(&[] as &[Ref<Paddock>], &llamas)).await;
    assert_eq!((none.expect("nothing to do").len(), flights), (0, 0));
    session.expunge(paddocks[0]).expect("is there");
    assert_eq!(session.load(&paddocks, &llamas).await.expect_err("is gone").kind(), ErrorKind::StaleRef);
}
