//! What can be watched of operations and connections.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use tracing::field::{Field, Visit};
use tracing::span;
use wreath_driver::{Config, Connection, ErrorKind, Finished, Operation, Recorder};
use wreath_tests::{Cluster, Database};

use crate::connected;

/// What was heard, an operation a line.
#[derive(Default)]
struct Heard {
    started: AtomicU64,
    lines: Mutex<Vec<String>>,
}

impl Recorder for Heard {
    fn started(&self, _: &Operation<'_>) {
        self.started.fetch_add(1, Ordering::Relaxed);
    }

    fn finished(&self, operation: &Operation<'_>, end: &Finished<'_>) {
        assert!(operation.statement.contains(operation.name) && !operation.database.is_empty());
        let error = end.error.map(|e| e.sqlstate().map_or_else(|| format!("{:?}", e.kind()), str::to_owned));
        let abandoned = if end.abandoned { " abandoned" } else { "" };
        let error = error.map(|e| format!(" {e}")).unwrap_or_default();
        let line = format!("{} {}/{}{error}{abandoned}", operation.name, end.returned_rows, end.rows);
        assert_eq!(end.returned_rows > 0, end.bytes > 0, "{line}");
        self.lines.lock().unwrap().push(line);
    }
}

impl Heard {
    fn take(&self) -> Vec<String> {
        std::mem::take(&mut self.lines.lock().unwrap())
    }
}

async fn watched() -> (Database, Connection, Arc<Heard>) {
    let (database, heard) = (Cluster::shared().database(), Arc::<Heard>::default());
    let config: Config = database.dsn().parse().unwrap();
    let connection = config.shared_recorder(Arc::clone(&heard) as _).connect().await.unwrap();
    (database, connection, heard)
}

#[tokio::test]
async fn a_recorder_hears_of_each_operation_and_how_it_ended() {
    let (_database, c, heard) = watched().await;
    c.batch("CREATE TABLE t (a int)").await.unwrap();
    c.execute("INSERT INTO t SELECT generate_series(1, $1)", (5_i32,)).await.unwrap();
    c.fetch("SELECT a FROM t WHERE a < 4", ()).await.unwrap();
    c.fetch("SELECT 1 / (a - 4) FROM t", ()).await.unwrap_err();
    c.fetch("-- who knows\n(TABLE t)", ()).await.unwrap();
    c.script("SELECT 1; SELECT 2; UPDATE t SET a = 0").await.unwrap();
    let expected = ["CREATE 0/0", "INSERT 0/5", "SELECT 3/3", "SELECT 3/0 22012", " 5/5", "SELECT 2/7"];
    assert_eq!(heard.take(), expected);

    let tx = c.begin().await.unwrap();
    let inner = tx.begin().await.unwrap();
    inner.execute("SELEKT", ()).await.unwrap_err();
    inner.rollback().await.unwrap();
    tx.commit().await.unwrap();
    assert_eq!(
        heard.take(),
        ["BEGIN 0/0", "SAVEPOINT 0/0", "SELEKT 0/0 42601", "ROLLBACK 0/0", "COMMIT 0/0"]
    );

    let mut copy = c.copy_in("COPY t FROM STDIN").await.unwrap();
    copy.send(b"1\n2\n").await.unwrap();
    copy.finish().await.unwrap();
    c.copy_in("COPY t FROM STDIN").await.unwrap().abort("no").await.unwrap();
    let mut copy = c.copy_out("COPY t TO STDOUT").await.unwrap();
    while copy.next().await.unwrap().is_some() {}
    let mut stream = c.stream("SELECT generate_series(1, 100)", ()).await.unwrap();
    while stream.next().await.unwrap().is_some() {}
    drop(c.stream("SELECT generate_series(1, 100)", ()).await.unwrap());
    let heard_last = heard.take();
    // A stream describes its statement first.
    let expected =
        ["COPY 0/2", "COPY 0/0 57014", "COPY 7/7", "SELECT 0/0", "SELECT 100/100", "SELECT 0/0 abandoned"];
    assert_eq!(heard_last, expected);
    assert_eq!(heard.started.load(Ordering::Relaxed), 17);
}

