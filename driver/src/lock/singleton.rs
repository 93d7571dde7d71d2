//! Work that is done by one process of many.

use std::fmt;
use std::future::poll_fn;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::Poll;
use std::time::Duration;

use tokio::sync::watch;
use tokio::task::JoinHandle;

use crate::chance;
use crate::error::Result;
use crate::lock::{AdvisoryLock, LockKey};
use crate::pool::Pool;

/// How often those who do not lead try to.
const POLL_INTERVAL: Duration = Duration::from_secs(5);

/// Work that at most one of all processes does at a time: whoever holds a lock. Started by [`run`](Self::run).
///
/// The work must be able to be done again from where another left off: when the leader's connection dies, the server lets
/// the lock go, and a follower takes it within one poll interval.
#[must_use = "nothing happens before it runs"]
pub struct Singleton {
    key: LockKey,
    poll_interval: Duration,
    jitter: Box<dyn Fn(Duration) -> Duration + Send + Sync>,
}

impl Singleton {
    /// Work under the lock `key`.
    pub fn new(key: LockKey) -> Self {
        let jitter = Box::new(|interval: Duration| interval.mul_f64(1.0 - chance::fraction() / 5.0));
        Self { key, poll_interval: POLL_INTERVAL, jitter }
    }

    /// How long a follower waits between attempts to lead, and how often a leader makes sure of its connection: 5 seconds
    /// unless told otherwise.
    pub fn poll_interval(mut self, interval: Duration) -> Self {
        self.poll_interval = interval;
        self
    }

    /// What makes the next wait of the poll interval. Unless told otherwise it is up to a fifth shorter, at random.
    pub fn jitter(mut self, jitter: impl Fn(Duration) -> Duration + Send + Sync + 'static) -> Self {
        self.jitter = Box::new(jitter);
        self
    }

    /// Contends for the lock, on connections of `pool`, and calls `work` each time it has got it. The future that this
    /// makes is dropped when the leadership ends before it does.
    ///
    /// ```no_run
    /// # async fn f(pool: wreath_driver::Pool) {
    /// use wreath_driver::{LockKey, Singleton};
    ///
    /// let runner = Singleton::new(LockKey::new("shearing")).run(&pool, || async {
    ///     // ... shear those that have not been shorn
    ///     wreath_driver::Result::Ok(())
    /// });
    /// // At the end of the program:
    /// runner.stop().await;
    /// # }
    /// ```
    ///
    /// # Panics
    /// Outside of a runtime.
    pub fn run<E, F>(self, pool: &Pool, work: impl Fn() -> F + Send + Sync + 'static) -> SingletonRunner
    where
        F: Future<Output = std::result::Result<(), E>> + Send + 'static,
        E: Send + 'static,
    {
        let counts = Arc::new(Counts::default());
        let (stop, stopped) = watch::channel(false);
        let contender = Contender { plan: self, pool: pool.clone(), counts: Arc::clone(&counts), stopped };
        SingletonRunner { counts, stop, task: tokio::spawn(contender.run(work)) }
    }
}

impl fmt::Debug for Singleton {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Singleton")
            .field("key", &self.key)
            .field("poll_interval", &self.poll_interval)
            .finish_non_exhaustive()
    }
}

/// A [`Singleton`] that runs. Dropping it ends it where it is; [`stop`](Self::stop) lets the lock go in order.
#[derive(Debug)]
pub struct SingletonRunner {
    counts: Arc<Counts>,
    stop: watch::Sender<bool>,
    task: JoinHandle<()>,
}

#[derive(Debug, Default)]
struct Counts {
    led: AtomicU64,
    lead_errors: AtomicU64,
    release_errors: AtomicU64,
}

impl SingletonRunner {
    /// How often it has begun to lead.
    pub fn led(&self) -> u64 {
        self.counts.led.load(Ordering::Relaxed)
    }

    /// How many attempts to lead ended in a failure: of the work, of the connection meanwhile, or of the attempt itself.
    pub fn lead_errors(&self) -> u64 {
        self.counts.lead_errors.load(Ordering::Relaxed)
    }

