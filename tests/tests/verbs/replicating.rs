//! Logical replication.

use std::future::poll_fn;
use std::task::Poll;
use std::time::Duration;

use wreath_driver::codecs::frame::pgoutput::{Decoder, Message, Old, Value};
use wreath_driver::replication::{
    CreateSlot, PgLsn, Replication, ReplicationStream, Streaming, Subscription,
};
use wreath_driver::{Config, Connection};
use wreath_tests::{Cluster, Database};

use crate::connect;

const TABLE: &str =
    "CREATE TABLE llamas (id int PRIMARY KEY, name text, age int); CREATE PUBLICATION farm FOR ALL TABLES";

/// A server of the test's own: a slot waits for all transactions of a server, and keeps its log.
struct Farm {
    connection: Connection,
    replication: Replication,
    database: Database,
    _cluster: Cluster,
}

async fn farm() -> Option<Farm> {
    let cluster = match Cluster::start() {
        Ok(cluster) => cluster,
        Err(error) => {
            wreath_tests::skip("pg", &error.to_string());
            return None;
        }
    };
    let database = cluster.database();
    let connection = connect(&database).await;
    connection.batch(TABLE).await.unwrap();
    let replication = replicate(&database).await;
    Some(Farm { connection, replication, database, _cluster: cluster })
}

async fn replicate(database: &Database) -> Replication {
    database.dsn().parse::<Config>().unwrap().replicate().await.unwrap()
}

/// What is told up to the end of the `commits`th transaction, a message a line.
async fn told(stream: &mut ReplicationStream, decoder: &mut Decoder, commits: usize) -> Vec<String> {
    let mut lines = Vec::new();
    let mut left = commits;
    while left > 0 {
        let wal = stream.next().await.unwrap().unwrap();
        let message = decoder.decode(&wal.data).unwrap();
        left -= usize::from(matches!(
            message,
            Message::Commit(_) | Message::StreamCommit(_) | Message::Prepare(_) | Message::CommitPrepared(_)
        ));
        if let Message::Commit(commit) = &message {
            stream.confirm(PgLsn(commit.end));
        }
        let line = line(&message);
        // A table may be told of again at any time.
        if !(line.starts_with("relation") && lines.contains(&line)) {
            lines.push(line);
        }
    }
    lines
}

fn line(message: &Message<'_>) -> String {
    let values = |tuple: &wreath_driver::codecs::frame::pgoutput::Tuple<'_>| -> Vec<String> {
        tuple
            .iter()
            .map(|value| match value {
                Value::Null => "null".to_owned(),
                Value::Unchanged => "unchanged".to_owned(),
                Value::Text(text) => String::from_utf8(text.to_vec()).unwrap(),
                Value::Binary(bytes) => format!("{bytes:?}"),
                _ => panic!("{value:?}"),
            })
            .collect()
    };
    let old = |old: &Old<'_>| match old {
        Old::Key(tuple) => format!("key {}", values(tuple).join(",")),
        Old::Row(tuple) => format!("row {}", values(tuple).join(",")),
    };
    match message {
        Message::Begin(_) => "begin".to_owned(),
        Message::Commit(_) => "commit".to_owned(),
        Message::Relation(r) => {
            let columns: Vec<_> = r.columns.iter().map(|c| format!("{}:{}", c.name, c.type_oid)).collect();
            format!("relation {}.{} {}", r.schema, r.name, columns.join(","))
        }
        Message::Insert(insert) => format!("insert {}", values(&insert.new).join(",")),
        Message::Update(u) => {
            format!("update {} to {}", u.old.as_ref().map(old).unwrap_or_default(), values(&u.new).join(","))
        }
        Message::Delete(delete) => format!("delete {}", old(&delete.old)),
        Message::Truncate(t) => {
            format!("truncate {} {} {}", t.relations.len(), t.cascade, t.restart_identity)
        }
        Message::Message(m) => format!("message {} {:?}", m.prefix, std::str::from_utf8(m.content).unwrap()),
        Message::BeginPrepare(p) => format!("begin prepare {}", p.gid),
        Message::Prepare(p) => format!("prepare {}", p.gid),
        Message::CommitPrepared(c) => format!("commit prepared {}", c.gid),
        other => format!("{other:?}"),
    }
}

