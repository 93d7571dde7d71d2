//! Moments between two locks, which no caller from outside can be sure to meet.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::Wake;

use tokio::io::AsyncWriteExt;
use tokio::net::{TcpListener, TcpStream};
use tokio::runtime::Builder;
use wreath_codecs::ParamBuf;
use wreath_codecs::frame::backend;

use super::*;
use crate::net::{Address, Dial, Endpoint};
use crate::observe::Watch;
use crate::proto::pipeline::{Manner, Options};
use crate::proto::scope::OUTSIDE;
use crate::proto::session::Session;
use crate::proto::statement::StatementCache;
use crate::sql::SqlRef;

/// A waker that counts how often it is woken.
#[derive(Default)]
struct Wakes(AtomicUsize);

impl Wake for Wakes {
    fn wake(self: Arc<Self>) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }
}

impl Wakes {
    fn count(&self) -> usize {
        self.0.load(Ordering::SeqCst)
    }
}

fn waker(wakes: &Arc<Wakes>) -> Waker {
    Waker::from(Arc::clone(wakes))
}

/// An engine whose background work is done on `runtime`, and the server's end of its socket.
async fn engine(runtime: &Handle) -> (Arc<Engine>, TcpStream) {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("is bound");
    let ours = TcpStream::connect(address).await.expect("is listened to");
    let (theirs, _) = listener.accept().await.expect("has come");
    let pipeline = Pipeline::new(Session::default(), StatementCache::new(8, 1 << 20), Options::new(1 << 20));
    let host = address.ip().to_string();
    let observer = Observer::new(Watch::default(), &Address::Tcp(host.clone(), address.port()), "llamas");
    let endpoint = Endpoint::Tcp { host, address };
    let cancel = CancelToken::new(endpoint, Dial::default(), None, 1, vec![0; 4]);
    let setup = Setup { catalog: Arc::default(), cancel: Some(cancel), cancel_on_drop: true, observer };
    let _entered = runtime.enter();
    (Arc::new(Engine::new(Stream::Tcp(ours), BytesMut::new(), pipeline, setup)), theirs)
}

fn submit(engine: &Engine) -> OpKey {
    let call = |p: &mut Pipeline| p.submit(SqlRef::new("SELECT"), &ParamBuf::new(), OUTSIDE, Manner::CAREFUL);
    engine.submit(call, |submitted| submitted.key).expect("is taken").key
}

/// A caller that was about to read when the token was taken from it leaves the socket's wake-ups to the resident task.
#[tokio::test]
async fn a_late_caller_does_not_take_the_place_of_the_resident_task() {
    let (engine, mut server) = engine(&Handle::current()).await;
    let (late, resident) = (Arc::<Wakes>::default(), Arc::<Wakes>::default());
    let first = submit(&engine);
    // A second operation: from now on it is the resident task that drives.
    submit(&engine);
    assert!(engine.poll_resident(&mut Context::from_waker(&waker(&resident))).is_pending());
    let stopped = engine.drive(&mut Context::from_waker(&waker(&late)), Some(first));
    assert!(matches!(stopped, Stopped::HandOver));

    let mut notice = BytesMut::new();
    let status = [(b'S', "NOTICE"), (b'V', "NOTICE"), (b'C', "00000"), (b'M', "it goes on")];
    backend::notice_response(&mut notice, status).expect("fits");
    server.write_all(&notice).await.expect("is read by the engine");
    let told = async {
        while resident.count() == 0 {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(std::time::Duration::from_secs(30), told).await.expect("the resident task is woken");
    assert_eq!(late.count(), 0, "the socket knows the resident task alone");
}

/// Nothing is sent while a cancel request is on its way; when its task is dropped, it may or may not have been, and
/// those who wait are told.
#[tokio::test]
async fn a_cancel_request_whose_task_dies_holds_nobody_up() {
    let background = Builder::new_current_thread().build().expect("a runtime");
    // What is spawned there is never run.
    let (engine, _server) = engine(background.handle()).await;
    let wakes = Arc::<Wakes>::default();
    let waker = waker(&wakes);
    let mut cx = Context::from_waker(&waker);
    let given_up = submit(&engine);
    assert!(engine.poll_op(given_up, &mut cx).is_pending());
    engine.abandon(&[given_up]);
    let waiting = submit(&engine);
    assert!(engine.poll_op(waiting, &mut cx).is_pending());
    assert_eq!(wakes.count(), 0);

    background.shutdown_background();
    assert_eq!(wakes.count(), 1);
    let Poll::Ready(outcome) = engine.poll_op(waiting, &mut cx) else { panic!("it waits for ever") };
    let error = outcome.error.expect("the connection is lost");
    assert_eq!(error.kind(), ErrorKind::Closed);
    assert!(error.to_string().contains("cancel request"), "{error}");
}
