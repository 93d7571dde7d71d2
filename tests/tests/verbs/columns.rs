//! Results by column.

use wreath_driver::codecs::types::{Date, Numeric, TimestampTz, Uuid};
use wreath_driver::{Batch, ErrorKind, SortKey};

use crate::connected;

/// A column of each form, with NULLs in every seventh row.
const ROWS: &str = "SELECT g AS id,
    CASE WHEN g % 7 <> 0 THEN g % 5 END AS age,
    CASE WHEN g % 7 <> 0 THEN 'name ' || g % 11 END AS name,
    CASE WHEN g % 7 <> 0 THEN (g % 13)::numeric / 4 END AS price,
    CASE g % 4 WHEN 0 THEN 'NaN' WHEN 1 THEN '-Infinity' ELSE g::float8 / 8 END::float8 AS score,
    '2024-01-01'::date + g AS day, timestamptz 'epoch' + g * interval '1 s' AS at,
    md5(g::text)::uuid AS token, g % 2 = 0 AS even, ARRAY[g, NULL] AS list,
    CASE WHEN g % 3 > 0 THEN (ARRAY['sad', 'ok', 'happy'])[g % 3 + 1]::mood END AS mood
    FROM generate_series(1, $1) g";

const MOOD: &str = "CREATE TYPE mood AS ENUM ('sad', 'ok', 'happy')";

type Row = (i32, Option<i32>, Option<String>, Option<Numeric>, f64, Date, TimestampTz, Uuid, bool);

#[tokio::test]
async fn columns_hold_what_rows_do() {
    let (_database, connection) = connected().await;
    connection.batch(MOOD).await.unwrap();
    for n in [0_i32, 1, 64, 1000] {
        let rows = connection.fetch(ROWS, (n,)).await.unwrap();
        let batch = connection.fetch_batch(ROWS, (n,)).await.unwrap();
        assert_eq!((batch.len(), batch.is_empty(), batch.columns().len()), (rows.len(), n == 0, 11));
        let ids: Vec<i32> = (1..=n).collect();
        assert_eq!(batch.column("id").unwrap().values::<i32>(), Some(&ids[..]));
        assert_eq!(batch.column(0).unwrap().values::<i64>(), None);
        let name = batch.column("name").unwrap();
        assert_eq!(name.null_count(), usize::try_from(n / 7).unwrap());
        for (i, row) in rows.iter().enumerate() {
            assert_eq!(name.text(i), row.get::<Option<&str>>("name").unwrap());
            assert_eq!(name.is_null(i), (i + 1) % 7 == 0);
            let again = batch.row(i).unwrap();
            assert!(again.as_row().values().map(Result::unwrap).eq(row.values().map(Result::unwrap)));
        }
        assert_eq!((name.text(rows.len()), name.is_null(rows.len())), (None, false));
        assert!(batch.row(rows.len()).is_none());
        let prices: Vec<Option<Numeric>> = batch.column("price").unwrap().to_vec().unwrap();
        assert_eq!(prices.len(), rows.len());
        let all = batch.to_rows().unwrap();
        let same = rows
            .iter()
            .zip(&all)
            .all(|(a, b)| a.values().map(Result::unwrap).eq(b.values().map(Result::unwrap)));
        assert!(same && all.len() == rows.len());
    }
}

#[tokio::test]
async fn values_are_taken_as_vectors_and_read_as_rows() {
    let (_database, connection) = connected().await;
    connection.batch(MOOD).await.unwrap();
    let batch = connection.fetch_batch(ROWS, (70_i32,)).await.unwrap();
    let error = batch.read::<(i32,)>().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Decode);
    let columns = "SELECT id, age, name, price, score, day, at, token, even FROM (SELECT * FROM rows) x";
    connection.batch(&format!("CREATE TABLE rows AS {}", ROWS.replace("$1", "70"))).await.unwrap();
    let (rows, batch): (Vec<Row>, Batch) =
        (connection.fetch_as(columns, ()).await.unwrap(), connection.fetch_batch(columns, ()).await.unwrap());
    let again: Vec<Row> = batch.read().unwrap();
    assert_eq!(format!("{again:?}"), format!("{rows:?}"));
    // NULL among values that are asked for as such.
    let age = batch.column("age").unwrap();
    assert_eq!(age.to_vec::<i32>().unwrap_err().kind(), ErrorKind::Decode);
    assert_eq!(age.to_vec::<String>().unwrap_err().kind(), ErrorKind::Decode);
    assert_eq!(age.to_vec::<Option<i32>>().unwrap(), rows.iter().map(|row| row.1).collect::<Vec<_>>());
    let mut series = batch.into_series().into_iter();
    let id = series.next().unwrap();
    assert_eq!(id.clone().into_values::<i64>(), None);
    assert_eq!(id.into_values::<i32>().unwrap(), (1..=70).collect::<Vec<_>>());
}

