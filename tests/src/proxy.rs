//! A proxy that does to a connection what networks do.

use std::io;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};
use tokio::sync::watch;
use tokio::task::JoinHandle;

use crate::listener::{Listener, Socket};
use crate::{Cluster, Endpoint};

/// The most that is taken from a socket at once.
const CHUNK: usize = 64 * 1024;

/// Which way bytes flow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Direction {
    /// From the client to the server.
    ToServer,
    /// From the server to the client.
    ToClient,
}

/// What happens to the bytes that flow in one direction, on connections old and new.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Fault {
    /// Nothing: they are passed on at once.
    #[default]
    Pass,
    /// This many more bytes are passed on, counted for each connection; then both sides are closed.
    CutAfter(usize),
    /// Nothing is read, so that the sender's buffers fill up, until another fault is set.
    Stall,
    /// Each chunk is passed on this much later.
    Delay(Duration),
    /// Chunks are passed on in pieces of this many bytes (at least one), each by a write of its own.
    Split(usize),
    /// Everything is read and nothing passed on, as behind a firewall that forgot the connection.
    BlackHole,
}

/// What went through in one direction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Reads that brought bytes. Writes of one side that follow each other closely can arrive as one, so this
    /// is at most the number of its writes.
    pub chunks: u64,
    /// Bytes that arrived, passed on or not.
    pub bytes: u64,
}

/// What went through a [`FaultProxy`] so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Traffic {
    /// Connections that clients opened.
    pub connections: u64,
    /// How often the flow turned from the server's bytes, or from nothing, to the client's: with one client
    /// that waits for its answers, its round trips.
    pub flights: u64,
    /// What clients sent.
    pub to_server: Counts,
    /// What the server sent.
    pub to_client: Counts,
}

/// A proxy in front of a server, whose faults are set while it runs.
///
/// It runs on the runtime that it was started on, until it is dropped; connections through it end with it.
///
/// ```no_run
/// # async fn test() -> std::io::Result<()> {
/// use wreath_tests::{Cluster, Direction, Fault, FaultProxy};
///
/// let cluster = Cluster::shared();
/// let db = cluster.database();
/// let proxy = FaultProxy::start(cluster).await?;
/// // ... connect a driver to `proxy.dsn(db.name())`, then let the server's answers stop:
/// proxy.set(Direction::ToClient, Fault::Stall);
/// println!("{} round trips", proxy.traffic().flights);
/// # Ok(()) }
/// ```
#[derive(Debug)]
pub struct FaultProxy {
    endpoint: Endpoint,
    /// The URL's `user` or `user:password`.
    user: String,
    shared: Arc<Shared>,
    acceptor: JoinHandle<()>,
}

#[derive(Debug)]
struct Shared {
    upstream: Endpoint,
    to_server: watch::Sender<Fault>,
    to_client: watch::Sender<Fault>,
    /// Changes at every [`FaultProxy::cut`]; closed when the proxy is dropped.
    cuts: watch::Sender<u64>,
    ledger: Mutex<Ledger>,
}

#[derive(Debug, Default)]
struct Ledger {
    traffic: Traffic,
    last: Option<Direction>,
}

impl FaultProxy {
    /// A proxy on a port of 127.0.0.1 in front of a test server: of its socket, if it has one, so that the
    /// superuser needs no password.
    ///
    /// # Errors
    ///
    /// If no port can be had, or the server's host has no address.
    pub async fn start(cluster: &Cluster) -> io::Result<Self> {
        let (user, upstream) = cluster.way_in()?;
        Ok(Self::serve(Listener::tcp().await?, upstream, user))
    }

    /// As [`start`](Self::start), but the proxy listens on a socket in a folder of its own.
    ///
    /// # Errors
    ///
    /// If no folder can be made, or the server's host has no address.
    pub async fn start_unix(cluster: &Cluster) -> io::Result<Self> {
        let (user, upstream) = cluster.way_in()?;
        Ok(Self::serve(Listener::unix()?, upstream, user))
    }

