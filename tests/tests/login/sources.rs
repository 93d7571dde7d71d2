//! Functions of the program's that know a secret.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use wreath_driver::{ErrorKind, Result};
use wreath_tests::{Cluster, Role};

use crate::{over_tcp, whoami};

#[tokio::test]
async fn the_program_is_asked_for_passwords() {
    let Some(cluster) = Cluster::shared_ours() else { return };
    let db = cluster.database();
    let asked = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&asked);
    // The first answer is out of date.
    let source = move |login: wreath_driver::PasswordRequest| {
        let n = count.fetch_add(1, Ordering::Relaxed);
        async move {
            tokio::task::yield_now().await;
            assert_eq!(login.host(), "127.0.0.1");
            let role = Role::ALL.into_iter().find(|role| role.name() == login.user());
            role.filter(|_| n > 0).map(Role::password).ok_or("no token yet")
        }
    };
    let config = over_tcp(&db).user(Role::Scram.name()).password("sesame").password_from(source);
    let refused = config.connect().await.unwrap_err();
    assert_eq!((refused.kind(), refused.sqlstate()), (ErrorKind::Auth, None), "{refused}");
    assert!(refused.to_string().contains("no token yet"), "{refused}");
    for role in [Role::Scram, Role::Md5, Role::Clear] {
        let before = asked.load(Ordering::Relaxed);
        let connection = config.clone().user(role.name()).connect().await.unwrap();
        assert_eq!(whoami(&connection).await.unwrap().0, role.name());
        assert_eq!(asked.load(Ordering::Relaxed), before + 1);
    }
    // Who needs none is not asked for one.
    let before = asked.load(Ordering::Relaxed);
    config.clone().user(Role::Trust.name()).connect().await.unwrap();
    assert_eq!(asked.load(Ordering::Relaxed), before);
}

#[tokio::test]
async fn a_program_that_gives_no_password_in_time_holds_nothing_up() {
    let Some(cluster) = Cluster::shared_ours() else { return };
    let db = cluster.database();
    let config = over_tcp(&db).user(Role::Scram.name()).connect_timeout(Duration::from_millis(200));
    let silent = config.password_from(|_| std::future::pending::<Result<String>>());
    let refused = silent.connect().await.unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::Timeout, "{refused}");
}
