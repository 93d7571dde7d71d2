//! From bytes to messages.

use super::message::{
    Begin, BeginPrepared, Commit, CommitPrepared, Delete, Insert, Logical, Message, Origin, RollbackPrepared,
    StreamAbort, StreamCommit, StreamStart, Truncate, Update,
};
use super::relation::{Relation, TypeName};
use crate::frame::body::{Body, empty};
use crate::frame::{Fault, FrameError};

/// Reads the messages of one replication stream, in order: whether a change has its transaction's number in it depends on
/// what was before.
#[derive(Clone, Debug, Default)]
pub struct Decoder {
    streaming: bool,
}

impl Decoder {
    /// At the start of a stream.
    pub fn new() -> Self {
        Self::default()
    }

    /// Reads a message from all of `data`, which one XLogData had.
    ///
    /// # Errors
    /// When it is none.
    pub fn decode<'a>(&mut self, data: &'a [u8]) -> Result<Message<'a>, FrameError> {
        let Some((&tag, body)) = data.split_first() else {
            return Err(FrameError::new("pgoutput message", Fault::Truncated));
        };
        let message = match tag {
            b'B' => whole("Begin", body, Begin::read).map(Message::Begin)?,
            b'C' => whole("Commit", body, Commit::read).map(Message::Commit)?,
            b'O' => whole("Origin", body, Origin::read).map(Message::Origin)?,
            b'R' => self.part("Relation", body, Relation::read).map(Message::Relation)?,
            b'Y' => self.part("Type", body, TypeName::read).map(Message::Type)?,
            b'I' => self.part("Insert", body, Insert::read).map(Message::Insert)?,
            b'U' => self.part("Update", body, Update::read).map(Message::Update)?,
            b'D' => self.part("Delete", body, Delete::read).map(Message::Delete)?,
            b'T' => self.part("Truncate", body, Truncate::read).map(Message::Truncate)?,
            b'M' => self.part("Message", body, Logical::read).map(Message::Message)?,
            b'S' => whole("Stream Start", body, StreamStart::read).map(Message::StreamStart)?,
            b'E' => empty("Stream Stop", body).map(|()| Message::StreamStop)?,
            b'c' => whole("Stream Commit", body, StreamCommit::read).map(Message::StreamCommit)?,
            b'A' => whole("Stream Abort", body, StreamAbort::read).map(Message::StreamAbort)?,
            b'b' => whole("Begin Prepare", body, BeginPrepared::read).map(Message::BeginPrepare)?,
            b'P' => whole("Prepare", body, BeginPrepared::read_flagged).map(Message::Prepare)?,
            b'p' => whole("Stream Prepare", body, BeginPrepared::read_flagged).map(Message::StreamPrepare)?,
            b'K' => whole("Commit Prepared", body, CommitPrepared::read).map(Message::CommitPrepared)?,
            b'r' => {
                whole("Rollback Prepared", body, RollbackPrepared::read).map(Message::RollbackPrepared)?
            }
            other => return Err(FrameError::new("pgoutput message", Fault::Tag(other))),
        };
        match message {
            Message::StreamStart(_) => self.streaming = true,
            Message::StreamStop => self.streaming = false,
            _ => {}
        }
        Ok(message)
    }

    /// A message that begins with its transaction's number while a part of one is streamed.
    fn part<'a, T>(
        &self,
        name: &'static str,
        body: &'a [u8],
        read: impl FnOnce(&mut Body<'a>, Option<u32>) -> Result<T, FrameError>,
    ) -> Result<T, FrameError> {
        whole(name, body, |b| {
            let xid = if self.streaming { Some(b.u32()?) } else { None };
            read(b, xid)
        })
    }
}

