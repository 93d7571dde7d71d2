//! Ours: the driver by itself, decoding into structs by hand-written `FromRow`.

use measure::Result;
use serde_json::Value;
use tokio::runtime::Runtime;
use uuid::Uuid;
use wreath_driver::codecs::types::{Numeric, RawJson, TimestampTz};
use wreath_driver::{Client, Config, Connection, FromRow, Pool, PoolConfig, Row, RowReader, Sql, SslMode};

use futures_util::future::try_join_all;

use crate::data::{self, Data, WideColumns};
use crate::peer::{Peer, Target, block_on, expect, one_thread, side_by_side, two_threads};
use crate::workload::{COPY_ROWS, IN_FLIGHT, INSERT_ROWS, POOL, TASKS, WIDE_ROWS, Workload};

/// What differs from the usual way.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// Nothing: each lookup has its own Sync, and JSON is parsed.
    Plain,
    /// Lookups that wait together share a Sync.
    Coalesced,
    /// 64 lookups are one pipeline.
    Batch,
    /// The tasks of `pool64` share its connections.
    Shared,
    /// The text of JSON is kept as it is.
    RawJson,
}

pub struct Wreath {
    style: Style,
    data: &'static Data,
    one: Runtime,
    two: Runtime,
    connection: Connection,
    pool: Pool,
}

/// `data::Wide` in the driver's own exact types for time and numeric.
#[allow(dead_code, reason = "the fields are decoded, which is what is measured")]
struct Wide<J> {
    id: i64,
    qty: i32,
    title: String,
    code: String,
    active: bool,
    score: f64,
    created_at: TimestampTz,
    token: Uuid,
    price: Numeric,
    attrs: J,
}

impl<J> Wide<J> {
    fn read<'r>(
        row: Row<'r>,
        attrs: impl FnOnce(&mut RowReader<'r>) -> wreath_driver::Result<J>,
    ) -> wreath_driver::Result<Self> {
        let mut values = row.reader();
        Ok(Self {
            id: values.read()?,
            qty: values.read()?,
            title: values.read()?,
            code: values.read()?,
            active: values.read()?,
            score: values.read()?,
            created_at: values.read()?,
            token: values.read()?,
            price: values.read()?,
            attrs: attrs(&mut values)?,
        })
    }
}

impl FromRow for Wide<Value> {
    fn from_row(row: Row<'_>) -> wreath_driver::Result<Self> {
        Self::read(row, RowReader::read)
    }
}

