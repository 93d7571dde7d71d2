//! Bytes of a peer as messages.

use bytes::BytesMut;
use wreath_codecs::frame::backend::{self, DataRow};
use wreath_codecs::frame::startup::{self, Request};
use wreath_codecs::frame::{FrameError, HEADER, frontend, header};

/// The longest message that is taken, so that the bound is reached.
const MAX_MESSAGE: usize = 1 << 12;

/// Reads `data` as messages of either side, and feeds them to the driver as what a server sends.
///
/// The first byte is the driver's, which learns from it how the rest arrives; see `wreath_driver::fuzzing`.
///
/// # Panics
/// When a message that can be read is not written as it was, and as the driver's own entry says.
pub fn backend_frames(data: &[u8]) {
    let Some((_, stream)) = data.split_first() else { return };
    messages(stream);
    request(stream);
    wreath_driver::fuzzing::server_bytes(data);
}

/// Reads messages one after the other. The rest, whose length makes no sense, is read as one body.
fn messages(mut stream: &[u8]) {
    while let Ok(Some(head)) = header(stream, MAX_MESSAGE) {
        assert!((HEADER..=MAX_MESSAGE).contains(&head.len));
        let Some((message, rest)) = stream.split_at_checked(head.len) else { break };
        both_directions(head.tag, &message[HEADER..]);
        stream = rest;
    }
    if let Some((&tag, body)) = stream.split_first() {
        both_directions(tag, body);
    }
}

fn both_directions(tag: u8, body: &[u8]) {
    if let Ok(message) = backend::Message::decode(tag, body) {
        assert_eq!(wrote(|out| message.encode(out)), framed(tag, body), "{message:?}");
        if let backend::Message::DataRow(row) = message {
            assert!(row.iter().eq(DataRow::revisit(body)), "a row differs when it is read again");
            assert_eq!(row.iter().count(), row.len());
        }
    }
    if let Ok(message) = frontend::Message::decode(tag, body) {
        assert_eq!(wrote(|out| message.encode(out)), framed(tag, body), "{message:?}");
        if let frontend::Message::AuthenticationResponse(response) = message {
            if let Ok(password) = response.password() {
                assert_eq!(wrote(|out| frontend::password(out, password)), framed(tag, body));
            }
            if let Ok(initial) = response.sasl_initial() {
                let again =
                    |out: &mut _| frontend::sasl_initial_response(out, initial.mechanism, initial.data);
                assert_eq!(wrote(again), framed(tag, body));
            }
        }
    }
    // Bytes that were never checked must not panic either.
    assert!(DataRow::revisit(body).iter().count() <= body.len());
}

/// Reads a client's first message.
fn request(stream: &[u8]) {
    let Ok(Some(len)) = startup::length(stream, startup::MAX_REQUEST) else { return };
    let Some(whole) = stream.get(..len) else { return };
    if let Ok(request) = Request::decode(&whole[4..]) {
        assert_eq!(wrote(|out| request.encode(out)), whole, "{request:?}");
    }
}

fn wrote(send: impl FnOnce(&mut BytesMut) -> Result<(), FrameError>) -> Vec<u8> {
    let mut out = BytesMut::new();
    send(&mut out).expect("what was read can be sent");
    out.to_vec()
}

/// The message of that tag and body, as it travels.
fn framed(tag: u8, body: &[u8]) -> Vec<u8> {
    let length = i32::try_from(body.len() + 4).expect("a fuzzer's input is short");
    [&[tag][..], &length.to_be_bytes(), body].concat()
}
