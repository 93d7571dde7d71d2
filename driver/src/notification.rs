//! What NOTIFY brings.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use wreath_codecs::frame::backend;
use wreath_simd::Queue;

use crate::chance;
use crate::config::Config;
use crate::connection::Connection;
use crate::error::{Error, ErrorKind, Result};

/// A message that a NOTIFY sent (PostgreSQL manual, "NOTIFY").
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notification {
    /// The server process of the session that sent it.
    pub process_id: i32,
    /// The channel that it was sent on.
    pub channel: String,
    /// What was said; empty where nothing was.
    pub payload: String,
}

impl From<backend::Notification<'_>> for Notification {
    fn from(sent: backend::Notification<'_>) -> Self {
        Self {
            process_id: sent.process_id,
            channel: sent.channel.to_string_lossy().into_owned(),
            payload: sent.payload.to_string_lossy().into_owned(),
        }
    }
}

/// The notifications of one connection; made by [`Connection::notifications`].
///
/// Those that nobody takes wait here, the latest 1,024 of them; what is lost is counted in
/// [`Stats::dropped_notifications`](crate::Stats::dropped_notifications). Several of these share what arrives.
#[derive(Clone, Debug)]
pub struct Notifications(pub(crate) Arc<Queue<Notification>>);

impl Notifications {
    /// The next notification; `None` once the connection is closed. Dropping the future loses nothing.
    pub async fn recv(&self) -> Option<Notification> {
        self.0.get().await
    }

    /// The next notification, if it is there.
    pub fn try_recv(&self) -> Option<Notification> {
        self.0.try_get()
    }
}

/// What a [`Listener`] has heard.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Event {
    /// A notification.
    Notification(Notification),
    /// The connection was lost and another one listens now; what was notified in between is lost. Whoever keeps
    /// something up to date by notifications has to read it anew.
    Gap {
        /// Why the connection was lost.
        cause: Error,
    },
}

/// Listens for as long as it lives, over as many connections as that takes.
///
/// A connection that is lost is replaced, with waits that grow up to a minute, and the loss is told as a
/// [`Gap`](Event::Gap). One that is silent is asked now and then whether it is still there.
///
/// ```no_run
/// # async fn f() -> wreath_driver::Result<()> {
/// use wreath_driver::{Event, Listener};
///
/// let mut listener = Listener::connect("postgres://shepherd@localhost/farm".parse()?).await?;
/// listener.listen("shearings").await?;
/// loop {
///     match listener.recv().await {
///         Event::Notification(n) => println!("{} says {}", n.channel, n.payload),
///         Event::Gap { cause } => println!("something may have been missed: {cause}"),
///         _ => {}
///     }
/// }
/// # }
/// ```
#[derive(Debug)]
pub struct Listener {
    config: Config,
    channels: BTreeSet<String>,
    heartbeat: Duration,
    connection: Connection,
    notifications: Notifications,
    /// Why the last connection was lost, until another one listens; and how many attempts have failed.
    lost: Option<(Error, u32)>,
}

/// How long a connection may be silent before it is asked whether it is still there.
const HEARTBEAT: Duration = Duration::from_secs(30);
/// The waits between attempts to connect again.
const FIRST_PAUSE: Duration = Duration::from_millis(50);
const LONGEST_PAUSE: Duration = Duration::from_secs(60);

impl Listener {
    /// Connects; it listens to nothing yet.
    ///
    /// # Errors
    /// As [`Config::connect`].
    pub async fn connect(config: Config) -> Result<Self> {
        let connection = config.connect().await?;
        let notifications = connection.notifications();
        Ok(Self {
            config,
            channels: BTreeSet::new(),
            heartbeat: HEARTBEAT,
            connection,
            notifications,
            lost: None,
        })
    }

