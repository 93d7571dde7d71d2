//! A server that follows a script instead of the protocol.

use std::fmt;
use std::io;
use std::net::SocketAddr;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::task::JoinHandle;

use crate::Endpoint;
use crate::listener::{Listener, Socket};

/// What to play to one client, step by step.
#[derive(Clone, Debug, Default)]
pub struct Script {
    steps: Vec<Step>,
    end: End,
}

/// What follows the last step.
#[derive(Clone, Copy, Debug, Default)]
enum End {
    /// Wait for the client to go.
    #[default]
    Wait,
    Close,
    Hang,
}

#[derive(Clone, Debug)]
enum Step {
    Startup,
    Expect(u8),
    ExpectBytes(usize),
    /// Bytes, and how many to write at once.
    Send(Vec<u8>, usize),
}

/// One thing that the client sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Received {
    /// The frame's first byte; `None` for a start-up packet and for bytes that were not read as a frame.
    pub tag: Option<u8>,
    /// What follows the length.
    pub body: Vec<u8>,
}

/// A step that did not go as the script says.
#[derive(Debug)]
pub struct ScriptError {
    step: usize,
    what: String,
}

impl fmt::Display for ScriptError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "step {}: {}", self.step, self.what)
    }
}

impl std::error::Error for ScriptError {}

/// A frame as a server sends it: the tag, the length, the body.
///
/// # Panics
///
/// If the body is longer than a frame can be.
pub fn frame(tag: u8, body: &[u8]) -> Vec<u8> {
    let length = u32::try_from(body.len() + 4).expect("a frame of a test is small");
    [&[tag], &length.to_be_bytes()[..], body].concat()
}

impl Script {
    /// A script that accepts a connection and, unless it is told to do something, waits for the client to go.
    pub fn new() -> Self {
        Self::default()
    }

    /// A script that reads the start-up packet and lets the client in without a password.
    pub fn greeting() -> Self {
        let welcome = [
            frame(b'R', &0_u32.to_be_bytes()),
            frame(b'S', b"server_version\x0015.0\0"),
            frame(b'S', b"client_encoding\0UTF8\0"),
            frame(b'S', b"integer_datetimes\0on\0"),
            frame(b'K', &[0, 0, 0, 1, 0, 0, 0, 2]),
            frame(b'Z', b"I"),
        ];
        Self::new().startup().send(welcome.concat())
    }

    /// Reads a start-up packet, which has no tag.
    #[must_use]
    pub fn startup(self) -> Self {
        self.then(Step::Startup)
    }

    /// Reads one frame, which must have this tag.
    #[must_use]
    pub fn expect(self, tag: u8) -> Self {
        self.then(Step::Expect(tag))
    }

    /// Reads frames with these tags, in this order.
    #[must_use]
    pub fn expect_all(self, tags: &[u8]) -> Self {
        tags.iter().fold(self, |script, &tag| script.expect(tag))
    }

    /// Reads exactly this many bytes, whatever they are.
    #[must_use]
    pub fn expect_bytes(self, count: usize) -> Self {
        self.then(Step::ExpectBytes(count))
    }

    /// Sends bytes by one write.
    #[must_use]
    pub fn send(self, bytes: impl Into<Vec<u8>>) -> Self {
        self.then(Step::Send(bytes.into(), usize::MAX))
    }

    /// Sends bytes in pieces of `piece` (at least one), each by a write of its own.
    #[must_use]
    pub fn send_split(self, bytes: impl Into<Vec<u8>>, piece: usize) -> Self {
        self.then(Step::Send(bytes.into(), piece))
    }

    /// Ends the script: closes the connection, also while the client still sends.
    #[must_use]
    pub fn close(self) -> Self {
        Self { end: End::Close, ..self }
    }

    /// Ends the script: stays connected without reading or sending until the peer is dropped.
    #[must_use]
    pub fn hang(self) -> Self {
        Self { end: End::Hang, ..self }
    }

    fn then(mut self, step: Step) -> Self {
        self.steps.push(step);
        self
    }

    async fn play(self, mut socket: Box<dyn Socket>) -> Result<Vec<Received>, ScriptError> {
        let mut received = Vec::new();
        for (index, step) in self.steps.into_iter().enumerate() {
            let done = step.run(&mut *socket, &mut received).await;
            done.map_err(|what| ScriptError { step: index + 1, what })?;
        }
        match self.end {
            End::Wait => while !matches!(socket.read(&mut [0; 1024]).await, Ok(0) | Err(_)) {},
            End::Close => {}
            End::Hang => std::future::pending().await,
        }
        Ok(received)
    }
}

