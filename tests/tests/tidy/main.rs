//! The house rules that a machine can check. Each is a function from sources to complaints, with tests of its own
//! that show it failing; `main.rs` runs them over the repository.

#![forbid(unsafe_code)]
#![allow(clippy::unwrap_used, reason = "a failed unwrap is how a test fails, in its fixtures too")]

mod calls;
mod dependencies;
mod layers;
mod length;
mod modules;
mod names;
mod paths;
mod source;
mod unsafety;

use source::{Source, read_all};

/// Fails with every complaint at once.
fn demand(complaints: Vec<String>) {
    assert!(complaints.is_empty(), "\n{}\n", complaints.join("\n"));
}

fn check(rule: fn(&Source) -> Vec<String>) {
    let sources = read_all();
    assert!(sources.len() > 50, "the repository was not found");
    demand(sources.iter().flat_map(rule).collect());
}

#[test]
fn files_and_functions_stay_short() {
    check(length::complaints);
}

#[test]
fn files_are_named_for_something() {
    check(names::complaints);
}

#[test]
fn module_files_only_declare() {
    check(modules::complaints);
}

#[test]
fn production_code_neither_gives_up_nor_prints() {
    check(calls::complaints);
}

#[test]
fn unsafe_code_is_confined_and_justified() {
    check(unsafety::complaints);
}

#[test]
fn nothing_belongs_to_one_machine() {
    check(paths::complaints);
}

#[test]
fn crates_depend_downwards() {
    demand(layers::complaints(&read_all()));
}

#[test]
fn dependencies_are_those_that_the_design_gives_reasons_for() {
    demand(dependencies::complaints(&read_all()));
}

#[test]
fn no_database_crate_of_others_is_locked() {
    demand(dependencies::foreign(&read_all()));
}

#[test]
fn the_readme_names_every_crate() {
    demand(names::missing_from_readme(&read_all()));
}
