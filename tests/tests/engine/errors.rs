//! What fails says what failed, and the connection goes on.

use wreath_driver::{ErrorKind, Severity};

use crate::{answers, connect, farm};

#[tokio::test]
async fn a_refused_statement_carries_every_field_that_the_server_sent() {
    let db = farm();
    let connection = connect(&db).await;
    let sql = "INSERT INTO llamas VALUES ($1, $2, $3)";
    connection.execute(sql, (101_i64, "Dolly", 1_i64)).await.unwrap();

    let twice = connection.execute(sql, (101_i64, "Polly", 1_i64)).await.unwrap_err();
    assert_eq!((twice.kind(), twice.sqlstate()), (ErrorKind::Server, Some("23505")));
    assert_eq!(twice.statement(), Some(sql));
    let server = twice.server().unwrap();
    assert_eq!(server.severity(), Severity::Error);
    assert!(server.message().contains("llamas_pkey"), "{server}");
    assert_eq!(server.detail(), Some("Key (id)=(101) already exists."));
    let place = (server.schema(), server.table(), server.constraint());
    assert_eq!(place, (Some("public"), Some("llamas"), Some("llamas_pkey")));
    assert!(server.file().is_some() && server.line().is_some() && server.routine().is_some());
    assert!(twice.to_string().contains(server.message()), "{twice}");

    let null = connection.execute(sql, (102_i64, None::<&str>, 1_i64)).await.unwrap_err();
    assert_eq!(null.sqlstate(), Some("23502"));
    assert_eq!(null.server().unwrap().column(), Some("name"));

    let orphan = connection.execute(sql, (103_i64, "Molly", 77_i64)).await.unwrap_err();
    assert_eq!(orphan.sqlstate(), Some("23503"));
    assert_eq!(orphan.server().unwrap().constraint(), Some("llama_has_paddock"));

    let domain = connection.fetch("SELECT (-1)::age", ()).await.unwrap_err();
    let server = domain.server().unwrap();
    assert_eq!((server.data_type(), server.constraint()), (Some("age"), Some("age_is_real")));
    assert!(answers(&connection).await);
}

#[tokio::test]
async fn a_mistake_in_the_text_is_located_in_characters() {
    let db = farm();
    let connection = connect(&db).await;
    let sql = "SELECT 'é', no_such_column FROM llamas";
    let error = connection.fetch(sql, ()).await.unwrap_err();
    assert_eq!(error.sqlstate(), Some("42703"));
    assert_eq!(error.server().unwrap().position(), Some(13));
    let hint = connection.fetch("SELECT nane FROM llamas", ()).await.unwrap_err();
    assert!(hint.server().unwrap().hint().unwrap().contains("llamas.name"), "{hint}");

    let script = "DO $$ BEGIN EXECUTE 'SELECT nothing_here'; END $$";
    let inner = connection.batch(script).await.unwrap_err();
    let server = inner.server().unwrap();
    assert_eq!((server.internal_query(), server.internal_position()), (Some("SELECT nothing_here"), Some(8)));
    assert!(server.context().unwrap().contains("inline_code_block"), "{inner}");
    assert!(answers(&connection).await);
}

#[tokio::test]
async fn null_and_foreign_types_name_the_column() {
    let db = farm();
    let connection = connect(&db).await;
    let row = connection.fetch_one("SELECT id, age FROM llamas WHERE id = 1", ()).await.unwrap();
    let null = row.get::<i32>("age").unwrap_err();
    assert_eq!(null.kind(), ErrorKind::Decode);
    assert!(null.to_string().contains("age") && null.to_string().contains("NULL"), "{null}");
    assert_eq!(row.get::<Option<i32>>("age").unwrap(), None);

    let mismatch = row.get::<String>("id").unwrap_err();
    assert_eq!(mismatch.kind(), ErrorKind::Decode);
    let text = mismatch.to_string();
    assert!(text.contains("id") && text.contains("int8") && text.contains("String"), "{text}");

    let scalar = connection.fetch_scalar::<i32>("SELECT NULL::int4 AS shorn", ()).await.unwrap_err();
    assert_eq!(scalar.kind(), ErrorKind::Decode);
    assert!(scalar.to_string().contains("shorn"), "{scalar}");

    let missing = row.get::<i64>("wool").unwrap_err();
    assert!(missing.to_string().contains("wool"), "{missing}");
    assert!(row.get::<i64>(2).unwrap_err().to_string().contains('2'));

    let narrow = connection.fetch_as::<(i64,)>("SELECT id, age FROM llamas", ()).await;
    let wide = connection.fetch_as::<(i64, Option<i32>, i64)>("SELECT id, age FROM llamas", ()).await;
    for wrong in [narrow.map(drop), wide.map(drop)] {
        assert_eq!(wrong.unwrap_err().kind(), ErrorKind::Decode);
    }
    assert!(answers(&connection).await);
}

#[tokio::test]
async fn one_meaning_of_one() {
    let db = farm();
    let connection = connect(&db).await;
    let by_id = "SELECT id FROM llamas WHERE id <= $1";
    let kind = |error: wreath_driver::Error| error.kind();
    assert_eq!(connection.fetch_one(by_id, (0_i64,)).await.map_err(kind).unwrap_err(), ErrorKind::NoResult);
    assert_eq!(
        connection.fetch_one(by_id, (2_i64,)).await.map_err(kind).unwrap_err(),
        ErrorKind::MultipleResults
    );
    assert!(connection.fetch_optional(by_id, (0_i64,)).await.unwrap().is_none());
    assert_eq!(connection.fetch_optional(by_id, (1_i64,)).await.unwrap().unwrap().get::<i64>(0).unwrap(), 1);
    let many = connection.fetch_optional(by_id, (2_i64,)).await.map_err(kind).unwrap_err();
    assert_eq!(many, ErrorKind::MultipleResults);
    let scalar = connection.fetch_scalar::<Option<i64>>(by_id, (0_i64,)).await.map_err(kind).unwrap_err();
    assert_eq!(scalar, ErrorKind::NoResult);
    let null: Option<i32> = connection.fetch_scalar("SELECT age FROM llamas WHERE id = 1", ()).await.unwrap();
    assert_eq!(null, None);
}

#[tokio::test]
async fn what_cannot_be_sent_is_refused_before_a_byte() {
    let db = farm();
    let connection = connect(&db).await;
    assert!(answers(&connection).await);
    let before = connection.stats();
    let nul = connection.fetch("SELECT $1::text", ("a\0b",)).await.unwrap_err();
    assert_eq!(nul.kind(), ErrorKind::Encode, "{nul}");
    let nul = connection.fetch("SELECT 1\0", ()).await.unwrap_err();
    assert_eq!(nul.kind(), ErrorKind::Encode, "{nul}");
    let many = vec![1_i32; 65_536];
    let many = connection.fetch("SELECT 1", &many[..]).await.unwrap_err();
    assert_eq!(many.kind(), ErrorKind::Encode, "{many}");
    assert_eq!(connection.stats().bytes_out, before.bytes_out);
    let few = connection.fetch("SELECT $1::int4", ()).await.unwrap_err();
    assert_eq!(few.sqlstate(), Some("08P01"), "{few}");
    assert!(answers(&connection).await);
}
