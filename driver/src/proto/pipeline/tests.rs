//! A server that is played from a script, byte by byte.

mod groups;

use std::task::{Context, Poll, Waker};

use std::sync::Arc;

use bytes::Buf;
use wreath_codecs::ParamBuf;
use wreath_codecs::frame::backend::{self, TransactionStatus as Status};
use wreath_codecs::frame::header;

use super::*;
use crate::proto::scope::OUTSIDE;
use crate::proto::statement::RawColumn;
use crate::row::{Column, Rows};
use crate::sql::SqlRef;

fn pipeline() -> Pipeline {
    Pipeline::new(Session::default(), StatementCache::new(8, 1 << 20), Options::new(1 << 20))
}

fn submit(p: &mut Pipeline, sql: &str, scope: Scope) -> Result<Submitted> {
    p.submit(SqlRef::new(sql), &ParamBuf::new(), scope, Manner::CAREFUL)
}

fn key(p: &mut Pipeline, sql: &str) -> OpKey {
    submit(p, sql, OUTSIDE).expect("is taken").key
}

/// The tags of the frames that wait to be written, and forgets them.
fn sent(p: &mut Pipeline) -> String {
    let mut out = BytesMut::new();
    p.take_output(&mut out);
    let mut tags = String::new();
    while let Some(head) = header(&out, usize::MAX).expect("our own frames are sound") {
        tags.push(char::from(head.tag));
        out.advance(head.len);
    }
    tags
}

fn take(p: &mut Pipeline, key: OpKey) -> Option<Outcome> {
    p.poll_op(key, Waker::noop(), &mut None)
}

/// What a server answers.
#[derive(Default)]
struct Server(BytesMut);

impl Server {
    fn parsed(mut self) -> Self {
        backend::parse_complete(&mut self.0);
        backend::parameter_description(&mut self.0, [0_u32; 0]).expect("fits");
        let column = backend::Column {
            name: "n".into(),
            table_oid: 0,
            attribute: 0,
            type_oid: 23,
            type_size: 4,
            type_modifier: -1,
            format: 0,
        };
        backend::row_description(&mut self.0, [column]).expect("fits");
        self
    }

    fn rows(mut self, values: &[i32]) -> Self {
        backend::bind_complete(&mut self.0);
        for value in values {
            backend::data_row(&mut self.0, [Some(&value.to_be_bytes()[..])]).expect("fits");
        }
        self.tag(&format!("SELECT {}", values.len()))
    }

    fn tag(mut self, tag: &str) -> Self {
        backend::command_complete(&mut self.0, tag).expect("fits");
        self
    }

    fn error(mut self, severity: &str, code: &str) -> Self {
        let fields = [(b'S', severity), (b'V', severity), (b'C', code), (b'M', "it failed")];
        backend::error_response(&mut self.0, fields).expect("fits");
        self
    }

    fn ready(mut self, status: Status) -> Self {
        backend::ready_for_query(&mut self.0, status);
        self
    }

    /// Lets the answer arrive in pieces of `n` bytes.
    fn arrive(self, p: &mut Pipeline, n: usize) -> Result<()> {
        let mut buffer = BytesMut::new();
        for piece in self.0.chunks(n) {
            buffer.extend_from_slice(piece);
            p.handle_input(&mut buffer, &mut Wakers::new())?;
        }
        assert!(buffer.is_empty(), "whole messages leave nothing");
        Ok(())
    }
}

fn server() -> Server {
    Server::default()
}

fn values(outcome: Outcome) -> Vec<i32> {
    let column = |raw: &RawColumn| Column {
        name: Arc::clone(&raw.name),
        ty: wreath_codecs::Type::from_oid(raw.oid).expect("built in"),
        read_as: wreath_codecs::Type::from_oid(raw.oid).expect("built in"),
        table: None,
        modifier: raw.modifier,
    };
    let raw = RawColumn { name: "n".into(), table: 0, attribute: 0, oid: 23, modifier: -1 };
    let rows = Rows::new([column(&raw)].into(), outcome.reply);
    rows.iter().map(|row| row.get(0).expect("an integer")).collect()
}

#[test]
fn each_operation_gets_its_own_result_however_the_bytes_are_split() {
    for n in 1..200 {
        let mut p = pipeline();
        let (one, bad, two) = (key(&mut p, "one"), key(&mut p, "bad"), key(&mut p, "one"));
        assert_eq!(sent(&mut p), "PDBESPDBESBES");
        server()
            .parsed()
            .rows(&[1, 2, 3])
            .ready(Status::Idle)
            .error("ERROR", "42601")
            .ready(Status::Idle)
            .rows(&[4])
            .ready(Status::Idle)
            .arrive(&mut p, n)
            .expect("a sound answer");
        assert_eq!(take(&mut p, bad).expect("is there").error.expect("failed").sqlstate(), Some("42601"));
        assert_eq!(values(take(&mut p, two).expect("is there")), [4]);
        assert_eq!(values(take(&mut p, one).expect("is there")), [1, 2, 3]);
        assert!(take(&mut p, one).is_none(), "a result is taken once");
        assert_eq!(p.in_flight(), 0);
    }
}

