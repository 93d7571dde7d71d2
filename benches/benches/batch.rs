//! Results by column beside results by row, of the same reply: reading, summing and sorting 10,000 rows.

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use wreath_driver::{Batch, Config, FromRow, Rows, SortKey};
use wreath_tests::Cluster;

type Row = (i64, f64, String);

fn fetched() -> Rows {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    let database = Cluster::shared().database();
    let config: Config = database.dsn().parse().expect("the kit's DSN is good");
    runtime.block_on(async {
        let connection = config.connect().await.expect("the server is up");
        let sql = "SELECT g::int8 AS id, (g * 7919 % 10007)::float8 AS score, 'name ' || g AS name
                   FROM generate_series(1, 10000) g";
        connection.fetch(sql, ()).await.expect("fetches")
    })
}

fn tuples(rows: &Rows) -> Vec<Row> {
    rows.iter().map(|row| Row::from_row(row).expect("reads")).collect()
}

fn columns(rows: &Rows) -> Batch {
    Batch::from_rows(rows.clone()).expect("reads")
}

fn read(c: &mut Criterion) {
    let rows = fetched();
    c.bench_function("batch/read/columns", |b| b.iter(|| columns(black_box(&rows))));
    c.bench_function("batch/read/tuples", |b| b.iter(|| tuples(black_box(&rows))));
    let (batch, all) = (columns(&rows), tuples(&rows));
    c.bench_function("batch/sum/columns", |b| {
        b.iter(|| black_box(&batch).series()[1].values::<f64>().expect("numbers").iter().sum::<f64>());
    });
    c.bench_function("batch/sum/tuples", |b| b.iter(|| black_box(&all).iter().map(|row| row.1).sum::<f64>()));
    c.bench_function("batch/sort/columns", |b| {
        b.iter(|| {
            let mut batch = batch.clone();
            batch.sort_by(&[SortKey::asc("score")]).expect("numbers have an order");
            batch
        });
    });
    c.bench_function("batch/sort/tuples", |b| {
        b.iter(|| {
            let mut all = all.clone();
            all.sort_by(|a, b| a.1.total_cmp(&b.1));
            all
        });
    });
}

criterion_group!(benches, read);
criterion_main!(benches);
