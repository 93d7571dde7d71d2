//! OAuth's bearer tokens, with a peer that plays PostgreSQL 18 (RFC 7628).

use std::sync::{Arc, Mutex};

use wreath_driver::{AuthMethod, Config, ErrorKind, TokenRequest};
use wreath_tests::{Received, Script, ScriptedPeer, frame};

const DISCOVERY: &str = "https://issuer.example/.well-known/openid-configuration";

fn asks() -> Script {
    Script::new().startup().send(frame(b'R', b"\0\0\0\x0aOAUTHBEARER\0\0")).expect(b'p')
}

fn welcomes(script: Script) -> Script {
    script.send([frame(b'R', &[0; 4]), frame(b'Z', b"I")].concat())
}

fn refuses(script: Script) -> Script {
    let why = format!(r#"{{"status":"invalid_token","openid-configuration":"{DISCOVERY}","scope":"wool"}}"#);
    let why = [&b"\0\0\0\x0b"[..], why.as_bytes()].concat();
    let error = frame(b'E', b"SFATAL\0C28000\0MOAuth bearer authentication failed\0\0");
    script.send(frame(b'R', &why)).expect(b'p').send(error)
}

fn config(peer: &ScriptedPeer) -> Config {
    peer.dsn().parse().unwrap()
}

/// What is behind the mechanism's name and the length.
fn response(heard: &[Received]) -> &[u8] {
    heard[1].body.strip_prefix(b"OAUTHBEARER\0").unwrap().get(4..).unwrap()
}

#[tokio::test]
async fn a_token_lets_in() {
    let peer = ScriptedPeer::start([welcomes(asks())]).await.unwrap();
    let source = |request: TokenRequest| async move {
        assert_eq!((request.issuer(), request.discovery_url()), (Some("https://issuer.example"), None));
        assert_eq!(request.login().user(), "scripted");
        Ok::<_, std::fmt::Error>(Some("to.ken==".to_owned()))
    };
    let config = config(&peer).oauth_issuer("https://issuer.example").oauth_token_from(source);
    config.connect().await.unwrap();
    let heard = peer.finish().await.unwrap();
    assert_eq!(response(&heard[0]), b"n,,\x01auth=Bearer to.ken==\x01\x01");
}

#[tokio::test]
async fn a_token_that_is_refused_is_told_why() {
    let peer = ScriptedPeer::start([refuses(asks())]).await.unwrap();
    let config =
        config(&peer).oauth_token_from(async |_| Ok::<_, std::fmt::Error>(Some("secret".to_owned())));
    let refused = config.connect().await.unwrap_err();
    assert_eq!((refused.kind(), refused.sqlstate()), (ErrorKind::Auth, Some("28000")));
    let said = refused.to_string();
    for part in ["invalid_token", DISCOVERY, "wool", "authentication failed"] {
        assert!(said.contains(part), "{said}");
    }
    assert!(!said.contains("secret"), "{said}");
    assert_eq!(peer.finish().await.unwrap()[0][2].body, b"\x01");
}

/// The first connection only asks; the second one brings a token of that issuer's.
#[tokio::test]
async fn the_server_says_who_issues_tokens() {
    let peer = ScriptedPeer::start([refuses(asks()), welcomes(asks())]).await.unwrap();
    let requests = Arc::new(Mutex::new(Vec::new()));
    let seen = Arc::clone(&requests);
    let config = config(&peer).oauth_token_from(move |request: TokenRequest| {
        let known = request.discovery_url().map(|_| "token".to_owned());
        seen.lock().unwrap().push(request);
        async move { Ok::<_, std::fmt::Error>(known) }
    });
    config.connect().await.unwrap();
    let heard = peer.finish().await.unwrap();
    assert_eq!(response(&heard[0]), b"n,,\x01auth=\x01\x01");
    assert_eq!(response(&heard[1]), b"n,,\x01auth=Bearer token\x01\x01");
    let requests = requests.lock().unwrap();
    assert_eq!(requests.len(), 2);
    assert_eq!((requests[0].scope(), requests[0].discovery_url()), (None, None));
    assert_eq!((requests[1].scope(), requests[1].discovery_url()), (Some("wool"), Some(DISCOVERY)));
}

#[tokio::test]
async fn without_a_token_there_is_no_way_in() {
    let failure = async |script: Script, config: fn(Config) -> Config| {
        let peer = ScriptedPeer::start([script]).await.unwrap();
        let refused = config(self::config(&peer)).connect().await.unwrap_err();
        assert_eq!(refused.kind(), ErrorKind::Auth, "{refused}");
        refused.to_string()
    };
    let greeting = || Script::new().startup().send(frame(b'R', b"\0\0\0\x0aOAUTHBEARER\0\0"));
    assert!(failure(greeting(), |config| config).await.contains("oauth_token_from"));
    let fails = |config: Config| config.oauth_token_from(async |_| Err("the issuer is away"));
    assert!(failure(greeting(), fails).await.contains("the issuer is away"));
    let smuggles = |config: Config| {
        config.oauth_token_from(async |_| Ok::<_, std::fmt::Error>(Some("a\x01b=c".to_owned())))
    };
    assert!(failure(greeting(), smuggles).await.contains("other characters"));
    let forbids = |config: Config| config.require_auth([AuthMethod::ScramSha256]);
    assert!(failure(greeting(), forbids).await.contains("oauth"));
    // A source that never has any is asked twice, and no more.
    let peer = ScriptedPeer::start([refuses(asks()), greeting()]).await.unwrap();
    let config = config(&peer).oauth_token_from(async |_| Ok::<_, std::fmt::Error>(None));
    let refused = config.connect().await.unwrap_err();
    assert!(refused.to_string().contains("gave no token"), "{refused}");
}
