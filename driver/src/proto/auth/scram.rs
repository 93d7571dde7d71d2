//! SCRAM-SHA-256 as a client (RFC 5802, RFC 7677), with and without channel binding (RFC 5929).

use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use hmac::{Hmac, KeyInit, Mac};
use sha2::{Digest, Sha256};

use super::{AuthError, prepare};

/// The mechanism without channel binding.
pub(super) const SCRAM: &str = "SCRAM-SHA-256";
/// The mechanism with channel binding.
pub(super) const SCRAM_PLUS: &str = "SCRAM-SHA-256-PLUS";

/// The most iterations that are computed. The server picks the number before it has proved anything, so a
/// hostile one could keep the client busy for hours. PostgreSQL's default is 4,096 and the highest advice in
/// use (OWASP's) is 600,000; a million take less than a second. There is no lower bound but 1: a server's
/// `scram_iterations` may be set as low, and who stands in for a server can guess passwords at any number.
const MAX_ITERATIONS: u32 = 1_000_000;

/// How many random bytes a nonce takes; the same as libpq uses.
pub(crate) const NONCE_BYTES: usize = 18;

/// A nonce out of random bytes.
pub(crate) fn nonce(random: [u8; NONCE_BYTES]) -> String {
    BASE64.encode(random)
}

/// What the client can say about the encryption beneath.
#[derive(Clone, PartialEq, Eq)]
pub(crate) enum ChannelBinding {
    /// There is none that could be bound to.
    Unsupported,
    /// The client could bind, and the server does not offer to. A server that did offer learns from this that
    /// someone took its offer out. [`Login`](super::Login) makes this of `EndPoint` where it has to.
    NotOffered,
    /// The hash of the server's certificate, `tls-server-end-point`.
    EndPoint(Vec<u8>),
}

impl ChannelBinding {
    /// The head of the client's first message, which says how the channel is bound.
    fn header(&self) -> &'static str {
        match self {
            Self::Unsupported => "n,,",
            Self::NotOffered => "y,,",
            Self::EndPoint(_) => "p=tls-server-end-point,,",
        }
    }

    /// The head and the data, as the client's last message carries them.
    fn proof(&self) -> String {
        let mut bytes = self.header().as_bytes().to_vec();
        if let Self::EndPoint(data) = self {
            bytes.extend_from_slice(data);
        }
        BASE64.encode(bytes)
    }
}

impl fmt::Debug for ChannelBinding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.header())
    }
}

/// An exchange whose first message has been made.
pub(super) struct Scram {
    binding: ChannelBinding,
    password: String,
    nonce: String,
    /// The first message without its head, which the signatures cover.
    bare: String,
}

impl Scram {
    /// Starts an exchange. PostgreSQL takes the user from the start-up message, so that `user` is empty there.
    ///
    /// The nonce is printable ASCII without commas, as [`nonce`] makes it.
    pub(super) fn new(user: &str, password: &str, nonce: String, binding: ChannelBinding) -> Self {
        debug_assert!(is_nonce(&nonce), "a nonce is printable ASCII without commas");
        let user = user.replace('=', "=3D").replace(',', "=2C");
        let bare = format!("n={user},r={nonce}");
        Self { binding, password: prepare::password(password).into_owned(), nonce, bare }
    }

    /// The client's first message.
    pub(super) fn first(&self) -> String {
        format!("{}{}", self.binding.header(), self.bare)
    }

    /// Answers the server's first message; what is left then is to verify its last one.
    pub(super) fn answer(self, server_first: &[u8]) -> Result<(String, Expected), AuthError> {
        let first = ServerFirst::parse(server_first)?;
        if !first.nonce.starts_with(&self.nonce) || first.nonce.len() == self.nonce.len() {
            return Err(AuthError::Nonce);
        }
        let salted = salted(self.password.as_bytes(), &first.salt, first.iterations);
        let client_key = sign(&salted, b"Client Key");
        let unproven = format!("c={},r={}", self.binding.proof(), first.nonce);
        let signed = format!("{},{},{unproven}", self.bare, first.text);

        let stored_key: [u8; 32] = Sha256::digest(client_key).into();
        let signature = sign(&stored_key, signed.as_bytes());
        let mut proof = client_key;
        for (byte, mask) in proof.iter_mut().zip(signature) {
            *byte ^= mask;
        }
        let server_key = sign(&salted, b"Server Key");
        let answer = format!("{unproven},p={}", BASE64.encode(proof));
        Ok((answer, Expected(keyed(&server_key).chain_update(signed))))
    }
}

/// An exchange that waits for the server to prove that it knows the password.
pub(super) struct Expected(Hmac<Sha256>);

impl Expected {
    /// Verifies the server's last message. The signatures are compared in constant time.
    pub(super) fn verify(self, server_last: &[u8]) -> Result<(), AuthError> {
        let text = std::str::from_utf8(server_last).map_err(|_| AuthError::Malformed("it is not UTF-8"))?;
        if let Some(words) = text.strip_prefix("e=") {
            return Err(AuthError::refused(words));
        }
        // Extensions may follow, and mean nothing.
        let signature = text.split(',').next().and_then(|first| first.strip_prefix("v="));
        let signature = signature.ok_or(AuthError::Malformed("the server's signature is missing"))?;
        let signature =
            BASE64.decode(signature).map_err(|_| AuthError::Malformed("the signature is not base64"))?;
        self.0.verify_slice(&signature).map_err(|_| AuthError::Impostor)
    }
}

