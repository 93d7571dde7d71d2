//! Types for values that never leave the program.

use std::borrow::Cow;

use wreath_codecs::types::{Name, TypeData};
use wreath_codecs::{Kind, Oid, Type};

/// The type that values of a column are read as where no server has said which it is.
///
/// The numbers of named types are not known and not needed: what is read is what the very type has written, and
/// holds 0 where such a number would be.
pub(crate) fn stand_in(oid: Oid) -> Type {
    match oid {
        Oid::Fixed(number) => Type::from_oid(number).unwrap_or_else(|| Type::unknown_number(number)),
        Oid::Named(name) => named(name, Kind::Base),
        Oid::ArrayOf(name) => named(name, Kind::Array(named(name, Kind::Base))),
    }
}

fn named(name: Name, kind: Kind) -> Type {
    Type::looked_up(TypeData {
        oid: 0,
        schema: Cow::Borrowed(name.schema.unwrap_or("")),
        name: Cow::Borrowed(name.name),
        kind,
        binary: true,
    })
}
