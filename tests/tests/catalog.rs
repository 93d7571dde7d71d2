//! The table of built-in types against the catalog of a real server.

#![forbid(unsafe_code)]
#![allow(clippy::unwrap_used, reason = "a failed unwrap is how a test fails, in its fixtures too")]

use std::collections::BTreeMap;

use wreath_driver::codecs::{Kind, Type};
use wreath_tests::Cluster;

/// What a server says of each built-in type, but for the row types of its own tables: name, kind, what it is made of.
const CATALOG: &str = "
    SELECT t.oid, t.typname,
           CASE WHEN t.typsubscript = 'array_subscript_handler'::regproc THEN 'array'
                WHEN t.typtype = 'r' THEN 'range' WHEN t.typtype = 'm' THEN 'multirange'
                WHEN t.typtype = 'p' THEN 'pseudo' ELSE 'base' END,
           CASE WHEN t.typsubscript = 'array_subscript_handler'::regproc THEN t.typelem
                ELSE COALESCE((SELECT rngsubtype FROM pg_range WHERE t.oid IN (rngtypid, rngmultitypid)), 0) END,
           t.typsend <> 0
    FROM pg_type t
    WHERE t.oid < 10000 AND t.typtype <> 'c'
      AND NOT EXISTS (SELECT FROM pg_type e WHERE e.oid = t.typelem AND e.typtype = 'c')";

/// Name, kind, number of the inner type, and whether there is a binary form.
type Said = (String, &'static str, u32, bool);

fn said_here(ty: &Type) -> Said {
    let (kind, inner) = match ty.kind() {
        Kind::Array(inner) => ("array", inner.oid()),
        Kind::Range(inner) => ("range", inner.oid()),
        Kind::Multirange(inner) => ("multirange", inner.oid()),
        Kind::Pseudo => ("pseudo", 0),
        _ => ("base", 0),
    };
    (ty.name().to_owned(), kind, inner, ty.data().binary)
}

#[test]
fn built_in_types_are_those_of_the_server() {
    let mut server = BTreeMap::new();
    for row in Cluster::shared().admin().query(CATALOG).unwrap() {
        let [oid, name, kind, inner, binary] = row.try_into().unwrap();
        let kind = ["array", "range", "multirange", "pseudo", "base"]
            .into_iter()
            .find(|k| kind.as_deref() == Some(k))
            .unwrap();
        let number = |text: Option<String>| text.unwrap().parse::<u32>().unwrap();
        server.insert(number(oid), (name.unwrap(), kind, number(inner), binary.as_deref() == Some("t")));
    }
    for ty in Type::builtins() {
        let mut said = server.remove(&ty.oid()).unwrap_or_else(|| panic!("the server has no {ty:?}"));
        // The server has a function that sends any array, and it fails when it comes to the elements.
        if let Kind::Array(inner) = ty.kind() {
            said.3 &= inner.data().binary;
        }
        assert_eq!(said_here(&ty), said, "{ty:?}");
    }
    // A later server may have more.
    if Cluster::shared().version() / 10_000 <= 15 {
        assert_eq!(server, BTreeMap::new(), "types of the server that are not known here");
    }
}
