//! The tape that an expression is written on.

use smallvec::SmallVec;
use wreath_codecs::{Encode, EncodeError, Encoder, Oid, ParamBuf};

use crate::expr::Op;

/// Words enough for about five comparisons, or three and a relation; a longer expression moves to the heap.
const INLINE_WORDS: usize = 24;
/// Names of five columns, or of three and a relation.
const INLINE_NAMES: usize = 8;

/// An expression in postfix order: the words of its shape, the names that its SQL needs, and its values.
///
/// The names follow from the words, since a column's id is made of its names; they are not part of the shape.
#[derive(Clone, Debug, Default)]
pub struct Tape {
    pub(crate) words: SmallVec<[u64; INLINE_WORDS]>,
    pub(crate) names: SmallVec<[&'static str; INLINE_NAMES]>,
    pub(crate) binds: ParamBuf,
    /// Building an expression does not fail; a value that cannot be sent fails the statement.
    pub(crate) error: Option<EncodeError>,
}

impl Tape {
    #[inline]
    pub(crate) fn op(&mut self, op: Op) {
        self.words.push(op.word());
    }

    #[inline]
    pub(crate) fn word(&mut self, word: u64) {
        self.words.push(word);
    }

    #[inline]
    pub(crate) fn name(&mut self, name: &'static str) {
        self.names.push(name);
    }

    /// Appends a parameter.
    #[inline]
    pub(crate) fn param<T: Encode>(&mut self, value: &T) {
        self.op(Op::Param);
        let done = self.binds.push(value);
        self.note(done);
    }

    /// Appends an array of one dimension as a parameter, whatever iterates over its elements.
    ///
    /// Elements of no type, such as strings, make an array of no type in its text form, so that it reaches
    /// a list of whatever the column is of; so does an empty list, which says nothing of a type.
    pub(crate) fn array<T: Encode>(&mut self, array: Oid, element: Oid, values: impl IntoIterator<Item = T>) {
        self.op(Op::Param);
        let mut values = values.into_iter().peekable();
        let typed = values.peek().is_some_and(|first| first.oid() != Oid::UNSPECIFIED);
        let done = if typed {
            self.binds.push_with(array, |out| {
                out.put_sized(|out| {
                    let header = ArrayHeader::open(out, element);
                    let mut count = 0_usize;
                    for value in values {
                        out.put_value(&value)?;
                        count += 1;
                    }
                    header.close(out, count)
                })
            })
        } else {
            self.binds.push_with(Oid::UNSPECIFIED, |out| out.put_sized(|out| text_array(out, values)))
        };
        self.note(done);
    }

    /// Adds a condition: both have to hold, where there has been one.
    pub(crate) fn and(&mut self, other: &Self) {
        let more = !self.words.is_empty();
        self.append(other);
        if more {
            self.op(Op::And);
        }
    }

    /// Appends all of `other`.
    pub(crate) fn append(&mut self, other: &Self) {
        self.words.extend_from_slice(&other.words);
        self.names.extend_from_slice(&other.names);
        let done = self.binds.append(&other.binds);
        self.note(done);
        if self.error.is_none() {
            self.error.clone_from(&other.error);
        }
    }

    /// Fails the statement for a value that means nothing.
    pub(crate) fn refuse(&mut self, error: EncodeError) {
        self.error.get_or_insert(error);
    }

    fn note(&mut self, done: Result<(), EncodeError>) {
        if let Err(error) = done {
            self.error.get_or_insert(error);
        }
    }
}

/// Appends the text form of an array (PostgreSQL manual, "Array Input and Output Syntax"): every element in
/// quotes.
fn text_array<T: Encode>(out: &mut Encoder, values: impl Iterator<Item = T>) -> Result<(), EncodeError> {
    let mut element = Encoder::new();
    out.put_u8(b'{');
    for (i, value) in values.enumerate() {
        if i > 0 {
            out.put_u8(b',');
        }
        element.clear();
        value.encode(&mut element)?;
        out.put_u8(b'"');
        for &byte in element.as_bytes() {
            if matches!(byte, b'"' | b'\\') {
                out.put_u8(b'\\');
            }
            out.put_u8(byte);
        }
        out.put_u8(b'"');
    }
    out.put_u8(b'}');
    Ok(())
}

/// What stands before the elements of an array (PostgreSQL's `array_send`): the count of dimensions, a flag
/// that NULLs may come, the elements' type, and for the one dimension its length and lower bound.
pub(crate) struct ArrayHeader {
    length: usize,
}

impl ArrayHeader {
    /// Appends a header for elements that are still to be counted.
    pub(crate) fn open(out: &mut Encoder, element: Oid) -> Self {
        out.put_i32(1);
        out.put_i32(1);
        out.put_oid(element);
        let length = out.len();
        out.put_i32(0);
        out.put_i32(1);
        Self { length }
    }

    /// Fills in how many elements have followed.
    pub(crate) fn close(self, out: &mut Encoder, count: usize) -> Result<(), EncodeError> {
        let count =
            i32::try_from(count).map_err(|_| EncodeError::new(format!("an array of {count} elements")))?;
        out.set_i32(self.length, count);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn only(tape: &Tape) -> (Oid, &[u8]) {
        assert!(tape.error.is_none());
        (tape.binds.types()[0], &tape.binds.values().as_bytes()[4..])
    }

    #[test]
    fn numbers_make_a_binary_array() {
        let mut tape = Tape::default();
        tape.array(Oid::Fixed(1007), Oid::Fixed(23), [1_i32, 2]);
        let mut expected = ParamBuf::new();
        expected.push(&[1_i32, 2].as_slice()).expect("encodes");
        let (oid, bytes) = only(&tape);
        assert_eq!(oid, Oid::Fixed(1007));
        // Ours says that NULLs may come, since it is written before the elements are known.
        assert_eq!(bytes[8..], expected.values().as_bytes()[12..]);
    }

    #[test]
    fn strings_make_a_text_array_whatever_they_hold() {
        let mut tape = Tape::default();
        tape.array(Oid::Fixed(1009), Oid::Fixed(25), ["a", "", r#"x"},{\"#, "NULL"]);
        let (oid, bytes) = only(&tape);
        assert_eq!(oid, Oid::UNSPECIFIED);
        assert_eq!(bytes, br#"{"a","","x\"},{\\","NULL"}"#);
    }

    #[test]
    fn an_empty_list_has_no_type() {
        let mut tape = Tape::default();
        tape.array(Oid::Fixed(1007), Oid::Fixed(23), [0_i32; 0]);
        assert_eq!(only(&tape), (Oid::UNSPECIFIED, b"{}".as_slice()));
    }

    #[test]
    fn a_value_that_cannot_be_sent_is_remembered() {
        let mut tape = Tape::default();
        tape.param(&"a\0b");
        tape.param(&1_i32);
        let mut outer = Tape::default();
        outer.append(&tape);
        assert!(outer.error.is_some());
    }
}
