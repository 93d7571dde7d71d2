//! Runs every workload through every peer and prints medians: see README.md and workloads.md.

mod data;
mod deadpool_pg;
mod diesel_async_pg;
mod diesel_sync;
mod diesel_tables;
mod floor;
mod peer;
mod placement;
mod sea;
mod sqlx_pg;
mod tokio_pg;
mod workload;
mod wreath;
mod wreath_orm;

use std::path::PathBuf;
use std::time::Duration;

use measure::{CountingAllocator, Meter, Result, Row, compare_and_print, wait_for_quiet, write_json};
use serde::Serialize;
use tokio::runtime::Runtime;
use tokio_postgres::config::Host;
use tokio_postgres::{Client, Config, NoTls};

use crate::data::Data;
use crate::peer::{Peer, Target, block_on, one_thread};
use crate::placement::Placement;
use crate::workload::Workload;

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

const USAGE: &str = "\
usage: pg_peers [--dsn DSN] [--json FILE] [--runs N] [--scale X]
                [--placement one|all] [--transport unix|tcp] [--workload NAME] [--peer NAME]

  --dsn        the server, as a URL or as key=value pairs (DATABASE_URL); the user must be a superuser
               that is trusted, and the tables of schema.sql are dropped and made anew
  --json       write the results here as well
  --runs       timed runs of each peer and workload, interleaved over the peers (25)
  --scale      multiplies the operations of a run (1)
  --placement, --transport, --workload, --peer
               only these: the names begin with what is given";

struct Args {
    dsn: String,
    json: Option<PathBuf>,
    runs: usize,
    scale: f64,
    placement: String,
    transport: String,
    workload: String,
    peer: String,
}

impl Args {
    fn parse() -> Result<Self> {
        let mut args = Self {
            dsn: std::env::var("DATABASE_URL").unwrap_or_default(),
            json: None,
            runs: 25,
            scale: 1.0,
            placement: String::new(),
            transport: String::new(),
            workload: String::new(),
            peer: String::new(),
        };
        let mut given = std::env::args().skip(1);
        while let Some(flag) = given.next() {
            let mut value = || given.next().ok_or(USAGE);
            match flag.as_str() {
                "--dsn" => args.dsn = value()?,
                "--json" => args.json = Some(value()?.into()),
                "--runs" => args.runs = value()?.parse()?,
                "--scale" => args.scale = value()?.parse()?,
                "--placement" => args.placement = value()?,
                "--transport" => args.transport = value()?,
                "--workload" => args.workload = value()?,
                "--peer" => args.peer = value()?,
                _ => return Err(USAGE.into()),
            }
        }
        if args.dsn.is_empty() || args.runs == 0 { Err(USAGE.into()) } else { Ok(args) }
    }
}

#[derive(Serialize)]
struct Report {
    server: String,
    runs: usize,
    scale: f64,
    rows: Vec<Row>,
}

fn main() {
    if let Err(error) = run() {
        eprintln!("{error}");
        std::process::exit(1);
    }
}

fn run() -> Result<()> {
    let args = Args::parse()?;
    let control = Control::open(&args.dsn)?;
    control.batch(include_str!("../../schema.sql"))?;
    control.batch("VACUUM ANALYZE")?;
    control.batch("CHECKPOINT")?;
    let data: &'static Data = Box::leak(Box::new(block_on(&control.runtime, Data::load(&control.client))?));

    let mut rows = Vec::new();
    for placement in Placement::ALL {
        if !placement.name().starts_with(&args.placement) {
            continue;
        }
        let placed = control.postmaster().and_then(|postmaster| placement.apply(postmaster));
        // Where the server was never moved, it need not be moved back.
        if let (Placement::OneCore, Err(error)) = (placement, placed) {
            eprintln!("left out what runs on one core: {error}");
            continue;
        }
        for target in control.targets()? {
            if target.transport.starts_with(&args.transport) {
                rows.extend(measure_all(&control, placement, &target, data, &args)?);
            }
        }
    }
    control.postmaster().and_then(|postmaster| Placement::AllCores.apply(postmaster)).ok();
    if let Some(path) = &args.json {
        let server = control.ask("SELECT version()")?;
        write_json(path, &Report { server, runs: args.runs, scale: args.scale, rows })?;
    }
    Ok(())
}

/// Every workload through every peer, at one placement and over one transport.
fn measure_all(
    control: &Control,
    placement: Placement,
    target: &Target,
    data: &'static Data,
    args: &Args,
) -> Result<Vec<Row>> {
    let mut peers = open_peers(target, data)?;
    peers.retain(|peer| peer.name().starts_with(&args.peer));
    let mut rows = Vec::new();
    for workload in Workload::ALL {
        let fits = placement == Placement::AllCores || workload != Workload::Pool64;
        if fits && workload.name().starts_with(&args.workload) {
            let group = format!("{} over {}, {}", workload.name(), target.transport, placement.name());
            let operations = workload.operations(placement, args.scale);
            let mut found =
                measure(control, &mut peers, workload, operations, &group, workload.runs(args.runs))
                    .map_err(|error| format!("{group}: {error}"))?;
            compare_and_print(&mut found);
            rows.extend(found);
        }
    }
    Ok(rows)
}

