//! What a pool costs beyond the statements that run on its connections, in allocations and in system calls.

mod counting;

use std::env;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use counting::allocations;
use wreath_driver::{Client, Config, Pool, PoolConfig};
use wreath_tests::{Cluster, skip};

/// Set for the copy of this program that is traced: the server it goes to.
const TRACED: &str = "WREATH_TRACED";
const ROUNDS: usize = 200;

fn run<T>(work: impl Future<Output = T>) -> T {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    runtime.block_on(work)
}

async fn pool(dsn: &str, command_timeout: Option<Duration>) -> Pool {
    let config: Config = dsn.parse().expect("the kit's DSN is good");
    let bounds = PoolConfig { min_size: 2, max_size: 2, command_timeout, ..PoolConfig::default() };
    let pool = Pool::new(config, bounds).expect("the bounds are good");
    pool.start().await.expect("the server is up");
    for _ in 0..20 {
        // Buffers grow to their size.
        statement(&pool.acquire().await.expect("one is idle")).await;
        statement(&pool.acquire_shared().await.expect("one is idle")).await;
    }
    pool
}

async fn statement(client: &Client) {
    let one: i32 = client.fetch_scalar("SELECT 1", ()).await.expect("it is good");
    assert_eq!(one, 1);
}

async fn borrow(pool: &Pool) {
    for _ in 0..ROUNDS {
        drop(pool.acquire().await.expect("one is idle"));
        drop(pool.acquire_shared().await.expect("one is idle"));
    }
}

#[test]
fn an_uncontended_acquire_and_release_allocate_nothing() {
    let database = Cluster::shared().database();
    run(async {
        let pool = pool(&database.dsn(), Some(Duration::from_secs(30))).await;
        let before = allocations();
        borrow(&pool).await;
        assert_eq!(allocations() - before, 0);
    });
}

#[test]
fn a_time_limit_on_statements_allocates_nothing() {
    let database = Cluster::shared().database();
    run(async {
        let pool = pool(&database.dsn(), Some(Duration::from_secs(30))).await;
        let lease = pool.acquire().await.expect("one is idle");
        statement(&lease).await;
        let before = allocations();
        statement(&lease).await;
        assert_eq!(allocations() - before, 0);
    });
}

/// Marks a place in the trace.
fn mark(name: &str) {
    let there = fs::metadata(Path::new("/mark").join(name)).is_ok();
    assert!(!there, "it is only asked for to be seen");
}

/// What is traced: borrowing, and then statements under a time limit.
fn traced(dsn: &str) {
    run(async {
        let pool = pool(dsn, Some(Duration::from_secs(30))).await;
        mark("borrowing");
        borrow(&pool).await;
        mark("statements");
        for _ in 0..ROUNDS {
            statement(&pool.acquire().await.expect("one is idle")).await;
        }
        mark("end");
    });
}

/// The names of the system calls between two marks.
fn between<'t>(trace: &'t str, from: &str, to: &str) -> Vec<&'t str> {
    let at = |name: &str| {
        let mark = format!("\"/mark/{name}\"");
        trace.lines().position(|line| line.contains(&mark)).expect("the mark was traced")
    };
    let calls = trace.lines().take(at(to)).skip(at(from) + 1);
    calls.filter_map(|line| line.split_whitespace().nth(1)?.split('(').next()).collect()
}

#[test]
fn borrowing_makes_no_system_call_and_a_time_limit_none_beyond_the_sockets() {
    if let Ok(dsn) = env::var(TRACED) {
        return traced(&dsn);
    }
    let database = Cluster::shared().database();
    let file = env::temp_dir().join(format!("wreath-trace-{}", std::process::id()));
    let this = "borrowing_makes_no_system_call_and_a_time_limit_none_beyond_the_sockets";
    let tracing = Command::new("strace")
        .args(["-f", "-o"])
        .arg(&file)
        .arg(env::current_exe().expect("it runs"))
        .args(["--exact", this, "--test-threads=1"])
        .env(TRACED, database.dsn())
        .output();
    let trace = fs::read_to_string(&file).unwrap_or_default();
    let _ = fs::remove_file(&file);
    match tracing {
        Ok(output) if output.status.success() => {}
        Ok(output) if !trace.contains("execve(") => {
            return skip("strace", &String::from_utf8_lossy(&output.stderr));
        }
        Ok(output) => panic!("{}", String::from_utf8_lossy(&output.stdout)),
        Err(e) => return skip("strace", &e.to_string()),
    }
    assert_eq!(between(&trace, "borrowing", "statements"), [""; 0]);
    let calls = between(&trace, "statements", "end");
    let of_sockets = ["sendto", "recvfrom", "read", "writev", "epoll_wait", "epoll_pwait"];
    let others: Vec<_> = calls.iter().filter(|call| !of_sockets.contains(call)).collect();
    assert!(others.is_empty(), "{others:?}");
    let sent = calls.iter().filter(|call| ["sendto", "writev"].contains(call)).count();
    assert_eq!(sent, ROUNDS, "{calls:?}");
}
