//! Logins that are bound to the encryption beneath.

use wreath_driver::{ChannelBindingMode, ErrorKind, SslMode};
use wreath_tests::{Cluster, Role};

use crate::{encrypted, is_encrypted, to};

#[tokio::test]
async fn a_login_is_bound_where_it_has_to_be() {
    let Some((db, _)) = encrypted() else { return };
    for role in [Role::Tls, Role::Scram, Role::Postgres] {
        for binding in [ChannelBindingMode::Disable, ChannelBindingMode::Prefer, ChannelBindingMode::Require]
        {
            let config = to(db.cluster(), role, "sslmode=require").channel_binding(binding);
            assert!(is_encrypted(&config.connect().await.unwrap()).await, "{}", binding.name());
        }
    }
}

#[tokio::test]
async fn a_login_that_cannot_be_bound_is_refused() {
    let Some((db, _)) = encrypted() else { return };
    let required =
        |role, mode| to(db.cluster(), role, "").channel_binding(ChannelBindingMode::Require).ssl_mode(mode);
    for (role, mode) in [
        // Nothing to bind to.
        (Role::Scram, SslMode::Disable),
        // No method that binds.
        (Role::Trust, SslMode::Require),
        (Role::Md5, SslMode::Require),
        (Role::Clear, SslMode::Require),
        (Role::Cert, SslMode::Disable),
    ] {
        let refused = required(role, mode).connect().await.unwrap_err();
        assert_eq!(refused.kind(), ErrorKind::Auth, "{refused}");
        let kept_out = role == Role::Cert;
        assert!(kept_out || refused.to_string().contains("channel_binding=require"), "{refused}");
    }
    let server = Cluster::options().setting("ssl = off").start().unwrap();
    let config = to(&server, Role::Scram, "channel_binding=require sslmode=prefer");
    let refused = config.connect().await.unwrap_err();
    assert!(refused.to_string().contains("channel_binding=require"), "{refused}");
}