#[test]
fn a_statement_that_was_refused_is_prepared_again() {
    let mut p = pipeline();
    let first = key(&mut p, "bad");
    sent(&mut p);
    server().error("ERROR", "42601").ready(Status::Idle).arrive(&mut p, 7).expect("sound");
    assert!(take(&mut p, first).expect("is there").error.is_some());
    key(&mut p, "bad");
    assert_eq!(sent(&mut p), "PDBES");
}

#[test]
fn results_of_those_who_left_are_dropped_and_the_others_are_not_mixed_up() {
    let mut p = pipeline();
    let (gone, stays) = (key(&mut p, "q"), key(&mut p, "q"));
    assert!(p.detach(gone));
    server()
        .parsed()
        .rows(&[1])
        .ready(Status::Idle)
        .rows(&[2])
        .ready(Status::Idle)
        .arrive(&mut p, 5)
        .expect("sound");
    assert_eq!(values(take(&mut p, stays).expect("is there")), [2]);
    assert!(take(&mut p, gone).is_none());
    // Their places are used again, under other names.
    let next = key(&mut p, "q");
    assert_ne!(next, gone);
    assert_ne!(next, stays);
}

#[test]
fn what_is_evicted_is_closed_with_the_next_flight() {
    let mut p = Pipeline::new(Session::default(), StatementCache::new(1, 1 << 20), Options::new(1 << 20));
    key(&mut p, "a");
    assert_eq!(sent(&mut p), "PDBES");
    key(&mut p, "b");
    assert_eq!(sent(&mut p), "CPDBES");
    key(&mut p, "b");
    assert_eq!(sent(&mut p), "BES");
}

#[test]
fn without_a_cache_only_the_unnamed_statement_is_used() {
    let mut p = Pipeline::new(Session::default(), StatementCache::new(0, 0), Options::new(1 << 20));
    for _ in 0..2 {
        let submitted = submit(&mut p, "a", OUTSIDE).expect("is taken");
        assert_eq!(submitted.statement.name, "");
        assert_eq!(sent(&mut p), "PDBES");
    }
}

#[test]
fn an_open_transaction_is_for_its_handle_alone() {
    let mut p = pipeline();
    let (_, tx) = p.begin(OUTSIDE, "BEGIN").expect("is taken");
    let kind = |r: Result<Submitted>| r.map(|_| ()).map_err(|e| e.kind());
    assert_eq!(kind(submit(&mut p, "q", OUTSIDE)), Err(ErrorKind::InTransaction));
    assert_eq!(kind(submit(&mut p, "q", tx)), Ok(()));
    let (_, savepoint) = p.begin(tx, "BEGIN").expect("is taken");
    assert_eq!(kind(submit(&mut p, "q", tx)), Err(ErrorKind::InTransaction));
    assert_eq!(p.commit(tx).map(|_| ()).map_err(|e| e.kind()), Err(ErrorKind::InTransaction));
    p.rollback(savepoint).expect("is taken").expect("was open");
    assert_eq!(kind(submit(&mut p, "q", savepoint)), Err(ErrorKind::TransactionClosed));
    p.commit(tx).expect("is taken");
    assert_eq!(kind(submit(&mut p, "q", tx)), Err(ErrorKind::TransactionClosed));
    assert_eq!(kind(submit(&mut p, "q", OUTSIDE)), Ok(()));
}

#[test]
fn rows_are_described_before_they_are_asked_for_inside_a_transaction() {
    let mut p = pipeline();
    let (_, tx) = p.begin(OUTSIDE, "BEGIN").expect("is taken");
    sent(&mut p);
    assert!(!submit(&mut p, "SELECT relacl FROM pg_class", tx).expect("is taken").runs);
    assert_eq!(sent(&mut p), "PDS");
    assert!(submit(&mut p, "INSERT INTO t VALUES (1)", tx).expect("is taken").runs);
    assert_eq!(sent(&mut p), "PDBES");
}

#[test]
fn a_hidden_transaction_is_rolled_back_and_said() {
    let mut p = pipeline();
    let begin = key(&mut p, "DO WHAT BEGIN DOES");
    let inside = key(&mut p, "INSERT INTO t VALUES (1)");
    sent(&mut p);
    server()
        .parsed()
        .rows(&[])
        .ready(Status::Open)
        .parsed()
        .rows(&[])
        .ready(Status::Open)
        .arrive(&mut p, 1000)
        .expect("sound");
    for key in [begin, inside] {
        let error = take(&mut p, key).expect("is there").error.expect("is told");
        assert_eq!(error.kind(), ErrorKind::UnmanagedTransaction);
    }
    assert_eq!(sent(&mut p), "Q", "one ROLLBACK for all of it");
    let after = key(&mut p, "INSERT INTO t VALUES (1)");
    server()
        .tag("ROLLBACK")
        .ready(Status::Idle)
        .rows(&[])
        .ready(Status::Idle)
        .arrive(&mut p, 9)
        .expect("sound");
    assert!(take(&mut p, after).expect("is there").error.is_none());
}

