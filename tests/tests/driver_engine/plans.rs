//! Prepared statements whose tables, types or names the server has changed or lost in the meantime.

use std::future::Future;
use std::panic::AssertUnwindSafe;
use std::pin::Pin;

use wreath_driver::codecs::types::{Encoder, Oid};
use wreath_driver::codecs::{EncodeError, PgType};
use wreath_driver::{Client, Connection, Encode, ErrorKind, ParamBuf, Sql};
use wreath_tests::Database;

use crate::drops::Mood;
use crate::fixture::{assert_in_step, assert_nothing_leaked, config, connect, database, within};

/// A connection that keeps at most `statements` of them.
async fn connect_keeping(db: &Database, statements: usize) -> Connection {
    config(db).statement_cache_size(statements).connect().await.unwrap()
}

/// The sizes of the cache that make a difference: none, one, and more than is needed.
const SIZES: [usize; 3] = [0, 1, 100];

#[tokio::test]
async fn a_result_that_has_changed_is_prepared_anew() {
    for size in SIZES {
        let db = database();
        let connection = connect_keeping(&db, size).await;
        let sql = "SELECT * FROM log ORDER BY id";
        connection.execute("INSERT INTO log (word) VALUES ('one')", ()).await.unwrap();
        for round in 0..4 {
            let columns = 3 + round;
            // Many at once, some of which are not waited for.
            let all: Vec<_> = (0..8).map(|_| connection.send(&Sql::new(sql), ParamBuf::new())).collect();
            for (i, reply) in all.into_iter().enumerate() {
                if i % 3 != 1 {
                    assert_eq!(within(reply).await.unwrap().columns().len(), columns, "size {size}");
                }
            }
            let alter = format!("ALTER TABLE log ADD COLUMN c{round} int DEFAULT {round}");
            connection.batch(&alter).await.unwrap();
        }
        assert_in_step(&connection, "altered").await;
    }
}

/// Inside of a transaction the error cannot be mended, and it must not come back in every transaction.
#[tokio::test]
async fn a_result_that_has_changed_fails_one_transaction_and_no_more() {
    for size in SIZES {
        let db = database();
        let connection = connect_keeping(&db, size).await;
        let sql = "SELECT * FROM log";
        let mut failures = 0;
        for round in 0..3 {
            for _ in 0..2 {
                let tx = connection.begin().await.unwrap();
                match tx.fetch(sql, ()).await {
                    Ok(rows) => {
                        assert_eq!(rows.columns().len(), 3 + round);
                        tx.commit().await.unwrap();
                    }
                    Err(e) => {
                        assert_eq!(e.sqlstate(), Some("0A000"), "{e}");
                        failures += 1;
                    }
                }
            }
            connection.batch(&format!("ALTER TABLE log ADD COLUMN c{round} int")).await.unwrap();
        }
        assert!(failures <= 2, "{failures} transactions failed with {size} statements kept");
        assert_in_step(&connection, "altered").await;
    }
}

#[tokio::test]
async fn statements_that_were_deallocated_are_prepared_anew() {
    for (size, discard) in [(1, "DEALLOCATE ALL"), (100, "DEALLOCATE ALL"), (100, "DISCARD ALL")] {
        let db = database();
        let connection = connect_keeping(&db, size).await;
        let sqls: Vec<_> = (0..5).map(|n| format!("SELECT {n}::int8 + $1")).collect();
        for round in 0..3 {
            for (sql, n) in sqls.iter().zip(0..) {
                assert_eq!(connection.fetch_scalar::<i64>(sql, (10_i64,)).await.unwrap(), 10 + n);
            }
            if round == 0 {
                connection.execute(discard, ()).await.unwrap();
            } else {
                // Hidden from the driver.
                connection.batch("DO $$ BEGIN EXECUTE 'DEALLOCATE ALL'; END $$").await.unwrap();
            }
            // Many at once that are all gone.
            let replies = sqls.iter().cycle().take(20).map(|sql| {
                let mut params = ParamBuf::new();
                params.push(&1_i64).unwrap();
                connection.send(&Sql::new(&**sql), params)
            });
            for (reply, n) in replies.collect::<Vec<_>>().into_iter().zip((0..5).cycle()) {
                let rows = within(reply).await.unwrap();
                assert_eq!(rows.first().unwrap().get::<i64>(0).unwrap(), n + 1);
            }
        }
        assert_in_step(&connection, discard).await;
    }
}

