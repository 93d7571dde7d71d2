//! The tree that describes a type of a database.

use std::borrow::Cow;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use crate::oid::TYPES;

/// A PostgreSQL type as a connection sees it: its number, its name and what it is made of.
///
/// Cloning is cheap. Two types are equal when their numbers are, which holds within one database.
#[derive(Clone)]
pub struct Type(Repr);

#[derive(Clone)]
enum Repr {
    Builtin(&'static TypeData),
    Looked(Arc<TypeData>),
}

/// The first number that is given to a type of a database; below are the server's own.
pub(crate) const FIRST_OF_A_DATABASE: u32 = 16_384;

/// What a [`Type`] says.
#[derive(Clone, Debug)]
pub struct TypeData {
    /// The number, `pg_type.oid`.
    pub oid: u32,
    /// The schema that it is in.
    pub schema: Cow<'static, str>,
    /// The name, `pg_type.typname`.
    pub name: Cow<'static, str>,
    /// What it is made of.
    pub kind: Kind,
    /// Whether the server has a function that sends it in binary form; see [`Type::is_binary`].
    pub binary: bool,
}

/// What a type is made of.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Kind {
    /// A type with a form of its own.
    Base,
    /// A type that only functions use, such as `void`.
    Pseudo,
    /// An array of the inner type.
    Array(Type),
    /// A range over the inner type.
    Range(Type),
    /// A multirange over the inner type (not over its range type).
    Multirange(Type),
    /// Another name, with constraints, for the inner type.
    Domain(Type),
    /// One of these labels, in the order of `CREATE TYPE`.
    Enum(Vec<String>),
    /// These fields, in order.
    Composite(Vec<Field>),
}

/// A field of a composite type.
#[derive(Clone, Debug)]
pub struct Field {
    /// Its name.
    pub name: String,
    /// Its type.
    pub ty: Type,
}

impl Type {
    /// A built-in type.
    pub const fn builtin(data: &'static TypeData) -> Self {
        Self(Repr::Builtin(data))
    }

    /// The built-in type of that number, the same in every database.
    ///
    /// ```
    /// use wreath_codecs::{Kind, Type, oid};
    ///
    /// let ty = Type::from_oid(oid::INT4_ARRAY).expect("built in");
    /// assert_eq!(ty.name(), "_int4");
    /// assert!(matches!(ty.kind(), Kind::Array(inner) if inner.oid() == oid::INT4));
    /// assert!(Type::from_oid(16_384).is_none());
    /// ```
    pub fn from_oid(oid: u32) -> Option<Self> {
        let at = TYPES.binary_search_by_key(&oid, |data| data.oid).ok()?;
        Some(Self::builtin(TYPES[at]))
    }

    /// Every built-in type that has the same number in every database, by number.
    pub fn builtins() -> impl ExactSizeIterator<Item = Self> {
        TYPES.iter().copied().map(Self::builtin)
    }

    /// A type that was looked up in a database.
    pub fn looked_up(data: TypeData) -> Self {
        Self(Repr::Looked(Arc::new(data)))
    }

    /// A type of which only the number is known: nothing but raw bytes can be read from it.
    pub fn unknown_number(oid: u32) -> Self {
        Self::looked_up(TypeData {
            oid,
            schema: Cow::Borrowed(""),
            name: Cow::Owned(format!("type {oid}")),
            kind: Kind::Base,
            binary: true,
        })
    }

    /// Everything about the type.
    #[inline]
    pub fn data(&self) -> &TypeData {
        match &self.0 {
            Repr::Builtin(data) => data,
            Repr::Looked(data) => data,
        }
    }

    /// The number, `pg_type.oid`.
    #[inline]
    pub fn oid(&self) -> u32 {
        self.data().oid
    }

    /// The name, `pg_type.typname`.
    pub fn name(&self) -> &str {
        &self.data().name
    }

    /// The schema that it is in.
    pub fn schema(&self) -> &str {
        &self.data().schema
    }

