//! Operators of extensions: PostGIS and pgvector, where the server has them.

use wreath_codecs::types::{Bit, Geography, HalfVec, SparseVec, Vector};
use wreath_orm::geo::{Coordinate, Polygon};
use wreath_orm::{Column, Columns, Db, Expr, Load, Model, Result, Source, Table};
use wreath_tests::skip;

use crate::Farm;

/// Creates an extension, or says that it is not there.
async fn has(farm: &Farm, extension: &str) -> bool {
    let created = farm.connection.execute(&format!("CREATE EXTENSION {extension}"), ()).await;
    if let Err(error) = &created {
        skip(extension, &error.to_string());
    }
    created.is_ok()
}

#[derive(Clone, Debug, PartialEq)]
struct Station {
    id: i64,
    at: Geography,
}

impl Station {
    const ID: Column<Self, i64> = Self::TABLE.col("id", |s| &s.id);
    const AT: Column<Self, Geography> = Self::TABLE.col("at", |s| &s.at).sql_type("geography(Point,4326)");
}

impl Load<Self> for Station {
    fn load<S: Source<Self>>(s: &mut S) -> Result<Self> {
        Ok(Self { id: s.get(Self::ID)?, at: s.get(Self::AT)? })
    }
}

impl Model for Station {
    const TABLE: Table<Self> = Table::new("stations");
    type Key = i64;
    fn key() -> impl Columns<Self, Row = i64> {
        Self::ID
    }
}

fn at(latitude: f64, longitude: f64) -> Coordinate {
    Coordinate::new(latitude, longitude).expect("is in range")
}

#[tokio::test]
async fn places_of_postgis() {
    let farm = Farm::empty().await;
    if !has(&farm, "postgis").await {
        return;
    }
    let db = Db::builder().model::<Station>().connection(farm.connection.clone()).expect("is good");
    db.create_tables().await.expect("is new");
    let mut session = db.session();
    // About a degree of longitude at the equator is 111 km.
    for (id, place) in
        [at(0.0, 0.0), at(0.0, 1.0), at(0.0, 179.9), at(0.0, -179.9), at(89.9, 0.0)].into_iter().enumerate()
    {
        session.add(Station { id: i64::try_from(id).expect("is small"), at: place.into() }).expect("is good");
    }
    session.flush().await.expect("is sent");

    let within = async |centre, metres| {
        let query = Station::select().filter(Station::AT.within(centre, metres)).order_by(Station::ID.asc());
        db.fetch(&query.cols(Station::ID)).await.expect("reads")
    };
    assert_eq!(within(at(0.0, 0.0), 112_000.0).await, [0, 1]);
    assert_eq!(within(at(0.0, 0.0), 110_000.0).await, [0]);
    assert_eq!(within(at(0.0, 180.0), 12_000.0).await, [2, 3]);
    assert_eq!(within(at(89.9, 180.0), 30_000.0).await, [4]);

    let nearest =
        Station::select().order_by(Station::AT.nearest(at(0.0, 0.9)).asc()).limit(2).cols(Station::ID);
    assert_eq!(db.fetch(&nearest).await.expect("reads"), [1, 0]);

    let square = |half: f64| [at(-half, -half), at(-half, half), at(half, half), at(half, -half)];
    let covered = async |region: &Polygon| {
        let query = Station::select().filter(Station::AT.covered_by(region)).order_by(Station::ID.asc());
        db.fetch(&query.cols(Station::ID)).await.expect("reads")
    };
    let region = Polygon::new(square(2.0)).expect("is good");
    assert_eq!(covered(&region).await, [0, 1]);
    assert_eq!(covered(&region.with_hole(square(0.5)).expect("is good")).await, [1]);
    let cornered = [at(0.0, 0.0), at(0.0, 0.5), at(0.5, 0.5)];
    assert_eq!(covered(&Polygon::new(cornered).expect("is good")).await, [0], "a corner belongs to it");
}

#[derive(Clone, Debug, PartialEq)]
struct Page {
    id: i64,
    dense: Vector,
    half: HalfVec,
    sparse: SparseVec,
    bits: Bit,
}

impl Page {
    const ID: Column<Self, i64> = Self::TABLE.col("id", |p| &p.id);
    const DENSE: Column<Self, Vector> = Self::TABLE.col("dense", |p| &p.dense).sql_type("vector(2)");
    const HALF: Column<Self, HalfVec> = Self::TABLE.col("half", |p| &p.half).sql_type("halfvec(2)");
    const SPARSE: Column<Self, SparseVec> = Self::TABLE.col("sparse", |p| &p.sparse).sql_type("sparsevec(2)");
    const BITS: Column<Self, Bit> = Self::TABLE.col("bits", |p| &p.bits).sql_type("bit(4)");
}

impl Load<Self> for Page {
    fn load<S: Source<Self>>(s: &mut S) -> Result<Self> {
        Ok(Self {
            id: s.get(Self::ID)?,
            dense: s.get(Self::DENSE)?,
            half: s.get(Self::HALF)?,
            sparse: s.get(Self::SPARSE)?,
            bits: s.get(Self::BITS)?,
        })
    }
}

