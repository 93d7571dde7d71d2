//! A PostgreSQL ORM without macros.

#![forbid(unsafe_code)]

mod check;
mod compile;
mod db;
mod error;
mod expr;
mod model;
mod plan;
mod query;
mod relation;
mod session;

pub use check::{Bytes, Check, Decimal, NoCheck, Num, Rule, Text, Violation};
pub use db::{Builder, Db, Logged, Registered, create_table_sql};
pub use error::{Error, ErrorKind, Result};
pub use expr::{Alias, Aliased, Operand, Order, Pred};
pub use model::{
    Column, ColumnType, ColumnVisitor, Columns, Declared, Element, Identity, Load, Model, OnDelete,
    Reference, Source, Table, Value,
};
pub use plan::CacheStats;
pub use query::{All, Cols, Feed, Include, Output, RowReader, Select, With};
pub use relation::{Joined, Required, SelectIn, ToMany, ToOne};
pub use session::{Begun, Ref, Session, Track};
pub use wreath_codecs as codecs;
pub use wreath_driver as driver;