fn whole<'a, T>(
    name: &'static str,
    body: &'a [u8],
    read: impl FnOnce(&mut Body<'a>) -> Result<T, FrameError>,
) -> Result<T, FrameError> {
    let mut b = Body::new(name, body);
    let message = read(&mut b)?;
    b.finish()?;
    Ok(message)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frame::pgoutput::{Identity, Old, Value};

    fn read(data: &[u8]) -> Message<'_> {
        Decoder::new().decode(data).expect("reads")
    }

    /// A decoder in the middle of a transaction that is streamed.
    fn streaming() -> Decoder {
        let mut decoder = Decoder::new();
        let started = decoder.decode(b"S\0\0\0\x07\x01").expect("reads");
        assert_eq!(started, Message::StreamStart(StreamStart { xid: 7, first: true }));
        decoder
    }

    const RELATION: &[u8] =
        b"R\0\0\x40\x01public\0t\0d\0\x02\x01id\0\0\0\0\x17\xff\xff\xff\xff\0x\0\0\0\0\x19\0\0\0\x08";
    const UPDATE: &[u8] = b"U\0\0\x40\x01K\0\x02t\0\0\0\x017nN\0\x02b\0\0\0\x04\0\0\0\x08u";

    #[test]
    fn relations_and_rows() {
        let Message::Relation(relation) = read(RELATION) else { panic!("it is one") };
        assert_eq!((relation.oid, relation.identity, relation.xid), (0x4001, Identity::Default, None));
        assert!(relation.schema == "public" && relation.name == "t");
        let columns: Vec<_> =
            relation.columns.iter().map(|c| (c.is_key, c.type_oid, c.type_modifier)).collect();
        assert_eq!(columns, [(true, 23, -1), (false, 25, 8)]);
        let Message::Update(update) = read(UPDATE) else { panic!("it is one") };
        let Some(Old::Key(key)) = update.old else { panic!("its key has changed") };
        assert!(key.iter().eq([Value::Text(b"7"), Value::Null]));
        assert!(update.new.iter().eq([Value::Binary(b"\0\0\0\x08"), Value::Unchanged]));
        assert_eq!((update.new.get(1), update.new.get(2)), (Some(Value::Unchanged), None));
        let truncate = b"T\0\0\0\x02\x03\0\0\0\x01\0\0\0\x02";
        let Message::Truncate(truncate) = read(truncate) else { panic!("it is one") };
        assert!(truncate.cascade && truncate.restart_identity && truncate.relations.iter().eq([1, 2]));
        let Message::Message(said) = read(b"M\x01\0\0\0\0\0\0\0\x09app\0\0\0\0\x02hi") else {
            panic!("it is one")
        };
        assert!(said.transactional && said.prefix == "app" && said.content == b"hi" && said.at == 9);
    }

    #[test]
    fn parts_of_streamed_transactions_name_them() {
        let mut decoder = streaming();
        let change = [b"I\0\0\0\x07", &b"\0\0\x40\x01N\0\x01n"[..]].concat();
        let Ok(Message::Insert(insert)) = decoder.decode(&change) else { panic!("it is one") };
        assert_eq!((insert.change.xid, insert.change.relation), (Some(7), 0x4001));
        assert_eq!(decoder.decode(b"E"), Ok(Message::StreamStop));
        let Ok(Message::Insert(insert)) = decoder.decode(b"I\0\0\x40\x01N\0\0") else { panic!("it is one") };
        assert!(insert.change.xid.is_none() && insert.new.is_empty());
        let abort = |at| Message::StreamAbort(StreamAbort { xid: 7, subxid: 8, at });
        assert_eq!(read(b"A\0\0\0\x07\0\0\0\x08"), abort(None));
        let later = b"A\0\0\0\x07\0\0\0\x08\0\0\0\0\0\0\0\x01\0\0\0\0\0\0\0\x02";
        assert_eq!(read(later), abort(Some((1, 2))));
    }

    #[test]
    fn no_prefix_of_a_message_and_no_flipped_bit_panics() {
        let eight = |n: u8| [0, 0, 0, 0, 0, 0, 0, n];
        let commit = [&[0][..], &eight(1), &eight(2), &eight(3)].concat();
        let prepared = [&eight(1)[..], &eight(2), &eight(3), b"\0\0\0\x07gid\0"].concat();
        let messages = [
            RELATION.to_vec(),
            UPDATE.to_vec(),
            [b"C", &commit[..]].concat(),
            [b"c\0\0\0\x07", &commit[..]].concat(),
            [b"O", &eight(1)[..], b"origin\0"].concat(),
            b"Y\0\0\x40\x02public\0mood\0".to_vec(),
            b"D\0\0\x40\x01O\0\x01n".to_vec(),
            [b"b", &prepared[..]].concat(),
            [b"P\0", &prepared[..]].concat(),
            [b"p\0", &prepared[..]].concat(),
            [b"K", &commit[..], b"\0\0\0\x07gid\0"].concat(),
            [b"r\0", &eight(1)[..], &eight(2), &eight(3), &eight(4), b"\0\0\0\x07gid\0"].concat(),
        ];
        for message in messages {
            Decoder::new().decode(&message).expect("reads");
            for end in 0..message.len() {
                assert!(Decoder::new().decode(&message[..end]).is_err(), "{message:?} up to {end}");
            }
            let more = [&message[..], b"\0"].concat();
            assert!(Decoder::new().decode(&more).is_err());
            for bit in 0..message.len() * 8 {
                let mut flipped = message.clone();
                flipped[bit / 8] ^= 1 << (bit % 8);
                let _ = Decoder::new().decode(&flipped);
                let _ = streaming().decode(&flipped);
            }
        }
    }
}