/// The server's first message.
struct ServerFirst<'a> {
    text: &'a str,
    nonce: &'a str,
    salt: Vec<u8>,
    iterations: u32,
}

impl<'a> ServerFirst<'a> {
    fn parse(bytes: &'a [u8]) -> Result<Self, AuthError> {
        let text = std::str::from_utf8(bytes).map_err(|_| AuthError::Malformed("it is not UTF-8"))?;
        // Extensions may follow the three attributes, and mean nothing; one that must be understood, `m=`, would
        // stand before them.
        let mut attributes = text.split(',');
        let mut attribute = |name, missing| {
            attributes.next().and_then(|a| a.strip_prefix(name)).ok_or(AuthError::Malformed(missing))
        };
        let nonce = attribute("r=", "the nonce is missing")?;
        let salt = attribute("s=", "the salt is missing")?;
        let iterations = attribute("i=", "the iteration count is missing")?;
        if !is_nonce(nonce) {
            return Err(AuthError::Malformed("the nonce is not printable"));
        }
        let salt = BASE64.decode(salt).map_err(|_| AuthError::Malformed("the salt is not base64"))?;
        if salt.is_empty() {
            return Err(AuthError::Malformed("the salt is empty"));
        }
        Ok(Self { text, nonce, salt, iterations: iteration_count(iterations)? })
    }
}

fn iteration_count(text: &str) -> Result<u32, AuthError> {
    if text.is_empty() || !text.bytes().all(|b| b.is_ascii_digit()) {
        return Err(AuthError::Malformed("the iteration count is no number"));
    }
    // A number that does not even fit is out of bounds as well.
    match text.parse() {
        Ok(n) if (1..=MAX_ITERATIONS).contains(&n) => Ok(n),
        _ => Err(AuthError::iterations(text, MAX_ITERATIONS)),
    }
}

fn is_nonce(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_graphic() && b != b',')
}

/// The password salted and hashed: PBKDF2 with HMAC-SHA-256, for one block (RFC 5802, `Hi`).
fn salted(password: &[u8], salt: &[u8], iterations: u32) -> [u8; 32] {
    let key = keyed(password);
    let mut round: [u8; 32] =
        key.clone().chain_update(salt).chain_update(1_u32.to_be_bytes()).finalize().into_bytes().into();
    let mut sum = round;
    for _ in 1..iterations {
        round = key.clone().chain_update(round).finalize().into_bytes().into();
        for (byte, other) in sum.iter_mut().zip(round) {
            *byte ^= other;
        }
    }
    sum
}

fn sign(key: &[u8; 32], message: &[u8]) -> [u8; 32] {
    keyed(key).chain_update(message).finalize().into_bytes().into()
}

fn keyed(key: &[u8]) -> Hmac<Sha256> {
    Hmac::new_from_slice(key).expect("HMAC takes keys of any length")
}

#[cfg(test)]
mod tests {
    use super::*;

    const NONCE: &str = "rOprNGfwEbeRWgbNEkqO";
    const SERVER_FIRST: &str =
        "r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4096";
    const SERVER_LAST: &str = "v=6rriTRBi23WpRR/wtup+mMhUZUn/dB5nLTJRsjl95G4=";

    fn exchange() -> Scram {
        Scram::new("user", "pencil", NONCE.to_owned(), ChannelBinding::Unsupported)
    }

    fn answer(server_first: &str) -> Result<(String, Expected), AuthError> {
        exchange().answer(server_first.as_bytes())
    }

    #[test]
    fn the_exchange_of_rfc_7677() {
        assert_eq!(exchange().first(), "n,,n=user,r=rOprNGfwEbeRWgbNEkqO");
        let (answer, expected) = answer(SERVER_FIRST).expect("well-formed");
        assert_eq!(
            answer,
            "c=biws,r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,\
             p=dHzbZapWIk4jUhN+Ute9ytag9zjfMHgsqmmiz7AndVQ="
        );
        assert_eq!(expected.verify(SERVER_LAST.as_bytes()), Ok(()));
    }

    #[test]
    fn extensions_are_passed_over_unless_they_must_be_understood() {
        let with = |first: &str| answer(first).map(|_| ());
        assert_eq!(with(&format!("{SERVER_FIRST},x=1,y=")), Ok(()));
        assert_eq!(with(&format!("m=1,{SERVER_FIRST}")), Err(AuthError::Malformed("the nonce is missing")));
        let (_, expected) = answer(SERVER_FIRST).expect("well-formed");
        assert_eq!(expected.verify(format!("{SERVER_LAST},x=1").as_bytes()), Ok(()));
    }

