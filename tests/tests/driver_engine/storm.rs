//! Everything at once, at random. A failing test prints its seed: set `WREATH_SEED` to run it again.

use std::time::Duration;

use wreath_driver::{Client, Connection, ErrorKind, ParamBuf, Reply, Result, Rows, Sql};
use wreath_tests::Database;

use crate::drops::Mood;
use crate::echo::Echo;
use crate::fixture::{Random, assert_in_step, config, connect, database, open_transactions, polled, within};

/// What a statement must come to.
#[derive(Clone, Copy, Debug)]
enum Wanted {
    /// One row with this number.
    Number(i64),
    /// So many rows.
    Rows(usize),
    /// An error of this code, raised while it runs.
    Fails(&'static str),
    /// An error of this code that comes before the server looks whether a transaction has failed.
    Malformed(&'static str),
}

/// A statement at random: sound or failing, cold or warm, with an error at its beginning, between its rows or
/// at its very end.
fn statement(random: &mut Random) -> (Sql, ParamBuf, Wanted) {
    let n = i64::try_from(random.below(1000)).unwrap();
    let mut params = ParamBuf::new();
    // Cold one time in four.
    let tag = if random.below(4) == 0 { format!(" /* {} */", random.next()) } else { String::new() };
    let (sql, wanted) = match random.below(10) {
        0..=3 => {
            params.push(&n).unwrap();
            ("SELECT $1::int8 + 1", Wanted::Number(n + 1))
        }
        4 => {
            params.push(&n).unwrap();
            ("SELECT m FROM generate_series(1, $1::int8) m", Wanted::Rows(usize::try_from(n).unwrap()))
        }
        5 => ("SELECT 10 / (5 - m) FROM generate_series(1, 9) m", Wanted::Fails("22012")),
        6 => ("SELECT no_such_column FROM log", Wanted::Fails("42703")),
        7 => ("SELEKT 1", Wanted::Malformed("42601")),
        8 => {
            params.push("no number").unwrap();
            ("SELECT $1::int8", Wanted::Fails("22P02"))
        }
        _ => ("INSERT INTO late VALUES (1)", Wanted::Fails("23505")),
    };
    (Sql::new(format!("{sql}{tag}")), params, wanted)
}

fn check(result: Result<Rows>, wanted: Wanted, failed: &mut bool, what: &str) {
    let code = |e: &wreath_driver::Error| e.sqlstate().map(str::to_owned);
    match (result, wanted) {
        (Err(e), Wanted::Malformed(state)) => {
            assert_eq!(code(&e).as_deref(), Some(state), "{what}: {e:?}");
            *failed = true;
        }
        // Why its Parse failed, if that was sent for an earlier one of the same text.
        (Err(e), Wanted::Fails("42703")) if *failed => {
            assert!(matches!(code(&e).as_deref(), Some("25P02" | "42703")), "{what}: {e:?}");
        }
        (Err(e), _) if *failed => assert_eq!(code(&e).as_deref(), Some("25P02"), "{what}: {e:?}"),
        (Err(e), Wanted::Fails(state)) => {
            assert_eq!(code(&e).as_deref(), Some(state), "{what}: {e:?}");
            *failed = true;
        }
        (Ok(rows), Wanted::Number(n)) => {
            assert!(!*failed, "{what}");
            assert_eq!(rows.first().unwrap().get::<i64>(0).unwrap(), n, "{what}");
        }
        (Ok(rows), Wanted::Rows(n)) => {
            assert!(!*failed, "{what}");
            assert_eq!((rows.len(), rows.iter().count()), (n, n), "{what}");
        }
        (result, wanted) => panic!("{what}: {wanted:?} came to {result:?}"),
    }
}

/// Sends a pipeline of statements, and takes their results in another order; some are not taken at all.
async fn run_pipeline(client: &Client, in_transaction: bool, random: &mut Random, what: &str) {
    let mut sent: Vec<(Reply, Wanted)> = Vec::new();
    for _ in 0..=random.below(12) {
        let (sql, params, wanted) = statement(random);
        // Inside of a transaction the check of a deferred constraint comes with its end.
        let waits = in_transaction && matches!(wanted, Wanted::Fails("23505"));
        if !waits {
            sent.push((client.send(&sql, params), wanted));
        }
    }
    if !in_transaction && random.below(3) == 0 {
        let gone = random.below(sent.len());
        drop(sent.remove(gone));
    }
    let wanted: Vec<_> = sent.iter().map(|&(_, wanted)| wanted).collect();
    // From the back in half of the cases, so that the first that is polled is not the first that was sent.
    let backwards = random.below(2) == 0;
    if backwards {
        sent.reverse();
    }
    let mut results = Vec::new();
    for (reply, _) in sent {
        results.push(within(reply).await);
    }
    if backwards {
        results.reverse();
    }
    let mut failed = false;
    for (at, (result, wanted)) in results.into_iter().zip(wanted).enumerate() {
        check(result, wanted, &mut failed, &format!("{what}, statement {at}"));
        failed &= in_transaction;
    }
}

#[tokio::test]
async fn a_thousand_random_pipelines_give_each_its_own() {
    let mut random = Random::seeded("pipelines");
    let db = database();
    db.admin()
        .query("CREATE TABLE late (n int UNIQUE DEFERRABLE INITIALLY DEFERRED); INSERT INTO late VALUES (1)")
        .unwrap();
    let connections = [0, 1, 5, 100].map(|size| {
        let config = config(&db).statement_cache_size(size).cancel_on_drop(false);
        async move { config.connect().await.unwrap() }
    });
    for connection in connections {
        let connection = connection.await;
        for pipeline in 0..250 {
            let what = format!("pipeline {pipeline}");
            if random.below(3) > 0 {
                run_pipeline(&connection, false, &mut random, &what).await;
                continue;
            }
            let tx = within(connection.begin()).await.unwrap();
            run_pipeline(&tx, true, &mut random, &what).await;
            if random.below(2) == 0 {
                match within(tx.commit()).await {
                    Ok(()) => {}
                    Err(e) => assert_eq!(e.kind(), ErrorKind::RolledBack, "{what}: {e}"),
                }
            }
        }
        assert_in_step(&connection, "pipelines").await;
    }
}

/// One random act of one task, whose answer it knows.
async fn act(connection: &Connection, random: &mut Random, n: i64) {
    match random.below(9) {
        0 | 1 => {
            let got: i64 = connection.fetch_scalar("SELECT $1::int8", (n,)).await.unwrap();
            assert_eq!(got, n);
        }
        2 => {
            let sql = format!("SELECT {n}::int8");
            assert_eq!(connection.fetch_scalar::<i64>(&sql, ()).await.unwrap(), n);
        }
        3 => {
            let rows = connection.fetch("SELECT $1::int8 + m FROM generate_series(1, 500) m", (n,)).await;
            for (row, m) in rows.unwrap().iter().zip(1..) {
                assert_eq!(row.get::<i64>(0).unwrap(), n + m);
            }
        }
        4 => {
            let e = connection.execute("SELECT 1 / ($1::int8 * 0)", (n,)).await.unwrap_err();
            assert_eq!(e.sqlstate(), Some("22012"), "{e}");
        }
        5 => {
            let word = format!("{n}");
            let echo: String = connection.fetch_scalar("SELECT $1", (&*word,)).await.unwrap();
            assert_eq!(echo, word);
        }
        6 => {
            let tags = connection.batch("SELECT 1; SELECT 2; SELECT 3").await.unwrap();
            assert_eq!(tags.len(), 3);
        }
        7 => {
            let sql = Sql::new("SELECT $1::int8");
            let replies: Vec<_> = (0..4)
                .map(|i| {
                    let mut params = ParamBuf::new();
                    params.push(&(n + i)).unwrap();
                    connection.send(&sql, params)
                })
                .collect();
            for (i, reply) in (0..).zip(replies).filter(|(i, _)| i % 2 == 1) {
                assert_eq!(reply.await.unwrap().first().unwrap().get::<i64>(0).unwrap(), n + i);
            }
        }
        _ => {
            let row = connection.fetch_one("SELECT $1, mood FROM moods", (Mood("sad"),)).await.unwrap();
            assert_eq!(row.as_row().raw(0).unwrap(), Some(&b"sad"[..]));
        }
    }
}

/// Acts of which about half are dropped, on one connection, by several tasks on several threads.
async fn drop_at_random(connection: &Connection, random: &Random, tasks: u64, acts: i64) {
    let tasks: Vec<_> = (0..tasks)
        .map(|task| {
            let (connection, mut random) = (connection.clone(), random.fork(task));
            tokio::spawn(async move {
                for n in 0..acts {
                    let polls = if random.below(2) == 0 { usize::MAX } else { random.below(4) };
                    let n = n + 1_000_000 * i64::try_from(task).unwrap();
                    within(polled(polls, act(&connection, &mut random, n))).await;
                    if random.below(8) == 0 {
                        tokio::task::yield_now().await;
                    }
                }
            })
        })
        .collect();
    for task in tasks {
        task.await.unwrap();
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn ten_thousand_drops_under_load_mix_nothing_up() {
    let random = Random::seeded("drops");
    let db = database();
    let connection = config(&db).statement_cache_size(20).cancel_on_drop(false).connect().await.unwrap();
    drop_at_random(&connection, &random, 10, 2000).await;
    assert_in_step(&connection, "drops").await;
    assert_eq!(open_transactions(&db), "0");
}

/// Each drop of the only statement in flight asks the server to stop it: none may hit another.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn drops_that_cancel_hit_no_other_statement() {
    let random = Random::seeded("cancels");
    let db = database();
    let connection = config(&db).cancel_on_drop(true).connect().await.unwrap();
    drop_at_random(&connection, &random, 1, 150).await;
    drop_at_random(&connection, &random, 3, 100).await;
    assert_in_step(&connection, "cancels").await;
}

/// Transactions that are dropped at random moments, while others want to begin theirs.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn transactions_dropped_at_random_leave_nothing_behind() {
    let random = Random::seeded("transactions");
    let db = database();
    let connection = config(&db).cancel_on_drop(false).connect().await.unwrap();
    let tasks: Vec<_> = (0..6_u64)
        .map(|task| {
            let (connection, mut random) = (connection.clone(), random.fork(task));
            tokio::spawn(async move {
                let mut committed = 0;
                for _ in 0..150 {
                    let polls = if random.below(2) == 0 { usize::MAX } else { random.below(12) };
                    let done = within(polled(polls, transfer(&connection, &mut random))).await;
                    match done {
                        Some(Ok(true)) => committed += 1,
                        Some(Err(e)) => assert_eq!(e.kind(), ErrorKind::InTransaction, "{e}"),
                        Some(Ok(false)) | None => {}
                    }
                    tokio::task::yield_now().await;
                }
                committed
            })
        })
        .collect();
    let mut committed = 0_i64;
    for task in tasks {
        committed += task.await.unwrap();
    }
    assert_in_step(&connection, "transactions").await;
    assert_eq!(open_transactions(&db), "0");
    // Whole or not at all; those whose commit was dropped on its way may be there, too.
    let (pairs, single): (i64, i64) = connection
        .fetch_as(
            "SELECT count(*) FILTER (WHERE c = 2), count(*) FILTER (WHERE c <> 2)
                   FROM (SELECT count(*) AS c FROM log GROUP BY word) t",
            (),
        )
        .await
        .unwrap()[0];
    assert_eq!(single, 0);
    assert!(pairs >= committed, "{pairs} of {committed}");
    assert!(committed > 0);
}

/// Writes two rows of one word, or none. Answers whether they were committed.
async fn transfer(connection: &Connection, random: &mut Random) -> Result<bool> {
    let word = format!("{}", random.next());
    let tx = connection.begin().await?;
    tx.execute("INSERT INTO log (word) VALUES ($1)", (&*word,)).await?;
    if random.below(3) == 0 {
        let savepoint = tx.begin().await?;
        savepoint.execute("INSERT INTO log (word) VALUES ($1)", (&*word,)).await?;
        savepoint.execute("SELECT 1 / 0", ()).await.unwrap_err();
        if random.below(2) == 0 { drop(savepoint) } else { savepoint.rollback().await? }
    }
    tx.execute("INSERT INTO log (word) VALUES ($1)", (&*word,)).await?;
    match random.below(3) {
        0 => drop(tx),
        1 => tx.rollback().await?,
        _ => return tx.commit().await.map(|()| true),
    }
    Ok(false)
}

/// Answers that come byte by byte, to callers that leave.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn drops_while_answers_trickle_mix_nothing_up() {
    let random = Random::seeded("trickle");
    for piece in [1, 3, 16] {
        let echo = Echo::start(piece).await;
        let connection = echo.connect().await;
        let tasks: Vec<_> = (0..4_u64)
            .map(|task| {
                let (connection, mut random) = (connection.clone(), random.fork(task));
                tokio::spawn(async move {
                    for n in 0..100 {
                        let n = n + 1000 * i64::try_from(task).unwrap();
                        let ask = connection.fetch_scalar::<i64>("SELECT $1", (n,));
                        if let Some(got) = within(polled(random.below(40), ask)).await {
                            assert_eq!(got.unwrap(), n);
                        }
                    }
                })
            })
            .collect();
        for task in tasks {
            task.await.unwrap();
        }
        assert_eq!(within(connection.fetch_scalar::<i64>("SELECT $1", (7_i64,))).await.unwrap(), 7);
    }
}

/// Sessions that are killed at random moments under load: everybody is told, nobody waits for ever.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sessions_killed_under_load_fail_everybody() {
    let random = Random::seeded("killed");
    let db = database();
    for round in 0..8 {
        let connection = connect(&db).await;
        let pid: i32 = connection.fetch_scalar("SELECT pg_backend_pid()", ()).await.unwrap();
        let tasks: Vec<_> = (0..6_u64)
            .map(|task| {
                let (connection, mut random) = (connection.clone(), random.fork(round * 100 + task));
                tokio::spawn(async move {
                    for n in 0.. {
                        let got = within(connection.fetch_scalar::<i64>("SELECT $1::int8", (n,))).await;
                        match got {
                            Ok(got) => assert_eq!(got, n),
                            Err(e) => return e,
                        }
                        if random.below(20) == 0 {
                            drop(connection.send(&Sql::new("SELECT pg_sleep(0.001)"), ParamBuf::new()));
                        }
                    }
                    unreachable!("it never ends by itself")
                })
            })
            .collect();
        tokio::time::sleep(Duration::from_millis(random.fork(round).next() % 40)).await;
        kill(&db, pid);
        for task in tasks {
            let e = within(task).await.unwrap();
            assert!(e.is_connection_lost(), "{e:?}");
        }
        assert!(connection.is_closed());
    }
}

fn kill(db: &Database, pid: i32) {
    db.admin().query(&format!("SELECT pg_terminate_backend({pid})")).unwrap();
}
