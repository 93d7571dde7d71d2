//! What a value is allowed to be, beyond being of its type.
//!
//! A [`Check`] looks at the value of one column, a [`Rule`] at a whole object. Both run when an object is
//! added to a session and when it is edited, all of them, so that the error lists every [`Violation`] at
//! once. Which checks a column takes depends on its type: `.checks(&[Text::Length(1, 9)])` on an integer
//! does not compile.

mod checks;
mod rule;

pub use checks::{Bytes, Check, Decimal, NoCheck, Num, Text};
pub use rule::{Rule, Violation};
