//! Operations that share a Sync, and operations that are taken back.

use super::*;
use crate::proto::op::Unsent;

fn call<'a>(sql: &'a str, params: &'a ParamBuf) -> Call<'a> {
    Call { sql: SqlRef::new(sql), params, manner: Manner::CAREFUL }
}

fn group(p: &mut Pipeline, sqls: &[&str]) -> Vec<OpKey> {
    let none = ParamBuf::new();
    let calls: Vec<_> = sqls.iter().map(|sql| call(sql, &none)).collect();
    p.submit_group(&calls, OUTSIDE).expect("is taken").iter().map(|submitted| submitted.key).collect()
}

/// A connection whose reads share a Sync.
fn reader() -> Pipeline {
    let options = Options { coalesces: true, ..Options::new(1 << 20) };
    let mut p = Pipeline::new(Session::default(), StatementCache::new(8, 1 << 20), options);
    read_only(&mut p, "on");
    p
}

fn read_only(p: &mut Pipeline, value: &str) {
    let mut status = BytesMut::new();
    backend::parameter_status(&mut status, "default_transaction_read_only", value).expect("fits");
    p.handle_input(&mut status, &mut Wakers::new()).expect("sound");
}

fn kind(p: &mut Pipeline, key: OpKey) -> Option<ErrorKind> {
    take(p, key).expect("is there").error.map(|e| e.kind())
}

#[test]
fn a_group_has_one_sync_and_each_its_own_result_however_the_bytes_are_split() {
    for n in 1..150 {
        let mut p = pipeline();
        let keys = group(&mut p, &["q", "r", "q"]);
        assert_eq!(sent(&mut p), "PDBEPDBEBES");
        server().parsed().rows(&[1, 2]).parsed().rows(&[]).rows(&[3]).arrive(&mut p, n).expect("sound");
        // Nothing is sure before the Sync has been answered.
        assert!(keys.iter().all(|&key| take(&mut p, key).is_none()));
        server().ready(Status::Idle).arrive(&mut p, n).expect("sound");
        let results: Vec<_> = keys.iter().map(|&key| values(take(&mut p, key).expect("is there"))).collect();
        assert_eq!(results, [vec![1, 2], vec![], vec![3]]);
        assert_eq!(p.in_flight(), 0);
    }
}

#[test]
fn what_stands_behind_a_failure_is_told_that_it_was_not_run() {
    let mut p = pipeline();
    let keys = group(&mut p, &["q", "bad", "r"]);
    let after = key(&mut p, "q");
    sent(&mut p);
    server()
        .parsed()
        .rows(&[1])
        .error("ERROR", "42601")
        .ready(Status::Idle)
        .rows(&[2])
        .ready(Status::Idle)
        .arrive(&mut p, 3)
        .expect("sound");
    assert_eq!(values(take(&mut p, keys[0]).expect("is there")), [1]);
    assert_eq!(kind(&mut p, keys[1]), Some(ErrorKind::Server));
    assert_eq!(kind(&mut p, keys[2]), Some(ErrorKind::NotRun));
    assert_eq!(values(take(&mut p, after).expect("is there")), [2]);
    // What was not parsed is parsed when it is sent again.
    key(&mut p, "r");
    assert_eq!(sent(&mut p), "PDBES");
}

#[test]
fn an_error_of_the_sync_is_everyones() {
    let mut p = pipeline();
    let keys = group(&mut p, &["q", "q"]);
    server()
        .parsed()
        .rows(&[1])
        .rows(&[2])
        .error("ERROR", "23503")
        .ready(Status::Idle)
        .arrive(&mut p, 2)
        .expect("sound");
    for key in keys {
        assert_eq!(take(&mut p, key).expect("is there").error.expect("failed").sqlstate(), Some("23503"));
    }
}

#[test]
fn a_group_that_cannot_be_sent_leaves_nothing_behind() {
    let mut p = pipeline();
    key(&mut p, "q");
    sent(&mut p);
    let none = ParamBuf::new();
    let refused = p.submit_group(&[call("q", &none), call("r", &none), call("a\0b", &none)], OUTSIDE);
    assert_eq!(refused.expect_err("a zero byte cannot be sent").kind(), ErrorKind::Encode);
    assert_eq!((sent(&mut p).as_str(), p.in_flight()), ("", 1));
    key(&mut p, "r");
    assert_eq!(sent(&mut p), "PDBES");
}

#[test]
fn a_group_lost_with_its_connection_fails_as_a_whole() {
    let mut p = pipeline();
    let keys = group(&mut p, &["q", "q"]);
    server().parsed().rows(&[1]).arrive(&mut p, 9).expect("sound");
    p.fail(Error::new(ErrorKind::Io, "cut"), &mut Wakers::new());
    for key in keys {
        assert_eq!(kind(&mut p, key), Some(ErrorKind::Io));
    }
}

