//! The code itself.

use std::fmt;

use super::table::NAMES;

/// A SQLSTATE: five digits and capital letters, of which the first two are the class.
///
/// Every code that PostgreSQL documents has a constant by its condition name; a function or an extension can
/// raise any other one.
///
/// ```
/// use wreath_codecs::SqlState;
///
/// let state = SqlState::new("23505").expect("a code");
/// assert_eq!(state, SqlState::UNIQUE_VIOLATION);
/// assert_eq!((state.class(), state.name()), ("23", Some("unique_violation")));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SqlState(pub(super) [u8; 5]);

impl SqlState {
    /// The code that the text is; `None` when it is not five digits and capital letters.
    pub fn new(code: impl AsRef<[u8]>) -> Option<Self> {
        let code: [u8; 5] = code.as_ref().try_into().ok()?;
        code.iter().all(|b| b.is_ascii_digit() || b.is_ascii_uppercase()).then_some(Self(code))
    }

    /// The five characters.
    pub fn as_str(&self) -> &str {
        std::str::from_utf8(&self.0).expect("digits and letters are UTF-8")
    }

    /// The first two characters: which class of errors it belongs to.
    pub fn class(&self) -> &str {
        &self.as_str()[..2]
    }

    /// The condition name, as PL/pgSQL has it in an `EXCEPTION` clause; `None` when PostgreSQL does not document
    /// the code.
    pub fn name(&self) -> Option<&'static str> {
        let at = NAMES.binary_search_by_key(&self.0, |&(code, _)| code).ok()?;
        Some(NAMES[at].1)
    }
}

impl fmt::Display for SqlState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Debug for SqlState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.name() {
            Some(name) => write!(f, "SqlState({self}, {name})"),
            None => write!(f, "SqlState({self})"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_in_order_and_well_formed() {
        assert!(NAMES.is_sorted_by(|(a, _), (b, _)| a < b));
        for (code, name) in NAMES {
            let state = SqlState::new(code).expect("well-formed");
            assert_eq!(state.name(), Some(name));
        }
    }

    #[test]
    fn constants_stand_for_their_codes() {
        for (state, code, name) in [
            (SqlState::SUCCESSFUL_COMPLETION, "00000", "successful_completion"),
            (SqlState::SERIALIZATION_FAILURE, "40001", "serialization_failure"),
            (SqlState::DEADLOCK_DETECTED, "40P01", "deadlock_detected"),
            (SqlState::UNDEFINED_DATABASE, "3D000", "invalid_catalog_name"),
            (SqlState::INVALID_CATALOG_NAME, "3D000", "invalid_catalog_name"),
            (SqlState::EXTERNAL_ROUTINE_INVOCATION_NULL_VALUE_NOT_ALLOWED, "39004", "null_value_not_allowed"),
            (SqlState::INTERNAL_ERROR, "XX000", "internal_error"),
        ] {
            assert_eq!((state.as_str(), state.name()), (code, Some(name)));
        }
    }

    #[test]
    fn other_codes_are_kept_and_nonsense_is_refused() {
        let raised = SqlState::new("ZX9A1").expect("well-formed");
        assert_eq!((raised.to_string().as_str(), raised.class(), raised.name()), ("ZX9A1", "ZX", None));
        for code in ["", "2350", "235055", "2350a", "2350 ", "é505"] {
            assert_eq!(SqlState::new(code), None, "{code:?}");
        }
    }
}