    /// How often the lock could not be let go in order.
    pub fn release_errors(&self) -> u64 {
        self.counts.release_errors.load(Ordering::Relaxed)
    }

    /// Ends the work, if it leads, lets the lock go and does not contend for it any more.
    pub async fn stop(mut self) {
        self.stop.send_replace(true);
        // It ends by itself; if its runtime has gone, it has ended.
        let _ = (&mut self.task).await;
    }
}

impl Drop for SingletonRunner {
    fn drop(&mut self) {
        self.task.abort();
    }
}

struct Contender {
    plan: Singleton,
    pool: Pool,
    counts: Arc<Counts>,
    stopped: watch::Receiver<bool>,
}

/// How a leadership has ended.
enum End {
    Done,
    Failed,
    Lost,
    Stopped,
}

impl Contender {
    async fn run<E, F>(mut self, work: impl Fn() -> F + Send + Sync + 'static)
    where
        F: Future<Output = std::result::Result<(), E>> + Send + 'static,
        E: Send + 'static,
    {
        let work = Arc::new(work);
        while !*self.stopped.borrow() {
            match self.pool.try_lock(&self.plan.key, None).await {
                Ok(Some(lock)) => {
                    self.counts.led.fetch_add(1, Ordering::Relaxed);
                    let work = Arc::clone(&work);
                    let end = self.lead(&lock, async move { work().await }).await;
                    self.count(matches!(end, End::Failed | End::Lost), &self.counts.lead_errors);
                    // The lock of a connection that was lost has gone with it.
                    let failed = !matches!(end, End::Lost) && lock.release().await.is_err();
                    self.count(failed, &self.counts.release_errors);
                }
                Ok(None) => {}
                Err(_) => self.count(true, &self.counts.lead_errors),
            }
            let pause = (self.plan.jitter)(self.plan.poll_interval);
            // Whether it was woken or not: it looks.
            let _ = tokio::time::timeout(pause, self.stopped.wait_for(|stopped| *stopped)).await;
        }
    }

    fn count(&self, happened: bool, count: &AtomicU64) {
        count.fetch_add(u64::from(happened), Ordering::Relaxed);
    }

    /// Does the work in a task of its own, whose panics are its own, for as long as the lock is held.
    async fn lead<E, F>(&self, lock: &AdvisoryLock, work: F) -> End
    where
        F: Future<Output = std::result::Result<(), E>> + Send + 'static,
        E: Send + 'static,
    {
        let mut work = Work(tokio::spawn(work));
        let mut stopped = self.stopped.clone();
        let mut stopped = pin!(stopped.wait_for(|stopped| *stopped));
        let (mut lost, mut silent) = (pin!(lock.lost()), pin!(self.no_answer(lock)));
        let end = poll_fn(|cx| {
            if let Poll::Ready(done) = Pin::new(&mut work.0).poll(cx) {
                return Poll::Ready(if matches!(done, Ok(Ok(()))) { End::Done } else { End::Failed });
            }
            if lost.as_mut().poll(cx).is_ready() || silent.as_mut().poll(cx).is_ready() {
                return Poll::Ready(End::Lost);
            }
            stopped.as_mut().poll(cx).map(|_| End::Stopped)
        })
        .await;
        if matches!(end, End::Lost | End::Stopped) {
            // The lock is not let go before the work has gone.
            work.0.abort();
            let _ = (&mut work.0).await;
        }
        end
    }

    /// Ready when the server does not answer any more on the connection that holds the lock.
    async fn no_answer(&self, lock: &AdvisoryLock) {
        loop {
            tokio::time::sleep(self.plan.poll_interval).await;
            let asked: Result<_> = lock.client().within(self.plan.poll_interval).batch("").await;
            if asked.is_err() {
                return;
            }
        }
    }
}

/// The work, which ends with whoever waits for it.
struct Work<T>(JoinHandle<T>);

impl<T> Drop for Work<T> {
    fn drop(&mut self) {
        self.0.abort();
    }
}
