//! Hooks of models, and announcements of what has been written.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use wreath_orm::{Column, Columns, Db, ErrorKind, Hook, Load, Model, Result, Source, Table};

use crate::Farm;
use crate::farm::{Llama, Paddock};

/// A model whose hooks note what they have seen, by the name of the object.
#[derive(Clone, Debug)]
struct Sheep {
    id: i64,
    name: String,
    updates: i32,
}

static SEEN: Mutex<Vec<String>> = Mutex::new(Vec::new());

fn note(what: &str, sheep: &Sheep) {
    SEEN.lock().expect("nobody panics in it").push(format!("{what} {}", sheep.name));
    assert!(sheep.name != "panic", "a hook that panics");
}

/// What has been noted of names with this prefix.
fn seen(prefix: &str) -> Vec<String> {
    let mut all = SEEN.lock().expect("nobody panics in it");
    let (own, rest) =
        all.drain(..).partition(|line| line.split(' ').nth(1).is_some_and(|n| n.starts_with(prefix)));
    *all = rest;
    own
}

impl Sheep {
    const ID: Column<Self, i64> = Self::TABLE.col("id", |s| &s.id).identity();
    const NAME: Column<Self, String> = Self::TABLE.col("name", |s| &s.name);
    const UPDATES: Column<Self, i32> = Self::TABLE.col("updates", |s| &s.updates);

    fn new(name: &str) -> Self {
        Self { id: 0, name: name.into(), updates: 0 }
    }
}

impl Load<Self> for Sheep {
    fn load<S: Source<Self>>(s: &mut S) -> Result<Self> {
        Ok(Self { id: s.get(Self::ID)?, name: s.get(Self::NAME)?, updates: s.get(Self::UPDATES)? })
    }
}

impl Model for Sheep {
    const TABLE: Table<Self> = Table::new("sheep");
    const HOOKS: &'static [Hook<Self>] = &[
        Hook::BeforeInsert(|s| {
            s.name = s.name.trim().to_owned();
            if s.name == "wolf" { Err("no wolves".into()) } else { Ok(()) }
        }),
        Hook::BeforeUpdate(|s| {
            s.updates += 1;
            if s.updates > 2 { Err("enough".into()) } else { Ok(()) }
        }),
        Hook::BeforeDelete(|s| if s.name.ends_with("stays") { Err("it stays".into()) } else { Ok(()) }),
        Hook::AfterInsert(|s| {
            assert!(s.id > 0, "the server has numbered it");
            note("inserted", s);
        }),
        Hook::AfterUpdate(|s| note("updated", s)),
        Hook::AfterDelete(|s| note("deleted", s)),
    ];
    type Key = i64;
    fn key() -> impl Columns<Self, Row = i64> {
        Self::ID
    }
}

#[tokio::test]
async fn hooks_run_around_writes_and_may_refuse_them() {
    let farm = Farm::of(Db::builder().model::<Sheep>()).await;
    let mut session = farm.db.session();
    let error = session.add(Sheep::new(" wolf ")).expect_err("is refused");
    assert_eq!((error.kind(), error.violations()[0].kind()), (ErrorKind::Invalid, "hook"));
    let bo = session.add(Sheep::new("  a-bo ")).expect("is fine");
    let stays = session.add(Sheep::new("a-stays")).expect("is fine");
    assert_eq!((session[bo].name.as_str(), seen("a-").len()), ("a-bo", 0), "nothing has been written");
    session.flush().await.expect("flushes");
    assert_eq!(seen("a-"), ["inserted a-bo", "inserted a-stays"]);

    session.edit(bo, |_| ()).expect("changes nothing");
    assert!(!session.is_pending(), "an edit of nothing runs no hook");
    for _ in 0..2 {
        session.edit(bo, |s| s.name.push('o')).expect("is fine");
    }
    session.edit(bo, |s| s.name.push('o')).expect_err("is refused by the hook");
    assert_eq!(
        (session[bo].name.as_str(), session[bo].updates),
        ("a-booo", 2),
        "the refused edit left no trace"
    );
    session.remove(stays).expect_err("it stays");
    session.flush().await.expect("flushes");
    assert_eq!(seen("a-"), ["updated a-booo"]);
    session.remove(bo).expect("may go");
    session.flush().await.expect("flushes");
    assert_eq!(seen("a-"), ["deleted a-booo"]);
    assert_eq!(farm.text("SELECT string_agg(name, ' ') FROM sheep").await, "a-stays");
}

#[tokio::test]
async fn no_way_of_writing_passes_hooks_over() {
    let farm = Farm::of(Db::builder().model::<Sheep>()).await;
    let all = || Sheep::select().filter(Sheep::ID.gt(0));
    let refused = |error: wreath_orm::Error, hook: &str| {
        assert!(error.kind() == ErrorKind::Declaration && error.to_string().contains(hook), "{error}");
    };
    refused(
        farm.db.update(all()).set(Sheep::UPDATES, 1).run().await.expect_err("has no objects"),
        "BeforeUpdate",
    );
    refused(farm.db.delete(all()).run().await.expect_err("has no objects"), "BeforeDelete");
    refused(
        farm.db.insert_many([Sheep::new("b")]).run().await.expect_err("reads nothing back"),
        "AfterInsert",
    );
    refused(farm.db.copy_in::<Sheep>().await.expect_err("reads nothing back"), "AfterInsert");
}

