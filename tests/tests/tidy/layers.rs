//! Which crate of ours may stand on which.

use crate::source::Source;

/// A crate's folder and what its `[dependencies]` may name of ours. Tests, benches and fuzz targets may use all.
const LAYERS: [(&str, &[&str]); 5] = [
    ("codecs", &[]),
    ("simd", &[]),
    ("driver", &["wreath-codecs", "wreath-simd"]),
    ("orm", &["wreath-codecs", "wreath-simd", "wreath-driver"]),
    ("tests", &[]),
];

pub(crate) fn complaints(sources: &[Source]) -> Vec<String> {
    let mut found = Vec::new();
    for (folder, allowed) in LAYERS {
        let path = format!("{folder}/Cargo.toml");
        let Some(manifest) = sources.iter().find(|source| source.path == path) else {
            found.push(format!("{path} is missing"));
            continue;
        };
        let ours = named(&manifest.text)
            .filter(|(section, name)| section == "dependencies" && name.starts_with("wreath-"));
        let wrong = ours.filter(|(_, name)| !allowed.contains(&name.as_str()));
        found.extend(wrong.map(|(_, name)| format!("{path}: may not depend on {name}")));
    }
    found
}

/// The dependencies that a manifest names, each with its section: `dependencies`, `dev-dependencies`, ...
pub(crate) fn named(manifest: &str) -> impl Iterator<Item = (String, String)> {
    let mut section = "";
    manifest.lines().filter_map(move |line| {
        if let Some(header) = line.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            // A target's dependencies count like the others; a table of its own names one.
            section = header.rsplit("'.").next().unwrap_or(header).trim();
            let (kind, name) = section.split_once('.')?;
            return kind.ends_with("dependencies").then(|| (kind.to_owned(), name.to_owned()));
        }
        let name =
            line.split(['=', '.', ' ']).next().filter(|name| !name.is_empty() && !name.starts_with('#'))?;
        (section.ends_with("dependencies") && line.contains('='))
            .then(|| (section.to_owned(), name.to_owned()))
    })
}

#[test]
fn an_arrow_that_points_back_is_found() {
    let manifest = |folder: &str, text: &str| Source::new(&format!("{folder}/Cargo.toml"), text);
    let mut all: Vec<Source> =
        LAYERS.iter().map(|(folder, _)| manifest(folder, "[package]\nname = \"x\"\n")).collect();
    assert_eq!(complaints(&all), Vec::<String>::new());
    all[0].text = "[dependencies]\nwreath-driver.workspace = true\n".to_owned();
    all[1].text = "[target.'cfg(loom)'.dependencies]\nwreath-codecs = { path = \"x\" }\n".to_owned();
    all[2].text =
        "[dependencies]\nwreath-simd = \"1\"\n[dev-dependencies]\nwreath-tests.workspace = true\n".to_owned();
    all[3].text = "[dependencies.wreath-tests]\npath = \"x\"\n".to_owned();
    let wrong = [
        "codecs/Cargo.toml: may not depend on wreath-driver",
        "simd/Cargo.toml: may not depend on wreath-codecs",
        "orm/Cargo.toml: may not depend on wreath-tests",
    ];
    assert_eq!(complaints(&all), wrong);
    all.pop();
    assert_eq!(complaints(&all).last().unwrap(), "tests/Cargo.toml is missing");
}
