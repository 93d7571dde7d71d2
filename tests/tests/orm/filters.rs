//! Filters of models, and deletions that only mark rows.

use wreath_orm::codecs::types::TimestampTz;
use wreath_orm::{
    Column, Columns, Db, ErrorKind, Filter, Load, Model, Result, SoftDelete, Source, Table, ToMany, ToOne,
};

use crate::Farm;

#[derive(Debug)]
struct Barn {
    id: i64,
}

impl Barn {
    const ID: Column<Self, i64> = Self::TABLE.col("id", |b| &b.id);
    const EWES: ToMany<Self, Ewe> = Ewe::BARN_ID.many(Self::ID);
}

impl Load<Self> for Barn {
    fn load<S: Source<Self>>(s: &mut S) -> Result<Self> {
        Ok(Self { id: s.get(Self::ID)? })
    }
}

impl Model for Barn {
    const TABLE: Table<Self> = Table::new("barns");
    type Key = i64;
    fn key() -> impl Columns<Self, Row = i64> {
        Self::ID
    }
}

#[derive(Debug)]
struct Ewe {
    id: i64,
    age: i32,
    barn_id: i64,
    mother_id: Option<i64>,
    deleted_at: Option<TimestampTz>,
}

impl Ewe {
    const ID: Column<Self, i64> = Self::TABLE.col("id", |e| &e.id);
    const AGE: Column<Self, i32> = Self::TABLE.col("age", |e| &e.age);
    const BARN_ID: Column<Self, i64> = Self::TABLE.col("barn_id", |e| &e.barn_id).references(Barn::ID);
    const MOTHER_ID: Column<Self, Option<i64>> =
        Self::TABLE.col("mother_id", |e| &e.mother_id).references(Self::ID);
    const DELETED_AT: Column<Self, Option<TimestampTz>> = Self::TABLE.col("deleted_at", |e| &e.deleted_at);
    const MOTHER: ToOne<Self, Self> = Self::MOTHER_ID.to_one(Self::ID);

    fn new(id: i64, age: i32, mother_id: Option<i64>) -> Self {
        Self { id, age, barn_id: 1, mother_id, deleted_at: None }
    }
}

impl Load<Self> for Ewe {
    fn load<S: Source<Self>>(s: &mut S) -> Result<Self> {
        Ok(Self {
            id: s.get(Self::ID)?,
            age: s.get(Self::AGE)?,
            barn_id: s.get(Self::BARN_ID)?,
            mother_id: s.get(Self::MOTHER_ID)?,
            deleted_at: s.get(Self::DELETED_AT)?,
        })
    }
}

impl Model for Ewe {
    const TABLE: Table<Self> = Table::new("ewes");
    const FILTERS: &'static [Filter<Self>] = &[
        Filter::new("deleted", || Self::DELETED_AT.is_null()),
        // One that has a value, which has to find its place among those of the query.
        Filter::new("grown", || Self::AGE.ge(2)),
    ];
    const SOFT_DELETE: Option<SoftDelete> = Some(SoftDelete::new("deleted_at", "now()"));
    type Key = i64;
    fn key() -> impl Columns<Self, Row = i64> {
        Self::ID
    }
}

/// Ewes 1 to 4 in a barn: 1 is the mother of 2 and 3; 3 is a lamb; 4 has lost its mother 1.
async fn barn() -> Farm {
    let farm = Farm::of(Db::builder().model::<Barn>().model::<Ewe>()).await;
    let mut session = farm.db.session();
    session.add(Barn { id: 1 }).expect("is valid");
    for ewe in
        [Ewe::new(1, 9, None), Ewe::new(2, 3, Some(1)), Ewe::new(3, 1, Some(1)), Ewe::new(4, 5, Some(3))]
    {
        session.add(ewe).expect("is valid");
        session.flush().await.expect("flushes");
    }
    farm
}

