//! The smallest client that can ask in binary: one statement at a time over a unix socket.

use std::io::{Read, Write};
use std::os::unix::net::UnixStream;

use bytes::BytesMut;
use wreath_codecs::frame::{BINARY, backend, frontend, header, startup};
use wreath_codecs::{Encode, Encoder, Oid, Type, oid};
use wreath_tests::Database;

/// The rows of an answer, each column in binary; or what the server said was wrong.
pub(crate) type Answer = Result<Vec<Vec<Option<Vec<u8>>>>, String>;

pub(crate) struct Client {
    socket: UnixStream,
    buffer: Vec<u8>,
    /// Dropped with the client, and with it on the server.
    _database: Database,
}

impl Client {
    /// Connects to a database of the kit's own server, whose socket trusts the superuser.
    pub(crate) fn connect(database: Database) -> Self {
        let path = database.cluster().socket().expect("the kit's server has a socket");
        let socket = UnixStream::connect(path).expect("the socket is there");
        let mut out = BytesMut::new();
        let parameters = [
            ("user", "postgres"),
            ("database", database.name()),
            ("TimeZone", "UTC"),
            ("DateStyle", "ISO"),
            ("IntervalStyle", "postgres"),
            ("client_encoding", "UTF8"),
            ("lc_monetary", "C"),
        ];
        startup::startup(&mut out, startup::Version::V3_0, parameters).expect("no zero bytes");
        let mut client = Self { socket, buffer: Vec::new(), _database: database };
        client.socket.write_all(&out).expect("the server reads");
        client.read_answer().expect("the server trusts its socket");
        client
    }

    /// Runs `sql` with parameters that are already encoded.
    pub(crate) fn ask(&mut self, sql: &str, types: &[u32], values: &[Option<Vec<u8>>]) -> Answer {
        let mut encoded = Vec::new();
        for value in values {
            let length = value.as_ref().map_or(-1, |v| i32::try_from(v.len()).expect("short"));
            encoded.extend(length.to_be_bytes());
            encoded.extend(value.iter().flatten());
        }
        let mut out = BytesMut::new();
        frontend::parse(&mut out, "", sql, types).expect("no zero bytes");
        frontend::bind(&mut out, "", "", [BINARY], values.len(), &encoded, [BINARY]).expect("encoded values");
        frontend::execute(&mut out, "", 0).expect("no zero bytes");
        frontend::sync(&mut out);
        self.socket.write_all(&out).expect("the server reads");
        self.read_answer()
    }

    /// What the server prints and sends for a value of type `ty`.
    pub(crate) fn echo(&mut self, ty: &Type, value: &[u8]) -> Result<(String, Vec<u8>), String> {
        let rows = self.ask("SELECT format('%s', $1), $1", &[ty.oid()], &[Some(value.to_vec())])?;
        Ok(pair(rows.into_iter().next().expect("one row")))
    }

    /// Whether the server reads `text` as a value of `ty`.
    pub(crate) fn reads(&mut self, ty: &Type, text: &str) -> bool {
        let sql = format!("SELECT $1::text::pg_catalog.\"{}\"", ty.name());
        self.ask(&sql, &[oid::TEXT], &[Some(text.as_bytes().to_vec())]).is_ok()
    }

    /// Whether two values of `ty` are equal to the server.
    pub(crate) fn equal(&mut self, ty: &Type, a: &str, b: &str) -> bool {
        let sql = format!("SELECT $1::text::pg_catalog.\"{0}\" = $2::text::pg_catalog.\"{0}\"", ty.name());
        let values = [a, b].map(|text| Some(text.as_bytes().to_vec()));
        let rows =
            self.ask(&sql, &[oid::TEXT, oid::TEXT], &values).unwrap_or_else(|e| panic!("{a} {b}: {e}"));
        rows[0][0].as_deref() == Some(&[1])
    }

    /// The texts, in the order of the values of `ty` that they are.
    pub(crate) fn sort(&mut self, ty: &str, texts: &[&str]) -> Vec<String> {
        let mut array = Encoder::new();
        texts.encode(&mut array).expect("texts without NUL");
        let sql = format!("SELECT t FROM unnest($1) AS u(t) ORDER BY t::{ty}");
        let rows = self.ask(&sql, &[oid::TEXT_ARRAY], &[Some(array.as_bytes().to_vec())]);
        let rows = rows.unwrap_or_else(|e| panic!("{ty}: {e}"));
        let text =
            |row: Vec<Option<Vec<u8>>>| String::from_utf8(row[0].clone().expect("not NULL")).expect("UTF-8");
        rows.into_iter().map(text).collect()
    }

    /// What the server prints and sends for texts that it casts to `ty`.
    pub(crate) fn cast(&mut self, ty: &str, texts: &[&str]) -> Vec<(String, Vec<u8>)> {
        let mut array = Encoder::new();
        texts.encode(&mut array).expect("texts without NUL");
        assert_eq!(texts.oid(), Oid::Fixed(oid::TEXT_ARRAY));
        let sql = format!(
            "SELECT format('%s', v), v FROM unnest($1) WITH ORDINALITY AS u(t, n), \
             LATERAL (SELECT u.t::{ty}) AS c(v) ORDER BY n"
        );
        let rows = self.ask(&sql, &[oid::TEXT_ARRAY], &[Some(array.as_bytes().to_vec())]);
        let rows = rows.unwrap_or_else(|e| panic!("{ty}: {e}"));
        rows.into_iter().map(pair).collect()
    }

    fn read_answer(&mut self) -> Answer {
        let (mut rows, mut failure) = (Vec::new(), None);
        loop {
            let (tag, body) = self.read_message();
            match backend::Message::decode(tag, &body).expect("the server sends what it should") {
                backend::Message::DataRow(row) => {
                    rows.push(row.iter().map(|value| value.map(<[u8]>::to_vec)).collect());
                }
                backend::Message::ErrorResponse(error) => failure = Some(describe(error)),
                backend::Message::ReadyForQuery(_) => return failure.map_or(Ok(rows), Err),
                _ => {}
            }
        }
    }

    fn read_message(&mut self) -> (u8, Vec<u8>) {
        loop {
            if let Some(head) = header(&self.buffer, 1 << 30).expect("a length")
                && self.buffer.len() >= head.len
            {
                let message: Vec<u8> = self.buffer.drain(..head.len).collect();
                return (head.tag, message[5..].to_vec());
            }
            let mut chunk = [0; 65_536];
            let n = self.socket.read(&mut chunk).expect("the server answers");
            assert!(n > 0, "the server closed the connection");
            self.buffer.extend(&chunk[..n]);
        }
    }
}

/// The text and the bytes that a row of two columns has.
fn pair(row: Vec<Option<Vec<u8>>>) -> (String, Vec<u8>) {
    let mut columns = row.into_iter().map(|v| v.expect("not NULL"));
    let text = String::from_utf8(columns.next().expect("two columns")).expect("UTF-8");
    (text, columns.next().expect("two columns"))
}

fn describe(error: backend::ErrorFields<'_>) -> String {
    let fields = error.iter().map(|(code, text)| format!("{}={text}", char::from(code)));
    fields.collect::<Vec<_>>().join(" ")
}