#[tokio::test]
async fn rows_are_sorted_as_the_server_sorts_them() {
    let (_database, connection) = connected().await;
    connection.batch(MOOD).await.unwrap();
    connection.batch(&format!("CREATE TABLE rows AS {}", ROWS.replace("$1", "300"))).await.unwrap();
    let batch = connection.fetch_batch("SELECT * FROM rows ORDER BY id", ()).await.unwrap();
    for column in ["age", "name", "price", "score", "day", "at", "token", "even", "mood"] {
        for (key, order) in [
            (SortKey::asc(column), "ASC"),
            (SortKey::desc(column), "DESC"),
            (SortKey::asc(column).nulls_first(), "ASC NULLS FIRST"),
            (SortKey::desc(column).nulls_last(), "DESC NULLS LAST"),
        ] {
            let mut sorted = batch.clone();
            sorted.sort_by(&[key, SortKey::desc("id")]).unwrap();
            let collate = if column == "name" { "COLLATE \"C\"" } else { "" };
            let sql = format!("SELECT id FROM rows ORDER BY {column} {collate} {order}, id DESC");
            let ids: Vec<(i32,)> = connection.fetch_as(&sql, ()).await.unwrap();
            let ids: Vec<i32> = ids.into_iter().map(|(id,)| id).collect();
            assert_eq!(sorted.column("id").unwrap().values::<i32>(), Some(&ids[..]), "{sql}");
            assert_eq!(
                sorted.column(column).unwrap().null_count(),
                batch.column(column).unwrap().null_count()
            );
        }
    }
    // Rows that are equal keep their order, and no key is no change.
    let mut sorted = batch.clone();
    sorted.sort_by::<&str>(&[]).unwrap();
    sorted.sort_by(&[SortKey::asc("even")]).unwrap();
    let ids: Vec<i32> =
        (1..=300).filter(|id| id % 2 == 1).chain((1..=300).filter(|id| id % 2 == 0)).collect();
    assert_eq!(sorted.column("id").unwrap().values::<i32>(), Some(&ids[..]));
    for (column, kind) in [("list", ErrorKind::Unsupported), ("nothing", ErrorKind::Decode)] {
        assert_eq!(sorted.sort_by(&[SortKey::asc(column)]).unwrap_err().kind(), kind);
    }
    assert_eq!(sorted.column("id").unwrap().values::<i32>(), Some(&ids[..]));
}

#[tokio::test]
async fn batches_are_appended_selected_from_and_sliced() {
    let (_database, connection) = connected().await;
    connection.batch(MOOD).await.unwrap();
    let whole = connection.fetch_batch(ROWS, (200_i32,)).await.unwrap();
    let mut parts = whole.slice(..0).unwrap();
    for (start, end) in [(0, 63), (63, 64), (64, 64), (64, 199)] {
        parts.append(whole.slice(start..end).unwrap()).unwrap();
    }
    parts.append(whole.slice(199..=199).unwrap()).unwrap();
    assert_eq!(format!("{parts:?}"), format!("{whole:?}"));
    assert!(whole.slice(0..201).is_none() && whole.slice(201..).is_none());
    let picked = whole.select(&[6, 0, 6]).unwrap();
    assert_eq!(picked.column("id").unwrap().values::<i32>(), Some(&[7, 1, 7][..]));
    let name = picked.column("name").unwrap();
    assert_eq!((0..3).map(|i| name.text(i)).collect::<Vec<_>>(), [None, Some("name 1"), None]);
    assert!(whole.select(&[200]).is_none());
    let other = connection.fetch_batch("SELECT 1::int8", ()).await.unwrap();
    let (mut one, four) = (connection.fetch_batch("SELECT 1", ()).await.unwrap(), "SELECT 4 AS other_name");
    assert_eq!(one.append(other).unwrap_err().kind(), ErrorKind::Unsupported);
    one.append(connection.fetch_batch(four, ()).await.unwrap()).unwrap();
    assert_eq!(one.column(0).unwrap().values::<i32>(), Some(&[1, 4][..]));
}
