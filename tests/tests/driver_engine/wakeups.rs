//! No caller waits for another caller to be polled, whoever holds the socket, on whatever thread.

use std::future::Future;
use std::pin::{Pin, pin};
use std::sync::{Arc, Mutex, mpsc};
use std::task::{Context, Poll, Wake, Waker};
use std::thread::{self, Thread};
use std::time::Duration;

use tokio::runtime::{Builder, Runtime};
use wreath_driver::{Connection, ErrorKind, ParamBuf, Reply, Sql};

use crate::drops::Mood;
use crate::echo::Echo;
use crate::fixture::{Wakes, assert_in_step, connect, database, within};

fn params(n: i64) -> ParamBuf {
    let mut params = ParamBuf::new();
    params.push(&n).unwrap();
    params
}

fn echo_sql() -> Sql {
    Sql::new("SELECT $1::int8")
}

fn answer(rows: wreath_driver::Result<wreath_driver::Rows>) -> i64 {
    rows.unwrap().first().unwrap().get(0).unwrap()
}

/// Runs a future on this thread, which sleeps between polls: no runtime knows of it.
fn block_on<F: Future>(future: F) -> F::Output {
    struct Unpark(Thread);

    impl Wake for Unpark {
        fn wake(self: Arc<Self>) {
            self.0.unpark();
        }
    }

    let waker = Waker::from(Arc::new(Unpark(thread::current())));
    let mut future = pin!(future);
    loop {
        match future.as_mut().poll(&mut Context::from_waker(&waker)) {
            Poll::Ready(output) => return output,
            Poll::Pending => thread::park(),
        }
    }
}

/// Runs what may block its thread for ever on another thread, and fails if it does.
fn on_a_thread(test: impl FnOnce() + Send + 'static) {
    let (sender, receiver) = mpsc::channel();
    let thread = thread::spawn(move || {
        test();
        sender.send(()).unwrap();
    });
    match receiver.recv_timeout(Duration::from_secs(60)) {
        Err(mpsc::RecvTimeoutError::Timeout) => panic!("this hangs"),
        _ => thread.join().unwrap(),
    }
}

fn multi_thread() -> Runtime {
    Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap()
}

/// The first operation is sent and polled `polls` times, and then left alone while others want to go on.
async fn leave_the_first_alone(connection: &Connection, polls: usize) {
    let (sql, wakes) = (echo_sql(), Wakes::new());
    let mut first = connection.send(&sql, params(1));
    for _ in 0..polls {
        if let Poll::Ready(rows) = Pin::new(&mut first).poll(&mut Context::from_waker(&wakes.waker())) {
            assert_eq!(answer(rows), 1);
            return;
        }
    }
    for n in 2..5 {
        assert_eq!(answer(within(connection.send(&sql, params(n))).await), n);
    }
    let tx = within(connection.begin()).await.unwrap();
    within(tx.rollback()).await.unwrap();
    if polls > 0 {
        assert!(wakes.count() > 0, "its result is there, and nobody was told");
    }
    assert_eq!(answer(within(first).await), 1);
}

