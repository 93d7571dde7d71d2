//! The tree that describes a type of a database.

use std::borrow::Cow;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

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
    /// Whether the server can send it in binary form.
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

    /// Whether it is the type of that number, or a domain over it.
    #[inline]
    pub fn is(&self, oid: u32) -> bool {
        self.oid() == oid || self.base().oid() == oid
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
