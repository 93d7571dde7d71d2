//! Relations beside rows.

use wreath_orm::{ErrorKind, Model};

use crate::Farm;
use crate::farm::{Llama, Paddock, Shearing};

#[tokio::test]
async fn joined_is_there_or_not() {
    let farm = Farm::stocked().await;
    let query = Llama::select().order_by(Llama::ID.asc()).include(Llama::PADDOCK.joined());
    let (rows, flights) = farm.flights(farm.db.fetch(&query)).await;
    let rows: Vec<(Llama, Option<Paddock>)> = rows.expect("fetches");
    let homes: Vec<_> =
        rows.iter().map(|(l, p)| (l.name.as_str(), p.as_ref().map(|p| p.name.as_str()))).collect();
    let expected =
        [("Dolly", Some("Hilltop")), ("Tina", Some("Hilltop")), ("Anna", Some("Riverside")), ("Bo", None)];
    assert_eq!((homes.as_slice(), flights), (expected.as_slice(), 1));
}

#[tokio::test]
async fn required_fails_where_it_is_missing() {
    let farm = Farm::stocked().await;
    let query = Llama::select().include(Llama::PADDOCK.joined().required());
    let error = farm.db.fetch(&query).await.map(|rows| rows.len()).expect_err("Bo has no paddock");
    assert_eq!((error.kind(), error.column()), (ErrorKind::NoResult, Some("paddock_id")));

    let settled = query.filter(Llama::PADDOCK_ID.is_not_null());
    let rows: Vec<(Llama, Paddock)> = farm.db.fetch(&settled).await.expect("all have one");
    assert_eq!(rows.len(), 3);
}

#[tokio::test]
async fn a_row_of_nulls_is_told_from_no_row() {
    // Riverside's size is NULL: its row is there all the same.
    let farm = Farm::stocked().await;
    let query = Llama::select().filter(Llama::NAME.eq("Anna")).include(Llama::PADDOCK.joined());
    let (_, paddock) = farm.db.fetch_one(&query).await.expect("fetches");
    assert_eq!(paddock, Some(Paddock { id: 2, ..Paddock::new("Riverside") }));
}

#[tokio::test]
async fn selectin_is_one_statement_for_all() {
    let farm = Farm::stocked().await;
    farm.run("INSERT INTO paddocks (name) SELECT 'p' || n FROM generate_series(1, 500) n").await;
    farm.run(
        "INSERT INTO llamas (name, friendly, paddock_id)
         SELECT 'l' || n, true, 3 + n % 400 FROM generate_series(1, 2000) n",
    )
    .await;
    let query = Paddock::select().order_by(Paddock::ID.asc()).include(Paddock::LLAMAS.selectin());
    farm.sent();
    let (rows, flights) = farm.flights(farm.db.fetch(&query)).await;
    let rows: Vec<(Paddock, Vec<Llama>)> = rows.expect("fetches");
    assert_eq!((rows.len(), flights, farm.sent().len()), (502, 2, 2));
    let mut names: Vec<_> = rows[0].1.iter().map(|l| l.name.as_str()).collect();
    names.sort_unstable();
    assert_eq!(names, ["Dolly", "Tina"]);
    for (paddock, llamas) in &rows {
        assert!(llamas.iter().all(|l| l.paddock_id == Some(paddock.id)), "{paddock:?} has {llamas:?}");
    }
    assert_eq!(rows[2..402].iter().map(|(_, llamas)| llamas.len()).collect::<Vec<_>>(), [5; 400]);
    assert!(rows[402..].iter().all(|(_, llamas)| llamas.is_empty()));
}

#[tokio::test]
async fn several_includes_are_one_flat_row() {
    let farm = Farm::stocked().await;
    let query = Llama::select()
        .order_by(Llama::ID.asc())
        .cols(Llama::NAME)
        .include(Llama::PADDOCK.joined())
        .include(Llama::SHEARINGS.selectin())
        .include(Llama::MOTHER.joined())
        .include(Llama::CHILDREN.selectin());
    farm.sent();
    let (rows, flights) = farm.flights(farm.db.fetch(&query)).await;
    type Row = (String, Option<Paddock>, Vec<Shearing>, Option<Llama>, Vec<Llama>);
    let rows: Vec<Row> = rows.expect("fetches");
    assert_eq!((flights, farm.sent().len()), (2, 3), "both to-many relations travel together");
    let seen: Vec<_> = rows
        .iter()
        .map(|(name, paddock, shearings, mother, children)| {
            let mother = mother.as_ref().map(|m| m.name.as_str());
            (name.as_str(), paddock.is_some(), shearings.len(), mother, children.len())
        })
        .collect();
    let expected = [
        ("Dolly", true, 2, None, 1),
        ("Tina", true, 0, None, 0),
        ("Anna", true, 0, Some("Dolly"), 0),
        ("Bo", false, 0, None, 0),
    ];
    assert_eq!(seen, expected);
}

#[tokio::test]
async fn includes_nest_to_any_depth() {
    let farm = Farm::stocked().await;
    // Beneath a relation that is not there, one that would have had a statement of its own.
    let query = Llama::select()
        .order_by(Llama::ID.asc())
        .include(Llama::MOTHER.joined().include(Llama::PADDOCK.joined()).include(Llama::SHEARINGS.selectin()))
        .include(Llama::CHILDREN.selectin().include(Llama::PADDOCK.joined()).include(Llama::MOTHER.joined()));
    let rows = farm.db.fetch(&query).await.expect("fetches");
    let mothers: Vec<_> = rows
        .iter()
        .map(|(_, mother, _)| {
            mother.as_ref().map(|(m, p, s)| (m.name.as_str(), p.as_ref().map(|p| p.name.as_str()), s.len()))
        })
        .collect();
    assert_eq!(mothers, [None, None, Some(("Dolly", Some("Hilltop"), 2)), None]);
    let (anna, home, mother) = &rows[0].2[0];
    assert_eq!((anna.name.as_str(), home.as_ref().map(|p| p.id)), ("Anna", Some(2)));
    assert_eq!(mother.as_ref().map(|m| m.name.as_str()), Some("Dolly"));

    let query = Paddock::select().order_by(Paddock::ID.asc()).include(
        Paddock::LLAMAS
            .selectin()
            .include(Llama::SHEARINGS.selectin())
            .include(Llama::CHILDREN.selectin().include(Llama::PADDOCK.joined())),
    );
    let (rows, flights) = farm.flights(farm.db.fetch(&query)).await;
    let rows = rows.expect("fetches");
    assert_eq!(flights, 3, "one flight a level");
    let dolly = rows[0].1.iter().find(|(l, ..)| l.name == "Dolly").expect("on Hilltop");
    assert_eq!((dolly.1.len(), dolly.2.len()), (2, 1));
    assert_eq!(dolly.2[0].1.as_ref().map(|p| p.name.as_str()), Some("Riverside"));
}

#[tokio::test]
async fn nothing_is_asked_for_nobody() {
    let farm = Farm::stocked().await;
    let query = Paddock::select().filter(Paddock::ID.gt(90)).include(Paddock::LLAMAS.selectin());
    let (rows, flights) = farm.flights(farm.db.fetch(&query)).await;
    assert_eq!((rows.expect("fetches").len(), flights), (0, 1));
}