#[tokio::test]
async fn a_first_operation_that_nobody_polls_stalls_nobody() {
    let db = database();
    let connection = connect(&db).await;
    for polls in 0..3 {
        leave_the_first_alone(&connection, polls).await;
    }
    assert_in_step(&connection, "unpolled").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_first_operation_that_nobody_polls_stalls_nobody_on_other_threads() {
    let db = database();
    let connection = connect(&db).await;
    for round in 0..100 {
        let connection = connection.clone();
        tokio::spawn(async move { leave_the_first_alone(&connection, round % 3).await }).await.unwrap();
    }
    assert_in_step(&connection, "unpolled").await;
}

#[tokio::test]
async fn the_arms_of_a_select_do_not_wait_for_each_other() {
    let db = database();
    let connection = connect(&db).await;
    let sql = echo_sql();
    for _ in 0..20 {
        let mut one = pin!(connection.fetch_scalar::<i64>("SELECT 1::int8", ()));
        let mut two = pin!(connection.fetch_scalar::<i64>("SELECT 2::int8", ()));
        let inside = tokio::select! {
            biased;
            n = &mut one => (n.unwrap(), within(two).await.unwrap()),
            n = &mut two => (within(one).await.unwrap(), n.unwrap()),
        };
        assert_eq!(inside, (1, 2));
        // In the body of the arm that won, nobody polls the one that lost.
        let mut lost = pin!(connection.send(&sql, params(8)));
        tokio::select! {
            biased;
            _ = &mut lost => panic!("it cannot be there yet"),
            () = std::future::ready(()) => {
                assert_eq!(answer(within(connection.send(&sql, params(9))).await), 9);
            }
        }
        assert_eq!(answer(within(lost).await), 8);
    }
}

/// A look-up of types is shared by those who need it; it must go on when whoever began it is not polled.
#[tokio::test]
async fn a_look_up_that_nobody_polls_stalls_nobody() {
    let db = database();
    let connection = connect(&db).await;
    for polls in 1..12 {
        connection.catalog().clear();
        let sql = format!("SELECT mood FROM moods WHERE mood = $1 /* {polls} */");
        let mut first = Box::pin(connection.fetch(&sql, (Mood("happy"),)));
        for _ in 0..polls {
            let once = Wakes::new().waker();
            if first.as_mut().poll(&mut Context::from_waker(&once)).is_ready() {
                break;
            }
            // Let everything else that can go on do so.
            tokio::time::sleep(Duration::from_millis(3)).await;
        }
        let second = format!("SELECT mood FROM moods WHERE mood = $1 /* after {polls} */");
        let rows = within(connection.fetch(&second, (Mood("happy"),))).await.unwrap();
        assert_eq!(rows.len(), 1);
    }
}

#[tokio::test]
async fn a_future_may_be_polled_by_one_task_and_then_by_another() {
    let db = database();
    let connection = connect(&db).await;
    let sql = echo_sql();
    for n in 0..50 {
        let mut reply = connection.send(&sql, params(n));
        let before = Wakes::new();
        for _ in 0..n % 3 {
            let _ = Pin::new(&mut reply).poll(&mut Context::from_waker(&before.waker()));
        }
        let other = (n % 2 == 0).then(|| connection.send(&sql, params(-n)));
        assert_eq!(answer(within(tokio::spawn(reply)).await.unwrap()), n);
        if let Some(other) = other {
            assert_eq!(answer(within(other).await), -n);
        }
    }
}

#[test]
fn callers_may_be_on_any_thread_and_runtime() {
    let db = database();
    let home = multi_thread();
    let connection = home.block_on(connect(&db));
    let callers: Vec<_> = (0..4_i64)
        .map(|caller| {
            let connection = connection.clone();
            thread::spawn(move || {
                let sql = echo_sql();
                let work = async {
                    for n in 0..300 {
                        let n = caller * 1000 + n;
                        assert_eq!(answer(connection.send(&sql, params(n)).await), n);
                    }
                };
                if caller % 2 == 0 {
                    block_on(work);
                } else {
                    Builder::new_current_thread().enable_all().build().unwrap().block_on(within(work));
                }
            })
        })
        .collect();
    for caller in callers {
        caller.join().unwrap();
    }
    home.block_on(assert_in_step(&connection, "threads"));
}

/// Two callers that begin at the same moment pass the socket to each other and to the resident task in every
/// order; whoever comes late must not take the socket's wake-ups from whoever holds it.
#[test]
fn callers_that_collide_never_stall() {
    on_a_thread(|| {
        let home = multi_thread();
        let echo = home.block_on(Echo::start(usize::MAX));
        let connection = home.block_on(echo.connect());
        let callers: Vec<_> = (0..3_i64)
            .map(|caller| {
                let connection = connection.clone();
                thread::spawn(move || {
                    let sql = echo_sql();
                    for n in 0..4000 {
                        let n = caller * 10_000 + n;
                        let mut reply = connection.send(&sql, params(n));
                        if n % 7 == 0 {
                            // Left to the others.
                            let _ = Pin::new(&mut reply).poll(&mut Context::from_waker(Waker::noop()));
                            continue;
                        }
                        assert_eq!(answer(block_on(reply)), n);
                    }
                })
            })
            .collect();
        for caller in callers {
            caller.join().unwrap();
        }
    });
}

/// A task that nothing but a waker keeps alive, and that uses the connection when it is dropped.
struct Clings(Connection);

impl Wake for Clings {
    fn wake(self: Arc<Self>) {}
}

impl Drop for Clings {
    fn drop(&mut self) {
        assert!(!self.0.is_closed());
        drop(self.0.send(&echo_sql(), params(0)));
    }
}

#[test]
fn a_waker_may_use_the_connection_when_it_is_dropped() {
    on_a_thread(|| {
        let db = database();
        let home = multi_thread();
        let connection = home.block_on(connect(&db));
        let clings = || Waker::from(Arc::new(Clings(connection.clone())));
        let mut reply = connection.send(&echo_sql(), params(1));
        let mut answered = None;
        for _ in 0..3 {
            // The waker is a new one each time, and takes the place of the last.
            match Pin::new(&mut reply).poll(&mut Context::from_waker(&clings())) {
                Poll::Pending => {}
                Poll::Ready(result) => {
                    answered = Some(result);
                    break;
                }
            }
        }
        assert_eq!(answer(answered.unwrap_or_else(|| block_on(reply))), 1);
        let mut given_up = connection.send(&echo_sql(), params(2));
        let _ = Pin::new(&mut given_up).poll(&mut Context::from_waker(&clings()));
        drop(given_up);
        home.block_on(assert_in_step(&connection, "clinging wakers"));
    });
}

/// A waker that polls right away what it was told of.
struct PollsAtOnce(Mutex<Option<Reply>>);

impl Wake for PollsAtOnce {
    fn wake(self: Arc<Self>) {
        // While it is being polled it is not there, and need not be polled again.
        let Some(mut reply) = self.0.lock().unwrap().take() else { return };
        let waker = Waker::from(Arc::clone(&self));
        if Pin::new(&mut reply).poll(&mut Context::from_waker(&waker)).is_pending() {
            *self.0.lock().unwrap() = Some(reply);
        }
    }
}

#[test]
fn a_waker_may_poll_at_once() {
    on_a_thread(|| {
        let db = database();
        let home = multi_thread();
        let connection = home.block_on(connect(&db));
        for n in 0..200 {
            let sql = echo_sql();
            let held = connection.send(&sql, params(n));
            let task = Arc::new(PollsAtOnce(Mutex::new(Some(held))));
            Arc::clone(&task).wake();
            assert_eq!(answer(block_on(connection.send(&sql, params(n + 1)))), n + 1);
        }
        home.block_on(assert_in_step(&connection, "polled at once"));
    });
}

#[tokio::test]
async fn an_idle_connection_notices_its_end() {
    let db = database();
    for queries in 0..3 {
        let connection = connect(&db).await;
        let mut pid = 0_i32;
        for _ in 0..queries {
            pid = connection.fetch_scalar("SELECT pg_backend_pid()", ()).await.unwrap();
        }
        let one = if queries == 0 { String::new() } else { format!("AND pid = {pid}") };
        let kill = format!(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity
             WHERE datname = current_database() AND pid <> pg_backend_pid() {one}"
        );
        db.admin().query(&kill).unwrap();
        within(async {
            while !connection.is_closed() {
                tokio::time::sleep(Duration::from_millis(2)).await;
            }
        })
        .await;
        let error = connection.execute("SELECT 1", ()).await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Closed, "{error}");
        assert_eq!(error.sqlstate(), Some("57P01"), "the server's last words are kept: {error}");
    }
}

