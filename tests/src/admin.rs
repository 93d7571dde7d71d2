//! A blocking connection of the kit's own, for what a test does beside the driver that it tests.

use std::error::Error;
use std::fmt;
use std::io::{self, BufReader, Read, Write};
use std::net::TcpStream;
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::time::Duration;

mod auth;
mod target;

pub(crate) use target::{Host, Target, Url};

/// The answer to one statement or script: rows of columns in text, NULL as `None`.
pub type TextRows = Vec<Vec<Option<String>>>;

/// The longest wait for the server's next bytes, so that a test that went wrong fails instead of hanging.
const PATIENCE: Duration = Duration::from_secs(60);

/// A blocking connection that runs scripts through the simple query protocol and reads text.
///
/// It is made by [`Database::admin`](crate::Database::admin) and [`Cluster::admin`](crate::Cluster::admin).
pub struct Admin {
    reader: BufReader<Box<dyn Read + Send>>,
    writer: Box<dyn Write + Send>,
}

impl Admin {
    pub(crate) fn connect(target: &Target, database: &str) -> Result<Self, AdminError> {
        let (reader, writer) = target.dial()?;
        let mut admin = Self { reader: BufReader::new(reader), writer };
        admin.start(target, database)?;
        Ok(admin)
    }

    /// Runs `script`, which may hold several statements, and gives the rows of all of them.
    ///
    /// # Errors
    ///
    /// The server's error, or a failure of the connection.
    pub fn query(&mut self, script: &str) -> Result<TextRows, AdminError> {
        let mut body = script.as_bytes().to_vec();
        body.push(0);
        self.send(Some(b'Q'), &body)?;
        let (mut rows, mut failure) = (Vec::new(), None);
        loop {
            let (tag, body) = self.read()?;
            match tag {
                b'D' => rows.push(text_row(&body)?),
                b'E' => failure = Some(AdminError::from_server(&body)),
                b'Z' => return failure.map_or(Ok(rows), Err),
                _ => {}
            }
        }
    }

    fn start(&mut self, target: &Target, database: &str) -> Result<(), AdminError> {
        let mut body = 196_608_i32.to_be_bytes().to_vec();
        for (name, value) in [("user", target.user.as_str()), ("database", database)] {
            for text in [name, value] {
                body.extend_from_slice(text.as_bytes());
                body.push(0);
            }
        }
        body.push(0);
        self.send(None, &body)?;
        let mut login = auth::Login::new(&target.user, target.password.as_deref());
        loop {
            let (tag, body) = self.read()?;
            match tag {
                b'R' => {
                    if let Some(answer) = login.answer(&body)? {
                        self.send(Some(b'p'), &answer)?;
                    }
                }
                b'E' => return Err(AdminError::from_server(&body)),
                b'Z' => return Ok(()),
                _ => {}
            }
        }
    }

    fn send(&mut self, tag: Option<u8>, body: &[u8]) -> Result<(), AdminError> {
        let length = i32::try_from(body.len() + 4).map_err(|_| AdminError::new("too long a script"))?;
        let mut frame: Vec<u8> = tag.into_iter().collect();
        frame.extend_from_slice(&length.to_be_bytes());
        frame.extend_from_slice(body);
        Ok(self.writer.write_all(&frame)?)
    }

    fn read(&mut self) -> Result<(u8, Vec<u8>), AdminError> {
        let mut head = [0; 5];
        self.reader.read_exact(&mut head)?;
        let [tag, length @ ..] = head;
        let length = u32::from_be_bytes(length).saturating_sub(4);
        let mut body = Vec::new();
        let read = (&mut self.reader).take(u64::from(length)).read_to_end(&mut body)?;
        if u32::try_from(read) != Ok(length) {
            return Err(io::Error::from(io::ErrorKind::UnexpectedEof).into());
        }
        Ok((tag, body))
    }
}

impl Drop for Admin {
    fn drop(&mut self) {
        // The server notices a closed socket as well, so a failure here costs nothing.
        let _ = self.send(Some(b'X'), &[]);
    }
}

impl fmt::Debug for Admin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Admin").finish_non_exhaustive()
    }
}

/// Why the kit's own connection failed.
#[derive(Debug)]
pub struct AdminError {
    message: String,
    sqlstate: Option<String>,
}

impl AdminError {
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), sqlstate: None }
    }

    /// The five characters of the server's SQLSTATE, where the server reported the error.
    pub fn sqlstate(&self) -> Option<&str> {
        self.sqlstate.as_deref()
    }

    fn from_server(body: &[u8]) -> Self {
        let field = |code: u8| {
            let mut fields = body.split(|&byte| byte == 0);
            let found = fields.find(|field| field.first() == Some(&code));
            found.map(|field| String::from_utf8_lossy(&field[1..]).into_owned())
        };
        Self { message: field(b'M').unwrap_or_default(), sqlstate: field(b'C') }
    }
}

impl fmt::Display for AdminError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.sqlstate {
            Some(code) => write!(f, "{} (SQLSTATE {code})", self.message),
            None => f.write_str(&self.message),
        }
    }
}

impl Error for AdminError {}

impl From<io::Error> for AdminError {
    fn from(error: io::Error) -> Self {
        Self::new(error.to_string())
    }
}

impl Target {
    /// A reader and a writer of one new socket.
    fn dial(&self) -> io::Result<(Box<dyn Read + Send>, Box<dyn Write + Send>)> {
        match &self.host {
            Host::Unix(folder) => {
                let socket = UnixStream::connect(socket_file(folder, self.port))?;
                socket.set_read_timeout(Some(PATIENCE))?;
                Ok((Box::new(socket.try_clone()?), Box::new(socket)))
            }
            Host::Tcp(name) => {
                let socket = TcpStream::connect((name.as_str(), self.port))?;
                socket.set_nodelay(true)?;
                socket.set_read_timeout(Some(PATIENCE))?;
                Ok((Box::new(socket.try_clone()?), Box::new(socket)))
            }
        }
    }
}

/// Where a server with this folder for its sockets listens.
pub(crate) fn socket_file(folder: &std::path::Path, port: u16) -> PathBuf {
    folder.join(format!(".s.PGSQL.{port}"))
}

fn text_row(body: &[u8]) -> Result<Vec<Option<String>>, AdminError> {
    let short = || AdminError::new("a row that ends early");
    let (count, mut rest) = body.split_first_chunk().ok_or_else(short)?;
    let mut row = Vec::new();
    for _ in 0..u16::from_be_bytes(*count) {
        let (length, tail) = rest.split_first_chunk().ok_or_else(short)?;
        // A negative length is NULL.
        let Ok(length) = usize::try_from(i32::from_be_bytes(*length)) else {
            row.push(None);
            rest = tail;
            continue;
        };
        let (value, tail) = tail.split_at_checked(length).ok_or_else(short)?;
        row.push(Some(String::from_utf8_lossy(value).into_owned()));
        rest = tail;
    }
    Ok(row)
}
