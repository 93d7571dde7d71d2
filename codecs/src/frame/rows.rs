//! Rows, what they are made of, and how they end.

use bytes::BytesMut;

use super::body::Body;
use super::write::{Frame, bodiless};
use super::{FrameError, Text, Values};

/// RowDescription: the columns of the rows that follow.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RowDescription<'a> {
    count: u16,
    bytes: &'a [u8],
}

/// A column of a [`RowDescription`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Column<'a> {
    /// Its name.
    pub name: Text<'a>,
    /// The table that it is a column of; 0 where it is computed.
    pub table_oid: u32,
    /// Its number in that table, from 1; 0 where it is computed, negative for a system column.
    pub attribute: i16,
    /// Its type.
    pub type_oid: u32,
    /// The bytes that a value takes in the server; negative where they vary.
    pub type_size: i16,
    /// What the type was given in brackets, in the type's own form; -1 where nothing was.
    pub type_modifier: i32,
    /// The format of its values. Describing a statement answers 0, since none was asked for yet.
    pub format: i16,
}

impl<'a> Column<'a> {
    fn read(b: &mut Body<'a>) -> Result<Self, FrameError> {
        Ok(Self {
            name: b.text()?,
            table_oid: b.u32()?,
            attribute: b.i16()?,
            type_oid: b.u32()?,
            type_size: b.i16()?,
            type_modifier: b.i32()?,
            format: b.i16()?,
        })
    }
}

const ROW_DESCRIPTION: &str = "RowDescription";

impl<'a> RowDescription<'a> {
    pub(super) fn decode(body: &'a [u8]) -> Result<Self, FrameError> {
        let mut b = Body::new(ROW_DESCRIPTION, body);
        let count = b.u16()?;
        let bytes = b.rest();
        for _ in 0..count {
            Column::read(&mut b)?;
        }
        b.finish()?;
        Ok(Self { count, bytes })
    }

    /// How many columns there are.
    pub fn len(self) -> usize {
        usize::from(self.count)
    }

    /// Whether there are none.
    pub fn is_empty(self) -> bool {
        self.count == 0
    }

    /// The columns, in order.
    pub fn iter(self) -> impl ExactSizeIterator<Item = Column<'a>> + 'a {
        let mut b = Body::new(ROW_DESCRIPTION, self.bytes);
        (0..self.count).map(move |_| Column::read(&mut b).expect("the columns were read before"))
    }
}

/// Appends a RowDescription.
///
/// # Errors
/// When a name has a zero byte in it, or there are more than 65,535 columns.
pub fn row_description<'a>(
    out: &mut BytesMut,
    columns: impl IntoIterator<Item = Column<'a>>,
) -> Result<(), FrameError> {
    let mut frame = Frame::tagged(out, ROW_DESCRIPTION, b'T', 128);
    frame.counted(columns, |frame, column| {
        frame.text(column.name.as_bytes())?;
        frame.u32(column.table_oid)?;
        frame.i16(column.attribute)?;
        frame.u32(column.type_oid)?;
        frame.i16(column.type_size)?;
        frame.i32(column.type_modifier)?;
        frame.i16(column.format)
    })?;
    frame.finish()
}

/// Reads a DataRow.
#[inline]
pub(super) fn decode_data_row(body: &[u8]) -> Result<Values<'_>, FrameError> {
    let mut b = Body::new("DataRow", body);
    let count = b.u16()?;
    Values::within("DataRow", usize::from(count), b.take_rest())
}

/// Appends a DataRow.
///
/// # Errors
/// When there are more than 65,535 values, or all are longer than 2 GiB.
pub fn data_row<'a>(
    out: &mut BytesMut,
    values: impl IntoIterator<Item = Option<&'a [u8]>>,
) -> Result<(), FrameError> {
    let mut frame = Frame::tagged(out, "DataRow", b'D', 64);
    frame.counted(values, Frame::value)?;
    frame.finish()
}

/// The tag of a CommandComplete: what was done, and to how many rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CommandTag<'a>(Text<'a>);

impl<'a> CommandTag<'a> {
    pub(super) fn decode(body: &'a [u8]) -> Result<Self, FrameError> {
        let mut b = Body::new("CommandComplete", body);
        let tag = b.text()?;
        b.finish()?;
        Ok(Self(tag))
    }

