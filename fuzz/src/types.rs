//! The types that values are read as.

use std::borrow::Cow;
use std::sync::OnceLock;

use wreath_codecs::types::{Field, TypeData};
use wreath_codecs::{Kind, Type, oid};

/// The type of that number, or any other type when there is none.
pub(crate) fn numbered(number: u16) -> &'static Type {
    let types = types();
    let ty = types.iter().find(|ty| ty.oid() == u32::from(number));
    ty.unwrap_or_else(|| &types[usize::from(number) % types.len()])
}

/// Types of extensions, which are known by their names.
const EXTENSIONS: [&str; 11] = [
    "citext",
    "cube",
    "geography",
    "geometry",
    "halfvec",
    "hstore",
    "lquery",
    "ltree",
    "ltxtquery",
    "sparsevec",
    "vector",
];

/// The built-in types, and some of the kinds that a database has of its own.
fn types() -> &'static [Type] {
    static TYPES: OnceLock<Vec<Type>> = OnceLock::new();
    TYPES.get_or_init(|| {
        let builtin = |oid| Type::from_oid(oid).expect("is built in");
        let field = |name: &str, ty| Field { name: name.to_owned(), ty };
        let mood = own(10_001, "mood", Kind::Enum(vec!["calm".to_owned(), "cross".to_owned()]));
        let weight = own(10_002, "weight", Kind::Domain(builtin(oid::NUMERIC)));
        let weighing = own(
            10_003,
            "weighing",
            Kind::Composite(vec![
                field("day", builtin(oid::DATE)),
                field("weight", weight.clone()),
                field("mood", mood.clone()),
                field("notes", builtin(oid::TEXT_ARRAY)),
            ]),
        );
        let weighings = own(10_004, "_weighing", Kind::Array(weighing.clone()));
        let moods = own(10_005, "mood_range", Kind::Range(mood.clone()));
        let names = EXTENSIONS.iter().zip(16_384..);
        let extensions = names.map(|(name, number)| own(number, name, Kind::Base));
        Type::builtins().chain([mood, weight, weighing, weighings, moods]).chain(extensions).collect()
    })
}

fn own(oid: u32, name: &'static str, kind: Kind) -> Type {
    let (schema, name) = (Cow::Borrowed("public"), Cow::Borrowed(name));
    Type::looked_up(TypeData { oid, schema, name, kind, binary: true })
}
