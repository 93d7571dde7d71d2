use std::future::Future;
use std::task::Poll;
use std::time::Duration;

use wreath_driver::{Client, Connection, Error, ErrorKind, Result};
use wreath_tests::{Cluster, Database};

use crate::connect;

async fn farm() -> (Database, Connection) {
    let database = Cluster::shared().database_from(
        "pipelines",
        "CREATE TYPE mood AS ENUM ('sad', 'happy');
         CREATE TABLE llamas (id bigint PRIMARY KEY, name text NOT NULL, mood mood NOT NULL DEFAULT 'happy');
         CREATE TABLE lambs (id bigint PRIMARY KEY,
             dam bigint REFERENCES llamas DEFERRABLE INITIALLY DEFERRED);
         INSERT INTO llamas SELECT n, 'llama ' || n FROM generate_series(1, 9) n;",
    );
    let connection = connect(&database).await;
    (database, connection)
}

const INSERT: &str = "INSERT INTO llamas (id, name) VALUES ($1, $2)";
const COUNT: &str = "SELECT count(*) FROM llamas";

async fn count(client: &Client) -> i64 {
    client.fetch_scalar(COUNT, ()).await.unwrap()
}

#[tokio::test]
async fn each_statement_has_a_result_of_its_own_type_for_one_round_trip() {
    let (_database, connection) = farm().await;
    for round in 0..3_i64 {
        let before = connection.stats().round_trips;
        let mut pipeline = connection.pipeline();
        let insert = pipeline.execute(INSERT, (100 + round, "Dolly")).unwrap();
        let total = pipeline.fetch_scalar::<i64>(COUNT, ()).unwrap();
        let named =
            pipeline.fetch_as::<(i64, String)>("SELECT id, name FROM llamas WHERE id < 3 ORDER BY id", ());
        let named = named.unwrap();
        let rows = pipeline.fetch("SELECT generate_series(1, 1000)", ()).unwrap();
        let none = pipeline.fetch_optional("SELECT 1 WHERE false", ()).unwrap();
        let one = pipeline.fetch_one("SELECT $1::int8", (round,)).unwrap();
        let none_of_one = pipeline.fetch_one("SELECT 1 WHERE false", ()).unwrap();
        assert_eq!((pipeline.len(), pipeline.is_empty()), (7, false));
        let mut results = pipeline.run().await.unwrap();
        assert_eq!(connection.stats().round_trips - before, 1, "cold and warm");
        assert_eq!(results.take(insert).unwrap().rows(), 1);
        assert_eq!(results.take(total).unwrap(), 10 + round);
        assert_eq!(results.take(named).unwrap(), [(1, "llama 1".to_owned()), (2, "llama 2".to_owned())]);
        assert_eq!(results.take(rows).unwrap().len(), 1000);
        assert!(results.take(none).unwrap().is_none());
        assert_eq!(results.take(one).unwrap().get::<i64>(0).unwrap(), round);
        assert_eq!(results.take(none_of_one).unwrap_err().kind(), ErrorKind::NoResult);
        assert!(results.into_rows().is_empty());
    }
}