/// The driver sees DEALLOCATE ALL and DISCARD ALL go by, so that not even a transaction stumbles over them.
#[tokio::test]
async fn a_transaction_does_not_stumble_over_what_was_deallocated() {
    let db = database();
    let connection = connect(&db).await;
    connection.fetch("SELECT 1", ()).await.unwrap();
    connection.fetch("SELECT 2", ()).await.unwrap();
    let tx = connection.begin().await.unwrap();
    tx.execute("DEALLOCATE ALL", ()).await.unwrap();
    tx.fetch("SELECT 1", ()).await.unwrap();
    tx.fetch("SELECT 2", ()).await.unwrap();
    tx.commit().await.unwrap();
    assert_in_step(&connection, "deallocated").await;
    // What nobody could see fails one transaction with a typed error.
    connection.batch("DO $$ BEGIN EXECUTE 'DEALLOCATE ALL'; END $$").await.unwrap();
    let tx = connection.begin().await.unwrap();
    assert_eq!(tx.fetch("SELECT 1", ()).await.unwrap_err().sqlstate(), Some("26000"));
    drop(tx);
    let tx = connection.begin().await.unwrap();
    tx.fetch("SELECT 1", ()).await.unwrap();
    tx.commit().await.unwrap();
}

/// A statement of the user's own that does not exist is not ours: it is not run again and again.
#[tokio::test]
async fn only_our_own_statements_are_prepared_anew() {
    let db = database();
    let connection = connect(&db).await;
    connection
        .batch(
            "CREATE PROCEDURE count_and_fail() LANGUAGE plpgsql AS $$ BEGIN
                 INSERT INTO log (word) VALUES ('called'); COMMIT; EXECUTE 'EXECUTE nobody_knows';
             END $$",
        )
        .await
        .unwrap();
    let error = connection.execute("CALL count_and_fail()", ()).await.unwrap_err();
    assert_eq!(error.sqlstate(), Some("26000"), "{error}");
    let calls: i64 = connection.fetch_scalar("SELECT count(*) FROM log", ()).await.unwrap();
    assert_eq!(calls, 1);
    assert_in_step(&connection, "not ours").await;
}

/// Many callers of one statement that the server refuses: each is told why, and not of a prepared statement
/// that does not exist.
#[tokio::test]
async fn every_caller_of_a_refused_statement_is_told_why() {
    for size in SIZES {
        let db = database();
        let connection = connect_keeping(&db, size).await;
        for (sql, state) in
            [("SELECT nothing", "42703"), ("SELEKT", "42601"), ("SELECT 1 FROM nowhere", "42P01")]
        {
            let sql = Sql::new(sql);
            let replies: Vec<_> = (0..60).map(|_| connection.send(&sql, ParamBuf::new())).collect();
            let tasks: Vec<_> = replies.into_iter().map(tokio::spawn).collect();
            for task in tasks {
                let error = within(task).await.unwrap().unwrap_err();
                assert_eq!(error.sqlstate(), Some(state), "size {size}: {error}");
            }
        }
        assert_in_step(&connection, "refused").await;
    }
}

/// Drops a type and makes it again: it has another number now.
const MAKE_AGAIN: &str = "
    DROP TABLE moods; DROP TYPE mood; CREATE TYPE mood AS ENUM ('sad', 'happy');
    CREATE TABLE moods (id int PRIMARY KEY, mood mood NOT NULL);
    INSERT INTO moods VALUES (1, 'happy');";

async fn use_moods(client: &Client, round: i32) -> wreath_driver::Result<()> {
    let n: i64 = client.fetch_scalar("SELECT count(*) FROM moods WHERE mood = $1", (Mood("happy"),)).await?;
    assert_eq!(n, 1);
    client.execute("INSERT INTO moods VALUES ($1, $2)", (10 + round, Mood("sad"))).await?;
    let row = client.fetch_one("SELECT mood FROM moods WHERE id = 1", ()).await?;
    assert_eq!(row.as_row().raw(0)?, Some(&b"happy"[..]));
    assert_eq!(row.columns()[0].ty().name(), "mood");
    let array = client.fetch_one("SELECT ARRAY[$1, 'sad'], ROW($1)", (Mood("happy"),)).await?;
    assert_eq!(array.columns()[0].ty().name(), "_mood");
    client.execute("UPDATE moods SET mood = $1 WHERE id > 1", (Mood("happy"),)).await?;
    client.execute("DELETE FROM moods WHERE id > 1 AND mood = $1", (Mood("happy"),)).await?;
    Ok(())
}

