//! Ours: the driver by itself, decoding into structs by hand-written `FromRow`.

use measure::Result;
use serde_json::Value;
use tokio::runtime::Runtime;
use uuid::Uuid;
use wreath_driver::codecs::types::{Numeric, TimestampTz};
use wreath_driver::{Client, Config, Connection, FromRow, Pool, PoolConfig, Row, Sql, SslMode};

use futures_util::future::try_join_all;

use crate::data;
use crate::peer::{Peer, Target, block_on, expect, one_thread, side_by_side, two_threads};
use crate::workload::{IN_FLIGHT, POOL, TASKS, WIDE_ROWS, Workload};

/// How the lookups go together.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// Each with its own Sync.
    Plain,
    /// Those that wait together share one.
    Coalesced,
    /// 64 are one pipeline.
    Batch,
    /// The tasks of `pool64` share its connections.
    Shared,
}

pub struct Wreath {
    style: Style,
    one: Runtime,
    two: Runtime,
    connection: Connection,
    pool: Pool,
}

/// `data::Wide` in the driver's own exact types for time and numeric.
#[allow(dead_code, reason = "the fields are decoded, which is what is measured")]
struct Wide {
    id: i64,
    qty: i32,
    title: String,
    code: String,
    active: bool,
    score: f64,
    created_at: TimestampTz,
    token: Uuid,
    price: Numeric,
    attrs: Value,
}

impl FromRow for Wide {
    fn from_row(row: Row<'_>) -> wreath_driver::Result<Self> {
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
            attrs: values.read()?,
        })
    }
}

impl Wreath {
    pub fn open(target: &Target, style: Style) -> Result<Self> {
        let (one, two) = (one_thread()?, two_threads()?);
        let config = Config::new()
            .host(&target.host)
            .port(target.port)
            .user(&target.user)
            .dbname(&target.dbname)
            .ssl_mode(SslMode::Disable);
        let config = match style {
            Style::Coalesced => config.coalesce_reads(true).options("-c default_transaction_read_only=on"),
            Style::Plain | Style::Batch | Style::Shared => config,
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
        Ok(Self { style, one, two, connection, pool })
    }
}

impl Peer for Wreath {
    fn name(&self) -> &'static str {
        match self.style {
            Style::Plain => "wreath",
            Style::Coalesced => "wreath, coalesced",
            Style::Batch => "wreath, Sync per batch",
            Style::Shared => "wreath, shared",
        }
    }

    fn method(&self, workload: Workload) -> Option<&'static str> {
        match workload {
            Workload::PkPipelined if self.style == Style::Batch => {
                Some("pipelines of 64, one after the other")
            }
            Workload::PkPipelined if self.style == Style::Coalesced => Some("64 futures, coalesce_reads"),
            Workload::Pool64 if self.style == Style::Shared => {
                Some("the driver's pool; 8 tasks share a connection")
            }
            _ if self.style != Style::Plain => None,
            Workload::Select1 => Some("fetch_scalar"),
            Workload::Pk => Some("fetch_one, FromRow"),
            Workload::PkPipelined => Some("64 futures sharing the connection"),
            Workload::Pool64 => Some("the driver's pool"),
            Workload::Fetch10k => Some("fetch_as, FromRow"),
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
                    let rows: Vec<Wide> = connection.fetch_as(data::SELECT_WIDE, ()).await?;
                    expect(rows.len(), WIDE_ROWS)?;
                }
                Ok(())
            }),
            _ => Err(format!("{} is not among the methods", workload.name()).into()),
        }
    }
}

async fn lookup(client: &Client, i: usize) -> Result<()> {
    let row = client.fetch_one(data::SELECT_WIDE_BY_ID, (data::key(i),)).await?;
    expect(Wide::from_row(row.as_row())?.id, data::key(i))
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
        expect(Wide::from_row(results.take(ticket)?.as_row())?.id, data::key(i))?;
    }
    Ok(())
}