impl FromRow for Wide<RawJson<'static>> {
    fn from_row(row: Row<'_>) -> wreath_driver::Result<Self> {
        Self::read(row, |values| Ok(values.read::<RawJson<'_>>()?.into_owned()))
    }
}

impl Wreath {
    pub fn open(style: Style, target: &Target, data: &'static Data) -> Result<Self> {
        let (one, two) = (one_thread()?, two_threads()?);
        let config = Config::new()
            .host(&target.host)
            .port(target.port)
            .user(&target.user)
            .dbname(&target.dbname)
            .ssl_mode(SslMode::Disable);
        let config = match style {
            Style::Coalesced => config.coalesce_reads(true).options("-c default_transaction_read_only=on"),
            _ => config,
        };
        let connection = block_on(&one, async { Ok(config.connect().await?) })?;
        let bounds = PoolConfig {
            min_size: POOL,
            max_size: POOL,
            max_queue: TASKS,
            pipeline_depth: TASKS / POOL,
            ..PoolConfig::default()
        };
        let pool = Pool::new(config, bounds)?;
        Ok(Self { style, data, one, two, connection, pool })
    }
}

impl Peer for Wreath {
    fn name(&self) -> &'static str {
        match self.style {
            Style::Plain => "wreath",
            Style::Coalesced => "wreath, coalesced",
            Style::Batch => "wreath, Sync per batch",
            Style::Shared => "wreath, shared",
            Style::RawJson => "wreath, raw json",
        }
    }

    fn method(&self, workload: Workload) -> Option<&'static str> {
        match (self.style, workload) {
            (Style::Plain, Workload::Select1) => Some("fetch_scalar"),
            (Style::Plain, Workload::Pk) => Some("fetch_one, FromRow"),
            (Style::Plain, Workload::PkPipelined) => Some("64 futures sharing the connection"),
            (Style::Coalesced, Workload::PkPipelined) => Some("64 futures, coalesce_reads"),
            (Style::Batch, Workload::PkPipelined) => Some("pipelines of 64, one after the other"),
            (Style::Plain, Workload::Pool64) => Some("the driver's pool"),
            (Style::Shared, Workload::Pool64) => Some("the driver's pool; 8 tasks share a connection"),
            (Style::Plain, Workload::Fetch10k) => Some("fetch_as, FromRow"),
            (Style::RawJson, Workload::Fetch10k) => Some("fetch_as, FromRow, jsonb as RawJson"),
            (Style::Plain, Workload::Insert1k) => Some("one insert from unnest of 10 arrays"),
            (Style::Plain, Workload::CopyIn) => Some("copy_rows"),
            _ => None,
        }
    }

    fn run(&mut self, workload: Workload, operations: usize) -> Result<()> {
        let connection = &self.connection;
        match workload {
            Workload::Select1 => block_on(&self.one, async {
                for _ in 0..operations {
                    expect(connection.fetch_scalar(data::SELECT_1, ()).await?, 1_i32)?;
                }
                Ok(())
            }),
            Workload::Pk => block_on(&self.one, async {
                for i in 0..operations {
                    lookup(connection, i).await?;
                }
                Ok(())
            }),
            Workload::PkPipelined if self.style == Style::Batch => block_on(&self.one, async {
                for batch in 0..operations / IN_FLIGHT {
                    pipeline(connection, batch * IN_FLIGHT).await?;
                }
                Ok(())
            }),
            Workload::PkPipelined => {
                let share = operations / IN_FLIGHT;
                block_on(&self.one, async {
                    try_join_all((0..IN_FLIGHT).map(async |caller| {
                        for i in caller * share..(caller + 1) * share {
                            lookup(connection, i).await?;
                        }
                        Ok(())
                    }))
                    .await
                    .map(drop)
                })
            }
            Workload::Pool64 => block_on(
                &self.two,
                side_by_side(operations, |_, keys| {
                    let (pool, shared) = (self.pool.clone(), self.style == Style::Shared);
                    async move {
                        for i in keys {
                            if shared {
                                lookup(&*pool.acquire_shared().await?, i).await?;
                            } else {
                                lookup(&*pool.acquire().await?, i).await?;
                            }
                        }
                        Ok(())
                    }
                }),
            ),
            Workload::Fetch10k => block_on(&self.one, async {
                for _ in 0..operations {
                    let rows = match self.style {
                        Style::RawJson => fetch::<Wide<RawJson<'static>>>(connection).await?,
                        _ => fetch::<Wide<Value>>(connection).await?,
                    };
                    expect(rows, WIDE_ROWS)?;
                }
                Ok(())
            }),
            Workload::Insert1k => block_on(&self.one, async {
                for op in 0..operations {
                    insert(connection, self.data.batch(op, INSERT_ROWS)).await?;
                }
                Ok(())
            }),
            Workload::CopyIn => block_on(&self.one, async {
                for op in 0..operations {
                    copy(connection, self.data.batch(op, COPY_ROWS)).await?;
                }
                Ok(())
            }),
            _ => Err(format!("{} is not among the methods", workload.name()).into()),
        }
    }
}

/// Reads all rows, and answers how many there are.
async fn fetch<T: FromRow>(client: &Client) -> Result<usize> {
    Ok(client.fetch_as::<T>(data::SELECT_WIDE, ()).await?.len())
}

async fn insert(client: &Client, rows: &[data::Wide]) -> Result<()> {
    let transaction = client.begin().await?;
    let WideColumns { id, qty, title, code, active, score, created_at, token, price, attrs } =
        WideColumns::of(rows);
    let columns = (id, qty, title, code, active, score, created_at, token, price, attrs);
    expect(transaction.execute(data::INSERT_SINK_ARRAYS, columns).await?.rows(), rows.len() as u64)?;
    Ok(transaction.commit().await?)
}

async fn copy(client: &Client, rows: &[data::Wide]) -> Result<()> {
    let mut copy = client.copy_rows(data::COPY_SINK).await?;
    for row in rows {
        let data::Wide { id, qty, title, code, active, score, created_at, token, price, attrs } = row;
        copy.send((id, qty, title, code, active, score, created_at, token, price, attrs)).await?;
    }
    expect(copy.finish().await?, rows.len() as u64)
}

async fn lookup(client: &Client, i: usize) -> Result<()> {
    let row = client.fetch_one(data::SELECT_WIDE_BY_ID, (data::key(i),)).await?;
    expect(Wide::<Value>::from_row(row.as_row())?.id, data::key(i))
}

/// Looks 64 keys up under one Sync.
async fn pipeline(client: &Client, first: usize) -> Result<()> {
    let sql = Sql::new(data::SELECT_WIDE_BY_ID);
    let mut pipeline = client.pipeline();
    let mut tickets = Vec::with_capacity(IN_FLIGHT);
    for i in first..first + IN_FLIGHT {
        tickets.push(pipeline.fetch_one(sql.clone(), (data::key(i),))?);
    }
    let mut results = pipeline.run().await?;
    for (i, ticket) in (first..).zip(tickets) {
        expect(Wide::<Value>::from_row(results.take(ticket)?.as_row())?.id, data::key(i))?;
    }
    Ok(())
}
