//! New objects that refer to new objects.

use std::pin::pin;
use std::task::{Context, Waker};

use wreath_orm::{Column, Columns, Db, ErrorKind, Load, Model, Outcome, Result, Source, Table, ToOne};

use crate::Farm;
use crate::farm::{Llama, Paddock, Shearing};

#[tokio::test]
async fn a_graph_goes_in_with_one_flush() {
    let farm = Farm::empty().await;
    let mut session = farm.db.session();
    // The child first, then its mother, then their paddock: the order does not matter.
    let anna = session.add(Llama::new("Anna", 2)).expect("is good");
    let dolly = session.add(Llama::new("Dolly", 9)).expect("is good");
    let hilltop = session.add(Paddock::new("Hilltop")).expect("is good");
    let shearing = session.add(Shearing::new(0, 9000, 7)).expect("is good");
    session.link(anna, Llama::MOTHER, dolly).expect("is good");
    session.link(anna, Llama::PADDOCK, hilltop).expect("is good");
    session.link(dolly, Llama::PADDOCK, hilltop).expect("is good");
    session.link(shearing, Shearing::LLAMA, anna).expect("is good");
    let (done, flights) = farm.flights(session.flush()).await;
    done.expect("flushes");
    assert_eq!(flights, 5, "four steps, the first of which begins, and commit");
    assert_eq!(session[dolly].paddock_id, Some(session[hilltop].id));
    assert_eq!((session[anna].mother_id, session[anna].paddock_id), (Some(session[dolly].id), Some(1)));
    assert_eq!(session[shearing].llama_id, session[anna].id);
    let key = (session[anna].id, session[shearing].day);
    assert_eq!(session.get::<Shearing>(key).await.expect("gets"), Some(shearing), "its key was a link");
    assert!(!session.is_pending());

    // To one that is there, the link is an edit.
    let bo = session.add(Llama::new("Bo", 1)).expect("is good");
    session.link(bo, Llama::MOTHER, dolly).expect("is good");
    assert_eq!(session[bo].mother_id, Some(session[dolly].id));
    // One that is there is linked to a new one.
    let meadow = session.add(Paddock::new("Meadow")).expect("is good");
    session.link(dolly, Llama::PADDOCK, meadow).expect("is good");
    session.edit(dolly, |l| l.age = 10).expect("is allowed");
    session.edit(dolly, |l| l.age = 9).expect("takes it back, and the link stays");
    session.flush().await.expect("flushes");
    assert_eq!(session[dolly].paddock_id, Some(session[meadow].id));
    assert_eq!(
        farm.text(
            "SELECT string_agg(name || ' ' || coalesce(paddock_id::text, '-'), ',' ORDER BY id) FROM llamas"
        )
        .await,
        "Dolly 2,Anna 1,Bo -"
    );
}

#[tokio::test]
async fn a_long_chain_takes_a_flight_a_step_and_no_stack() {
    let farm = Farm::empty().await;
    let mut session = farm.db.session();
    let line: Vec<_> =
        (0..100).map(|i| session.add(Llama::new(&format!("l{i}"), 5)).expect("is good")).collect();
    for pair in line.windows(2) {
        session.link(pair[0], Llama::MOTHER, pair[1]).expect("is good");
    }
    session.flush().await.expect("flushes");
    assert_eq!(session[line[99]].id, 1);
    assert_eq!(session[line[0]].mother_id, Some(99));
}

#[tokio::test]
async fn an_edit_undoes_a_link_and_a_circle_is_named() {
    let farm = Farm::stocked().await;
    let mut session = farm.db.session();
    let meadow = session.add(Paddock::new("Meadow")).expect("is good");
    let nena = session.add(Llama::new("Nena", 3)).expect("is good");
    session.link(nena, Llama::PADDOCK, meadow).expect("is good");
    session.edit(nena, |l| l.paddock_id = Some(1)).expect("is allowed");
    session.flush().await.expect("flushes");
    assert_eq!(session[nena].paddock_id, Some(1));

    let (a, b) = (Llama::new("A", 1), Llama::new("B", 1));
    let (a, b) = (session.add(a).expect("is good"), session.add(b).expect("is good"));
    session.link(a, Llama::MOTHER, b).expect("is good");
    session.link(b, Llama::MOTHER, a).expect("is good");
    let error = session.flush().await.expect_err("each would have to be first");
    assert_eq!(error.kind(), ErrorKind::Declaration);
    assert!(error.to_string().contains("Llama.mother_id -> Llama.mother_id"), "{error}");
    session.edit(b, |l| l.mother_id = Some(1)).expect("is allowed");
    session.flush().await.expect("flushes");
    assert_eq!((session[a].mother_id, session[b].mother_id), (Some(session[b].id), Some(1)));

    // Linked to one that is forgotten.
    let gone = session.add(Paddock::new("Gone")).expect("is good");
    session.link(a, Llama::PADDOCK, gone).expect("is good");
    session.remove(gone).expect("is there");
    assert_eq!(session.flush().await.expect_err("is gone").kind(), ErrorKind::StaleRef);
    session.edit(a, |l| l.paddock_id = Some(2)).expect("is allowed");
    session.flush().await.expect("flushes");
    assert_eq!(session.link(a, Llama::PADDOCK, gone).expect_err("is gone").kind(), ErrorKind::StaleRef);
}

