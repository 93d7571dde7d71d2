//! The handle of a connection.

use std::ops::Deref;
use std::sync::Arc;
use std::time::Duration;

use crate::connection::client::Client;
use crate::connection::engine::Engine;
use crate::connection::resident::Resident;
use crate::error::Result;
use crate::notification::Notifications;
use crate::proto::scope::OUTSIDE;

/// A connection to a server, shared by all who hold a clone of it: statements of several callers go out
/// together and are answered in order, each with its own result or error.
///
/// Its verbs are those of [`Client`]. When the last handle is gone, what is in flight ends and the session
/// does.
///
/// ```no_run
/// # async fn f() -> wreath_driver::Result<()> {
/// let connection = wreath_driver::connect("postgres://shepherd@localhost/farm").await?;
/// let (one, two) = (connection.clone(), connection.clone());
/// let name = tokio::spawn(async move { one.fetch_scalar::<String>("SELECT current_user", ()).await });
/// let answer = two.fetch_scalar::<i32>("SELECT 6 * 7", ()).await?;
/// assert_eq!(answer, 42);
/// # let _ = name;
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Connection {
    client: Client,
}

impl Connection {
    /// Starts the resident task of an established connection, on the current runtime. Its verbs may take as long as `limit`.
    pub(crate) fn start(engine: Engine, limit: Option<Duration>) -> Self {
        let engine = Arc::new(engine);
        tokio::spawn(Resident::new(Arc::clone(&engine)));
        Self { client: Client { handle: Arc::new(Handle(engine)), scope: OUTSIDE, limit } }
    }

    /// Ends the session, once what is in flight has been answered. Other handles of the connection find it
    /// closed.
    ///
    /// # Errors
    /// None today: a connection that is lost is closed too.
    pub async fn close(self) -> Result<()> {
        let engine = Arc::clone(&self.client.handle.0);
        drop(self);
        engine.close();
        std::future::poll_fn(|cx| engine.poll_closed(cx)).await;
        Ok(())
    }

    /// What is notified to this session from now on; see [`listen`](Self::listen).
    ///
    /// ```no_run
    /// # async fn f(connection: wreath_driver::Connection) -> wreath_driver::Result<()> {
    /// let notifications = connection.notifications();
    /// connection.listen("shearings").await?;
    /// while let Some(notification) = notifications.recv().await {
    ///     println!("{}", notification.payload);
    /// }
    /// # Ok(())
    /// # }
    /// ```
    pub fn notifications(&self) -> Notifications {
        let engine = &self.client.handle.0;
        let (queue, closed) = engine.look(|p| (Arc::clone(p.session.notifications()), p.broken().is_some()));
        if closed {
            queue.close();
        }
        Notifications(queue)
    }

    /// What moves its bytes.
    #[cfg(feature = "replication")]
    pub(crate) fn engine(&self) -> &Arc<Engine> {
        &self.client.handle.0
    }
}

impl Clone for Connection {
    /// Another handle of the same connection.
    fn clone(&self) -> Self {
        Self { client: self.client.share() }
    }
}

impl Deref for Connection {
    type Target = Client;

    fn deref(&self) -> &Client {
        &self.client
    }
}

/// What all handles of a connection share; the last one closes it.
#[derive(Debug)]
pub(crate) struct Handle(pub(crate) Arc<Engine>);

impl Drop for Handle {
    fn drop(&mut self) {
        self.0.close();
    }
}
