//! A peer that answers each statement with its own parameter, in pieces of a given size.

use std::net::SocketAddr;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;
use wreath_driver::{Config, Connection};
use wreath_tests::frame;

/// A server with one table of no rows: `SELECT $1` answers the parameter, as an int8; `error` in a statement
/// fails it; a script's statements are answered by their first word. It knows whether a transaction is open.
pub(crate) struct Echo {
    address: SocketAddr,
    acceptor: JoinHandle<()>,
}

impl Echo {
    /// Answers are written in pieces of `piece` bytes, each by a write of its own.
    pub(crate) async fn start(piece: usize) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let acceptor = tokio::spawn(async move {
            while let Ok((socket, _)) = listener.accept().await {
                socket.set_nodelay(true).unwrap();
                // A client that goes away ends its session, which is no failure.
                tokio::spawn(async move { Session::new(socket, piece).serve().await });
            }
        });
        Self { address, acceptor }
    }

    pub(crate) fn port(&self) -> u16 {
        self.address.port()
    }

    pub(crate) async fn connect(&self) -> Connection {
        let dsn = format!("postgres://echo@{}/echo?sslmode=disable", self.address);
        dsn.parse::<Config>().unwrap().connect().await.unwrap()
    }
}

impl Drop for Echo {
    fn drop(&mut self) {
        self.acceptor.abort();
    }
}

struct Session {
    socket: TcpStream,
    piece: usize,
    open: bool,
    failed: bool,
    sql: String,
    parameter: Vec<u8>,
}

impl Session {
    fn new(socket: TcpStream, piece: usize) -> Self {
        Self { socket, piece, open: false, failed: false, sql: String::new(), parameter: Vec::new() }
    }

    async fn serve(mut self) -> std::io::Result<()> {
        let length = self.socket.read_u32().await?;
        self.body(length).await?;
        let hello = [
            frame(b'R', &0_u32.to_be_bytes()),
            frame(b'S', b"client_encoding\0UTF8\0"),
            frame(b'K', &[0; 8]),
            frame(b'Z', b"I"),
        ];
        self.socket.write_all(&hello.concat()).await?;
        let mut statements = std::collections::HashMap::new();
        loop {
            let tag = self.socket.read_u8().await?;
            let length = self.socket.read_u32().await?;
            let body = self.body(length).await?;
            if self.failed && !matches!(tag, b'S' | b'Q') {
                continue;
            }
            let answer = match tag {
                b'P' => {
                    let (name, rest) = text(&body);
                    statements.insert(name, text(rest).0);
                    frame(b'1', b"")
                }
                b'D' => [frame(b't', b"\0\0"), frame(b'T', COLUMN)].concat(),
                b'B' => {
                    let (_, rest) = text(&body);
                    let (name, rest) = text(rest);
                    self.sql = statements[&name].clone();
                    self.parameter = parameter(rest);
                    frame(b'2', b"")
                }
                b'E' => self.run(),
                b'C' => frame(b'3', b""),
                b'S' => {
                    self.failed = false;
                    self.ready()
                }
                b'Q' => self.script(&text(&body).0),
                _ => return Ok(()),
            };
            for piece in answer.chunks(self.piece) {
                self.socket.write_all(piece).await?;
                tokio::task::yield_now().await;
            }
        }
    }

    async fn body(&mut self, length: u32) -> std::io::Result<Vec<u8>> {
        let mut body = vec![0; usize::try_from(length).unwrap() - 4];
        self.socket.read_exact(&mut body).await?;
        Ok(body)
    }

    fn ready(&self) -> Vec<u8> {
        frame(b'Z', if self.open { b"T" } else { b"I" })
    }

    fn run(&mut self) -> Vec<u8> {
        if self.sql.contains("error") {
            self.failed = true;
            return frame(b'E', b"SERROR\0C22012\0Mon purpose\0\0");
        }
        let length = u32::try_from(self.parameter.len()).unwrap().to_be_bytes();
        let row = [&1_u16.to_be_bytes()[..], &length, &self.parameter].concat();
        [frame(b'D', &row), frame(b'C', b"SELECT 1\0")].concat()
    }

    fn script(&mut self, script: &str) -> Vec<u8> {
        let mut answer = Vec::new();
        for statement in script.split(';') {
            let word = statement.split_whitespace().next().unwrap_or_default();
            match word {
                "BEGIN" => self.open = true,
                "COMMIT" => self.open = false,
                "ROLLBACK" if !statement.contains("SAVEPOINT") => self.open = false,
                _ => {}
            }
            answer.extend(frame(b'C', format!("{word}\0").as_bytes()));
        }
        answer.extend(self.ready());
        answer
    }
}

/// RowDescription's body: one column `n` of type int8 in binary form.
const COLUMN: &[u8] = b"\0\x01n\0\0\0\0\0\0\0\0\0\0\x14\0\x08\xff\xff\xff\xff\0\x01";

fn text(bytes: &[u8]) -> (String, &[u8]) {
    let end = bytes.iter().position(|&b| b == 0).unwrap();
    (String::from_utf8(bytes[..end].to_vec()).unwrap(), &bytes[end + 1..])
}

/// The first parameter of what follows the names in a Bind; 0 where there is none.
fn parameter(bind: &[u8]) -> Vec<u8> {
    let number = |at: usize, len: usize| bind[at..at + len].iter().fold(0, |n, &b| n << 8 | usize::from(b));
    let at = 2 + 2 * number(0, 2);
    if number(at, 2) == 0 {
        return vec![0; 8];
    }
    let length = number(at + 2, 4);
    bind[at + 6..at + 6 + length].to_vec()
}
