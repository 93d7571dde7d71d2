//! Transactions and savepoints of a session.

use wreath_orm::{ErrorKind, Model};

use crate::Farm;
use crate::farm::{Llama, Paddock};

#[tokio::test]
async fn commit_flushes_and_keeps() {
    let farm = Farm::stocked().await;
    let mut session = farm.db.session();
    let mut tx = session.begin().await.expect("begins");
    let meadow = tx.add(Paddock::new("Meadow")).expect("is good");
    tx.flush().await.expect("flushes");
    assert_eq!(farm.text("SELECT count(*)::text FROM paddocks").await, "2", "nobody else sees it");
    let tina = tx.require::<Llama>(2).await.expect("exists");
    tx.edit(tina, |l| l.paddock_id = Some(3)).expect("is allowed");
    tx.commit().await.expect("commits");
    assert_eq!(farm.text("SELECT paddock_id::text FROM llamas WHERE id = 2").await, "3");
    assert_eq!(session[meadow].id, 3);
    assert!(!session.is_pending());
}

#[tokio::test]
async fn a_rollback_makes_everything_pending_again() {
    let farm = Farm::stocked().await;
    let mut session = farm.db.session();
    let (tina, bo) = (
        session.require::<Llama>(2).await.expect("exists"),
        session.require::<Llama>(4).await.expect("exists"),
    );
    let mut tx = session.begin().await.expect("begins");
    let meadow = tx.add(Paddock::new("Meadow")).expect("is good");
    tx.edit(tina, |l| (l.age, l.id) = (5, 20)).expect("is allowed");
    tx.remove(bo).expect("is there");
    tx.flush().await.expect("flushes");
    assert_eq!(tx[meadow].id, 3);
    assert_eq!(tx.try_get(bo).expect_err("deleted").kind(), ErrorKind::StaleRef);
    tx.edit(meadow, |p| p.hectares = Some(2.0)).expect("is allowed");
    tx.rollback().await.expect("rolls back");

    assert_eq!(
        farm.text("SELECT string_agg(id || name || age, ' ' ORDER BY id) FROM llamas").await,
        "1Dolly9 2Tina4 3Anna2 4Bo1"
    );
    assert_eq!(
        (session[meadow].id, session[meadow].hectares),
        (0, Some(2.0)),
        "its number went with its row"
    );
    assert_eq!(session[bo].name, "Bo");
    assert_eq!(session.get::<Llama>(20).await.expect("asks"), None);
    assert_eq!(session.get::<Llama>(2).await.expect("gets"), Some(tina));

    session.flush().await.expect("all of it is written after all");
    assert_eq!(
        farm.text("SELECT string_agg(id || name || age, ' ' ORDER BY id) FROM llamas").await,
        "1Dolly9 3Anna2 20Tina5"
    );
    assert_eq!(farm.text("SELECT hectares::text FROM paddocks WHERE name = 'Meadow'").await, "2");
    assert!(session[meadow].id > 2);
}

#[tokio::test]
async fn what_came_and_went_within_a_transaction_is_gone() {
    let farm = Farm::stocked().await;
    let mut session = farm.db.session();
    let tina = session.require::<Llama>(2).await.expect("exists");
    let mut tx = session.begin().await.expect("begins");
    let flushed = tx.add(Paddock::new("a")).expect("is good");
    let pending = tx.add(Paddock::new("b")).expect("is good");
    tx.edit(tina, |l| l.age = 5).expect("is allowed");
    tx.flush().await.expect("flushes");
    tx.remove(flushed).expect("is there");
    tx.remove(tina).expect("is there");
    tx.flush().await.expect("flushes");
    tx.remove(pending).expect("is there");
    tx.rollback().await.expect("rolls back");
    assert_eq!(session.try_get(flushed).expect_err("gone").kind(), ErrorKind::StaleRef);
    assert_eq!(session.try_get(pending).expect_err("gone").kind(), ErrorKind::StaleRef);
    // Tina is to be removed still, by the row that she has.
    assert_eq!(session.get::<Llama>(2).await.expect("asks"), None);
    session.flush().await.expect("flushes");
    assert_eq!(farm.text("SELECT string_agg(name, ' ' ORDER BY id) FROM llamas").await, "Dolly Anna Bo");
    assert_eq!(farm.text("SELECT count(*)::text FROM paddocks").await, "2");
}

#[tokio::test]
async fn a_dropped_transaction_is_rolled_back() {
    let farm = Farm::stocked().await;
    let mut session = farm.db.session();
    let bo = session.require::<Llama>(4).await.expect("exists");
    {
        let mut tx = session.begin().await.expect("begins");
        tx.remove(bo).expect("is there");
        tx.flush().await.expect("flushes");
    }
    assert_eq!(session[bo].name, "Bo");
    assert_eq!(session.count(&Llama::select()).await.expect("the connection is free"), 4);
    assert_eq!(farm.text("SELECT count(*)::text FROM llamas").await, "4");
}