    /// How long the connection may be silent before it is asked whether it is still there, and how long it may take
    /// to answer: 30 seconds unless told otherwise. A server has as long to let another session begin, where
    /// [`Config::connect_timeout`] does not say how long.
    #[must_use]
    pub fn heartbeat(mut self, heartbeat: Duration) -> Self {
        self.heartbeat = heartbeat;
        self
    }

    /// Listens to a channel too, now and on every connection to come.
    ///
    /// # Errors
    /// As [`Connection::listen`]. The channel is listened to on the next connection all the same when this one is
    /// lost.
    pub async fn listen(&mut self, channel: &str) -> Result<()> {
        self.channels.insert(channel.to_owned());
        let answer = self.connection.listen(channel).await;
        if answer.as_ref().is_err_and(|e| !e.is_connection_lost()) {
            self.channels.remove(channel);
        }
        answer
    }

    /// Does not listen to a channel any more.
    ///
    /// # Errors
    /// As [`Connection::unlisten`].
    pub async fn unlisten(&mut self, channel: &str) -> Result<()> {
        self.channels.remove(channel);
        self.connection.unlisten(channel).await
    }

    /// The next that is heard. It never ends: while there is no connection it tries to have one. Dropping the future
    /// loses nothing.
    pub async fn recv(&mut self) -> Event {
        loop {
            if let Some((cause, attempts)) = self.lost.clone() {
                if attempts > 0 {
                    tokio::time::sleep(pause(attempts)).await;
                }
                // Counted before, so that an attempt that is dropped is one.
                self.lost = Some((cause.clone(), attempts.saturating_add(1)));
                if self.reconnect().await.is_ok() {
                    self.lost = None;
                    return Event::Gap { cause };
                }
                continue;
            }
            match tokio::time::timeout(self.heartbeat, self.notifications.recv()).await {
                Ok(Some(notification)) => return Event::Notification(notification),
                Ok(None) => self.lost = Some((self.connection.end(), 0)),
                Err(_) => {
                    if let Err(e) = self.connection.within(self.heartbeat).batch("").await {
                        self.lost = Some((e, 0));
                    }
                }
            }
        }
    }

    async fn reconnect(&mut self) -> Result<()> {
        let connection = self.config.connect_within(self.heartbeat).await?;
        let notifications = connection.notifications();
        let listening = connection.within(self.heartbeat);
        for channel in &self.channels {
            listening.batch(&listen(channel)?).await?;
        }
        drop(listening);
        (self.connection, self.notifications) = (connection, notifications);
        Ok(())
    }
}

/// Twice as long for each attempt that has failed, and shorter by a random part of up to a half, so that not all
/// who lost a server come back at once.
fn pause(attempts: u32) -> Duration {
    let longest = FIRST_PAUSE.saturating_mul(1 << attempts.min(16)).min(LONGEST_PAUSE);
    longest.mul_f64(1.0 - chance::fraction() / 2.0)
}

impl Connection {
    /// Listens to a channel: from now on what is notified there comes out of [`notifications`](Self::notifications).
    ///
    /// # Errors
    /// `Encode` for a name that no channel has; and as [`execute`](crate::Client::execute).
    pub async fn listen(&self, channel: &str) -> Result<()> {
        self.batch(&listen(channel)?).await.map(drop)
    }

    /// Does not listen to a channel any more.
    ///
    /// # Errors
    /// As [`listen`](Self::listen).
    pub async fn unlisten(&self, channel: &str) -> Result<()> {
        self.batch(&format!("UNLISTEN {}", quoted(channel)?)).await.map(drop)
    }
}

fn listen(channel: &str) -> Result<String> {
    Ok(format!("LISTEN {}", quoted(channel)?))
}

/// A channel's name as SQL writes it.
fn quoted(channel: &str) -> Result<String> {
    if channel.is_empty() || channel.contains('\0') {
        return Err(Error::new(ErrorKind::Encode, format!("no channel has the name {channel:?}")));
    }
    Ok(format!("\"{}\"", channel.replace('"', "\"\"")))
}
