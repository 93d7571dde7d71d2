//! The SQL of every form of query and table, against a checked-in file that reads like documentation.
//!
//! After a change that is meant, `WREATH_BLESS=1 cargo test -p wreath-orm --test golden` writes the file
//! anew.

mod farm;

use farm::{Card, Llama, Paddock, Shearing};
use wreath_orm::expr::count;
use wreath_orm::{
    Alias, Column, Columns, Load, Lock, Model, Output, Result, Select, Source, Table, create_table_sql,
};

/// Names that would end their quotes, were they not doubled.
struct Hostile {
    id: i64,
}

impl Hostile {
    const ID: Column<Self, i64> = Self::TABLE.col("id\"; DROP TABLE llamas; --", |h| &h.id);
}

impl Load<Self> for Hostile {
    fn load<S: Source<Self>>(s: &mut S) -> Result<Self> {
        Ok(Self { id: s.get(Self::ID)? })
    }
}

impl Model for Hostile {
    const TABLE: Table<Self> = Table::new("a\"b").schema("c\"\"d");
    type Key = i64;
    fn key() -> impl Columns<Self, Row = i64> {
        Self::ID
    }
}

fn sql<M: Model, O: Output<M>>(query: Select<M, O>) -> String {
    query.to_sql().expect("compiles")
}

fn filters() -> Vec<(&'static str, String)> {
    let all = Llama::select;
    let (x, y, z) = (Llama::AGE.gt(1), Llama::FRIENDLY.eq(true), Llama::NICK.is_null());
    vec![
        ("whole objects", sql(all())),
        ("equal", sql(all().filter(Llama::NAME.eq("Dolly")))),
        ("not equal", sql(all().filter(Llama::NAME.ne("Dolly")))),
        ("less", sql(all().filter(Llama::AGE.lt(9)))),
        ("at most", sql(all().filter(Llama::AGE.le(9)))),
        ("more", sql(all().filter(Llama::AGE.gt(9)))),
        ("at least", sql(all().filter(Llama::AGE.ge(9)))),
        ("a column that may be NULL is compared with a value", sql(all().filter(Llama::PADDOCK_ID.eq(3)))),
        ("NULL", sql(all().filter(Llama::NICK.is_null()))),
        ("not NULL", sql(all().filter(Llama::NICK.is_not_null()))),
        ("a list is one array", sql(all().filter(Llama::ID.any([1, 2, 3])))),
        ("two columns", sql(all().filter(Llama::ID.lt_to(Llama::MOTHER_ID)))),
        ("two filters both hold", sql(all().filter(x.clone()).filter(y.clone()))),
        ("and", sql(all().filter(x.clone().and(y.clone()).and(z.clone())))),
        ("or within and", sql(all().filter(x.clone().or(y.clone()).and(z.clone())))),
        ("and within or", sql(all().filter(x.clone().and(y.clone()).or(z.clone())))),
        ("or beside a second filter", sql(all().filter(x.clone().or(y.clone())).filter(z.clone()))),
        ("not", sql(all().filter(!x.clone()))),
        ("not of and", sql(all().filter(x.clone().and(y.clone()).not()))),
        ("not within or", sql(all().filter(x.or(y.not()).or(z)))),
    ]
}

fn relations() -> Vec<(&'static str, String)> {
    const OTHER: Alias<Llama> = Alias::new("other");
    const HOME: Alias<Paddock> = Alias::new("home");
    let older =
        Llama::PADDOCK_ID.of(OTHER).eq_to(Llama::PADDOCK_ID).and(Llama::AGE.of(OTHER).gt_to(Llama::AGE));
    vec![
        (
            "a condition on the other end",
            sql(Llama::select().filter(Llama::PADDOCK.has(Paddock::NAME.eq("Hilltop")))),
        ),
        (
            "a condition on one of many",
            sql(Paddock::select().filter(Paddock::LLAMAS.exists(Llama::AGE.gt(9).or(Llama::NICK.is_null())))),
        ),
        (
            "conditions across two relations",
            sql(Shearing::select().filter(
                Shearing::LLAMA.has(Llama::PADDOCK.has(Paddock::NAME.eq("Hilltop")).and(Llama::AGE.gt(2))),
            )),
        ),
        (
            "none of many",
            sql(Paddock::select().filter(Paddock::LLAMAS.exists(Llama::FRIENDLY.eq(false)).not())),
        ),
        ("a table that refers to itself", sql(Llama::select().filter(Llama::MOTHER.has(Llama::AGE.gt(9))))),
        ("the same table twice, by an alias", sql(Llama::select().filter(OTHER.exists(older)))),
        (
            "an alias of another table",
            sql(Llama::select().filter(HOME.exists(
                Paddock::ID.of(HOME).eq_to(Llama::PADDOCK_ID).and(Paddock::NAME.of(HOME).eq_to(Llama::NAME)),
            ))),
        ),
        (
            "an alias beneath a relation",
            sql(Paddock::select()
                .filter(Paddock::LLAMAS.exists(OTHER.exists(Llama::MOTHER_ID.of(OTHER).eq_to(Llama::ID))))),
        ),
    ]
}

