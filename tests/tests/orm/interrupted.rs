//! Writes whose future is dropped, and writes whose server process dies.

use std::future::Future;
use std::pin::pin;
use std::task::Poll;

use wreath_orm::{Db, ErrorKind, Model};

use crate::Farm;
use crate::farm::{Llama, Paddock};

/// Polls a future so many times at most; what it answered, if it did.
async fn polled<T>(work: impl Future<Output = T>, mut polls: usize) -> Option<T> {
    let mut work = pin!(work);
    std::future::poll_fn(|cx| {
        if polls == 0 {
            return Poll::Ready(None);
        }
        polls -= 1;
        work.as_mut().poll(cx).map(Some)
    })
    .await
}

const ENOUGH: usize = 60;

#[tokio::test]
async fn a_flush_that_is_dropped_leaves_no_trace() {
    let farm = Farm::stocked().await;
    let mut session = farm.db.session();
    let meadow = session.add(Paddock::new("Meadow")).expect("is good");
    for polls in 0..ENOUGH {
        let done = polled(session.flush(), polls).await;
        // Answered once the server is done with whatever was on its way.
        farm.run("SELECT").await;
        let count = farm.text("SELECT count(*)::text FROM paddocks WHERE name = 'Meadow'").await;
        match done {
            Some(done) => {
                done.expect("flushes");
                assert_eq!((count.as_str(), session[meadow].id > 2), ("1", true));
                return;
            }
            // A COMMIT that was on its way may have taken effect; everything before it may not.
            None if count == "1" => return,
            None => assert_eq!((count.as_str(), session[meadow].id, session.is_pending()), ("0", 0, true)),
        }
    }
    panic!("a flush takes fewer polls");
}

/// Drops a write at every poll. It does all or nothing of what it is for, and the connection goes on.
async fn drop_at_every_poll(farm: &Farm, count: &str, all: &str, write: impl AsyncFn(&Db)) {
    let nothing = farm.text(count).await;
    for polls in 0..ENOUGH {
        let done = polled(write(&farm.db), polls).await;
        farm.run("SELECT").await;
        let now = farm.text(count).await;
        if done.is_some() {
            assert_eq!(now, all, "it has ended");
            return;
        }
        assert!(now == nothing || now == all, "after {polls} polls {now}, neither {nothing} nor {all}");
        if now == all {
            return;
        }
    }
    panic!("a write takes fewer polls");
}

#[tokio::test]
async fn a_write_of_many_rows_that_is_dropped_is_whole_or_nothing() {
    let farm = Farm::stocked().await;
    let paddocks = "SELECT count(*)::text FROM paddocks";
    drop_at_every_poll(&farm, paddocks, "5", async |db| {
        let new = ["a", "b", "c"].map(Paddock::new);
        assert_eq!(db.insert_many(new).run().await.expect("inserts"), 3);
    })
    .await;
    drop_at_every_poll(&farm, "SELECT count(*)::text FROM llamas WHERE age = 20", "4", async |db| {
        let every = Llama::select().filter(Llama::AGE.gt(0));
        assert_eq!(db.update(every).set(Llama::AGE, 20).run().await.expect("updates"), 4);
    })
    .await;
    drop_at_every_poll(&farm, paddocks, "2", async |db| {
        let new = Paddock::select().filter(Paddock::ID.gt(2));
        assert_eq!(db.delete(new).run().await.expect("deletes"), 3);
    })
    .await;
    drop_at_every_poll(&farm, paddocks, "302", async |db| {
        let mut copy = db.copy_in::<Paddock>().await.expect("begins");
        for i in 0..300 {
            copy.send(&Paddock::new(&format!("p{i}"))).await.expect("is good");
        }
        assert_eq!(copy.finish().await.expect("copies"), 300);
    })
    .await;
}

#[tokio::test]
async fn a_server_process_that_dies_in_a_flush_leaves_no_trace() {
    let farm = Farm::stocked().await;
    farm.connection
        .batch(
            "CREATE FUNCTION die() RETURNS trigger LANGUAGE plpgsql AS $$
             BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); PERFORM pg_sleep(60); RETURN NULL; END $$",
        )
        .await
        .expect("the script is good");
    let db = Db::connect(&farm.database.dsn()).await.expect("the server is up");
    let mut session = db.session();
    let tina = session.require::<Llama>(2).await.expect("exists");
    let bo = session.require::<Llama>(4).await.expect("exists");
    let meadow = session.add(Paddock::new("Meadow")).expect("is good");
    let lamb = session.add(Llama::new("Lamb", 0)).expect("is good");
    // One insert waits for the key that another is given.
    session.link(lamb, Llama::PADDOCK, meadow).expect("is good");
    session.edit(tina, |l| l.age = 5).expect("is allowed");
    session.remove(bo).expect("is there");
    let all =
        "SELECT string_agg(name || age || coalesce(paddock_id::text, ''), ' ' ORDER BY name) FROM llamas";
    let before = farm.text(all).await;
    for event in ["INSERT ON paddocks", "INSERT ON llamas", "UPDATE ON llamas", "DELETE ON llamas"] {
        let trigger = format!("CREATE TRIGGER die AFTER {event} FOR EACH STATEMENT EXECUTE FUNCTION die()");
        farm.run(&trigger).await;
        let error = session.flush().await.expect_err("it dies");
        assert_eq!(error.kind(), ErrorKind::Database, "{event}: {error}");
        assert!(!session.is_in_doubt() && session.is_pending(), "{event}: COMMIT was not on its way");
        assert_eq!((session[meadow].id, session[lamb].id, session[lamb].paddock_id), (0, 0, None), "{event}");
        assert_eq!(farm.text(all).await, before, "{event}");
        let (_, table) = event.split_once(" ON ").expect("an event names its table");
        farm.run(&format!("DROP TRIGGER die ON {table}")).await;
    }
    session.flush().await.expect("over another connection");
    assert_eq!(session[lamb].paddock_id, Some(session[meadow].id));
    let after = format!("Anna22 Dolly91 Lamb0{} Tina51", session[meadow].id);
    assert_eq!(farm.text(all).await, after);
}
