//! What `create_tables` makes of declarations, by what the server then does.

use std::time::{Duration, SystemTime};

use wreath_orm::codecs::types::{TimestampTz, TsVector};
use wreath_orm::{
    Column, Columns, Db, ErrorKind, ForeignKey, Index, Item, Label, Labels, Load, Model, Num, OnDelete,
    Result, Rule, Source, Table, Text,
};

use crate::Farm;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mood {
    Calm,
    Cross,
}

impl Labels for Mood {
    const TYPE: Option<&'static str> = Some("mood");
    const LABELS: &'static [(Self, &'static str)] = &[(Self::Calm, "calm"), (Self::Cross, "it's cross")];
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Size {
    Small,
    Large,
}

impl Labels for Size {
    const LABELS: &'static [(Self, &'static str)] = &[(Self::Small, "S"), (Self::Large, "L")];
}

#[derive(Debug)]
struct Page {
    id: i64,
    title: String,
    body: Option<String>,
    mood: Label<Mood>,
    moods: Vec<Label<Mood>>,
    size: Label<Size>,
    stars: i32,
    parent: Option<i64>,
    created_at: TimestampTz,
    updated_at: SystemTime,
    search: TsVector,
}

impl Page {
    const ID: Column<Self, i64> = Self::TABLE.col("id", |p| &p.id).identity();
    const TITLE: Column<Self, String> =
        Self::TABLE.col("title", |p| &p.title).checks(&[Text::Length(1, 20), Text::Pattern("^[A-Z]")]);
    const BODY: Column<Self, Option<String>> = Self::TABLE.col("body", |p| &p.body);
    const MOOD: Column<Self, Label<Mood>> = Self::TABLE.col("mood", |p| &p.mood);
    const MOODS: Column<Self, Vec<Label<Mood>>> = Self::TABLE.col("moods", |p| &p.moods);
    const SIZE: Column<Self, Label<Size>> = Self::TABLE.col("size", |p| &p.size);
    const STARS: Column<Self, i32> = Self::TABLE.col("stars", |p| &p.stars).checks(&[Num::Ge(0), Num::Le(5)]);
    const PARENT: Column<Self, Option<i64>> = Self::TABLE
        .col("parent", |p| &p.parent)
        .references(Self::ID)
        .on_delete(OnDelete::Cascade)
        .deferrable();
    const CREATED_AT: Column<Self, TimestampTz> =
        Self::TABLE.col("created_at", |p| &p.created_at).filled("'2020-01-01 00:00:00+00'");
    const UPDATED_AT: Column<Self, SystemTime> =
        Self::TABLE.col("updated_at", |p| &p.updated_at).on_update(SystemTime::now);
    const SEARCH: Column<Self, TsVector> =
        Self::TABLE.col("search", |p| &p.search).search("english", &["title", "body"]);

    fn new(title: &str) -> Self {
        Self {
            id: 0,
            title: title.into(),
            body: None,
            mood: Mood::Calm.into(),
            moods: vec![Mood::Cross.into(), Mood::Calm.into()],
            size: Size::Large.into(),
            stars: 3,
            parent: None,
            created_at: TimestampTz::INFINITY,
            updated_at: SystemTime::UNIX_EPOCH,
            search: TsVector::default(),
        }
    }
}

impl Load<Self> for Page {
    fn load<S: Source<Self>>(s: &mut S) -> Result<Self> {
        Ok(Self {
            id: s.get(Self::ID)?,
            title: s.get(Self::TITLE)?,
            body: s.get(Self::BODY)?,
            mood: s.get(Self::MOOD)?,
            moods: s.get(Self::MOODS)?,
            size: s.get(Self::SIZE)?,
            stars: s.get(Self::STARS)?,
            parent: s.get(Self::PARENT)?,
            created_at: s.get(Self::CREATED_AT)?,
            updated_at: s.get(Self::UPDATED_AT)?,
            search: s.get(Self::SEARCH)?,
        })
    }
}

impl Model for Page {
    const TABLE: Table<Self> = Table::new("pages").schema("press");
    const RULES: &'static [Rule<Self>] =
        &[Rule::at("stars", "a small page has one star", &["size", "stars"], |p: &Self| {
            p.size != Size::Small || p.stars < 2
        })
        .named("small")
        .sql("size <> 'S' OR stars < 2")];
    const ITEMS: &'static [Item] = &[
        Item::Unique(&["title", "stars"]),
        Item::Index(Index::new(&["title"]).unique().only("stars > 4")),
        Item::Index(Index::new(&["search"]).method("gin")),
        Item::Check("no_hate", "title <> 'Hate'"),
        Item::Checks,
    ];
    type Key = i64;
    fn key() -> impl Columns<Self, Row = i64> {
        Self::ID
    }
}

