//! Names by which a file or a crate is found.

use crate::source::Source;

const EMPTY_NAMES: [&str; 6] = ["util", "utils", "helper", "helpers", "common", "misc"];

pub(crate) fn complaints(source: &Source) -> Vec<String> {
    let parts = source.path.split('/').map(|part| part.strip_suffix(".rs").unwrap_or(part));
    let empty = parts.filter(|part| EMPTY_NAMES.contains(part));
    empty.map(|part| format!("{}: {part} says nothing about what is in it", source.path)).collect()
}

/// The fuzz targets are no crate for anybody else.
pub(crate) fn missing_from_readme(sources: &[Source]) -> Vec<String> {
    let readme = sources.iter().find(|source| source.path == "README.md").map_or("", |readme| &readme.text);
    let manifests = sources
        .iter()
        .filter(|source| source.name() == "Cargo.toml" && source.path.matches('/').count() == 1)
        .filter(|source| source.krate() != "fuzz");
    let names = manifests.filter_map(|manifest| {
        let line = manifest.text.lines().find_map(|line| line.strip_prefix("name = \""))?;
        line.strip_suffix('"')
    });
    names
        .filter(|name| !readme.contains(*name))
        .map(|name| format!("README.md does not name {name}"))
        .collect()
}

#[test]
fn names_that_say_nothing_are_found() {
    for bad in ["orm/src/utils.rs", "orm/src/common/a.rs"] {
        assert_eq!(complaints(&Source::new(bad, "")).len(), 1, "{bad}");
    }
    assert!(complaints(&Source::new("orm/src/commonplace.rs", "")).is_empty());
}

#[test]
fn a_crate_that_the_readme_leaves_out_is_found() {
    let manifest = Source::new("x/Cargo.toml", "[package]\nname = \"wreath-x\"\n");
    let readme = |text| Source::new("README.md", text);
    assert_eq!(
        missing_from_readme(&[manifest.clone(), readme("wreath-y")]),
        ["README.md does not name wreath-x"]
    );
    assert_eq!(missing_from_readme(&[manifest, readme("`wreath-x`: ...")]), Vec::<String>::new());
}
