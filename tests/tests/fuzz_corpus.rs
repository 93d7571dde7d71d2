//! Replays what the fuzz targets have been fed, with a stable compiler.

#![forbid(unsafe_code)]

use std::path::PathBuf;

#[allow(unreachable_pub, reason = "the targets call it from another crate")]
#[path = "../../fuzz/src/lib.rs"]
mod targets;

/// Feeds each file of a target's corpus to it; a panic is traced to its file by the name printed before.
fn replay(target: &str, body: fn(&[u8])) {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../fuzz/corpus").join(target);
    let files = std::fs::read_dir(&folder).expect("the corpus is checked in");
    let mut count = 0;
    for file in files {
        let path = file.expect("it can be listed").path();
        println!("{}", path.display());
        body(&std::fs::read(&path).expect("it can be read"));
        count += 1;
    }
    assert!(count >= 30, "{} holds {count} files only", folder.display());
}

#[test]
fn backend_frames() {
    replay("backend_frames", targets::backend_frames);
}

#[test]
fn decode_values() {
    replay("decode_values", targets::decode_values);
}

#[test]
fn numeric() {
    replay("numeric", targets::numeric);
}

#[test]
fn pgoutput() {
    replay("pgoutput", targets::pgoutput);
}

#[test]
fn text_parse() {
    replay("text_parse", targets::text_parse);
}

#[test]
fn value_roundtrip() {
    replay("value_roundtrip", targets::value_roundtrip);
}
