//! What replication sends.

use bytes::BytesMut;
use wreath_codecs::frame::pgoutput::{Decoder, Message, Tuple};
use wreath_codecs::frame::replication::{FromServer, StatusUpdate};

/// Reads `data` as messages of one stream of `pgoutput`, each behind a byte that is its length, and each of them as what
/// replication sends in a CopyData.
///
/// # Panics
/// When a list does not hold as much as it says, or what can be read is not written as it was.
pub fn pgoutput(mut data: &[u8]) {
    let mut decoder = Decoder::new();
    while let Some((&length, rest)) = data.split_first() {
        let (message, rest) = rest.split_at(usize::from(length).min(rest.len()));
        copied(message);
        if let Ok(message) = decoder.decode(message) {
            lists(&message);
        }
        data = rest;
    }
}

fn copied(body: &[u8]) {
    if let Ok(message) = FromServer::decode(body) {
        let mut out = BytesMut::new();
        message.encode(&mut out).expect("what was read can be sent");
        assert_eq!(&out[5..], body, "{message:?}");
    }
    if let Ok(update) = StatusUpdate::decode(body) {
        assert_eq!(update.to_bytes(), body, "{update:?}");
    }
}

fn lists(message: &Message<'_>) {
    let whole = |tuple: &Tuple<'_>| assert_eq!(tuple.iter().count(), tuple.len());
    match message {
        Message::Relation(relation) => assert_eq!(relation.columns.iter().count(), relation.columns.len()),
        Message::Truncate(truncate) => {
            assert_eq!(truncate.relations.iter().count(), truncate.relations.len());
        }
        Message::Insert(insert) => whole(&insert.new),
        Message::Update(update) => {
            whole(&update.new);
            if let Some(old) = &update.old {
                whole(&old.tuple());
            }
        }
        Message::Delete(delete) => whole(&delete.old.tuple()),
        _ => {}
    }
}