#[tokio::test]
async fn a_rollback_restores_links() {
    let farm = Farm::stocked().await;
    let mut session = farm.db.session();
    let tina = session.require::<Llama>(2).await.expect("exists");
    let meadow = session.add(Paddock::new("Meadow")).expect("is good");
    let nena = session.add(Llama { paddock_id: Some(7), ..Llama::new("Nena", 3) }).expect("is good");
    session.link(nena, Llama::PADDOCK, meadow).expect("is good");
    session.link(tina, Llama::PADDOCK, meadow).expect("is good");
    for _ in 0..2 {
        let mut tx = session.begin().await.expect("begins");
        tx.flush().await.expect("flushes");
        assert_eq!(tx[nena].paddock_id, Some(tx[meadow].id));
        tx.rollback().await.expect("rolls back");
        assert_eq!((session[nena].paddock_id, session[tina].paddock_id), (Some(7), Some(1)));
    }
    session.flush().await.expect("flushes");
    let key = Some(session[meadow].id);
    assert_eq!((session[nena].paddock_id, session[tina].paddock_id), (key, key));
    assert_eq!(farm.text("SELECT count(*)::text FROM llamas WHERE paddock_id > 2").await, "2");
}

/// A flock and its first sheep refer to each other, by keys of their own.
#[derive(Clone, Debug)]
struct Flock {
    name: String,
    leader: String,
}

impl Flock {
    const NAME: Column<Self, String> = Self::TABLE.col("name", |f| &f.name);
    const LEADER: Column<Self, String> = Self::TABLE.col("leader", |f| &f.leader).references(Sheep::NAME);
}

impl Load<Self> for Flock {
    fn load<S: Source<Self>>(s: &mut S) -> Result<Self> {
        Ok(Self { name: s.get(Self::NAME)?, leader: s.get(Self::LEADER)? })
    }
}

impl Model for Flock {
    const TABLE: Table<Self> = Table::new("flocks");
    type Key = String;
    fn key() -> impl Columns<Self, Row = String> {
        Self::NAME
    }
}

#[derive(Clone, Debug)]
struct Sheep {
    name: String,
    flock: String,
}

impl Sheep {
    const NAME: Column<Self, String> = Self::TABLE.col("name", |s| &s.name);
    const FLOCK: Column<Self, String> = Self::TABLE.col("flock", |s| &s.flock).references(Flock::NAME);
    const OF: ToOne<Self, Flock> = Self::FLOCK.to_one(Flock::NAME);
}

impl Load<Self> for Sheep {
    fn load<S: Source<Self>>(s: &mut S) -> Result<Self> {
        Ok(Self { name: s.get(Self::NAME)?, flock: s.get(Self::FLOCK)? })
    }
}

impl Model for Sheep {
    const TABLE: Table<Self> = Table::new("sheep");
    type Key = String;
    fn key() -> impl Columns<Self, Row = String> {
        Self::NAME
    }
}

#[tokio::test]
async fn tables_in_a_circle_wait_for_the_end_where_they_can() {
    let farm = Farm::of(Db::builder().model::<Flock>().model::<Sheep>()).await;
    let mut session = farm.db.session();
    session.add(Sheep { name: "Molly".into(), flock: "Hill".into() }).expect("is good");
    session.add(Flock { name: "Hill".into(), leader: "Molly".into() }).expect("is good");
    let error = session.flush().await.expect_err("neither can be first");
    assert_eq!(error.database().and_then(|e| e.sqlstate()), Some("23503"));
    for (table, name) in [("flocks", "flocks_leader_fkey"), ("sheep", "sheep_flock_fkey")] {
        farm.run(&format!("ALTER TABLE {table} ALTER CONSTRAINT {name} DEFERRABLE")).await;
    }
    session.flush().await.expect("the constraints wait");
    assert_eq!(farm.text("SELECT leader FROM flocks").await, "Molly");
    let lamb = session.add(Sheep { name: "Lamb".into(), flock: String::new() }).expect("is good");
    let hill = session.require::<Flock>("Hill".into()).await.expect("exists");
    session.link(lamb, Sheep::OF, hill).expect("is good");
    session.flush().await.expect("flushes");
    assert_eq!(session[lamb].flock, "Hill");
}

