//! Versions of rows, and what is said of rows that others have changed.

use wreath_orm::{Column, Columns, Db, ErrorKind, Load, Model, Result, Source, Table};

use crate::Farm;

#[derive(Clone, Debug, PartialEq)]
struct Price {
    name: String,
    cents: i64,
    version: i32,
}

impl Price {
    const NAME: Column<Self, String> = Self::TABLE.col("name", |p| &p.name);
    const CENTS: Column<Self, i64> = Self::TABLE.col("cents", |p| &p.cents);
    const VERSION: Column<Self, i32> = Self::TABLE.col("version", |p| &p.version).version();
}

impl Load<Self> for Price {
    fn load<S: Source<Self>>(s: &mut S) -> Result<Self> {
        Ok(Self { name: s.get(Self::NAME)?, cents: s.get(Self::CENTS)?, version: s.get(Self::VERSION)? })
    }
}

impl Model for Price {
    const TABLE: Table<Self> = Table::new("prices");
    type Key = String;
    fn key() -> impl Columns<Self, Row = String> {
        Self::NAME
    }
}

async fn priced(count: i64) -> Farm {
    let farm = Farm::of(Db::builder().model::<Price>()).await;
    let price = |cents| Price { name: format!("p{cents}"), cents, version: 1 };
    farm.db.insert_many((0..count).map(price)).run().await.expect("inserts");
    farm
}

#[tokio::test]
async fn the_second_of_two_editors_is_told() {
    let farm = priced(3).await;
    let second = Db::connect(&farm.database.dsn()).await.expect("the server is up");
    let (mut one, mut two) = (farm.db.session(), second.session());
    let mine = one.require::<Price>("p1".into()).await.expect("exists");
    let theirs = two.require::<Price>("p1".into()).await.expect("exists");
    one.edit(mine, |p| p.cents = 11).expect("is allowed");
    one.flush().await.expect("is first");
    assert_eq!(one[mine].version, 2);
    one.edit(mine, |p| p.cents = 12).expect("is allowed");
    one.flush().await.expect("goes on from its own");
    assert_eq!(one[mine].version, 3);

    two.edit(theirs, |p| p.cents = 21).expect("is allowed");
    let error = two.flush().await.expect_err("is second");
    assert_eq!(error.kind(), ErrorKind::StaleData);
    assert!(
        error.to_string().contains("0 of 1 rows to update were met")
            && error.to_string().contains("at name p1"),
        "{error}"
    );
    assert_eq!((two[theirs].cents, two[theirs].version), (21, 1));
    two.refresh(theirs).await.expect("is there");
    two.edit(theirs, |p| p.cents += 1).expect("is allowed");
    two.flush().await.expect("is up to date");
    assert_eq!((two[theirs].cents, two[theirs].version), (13, 4));

    one.remove(mine).expect("is there");
    assert_eq!(one.flush().await.expect_err("has changed").kind(), ErrorKind::StaleData);
}

#[tokio::test]
async fn a_version_goes_on_whoever_writes_and_back_with_a_rollback() {
    let farm = priced(2).await;
    let mut session = farm.db.session();
    let price = session.require::<Price>("p0".into()).await.expect("exists");
    session.edit(price, |p| p.version = 77).expect("is not sent");
    session.flush().await.expect("nothing to send");
    session.refresh(price).await.expect("is there");
    let mut tx = session.begin().await.expect("begins");
    tx.edit(price, |p| p.cents = 5).expect("is allowed");
    tx.flush().await.expect("flushes");
    assert_eq!(tx[price].version, 2);
    tx.rollback().await.expect("rolls back");
    assert_eq!((session[price].cents, session[price].version), (5, 1));
    session.flush().await.expect("the row has that version");
    let all = Price::select().filter(Price::CENTS.ge(0));
    let versions =
        farm.db.update(all.clone()).set(Price::CENTS, 9).returning_cols(Price::VERSION).run().await;
    assert_eq!(versions.expect("updates").iter().sum::<i32>(), 3 + 2);
    let refused = farm.db.update(all).set(Price::VERSION, 9).run().await.expect_err("goes on by itself");
    assert_eq!(refused.kind(), ErrorKind::Declaration);
    let new = Price { name: "p1".into(), cents: 1, version: 1 };
    farm.db.insert_many([new]).on_conflict(Price::NAME).update(Price::CENTS).run().await.expect("upserts");
    assert_eq!(farm.text("SELECT version::text FROM prices WHERE name = 'p1'").await, "3");
}

#[tokio::test]
async fn stale_rows_are_named() {
    let farm = priced(20).await;
    let mut session = farm.db.session();
    let all = session.fetch(&Price::select().order_by(Price::CENTS.asc())).await.expect("fetches");
    for &price in &all {
        session.edit(price, |p| p.cents += 100).expect("is allowed");
    }
    farm.run("DELETE FROM prices WHERE cents IN (3, 5)").await;
    farm.run("UPDATE prices SET version = 2 WHERE cents = 7").await;
    let error = session.flush().await.expect_err("three are stale").to_string();
    assert!(error.contains("17 of 20 rows") && error.contains("name p3, name p5, name p7"), "{error}");
    farm.run("UPDATE prices SET version = version + 1").await;
    let error = session.flush().await.expect_err("all are stale").to_string();
    assert!(error.contains("0 of 20 rows") && error.ends_with("name p4 and 15 more"), "{error}");
    for &price in &all {
        session.remove(price).expect("is there");
    }
    let error = session.flush().await.expect_err("all are stale").to_string();
    assert!(error.contains("0 of 20 rows to delete"), "{error}");
}
