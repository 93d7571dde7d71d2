//! SQL of one's own.

use wreath_orm::{ErrorKind, Fragment, Identifier, Statement, sql};

use crate::Farm;
use crate::farm::{Card, Llama, Paddock};

const HOSTILE: [&str; 6] =
    ["'", "\"; DROP TABLE llamas; --", "$1", "\\'; --", "/* */ ' OR 1=1", "a\"b\u{1F999}'$$"];

#[tokio::test]
async fn rows_tuples_and_models() {
    let farm = Farm::stocked().await;
    let old = || sql("SELECT id, name FROM llamas WHERE age > ").bind(3).sql(" ORDER BY id");
    let rows = farm.db.raw(old()).rows().await.expect("runs");
    assert_eq!((rows.len(), rows.columns()[1].name()), (2, "name"));
    let tuples: Vec<(i64, String)> = farm.db.raw(old()).fetch().await.expect("runs");
    assert_eq!(tuples, [(1, "Dolly".to_owned()), (2, "Tina".to_owned())]);
    let one = farm.db.raw(old()).fetch_one::<(i64, String)>().await.expect_err("two rows");
    assert_eq!(one.kind(), ErrorKind::MultipleResults);
    let none = sql("SELECT 1 FROM llamas WHERE age > $1").args((90,));
    assert_eq!(farm.db.raw(none.clone()).fetch_optional::<(i32,)>().await.expect("runs"), None);
    assert_eq!(farm.db.raw(none).scalar::<i32>().await.expect_err("none").kind(), ErrorKind::NoResult);
    let count: i64 = farm.db.raw(sql("SELECT count(*) FROM llamas")).scalar().await.expect("runs");
    assert_eq!(count, 4);
    let aged = farm.db.raw(sql("UPDATE llamas SET age = age + ").bind(1)).execute().await;
    assert_eq!(aged.expect("runs"), 4);
}

#[tokio::test]
async fn models_are_put_together_by_the_names_of_columns() {
    let farm = Farm::stocked().await;
    let all = sql("SELECT hectares, name, id FROM paddocks ORDER BY id");
    let paddocks: Vec<Paddock> = farm.db.raw(all).models().await.expect("every column, once");
    assert_eq!(paddocks[0], Paddock { id: 1, name: "Hilltop".into(), hectares: Some(1.5) });
    let cards = sql("SELECT age, name FROM llamas WHERE name = ").bind("Dolly");
    let cards: Vec<Card> = farm.db.raw(cards).load::<Llama, Card>().await.expect("both columns");
    assert_eq!(cards, [Card { name: "Dolly".into(), age: 9 }]);

    for (text, column) in [
        ("SELECT id, name FROM paddocks", "hectares"),
        ("SELECT id, name, hectares, name FROM paddocks", "name"),
        ("SELECT id, name, hectares, 1 AS extra FROM paddocks", "extra"),
        ("SELECT id::text, name, hectares FROM paddocks", "id"),
        ("SELECT id, NULL::text AS name, hectares FROM paddocks", "name"),
    ] {
        let error = farm.db.raw(sql(text)).models::<Paddock>().await.expect_err("does not fit");
        assert_eq!((error.kind(), error.column()), (ErrorKind::Mapping, Some(column)), "{text}: {error}");
    }
}

#[tokio::test]
async fn hostile_values_and_names_stay_what_they_are() {
    let farm = Farm::stocked().await;
    for text in HOSTILE {
        let echo: (String, Vec<String>, String) = farm
            .db
            .raw(
                sql("SELECT ")
                    .bind(text)
                    .sql("::text, ")
                    .bind(&[text][..])
                    .sql(", (ARRAY[")
                    .list([text, text])
                    .sql("]::text[])[2]"),
            )
            .fetch_one()
            .await
            .expect("values are data");
        assert_eq!(echo, (text.to_owned(), vec![text.to_owned()], text.to_owned()));
        let column = Identifier::new(text).expect("no NUL, not empty");
        let rows = farm.db.raw(sql("SELECT 1 AS ").identifier(&column)).rows().await.expect("a name");
        assert_eq!(rows.columns()[0].name(), text);
        let table = Identifier::qualified(["public", text]).expect("two names");
        let error = farm.db.raw(sql("SELECT 1 FROM ").identifier(&table)).execute().await.expect_err("none");
        let state = error.database().and_then(|e| e.server()).map(|e| e.code().to_owned());
        assert_eq!(state.as_deref(), Some("42P01"), "{error}");
    }
    assert_eq!(farm.text("SELECT count(*) FROM llamas").await, "4");
}

#[tokio::test]
async fn what_is_made_at_run_time_is_not_prepared() {
    let farm = Farm::stocked().await;
    let prepared = async || {
        let names: i64 = farm
            .connection
            .fetch_scalar("SELECT count(*) FROM pg_prepared_statements WHERE statement ~ 'ma[d]e'", ())
            .await
            .expect("runs");
        names
    };
    let run = async |statement: Statement| farm.db.raw(statement).scalar::<i32>().await.expect("runs");
    for n in 0..5 {
        let made = sql("SELECT ").bind(n).sql("::int4 /* made */ + ").fragment(&Fragment::new(n.to_string()));
        assert_eq!(run(made).await, 2 * n);
    }
    assert_eq!(prepared().await, 0);
    for n in 0..5 {
        assert_eq!(run(sql("SELECT ").bind(n).sql("::int4 /* made */")).await, n);
    }
    assert_eq!(prepared().await, 1, "a text of the program is one statement");
    let asked = sql("SELECT 1 /* made */ + ").fragment(&Fragment::new("1")).cached();
    assert_eq!(run(asked).await, 2);
    assert_eq!(prepared().await, 2);
}

#[tokio::test]
async fn a_session_runs_it_in_its_transaction() {
    let farm = Farm::stocked().await;
    let mut session = farm.db.session();
    {
        let mut tx = session.begin().await.expect("begins");
        assert_eq!(tx.raw(sql("DELETE FROM shearings")).execute().await.expect("runs"), 2);
        let left: i64 = tx.raw(sql("SELECT count(*) FROM shearings")).scalar().await.expect("runs");
        assert_eq!(left, 0);
        tx.rollback().await.expect("rolls back");
    }
    let left: i64 = session.raw(sql("SELECT count(*) FROM shearings")).scalar().await.expect("runs");
    assert_eq!(left, 2);
}