/// A remark on a page, by what pages are unique by.
#[derive(Debug)]
struct Remark {
    title: String,
    stars: i32,
}

impl Remark {
    const TITLE: Column<Self, String> = Self::TABLE.col("title", |r| &r.title);
    const STARS: Column<Self, i32> = Self::TABLE.col("stars", |r| &r.stars);
}

impl Load<Self> for Remark {
    fn load<S: Source<Self>>(s: &mut S) -> Result<Self> {
        Ok(Self { title: s.get(Self::TITLE)?, stars: s.get(Self::STARS)? })
    }
}

impl Model for Remark {
    const TABLE: Table<Self> = Table::new("remarks").schema("press");
    const ITEMS: &'static [Item] = &[Item::ForeignKey(
        ForeignKey::new(&["title", "stars"], Page::TABLE, &["title", "stars"])
            .on_delete(OnDelete::Cascade)
            .cascade_updates(),
    )];
    type Key = (String, i32);
    fn key() -> impl Columns<Self, Row = Self::Key> {
        (Self::TITLE, Self::STARS)
    }
}

async fn press() -> Farm {
    Farm::of(Db::builder().model::<Remark>().model::<Page>()).await
}

#[tokio::test]
async fn values_of_the_server_and_of_the_program_come_back() {
    let farm = press().await;
    let mut session = farm.db.session();
    let page =
        session.add(Page { body: Some("Llamas graze".into()), ..Page::new("Wool") }).expect("is valid");
    let added = session[page].updated_at;
    assert!(added > SystemTime::UNIX_EPOCH, "an added object is stamped");
    session.flush().await.expect("flushes");
    assert_eq!(session[page].created_at.to_string(), "2020-01-01 00:00:00+00", "the server has filled it");
    assert!(session[page].search.to_string().contains("graze"), "{}", session[page].search);

    session.edit(page, |_| ()).expect("nothing");
    assert!(!session.is_pending() && session[page].updated_at == added, "an edit of nothing stamps nothing");
    session.edit(page, |p| p.created_at = TimestampTz::NEG_INFINITY).expect("may be edited");
    session.edit(page, |p| p.mood = Mood::Cross.into()).expect("may be edited");
    assert!(session[page].updated_at >= added && session.is_pending());
    session.flush().await.expect("flushes");

    let found =
        &farm.db.fetch(&Page::select().filter(Page::MOOD.eq(Mood::Cross.into()))).await.expect("reads")[0];
    assert!(found.mood == Mood::Cross && found.size == Size::Large && found.parent.is_none());
    assert_eq!(found.moods, [Label(Mood::Cross), Label(Mood::Calm)]);
    assert_eq!(found.created_at, TimestampTz::NEG_INFINITY);
    let gap = found.updated_at.duration_since(session[page].updated_at).unwrap_or_default();
    assert!(gap < Duration::from_micros(1), "the server keeps microseconds");
    assert_eq!(farm.text("SELECT mood::text || size FROM press.pages").await, "it's crossL");
}

#[tokio::test]
async fn what_the_program_refuses_the_server_refuses_too() {
    let farm = press().await;
    let insert = |title: &str, size: &str, stars: i32| {
        format!(
            "INSERT INTO press.pages (title, mood, moods, size, stars, updated_at)
             VALUES ('{title}', 'calm', '{{}}', '{size}', {stars}, now())"
        )
    };
    for (title, size, stars, constraint) in [
        ("", "S", 1, "pages_title_1_check"),
        ("A", "L", 6, "pages_stars_2_check"),
        ("A", "S", -1, "pages_stars_1_check"),
        ("A", "M", 1, "pages_size_1_check"),
        ("A", "S", 3, "pages_rule_1_check"),
        ("Hate", "S", 1, "pages_no_hate_check"),
    ] {
        let error = farm.connection.execute(&insert(title, size, stars), ()).await.expect_err(constraint);
        assert_eq!(error.sqlstate(), Some("23514"), "{error}");
        assert!(error.to_string().contains(constraint), "{error}");
    }
    // A pattern is the program's alone.
    farm.run(&insert("lower", "S", 1)).await;

    let mut session = farm.db.session();
    let broken = Page { stars: 9, size: Size::Small.into(), ..Page::new("lower") };
    let error = session.add(broken).expect_err("is refused");
    let kinds: Vec<_> = error.violations().iter().map(|v| (v.kind(), v.path())).collect();
    assert_eq!(kinds, [("pattern", "title".to_owned()), ("le", "stars".to_owned())], "the rule is not asked");
    let error =
        session.add(Page { stars: 2, size: Size::Small.into(), ..Page::new("Up") }).expect_err("a rule");
    assert_eq!((error.violations()[0].kind(), error.violations()[0].column()), ("small", Some("stars")));
    assert_eq!(error.kind(), ErrorKind::Invalid);
}

