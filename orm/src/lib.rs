//! A PostgreSQL ORM without macros: models are plain structs, queries are values, mistakes are compile
//! errors.
//!
//! # A model
//!
//! A struct, a constant for each column, and one function that says which column fills which field:
//!
//! ```
//! use wreath_orm::{Column, Columns, Load, Model, Num, Result, Source, Table, Text, ToMany, ToOne};
//!
//! pub struct Paddock {
//!     pub id: i64,
//!     pub name: String,
//! }
//!
//! impl Paddock {
//!     pub const ID: Column<Self, i64> = Self::TABLE.col("id", |p| &p.id).identity();
//!     pub const NAME: Column<Self, String> = Self::TABLE.col("name", |p| &p.name).unique();
//!     pub const LLAMAS: ToMany<Self, Llama> = Llama::PADDOCK_ID.many(Self::ID);
//! }
//!
//! impl Load<Self> for Paddock {
//!     fn load<S: Source<Self>>(s: &mut S) -> Result<Self> {
//!         Ok(Self { id: s.get(Self::ID)?, name: s.get(Self::NAME)? })
//!     }
//! }
//!
//! impl Model for Paddock {
//!     const TABLE: Table<Self> = Table::new("paddocks");
//!     type Key = i64;
//!     fn key() -> impl Columns<Self, Row = i64> {
//!         Self::ID
//!     }
//! }
//!
//! pub struct Llama {
//!     pub id: i64,
//!     pub name: String,
//!     pub age: i32,
//!     pub paddock_id: Option<i64>, // an `Option` is a column that may be NULL
//! }
//!
//! impl Llama {
//!     pub const ID: Column<Self, i64> = Self::TABLE.col("id", |l| &l.id).identity();
//!     pub const NAME: Column<Self, String> =
//!         Self::TABLE.col("name", |l| &l.name).checks(&[Text::Length(1, 40)]);
//!     pub const AGE: Column<Self, i32> = Self::TABLE.col("age", |l| &l.age).checks(&[Num::Ge(0)]);
//!     pub const PADDOCK_ID: Column<Self, Option<i64>> =
//!         Self::TABLE.col("paddock_id", |l| &l.paddock_id).references(Paddock::ID);
//!     pub const PADDOCK: ToOne<Self, Paddock> = Self::PADDOCK_ID.to_one(Paddock::ID);
//! }
//!
//! impl Load<Self> for Llama {
//!     fn load<S: Source<Self>>(s: &mut S) -> Result<Self> {
//!         Ok(Self {
//!             id: s.get(Self::ID)?,
//!             name: s.get(Self::NAME)?,
//!             age: s.get(Self::AGE)?,
//!             paddock_id: s.get(Self::PADDOCK_ID)?,
//!         })
//!     }
//! }
//!
//! impl Model for Llama {
//!     const TABLE: Table<Self> = Table::new("llamas");
//!     type Key = i64;
//!     fn key() -> impl Columns<Self, Row = i64> {
//!         Self::ID
//!     }
//! }
//! # use wreath_orm::Pred;
//! # let old: Pred<Llama> = Llama::AGE.gt(9).and(Llama::PADDOCK.has(Paddock::NAME.eq("Hilltop")));
//! # let query = Llama::select().filter(old).order_by(Llama::NAME.asc()).limit(20);
//! # assert!(query.to_sql()?.ends_with(r#"ORDER BY t0."name" LIMIT $3"#));
//! # let _ = query.include(Llama::PADDOCK.joined()).to_sql()?;
//! # let _ = Paddock::select().include(Paddock::LLAMAS.selectin()).to_sql()?;
//! # Ok::<(), wreath_orm::Error>(())
//! ```
//!
//! A field that is forgotten, a column of another type than the field's, a comparison with a value of
//! another type: none of them compiles. Two swapped fields of one type are found when the model is first
//! used, before a row is: its `load` is run over made-up values, and every column's accessor has to give
//! back what was loaded from that column.
//!
//! A column's type is any [`Value`], which is [`PgType`](codecs::PgType), [`Encode`](codecs::Encode) and
//! [`Decode`](codecs::Decode) of `wreath-codecs` and three items more; [`Value`] shows one of your own.
//! Those of bigdecimal, chrono, ipnet, jiff, `rust_decimal` and time are values with the feature of that name;
//! uuid and `serde_json` are on unless turned off.
//! Columns that several models share are a [group](Source::group).
//!
//! # Door one: plain values
//!
//! ```no_run
//! # mod farm {
//! #     use wreath_orm::{Column, Columns, Load, Model, Result, Source, Table, ToMany, ToOne};
//! #     pub struct Paddock { pub id: i64, pub name: String }
//! #     impl Paddock {
//! #         pub const ID: Column<Self, i64> = Self::TABLE.col("id", |p| &p.id).identity();
//! #         pub const NAME: Column<Self, String> = Self::TABLE.col("name", |p| &p.name);
//! #         pub const LLAMAS: ToMany<Self, Llama> = Llama::PADDOCK_ID.many(Self::ID);
//! #     }
//! #     impl Load<Self> for Paddock {
//! #         fn load<S: Source<Self>>(s: &mut S) -> Result<Self> {
//! #             Ok(Self { id: s.get(Self::ID)?, name: s.get(Self::NAME)? })
//! #         }
//! #     }
//! #     impl Model for Paddock {
//! #         const TABLE: Table<Self> = Table::new("paddocks");
//! #         type Key = i64;
//! #         fn key() -> impl Columns<Self, Row = i64> { Self::ID }
//! #     }
//! #     pub struct Llama { pub id: i64, pub name: String, pub age: i32, pub paddock_id: Option<i64> }
//! #     impl Llama {
//! #         pub const ID: Column<Self, i64> = Self::TABLE.col("id", |l| &l.id).identity();
//! #         pub const NAME: Column<Self, String> = Self::TABLE.col("name", |l| &l.name);
//! #         pub const AGE: Column<Self, i32> = Self::TABLE.col("age", |l| &l.age);
//! #         pub const PADDOCK_ID: Column<Self, Option<i64>> =
//! #             Self::TABLE.col("paddock_id", |l| &l.paddock_id);
//! #         pub const PADDOCK: ToOne<Self, Paddock> = Self::PADDOCK_ID.to_one(Paddock::ID);
//! #     }
//! #     impl Load<Self> for Llama {
//! #         fn load<S: Source<Self>>(s: &mut S) -> Result<Self> {
//! #             let (id, name, age) = (s.get(Self::ID)?, s.get(Self::NAME)?, s.get(Self::AGE)?);
//! #             Ok(Self { id, name, age, paddock_id: s.get(Self::PADDOCK_ID)? })
//! #         }
//! #     }
//! #     impl Model for Llama {
//! #         const TABLE: Table<Self> = Table::new("llamas");
//! #         type Key = i64;
//! #         fn key() -> impl Columns<Self, Row = i64> { Self::ID }
//! #     }
//! # }
//! # use farm::{Llama, Paddock};
//! use wreath_orm::{Db, Model};
//!
//! # async fn f() -> wreath_orm::Result<()> {
//! let db = Db::builder()
//!     .model::<Paddock>()
//!     .model::<Llama>()
//!     .connect("postgres://shepherd@localhost/farm")
//!     .await?; // a faulty declaration fails here
//! db.create_tables().await?;
//!
//! let old = Llama::AGE.gt(9).and(Llama::PADDOCK.has(Paddock::NAME.eq("Hilltop")));
//! let query = Llama::select().filter(old).order_by(Llama::NAME.asc()).limit(20);
//! let llamas: Vec<Llama> = db.fetch(&query).await?;
//! let names: Vec<(String, i32)> = db.fetch(&query.clone().cols((Llama::NAME, Llama::AGE))).await?;
//! let homes: Vec<(Llama, Option<Paddock>)> = db.fetch(&query.include(Llama::PADDOCK.joined())).await?;
//! let herds: Vec<(Paddock, Vec<Llama>)> =
//!     db.fetch(&Paddock::select().include(Paddock::LLAMAS.selectin())).await?; // two statements for all
//! # Ok(())
//! # }
//! ```
//!
//! # Expressions
//!
//! A column has the operators that its type has, and what they make has operators in turn: in filters, orders,
//! projections, groups and what a write sets. [`expr`] lists what is not about a column, [`expr::kind`] which types
//! can do what.
//!
//! ```
//! # use wreath_orm::{Column, Columns, Load, Model, Result, Source, Table};
//! # pub struct Llama { id: i64, name: String, nick: Option<String>, age: i32, tags: Vec<String> }
//! # impl Llama {
//! #     const ID: Column<Self, i64> = Self::TABLE.col("id", |l| &l.id).identity();
//! #     const NAME: Column<Self, String> = Self::TABLE.col("name", |l| &l.name);
//! #     const NICK: Column<Self, Option<String>> = Self::TABLE.col("nick", |l| &l.nick);
//! #     const AGE: Column<Self, i32> = Self::TABLE.col("age", |l| &l.age);
//! #     const TAGS: Column<Self, Vec<String>> = Self::TABLE.col("tags", |l| &l.tags);
//! # }
//! # impl Load<Self> for Llama {
//! #     fn load<S: Source<Self>>(s: &mut S) -> Result<Self> {
//! #         let (id, name, nick) = (s.get(Self::ID)?, s.get(Self::NAME)?, s.get(Self::NICK)?);
//! #         Ok(Self { id, name, nick, age: s.get(Self::AGE)?, tags: s.get(Self::TAGS)? })
//! #     }
//! # }
//! # impl Model for Llama {
//! #     const TABLE: Table<Self> = Table::new("llamas");
//! #     type Key = i64;
//! #     fn key() -> impl Columns<Self, Row = i64> { Self::ID }
//! # }
//! use wreath_orm::expr::{Window, case, count, rank, scalar};
//!
//! // Filters: a value by `eq`, `gt`...; another column or expression by `eq_to`, `gt_to`...
//! let called = Llama::NICK.coalesce_to(Llama::NAME).lower();
//! let pred = called.starts_with("do").and((Llama::AGE * 2 + 1).gt(9)).and(Llama::TAGS.has_element("woolly"));
//! // A subquery is a query of one column.
//! let eldest = Llama::AGE.eq_to(scalar(Llama::select().cols(Llama::AGE.max())));
//! let query = Llama::select().filter(pred.or(eldest)).order_by(Llama::NAME.char_length().desc());
//! // Projections: rows are (String, String, i64).
//! let stage = case(Llama::AGE.lt(1), "cria").otherwise("llama");
//! let ranked = query.cols((Llama::NAME, stage, rank().over(Window::new().order_by(Llama::AGE.desc()))));
//! // Groups: rows are (i32, i64).
//! let ages = Llama::select().group_by(Llama::AGE).having(count().gt(1)).cols((Llama::AGE, count()));
//! # assert!(ranked.to_sql()?.contains(r#"lower(coalesce(t0."nick", t0."name")) LIKE"#));
//! # assert!(ages.to_sql()?.ends_with(r#"GROUP BY t0."age" HAVING count(*) > $1"#));
//! # Ok::<(), wreath_orm::Error>(())
//! ```
//!
//! # Door two: a unit of work
//!
//! ```no_run
//! # use wreath_orm::{Column, Columns, Db, Load, Model, Result, Source, Table};
//! # pub struct Llama { pub id: i64, pub name: String, pub age: i32 }
//! # impl Llama {
//! #     pub const ID: Column<Self, i64> = Self::TABLE.col("id", |l| &l.id).identity();
//! #     pub const NAME: Column<Self, String> = Self::TABLE.col("name", |l| &l.name);
//! #     pub const AGE: Column<Self, i32> = Self::TABLE.col("age", |l| &l.age);
//! # }
//! # impl Load<Self> for Llama {
//! #     fn load<S: Source<Self>>(s: &mut S) -> Result<Self> {
//! #         Ok(Self { id: s.get(Self::ID)?, name: s.get(Self::NAME)?, age: s.get(Self::AGE)? })
//! #     }
//! # }
//! # impl Model for Llama {
//! #     const TABLE: Table<Self> = Table::new("llamas");
//! #     type Key = i64;
//! #     fn key() -> impl Columns<Self, Row = i64> { Self::ID }
//! # }
//! # async fn f(db: Db) -> Result<()> {
//! let mut session = db.session();
//! let dolly = session.require::<Llama>(7).await?; // a Ref<Llama>, to copy around
//! session.edit(dolly, |l| l.name = "Dolly".into())?; // checks run here; a refused edit leaves no trace
//! let tina = session.add(Llama { id: 0, name: "Tina".into(), age: 4 })?;
//! session.flush().await?; // one transaction: all of it or nothing
//! println!("{} is number {}", session[tina].name, session[tina].id);
//!
//! let mut tx = session.begin().await?; // several flushes in one transaction; nested, a savepoint
//! tx.remove(tina)?;
//! tx.commit().await?;
//! # Ok(())
//! # }
//! ```
//!
//! # Tenants
//!
//! Where each customer has tables of its own, in a schema of its own, a [`Db`] is [isolated](Builder::schema_mode), and
//! a session says whose they are: [`Session::with_tenant`]. [`Session::with_setting`] is for policies of row security.
//! Both are bound in the session's transactions, end with them, and nothing runs without them.
//!
//! # Door three: many rows at once
//!
//! ```no_run
//! # use wreath_orm::{Column, Columns, Db, Load, Model, Result, Source, Table};
//! # pub struct Llama { pub id: i64, pub name: String, pub age: i32 }
//! # impl Llama {
//! #     pub const ID: Column<Self, i64> = Self::TABLE.col("id", |l| &l.id).identity();
//! #     pub const NAME: Column<Self, String> = Self::TABLE.col("name", |l| &l.name).unique();
//! #     pub const AGE: Column<Self, i32> = Self::TABLE.col("age", |l| &l.age);
//! # }
//! # impl Load<Self> for Llama {
//! #     fn load<S: Source<Self>>(s: &mut S) -> Result<Self> {
//! #         Ok(Self { id: s.get(Self::ID)?, name: s.get(Self::NAME)?, age: s.get(Self::AGE)? })
//! #     }
//! # }
//! # impl Model for Llama {
//! #     const TABLE: Table<Self> = Table::new("llamas");
//! #     type Key = i64;
//! #     fn key() -> impl Columns<Self, Row = i64> { Self::ID }
//! # }
//! # async fn f(db: Db, herd: Vec<Llama>, more: Vec<Llama>) -> Result<()> {
//! let herd: Vec<Llama> = db.insert_many(herd).returning().run().await?; // one statement, numbered in order
//! db.insert_many(more).on_conflict(Llama::NAME).update(Llama::AGE).run().await?;
//! db.update(Llama::select().filter(Llama::AGE.lt(0))).set(Llama::AGE, 0).run().await?;
//! db.delete(Llama::select().filter(Llama::AGE.gt(40))).run().await?;
//! let mut copy = db.copy_in::<Llama>().await?; // COPY, for a million
//! copy.send(&herd[0]).await?;
//! copy.finish().await?;
//! # Ok(())
//! # }
//! ```
//!
//! A [`Session`] has the same, within its transaction.
//!
//! # The rest
//!
//! [`guide`] has a section, with an example that runs, for each thing that can be done.
//!
//! # How a query runs
//!
//! Building a query writes two tapes: words of its *shape*, in which there is no value, and its values in
//! wire form. The shape finds the compiled plan in a bounded cache; SQL is rendered only for a shape that
//! has not been seen. Lists are one array, limits are parameters, so that the number of shapes is that of
//! the places in the code. Rows are decoded into structs straight from the bytes that arrived.
//! [`Db::plan_stats`] counts, [`Builder::log`] shows every statement, and [`Select::to_sql`] the text of
//! one.