#[test]
fn reads_that_wait_together_share_a_sync() {
    let mut p = reader();
    let keys: Vec<_> = ["SELECT 1", "select 1", "SELECT 1"].map(|sql| key(&mut p, sql)).into();
    assert_eq!(sent(&mut p), "PDBEPDBEBES");
    let later = key(&mut p, "SELECT 1");
    assert_eq!(sent(&mut p), "BES", "what has been sent cannot be joined");
    server()
        .parsed()
        .rows(&[1])
        .error("ERROR", "22012")
        .ready(Status::Idle)
        .rows(&[4])
        .ready(Status::Idle)
        .arrive(&mut p, 5)
        .expect("sound");
    assert_eq!(values(take(&mut p, keys[0]).expect("is there")), [1]);
    assert_eq!(kind(&mut p, keys[1]), Some(ErrorKind::Server));
    assert_eq!(kind(&mut p, keys[2]), Some(ErrorKind::NotRun));
    assert_eq!(values(take(&mut p, later).expect("is there")), [4]);
}

#[test]
fn only_reads_of_a_reading_session_share_a_sync() {
    let mut p = reader();
    for sql in ["SELECT 1", "INSERT INTO t VALUES (1)", "SET x = 1", "SELECT 1", "SELECT 1"] {
        key(&mut p, sql);
    }
    assert_eq!(sent(&mut p), "PDBESPDBESPDBESBEBES");
    read_only(&mut p, "off");
    key(&mut p, "SELECT 1");
    key(&mut p, "SELECT 1");
    assert_eq!(sent(&mut p), "BESBES");
    read_only(&mut p, "on");
    key(&mut p, "SELECT 1");
    let (_, tx) = p.begin(OUTSIDE, "BEGIN").expect("is taken");
    submit(&mut p, "INSERT INTO t VALUES (1)", tx).expect("is taken");
    submit(&mut p, "INSERT INTO t VALUES (1)", tx).expect("is taken");
    assert_eq!(sent(&mut p), "BESQBESBES");
}

#[test]
fn as_many_reads_share_a_sync_as_may() {
    let mut p = reader();
    for _ in 0..200 {
        key(&mut p, "SELECT 1");
    }
    let syncs = sent(&mut p).chars().filter(|&tag| tag == 'S').count();
    assert_eq!(syncs, 200_usize.div_ceil(usize::from(crate::proto::limits::MAX_JOINED) + 1));
}

#[test]
fn a_neighbour_is_not_cancelled() {
    let mut p = reader();
    let (one, two) = (key(&mut p, "SELECT 1"), key(&mut p, "SELECT 2"));
    sent(&mut p);
    p.detach(one);
    assert!(p.start_cancel(one).is_none(), "somebody waits for the other");
    p.detach(two);
    assert_eq!(p.start_cancel(two), Some(two));
    assert!(!p.cancel_again(two), "the request is still on its way");
    p.cancel_ended();
    assert!(p.cancel_again(two), "the server took no notice");
    let after = key(&mut p, "SELECT 3");
    assert_eq!(sent(&mut p), "", "nothing is sent that the cancel request could hit");
    server().error("ERROR", "57014").ready(Status::Idle).arrive(&mut p, 4).expect("sound");
    p.cancel_ended();
    assert!(!p.cancel_again(two));
    assert_eq!(sent(&mut p), "PDBES");
    server().parsed().rows(&[7]).ready(Status::Idle).arrive(&mut p, 4).expect("sound");
    assert_eq!(values(take(&mut p, after).expect("is there")), [7]);
}

#[test]
fn what_others_need_is_not_taken_back() {
    let mut p = pipeline();
    let (first, second) = (key(&mut p, "q"), key(&mut p, "q"));
    assert!(!p.withdraw_all(&[first]), "the second one runs what it prepares");
    assert!(p.withdraw_all(&[second]));
    assert!(p.withdraw_all(&[first]));
    assert_eq!((sent(&mut p).as_str(), p.in_flight()), ("", 0));
    let sent_before = key(&mut p, "q");
    assert_eq!(sent(&mut p), "PDBES");
    assert!(!p.withdraw_all(&[sent_before]));
}

#[test]
fn what_was_to_be_closed_with_a_statement_that_is_taken_back_is_closed_later() {
    let mut p = Pipeline::new(Session::default(), StatementCache::new(1, 1 << 20), Options::new(1 << 20));
    key(&mut p, "a");
    sent(&mut p);
    let taken_back = key(&mut p, "b");
    assert!(p.withdraw_all(&[taken_back]));
    key(&mut p, "c");
    assert_eq!(sent(&mut p), "CPDBES");
}