#[tokio::test]
async fn indexes_and_keys_of_several_columns_are_there() {
    let farm = press().await;
    let names = farm
        .text(
            "SELECT string_agg(indexname, ' ' ORDER BY indexname) FROM pg_indexes WHERE schemaname = 'press'",
        )
        .await;
    assert_eq!(
        names, "pages_pkey pages_search_idx pages_title_idx pages_title_stars_key remarks_pkey",
        "named by their columns"
    );
    let mut session = farm.db.session();
    session.add(Remark { title: "Wool".into(), stars: 3 }).expect("is valid");
    let page = session.add(Page::new("Wool")).expect("is valid");
    session.flush().await.expect("pages are written first");
    session.edit(page, |p| p.stars = 4).expect("is valid");
    session.flush().await.expect("the remark follows");
    assert_eq!(farm.text("SELECT stars::text FROM press.remarks").await, "4");
    let deferrable = "SELECT condeferred::text FROM pg_constraint WHERE conname = 'pages_parent_fkey'";
    assert_eq!(farm.text(deferrable).await, "true");

    farm.db.drop_tables().await.expect("drops the enum as well");
    farm.db.create_tables().await.expect("all of it is new");
}

#[derive(Debug)]
struct Faulty<const KIND: u8> {
    id: i64,
    name: String,
}

impl<const KIND: u8> Faulty<KIND> {
    const ID: Column<Self, i64> = Self::TABLE.col("id", |f| &f.id);
    const NAME: Column<Self, String> = match KIND {
        0 => Self::TABLE.col("name", |f: &Self| &f.name).checks(&[Text::Pattern("(")]),
        1 => Self::TABLE.col("name", |f: &Self| &f.name).checks(&[Text::Length(3, 2)]),
        _ => Self::TABLE.col("name", |f: &Self| &f.name),
    };
}

impl<const KIND: u8> Load<Self> for Faulty<KIND> {
    fn load<S: Source<Self>>(s: &mut S) -> Result<Self> {
        Ok(Self { id: s.get(Self::ID)?, name: s.get(Self::NAME)? })
    }
}

impl<const KIND: u8> Model for Faulty<KIND> {
    const TABLE: Table<Self> = Table::new("faulty");
    const ITEMS: &'static [Item] = if KIND == 2 { &[Item::Unique(&["id", "nome"])] } else { &[] };
    const FACETS: &'static [wreath_orm::Facet] = match KIND {
        3 => &[wreath_orm::Facet::new("audit", &["nome"])],
        4 => &[wreath_orm::Facet::new("audit", &["name"]), wreath_orm::Facet::new("audit", &[])],
        _ => &[],
    };
    type Key = i64;
    fn key() -> impl Columns<Self, Row = i64> {
        Self::ID
    }
}

#[test]
fn faulty_declarations_are_found_and_named() {
    fn refused<const KIND: u8>(column: Option<&str>, text: &str) {
        let error = wreath_orm::create_table_sql::<Faulty<KIND>>().expect_err("is faulty");
        assert_eq!((error.kind(), error.column()), (ErrorKind::Declaration, column), "{error}");
        assert!(error.to_string().contains(text), "{error}");
    }
    refused::<0>(Some("name"), "regular expression");
    refused::<1>(Some("name"), "length");
    refused::<2>(Some("nome"), "item");
    refused::<3>(Some("nome"), "facet");
    refused::<4>(None, "audit");
    assert!(wreath_orm::create_table_sql::<Faulty<5>>().is_ok());
}

#[tokio::test]
async fn what_is_created_is_what_is_compared() {
    let farm = press().await;
    let (found, flights) = farm.flights(farm.db.schema_differences()).await;
    assert_eq!(found.expect("the catalog is read"), []);
    assert!(flights <= 2, "one for the catalog, one for the enums: {flights}");
}
