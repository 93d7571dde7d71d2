//! What the ORM allocates beyond what the driver and the objects themselves do: nothing, once a shape is
//! known.

mod counting;
#[path = "../../orm/tests/farm/mod.rs"]
mod farm;

use std::hint::black_box;

use counting::{allocations, count as count_of};
use farm::{Llama, Paddock};
use wreath_driver::{Config, Connection, ParamBuf, Sql};
use wreath_orm::{Builder, Db, Model, Select};
use wreath_tests::Cluster;

fn query(id: i64, name: &str) -> Select<Llama> {
    let pred = Llama::ID.eq(id).and(Llama::NAME.ne(name)).and(Llama::PADDOCK.has(Paddock::ID.gt(0)));
    Llama::select().filter(pred).order_by(Llama::NAME.asc()).limit(5)
}

#[test]
fn building_a_query_and_its_key_allocates_nothing() {
    black_box(query(7, "x").shape_hash());
    let (_, allocations) = count_of(|| black_box(query(black_box(8), "Dolly").shape_hash()));
    assert_eq!(allocations, 0);
}

#[test]
fn building_expressions_allocates_nothing() {
    use wreath_orm::expr::{case, count};

    let query = |n: i32, text: &str, ids: &[i64]| {
        let arithmetic = (Llama::AGE * n + 1).gt(9).and(Llama::NAME.lower().starts_with(text));
        let lists = Llama::ID.any(ids).or(Llama::NICK.coalesce_to(Llama::NAME).contains(text));
        let branches = case(Llama::FRIENDLY.holds(), Llama::AGE).otherwise(n).between(1, n);
        let hashes = [arithmetic, lists, branches].map(|pred| Llama::select().filter(pred).shape_hash());
        let groups = Llama::select().cols((Llama::AGE.sum(), count().filter(Llama::AGE.gt(n)))).shape_hash();
        (hashes, groups)
    };
    black_box(query(7, "x", &[1]));
    let (_, allocations) = count_of(|| black_box(query(black_box(8), "100%", &[1, 2, 3])));
    assert_eq!(allocations, 0);
}

async fn farm() -> (Connection, Db, wreath_tests::Database) {
    let database = Cluster::shared().database();
    let config: Config = database.dsn().parse().expect("the kit's DSN is good");
    let connection = config.connect().await.expect("the server is up");
    let models: Builder = Db::builder().model::<Paddock>().model::<Llama>().verify_plans(false);
    let db = models.connection(connection.clone()).expect("the models are good");
    db.create_tables().await.expect("the tables are new");
    let fill = "INSERT INTO llamas (name, friendly) SELECT 'l' || n, true FROM generate_series(1, 1000) n";
    connection.execute(fill, ()).await.expect("inserts");
    (connection, db, database)
}

/// The same read by hand: what the driver allocates for it, and the object.
async fn by_hand(connection: &Connection, sql: &Sql, id: i64) -> Llama {
    let mut params = ParamBuf::new();
    params.push(&id).expect("encodes");
    params.push(&2_i64).expect("encodes");
    let rows = connection.send(sql, params).await.expect("fetches");
    let mut row = rows.first().expect("one row").reader();
    Llama {
        id: row.read().expect("an id"),
        name: row.read().expect("a name"),
        nick: row.read().expect("a nickname"),
        age: row.read().expect("an age"),
        friendly: row.read().expect("a boolean"),
        paddock_id: row.read().expect("a paddock"),
        mother_id: row.read().expect("a mother"),
    }
}

#[test]
fn a_warm_read_by_key_allocates_what_the_driver_does() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    runtime.block_on(async {
        let (connection, db, _database) = farm().await;
        let query = |id: i64| Llama::select().filter(Llama::ID.eq(id));
        let sql = Sql::new(query(1).limit(2).to_sql().expect("compiles"));
        for id in 1..20 {
            // Buffers grow to their size, the statement and the plan become known.
            let (one, two) = (db.fetch_one(&query(id)).await, by_hand(&connection, &sql, id).await);
            assert_eq!(one.expect("fetches"), two);
        }
        for id in 20..30 {
            let before = allocations();
            let one = db.fetch_one(&query(id)).await.expect("fetches");
            let orm = allocations() - before;
            let before = allocations();
            let two = by_hand(&connection, &sql, id).await;
            let hand = allocations() - before;
            assert_eq!((one, orm), (two, hand), "the ORM allocates {orm} times, the driver {hand}");
        }
    });
}