#![forbid(unsafe_code)]

mod announce;
mod body;
mod check;
mod compile;
mod db;
mod declared;
mod error;
pub mod expr;
pub mod geo;
#[doc = include_str!("../guide/guide.md")]
pub mod guide {}
mod model;
mod plan;
mod query;
mod relation;
mod schema;
mod session;
mod sql;
mod tenant;
mod write;

pub use announce::{OnWrite, RefreshWatch, WriteWatch};
#[cfg(feature = "serde_json")]
pub use body::AsJson;
pub use body::{Patch, Save};
pub use check::{Bytes, Check, Decimal, Items, NoCheck, Num, Plain, Rule, Text, Vectors, Violation};
pub use db::{
    Builder, Count, Db, Exists, Explain, Logged, Page, Read, Registered, Stream, Together, create_table_sql,
};
pub use declared::{DeclaredQuery, Fused, Fusion, Parameters, Query};
pub use error::{Error, ErrorKind, Result};
pub use expr::{Alias, Expr, Operand, Order, Pred};
pub use model::{
    Column, ColumnType, ColumnVisitor, Columns, Declared, Element, Facet, Filter, ForeignKey, Generated,
    Hook, Identity, Index, Item, Label, Labels, Load, Model, Narrow, Narrows, OnDelete, Reference, Refusal,
    SoftDelete, Source, Table, Value, facet,
};
pub use plan::CacheStats;
pub use query::{All, Cols, Feed, Include, Lock, Output, Projection, RowReader, Select, With};
pub use relation::{Joined, Relation, Required, SelectIn, ToMany, ToOne};
pub use schema::{Difference, DifferenceKind};
pub use session::{Begun, Outcome, Ref, Session, Track};
pub use sql::{Fragment, Identifier, Raw, Statement, sql};
pub use tenant::{SchemaMode, Tenant};
pub use wreath_codecs as codecs;
pub use wreath_driver as driver;
pub use write::{
    Conflict, CopyIn, Delete, Insert, InsertReturning, Returning, Update, Upsert, UpsertReturning, Upserted,
    Written,
};