#[tokio::test]
async fn what_fails_takes_the_others_along_unless_each_has_its_sync() {
    let (_database, connection) = farm().await;
    for sync_each in [false, true] {
        let id = i64::from(sync_each) * 10;
        for settle in [false, true] {
            let mut pipeline = connection.pipeline();
            let first = pipeline.execute(INSERT, (id + 100, "Dolly")).unwrap();
            let second = pipeline.execute(INSERT, (1_i64, "Polly")).unwrap();
            let third = pipeline.execute(INSERT, (id + 101, "Molly")).unwrap();
            let pipeline = if sync_each { pipeline.sync_each() } else { pipeline };
            if !settle {
                let error = pipeline.run().await.unwrap_err();
                assert_eq!((error.sqlstate(), error.statement()), (Some("23505"), Some(INSERT)));
                connection
                    .execute("DELETE FROM llamas WHERE id = ANY($1)", (vec![id + 100, id + 101],))
                    .await
                    .unwrap();
                continue;
            }
            let mut results = pipeline.settle().await.unwrap();
            assert_eq!(results.are_undone(), !sync_each);
            assert_eq!(results.error().unwrap().sqlstate(), Some("23505"));
            assert_eq!(results.take(first).unwrap().rows(), 1);
            assert_eq!(results.take(second).unwrap_err().sqlstate(), Some("23505"));
            match results.take(third) {
                Ok(tag) => assert!(sync_each && tag.rows() == 1),
                Err(e) => assert_eq!((sync_each, e.kind(), e.sqlstate()), (false, ErrorKind::NotRun, None)),
            }
        }
        assert_eq!(count(&connection).await, if sync_each { 11 } else { 9 });
    }
}

#[tokio::test]
async fn a_constraint_that_is_deferred_to_the_end_fails_all_of_them() {
    let (_database, connection) = farm().await;
    let mut pipeline = connection.pipeline();
    let _lamb = pipeline.execute("INSERT INTO lambs VALUES (1, 777)", ()).unwrap();
    let _count = pipeline.fetch(COUNT, ()).unwrap();
    let results = pipeline.settle().await.unwrap();
    assert!(results.are_undone());
    let codes: Vec<_> =
        results.into_rows().into_iter().map(|r| r.unwrap_err().sqlstate().map(str::to_owned)).collect();
    assert_eq!(codes, [Some("23503".to_owned()), Some("23503".to_owned())]);
}

#[tokio::test]
async fn a_transaction_is_told_the_first_error_and_nothing_of_what_follows() {
    let (_database, connection) = farm().await;
    for sync_each in [false, true] {
        let tx = connection.begin().await.unwrap();
        let mut pipeline = tx.pipeline();
        let _one = pipeline.execute(INSERT, (50_i64, "Dolly")).unwrap();
        let _two = pipeline.execute(INSERT, (1_i64, "Polly")).unwrap();
        let _three = pipeline.execute(INSERT, (51_i64, "Molly")).unwrap();
        let pipeline = if sync_each { pipeline.sync_each() } else { pipeline };
        let error = pipeline.run().await.unwrap_err();
        assert_eq!(error.sqlstate(), Some("23505"), "{error}");
        assert_eq!(tx.commit().await.unwrap_err().kind(), ErrorKind::RolledBack);
    }
    let tx = connection.begin().await.unwrap();
    let mut pipeline = tx.pipeline();
    let _one = pipeline.execute(INSERT, (60_i64, "Dolly")).unwrap();
    // A type without a binary form, an enum, and the same statement twice, all unheard of.
    let acl = pipeline.fetch_one("SELECT makeaclitem(10, 10, 'SELECT', false), mood FROM llamas LIMIT 1", ());
    let acl = acl.unwrap();
    let twice = [60_i64, 1]
        .map(|id| pipeline.fetch_as::<(String,)>("SELECT name FROM llamas WHERE id = $1", (id,)).unwrap());
    let mut results = pipeline.run().await.unwrap();
    assert!(results.take(acl).unwrap().get::<&str>(0).unwrap().contains("=r/"));
    let names = twice.map(|ticket| results.take(ticket).unwrap().remove(0).0);
    assert_eq!(names, ["Dolly", "llama 1"]);
    // What is known of them by now is known.
    let before = tx.stats().round_trips;
    let mut pipeline = tx.pipeline();
    for id in [60_i64, 1] {
        let _name = pipeline.fetch_as::<(String,)>("SELECT name FROM llamas WHERE id = $1", (id,)).unwrap();
    }
    let _results = pipeline.run().await.unwrap();
    assert_eq!(tx.stats().round_trips - before, 1);
    tx.commit().await.unwrap();
    assert_eq!(count(&connection).await, 10);
}