#[tokio::test]
async fn a_type_that_was_made_again_is_found_again() {
    for size in SIZES {
        let db = database();
        let connection = connect_keeping(&db, size).await;
        for round in 0..3 {
            for _ in 0..2 {
                use_moods(&connection, round)
                    .await
                    .unwrap_or_else(|e| panic!("size {size}, round {round}: {e:?}"));
            }
            if round == 1 {
                db.admin().query(MAKE_AGAIN).unwrap();
            } else {
                connection.batch(MAKE_AGAIN).await.unwrap();
            }
        }
        assert_in_step(&connection, "made again").await;
    }
}

/// Each statement may fail once in a transaction for each time that the type was made again, and no more.
#[tokio::test]
async fn a_type_that_was_made_again_is_found_again_by_later_transactions() {
    for size in SIZES {
        let db = database();
        let connection = connect_keeping(&db, size).await;
        for round in 0..2 {
            let mut failures = 0;
            loop {
                let tx = connection.begin().await.unwrap();
                match use_moods(&tx, round).await {
                    Ok(()) => break tx.commit().await.unwrap(),
                    Err(e) => {
                        assert_eq!(e.kind(), ErrorKind::Server, "{e:?}");
                        failures += 1;
                        assert!(failures <= 6, "size {size}, round {round}: {e:?}");
                    }
                }
            }
            db.admin().query(MAKE_AGAIN).unwrap();
        }
        assert_in_step(&connection, "made again").await;
    }
}

/// What a type without a binary form looks like in text.
const ACL: &[u8] = b"postgres=r/postgres";
const ACL_SQL: &str = "makeaclitem(u.oid, u.oid, 'SELECT', false)";

async fn read_acls(client: &Client, tag: &str) -> wreath_driver::Result<()> {
    let from = format!("FROM (SELECT oid FROM pg_roles WHERE rolname = 'postgres') u /* {tag} */");
    let row = client.fetch_one(&format!("SELECT {ACL_SQL}, 7 {from}"), ()).await?;
    assert_eq!(row.as_row().raw(0)?, Some(ACL));
    assert_eq!(row.get::<i32>(1)?, 7);
    let row = client.fetch_one(&format!("SELECT 8, ARRAY[{ACL_SQL}] {from}"), ()).await?;
    assert_eq!(row.get::<i32>(0)?, 8);
    assert_eq!(row.as_row().raw(1)?, Some(&[b"{", ACL, b"}"].concat()[..]));
    let row = client.fetch_one(&format!("SELECT ROW({ACL_SQL}, 9)::access, 9 {from}"), ()).await?;
    assert_eq!(row.as_row().raw(0)?, Some(&[b"(", ACL, b",9)"].concat()[..]));
    assert_eq!(row.get::<i32>(1)?, 9);
    Ok(())
}

#[tokio::test]
async fn types_without_a_binary_form_are_read_as_text() {
    for size in SIZES {
        let db = database();
        db.admin().query("CREATE TYPE access AS (acl aclitem, n int)").unwrap();
        for first_inside in [false, true] {
            let connection = connect_keeping(&db, size).await;
            for round in 0..2 {
                for inside in [first_inside, !first_inside] {
                    let what = format!("size {size}, round {round}, in a transaction: {inside}");
                    if inside {
                        let tx = connection.begin().await.unwrap();
                        read_acls(&tx, "").await.expect(&what);
                        tx.commit().await.expect(&what);
                    } else {
                        read_acls(&connection, "").await.expect(&what);
                    }
                }
            }
            assert_in_step(&connection, "acls").await;
        }
    }
}

/// Whoever saw the statement first may not have waited for it: a transaction must not pay for that.
#[tokio::test]
async fn a_statement_that_nobody_waited_for_does_not_cost_a_transaction() {
    let db = database();
    let connection = connect(&db).await;
    let sql = "SELECT relacl FROM pg_class WHERE relacl IS NOT NULL LIMIT 1";
    drop(connection.send(&Sql::new(sql), ParamBuf::new()));
    let tx = connection.begin().await.unwrap();
    assert_eq!(tx.fetch(sql, ()).await.unwrap().len(), 1);
    tx.commit().await.unwrap();
}