#[tokio::test]
async fn a_recorder_hears_of_each_statement_of_a_pipeline() {
    let (_database, c, heard) = watched().await;
    for (sync_each, behind) in [(false, "SELECT 0/0 NotRun"), (true, "SELECT 2/2")] {
        let mut pipeline = c.pipeline();
        for sql in ["SELECT generate_series(1, 3)", "SELECT 1 / 0", "SELECT generate_series(1, 2)"] {
            let _ticket = pipeline.fetch(sql, ()).unwrap();
        }
        let pipeline = if sync_each { pipeline.sync_each() } else { pipeline };
        pipeline.settle().await.unwrap();
        assert_eq!(heard.take(), ["SELECT 3/3", "SELECT 0/0 22012", behind]);
    }
    let mut pipeline = c.pipeline();
    let _ticket = pipeline.fetch("SELECT pg_sleep(60)", ()).unwrap();
    let _ticket = pipeline.fetch("SELECT 1", ()).unwrap();
    let mut running = Box::pin(pipeline.run());
    let polled = std::future::poll_fn(|cx| std::task::Poll::Ready(running.as_mut().poll(cx).is_ready()));
    assert!(!polled.await);
    drop(running);
    assert_eq!(heard.take(), ["SELECT 0/0 abandoned", "SELECT 0/0 abandoned"]);
    assert_eq!(heard.started.load(Ordering::Relaxed), 8);
}

/// A subscriber that keeps the fields of spans that have been closed.
#[derive(Clone, Default)]
struct Spans(Arc<Mutex<Kept>>);

#[derive(Default)]
struct Kept {
    open: BTreeMap<u64, BTreeMap<String, String>>,
    closed: Vec<BTreeMap<String, String>>,
    last: u64,
}

struct Fields<'a>(&'a mut BTreeMap<String, String>);

impl Visit for Fields<'_> {
    fn record_str(&mut self, field: &Field, value: &str) {
        self.0.insert(field.name().to_owned(), value.to_owned());
    }

    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        self.0.insert(field.name().to_owned(), format!("{value:?}"));
    }
}

impl tracing::Subscriber for Spans {
    fn enabled(&self, metadata: &tracing::Metadata<'_>) -> bool {
        metadata.target() == "wreath_driver"
    }

    fn new_span(&self, span: &span::Attributes<'_>) -> span::Id {
        let mut kept = self.0.lock().unwrap();
        kept.last += 1;
        let (id, mut fields) = (kept.last, BTreeMap::new());
        span.record(&mut Fields(&mut fields));
        kept.open.insert(id, fields);
        span::Id::from_u64(id)
    }

    fn record(&self, span: &span::Id, values: &span::Record<'_>) {
        let mut kept = self.0.lock().unwrap();
        values.record(&mut Fields(kept.open.get_mut(&span.into_u64()).unwrap()));
    }

    fn try_close(&self, id: span::Id) -> bool {
        let mut kept = self.0.lock().unwrap();
        let fields = kept.open.remove(&id.into_u64()).unwrap();
        kept.closed.push(fields);
        true
    }

