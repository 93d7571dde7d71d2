//! Passwords as SCRAM hashes them.

use std::borrow::Cow;

/// The password after SASLprep (RFC 4013), or as it is where SASLprep has no answer: text with prohibited or
/// unassigned characters, or that nothing is left of. PostgreSQL does the same when it stores a password.
pub(super) fn password(password: &str) -> Cow<'_, str> {
    match stringprep::saslprep(password) {
        Ok(prepared) if !prepared.is_empty() => prepared,
        _ => Cow::Borrowed(password),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn examples_of_rfc_4013() {
        for (given, prepared) in [
            ("I\u{ad}X", "IX"),
            ("user", "user"),
            ("USER", "USER"),
            ("\u{aa}", "a"),
            ("\u{2168}", "IX"),
            // Prohibited, and refused for mixed directions: both are taken as they are.
            ("\u{7}", "\u{7}"),
            ("\u{627}1", "\u{627}1"),
        ] {
            assert_eq!(password(given), prepared, "{given:?}");
        }
    }

    #[test]
    fn what_is_left_is_never_empty() {
        assert_eq!(password("\u{ad}"), "\u{ad}");
        assert_eq!(password(""), "");
    }

    #[test]
    fn spaces_and_compositions() {
        assert_eq!(password("a\u{a0}b"), "a b");
        assert_eq!(password("e\u{301}"), "\u{e9}");
        assert_eq!(password("\u{e9}"), "\u{e9}");
    }
}
