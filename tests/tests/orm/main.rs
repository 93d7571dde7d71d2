//! The ORM against a real server.

mod aggregates;
mod barn;
mod bodies;
mod declared;
mod expressions;
mod extensions;
mod failures;
#[path = "../../../orm/tests/farm/mod.rs"]
mod farm;
mod filters;
mod flush;
mod graph;
mod hooks;
mod include;
mod interrupted;
mod random;
mod raw;
mod read;
mod relations;
#[path = "../../../orm/tests/samples/mod.rs"]
mod samples;
mod schema;
mod select;
mod session;
mod shapes;
mod tables;
mod tenant;
mod transaction;
mod types;
mod version;
mod workloads;
mod write;

use std::sync::{Arc, Mutex};

use farm::{Llama, Paddock, Shearing};
use wreath_driver::{Config, Connection};
use wreath_orm::{Builder, Db};
use wreath_tests::{Cluster, Database};

/// A farm of a test's own, over one connection, with all that is sent on it.
struct Farm {
    db: Db,
    connection: Connection,
    sent: Arc<Mutex<Vec<String>>>,
    /// Dropped last, with its database.
    database: Database,
}

impl Farm {
    /// Empty tables.
    async fn empty() -> Self {
        Self::of(Db::builder().model::<Shearing>().model::<Llama>().model::<Paddock>()).await
    }

    /// The tables of other models.
    async fn of(models: Builder) -> Self {
        let database = Cluster::shared().database();
        let config: Config = database.dsn().parse().expect("the kit's DSN is good");
        let connection = config.connect().await.expect("the server is up");
        let sent = Arc::new(Mutex::new(Vec::new()));
        let log = Arc::clone(&sent);
        let models = models.log(move |s| log.lock().expect("nobody panics in it").push(s.sql().to_owned()));
        let db = models.connection(connection.clone()).expect("the models are good");
        db.create_tables().await.expect("the tables are new");
        Self { db, connection, sent, database }
    }

    /// Two paddocks; Dolly (9) and Tina (4) on Hilltop, Anna (2, Dolly's) on Riverside, Bo (1) astray; two
    /// shearings of Dolly's.
    async fn stocked() -> Self {
        let farm = Self::empty().await;
        farm.run("INSERT INTO paddocks (name, hectares) VALUES ('Hilltop', 1.5), ('Riverside', NULL)").await;
        farm.run(
            "INSERT INTO llamas (name, nick, age, friendly, paddock_id, mother_id) VALUES
             ('Dolly', 'Dee', 9, true, 1, NULL), ('Tina', NULL, 4, true, 1, NULL),
             ('Anna', NULL, 2, false, 2, 1), ('Bo', NULL, 1, false, NULL, NULL)",
        )
        .await;
        farm.run(
            "INSERT INTO shearings VALUES
             (1, '2024-05-02', 12.5, '{\"wool\": \"fine\"}'), (1, '2025-05-02', 14, NULL)",
        )
        .await;
        farm
    }

    async fn run(&self, sql: &str) {
        self.connection.execute(sql, ()).await.expect("the statement is good");
    }

    /// What a query of one text value answers, on a connection of its own.
    async fn text(&self, sql: &str) -> String {
        let rows = self.database.admin().query(sql).expect("the statement is good");
        rows[0][0].clone().unwrap_or_else(|| "NULL".to_owned())
    }

    /// How many flights `work` takes.
    async fn flights<T>(&self, work: impl Future<Output = T>) -> (T, u64) {
        let before = self.connection.stats().round_trips;
        let answer = work.await;
        (answer, self.connection.stats().round_trips - before)
    }

    /// What has been sent since this was last asked.
    fn sent(&self) -> Vec<String> {
        std::mem::take(&mut self.sent.lock().expect("nobody panics in it"))
    }
}