impl Step {
    async fn run(self, socket: &mut dyn Socket, received: &mut Vec<Received>) -> Result<(), String> {
        let text = |error: io::Error| error.to_string();
        match self {
            Self::Startup => received.push(read_frame(socket, false).await.map_err(text)?),
            Self::Expect(tag) => {
                let wanted = tag.escape_ascii();
                let got = read_frame(socket, true).await;
                let got = got.map_err(|error| format!("{error}, waiting for {wanted}"))?;
                if got.tag != Some(tag) {
                    return Err(format!(
                        "got {} instead of {wanted}",
                        got.tag.unwrap_or_default().escape_ascii()
                    ));
                }
                received.push(got);
            }
            Self::ExpectBytes(count) => {
                let body = read_bytes(socket, count).await.map_err(text)?;
                received.push(Received { tag: None, body });
            }
            Self::Send(bytes, piece) => {
                for piece in bytes.chunks(piece.max(1)) {
                    socket.write_all(piece).await.map_err(text)?;
                    // The client gets a chance to read the piece by itself.
                    tokio::task::yield_now().await;
                }
            }
        }
        Ok(())
    }
}

/// A server that plays one script to each client, in the order in which they come.
///
/// ```
/// # tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(async {
/// use tokio::io::AsyncWriteExt as _;
/// use wreath_tests::{Script, ScriptedPeer, frame};
///
/// let peer = ScriptedPeer::start([Script::greeting().expect(b'Q').send(frame(b'Z', b"I"))]).await.unwrap();
/// let mut client = tokio::net::TcpStream::connect(peer.address()).await.unwrap();
/// client.write_all(b"\0\0\0\x08\0\x03\0\0").await.unwrap(); // a start-up packet without parameters
/// client.write_all(&frame(b'Q', b"SELECT 1\0")).await.unwrap();
/// client.shutdown().await.unwrap();
///
/// let heard = peer.finish().await.unwrap();
/// assert_eq!(heard[0][1].body, b"SELECT 1\0");
/// # });
/// ```
#[derive(Debug)]
pub struct ScriptedPeer {
    endpoint: Endpoint,
    player: JoinHandle<Result<Vec<Vec<Received>>, ScriptError>>,
}

impl ScriptedPeer {
    /// Listens on a port of 127.0.0.1, and plays each script once.
    ///
    /// # Errors
    ///
    /// If no port can be had.
    pub async fn start(scripts: impl IntoIterator<Item = Script>) -> io::Result<Self> {
        Ok(Self::serve(Listener::tcp().await?, scripts))
    }

    /// As [`start`](Self::start), but on a socket in a folder of its own.
    ///
    /// # Errors
    ///
    /// If no folder can be made.
    pub async fn start_unix(scripts: impl IntoIterator<Item = Script>) -> io::Result<Self> {
        Ok(Self::serve(Listener::unix()?, scripts))
    }

    fn serve((listener, endpoint): (Listener, Endpoint), scripts: impl IntoIterator<Item = Script>) -> Self {
        let scripts: Vec<Script> = scripts.into_iter().collect();
        let player = tokio::spawn(async move {
            let mut heard = Vec::new();
            for script in scripts {
                let accepted = listener.accept().await;
                let socket = accepted.map_err(|e| ScriptError { step: 0, what: e.to_string() })?;
                heard.push(script.play(socket).await?);
            }
            Ok(heard)
        });
        Self { endpoint, player }
    }

    /// Where it listens.
    pub fn endpoint(&self) -> &Endpoint {
        &self.endpoint
    }

    /// The address where it listens.
    ///
    /// # Panics
    ///
    /// If it listens on a socket.
    pub fn address(&self) -> SocketAddr {
        self.endpoint.address()
    }

    /// A URL that leads to it.
    pub fn dsn(&self) -> String {
        self.endpoint.url("scripted", "scripted")
    }

    /// Waits for the scripts' ends and gives what each client sent.
    ///
    /// # Errors
    ///
    /// The first step that did not go as its script says.
    ///
    /// # Panics
    ///
    /// If the runtime ends first.
    pub async fn finish(mut self) -> Result<Vec<Vec<Received>>, ScriptError> {
        (&mut self.player).await.expect("a script does not panic")
    }
}

impl Drop for ScriptedPeer {
    fn drop(&mut self) {
        self.player.abort();
    }
}

async fn read_frame(socket: &mut dyn Socket, tagged: bool) -> io::Result<Received> {
    let tag = if tagged { Some(socket.read_u8().await?) } else { None };
    let length = socket.read_u32().await?;
    let length = usize::try_from(length).ok().and_then(|length| length.checked_sub(4));
    let length = length.ok_or_else(|| io::Error::new(io::ErrorKind::InvalidData, "a length below 4"))?;
    Ok(Received { tag, body: read_bytes(socket, length).await? })
}

async fn read_bytes(socket: &mut dyn Socket, count: usize) -> io::Result<Vec<u8>> {
    let mut bytes = vec![0; count];
    socket.read_exact(&mut bytes).await?;
    Ok(bytes)
}