#[tokio::test]
async fn a_server_says_who_it_is_and_makes_and_drops_slots() {
    let Some(Farm { connection, replication, .. }) = &farm().await else { return };
    let identity = replication.identify_system().await.unwrap();
    assert!(identity.timeline >= 1 && identity.position > PgLsn(0) && identity.system.parse::<u64>().is_ok());
    let current: String = connection.fetch_scalar("SELECT current_database()", ()).await.unwrap();
    assert_eq!(identity.database.as_deref(), Some(&*current));
    let slot = "shearings";
    let created = replication.create_slot(&CreateSlot::new(slot).export_snapshot()).await.unwrap();
    assert_eq!((created.name.as_str(), created.snapshot.is_some()), (slot, true));
    assert!(created.consistent_point > PgLsn(0));
    let again = replication.create_slot(&CreateSlot::new(slot)).await.unwrap_err();
    assert_eq!(again.sqlstate(), Some("42710"));
    replication.drop_slot(slot, false).await.unwrap();
    assert_eq!(replication.drop_slot(slot, true).await.unwrap_err().sqlstate(), Some("42704"));
    let absent = replication.start(&Subscription::new(slot).publications(["farm"])).await.unwrap_err();
    assert_eq!(absent.sqlstate(), Some("42704"));
    assert_eq!(
        replication.script("SELECT 7").await.unwrap()[0].first().unwrap().get::<&str>(0).unwrap(),
        "7"
    );
    replication.clone().close().await.unwrap();
}

#[tokio::test]
async fn changes_are_told_as_they_are_committed() {
    let Some(Farm { connection, replication, database, .. }) = &farm().await else { return };
    replication.create_slot(&CreateSlot::new("changes")).await.unwrap();
    let subscription = Subscription::new("changes").publications(["farm"]).messages();
    let mut stream = replication.start(&subscription).await.unwrap();
    let script =
        "INSERT INTO llamas VALUES (1, 'Dolly', 9), (2, NULL, 3); UPDATE llamas SET age = 4 WHERE id = 2;
        UPDATE llamas SET id = 3 WHERE id = 2; DELETE FROM llamas WHERE id = 1;
        SELECT pg_logical_emit_message(true, 'app', 'hi'); TRUNCATE llamas RESTART IDENTITY CASCADE";
    connection.batch(script).await.unwrap();
    let mut decoder = Decoder::new();
    assert_eq!(
        told(&mut stream, &mut decoder, 1).await,
        [
            "begin",
            "relation public.llamas id:23,name:25,age:23",
            "insert 1,Dolly,9",
            "insert 2,null,3",
            "update  to 2,null,4",
            "update key 2,null,null to 3,null,4",
            "delete key 1,null,null",
            "message app \"hi\"",
            "truncate 1 true true",
            "commit",
        ]
    );
    connection
        .batch("ALTER TABLE llamas REPLICA IDENTITY FULL; INSERT INTO llamas VALUES (5)")
        .await
        .unwrap();
    connection.batch("DELETE FROM llamas").await.unwrap();
    let lines = told(&mut stream, &mut decoder, 2).await;
    assert_eq!(lines[lines.len() - 2..], ["delete row 5,null,null", "commit"]);
    // The session goes on after the stream.
    stream.stop().await.unwrap();
    replication.identify_system().await.unwrap();
    // What was confirmed is not told again; a dropped stream leaves the session usable too.
    connection.batch("INSERT INTO llamas VALUES (6)").await.unwrap();
    for _ in 0..2 {
        let replication = replicate(database).await;
        let mut stream = replication.start(&subscription.clone().binary()).await.unwrap();
        let mut lines = Vec::<String>::new();
        while lines.last().is_none_or(|line| line != "commit") {
            let wal = stream.next().await.unwrap().unwrap();
            lines.push(line(&Decoder::new().decode(&wal.data).unwrap()));
        }
        assert_eq!(lines[lines.len() - 2], "insert [0, 0, 0, 6],null,null");
        assert_eq!(lines.len(), 4, "{lines:?}");
        drop(stream);
        replication.identify_system().await.unwrap();
    }
}

