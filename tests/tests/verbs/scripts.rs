//! Scripts whose results are kept.

use wreath_driver::ErrorKind;
use wreath_driver::codecs::oid;
use wreath_tests::{Script, ScriptedPeer, frame};

use crate::connected;

#[tokio::test]
async fn each_statement_has_its_result() {
    let (_database, connection) = connected().await;
    let script = "CREATE TEMP TABLE t (a int, b text, c numeric[]); ;
        INSERT INTO t SELECT g, CASE WHEN g > 1 THEN 'x' || g END, ARRAY[g, 0.5] FROM generate_series(1, 3) g;
        SELECT * FROM t ORDER BY a; SELECT 1 AS one, 2 AS two WHERE false; SELECT;
        UPDATE t SET a = a + 1 RETURNING a";
    for _ in 0..2 {
        let results = connection.script(script).await.unwrap();
        let tags: Vec<_> = results.iter().map(|r| r.tag().as_str()).collect();
        assert_eq!(tags, ["CREATE TABLE", "INSERT 0 3", "SELECT 3", "SELECT 0", "SELECT 1", "UPDATE 3"]);
        let columns: Vec<_> = results[2].columns().iter().map(|c| (c.name(), c.ty().oid())).collect();
        assert_eq!(columns, [("a", oid::INT4), ("b", oid::TEXT), ("c", oid::NUMERIC_ARRAY)]);
        let row = results[2].get(0).unwrap();
        let b: Option<String> = row.get("b").unwrap();
        assert_eq!((row.get::<&str>(0).unwrap(), b, row.get::<&str>("c").unwrap()), ("1", None, "{1,0.5}"));
        // What is in text form is not taken for something else.
        assert_eq!(row.get::<i32>(0).unwrap_err().kind(), ErrorKind::Decode);
        assert_eq!((results[3].len(), results[3].columns().len()), (0, 2));
        assert_eq!((results[4].len(), results[4].columns().len()), (1, 0));
        assert_eq!(results[5].get(2).unwrap().get::<&str>("a").unwrap(), "4");
        assert!(results[0].is_empty() && results[0].columns().is_empty());
        connection.batch("DROP TABLE t").await.unwrap();
    }
    assert!(connection.script("").await.unwrap().iter().all(|rows| rows.tag().as_str().is_empty()));
}

#[tokio::test]
async fn a_failing_script_answers_its_error_and_has_done_nothing() {
    let (_database, connection) = connected().await;
    connection.batch("CREATE TABLE t (a int)").await.unwrap();
    let error = connection.script("INSERT INTO t VALUES (1); SELECT 1 / 0; SELECT 2").await.unwrap_err();
    assert_eq!((error.sqlstate(), error.kind()), (Some("22012"), ErrorKind::Server));
    assert!(error.statement().unwrap().starts_with("INSERT"));
    let count = connection.script("SELECT count(*) FROM t").await.unwrap();
    assert_eq!(count[0].first().unwrap().get::<&str>(0).unwrap(), "0");
}

#[tokio::test]
async fn copies_inside_of_scripts_are_refused_and_leave_the_connection_in_step() {
    let (_database, connection) = connected().await;
    connection.batch("CREATE TABLE t (a int)").await.unwrap();
    for copy in ["COPY t FROM STDIN", "COPY (SELECT generate_series(1, 1000)) TO STDOUT"] {
        let error = connection.script(&format!("SELECT 1; {copy}; SELECT 2")).await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Unsupported, "{error}");
        assert_eq!(connection.fetch_scalar::<i32>("SELECT 7", ()).await.unwrap(), 7);
    }
    let copied =
        connection.batch("COPY (SELECT generate_series(1, 1000)) TO STDOUT; SELECT 2").await.unwrap();
    assert_eq!(copied[0].rows(), 1000);
}

#[tokio::test]
async fn scripts_stay_inside_of_their_transaction() {
    let (_database, connection) = connected().await;
    let tx = connection.begin().await.unwrap();
    let outside = connection.script("SELECT 1").await.unwrap_err();
    assert_eq!(outside.kind(), ErrorKind::InTransaction);
    assert_eq!(tx.script("SELECT 1; SELECT 2").await.unwrap().len(), 2);
    tx.commit().await.unwrap();
    let hidden = connection.script("SELECT 1; BEGIN").await.unwrap_err();
    assert_eq!(hidden.kind(), ErrorKind::UnmanagedTransaction);
}

#[tokio::test]
async fn rows_that_nobody_described_break_the_connection() {
    let hostile = [frame(b'D', &[0, 0]), frame(b'C', b"SELECT 1\0"), frame(b'Z', b"I")].concat();
    let peer = ScriptedPeer::start([Script::greeting().expect(b'Q').send(hostile)]).await.unwrap();
    let connection = wreath_driver::connect(&peer.dsn()).await.unwrap();
    assert_eq!(connection.script("SELECT 1").await.unwrap_err().kind(), ErrorKind::Protocol);
    assert!(connection.is_closed());
}