#[test]
fn a_transaction_that_a_statement_has_ended_is_closed_to_its_handle() {
    let mut p = pipeline();
    let (begin, tx) = p.begin(OUTSIDE, "BEGIN").expect("is taken");
    let hidden = p.submit_script("COMMIT", Keep::Tags, tx).expect("is taken");
    server()
        .tag("BEGIN")
        .ready(Status::Open)
        .tag("COMMIT")
        .ready(Status::Idle)
        .arrive(&mut p, 3)
        .expect("sound");
    assert!(take(&mut p, begin).expect("is there").error.is_none());
    let error = take(&mut p, hidden).expect("is there").error.expect("is told");
    assert_eq!(error.kind(), ErrorKind::TransactionClosed);
    assert_eq!(submit(&mut p, "q", tx).map(|_| ()).map_err(|e| e.kind()), Err(ErrorKind::TransactionClosed));
}

#[test]
fn nothing_is_sent_behind_a_script_that_may_copy() {
    let mut p = pipeline();
    let copy = p.submit_script("COPY t FROM STDIN", Keep::Tags, OUTSIDE).expect("is taken");
    let after = key(&mut p, "q");
    let again = p.submit_script("COPY u FROM STDIN", Keep::Tags, OUTSIDE).expect("is taken");
    let last = key(&mut p, "q");
    assert_eq!(sent(&mut p), "Q");
    let mut server_asks = server();
    backend::copy_in_response(&mut server_asks.0, 0, [0_i16; 0]).expect("fits");
    server_asks.arrive(&mut p, 2).expect("sound");
    assert_eq!(sent(&mut p), "f");
    server().error("ERROR", "57014").ready(Status::Idle).arrive(&mut p, 2).expect("sound");
    let error = take(&mut p, copy).expect("is there").error.expect("is told");
    assert_eq!(error.kind(), ErrorKind::Unsupported);
    assert_eq!(sent(&mut p), "PDBESQ");
    server()
        .parsed()
        .rows(&[7])
        .ready(Status::Idle)
        .tag("COPY 0")
        .ready(Status::Idle)
        .arrive(&mut p, 2)
        .expect("sound");
    assert_eq!(values(take(&mut p, after).expect("is there")), [7]);
    assert!(take(&mut p, again).expect("is there").error.is_none());
    assert_eq!(sent(&mut p), "BES");
    assert!(take(&mut p, last).is_none());
}

#[test]
fn messages_out_of_place_break_the_connection() {
    let mut out_of_place = Vec::new();
    for write in
        [backend::parse_complete, backend::bind_complete, backend::no_data, backend::portal_suspended]
    {
        let mut server = server();
        write(&mut server.0);
        out_of_place.push(server);
    }
    out_of_place.push(server().ready(Status::Idle));
    out_of_place.push(server().tag("SELECT 1"));
    out_of_place.push(server().rows(&[1]));
    for server in out_of_place {
        let error = server.arrive(&mut pipeline(), 1).expect_err("nothing was asked");
        assert_eq!(error.kind(), ErrorKind::Protocol);
    }
}

#[test]
fn a_lost_connection_fails_whoever_waits_with_what_the_server_said_last() {
    let mut p = pipeline();
    let (one, two) = (key(&mut p, "a"), key(&mut p, "b"));
    server().error("FATAL", "57P01").arrive(&mut p, 4).expect("sound");
    p.fail(Error::new(ErrorKind::Io, "cut"), &mut Wakers::new());
    for key in [one, two] {
        let error = take(&mut p, key).expect("is there").error.expect("failed");
        assert_eq!((error.kind(), error.sqlstate()), (ErrorKind::Closed, Some("57P01")));
    }
    let refused = submit(&mut p, "c", OUTSIDE).map(|_| ()).expect_err("is broken");
    assert_eq!(refused.kind(), ErrorKind::Closed);
}

#[test]
fn the_bound_on_operations_holds() {
    let mut p = pipeline();
    for _ in 0..MAX_OPERATIONS {
        key(&mut p, "q");
    }
    let refused = submit(&mut p, "q", OUTSIDE).map(|_| ()).expect_err("is full");
    assert_eq!(refused.kind(), ErrorKind::PipelineFull);
}

#[test]
fn a_waiting_caller_is_woken_once_its_result_is_there() {
    let mut p = pipeline();
    let key = key(&mut p, "q");
    let mut cx = Context::from_waker(Waker::noop());
    let polled: Poll<()> = match p.poll_op(key, cx.waker(), &mut None) {
        Some(_) => Poll::Ready(()),
        None => Poll::Pending,
    };
    assert!(polled.is_pending());
    let mut buffer = server().parsed().rows(&[1]).ready(Status::Idle).0;
    let mut wake = Wakers::new();
    p.handle_input(&mut buffer, &mut wake).expect("sound");
    assert_eq!(wake.len(), 1);
    assert!(p.poll_op(key, cx.waker(), &mut None).is_some());
    let _ = &mut cx;
}