    /// A proxy on a port of 127.0.0.1 in front of whatever listens at `host` and `port`, such as the test server with
    /// a password.
    ///
    /// # Errors
    ///
    /// If no port can be had, or the host has no address.
    pub async fn start_tcp(host: &str, port: u16) -> io::Result<Self> {
        let upstream = Endpoint::tcp(host, port)?;
        Ok(Self::serve(Listener::tcp().await?, upstream, "postgres".to_owned()))
    }

    fn serve((listener, endpoint): (Listener, Endpoint), upstream: Endpoint, user: String) -> Self {
        let shared = Arc::new(Shared {
            upstream,
            to_server: watch::Sender::new(Fault::Pass),
            to_client: watch::Sender::new(Fault::Pass),
            cuts: watch::Sender::new(0),
            ledger: Mutex::default(),
        });
        let acceptor = tokio::spawn(accept(listener, Arc::clone(&shared)));
        Self { endpoint, user, shared, acceptor }
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

    /// The URL of `database` through the proxy, for the superuser.
    pub fn dsn(&self, database: &str) -> String {
        self.endpoint.url(&self.user, database)
    }

    /// Sets what happens from now on to bytes that flow in `direction`.
    pub fn set(&self, direction: Direction, fault: Fault) {
        self.shared.fault(direction).send_replace(fault);
    }

    /// Closes every connection; new ones are accepted.
    pub fn cut(&self) {
        self.shared.cuts.send_modify(|count| *count += 1);
    }

    /// Ends the proxy and waits until its last connection is closed on both sides.
    ///
    /// Dropping it ends it as well, but its connections close only when the runtime comes to them. PostgreSQL does not
    /// drop a database while a client is half way through its log-in, so a test that leaves one there stops its proxy.
    pub async fn stop(self) {
        self.acceptor.abort();
        self.cut();
        // Every task of the proxy holds a share.
        while Arc::strong_count(&self.shared) > 1 {
            tokio::task::yield_now().await;
        }
    }

    /// What went through since the start or the last [`reset`](Self::reset).
    pub fn traffic(&self) -> Traffic {
        self.shared.ledger().traffic
    }

    /// Starts counting afresh, and gives what was counted so far.
    pub fn reset(&self) -> Traffic {
        std::mem::take(&mut *self.shared.ledger()).traffic
    }
}

impl Drop for FaultProxy {
    fn drop(&mut self) {
        self.acceptor.abort();
        self.cut();
    }
}

impl Shared {
    fn fault(&self, direction: Direction) -> &watch::Sender<Fault> {
        match direction {
            Direction::ToServer => &self.to_server,
            Direction::ToClient => &self.to_client,
        }
    }