/// Every peer, the floor first: the tables compare the others with it.
fn open_peers(target: &Target, data: &'static Data) -> Result<Vec<Box<dyn Peer>>> {
    Ok(vec![
        Box::new(floor::Floor::open(floor::Syncs::EachQuery, target, data)?),
        Box::new(floor::Floor::open(floor::Syncs::EachBatch, target, data)?),
        Box::new(wreath::Wreath::open(wreath::Style::Plain, target, data)?),
        Box::new(wreath::Wreath::open(wreath::Style::Shared, target, data)?),
        Box::new(wreath::Wreath::open(wreath::Style::Coalesced, target, data)?),
        Box::new(wreath::Wreath::open(wreath::Style::Batch, target, data)?),
        Box::new(wreath::Wreath::open(wreath::Style::RawJson, target, data)?),
        Box::new(wreath_orm::WreathOrm::open(target, data)?),
        Box::new(tokio_pg::TokioPostgres::open(tokio_pg::Style::Sequential, target, data)?),
        Box::new(tokio_pg::TokioPostgres::open(tokio_pg::Style::Pipelined, target, data)?),
        Box::new(deadpool_pg::Deadpool::open(target)?),
        Box::new(sqlx_pg::Sqlx::open(target, data)?),
        Box::new(diesel_sync::Diesel::open(target, data)?),
        Box::new(diesel_async_pg::DieselAsync::open(target, data)?),
        Box::new(sea::SeaOrm::open(target, data)?),
    ])
}

/// One warm-up of each peer, then the timed runs, one of each peer in turn, so that
/// a slow spell of the machine falls on all of them.
fn measure(
    control: &Control,
    peers: &mut [Box<dyn Peer>],
    workload: Workload,
    operations: usize,
    group: &str,
    runs: usize,
) -> Result<Vec<Row>> {
    let mut able: Vec<_> = peers.iter_mut().filter(|peer| peer.method(workload).is_some()).collect();
    let mut costs = vec![Vec::new(); able.len()];
    let busy = wait_for_quiet(Duration::from_secs(5))?;
    for run in 0..=runs {
        for (peer, costs) in able.iter_mut().zip(&mut costs) {
            control.batch(workload.prepare())?;
            let meter = Meter::start();
            peer.run(workload, operations).map_err(|error| format!("{}: {error}", peer.name()))?;
            let cost = meter.stop();
            if let Some((query, wanted)) = workload.check(operations) {
                peer::expect(control.ask(query)?, wanted.to_string())
                    .map_err(|error| format!("{}: {query}: {error}", peer.name()))?;
            }
            if run > 0 {
                costs.push(cost);
            }
        }
    }
    let (unit, units) = workload.unit();
    Ok(able
        .iter()
        .zip(&costs)
        .map(|(peer, costs)| {
            let method = peer.method(workload).unwrap_or_default();
            Row::new(group, peer.name(), method, unit, operations * units, busy, costs)
        })
        .collect())
}

/// The connection that makes tables and checks what was written; it is idle while a run is timed.
struct Control {
    runtime: Runtime,
    client: Client,
    tcp: Target,
}

impl Control {
    fn open(dsn: &str) -> Result<Self> {
        let config: Config = dsn.parse()?;
        let runtime = one_thread()?;
        let (client, connection) = block_on(&runtime, async { Ok(config.connect(NoTls).await?) })?;
        runtime.spawn(connection);
        let user = config.get_user().unwrap_or("postgres").to_string();
        let dbname = config.get_dbname().unwrap_or(&user).to_string();
        let host = match config.get_hosts() {
            [Host::Tcp(host), ..] => host.clone(),
            _ => "127.0.0.1".to_string(),
        };
        let mut control =
            Self { tcp: Target { transport: "tcp", host, port: 0, user, dbname }, runtime, client };
        control.tcp.port = control.ask("SHOW port")?.parse()?;
        // The test kit's superuser is trusted on the socket only; its role t_trust is everywhere.
        let kits = "SELECT count(*) FROM pg_roles WHERE rolname = 't_trust'";
        if control.ask(kits)? == "1" {
            control.batch("ALTER ROLE t_trust SUPERUSER")?;
            control.tcp.user = "t_trust".to_string();
        }
        Ok(control)
    }

    /// The same server over its unix socket and over TCP.
    fn targets(&self) -> Result<[Target; 2]> {
        let folders = self.ask("SHOW unix_socket_directories")?;
        let folder = folders.split(',').next().unwrap_or_default().trim().to_string();
        let unix = Target { transport: "unix", host: folder, ..self.tcp.clone() };
        Ok([unix, self.tcp.clone()])
    }

    /// The process id of the server, which has to run on this machine.
    fn postmaster(&self) -> Result<i32> {
        let file = format!("{}/postmaster.pid", self.ask("SHOW data_directory")?);
        let text = std::fs::read_to_string(&file).map_err(|error| format!("{file}: {error}"))?;
        Ok(text.lines().next().unwrap_or_default().parse()?)
    }

    fn batch(&self, sql: &str) -> Result<()> {
        block_on(&self.runtime, async { Ok(self.client.batch_execute(sql).await?) })
    }

    /// The one value of a query, as text.
    fn ask(&self, sql: &str) -> Result<String> {
        let messages = block_on(&self.runtime, async { Ok(self.client.simple_query(sql).await?) })?;
        messages
            .iter()
            .find_map(|message| match message {
                tokio_postgres::SimpleQueryMessage::Row(row) => row.get(0).map(str::to_string),
                _ => None,
            })
            .ok_or_else(|| format!("{sql} returned nothing").into())
    }
}