#[tokio::test]
async fn what_the_server_has_lost_or_changed_is_mended_as_for_a_single_statement() {
    let (_database, connection) = farm().await;
    let moods = "SELECT mood FROM llamas WHERE id = 1";
    let run = async |connection: &Connection| -> Result<(i64, String)> {
        let mut pipeline = connection.pipeline();
        let count = pipeline.fetch_scalar::<i64>(COUNT, ())?;
        let mood = pipeline.fetch_one(moods, ())?;
        let _acl = pipeline.fetch("SELECT makeaclitem(10, 10, 'SELECT', false)", ())?;
        let mut results = pipeline.run().await?;
        Ok((results.take(count)?, results.take(mood)?.get::<&str>(0)?.to_owned()))
    };
    for change in [
        "SELECT 1",
        "DEALLOCATE ALL",
        "ALTER TABLE llamas ALTER mood DROP DEFAULT, ALTER mood TYPE text",
        "DISCARD ALL",
    ] {
        connection.batch(change).await.unwrap();
        assert_eq!(run(&connection).await.unwrap(), (9, "happy".to_owned()), "{change}");
    }
    // Without names on the server, too.
    let database =
        Cluster::shared().database_from("unnamed", "CREATE TABLE llamas AS SELECT 1 AS id, 'happy' AS mood");
    let connection = connect_with(&database, "statement_cache_size=0").await;
    for _ in 0..2 {
        assert_eq!(run(&connection).await.unwrap(), (1, "happy".to_owned()));
        let tx = connection.begin().await.unwrap();
        let mut pipeline = tx.pipeline();
        let acl = pipeline.fetch_one("SELECT makeaclitem(10, 10, 'SELECT', false)", ()).unwrap();
        let mut results = pipeline.run().await.unwrap();
        results.take(acl).unwrap().get::<&str>(0).unwrap();
        tx.commit().await.unwrap();
    }
}

#[tokio::test]
async fn a_transaction_begins_with_its_first_statements_in_one_round_trip() {
    let (_database, connection) = farm().await;
    for change in ["SELECT 1", "DEALLOCATE ALL", "ALTER TABLE llamas ADD age int", "DISCARD ALL"] {
        connection.batch(change).await.unwrap();
        let mut pipeline = connection.pipeline();
        let insert = pipeline.execute(INSERT, (100_i64, "Dolly")).unwrap();
        let total = pipeline.fetch_scalar::<i64>(COUNT, ()).unwrap();
        let all = pipeline.fetch("SELECT * FROM llamas", ()).unwrap();
        // A type without a binary form, and an enum.
        let acl = pipeline.fetch("SELECT makeaclitem(10, 10, 'SELECT', false), mood FROM llamas", ());
        let acl = acl.unwrap();
        let (tx, mut results) = pipeline.begin().await.expect("mended, and begun anew");
        assert!(results.take(acl).unwrap().first().unwrap().get::<&str>(0).unwrap().contains("=r/"));
        assert_eq!(results.take(insert).unwrap().rows(), 1);
        assert_eq!(results.take(total).unwrap(), 10, "once, however often it had to be sent: {change}");
        assert_eq!(results.take(all).unwrap().len(), 10);
        assert_eq!(connection.fetch(COUNT, ()).await.unwrap_err().kind(), ErrorKind::InTransaction);
        tx.rollback().await.unwrap();
        assert_eq!(count(&connection).await, 9);
    }
    let before = connection.stats().round_trips;
    let mut pipeline = connection.pipeline();
    let insert = pipeline.execute(INSERT, (100_i64, "Dolly")).unwrap();
    let (tx, mut results) = pipeline.begin().await.unwrap();
    assert_eq!(connection.stats().round_trips - before, 1);
    assert_eq!(results.take(insert).unwrap().rows(), 1);
    tx.commit().await.unwrap();
    assert_eq!(count(&connection).await, 10);
    // With none, it is BEGIN.
    let (tx, _results) = connection.pipeline().begin().await.unwrap();
    assert_eq!(count(&tx).await, 10);
}

