//! Every verb at once, on a small pool whose connections grow old, lie idle and are terminated.

use std::time::Duration;

use wreath_driver::{Access, Client, Error, Pool, PoolConfig};

use crate::fixture::{Random, assert_in_step, config, database, polled, within};

/// One piece of work, the answers of which are its own, and which may leave anything behind.
async fn work(client: &Client, random: &mut Random) -> Result<(), Error> {
    let n = i64::try_from(random.below(1000)).unwrap();
    match random.below(9) {
        0 => {
            let mut pipeline = client.pipeline();
            let number = pipeline.fetch_scalar::<i64>("SELECT $1::int8", (n,))?;
            let insert = pipeline.execute("INSERT INTO log (word) VALUES ('wool')", ())?;
            let mut results = pipeline.run().await?;
            assert_eq!((results.take(number)?, results.take(insert)?.rows()), (n, 1));
        }
        1 => {
            let tx = client.begin().await?;
            let mut stream = tx.stream("SELECT generate_series(1, 2000)", ()).await?;
            let (mut seen, last) = (0, 1 + n * 3);
            while let Some(row) = stream.next().await? {
                seen += 1;
                assert_eq!(i64::from(row.get::<i32>(0)?), seen);
                if seen == last {
                    break;
                }
            }
            drop(stream);
            tx.commit().await?;
        }
        2 => {
            let mut copy = client.copy_rows("COPY moods FROM STDIN (FORMAT binary)").await?;
            copy.send((1_i32,)).await?;
        }
        3 => drop(polled(random.below(4), client.fetch("SELECT pg_sleep(0.001)", ())).await),
        4 => {
            let batch = client.fetch_batch("SELECT generate_series(1, 3000)", ()).await?;
            assert_eq!(batch.len(), 3000);
        }
        5 => assert_eq!(client.script("SELECT 1; SET farm.gate = 'shut'; SELECT 2").await?.len(), 3),
        6 => drop(client.execute("SELECT pg_terminate_backend(pg_backend_pid())", ()).await?),
        7 => {
            let sql = "SELECT repeat('x', 1000) FROM generate_series(1, 3000)";
            assert!(client.stream(sql, ()).await?.next().await?.is_some());
        }
        _ => {
            let tx = client.begin().await?;
            let oid = tx.large_objects().create().await?;
            let mut object = tx.large_objects().open(oid, Access::ReadWrite).await?;
            object.write(&[7; 3000]).await?;
            assert_eq!(object.size().await?, 3000);
        }
    }
    Ok(())
}

/// What no borrower finds changed.
async fn assert_reset(client: &Client) -> Result<(), Error> {
    let sql =
        "SELECT current_setting('application_name') || coalesce(current_setting('farm.gate', true), '')";
    assert_eq!(client.fetch_scalar::<String>(sql, ()).await?, "farm");
    Ok(())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 3)]
async fn borrowers_who_do_everything_do_not_meet() {
    const SIZE: usize = 3;
    let random = Random::seeded("mixture");
    let db = database();
    let bounds = PoolConfig {
        max_size: SIZE,
        acquire_timeout: Duration::from_secs(60),
        max_lifetime: Some(Duration::from_millis(200)),
        idle_timeout: Some(Duration::from_millis(30)),
        check_after: Some(Duration::from_millis(1)),
        ..PoolConfig::default()
    };
    let pool = Pool::builder(config(&db))
        .bounds(bounds)
        .after_connect(|client| {
            Box::pin(async move { client.batch("SET application_name = 'farm'").await.map(drop) })
        })
        .build()
        .unwrap();
    let borrowers: Vec<_> = (0..12)
        .map(|borrower| {
            let (pool, mut random) = (pool.clone(), random.fork(borrower));
            tokio::spawn(async move {
                for _ in 0..40 {
                    let lease = within(pool.acquire()).await.unwrap();
                    let done = within(async {
                        assert_reset(&lease).await?;
                        work(&lease, &mut random).await
                    })
                    .await;
                    if let Err(e) = done {
                        assert!(e.is_connection_lost(), "{e}");
                    }
                }
            })
        })
        .collect();
    for borrower in borrowers {
        borrower.await.unwrap();
    }
    let leases = within(async {
        let mut leases = Vec::new();
        while leases.len() < SIZE {
            leases.push(pool.acquire().await.unwrap());
        }
        leases
    })
    .await;
    for lease in &leases {
        assert_in_step(lease, "afterwards").await;
    }
    drop(leases);
    within(pool.close()).await;
}