#[tokio::test]
async fn the_server_hears_what_was_confirmed_though_nothing_is_taken() {
    let Some(Farm { connection, replication, .. }) = &farm().await else { return };
    replication.create_slot(&CreateSlot::new("confirms").temporary()).await.unwrap();
    let often = Duration::from_millis(20);
    let subscription = Subscription::new("confirms").publications(["farm"]).status_interval(often);
    let mut stream = replication.start(&subscription).await.unwrap();
    connection.batch("INSERT INTO llamas VALUES (1)").await.unwrap();
    told(&mut stream, &mut Decoder::new(), 1).await;
    let wanted = stream.confirmed().to_string();
    assert_ne!(wanted, "0/0");
    let confirmed = "SELECT confirmed_flush_lsn >= $1::text::pg_lsn FROM pg_replication_slots WHERE slot_name = 'confirms'";
    while !connection.fetch_scalar::<bool>(confirmed, (wanted.as_str(),)).await.unwrap() {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    // What is of no interest is confirmed when the server says that it has passed it.
    connection.batch("CREATE TABLE other (x int); SELECT pg_switch_wal()").await.unwrap();
    let behind: String = connection.fetch_scalar("SELECT pg_current_wal_lsn()::text", ()).await.unwrap();
    let passed = async {
        while !connection.fetch_scalar::<bool>(confirmed, (behind.as_str(),)).await.unwrap() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    tokio::select! {
        wal = stream.next() => panic!("there is nothing to tell: {wal:?}"),
        () = passed => {}
    }
}

#[tokio::test]
async fn transactions_in_two_phases_and_large_ones_are_told_early() {
    let Some(Farm { connection, replication, database, .. }) = &farm().await else { return };
    replication.create_slot(&CreateSlot::new("early").temporary().two_phase()).await.unwrap();
    replication.script("SET logical_decoding_work_mem = '64kB'").await.unwrap();
    let subscription =
        Subscription::new("early").publications(["farm"]).version(3).two_phase().streaming(Streaming::On);
    let mut stream = replication.start(&subscription).await.unwrap();
    let mut decoder = Decoder::new();
    connection.batch("INSERT INTO llamas VALUES (1)").await.unwrap();
    connection.batch("SELECT 1").await.unwrap();
    assert_eq!(told(&mut stream, &mut decoder, 1).await.last().unwrap(), "commit");
    let gid: String = connection.fetch_scalar("SELECT 'g' || pg_backend_pid()", ()).await.unwrap();
    let other = connect(database).await;
    let prepare = format!("BEGIN; INSERT INTO llamas VALUES (2); PREPARE TRANSACTION '{gid}'");
    other.batch(&prepare).await.unwrap();
    other.batch(&format!("COMMIT PREPARED '{gid}'")).await.unwrap();
    let lines = told(&mut stream, &mut decoder, 2).await;
    assert_eq!(lines[0], format!("begin prepare {gid}"));
    assert_eq!(lines[lines.len() - 2..], [format!("prepare {gid}"), format!("commit prepared {gid}")]);
    let fill = "INSERT INTO llamas SELECT g, repeat('wool', 20) FROM generate_series(10, 3000) g";
    connection.batch(fill).await.unwrap();
    let lines = told(&mut stream, &mut decoder, 1).await;
    assert!(lines[0].starts_with("StreamStart"), "{}", lines[0]);
    assert_eq!(lines.iter().filter(|line| line.starts_with("insert")).count(), 2991);
    assert!(lines.last().unwrap().starts_with("StreamCommit"));
}

#[tokio::test]
async fn a_stream_that_is_dropped_at_any_poll_leaves_its_session_usable() {
    let Some(Farm { connection, replication, database, .. }) = &farm().await else { return };
    replication.create_slot(&CreateSlot::new("dropped")).await.unwrap();
    connection
        .batch("INSERT INTO llamas SELECT g, repeat('wool', 100) FROM generate_series(1, 5000) g")
        .await
        .unwrap();
    let subscription = Subscription::new("dropped").publications(["farm"]);
    for polls in 0..8 {
        let session = replicate(database).await;
        let reading = async {
            let mut stream = session.start(&subscription).await?;
            while stream.next().await?.is_some() {}
            wreath_driver::Result::Ok(())
        };
        let mut reading = Box::pin(reading);
        let mut polled = 0;
        poll_fn(|cx| {
            if polled == polls {
                return Poll::Ready(());
            }
            polled += 1;
            match reading.as_mut().poll(cx) {
                Poll::Ready(ended) => panic!("it does not end by itself: {ended:?}"),
                Poll::Pending => Poll::Pending,
            }
        })
        .await;
        drop(reading);
        assert!(session.identify_system().await.is_ok(), "after {polls} polls");
    }
}

#[tokio::test]
async fn a_session_that_is_closed_ends_its_stream() {
    let Some(farm) = farm().await else { return };
    farm.replication.create_slot(&CreateSlot::new("shed")).await.unwrap();
    let subscription = Subscription::new("shed").publications(["farm"]).status_interval(Duration::ZERO);
    let mut stream = farm.replication.start(&subscription).await.unwrap();
    let Farm { replication, .. } = &farm;
    let closing = tokio::time::timeout(Duration::from_secs(60), replication.clone().close());
    closing.await.expect("it does not wait for the stream").unwrap();
    while let Ok(Some(_)) = stream.next().await {}
}