    fn ledger(&self) -> std::sync::MutexGuard<'_, Ledger> {
        self.ledger.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn count(&self, direction: Direction, bytes: usize) {
        let mut ledger = self.ledger();
        if direction == Direction::ToServer && ledger.last != Some(direction) {
            ledger.traffic.flights += 1;
        }
        ledger.last = Some(direction);
        let counts = match direction {
            Direction::ToServer => &mut ledger.traffic.to_server,
            Direction::ToClient => &mut ledger.traffic.to_client,
        };
        counts.chunks += 1;
        counts.bytes += u64::try_from(bytes).unwrap_or(u64::MAX);
    }
}

async fn accept(listener: Listener, shared: Arc<Shared>) {
    while let Ok(client) = listener.accept().await {
        shared.ledger().traffic.connections += 1;
        tokio::spawn(connection(client, Arc::clone(&shared)));
    }
}

/// Serves one connection until either side ends it, a fault does, or it is cut.
async fn connection(client: Box<dyn Socket>, shared: Arc<Shared>) -> io::Result<()> {
    let mut cuts = shared.cuts.subscribe();
    let work = async {
        let server = shared.upstream.connect().await?;
        let (from_client, to_client) = tokio::io::split(client);
        let (from_server, to_server) = tokio::io::split(server);
        tokio::select! {
            result = flow(from_client, to_server, Direction::ToServer, &shared) => result,
            result = flow(from_server, to_client, Direction::ToClient, &shared) => result,
        }
    };
    tokio::select! {
        result = work => result,
        _ = cuts.changed() => Ok(()),
    }
}

/// Moves bytes in one direction until their source ends or a fault cuts them.
async fn flow<R, W>(mut from: R, mut to: W, direction: Direction, shared: &Shared) -> io::Result<()>
where
    R: AsyncRead + Unpin,
    W: AsyncWrite + Unpin,
{
    let mut faults = shared.fault(direction).subscribe();
    let mut chunk = vec![0; CHUNK];
    loop {
        let fault = *faults.borrow_and_update();
        // Bytes passed on under this fault.
        let mut passed = 0;
        loop {
            let read = tokio::select! {
                biased;
                // The proxy's part of the channel lives as long as its connections run.
                _ = faults.changed() => break,
                read = from.read(&mut chunk), if fault != Fault::Stall => read?,
            };
            if read == 0 {
                return to.shutdown().await;
            }
            shared.count(direction, read);
            pass(&chunk[..read], &mut to, fault, passed).await?;
            passed += read;
            if matches!(fault, Fault::CutAfter(limit) if passed >= limit) {
                return Ok(());
            }
        }
    }
}

/// Passes one chunk on as `fault` has it, after `passed` bytes before it.
async fn pass<W>(chunk: &[u8], to: &mut W, fault: Fault, passed: usize) -> io::Result<()>
where
    W: AsyncWrite + Unpin,
{
    let (bytes, piece) = match fault {
        Fault::CutAfter(limit) => (&chunk[..chunk.len().min(limit - passed)], CHUNK),
        Fault::BlackHole => (&[][..], CHUNK),
        Fault::Split(piece) => (chunk, piece.max(1)),
        _ => (chunk, CHUNK),
    };
    if let Fault::Delay(time) = fault {
        tokio::time::sleep(time).await;
    }
    for piece in bytes.chunks(piece) {
        to.write_all(piece).await?;
        to.flush().await?;
        // The reader gets a chance to see the piece by itself.
        tokio::task::yield_now().await;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::io;
    use std::pin::Pin;
    use std::task::{Context, Poll};

    use tokio::io::AsyncWrite;

    use super::{Fault, pass};

    /// Keeps what each write brought.
    #[derive(Default)]
    struct Writes(Vec<Vec<u8>>);

    impl AsyncWrite for Writes {
        fn poll_write(
            mut self: Pin<&mut Self>,
            _: &mut Context<'_>,
            bytes: &[u8],
        ) -> Poll<io::Result<usize>> {
            self.0.push(bytes.to_vec());
            Poll::Ready(Ok(bytes.len()))
        }

        fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
            Poll::Ready(Ok(()))
        }

        fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
            Poll::Ready(Ok(()))
        }
    }

    #[tokio::test]
    async fn each_fault_writes_what_it_says() {
        let cases: [(Fault, usize, &[&[u8]]); 6] = [
            (Fault::Pass, 0, &[b"0123456"]),
            (Fault::Split(3), 0, &[b"012", b"345", b"6"]),
            (Fault::Split(0), 5, &[b"0", b"1", b"2", b"3", b"4", b"5", b"6"]),
            (Fault::CutAfter(9), 5, &[b"0123"]),
            (Fault::CutAfter(0), 0, &[]),
            (Fault::BlackHole, 0, &[]),
        ];
        for (fault, passed, wanted) in cases {
            let mut writes = Writes::default();
            pass(b"0123456", &mut writes, fault, passed).await.unwrap();
            assert_eq!(writes.0, wanted, "{fault:?}");
        }
    }
}