    fn record_follows_from(&self, _: &span::Id, _: &span::Id) {}
    fn event(&self, _: &tracing::Event<'_>) {}
    fn enter(&self, _: &span::Id) {}
    fn exit(&self, _: &span::Id) {}
}

#[tokio::test]
async fn spans_have_the_names_of_open_telemetry_and_no_values() {
    let spans = Spans::default();
    let _default = tracing::subscriber::set_default(spans.clone());
    let database = Cluster::shared().database();
    for shown in [false, true] {
        let config: Config = database.dsn().parse().unwrap();
        let connection = config.trace_statements(shown).connect().await.unwrap();
        connection.fetch("SELECT $1 FROM generate_series(1, 3)", ("secret",)).await.unwrap();
        connection.execute("SELECT 1 / $1", (0_i32,)).await.unwrap_err();
        let mut kept = spans.0.lock().unwrap();
        assert!(kept.open.is_empty());
        let closed = std::mem::take(&mut kept.closed);
        drop(kept);
        assert!(!format!("{closed:?}").contains("secret"));
        let [fetched, failed] = &closed[..] else { panic!("{closed:?}") };
        for (field, value) in [
            ("otel.kind", "client"),
            ("db.system.name", "postgresql"),
            ("db.operation.name", "SELECT"),
            ("db.response.returned_rows", "3"),
        ] {
            assert_eq!(fetched.get(field).map(String::as_str), Some(value), "{field}");
        }
        assert_eq!(fetched["otel.name"], format!("SELECT {}", fetched["db.namespace"]));
        assert!(!fetched["server.address"].is_empty());
        assert_eq!(fetched.contains_key("db.query.text"), shown);
        assert!(!fetched.contains_key("error.type"));
        for (field, value) in
            [("db.response.status_code", "22012"), ("error.type", "22012"), ("otel.status_code", "ERROR")]
        {
            assert_eq!(failed.get(field).map(String::as_str), Some(value), "{field}");
        }
    }
}

#[tokio::test]
async fn counters_say_how_much_was_done_and_who_had_to_wait() {
    let (_database, connection) = connected().await;
    let before = connection.stats();
    for _ in 0..10 {
        connection.fetch("SELECT 1", ()).await.unwrap();
    }
    let alone = connection.stats();
    assert_eq!((alone.operations - before.operations, alone.waits), (10, before.waits));
    assert_eq!((alone.cache_misses - before.cache_misses, alone.cache_hits - before.cache_hits), (1, 9));
    assert_eq!(alone.round_trips - before.round_trips, 10);
    for result in connection.map("SELECT 1", [(); 10], 10).await {
        result.unwrap();
    }
    let together = connection.stats();
    assert_eq!((together.operations - alone.operations, together.waits - alone.waits), (10, 9));
    assert_eq!(connection.prepared_plan_count(), 1);
    assert_eq!(connection.dropped_notifications(), 0);
}

#[tokio::test]
async fn the_end_of_an_idle_connection_is_noticed_and_told() {
    let (database, connection) = connected().await;
    let (watched, idle) = (connection.clone(), connection.clone());
    let told = tokio::spawn(async move { watched.closed().await });
    let pid: i32 = idle.fetch_scalar("SELECT pg_backend_pid()", ()).await.unwrap();
    assert!(!connection.is_closed() && !told.is_finished());
    let other = crate::connect(&database).await;
    other.execute("SELECT pg_terminate_backend($1)", (pid,)).await.unwrap();
    assert_eq!(told.await.unwrap().sqlstate(), Some("57P01"));
    assert_eq!(connection.closed().await.kind(), ErrorKind::Closed);
    let own = other.clone();
    let told = tokio::spawn(async move { own.closed().await });
    other.close().await.unwrap();
    assert_eq!(told.await.unwrap().kind(), ErrorKind::Closed);
}

/// Does not bear everything.
struct Touchy;

impl Recorder for Touchy {
    fn started(&self, operation: &Operation<'_>) {
        assert!(!operation.statement.contains("'shear'"), "too much");
    }

    fn finished(&self, _: &Operation<'_>, _: &Finished<'_>) {}
}

#[tokio::test]
async fn a_recorder_that_panics_fails_its_caller_and_takes_back_what_was_not_sent() {
    const SHEAR: &str = "SELECT nextval('s'), 'shear'";
    let database = Cluster::shared().database();
    let config: Config = database.dsn().parse().unwrap();
    let connection = config.recorder(Touchy).connect().await.unwrap();
    connection.batch("CREATE SEQUENCE s").await.unwrap();
    let alone = connection.clone();
    let together = connection.clone();
    let tasks = [
        tokio::spawn(async move { alone.execute(SHEAR, ()).await.map(drop) }),
        tokio::spawn(async move {
            let mut pipeline = together.pipeline();
            let _first = pipeline.execute("SELECT nextval('s')", ())?;
            let _second = pipeline.execute(SHEAR, ())?;
            pipeline.run().await.map(drop)
        }),
    ];
    for task in tasks {
        assert!(task.await.unwrap_err().is_panic());
    }
    assert_eq!(connection.fetch_scalar::<i64>("SELECT nextval('s')", ()).await.unwrap(), 1);
}