#[tokio::test]
async fn filters_hold_wherever_the_model_is_read() {
    let farm = barn().await;
    let db = &farm.db;
    let ids = |ewes: Vec<Ewe>| ewes.into_iter().map(|e| e.id).collect::<Vec<_>>();
    let by_id = || Ewe::select().order_by(Ewe::ID.asc());
    assert_eq!(ids(db.fetch(&by_id()).await.expect("reads")), [1, 2, 4]);
    assert_eq!(ids(db.fetch(&by_id().filter(Ewe::ID.lt(3))).await.expect("reads")), [1, 2]);
    assert_eq!(db.count(&Ewe::select()).await.expect("counts"), 3);
    assert_eq!(db.count(&Ewe::unfiltered(&["grown"])).await.expect("counts"), 4);

    let mut session = db.session();
    assert!(
        session.get::<Ewe>(3).await.expect("reads").is_none()
            && session.get::<Ewe>(4).await.expect("reads").is_some()
    );

    // Across relations: 4's mother is a lamb, which is not seen.
    let mothers = |query| async move {
        db.fetch(&query)
            .await
            .expect("reads")
            .into_iter()
            .map(|(e, m): (Ewe, Option<Ewe>)| (e.id, m.map(|m| m.id)))
            .collect::<Vec<_>>()
    };
    let seen = by_id().filter(Ewe::ID.gt(1)).include(Ewe::MOTHER.joined());
    assert_eq!(mothers(seen).await, [(2, Some(1)), (4, None)]);
    let lifted = by_id().filter(Ewe::ID.gt(1)).include(Ewe::MOTHER.unfiltered(&["grown"]).joined());
    assert_eq!(mothers(lifted).await, [(2, Some(1)), (4, Some(3))]);
    let has = |relation: ToOne<Ewe, Ewe>| by_id().filter(relation.has(Ewe::ID.gt(0)));
    assert_eq!(ids(db.fetch(&has(Ewe::MOTHER)).await.expect("reads")), [2]);
    assert_eq!(ids(db.fetch(&has(Ewe::MOTHER.unfiltered(&["grown"]))).await.expect("reads")), [2, 4]);

    let herd: Vec<(Barn, Vec<Ewe>)> =
        db.fetch(&Barn::select().include(Barn::EWES.selectin())).await.expect("reads");
    assert_eq!(herd[0].1.len(), 3);
    let lambs = Barn::select().filter(Barn::EWES.exists(Ewe::AGE.lt(2)));
    assert_eq!(db.count(&lambs).await.expect("counts"), 0);
    let lambs = Barn::select().filter(Barn::EWES.unfiltered(&["grown"]).exists(Ewe::AGE.lt(2)));
    assert_eq!(db.count(&lambs).await.expect("counts"), 1);
    let error = db.fetch(&Ewe::unfiltered(&["grwon"])).await.expect_err("no such filter");
    assert_eq!(error.kind(), ErrorKind::Declaration);
}

#[tokio::test]
async fn a_removal_marks_the_row() {
    let farm = barn().await;
    let mut session = farm.db.session();
    let two = session.require::<Ewe>(2).await.expect("is there");
    let one = session.require::<Ewe>(1).await.expect("is there");
    session.remove(two).expect("may go");
    session.remove(one).expect("may go, though others refer to it");
    session.flush().await.expect("flushes");
    assert!(session.try_get(one).is_err() && session.get::<Ewe>(1).await.expect("reads").is_none());
    let marked = "SELECT string_agg(id::text, ' ' ORDER BY id) FROM ewes WHERE deleted_at IS NOT NULL";
    assert_eq!(farm.text(marked).await, "1 2");

    // What a filter hides is not written either; without a filter of its own, a write is refused.
    let all = farm.db.delete(Ewe::select().filter(Ewe::ID.gt(0)));
    assert_eq!(all.run().await.expect("deletes"), 1, "4 only: the others are deleted, or lambs");
    assert_eq!(farm.text(marked).await, "1 2 4");
    let error = farm.db.delete(Ewe::select()).run().await.expect_err("says not which");
    assert_eq!(error.kind(), ErrorKind::Declaration);

    let back = Ewe::unfiltered(&["deleted"]).filter(Ewe::ID.eq(4));
    let four = session.fetch_one(&back).await.expect("is there");
    session.edit(four, |e| e.deleted_at = None).expect("comes back");
    session.flush().await.expect("flushes");
    assert_eq!(farm.db.count(&Ewe::select()).await.expect("counts"), 1);
}
