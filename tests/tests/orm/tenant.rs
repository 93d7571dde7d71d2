//! Tenants, settings and locks: what a session's transactions begin with.

use std::time::Duration;

use wreath_driver::{Config, Pool, PoolConfig};
use wreath_orm::{
    Column, Columns, Db, ErrorKind, Load, Model, Result, SchemaMode, Source, Table, Tenant, sql,
};

use crate::Farm;
use crate::farm::{Llama, Paddock};

/// The same for all tenants.
#[derive(Clone, Debug, PartialEq)]
struct Breed {
    name: String,
}

impl Breed {
    const NAME: Column<Self, String> = Self::TABLE.col("name", |b| &b.name);
}

impl Load<Self> for Breed {
    fn load<S: Source<Self>>(s: &mut S) -> Result<Self> {
        Ok(Self { name: s.get(Self::NAME)? })
    }
}

impl Model for Breed {
    const TABLE: Table<Self> = Table::new("breeds").schema("shared");
    type Key = String;
    fn key() -> impl Columns<Self, Row = String> {
        Self::NAME
    }
}

/// Tables of three tenants, over a pool of so many connections.
async fn farms(farm: &Farm, mode: SchemaMode, connections: usize) -> (Db, Pool) {
    let config: Config = farm.database.dsn().parse().expect("the kit's DSN is good");
    let pool =
        Pool::new(config, PoolConfig { max_size: connections, ..PoolConfig::default() }).expect("is good");
    let models = Db::builder().model::<Paddock>().model::<Llama>().model::<Breed>();
    let db = models.schema_mode(mode).pool(pool.clone()).expect("the models are good");
    db.create_tables().await.expect("in their schema");
    for name in ["north", "south", "west"] {
        db.create_tenant(&tenant(name)).await.expect("is new");
    }
    (db, pool)
}

fn tenant(name: &str) -> Tenant {
    Tenant::new(name).expect("a plain name")
}

#[tokio::test]
async fn each_tenant_has_its_own_rows_and_all_share_what_has_a_schema() {
    let farm = Farm::of(Db::builder()).await;
    let (db, _) = farms(&farm, SchemaMode::Isolated, 1).await;
    for name in ["north", "south"] {
        let mut session = db.session().with_tenant(tenant(name)).expect("is isolated");
        let paddock =
            session.create(Paddock::new(name)).await.expect("a flush opens a transaction of its own");
        assert_eq!(session[paddock].id, 1, "each has its own numbers");
        let mut tx = session.begin().await.expect("begins");
        tx.add(Breed { name: format!("{name}ern") }).expect("is good");
        tx.flush().await.expect("flushes");
        let found = tx.fetch_values(&Paddock::select().cols(Paddock::NAME)).await.expect("fetches");
        assert_eq!(found, [name]);
        tx.update(Paddock::select().filter(Paddock::ID.gt(0)))
            .set(Paddock::HECTARES, Some(3.0))
            .run()
            .await
            .expect("updates");
        tx.commit().await.expect("commits");
    }
    assert_eq!(farm.text("SELECT count(*)::text FROM shared.breeds").await, "2");
    assert_eq!(farm.text("SELECT name FROM south.paddocks WHERE hectares = 3").await, "south");
    assert_eq!(farm.text("SELECT count(*)::text FROM west.paddocks").await, "0");
}