/// A cache of one statement or none, used by many at once.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn eviction_under_load_leaks_nothing() {
    for size in [0, 1, 2] {
        let db = database();
        let connection = connect_keeping(&db, size).await;
        let callers: Vec<_> = (0..8_i64)
            .map(|caller| {
                let connection = connection.clone();
                tokio::spawn(async move {
                    for n in 0..60 {
                        let sql = format!("SELECT {}::int8 + $1", n % 5);
                        let got: i64 = connection.fetch_scalar(&sql, (caller,)).await.unwrap();
                        assert_eq!(got, caller + n % 5);
                        if n % 9 == 0 {
                            let failed = connection.execute("SELECT nothing", ()).await.unwrap_err();
                            assert_eq!(failed.sqlstate(), Some("42703"));
                        }
                        if n % 7 == 0 {
                            // It cannot be sent, and what was to be closed with it is closed later.
                            let refused = connection.execute("SELECT '\0'", ()).await.unwrap_err();
                            assert_eq!(refused.kind(), ErrorKind::Encode);
                        }
                    }
                })
            })
            .collect();
        for caller in callers {
            within(caller).await.unwrap();
        }
        assert_in_step(&connection, &format!("a cache of {size}")).await;
        assert!(connection.stats().prepared <= u64::try_from(size).unwrap());
    }
}

#[tokio::test]
async fn what_was_to_be_closed_is_closed_though_the_next_statement_cannot_be_sent() {
    let db = database();
    let connection = connect_keeping(&db, 1).await;
    for n in 0..5 {
        connection.execute(&format!("SELECT {n}"), ()).await.unwrap();
        // Takes the place of the one before, and cannot be sent itself.
        connection.execute("SELECT '\0'", ()).await.unwrap_err();
    }
    assert_nothing_leaked(&connection, "unsendable").await;
}

/// A value whose code fails or panics half way.
struct Halfway {
    panics: bool,
}

impl PgType for Halfway {
    const OID: Oid = Oid::UNSPECIFIED;
    const ARRAY: Oid = Oid::UNSPECIFIED;
}

impl Encode for Halfway {
    fn oid(&self) -> Oid {
        Self::OID
    }

    fn encode(&self, out: &mut Encoder) -> Result<(), EncodeError> {
        out.put(b"half a value");
        out.put_oid(Oid::named("mood"));
        assert!(!self.panics, "on purpose");
        Err(EncodeError::new("on purpose"))
    }
}

#[tokio::test]
async fn a_value_that_fails_half_way_leaves_no_half_frame() {
    let db = database();
    let connection = connect(&db).await;
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        if !info.to_string().contains("on purpose") {
            hook(info);
        }
    }));
    let sql = "SELECT $1::int8, $2::text";
    for round in 0..6_i64 {
        let tx = if round % 2 == 0 { Some(connection.begin().await.unwrap()) } else { None };
        let client: &Client = tx.as_ref().map_or(&connection, |tx| tx);
        let failed = client.execute(sql, (round, Halfway { panics: false })).await.unwrap_err();
        assert_eq!(failed.kind(), ErrorKind::Encode, "{failed}");
        let mut panics = Box::pin(client.execute(sql, (round, Halfway { panics: true })));
        let once = std::future::poll_fn(|cx| {
            let polled = std::panic::catch_unwind(AssertUnwindSafe(|| Pin::new(&mut panics).poll(cx)));
            std::task::Poll::Ready(polled.is_err())
        });
        assert!(once.await, "it panics");
        let got: i64 = client.fetch_scalar("SELECT $1::int8", (round,)).await.unwrap();
        assert_eq!(got, round);
        drop(panics);
        if let Some(tx) = tx {
            tx.commit().await.unwrap();
        }
    }
    assert_in_step(&connection, "half way").await;
}

/// More statements in one flight than the connection keeps: each is displaced before it runs.
#[tokio::test]
async fn a_pipeline_that_the_cache_cannot_hold_leaks_nothing() {
    for size in [1, 3] {
        let db = database();
        let connection = connect_keeping(&db, size).await;
        for round in 0..3 {
            let tx = connection.begin().await.unwrap();
            let mut pipeline = tx.pipeline();
            let tickets: Vec<_> = (0..8_i32)
                .map(|n| {
                    // Of a type that has no binary form.
                    let sql = format!("SELECT {n}, makeaclitem(10, 10, 'SELECT', false), {round}");
                    pipeline.fetch_scalar::<i32>(sql, ()).unwrap()
                })
                .collect();
            let mut results = within(pipeline.run()).await.unwrap();
            for (n, ticket) in (0..).zip(tickets) {
                assert_eq!(results.take(ticket).unwrap(), n);
            }
            tx.commit().await.unwrap();
            assert_nothing_leaked(&connection, &format!("size {size}, round {round}")).await;
        }
    }
}
