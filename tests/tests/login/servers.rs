//! Several servers, and which of them is taken.

use std::net::TcpListener;
use std::time::Duration;

use wreath_driver::{Config, ErrorKind, LoadBalanceHosts};
use wreath_tests::{Cluster, FaultProxy, Role, Script, ScriptedPeer, frame};

use crate::{dead_port, over_tcp, whoami};

#[tokio::test]
async fn servers_are_tried_in_order() {
    let Some(cluster) = Cluster::shared_ours() else { return };
    let db = cluster.database();
    let (dead, alive) = (dead_port(), cluster.port());
    // Listens, and never says a word.
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let mute = silent.local_addr().unwrap().port();

    let config = over_tcp(&db).user(Role::Scram.name()).password(Role::Scram.password());
    let several = |ports: &[u16]| config.clone().hosts(ports.iter().map(|&port| ("127.0.0.1", port)));
    let connection = several(&[dead, alive]).connect().await.unwrap();
    assert_eq!(whoami(&connection).await.unwrap().0, Role::Scram.name());

    let refused = several(&[dead]).connect().await.unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::Connect);
    assert!(refused.to_string().contains(&format!("127.0.0.1:{dead}")), "{refused}");

    let limited = several(&[mute, dead]).connect_timeout(Duration::from_millis(300));
    let refused = limited.connect().await.unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::Connect);
    for port in [mute, dead] {
        assert!(refused.to_string().contains(&format!("127.0.0.1:{port}")), "{refused}");
    }

    // One that refuses the password ends the search.
    let wrong = several(&[alive, dead]).password("sesame").connect().await.unwrap_err();
    assert_eq!(wrong.kind(), ErrorKind::Auth, "{wrong}");
}

#[tokio::test]
async fn a_host_that_has_no_address_is_named() {
    let refused = Config::new().host("farm.invalid").user("dolly").connect().await.unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::Connect);
    assert!(refused.to_string().contains("farm.invalid:5432"), "{refused}");
    let refused = Config::new().host("/no/such/folder").port(1).user("dolly").connect().await.unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::Connect);
    assert!(refused.to_string().contains("/no/such/folder/.s.PGSQL.1"), "{refused}");
}

#[tokio::test]
async fn everything_that_failed_is_told() {
    let Some(cluster) = Cluster::shared_ours() else { return };
    let db = cluster.database();
    let (dead, other) = (dead_port(), dead_port());
    let config = over_tcp(&db).user(Role::Trust.name()).hosts([("127.0.0.1", dead), ("localhost", other)]);
    let refused = config.host("127.0.0.1,farm.invalid".to_owned()).connect().await.unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::Config, "{refused}");

    let several = format!("host=127.0.0.1,farm.invalid,/no/folder port={dead},1,2 user=x sslmode=disable");
    let refused = wreath_driver::connect(&several).await.unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::Connect);
    let said = refused.to_string();
    for part in [&*format!("127.0.0.1:{dead}"), "farm.invalid:1", "/no/folder/.s.PGSQL.2"] {
        assert!(said.contains(part), "{part}: {said}");
    }
}

/// Each host has the whole time, and one that is silent uses up its own only.
#[tokio::test]
async fn a_silent_host_uses_up_its_own_time_only() {
    let Some(cluster) = Cluster::shared_ours() else { return };
    let db = cluster.database();
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let mute = silent.local_addr().unwrap().port();
    let hosts = [("127.0.0.1", mute), ("127.0.0.1", mute), ("127.0.0.1", cluster.port())];
    let config = over_tcp(&db).user(Role::Trust.name()).hosts(hosts).connect_timeout(Duration::from_secs(1));
    let before = std::time::Instant::now();
    let connection = config.connect().await.unwrap();
    assert!(before.elapsed() >= Duration::from_secs(2));
    assert_eq!(whoami(&connection).await.unwrap().0, Role::Trust.name());
}

#[tokio::test]
async fn a_server_that_is_only_starting_is_passed_over() {
    let Some(cluster) = Cluster::shared_ours() else { return };
    let db = cluster.database();
    let starting = frame(b'E', b"SFATAL\0C57P03\0Mthe database system is starting up\0\0");
    let peer = ScriptedPeer::start([Script::new().startup().send(starting)]).await.unwrap();
    let hosts = [("127.0.0.1", peer.address().port()), ("127.0.0.1", cluster.port())];
    let connection = over_tcp(&db).user(Role::Trust.name()).hosts(hosts).connect().await.unwrap();
    assert_eq!(whoami(&connection).await.unwrap().0, Role::Trust.name());
}

#[tokio::test]
async fn load_is_balanced_by_chance() {
    let Some(cluster) = Cluster::shared_ours() else { return };
    let db = cluster.database();
    let proxy = FaultProxy::start_tcp("127.0.0.1", cluster.port()).await.unwrap();
    let hosts = [("127.0.0.1", cluster.port()), ("127.0.0.1", proxy.address().port())];
    let config = over_tcp(&db).user(Role::Trust.name()).hosts(hosts);
    for _ in 0..5 {
        config.connect().await.unwrap();
    }
    assert_eq!(proxy.traffic().connections, 0);
    let random = config.load_balance_hosts(LoadBalanceHosts::Random);
    for _ in 0..40 {
        random.connect().await.unwrap();
    }
    // The odds of fewer than 5 or more than 35 are below 1 in 10^6.
    let through = proxy.traffic().connections;
    assert!((5..=35).contains(&through), "{through} of 40");
}
