//! A pool for each kind of work, and which verb uses which.

use wreath_driver::{Config, Database, PoolConfig, Workload};
use wreath_orm::{Db, Model, Result, sql};
use wreath_tests::Cluster;

use crate::farm::{Llama, Paddock, Shearing};

/// A farm over a pool for each of the kinds of work, whose sessions have its name.
async fn farm(workloads: &[Workload]) -> (Database, Db, wreath_tests::Database) {
    let served = Cluster::shared().database();
    let config: Config = served.dsn().parse().expect("the kit's DSN is good");
    let mut plan = Database::builder("farm", config.clone());
    for &workload in workloads {
        let bounds = PoolConfig { max_size: 2, ..PoolConfig::default() };
        plan = plan.pool(workload, bounds).config(workload, config.clone().application_name(workload.name()));
    }
    let database = plan.build().expect("the bounds are good");
    database.start().await.expect("the server is up");
    let models = Db::builder().model::<Shearing>().model::<Llama>().model::<Paddock>();
    let db = models.database(database.clone()).expect("the models are good");
    if database.has(Workload::Write) {
        db.create_tables().await.expect("the tables are new");
    }
    (database, db, served)
}

/// How many leases each of the pools has handed out in `work`.
async fn leases<T>(database: &Database, work: impl Future<Output = Result<T>>) -> (T, [u64; 3]) {
    let acquired = || {
        [Workload::Read, Workload::SecurityRead, Workload::Write]
            .map(|workload| database.pool(workload).map_or(0, |pool| pool.counters().acquired))
    };
    let before = acquired();
    let answer = work.await.expect("it works");
    let after = acquired();
    (answer, [0, 1, 2].map(|at| after[at] - before[at]))
}

fn meadow() -> Paddock {
    Paddock { id: 0, name: "Meadow".to_owned(), hectares: None }
}

#[tokio::test]
async fn verbs_that_read_and_those_that_write_have_their_own_pools() {
    let (database, db, _served) = farm(&[Workload::Read, Workload::SecurityRead, Workload::Write]).await;
    let all = Paddock::select();
    let (read, security, write) = ([1, 0, 0], [0, 1, 0], [0, 0, 1]);
    assert_eq!(leases(&database, db.fetch(&all)).await.1, read);
    assert_eq!(leases(&database, db.count(&all)).await, (0, read));
    assert_eq!(leases(&database, db.together((&all, &all))).await.1, read);
    assert_eq!(leases(&database, db.raw(sql("SELECT 1")).execute()).await, (1, write));

    let mut session = db.session();
    let added = async {
        session.add(meadow())?;
        session.flush().await
    };
    assert_eq!(leases(&database, added).await.1, write);

    drop(session);

    let guard = db.on(Workload::SecurityRead);
    assert_eq!(leases(&database, guard.exists(&all)).await, (true, security));
    let fresh = db.on(Workload::Write);
    assert_eq!(leases(&database, fresh.count(&all)).await, (1, write));
    let reader = db.on(Workload::Read);
    let name = reader.raw(sql("SELECT current_setting('application_name')")).scalar();
    assert_eq!(leases(&database, name).await, ("read".to_owned(), read));
    database.stop().await;
}

#[tokio::test]
async fn a_session_for_reading_is_refused_to_write() {
    let (database, db, _served) = farm(&[Workload::Read, Workload::Write]).await;
    let mut session = db.on(Workload::Read).session();
    session.add(meadow()).expect("it is pending");
    let refused = session.flush().await.expect_err("its connections only read");
    let code = refused.database().and_then(|e| e.server()).map(|e| e.code().to_owned());
    assert_eq!(code.as_deref(), Some("25006"), "{refused}");
    drop(session);
    assert_eq!(db.count(&Paddock::select()).await.expect("counts"), 0);
    assert_eq!(database.counters().evicted, 0);
    database.stop().await;
}

#[tokio::test]
async fn a_workload_without_a_pool_is_an_error_where_it_was_asked_for() {
    let (database, db, _served) = farm(&[Workload::Write]).await;
    assert_eq!(leases(&database, db.count(&Paddock::select())).await, (0, [0, 0, 1]));
    let unknown = db.on(Workload::Read).count(&Paddock::select()).await.expect_err("there is none");
    assert!(unknown.to_string().contains("no workload read"), "{unknown}");
    database.stop().await;
    let stopped = db.count(&Paddock::select()).await.expect_err("it was stopped");
    assert!(stopped.to_string().contains("has been stopped"), "{stopped}");

    let (database, db, _served) = farm(&[Workload::Read]).await;
    let unknown = db.raw(sql("SELECT 1")).execute().await.expect_err("nothing here writes");
    assert!(unknown.to_string().contains("no workload write"), "{unknown}");
    database.stop().await;
}