#[tokio::test]
async fn what_fails_with_the_begin_of_its_transaction_is_rolled_back() {
    let (_database, connection) = farm().await;
    let mut pipeline = connection.pipeline();
    let _one = pipeline.execute(INSERT, (50_i64, "Dolly")).unwrap();
    let _two = pipeline.execute(INSERT, (1_i64, "Polly")).unwrap();
    let error = pipeline.begin().await.unwrap_err();
    assert_eq!((error.sqlstate(), error.statement()), (Some("23505"), Some(INSERT)), "{error}");
    assert_eq!(count(&connection).await, 9);
    // The future may be dropped at any poll.
    for polls in 0..6 {
        let mut pipeline = connection.pipeline();
        let _one = pipeline.execute(INSERT, (50_i64, "Dolly")).unwrap();
        {
            let mut begin = Box::pin(pipeline.begin());
            for _ in 0..polls {
                if std::future::poll_fn(|cx| Poll::Ready(begin.as_mut().poll(cx))).await.is_ready() {
                    break;
                }
                tokio::task::yield_now().await;
            }
        }
        assert_eq!(count(&connection).await, 9, "after {polls} polls");
    }
    // There is one transaction at a time.
    let tx = connection.begin().await.unwrap();
    assert_eq!(tx.pipeline().begin().await.unwrap_err().kind(), ErrorKind::Unsupported);
    assert_eq!(connection.pipeline().begin().await.unwrap_err().kind(), ErrorKind::InTransaction);
    assert_eq!(count(&tx).await, 9);
}

async fn connect_with(database: &Database, option: &str) -> Connection {
    let dsn = database.dsn();
    let glue = if dsn.contains("://") { if dsn.contains('?') { "&" } else { "?" } } else { " " };
    wreath_driver::connect(&format!("{dsn}{glue}{option}")).await.unwrap()
}

#[tokio::test]
async fn what_cannot_be_part_of_a_pipeline_is_refused_before_anything_is_sent() {
    let (_database, connection) = farm().await;
    let before = connection.stats().bytes_out;
    let mut pipeline = connection.pipeline();
    for sql in [
        "BEGIN",
        "/* x */ commit",
        ";ROLLBACK",
        "SAVEPOINT a",
        "START TRANSACTION",
        "PREPARE TRANSACTION 'x'",
    ] {
        assert_eq!(pipeline.execute(sql, ()).unwrap_err().kind(), ErrorKind::Unsupported, "{sql}");
    }
    assert_eq!(pipeline.execute("SELECT $1::text", ("a\0b",)).unwrap_err().kind(), ErrorKind::Encode);
    assert!(pipeline.is_empty());
    let stray = pipeline.execute("SELECT 1", ()).unwrap();
    let _copy = pipeline.execute("COPY llamas TO STDOUT", ()).unwrap();
    assert_eq!(pipeline.run().await.unwrap_err().kind(), ErrorKind::Unsupported);
    assert_eq!(connection.stats().bytes_out, before);

    let mut results = connection.pipeline().run().await.unwrap();
    assert_eq!(connection.stats().bytes_out, before, "nothing to be run, nothing sent");
    assert_eq!(results.take(stray).unwrap_err().kind(), ErrorKind::Unsupported, "another's ticket");

    let tx = connection.begin().await.unwrap();
    let mut outside = connection.pipeline();
    let _one = outside.execute("SELECT 1", ()).unwrap();
    assert_eq!(outside.run().await.unwrap_err().kind(), ErrorKind::InTransaction);
    tx.rollback().await.unwrap();
}

