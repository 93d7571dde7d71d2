use std::future::Future;
use std::task::{Context, Waker};

use wreath_driver::codecs::types::{Name, Numeric};
use wreath_driver::codecs::{EncodeError, Encoder};
use wreath_driver::{Client, Encode, ErrorKind, Oid, ParamBuf, PgType};

use crate::connected;

async fn count(client: &Client) -> i64 {
    client.fetch_scalar("SELECT count(*) FROM t", ()).await.unwrap()
}

#[tokio::test]
async fn text_goes_in_and_comes_out() {
    let (_database, connection) = connected().await;
    connection.batch("CREATE TABLE t (id int8, name text)").await.unwrap();
    let mut copy = connection.copy_in("/* all */ COPY t FROM STDIN").await.unwrap();
    for part in ["1\tDo", "lly\n2\t\\N\n", "", "3\ta\\tb\n"] {
        copy.send(part.as_bytes()).await.unwrap();
    }
    assert_eq!(copy.finish().await.unwrap(), 3);
    let mut copy = connection.copy_out("COPY (SELECT * FROM t ORDER BY id) TO STDOUT").await.unwrap();
    let mut lines = Vec::new();
    while let Some(line) = copy.next().await.unwrap() {
        lines.push(String::from_utf8(line.to_vec()).unwrap());
    }
    assert_eq!(lines, ["1\tDolly\n", "2\t\\N\n", "3\ta\\tb\n"]);
    assert!(copy.next().await.unwrap().is_none());
}

#[tokio::test]
async fn rows_of_values_go_in() {
    let (_database, connection) = connected().await;
    connection.batch("CREATE TABLE t (id int8, name text, price numeric, tags int4[])").await.unwrap();
    let mut copy = connection.copy_rows("COPY t FROM STDIN (FORMAT binary)").await.unwrap();
    let price: Numeric = "12.50".parse().unwrap();
    for id in 0..50_000_i64 {
        let name = (id % 2 == 0).then(|| format!("name {id}"));
        copy.send((id, name, &price, vec![1, 2])).await.unwrap();
        if id % 1000 == 0 {
            // A row that cannot be sent is left out.
            assert_eq!(copy.send((id, "a\0b", &price, vec![1])).await.unwrap_err().kind(), ErrorKind::Encode);
        }
    }
    assert_eq!(copy.finish().await.unwrap(), 50_000);
    let sums = "SELECT count(*), sum(id)::int8, count(name), sum(price)::text, sum(tags[2])::int8 FROM t";
    let sums: Vec<(i64, i64, i64, String, i64)> = connection.fetch_as(sums, ()).await.unwrap();
    assert_eq!(sums, [(50_000, 1_249_975_000, 25_000, "625000.00".to_owned(), 100_000)]);
}

/// Made by `CREATE TYPE mood AS ENUM ('calm')`.
struct Calm;

impl PgType for Calm {
    const OID: Oid = Oid::named("mood");
    const ARRAY: Oid = Oid::ArrayOf(Name { schema: None, name: "mood" });
}

impl Encode for Calm {
    fn oid(&self) -> Oid {
        Self::OID
    }

    fn encode(&self, out: &mut Encoder) -> Result<(), EncodeError> {
        "calm".encode(out)
    }
}

#[tokio::test]
async fn named_types_go_in_and_need_a_look_up_only_inside_of_arrays() {
    let (_database, connection) = connected().await;
    connection.batch("CREATE TYPE mood AS ENUM ('calm'); CREATE TABLE t (a mood, b mood[])").await.unwrap();
    let sql = "COPY t FROM STDIN (FORMAT binary)";
    let mut copy = connection.copy_rows(sql).await.unwrap();
    copy.send((Calm, None::<Vec<Calm>>)).await.unwrap();
    let error = copy.send((Calm, vec![Calm])).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Encode);
    assert!(error.to_string().contains("the type mood has to be looked up"), "{error}");
    assert_eq!(copy.finish().await.unwrap(), 1);

    let mut params = ParamBuf::new();
    params.push(&Calm).unwrap();
    connection.resolve(&mut params).await.unwrap();
    let mut copy = connection.copy_rows(sql).await.unwrap();
    copy.send((Calm, vec![Calm])).await.unwrap();
    assert_eq!(copy.finish().await.unwrap(), 1);
    let moods = "SELECT a::text, b[1]::text FROM t ORDER BY b";
    let moods: Vec<(String, Option<String>)> = connection.fetch_as(moods, ()).await.unwrap();
    assert_eq!(moods, [("calm".to_owned(), Some("calm".to_owned())), ("calm".to_owned(), None)]);
}