#[tokio::test]
async fn a_hook_that_panics_leaves_a_session_that_knows_what_is_written() {
    let farm = Farm::of(Db::builder().model::<Sheep>()).await;
    let task = tokio::spawn(async move {
        let session = Arc::new(tokio::sync::Mutex::new(farm.db.session()));
        let (one, two) = {
            let mut session = session.lock().await;
            (
                session.add(Sheep::new("panic")).expect("is fine"),
                session.add(Sheep::new("c-two")).expect("is fine"),
            )
        };
        let flushing = Arc::clone(&session);
        let flush = tokio::spawn(async move { flushing.lock().await.flush().await });
        assert!(flush.await.expect_err("the hook has panicked").is_panic());
        let session = session.lock().await;
        assert!(!session.is_pending() && session[one].id > 0 && session[two].id > 0);
        assert_eq!(farm.text("SELECT count(*)::text FROM sheep").await, "2");
    });
    task.await.expect("all of it holds");
}

#[tokio::test]
async fn writes_are_announced_once_they_are_committed() {
    let farm = Farm::stocked().await;
    let heard = Arc::new(AtomicU64::new(0));
    let count = Arc::clone(&heard);
    let watch = farm.db.on_write::<Llama>().call(move || {
        count.fetch_add(1, Ordering::Relaxed);
    });
    let loud = farm.db.on_write::<Paddock>().or::<Llama>().call(|| panic!("a listener that panics"));
    let heard = || heard.swap(0, Ordering::Relaxed);

    let mut session = farm.db.session();
    let paddock = session.add(Paddock::new("Far")).expect("is valid");
    session.flush().await.expect("flushes");
    assert_eq!(heard(), 0, "of another model");
    assert_eq!((watch.errors(), loud.errors()), (0, 1));
    session.add(Llama::new("Zoe", 5)).expect("is valid");
    session.edit(paddock, |p| p.name = "Near".into()).expect("is valid");
    session.flush().await.expect("flushes");
    assert_eq!((heard(), loud.errors()), (1, 2), "once for a flush");

    let mut tx = session.begin().await.expect("begins");
    tx.add(Llama::new("Yak", 5)).expect("is valid");
    tx.flush().await.expect("flushes");
    tx.update(Llama::select().filter(Llama::NAME.eq("Bo")))
        .set(Llama::FRIENDLY, true)
        .run()
        .await
        .expect("updates");
    assert_eq!(heard(), 0, "it is not permanent yet");
    {
        let mut inner = tx.begin().await.expect("begins");
        inner.add(Llama::new("Xan", 5)).expect("is valid");
        inner.commit().await.expect("commits");
    }
    assert_eq!(heard(), 0, "a savepoint is not");
    tx.commit().await.expect("commits");
    assert_eq!(heard(), 1);

    let mut tx = session.begin().await.expect("begins");
    tx.delete(Llama::select().filter(Llama::NAME.eq("Bo"))).run().await.expect("deletes");
    tx.rollback().await.expect("rolls back");
    drop(session.begin().await.expect("begins"));
    session.add(Paddock::new("Else")).expect("is valid");
    session.flush().await.expect("flushes");
    assert_eq!(heard(), 0, "what was rolled back is not announced later");

    farm.db
        .update(Llama::select().filter(Llama::AGE.gt(90)))
        .set(Llama::FRIENDLY, true)
        .run()
        .await
        .expect("runs");
    farm.db.insert_many([Llama::new("Wes", 5)]).run().await.expect("inserts");
    let mut copy = farm.db.copy_in::<Llama>().await.expect("begins");
    copy.send(&Llama::new("Vic", 5)).await.expect("sends");
    copy.finish().await.expect("ends");
    farm.db.announce::<Llama>();
    assert_eq!(heard(), 4, "an update, an insert, a copy, and what was announced by hand");

    drop(watch);
    farm.db.announce::<Llama>();
    assert_eq!(heard(), 0, "nobody listens");
}

#[tokio::test]
async fn refreshes_run_beside_the_writer_and_count_what_fails() {
    let farm = Farm::stocked().await;
    let (names, runs) = (Arc::new(Mutex::new(Vec::new())), Arc::new(AtomicU64::new(0)));
    let watch = farm.db.on_write::<Llama>().refresh({
        let (db, names) = (farm.db.clone(), Arc::clone(&names));
        move || {
            let (db, names, run) = (db.clone(), Arc::clone(&names), runs.fetch_add(1, Ordering::Relaxed));
            async move {
                match run {
                    1 => return Err("no luck".to_owned()),
                    2 => panic!("worse"),
                    _ => {}
                }
                let fresh = db.fetch(&Llama::select().cols(Llama::NAME)).await.map_err(|e| e.to_string())?;
                *names.lock().expect("nobody panics in it") = fresh;
                Ok(())
            }
        }
    });
    for (round, expected) in [(1, (1, 0)), (2, (1, 1)), (3, (1, 2)), (4, (2, 2))] {
        let mut session = farm.db.session();
        session.add(Llama::new(&format!("new {round}"), 5)).expect("is valid");
        session.flush().await.expect("a refresh that fails does not fail the writer");
        drop(session);
        watch.ended(round).await;
        assert_eq!((watch.refreshes(), watch.errors()), expected, "round {round}");
    }
    assert_eq!(names.lock().expect("nobody panics in it").len(), 8);
}