#[tokio::test]
async fn a_pipeline_that_takes_too_long_is_stopped_as_a_whole() {
    let (_database, connection) = farm().await;
    let limited = connection.within(Duration::from_millis(50));
    let mut pipeline = limited.pipeline();
    let _insert = pipeline.execute(INSERT, (70_i64, "Dolly")).unwrap();
    let _sleep = pipeline.execute("SELECT pg_sleep(600)", ()).unwrap();
    let _late = pipeline.execute(INSERT, (71_i64, "Molly")).unwrap();
    assert_eq!(pipeline.run().await.unwrap_err().kind(), ErrorKind::Timeout);
    assert_eq!(count(&connection).await, 9);
}

#[tokio::test]
async fn thousands_of_statements_and_megabytes_both_ways_pass() {
    let (_database, connection) = farm().await;
    let large = "wool".repeat(1 << 14);
    let mut pipeline = connection.pipeline();
    let tickets: Vec<_> = (0..500)
        .map(|_| pipeline.fetch_scalar::<String>("SELECT $1::text", (large.as_str(),)).unwrap())
        .collect();
    let mut results = tokio::time::timeout(Duration::from_secs(60), pipeline.run()).await.unwrap().unwrap();
    for ticket in tickets {
        assert!(results.take(ticket).unwrap() == large);
    }
    let mut pipeline = connection.pipeline();
    for _ in 0..9000 {
        let _ticket = pipeline.execute("SELECT 1", ()).unwrap();
    }
    assert_eq!(pipeline.run().await.unwrap_err().kind(), ErrorKind::PipelineFull);
}

/// A statement of a random pipeline, and what has to become of it if it is run.
#[derive(Clone, Copy, Debug)]
enum Kind {
    Doubled(i64),
    Many(i32),
    DivisionByZero,
    Malformed,
    Acl,
}

impl Kind {
    fn random(random: &mut Random) -> Self {
        match random.below(12) {
            0 => Self::DivisionByZero,
            1 if random.below(3) == 0 => Self::Malformed,
            2 if random.below(4) == 0 => Self::Acl,
            3 => Self::Many(i32::try_from(random.below(2000)).unwrap()),
            n => Self::Doubled(i64::try_from(n).unwrap()),
        }
    }

    fn sql(self) -> &'static str {
        match self {
            Self::Doubled(_) => "SELECT $1::int8 * 2",
            Self::Many(_) => "SELECT generate_series(1, $1::int4)",
            Self::DivisionByZero => "SELECT 1 / $1::int4",
            Self::Malformed => "SELEKT 1",
            Self::Acl => "SELECT makeaclitem(10, 10, 'SELECT', false)",
        }
    }

    fn check(self, result: std::result::Result<wreath_driver::Rows, Error>) {
        match (self, result) {
            (Self::Doubled(n), Ok(rows)) => assert_eq!(rows.first().unwrap().get::<i64>(0).unwrap(), 2 * n),
            (Self::Many(n), Ok(rows)) => assert_eq!(rows.len(), usize::try_from(n).unwrap()),
            (Self::Acl, Ok(rows)) => assert_eq!(rows.len(), 1),
            (Self::DivisionByZero, Err(e)) => assert_eq!(e.sqlstate(), Some("22012"), "{e}"),
            (Self::Malformed, Err(e)) => assert_eq!(e.sqlstate(), Some("42601"), "{e}"),
            (kind, result) => panic!("{kind:?} came to {result:?}"),
        }
    }
}

struct Random(u64);

impl Random {
    fn seeded() -> Self {
        let seed = std::env::var("WREATH_SEED").ok().and_then(|seed| seed.parse().ok());
        let seed = seed.unwrap_or_else(|| u64::from(std::time::UNIX_EPOCH.elapsed().unwrap().subsec_nanos()));
        println!("WREATH_SEED={seed}");
        Self(seed)
    }

    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % n
    }
}

