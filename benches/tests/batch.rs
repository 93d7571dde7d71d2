//! What a result by column allocates: a few buffers a column, and nothing for each row.

mod counting;

use counting::count;
use wreath_driver::{Batch, Config, Rows};
use wreath_tests::Cluster;

const ROWS: u64 = 10_000;

async fn rows() -> Rows {
    let database = Cluster::shared().database();
    let config: Config = database.dsn().parse().expect("the kit's DSN is good");
    let connection = config.connect().await.expect("the server is up");
    let sql = "SELECT g::int8, g::float8 / 7, 'name ' || g, timestamptz 'epoch' + g * interval '1 s'
               FROM generate_series(1, 10000) g";
    connection.fetch(sql, ()).await.expect("fetches")
}

#[test]
fn a_batch_allocates_by_column_and_not_by_row() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    let rows = runtime.block_on(rows());
    let again = rows.clone();
    let (batch, by_column) = count(|| Batch::from_rows(again).expect("reads"));
    assert_eq!(batch.len() as u64, ROWS);
    // The texts' bytes grow by doubling, the rest has its size from the start.
    assert!(by_column <= 32, "{by_column} allocations");
    type Row = (i64, f64, String, wreath_codecs::types::TimestampTz);
    let read = || rows.iter().map(<Row as wreath_driver::FromRow>::from_row).collect::<Result<Vec<_>, _>>();
    let (structs, by_row) = count(|| read().expect("reads"));
    assert_eq!(structs.len() as u64, ROWS);
    assert!(by_row >= ROWS, "one for each text, {by_row} in all");
    println!("{ROWS} rows of four columns: {by_column} allocations by column, {by_row} as tuples");
    let ((), sorting) = count(|| {
        let mut batch = batch;
        batch.sort_by(&[wreath_driver::SortKey::desc(1)]).expect("numbers have an order");
    });
    assert!(sorting <= 16, "{sorting} allocations");
}
