//! Connections that are cut, flooded, or lied to.

use std::time::Duration;

use wreath_driver::{Config, Connection, Error, ErrorKind, ParamBuf, Sql};
use wreath_tests::{Direction, Fault, FaultProxy, Script, ScriptedPeer, frame};

use crate::echo::Echo;
use crate::fixture::{assert_in_step, connect, database, within};

async fn connect_to(dsn: &str) -> Connection {
    within(dsn.parse::<Config>().unwrap().connect()).await.unwrap()
}

fn params(n: i64) -> ParamBuf {
    let mut params = ParamBuf::new();
    params.push(&n).unwrap();
    params
}

/// Several operations of all kinds in flight, cut off after `cut` bytes in one direction: each has its own
/// answer or a typed error, and once one has failed all later ones have.
async fn cut_at(echo: &Echo, direction: Direction, cut: usize) -> bool {
    let proxy = FaultProxy::start_tcp("127.0.0.1", echo.port()).await.unwrap();
    let connection = connect_to(&format!("postgres://echo@{}/echo?sslmode=disable", proxy.address())).await;
    proxy.set(direction, Fault::CutAfter(cut));
    let what = format!("{direction:?} cut after {cut}");
    let mut results: Vec<Result<i64, Error>> = Vec::new();
    let begun = within(connection.begin()).await;
    let client: &wreath_driver::Client = begun.as_ref().map_or(&connection, |tx| tx);
    let sql = Sql::new("SELECT $1");
    let replies: Vec<_> = (0..3).map(|n| client.send(&sql, params(n))).collect();
    for (reply, n) in replies.into_iter().zip(0..) {
        let answer = within(reply).await.and_then(|rows| rows.first().unwrap().get::<i64>(0));
        if let Ok(answer) = &answer {
            assert_eq!(*answer, n, "{what}");
        }
        results.push(answer);
    }
    if let Ok(tx) = begun {
        results.push(within(tx.commit()).await.map(|()| 0));
    }
    results.push(within(connection.fetch_scalar("SELECT $1", (9_i64,))).await);
    let first = results.iter().position(Result::is_err).unwrap_or(results.len());
    for result in &results[first..] {
        let error = result.as_ref().expect_err(&what);
        assert!(error.is_connection_lost(), "{what}: {error:?}");
    }
    if first < results.len() {
        within(async {
            while !connection.is_closed() {
                tokio::time::sleep(Duration::from_millis(1)).await;
            }
        })
        .await;
    }
    first == results.len()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_conversation_may_be_cut_at_every_byte() {
    let echo = Echo::start(usize::MAX).await;
    for direction in [Direction::ToClient, Direction::ToServer] {
        let mut cut = 0;
        while !cut_at(&echo, direction, cut).await {
            cut += 1;
        }
        assert!(cut > 150, "a conversation of {cut} bytes is none");
    }
}

/// What a server answers to one cold statement `SELECT $1` of an int8.
fn cold(n: i64) -> Vec<u8> {
    [frame(b'1', b""), frame(b't', b"\0\0"), frame(b'T', COLUMN), warm(n)].concat()
}

/// What it answers once the statement is prepared.
fn warm(n: i64) -> Vec<u8> {
    [frame(b'2', b""), row(n), frame(b'C', b"SELECT 1\0"), ready()].concat()
}

const COLUMN: &[u8] = b"\0\x01n\0\0\0\0\0\0\0\0\0\0\x14\0\x08\xff\xff\xff\xff\0\x01";

fn row(n: i64) -> Vec<u8> {
    frame(b'D', &[&[0, 1, 0, 0, 0, 8], &n.to_be_bytes()[..]].concat())
}

fn ready() -> Vec<u8> {
    frame(b'Z', b"I")
}

fn error(severity: &str, code: &str) -> Vec<u8> {
    frame(b'E', format!("S{severity}\0V{severity}\0C{code}\0Mon purpose\0\0").as_bytes())
}

fn notice() -> Vec<u8> {
    frame(b'N', b"SNOTICE\0C00000\0Mlisten\0\0")
}

/// What may come at any moment.
fn asides() -> Vec<u8> {
    let notification = [&7_u32.to_be_bytes()[..], b"wool\0news\0"].concat();
    [notice(), frame(b'S', b"TimeZone\0UTC\0"), frame(b'A', &notification)].concat()
}

/// Two statements in flight at once, answered with `answer`. The frames that they are sent in are whole before it.
async fn two_in_flight(answer: Vec<u8>) -> [Result<i64, Error>; 2] {
    let script = Script::greeting().expect_all(b"PDBESBES").send(answer);
    let peer = ScriptedPeer::start([script]).await.unwrap();
    let connection = connect_to(&peer.dsn()).await;
    let sql = Sql::new("SELECT $1");
    let replies = [connection.send(&sql, params(1)), connection.send(&sql, params(2))];
    let mut results = Vec::new();
    for reply in replies {
        results.push(within(reply).await.and_then(|rows| rows.first().map_or(Ok(-1), |row| row.get(0))));
    }
    results.try_into().unwrap()
}

#[tokio::test]
async fn asides_may_come_between_any_two_messages() {
    let messages = |bytes: Vec<u8>| {
        let mut rest = &bytes[..];
        let mut messages = Vec::new();
        while !rest.is_empty() {
            let length = usize::try_from(u32::from_be_bytes(rest[1..5].try_into().unwrap())).unwrap() + 1;
            messages.push(rest[..length].to_vec());
            rest = &rest[length..];
        }
        messages
    };
    let all = messages([cold(1), warm(2)].concat());
    for at in 0..=all.len() {
        let mut told = all.clone();
        told.insert(at, asides());
        let results = two_in_flight(told.concat()).await;
        for (result, n) in results.into_iter().zip(1..) {
            assert_eq!(result.unwrap(), n, "asides before message {at}");
        }
    }
}

/// Answers that are out of order, or that nobody can have asked for: the connection breaks, and no statement is
/// given what is another's.
#[tokio::test]
async fn answers_that_fit_nowhere_break_the_connection() {
    let cases = [
        ("one ReadyForQuery too many before", [ready(), cold(1), warm(2)].concat()),
        ("one ReadyForQuery too many between", [cold(1), ready(), warm(2)].concat()),
        ("ReadyForQuery before the statement has ended", [frame(b'1', b""), ready(), warm(2)].concat()),
        (
            "a second end",
            [&cold(1)[..cold(1).len() - 6], &frame(b'C', b"SELECT 1\0"), &ready(), &warm(2)].concat(),
        ),
        ("a row after the end", [&cold(1)[..cold(1).len() - 6], &row(5), &ready(), &warm(2)].concat()),
        ("a Parse that was not sent", [cold(1), frame(b'1', b""), warm(2)].concat()),
        ("a description that was not asked for", [cold(1), frame(b'T', COLUMN), warm(2)].concat()),
        ("a copy in", [cold(1), frame(b'G', b"\0\0\0"), warm(2)].concat()),
        ("a copy out", [cold(1), frame(b'H', b"\0\0\0"), warm(2)].concat()),
        ("a log-in", [cold(1), frame(b'R', &[0; 4]), warm(2)].concat()),
        (
            "a portal that stopped",
            [
                frame(b'1', b""),
                frame(b't', b"\0\0"),
                frame(b'T', COLUMN),
                frame(b'2', b""),
                row(1),
                frame(b's', b""),
            ]
            .concat(),
        ),
        ("another encoding", [cold(1), frame(b'S', b"client_encoding\0LATIN1\0"), warm(2)].concat()),
    ];
    for (what, answer) in cases {
        let [one, two] = two_in_flight(answer).await;
        if let Ok(n) = one {
            assert_eq!(n, 1, "{what}");
        }
        let broken = two.expect_err(what);
        assert_eq!(broken.kind(), ErrorKind::Protocol, "{what}: {broken:?}");
    }
}

#[tokio::test]
async fn errors_belong_to_whoever_is_being_answered() {
    // After rows, and after the end of the statement, as when a deferred constraint fails.
    for at in [ready().len(), ready().len() + frame(b'C', b"SELECT 1\0").len()] {
        let whole = cold(1);
        let failing = [&whole[..whole.len() - at], &error("ERROR", "23505"), &ready(), &warm(2)].concat();
        let [one, two] = two_in_flight(failing).await;
        assert_eq!(one.unwrap_err().sqlstate(), Some("23505"));
        assert_eq!(two.unwrap(), 2);
    }
    // The end of the session fails whoever waits, with the server's own words.
    for whole in [Vec::new(), cold(1), cold(1)[..30].to_vec()] {
        let first_is_answered = whole.len() == cold(1).len();
        let whole = if whole.len() == 30 { frame(b'1', b"") } else { whole };
        let script = Script::greeting()
            .expect_all(b"PDBESBES")
            .send([whole, error("FATAL", "57P01")].concat())
            .close();
        let peer = ScriptedPeer::start([script]).await.unwrap();
        let connection = connect_to(&peer.dsn()).await;
        let sql = Sql::new("SELECT $1");
        let replies = [connection.send(&sql, params(1)), connection.send(&sql, params(2))];
        for (reply, n) in replies.into_iter().zip(1..) {
            match within(reply).await {
                Ok(rows) => {
                    assert!(first_is_answered && n == 1);
                    assert_eq!(rows.first().unwrap().get::<i64>(0).unwrap(), 1);
                }
                Err(e) => assert_eq!((e.kind(), e.sqlstate()), (ErrorKind::Closed, Some("57P01")), "{e:?}"),
            }
        }
        let later = within(connection.execute("SELECT 1", ())).await.unwrap_err();
        assert_eq!((later.kind(), later.sqlstate()), (ErrorKind::Closed, Some("57P01")), "{later:?}");
    }
}

/// A connection that nobody uses hears what it is told, and what it is told at the very start.
#[tokio::test]
async fn an_idle_connection_hears_what_it_is_told() {
    let greeting_and = |more: Vec<u8>| {
        let hello = [frame(b'R', &[0; 4]), frame(b'S', b"client_encoding\0UTF8\0"), frame(b'Z', b"I"), more];
        Script::new().startup().send(hello.concat())
    };
    // An error that is not the end is passed over.
    let script = greeting_and([asides(), error("ERROR", "XX000"), asides()].concat())
        .expect_all(b"PDBES")
        .send(cold(3));
    let peer = ScriptedPeer::start([script]).await.unwrap();
    let connection = connect_to(&peer.dsn()).await;
    let got: i64 = within(connection.fetch_scalar("SELECT $1", (3_i64,))).await.unwrap();
    assert_eq!((got, connection.stats().notices), (3, 2));
    // The end of the session comes in the same bytes as its beginning.
    let peer = ScriptedPeer::start([greeting_and(error("FATAL", "57P01")).close()]).await.unwrap();
    let connection = connect_to(&peer.dsn()).await;
    within(async {
        while !connection.is_closed() {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
    })
    .await;
    let later = connection.execute("SELECT 1", ()).await.unwrap_err();
    assert_eq!(later.sqlstate(), Some("57P01"), "{later:?}");
}

/// A server that says that the transaction goes on after it was rolled back.
#[tokio::test]
async fn a_rollback_that_is_not_one_ends_the_connection() {
    let tag = |tag: &str| frame(b'C', format!("{tag}\0").as_bytes());
    let script = Script::greeting()
        .expect(b'Q')
        .send([tag("BEGIN"), frame(b'Z', b"T")].concat())
        .expect(b'Q')
        .send([tag("ROLLBACK"), frame(b'Z', b"T")].concat());
    let peer = ScriptedPeer::start([script]).await.unwrap();
    let connection = connect_to(&peer.dsn()).await;
    let tx = within(connection.begin()).await.unwrap();
    let failed = within(tx.rollback()).await.unwrap_err();
    assert_eq!(failed.kind(), ErrorKind::Closed, "{failed:?}");
    assert!(connection.is_closed());
}

/// The server writes and does not read before it has written all; the client has much to write, too.
#[tokio::test]
async fn both_sides_may_flood_each_other() {
    let flood = notice().repeat((16 << 20) / notice().len());
    let script = Script::greeting().send(flood).expect_all(b"PDBES").send(cold(4));
    let peer = ScriptedPeer::start([script]).await.unwrap();
    let connection = connect_to(&peer.dsn()).await;
    let large = "wool".repeat(4 << 20);
    let got: i64 = within(connection.fetch_scalar("SELECT $1", (&*large,))).await.unwrap();
    assert_eq!(got, 4);
    assert!(connection.stats().notices > 100_000);
}

#[tokio::test]
async fn large_results_arrive_whole_while_large_parameters_leave() {
    let db = database();
    let connection = connect(&db).await;
    let large = "w".repeat(24 << 20);
    let rows = connection.fetch("SELECT n, repeat('x', 100) FROM generate_series(1, 100000) n", ());
    let sent = connection.fetch_scalar::<i32>("SELECT length($1)", (&*large,));
    let back = connection.fetch_scalar::<String>("SELECT repeat('y', 30000000)", ());
    let small = connection.fetch_scalar::<i32>("SELECT 5", ());
    let (rows, sent, back, small) = within(async { tokio::join!(rows, sent, back, small) }).await;
    let rows = rows.unwrap();
    assert_eq!(rows.len(), 100_000);
    for (row, n) in rows.iter().zip(1_i32..) {
        assert_eq!(row.get::<i32>(0).unwrap(), n);
        assert_eq!(row.raw(1).unwrap().unwrap().len(), 100);
    }
    assert_eq!(sent.unwrap(), 24 << 20);
    assert_eq!(back.unwrap().len(), 30_000_000);
    assert_eq!(small.unwrap(), 5);
    assert_in_step(&connection, "large").await;
}
