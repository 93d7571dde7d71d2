//! Databases with a pool for each kind of work.

use std::time::Duration;

use wreath_driver::{Config, Database, ErrorKind, PoolConfig, Workload};

use crate::fixture::{config, database, within};

#[tokio::test]
async fn each_workload_has_a_pool_of_its_own() {
    let db = database();
    let farm = Database::builder("farm", config(&db))
        .pool(Workload::Read, PoolConfig { min_size: 2, ..PoolConfig::default() })
        .pool(Workload::Write, PoolConfig::default())
        .build()
        .unwrap();
    assert_eq!(farm.name(), "farm");
    assert_eq!(farm.pool(Workload::Read).unwrap_err().kind(), ErrorKind::Pool, "it has not been started");
    assert_eq!(farm.pool(Workload::SecurityRead).unwrap_err().kind(), ErrorKind::Config, "it has none");
    assert_eq!(farm.counters().opened, 0);
    let (one, two) = tokio::join!(farm.start(), farm.start());
    one.unwrap();
    two.unwrap();
    assert!(farm.is_started());
    assert_eq!(farm.counters().opened, 3);

    let write = "INSERT INTO log (word) VALUES ('kept')";
    let reader = farm.acquire(Workload::Read).await.unwrap();
    assert_eq!(reader.execute(write, ()).await.unwrap_err().sqlstate(), Some("25006"));
    farm.acquire(Workload::Write).await.unwrap().execute(write, ()).await.unwrap();
    let shared = farm.acquire_shared(Workload::Read).await.unwrap();
    assert_eq!(shared.fetch_scalar::<i64>("SELECT count(*) FROM log", ()).await.unwrap(), 1);
    drop(shared);
    assert!(farm.pool(Workload::Read).unwrap().leases()[0].acquired_at.file().ends_with("databases.rs"));
    assert_eq!((farm.counters().acquired, farm.counters().evicted), (3, 0));
    drop(reader);

    within(farm.stop()).await;
    within(farm.stop()).await;
    assert!(!farm.is_started());
    assert_eq!(farm.acquire(Workload::Write).await.unwrap_err().kind(), ErrorKind::Pool);
    farm.start().await.unwrap();
    farm.acquire(Workload::Write).await.unwrap().execute(write, ()).await.unwrap();
}

#[tokio::test]
async fn it_starts_as_a_whole_or_not_at_all() {
    let db = database();
    let nowhere: Config = config(&db).dbname("no_such_farm");
    let farm = Database::builder("farm", config(&db))
        .pool(Workload::Read, PoolConfig::default())
        .pool(Workload::Write, PoolConfig::default())
        .config(Workload::Write, nowhere.clone())
        .build()
        .unwrap();
    let error = within(farm.start()).await.unwrap_err();
    assert_eq!(error.sqlstate(), Some("3D000"));
    assert!(error.to_string().contains("workload write"), "{error}");
    assert!(!farm.is_started());
    within(async {
        let sql = "SELECT pid::text FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()
                   AND backend_type = 'client backend'";
        while !db.admin().query(sql).unwrap().is_empty() {
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
    })
    .await;

    let none = Database::builder("", config(&db)).build().unwrap_err();
    assert_eq!(none.kind(), ErrorKind::Config);
    let stray = Database::builder("farm", config(&db)).config(Workload::SecurityRead, nowhere).build();
    assert!(stray.unwrap_err().to_string().contains("security_read"));
    let bad = PoolConfig { max_size: 0, ..PoolConfig::default() };
    let bad = Database::builder("farm", config(&db)).pool(Workload::Read, bad).build().unwrap_err();
    assert!(bad.to_string().contains("read") && bad.to_string().contains("max_size"), "{bad}");
}

#[tokio::test]
async fn one_deadline_stops_them_all() {
    let db = database();
    let farm =
        Database::builder("farm", config(&db)).shutdown_timeout(Duration::from_millis(50)).build().unwrap();
    farm.start().await.unwrap();
    let held = [farm.acquire(Workload::Read).await.unwrap(), farm.acquire(Workload::Write).await.unwrap()];
    within(farm.stop()).await;
    for lease in held {
        assert_eq!(lease.execute("SELECT 1", ()).await.unwrap_err().kind(), ErrorKind::Closed);
    }
}
