//! Logging in with a password, for servers that the kit did not start.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use hmac::{Hmac, KeyInit as _, Mac as _};
use md5::Md5;
use sha2::{Digest as _, Sha256};

use super::AdminError;

/// One login: what to answer to each Authentication message (the manual's chapter "Message Flow", Start-up).
///
/// This side does not verify the server's signature: it only ever talks to servers that a developer named.
pub(super) struct Login<'a> {
    user: &'a str,
    password: Option<&'a str>,
    /// The client-first-message-bare of the SCRAM exchange, which begins with a fixed nonce.
    scram_first: &'static str,
}

impl<'a> Login<'a> {
    pub(super) fn new(user: &'a str, password: Option<&'a str>) -> Self {
        Self { user, password, scram_first: "n=,r=kit" }
    }

    /// The body of the answer to an Authentication message, if it asks for one.
    pub(super) fn answer(&mut self, body: &[u8]) -> Result<Option<Vec<u8>>, AdminError> {
        let broken = || AdminError::new("an Authentication message that ends early");
        let (kind, rest) = body.split_first_chunk().ok_or_else(broken)?;
        let password = || self.password.ok_or_else(|| AdminError::new("the server asks for a password"));
        match u32::from_be_bytes(*kind) {
            0 | 12 => Ok(None),
            3 => Ok(Some(with_nul(password()?))),
            5 => {
                let inner = hex(&Md5::digest(format!("{}{}", password()?, self.user)));
                let outer = Md5::digest([inner.as_bytes(), rest].concat());
                Ok(Some(with_nul(&format!("md5{}", hex(&outer)))))
            }
            10 => {
                let first = format!("n,,{}", self.scram_first);
                let mut answer = with_nul("SCRAM-SHA-256");
                let length = u32::try_from(first.len()).expect("a message of a few bytes");
                answer.extend_from_slice(&length.to_be_bytes());
                answer.extend_from_slice(first.as_bytes());
                Ok(Some(answer))
            }
            11 => {
                let server = std::str::from_utf8(rest).map_err(|_| broken())?;
                self.scram_final(server, password()?).map(Some)
            }
            other => {
                Err(AdminError::new(format!("the test kit does not know authentication request {other}")))
            }
        }
    }

    /// The client-final-message of RFC 5802, with the digest of RFC 7677.
    fn scram_final(&self, server: &str, password: &str) -> Result<Vec<u8>, AdminError> {
        let part = |name: &str| {
            let found = server.split(',').find_map(|part| part.strip_prefix(name)?.strip_prefix('='));
            found.ok_or_else(|| AdminError::new(format!("no {name} in the server's SCRAM message")))
        };
        let salt = STANDARD.decode(part("s")?).map_err(|_| AdminError::new("a salt that is not base64"))?;
        let rounds: u32 = part("i")?.parse().map_err(|_| AdminError::new("no number of rounds"))?;
        let salted = salted_password(password.as_bytes(), &salt, rounds);
        let client_key = hmac(&salted, b"Client Key");
        let without_proof = format!("c=biws,r={}", part("r")?);
        let signed = format!("{},{server},{without_proof}", self.scram_first);
        let signature = hmac(&Sha256::digest(client_key), signed.as_bytes());
        let proof: Vec<u8> = client_key.iter().zip(signature).map(|(key, sign)| key ^ sign).collect();
        Ok(format!("{without_proof},p={}", STANDARD.encode(proof)).into_bytes())
    }
}

fn salted_password(password: &[u8], salt: &[u8], rounds: u32) -> [u8; 32] {
    let mut last = hmac(password, &[salt, &[0, 0, 0, 1]].concat());
    let mut sum = last;
    for _ in 1..rounds {
        last = hmac(password, &last);
        for (sum, last) in sum.iter_mut().zip(last) {
            *sum ^= last;
        }
    }
    sum
}

fn hmac(key: &[u8], message: &[u8]) -> [u8; 32] {
    let mut mac = Hmac::<Sha256>::new_from_slice(key).expect("HMAC takes keys of every length");
    mac.update(message);
    mac.finalize().into_bytes().into()
}

fn with_nul(text: &str) -> Vec<u8> {
    [text.as_bytes(), &[0]].concat()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
