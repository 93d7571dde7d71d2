//! What a fuzzer calls: the protocol core, fed with a server's bytes.
//!
//! It is behind the feature `fuzzing` and no part of the stable interface.

use std::task::Waker;

use bytes::BytesMut;
use wreath_codecs::ParamBuf;
use wreath_codecs::frame::startup::Version;

use crate::error::{Error, ErrorKind};
use crate::proto::auth::{AuthMethods, ChannelBinding, Need};
use crate::proto::op::OpKey;
use crate::proto::pipeline::{Call, Keep, Manner, Options, Pipeline, Wakers};
use crate::proto::scope::OUTSIDE;
use crate::proto::session::Session;
use crate::proto::startup::{Startup, Status, Wanted};
use crate::proto::statement::StatementCache;
use crate::row::Rows;
use crate::sql::SqlRef;

/// The longest message that is taken, so that the fuzzer can reach the bound.
const MAX_MESSAGE: usize = 1 << 16;

/// Takes `data` as what a server sends: its first byte says how the rest is split into reads, the lowest bit
/// of that whether it arrives before or after the session is established.
///
/// # Panics
/// When an invariant of the core is broken: an operation without a result at the end, or with two.
pub fn server_bytes(data: &[u8]) {
    let Some((&head, rest)) = data.split_first() else { return };
    let piece = usize::from(head >> 1) + 1;
    if head & 1 == 0 { establish(rest, piece) } else { answer(rest, piece) }
}

fn establish(data: &[u8], piece: usize) {
    let wanted = Wanted {
        user: "dolly",
        database: "farm",
        parameters: &[],
        must_bind: false,
        methods: AuthMethods::ANY,
        versions: (Version::V3_0, Version::V3_2),
    };
    let mut startup = Startup::new(wanted, "rOprNGfwEbeRWgbNEkqO".to_owned(), ChannelBinding::Unsupported)
        .expect("the settings are sound");
    let mut buffer = BytesMut::new();
    for piece in data.chunks(piece) {
        buffer.extend_from_slice(piece);
        loop {
            match startup.handle_input(&mut buffer) {
                Ok(Status::Going) => break startup.output().clear(),
                Ok(Status::Needs(Need::Password)) => startup.give_password("pencil".to_owned()),
                Ok(Status::Needs(Need::Token)) => startup.give_token(Some("token".to_owned())),
                Ok(Status::Ready) | Err(_) => return,
            }
        }
    }
}

fn answer(data: &[u8], piece: usize) {
    let mut pipeline =
        Pipeline::new(Session::default(), StatementCache::new(4, 1 << 20), Options::new(MAX_MESSAGE));
    let mut keys = ask(&mut pipeline);
    let (mut buffer, mut sent) = (BytesMut::new(), BytesMut::new());
    let mut wake = Wakers::new();
    for piece in data.chunks(piece) {
        buffer.extend_from_slice(piece);
        if let Err(e) = pipeline.handle_input(&mut buffer, &mut wake) {
            pipeline.fail(e, &mut wake);
            break;
        }
        sent.clear();
        pipeline.take_output(&mut sent);
        take_results(&mut pipeline, &mut keys);
    }
    pipeline.fail(Error::new(ErrorKind::Closed, "the script has ended"), &mut wake);
    take_results(&mut pipeline, &mut keys);
    assert!(keys.is_empty(), "an operation was left without a result");
    assert_eq!(pipeline.in_flight(), 0);
}

/// One operation of each kind.
fn ask(pipeline: &mut Pipeline) -> Vec<OpKey> {
    let run = |pipeline: &mut Pipeline, sql: &str, scope| {
        pipeline.submit(SqlRef::new(sql), &ParamBuf::new(), scope, Manner::CAREFUL).expect("is taken").key
    };
    let mut keys = vec![run(pipeline, "SELECT 1", OUTSIDE), run(pipeline, "SELECT 1", OUTSIDE)];
    keys.push(pipeline.submit_script("SELECT 1; SELECT 2", Keep::Tags, OUTSIDE).expect("is taken"));
    keys.push(pipeline.submit_script("SELECT 1; SELECT 2", Keep::Rows, OUTSIDE).expect("is taken"));
    let given_up = run(pipeline, "SELECT 2", OUTSIDE);
    pipeline.detach(given_up);
    let (sql, params) = (SqlRef::new("SELECT 5"), ParamBuf::new());
    let call = Call { sql, params: &params, manner: Manner::default() };
    let group = pipeline.submit_group(&[call; 3], OUTSIDE).expect("is taken");
    keys.extend(group.iter().map(|submitted| submitted.key));
    let (begin, transaction) = pipeline.begin(OUTSIDE, "BEGIN").expect("is taken");
    keys.push(begin);
    keys.push(run(pipeline, "SELECT 3", transaction));
    keys.push(pipeline.commit(transaction).expect("is taken").key);
    keys.push(pipeline.submit_script("COPY t FROM STDIN", Keep::Tags, OUTSIDE).expect("is taken"));
    keys.push(run(pipeline, "SELECT 4", OUTSIDE));
    keys
}

fn take_results(pipeline: &mut Pipeline, keys: &mut Vec<OpKey>) {
    keys.retain(|&key| {
        let Some(outcome) = pipeline.poll_op(key, Waker::noop(), &mut None) else { return true };
        let claimed = outcome.reply.rows;
        let found = Rows::new([].into(), outcome.reply).iter().count();
        assert_eq!(claimed, found, "rows were lost or made up");
        assert!(pipeline.poll_op(key, Waker::noop(), &mut None).is_none(), "a result was there twice");
        false
    });
}
