//! Full text search: documents and queries.

mod lexeme;
mod query;
mod vector;

pub use query::TsQuery;
pub use vector::{TsLexeme, TsPosition, TsVector, TsWeight};