    /// The tag as it came, such as `INSERT 0 1`.
    pub fn text(self) -> Text<'a> {
        self.0
    }

    /// How many rows were answered with or changed; `None` for commands that do not count, such as `BEGIN`.
    ///
    /// It is the last word, and only commands that count have a number there.
    pub fn rows(self) -> Option<u64> {
        let bytes = self.0.as_bytes();
        let last = bytes.rsplit(|&b| b == b' ').next()?;
        let number = std::str::from_utf8(last).ok()?;
        // A sign is no digit, though `parse` would take one.
        if last.len() == bytes.len() || !number.bytes().all(|b| b.is_ascii_digit()) {
            return None;
        }
        number.parse().ok()
    }
}

/// Appends a CommandComplete.
///
/// # Errors
/// When the tag has a zero byte in it.
pub fn command_complete(out: &mut BytesMut, tag: impl AsRef<[u8]>) -> Result<(), FrameError> {
    let mut frame = Frame::tagged(out, "CommandComplete", b'C', 16);
    frame.text(tag.as_ref())?;
    frame.finish()
}

/// Appends an EmptyQueryResponse, which stands for CommandComplete after an empty statement.
pub fn empty_query_response(out: &mut BytesMut) {
    bodiless(out, b'I');
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frame::Fault;

    fn name_column() -> Column<'static> {
        Column {
            name: "name".into(),
            table_oid: 16_384,
            attribute: 2,
            type_oid: 1043,
            type_size: -1,
            type_modifier: 204,
            format: 1,
        }
    }

    #[test]
    fn row_description_golden() {
        let mut out = BytesMut::new();
        row_description(&mut out, [name_column()]).expect("can be sent");
        assert_eq!(&out[..], b"T\0\0\0\x1d\0\x01name\0\0\0\x40\0\0\x02\0\0\x04\x13\xff\xff\0\0\0\xcc\0\x01");
        let read = RowDescription::decode(&out[5..]).expect("reads");
        assert_eq!(read.len(), 1);
        assert!(read.iter().eq([name_column()]));
        assert!(RowDescription::decode(b"\0\0").expect("no columns").is_empty());
        assert!(RowDescription::decode(b"\xff\xff").is_err());
        assert!(RowDescription::decode(b"\0\0x").is_err());
    }

    #[test]
    fn data_row_golden() {
        let mut out = BytesMut::new();
        let values = [Some(&b"ab"[..]), None, Some(b"")];
        data_row(&mut out, values).expect("can be sent");
        assert_eq!(&out[..], b"D\0\0\0\x14\0\x03\0\0\0\x02ab\xff\xff\xff\xff\0\0\0\0");
        assert!(decode_data_row(&out[5..]).expect("reads").iter().eq(values));
        assert!(Values::revisit(&out[5..]).iter().eq(values));
        let fault = |bytes| decode_data_row(bytes).map_err(|e| (e.message(), e.fault()));
        assert_eq!(fault(b"\0\x01\0\0\0\x02a"), Err(("DataRow", Fault::Truncated)));
        assert_eq!(fault(b"\0\x01\xff\xff\xff\xfe"), Err(("DataRow", Fault::NegativeLength(-2))));
        assert_eq!(fault(b"\0\0a"), Err(("DataRow", Fault::Trailing(1))));
        assert_eq!(fault(b"\0"), Err(("DataRow", Fault::Truncated)));
    }

    #[test]
    fn command_complete_golden() {
        let mut out = BytesMut::new();
        command_complete(&mut out, "INSERT 0 1").expect("can be sent");
        assert_eq!(&out[..], b"C\0\0\0\x0fINSERT 0 1\0");
        let read = CommandTag::decode(&out[5..]).expect("reads");
        assert_eq!((read.text(), read.rows()), ("INSERT 0 1".into(), Some(1)));
        let mut out = BytesMut::new();
        empty_query_response(&mut out);
        assert_eq!(&out[..], b"I\0\0\0\x04");
    }

    #[test]
    fn tags_that_count() {
        for (tag, rows) in [
            ("SELECT 10000", Some(10_000)),
            ("UPDATE 0", Some(0)),
            ("COPY 18446744073709551615", Some(u64::MAX)),
            ("COPY 18446744073709551616", None),
            ("CREATE TABLE", None),
            ("BEGIN", None),
            ("UPDATE -1", None),
            ("UPDATE +1", None),
            ("UPDATE ", None),
            ("7", None),
            ("", None),
        ] {
            assert_eq!(CommandTag(tag.into()).rows(), rows, "{tag:?}");
        }
    }
}