#[tokio::test]
async fn savepoints_nest() {
    let farm = Farm::stocked().await;
    let mut session = farm.db.session();
    let mut tx = session.begin().await.expect("begins");
    let kept = tx.add(Paddock::new("kept")).expect("is good");
    tx.flush().await.expect("flushes");
    let dropped = {
        let mut inner = tx.begin().await.expect("a savepoint");
        let dropped = inner.add(Paddock::new("dropped")).expect("is good");
        inner.flush().await.expect("flushes");
        let error = inner.add(Paddock::new("kept")).map(|_| ());
        error.expect("is good, as far as we know");
        inner.flush().await.expect_err("the name is taken");
        inner.rollback().await.expect("to the savepoint");
        dropped
    };
    assert!(tx[kept].id > 0);
    assert_eq!(tx[dropped].id, 0);
    tx.remove(dropped).expect("is pending");
    // The second "kept" is pending too; it gets a name of its own.
    let inner = tx.begin().await.expect("a savepoint");
    inner.rollback().await.expect("to the savepoint");
    let pending = tx.is_pending();
    assert!(pending);
    tx.commit().await.expect_err("the name is still taken");
    assert_eq!(farm.text("SELECT count(*)::text FROM paddocks").await, "2");
    assert_eq!(session[kept].id, 0, "it was rolled back with all the rest");
}

#[tokio::test]
async fn a_released_savepoint_falls_with_its_transaction() {
    let farm = Farm::stocked().await;
    let mut session = farm.db.session();
    let mut tx = session.begin().await.expect("begins");
    let mut inner = tx.begin().await.expect("a savepoint");
    let paddock = inner.add(Paddock::new("Meadow")).expect("is good");
    inner.commit().await.expect("releases");
    assert_eq!(tx[paddock].id, 3);
    tx.rollback().await.expect("rolls back");
    assert_eq!(session[paddock].id, 0);
    assert!(session.is_pending());
}

#[tokio::test]
async fn a_refused_commit_is_undone() {
    let farm = Farm::stocked().await;
    farm.run("ALTER TABLE paddocks ADD CONSTRAINT small UNIQUE (hectares) DEFERRABLE INITIALLY DEFERRED")
        .await;
    let mut session = farm.db.session();
    let doubled = session.add(Paddock { hectares: Some(1.5), ..Paddock::new("Meadow") }).expect("is good");
    let error = session.flush().await.expect_err("refused at commit");
    assert_eq!(error.database().and_then(|e| e.sqlstate()), Some("23505"));
    assert_eq!(session[doubled].id, 0);
    session.edit(doubled, |p| p.hectares = Some(3.0)).expect("is allowed");
    session.flush().await.expect("flushes");

    let mut tx = session.begin().await.expect("begins");
    tx.edit(doubled, |p| p.hectares = Some(1.5)).expect("is allowed");
    tx.commit().await.expect_err("refused at commit");
    assert!(session.is_pending());
    assert_eq!(farm.text("SELECT hectares::text FROM paddocks WHERE name = 'Meadow'").await, "3");
}

#[tokio::test]
async fn a_flush_that_fails_fails_its_transaction() {
    let farm = Farm::stocked().await;
    let mut session = farm.db.session();
    let bo = session.require::<Llama>(4).await.expect("exists");
    farm.run("DELETE FROM llamas WHERE id = 4").await;
    let mut tx = session.begin().await.expect("begins");
    let meadow = tx.add(Paddock::new("Meadow")).expect("is good");
    tx.edit(bo, |l| l.age = 2).expect("is allowed");
    assert_eq!(tx.flush().await.expect_err("Bo is gone").kind(), ErrorKind::StaleData);
    // The paddock has been inserted, and the session says that it has not: nothing but a rollback makes
    // both agree.
    assert_eq!(tx.flush().await.expect_err("failed before").kind(), ErrorKind::TransactionFailed);
    assert_eq!(
        tx.count(&Paddock::select()).await.expect_err("failed before").kind(),
        ErrorKind::TransactionFailed
    );
    assert_eq!(tx.commit().await.expect_err("failed before").kind(), ErrorKind::TransactionFailed);
    session.remove(bo).expect("is there");
    assert_eq!(session.flush().await.expect_err("still gone").kind(), ErrorKind::StaleData);
    assert_eq!(
        (session[meadow].id, farm.text("SELECT count(*)::text FROM paddocks").await.as_str()),
        (0, "2")
    );
}

#[tokio::test]
async fn sql_of_ones_own_is_part_of_the_transaction() {
    let farm = Farm::stocked().await;
    let mut session = farm.db.session();
    let mut tx = session.begin().await.expect("begins");
    let tina = tx.require::<Llama>(2).await.expect("exists");
    let renamed =
        tx.client().expect("is sound").execute("UPDATE llamas SET name = 'T' WHERE id = 2", ()).await;
    assert_eq!(renamed.expect("runs").rows(), 1);
    assert_ne!(tx[tina].name, "T");
    tx.refresh(tina).await.expect("is there");
    assert_eq!(tx[tina].name, "T");
    assert_ne!(farm.text("SELECT name FROM llamas WHERE id = 2").await, "T", "nobody else sees it");
    tx.rollback().await.expect("rolls back");
    assert_ne!(farm.text("SELECT name FROM llamas WHERE id = 2").await, "T");
}