fn outputs() -> Vec<(&'static str, String)> {
    let llamas = Llama::select;
    vec![
        ("one column", sql(llamas().cols(Llama::NAME))),
        ("columns", sql(llamas().cols((Llama::NAME, Llama::AGE)))),
        ("a struct of some columns", sql(llamas().into::<Card>())),
        ("joined", sql(llamas().include(Llama::PADDOCK.joined()))),
        ("joined and required", sql(llamas().include(Llama::PADDOCK.joined().required()))),
        (
            "selectin selects the key for its statement",
            sql(Paddock::select().include(Paddock::LLAMAS.selectin())),
        ),
        (
            "several includes",
            sql(llamas()
                .include(Llama::PADDOCK.joined())
                .include(Llama::MOTHER.joined())
                .include(Llama::SHEARINGS.selectin())),
        ),
        (
            "joined beneath joined",
            sql(Shearing::select().include(Shearing::LLAMA.joined().include(Llama::PADDOCK.joined()))),
        ),
        (
            "columns with an include and a filter across the same relation",
            sql(llamas()
                .filter(Llama::PADDOCK.has(Paddock::NAME.eq("Hilltop")))
                .cols(Llama::NAME)
                .include(Llama::PADDOCK.joined())),
        ),
        ("hostile names", sql(Hostile::select().filter(Hostile::ID.eq(1)).order_by(Hostile::ID.asc()))),
    ]
}

fn orders() -> Vec<(&'static str, String)> {
    let all = || Llama::select().cols(Llama::ID);
    vec![
        ("ascending", sql(all().order_by(Llama::NAME.asc()))),
        ("descending", sql(all().order_by(Llama::NAME.desc()))),
        ("NULLs first", sql(all().order_by(Llama::NICK.asc().nulls_first()))),
        ("NULLs last", sql(all().order_by(Llama::NICK.desc().nulls_last()))),
        ("two orders", sql(all().order_by(Llama::AGE.desc()).order_by(Llama::NAME.asc()))),
        ("limit", sql(all().limit(10))),
        ("offset", sql(all().offset(10))),
        (
            "the last parameters are limit and offset",
            sql(all().limit(10).offset(20).order_by(Llama::ID.asc()).filter(Llama::AGE.gt(3))),
        ),
    ]
}

/// The statements of a query, one a line.
fn all<M: Model, O: Output<M>>(query: Select<M, O>) -> String {
    query.statements().expect("compiles").join(";\n")
}

fn includes() -> Vec<(&'static str, String)> {
    let homes = || Paddock::select().cols(Paddock::NAME);
    let llamas = || Paddock::LLAMAS.selectin();
    vec![
        ("many, by one statement for all rows", all(homes().include(llamas()))),
        ("some of many", all(homes().include(llamas().filter(Llama::AGE.gt(3))))),
        ("many in an order", all(homes().include(llamas().order_by(Llama::NAME.asc())))),
        (
            "a few of the many of each row",
            all(homes().include(llamas().order_by(Llama::AGE.desc()).order_by(Llama::ID.asc()).limit(3))),
        ),
        (
            "a part of the many of each row, with what each refers to",
            all(homes().include(
                llamas()
                    .filter(Llama::FRIENDLY.eq(true))
                    .order_by(Llama::ID.asc())
                    .limit(3)
                    .offset(1)
                    .include(Llama::MOTHER.joined()),
            )),
        ),
        (
            "many beneath many",
            all(homes().include(llamas().include(Llama::SHEARINGS.selectin().order_by(Shearing::DAY.asc())))),
        ),
        (
            "many beneath joined",
            all(Llama::select()
                .cols(Llama::NAME)
                .include(Llama::PADDOCK.joined().include(Paddock::LLAMAS.selectin()))),
        ),
        (
            "joined where a condition holds",
            all(Llama::select()
                .cols(Llama::NAME)
                .include(Llama::PADDOCK.joined().filter(Paddock::HECTARES.gt(2.0)))),
        ),
        (
            "values of an include come ahead of the filter's",
            all(Llama::select()
                .filter(Llama::AGE.gt(3))
                .cols(Llama::NAME)
                .include(Llama::PADDOCK.joined().filter(Paddock::NAME.eq("Hilltop")))
                .limit(5)),
        ),
    ]
}

