//! What comes from outside is wanted, and its reason is written down.

use std::collections::BTreeMap;

use crate::layers::named;
use crate::source::Source;

/// Parts of names by which database crates are known.
const FOREIGN: [&str; 14] = [
    "postgres",
    "sqlx",
    "diesel",
    "sea-orm",
    "sea-query",
    "mysql",
    "mariadb",
    "sqlite",
    "pq-sys",
    "libpq",
    "tiberius",
    "mongodb",
    "redis",
    "deadpool",
];

/// The table under `## Dependencies` in DESIGN.md and the manifests name the same crates, used by the same folders.
pub(crate) fn complaints(sources: &[Source]) -> Vec<String> {
    let text =
        |path: &str| sources.iter().find(|source| source.path == path).map_or("", |source| &source.text);
    let mut used: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for source in
        sources.iter().filter(|source| source.name() == "Cargo.toml" && source.path.matches('/').count() == 1)
    {
        // fuzz is a workspace of its own.
        for (_, name) in
            named(&source.text).filter(|(_, name)| !name.starts_with("wreath-") && source.krate() != "fuzz")
        {
            let users = used.entry(name).or_default();
            if !users.contains(&source.krate()) {
                users.push(source.krate());
            }
        }
    }
    let mut table = table(text("DESIGN.md"));
    let mut found = Vec::new();
    for (name, mut users) in used {
        users.sort_unstable();
        let Some((mut listed, reason)) = table.remove(&name) else {
            found.push(format!("DESIGN.md gives no reason for {name}, used by {}", users.join(", ")));
            continue;
        };
        listed.sort_unstable();
        if listed != users {
            found.push(format!(
                "{name} is used by {}, not by {}, as DESIGN.md says",
                users.join(", "),
                listed.join(", ")
            ));
        }
        if reason.is_empty() {
            found.push(format!("DESIGN.md gives no reason for {name}"));
        }
    }
    found.extend(table.into_keys().map(|name| format!("DESIGN.md lists {name}, which nothing uses")));
    let declared = named(text("Cargo.toml"))
        .filter(|(section, name)| section.starts_with("workspace") && !name.starts_with("wreath-"));
    let manifests =
        || sources.iter().filter(|source| source.name() == "Cargo.toml" && source.path.contains('/'));
    let unused = declared
        .filter(|(_, name)| !manifests().any(|source| named(&source.text).any(|(_, used)| used == *name)));
    found.extend(unused.map(|(_, name)| format!("Cargo.toml declares {name}, which nothing uses")));
    found
}

/// Database crates in the product's Cargo.lock.
pub(crate) fn foreign(sources: &[Source]) -> Vec<String> {
    let Some(lock) = sources.iter().find(|source| source.path == "Cargo.lock") else {
        return vec!["Cargo.lock is missing".to_owned()];
    };
    let names = lock.text.lines().filter_map(|line| line.strip_prefix("name = \"")?.strip_suffix('"'));
    let foreign = names.filter(|name| FOREIGN.iter().any(|part| name.contains(part)));
    foreign.map(|name| format!("Cargo.lock has {name}, a database crate")).collect()
}

/// Name, users and reason of each row.
fn table(design: &str) -> BTreeMap<String, (Vec<&str>, &str)> {
    let section =
        design.split("\n## ").find(|section| section.starts_with("Dependencies\n")).unwrap_or_default();
    let rows = section.lines().filter_map(|line| {
        let mut cells = line.strip_prefix('|')?.split('|').map(str::trim);
        let (name, users, reason) = (cells.next()?, cells.next()?, cells.next()?);
        let is_row = name != "crate" && !name.starts_with("---");
        is_row.then(|| (name.to_owned(), (users.split(',').map(str::trim).collect(), reason)))
    });
    rows.collect()
}

#[test]
fn a_dependency_without_a_reason_is_found() {
    let design = |rows: &str| {
        Source::new(
            "DESIGN.md",
            &format!("# D\n\n## Dependencies\n\n| crate | used by | why |\n|---|---|---|\n{rows}\n## Next\n"),
        )
    };
    let orm = Source::new("orm/Cargo.toml", "[dependencies]\na.workspace = true\nwreath-x = \"1\"\n");
    let tests = Source::new("tests/Cargo.toml", "[dev-dependencies]\na = { workspace = true }\n");
    let check = |rows: &str| complaints(&[design(rows), orm.clone(), tests.clone()]);
    assert_eq!(check("| a | orm, tests | needed |"), Vec::<String>::new());
    assert_eq!(check(""), ["DESIGN.md gives no reason for a, used by orm, tests"]);
    assert_eq!(check("| a | orm, tests | |"), ["DESIGN.md gives no reason for a"]);
    assert_eq!(check("| a | orm | x |"), ["a is used by orm, tests, not by orm, as DESIGN.md says"]);
    assert_eq!(check("| a | orm, tests | x |\n| b | orm | x |"), ["DESIGN.md lists b, which nothing uses"]);
    let root = Source::new("Cargo.toml", "[workspace.dependencies]\na = \"1\"\nc = \"1\"\n");
    let unused = complaints(&[design("| a | orm, tests | x |"), orm, tests, root]);
    assert_eq!(unused, ["Cargo.toml declares c, which nothing uses"]);
}

#[test]
fn a_database_crate_is_found() {
    let lock = |name: &str| [Source::new("Cargo.lock", &format!("[[package]]\nname = \"{name}\"\n"))];
    assert_eq!(foreign(&lock("tokio-postgres")).len(), 1);
    assert_eq!(foreign(&lock("tokio")), Vec::<String>::new());
    assert_eq!(foreign(&[]), ["Cargo.lock is missing"]);
}