/// Polls a future so often that COMMIT is on its way, and drops it.
async fn drop_in_commit(farm: &Farm, work: impl Future<Output = Result<()>>) {
    // The lock is held until the server process waits for it in COMMIT, when a deferred constraint is checked.
    let mut work = pin!(work);
    let mut context = Context::from_waker(Waker::noop());
    let waits = "SELECT count(*)::text FROM pg_stat_activity
                 WHERE query = 'COMMIT' AND state = 'active' AND wait_event_type = 'Lock' AND datname = current_database()";
    while farm.text(waits).await != "1" {
        assert!(work.as_mut().poll(&mut context).is_pending(), "COMMIT waits");
        tokio::task::yield_now().await;
    }
}

/// Makes every COMMIT of paddocks wait for the holder of an advisory lock.
async fn slow_commits(farm: &Farm) {
    let script = "CREATE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql AS $$
                  BEGIN PERFORM pg_advisory_xact_lock(7); RETURN NULL; END $$;
                  CREATE CONSTRAINT TRIGGER slow AFTER INSERT ON paddocks DEFERRABLE INITIALLY DEFERRED
                  FOR EACH ROW EXECUTE FUNCTION slow(); SELECT pg_advisory_lock(7)";
    farm.connection.batch(script).await.expect("the script is good");
}

#[tokio::test]
async fn a_commit_that_is_dropped_leaves_the_session_in_doubt() {
    let farm = Farm::empty().await;
    let db = Db::builder().model::<Paddock>().connect(&farm.database.dsn()).await.expect("the server is up");
    slow_commits(&farm).await;
    let mut session = db.session();
    let hilltop = session.add(Paddock::new("Hilltop")).expect("is good");
    drop_in_commit(&farm, session.flush()).await;
    assert!(session.is_in_doubt());
    assert_eq!(session.flush().await.expect_err("in doubt").kind(), ErrorKind::InDoubt);
    assert_eq!(
        session.edit(hilltop, |p| p.hectares = None).expect_err("in doubt").kind(),
        ErrorKind::InDoubt
    );
    assert_eq!(session.begin().await.map(drop).expect_err("in doubt").kind(), ErrorKind::InDoubt);
    farm.run("SELECT pg_advisory_unlock(7)").await;
    // Asking stands behind the COMMIT.
    assert_eq!(session.count(&Paddock::select()).await.expect("counts"), 1);
    session.resolve(Outcome::Committed);
    assert!(!session.is_in_doubt() && !session.is_pending());
    assert_eq!((session[hilltop].id, session.get::<Paddock>(1).await.expect("gets")), (1, Some(hilltop)));

    // The same for a transaction with several flushes, which turns out to have been rolled back.
    farm.run("SELECT pg_advisory_lock(7)").await;
    let mut tx = session.begin().await.expect("begins");
    tx.edit(hilltop, |p| p.hectares = Some(2.0)).expect("is allowed");
    tx.flush().await.expect("flushes");
    let meadow = tx.add(Paddock::new("Meadow")).expect("is good");
    drop_in_commit(&farm, tx.commit()).await;
    assert!(session.is_in_doubt());
    let kill = "SELECT pg_terminate_backend(pid)::text FROM pg_stat_activity
                WHERE query = 'COMMIT' AND state = 'active' AND datname = current_database()";
    assert_eq!(farm.text(kill).await, "true");
    session.fetch(&Paddock::select()).await.expect_err("the connection is lost");
    session.resolve(Outcome::RolledBack);
    assert_eq!((session[meadow].id, session[hilltop].hectares, session.is_pending()), (0, Some(2.0), true));
    farm.run("SELECT pg_advisory_unlock(7)").await;
    session.flush().await.expect("takes another connection");
    assert_eq!(
        farm.text("SELECT string_agg(name || coalesce(hectares::text, ''), ',' ORDER BY id) FROM paddocks")
            .await,
        "Hilltop2,Meadow"
    );
}
