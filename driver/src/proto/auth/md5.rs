//! The MD5 method: a digest of the password, the user and a salt.

use md5::{Digest, Md5};

/// What a PasswordMessage has to say: `md5` and the hexadecimal digest of the digest of password and user, and
/// of the salt.
pub(super) fn answer(user: &str, password: &str, salt: [u8; 4]) -> String {
    let stored = hex(&[password.as_bytes(), user.as_bytes()]);
    format!("md5{}", hex(&[stored.as_bytes(), &salt]))
}

fn hex(parts: &[&[u8]]) -> String {
    let mut digest = Md5::new();
    for part in parts {
        digest.update(part);
    }
    digest.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_known_answer() {
        // In SQL: SELECT 'md5' || md5(convert_to(md5('sesame' || 'dolly'), 'UTF8') || '\x01020304'::bytea).
        assert_eq!(answer("dolly", "sesame", [1, 2, 3, 4]), "md5bb66903b51139780b2bd37473f4afd52");
    }
}
