use std::time::Duration;

use wreath_driver::{Config, ErrorKind, Event, Listener};
use wreath_tests::{Cluster, Direction, Fault, FaultProxy};

use crate::{connect, connected};

#[tokio::test]
async fn an_idle_connection_hears_what_others_say() {
    let (database, connection) = connected().await;
    let other = connect(&database).await;
    let notifications = connection.notifications();
    for channel in ["plain", "With \"quotes\" and Ünïcode", "a;b"] {
        connection.listen(channel).await.unwrap();
    }
    for (channel, payload) in [
        ("plain", ""),
        ("With \"quotes\" and Ünïcode", "p 'q' \\ ü"),
        ("a;b", "x"),
        ("unheard", "x"),
        ("plain", "last"),
    ] {
        other.execute("SELECT pg_notify($1, $2)", (channel, payload)).await.unwrap();
    }
    let mut heard = Vec::new();
    while heard.len() < 4 {
        let n = notifications.recv().await.unwrap();
        heard.push((n.channel, n.payload));
    }
    assert_eq!(heard[1], ("With \"quotes\" and Ünïcode".to_owned(), "p 'q' \\ ü".to_owned()));
    assert_eq!(heard[3], ("plain".to_owned(), "last".to_owned()));
    connection.unlisten("plain").await.unwrap();
    other.execute("NOTIFY plain", ()).await.unwrap();
    other.execute("NOTIFY \"a;b\"", ()).await.unwrap();
    assert_eq!(notifications.recv().await.unwrap().channel, "a;b");
    assert_eq!(connection.listen("").await.unwrap_err().kind(), ErrorKind::Encode);
    assert_eq!(connection.listen("a\0b").await.unwrap_err().kind(), ErrorKind::Encode);
}

#[tokio::test]
async fn what_nobody_takes_in_time_is_counted_and_the_latest_are_kept() {
    let (_database, connection) = connected().await;
    connection.batch("LISTEN c; NOTIFY c, 'before anybody asked'").await.unwrap();
    assert_eq!(connection.stats().dropped_notifications, 1);
    let notifications = connection.notifications();
    connection.execute("SELECT pg_notify('c', g::text) FROM generate_series(1, 1500) g", ()).await.unwrap();
    // The notifications come behind the statement's end.
    connection.execute("SELECT 1", ()).await.unwrap();
    assert_eq!(connection.stats().dropped_notifications, 1 + 1500 - 1024);
    let kept: Vec<String> = std::iter::from_fn(|| notifications.try_recv()).map(|n| n.payload).collect();
    assert_eq!((kept.len(), kept[0].as_str(), kept[1023].as_str()), (1024, "477", "1500"));
}

#[tokio::test]
async fn the_stream_ends_with_the_connection() {
    let (_database, connection) = connected().await;
    let notifications = connection.notifications();
    connection.batch("LISTEN c; NOTIFY c").await.unwrap();
    connection.clone().close().await.unwrap();
    assert_eq!(notifications.recv().await.map(|n| n.channel).as_deref(), Some("c"));
    assert_eq!(notifications.recv().await, None);
    assert_eq!(connection.notifications().recv().await, None);
}

#[tokio::test]
async fn a_listener_comes_back_and_says_that_something_may_be_missing() {
    let (database, connection) = connected().await;
    let config = database.dsn().parse::<Config>().unwrap().application_name("listener");
    let mut listener = Listener::connect(config).await.unwrap().heartbeat(Duration::from_millis(100));
    listener.listen("c").await.unwrap();
    listener.listen("d").await.unwrap();
    let kill = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'listener'";
    for _ in 0..3 {
        connection.execute("NOTIFY c, 'one'", ()).await.unwrap();
        match listener.recv().await {
            Event::Notification(n) => assert_eq!(n.payload, "one"),
            other => panic!("{other:?}"),
        }
        // It hears through silence.
        assert!(tokio::time::timeout(Duration::from_millis(350), listener.recv()).await.is_err());
        connection.execute(kill, ()).await.unwrap();
        match listener.recv().await {
            Event::Gap { cause } => assert_eq!(cause.sqlstate(), Some("57P01"), "{cause}"),
            other => panic!("{other:?}"),
        }
    }
    connection.execute("NOTIFY d, 'two'", ()).await.unwrap();
    match listener.recv().await {
        Event::Notification(n) => assert_eq!((n.channel.as_str(), n.payload.as_str()), ("d", "two")),
        other => panic!("{other:?}"),
    }
}

/// Behind a firewall that has forgotten the connection nothing ever arrives, no end either.
#[tokio::test]
async fn a_listener_notices_that_nothing_can_arrive() {
    let (database, connection) = connected().await;
    let proxy = FaultProxy::start(Cluster::shared()).await.unwrap();
    let config: Config = proxy.dsn(database.name()).parse().unwrap();
    let mut listener = Listener::connect(config).await.unwrap().heartbeat(Duration::from_millis(200));
    listener.listen("c").await.unwrap();
    connection.execute("NOTIFY c, 'before'", ()).await.unwrap();
    assert!(matches!(listener.recv().await, Event::Notification(n) if n.payload == "before"));

    proxy.set(Direction::ToServer, Fault::BlackHole);
    proxy.set(Direction::ToClient, Fault::BlackHole);
    let opened = proxy.traffic().connections;
    connection.execute("NOTIFY c, 'meanwhile'", ()).await.unwrap();
    let listening = tokio::spawn(async move {
        let event = listener.recv().await;
        (listener, event)
    });
    // It has given its connection up, and the one that it asks now does not answer either.
    while proxy.traffic().connections < opened + 3 {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    assert!(!listening.is_finished());
    proxy.set(Direction::ToServer, Fault::Pass);
    proxy.set(Direction::ToClient, Fault::Pass);
    let (mut listener, event) = listening.await.unwrap();
    assert!(matches!(&event, Event::Gap { cause } if cause.kind() == ErrorKind::Timeout), "{event:?}");
    loop {
        connection.execute("NOTIFY c, 'after'", ()).await.unwrap();
        match listener.recv().await {
            Event::Notification(n) => break assert_eq!(n.payload, "after"),
            // A busy machine took longer than a heartbeat.
            Event::Gap { cause } => assert!(cause.is_connection_lost() || cause.kind() == ErrorKind::Timeout),
            other => panic!("{other:?}"),
        }
    }
    proxy.stop().await;
}