#[tokio::test]
async fn a_thousand_random_pipelines_keep_every_result_in_its_place() {
    let (_database, connection) = farm().await;
    let mut random = Random::seeded();
    for round in 0..250 {
        // Four at a time, from as many callers.
        let mut callers = Vec::new();
        for _ in 0..4 {
            let kinds: Vec<_> = (0..random.below(12)).map(|_| Kind::random(&mut random)).collect();
            let sync_each = random.below(3) == 0;
            let connection = connection.clone();
            callers.push(tokio::spawn(async move { random_pipeline(&connection, &kinds, sync_each).await }));
        }
        for caller in callers {
            caller.await.unwrap_or_else(|e| panic!("round {round}: {e}"));
        }
    }
    let held: i64 = connection.fetch_scalar("SELECT count(*) FROM pg_prepared_statements", ()).await.unwrap();
    assert_eq!(u64::try_from(held).unwrap(), connection.stats().prepared);
}

async fn random_pipeline(connection: &Connection, kinds: &[Kind], sync_each: bool) {
    let mut pipeline = connection.pipeline();
    let mut tickets = Vec::new();
    for kind in kinds {
        tickets.push(match *kind {
            Kind::Doubled(n) => pipeline.fetch(kind.sql(), (n,)),
            Kind::Many(n) => pipeline.fetch(kind.sql(), (n,)),
            Kind::DivisionByZero => pipeline.fetch(kind.sql(), (0_i32,)),
            Kind::Malformed | Kind::Acl => pipeline.fetch(kind.sql(), ()),
        });
    }
    let pipeline = if sync_each { pipeline.sync_each() } else { pipeline };
    let mut results = pipeline.settle().await.unwrap();
    let mut failed = false;
    for (kind, ticket) in kinds.iter().zip(tickets) {
        let result = results.take(ticket.unwrap());
        if failed && !sync_each {
            assert_eq!(result.unwrap_err().kind(), ErrorKind::NotRun);
            continue;
        }
        failed |= result.is_err();
        kind.check(result);
    }
    assert_eq!(results.are_undone(), failed && !sync_each);
}

#[tokio::test]
async fn what_commits_by_itself_is_not_run_again() {
    let (_database, connection) = farm().await;
    connection
        .batch(
            "CREATE TABLE t (x int);
             CREATE PROCEDURE commits() LANGUAGE plpgsql AS $$ BEGIN COMMIT; END $$",
        )
        .await
        .unwrap();
    let stale = "SELECT * FROM t";
    let procedure: &[&str] = &["INSERT INTO t DEFAULT VALUES", "CALL commits()"];
    let index: &[&str] = &["CREATE INDEX CONCURRENTLY i ON t (x)"];
    for (round, before) in [procedure, index].into_iter().enumerate() {
        connection.fetch(stale, ()).await.unwrap();
        // The server notices in the middle of the pipeline that its result has changed.
        connection.batch(&format!("ALTER TABLE t ADD COLUMN c{round} int")).await.unwrap();
        let mut pipeline = connection.pipeline();
        for sql in before {
            let _ran = pipeline.execute(*sql, ()).unwrap();
        }
        let last = pipeline.fetch(stale, ()).unwrap();
        let mut results = pipeline.settle().await.unwrap();
        assert!(!results.are_undone(), "what has been committed is not undone");
        // The server may have refused the procedure's COMMIT, as newer ones do.
        if results.error().is_none_or(|e| e.sqlstate() == Some("0A000")) {
            assert_eq!(results.take(last).unwrap_err().sqlstate(), Some("0A000"));
        }
        assert!(connection.fetch_scalar::<i64>("SELECT count(*) FROM t", ()).await.unwrap() <= 1);
        assert_eq!(connection.fetch(stale, ()).await.unwrap().columns().len(), round + 2);
    }
    let index: Option<u32> = connection.fetch_scalar("SELECT to_regclass('i')::oid", ()).await.unwrap();
    assert!(index.is_some());
}