    #[test]
    fn channel_binding_is_said_twice() {
        for (binding, first, last) in [
            (ChannelBinding::Unsupported, "n,,n=,r=abc", "c=biws,"),
            (ChannelBinding::NotOffered, "y,,n=,r=abc", "c=eSws,"),
            (
                ChannelBinding::EndPoint(vec![0, 255]),
                "p=tls-server-end-point,,n=,r=abc",
                "c=cD10bHMtc2VydmVyLWVuZC1wb2ludCwsAP8=,",
            ),
        ] {
            let scram = Scram::new("", "pencil", "abc".to_owned(), binding);
            assert_eq!(scram.first(), first);
            let (answer, _) = scram.answer(b"r=abcd,s=c2FsdA==,i=1").expect("well-formed");
            assert!(answer.starts_with(last), "{answer}");
        }
        assert!(!format!("{:?}", ChannelBinding::EndPoint(vec![77])).contains("77"));
    }

    #[test]
    fn names_are_escaped() {
        let scram = Scram::new("a=b,c", "", "abc".to_owned(), ChannelBinding::Unsupported);
        assert_eq!(scram.first(), "n,,n=a=3Db=2Cc,r=abc");
    }

    #[test]
    fn a_nonce_that_does_not_extend_ours_is_refused() {
        for nonce in [
            "rOprNGfwEbeRWgbNEkqO",
            "rOprNGfwEbeRWgbNEkq",
            "x",
            "xrOprNGfwEbeRWgbNEkqO",
            "ROPRNGFWEBERWGBNEKQOx",
        ] {
            let refused = answer(&format!("r={nonce},s=c2FsdA==,i=4096")).err();
            assert_eq!(refused, Some(AuthError::Nonce), "{nonce}");
        }
    }

    #[test]
    fn hostile_iteration_counts_are_refused_at_once() {
        for count in ["0", "1000001", "10000000", "4294967295", "4294967296", "99999999999999999999", "0000"]
        {
            let refused = answer(&format!("r={NONCE}x,s=c2FsdA==,i={count}")).err();
            assert_eq!(refused, Some(AuthError::iterations(count, MAX_ITERATIONS)), "{count}");
        }
        for count in ["", "-1", "+1", "1e3", " 1", "4096 "] {
            let refused = answer(&format!("r={NONCE}x,s=c2FsdA==,i={count}")).err();
            assert_eq!(refused, Some(AuthError::Malformed("the iteration count is no number")), "{count:?}");
        }
        assert!(answer(&format!("r={NONCE}x,s=c2FsdA==,i=1")).is_ok());
    }

    #[test]
    fn malformed_first_messages_are_refused() {
        for first in [
            "",
            ",",
            "r=",
            "r=rOprNGfwEbeRWgbNEkqOx",
            "r=rOprNGfwEbeRWgbNEkqOx,i=1,s=c2FsdA==",
            "r=rOprNGfwEbeRWgbNEkqOx,s=c2FsdA==",
            "r=rOprNGfwEbeRWgbNEkqOx,s=,i=1",
            "r=rOprNGfwEbeRWgbNEkqOx,s=c2FsdA=,i=1",
            "r=rOprNGfwEbeRWgbNEkqOx,s=c2F*dA==,i=1",
            "r=rOprNGfwEbeRWgbNEkqO\u{e9},s=c2FsdA==,i=1",
            "r=rOprNGfwEbeRWgbNEkqO\0x,s=c2FsdA==,i=1",
            "e=other-error",
        ] {
            let refused = answer(first).err();
            assert!(matches!(refused, Some(AuthError::Malformed(_))), "{first:?}: {refused:?}");
        }
        assert!(matches!(exchange().answer(b"r=\xff").err(), Some(AuthError::Malformed(_))));
        // Every truncation of a good message, too.
        for cut in 0..SERVER_FIRST.len() {
            let shorter = &SERVER_FIRST[..cut];
            assert!(answer(shorter).is_err() || shorter.contains(",i="), "{shorter}");
        }
    }

    #[test]
    fn a_server_that_does_not_know_the_password_is_found_out() {
        let last = |text: &[u8]| answer(SERVER_FIRST).expect("well-formed").1.verify(text);
        assert_eq!(last(b"v=6rriTRBi23WpRR/wtup+mMhUZUn/dB5nLTJRsjl95G8="), Err(AuthError::Impostor));
        assert_eq!(last(b"v=6rriTRBi23WpRR/wtup+mMhUZUn/dB5nLTJRsjl9"), Err(AuthError::Impostor));
        assert_eq!(last(b"v="), Err(AuthError::Impostor));
        assert_eq!(last(b"e=unknown-user\x07"), Err(AuthError::refused("unknown-user\u{fffd}")));
        for malformed in [&b""[..], b"v", b"v=?", b"x=1,v=6rriTRBi", b"\xff", b" v=6rri"] {
            assert!(matches!(last(malformed), Err(AuthError::Malformed(_))), "{malformed:?}");
        }
        let huge = format!("e={}", "x".repeat(1 << 20));
        assert!(last(huge.as_bytes()).expect_err("refused").to_string().len() < 200);
    }

    #[test]
    fn a_nonce_of_ours_can_be_sent() {
        let made = nonce([0xff; NONCE_BYTES]);
        assert!(is_nonce(&made) && made.len() == 24);
    }
}