fn shapes() -> Vec<(&'static str, String)> {
    const ELDER: Alias<Llama> = Alias::new("elder");
    const HOME: Alias<Paddock> = Alias::new("home");
    let names = || Llama::select().cols(Llama::NAME);
    let by_age = || Llama::select().order_by(Llama::AGE.desc()).order_by(Llama::ID.desc());
    let mixed =
        || Llama::select().order_by(Llama::PADDOCK_ID.asc()).order_by(Llama::ID.desc()).cols(Llama::ID);
    let (young, strays) =
        (Llama::select().filter(Llama::AGE.lt(2)), Llama::select().filter(Llama::PADDOCK_ID.is_null()));
    let pairs = || Llama::AGE.of(ELDER).gt_to(Llama::AGE);
    vec![
        ("distinct", sql(names().distinct())),
        (
            "the first of each",
            sql(names()
                .distinct_on(Llama::PADDOCK_ID)
                .order_by(Llama::PADDOCK_ID.asc())
                .order_by(Llama::AGE.desc())),
        ),
        (
            "expressions",
            sql(Llama::select().cols((Llama::NAME.upper(), Llama::AGE + 1, Llama::NICK.is_null()))),
        ),
        (
            "groups",
            sql(Llama::select().group_by(Llama::PADDOCK_ID).order_by(Llama::PADDOCK_ID.asc()).cols((
                Llama::PADDOCK_ID,
                count(),
                Llama::AGE.max(),
            ))),
        ),
        (
            "groups for which a condition holds",
            sql(Llama::select()
                .filter(Llama::FRIENDLY.eq(true))
                .group_by((Llama::PADDOCK_ID, Llama::NAME.lower()))
                .having(count().ge(3))
                .cols((Llama::PADDOCK_ID, Llama::NAME.lower(), count()))),
        ),
        ("a join", sql(Llama::select().join(ELDER, pairs()).cols((Llama::NAME, Llama::NAME.of(ELDER))))),
        (
            "a join from the left",
            sql(Llama::select()
                .left_join(
                    HOME,
                    Paddock::ID.of(HOME).eq_to(Llama::PADDOCK_ID).and(Paddock::NAME.of(HOME).ne("x")),
                )
                .filter(Llama::AGE.gt(3))
                .order_by(Paddock::NAME.of(HOME).asc())
                .cols((Llama::NAME, Paddock::NAME.of(HOME).optional()))),
        ),
        (
            "two joins, of which the second knows the first",
            sql(Llama::select()
                .join(ELDER, pairs())
                .join(HOME, Paddock::ID.of(HOME).eq_to(Llama::PADDOCK_ID.of(ELDER)))
                .cols((Llama::ID, Paddock::ID.of(HOME)))),
        ),
        ("behind a row, by an index", sql(by_age().after((Llama::AGE, Llama::ID), &(9, 7)).cols(Llama::ID))),
        ("behind a row, both ways", sql(mixed().after((Llama::PADDOCK_ID, Llama::ID), &(Some(1), 7)))),
        ("behind a row with a NULL", sql(mixed().after((Llama::PADDOCK_ID, Llama::ID), &(None, 7)))),
        (
            "behind one key",
            sql(Llama::select().order_by(Llama::ID.asc()).after(Llama::ID, &7).cols(Llama::ID)),
        ),
        ("a page", sql(names().order_by(Llama::ID.asc()).page(3, 20))),
        ("locked for an update", sql(names().lock(Lock::UPDATE))),
        (
            "locked, and those of others passed over",
            sql(names().limit(1).lock(Lock::NO_KEY_UPDATE.skip_locked())),
        ),
        ("locked or refused", sql(names().lock(Lock::SHARE.nowait()))),
        ("keys locked", sql(names().lock(Lock::KEY_SHARE))),
        ("locked beside a join", sql(names().include(Llama::PADDOCK.joined()).lock(Lock::UPDATE))),
        ("the rows of both", sql(young.clone().union(strays.clone()).cols(Llama::ID))),
        ("the rows of both, twice", sql(young.clone().union_all(strays.clone()).cols(Llama::ID))),
        ("what both have", sql(young.clone().intersect(strays.clone()).cols(Llama::ID))),
        ("what the other has not", sql(young.clone().except(strays.clone()).cols(Llama::ID))),
        (
            "parts keep their limits, and all of it has its own",
            sql(young
                .order_by(Llama::AGE.asc())
                .limit(3)
                .union(strays)
                .filter(Llama::FRIENDLY.eq(true))
                .order_by(Llama::NAME.asc())
                .limit(5)),
        ),
    ]
}