#[test]
fn a_runtime_that_goes_away_fails_whoever_waits() {
    on_a_thread(|| {
        let db = database();
        for waiters in [1_usize, 4] {
            let home = multi_thread();
            let connection = home.block_on(connect(&db));
            let (ready, started) = mpsc::channel();
            let waiting: Vec<_> = (0..waiters)
                .map(|_| {
                    let (connection, ready) = (connection.clone(), ready.clone());
                    thread::spawn(move || {
                        let mut sleep = Box::pin(connection.execute("SELECT pg_sleep(600)", ()));
                        let _ = sleep.as_mut().poll(&mut Context::from_waker(Waker::noop()));
                        ready.send(()).unwrap();
                        block_on(sleep).unwrap_err()
                    })
                })
                .collect();
            for _ in 0..waiters {
                started.recv().unwrap();
            }
            home.shutdown_background();
            for waiter in waiting {
                let error = waiter.join().unwrap();
                assert!(error.is_connection_lost(), "{error}");
            }
            // From another runtime it is simply closed.
            let other = multi_thread();
            let error = other.block_on(within(connection.execute("SELECT 1", ()))).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Closed, "{error}");
            assert!(connection.is_closed());
            other.block_on(within(connection.close())).unwrap();
        }
    });
}

#[tokio::test]
async fn closing_waits_for_what_is_in_flight_and_refuses_the_rest() {
    let db = database();
    let connection = connect(&db).await;
    let other = connection.clone();
    let steady = tokio::spawn(async move {
        for done in 0_u64.. {
            if let Err(e) = other.execute("SELECT 1", ()).await {
                return (done, e);
            }
        }
        unreachable!("it never ends by itself");
    });
    for _ in 0..10 {
        connection.execute("SELECT 2", ()).await.unwrap();
    }
    let last = connection.send(&echo_sql(), params(6));
    within(connection.close()).await.unwrap();
    let (done, refused) = within(steady).await.unwrap();
    assert!(done > 0);
    assert_eq!(refused.kind(), ErrorKind::Closed, "{refused}");
    assert_eq!(answer(within(last).await), 6);
}