    /// What it is made of.
    #[inline]
    pub fn kind(&self) -> &Kind {
        &self.data().kind
    }

    /// Whether its values travel in binary form: the server can send them so, and all that they are made of.
    pub fn is_binary(&self) -> bool {
        let data = self.data();
        data.binary
            && match &data.kind {
                Kind::Array(inner) | Kind::Range(inner) | Kind::Multirange(inner) | Kind::Domain(inner) => {
                    inner.is_binary()
                }
                Kind::Composite(fields) => fields.iter().all(|field| field.ty.is_binary()),
                Kind::Base | Kind::Pseudo | Kind::Enum(_) => true,
            }
    }

    /// Whether it is the type of that number, or a domain over it.
    #[inline]
    pub fn is(&self, oid: u32) -> bool {
        self.oid() == oid || self.base().oid() == oid
    }

    /// Whether it is a type of an extension with one of these names, or a domain over one. An enum or a composite of
    /// that name is none.
    pub(crate) fn is_of_extension(&self, names: &[&str]) -> bool {
        let base = self.base();
        base.oid() >= FIRST_OF_A_DATABASE && matches!(base.kind(), Kind::Base) && names.contains(&base.name())
    }

    /// The type of a composite's field, where it is a composite that has it.
    pub fn field(&self, name: &str) -> Option<&Self> {
        match self.base().kind() {
            Kind::Composite(fields) => fields.iter().find(|field| field.name == name).map(|field| &field.ty),
            _ => None,
        }
    }

    /// The type itself, or what a domain stands for, through domains over domains.
    pub fn base(&self) -> &Self {
        let mut ty = self;
        while let Kind::Domain(inner) = ty.kind() {
            ty = inner;
        }
        ty
    }
}

impl PartialEq for Type {
    fn eq(&self, other: &Self) -> bool {
        self.oid() == other.oid()
    }
}

impl Eq for Type {}

impl Hash for Type {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.oid().hash(state);
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl fmt::Debug for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Type({}, {})", self.name(), self.oid())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::oid;

    #[test]
    fn built_in_types_are_found_by_number() {
        assert!(TYPES.is_sorted_by(|a, b| a.oid < b.oid));
        for ty in Type::builtins() {
            assert_eq!(Type::from_oid(ty.oid()).as_ref(), Some(&ty));
            assert_eq!(ty.schema(), "pg_catalog");
        }
        for absent in [0, 15, 83, 16_384, u32::MAX] {
            assert_eq!(Type::from_oid(absent), None);
        }
    }

    #[test]
    fn built_in_types_say_what_they_are_made_of() {
        let inner = |number| match Type::from_oid(number).expect("built in").kind() {
            Kind::Array(inner) => ("array", inner.oid()),
            Kind::Range(inner) => ("range", inner.oid()),
            Kind::Multirange(inner) => ("multirange", inner.oid()),
            Kind::Pseudo => ("pseudo", 0),
            _ => ("base", 0),
        };
        assert_eq!(inner(oid::TEXT), ("base", 0));
        assert_eq!(inner(oid::VOID), ("pseudo", 0));
        assert_eq!(inner(oid::INT2VECTOR), ("array", oid::INT2));
        assert_eq!(inner(oid::INT4RANGE_ARRAY), ("array", oid::INT4RANGE));
        assert_eq!(inner(oid::NUMRANGE), ("range", oid::NUMERIC));
        assert_eq!(inner(oid::TSTZMULTIRANGE), ("multirange", oid::TIMESTAMPTZ));
        // A point has a subscript, and is no array.
        assert_eq!(inner(oid::POINT), ("base", 0));
    }

    #[test]
    fn types_without_a_binary_form_are_known() {
        let text_only = |number| !Type::from_oid(number).expect("built in").data().binary;
        assert!(text_only(oid::ACLITEM) && text_only(oid::ACLITEM_ARRAY) && text_only(oid::GTSVECTOR));
        assert!(!text_only(oid::INT4) && !text_only(oid::RECORD_ARRAY));
    }
}
