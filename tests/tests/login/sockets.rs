//! Sockets of the machine's own.

use tokio::io::copy_bidirectional;
use wreath_driver::{Config, ErrorKind};
use wreath_tests::{Cluster, Role};

use crate::{psql, whoami};

#[tokio::test]
async fn an_account_can_be_demanded_of_the_server() {
    let Some(cluster) = Cluster::shared_ours() else { return };
    let db = cluster.database();
    let of_process = std::process::Command::new("id").arg("-un").output().unwrap();
    let own = String::from_utf8(of_process.stdout).unwrap().trim().to_owned();
    // Whose server it is depends on who runs the tests: root has another account run it.
    let mut entered = 0;
    for account in [&*own, "postgres", "nobody", "no_such_account"] {
        let dsn = format!("{}&requirepeer={account}", db.socket_dsn_for(Role::Trust));
        let found = wreath_driver::connect(&dsn).await;
        if let Some(theirs) = psql(&dsn) {
            assert_eq!(found.is_ok(), theirs.is_some(), "{account}");
        }
        match found {
            Ok(_) => entered += 1,
            Err(e) => {
                assert_eq!(e.kind(), ErrorKind::Connect);
                assert!(e.to_string().contains("requirepeer"), "{e}");
            }
        }
    }
    assert_eq!(entered, 1);
}

/// A socket whose name is in no folder.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn abstract_sockets() {
    use std::os::linux::net::SocketAddrExt as _;
    use std::os::unix::net::{SocketAddr, UnixListener};

    let Some(cluster) = Cluster::shared_ours() else { return };
    let db = cluster.database();
    let name = format!("wreath-{}", std::process::id());
    let address = SocketAddr::from_abstract_name(format!("{name}/.s.PGSQL.77")).unwrap();
    let listener = UnixListener::bind_addr(&address).unwrap();
    listener.set_nonblocking(true).unwrap();
    let listener = tokio::net::UnixListener::from_std(listener).unwrap();
    let behind = cluster.socket().unwrap();
    let front = tokio::spawn(async move {
        while let Ok((mut client, _)) = listener.accept().await {
            let mut server = tokio::net::UnixStream::connect(&behind).await.unwrap();
            tokio::spawn(async move { copy_bidirectional(&mut client, &mut server).await });
        }
    });
    let dsn = format!("host=@{name} port=77 dbname={} user={}", db.name(), Role::Trust.name());
    let connection = wreath_driver::connect(&dsn).await.unwrap();
    assert_eq!(whoami(&connection).await.unwrap().0, Role::Trust.name());
    // A cancel request goes the same way.
    let limited = connection.within(std::time::Duration::from_millis(50));
    let cancelled = limited.execute("SELECT pg_sleep(3600)", ()).await.unwrap_err();
    assert_eq!(cancelled.kind(), ErrorKind::Timeout);
    assert_eq!(connection.fetch_scalar::<i32>("SELECT 7", ()).await.unwrap(), 7);
    front.abort();

    let missing: Config = dsn.replace("port=77", "port=78").parse().unwrap();
    let refused = missing.connect().await.unwrap_err();
    assert!(refused.to_string().contains(&format!("@{name}/.s.PGSQL.78")), "{refused}");
}