impl Model for Page {
    const TABLE: Table<Self> = Table::new("pages");
    type Key = i64;
    fn key() -> impl Columns<Self, Row = i64> {
        Self::ID
    }
}

/// Distances to one vector, each of a name, beside what they are in Rust.
#[tokio::test]
async fn distances_of_pgvector() {
    let farm = Farm::empty().await;
    if !has(&farm, "vector").await {
        return;
    }
    let db = Db::builder().model::<Page>().connection(farm.connection.clone()).expect("is good");
    db.create_tables().await.expect("is new");
    let mut session = db.session();
    let vectors = [[1.0_f32, 0.0], [0.0, 2.0], [3.0, 4.0], [-1.0, 1.0]];
    let bits = ["0000", "0011", "0111", "1111"];
    for (id, (v, bits)) in (0..).zip(vectors.into_iter().zip(bits)) {
        let page = Page {
            id,
            dense: Vector(v.to_vec()),
            half: HalfVec(v.to_vec()),
            sparse: SparseVec::from_dense(&v).expect("is good"),
            bits: bits.parse().expect("is good"),
        };
        session.add(page).expect("is good");
    }
    session.flush().await.expect("is sent");

    let to = [1.0_f32, 1.0];
    let by = |distance: fn([f32; 2], [f32; 2]) -> f32| {
        let mut ids = vec![0, 1, 2, 3];
        ids.sort_by(|a: &usize, b| distance(vectors[*a], to).total_cmp(&distance(vectors[*b], to)));
        ids.into_iter().map(|id| i64::try_from(id).expect("is small")).collect::<Vec<_>>()
    };
    let l2 = by(|[a, b], [c, d]| ((a - c).powi(2) + (b - d).powi(2)).sqrt());
    let l1 = by(|[a, b], [c, d]| (a - c).abs() + (b - d).abs());
    let inner = by(|[a, b], [c, d]| -(a * c + b * d));
    let cosine = by(|[a, b], [c, d]| 1.0 - (a * c + b * d) / (a.hypot(b) * c.hypot(d)));
    let (dense, half) = (Vector(to.to_vec()), HalfVec(to.to_vec()));
    let sparse = SparseVec::from_dense(&to).expect("is good");
    let bits: Bit = "0111".parse().expect("is good");
    let cases: Vec<(Expr<Page, f64>, Vec<i64>)> = vec![
        (Page::DENSE.l2_distance(&dense), l2.clone()),
        (Page::DENSE.l1_distance(&dense), l1),
        (Page::DENSE.inner_product(&dense), inner),
        (Page::DENSE.cosine_distance(&dense), cosine),
        (Page::HALF.l2_distance(&half), l2.clone()),
        (Page::SPARSE.l2_distance(&sparse), l2),
        (Page::BITS.hamming_distance(&bits), vec![2, 1, 3, 0]),
        (Page::BITS.jaccard_distance(&bits), vec![2, 3, 1, 0]),
    ];
    for (distance, expected) in cases {
        let text = format!("{distance:?}");
        let query = Page::select().order_by(distance.asc()).order_by(Page::ID.asc()).cols(Page::ID);
        assert_eq!(db.fetch(&query).await.expect(&text), expected, "{text}");
    }
}

/// What no server is needed for: the text of distances, and what is refused before it is sent.
#[test]
fn operators_of_extensions_as_text() {
    let (dense, bits) = (Vector(vec![1.0]), "01".parse::<Bit>().expect("is good"));
    let texts = [
        format!("{:?}", Page::DENSE.l2_distance(&dense)),
        format!("{:?}", Page::DENSE.cosine_distance(&dense)),
        format!("{:?}", Page::DENSE.inner_product(&dense)),
        format!("{:?}", Page::DENSE.l1_distance(&dense)),
        format!("{:?}", Page::BITS.hamming_distance(&bits)),
        format!("{:?}", Page::BITS.jaccard_distance(&bits)),
        format!("{:?}", Station::AT.nearest(at(0.0, 0.0))),
    ];
    let signs =
        ["dense\" <->", "dense\" <=>", "dense\" <#>", "dense\" <+>", "bits\" <~>", "bits\" <%>", "at\" <->"];
    for (text, sign) in texts.iter().zip(signs) {
        assert_eq!(*text, format!("Expr(t0.\"{sign} $1)"));
    }
    assert_eq!(
        format!("{:?}", Station::AT.within(at(0.0, 0.0), 1.0)),
        r#"Pred(ST_DWithin(t0."at", $1, $2))"#
    );
}

#[tokio::test]
async fn a_distance_that_is_none_is_refused_before_it_is_sent() {
    let farm = Farm::empty().await;
    for metres in [-1.0, f64::NAN, f64::INFINITY] {
        let query = Station::select().filter(Station::AT.within(at(0.0, 0.0), metres));
        farm.sent();
        let error = farm.db.fetch(&query).await.expect_err("is refused");
        assert!(error.to_string().contains("metres"), "{error}");
        assert!(farm.sent().is_empty());
    }
}