#[tokio::test]
async fn an_error_says_where_it_was() {
    let (_database, connection) = connected().await;
    connection.batch("CREATE TABLE t (id int8, age int4)").await.unwrap();
    let mut copy = connection.copy_rows("COPY t FROM STDIN (FORMAT binary)").await.unwrap();
    copy.send((1_i64, 2_i64)).await.unwrap();
    let error = copy.finish().await.unwrap_err().to_string();
    assert!(error.ends_with("context: COPY t, line 1, column age"), "{error}");
    let error = connection.execute("SELECT * FROM nowhere", ()).await.unwrap_err();
    assert_eq!(
        error.to_string(),
        r#"ERROR: relation "nowhere" does not exist at character 15 (SQLSTATE 42P01)"#
    );
}

#[tokio::test]
async fn a_copy_that_is_dropped_or_aborted_leaves_nothing_and_the_connection_goes_on() {
    let (_database, connection) = connected().await;
    connection.batch("CREATE TABLE t (id int8)").await.unwrap();
    for n in 0..5 {
        let mut copy = connection.copy_in("COPY t FROM STDIN").await.unwrap();
        copy.send(b"1\n2\n").await.unwrap();
        if n % 2 == 0 {
            drop(copy);
        } else {
            copy.abort("no\0more").await.unwrap();
        }
        assert_eq!(count(&connection).await, 0);
    }
    // Dropped before the server has asked for data, and behind and before other operations.
    for _ in 0..5 {
        let (first, last) = (connection.clone(), connection.clone());
        let gone = async {
            let asking = connection.copy_in("COPY t FROM STDIN");
            drop(tokio::time::timeout(std::time::Duration::ZERO, asking).await);
        };
        let (one, two, ()) = tokio::join!(
            first.fetch_scalar::<i32>("SELECT 1", ()),
            last.fetch_scalar::<i32>("SELECT 2", ()),
            gone,
        );
        assert_eq!((one.unwrap(), two.unwrap()), (1, 2));
    }
    assert_eq!(count(&connection).await, 0);
}

#[tokio::test]
async fn a_copy_that_nobody_feeds_does_not_keep_others_waiting_for_ever() {
    let (_database, connection) = connected().await;
    connection.batch("CREATE TABLE t (id int8)").await.unwrap();
    let copy = connection.copy_in("COPY t FROM STDIN").await.unwrap();
    assert_eq!(count(&connection).await, 0);
    assert_eq!(copy.finish().await.unwrap_err().kind(), ErrorKind::Stalled);
}

#[tokio::test]
async fn what_the_server_refuses_ends_the_copy_alone() {
    let (_database, connection) = connected().await;
    connection.batch("CREATE TABLE t (id int8)").await.unwrap();
    let mut copy = connection.copy_in("COPY t FROM STDIN").await.unwrap();
    copy.send(b"1\nnot a number\n").await.unwrap();
    let error = loop {
        if let Err(e) = copy.send(&b"2\n".repeat(10_000)).await {
            break e;
        }
    };
    assert_eq!(error.sqlstate(), Some("22P02"));
    drop(copy);
    assert_eq!(count(&connection).await, 0);
    let mut copy = connection.copy_in("COPY t FROM STDIN").await.unwrap();
    copy.send(b"nor this\n").await.unwrap();
    assert_eq!(copy.finish().await.unwrap_err().sqlstate(), Some("22P02"));
    assert_eq!(connection.copy_in("COPY nowhere FROM STDIN").await.unwrap_err().sqlstate(), Some("42P01"));
    let mut copy = connection.copy_out("COPY nowhere TO STDOUT").await.unwrap();
    assert_eq!(copy.next().await.unwrap_err().sqlstate(), Some("42P01"));
    assert_eq!(count(&connection).await, 0);
}

