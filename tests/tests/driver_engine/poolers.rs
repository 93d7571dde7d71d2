//! PgBouncer between the driver and the server, in session and in transaction mode.

use std::time::Duration;

use wreath_driver::{Client, Config, Connection, ErrorKind, Pool, PoolConfig};
use wreath_tests::{Cluster, Database, PgBouncer, Pooling};

use crate::fixture::{Random, database, within};

/// Server connections behind each pooler: fewer than there are clients.
const SERVERS: usize = 2;

fn start(pooling: Pooling) -> Option<(Database, PgBouncer)> {
    let cluster = Cluster::shared_ours()?;
    let bouncer = PgBouncer::start(cluster, pooling, SERVERS)?;
    Some((database(), bouncer))
}

fn config(db: &Database, bouncer: &PgBouncer) -> Config {
    bouncer.dsn(db).parse().unwrap()
}

async fn connect(config: &Config) -> Connection {
    within(config.connect()).await.unwrap()
}

async fn add(client: &Client, a: i64, b: i64) {
    let sql = format!("SELECT $1::int8 + {b}");
    assert_eq!(within(client.fetch_scalar::<i64>(&sql, (a,))).await.unwrap(), a + b);
}

#[tokio::test]
async fn names_last_in_session_mode_and_are_used_where_that_is_said() {
    let Some((db, bouncer)) = start(Pooling::Session) else { return };
    let named = connect(&config(&db, &bouncer).statement_cache_size(100)).await;
    for n in 0..5 {
        add(&named, n, 7).await;
        let tx = named.begin().await.unwrap();
        add(&tx, n, 7).await;
        tx.commit().await.unwrap();
    }
    assert_eq!(named.stats().cache_misses, 1);
    let sql = "SELECT count(*) FROM pg_prepared_statements WHERE name <> ''";
    let kept: i64 = named.fetch_scalar(sql, ()).await.unwrap();
    assert_eq!((kept, named.stats().prepared), (2, 2));
    named.close().await.unwrap();
}

/// The key that a pooler makes up looks like a server's once in a thousand times, and not three times in a row.
#[tokio::test]
async fn a_pooler_is_recognised() {
    let Some((db, bouncer)) = start(Pooling::Transaction) else { return };
    let mut recognised = 0;
    for _ in 0..3 {
        let connection = connect(&config(&db, &bouncer)).await;
        add(&connection, 1, 2).await;
        recognised += usize::from(connection.stats().prepared == 0);
    }
    assert!(recognised > 0);
    let direct = connect(&db.dsn().parse().unwrap()).await;
    add(&direct, 1, 2).await;
    assert_eq!(direct.stats().prepared, 1);
}

/// One of the things that clients do.
async fn act(client: &Client, kind: usize, n: i64) {
    match kind {
        0 => add(client, n, n % 5).await,
        1 => {
            let mut pipeline = client.pipeline();
            let inserted = pipeline.execute("INSERT INTO log (word, n) VALUES ('piped', $1)", (n,)).unwrap();
            let mood = pipeline.fetch_one("SELECT mood FROM moods WHERE id = 1", ()).unwrap();
            let mut results = within(pipeline.run()).await.unwrap();
            assert_eq!(results.take(inserted).unwrap().rows(), 1);
            assert_eq!(results.take(mood).unwrap().get::<&str>(0).unwrap(), "happy");
        }
        2 => {
            let tx = within(client.begin()).await.unwrap();
            let sql = "INSERT INTO log (word, n) VALUES ('within', $1) RETURNING n";
            assert_eq!(within(tx.fetch_scalar::<i64>(sql, (n,))).await.unwrap(), n);
            add(&tx, n, 3).await;
            if n % 2 == 0 { tx.commit().await.unwrap() } else { tx.rollback().await.unwrap() }
        }
        3 => {
            let sql = "SELECT g::int8 FROM generate_series(1, $1::int8) g";
            let mut stream = within(client.stream(sql, (n + 100,))).await.unwrap();
            let mut last = 0;
            while let Some(row) = within(stream.next()).await.unwrap() {
                last += 1;
                assert_eq!(row.get::<i64>(0).unwrap(), last);
            }
            assert_eq!(last, n + 100);
        }
        4 => {
            let failed = within(client.fetch("SELECT 1 / $1::int8", (0_i64,))).await.unwrap_err();
            assert_eq!(failed.sqlstate(), Some("22012"), "{failed}");
        }
        _ => {
            let tx = within(client.begin()).await.unwrap();
            let mut stream = within(tx.stream("SELECT mood FROM moods", ())).await.unwrap();
            assert_eq!(within(stream.next()).await.unwrap().unwrap().get::<&str>(0).unwrap(), "happy");
            drop(stream);
            drop(tx);
        }
    }
}