/// A result that is too large fails its statement alone.
#[test]
fn a_result_that_is_too_large_is_dropped() {
    let options = Options { max_result: 40, ..Options::new(1 << 20) };
    let mut p = Pipeline::new(Session::default(), StatementCache::new(8, 1 << 20), options);
    let (large, small) = (key(&mut p, "q"), key(&mut p, "q"));
    sent(&mut p);
    server().parsed().rows(&[1, 2, 3, 4]).ready(Status::Idle).arrive(&mut p, 15).expect("sound");
    assert_eq!(p.take_overflown(), Some(large));
    server().rows(&[5]).ready(Status::Idle).arrive(&mut p, 15).expect("sound");
    let outcome = take(&mut p, large).expect("is there");
    assert_eq!(outcome.error.expect("failed").kind(), ErrorKind::ResultTooLarge);
    assert!(outcome.reply.chunks.is_empty());
    assert_eq!(values(take(&mut p, small).expect("is there")), [5]);
    assert_eq!(p.take_overflown(), None);
}

/// Random histories: what goes out is what would have gone out if what is taken back had never been asked for.
#[test]
fn what_is_taken_back_leaves_no_trace() {
    let mut seed = 0x5eed_u64;
    let mut random = move |n: u64| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (seed >> 33) % n
    };
    for round in 0..500 {
        // Without a cache nothing has a name, so bytes can be compared.
        let options = Options { coalesces: random(2) == 0, ..Options::new(1 << 20) };
        let make = || {
            let mut p = Pipeline::new(Session::default(), StatementCache::new(0, 0), options);
            read_only(&mut p, "on");
            p
        };
        let (mut p, mut model) = (make(), make());
        let mut alive = Vec::new();
        let copies = random(4) == 0;
        if copies {
            for p in [&mut p, &mut model] {
                p.submit_copy("COPY t FROM STDIN", Direction::In, OUTSIDE).expect("is taken");
            }
        }
        for n in 0..random(9) {
            let sqls: Vec<String> = (0..=random(3)).map(|i| format!("SELECT {n}, {i}")).collect();
            let sqls: Vec<&str> = sqls.iter().map(String::as_str).collect();
            let keys = if sqls.len() == 1 { vec![key(&mut p, sqls[0])] } else { group(&mut p, &sqls) };
            if random(2) == 0 {
                alive.push(sqls.join(";"));
            } else {
                assert!(p.withdraw_all(&keys), "round {round}");
                assert!(keys.iter().all(|&key| !p.is_waiting(key)));
            }
        }
        for sqls in &alive {
            let sqls: Vec<&str> = sqls.split(';').collect();
            if let [sql] = sqls[..] {
                key(&mut model, sql);
            } else {
                group(&mut model, &sqls);
            }
        }
        assert_eq!(p.in_flight(), model.in_flight());
        let (mut ours, mut theirs) = (BytesMut::new(), BytesMut::new());
        for (p, out) in [(&mut p, &mut ours), (&mut model, &mut theirs)] {
            p.take_output(out);
            if copies {
                server().error("ERROR", "42P01").ready(Status::Idle).arrive(p, 9).expect("sound");
                let mut rest = BytesMut::new();
                p.take_output(&mut rest);
                out.extend_from_slice(&rest);
            }
        }
        assert_eq!(ours, theirs, "round {round}");
    }
}

/// One of many that wait is taken back from wherever it stands.
#[test]
fn one_is_taken_back_from_among_others() {
    for place in 0..5 {
        for gate in [false, true] {
            let mut p = Pipeline::new(
                Session::default(),
                StatementCache::new(0, 0),
                Options { coalesces: true, ..Options::new(1 << 20) },
            );
            read_only(&mut p, "on");
            if gate {
                p.submit_copy("COPY t FROM STDIN", Direction::In, OUTSIDE).expect("is taken");
            }
            let keys: Vec<_> = (0..5).map(|n| key(&mut p, &format!("SELECT {n}"))).collect();
            assert!(p.withdraw_all(&[keys[place]]));
            let left: Vec<_> = keys.iter().filter(|&&key| p.is_waiting(key)).copied().collect();
            assert_eq!(left.len(), 4);
            if gate {
                assert_eq!(sent(&mut p), "Q");
                server().error("ERROR", "42P01").ready(Status::Idle).arrive(&mut p, 9).expect("sound");
                assert_eq!(sent(&mut p), "PDBES".repeat(4));
            } else {
                let at = |p: &mut Pipeline, key| p.slots.waiting(key).and_then(|op| op.unsent.clone());
                let Some(Unsent::Out { at, .. }) = at(&mut p, left[3]) else { panic!("waits to be sent") };
                assert_eq!(at.end, p.out.len());
                assert_eq!(sent(&mut p), "PDBEPDBEPDBEPDBES");
            }
            let mut answer = server();
            for n in 0..4 {
                answer = answer.parsed().rows(&[n]);
                answer = if gate || n == 3 { answer.ready(Status::Idle) } else { answer };
            }
            answer.arrive(&mut p, 6).expect("sound");
            for (n, key) in (0..).zip(left) {
                assert_eq!(values(take(&mut p, key).expect("is there")), [n]);
            }
        }
    }
}