fn tables() -> Vec<(&'static str, String)> {
    vec![
        ("a table", create_table_sql::<Paddock>().expect("compiles")),
        ("foreign keys and a default", create_table_sql::<Llama>().expect("compiles")),
        ("a composite key", create_table_sql::<Shearing>().expect("compiles")),
        ("hostile names", create_table_sql::<Hostile>().expect("compiles")),
    ]
}

#[test]
fn sql_is_what_it_was() {
    let mut text = String::new();
    for (title, cases) in [
        ("Filters", filters()),
        ("Relations and aliases", relations()),
        ("Outputs", outputs()),
        ("Orders and limits", orders()),
        ("Includes", includes()),
        ("Shapes", shapes()),
        ("Tables", tables()),
    ] {
        text.push_str(&format!("-- == {title}\n\n"));
        for (name, sql) in cases {
            text.push_str(&format!("-- {name}\n{sql};\n\n"));
        }
    }
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden.sql");
    if std::env::var_os("WREATH_BLESS").is_some() {
        std::fs::write(path, &text).expect("the file can be written");
    }
    let golden = std::fs::read_to_string(path).expect("the file is checked in");
    for (line, (now, was)) in text.lines().zip(golden.lines()).enumerate() {
        assert_eq!(now, was, "tests/golden.sql, line {}", line + 1);
    }
    assert_eq!(text.lines().count(), golden.lines().count(), "tests/golden.sql has other cases");
}

#[test]
fn an_alias_outside_of_its_exists_is_refused() {
    const OTHER: Alias<Llama> = Alias::new("other");
    let error = Llama::select().filter(Llama::AGE.of(OTHER).gt(3)).to_sql().expect_err("not open");
    assert_eq!(error.kind(), wreath_orm::ErrorKind::Declaration);
    assert!(error.to_string().contains("other"), "{error}");
}

#[test]
fn shapes_differ_by_code_and_not_by_values() {
    let query = |name: &str, ids: &[i64]| {
        Llama::select().filter(Llama::NAME.eq(name).or(Llama::PADDOCK_ID.is_null()).and(Llama::ID.any(ids)))
    };
    assert_eq!(query("a", &[]).shape_hash(), query("bb", &[1, 2]).shape_hash());

    let mut hashes = vec![
        Llama::select().shape_hash(),
        Llama::select().limit(1).shape_hash(),
        Llama::select().offset(1).shape_hash(),
        Llama::select().into::<Card>().shape_hash(),
        Llama::select().cols(Llama::ID).shape_hash(),
        Llama::select().cols((Llama::ID, Llama::AGE)).shape_hash(),
        Llama::select().cols((Llama::AGE, Llama::ID)).shape_hash(),
        Llama::select().order_by(Llama::ID.asc()).shape_hash(),
        Llama::select().order_by(Llama::ID.desc()).shape_hash(),
        Llama::select().order_by(Llama::ID.asc().nulls_first()).shape_hash(),
        Llama::select().filter(Llama::AGE.gt(1)).shape_hash(),
        Llama::select().filter(Llama::AGE.ge(1)).shape_hash(),
        Llama::select().filter(Llama::MOTHER_ID.eq(1)).shape_hash(),
        Llama::select().filter(Llama::PADDOCK_ID.eq(1)).shape_hash(),
        Llama::select().filter(Llama::MOTHER.has(Llama::AGE.gt(1))).shape_hash(),
        Llama::select().filter(Llama::CHILDREN.exists(Llama::AGE.gt(1))).shape_hash(),
        Llama::select().include(Llama::MOTHER.joined()).shape_hash(),
        Llama::select().include(Llama::MOTHER.joined().required()).shape_hash(),
        Llama::select().include(Llama::CHILDREN.selectin()).shape_hash(),
        Llama::select().include(Llama::PADDOCK.joined()).shape_hash(),
    ];
    let all = hashes.len();
    hashes.sort_unstable();
    hashes.dedup();
    assert_eq!(hashes.len(), all);
}

#[test]
fn an_expression_of_any_length_keeps_its_shape_and_values() {
    let long = |values: std::ops::Range<i32>| {
        let all = values.map(|v| Llama::AGE.eq(v)).reduce(wreath_orm::Pred::or).expect("some");
        Llama::select().filter(all)
    };
    let sql = long(0..100).to_sql().expect("compiles");
    assert!(sql.ends_with(r#"t0."age" = $99 OR t0."age" = $100"#), "{sql}");
    assert_eq!(long(0..100).shape_hash(), long(5..105).shape_hash());
    assert_ne!(long(0..100).shape_hash(), long(0..101).shape_hash());
}
