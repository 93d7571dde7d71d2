//! What is locked.

use sha2::{Digest, Sha256};

/// What an advisory lock is on: a key in a namespace, and whether the lock is shared.
///
/// ```
/// use wreath_driver::LockKey;
///
/// let shearing = LockKey::new("shearing").namespace("farm").shared();
/// # let _ = shearing;
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct LockKey {
    name: String,
    namespace: String,
    shared: bool,
}

impl LockKey {
    /// A key that only one may hold at once.
    pub fn new(name: impl Into<String>) -> Self {
        Self { name: name.into(), namespace: String::new(), shared: false }
    }

    /// In a namespace: keys of one do not meet those of another, or those of none.
    #[must_use]
    pub fn namespace(mut self, namespace: impl Into<String>) -> Self {
        self.namespace = namespace.into();
        self
    }

    /// To be held by several at once, as long as nobody holds it alone.
    #[must_use]
    pub fn shared(mut self) -> Self {
        self.shared = true;
        self
    }

    /// Its number on the server.
    pub fn number(&self) -> i64 {
        lock_hash(&self.namespace, &self.name)
    }

    /// What the server's functions for it end with.
    pub(super) fn suffix(&self) -> &'static str {
        if self.shared { "_shared" } else { "" }
    }
}

/// The number that stands on the server for a key in a namespace, which is empty for none. It is the same for locks of a session
/// and of a transaction, in every process and every version: the first eight bytes, most significant first, of the SHA-256 of
/// the namespace's length in bytes (as eight such bytes), the namespace, and the key.
///
/// ```
/// assert_eq!(wreath_driver::lock_hash("", "shearing"), wreath_driver::LockKey::new("shearing").number());
/// assert_ne!(wreath_driver::lock_hash("a", "bc"), wreath_driver::lock_hash("ab", "c"));
/// ```
pub fn lock_hash(namespace: &str, key: &str) -> i64 {
    let mut hash = Sha256::new();
    hash.update((namespace.len() as u64).to_be_bytes());
    hash.update(namespace);
    hash.update(key);
    let digest: [u8; 32] = hash.finalize().into();
    let [a, b, c, d, e, f, g, h, ..] = digest;
    i64::from_be_bytes([a, b, c, d, e, f, g, h])
}