#[tokio::test]
async fn nothing_runs_where_no_tenant_is_bound() {
    let farm = Farm::of(Db::builder()).await;
    let (db, _) = farms(&farm, SchemaMode::Isolated, 2).await;
    let all = Paddock::select();
    let unbound = |error: wreath_orm::Error| assert_eq!(error.kind(), ErrorKind::Unbound, "{error}");
    unbound(db.fetch(&all).await.map(drop).expect_err("no tenant"));
    unbound(db.raw(sql("SELECT 1")).rows().await.map(drop).expect_err("no tenant"));
    unbound(db.insert_many([Paddock::new("x")]).run().await.expect_err("no tenant"));
    unbound(db.delete(Paddock::select().filter(Paddock::ID.gt(0))).run().await.expect_err("no tenant"));
    unbound(db.copy_in::<Paddock>().await.map(drop).expect_err("no tenant"));
    let mut session = db.session();
    unbound(session.fetch(&all).await.map(drop).expect_err("no tenant"));
    unbound(session.begin().await.map(drop).expect_err("no tenant"));
    unbound(session.create(Paddock::new("x")).await.map(drop).expect_err("no tenant"));

    let mut session = db.session().with_tenant(tenant("north")).expect("is isolated");
    unbound(session.fetch(&all).await.map(drop).expect_err("outside"));
    unbound(session.get::<Paddock>(1).await.map(drop).expect_err("outside"));
    unbound(session.count(&all).await.map(drop).expect_err("outside"));
    unbound(session.raw(sql("SELECT 1")).rows().await.map(drop).expect_err("outside"));
    unbound(
        session
            .update(Paddock::select().filter(Paddock::ID.gt(0)))
            .set(Paddock::HECTARES, None)
            .run()
            .await
            .expect_err("outside"),
    );
    unbound(session.copy_in::<Paddock>().await.map(drop).expect_err("outside"));
    unbound(session.lock("x").await.expect_err("outside"));
    let mut tx = session.begin().await.expect("begins");
    assert_eq!(tx.count(&all).await.expect("counts"), 0);
    drop(tx);

    let error = session.with_tenant(tenant("south")).map(drop).expect_err("it has been used");
    assert_eq!(error.kind(), ErrorKind::Declaration);
    let single = Db::builder().connection(farm.connection.clone()).expect("no models");
    assert!(single.session().with_tenant(tenant("north")).is_err());
    let (roles, _) = (Db::builder().schema_mode(SchemaMode::IsolatedByRole), ());
    let roles = roles.connection(farm.connection.clone()).expect("no models");
    assert!(roles.session().with_tenant(tenant("north")).is_err(), "it has no role");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_pooled_connection_takes_no_tenant_along() {
    let farm = Farm::of(Db::builder()).await;
    let (db, pool) = farms(&farm, SchemaMode::Isolated, 3).await;
    let mut tasks = tokio::task::JoinSet::new();
    for task in 0..9_usize {
        let (db, pool) = (db.clone(), pool.clone());
        let name = ["north", "south", "west"][task % 3];
        tasks.spawn(async move {
            for round in 0..12 {
                let mut session = db.session().with_tenant(tenant(name)).expect("is isolated");
                let mut tx = session.begin().await.expect("begins");
                tx.add(Paddock::new(&format!("{name} {task} {round}"))).expect("is good");
                tx.flush().await.expect("flushes");
                let names = tx.fetch_values(&Paddock::select().cols(Paddock::NAME)).await.expect("fetches");
                assert!(names.iter().all(|found| found.starts_with(name)), "{names:?}");
                match round % 4 {
                    0 => tx.rollback().await.expect("rolls back"),
                    1 => drop(tx),
                    // What the server refuses fails the transaction, which ends when it is dropped.
                    2 => {
                        tx.raw(sql("SELECT 1/0")).rows().await.map(drop).expect_err("fails");
                        drop(tx);
                    }
                    _ => tx.commit().await.expect("commits"),
                }
                drop(session);
                let lease = pool.acquire().await.expect("is there");
                let path: String = lease.fetch_scalar("SHOW search_path", ()).await.expect("shows");
                assert_eq!(path, "\"$user\", public");
            }
        });
    }
    while let Some(done) = tasks.join_next().await {
        done.expect("no task has seen another tenant's rows");
    }
    assert_eq!(farm.text("SELECT count(*)::text FROM north.paddocks").await, "9");
    let strays = "SELECT count(*)::text FROM north.paddocks WHERE name NOT LIKE 'north%'";
    assert_eq!(farm.text(strays).await, "0");
}

#[tokio::test]
async fn a_role_keeps_other_tenants_out_of_reach() {
    let farm = Farm::of(Db::builder()).await;
    let (db, pool) = farms(&farm, SchemaMode::IsolatedByRole, 1).await;
    let role = format!(
        "north_of_{}",
        farm.text("SELECT oid::text FROM pg_database WHERE datname = current_database()").await
    );
    farm.connection
        .batch(&format!(
            "CREATE ROLE {role}; GRANT USAGE ON SCHEMA north TO {role};
             GRANT ALL ON ALL TABLES IN SCHEMA north TO {role}; GRANT ALL ON ALL SEQUENCES IN SCHEMA north TO {role}"
        ))
        .await
        .expect("the script is good");
    let north = tenant("north").role(role.clone()).expect("a plain name");
    let mut session = db.session().with_tenant(north).expect("has a role");
    session.create(Paddock::new("Hilltop")).await.expect("is allowed");
    let mut tx = session.begin().await.expect("begins");
    let error = tx.raw(sql("SELECT * FROM south.paddocks")).rows().await.map(drop).expect_err("is kept out");
    assert_eq!(error.database().and_then(|e| e.sqlstate()), Some("42501"));
    tx.rollback().await.expect("rolls back");
    drop(session);
    let user: bool = pool
        .acquire()
        .await
        .expect("is there")
        .fetch_scalar("SELECT current_user = session_user", ())
        .await
        .expect("asks");
    assert!(user, "the role ended with the transaction");

    let nobody = tenant("north").role("nobody_at_all").expect("a plain name");
    let mut session = db.session().with_tenant(nobody).expect("has a role");
    session.begin().await.map(drop).expect_err("there is no such role");
    farm.run(&format!("DROP OWNED BY {role}")).await;
    farm.run(&format!("DROP ROLE {role}")).await;
}

#[tokio::test]
async fn policies_read_the_settings_of_a_transaction() {
    let farm = Farm::stocked().await;
    farm.connection
        .batch(
            "ALTER TABLE llamas ENABLE ROW LEVEL SECURITY; ALTER TABLE llamas FORCE ROW LEVEL SECURITY;
             CREATE FUNCTION mine(paddock bigint) RETURNS boolean LANGUAGE sql AS
                 $$ SELECT paddock = nullif(current_setting('app.paddock', true), '')::bigint $$;
             CREATE VIEW my_llamas AS SELECT * FROM llamas WHERE mine(paddock_id)",
        )
        .await
        .expect("the script is good");
    let mine = || sql("SELECT count(*) FROM my_llamas");
    let mut session = farm.db.session().with_setting("app.paddock", "1").expect("a good name");
    assert_eq!(session.raw(mine()).scalar::<i64>().await.expect_err("outside").kind(), ErrorKind::Unbound);
    let mut tx = session.begin().await.expect("begins");
    assert_eq!(tx.raw(mine()).scalar::<i64>().await.expect("counts"), 2);
    tx.commit().await.expect("commits");
    assert_eq!(
        farm.db.raw(mine()).scalar::<i64>().await.expect("counts"),
        0,
        "it ended with the transaction"
    );
    for bad in ["paddock", "app.", ".x", "app.x y", "app.x'", "search_path"] {
        assert!(farm.db.session().with_setting(bad, "1").is_err(), "{bad}");
    }
}

#[tokio::test]
async fn a_statement_timeout_ends_with_its_transaction() {
    let farm = Farm::stocked().await;
    let mut session = farm.db.session().with_statement_timeout(Duration::from_millis(50)).expect("is unused");
    let mut tx = session.begin().await.expect("begins");
    let error = tx.raw(sql("SELECT pg_sleep(60)")).rows().await.map(drop).expect_err("takes too long");
    assert_eq!(error.database().and_then(|e| e.sqlstate()), Some("57014"));
    tx.rollback().await.expect("rolls back");
    assert_eq!(session.raw(sql("SHOW statement_timeout")).scalar::<String>().await.expect("shows"), "0");
}

#[tokio::test]
async fn a_lock_keeps_others_out_until_the_transaction_ends() {
    let farm = Farm::of(Db::builder()).await;
    let (db, _) = farms(&farm, SchemaMode::Isolated, 3).await;
    let session = |name| db.session().with_tenant(tenant(name)).expect("is isolated");
    let (mut one, mut two, mut other) = (session("north"), session("north"), session("south"));
    let mut holder = one.begin().await.expect("begins");
    holder.lock("feeding").await.expect("is free");
    holder.lock("feeding").await.expect("is its own");
    let mut elsewhere = other.begin().await.expect("begins");
    elsewhere.lock("feeding").await.expect("is another tenant's");
    let mut waiter = two.begin().await.expect("begins");
    waiter.lock("shearing").await.expect("is another key");
    let waiting = async {
        let waits = "SELECT count(*)::text FROM pg_locks WHERE locktype = 'advisory' AND NOT granted
                     AND database = (SELECT oid FROM pg_database WHERE datname = current_database())";
        while farm.text(waits).await != "1" {
            tokio::task::yield_now().await;
        }
        holder.commit().await.expect("commits");
    };
    let (locked, ()) = tokio::join!(waiter.lock("feeding"), waiting);
    locked.expect("is free again");
}

#[tokio::test]
async fn a_session_lets_go_and_counts_what_it_holds() {
    let farm = Farm::stocked().await;
    let mut session = farm.db.session().with_identity_map_warning(4);
    let tina = session.require::<Llama>(2).await.expect("exists");
    session.edit(tina, |l| l.age = 7).expect("is allowed");
    let new = session.add(Llama::new("Nena", 3)).expect("is good");
    assert_eq!((session.len(), session.check_identity_map()), (2, None));
    session.expunge(tina).expect("is there");
    session.expunge(new).expect("is there");
    assert!(session.is_empty() && !session.is_pending());
    assert_eq!(session.expunge(tina).expect_err("is gone").kind(), ErrorKind::StaleRef);
    let again = session.require::<Llama>(2).await.expect("exists");
    assert_eq!((session[again].age, again == tina), (4, false));

    let nena = session.create(Llama::new("Nena", 3)).await.expect("creates");
    assert_eq!(session[nena].id, 5);
    session.fetch(&Llama::select()).await.expect("fetches");
    assert_eq!((session.check_identity_map(), session.check_identity_map()), (Some(5), None), "once");
    let mut tx = session.begin().await.expect("begins");
    tx.edit(nena, |l| l.age = 4).expect("is allowed");
    tx.flush().await.expect("flushes");
    assert!(tx.expunge(nena).is_err(), "a rollback would need her");
    tx.rollback().await.expect("rolls back");
    session.expunge(nena).expect("is there");
    session.close();
}

#[tokio::test]
async fn each_tenants_tables_are_compared_by_themselves() {
    let farm = Farm::of(Db::builder()).await;
    let (db, _) = farms(&farm, SchemaMode::Isolated, 1).await;
    farm.run("ALTER TABLE south.llamas DROP COLUMN age").await;
    farm.run("DROP TABLE west.paddocks CASCADE").await;
    db.check_schema().await.expect("those of tenants are left out");
    db.check_tenant(&tenant("north")).await.expect("is as it was made");
    for (name, table) in [("south", r#""south"."llamas""#), ("west", r#""west"."paddocks""#)] {
        let error = db.check_tenant(&tenant(name)).await.expect_err("lacks something");
        assert_eq!(error.differences().len(), 1, "{error}");
        assert_eq!((error.kind(), error.differences()[0].table()), (ErrorKind::Schema, table), "{error}");
    }
    farm.run("ALTER TABLE shared.breeds ALTER name TYPE int4 USING 1").await;
    assert_eq!(db.check_schema().await.expect_err("is another type").differences().len(), 1);
    db.check_tenant(&tenant("north")).await.expect("what has a schema is not a tenant's");
}
