//! Asking for announcements.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use tokio::sync::Notify;
use tokio::task::JoinHandle;

use crate::announce::TableId;
use crate::announce::hub::Listener;
use crate::db::Db;
use crate::model::Model;

/// What to do when rows have been written; made by [`Db::on_write`].
///
/// ```no_run
/// # use wreath_orm::{Column, Columns, Db, Load, Model, Result, Source, Table};
/// # #[derive(Debug)] pub struct Country { code: String }
/// # impl Country { const CODE: Column<Self, String> = Self::TABLE.col("code", |c| &c.code); }
/// # impl Load<Self> for Country {
/// #     fn load<S: Source<Self>>(s: &mut S) -> Result<Self> { Ok(Self { code: s.get(Self::CODE)? }) }
/// # }
/// # impl Model for Country {
/// #     const TABLE: Table<Self> = Table::new("countries");
/// #     type Key = String;
/// #     fn key() -> impl Columns<Self, Row = String> { Self::CODE }
/// # }
/// # async fn f(db: Db) -> Result<()> {
/// use std::sync::{Arc, RwLock};
///
/// let countries = Arc::new(RwLock::new(db.fetch(&Country::select()).await?));
/// let watch = db.on_write::<Country>().refresh({
///     let (db, countries) = (db.clone(), Arc::clone(&countries));
///     move || {
///         let (db, countries) = (db.clone(), Arc::clone(&countries));
///         async move {
///             let fresh = db.fetch(&Country::select()).await?;
///             *countries.write().expect("nobody panics in it") = fresh;
///             Ok::<(), wreath_orm::Error>(())
///         }
///     }
/// });
/// assert_eq!(watch.errors(), 0); // for as long as `watch` lives, writes bring the list up to date
/// # Ok(())
/// # }
/// ```
#[must_use = "nothing happens before it is told what to do"]
pub struct OnWrite {
    db: Db,
    tables: Vec<TableId>,
}

impl Db {
    /// Begins to ask to be told when rows of `M`, or of a model of the same table, have been written through this
    /// handle or a clone of it.
    pub fn on_write<M: Model>(&self) -> OnWrite {
        OnWrite { db: self.clone(), tables: vec![table_of::<M>()] }
    }

    /// Announces that rows of `M` have been written, as a flush does by itself: for SQL of one's own, once it has been
    /// committed.
    pub fn announce<M: Model>(&self) {
        self.hub().announce(&[table_of::<M>()]);
    }
}

impl OnWrite {
    /// Or rows of another model.
    pub fn or<M: Model>(mut self) -> Self {
        self.tables.push(table_of::<M>());
        self
    }

    /// Calls a function within the writer, after its commit: it should be quick, such as to mark something as stale.
    /// One that panics is counted by [`WriteWatch::errors`], and the writer goes on.
    pub fn call(self, call: impl Fn() + Send + Sync + 'static) -> WriteWatch {
        let listener =
            Arc::new(Listener { tables: self.tables, call: Box::new(call), errors: AtomicU64::new(0) });
        self.db.hub().add(Arc::clone(&listener));
        WriteWatch { db: self.db, listener }
    }

    /// Runs `load` in a task of its own after each write; the writer does not wait for it. What is written while it
    /// runs makes it run once more, however many writes there are.
    ///
    /// # Panics
    /// Outside of a tokio runtime, where there are no tasks.
    pub fn refresh<F, E>(self, load: impl Fn() -> F + Send + Sync + 'static) -> RefreshWatch
    where
        F: Future<Output = Result<(), E>> + Send + 'static,
        E: Send + 'static,
    {
        let (due, state) = (Arc::new(Notify::new()), Arc::new(Refreshes::default()));
        let task = tokio::spawn({
            let (due, state) = (Arc::clone(&due), Arc::clone(&state));
            async move {
                loop {
                    due.notified().await;
                    // In a task of its own, so that a panic is an error and not the end.
                    let running = AbortOnDrop(tokio::spawn(load()));
                    state.done(matches!(running.finish().await, Ok(Ok(()))));
                }
            }
        });
        let watch = self.call(move || due.notify_one());
        RefreshWatch { watch, state, task: AbortOnDrop(task) }
    }
}

fn table_of<M: Model>() -> TableId {
    (M::TABLE.schema_name(), M::TABLE.name())
}

/// Calls a function when rows are written, until it is dropped; made by [`OnWrite::call`].
#[must_use = "dropped, it ends"]
pub struct WriteWatch {
    db: Db,
    listener: Arc<Listener>,
}

impl WriteWatch {
    /// How many calls have panicked.
    pub fn errors(&self) -> u64 {
        self.listener.errors.load(Ordering::Relaxed)
    }
}

impl Drop for WriteWatch {
    fn drop(&mut self) {
        self.db.hub().remove(&self.listener);
    }
}

/// Refreshes something when rows are written, until it is dropped; made by [`OnWrite::refresh`].
#[must_use = "dropped, it ends, and with it a refresh that is under way"]
pub struct RefreshWatch {
    watch: WriteWatch,
    state: Arc<Refreshes>,
    task: AbortOnDrop<()>,
}

#[derive(Default)]
struct Refreshes {
    done: AtomicU64,
    errors: AtomicU64,
    progress: Notify,
}

impl Refreshes {
    fn done(&self, well: bool) {
        (if well { &self.done } else { &self.errors }).fetch_add(1, Ordering::Release);
        self.progress.notify_waiters();
    }
}

impl RefreshWatch {
    /// How many refreshes have come to a good end.
    pub fn refreshes(&self) -> u64 {
        self.state.done.load(Ordering::Acquire)
    }

    /// How many have failed or panicked: what is refreshed is then as old as it was.
    pub fn errors(&self) -> u64 {
        self.state.errors.load(Ordering::Acquire)
    }

    /// Waits until so many refreshes have ended, well or not, since it was made.
    pub async fn ended(&self, count: u64) {
        loop {
            let mut progress = std::pin::pin!(self.state.progress.notified());
            progress.as_mut().enable();
            if self.refreshes() + self.errors() >= count {
                return;
            }
            progress.await;
        }
    }
}

/// A task that ends with its handle.
struct AbortOnDrop<T>(JoinHandle<T>);

impl<T> AbortOnDrop<T> {
    async fn finish(mut self) -> Result<T, tokio::task::JoinError> {
        (&mut self.0).await
    }
}

impl<T> Drop for AbortOnDrop<T> {
    fn drop(&mut self) {
        self.0.abort();
    }
}

impl fmt::Debug for OnWrite {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OnWrite").field("tables", &self.tables).finish_non_exhaustive()
    }
}

impl fmt::Debug for WriteWatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let tables = &self.listener.tables;
        f.debug_struct("WriteWatch").field("tables", tables).field("errors", &self.errors()).finish()
    }
}

impl fmt::Debug for RefreshWatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RefreshWatch")
            .field("tables", &self.watch.listener.tables)
            .field("refreshes", &self.refreshes())
            .field("errors", &self.errors())
            .field("ended", &self.task.0.is_finished())
            .finish()
    }
}