/// Eight clients that do 25 of the first `kinds` of things each; answers how many statements were kept.
async fn mix(config: &Config, kinds: usize) -> u64 {
    let random = Random::seeded("poolers");
    let clients: Vec<_> = (0..8_u64)
        .map(|task| {
            let (config, mut random) = (config.clone(), random.fork(task));
            tokio::spawn(async move {
                let connection = connect(&config).await;
                for n in 0..25 {
                    act(&connection, random.below(kinds), n).await;
                }
                connection.stats().prepared
            })
        })
        .collect();
    let mut prepared = 0;
    for client in clients {
        prepared += client.await.unwrap();
    }
    prepared
}

#[tokio::test]
async fn two_hundred_things_over_two_server_connections_in_transaction_mode() {
    let Some((db, bouncer)) = start(Pooling::Transaction) else { return };
    assert_eq!(mix(&config(&db, &bouncer).statement_cache_size(0), 6).await, 0);
    let sql = "SELECT pid::text FROM pg_stat_activity
               WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'";
    let sessions = db.admin().query(sql).unwrap().len();
    assert!((1..=SERVERS).contains(&sessions), "{sessions}");
    // Of transactions that were rolled back nothing is left, and of the others all.
    let odd = db.admin().query("SELECT 1 FROM log WHERE word = 'within' AND n % 2 = 1").unwrap();
    assert!(odd.is_empty());
}

/// Outside of transactions, a name that the session does not know costs a second flight and nothing else.
#[tokio::test]
async fn names_that_do_not_last_are_made_good_for() {
    let Some((db, bouncer)) = start(Pooling::Transaction) else { return };
    assert!(mix(&config(&db, &bouncer).statement_cache_size(100), 1).await > 0);
}

#[tokio::test]
async fn what_runs_is_cancelled_through_it() {
    for pooling in [Pooling::Session, Pooling::Transaction] {
        let Some((db, bouncer)) = start(pooling) else { return };
        let connection = connect(&config(&db, &bouncer)).await;
        for n in 0..3 {
            let limited = connection.within(Duration::from_millis(50));
            let error = within(limited.execute("SELECT pg_sleep(3600)", ())).await.unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Timeout, "{error}");
            add(&connection, n, 1).await;
        }
    }
}

#[tokio::test]
async fn a_startup_parameter_that_is_refused_can_be_left_out() {
    let Some((db, bouncer)) = start(Pooling::Transaction) else { return };
    let refused = within(config(&db, &bouncer).options("-c a.b=c").connect()).await.unwrap_err();
    assert!(refused.to_string().contains("options"), "{refused}");
    let connection = connect(&config(&db, &bouncer).options("").application_name("shepherd")).await;
    add(&connection, 1, 1).await;
}

/// A setting of the session would meet whoever gets it next.
#[tokio::test]
async fn a_pool_that_only_reads_leaves_no_setting_to_others() {
    let Some((db, bouncer)) = start(Pooling::Transaction) else { return };
    let bounds = PoolConfig { max_size: 2, read_only: true, ..PoolConfig::default() };
    let unnamed = |db: &Database| config(db, &bouncer).statement_cache_size(0);
    let pool = Pool::new(unnamed(&db), bounds.clone()).unwrap();
    let refused = within(pool.acquire()).await.unwrap_err();
    assert!(refused.to_string().contains("default_transaction_read_only"), "{refused}");
    let other = connect(&unnamed(&db)).await;
    other.execute("INSERT INTO log (word) VALUES ('written')", ()).await.unwrap();

    let reading = database();
    let alter = format!("ALTER DATABASE {} SET default_transaction_read_only = on", reading.name());
    reading.cluster().admin().query(&alter).unwrap();
    let pool = Pool::new(unnamed(&reading), bounds).unwrap();
    for n in 0..3 {
        let lease = within(pool.acquire()).await.unwrap();
        add(&lease, n, 1).await;
        let refused = lease.execute("INSERT INTO log (word) VALUES ('never')", ()).await.unwrap_err();
        assert_eq!(refused.sqlstate(), Some("25006"));
    }
    pool.close().await;
}

#[tokio::test]
async fn a_pool_outlives_the_pooler() {
    for dies in [PgBouncer::stop, PgBouncer::kill] {
        let Some((db, bouncer)) = start(Pooling::Transaction) else { return };
        let bounds = PoolConfig { min_size: 2, max_size: 2, ..PoolConfig::default() };
        let pool = Pool::new(config(&db, &bouncer), bounds).unwrap();
        within(pool.start()).await.unwrap();
        let lease = within(pool.acquire()).await.unwrap();
        let sleeping = tokio::spawn(async move { lease.execute("SELECT pg_sleep(3600)", ()).await });
        let running =
            "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'PgSleep'";
        within(async {
            while db.admin().query(running).unwrap().is_empty() {
                tokio::task::yield_now().await;
            }
        })
        .await;
        dies(&bouncer);
        let lost = within(sleeping).await.unwrap().unwrap_err();
        assert!(lost.is_connection_lost(), "{lost}");
        bouncer.restart();
        // Connections that were lost may come to light one by one.
        within(async {
            while pool.acquire().await.is_err() {
                tokio::task::yield_now().await;
            }
        })
        .await;
        add(&within(pool.acquire()).await.unwrap(), 1, 2).await;
        pool.close().await;
    }
}
