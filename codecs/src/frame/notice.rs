//! Errors and notices (PostgreSQL manual, "Error and Notice Message Fields").

use bytes::BytesMut;

use super::body::Body;
use super::write::Frame;
use super::{Fault, FrameError, Text};

/// The fields of an ErrorResponse or a NoticeResponse.
///
/// A field has a one-letter code. Codes that are not known are kept, since later servers may add some.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ErrorFields<'a>(&'a [u8]);

macro_rules! fields {
    ($($(#[$doc:meta])* $name:ident = $code:literal;)*) => {$(
        $(#[$doc])*
        pub fn $name(self) -> Option<Text<'a>> {
            self.get($code)
        }
    )*};
}

impl<'a> ErrorFields<'a> {
    pub(super) fn decode(message: &'static str, body: &'a [u8]) -> Result<Self, FrameError> {
        let mut b = Body::new(message, body);
        let start = b.rest();
        loop {
            let fields = b.since(start);
            if b.u8()? == 0 {
                b.finish()?;
                return Ok(Self(fields));
            }
            b.text()?;
        }
    }

    /// The codes and texts, in the order in which they came.
    pub fn iter(self) -> impl Iterator<Item = (u8, Text<'a>)> + Clone + 'a {
        let mut rest = self.0;
        std::iter::from_fn(move || {
            let (&code, text) = rest.split_first()?;
            // Every field was read before, so that its zero byte is there.
            let end = memchr::memchr(0, text)?;
            rest = &text[end + 1..];
            Some((code, Text::from(&text[..end])))
        })
    }

    /// The first field with that code.
    pub fn get(self, code: u8) -> Option<Text<'a>> {
        self.iter().find(|&(c, _)| c == code).map(|(_, text)| text)
    }

    /// `ERROR`, `FATAL` or `PANIC`; in a notice `WARNING`, `NOTICE`, `DEBUG`, `INFO` or `LOG`. Servers before 9.6
    /// only have it translated, as [`severity_translated`](Self::severity_translated).
    pub fn severity(self) -> Option<Text<'a>> {
        self.get(b'V').or_else(|| self.get(b'S'))
    }

    fields! {
        /// The severity in the server's language.
        severity_translated = b'S';
        /// The SQLSTATE, five characters.
        code = b'C';
        /// What went wrong, in one line.
        message = b'M';
        /// More about it.
        detail = b'D';
        /// What could be done about it.
        hint = b'H';
        /// Where in the statement, as decimal digits; see [`position_number`](Self::position_number).
        position = b'P';
        /// Where in [`internal_query`](Self::internal_query), as decimal digits.
        internal_position = b'p';
        /// A statement that the server itself made, such as one of a PL/pgSQL function.
        internal_query = b'q';
        /// The call stack, one entry a line, innermost first.
        context = b'W';
        /// The schema that it is about.
        schema = b's';
        /// The table that it is about.
        table = b't';
        /// The column that it is about.
        column = b'c';
        /// The data type that it is about.
        data_type = b'd';
        /// The constraint that it is about.
        constraint = b'n';
        /// The source file that reported it.
        file = b'F';
        /// The line in that file.
        line = b'L';
        /// The function in that file.
        routine = b'R';
    }

    /// Where in the statement, in characters (not bytes) from 1.
    pub fn position_number(self) -> Option<u32> {
        self.position()?.to_str().ok()?.parse().ok()
    }
}

/// Appends an ErrorResponse.
///
/// # Errors
/// When a code is 0 or a text has a zero byte in it.
pub fn error_response(
    out: &mut BytesMut,
    fields: impl IntoIterator<Item = (u8, impl AsRef<[u8]>)>,
) -> Result<(), FrameError> {
    write(Frame::tagged(out, "ErrorResponse", b'E', 128), fields)
}

/// Appends a NoticeResponse.
///
/// # Errors
/// As [`error_response`].
pub fn notice_response(
    out: &mut BytesMut,
    fields: impl IntoIterator<Item = (u8, impl AsRef<[u8]>)>,
) -> Result<(), FrameError> {
    write(Frame::tagged(out, "NoticeResponse", b'N', 128), fields)
}

fn write(
    mut frame: Frame<'_>,
    fields: impl IntoIterator<Item = (u8, impl AsRef<[u8]>)>,
) -> Result<(), FrameError> {
    for (code, text) in fields {
        if code == 0 {
            return Err(frame.fault(Fault::EmptyName));
        }
        frame.u8(code)?;
        frame.text(text.as_ref())?;
    }
    frame.u8(0)?;
    frame.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn error_golden() {
        let mut out = BytesMut::new();
        let fields =
            [(b'S', "FEHLER"), (b'V', "ERROR"), (b'C', "42601"), (b'M', "no"), (b'P', "8"), (b'?', "")];
        error_response(&mut out, fields).expect("can be sent");
        assert_eq!(&out[..], b"E\0\0\0\x24SFEHLER\0VERROR\0C42601\0Mno\0P8\0?\0\0");
        let read = ErrorFields::decode("ErrorResponse", &out[5..]).expect("reads");
        assert!(read.iter().eq(fields.map(|(code, text)| (code, Text::from(text)))));
        assert_eq!(read.severity(), Some("ERROR".into()));
        assert_eq!(read.severity_translated(), Some("FEHLER".into()));
        assert_eq!(read.position_number(), Some(8));
        assert_eq!(read.detail(), None);
        assert_eq!(read.get(b'?'), Some("".into()));
    }

    #[test]
    fn every_field_has_its_letter() {
        let letters = b"VSCMDHPpqWstcdnFLR";
        let mut out = BytesMut::new();
        notice_response(&mut out, letters.iter().map(|&c| (c, [c]))).expect("can be sent");
        assert_eq!(&out[..5], b"N\0\0\0\x3b");
        let read = ErrorFields::decode("NoticeResponse", &out[5..]).expect("reads");
        let named = [
            read.severity(),
            read.severity_translated(),
            read.code(),
            read.message(),
            read.detail(),
            read.hint(),
            read.position(),
            read.internal_position(),
            read.internal_query(),
            read.context(),
            read.schema(),
            read.table(),
            read.column(),
            read.data_type(),
            read.constraint(),
            read.file(),
            read.line(),
            read.routine(),
        ];
        for (text, letter) in named.into_iter().zip(letters) {
            assert_eq!(text.map(Text::as_bytes), Some(&[*letter][..]));
        }
        assert_eq!(read.position_number(), None);
    }

    #[test]
    fn a_server_before_9_6_has_only_the_translated_severity() {
        let read = ErrorFields::decode("ErrorResponse", b"SERREUR\0Mnon\0\0").expect("reads");
        assert_eq!(read.severity(), Some("ERREUR".into()));
    }

    #[test]
    fn strange_fields_are_refused() {
        for bytes in [&b""[..], b"M", b"Mno", b"Mno\0", b"Mno\0\0x"] {
            assert!(ErrorFields::decode("ErrorResponse", bytes).is_err(), "{bytes:?}");
        }
        let mut out = BytesMut::new();
        assert!(error_response(&mut out, [(0, "x")]).is_err());
        assert!(error_response(&mut out, [(b'M', "x\0y")]).is_err());
        assert!(out.is_empty());
    }
}
