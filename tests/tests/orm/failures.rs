//! What goes wrong, and what is said about it.

use wreath_orm::{Column, Columns, Db, ErrorKind, Load, Model, Result, Source, Table};

use crate::Farm;
use crate::farm::Llama;

/// A llama as it was before names could be NULL and ages were numbers.
#[derive(Debug)]
struct Old {
    id: i64,
    nick: String,
}

impl Old {
    const ID: Column<Self, i64> = Self::TABLE.col("id", |l| &l.id);
    const NICK: Column<Self, String> = Self::TABLE.col("nick", |l| &l.nick);
}

impl Load<Self> for Old {
    fn load<S: Source<Self>>(s: &mut S) -> Result<Self> {
        Ok(Self { id: s.get(Self::ID)?, nick: s.get(Self::NICK)? })
    }
}

impl Model for Old {
    const TABLE: Table<Self> = Table::new("llamas");
    type Key = i64;
    fn key() -> impl Columns<Self, Row = i64> {
        Self::ID
    }
}

#[derive(Debug)]
struct Mistyped {
    id: i64,
    age: String,
}

impl Mistyped {
    const ID: Column<Self, i64> = Self::TABLE.col("id", |l| &l.id);
    const AGE: Column<Self, String> = Self::TABLE.col("age", |l| &l.age);
}

impl Load<Self> for Mistyped {
    fn load<S: Source<Self>>(s: &mut S) -> Result<Self> {
        Ok(Self { id: s.get(Self::ID)?, age: s.get(Self::AGE)? })
    }
}

impl Model for Mistyped {
    const TABLE: Table<Self> = Table::new("llamas");
    type Key = i64;
    fn key() -> impl Columns<Self, Row = i64> {
        Self::ID
    }
}

#[derive(Debug)]
struct Swapped {
    id: i64,
    mother: i64,
}

impl Swapped {
    const ID: Column<Self, i64> = Self::TABLE.col("id", |l| &l.id);
    const MOTHER: Column<Self, i64> = Self::TABLE.col("mother_id", |l| &l.mother);
}

impl Load<Self> for Swapped {
    fn load<S: Source<Self>>(s: &mut S) -> Result<Self> {
        Ok(Self { id: s.get(Self::MOTHER)?, mother: s.get(Self::ID)? })
    }
}

impl Model for Swapped {
    const TABLE: Table<Self> = Table::new("llamas");
    type Key = i64;
    fn key() -> impl Columns<Self, Row = i64> {
        Self::ID
    }
}

#[tokio::test]
async fn null_without_an_option_names_the_column() {
    let farm = Farm::stocked().await;
    let error = farm.db.fetch(&Old::select()).await.expect_err("Tina has no nickname");
    assert_eq!((error.kind(), error.column()), (ErrorKind::Mapping, Some("nick")));
    assert!(error.model().is_some_and(|m| m.ends_with("Old")), "{error}");
    assert!(error.to_string().contains("NULL"), "{error}");
}

#[tokio::test]
async fn another_type_names_the_column_and_both_types() {
    let farm = Farm::stocked().await;
    let error = farm.db.fetch(&Mistyped::select()).await.expect_err("an age is an int4");
    assert_eq!((error.kind(), error.column()), (ErrorKind::Mapping, Some("age")));
    let text = error.to_string();
    assert!(text.contains("int4") && text.contains("String"), "{text}");
    // It is found before a row is read, and so also where there is none.
    let none = Mistyped::select().filter(Mistyped::ID.gt(99));
    assert_eq!(farm.db.fetch(&none).await.expect_err("checked all the same").kind(), ErrorKind::Mapping);
}

#[tokio::test]
async fn swapped_fields_are_found_at_start_up() {
    let farm = Farm::stocked().await;
    let error =
        Db::builder().model::<Swapped>().connection(farm.connection.clone()).expect_err("two swapped fields");
    assert_eq!(error.kind(), ErrorKind::Declaration);
    assert!(error.model().is_some_and(|m| m.ends_with("Swapped")), "{error}");
    let error =
        farm.db.fetch(&Swapped::select()).await.expect_err("at the first use, where it was not declared");
    assert_eq!(error.kind(), ErrorKind::Declaration);
}

#[tokio::test]
async fn one_table_for_two_models_is_refused() {
    let farm = Farm::stocked().await;
    let models = Db::builder().model::<Llama>().model::<Old>();
    let error = models.connection(farm.connection.clone()).expect_err("both are of llamas");
    assert_eq!(error.kind(), ErrorKind::Declaration);
}

#[tokio::test]
async fn the_servers_errors_come_through_whole() {
    let farm = Farm::stocked().await;
    farm.run("DROP TABLE shearings").await;
    let error = farm.db.fetch(&crate::farm::Shearing::select()).await.map(|r| r.len()).expect_err("no table");
    assert_eq!(error.kind(), ErrorKind::Database);
    assert_eq!(error.database().and_then(|e| e.sqlstate()), Some("42P01"));
    assert!(error.to_string().contains("shearings"), "{error}");
    assert!(std::error::Error::source(&error).is_some());
    // The connection is as good as before.
    assert_eq!(farm.db.count(&Llama::select()).await.expect("counts"), 4);
}

#[tokio::test]
async fn a_value_that_cannot_be_sent_fails_its_query() {
    let farm = Farm::stocked().await;
    for query in [
        Llama::select().filter(Llama::NAME.eq("a\0b")),
        Llama::select().filter(Llama::NAME.any(["a", "a\0b"])),
        Llama::select().filter(Llama::AGE.gt(1).and(Llama::PADDOCK.has(crate::farm::Paddock::NAME.eq("\0")))),
    ] {
        assert_eq!(farm.db.fetch(&query).await.expect_err("a NUL").kind(), ErrorKind::Encode);
        assert_eq!(farm.db.count(&query).await.expect_err("a NUL").kind(), ErrorKind::Encode);
    }
}

#[tokio::test]
async fn no_server_is_a_typed_error() {
    let error = Db::connect("postgres://nobody@127.0.0.1:1/none").await.expect_err("nobody listens there");
    assert_eq!(error.kind(), ErrorKind::Database);
    let error = Db::connect("postgres://:::").await.expect_err("no DSN");
    assert_eq!(error.kind(), ErrorKind::Database);
}
