//! Values out of the same bytes, in this process and without a server: see README.md.

mod arms;
mod cases;
mod stub;
mod table;

use std::path::PathBuf;
use std::time::Duration;

use measure::{CountingAllocator, Meter, Result, Row, compare_and_print, wait_for_quiet, write_json};
use serde::Serialize;

use cases::Case;

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

const USAGE: &str = "\
usage: decode [--json FILE] [--runs N] [--only TYPE]

  --json    write the results here as well
  --runs    timed runs of each peer and case, interleaved over the peers (25)
  --only    only the cases whose name begins so";

/// How often a run goes over the rows: one pass takes too little time for the clocks.
const PASSES: usize = 20;

#[derive(Serialize)]
struct Report {
    runs: usize,
    rows: Vec<Row>,
}

fn main() {
    if let Err(error) = run() {
        eprintln!("{error}");
        std::process::exit(1);
    }
}

fn run() -> Result<()> {
    let (mut json, mut runs, mut only) = (None, 25, String::new());
    let mut given = std::env::args().skip(1);
    while let Some(flag) = given.next() {
        let mut value = || given.next().ok_or(USAGE);
        match flag.as_str() {
            "--json" => json = Some(PathBuf::from(value()?)),
            "--runs" => runs = value()?.parse()?,
            "--only" => only = value()?,
            _ => return Err(USAGE.into()),
        }
    }

    let mut rows = Vec::new();
    for case in cases::all().iter().filter(|case| case.name.starts_with(&only)) {
        rows.extend(measure(case, runs)?);
    }
    summary(&rows);
    if let Some(path) = json {
        write_json(&path, &Report { runs, rows })?;
    }
    Ok(())
}

/// Runs the arms of a case in turn.
fn measure(case: &Case, runs: usize) -> Result<Vec<Row>> {
    // sqlx asks the server about types that it does not know, and the stub has no answer.
    let known = case.arms.iter().any(|arm| arm.peer == "sqlx");
    let received = if known { stub::rows(&case.table)? } else { Vec::new() };
    let busy = wait_for_quiet(Duration::from_millis(500))?;
    let mut costs = vec![Vec::new(); case.arms.len()];
    for round in 0..=runs {
        for (arm, costs) in case.arms.iter().zip(&mut costs) {
            let meter = Meter::start();
            (0..PASSES).for_each(|_| (arm.pass)(&case.table, &received));
            let cost = meter.stop();
            // The first round only warms up.
            if round > 0 {
                costs.push(cost);
            }
        }
    }
    let units = PASSES * case.table.rows.len();
    let row = |(arm, costs): (&cases::Arm, &Vec<_>)| {
        Row::new(case.name, arm.peer, arm.into, case.unit, units, busy, costs)
    };
    let mut rows: Vec<Row> = case.arms.iter().zip(&costs).map(row).collect();
    compare_and_print(&mut rows);
    Ok(rows)
}

/// One line a case: how often as fast as each peer ours is, by CPU time, since nothing waits.
fn summary(rows: &[Row]) {
    println!("\n  {:<22} {:>11}  {:>11}   times as fast as", "", "ours, ns", "allocations");
    for case in rows.chunk_by(|a, b| a.group == b.group) {
        let ours = &case[0];
        print!("  {:<22} {:>11.1}  {:>11.2} ", ours.group, ours.cpu_ns.median, ours.allocs.median);
        for row in &case[1..] {
            print!("  {:.2} {} ({})", row.cpu_ns.median / ours.cpu_ns.median, row.peer, row.method);
        }
        println!();
    }
}