#[tokio::test]
async fn a_copy_of_the_other_kind_is_refused() {
    let (_database, connection) = connected().await;
    connection.batch("CREATE TABLE t (id int8); INSERT INTO t VALUES (1)").await.unwrap();
    let kind = |e: wreath_driver::Error| e.kind();
    assert_eq!(
        connection.copy_in("COPY t TO STDOUT").await.map_err(kind).unwrap_err(),
        ErrorKind::Unsupported
    );
    assert_eq!(connection.copy_in("SELECT 1").await.map_err(kind).unwrap_err(), ErrorKind::Unsupported);
    assert_eq!(connection.copy_out("SELECT 1").await.map_err(kind).unwrap_err(), ErrorKind::Unsupported);
    let mut copy = connection.copy_out("COPY t FROM STDIN").await.unwrap();
    assert_eq!(copy.next().await.map_err(kind).unwrap_err(), ErrorKind::Unsupported);
    assert_eq!(count(&connection).await, 1);
}

#[tokio::test]
async fn a_copy_out_that_is_dropped_stops_the_server() {
    let (_database, connection) = connected().await;
    let endless = "COPY (SELECT repeat('x', 1000) FROM (SELECT generate_series(1, 2000000000)) g) TO STDOUT";
    for n in 0..3 {
        let mut copy = connection.copy_out(endless).await.unwrap();
        assert_eq!(copy.next().await.unwrap().unwrap().len(), 1001);
        drop(copy);
        assert_eq!(connection.fetch_scalar::<i32>("SELECT $1", (n,)).await.unwrap(), n);
    }
}

#[tokio::test]
async fn a_copy_in_a_transaction_is_undone_with_it() {
    let (_database, connection) = connected().await;
    connection.batch("CREATE TABLE t (id int8)").await.unwrap();
    let tx = connection.begin().await.unwrap();
    let mut copy = tx.copy_rows("COPY t FROM STDIN (FORMAT binary)").await.unwrap();
    copy.send((1_i64,)).await.unwrap();
    assert_eq!(copy.finish().await.unwrap(), 1);
    assert_eq!(count(&tx).await, 1);
    tx.rollback().await.unwrap();
    assert_eq!(count(&connection).await, 0);
}

#[tokio::test]
async fn a_row_whose_future_is_dropped_is_left_out_as_a_whole() {
    let (_database, connection) = connected().await;
    connection.batch("CREATE TABLE t (id int4, wool bytea)").await.unwrap();
    let wool = vec![7_u8; 300_000];
    let mut copy = connection.copy_rows("COPY t FROM STDIN (FORMAT binary)").await.unwrap();
    let mut sent = Vec::new();
    for id in 0..200_i32 {
        let mut sending = Box::pin(copy.send((id, &wool[..])));
        // Most of them have to wait, and nobody does.
        if sending.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_ready() {
            sent.push(id);
        }
        drop(sending);
        if id % 20 == 0 {
            copy.send((1000 + id, &wool[..])).await.unwrap();
            sent.push(1000 + id);
        }
    }
    assert!(sent.len() < 200);
    assert_eq!(copy.finish().await.unwrap(), u64::try_from(sent.len()).unwrap());
    let sql = "SELECT id FROM t WHERE length(wool) = 300000 ORDER BY id";
    let there: Vec<(i32,)> = connection.fetch_as(sql, ()).await.unwrap();
    sent.sort_unstable();
    assert_eq!(there.into_iter().map(|(id,)| id).collect::<Vec<_>>(), sent);
}
