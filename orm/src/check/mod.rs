//! What a value is allowed to be, beyond being of its type.
//!
//! A [`Check`] looks at the value of one column, a [`Rule`] at a whole object. Both run when an object is
//! added to a session, when it is edited, and when it is made of a request body: all of them, so that the error
//! lists every [`Violation`] at once. Which checks a column takes depends on its type:
//! `.checks(&[Text::Length(1, 9)])` on an integer does not compile.

mod checks;
mod literal;
mod rule;
mod text;
mod vectors;
mod violation;

pub use checks::{Check, Decimal, Items, NoCheck, Num, Plain};
pub use rule::Rule;
pub use text::{Bytes, Text};
pub use vectors::Vectors;
pub use violation::Violation;
